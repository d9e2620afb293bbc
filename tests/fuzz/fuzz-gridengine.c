/* fuzz-gridengine.c: any bytes as answers of Grid Engine
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdint.h>

#include "schedulers/gridengine/jm-gridengine-answers-private.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* In two chunks, wherever the first byte cuts it. */
static void
feed (const char *root,
      const JmGridengineXmlHandler *handler,
      gpointer handler_data,
      const char *text,
      gsize size)
{
  g_autoptr (JmGridengineXml) xml = jm_gridengine_xml_new (root, handler, handler_data);
  gsize cut = (guchar) text[0] % size;

  jm_gridengine_xml_feed (xml, text, cut);
  jm_gridengine_xml_feed (xml, text + cut, size - cut);
  jm_gridengine_xml_finish (xml, NULL);
}

static void
check_job (const JmSchedulerJob *job)
{
  g_assert_true (job->id != NULL && g_utf8_validate (job->id, -1, NULL));
  g_assert_true (job->user == NULL || g_utf8_validate (job->user, -1, NULL));
  g_assert_cmpint (job->tasks, >=, 1);
  g_assert_cmpint (job->cpus_allocated, >=, -1);
  g_assert_cmpint (job->memory_requested_bytes, >=, -1);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_memdup2 (data, size);
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_auto (JmGridengineJobs) jobs = { 0 };
  g_auto (JmGridengineNodes) nodes = { 0 };

  jm_gridengine_jobs_init (&jobs, report);
  jm_gridengine_nodes_init (&nodes, report);
  if (size == 0)
    return 0;

  feed (JM_GRIDENGINE_JOBS_ROOT, &jm_gridengine_jobs_handler, &jobs, text, size);
  feed (JM_GRIDENGINE_NODES_ROOT, &jm_gridengine_nodes_handler, &nodes, text, size);

  for (guint i = 0; i < jm_scheduler_report_get_n_jobs (report); i++)
    check_job (jm_scheduler_report_get_job (report, i));
  for (guint i = 0; i < jm_scheduler_report_get_n_nodes (report); i++)
    {
      g_assert_nonnull (jm_scheduler_report_get_node (report, i)->name);
      g_assert_cmpint (jm_scheduler_report_get_node (report, i)->cpus_idle, >=, -1);
    }

  return 0;
}
