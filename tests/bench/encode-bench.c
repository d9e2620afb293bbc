/* encode-bench.c: what it costs to write a snapshot as Prometheus reads it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/jm-number-private.h"
#include "expose/jm-protobuf-exposition-private.h"
#include "expose/jm-text-encoder.h"

#include "bench-meter.h"
#include "core/jm-metric-private.h"
#include "jm-snapshot-builder.h"

#define N_CPUS 16
#define N_ROUNDS 15
#define N_REPEATS 5
/* As many different snapshots of the same jobs take turns. */
#define N_SNAPSHOTS 2
#define N_NUMBERS 20000

typedef struct
{
  JmTextEncoder *encoder;
  JmTextFormat format;
  JmSnapshot *snapshots[N_SNAPSHOTS];
  guint next;
  GString *text;
} Bench;

typedef struct
{
  double *numbers;
  GString *text;
} Numbers;

/* They are there in all snapshots, as a node's jobs are. */
static GPtrArray *
make_jobs (guint n)
{
  GPtrArray *jobs = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_job_unref);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", 1000 + i);

      g_ptr_array_add (jobs, jm_test_job_new (id, "user", "alice", "account", "physics",
                                              "partition", "main", "scheduler", "slurm",
                                              NULL));
    }

  return jobs;
}

static void
add_job (JmSnapshotBuilder *builder, JmJob *job, guint64 value)
{
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
make_snapshot (GPtrArray *jobs, guint64 value)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());

  for (guint i = 0; i < jobs->len; i++)
    add_job (builder, jobs->pdata[i], value + i);

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

static void
encode_protobuf (gpointer user_data)
{
  Bench *self = user_data;
  GBytes *encoded =
    jm_protobuf_exposition_encode (self->text->str, self->text->len, NULL);

  g_clear_pointer (&encoded, g_bytes_unref);
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

/* @dialects are files, up to NULL. */
static JmTextEncoder *
make_encoder (gboolean is_native, char *const *dialects)
{
  JmTextEncoder *encoder = jm_text_encoder_new ();

  g_object_set (encoder, "native", is_native, "node-name", "n1", NULL);
  for (; *dialects != NULL; dialects++)
    {
      g_autofree char *text = NULL;
      g_autoptr (JmDialect) dialect = NULL;
      gsize length;

      if (!g_file_get_contents (*dialects, &text, &length, NULL))
        g_error ("%s: cannot be read", *dialects);
      dialect = jm_dialect_new_from_text (*dialects, text, length, NULL);
      if (dialect == NULL || !jm_text_encoder_add_dialect (encoder, dialect, NULL))
        g_message ("%s: left out, for it cannot be beside the others", *dialects);
    }

  return encoder;
}

static void
measure (const char *title, BenchFunc func, Bench *bench)
{
  BenchCost costs[N_ROUNDS];
  BenchCost median;
  BenchMeter meter;
  guint n_series;

  bench_meter_open (&meter);
  for (guint i = 0; i < N_ROUNDS; i++)
    costs[i] = bench_meter_run (&meter, func, bench, N_REPEATS);
  bench_meter_close (&meter);

  median = bench_cost_get_median (costs, N_ROUNDS);
  bench_print_cost (title, &median, NULL, NULL);
  n_series = count_series (bench->text->str);
  g_print ("  %u series, %zu bytes, %.0f ns and %.3f allocations for each\n", n_series,
           bench->text->len, median.figures[BENCH_CPU_US] * 1000 / n_series,
           median.figures[BENCH_ALLOCATIONS] / n_series);
}

static void
bench_encode (GPtrArray *jobs,
              JmTextEncoder *encoder,
              JmTextFormat format,
              const char *name)
{
  Bench bench = { encoder, format, { NULL }, 0, g_string_new (NULL) };
  g_autofree char *title = g_strdup_printf ("%s, %u jobs", name, jobs->len);
  g_autofree char *as_protobuf = g_strdup_printf ("%s to protobuf", name);

  for (guint i = 0; i < N_SNAPSHOTS; i++)
    bench.snapshots[i] = make_snapshot (jobs, 1000000007 * (i + 1));
  for (guint i = 0; i < N_SNAPSHOTS; i++)
    encode (&bench);

  measure (title, encode, &bench);
  if (format == JM_TEXT_FORMAT_PROMETHEUS)
    measure (as_protobuf, encode_protobuf, &bench);

  for (guint i = 0; i < N_SNAPSHOTS; i++)
    jm_snapshot_unref (bench.snapshots[i]);
  g_string_free (bench.text, TRUE);
  g_object_unref (bench.encoder);
}

static void
bench_jobs (guint n_jobs, char *const *dialects)
{
  char *const none[] = { NULL };
  char *const first[] = { dialects[0], NULL };
  g_autoptr (GPtrArray) jobs = make_jobs (n_jobs);

  bench_encode (jobs, make_encoder (TRUE, none), JM_TEXT_FORMAT_PROMETHEUS,
                "text format");
  bench_encode (jobs, make_encoder (TRUE, none), JM_TEXT_FORMAT_OPENMETRICS,
                "OpenMetrics");
  if (dialects[0] == NULL)
    return;

  bench_encode (jobs, make_encoder (FALSE, first), JM_TEXT_FORMAT_PROMETHEUS,
                "one dialect");
  bench_encode (jobs, make_encoder (TRUE, dialects), JM_TEXT_FORMAT_PROMETHEUS,
                "all side by side");
}

static double
make_short_decimal (GRand *rand)
{
  return g_rand_int (rand) / 1e3;
}

static double
make_quotient (GRand *rand)
{
  return g_rand_int (rand) / 3.6e6;
}

static double
make_of_any_bits (GRand *rand)
{
  guint64 bits = (guint64) g_rand_int (rand) << 32 | g_rand_int (rand);
  double value;

  memcpy (&value, &bits, sizeof value);

  return isfinite (value) ? value : make_of_any_bits (rand);
}

static void
append_numbers (gpointer user_data)
{
  Numbers *self = user_data;

  for (guint i = 0; i < N_NUMBERS; i++)
    {
      g_string_truncate (self->text, 0);
      jm_number_append_double (self->text, self->numbers[i]);
    }
}

static void
print_numbers (gpointer user_data)
{
  Numbers *self = user_data;
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; i < N_NUMBERS; i++)
    {
      g_string_truncate (self->text, 0);
      snprintf (text, sizeof text, "%.17g", self->numbers[i]);
      g_string_append (self->text, text);
    }
}

static double
measure_number_ns (BenchFunc func, Numbers *numbers)
{
  BenchCost costs[N_ROUNDS];
  BenchMeter meter;

  bench_meter_open (&meter);
  for (guint i = 0; i < N_ROUNDS; i++)
    costs[i] = bench_meter_run (&meter, func, numbers, N_REPEATS);
  bench_meter_close (&meter);

  return bench_cost_get_median (costs, N_ROUNDS).figures[BENCH_CPU_US] * 1000 /
         N_NUMBERS;
}

/* What an encoder writes for a value that is no count. */
static void
bench_numbers (const char *name, double (*make) (GRand *))
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autofree double *values = g_new (double, N_NUMBERS);
  Numbers numbers = { values, g_string_new (NULL) };
  double ours_ns, printf_ns;

  for (guint i = 0; i < N_NUMBERS; i++)
    values[i] = make (rand);

  ours_ns = measure_number_ns (append_numbers, &numbers);
  printf_ns = measure_number_ns (print_numbers, &numbers);
  g_print ("%s: %.0f ns each, %.0f ns by printf (\"%%.17g\"), which is %.1f times "
           "that\n",
           name, ours_ns, printf_ns, printf_ns / ours_ns);

  g_string_free (numbers.text, TRUE);
}

/* Arguments: files of dialects. */
int
main (int argc, char **argv)
{
  static const guint sizes[] = { 64, 512 };

  bench_print_header ();
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    bench_jobs (sizes[i], argv + 1);

  bench_numbers ("decimals with three places", make_short_decimal);
  bench_numbers ("quotients", make_quotient);
  bench_numbers ("numbers of any bits", make_of_any_bits);

  return 0;
}
