/* jm-ceems-answer-private.h: an answer in the form of CEEMS, and of what came before it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "archive/dialects/jm-question-private.h"

G_BEGIN_DECLS

/* JmCeemsQuery:
 * @clusters: of these alone
 * @uuids: ids of jobs, or uuids of runs
 * @projects: of these accounts alone
 * @users: of these alone
 * @fields: what is wanted of each
 * @from: seconds since 1970
 * @to: seconds since 1970; both ends are meant
 * @has_window: whether somebody asked for one
 * @running: whether what goes on is wanted too
 * @wants_administrators: whether users are wanted that see all
 * @zone: in which times are written
 *
 * What the query of a request says. A list is NULL where nothing is asked for by it. */
typedef struct
{
  GStrv clusters;
  GStrv uuids;
  GStrv projects;
  GStrv users;
  GStrv fields;
  gint64 from;
  gint64 to;
  gboolean has_window;
  gboolean running;
  gboolean wants_administrators;
  GTimeZone *zone;
} JmCeemsQuery;

/* Whether a name is one of @names, or any will do. */
gboolean jm_ceems_query_wants (GStrv names, const char *name);

/* JmCeemsAnswer:
 * @question: what is answered
 * @view: of the question
 * @query: what is asked for
 * @text: the elements of `data`
 * @is_for_all: whether an administrator asks for everybody's
 * @has_no_data: whether there is nothing to list
 * @n_read: how many runs were read for it
 * @warnings: of text: what the reader should know
 *
 * One question in CEEMS' words that is being answered. */
typedef struct
{
  JmQuestion *question;
  JmArchiveView view;
  JmCeemsQuery query;
  GString *text;
  gboolean is_for_all;
  gboolean has_no_data;
  guint n_read;
  GPtrArray *warnings;
} JmCeemsAnswer;

/* JmCeemsKind:
 * @append: appends what is asked for to the text. Errors are as those of a JmApiPath
 * @is_for_all: whether it is for administrators alone, who may ask for everybody's
 * @window: how long a window is that nobody asked for, seconds
 * @wrap: writes the whole of an answer
 *
 * What can be asked in CEEMS' words. */
typedef struct
{
  gboolean (*append) (JmCeemsAnswer *self, GError **error);
  gboolean is_for_all;
  gint64 window;
  void (*wrap) (JmJsonWriter *json, JmCeemsAnswer *self);
} JmCeemsKind;

/* Answers a path whose kind is a JmCeemsKind. */
gboolean jm_ceems_answer (JmQuestion *question, gconstpointer kind, GError **error);

/* What kinds append. */
gboolean jm_ceems_append_units (JmCeemsAnswer *self, GError **error);
gboolean jm_ceems_append_sums_of_window (JmCeemsAnswer *self, GError **error);
gboolean jm_ceems_append_all_sums (JmCeemsAnswer *self, GError **error);
gboolean jm_ceems_append_users (JmCeemsAnswer *self, GError **error);
gboolean jm_ceems_append_projects (JmCeemsAnswer *self, GError **error);
gboolean jm_ceems_append_clusters (JmCeemsAnswer *self, GError **error);
gboolean jm_ceems_append_counts_of_window (JmCeemsAnswer *self, GError **error);
gboolean jm_ceems_append_all_counts (JmCeemsAnswer *self, GError **error);

/* Appends nothing: `DENIED` where not all jobs that are asked for are the caller's. */
gboolean jm_ceems_check_owner (JmCeemsAnswer *self, GError **error);

/* The members `data` and `warnings` of an answer. */
void jm_ceems_answer_append_data (JmJsonWriter *json, JmCeemsAnswer *self);
void jm_ceems_answer_append_warnings (JmJsonWriter *json, JmCeemsAnswer *self);

void jm_ceems_answer_warn (JmCeemsAnswer *self, const char *format, ...)
  G_GNUC_PRINTF (2, 3);

/* A filter of the users, accounts and cluster that are asked for: the caller alone,
 * where
 * @is_own, and else all whom they may see. Of several clusters it has all. */
JmRunFilter *jm_ceems_answer_make_filter (JmCeemsAnswer *self, gboolean is_own);

G_END_DECLS
