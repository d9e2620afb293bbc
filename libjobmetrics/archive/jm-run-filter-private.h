/* jm-run-filter-private.h: which runs are wanted, in SQL
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "archive/jm-run-filter.h"
#include "core/jm-run-private.h"
#include "core/jm-usage.h"
#include "sql/jm-sql-query-private.h"

G_BEGIN_DECLS

/* Each is ` AND ...` with its values, which are those of the filter. */
void jm_run_filter_append_conditions (JmRunFilter *self, JmSqlQuery *query);

/* The same of the runs that went on between the two; 0 for open. */
void jm_run_filter_append_period (gint64 since, gint64 until, JmSqlQuery *query);

/* Those of jm_run_filter_append_conditions() that days have, too: cluster, users,
 * accounts, partition; and the days of the period. */
void jm_run_filter_append_usage_conditions (JmRunFilter *self, JmSqlQuery *query);

/* What is behind the cursor, in order; one more than @limit, so that the reader learns
 * whether there are more. */
void jm_run_filter_append_page (JmRunFilter *self, guint limit, JmSqlQuery *query);

guint jm_run_filter_get_limit (JmRunFilter *self);

/* Whether runs are read with their energy and emissions in detail. */
gboolean jm_run_filter_get_has_energy (JmRunFilter *self);

/* 0 for open. */
void jm_run_filter_get_period (JmRunFilter *self, gint64 *since, gint64 *until);

/* The same of the name alone. */
void jm_run_filter_append_name (JmRunFilter *self, JmSqlQuery *query);

/* Whether a name is set, or a pattern that begins as its names do, and none of users,
 * job, uuid and start, which have indexes of their own. */
gboolean jm_run_filter_is_of_a_name (JmRunFilter *self);

/* Whether a job, name, node, uuid or start is chosen, which are not kept of groups. */
gboolean jm_run_filter_is_of_jobs (JmRunFilter *self);

/* Whether users and a name are set, for which there is an index of its own. */
gboolean jm_run_filter_is_of_a_job (JmRunFilter *self);

/* SQL cannot read a list of nodes: the reader compares it with this. NULL for all. */
const char *jm_run_filter_get_node (JmRunFilter *self);

/* The same as a server is asked for it: `key=value`, with a & between them. */
char *
jm_run_filter_make_parameters (JmRunFilter *self, guint limit, const char *cursor);
char *jm_run_filter_make_usage_parameters (JmRunFilter *self, JmUsageGroups groups);
char *jm_run_filter_make_statistics_parameters (JmRunFilter *self,
                                                JmUsageGroups groups);

/* Where the page behind that run begins. */
char *jm_run_filter_make_cursor (JmRunFilter *self, JmRun *last);

G_END_DECLS
