/* test-bpf-process-source.c: what the kernel itself reports of processes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "host/jm-host-private.h"
#include "sources/process/jm-bpf-process-source-private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "child.h"
#include "own-cgroup.h"
#include "rounds.h"
#include "sources/process/jm-process-groups-private.h"

#define MS 1000000
#define N_SHORT 5000
#define N_ROUNDS 500
#define N_ATTEMPTS 5
#define NOBODY 65534

/* Why there is nothing to be tested here, or NULL. */
static char *missing;

static gboolean
is_here (void)
{
  if (missing != NULL)
    g_test_skip (missing);

  return missing == NULL;
}

/* Skips the test, and returns NULL, where there is nothing to be tested. */
static OwnCgroup *
make_cgroup (void)
{
  g_autofree char *reason = NULL;
  OwnCgroup *cgroup = is_here () ? own_cgroup_new (&reason) : NULL;

  if (reason != NULL)
    g_test_skip (reason);

  return cgroup;
}

static Rounds *
open_bpf (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmHost) host = jm_host_new (NULL);
  JmProcessSource *table = JM_PROCESS_SOURCE (jm_bpf_process_source_new (host, &error));

  g_assert_no_error (error);

  return rounds_new_of (table);
}

static guint64
get (Rounds *self, JmMetric metric, const char *label)
{
  return rounds_get (self, self->group, metric, label);
}

static guint64
get_cpu (Rounds *self)
{
  return get (self, JM_METRIC_PROCESS_CPU_USER, NULL) +
         get (self, JM_METRIC_PROCESS_CPU_SYSTEM, NULL);
}

static void
assert_is_near (guint64 one, guint64 other, guint64 tolerance)
{
  g_assert_cmpuint (one, <=, other + tolerance);
  g_assert_cmpuint (other, <=, one + tolerance);
}

/* --- the living --- */

static void
use_something (Child *child)
{
  child_ask (child, CHILD_SPIN, 120);
  child_ask (child, CHILD_WRITE, 65536);
  child_ask (child, CHILD_OPEN, 7);
  child_ask (child, CHILD_START_THREAD, 5);
}

static void
assert_same (Rounds *bpf, Rounds *procfs)
{
  static const char *const states[] = { "running", "sleeping", "disk_sleep", "stopped",
                                        "zombie" };

  guint64 n_threads = 0;

  /* procfs rounds user and system time of both processes down to 10 ms each */
  assert_is_near (get_cpu (bpf), get_cpu (procfs), 45 * MS);
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    n_threads += get (bpf, JM_METRIC_THREADS, states[i]) -
                 get (procfs, JM_METRIC_THREADS, states[i]);
  g_assert_cmpuint (n_threads, ==, 0);
  for (guint i = 0; i < JM_N_PROCESS_IO; i++)
    g_assert_cmpuint (get (bpf, JM_METRIC_PROCESS_READ_BYTES + i, NULL), ==,
                      get (procfs, JM_METRIC_PROCESS_READ_BYTES + i, NULL));
  g_assert_cmpuint (get (bpf, JM_METRIC_OPEN_FILES, NULL), ==,
                    get (procfs, JM_METRIC_OPEN_FILES, NULL));
  g_assert_cmpuint (get (bpf, JM_METRIC_PROCESSES, NULL), ==,
                    get (procfs, JM_METRIC_PROCESSES, NULL));
  g_assert_cmpuint (get (bpf, JM_METRIC_PROCESSES_SPAWNED, NULL), ==,
                    get (procfs, JM_METRIC_PROCESSES_SPAWNED, NULL));
  /* the one opened after the other: the clocks may have moved apart */
  assert_is_near (get (bpf, JM_METRIC_PROCESS_FIRST_START, NULL),
                  get (procfs, JM_METRIC_PROCESS_FIRST_START, NULL), 20 * MS);
  /* each CPU keeps up to 64 pages of each of three kinds to itself for a while */
  assert_is_near (get (bpf, JM_METRIC_PROCESS_RSS, NULL),
                  get (procfs, JM_METRIC_PROCESS_RSS, NULL),
                  (guint64) sysconf (_SC_NPROCESSORS_ONLN) * 3 * 64 * 4096);
}

static void
test_reports_what_procfs_reports (void)
{
  g_autoptr (Rounds) bpf = NULL;
  g_autoptr (Rounds) procfs = NULL;
  g_autoptr (Child) one = NULL;
  g_autoptr (Child) other = NULL;

  if (!is_here ())
    return;

  bpf = open_bpf ();
  procfs = rounds_new (NULL);
  one = child_new ();
  other = child_new ();
  for (guint i = 0; i < 3; i++)
    {
      use_something (one);
      child_ask (other, CHILD_SPIN, 30);
      ROUNDS_RUN (bpf, one->pid, other->pid);
      ROUNDS_RUN (procfs, one->pid, other->pid);
      assert_same (bpf, procfs);
    }

  child_ask (one, CHILD_END_THREADS, 0);
  ROUNDS_RUN (bpf, one->pid, other->pid);
  ROUNDS_RUN (procfs, one->pid, other->pid);
  assert_same (bpf, procfs);
}

static void
test_reads_no_file_of_a_process_that_it_knows (void)
{
  g_autoptr (Rounds) bpf = NULL;
  g_autoptr (Child) child = NULL;

  if (!is_here ())
    return;

  bpf = open_bpf ();
  child = child_new ();
  child_ask (child, CHILD_START_THREAD, 5);
  ROUNDS_RUN (bpf, child->pid);

  /* a thread that was made may not have gone to sleep yet */
  for (guint i = 0; i < 500 && get (bpf, JM_METRIC_THREADS, "sleeping") < 6; i++)
    {
      g_usleep (10000);
      ROUNDS_RUN (bpf, child->pid);
    }

  assert_figure (bpf, JM_METRIC_THREADS, "sleeping", ==, 6);
  g_assert_cmpuint (jm_host_get_open_files (bpf->host), ==, 0);
}

/* --- cgroups --- */

/* FALSE where the source does not know. */
static gboolean
list (Rounds *bpf, const OwnCgroup *cgroup)
{
  guint64 inode = own_cgroup_get_inode (cgroup);
  gboolean is_known;

  rounds_begin (bpf);
  jm_readings_begin (bpf->readings, JM_COLLECTOR_PROCESS);
  jm_readings_clear_processes (bpf->readings);
  jm_process_source_add_cgroup (bpf->table, bpf->group, inode);
  is_known = jm_process_source_list_cgroup (bpf->table, inode, bpf->readings);
  rounds_end (bpf);

  return is_known;
}

static guint
count_words (const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (g_strstrip ((char *) text), " \n", -1);

  return g_strv_length (words);
}

/* All that the kernel lists, each once. */
static void
assert_lists_what_the_kernel_lists (Rounds *bpf, const OwnCgroup *cgroup, guint wanted)
{
  g_autofree char *kernel = own_cgroup_list_processes (cgroup);
  const guint *pids;
  guint n;

  g_assert_true (list (bpf, cgroup));
  pids = jm_readings_get_processes (bpf->readings, &n);
  g_assert_cmpuint (n, ==, wanted);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *line = g_strdup_printf ("%u\n", pids[i]);
      const char *found = strstr (kernel, line);

      g_assert_true (found != NULL && (found == kernel || found[-1] == '\n'));
      g_assert_true (i == 0 || pids[i] > pids[i - 1]);
    }
  g_assert_cmpuint (count_words (kernel), ==, wanted);
}

static void
test_lists_who_is_in_a_cgroup (void)
{
  g_autoptr (Rounds) bpf = NULL;
  g_autoptr (OwnCgroup) cgroup = NULL;
  g_autoptr (Child) one = NULL;
  g_autoptr (Child) other = NULL;

  cgroup = make_cgroup ();
  if (cgroup == NULL)
    return;

  bpf = open_bpf ();
  one = child_new ();
  other = child_new ();
  g_assert_false (list (bpf, cgroup));

  g_assert_cmpint (own_cgroup_add (cgroup, one->pid), ==, 0);
  child_ask (one, CHILD_START_THREAD, 3);
  assert_lists_what_the_kernel_lists (bpf, cgroup, 1);

  g_assert_cmpint (own_cgroup_add (cgroup, other->pid), ==, 0);
  child_ask (one, CHILD_FORK, 0);
  assert_lists_what_the_kernel_lists (bpf, cgroup, 3);

  /* one that nobody has waited for is in the cgroup, and in no list of it */
  kill (other->pid, SIGKILL);
  child_await_zombie (other->pid);
  assert_lists_what_the_kernel_lists (bpf, cgroup, 2);
}

/* --- ends --- */

/* Whether as much was reported in the end. */
static gboolean
run_rounds_until_told (Rounds *bpf, guint64 inode, JmMetric metric, guint64 wanted)
{
  guint64 value = 0;

  /* the kernel lets go of the last ones when all CPUs have looked up */
  for (guint i = 0; i == 0 || (i < N_ROUNDS && value < wanted); i++)
    {
      if (i > 0)
        g_usleep (10000);
      rounds_begin (bpf);
      jm_process_source_add_cgroup (bpf->table, bpf->group, inode);
      rounds_end (bpf);
      rounds_find (bpf, bpf->group, metric, NULL, &value);
      g_assert_no_error (rounds_get_error (bpf, JM_COLLECTOR_PROCESS));
    }

  return value >= wanted;
}

/* A test of a few ends is tried anew where the kernel did not report one. */
static void
try_until_told (gboolean (*test) (OwnCgroup *cgroup))
{
  for (guint i = 0; i < N_ATTEMPTS; i++)
    {
      g_autoptr (OwnCgroup) cgroup = make_cgroup ();

      if (cgroup == NULL || test (cgroup))
        return;
    }

  g_error ("an end was not told, %d times in a row", N_ATTEMPTS);
}

/* In the cgroup: runs @n programs one after the other, each of which uses next to
 * nothing. */
static void
run_short_processes (OwnCgroup *cgroup, const char *const *command, guint n)
{
  pid_t pid = fork ();
  int status;

  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      if (own_cgroup_enter (cgroup) != 0)
        _exit (90);
      for (guint i = 0; i < n; i++)
        {
          pid_t child;

          if (posix_spawn (&child, command[0], NULL, NULL, (char *const *) command,
                           environ) != 0 ||
              waitpid (child, NULL, 0) != child)
            _exit (91);
        }
      _exit (0);
    }

  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
}

static guint64
sum_executables (Rounds *self, const char *of)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  const JmReading *values;
  guint64 sum = 0;
  guint n;

  jm_process_source_read_group (self->table, self->group, readings);
  values = jm_readings_get_values (readings, &n);
  for (guint i = 0; i < n; i++)
    if (values[i].metric == JM_METRIC_EXECUTABLE_CPU &&
        (of == NULL ||
         g_str_has_suffix (jm_labels_get_value (values[i].labels, 0), of)))
      sum += values[i].value;

  return sum;
}

static void
test_short_processes_count_for_what_they_ran (void)
{
  static const char *const command[] = { "/bin/true", NULL };
  g_autoptr (Rounds) bpf = NULL;
  g_autoptr (OwnCgroup) cgroup = NULL;
  guint64 n_told;
  guint64 counted_ns;
  guint64 told_ns;

  cgroup = make_cgroup ();
  if (cgroup == NULL)
    return;

  bpf = open_bpf ();
  run_rounds_until_told (bpf, own_cgroup_get_inode (cgroup),
                         JM_METRIC_PROCESSES_SPAWNED, 0);
  run_short_processes (cgroup, command, N_SHORT);
  run_rounds_until_told (bpf, own_cgroup_get_inode (cgroup),
                         JM_METRIC_PROCESSES_SPAWNED, N_SHORT + 1);

  n_told = get (bpf, JM_METRIC_PROCESSES_SPAWNED, NULL);
  counted_ns = own_cgroup_get_cpu_ns (cgroup);
  told_ns = sum_executables (bpf, NULL);
  g_test_message ("%" G_GUINT64_FORMAT " of %u processes; the cgroup counted %.3f s, "
                  "executables make up %.3f s, true %.3f s",
                  n_told, N_SHORT + 1, (double) counted_ns / 1e9,
                  (double) told_ns / 1e9,
                  (double) sum_executables (bpf, "/true") / 1e9);
  /* a kernel that hides some tasks from programs does not report ends in their time */
  g_assert_cmpuint (n_told, >=, N_SHORT / 100 * 95);
  g_assert_cmpuint (n_told, <=, N_SHORT + 1);
  g_assert_cmpuint (told_ns, >=, counted_ns / 100 * 98 * n_told / (N_SHORT + 1));
  g_assert_cmpuint (told_ns, <=, counted_ns / 100 * 102);
  g_assert_cmpuint (sum_executables (bpf, "/true"), >, told_ns / 2);
  g_assert_cmpuint (rounds_get_n_errors (bpf, JM_COLLECTOR_PROCESS), ==, 0);
}

static gboolean
short_processes_write (OwnCgroup *cgroup)
{
  static const char *const command[] = { "/bin/dd",  "if=/dev/zero", "of=/dev/null",
                                         "bs=10000", "count=3",      "status=none",
                                         NULL };
  g_autoptr (Rounds) bpf = open_bpf ();

  run_rounds_until_told (bpf, own_cgroup_get_inode (cgroup),
                         JM_METRIC_PROCESSES_SPAWNED, 0);
  run_short_processes (cgroup, command, 10);
  if (!run_rounds_until_told (bpf, own_cgroup_get_inode (cgroup),
                              JM_METRIC_PROCESSES_SPAWNED, 11))
    return FALSE;

  /* and the one that ran them wrote the cgroup's list */
  assert_figure (bpf, JM_METRIC_PROCESS_WRITE_CHARS, NULL, >=, 10 * 30000);
  assert_figure (bpf, JM_METRIC_PROCESS_WRITE_CHARS, NULL, <, 10 * 30000 + 1000);

  return TRUE;
}

static void
test_what_short_processes_write_counts (void)
{
  try_until_told (short_processes_write);
}

static gboolean
a_process_is_seen_and_ends (OwnCgroup *cgroup)
{
  g_autoptr (Rounds) bpf = open_bpf ();
  g_autoptr (Child) child = NULL;
  guint64 used_ns;

  ROUNDS_RUN (bpf, 1);
  child = child_new ();
  g_assert_cmpint (own_cgroup_add (cgroup, child->pid), ==, 0);
  child_ask (child, CHILD_SPIN, 50);
  rounds_begin (bpf);
  jm_process_source_add_cgroup (bpf->table, bpf->group, own_cgroup_get_inode (cgroup));
  jm_process_source_add_process (bpf->table, bpf->group, (guint) child->pid);
  rounds_end (bpf);

  used_ns = child_ask (child, CHILD_SPIN, 50);
  child_end (child);
  if (!run_rounds_until_told (bpf, own_cgroup_get_inode (cgroup),
                              JM_METRIC_EXECUTABLE_CPU, used_ns - 15 * MS))
    return FALSE;

  for (guint i = 0; i < 5; i++)
    run_rounds_until_told (bpf, own_cgroup_get_inode (cgroup), JM_METRIC_EXECUTABLE_CPU,
                           0);
  assert_is_near (sum_executables (bpf, "-bpf-process-source"), used_ns, 15 * MS);
  assert_figure (bpf, JM_METRIC_PROCESSES, NULL, ==, 0);

  return TRUE;
}

static void
test_a_process_that_was_seen_counts_once (void)
{
  try_until_told (a_process_is_seen_and_ends);
}

/* --- where there is none --- */

static void
test_says_that_rights_are_missing (void)
{
  pid_t pid;
  int status;

  if (!is_here ())
    return;

  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JmHost) host = jm_host_new (NULL);
      JmBpfProcessSource *source;

      if (setgid (NOBODY) != 0 || setuid (NOBODY) != 0)
        _exit (90);
      source = jm_bpf_process_source_new (host, &error);
      _exit (source == NULL && g_error_matches (error, JM_ERROR, JM_ERROR_DENIED) ? 0
                                                                                  : 91);
    }

  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
}

static void
test_is_absent_in_a_copied_tree (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmHost) host = jm_host_new ("/var/empty/nothing");
  JmBpfProcessSource *source = jm_bpf_process_source_new (host, &error);

  g_assert_null (source);
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

static void
look_for_bpf (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (JmBpfProcessSource) source = jm_bpf_process_source_new (host, &error);

  if (source == NULL)
    missing = g_strconcat ("no BPF programs can be run here: ", error->message, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  look_for_bpf ();

  g_test_add_func ("/bpf-process-source/reports-what-procfs-reports",
                   test_reports_what_procfs_reports);
  g_test_add_func ("/bpf-process-source/reads-no-file-of-a-process-that-it-knows",
                   test_reads_no_file_of_a_process_that_it_knows);
  g_test_add_func ("/bpf-process-source/lists-who-is-in-a-cgroup",
                   test_lists_who_is_in_a_cgroup);
  g_test_add_func ("/bpf-process-source/short-processes-count-for-what-they-ran",
                   test_short_processes_count_for_what_they_ran);
  g_test_add_func ("/bpf-process-source/what-short-processes-write-counts",
                   test_what_short_processes_write_counts);
  g_test_add_func ("/bpf-process-source/a-process-that-was-seen-counts-once",
                   test_a_process_that_was_seen_counts_once);
  g_test_add_func ("/bpf-process-source/says-that-rights-are-missing",
                   test_says_that_rights_are_missing);
  g_test_add_func ("/bpf-process-source/is-absent-in-a-copied-tree",
                   test_is_absent_in_a_copied_tree);

  return g_test_run ();
}
