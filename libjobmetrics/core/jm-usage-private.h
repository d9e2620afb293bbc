/* jm-usage-private.h: sums of days, to the last millionth
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-figures-private.h"
#include "core/jm-run-field-id-private.h"
#include "core/jm-run.h"
#include "core/jm-usage.h"

G_BEGIN_DECLS

/* What is measured, or not, is from JM_USAGE_FIRST_MEASURED on: for each of these there
 * is beside its sum how many runs it was known of, on each of their days. */
#define JM_N_USAGE_MEASURED (JM_N_USAGE_QUANTITIES - JM_USAGE_FIRST_MEASURED)
#define JM_N_USAGE_COLUMNS (JM_N_USAGE_QUANTITIES + JM_N_USAGE_MEASURED)

/* A sum of a large site's microjoules passes what 64 bits hold: it is kept in two. */
struct _JmUsage
{
  char *cluster;
  char *user;
  char *account;
  char *partition;
  gint64 day; /* since 1970; -1 where they are not kept apart */
  gint64 whole[JM_N_USAGE_QUANTITIES];
  gint64 millionths[JM_N_USAGE_QUANTITIES];
  gint64 n_measured[JM_N_USAGE_MEASURED];
};

/* The groups that have a name: cluster, user, account, partition, job name and node. */
#define JM_N_USAGE_NAMES 6

/* JmRunTotals:
 * @names: in the order of the groups; empty where a run has none, NULL where they are
 *   of all
 * @month: when it begins, seconds since 1970; -1 where they are of all months
 * @currency: of the costs; NULL for none */
struct _JmRunTotals
{
  char *names[JM_N_USAGE_NAMES];
  gint64 month;
  char *currency;
  JmFigures *figures;
};

/* What a run is called in these groups: empty where it has no such name, NULL where
 * they are of all. The names are the run's, that of its node is @node, or NULL. */
void jm_run_totals_get_names (JmRun *run,
                              JmUsageGroups groups,
                              const char *node,
                              char *names[JM_N_USAGE_NAMES]);

/* Whose sums they are, for tables and for their order. */
guint jm_run_totals_hash (const JmRunTotals *self);
int jm_run_totals_compare (const JmRunTotals *self, const JmRunTotals *other);

/* @names and @currency are copied; without figures. */
JmRunTotals *jm_run_totals_new (char *const names[JM_N_USAGE_NAMES],
                                gint64 month,
                                const char *currency);

/* The sums' columns, in the quantities' order, and those with the counts behind. */
const char *jm_usage_get_column (guint column);

/* Whether the column has millionths of the quantity's unit. */
gboolean jm_usage_quantity_is_in_millionths (JmUsageQuantity quantity);

/* Of all, and nothing. */
JmUsage *jm_usage_new (void);

/* In the quantity's unit, as another source has it. FALSE for what no sum can be. */
gboolean jm_usage_set_amount (JmUsage *self, JmUsageQuantity quantity, double amount);

JmUsage *jm_usage_ref (JmUsage *self);

/* As jm_usage_get_name(). */
const char *jm_usage_get_cluster (JmUsage *self);
const char *jm_usage_get_user (JmUsage *self);
const char *jm_usage_get_account (JmUsage *self);
const char *jm_usage_get_partition (JmUsage *self);

JmRunTotals *jm_run_totals_ref (JmRunTotals *self);

const JmQuantity *jm_usage_quantity_get_quantity (JmUsageQuantity quantity);

G_END_DECLS
