/* jme-usage-table.h: sums on pages, by day and by name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/jme-answer.h"
#include "server/jme-archive-query.h"

G_BEGIN_DECLS

/* The last 30 days, where nothing was chosen. */
void jme_usage_table_set_preset_period (JmeArchiveQuery *query);

/* All that the filter has, in one row of figures.
 *
 * - Errors: those of the store, as of all here. */
gboolean
jme_usage_table_append_sum (JmeAnswer *answer, JmRunFilter *filter, GError **error);

/* How much of the CPU and GPU time that runs were given was productive, idle or lost.
 */
gboolean jme_usage_table_append_goodput (JmeAnswer *answer,
                                         const JmeArchiveQuery *query,
                                         GError **error);

/* Drawn, and as a table; only what energy is about with @of_energy. */
gboolean jme_usage_table_append_days (JmeAnswer *answer,
                                      JmRunFilter *filter,
                                      gboolean of_energy,
                                      GError **error);

/* Draws by day what jobs of a cluster were given and used in the last 30 days. */
gboolean
jme_usage_table_append_cluster (JmeAnswer *answer, const char *cluster, GError **error);

/* Kept apart by @group, the greatest first, with links to @path where it is not NULL. */
gboolean jme_usage_table_append_names (JmeAnswer *answer,
                                       JmRunFilter *filter,
                                       JmUsageGroups group,
                                       const char *title,
                                       const char *path,
                                       GError **error);

G_END_DECLS
