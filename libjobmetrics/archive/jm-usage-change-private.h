/* jm-usage-change-private.h: what a transaction changes of the sums of days
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-run-private.h"
#include "core/jm-usage.h"
#include "sql/jm-sql-private.h"

G_BEGIN_DECLS

/* What runs add to the sums of days, and what they had added before is taken from. A
 * run is split by day, UTC, in proportion to the time it ran on each: the parts are
 * whole numbers that add up to the run's total. It counts as a run on the day that it
 * began.
 *
 * - Shape: a function of what is stored of a run alone, so that what it had added can
 * be reckoned again. */
typedef struct _JmUsageChange JmUsageChange;

JmUsageChange *jm_usage_change_new (void);
void jm_usage_change_free (JmUsageChange *self);

void jm_usage_change_add (JmUsageChange *self, gint64 cluster_id, const JmRun *run);
void
jm_usage_change_subtract (JmUsageChange *self, gint64 cluster_id, const JmRun *run);

/* What a run adds, all its days together, in the units of the columns: what is not
 * known
 * adds nothing. @known: which of what is measured somebody knew. It is no run yet. */
void jm_usage_change_total_up (const JmRun *run,
                               gint64 length,
                               gint64 *totals,
                               gboolean *known);

/* Takes from it what the table has from the day on. */
gboolean jm_usage_change_subtract_stored (JmUsageChange *self,
                                          JmSql *sql,
                                          gint64 first_day,
                                          GError **error);

/* Forgets days before it. */
void jm_usage_change_forget (JmUsageChange *self, gint64 first_day);

/* How many sums it changes. */
guint jm_usage_change_count (JmUsageChange *self);

/* Changes the table. */
gboolean jm_usage_change_store (JmUsageChange *self, JmSql *sql, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmUsageChange, jm_usage_change_free)

G_END_DECLS
