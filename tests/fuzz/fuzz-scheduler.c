/* fuzz-scheduler.c: any bytes into what reads a scheduler's commands
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdint.h>

#include "sources/scheduler/jm-sinfo-private.h"
#include "sources/scheduler/jm-slurm-state-private.h"
#include "sources/scheduler/jm-slurm-tres-private.h"
#include "sources/scheduler/jm-squeue-private.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
try_values (JmSlice text)
{
  g_autoptr (GString) other = g_string_new (NULL);
  JmSlurmTres tres;
  JmSchedulerNodeState node_state;
  JmSchedulerJobState job_state;
  guint flags = 0;
  guint64 value;
  gboolean has;

  if (jm_slurm_parse_duration (text, &value, &has) && has)
    g_assert (value < G_GUINT64_CONSTANT (1) << 48);
  if (jm_slurm_count_tasks (text, &value, &has) && has)
    g_assert (value > 0 && value <= G_MAXUINT32);
  jm_slurm_parse_memory (text, &value, &has);
  if (jm_slurm_parse_gres (text, &tres))
    g_assert (tres.n_types <= JM_SLURM_GPU_TYPES_MAX);
  if (jm_slurm_parse_tres (text, &tres))
    g_assert (tres.n_types <= JM_SLURM_GPU_TYPES_MAX);
  jm_slurm_parse_node_state (text, &node_state, &flags, other);
  if (jm_slurm_parse_job_state (text, &job_state, &flags, other))
    g_assert (job_state < JM_N_SCHEDULER_JOB_STATES);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_memdup2 (data, size);
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_NODES);
  g_autoptr (JmSinfoReader) reader = jm_sinfo_reader_new (report);
  JmSlice rest = { text, size };
  JmSlice line;
  guint n_lines = 0;

  if (size == 0)
    return 0;

  try_values (rest);
  for (; jm_slurm_take_word (&rest, '\n', &line); n_lines++)
    {
      jm_squeue_parse_line (line.text, line.length, report);
      jm_sinfo_reader_take (reader, line.text, line.length);
    }
  g_assert (jm_scheduler_report_get_n_jobs (report) <= n_lines);
  g_assert (jm_scheduler_report_get_n_nodes (report) <= n_lines);

  return 0;
}
