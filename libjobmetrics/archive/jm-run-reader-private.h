/* jm-run-reader-private.h: what may be seen of the tables
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "access/jm-viewer-private.h"
#include "archive/jm-archive.h"
#include "archive/jm-run-filter-private.h"
#include "core/jm-run.h"
#include "core/jm-usage.h"

G_BEGIN_DECLS

/* A page of runs; @next is where the next begins, or NULL behind the last. */
GPtrArray *jm_run_reader_list (JmSql *sql,
                               JmRunFilter *filter,
                               JmViewer *viewer,
                               char **next,
                               GError **error);

/* As jm_archive_database_list_greatest(). */
GPtrArray *jm_run_reader_list_greatest (JmSql *sql,
                                        JmRunFilter *filter,
                                        const char *const *figures,
                                        JmViewer *viewer,
                                        GError **error);

/* At most @max runs, in any order and by one query, which takes no longer for each of
 * many; without their energy. @func asks the database for nothing. */
gboolean jm_run_reader_read (JmSql *sql,
                             JmRunFilter *filter,
                             guint max,
                             JmViewer *viewer,
                             JmRunFunc func,
                             gpointer data,
                             gboolean *has_more,
                             GError **error);

/* At most so many runs that have ended and were never judged, else by other rules, the
 * last to end first. */
GPtrArray *jm_run_reader_list_unjudged (JmSql *sql,
                                        guint32 rules_version,
                                        guint limit,
                                        GError **error);

/* The run of that begin; NULL with no error where there is none. */
JmRun *jm_run_reader_find (JmSql *sql,
                           const char *cluster,
                           const char *raw_id,
                           gint64 start_time,
                           JmViewer *viewer,
                           GError **error);

GPtrArray *jm_run_reader_list_parts (JmSql *sql,
                                     const JmRun *run,
                                     JmRunPartKind kind,
                                     JmViewer *viewer,
                                     GError **error);

/* @n_passed: the steps before the page; @is_last: it is the last one */
typedef struct
{
  guint limit;
  guint64 n_passed;
  gboolean is_last;
} JmStepPage;

/* A page of its steps in the order of nodes and names, behind the first @n_passed; or
 * the last of all where @is_last: names of words, such as `batch`, come after numbers. */
GPtrArray *jm_run_reader_list_steps (JmSql *sql,
                                     const JmRun *run,
                                     const JmStepPage *page,
                                     JmViewer *viewer,
                                     GError **error);

GPtrArray *jm_run_reader_list_usage (JmSql *sql,
                                     JmRunFilter *filter,
                                     JmUsageGroups groups,
                                     JmViewer *viewer,
                                     GError **error);

char **jm_run_reader_list_states (JmSql *sql,
                                  const char *cluster,
                                  const char *raw_id,
                                  JmViewer *viewer,
                                  GError **error);

char *jm_run_reader_get_position (JmSql *sql, const char *source, GError **error);

JmViewer *jm_run_reader_make_viewer (JmSql *sql, const char *user, GError **error);

/* Of the tables, by id: what is given to @func is the caller's no longer. */
typedef void (*JmReadRunFunc) (JmRun *run, gint64 cluster_id, gpointer data);
gboolean
jm_run_reader_visit (JmSql *sql, JmReadRunFunc func, gpointer data, GError **error);

G_END_DECLS
