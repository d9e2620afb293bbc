/* jm-ceems-runs-private.h: the runs and sums that are asked for in CEEMS' words
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "archive/dialects/jm-ceems-answer-private.h"

G_BEGIN_DECLS

/* FALSE where no more are wanted. */
typedef gboolean (*JmCeemsRunFunc) (JmRun *run, gpointer data);

/* Visits the runs of a filter that ended in the window, and those that go on where the
 * query says so; or those with the query's ids, whenever they were. What is too much to
 * read is left out, with a warning.
 *
 * - Errors: as jm_archive_database_list_runs(). */
gboolean jm_ceems_visit_runs (JmCeemsAnswer *self,
                              JmRunFilter *filter,
                              JmCeemsRunFunc func,
                              gpointer data,
                              GError **error);

/* The same, some thousands at most, in the order of clusters and ids. */
GPtrArray *
jm_ceems_list_runs (JmCeemsAnswer *self, JmRunFilter *filter, GError **error);

/* Visits those that go on alone. */
gboolean jm_ceems_visit_active (JmCeemsAnswer *self,
                                JmRunFilter *filter,
                                JmCeemsRunFunc func,
                                gpointer data,
                                GError **error);

/* Whether @viewer may see each run of an id, of which there is one at least, in the
 * window; whoever else had a job of that id in it keeps them out.
 *
 * - Errors: as jm_archive_database_list_runs(). */
gboolean jm_ceems_owns (JmCeemsAnswer *self,
                        const char *uuid,
                        JmViewer *viewer,
                        gboolean *owns,
                        GError **error);

/* Of each user and account of @filter on each cluster, in the order of clusters, users
 * and accounts: of the whole days of the window, or of its time alone where it is
 * shorter than a day, or of all. Those are left out that are too
 * many, with a warning.
 *
 * - Errors: as jm_archive_database_list_usage(). */
GPtrArray *jm_ceems_list_sums (JmCeemsAnswer *self,
                               JmRunFilter *filter,
                               gboolean is_of_window,
                               GError **error);

G_END_DECLS
