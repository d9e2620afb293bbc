/* fuzz-scheduler.c: any bytes into what reads a scheduler's commands
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdint.h>

#include "schedulers/slurm/jm-slurm-output-private.h"
#include "schedulers/slurm/jm-slurm-state-private.h"
#include "schedulers/slurm/jm-slurm-tres-private.h"

/* That of the recorded answers, which is shorter than one made by chance. */
#define SEPARATOR "\x1f"

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

  if (jm_scheduler_parse_duration (text, &value, &has) && has)
    g_assert (value < G_GUINT64_CONSTANT (1) << 48);
  if (jm_scheduler_count_tasks (text, &value, &has) && has)
    g_assert (value > 0 && value <= G_MAXUINT32);
  jm_scheduler_parse_memory (text, &value, &has);
  jm_scheduler_parse_amount (text, &value, &has);
  g_assert (jm_slurm_parse_gres (text, &tres) == (tres.unread == 0));
  g_assert (tres.n_types <= JM_SLURM_GPU_TYPES_MAX && tres.gpus >= -1);
  g_assert (jm_slurm_parse_tres (text, &tres) == (tres.unread == 0));
  g_assert (tres.n_types <= JM_SLURM_GPU_TYPES_MAX && tres.gpus >= -1);
  jm_slurm_parse_node_state (text, &node_state, &flags, other);
  if (jm_slurm_parse_job_state (text, &job_state, &flags, other))
    g_assert (job_state < JM_N_SCHEDULER_JOB_STATES);
}

typedef struct
{
  JmSchedulerReport *report;
  JmSinfoReader *reader;
  guint n_rows;
} Rows;

static void
on_row (JmSlice row, gpointer data)
{
  Rows *self = data;

  self->n_rows++;
  jm_squeue_take_row (SEPARATOR, row, self->report);
  jm_sinfo_reader_take (self->reader, row);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_memdup2 (data, size);
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_NODES);
  g_autoptr (JmSinfoReader) reader = jm_sinfo_reader_new (SEPARATOR, report);
  Rows target = { report, reader, 0 };
  /* what comes first says of which command it is */
  guint n_columns =
    size % 2 == 0 ? jm_sinfo_table.n_columns : jm_squeue_table.n_columns;
  g_autoptr (JmSlurmRows) rows =
    jm_slurm_rows_new (SEPARATOR, n_columns, on_row, &target);
  JmSlice rest = { text, size };
  JmSlice line;
  guint n_lines = 0;

  if (size == 0)
    return 0;

  try_values (rest);
  for (; jm_slice_take_word (&rest, '\n', &line); n_lines++)
    jm_slurm_rows_take (rows, line, n_lines % 7 != 6);
  jm_slurm_rows_finish (rows);
  g_assert (target.n_rows <= n_lines);
  g_assert (jm_scheduler_report_get_n_jobs (report) <= n_lines);
  g_assert (jm_scheduler_report_get_n_nodes (report) <= n_lines);

  return 0;
}
