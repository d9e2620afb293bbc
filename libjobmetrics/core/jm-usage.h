/* jm-usage.h: what users and accounts have used over days
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"
#include "core/jm-figure.h"
#include "core/jm-quantity.h"
#include "core/jm-usage-quantity.h"

G_BEGIN_DECLS

/**
 * JmUsageGroups:
 * @JM_USAGE_GROUPS_NONE: one sum of all
 * @JM_USAGE_GROUPS_CLUSTER: by cluster
 * @JM_USAGE_GROUPS_USER: by user name
 * @JM_USAGE_GROUPS_ACCOUNT: by account
 * @JM_USAGE_GROUPS_PARTITION: by partition
 * @JM_USAGE_GROUPS_DAY: by day
 * @JM_USAGE_GROUPS_MONTH: by month, of jm_archive_list_totals() alone
 * @JM_USAGE_GROUPS_NAME: by the jobs' name, of jm_archive_list_totals() and
 *   jm_archive_list_groups() alone
 * @JM_USAGE_GROUPS_NODE: by node, of jm_archive_list_totals() alone
 * @JM_USAGE_GROUPS_STATE: by how runs ended, of jm_archive_list_statistics() alone
 *
 * What sums are kept apart by.
 *
 * Since: 0.1
 */
typedef enum /*< flags >*/
{
  JM_USAGE_GROUPS_NONE = 0,
  JM_USAGE_GROUPS_CLUSTER = 1 << 0,
  JM_USAGE_GROUPS_USER = 1 << 1,
  JM_USAGE_GROUPS_ACCOUNT = 1 << 2,
  JM_USAGE_GROUPS_PARTITION = 1 << 3,
  JM_USAGE_GROUPS_DAY = 1 << 4,
  JM_USAGE_GROUPS_MONTH = 1 << 5,
  JM_USAGE_GROUPS_NAME = 1 << 6,
  JM_USAGE_GROUPS_NODE = 1 << 7,
  JM_USAGE_GROUPS_STATE = 1 << 8,
} JmUsageGroups;

JM_AVAILABLE_IN_ALL
gboolean
jm_usage_groups_parse (const char *text, JmUsageGroups *groups, GError **error);

/**
 * JmUsage:
 *
 * Sums over runs: of a user, an account, a partition, a cluster, a day, or of all. It
 * is immutable.
 *
 * Since: 0.1
 */
typedef struct _JmUsage JmUsage;

#define JM_TYPE_USAGE (jm_usage_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_usage_get_type (void);

JM_AVAILABLE_IN_ALL
void jm_usage_unref (JmUsage *self);

JM_AVAILABLE_IN_ALL
const char *jm_usage_get_name (JmUsage *self, JmUsageGroups group);

JM_AVAILABLE_IN_ALL
gint64 jm_usage_get_day (JmUsage *self);

JM_AVAILABLE_IN_ALL
double jm_usage_get_amount (JmUsage *self, JmUsageQuantity quantity);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmUsage, jm_usage_unref)

/**
 * JmRunTotals:
 *
 * What runs were given, what they left unused, and what they cost: of a user, an
 * account, a partition, a cluster, a job name, a node, a day or month, or of all. It is
 * immutable.
 *
 * Since: 0.1
 */
typedef struct _JmRunTotals JmRunTotals;

#define JM_TYPE_RUN_TOTALS (jm_run_totals_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_run_totals_get_type (void);

JM_AVAILABLE_IN_ALL
void jm_run_totals_unref (JmRunTotals *self);

JM_AVAILABLE_IN_ALL
const char *jm_run_totals_get_name (JmRunTotals *self, JmUsageGroups group);

JM_AVAILABLE_IN_ALL
gint64 jm_run_totals_get_month (JmRunTotals *self);

JM_AVAILABLE_IN_ALL
JmFigure jm_run_totals_get_figure (JmRunTotals *self, const JmQuantity *quantity);

JM_AVAILABLE_IN_ALL
gboolean
jm_run_totals_get_value (JmRunTotals *self, const JmQuantity *quantity, double *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRunTotals, jm_run_totals_unref)

G_END_DECLS
