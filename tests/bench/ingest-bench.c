/* ingest-bench.c: how fast what sacct prints gets into a site's archive, against bare
 * inserts of the same columns
 *
 * usage: ingest-bench [--rows=N] [--sqlite]
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>
#include <unistd.h>

#include "../archive/made-runs.h"
#include "archive/import/jm-intake-private.h"
#include "bench-bare-store.h"
#include "bench-process.h"
#include "core/jm-run-batch-private.h"
#include "made-ledger.h"
#include "made-server.h"
#include "schedulers/jm-history-private.h"
#include "schedulers/slurm/jm-sacct-rows-private.h"

/* A job, its batch step, its external step and one of srun. */
#define ROWS_OF_JOB 4
/* One call of sacct has the rows of a day: of a site with a million jobs a month. */
#define WINDOW_JOBS 33000
#define N_USERS 500
#define DELIMITER "\x1f"
#define NOW (MIDNIGHT + 400 * DAY)

typedef struct
{
  gint64 parse_us;
  gint64 store_us;
  guint64 peak_kib[3]; /* at a tenth, at half, at the end */
} Cost;

static void
append_job (GString *text, guint number)
{
  gint64 start = MIDNIGHT + number / 3;
  gint64 seconds = 60 + number % 7200;
  guint user = number * 7919 % N_USERS;

  g_string_append_printf (
    text,
    "%u|%u|user%03u|%u|project%02u|batch|normal|COMPLETED|%" G_GINT64_FORMAT
    "|%" G_GINT64_FORMAT "|%" G_GINT64_FORMAT "|%" G_GINT64_FORMAT
    "|1440|%" G_GINT64_FORMAT
    "|0:0|2|8||billing=8,cpu=8,mem=32G,node=2|billing=8,cpu=8,mem=32G,node=2"
    "|node[%u-%u]|simulate.sh|01:%02u:40.000%03u|01:%02u:00.000%03u|00:00:40||%u\n",
    1000000 + number, 1000000 + number, user, 10000 + user, user / 10, start - 100,
    start - 100, start, start + seconds, seconds, number % 900, number % 900 + 1,
    number % 60, number % 1000, number % 60, number % 1000, 700 + number % 10000);
}

static void
append_step (GString *text, guint number, const char *step, guint n_tasks)
{
  gint64 start = MIDNIGHT + number / 3;
  gint64 seconds = 60 + number % 7200;
  guint id = 1000000 + number;

  g_string_append_printf (text,
                          "%u.%s|%u.%s|||project%02u|||COMPLETED|%" G_GINT64_FORMAT
                          "|%" G_GINT64_FORMAT "|%" G_GINT64_FORMAT "|%" G_GINT64_FORMAT
                          "||%" G_GINT64_FORMAT "|0:0|2|8|%u|cpu=8,mem=32G,node=2||"
                          "node[%u-%u]|%s|00:%02u:40.000%03u"
                          "|00:%02u:00.000%03u|00:00:40|%u|%u\n",
                          id, step, id, step, number * 7919 % N_USERS / 10, start,
                          start, start, start + seconds, seconds, n_tasks, number % 900,
                          number % 900 + 1, step, number % 60, number % 1000,
                          number % 60, number % 1000, 900000000 + number,
                          200 + number % 3000);
}

/* What one call of sacct prints. */
static char *
make_window (guint first, guint n_jobs)
{
  GString *text = g_string_sized_new ((gsize) n_jobs * 800);

  for (guint i = first; i < first + n_jobs; i++)
    {
      append_job (text, i);
      append_step (text, i, "batch", 1);
      append_step (text, i, "extern", 2);
      append_step (text, i, "0", 8);
    }
  g_strdelimit (text->str, "|", *DELIMITER);

  return g_string_free (text, FALSE);
}

static GPtrArray *
parse_window (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSacctRows) rows =
    jm_sacct_rows_new ("alps", DELIMITER, NOW, JM_HISTORY_BATCH_RUNS);
  GPtrArray *batches;

  for (const char *end; (end = strchr (text, '\n')) != NULL; text = end + 1)
    jm_sacct_rows_take (text, (gsize) (end - text), TRUE, rows);
  batches = jm_sacct_rows_finish (rows, &error);
  g_assert_no_error (error);
  g_assert_null (jm_sacct_rows_get_complaint (rows));

  return batches;
}

/* --- who takes batches --- */

typedef void (*TakeFunc) (JmRunBatch *batch, gpointer user_data);

static void
merge (JmRunBatch *batch, gpointer intake)
{
  g_autoptr (GError) error = NULL;

  jm_intake_merge (intake, batch, &error);
  g_assert_no_error (error);
}

static void
insert_bare (JmRunBatch *batch, gpointer store)
{
  bench_bare_store_begin (store);
  for (guint i = 0; i < batch->items->len; i++)
    {
      const JmRunItem *item = &g_array_index (batch->items, JmRunItem, i);

      bench_bare_store_insert_run (store, item->run);
      for (guint k = 0; k < item->parts->len; k++)
        bench_bare_store_insert_step (store, item->parts->pdata[k]);
    }
  bench_bare_store_commit (store);
}

/* --- measuring --- */

static Cost
measure (guint n_jobs, TakeFunc take, gpointer user_data)
{
  Cost cost = { 0 };
  guint window = MIN (WINDOW_JOBS, (n_jobs + 9) / 10);

  bench_process_forget_peak (getpid ());
  for (guint i = 0; i < n_jobs; i += window)
    {
      guint n = MIN (window, n_jobs - i);
      g_autofree char *text = make_window (i, n);
      gint64 begin_us = g_get_monotonic_time ();
      g_autoptr (GPtrArray) batches = parse_window (text);
      gint64 parsed_us = g_get_monotonic_time ();

      for (guint k = 0; k < batches->len; k++)
        take (batches->pdata[k], user_data);
      cost.parse_us += parsed_us - begin_us;
      cost.store_us += g_get_monotonic_time () - parsed_us;
      cost.peak_kib[i + n < n_jobs / 2 ? 0
                    : i + n < n_jobs   ? 1
                                       : 2] = bench_process_get_peak_kib (getpid ());
      if (i + n >= n_jobs / 10 && cost.peak_kib[0] == 0)
        cost.peak_kib[0] = bench_process_get_peak_kib (getpid ());
    }

  return cost;
}

static void
print_cost (const char *title, const Cost *cost, const Cost *reference, guint n_jobs)
{
  double n_rows = (double) n_jobs * ROWS_OF_JOB;
  gint64 all_us = cost->parse_us + cost->store_us;

  g_print ("%-22s %8.0f rows/s (%4.2f us to parse, %5.2f us to store each)", title,
           n_rows * G_USEC_PER_SEC / (double) all_us, (double) cost->parse_us / n_rows,
           (double) cost->store_us / n_rows);
  g_print ("  %5.2f times the bare inserts  peak %" G_GUINT64_FORMAT
           ", %" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT " MiB\n",
           (double) all_us / (double) (reference->parse_us + reference->store_us),
           cost->peak_kib[0] >> 10, cost->peak_kib[1] >> 10, cost->peak_kib[2] >> 10);
}

static Cost
measure_store (const char *uri, guint n_jobs)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmArchiveDatabase) store = jm_archive_database_open (uri, &error);
  g_autoptr (JmIntake) intake = NULL;

  g_assert_no_error (error);
  intake = jm_intake_new (store);

  return measure (n_jobs, merge, intake);
}

static Cost
measure_bare (const char *path, guint n_jobs)
{
  BenchBareStore *store = bench_bare_store_new (path);
  Cost cost = measure (n_jobs, insert_bare, store);

  bench_bare_store_free (store);

  return cost;
}

static void
bench_server (const Cost *bare, guint n_jobs)
{
  const char *reason;
  MadeServer *server = made_server_start (&reason);
  g_autofree char *uri = NULL;
  Cost cost;

  if (server == NULL)
    {
      g_print ("PostgreSQL: %s\n", reason);
      return;
    }
  uri = made_server_add_database (server);
  cost = measure_store (uri, n_jobs);
  print_cost ("PostgreSQL", &cost, bare, n_jobs);
  cost = measure_store (uri, n_jobs);
  print_cost ("PostgreSQL, again", &cost, bare, n_jobs);
  made_server_stop (server);
}

static void
bench (guint n_jobs, gboolean has_server)
{
  Place place;
  g_autofree char *bare_path = NULL;
  Cost bare, cost;

  place_set_up (&place, NULL);
  bare_path = g_build_filename (place.directory, "bare.db", NULL);
  bare = measure_bare (bare_path, n_jobs);
  print_cost ("bare inserts", &bare, &bare, n_jobs);
  cost = measure_store (place.path, n_jobs);
  print_cost ("SQLite", &cost, &bare, n_jobs);
  cost = measure_store (place.path, n_jobs);
  print_cost ("SQLite, again", &cost, &bare, n_jobs);
  place_tear_down (&place, NULL);
  if (has_server)
    bench_server (&bare, n_jobs);
}

int
main (int argc, char *argv[])
{
  int n_rows = 1000000;
  gboolean is_file_only = FALSE;
  const GOptionEntry entries[] = { { "rows", 0, 0, G_OPTION_ARG_INT, &n_rows,
                                     "Rows of sacct, of jobs and steps", "N" },
                                   { "sqlite", 0, 0, G_OPTION_ARG_NONE, &is_file_only,
                                     "Leave PostgreSQL out", NULL },
                                   { NULL } };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) ||
      n_rows < 10 * ROWS_OF_JOB)
    {
      g_printerr ("%s\n", error != NULL ? error->message : "--rows: too few");
      return 2;
    }
  bench ((guint) n_rows / ROWS_OF_JOB, !is_file_only);

  return 0;
}
