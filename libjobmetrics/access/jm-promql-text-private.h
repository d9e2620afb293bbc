/* jm-promql-text-private.h: the words of PromQL
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Where a reader stands in a query. The functions that take one move it behind what
 * they take, and do not move it where they take nothing. */
typedef struct
{
  const char *text;
  const char *at;
  guint depth;
} JmPromqlCursor;

/* Sets MALFORMED with the place at which the cursor stands. Returns FALSE. */
gboolean
jm_promql_refuse (const JmPromqlCursor *self, const char *reason, GError **error);

/* Goes over blanks and comments. */
gboolean jm_promql_skip (JmPromqlCursor *self, GError **error);

/* How long the word is that begins here; 0 for none. Metrics may have colons. */
gsize jm_promql_measure_word (const JmPromqlCursor *self, gboolean has_colons);

/* Whether the word here is that keyword, however it is written. */
gboolean jm_promql_is_keyword (const char *word, gsize length, const char *keyword);

/* A string in any of the three quotes, without quotes and escapes. NULL with an error:
 * not one, or one that servers may read in different ways. */
char *jm_promql_take_string (JmPromqlCursor *self, GError **error);

gboolean jm_promql_is_quote (char c);

gboolean jm_promql_take_number (JmPromqlCursor *self, double *number, GError **error);

/* As 1h30m; more than 0. */
gboolean
jm_promql_take_duration (JmPromqlCursor *self, double *seconds, GError **error);

G_END_DECLS
