/* accounts-bench.c: how long questions to a site's archive take: through the store,
 * through the server's API, and as the bare SQL that answers them
 *
 * usage: accounts-bench [--runs=N] [--database=FILE] [EXPORTER]
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib/gstdio.h>
#include <stdlib.h>

#include "../archive/made-runs.h"
#include "archive/jm-archive-database-private.h"
#include "bench-runs.h"
#include "bench-server.h"
#include "core/jm-uuid-private.h"
#include "judge/jm-run-suggestion-private.h"
#include "sql/jm-sqlite-private.h"

#define BATCH_RUNS 5000
/* So many runs begin in so many days. */
#define RUNS_OF_SITE 10000000
#define DAYS_OF_SITE 300
#define MONTH_DAYS 30
#define N_QUESTIONS 300
#define PAGE "50"
/* The one that all users of bench-runs.c have. */
#define JOB "simulate.sh"

typedef struct
{
  guint n_runs;
  JmArchiveDatabase *store;
  JmViewer *viewer;
  sqlite3 *db;
  BenchServer *server; /* NULL where there is no program */
} Bench;

static gint64
get_start (guint number)
{
  return MIDNIGHT + (gint64) ((double) number / RUNS_OF_SITE * DAYS_OF_SITE * DAY);
}

static char *
make_user (guint k)
{
  return g_strdup_printf ("user%03u", k * 37 % BENCH_N_USERS);
}

static gint64
get_month (const Bench *self, guint k)
{
  gint64 n_days = (get_start (self->n_runs) - MIDNIGHT) / DAY;

  return MIDNIGHT + k * 7 % MAX (n_days - MONTH_DAYS, 1) * DAY;
}

static char *
make_uuid (const Bench *self, guint k)
{
  guint number = (guint) ((guint64) k * 2654435761u % self->n_runs);
  g_autofree char *id = g_strdup_printf ("%u", 1000000 + number);

  return jm_uuid_for_job ("alps", id, get_start (number));
}

/* --- bare SQL --- */

/* Reads all rows, as anybody would who wants them. */
static guint
read_rows (sqlite3_stmt *statement)
{
  guint n = 0;

  for (; jm_sqlite_next (statement, NULL); n++)
    for (int i = 0; i < sqlite3_column_count (statement); i++)
      sqlite3_column_text (statement, i);
  sqlite3_reset (statement);

  return n;
}

static void
ask_bare_for_last (Bench *self, guint k, sqlite3_stmt **statements)
{
  g_autofree char *user = make_user (k);

  jm_sqlite_bind_text (statements[0], 1, user);
  g_assert_cmpuint (read_rows (statements[0]), >, 0);
}

static void
ask_bare_for_usage (Bench *self, guint k, sqlite3_stmt **statements)
{
  gint64 day = get_month (self, k) / DAY;

  sqlite3_bind_int64 (statements[0], 1, day);
  sqlite3_bind_int64 (statements[0], 2, day + MONTH_DAYS);
  g_assert_cmpuint (read_rows (statements[0]), >, 0);
}

/* A run is reported with its parts. */
static void
ask_bare_for_run (Bench *self, guint k, sqlite3_stmt **statements)
{
  g_autofree char *uuid = make_uuid (self, k);
  gint64 id;

  jm_sqlite_bind_text (statements[0], 1, uuid);
  g_assert_true (jm_sqlite_next (statements[0], NULL));
  for (int i = 0; i < sqlite3_column_count (statements[0]); i++)
    sqlite3_column_text (statements[0], i);
  id = sqlite3_column_int64 (statements[0], 0);
  sqlite3_reset (statements[0]);
  for (guint i = 1; statements[i] != NULL; i++)
    {
      sqlite3_bind_int64 (statements[i], 1, id);
      read_rows (statements[i]);
    }
}

/* --- the store --- */

static void
ask_store_for_last (Bench *self, guint k)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autofree char *user = make_user (k);
  const char *const users[] = { user, NULL };
  g_autofree char *next = NULL;
  g_autoptr (GPtrArray) runs = NULL;

  jm_run_filter_set_users (filter, users);
  jm_run_filter_set_limit (filter, (guint) atoi (PAGE));
  runs = jm_archive_database_list_runs (self->store, filter, self->viewer, &next, NULL);
  g_assert_cmpuint (runs->len, >, 0);
}

static void
ask_store_for_usage (Bench *self, guint k)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  gint64 since = get_month (self, k);
  g_autoptr (GPtrArray) usage = NULL;

  jm_run_filter_set_period (filter, since, since + MONTH_DAYS * DAY);
  usage = jm_archive_database_list_usage (self->store, filter, JM_USAGE_GROUPS_ACCOUNT,
                                          self->viewer, NULL);
  g_assert_cmpuint (usage->len, >, 0);
}

static void
ask_store_for_run (Bench *self, guint k)
{
  g_autofree char *uuid = make_uuid (self, k);
  g_autoptr (JmRun) run =
    jm_archive_database_find_run (self->store, uuid, self->viewer, NULL);

  g_assert_nonnull (run);
  for (guint i = 0; i < JM_RUN_PART_KIND_RECORD; i++)
    g_ptr_array_unref (
      jm_archive_database_list_parts (self->store, run, i, self->viewer, NULL));
}

/* With the wait of the next run, as the server does it. */
static void
ask_store_for_suggestion (Bench *self, guint k)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autofree char *user = make_user (k);
  const char *const users[] = { user, NULL };
  g_autofree char *next = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (JmRunSuggestion) suggestion = NULL;

  jm_run_filter_set_users (filter, users);
  jm_run_filter_set_name (filter, JOB);
  jm_run_filter_set_limit (filter, JM_RUN_SUGGESTION_MAX_RUNS);
  runs = jm_archive_database_list_runs (self->store, filter, self->viewer, &next, NULL);
  suggestion = jm_run_suggestion_new (runs, JM_RUN_SUGGESTION_CONFIDENCE);
  g_assert_cmpuint (jm_run_suggestion_get_n_runs (suggestion), >, 0);
  g_assert_true (
    jm_archive_database_add_waits (self->store, suggestion, self->viewer, NULL));
}

/* --- the API --- */

static void
ask_api_for_last (Bench *self, guint k)
{
  g_autofree char *user = make_user (k);
  g_autofree char *path = g_strdup_printf ("/api/v1/jobs?limit=" PAGE "&user=%s", user);

  bench_server_ask (self->server, path);
}

static void
ask_api_for_usage (Bench *self, guint k)
{
  gint64 since = get_month (self, k);
  g_autofree char *path =
    g_strdup_printf ("/api/v1/usage?group=account&since=%" G_GINT64_FORMAT
                     "&until=%" G_GINT64_FORMAT,
                     since, since + MONTH_DAYS * DAY);

  bench_server_ask (self->server, path);
}

static void
ask_api_for_run (Bench *self, guint k)
{
  g_autofree char *uuid = make_uuid (self, k);
  g_autofree char *path = g_strconcat ("/api/v1/jobs/", uuid, NULL);

  bench_server_ask (self->server, path);
}

static void
ask_api_for_suggestion (Bench *self, guint k)
{
  g_autofree char *user = make_user (k);
  g_autofree char *path =
    g_strdup_printf ("/api/v1/suggestion?name=" JOB "&user=%s", user);

  bench_server_ask (self->server, path);
}

/* --- measuring --- */

#define N_STATEMENTS 6

static const struct
{
  const char *title;
  const char *sql[N_STATEMENTS]; /* ends with NULL */
  void (*ask_bare) (Bench *self, guint k, sqlite3_stmt **statements);
  void (*ask_store) (Bench *self, guint k);
  void (*ask_api) (Bench *self, guint k);
} questions[] = {
  { "a user's last " PAGE " runs",
    { "SELECT * FROM run WHERE user_name = ?1 ORDER BY end_time DESC, id DESC"
      " LIMIT " PAGE },
    ask_bare_for_last,
    ask_store_for_last,
    ask_api_for_last },
  { "a month's usage by account",
    { "SELECT account, sum (runs), sum (wall_seconds), sum (cpu_seconds),"
      " sum (gpu_seconds), sum (memory_mib_seconds), sum (cpu_us), sum (energy_uj),"
      " sum (emissions_ug), sum (cpu_runs), sum (energy_runs), sum (emissions_runs)"
      " FROM usage_daily WHERE day >= ?1 AND day < ?2 GROUP BY account" },
    ask_bare_for_usage,
    ask_store_for_usage,
    ask_api_for_usage },
  { "one run with its parts",
    { "SELECT * FROM run WHERE uuid = ?1", "SELECT * FROM run_step WHERE run_id = ?1",
      "SELECT * FROM run_node WHERE run_id = ?1",
      "SELECT * FROM run_device WHERE run_id = ?1",
      "SELECT * FROM run_energy WHERE run_id = ?1" },
    ask_bare_for_run,
    ask_store_for_run,
    ask_api_for_run },
  { "what the next run of a job should ask for",
    { "SELECT * FROM run WHERE user_name = ?1 AND name = '" JOB "'"
      " ORDER BY end_time DESC, id DESC LIMIT 500" },
    ask_bare_for_last,
    ask_store_for_suggestion,
    ask_api_for_suggestion },
};

typedef struct
{
  double p50_ms;
  double p99_ms;
} Times;

static int
compare (const void *a, const void *b)
{
  gint64 one = *(const gint64 *) a;
  gint64 other = *(const gint64 *) b;

  return (one > other) - (one < other);
}

static Times
sort_out (gint64 *times_us)
{
  qsort (times_us, N_QUESTIONS, sizeof *times_us, compare);

  return (Times){ (double) times_us[N_QUESTIONS / 2] / 1000,
                  (double) times_us[N_QUESTIONS * 99 / 100] / 1000 };
}

static void
print_times (const char *title, const Times *times, const Times *bare)
{
  g_print ("  %-10s p50 %8.3f ms  p99 %8.3f ms  %5.2f and %5.2f times the bare SQL\n",
           title, times->p50_ms, times->p99_ms, times->p50_ms / bare->p50_ms,
           times->p99_ms / bare->p99_ms);
}

/* One after the other for each k, so that all find the same in memory. */
static void
measure (Bench *self, guint q)
{
  sqlite3_stmt *statements[N_STATEMENTS] = { NULL };
  gint64 us[3][N_QUESTIONS];
  Times bare, store, api;

  for (guint i = 0; questions[q].sql[i] != NULL; i++)
    statements[i] = jm_sqlite_prepare (self->db, questions[q].sql[i], NULL);
  for (guint k = 0; k < N_QUESTIONS; k++)
    {
      gint64 begin_us = g_get_monotonic_time ();

      questions[q].ask_bare (self, k, statements);
      us[0][k] = g_get_monotonic_time () - begin_us;
      begin_us += us[0][k];
      questions[q].ask_store (self, k);
      us[1][k] = g_get_monotonic_time () - begin_us;
      begin_us += us[1][k];
      if (self->server != NULL)
        questions[q].ask_api (self, k);
      us[2][k] = g_get_monotonic_time () - begin_us;
    }
  for (guint i = 0; statements[i] != NULL; i++)
    sqlite3_finalize (statements[i]);

  bare = sort_out (us[0]);
  store = sort_out (us[1]);
  api = sort_out (us[2]);
  g_print ("%s\n", questions[q].title);
  print_times ("bare SQL", &bare, &bare);
  print_times ("the store", &store, &bare);
  if (self->server != NULL)
    print_times ("the API", &api, &bare);
}

/* --- the runs --- */

static void
fill (Bench *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmArchiveDatabase) store = jm_archive_database_open (path, &error);
  gint64 begin_us = g_get_monotonic_time ();

  g_assert_no_error (error);
  for (guint i = 0; i < self->n_runs; i += BATCH_RUNS)
    {
      g_autoptr (JmRunBatch) batch = jm_run_batch_new ();

      for (guint k = i; k < MIN (i + BATCH_RUNS, self->n_runs); k++)
        {
          g_autoptr (JmRun) run = bench_run_make (k, get_start (k));

          jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
        }
      jm_archive_database_merge (store, batch, &error);
      g_assert_no_error (error);
    }
  g_print ("%u runs are made: %.0f a second\n", self->n_runs,
           (double) self->n_runs * G_USEC_PER_SEC /
             (double) (g_get_monotonic_time () - begin_us));
}

/* There are less where somebody ended it while it made them. */
static guint
count_runs (const char *path)
{
  g_autoptr (sqlite3) db = jm_sqlite_open (path, FALSE, NULL);
  gint64 n;

  g_assert_true (jm_sqlite_get_number (db, "SELECT max (id) FROM run", &n, NULL));

  return (guint) n;
}

static void
bench (guint n_runs, const char *path, const char *directory, const char *program)
{
  Bench self = { .n_runs = n_runs };

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    fill (&self, path);
  self.n_runs = count_runs (path);
  g_print ("%u runs\n", self.n_runs);
  self.store = jm_archive_database_open_for_reading (path, NULL, NULL);
  self.viewer = jm_viewer_new_for_all ();
  self.db = jm_sqlite_open (path, FALSE, NULL);
  jm_sqlite_run (self.db, "PRAGMA cache_size = -65536", NULL);
  if (program != NULL)
    self.server = bench_server_new (program, path, directory);
  for (guint q = 0; q < G_N_ELEMENTS (questions); q++)
    measure (&self, q);

  g_clear_pointer (&self.server, bench_server_free);
  jm_sqlite_close (self.db);
  jm_viewer_free (self.viewer);
  g_object_unref (self.store);
}

static void
remove_directory (const char *directory)
{
  const char *const names[] = { "accounts.db", "accounts.db-wal", "accounts.db-shm",
                                "socket", NULL };

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (directory, names[i], NULL);

      g_unlink (path);
    }
  g_rmdir (directory);
}

int
main (int argc, char *argv[])
{
  int n_runs = 1000000;
  g_autofree char *path = NULL;
  const GOptionEntry entries[] = {
    { "runs", 0, 0, G_OPTION_ARG_INT, &n_runs, "How many runs there are", "N" },
    { "database", 0, 0, G_OPTION_ARG_FILENAME, &path,
      "Made if it is not there, with as many runs, and kept", "FILE" },
    { NULL }
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("[EXPORTER]");
  g_autofree char *directory = g_dir_make_tmp ("jm-accounts-XXXXXX", NULL);
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || n_runs < 10000)
    {
      g_printerr ("%s\n", error != NULL ? error->message : "--runs: too few");
      return 2;
    }
  if (path == NULL)
    path = g_build_filename (directory, "accounts.db", NULL);
  bench ((guint) n_runs, path, directory, argc > 1 ? argv[1] : NULL);
  remove_directory (directory);

  return 0;
}
