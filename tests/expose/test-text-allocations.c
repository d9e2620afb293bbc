/* test-text-allocations.c: a scrape allocates nothing when nothing has changed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stddef.h>
#include <stdlib.h>

#include "allocations.h"
#include "expose/jm-text-encoder.h"
#include "jm-snapshot-builder.h"

#define N_METRICS_OF_A_JOB (JM_METRIC_NODE_CPU)
#define N_CPUS 16

static void
add_figures (JmSnapshotBuilder *builder, guint64 value)
{
  for (JmMetric i = 0; i < N_METRICS_OF_A_JOB; i++)
    if (jm_metric_get_info (i)->n_labels == 0)
      jm_snapshot_builder_add (builder, i, value * 1000003);
  for (guint i = 0; i < N_CPUS; i++)
    {
      g_autofree char *cpu = g_strdup_printf ("%u", i);

      jm_snapshot_builder_add_labelled (builder, JM_METRIC_PERCPU, cpu, value + i);
    }
}

static JmSnapshot *
make_snapshot (GPtrArray *jobs, guint64 value)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());

  for (guint i = 0; i < jobs->len; i++)
    {
      jm_snapshot_builder_add_job (builder, g_ptr_array_index (jobs, i));
      add_figures (builder, value + i);
      jm_snapshot_builder_add_step (builder, "batch");
      add_figures (builder, value + i);
    }

  return jm_snapshot_builder_end (builder);
}

static GPtrArray *
make_jobs (guint n)
{
  GPtrArray *jobs = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_job_unref);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i);

      g_ptr_array_add (jobs, jm_test_job_new (id, "user", "alice", NULL));
    }

  return jobs;
}

static guint
count_allocations (JmTextEncoder *encoder, JmSnapshot *snapshot, GString *out)
{
  guint64 before = allocations_count_of_thread ();

  g_string_truncate (out, 0);
  jm_text_encoder_encode (encoder, snapshot, JM_TEXT_FORMAT_OPENMETRICS, NULL, out);

  return (guint) (allocations_count_of_thread () - before);
}

static void
assert_second_scrape_allocates_nothing (guint n_jobs)
{
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();
  g_autoptr (GPtrArray) jobs = make_jobs (n_jobs);
  g_autoptr (JmSnapshot) first = make_snapshot (jobs, 999999999);
  g_autoptr (JmSnapshot) second = make_snapshot (jobs, 123456789);
  g_autoptr (GString) out = g_string_new (NULL);

  g_assert_cmpuint (count_allocations (encoder, first, out), >, n_jobs);
  g_assert_cmpuint (count_allocations (encoder, second, out), ==, 0);
}

static void
test_ten_jobs_or_twenty_the_second_scrape_allocates_nothing (void)
{
  assert_second_scrape_allocates_nothing (10);
  assert_second_scrape_allocates_nothing (20);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/text-allocations/"
                   "ten-jobs-or-twenty-the-second-scrape-allocates-nothing",
                   test_ten_jobs_or_twenty_the_second_scrape_allocates_nothing);

  return g_test_run ();
}
