/* jm-question-private.h: one question to an archive, in the words of another program
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "archive/jm-archive-database-private.h"
#include "base/jm-json-writer-private.h"

G_BEGIN_DECLS

/* JmQuestion:
 * @view: what is asked, and who asks
 * @parameters: names and values by turns, up to NULL
 * @body: (nullable): what was sent with it
 * @json: writes the answer */
typedef struct
{
  const JmArchiveView *view;
  const char *const *parameters;
  GBytes *body;
  JmJsonWriter json;
} JmQuestion;

/* The first value of a parameter; NULL where there is none, or it is empty. */
const char *jm_question_get_value (const JmQuestion *self, const char *name);

/* Adds all values of a parameter that are not blank, in their order. */
void
jm_question_add_values (const JmQuestion *self, const char *name, GStrvBuilder *values);

gboolean jm_question_has (const JmQuestion *self, const char *name);

/* FALSE with `INVALID`: `NAME=VALUE: WHY`. */
gboolean jm_question_refuse_value (const char *name,
                                   const char *value,
                                   const char *why,
                                   GError **error);

/* JmApiPath:
 * @path: behind the prefix of its dialect
 * @answer: writes the answer. Errors are `INVALID` for a question that cannot be read,
 *   `DENIED` for one that is not for everybody; else as the archive's
 * @kind: (nullable): what @answer is given
 *
 * What can be asked. */
typedef struct
{
  const char *path;
  gboolean (*answer) (JmQuestion *self, gconstpointer kind, GError **error);
  gconstpointer kind;
} JmApiPath;

/* JmApiDialect:
 * @prefix: of the paths that are its own
 * @layout: the space between the values of its answers
 * @paths: up to one without a path
 * @refuse: (nullable): writes that there is no answer, for a status of HTTP
 *
 * The API of another program. */
typedef struct
{
  const char *prefix;
  JmJsonLayout layout;
  const JmApiPath *paths;
  void (*refuse) (JmJsonWriter *json, guint status, const char *reason);
} JmApiDialect;

extern const JmApiDialect jm_batchjob_dialect;
extern const JmApiDialect jm_ceems_dialect;
extern const JmApiDialect jm_grafana_dialect;

G_END_DECLS
