/* fuzz-slurm-answer.c: any bytes as answers of slurmrestd
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stddef.h>
#include <stdint.h>

#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/slurm/jm-slurm-answer-private.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_text (const char *text)
{
  g_assert_true (text == NULL || (text[0] != '\0' && g_utf8_validate (text, -1, NULL)));
}

static void
check_job (const JmSchedulerJob *job)
{
  g_assert_nonnull (job->id);
  g_assert_cmpint (job->raw_id, >=, 0);
  g_assert_cmpint (job->tasks, >=, 0);
  g_assert_cmpint (job->cpus_allocated, >=, -1);
  g_assert_cmpint (job->time_limit_seconds, >=, -1);
  g_assert_cmpint (job->start_time, >=, 0);
  check_text (job->user);
  check_text (job->name);
  check_text (job->other_flags);
}

static void
check_node (JmSchedulerReport *report, const JmSchedulerNode *node)
{
  check_text (node->name);
  check_text (node->partitions);
  g_assert_nonnull (node->name);
  g_assert_cmpint (node->memory_bytes, >=, -1);
  g_assert_cmpint (node->cpus_idle, >=, -1);
  for (guint i = 0; i < node->n_gpus; i++)
    jm_scheduler_report_get_gpus (report, node->first_gpus + i);
}

static void
read_as (const JmSlurmShape *shape, const uint8_t *data, size_t size, size_t chunk)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_autoptr (JmSlurmAnswer) answer = jm_slurm_answer_new (shape, report, "recorded");
  g_autoptr (GError) error = NULL;

  for (size_t i = 0; i < size; i += chunk)
    jm_slurm_answer_feed ((const char *) data + i, MIN (chunk, size - i), answer);
  g_assert_true (jm_slurm_answer_finish (answer, "fuzz", &error) == (error == NULL));

  for (guint i = 0; i < jm_scheduler_report_get_n_jobs (report); i++)
    check_job (jm_scheduler_report_get_job (report, i));
  for (guint i = 0; i < jm_scheduler_report_get_n_nodes (report); i++)
    check_node (report, jm_scheduler_report_get_node (report, i));
  for (guint i = 0; i < jm_scheduler_report_get_n_limits (report); i++)
    g_assert_nonnull (jm_scheduler_report_get_limit (report, i)->account);
  for (guint i = 0; i < jm_scheduler_report_get_n_shares (report); i++)
    g_assert_nonnull (jm_scheduler_report_get_share (report, i)->account);
  check_text (jm_scheduler_report_get_complaint (report));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const JmSlurmShape *const shapes[] = {
    &jm_slurm_jobs_shape,       &jm_slurm_nodes_shape,
    &jm_slurm_partitions_shape, &jm_slurm_reservations_shape,
    &jm_slurm_licenses_shape,   &jm_slurm_shares_shape,
    &jm_slurm_limits_shape,     &jm_slurm_diagnostics_shape,
  };

  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    read_as (shapes[i], data, size, 13);
  read_as (NULL, data, size, size + 1);

  return 0;
}
