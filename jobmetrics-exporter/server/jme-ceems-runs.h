/* jme-ceems-runs.h: the runs that are asked for in CEEMS' words
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/jme-ceems-answer.h"

G_BEGIN_DECLS

/* FALSE where no more are wanted. */
typedef gboolean (*JmeCeemsRunFunc) (JmRun *run, gpointer data);

/* Visits the runs of a filter that ended in the window, and those that go on where the
 * query says so; or those with the query's ids, whenever they were. What is too much to
 * read is left out, with a warning.
 *
 * - Errors: as jm_archive_database_list_runs(). */
gboolean jme_ceems_visit_runs (JmeCeemsAnswer *self,
                               JmRunFilter *filter,
                               JmeCeemsRunFunc func,
                               gpointer data,
                               GError **error);

/* The same, some thousands at most, in the order of clusters and ids. */
GPtrArray *
jme_ceems_list_runs (JmeCeemsAnswer *self, JmRunFilter *filter, GError **error);

/* Visits those that go on alone. */
gboolean jme_ceems_visit_active (JmeCeemsAnswer *self,
                                 JmRunFilter *filter,
                                 JmeCeemsRunFunc func,
                                 gpointer data,
                                 GError **error);

/* Whether the caller may see each run of an id, of which there is one at least, in the
 * window; whoever else had a job of that id in it keeps them out.
 *
 * - Errors: as jm_archive_database_list_runs(). */
gboolean
jme_ceems_owns (JmeCeemsAnswer *self, const char *uuid, gboolean *owns, GError **error);

G_END_DECLS
