/* test-archive-database-crash.c: tests of a site's archive whose writer is killed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../node/ledger/made-ledger.h"
#include "core/jm-usage-private.h"
#include "made-runs.h"
#include "made-server.h"

#define N_KILLS 20
#define BATCH_RUNS 50
/* How long a writer may live, at most. */
#define MAX_LIFE_US 60000

static const char *program;

/* The number of runs that the last batch said are there. */
static guint
get_position (JmArchiveDatabase *store)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *position = jm_archive_database_get_position (store, "made", &error);

  g_assert_no_error (error);

  return position != NULL ? (guint) atoi (position) : 0;
}

/* Some more runs, and some of before once more, as an ingestion does after a crash. */
static JmRunBatch *
make_batch (guint first)
{
  JmRunBatch *batch = jm_run_batch_new ();
  g_autofree char *position = g_strdup_printf ("%u", first + BATCH_RUNS);

  for (guint i = first - MIN (first, 10); i < first + BATCH_RUNS; i++)
    {
      g_autoptr (JmRun) run = made_run_numbered (i, 5000);

      jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
    }
  jm_run_batch_set_position (batch, "made", position);

  return batch;
}

/* Goes on where the archive says, and says of each batch when it is stored. */
static int
write_until_killed (const char *uri)
{
  g_autoptr (JmArchiveDatabase) store = jm_archive_database_open (uri, NULL);
  guint position;

  if (store == NULL)
    return 1;
  position = get_position (store);
  for (;; position += BATCH_RUNS)
    {
      g_autoptr (JmRunBatch) batch = make_batch (position);

      if (!jm_archive_database_merge (store, batch, NULL) ||
          write (STDOUT_FILENO, "\n", 1) != 1)
        return 1;
    }
}

static guint
count_bytes (int fd)
{
  char buffer[256];
  guint n = 0;
  gssize n_read;

  while ((n_read = read (fd, buffer, sizeof buffer)) > 0)
    n += (guint) n_read;

  return n;
}

/* Returns of how many batches the writer has said that they are stored. */
static guint
kill_a_writer (const char *uri)
{
  char *argv[] = { (char *) program, (char *) "--write", (char *) uri, NULL };
  g_autoptr (GError) error = NULL;
  guint n_batches = 0;
  char byte;
  GPid pid;
  int output;

  g_spawn_async_with_pipes (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL,
                            &pid, NULL, &output, NULL, &error);
  g_assert_no_error (error);
  /* it is at work; then at any moment */
  if (g_test_rand_int_range (0, 4) > 0)
    n_batches += read (output, &byte, 1) == 1;
  g_usleep ((gulong) g_test_rand_int_range (0, MAX_LIFE_US));
  g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
  n_batches += count_bytes (output);
  close (output);

  return n_batches;
}

/* Of 0 to n - 1: each once, with 7 + number microjoules. */
static void
assert_sums (JmArchiveDatabase *store, gint64 n)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) list =
    jm_archive_database_list_usage (store, filter, JM_USAGE_GROUPS_NONE, viewer,
                                    &error);
  const JmUsage *usage;

  g_assert_no_error (error);
  usage = list->pdata[0];
  g_assert_cmpint (usage->whole[JM_USAGE_QUANTITY_RUNS], ==, n);
  g_assert_cmpint (usage->whole[JM_USAGE_QUANTITY_WALL], ==, 5000 * n);
  g_assert_cmpint (usage->whole[JM_USAGE_QUANTITY_CPUS], ==, 20000 * n);
  g_assert_cmpint (usage->whole[JM_USAGE_QUANTITY_CPU_TIME] * 1000000 +
                     usage->millionths[JM_USAGE_QUANTITY_CPU_TIME],
                   ==, 1000001 * n);
  g_assert_cmpint (usage->whole[JM_USAGE_QUANTITY_ENERGY] * 1000000 +
                     usage->millionths[JM_USAGE_QUANTITY_ENERGY],
                   ==, 7 * n + n * (n - 1) / 2);
}

/* What somebody who was killed had begun, a server may yet bring to its end: this waits
 * for it, as any writer does. */
static void
await_the_end (JmArchiveDatabase *store)
{
  g_autoptr (JmRunBatch) nothing = jm_run_batch_new ();
  g_autoptr (GError) error = NULL;

  jm_archive_database_merge (store, nothing, &error);
  g_assert_no_error (error);
}

static void
check_killed (const char *uri)
{
  guint n_stored = 0;

  for (guint i = 0; i < N_KILLS; i++)
    {
      guint n_told = kill_a_writer (uri) * BATCH_RUNS;
      g_autoptr (GError) error = NULL;
      g_autoptr (JmArchiveDatabase) store = jm_archive_database_open (uri, &error);
      guint position;

      g_assert_no_error (error);
      await_the_end (store);
      position = get_position (store);
      g_assert_cmpuint (position, >=, n_stored + n_told);
      /* one more may have been stored, that it could not report */
      g_assert_cmpuint (position, <=, n_stored + n_told + BATCH_RUNS);
      assert_sums (store, position);
      jm_archive_database_check (store, &error);
      g_assert_no_error (error);
      n_stored = position;
    }
  g_assert_cmpuint (n_stored, >, 0);
  g_test_message ("%u runs of %d writers that were killed", n_stored, N_KILLS);
}

static void
test_in_a_file (void)
{
  Place place;

  place_set_up (&place, NULL);
  check_killed (place.path);
  place_tear_down (&place, NULL);
}

static void
test_on_a_server (void)
{
  const char *reason;
  MadeServer *server = made_server_start (&reason);
  g_autofree char *uri = NULL;

  if (server == NULL)
    {
      g_test_skip (reason);
      return;
    }
  uri = made_server_add_database (server);
  check_killed (uri);
  made_server_stop (server);
}

int
main (int argc, char *argv[])
{
  if (argc == 3 && g_str_equal (argv[1], "--write"))
    return write_until_killed (argv[2]);

  program = argv[0];
  g_test_init (&argc, &argv, NULL);

#define NAME "/job-store-crash/a_writer_that_is_killed_loses_and_doubles_nothing"
  g_test_add_func (NAME "/in_a_file", test_in_a_file);
  g_test_add_func (NAME "/on_a_server", test_on_a_server);

  return g_test_run ();
}
