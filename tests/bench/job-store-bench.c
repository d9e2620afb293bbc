/* job-store-bench.c: how fast a site's runs are merged, against bare inserts of the
 * same bytes
 *
 * usage: job-store-bench [RUNS]
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <gio/gio.h>
#include <time.h>

#include "../archive/made-runs.h"
#include "bench-bare-store.h"
#include "bench-runs.h"
#include "core/jm-run-private.h"
#include "made-ledger.h"
#include "made-server.h"

#define DEFAULT_RUNS 20000
#define BATCH_RUNS 5000

static JmRunBatch *
make_batch (guint first, guint n)
{
  JmRunBatch *batch = jm_run_batch_new ();
  g_autofree char *position = g_strdup_printf ("%u", first + n);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (JmRun) run = bench_run_make (first + i, MIDNIGHT + (first + i) / 3);

      jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
    }
  jm_run_batch_set_position (batch, "sacct", position);

  return batch;
}

static double
get_cpu_seconds (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);

  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

typedef struct
{
  gint64 wall_us;
  double cpu_seconds;
} Cost;

static void
print_cost (const char *title, const Cost *cost, const Cost *reference, guint n_runs)
{
  double seconds = (double) cost->wall_us / G_USEC_PER_SEC;

  g_print ("%-28s %9.0f rows/s  %6.2f us of CPU each", title, n_runs / seconds,
           cost->cpu_seconds * 1e6 / n_runs);
  if (reference != NULL)
    g_print ("  %5.2f times the bare inserts' CPU time",
             cost->cpu_seconds / reference->cpu_seconds);
  g_print ("\n");
}

/* Of merging alone, not of making them up. */
static Cost
measure_merge (const char *uri, guint n_runs)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmArchiveDatabase) store = jm_archive_database_open (uri, &error);
  Cost cost = { 0 };

  g_assert_no_error (error);
  for (guint i = 0; i < n_runs; i += BATCH_RUNS)
    {
      g_autoptr (JmRunBatch) batch = make_batch (i, MIN (BATCH_RUNS, n_runs - i));
      double cpu_seconds = get_cpu_seconds ();
      gint64 begin_us = g_get_monotonic_time ();

      jm_archive_database_merge (store, batch, &error);
      g_assert_no_error (error);
      cost.wall_us += g_get_monotonic_time () - begin_us;
      cost.cpu_seconds += get_cpu_seconds () - cpu_seconds;
    }

  return cost;
}

static Cost
measure_bare (const char *path, guint n_runs)
{
  BenchBareStore *store = bench_bare_store_new (path);
  Cost cost = { 0 };

  for (guint i = 0; i < n_runs; i += BATCH_RUNS)
    {
      guint n = MIN (BATCH_RUNS, n_runs - i);
      g_autoptr (GPtrArray) runs =
        g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_unref);
      double cpu_seconds;
      gint64 begin_us;

      for (guint k = 0; k < n; k++)
        {
          JmRun *run = bench_run_make (i + k, MIDNIGHT + (i + k) / 3);

          jm_run_name (run);
          g_ptr_array_add (runs, run);
        }
      cpu_seconds = get_cpu_seconds ();
      begin_us = g_get_monotonic_time ();
      bench_bare_store_begin (store);
      for (guint k = 0; k < n; k++)
        bench_bare_store_insert_run (store, runs->pdata[k]);
      bench_bare_store_commit (store);
      cost.wall_us += g_get_monotonic_time () - begin_us;
      cost.cpu_seconds += get_cpu_seconds () - cpu_seconds;
    }
  bench_bare_store_free (store);

  return cost;
}

static void
bench_server (guint n_runs)
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
  cost = measure_merge (uri, n_runs);
  print_cost ("PostgreSQL, merged", &cost, NULL, n_runs);
  cost = measure_merge (uri, n_runs);
  print_cost ("PostgreSQL, merged again", &cost, NULL, n_runs);
  made_server_stop (server);
}

int
main (int argc, char *argv[])
{
  guint n_runs = argc > 1 ? (guint) atoi (argv[1]) : DEFAULT_RUNS;
  Place place;
  g_autofree char *bare_path = NULL;
  Cost bare, cost;

  place_set_up (&place, NULL);
  bare_path = g_build_filename (place.directory, "bare.db", NULL);
  bare = measure_bare (bare_path, n_runs);
  print_cost ("bare inserts", &bare, NULL, n_runs);
  cost = measure_merge (place.path, n_runs);
  print_cost ("SQLite, merged", &cost, &bare, n_runs);
  cost = measure_merge (place.path, n_runs);
  print_cost ("SQLite, merged again", &cost, &bare, n_runs);
  place_tear_down (&place, NULL);
  bench_server (n_runs);

  return 0;
}
