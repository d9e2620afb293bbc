/* report-jobs.c: two jobs, of one of which next to nothing is known
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "report-jobs.h"

#include "../expose/jm-snapshot-builder.h"

JmSnapshot *
report_jobs_make_snapshot (void)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmJob) job =
    jm_test_job_new ("1012", "user", "alice", "account", "physics", "start_time",
                     "1700000000", "array_jobid", "1010", "array_taskid", "2", NULL);
  g_autoptr (JmJob) bare_job = jm_test_job_new ("7", "uid", "1001", NULL);
  g_autoptr (JmLabels) measured = jm_labels_of ("package", JM_QUALITY_MEASURED, NULL);
  g_autoptr (JmLabels) estimated = jm_labels_of ("dram", JM_QUALITY_ESTIMATED, NULL);

  jm_snapshot_builder_add_job (builder, job);
  jm_snapshot_builder_add (builder, JM_METRIC_CPUS, 4);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL, 20500000000);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_USED, 3u << 20);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_LIMIT, 4u << 20);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_THREADS, "running", 3);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_THREADS, "sleeping", 2);
  jm_snapshot_builder_add_labels (builder, JM_METRIC_ENERGY, measured, 31000000);
  jm_snapshot_builder_add_labels (builder, JM_METRIC_ENERGY, estimated, 0);
  jm_snapshot_builder_add_job (builder, bare_job);
  jm_snapshot_builder_set_end_time (builder, 1700000005500000);

  return jm_snapshot_builder_end (builder);
}
