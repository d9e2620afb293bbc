/* mutations.h: recorded answers in which one value is another
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib-object.h>

#include "places.h"

/* A value that the scheduler could as well have printed there, such as that of another
 * record, changes some figures of one record. Whatever else stands there may change
 * these figures, and nothing beside them: no other figure, and no other record.
 *
 * JM_MUTATIONS is how many values are tried in each answer, JM_MUTATION_SEED which. */

typedef enum
{
  FORMAT_TEXT,
  FORMAT_JSON,
  FORMAT_JSON_LINES, /* of a printer that has no word for what is no number */
  FORMAT_XML,
} Format;

typedef struct _Answer Answer;
/* The records in a text, as those of record-lists.h. */
typedef GPtrArray *(*ReadFunc) (const char *text, const Answer *answer);
typedef void (*FindFunc) (GArray *places, const char *text);

struct _Answer
{
  const char *file; /* of the fixtures */
  ReadFunc read;
  FindFunc find;
  Format format;
  const char *separators;      /* by which a value of a text becomes two */
  const char *between;         /* put in place of the \x1f of a table that was recorded;
                                  NULL to leave it */
  const char *key;             /* the field by which rows belong together, or NULL */
  const char *const *identity; /* the fields of which a value may cost the record; NULL
                                  where each may that is needed */
  const char *const *further;  /* good values that the answer itself has not */
  gconstpointer data;          /* for @read, and the next */
  GCallback function;
};

/* Adds a test for each. */
void mutations_add_tests (const Answer *answers, guint n);
