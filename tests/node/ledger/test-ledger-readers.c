/* test-ledger-readers.c: readers beside the one that writes, and how they search
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib/gstdio.h>
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "made-ledger.h"
#include "node/ledger/jm-ledger-file-private.h"
#include "node/ledger/jm-ledger-filter-private.h"

#define NOBODY 65534
#define N_MANY 100000
#define N_AT_ONCE 10000

static const char *program;

static guint
count (JmLedger *ledger, JmLedgerFilter *filter)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) records = jm_ledger_list (ledger, filter, NULL, &error);

  g_assert_no_error (error);

  return records->len;
}

static void
test_a_reader_sees_what_is_written_beside_it (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) writer = made_ledger_open (place);
  g_autoptr (JmLedger) reader = NULL;
  g_autoptr (GError) error = NULL;

  reader = jm_ledger_open (place->path, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 100; i++)
    {
      g_autoptr (JmJobRecord) record = made_record_new_numbered (i);

      made_ledger_finish (writer, made_ledger_append (writer, record));
      g_assert_cmpuint (count (reader, NULL), ==, i + 1);
    }
}

static void
test_where_there_is_none_that_is_said (Place *place, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (jm_ledger_open (place->path, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
  g_assert_nonnull (strstr (error->message, place->path));
  g_assert_false (g_file_test (place->path, G_FILE_TEST_EXISTS));
}

/* Ends with the number of records, or 200 where they cannot be read. */
static int
count_as_nobody (const char *path)
{
  g_autoptr (JmLedger) ledger = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) records = NULL;

  if (setgroups (0, NULL) != 0 || setgid (NOBODY) != 0 || setuid (NOBODY) != 0)
    return 201;

  ledger = jm_ledger_open (path, &error);
  if (ledger != NULL)
    records = jm_ledger_list (ledger, NULL, NULL, &error);
  if (records == NULL)
    fprintf (stderr, "%s\n", error->message);

  return records != NULL ? (int) records->len : 200;
}

static int
count_in_child (Place *place)
{
  const char *argv[] = { program, "--count", place->path, NULL };
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL,
                &status, &error);
  g_assert_no_error (error);
  g_assert_true (WIFEXITED (status));

  return WEXITSTATUS (status);
}

static void
let_group_read (Place *place)
{
  static const char *const suffixes[] = { "", "-wal", "-shm" };

  g_assert_cmpint (g_chmod (place->directory, 0755), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *path = g_strconcat (place->path, suffixes[i], NULL);
      struct stat status;

      g_assert_cmpint (stat (path, &status), ==, 0);
      g_assert_cmpint (status.st_mode & 0777, ==, 0640);
      g_assert_cmpint (chown (path, (uid_t) -1, NOBODY), ==, 0);
    }
}

static void
test_the_right_to_read_is_enough (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = NULL;

  if (geteuid () != 0)
    {
      g_test_skip ("only root may become somebody else");
      return;
    }

  ledger = made_ledger_open (place);
  g_assert_cmpint (count_in_child (place), ==, 200);
  let_group_read (place);
  for (guint i = 0; i < 10; i++)
    {
      g_autoptr (JmJobRecord) record = made_record_new_numbered (i);

      made_ledger_finish (ledger, made_ledger_append (ledger, record));
      g_assert_cmpint (count_in_child (place), ==, i + 1);
    }

  jm_ledger_close (ledger);
  g_assert_cmpint (count_in_child (place), ==, 10);
}

static void
fill_from (JmLedger *ledger, guint first)
{
  JmLedgerBatch *batch = jm_ledger_batch_new ();

  for (guint i = first; i < first + N_AT_ONCE; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i);
      g_autofree char *user = g_strdup_printf ("user%u", i / 100 % 500);
      g_autofree char *uid = g_strdup_printf ("%u", i / 100 % 500);
      MadeRun run = { .key = id,
                      .id = id,
                      .user = user,
                      .uid = uid,
                      .account = user,
                      .state = JM_RUN_STATE_ENDED,
                      .begin_us = BEGIN_US + i * SECOND_US,
                      .end_us = BEGIN_US + (i + 10) * SECOND_US };
      g_autoptr (JmJobRecord) record = made_record_new (&run);

      jm_ledger_batch_append (batch, record);
    }
  made_ledger_finish (ledger, jm_ledger_submit (ledger, batch));
}

/* Steps, not seconds: a look at each record would take some hundred thousand. */
static guint n_steps;

static int
count_steps (gpointer data)
{
  n_steps++;

  return 0;
}

static void
assert_quick (sqlite3 *db, JmLedgerFilter *filter, guint n_expected)
{
  g_autofree char *where = jm_ledger_filter_format (filter, FALSE);
  g_autofree char *sql =
    g_strdup_printf ("SELECT position FROM record WHERE %s", where);
  g_autoptr (GError) error = NULL;
  g_autoptr (sqlite3_stmt) statement = jm_sqlite_prepare (db, sql, &error);
  guint n = 0;

  g_assert_no_error (error);
  jm_ledger_filter_bind (filter, statement);
  n_steps = 0;
  sqlite3_progress_handler (db, 100, count_steps, NULL);
  while (jm_sqlite_next (statement, &error))
    n++;
  sqlite3_progress_handler (db, 0, NULL, NULL);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, n_expected);
  g_test_message ("%u00 steps for %u records: %s", n_steps, n, where);
  g_assert_cmpuint (n_steps, <, 100);
}

static void
test_of_many_records_few_are_looked_at (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = made_ledger_open (place);
  g_autoptr (sqlite3) db = NULL;
  g_autoptr (JmLedgerFilter) job = jm_ledger_filter_new ();
  g_autoptr (JmLedgerFilter) user = jm_ledger_filter_new ();
  g_autoptr (JmLedgerFilter) uid = jm_ledger_filter_new ();
  g_autoptr (JmLedgerFilter) account = jm_ledger_filter_new ();
  g_autoptr (JmLedgerFilter) lost = jm_ledger_filter_new ();
  g_autoptr (JmLedgerFilter) recent = jm_ledger_filter_new ();

  for (guint i = 0; i < N_MANY; i += N_AT_ONCE)
    fill_from (ledger, i);
  db = jm_ledger_file_open_for_reading (place->path, NULL);
  jm_ledger_filter_set_job (job, "cluster/77777");
  assert_quick (db, job, 1);
  jm_ledger_filter_set_user (user, "user7");
  assert_quick (db, user, 200);
  jm_ledger_filter_set_uid (uid, 7);
  jm_ledger_filter_set_period (uid, BEGIN_US + 40000 * SECOND_US, 0);
  assert_quick (db, uid, 100);
  jm_ledger_filter_set_account (account, "user8");
  assert_quick (db, account, 200);
  jm_ledger_filter_set_state (lost, JM_RUN_STATE_LOST);
  assert_quick (db, lost, 0);
  jm_ledger_filter_set_period (recent, BEGIN_US + (N_MANY - 100) * SECOND_US, 0);
  assert_quick (db, recent, 110);

  jm_ledger_filter_set_limit (user, 5);
  g_assert_cmpuint (count (ledger, user), ==, 5);
}

#define ADD(test)                                                                      \
 g_test_add ("/ledger-readers/" #test, Place, NULL, place_set_up, test_##test,         \
             place_tear_down)

int
main (int argc, char *argv[])
{
  if (argc == 3 && g_str_equal (argv[1], "--count"))
    return count_as_nobody (argv[2]);

  program = argv[0];
  g_test_init (&argc, &argv, NULL);

  ADD (a_reader_sees_what_is_written_beside_it);
  ADD (where_there_is_none_that_is_said);
  ADD (the_right_to_read_is_enough);
  ADD (of_many_records_few_are_looked_at);

  return g_test_run ();
}
