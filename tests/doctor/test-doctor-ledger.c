/* test-doctor-ledger.c: what the doctor finds of the records of jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/jm-job-record-private.h"
#include "jm-snapshot-builder.h"
#include "machine.h"
#include "node/ledger/jm-ledger-private.h"

#define PATIENCE_US (60 * G_USEC_PER_SEC)
#define HOUR_US (G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC)
/* A child that may mount nothing. */
#define SKIPPED 77

/* A ledger on this machine. */
typedef struct
{
  JmHost *host;
  char *directory;
  char *path;
} Kept;

static void
set_up (Kept *self, gconstpointer data)
{
  self->host = jm_host_new ("/");
  self->directory = g_dir_make_tmp ("jm-doctor-XXXXXX", NULL);
  self->path = g_build_filename (self->directory, "ledger.db", NULL);
}

static void
tear_down (Kept *self, gconstpointer data)
{
  g_autoptr (GDir) directory = g_dir_open (self->directory, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *path = g_build_filename (self->directory, name, NULL);

      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (self->directory), ==, 0);
  g_free (self->path);
  g_free (self->directory);
  g_object_unref (self->host);
}

static JmJobRecord *
make_record (JmRunState state, gint64 seen_us)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmJob) job = jm_test_job_new ("7", NULL);
  g_autoptr (JmSnapshot) snapshot = NULL;
  JmJobRecordContent content = { .job = job,
                                 .state = state,
                                 .begin_us = seen_us - HOUR_US,
                                 .end_us = state == JM_RUN_STATE_RUNNING ? 0 : seen_us,
                                 .seen_us = seen_us };

  jm_snapshot_builder_add_job (builder, job);
  snapshot = jm_snapshot_builder_end (builder);
  content.snapshot = snapshot;

  return jm_job_record_new (&content);
}

static void
keep (Kept *self, JmRunState state, gint64 seen_us)
{
  const JmLedgerPlan plan = { .path = self->path };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmLedger) ledger = jm_ledger_open_for_writing (&plan, &error);
  g_autoptr (JmJobRecord) record = make_record (state, seen_us);
  JmLedgerBatch *batch = jm_ledger_batch_new ();

  g_assert_no_error (error);
  if (state == JM_RUN_STATE_RUNNING)
    jm_ledger_batch_set_running (batch, record);
  else
    jm_ledger_batch_append (batch, record);
  g_assert_true (
    jm_ledger_await (ledger, jm_ledger_submit (ledger, batch), PATIENCE_US));
  jm_ledger_close (ledger);
}

static void
check (Kept *self,
       guint64 max_bytes,
       JmSeverity severity,
       const char *seen,
       const char *remedy)
{
  g_autoptr (GPtrArray) findings =
    jm_doctor_examine_ledger (self->host, self->path, max_bytes);

  assert_found (findings, "ledger", severity, seen, remedy);
}

static void
test_misses_one_that_is_not_there (Kept *self, gconstpointer data)
{
  check (self, 0, JM_SEVERITY_NOTE, "no ledger", "--ledger.file=");
}

static void
test_is_content_with_one_that_is_written (Kept *self, gconstpointer data)
{
  keep (self, JM_RUN_STATE_RUNNING, g_get_real_time ());
  keep (self, JM_RUN_STATE_ENDED, g_get_real_time () - 48 * HOUR_US);

  check (self, 0, JM_SEVERITY_GOOD, "records of 2.0 days", NULL);
}

static void
test_sees_that_nobody_writes_it (Kept *self, gconstpointer data)
{
  keep (self, JM_RUN_STATE_RUNNING, g_get_real_time () - HOUR_US);

  check (self, 0, JM_SEVERITY_PROBLEM, "60 minutes behind", "Start the exporter");
}

static void
test_reports_records_that_are_about_to_be_dropped (Kept *self, gconstpointer data)
{
  keep (self, JM_RUN_STATE_ENDED, g_get_real_time ());

  check (self, 1000, JM_SEVERITY_NOTE, "that it may have", "--ledger.max-size=");
}

static void
test_names_what_is_no_ledger (Kept *self, gconstpointer data)
{
  g_assert_true (g_file_set_contents (self->path, "a letter\n", -1, NULL));

  check (self, 0, JM_SEVERITY_PROBLEM, "cannot be read", NULL);
}

/* In a namespace of its own, where the disk is what the test wants it to be. */
static void
examine_on_disk (Kept *self, gboolean is_full)
{
  g_autofree char *filler = g_build_filename (self->directory, "filler", NULL);
  g_autofree char *block = g_malloc0 (1 << 20);
  int fd;

  if (unshare (CLONE_NEWNS) != 0 ||
      mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
      mount ("tmpfs", self->directory, "tmpfs", 0, "size=1m") != 0)
    _exit (SKIPPED);

  keep (self, JM_RUN_STATE_ENDED, g_get_real_time ());
  if (is_full)
    {
      fd = g_open (filler, O_WRONLY | O_CREAT, 0600);
      while (write (fd, block, 1 << 20) > 0)
        ;
      check (self, 0, JM_SEVERITY_PROBLEM, "the disk is full", "Make room");
    }
  else
    {
      check (self, 0, JM_SEVERITY_NOTE, "the disk has", "--ledger.max-size=");
      g_assert_cmpint (mount (NULL, self->directory, NULL, MS_REMOUNT | MS_RDONLY,
                              NULL),
                       ==, 0);
      check (self, 0, JM_SEVERITY_PROBLEM, "read-only", "Mount it");
    }
  _exit (0);
}

static void
test_sees_what_is_wrong_with_the_disk (Kept *self, gconstpointer is_full)
{
  int status;
  pid_t pid = fork ();

  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    examine_on_disk (self, is_full != NULL);

  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFEXITED (status));
  if (WEXITSTATUS (status) == SKIPPED)
    g_test_skip ("only who may mount can make a disk full or read-only");
  else
    g_assert_cmpint (WEXITSTATUS (status), ==, 0);
}

static void
add (const char *path, gconstpointer data, void (*test) (Kept *, gconstpointer))
{
  g_test_add (path, Kept, data, set_up, test, tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("/doctor/ledger/misses-one-that-is-not-there", NULL,
       test_misses_one_that_is_not_there);
  add ("/doctor/ledger/is-content-with-one-that-is-written", NULL,
       test_is_content_with_one_that_is_written);
  add ("/doctor/ledger/sees-that-nobody-writes-it", NULL,
       test_sees_that_nobody_writes_it);
  add ("/doctor/ledger/reports-records-that-are-about-to-be-dropped", NULL,
       test_reports_records_that_are_about_to_be_dropped);
  add ("/doctor/ledger/names-what-is-no-ledger", NULL, test_names_what_is_no_ledger);
  add ("/doctor/ledger/sees-that-the-disk-is-full", "full",
       test_sees_what_is_wrong_with_the_disk);
  add ("/doctor/ledger/sees-that-the-disk-is-read-only", NULL,
       test_sees_what_is_wrong_with_the_disk);

  return g_test_run ();
}
