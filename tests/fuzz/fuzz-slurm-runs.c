/* fuzz-slurm-runs.c: any bytes as what slurmrestd reports of the accounting
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stddef.h>
#include <stdint.h>

#include "core/jm-run-batch-private.h"
#include "core/jm-run-field-private.h"
#include "schedulers/slurm/jm-slurm-answer-past-private.h"

#define MAX_RUNS 3
#define CHUNK 13

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
feed (JmSlurmAnswer *answer, gpointer taker, const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;

  jm_slurm_answer_set_taker (answer, taker);
  for (size_t i = 0; i < size; i += CHUNK)
    jm_slurm_answer_feed ((const char *) data + i, MIN (CHUNK, size - i), answer);
  g_assert_true (jm_slurm_answer_finish (answer, "fuzz", &error) == (error == NULL));
}

static void
check_run (const JmRunItem *item)
{
  const char *id = jm_run_get_raw_id (item->run);

  g_assert_true (*id != '\0' && strspn (id, "0123456789") == strlen (id));
  for (guint i = 0; i < JM_N_RUN_FIELDS; i++)
    {
      gint64 number = 0;

      if (jm_run_field_holds_text (i))
        {
          const char *text = jm_run_peek_text (item->run, i);

          g_assert_true (text == NULL || g_utf8_validate (text, -1, NULL));
        }
      else if (jm_run_get_number (item->run, i, &number))
        g_assert_cmpint (number, >=, 0);
    }
}

static void
read_runs (const uint8_t *data, size_t size, guint version)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_autoptr (JmSacctRows) rows = jm_sacct_rows_new ("fuzzed", "\x1f", 1, MAX_RUNS);
  g_autoptr (JmSlurmRuns) runs = jm_slurm_runs_new (rows, version);
  g_autoptr (JmSlurmAnswer) answer =
    jm_slurm_answer_new (jm_slurm_runs_get_shape (runs), report, "fuzzed");
  g_autoptr (GPtrArray) batches = NULL;
  g_autoptr (GError) error = NULL;

  feed (answer, runs, data, size);
  batches = jm_sacct_rows_finish (rows, &error);
  g_assert_true ((batches == NULL) == (error != NULL));
  for (guint i = 0; batches != NULL && i < batches->len; i++)
    {
      GArray *items = ((JmRunBatch *) batches->pdata[i])->items;

      g_assert_cmpuint (items->len, <=, MAX_RUNS);
      for (guint k = 0; k < items->len; k++)
        check_run (&g_array_index (items, JmRunItem, k));
    }
}

static void
read_roles (const JmSlurmShape *shape, const uint8_t *data, size_t size)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_LIMITS);
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (JmSlurmAnswer) answer = jm_slurm_answer_new (shape, report, "fuzzed");
  JmSlurmRoles roles = { "fuzzed", batch, builder, FALSE };
  g_auto (GStrv) names = NULL;

  feed (answer, &roles, data, size);
  names = g_strv_builder_end (builder);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  read_runs (data, size, 38);
  read_runs (data, size, 45);
  read_roles (&jm_slurm_accounts_shape, data, size);
  read_roles (&jm_slurm_users_shape, data, size);
  read_roles (&jm_slurm_clusters_shape, data, size);

  return 0;
}
