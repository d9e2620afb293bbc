/* test-procfs-source.c: what the processes of jobs do
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "host/jm-host-private.h"
#include "sources/process/jm-procfs-source-private.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "child.h"
#include "rounds.h"

#define MS 1000000

static guint64
get_cpu (Rounds *rounds)
{
  return rounds_get (rounds, rounds->group, JM_METRIC_PROCESS_CPU_USER, NULL) +
         rounds_get (rounds, rounds->group, JM_METRIC_PROCESS_CPU_SYSTEM, NULL);
}

/* The kernel rounds user and system time down to 10 ms each. */
static void
assert_is_about (guint64 ns, guint64 expected_ns)
{
  g_assert_cmpuint (ns + 25 * MS, >=, expected_ns);
  g_assert_cmpuint (ns, <=, expected_ns + 25 * MS);
}

static guint64
count_threads (Rounds *rounds)
{
  static const char *const states[] = { "running", "sleeping", "disk_sleep", "stopped",
                                        "zombie" };
  guint64 sum = 0;

  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    sum += rounds_get (rounds, rounds->group, JM_METRIC_THREADS, states[i]);

  return sum;
}

static void
test_cpu_time_is_what_the_process_says (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) child = child_new ();
  guint64 used_ns = child_ask (child, CHILD_SPIN, 200);

  ROUNDS_RUN (rounds, child->pid);
  assert_is_about (get_cpu (rounds), used_ns);

  used_ns = child_ask (child, CHILD_SPIN, 100);
  ROUNDS_RUN (rounds, child->pid);
  assert_is_about (get_cpu (rounds), used_ns);
}

/* The kernel has the start in steps of 10 ms; the clock may drift by as much again. */
static void
test_a_start_is_exact_on_a_running_machine (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  guint64 before_ns = (guint64) g_get_real_time () * 1000;
  g_autoptr (Child) child = child_new ();
  guint64 after_ns = (guint64) g_get_real_time () * 1000;
  guint64 start_ns;

  ROUNDS_RUN (rounds, child->pid);
  start_ns = rounds_get (rounds, rounds->group, JM_METRIC_PROCESS_FIRST_START, NULL);
  g_assert_cmpuint (start_ns + 20 * MS, >=, before_ns);
  g_assert_cmpuint (start_ns, <=, after_ns + 20 * MS);
}

static void
test_the_sum_stays_when_a_process_ends (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) one = child_new ();
  g_autoptr (Child) other = child_new ();
  guint64 used_ns = child_ask (one, CHILD_SPIN, 100);
  guint64 written;

  child_ask (one, CHILD_WRITE, 4096);
  ROUNDS_RUN (rounds, one->pid, other->pid);
  written = rounds_get (rounds, rounds->group, JM_METRIC_PROCESS_WRITE_CHARS, NULL);
  g_assert_cmpuint (written, >=, 4096);
  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 2);

  child_end (one);
  used_ns += child_ask (other, CHILD_SPIN, 100);
  ROUNDS_RUN (rounds, other->pid);

  assert_is_about (get_cpu (rounds), used_ns);
  assert_figure (rounds, JM_METRIC_PROCESS_WRITE_CHARS, NULL, >=, written);
  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 1);
  assert_figure (rounds, JM_METRIC_PROCESSES_SPAWNED, NULL, ==, 2);

  child_end (other);
  rounds_run (rounds, rounds->group, NULL, 0);
  assert_is_about (get_cpu (rounds), used_ns);
  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 0);
  assert_figure (rounds, JM_METRIC_PROCESS_RSS, NULL, ==, 0);
}

static void
test_a_zombie_gives_its_last_figures (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) child = child_new ();
  guint64 used_ns;

  ROUNDS_RUN (rounds, child->pid);
  used_ns = child_ask (child, CHILD_SPIN, 150);
  kill (child->pid, SIGKILL);
  child_await_zombie (child->pid);

  rounds_run (rounds, rounds->group, NULL, 0);
  assert_is_about (get_cpu (rounds), used_ns);
  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 0);
}

static void
test_a_process_that_is_gone_costs_nothing (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) child = child_new ();
  g_autoptr (Child) gone = child_new ();
  guint pid = (guint) gone->pid;

  child_end (gone);
  ROUNDS_RUN (rounds, pid, child->pid);

  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 1);
  assert_figure (rounds, JM_METRIC_PROCESSES_SPAWNED, NULL, ==, 1);
  assert_figure (rounds, JM_METRIC_PROCESS_READ_CALLS, NULL, >=, 0);
  g_assert_cmpuint (rounds_get_n_errors (rounds, JM_COLLECTOR_PROCESS), ==, 0);
}

static void
test_a_process_that_ends_after_it_was_listed_leaves_no_gap (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) child = child_new ();
  g_autoptr (Child) gone = child_new ();
  guint pid = (guint) gone->pid;

  child_ask (gone, CHILD_START_THREAD, 2);
  rounds_begin (rounds);
  jm_process_source_add_process (rounds->table, rounds->group, (guint) child->pid);
  jm_process_source_add_process (rounds->table, rounds->group, pid);
  child_end (gone);
  rounds_end (rounds);

  assert_figure (rounds, JM_METRIC_OPEN_FILES, NULL, >, 0);
  g_assert_cmpuint (count_threads (rounds), ==, 1);

  ROUNDS_RUN (rounds, child->pid, pid);
  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 1);
  assert_figure (rounds, JM_METRIC_PROCESS_WRITE_CALLS, NULL, >=, 0);
  for (guint i = 0; i < JM_N_COLLECTORS; i++)
    g_assert_cmpuint (rounds_get_n_errors (rounds, i), ==, 0);
}

static void
test_a_process_named_twice_counts_once (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) child = child_new ();

  ROUNDS_RUN (rounds, child->pid, child->pid);
  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 1);

  ROUNDS_RUN (rounds, child->pid, child->pid);
  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 1);
  assert_figure (rounds, JM_METRIC_PROCESSES_SPAWNED, NULL, ==, 1);
}

/* A round of one that is said to have slept. */
static void
run_sleeping (Rounds *rounds, guint group, pid_t pid)
{
  rounds_begin (rounds);
  jm_process_source_add_sleeping (rounds->table, group, (guint) pid);
  rounds_end (rounds);
}

static void
test_what_sleeps_keeps_its_figures_until_it_wakes (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) child = child_new ();
  guint64 used_ns = child_ask (child, CHILD_SPIN, 100);
  guint64 n_files, n_reads, resident;

  ROUNDS_RUN (rounds, child->pid);
  n_files = rounds_get (rounds, rounds->group, JM_METRIC_OPEN_FILES, NULL);
  n_reads = rounds_get (rounds, rounds->group, JM_METRIC_PROCESS_READ_CALLS, NULL);
  resident = rounds_get (rounds, rounds->group, JM_METRIC_PROCESS_RSS, NULL);

  /* whoever looks sees that nothing was read */
  child_ask (child, CHILD_OPEN, 3);
  run_sleeping (rounds, rounds->group, child->pid);
  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 1);
  assert_figure (rounds, JM_METRIC_OPEN_FILES, NULL, ==, n_files);
  assert_figure (rounds, JM_METRIC_PROCESS_READ_CALLS, NULL, ==, n_reads);
  assert_figure (rounds, JM_METRIC_PROCESS_RSS, NULL, ==, resident);
  g_assert_cmpuint (count_threads (rounds), ==, 1);
  assert_is_about (get_cpu (rounds), used_ns);

  ROUNDS_RUN (rounds, child->pid);
  assert_figure (rounds, JM_METRIC_PROCESSES_SPAWNED, NULL, ==, 1);
  assert_figure (rounds, JM_METRIC_OPEN_FILES, NULL, ==, n_files + 3);
  assert_figure (rounds, JM_METRIC_PROCESS_READ_CALLS, NULL, >, n_reads);
}

static void
test_what_sleeps_and_was_not_read_is_read (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) child = child_new ();
  guint other = jm_process_source_add_group (rounds->table, 0);
  guint64 n_files;

  run_sleeping (rounds, rounds->group, child->pid);
  n_files = rounds_get (rounds, rounds->group, JM_METRIC_OPEN_FILES, NULL);

  child_ask (child, CHILD_OPEN, 1);
  run_sleeping (rounds, other, child->pid);
  g_assert_cmpuint (rounds_get (rounds, other, JM_METRIC_OPEN_FILES, NULL), ==,
                    n_files + 1);

  child_ask (child, CHILD_OPEN, 1);
  rounds_run (rounds, other, NULL, 0);
  run_sleeping (rounds, other, child->pid);
  g_assert_cmpuint (rounds_get (rounds, other, JM_METRIC_OPEN_FILES, NULL), ==,
                    n_files + 2);
}

static void
test_a_process_left_out_of_a_list_is_not_counted_again (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) child = child_new ();
  guint64 used_ns = child_ask (child, CHILD_SPIN, 100);

  ROUNDS_RUN (rounds, child->pid);
  rounds_run (rounds, rounds->group, NULL, 0);
  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 0);

  ROUNDS_RUN (rounds, child->pid);
  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 1);
  assert_figure (rounds, JM_METRIC_PROCESSES_SPAWNED, NULL, ==, 1);
  assert_is_about (get_cpu (rounds), used_ns);
}

static void
test_resident_memory_is_in_bytes (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) child = child_new ();

  ROUNDS_RUN (rounds, child->pid);

  assert_figure (rounds, JM_METRIC_PROCESS_RSS, NULL, >, 100 * 1024);
  assert_figure (rounds, JM_METRIC_PROCESS_RSS, NULL, <, 4096LL * 1024 * 1024);
}

static void
test_an_exec_changes_the_executable (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) child = child_new ();
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *shell = realpath ("/bin/sh", NULL);
  guint64 before, after;

  child_ask (child, CHILD_SPIN, 100);
  ROUNDS_RUN (rounds, child->pid);
  before = rounds_get (rounds, rounds->group, JM_METRIC_EXECUTABLE_CPU, self);
  assert_is_about (before, get_cpu (rounds));
  g_assert_false (
    rounds_find (rounds, rounds->group, JM_METRIC_EXECUTABLE_CPU, shell, NULL));

  child_exec_shell (child, "while :; do :; done");
  do
    ROUNDS_RUN (rounds, child->pid);
  while (
    !rounds_find (rounds, rounds->group, JM_METRIC_EXECUTABLE_CPU, shell, &after) ||
    after < 50 * MS);

  /* what came before the exec stays with the program of then */
  assert_is_about (rounds_get (rounds, rounds->group, JM_METRIC_EXECUTABLE_CPU, self),
                   before);
  g_assert_cmpuint (rounds_get (rounds, rounds->group, JM_METRIC_EXECUTABLE_CPU, self) +
                      after,
                    ==, get_cpu (rounds));
}

static void
test_threads_are_counted_by_state (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) child = child_new ();

  /* they may be on their way to sleep still; the one that asks is awake */
  child_ask (child, CHILD_START_THREAD, 3);
  do
    ROUNDS_RUN (rounds, child->pid, getpid ());
  while (rounds_get (rounds, rounds->group, JM_METRIC_THREADS, "sleeping") < 4);

  assert_figure (rounds, JM_METRIC_THREADS, "running", ==, 1);
  assert_figure (rounds, JM_METRIC_THREADS, "sleeping", ==, 4);
  assert_figure (rounds, JM_METRIC_THREADS, "disk_sleep", ==, 0);
  assert_figure (rounds, JM_METRIC_THREADS, "stopped", ==, 0);
  assert_figure (rounds, JM_METRIC_THREADS, "zombie", ==, 0);
  g_assert_false (
    rounds_find (rounds, rounds->group, JM_METRIC_THREADS, "tracing_stop", NULL));
}

static void
test_threads_come_and_go (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) child = child_new ();

  ROUNDS_RUN (rounds, child->pid);
  g_assert_cmpuint (count_threads (rounds), ==, 1);

  child_ask (child, CHILD_START_THREAD, 4);
  ROUNDS_RUN (rounds, child->pid);
  g_assert_cmpuint (count_threads (rounds), ==, 5);

  child_ask (child, CHILD_START_THREAD, 2);
  ROUNDS_RUN (rounds, child->pid);
  g_assert_cmpuint (count_threads (rounds), ==, 7);

  child_ask (child, CHILD_END_THREADS, 0);
  ROUNDS_RUN (rounds, child->pid);
  g_assert_cmpuint (count_threads (rounds), ==, 1);
}

/* As many as before, but others: their number shows nothing. */
static void
test_threads_are_listed_anew_when_one_has_ended (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) child = child_new ();

  child_ask (child, CHILD_START_THREAD, 3);
  ROUNDS_RUN (rounds, child->pid);
  child_ask (child, CHILD_END_THREADS, 0);
  child_ask (child, CHILD_START_THREAD, 3);
  ROUNDS_RUN (rounds, child->pid);

  g_assert_cmpuint (count_threads (rounds), ==, 4);
}

static void
test_a_stopped_process_is_reported_as_such (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) child = child_new ();
  siginfo_t info;

  kill (child->pid, SIGSTOP);
  g_assert_cmpint (waitid (P_PID, (id_t) child->pid, &info, WSTOPPED | WNOWAIT), ==, 0);
  ROUNDS_RUN (rounds, child->pid);

  assert_figure (rounds, JM_METRIC_THREADS, "stopped", ==, 1);
}

static Rounds *
make_bounded (guint max_open_files)
{
  g_autoptr (JmHost) host =
    g_object_new (JM_TYPE_HOST, "max-open-files", max_open_files, NULL);

  return rounds_new_of (JM_PROCESS_SOURCE (
    g_initable_new (JM_TYPE_PROCFS_SOURCE, NULL, NULL, "host", host, NULL)));
}

/* What may not stay open costs more, and reports the same. */
static void
test_figures_are_whole_where_hardly_a_file_may_stay_open (void)
{
  g_autoptr (Rounds) rounds = make_bounded (3);
  g_autoptr (Child) child = child_new ();
  guint64 used_ns = child_ask (child, CHILD_SPIN, 100);

  child_ask (child, CHILD_START_THREAD, 3);
  for (guint i = 0; i < 3; i++)
    {
      ROUNDS_RUN (rounds, child->pid, getpid ());
      g_assert_cmpuint (jm_host_get_open_files (rounds->host), <=, 3);
      g_assert_cmpuint (count_threads (rounds), >=, 5);
      assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 2);
      assert_figure (rounds, JM_METRIC_OPEN_FILES, NULL, >=, 6);
    }

  g_assert_cmpuint (get_cpu (rounds), >=, used_ns - 25 * MS);
  g_assert_cmpuint (rounds_get_n_errors (rounds, JM_COLLECTOR_PROCESS), ==, 0);
}

/* A process that is stopped, with three threads that slept when they were read. */
static Child *
make_stopped_after_a_round (Rounds *rounds)
{
  Child *child = child_new ();
  siginfo_t info;

  child_ask (child, CHILD_START_THREAD, 3);
  do
    {
      jm_process_source_set_threads_interval (rounds->table, 0);
      ROUNDS_RUN (rounds, child->pid);
      jm_process_source_set_threads_interval (rounds->table, 3600 * 1000);
    }
  while (rounds_get (rounds, rounds->group, JM_METRIC_THREADS, "sleeping") < 4);

  kill (child->pid, SIGSTOP);
  g_assert_cmpint (waitid (P_PID, (id_t) child->pid, &info, WSTOPPED | WNOWAIT), ==, 0);

  return child;
}

static void
test_states_of_threads_are_read_at_an_interval (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) child = make_stopped_after_a_round (rounds);

  ROUNDS_RUN (rounds, child->pid);
  assert_figure (rounds, JM_METRIC_THREADS, "stopped", ==, 1);
  assert_figure (rounds, JM_METRIC_THREADS, "sleeping", ==, 3);

  jm_process_source_set_threads_interval (rounds->table, 0);
  ROUNDS_RUN (rounds, child->pid);
  assert_figure (rounds, JM_METRIC_THREADS, "stopped", ==, 4);
  assert_figure (rounds, JM_METRIC_THREADS, "sleeping", ==, 0);
}

static void
test_threads_that_come_do_not_wait_for_the_interval (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) child = make_stopped_after_a_round (rounds);

  kill (child->pid, SIGCONT);
  child_ask (child, CHILD_START_THREAD, 2);
  ROUNDS_RUN (rounds, child->pid);
  g_assert_cmpuint (count_threads (rounds), ==, 6);
  assert_figure (rounds, JM_METRIC_THREADS, "stopped", ==, 0);

  child_ask (child, CHILD_END_THREADS, 0);
  ROUNDS_RUN (rounds, child->pid);
  g_assert_cmpuint (count_threads (rounds), ==, 1);
}

static void
test_open_files_are_counted (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) child = child_new ();
  guint64 before;

  ROUNDS_RUN (rounds, child->pid);
  before = rounds_get (rounds, rounds->group, JM_METRIC_OPEN_FILES, NULL);
  child_ask (child, CHILD_OPEN, 7);
  ROUNDS_RUN (rounds, child->pid);

  assert_figure (rounds, JM_METRIC_OPEN_FILES, NULL, ==, before + 7);
}

static void
test_use_of_file_systems_counts_processes_once (void)
{
  static const char *const mounts[] = { "/tmp/", "/dev/nul", "/dev", NULL };
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) one = child_new ();
  g_autoptr (Child) other = child_new ();
  guint64 before;

  jm_process_source_set_filesystems (rounds->table, mounts);
  ROUNDS_RUN (rounds, one->pid, other->pid);
  before = rounds_get (rounds, rounds->group, JM_METRIC_FILESYSTEM_PROCESSES, "/dev");

  child_ask (one, CHILD_OPEN, 3);
  child_ask (other, CHILD_OPEN, 1);
  child_ask (other, CHILD_CHDIR_TMP, 0);
  ROUNDS_RUN (rounds, one->pid, other->pid);

  g_assert_cmpuint (before, <=, 2);
  assert_figure (rounds, JM_METRIC_FILESYSTEM_PROCESSES, "/dev", ==, 2);
  assert_figure (rounds, JM_METRIC_FILESYSTEM_PROCESSES, "/dev/nul", ==, 0);
  assert_figure (rounds, JM_METRIC_FILESYSTEM_PROCESSES, "/tmp", >=, 1);
}

static void
test_groups_count_in_those_above (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) one = child_new ();
  g_autoptr (Child) other = child_new ();
  guint step = jm_process_source_add_group (rounds->table, rounds->group);
  guint task = jm_process_source_add_group (rounds->table, step);
  guint64 used_ns = child_ask (one, CHILD_SPIN, 100);

  rounds_begin (rounds);
  jm_process_source_add_process (rounds->table, task, (guint) one->pid);
  jm_process_source_add_process (rounds->table, rounds->group, (guint) other->pid);
  rounds_end (rounds);

  g_assert_cmpuint (rounds_get (rounds, task, JM_METRIC_PROCESSES, NULL), ==, 1);
  g_assert_cmpuint (rounds_get (rounds, step, JM_METRIC_PROCESSES, NULL), ==, 1);
  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 2);
  assert_is_about (get_cpu (rounds), used_ns);

  /* what a part counted stays in the whole */
  child_end (one);
  jm_process_source_remove_group (rounds->table, step);
  jm_process_source_remove_group (rounds->table, task);
  ROUNDS_RUN (rounds, other->pid);
  assert_is_about (get_cpu (rounds), used_ns);
  assert_figure (rounds, JM_METRIC_PROCESSES_SPAWNED, NULL, ==, 2);
}

static void
test_a_process_that_moves_counts_once_above (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) child = child_new ();
  guint from = jm_process_source_add_group (rounds->table, rounds->group);
  guint to = jm_process_source_add_group (rounds->table, rounds->group);
  guint64 used_ns = child_ask (child, CHILD_SPIN, 100);
  guint pid = (guint) child->pid;

  rounds_run (rounds, from, &pid, 1);
  rounds_run (rounds, to, &pid, 1);

  g_assert_cmpuint (rounds_get (rounds, from, JM_METRIC_PROCESSES_SPAWNED, NULL), ==,
                    1);
  g_assert_cmpuint (rounds_get (rounds, to, JM_METRIC_PROCESSES_SPAWNED, NULL), ==, 1);
  g_assert_cmpuint (rounds_get (rounds, from, JM_METRIC_PROCESSES, NULL), ==, 0);
  assert_figure (rounds, JM_METRIC_PROCESSES_SPAWNED, NULL, ==, 1);
  assert_is_about (get_cpu (rounds), used_ns);
}

static void
test_a_group_without_a_process_has_no_sums (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);

  rounds_run (rounds, rounds->group, NULL, 0);

  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 0);
  assert_no_figure (rounds, JM_METRIC_PROCESS_CPU_USER);
  assert_no_figure (rounds, JM_METRIC_PROCESS_READ_BYTES);
}

/* Its processes are not known, which is not the same as none. */
static void
test_a_group_that_comes_in_a_round_has_no_figures_until_the_next (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  guint late;

  rounds_begin (rounds);
  late = jm_process_source_add_group (rounds->table, rounds->group);
  rounds_end (rounds);
  g_assert_false (rounds_find (rounds, late, JM_METRIC_PROCESSES, NULL, NULL));
  g_assert_false (rounds_find (rounds, late, JM_METRIC_THREADS, NULL, NULL));
  g_assert_false (rounds_find (rounds, late, JM_METRIC_OPEN_FILES, NULL, NULL));

  rounds_run (rounds, late, NULL, 0);
  g_assert_cmpuint (rounds_get (rounds, late, JM_METRIC_PROCESSES, NULL), ==, 0);
}

static void
test_what_is_not_wanted_is_not_reported (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) child = child_new ();

  jm_readings_reset (rounds->readings, JM_COLLECTOR_SET (JM_COLLECTOR_THREADS));
  jm_process_source_begin_round (rounds->table, rounds->readings);
  jm_process_source_add_process (rounds->table, rounds->group, (guint) child->pid);
  rounds_end (rounds);

  g_assert_cmpuint (count_threads (rounds), ==, 1);
  assert_no_figure (rounds, JM_METRIC_PROCESSES);
  assert_no_figure (rounds, JM_METRIC_OPEN_FILES);

  /* and with nothing wanted nobody has ended */
  jm_readings_reset (rounds->readings, &(JmCollectorSet){ { 0 } });
  jm_process_source_begin_round (rounds->table, rounds->readings);
  rounds_end (rounds);
  ROUNDS_RUN (rounds, child->pid);
  assert_figure (rounds, JM_METRIC_PROCESSES_SPAWNED, NULL, ==, 1);
}

static void
test_a_process_named_as_a_helper_counts_unless_it_is_root (void)
{
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) child = child_new ();
  gboolean is_root = getuid () == 0 && geteuid () == 0;

  child_ask (child, CHILD_RENAME, 0);
  ROUNDS_RUN (rounds, child->pid);

  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, is_root ? 0 : 1);
}

static void
test_a_process_is_a_helper_only_where_it_is_called_one (void)
{
  const char *const others[] = { "slurmstep", "slurmstepd.x", "slurmstepd --twice",
                                 NULL };
  g_autoptr (Rounds) rounds = rounds_new (NULL);
  g_autoptr (Child) child = child_new ();

  jm_process_source_set_helpers (rounds->table, others);
  child_ask (child, CHILD_RENAME, 0);
  ROUNDS_RUN (rounds, child->pid);

  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 1);
}

static void
drop_privileges (void)
{
  g_assert_cmpint (setresgid (65534, 65534, 65534), ==, 0);
  g_assert_cmpint (setresuid (65534, 65534, 65534), ==, 0);

  /* who changes his ids is shut off from his own children too */
  g_assert_cmpint (prctl (PR_SET_DUMPABLE, 1), ==, 0);
}

static void
test_what_is_denied_is_a_gap (void)
{
  if (getuid () != 0)
    {
      g_test_skip ("only root can see to it that something is denied");
      return;
    }

  if (g_test_subprocess ())
    {
      g_autoptr (Rounds) rounds = NULL;
      g_autoptr (Child) child = NULL;

      drop_privileges ();
      rounds = rounds_new (NULL);
      child = child_new ();
      ROUNDS_RUN (rounds, child->pid);
      assert_figure (rounds, JM_METRIC_PROCESS_WRITE_CALLS, NULL, >=, 0);

      ROUNDS_RUN (rounds, child->pid, 1, getppid ());
      assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 3);
      g_assert_cmpuint (count_threads (rounds), >=, 3);
      assert_no_figure (rounds, JM_METRIC_PROCESS_READ_BYTES);
      assert_no_figure (rounds, JM_METRIC_PROCESS_WRITE_CALLS);
      assert_no_figure (rounds, JM_METRIC_OPEN_FILES);

      /* two are denied, one is reported */
      g_assert_cmpuint (rounds_get_n_errors (rounds, JM_COLLECTOR_PROCESS), ==, 1);
      g_assert_cmpuint (rounds_get_n_errors (rounds, JM_COLLECTOR_FILES), ==, 1);
      g_assert_error (rounds_get_error (rounds, JM_COLLECTOR_PROCESS), JM_ERROR,
                      JM_ERROR_DENIED);
      g_assert_true (
        g_str_has_prefix (rounds_get_error (rounds, JM_COLLECTOR_PROCESS)->message,
                          "/proc/1/io: "));
      return;
    }

  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
}

static void
test_other_users_programs_are_reported_by_their_name (void)
{
  if (getuid () != 0)
    {
      g_test_skip ("only root can see to it that something is denied");
      return;
    }

  if (g_test_subprocess ())
    {
      g_autoptr (Rounds) rounds = NULL;
      g_autoptr (Child) child = child_new ();

      child_ask (child, CHILD_SPIN, 50);
      drop_privileges ();
      rounds = rounds_new (NULL);
      ROUNDS_RUN (rounds, child->pid);

      assert_figure (rounds, JM_METRIC_EXECUTABLE_CPU, "test-procfs-sou", >=, 20 * MS);

      /* it is not ours to kill any more: it ends with us */
      child->pid = 0;
      return;
    }

  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/process/cpu-time-is-what-the-process-says",
                   test_cpu_time_is_what_the_process_says);
  g_test_add_func ("/process/a-start-is-exact-on-a-running-machine",
                   test_a_start_is_exact_on_a_running_machine);
  g_test_add_func ("/process/the-sum-stays-when-a-process-ends",
                   test_the_sum_stays_when_a_process_ends);
  g_test_add_func ("/process/a-zombie-gives-its-last-figures",
                   test_a_zombie_gives_its_last_figures);
  g_test_add_func ("/process/a-process-that-is-gone-costs-nothing",
                   test_a_process_that_is_gone_costs_nothing);
  g_test_add_func ("/process/a-process-that-ends-after-it-was-listed-leaves-no-gap",
                   test_a_process_that_ends_after_it_was_listed_leaves_no_gap);
  g_test_add_func ("/process/a-process-named-twice-counts-once",
                   test_a_process_named_twice_counts_once);
  g_test_add_func ("/process/what-sleeps-keeps-its-figures-until-it-wakes",
                   test_what_sleeps_keeps_its_figures_until_it_wakes);
  g_test_add_func ("/process/what-sleeps-and-was-not-read-is-read",
                   test_what_sleeps_and_was_not_read_is_read);
  g_test_add_func ("/process/a-process-left-out-of-a-list-is-not-counted-again",
                   test_a_process_left_out_of_a_list_is_not_counted_again);
  g_test_add_func ("/process/resident-memory-is-in-bytes",
                   test_resident_memory_is_in_bytes);
  g_test_add_func ("/process/an-exec-changes-the-executable",
                   test_an_exec_changes_the_executable);
  g_test_add_func ("/process/threads-are-counted-by-state",
                   test_threads_are_counted_by_state);
  g_test_add_func ("/process/threads-come-and-go", test_threads_come_and_go);
  g_test_add_func ("/process/threads-are-listed-anew-when-one-has-ended",
                   test_threads_are_listed_anew_when_one_has_ended);
  g_test_add_func ("/process/a-stopped-process-is-reported-as-such",
                   test_a_stopped_process_is_reported_as_such);
  g_test_add_func ("/process/figures-are-whole-where-hardly-a-file-may-stay-open",
                   test_figures_are_whole_where_hardly_a_file_may_stay_open);
  g_test_add_func ("/process/states-of-threads-are-read-at-an-interval",
                   test_states_of_threads_are_read_at_an_interval);
  g_test_add_func ("/process/threads-that-come-do-not-wait-for-the-interval",
                   test_threads_that_come_do_not_wait_for_the_interval);
  g_test_add_func ("/process/open-files-are-counted", test_open_files_are_counted);
  g_test_add_func ("/process/use-of-file-systems-counts-processes-once",
                   test_use_of_file_systems_counts_processes_once);
  g_test_add_func ("/process/groups-count-in-those-above",
                   test_groups_count_in_those_above);
  g_test_add_func ("/process/a-process-that-moves-counts-once-above",
                   test_a_process_that_moves_counts_once_above);
  g_test_add_func ("/process/a-group-without-a-process-has-no-sums",
                   test_a_group_without_a_process_has_no_sums);
  g_test_add_func ("/process/"
                   "a-group-that-comes-in-a-round-has-no-figures-until-the-next",
                   test_a_group_that_comes_in_a_round_has_no_figures_until_the_next);
  g_test_add_func ("/process/what-is-not-wanted-is-not-reported",
                   test_what_is_not_wanted_is_not_reported);
  g_test_add_func ("/process/a-process-named-as-a-helper-counts-unless-it-is-root",
                   test_a_process_named_as_a_helper_counts_unless_it_is_root);
  g_test_add_func ("/process/a-process-is-a-helper-only-where-it-is-called-one",
                   test_a_process_is_a_helper_only_where_it_is_called_one);
  g_test_add_func ("/process/what-is-denied-is-a-gap", test_what_is_denied_is_a_gap);
  g_test_add_func ("/process/other-users-programs-are-reported-by-their-name",
                   test_other_users_programs_are_reported_by_their_name);

  return g_test_run ();
}
