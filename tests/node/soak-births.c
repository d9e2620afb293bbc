/* soak-births.c: a hundred thousand jobs that come and go
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Usage: soak-births [JOBS]
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/jm-snapshot-private.h"
#include "fake-sources.h"
#include "node/jm-node.h"

/* Other tests of this machine may have jobs too. */
#define FIRST_ID 70000000
#define N_IDS 5000
#define JOBS_BETWEEN_ROUNDS 500
#define MAX_GROWTH_KIB 2048
/* Others make cgroups too; a job has two, and each has a directory that is watched. */
#define MAX_MORE 400

#define N_MADE_UP 100000

static guint n_jobs = 20000;

typedef struct
{
  char *dir; /* of the user's jobs */
  char *root;
  JmNode *node;
  guint n_runs; /* that were made */
  guint n_told; /* whose end a snapshot reported, each time that one did */
} Fixture;

static void
make (Fixture *f, guint id, const char *below)
{
  g_autofree char *path = g_strdup_printf ("%s/job_%u%s", f->dir, FIRST_ID + id, below);

  g_assert_no_errno (mkdir (path, 0755));
}

static void
take_away (Fixture *f, guint id, const char *below)
{
  g_autofree char *path = g_strdup_printf ("%s/job_%u%s", f->dir, FIRST_ID + id, below);

  g_assert_no_errno (rmdir (path));
}

static void
begin_job (Fixture *f, guint id)
{
  make (f, id, "");
  make (f, id, "/step_0");
  f->n_runs++;
}

static void
end_job (Fixture *f, guint id)
{
  take_away (f, id, "/step_0");
  take_away (f, id, "");
}

static void
open_node (Fixture *f)
{
  const char *const schedulers[] = { "slurm", NULL };
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (GError) error = NULL;

  f->node = g_initable_new (JM_TYPE_NODE, NULL, &error, "host", host, "schedulers",
                            schedulers, "node-name", strrchr (f->root, '_') + 1,
                            "linger", 0, "level", JM_SUBJECT_KIND_STEP, NULL);
  g_assert_no_error (error);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  f->root = g_strdup_printf ("/sys/fs/cgroup/cpuacct/slurm_soak%d", (int) getpid ());
  f->dir = g_strconcat (f->root, "/uid_0", NULL);
  if (mkdir (f->root, 0755) != 0)
    {
      g_autofree char *why =
        g_strdup_printf ("no cgroup of version 1 can be made: %s: %s", f->root,
                         g_strerror (errno));

      g_test_skip (why);
      return;
    }

  g_assert_no_errno (mkdir (f->dir, 0755));
  open_node (f);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_clear_object (&f->node);
  rmdir (f->dir);
  rmdir (f->root);
  g_free (f->dir);
  g_free (f->root);
}

static gboolean
is_own (const JmSubject *subject)
{
  return subject->kind == JM_SUBJECT_KIND_JOB &&
         g_ascii_strtoull (jm_job_get_id (subject->job), NULL, 10) >= FIRST_ID;
}

/* Returns how many live. */
static guint
sample (Fixture *f)
{
  g_autoptr (JmSnapshot) snapshot = jm_node_sample (f->node, NULL, NULL);
  guint n, n_living = 0;
  const JmSubject *subjects = jm_snapshot_get_subjects (snapshot, &n);

  for (guint i = 0; i < n; i++)
    if (is_own (&subjects[i]) && subjects[i].end_time == 0)
      n_living++;
    else if (is_own (&subjects[i]))
      f->n_told++;

  return n_living;
}

/* --- what has to stay as it is --- */

typedef struct
{
  guint n_descriptors;
  guint n_watches;
  guint resident_kib;
} Holdings;

static void
count_descriptors (Holdings *self)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fdinfo", 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_strconcat ("/proc/self/fdinfo/", name, NULL);
      g_autofree char *text = NULL;

      self->n_descriptors++;
      if (!g_file_get_contents (path, &text, NULL, NULL))
        continue;
      for (const char *line = text; (line = strstr (line, "inotify wd:")) != NULL;
           line++)
        self->n_watches++;
    }
}

static Holdings
count_holdings (void)
{
  Holdings self = { 0 };
  g_autofree char *statm = NULL;

  count_descriptors (&self);
  g_assert_true (g_file_get_contents ("/proc/self/statm", &statm, NULL, NULL));
  self.resident_kib = (guint) (strtoul (strchr (statm, ' '), NULL, 10) *
                               (gulong) sysconf (_SC_PAGESIZE) / 1024);

  return self;
}

/* One in ten is requeued: its cgroup goes, and one of the same name comes at once. */
static void
run_jobs (Fixture *f, guint from, guint to)
{
  for (guint i = from; i < to; i++)
    {
      guint id = 1 + i % N_IDS;
      g_autofree char *name = g_strdup_printf ("%u", FIRST_ID + id);

      for (guint run = 0; run <= (i % 10 == 0 ? 1 : 0); run++)
        {
          begin_job (f, id);
          g_assert_true (jm_node_attend (f->node, name));
          end_job (f, id);
        }
      if (i % JOBS_BETWEEN_ROUNDS == 0)
        sample (f);
    }
}

static void
test_holds_no_more_after_many_jobs_than_after_few (Fixture *f, gconstpointer data)
{
  Holdings early, late;

  if (f->node == NULL)
    return;

  run_jobs (f, 0, n_jobs / 5);
  sample (f);
  sample (f);
  early = count_holdings ();
  run_jobs (f, n_jobs / 5, n_jobs);
  g_assert_cmpuint (sample (f), ==, 0);
  sample (f);
  late = count_holdings ();

  g_test_message ("%u runs; descriptors %u, %u; watches %u, %u; resident %u KiB, %u "
                  "KiB",
                  f->n_runs, early.n_descriptors, late.n_descriptors, early.n_watches,
                  late.n_watches, early.resident_kib, late.resident_kib);
  g_assert_cmpuint (f->n_told, ==, f->n_runs);
  g_assert_cmpuint (late.n_descriptors, <, early.n_descriptors + MAX_MORE);
  g_assert_cmpuint (late.n_watches, <, early.n_watches + MAX_MORE);
#ifndef __SANITIZE_ADDRESS__
  g_assert_cmpuint (late.resident_kib, <=, early.resident_kib + MAX_GROWTH_KIB);
#endif
}

static guint
queue_length (void)
{
  g_autofree char *text = NULL;

  g_assert_true (
    g_file_get_contents ("/proc/sys/fs/inotify/max_queued_events", &text, NULL, NULL));

  return (guint) g_ascii_strtoull (text, NULL, 10);
}

/* More happens than the kernel keeps in mind. Who lived through it or came in it is
 * known, and who went in it has ended; those that came and went are heard of by nobody.
 */
static void
test_knows_who_is_there_after_a_burst (Fixture *f, gconstpointer data)
{
  guint n_told;
  Holdings before, after;

  if (f->node == NULL)
    return;

  sample (f);
  before = count_holdings ();
  for (guint id = 1; id <= 60; id++)
    begin_job (f, id);
  g_assert_cmpuint (sample (f), ==, 60);

  for (guint i = 0; i <= queue_length () / 2; i++)
    {
      make (f, 1000 + i, "");
      take_away (f, 1000 + i, "");
    }
  for (guint id = 1; id <= 20; id++)
    end_job (f, id);
  for (guint id = 61; id <= 70; id++)
    begin_job (f, id);
  /* requeued in the burst */
  for (guint id = 21; id <= 30; id++)
    {
      end_job (f, id);
      begin_job (f, id);
    }
  n_told = f->n_told;
  g_assert_cmpuint (sample (f), ==, 60 - 20 + 10);
  g_assert_cmpuint (f->n_told - n_told, ==, 20 + 10);

  begin_job (f, 99);
  g_assert_true (jm_node_attend (f->node, "70000099"));
  end_job (f, 99);
  for (guint id = 21; id <= 70; id++)
    end_job (f, id);
  g_assert_cmpuint (sample (f), ==, 0);
  g_assert_cmpuint (f->n_told, ==, f->n_runs);
  sample (f);
  after = count_holdings ();
  g_assert_cmpuint (after.n_watches, <, before.n_watches + MAX_MORE);
  g_assert_cmpuint (after.n_descriptors, <, before.n_descriptors + MAX_MORE);
}

/* --- jobs that are made up --- */

static void
run_made_up_jobs (JmNode *node, FakeReader *cgroups, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *job = g_strdup_printf ("/job_%u", FIRST_ID + i % N_IDS);
      g_autofree char *step = g_strconcat (job, "/step_0", NULL);

      fake_reader_set_cpu (cgroups, job, 1);
      fake_reader_set_cpu (cgroups, step, 1);
      jm_node_follow (node);
      fake_reader_remove (cgroups, step);
      fake_reader_remove (cgroups, job);
      if (i % JOBS_BETWEEN_ROUNDS == 0)
        {
          g_autoptr (JmSnapshot) snapshot = jm_node_sample (node, NULL, NULL);

          g_assert_nonnull (snapshot);
        }
    }
}

/* The kernel takes many minutes to make a fifth of them where the machine is busy. */
static void
test_keeps_nothing_of_made_up_jobs (void)
{
  const char *const no_schedulers[] = { NULL };
  g_autoptr (JmHost) host = jm_host_new ("/nonexistent");
  g_autoptr (JmNode) node = NULL;
  g_autoptr (FakeReader) cgroups = fake_reader_new (host);
  g_autoptr (FakeJobs) jobs = fake_jobs_new (host);
  Holdings early, late;

  node = g_initable_new (JM_TYPE_NODE, NULL, NULL, "host", host, "level",
                         JM_SUBJECT_KIND_STEP, "linger", 0, "schedulers", no_schedulers,
                         NULL);
  jm_node_add_source (node, JM_SOURCE (jobs));
  jm_node_add_source (node, JM_SOURCE (cgroups));

  run_made_up_jobs (node, cgroups, N_MADE_UP / 5);
  early = count_holdings ();
  run_made_up_jobs (node, cgroups, N_MADE_UP - N_MADE_UP / 5);
  late = count_holdings ();

  g_test_message ("descriptors %u, %u; resident %u KiB, %u KiB", early.n_descriptors,
                  late.n_descriptors, early.resident_kib, late.resident_kib);
  g_assert_cmpuint (late.n_descriptors, ==, early.n_descriptors);
#ifndef __SANITIZE_ADDRESS__
  g_assert_cmpuint (late.resident_kib, <=, early.resident_kib + MAX_GROWTH_KIB);
#endif
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (argc > 1)
    n_jobs = (guint) atoi (argv[1]);

  g_test_add_func ("/soak/made-up", test_keeps_nothing_of_made_up_jobs);
  g_test_add ("/soak/burst", Fixture, NULL, set_up,
              test_knows_who_is_there_after_a_burst, tear_down);
  g_test_add ("/soak/births", Fixture, NULL, set_up,
              test_holds_no_more_after_many_jobs_than_after_few, tear_down);

  return g_test_run ();
}
