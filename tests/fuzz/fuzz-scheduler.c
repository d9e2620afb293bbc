/* fuzz-scheduler.c: any bytes into what reads a scheduler's commands
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdint.h>

#include "sources/scheduler/jm-sinfo-private.h"
#include "sources/scheduler/jm-slurm-tres-private.h"
#include "sources/scheduler/jm-squeue-private.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
try_values (JmSlice text)
{
  g_autoptr (GString) flags = g_string_new (NULL);
  JmSlurmTres tres;
  JmNodeState node_state;
  JmJobState job_state;
  JmSlice flag;
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
  jm_node_state_parse (text, &node_state, flags);
  if (jm_job_state_parse (text, &job_state, &flag))
    g_assert (job_state < JM_N_JOB_STATES);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_memdup2 (data, size);
  g_autoptr (JmSchedulerReport) report = jm_scheduler_report_new ();
  JmSlice rest = { text, size };
  JmSlice line;
  guint n_lines = 0;
  guint n_jobs;

  if (size == 0)
    return 0;

  try_values (rest);
  for (; jm_slurm_take_word (&rest, '\n', &line); n_lines++)
    {
      jm_squeue_parse_line (line.text, line.length, report);
      jm_sinfo_parse_line (line.text, line.length, report);
    }
  jm_scheduler_report_get_jobs (report, &n_jobs);
  g_assert (n_jobs <= n_lines);

  return 0;
}
