/* encode-bench.c: what it costs to tell a snapshot in Prometheus' words
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "expose/jm-text-encoder.h"

#include "bench-meter.h"
#include "jm-snapshot-builder.h"

#define N_CPUS 16
#define N_ROUNDS 15
#define N_REPEATS 5
/* As many different snapshots of the same jobs take turns. */
#define N_SNAPSHOTS 2

typedef struct
{
  JmTextEncoder *encoder;
  JmTextFormat format;
  JmSnapshot *snapshots[N_SNAPSHOTS];
  guint next;
  GString *text;
} Bench;

static void
add_job (JmSnapshotBuilder *builder, guint number, guint64 value)
{
  g_autofree char *id = g_strdup_printf ("%u", 1000 + number);
  g_autoptr (JmJob) job = jm_test_job_new (id, "user", "alice", "account", "physics",
                                           "partition", "main", NULL);

  jm_snapshot_builder_add_job (builder, job);
  for (JmMetric i = 0; i < JM_N_METRICS; i++)
    if (jm_metric_is_about (i, JM_SUBJECT_KIND_JOB) &&
        jm_metric_get_info (i)->n_labels == 0)
      jm_snapshot_builder_add (builder, i, value + i);

  for (guint cpu = 0; cpu < N_CPUS; cpu++)
    {
      g_autofree char *label = g_strdup_printf ("%u", cpu);

      jm_snapshot_builder_add_labelled (builder, JM_METRIC_PERCPU, label, value * cpu);
    }
}

static JmSnapshot *
make_snapshot (guint n_jobs, guint64 value)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());

  for (guint i = 0; i < n_jobs; i++)
    add_job (builder, i, value + i);

  return jm_snapshot_builder_end (builder);
}

static void
encode (gpointer user_data)
{
  Bench *self = user_data;

  g_string_truncate (self->text, 0);
  jm_text_encoder_encode (self->encoder, self->snapshots[self->next], self->format,
                          NULL, self->text);
  self->next = (self->next + 1) % N_SNAPSHOTS;
}

static guint
count_series (const char *text)
{
  guint n_series = 0;

  for (const char *line = text; line != NULL && *line != '\0';
       line = strchr (line, '\n'), line += line != NULL)
    n_series += *line != '#';

  return n_series;
}

static void
bench_encode (guint n_jobs, JmTextFormat format, const char *name)
{
  Bench bench = { jm_text_encoder_new (), format, { NULL }, 0, g_string_new (NULL) };
  g_autofree char *title = g_strdup_printf ("%s, %u jobs", name, n_jobs);
  BenchCost costs[N_ROUNDS];
  BenchCost median;
  BenchMeter meter;
  guint n_series;

  for (guint i = 0; i < N_SNAPSHOTS; i++)
    bench.snapshots[i] = make_snapshot (n_jobs, 1000000007 * (i + 1));
  for (guint i = 0; i < N_SNAPSHOTS; i++)
    encode (&bench);

  bench_meter_open (&meter);
  for (guint i = 0; i < N_ROUNDS; i++)
    costs[i] = bench_meter_run (&meter, encode, &bench, N_REPEATS);
  bench_meter_close (&meter);

  median = bench_cost_get_median (costs, N_ROUNDS);
  bench_print_cost (title, &median, NULL, NULL);
  n_series = count_series (bench.text->str);
  g_print ("  %u series, %.0f ns and %.3f allocations for each\n", n_series,
           median.figures[BENCH_CPU_US] * 1000 / n_series,
           median.figures[BENCH_ALLOCATIONS] / n_series);

  for (guint i = 0; i < N_SNAPSHOTS; i++)
    jm_snapshot_unref (bench.snapshots[i]);
  g_string_free (bench.text, TRUE);
  g_object_unref (bench.encoder);
}

int
main (int argc, char **argv)
{
  static const guint sizes[] = { 64, 512 };

  bench_print_header ();
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      bench_encode (sizes[i], JM_TEXT_FORMAT_PROMETHEUS, "text format");
      bench_encode (sizes[i], JM_TEXT_FORMAT_OPENMETRICS, "OpenMetrics");
    }

  return 0;
}
