/* fuzz-slurm-metrics.c: any bytes as answers of Slurm's own metrics endpoint
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdint.h>

#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/slurm/jm-slurm-gauges-private.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_job (const JmSchedulerJob *job)
{
  g_assert (job->sum_of > JM_SCHEDULER_SUM_NONE && job->sum_of < JM_N_SCHEDULER_SUMS);
  g_assert (job->tasks > 0 && job->cpus_allocated >= -1);
  g_assert (job->memory_allocated_bytes >= -1 && job->gpus_allocated >= -1);
  g_assert (job->state == JM_SCHEDULER_JOB_STATE_UNKNOWN || job->flags == 0);
}

static void
read_jobs (const char *text, gsize size)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_auto (JmSlurmJobSums) sums = { 0 };

  jm_slurm_job_sums_init (&sums, report);
  jm_slurm_job_sums_read (&sums, "/metrics/jobs", text, size / 2);
  jm_slurm_job_sums_read (&sums, "/metrics/nodes", text + size / 2, size - size / 2);
  jm_slurm_job_sums_finish (&sums);
  for (guint i = 0; i < jm_scheduler_report_get_n_jobs (report); i++)
    check_job (jm_scheduler_report_get_job (report, i));
}

static void
read_nodes (const char *text, gsize size)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_NODES);

  jm_slurm_gauges_read_nodes (report, "/metrics/nodes", text, size);
  for (guint i = 0; i < jm_scheduler_report_get_n_nodes (report); i++)
    {
      const JmSchedulerNode *node = jm_scheduler_report_get_node (report, i);

      g_assert (node->name != NULL && g_utf8_validate (node->name, -1, NULL));
      g_assert (node->cpus >= -1 && node->memory_bytes >= -1);
      g_assert (node->first_gpus + node->n_gpus <=
                jm_scheduler_report_get_n_gpus (report));
    }
}

static void
read_partitions (const char *text, gsize size)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_PARTITIONS);

  jm_slurm_gauges_read_partitions (report, "/metrics/partitions", text, size);
  for (guint i = 0; i < jm_scheduler_report_get_n_partitions (report); i++)
    g_assert (jm_scheduler_report_get_partition (report, i)->name != NULL);
}

static void
read_scheduler (const char *text, gsize size)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_DIAGNOSTICS);

  jm_slurm_gauges_read_scheduler (report, "/metrics/scheduler", text, size);
  g_assert (jm_scheduler_report_get_diagnostics (report)->cycles >= -1);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_memdup2 (data, size);

  if (size == 0)
    return 0;

  read_jobs (text, size);
  read_nodes (text, size);
  read_partitions (text, size);
  read_scheduler (text, size);

  return 0;
}
