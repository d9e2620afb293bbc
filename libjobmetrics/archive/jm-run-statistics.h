/* jm-run-statistics.h: how runs fared
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "archive/jm-archive-database.h"

G_BEGIN_DECLS

/**
 * JmRunStatistic:
 * @JM_RUN_STATISTIC_RUNS: runs that ended
 * @JM_RUN_STATISTIC_COMPLETED: those of them that ended as `COMPLETED`
 * @JM_RUN_STATISTIC_FAILED: as `FAILED`
 * @JM_RUN_STATISTIC_CANCELLED: as `CANCELLED`
 * @JM_RUN_STATISTIC_TIMEOUT: as `TIMEOUT`
 * @JM_RUN_STATISTIC_OUT_OF_MEMORY: as `OUT_OF_MEMORY`
 * @JM_RUN_STATISTIC_NODE_FAIL: as `NODE_FAIL`
 * @JM_RUN_STATISTIC_PREEMPTED: as `PREEMPTED`
 * @JM_RUN_STATISTIC_OTHER: as anything else, or nobody knows
 * @JM_RUN_STATISTIC_WAIT_MEAN: how long they were queued, seconds: from when nothing but
 *   the queue held them back, where that is known, else from their submission
 * @JM_RUN_STATISTIC_WAIT_MIN: the shortest of it
 * @JM_RUN_STATISTIC_WAIT_MEDIAN: the least that is no shorter than half of them
 * @JM_RUN_STATISTIC_WAIT_P90: the least that is no shorter than nine tenths of them
 * @JM_RUN_STATISTIC_WAIT_MAX: the longest of it
 * @JM_RUN_STATISTIC_DURATION_MEAN: how long they ran, seconds
 * @JM_RUN_STATISTIC_DURATION_MIN: the shortest of it
 * @JM_RUN_STATISTIC_DURATION_MEDIAN: the least that is no shorter than half of them
 * @JM_RUN_STATISTIC_DURATION_P90: the least that is no shorter than nine tenths of them
 * @JM_RUN_STATISTIC_DURATION_MAX: the longest of it
 * @JM_RUN_STATISTIC_CPUS: CPUs they were given times how long, seconds
 * @JM_RUN_STATISTIC_CPU_EFFICIENCY: CPU time by that, where both are known
 * @JM_RUN_STATISTIC_CPUS_UNUSED: what of it was not used, where both are known, seconds
 * @JM_RUN_STATISTIC_CPUS_LOST: what of it went into runs that ended as `FAILED`,
 *   `TIMEOUT`, `OUT_OF_MEMORY` or `NODE_FAIL`, seconds
 * @JM_RUN_STATISTIC_MEMORY_EFFICIENCY: most memory used at once by what was given, each
 *   times how long, of runs on one node where both are known
 * @JM_RUN_STATISTIC_ENERGY: energy, joules
 * @JM_RUN_STATISTIC_ENERGY_LOST: what of it went into runs that ended so
 * @JM_RUN_STATISTIC_EMISSIONS: CO2 equivalent, grams
 * @JM_RUN_STATISTIC_EMISSIONS_LOST: what of it went into runs that ended so
 *
 * What is reckoned of runs.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_RUN_STATISTIC_RUNS,
  JM_RUN_STATISTIC_COMPLETED,
  JM_RUN_STATISTIC_FAILED,
  JM_RUN_STATISTIC_CANCELLED,
  JM_RUN_STATISTIC_TIMEOUT,
  JM_RUN_STATISTIC_OUT_OF_MEMORY,
  JM_RUN_STATISTIC_NODE_FAIL,
  JM_RUN_STATISTIC_PREEMPTED,
  JM_RUN_STATISTIC_OTHER,
  JM_RUN_STATISTIC_WAIT_MEAN,
  JM_RUN_STATISTIC_WAIT_MIN,
  JM_RUN_STATISTIC_WAIT_MEDIAN,
  JM_RUN_STATISTIC_WAIT_P90,
  JM_RUN_STATISTIC_WAIT_MAX,
  JM_RUN_STATISTIC_DURATION_MEAN,
  JM_RUN_STATISTIC_DURATION_MIN,
  JM_RUN_STATISTIC_DURATION_MEDIAN,
  JM_RUN_STATISTIC_DURATION_P90,
  JM_RUN_STATISTIC_DURATION_MAX,
  JM_RUN_STATISTIC_CPUS,
  JM_RUN_STATISTIC_CPU_EFFICIENCY,
  JM_RUN_STATISTIC_CPUS_UNUSED,
  JM_RUN_STATISTIC_CPUS_LOST,
  JM_RUN_STATISTIC_MEMORY_EFFICIENCY,
  JM_RUN_STATISTIC_ENERGY,
  JM_RUN_STATISTIC_ENERGY_LOST,
  JM_RUN_STATISTIC_EMISSIONS,
  JM_RUN_STATISTIC_EMISSIONS_LOST,
} JmRunStatistic;

/**
 * JM_N_RUN_STATISTICS:
 *
 * How many #JmRunStatistic there are.
 *
 * Since: 0.1
 */
#define JM_N_RUN_STATISTICS (JM_RUN_STATISTIC_EMISSIONS_LOST + 1)

/**
 * JmRunGroups:
 * @JM_RUN_GROUPS_NONE: all together
 * @JM_RUN_GROUPS_CLUSTER: by cluster
 * @JM_RUN_GROUPS_USER: by user name
 * @JM_RUN_GROUPS_ACCOUNT: by account
 * @JM_RUN_GROUPS_PARTITION: by partition
 * @JM_RUN_GROUPS_STATE: by how they ended
 * @JM_RUN_GROUPS_DAY: by the day they ended, of UTC
 *
 * What statistics are kept apart by.
 *
 * Since: 0.1
 */
typedef enum /*< flags >*/
{
  JM_RUN_GROUPS_NONE = 0,
  JM_RUN_GROUPS_CLUSTER = 1 << 0,
  JM_RUN_GROUPS_USER = 1 << 1,
  JM_RUN_GROUPS_ACCOUNT = 1 << 2,
  JM_RUN_GROUPS_PARTITION = 1 << 3,
  JM_RUN_GROUPS_STATE = 1 << 4,
  JM_RUN_GROUPS_DAY = 1 << 5,
} JmRunGroups;

/**
 * JM_RUN_STATISTICS_MAX_PERIOD:
 *
 * Over how long a time runs are reckoned at most: 400 days, in seconds.
 *
 * Since: 0.1
 */
#define JM_RUN_STATISTICS_MAX_PERIOD 34560000

/**
 * JmRunStatistics:
 *
 * How some runs fared together. Nobody changes it once it is made.
 *
 * Since: 0.1
 */
typedef struct _JmRunStatistics JmRunStatistics;

#define JM_TYPE_RUN_STATISTICS (jm_run_statistics_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_run_statistics_get_type (void);

JM_AVAILABLE_IN_ALL
const char *jm_run_statistic_get_name (JmRunStatistic statistic);

JM_AVAILABLE_IN_ALL
JmRunStatistics *jm_run_statistics_ref (JmRunStatistics *self);

JM_AVAILABLE_IN_ALL
void jm_run_statistics_unref (JmRunStatistics *self);

JM_AVAILABLE_IN_ALL
const char *jm_run_statistics_get_group (JmRunStatistics *self, JmRunGroups group);

JM_AVAILABLE_IN_ALL
gint64 jm_run_statistics_get_day (JmRunStatistics *self);

JM_AVAILABLE_IN_ALL
gboolean jm_run_statistics_get_value (JmRunStatistics *self,
                                      JmRunStatistic statistic,
                                      double *value);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_archive_database_list_statistics (JmArchiveDatabase *self,
                                                JmRunFilter *filter,
                                                gint64 since,
                                                gint64 until,
                                                JmRunGroups groups,
                                                JmViewer *viewer,
                                                GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRunStatistics, jm_run_statistics_unref)

G_END_DECLS
