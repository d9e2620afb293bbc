/* test-ledger-faults.c: disks that are full, gone or broken, and what is kept then
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "made-ledger.h"
#include "sql/jm-sqlite-private.h"

/* More than may wait in memory. */
#define N_MANY 1300
#define N_WAITING 1000
#define DISK "size=2m"

/* --- a disk of the test's own --- */

/* In a name space of this thread and of those that it starts. */
static gboolean
mount_disk (Place *place)
{
  if (unshare (CLONE_NEWNS) == 0 &&
      mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
      mount ("tmpfs", place->directory, "tmpfs", 0, DISK) == 0)
    return TRUE;

  g_test_skip (errno == EPERM ? "only root may mount a small disk"
                              : "no small disk can be mounted here");

  return FALSE;
}

static void
unmount_disk (Place *place)
{
  g_assert_cmpint (umount2 (place->directory, MNT_DETACH), ==, 0);
}

/* Leaves not a byte. */
static void
fill_disk (Place *place)
{
  g_autofree char *path = g_build_filename (place->directory, "filler", NULL);
  static const char zeros[4096];
  int fd = open (path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  while (write (fd, zeros, sizeof zeros) > 0)
    continue;
  g_assert_cmpint (errno, ==, ENOSPC);
  close (fd);
}

static void
free_disk (Place *place)
{
  g_autofree char *path = g_build_filename (place->directory, "filler", NULL);

  g_assert_cmpint (g_unlink (path), ==, 0);
}

/* --- how a ledger fares --- */

static gboolean
is_writable (JmLedger *ledger)
{
  g_auto (JmLedgerStatus) status = { 0 };

  jm_ledger_get_status (ledger, &status);
  g_assert_true (status.is_writable == (status.error == NULL));
  g_assert_true (status.is_writable == (status.failing_us == 0));

  return status.is_writable;
}

static guint64
get_n_dropped (JmLedger *ledger)
{
  g_auto (JmLedgerStatus) status = { 0 };

  jm_ledger_get_status (ledger, &status);

  return status.n_dropped;
}

static guint64
get_n_given_up (JmLedger *ledger)
{
  g_auto (JmLedgerStatus) status = { 0 };

  jm_ledger_get_status (ledger, &status);
  g_assert_true ((status.n_given_up == 0) == (status.given_up_us == 0));
  g_assert_cmpint (status.given_up_us, <=, g_get_real_time ());

  return status.n_given_up;
}

/* It tries again by itself. */
static void
wait_until_writable (JmLedger *ledger)
{
  gint64 until_us = g_get_monotonic_time () + LONG_US;

  while (!is_writable (ledger))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, until_us);
      g_usleep (10000);
    }
}

static void
wait_until_dropped (JmLedger *ledger)
{
  gint64 until_us = g_get_monotonic_time () + LONG_US;

  while (get_n_dropped (ledger) == 0)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, until_us);
      g_usleep (10000);
    }
}

/* Whatever it says at first, a thread that writes has noticed then. */
static void
assert_fails (JmLedger *ledger, guint64 ticket)
{
  g_auto (JmLedgerStatus) status = { 0 };

  g_assert_false (jm_ledger_await (ledger, ticket, LONG_US));
  jm_ledger_get_status (ledger, &status);
  g_assert_false (status.is_writable);
  g_assert_nonnull (status.error);
  g_assert_cmpint (status.failing_us, <=, g_get_real_time ());
  g_test_message ("%s", status.error->message);
}

static guint64
append_numbers (JmLedger *ledger, guint from, guint to)
{
  guint64 ticket = 0;

  for (guint i = from; i < to; i++)
    {
      g_autoptr (JmJobRecord) record = made_record_new_numbered (i);

      ticket = made_ledger_append (ledger, record);
    }

  return ticket;
}

/* In one transaction. */
static void
append_batch (JmLedger *ledger, guint from, guint to)
{
  JmLedgerBatch *batch = jm_ledger_batch_new ();

  for (guint i = from; i < to; i++)
    {
      g_autoptr (JmJobRecord) record = made_record_new_numbered (i);

      jm_ledger_batch_append (batch, record);
    }

  made_ledger_finish (ledger, jm_ledger_submit (ledger, batch));
}

/* The ids are numbers, from @from on without a gap. */
static void
assert_numbers (JmLedger *ledger, guint from, guint to)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) records = jm_ledger_list (ledger, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (records->len, ==, to - from);
  for (guint i = 0; i < records->len; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", from + i);

      g_assert_cmpstr (jm_job_get_id (jm_job_record_get_job (records->pdata[i])), ==,
                       id);
    }
}

static guint64
get_n_jobs (JmLedger *ledger)
{
  g_autoptr (GArray) totals = jm_ledger_list_totals (ledger);

  g_assert_cmpuint (totals->len, ==, 1);

  return g_array_index (totals, JmLedgerTotal, 0).n_jobs;
}

/* --- what is tried --- */

static void
test_on_a_full_disk_records_wait (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = NULL;
  guint n_warnings = made_warnings_get ();

  if (!mount_disk (place))
    return;

  ledger = made_ledger_open (place);
  made_ledger_finish (ledger, append_numbers (ledger, 0, 3));
  fill_disk (place);
  assert_fails (ledger, append_numbers (ledger, 3, 900));
  g_assert_false (jm_ledger_await (ledger, append_numbers (ledger, 900, 903), LONG_US));
  g_assert_cmpuint (made_warnings_get () - n_warnings, ==, 1);

  free_disk (place);
  wait_until_writable (ledger);
  assert_numbers (ledger, 0, 903);
  g_assert_cmpuint (get_n_jobs (ledger), ==, 903);
  g_assert_cmpuint (get_n_dropped (ledger), ==, 0);

  jm_ledger_close (ledger);
  unmount_disk (place);
}

/* A sweep that hung comes back when the ledger is closed. */
static void
test_what_comes_after_the_end_is_dropped (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = made_ledger_open (place);
  g_autoptr (JmLedger) again = NULL;

  made_ledger_finish (ledger, append_numbers (ledger, 0, 3));
  jm_ledger_close (ledger);
  g_assert_false (jm_ledger_await (ledger, append_numbers (ledger, 3, 5), LONG_US));
  again = made_ledger_open (place);
  assert_numbers (again, 0, 3);
}

static gboolean
is_called (JmJobRecord *record, const char *id)
{
  return jm_job_is_called (jm_job_record_get_job (record), id);
}

/* Some of the first were written, or room was made for some: what is there has no gap
 * but one, and nothing is lost untold. */
static void
test_what_cannot_wait_is_dropped (Place *place, gconstpointer data)
{
  gboolean keeps_oldest = GPOINTER_TO_INT (data);
  g_autoptr (JmLedger) ledger = NULL;
  g_autoptr (JmLedger) again = NULL;
  g_autoptr (GPtrArray) records = NULL;
  g_autofree char *last = g_strdup_printf ("%u", N_MANY - 1);
  guint64 n_dropped;

  if (!mount_disk (place))
    return;

  ledger = made_ledger_open_as (place, (JmLedgerPlan){ .keeps_oldest = keeps_oldest });
  fill_disk (place);
  jm_ledger_await (ledger, append_numbers (ledger, 0, N_WAITING), LONG_US);
  jm_ledger_await (ledger, append_numbers (ledger, N_WAITING, N_MANY), LONG_US);
  wait_until_dropped (ledger);
  free_disk (place);
  wait_until_writable (ledger);
  made_ledger_finish (ledger, made_ledger_set (ledger, "a", "b", "c"));

  n_dropped = get_n_dropped (ledger);
  g_assert_cmpuint (n_dropped, >, 0);
  g_assert_cmpuint (get_n_given_up (ledger), <=, n_dropped);
  g_assert_true (!keeps_oldest || get_n_given_up (ledger) == n_dropped);
  g_assert_cmpuint (get_n_jobs (ledger), ==, N_MANY);
  records = jm_ledger_list (ledger, NULL, NULL, NULL);
  g_assert_cmpuint (records->len + n_dropped, ==, N_MANY);
  g_assert_true (is_called (records->pdata[0], "0") == keeps_oldest);
  /* the last may find room that others have left, be the oldest kept or not */
  g_assert_true (keeps_oldest || is_called (records->pdata[records->len - 1], last));

  jm_ledger_close (ledger);
  again = made_ledger_open (place);
  g_assert_cmpuint (get_n_dropped (again), ==, n_dropped);
  g_assert_cmpuint (get_n_given_up (again), ==, 0);
  jm_ledger_close (again);
  unmount_disk (place);
}

static void
test_a_disk_that_may_only_be_read_is_waited_for (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = NULL;

  if (!mount_disk (place))
    return;

  ledger = made_ledger_open (place);
  made_ledger_finish (ledger, append_numbers (ledger, 0, 3));
  jm_ledger_close (ledger);
  g_assert_cmpint (mount (NULL, place->directory, NULL, MS_REMOUNT | MS_RDONLY, NULL),
                   ==, 0);
  {
    JmLedgerPlan plan = { .path = place->path };
    g_autoptr (GError) error = NULL;
    g_autoptr (JmLedger) reader = jm_ledger_open (place->path, &error);

    g_assert_no_error (error);
    assert_numbers (reader, 0, 3);
    g_assert_null (jm_ledger_open_for_writing (&plan, &error));
    g_assert_nonnull (error);
    g_test_message ("%s", error->message);
    g_assert_nonnull (strstr (error->message, place->path));
  }

  unmount_disk (place);
}

static void
test_a_directory_that_is_gone_is_waited_for (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = made_ledger_open (place);

  made_ledger_finish (ledger, append_numbers (ledger, 0, 3));
  made_directory_remove (place->directory);
  assert_fails (ledger, append_numbers (ledger, 3, 5));

  g_assert_cmpint (g_mkdir (place->directory, 0755), ==, 0);
  wait_until_writable (ledger);
  assert_numbers (ledger, 3, 5);
  g_assert_cmpuint (get_n_jobs (ledger), ==, 5);
}

static void
test_one_that_is_locked_is_waited_for (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = made_ledger_open (place);
  g_autoptr (sqlite3) other = NULL;
  g_autoptr (GError) error = NULL;

  made_ledger_finish (ledger, append_numbers (ledger, 0, 3));
  other = jm_sqlite_open (place->path, TRUE, &error);
  g_assert_no_error (error);
  g_assert_true (jm_sqlite_run (other, "BEGIN IMMEDIATE", NULL));
  assert_fails (ledger, append_numbers (ledger, 3, 5));

  g_assert_true (jm_sqlite_run (other, "ROLLBACK", NULL));
  wait_until_writable (ledger);
  assert_numbers (ledger, 0, 5);
}

static void
overwrite (const char *path, goffset offset, const char *bytes, gsize length)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (pwrite (fd, bytes, length, offset), ==, (gssize) length);
  close (fd);
}

static gboolean
exists_beside (Place *place, const char *suffix)
{
  g_autofree char *path = g_strconcat (place->path, suffix, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
test_one_that_is_broken_is_put_aside (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = made_ledger_open (place);
  g_autoptr (JmLedger) next = NULL;
  g_autoptr (GError) error = NULL;
  guint n_warnings = made_warnings_get ();

  made_ledger_finish (ledger, append_numbers (ledger, 0, 3));
  jm_ledger_close (ledger);
  overwrite (place->path, 0, "broken for good", 16);

  g_assert_null (jm_ledger_open (place->path, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
  next = made_ledger_open (place);
  g_assert_cmpuint (made_warnings_get () - n_warnings, ==, 1);
  g_assert_true (exists_beside (place, ".broken"));
  made_ledger_finish (next, append_numbers (next, 7, 9));
  assert_numbers (next, 7, 9);
}

static void
test_one_that_breaks_while_it_is_written_goes_on_in_a_new_one (Place *place,
                                                               gconstpointer data)
{
  g_autoptr (JmLedger) ledger = made_ledger_open (place);
  g_autofree char *garbage = g_strnfill (4096, '#');
  struct stat status;

  append_batch (ledger, 0, 5000);
  jm_ledger_close (ledger);
  g_clear_object (&ledger);

  /* more than is kept in memory */
  ledger = made_ledger_open (place);
  g_assert_cmpint (stat (place->path, &status), ==, 0);
  for (goffset offset = 4096; offset < status.st_size; offset += 4096)
    overwrite (place->path, offset, garbage, 4096);
  for (guint i = 5000; i < 6000 && !exists_beside (place, ".broken"); i++)
    jm_ledger_await (ledger, append_numbers (ledger, i, i + 1), LONG_US);

  wait_until_writable (ledger);
  g_assert_true (exists_beside (place, ".broken"));
  made_ledger_finish (ledger, append_numbers (ledger, 7000, 7001));
  g_assert_cmpuint (get_n_jobs (ledger), >, 5000);
}

static void
test_what_is_no_ledger_is_left_alone (Place *place, gconstpointer data)
{
  JmLedgerPlan plan = { .path = place->path };
  g_autoptr (GError) error = NULL;
  g_autofree char *content = NULL;

  g_assert_true (g_file_set_contents (place->path, "of somebody else", -1, NULL));
  g_assert_null (jm_ledger_open_for_writing (&plan, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_true (g_file_get_contents (place->path, &content, NULL, NULL));
  g_assert_cmpstr (content, ==, "of somebody else");
  g_assert_false (exists_beside (place, ".broken"));
}

static void
change_with (Place *place, const char *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (sqlite3) db = jm_sqlite_open (place->path, TRUE, &error);

  g_assert_no_error (error);
  jm_sqlite_run (db, sql, &error);
  g_assert_no_error (error);
}

static void
test_one_of_a_later_version_is_refused (Place *place, gconstpointer data)
{
  JmLedgerPlan plan = { .path = place->path };
  g_autoptr (JmLedger) ledger = made_ledger_open (place);
  g_autoptr (GError) error = NULL;

  jm_ledger_close (ledger);
  change_with (place, "PRAGMA user_version = 2");

  g_assert_null (jm_ledger_open (place->path, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "version 2, made by a later jobmetrics"));
  g_clear_error (&error);
  g_assert_null (jm_ledger_open_for_writing (&plan, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_false (exists_beside (place, ".broken"));
}

/* Its columns could be computed by whoever made it. */
static void
test_one_whose_tables_were_changed_is_not_read (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = made_ledger_open (place);
  g_autoptr (GError) error = NULL;

  jm_ledger_close (ledger);
  change_with (place, "ALTER TABLE record ADD COLUMN further TEXT AS (hex (content))");

  g_assert_null (jm_ledger_open (place->path, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
}

/* As administrators, and programs that copy a database, leave them. */
static void
test_what_others_add_is_left_alone (Place *place, gconstpointer data)
{
  static const char *const additions[] = {
    "ANALYZE",
    "CREATE INDEX site_user ON record (account, user)",
    "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)",
    "CREATE VIEW recent AS SELECT job FROM record ORDER BY position DESC LIMIT 9",
    "CREATE TRIGGER loud AFTER INSERT ON record BEGIN SELECT raise (ABORT, 'no'); END",
    "PRAGMA user_version = 0",
  };
  g_autoptr (JmLedger) ledger = made_ledger_open (place);

  for (guint i = 0; i < G_N_ELEMENTS (additions); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JmLedger) reader = NULL;

      made_ledger_finish (ledger, append_numbers (ledger, i, i + 1));
      jm_ledger_close (ledger);
      g_clear_object (&ledger);
      change_with (place, additions[i]);
      reader = jm_ledger_open (place->path, &error);
      g_assert_no_error (error);
      ledger = made_ledger_open (place);
    }
  made_ledger_finish (ledger, append_numbers (ledger, 10, 11));
  g_assert_cmpuint (get_n_jobs (ledger), ==, G_N_ELEMENTS (additions) + 1);
  g_assert_false (exists_beside (place, ".broken"));
}

static void
test_no_link_is_followed (Place *place, gconstpointer data)
{
  JmLedgerPlan plan = { .path = place->path };
  g_autofree char *target = g_build_filename (place->directory, "target", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (symlink (target, place->path), ==, 0);
  g_assert_null (jm_ledger_open_for_writing (&plan, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_DENIED);
  g_assert_false (g_file_test (target, G_FILE_TEST_EXISTS));
  g_clear_error (&error);
  g_assert_null (jm_ledger_open (place->path, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_DENIED);
}

static void
test_one_of_somebody_else_is_not_written (Place *place, gconstpointer data)
{
  JmLedgerPlan plan = { .path = place->path };
  g_autoptr (JmLedger) ledger = made_ledger_open (place);
  g_autoptr (GError) error = NULL;

  jm_ledger_close (ledger);
  if (chown (place->path, 65534, 65534) != 0)
    {
      g_test_skip ("only root may give a file away");
      return;
    }

  g_assert_null (jm_ledger_open_for_writing (&plan, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_DENIED);
  g_assert_nonnull (strstr (error->message, "belongs to another user"));
}

#define ADD(test)                                                                      \
 g_test_add ("/ledger-faults/" #test, Place, NULL, place_set_up, test_##test,          \
             place_tear_down)
#define ADD_FOR(test, name, value)                                                     \
 g_test_add ("/ledger-faults/" #test "/" name, Place, GINT_TO_POINTER (value),         \
             place_set_up, test_##test, place_tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  made_warnings_count ();

  ADD (on_a_full_disk_records_wait);
  ADD_FOR (what_cannot_wait_is_dropped, "new", TRUE);
  ADD_FOR (what_cannot_wait_is_dropped, "old", FALSE);
  ADD (a_disk_that_may_only_be_read_is_waited_for);
  ADD (a_directory_that_is_gone_is_waited_for);
  ADD (one_that_is_locked_is_waited_for);
  ADD (one_that_is_broken_is_put_aside);
  ADD (one_that_breaks_while_it_is_written_goes_on_in_a_new_one);
  ADD (what_is_no_ledger_is_left_alone);
  ADD (one_of_a_later_version_is_refused);
  ADD (one_whose_tables_were_changed_is_not_read);
  ADD (what_others_add_is_left_alone);
  ADD (no_link_is_followed);
  ADD (one_of_somebody_else_is_not_written);
  ADD (what_comes_after_the_end_is_dropped);

  return g_test_run ();
}
