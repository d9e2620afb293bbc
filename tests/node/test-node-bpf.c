/* test-node-bpf.c: a node whose processes the kernel itself reports
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/jm-snapshot-private.h"
#include "node/jm-node.h"
#include "own-cgroup.h"
#include "registry/jm-registry.h"

#define JOB 4242
#define JOB_ID "4242"
#define N_SHORT 300
#define N_TRIALS 10
#define NOBODY 65534
#define SPIN_NS 150000000L
#define EXIT_SKIP 77

static JmNode *
open_node (void)
{
  g_autoptr (GError) error = NULL;
  JmNode *node = g_initable_new (JM_TYPE_NODE, NULL, &error, "process-bpf", TRUE,
                                 "percpu-bpf", TRUE, NULL);

  g_assert_no_error (error);

  return node;
}

static JmSourceInfo *
find_source (GPtrArray *sources, const char *name)
{
  for (guint i = 0; i < sources->len; i++)
    if (jm_source_info_get_kind (sources->pdata[i]) == JM_SOURCE_KIND_PROCESSES &&
        g_str_equal (jm_source_info_get_name (sources->pdata[i]), name))
      return sources->pdata[i];

  return NULL;
}

static JmSourceState
get_state (JmNode *node, const char *name)
{
  g_autoptr (GPtrArray) sources = jm_node_list_sources (node);
  JmSourceInfo *info = find_source (sources, name);

  g_assert_nonnull (info);

  return jm_source_info_get_state (info);
}

static double
get (JmSnapshot *snapshot, JmMetric metric, const char *label)
{
  double value = 0;
  guint subject;

  g_assert_true (jm_snapshot_find_job (snapshot, JOB_ID, &subject));
  if (label == NULL)
    jm_snapshot_get_metric (snapshot, subject, metric, &value);
  else
    {
      g_autoptr (JmLabels) labels = jm_labels_of (label, NULL);

      jm_snapshot_get_labelled_metric (snapshot, subject, metric, labels, &value);
    }

  return value;
}

static JmSnapshot *
sample (JmNode *node)
{
  g_autoptr (GError) error = NULL;
  JmSnapshot *snapshot = jm_node_sample (node, NULL, &error);

  g_assert_no_error (error);

  return snapshot;
}

static void
run_short_processes (OwnCgroup *cgroup)
{
  static char *const command[] = { (char *) "/bin/true", NULL };
  pid_t pid = fork ();
  int status;

  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      if (own_cgroup_enter (cgroup) != 0)
        _exit (90);
      for (guint i = 0; i < N_SHORT; i++)
        {
          pid_t child;

          if (posix_spawn (&child, command[0], NULL, NULL, command, environ) != 0 ||
              waitpid (child, NULL, 0) != child)
            _exit (91);
        }
      _exit (0);
    }

  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
}

/* How many the job has had, once that are so many, or no more come. */
static double
await_spawned (JmNode *node, JmSnapshot **snapshot, double expected)
{
  double spawned = 0;

  for (guint i = 0; i < 500 && spawned < expected; i++)
    {
      g_clear_pointer (snapshot, jm_snapshot_unref);
      *snapshot = sample (node);
      spawned = get (*snapshot, JM_METRIC_PROCESSES_SPAWNED, NULL);
      g_usleep (10000);
    }

  return spawned;
}

/* Where the kernel hides the tasks of the machine's own agent, it runs no BPF program
 * in an interrupt of theirs, and an end is missed now and then: one trial sees them
 * all. */
static void
test_gives_short_processes_to_their_job (void)
{
  g_autoptr (JmNode) node = open_node ();
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autofree char *reason = NULL;
  g_autofree char *program = NULL;
  g_autoptr (OwnCgroup) cgroup = NULL;
  double spawned = 0;
  double n_new = 0;

  if (get_state (node, "bpf") != JM_SOURCE_STATE_WORKING)
    {
      g_test_skip ("no BPF programs can be run here");
      return;
    }
  cgroup = own_cgroup_new_job (JOB, &reason);
  if (cgroup == NULL)
    {
      g_test_skip (reason);
      return;
    }

  g_assert_cmpint (get_state (node, "procfs"), ==, JM_SOURCE_STATE_SUPERSEDED);
  snapshot = sample (node);
  for (guint i = 1; i <= N_TRIALS && n_new < N_SHORT + 1; i++)
    {
      const double before = spawned;

      run_short_processes (cgroup);
      spawned = await_spawned (node, &snapshot, before + N_SHORT + 1);
      n_new = spawned - before;
      g_assert_cmpfloat (spawned, <=, (N_SHORT + 1) * i);
    }

  program = realpath ("/bin/true", NULL);
  g_assert_cmpfloat (n_new, >=, N_SHORT + 1);
  g_assert_cmpfloat (get (snapshot, JM_METRIC_EXECUTABLE_CPU, program), >,
                     (double) own_cgroup_get_cpu_ns (cgroup) / 1e9 / 2);
  g_assert_no_error (jm_snapshot_get_error (snapshot, JM_COLLECTOR_PROCESS));
}

/* --- version 2 --- */

/* From here on this process, and what it starts, sees no other version. */
static gboolean
see_version_2_alone (void)
{
  return unshare (CLONE_NEWNS) == 0 &&
         mount ("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
         umount2 ("/sys/fs/cgroup", MNT_DETACH) == 0 &&
         mount ("cgroup2", "/sys/fs/cgroup", "cgroup2", 0, NULL) == 0;
}

/* Runs on that CPU for a while, and then no more. */
static pid_t
start_pinned (OwnCgroup *cgroup, int cpu)
{
  struct timespec used = { 0 };
  cpu_set_t set;
  pid_t pid = fork ();

  if (pid != 0)
    {
      int status;

      g_assert_cmpint (waitpid (pid, &status, WUNTRACED), ==, pid);
      g_assert_true (WIFSTOPPED (status));
      return pid;
    }

  CPU_ZERO (&set);
  CPU_SET (cpu, &set);
  if (own_cgroup_enter (cgroup) != 0 || sched_setaffinity (0, sizeof set, &set) != 0)
    _exit (90);
  while (used.tv_sec == 0 && used.tv_nsec < SPIN_NS)
    clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &used);
  raise (SIGSTOP);
  _exit (91);
}

static int
find_last_cpu (void)
{
  cpu_set_t set;
  int last = -1;

  g_assert_cmpint (sched_getaffinity (0, sizeof set, &set), ==, 0);
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET (i, &set))
      last = i;

  return last;
}

static double
sum_cpus (JmSnapshot *snapshot)
{
  g_autoptr (GPtrArray) labels = NULL;
  double sum = 0;
  guint subject;

  g_assert_true (jm_snapshot_find_job (snapshot, JOB_ID, &subject));
  labels = jm_snapshot_list_metric_labels (snapshot, subject, JM_METRIC_PERCPU);
  for (guint i = 0; i < labels->len; i++)
    {
      double value = 0;

      g_assert_true (jm_snapshot_get_labelled_metric (snapshot, subject,
                                                      JM_METRIC_PERCPU,
                                                      labels->pdata[i], &value));
      sum += value;
    }

  return sum;
}

/* The kernel's file has their sum, in microseconds. */
static void
check_cpus (void)
{
  g_autoptr (JmNode) node = open_node ();
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) second = NULL;
  g_autofree char *reason = NULL;
  g_autoptr (OwnCgroup) cgroup = own_cgroup_new_job (JOB, &reason);
  g_autofree char *name = g_strdup_printf ("%d", find_last_cpu ());
  pid_t pid;

  if (cgroup == NULL || get_state (node, "bpf") != JM_SOURCE_STATE_WORKING)
    _exit (EXIT_SKIP);

  pid = start_pinned (cgroup, find_last_cpu ());
  first = sample (node);
  second = sample (node);
  g_assert_no_error (jm_snapshot_get_error (second, JM_COLLECTOR_PERCPU));
  g_assert_cmpfloat (fabs (sum_cpus (second) - get (second, JM_METRIC_CPU_TOTAL, NULL)),
                     <, 2e-6);
  g_assert_cmpfloat (get (second, JM_METRIC_PERCPU, name), >, SPIN_NS * 0.9e-9);

  kill (pid, SIGKILL);
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
}

static void
test_reports_time_by_cpu_on_version_2 (void)
{
  pid_t pid = fork ();
  int status;

  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      if (!see_version_2_alone ())
        _exit (EXIT_SKIP);
      check_cpus ();
      _exit (0);
    }

  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  if (WIFEXITED (status) && WEXITSTATUS (status) == EXIT_SKIP)
    g_test_skip ("no mounts can be made here, or no BPF programs can be run here");
  else
    g_assert_cmpint (status, ==, 0);
}

/* --- rights --- */

/* Reported by a child that has become nobody: the figures are those of procfs. */
static void
test_goes_without_where_rights_are_missing (void)
{
  pid_t pid;
  int status;

  if (geteuid () != 0)
    {
      g_test_skip ("no BPF programs can be run here");
      return;
    }

  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      g_autoptr (JmNode) node = NULL;
      g_autoptr (JmSnapshot) snapshot = NULL;

      if (setgid (NOBODY) != 0 || setuid (NOBODY) != 0)
        _exit (90);
      node = open_node ();
      if (get_state (node, "bpf") == JM_SOURCE_STATE_WORKING ||
          get_state (node, "procfs") != JM_SOURCE_STATE_WORKING)
        _exit (91);
      snapshot = sample (node);
      _exit (0);
    }

  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
}

static void
test_has_none_unless_it_is_asked_for (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmNode) node = g_initable_new (JM_TYPE_NODE, NULL, &error, NULL);
  g_autoptr (GPtrArray) sources = NULL;

  g_assert_no_error (error);
  sources = jm_node_list_sources (node);
  g_assert_null (find_source (sources, "bpf"));
  g_assert_cmpint (get_state (node, "procfs"), ==, JM_SOURCE_STATE_WORKING);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/node-bpf/gives-short-processes-to-their-job",
                   test_gives_short_processes_to_their_job);
  g_test_add_func ("/node-bpf/reports-time-by-cpu-on-version-2",
                   test_reports_time_by_cpu_on_version_2);
  g_test_add_func ("/node-bpf/goes-without-where-rights-are-missing",
                   test_goes_without_where_rights_are_missing);
  g_test_add_func ("/node-bpf/has-none-unless-it-is-asked-for",
                   test_has_none_unless_it_is_asked_for);

  return g_test_run ();
}
