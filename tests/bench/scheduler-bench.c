/* scheduler-bench.c: what it costs to read what a large cluster's commands print
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>
#include <sys/resource.h>

#include "bench-meter.h"
#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/slurm/jm-slurm-answer-private.h"
#include "schedulers/slurm/jm-slurm-output-private.h"
#include "schedulers/slurm/jm-slurm-table-private.h"

#define N_JOBS 100000
#define N_NODES 10000
#define N_ROUNDS 7
#define RECORDED_SEPARATOR "\x1f"
/* As one made by chance. */
#define SEPARATOR                                                                      \
 "\x1f"                                                                                \
 "12345678"
/* An answer of slurmrestd is fed in so many blocks: it is never in memory as a whole.
 */
#define N_BLOCKS 100

typedef gboolean (*ParseLine) (const char *line,
                               gsize length,
                               JmSchedulerReport *report);

typedef struct
{
  GString *text;
  guint n_blocks; /* how often the text comes */
  guint n_lines;  /* that were counted */
  JmSchedulerReport *report;
} Bench;

/* --- the reference: the same bytes, and how many lines they are --- */

static void
count_lines (gpointer user_data)
{
  Bench *self = user_data;
  const char *end = self->text->str + self->text->len;

  self->n_lines = 0;
  for (guint i = 0; i < self->n_blocks; i++)
    for (const char *at = self->text->str;
         (at = memchr (at, '\n', (gsize) (end - at))) != NULL; at++)
      self->n_lines++;
}

/* --- what is measured --- */

/* The first line from *at on, without its end. */
static gboolean
take_line (const Bench *self, const char **at, JmSlice *line)
{
  const char *end = self->text->str + self->text->len;
  const char *line_end = memchr (*at, '\n', (gsize) (end - *at));

  if (line_end == NULL)
    return FALSE;

  *line = (JmSlice){ *at, (gsize) (line_end - *at) };
  *at = line_end + 1;

  return TRUE;
}

static void
begin (Bench *self)
{
  g_clear_pointer (&self->report, jm_scheduler_report_unref);
  self->report = jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
}

static void
read_jobs (gpointer user_data)
{
  Bench *self = user_data;
  const char *at = self->text->str;
  JmSlice line;

  begin (self);
  while (take_line (self, &at, &line))
    jm_squeue_take_row (SEPARATOR, line, self->report);
}

static void
read_nodes (gpointer user_data)
{
  Bench *self = user_data;
  g_autoptr (JmSinfoReader) reader = NULL;
  const char *at = self->text->str;
  JmSlice line;

  begin (self);
  reader = jm_sinfo_reader_new (SEPARATOR, self->report);
  while (take_line (self, &at, &line))
    jm_sinfo_reader_take (reader, line);
}

static void
read_answer (gpointer user_data)
{
  Bench *self = user_data;
  g_autoptr (JmSlurmAnswer) answer = NULL;
  g_autoptr (GError) error = NULL;

  begin (self);
  answer = jm_slurm_answer_new (&jm_slurm_jobs_shape, self->report, NULL);
  jm_slurm_answer_feed ("{\"jobs\": [", 10, answer);
  for (guint i = 0; i < self->n_blocks; i++)
    {
      jm_slurm_answer_feed (",", i > 0, answer);
      jm_slurm_answer_feed (self->text->str, self->text->len, answer);
    }
  jm_slurm_answer_feed ("]}", 2, answer);
  if (!jm_slurm_answer_finish (answer, "the answer", &error))
    g_error ("%s", error->message);
}

/* --- many of what was recorded --- */

static GStrv
read_recorded (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_file_get_contents (path, &text, NULL, &error))
    g_error ("%s", error->message);

  return g_strsplit (g_strchomp (text), "\n", -1);
}

/* @column has a number of its own in each of them. */
static GString *
multiply (const char *folder,
          const char *name,
          guint n,
          guint column,
          const char *prefix)
{
  g_auto (GStrv) lines = read_recorded (folder, name);
  guint n_recorded = g_strv_length (lines);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i % n_recorded], RECORDED_SEPARATOR, -1);
      g_autofree char *line = NULL;

      g_free (words[column]);
      words[column] = g_strdup_printf ("%s%u", prefix, i + 1);
      line = g_strjoinv (SEPARATOR, words);
      g_string_append_printf (text, "%s\n", line);
    }

  return text;
}

/* Its jobs, with all white space between them, as often as @n of them need. */
static GString *
multiply_jobs (const char *folder, guint n)
{
  g_autofree char *path = g_build_filename (folder, "jobs-38.json", NULL);
  g_autofree char *recorded = NULL;
  g_autoptr (GError) error = NULL;
  GString *text = g_string_new (NULL);
  const char *from, *to;
  guint n_recorded = 0;

  if (!g_file_get_contents (path, &recorded, NULL, &error))
    g_error ("%s", error->message);
  from = strstr (recorded, "\"jobs\": [") + strlen ("\"jobs\": [");
  to = strrchr (from, ']');
  for (const char *at = from; (at = strstr (at, "\"job_id\"")) != NULL; at++)
    n_recorded++;

  for (guint i = 0; i < n; i += n_recorded)
    {
      g_string_append (text, i > 0 ? "," : "");
      g_string_append_len (text, from, to - from);
    }

  return text;
}

static double
measure (BenchMeter *meter, BenchFunc func, Bench *bench)
{
  BenchCost costs[N_ROUNDS];

  for (guint i = 0; i < N_ROUNDS; i++)
    costs[i] = bench_meter_run (meter, func, bench, 1);

  return bench_cost_get_median (costs, N_ROUNDS).figures[BENCH_CPU_US];
}

static long
get_peak_kib (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);

  return usage.ru_maxrss;
}

static void
run (BenchMeter *meter, const char *name, GString *text, guint n_blocks, BenchFunc read)
{
  Bench bench = { .text = text, .n_blocks = n_blocks };
  double n_bytes = (double) text->len * n_blocks;
  long before_kib = get_peak_kib ();
  double read_us = measure (meter, read, &bench);
  double count_us = measure (meter, count_lines, &bench);

  g_assert_cmpstr (jm_scheduler_report_get_complaint (bench.report), ==, NULL);
  g_print ("%-24s %8.1f %10.3f %9.0f %12.0f %10ld\n", name, n_bytes / 1e6,
           read_us / 1e6, n_bytes / read_us, read_us / count_us,
           (get_peak_kib () - before_kib) / 1024);
  jm_scheduler_report_unref (bench.report);
  g_string_free (text, TRUE);
}

int
main (int argc, char **argv)
{
  BenchMeter meter;

  if (argc != 3)
    {
      g_printerr ("usage: scheduler-bench COMMANDS-FOLDER REST-FOLDER\n");
      return 2;
    }

  bench_meter_open (&meter);
  g_print ("%-24s %8s %10s %9s %12s %10s\n", "", "MB", "CPU s", "MB/s", "x counting",
           "MiB more");
  run (&meter, "squeue, 100,000 jobs", multiply (argv[1], "squeue", N_JOBS, 1, ""), 1,
       read_jobs);
  run (&meter, "sinfo, 10,000 nodes", multiply (argv[1], "sinfo", N_NODES, 0, "node"),
       1, read_nodes);
  run (&meter, "slurmrestd, 100,000 jobs", multiply_jobs (argv[2], N_JOBS / N_BLOCKS),
       N_BLOCKS, read_answer);
  bench_meter_close (&meter);

  return 0;
}
