/* places.h: where the values stand in a recorded answer
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

/* A value in an answer. */
typedef struct
{
  gsize start;
  gsize length;
  char *field; /* the same for values of one meaning */
} Place;

/* Of Place. */
GArray *places_new (void);
void places_add (GArray *places,
                 const char *text,
                 const char *start,
                 gsize length,
                 char *field);

/* An answer that is sound JSON: what is in a record is a place, and the list of records
 * is none. Records are elements of lists, and what PBS has in `Jobs` and `nodes`. */
void places_find_in_json (GArray *places, const char *text);
/* The same of members of a list from @start on, where others are no sound JSON. */
void places_find_in_json_members (GArray *places,
                                  const char *text,
                                  const char *start,
                                  const char *list);
/* An object in each line. */
void places_find_in_json_lines (GArray *places, const char *text);
/* Columns between @delimiter, of which a line has @n_columns; `#` begins a comment. */
void places_find_in_columns (GArray *places,
                             const char *text,
                             const char *delimiter,
                             guint n_columns);
/* As many columns as the first line has. */
void places_find_in_bars (GArray *places, const char *text);
/* KEY=VALUE KEY=VALUE */
void places_find_in_pairs (GArray *places, const char *text);
/* Accounting logs of PBS: TIME;TYPE;ID;PAIRS */
void places_find_in_pbs_log (GArray *places, const char *text);
/* NAME = VALUE in each line. */
void places_find_in_ad (GArray *places, const char *text);
/* Headings, NAME: VALUE, and NAME (NUMBER) NAME:VALUE NAME:VALUE */
void places_find_in_sdiag (GArray *places, const char *text);
/* Elements without others in them, and names of hosts and queues. */
void places_find_in_xml (GArray *places, const char *text);
