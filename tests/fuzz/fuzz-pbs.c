/* fuzz-pbs.c: any bytes as answers of PBS
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdint.h>

#include "schedulers/pbs/jm-pbs-answers-private.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* In two chunks, wherever the first byte cuts it. */
static void
feed (const JmPbsJsonHandler *handler,
      gpointer handler_data,
      const char *text,
      gsize size)
{
  g_autoptr (JmPbsJson) json = jm_pbs_json_new (handler, handler_data);
  gsize cut = (guchar) text[0] % size;

  jm_pbs_json_feed (json, text, cut);
  jm_pbs_json_feed (json, text + cut, size - cut);
  jm_pbs_json_finish (json, "fuzz", NULL);
}

static void
check_job (const JmSchedulerJob *job)
{
  g_assert_true (job->id != NULL && g_utf8_validate (job->id, -1, NULL));
  g_assert_true (job->user == NULL || g_utf8_validate (job->user, -1, NULL));
  g_assert_cmpint (job->tasks, >=, 1);
  g_assert_cmpint (job->cpus_allocated, >=, -1);
  g_assert_cmpint (job->memory_requested_bytes, >=, -1);
  g_assert_cmpint (job->submit_time, >=, 0);
}

static void
check_node (const JmSchedulerNode *node)
{
  g_assert_nonnull (node->name);
  g_assert_true (node->other_flags == NULL ||
                 g_utf8_validate (node->other_flags, -1, NULL));
  g_assert_cmpint (node->cpus_idle, >=, -1);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_memdup2 (data, size);
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_auto (JmPbsJobs) jobs = { 0 };
  g_auto (JmPbsNodes) nodes = { 0 };

  jm_pbs_jobs_init (&jobs, report);
  jm_pbs_nodes_init (&nodes, report);
  if (size == 0)
    return 0;

  feed (&jm_pbs_jobs_handler, &jobs, text, size);
  feed (&jm_pbs_nodes_handler, &nodes, text, size);

  for (guint i = 0; i < jm_scheduler_report_get_n_jobs (report); i++)
    check_job (jm_scheduler_report_get_job (report, i));
  for (guint i = 0; i < jm_scheduler_report_get_n_nodes (report); i++)
    check_node (jm_scheduler_report_get_node (report, i));

  return 0;
}
