/* test-process-trees.c: processes of copied and made-up machines
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "rounds.h"
#include "sources/process/jm-kept-process-private.h"
#include "tree.h"

#define TICK_NS 10000000

/* What a made-up process reports; the rest is as usual. */
typedef struct
{
  guint pid;
  const char *comm;
  guint flags;
  guint user_ticks;
  guint starttime;
  guint write_chars;
  guint ppid;        /* 0 for 1 */
  guint child_ticks; /* of children that it has waited for, user mode */
} Made;

static void
rewrite (Tree *tree, guint pid, const char *name, const char *text)
{
  g_autofree char *path = g_strdup_printf ("proc/%u/%s", pid, name);
  g_autofree char *real = tree_path (tree, path);

  if (!g_file_test (real, G_FILE_TEST_EXISTS))
    tree_write (tree, path, "");

  tree_rewrite (tree, path, text);
}

static void
make_stat (Tree *tree, const Made *made)
{
  g_autofree char *text =
    g_strdup_printf ("%u (%s) S %u 1 1 0 -1 %u 10 0 0 0 %u 0 %u 0 20 0 1 0 %u 4096 1 "
                     "0\n",
                     made->pid, made->comm, MAX (made->ppid, 1), made->flags,
                     made->user_ticks, made->child_ticks, made->starttime);

  rewrite (tree, made->pid, "stat", text);
}

static void
make_io (Tree *tree, const Made *made)
{
  g_autofree char *text = g_strdup_printf ("rchar: 1\nwchar: %u\nsyscr: 1\nsyscw: "
                                           "1\nread_bytes: 0\nwrite_bytes: 0\n"
                                           "cancelled_write_bytes: 0\n",
                                           made->write_chars);

  rewrite (tree, made->pid, "io", text);
}

static void
make_file (Tree *tree, guint pid, const char *name, const char *text)
{
  g_autofree char *path = g_strdup_printf ("proc/%u/%s", pid, name);

  tree_write (tree, path, text);
}

static void
make_link (Tree *tree, guint pid, const char *name, const char *target)
{
  g_autofree char *path = g_strdup_printf ("proc/%u/%s", pid, name);
  g_autofree char *real = tree_path (tree, path);

  g_assert_cmpint (symlink (target, real), ==, 0);
}

static void
make_process (Tree *tree, const Made *made)
{
  g_autofree char *fd = g_strdup_printf ("proc/%u/fd", made->pid);

  make_stat (tree, made);
  make_io (tree, made);
  make_file (tree, made->pid, "status", "Name:\tx\nUid:\t1001\t1001\t1001\t1001\n");
  tree_make_dir (tree, fd);
}

static Rounds *
open_fixture (const char *name)
{
  g_autofree char *root = g_test_build_filename (G_TEST_BUILT, "fixtures", name, NULL);

  return rounds_new (root);
}

/* It was waited for between two reads: it has ended, and nothing is wrong with it. */
static void
test_what_is_left_of_a_process_is_no_process (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Rounds) rounds = rounds_new (tree->root);
  const Made made = { 7, "load", 0, 100, 1834, 500, 0, 0 };

  make_process (tree, &made);
  ROUNDS_RUN (rounds, 7);
  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 1);

  rewrite (tree, 7, "stat",
           "7 (load) X 0 -1 -1 0 -1 4227084 51 0 0 0 0 0 0 0 20 0 0 0 1834 0 0 0\n");
  ROUNDS_RUN (rounds, 7);
  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 0);
  assert_figure (rounds, JM_METRIC_PROCESS_CPU_USER, NULL, ==, 100LL * TICK_NS);
  assert_figure (rounds, JM_METRIC_PROCESS_WRITE_CHARS, NULL, ==, 500);
  g_assert_cmpuint (rounds_get_n_errors (rounds, JM_COLLECTOR_PROCESS), ==, 0);
}

static void
test_a_batch_step_is_the_sum_of_its_processes (void)
{
  g_autoptr (Rounds) rounds = open_fixture ("slurm-v2-steps");

  ROUNDS_RUN (rounds, 2539, 3271, 3281);

  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 3);
  assert_figure (rounds, JM_METRIC_PROCESS_CPU_USER, NULL, ==, 81LL * TICK_NS);
  assert_figure (rounds, JM_METRIC_PROCESS_CPU_SYSTEM, NULL, ==, 34LL * TICK_NS);
  assert_figure (rounds, JM_METRIC_EXECUTABLE_CPU, "/usr/bin/bash", ==, 15LL * TICK_NS);
  assert_figure (rounds, JM_METRIC_EXECUTABLE_CPU, "other", ==, 53LL * TICK_NS);
  assert_figure (rounds, JM_METRIC_EXECUTABLE_CPU, "/usr/bin/srun", ==, 47LL * TICK_NS);
  assert_figure (rounds, JM_METRIC_PROCESS_RSS, NULL, ==, 2817LL * getpagesize ());
  assert_figure (rounds, JM_METRIC_PROCESS_READ_CHARS, NULL, ==, 34795 + 24272);
  assert_figure (rounds, JM_METRIC_PROCESS_WRITE_CHARS, NULL, ==, 1701 + 1078);
  assert_figure (rounds, JM_METRIC_PROCESS_READ_CALLS, NULL, ==, 105 + 53);
  assert_figure (rounds, JM_METRIC_PROCESS_WRITE_CALLS, NULL, ==, 20 + 9);
  assert_figure (rounds, JM_METRIC_PROCESS_READ_BYTES, NULL, ==, 0);
  assert_figure (rounds, JM_METRIC_PROCESS_WRITE_BYTES, NULL, ==, 8192);
  assert_figure (rounds, JM_METRIC_THREADS, "sleeping", ==, 6);
  assert_figure (rounds, JM_METRIC_OPEN_FILES, NULL, ==, 4 + 12 + 5);
}

static void
test_the_schedulers_helpers_are_not_the_jobs (void)
{
  g_autoptr (Rounds) rounds = open_fixture ("slurm-v2-steps");

  ROUNDS_RUN (rounds, 2487, 2502, 2509, 3296);
  ROUNDS_RUN (rounds, 2487, 2502, 2509, 3296);

  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 0);
  assert_figure (rounds, JM_METRIC_PROCESSES_SPAWNED, NULL, ==, 0);
  assert_no_figure (rounds, JM_METRIC_PROCESS_CPU_USER);
}

static void
test_a_stat_cut_short_is_a_gap_and_reported (void)
{
  g_autoptr (Rounds) rounds = open_fixture ("hostile");
  const GError *error;

  ROUNDS_RUN (rounds, 826, 861);

  assert_no_figure (rounds, JM_METRIC_PROCESSES);
  assert_no_figure (rounds, JM_METRIC_PROCESS_CPU_USER);
  assert_no_figure (rounds, JM_METRIC_PROCESS_READ_BYTES);
  assert_no_figure (rounds, JM_METRIC_THREADS);

  error = rounds_get_error (rounds, JM_COLLECTOR_PROCESS);
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_nonnull (strstr (error->message, "/proc/861/stat: "));
  g_assert_nonnull (strstr (error->message, "861 (load) S 852"));
}

static void
test_a_name_with_parentheses_and_newlines_does_no_harm (void)
{
  g_autoptr (Rounds) rounds = open_fixture ("hostile");

  ROUNDS_RUN (rounds, 826, 829, 845, 999999);

  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 3);
  assert_figure (rounds, JM_METRIC_PROCESS_CPU_USER, NULL, ==, 72LL * TICK_NS);
  assert_figure (rounds, JM_METRIC_THREADS, "running", ==, 0);
  g_assert_cmpuint (rounds_get_n_errors (rounds, JM_COLLECTOR_PROCESS), ==, 0);
}

static void
test_a_pid_that_is_reused_is_another_process (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Rounds) rounds = rounds_new (tree->root);

  make_process (tree, &(Made){ 100, "first", 0, 30, 5000, 7 });
  ROUNDS_RUN (rounds, 100);
  make_stat (tree, &(Made){ 100, "second", 0, 20, 6000, 0 });
  ROUNDS_RUN (rounds, 100);

  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 1);
  assert_figure (rounds, JM_METRIC_PROCESSES_SPAWNED, NULL, ==, 2);
  assert_figure (rounds, JM_METRIC_PROCESS_CPU_USER, NULL, ==, 50LL * TICK_NS);
  assert_figure (rounds, JM_METRIC_EXECUTABLE_CPU, "first", ==, 30LL * TICK_NS);
  assert_figure (rounds, JM_METRIC_EXECUTABLE_CPU, "second", ==, 20LL * TICK_NS);
}

static void
test_a_sum_never_falls (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Rounds) rounds = rounds_new (tree->root);

  make_process (tree, &(Made){ 100, "a", 0, 30, 5000, 7 });
  ROUNDS_RUN (rounds, 100);
  make_stat (tree, &(Made){ 100, "a", 0, 29, 5000, 7 });
  ROUNDS_RUN (rounds, 100);
  assert_figure (rounds, JM_METRIC_PROCESS_CPU_USER, NULL, ==, 30LL * TICK_NS);

  make_stat (tree, &(Made){ 100, "a", 0, 31, 5000, 7 });
  ROUNDS_RUN (rounds, 100);
  assert_figure (rounds, JM_METRIC_PROCESS_CPU_USER, NULL, ==, 31LL * TICK_NS);
}

/* A process of two threads, or the second of them. */
static void
make_thread (Tree *tree, const char *name, guint ticks, guint processor)
{
  g_autofree char *text =
    g_strdup_printf ("100 (a) R 1 1 1 0 -1 0 10 0 0 0 %u 0 0 0 20 0 2 0 5000 4096 1 0 "
                     "1 1 "
                     "0 0 0 0 0 0 0 0 0 0 17 %u 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
                     ticks, processor);

  rewrite (tree, 100, name, text);
}

static guint64
get_placed (Rounds *rounds, guint cpu)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  const GArray *placed;

  jm_process_source_read_group (rounds->table, rounds->group, readings);
  placed = jm_readings_get_placed (readings);

  return cpu < placed->len ? g_array_index (placed, guint64, cpu) : 0;
}

static void
test_threads_are_placed_where_they_ran (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Rounds) rounds = rounds_new (tree->root);

  make_process (tree, &(Made){ 100, "a", 0, 30, 5000, 7 });
  tree_make_dir (tree, "proc/100/task/100");
  tree_make_dir (tree, "proc/100/task/101");
  make_thread (tree, "stat", 30, 1);
  make_thread (tree, "task/101/stat", 10, 3);
  ROUNDS_RUN (rounds, 100);
  g_assert_cmpuint (get_placed (rounds, 1), ==, 20 * TICK_NS);
  g_assert_cmpuint (get_placed (rounds, 3), ==, 10 * TICK_NS);

  make_thread (tree, "stat", 50, 1);
  make_thread (tree, "task/101/stat", 25, 2);
  ROUNDS_RUN (rounds, 100);
  g_assert_cmpuint (get_placed (rounds, 1), ==, 25 * TICK_NS);
  g_assert_cmpuint (get_placed (rounds, 2), ==, 15 * TICK_NS);
  g_assert_cmpuint (get_placed (rounds, 3), ==, 10 * TICK_NS);
}

/* A text that breaks off gives no figure. */
static void
test_a_process_that_reports_no_cpu_is_placed_nowhere (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Rounds) rounds = rounds_new (tree->root);

  make_process (tree, &(Made){ 100, "a", 0, 30, 5000, 7 });
  ROUNDS_RUN (rounds, 100);

  assert_figure (rounds, JM_METRIC_PROCESS_CPU_USER, NULL, ==, 30LL * TICK_NS);
  for (guint cpu = 0; cpu < 4; cpu++)
    g_assert_cmpuint (get_placed (rounds, cpu), ==, 0);
}

static void
test_children_that_were_never_seen_ran_unknown_executables (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Rounds) rounds = rounds_new (tree->root);

  make_process (tree, &(Made){ 100, "make", 0, 5, 5000, 7, .child_ticks = 40 });
  ROUNDS_RUN (rounds, 100);
  assert_figure (rounds, JM_METRIC_PROCESS_CPU_USER, NULL, ==, 45LL * TICK_NS);

  make_stat (tree, &(Made){ 100, "make", 0, 6, 5000, 7, .child_ticks = 140 });
  ROUNDS_RUN (rounds, 100);
  ROUNDS_RUN (rounds, 100);
  assert_figure (rounds, JM_METRIC_PROCESS_CPU_USER, NULL, ==, 146LL * TICK_NS);
  assert_figure (rounds, JM_METRIC_EXECUTABLE_CPU, "make", ==, 6LL * TICK_NS);
  assert_figure (rounds, JM_METRIC_EXECUTABLE_CPU, "other", ==, 140LL * TICK_NS);
}

static void
test_a_child_that_was_seen_counts_once (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Rounds) rounds = rounds_new (tree->root);

  make_process (tree, &(Made){ 100, "make", 0, 5, 5000, 7 });
  make_process (tree, &(Made){ 101, "cc", 0, 30, 5001, 7, .ppid = 100 });
  ROUNDS_RUN (rounds, 100, 101);

  /* in its last moments, which nobody saw, it used 20 more */
  make_stat (tree, &(Made){ 101, "another", 0, 0, 9000, 7 });
  make_stat (tree, &(Made){ 100, "make", 0, 5, 5000, 7, .child_ticks = 50 });
  ROUNDS_RUN (rounds, 100);

  assert_figure (rounds, JM_METRIC_PROCESS_CPU_USER, NULL, ==, 55LL * TICK_NS);
  assert_figure (rounds, JM_METRIC_EXECUTABLE_CPU, "cc", ==, 30LL * TICK_NS);
  assert_figure (rounds, JM_METRIC_EXECUTABLE_CPU, "make", ==, 5LL * TICK_NS);
  assert_figure (rounds, JM_METRIC_EXECUTABLE_CPU, "other", ==, 20LL * TICK_NS);
}

static void
test_what_no_process_reports_is_other (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Rounds) rounds = rounds_new (tree->root);

  make_process (tree, &(Made){ 100, "a", 0, 30, 5000, 7 });
  ROUNDS_RUN (rounds, 100);
  jm_process_source_set_group_cpu (rounds->table, rounds->group, 80LL * TICK_NS);
  assert_figure (rounds, JM_METRIC_EXECUTABLE_CPU, "other", ==, 50LL * TICK_NS);

  /* what is new has a round's time to be reported */
  ROUNDS_RUN (rounds, 100);
  jm_process_source_set_group_cpu (rounds->table, rounds->group, 200LL * TICK_NS);
  assert_figure (rounds, JM_METRIC_EXECUTABLE_CPU, "other", ==, 50LL * TICK_NS);

  make_stat (tree, &(Made){ 100, "a", 0, 60, 5000, 7 });
  ROUNDS_RUN (rounds, 100);
  jm_process_source_set_group_cpu (rounds->table, rounds->group, 200LL * TICK_NS);
  assert_figure (rounds, JM_METRIC_EXECUTABLE_CPU, "a", ==, 60LL * TICK_NS);
  assert_figure (rounds, JM_METRIC_EXECUTABLE_CPU, "other", ==, 140LL * TICK_NS);
}

static void
test_threads_of_the_kernel_do_not_count (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Rounds) rounds = rounds_new (tree->root);

  make_process (tree, &(Made){ 100, "kworker/0:1H-kblockd", 0x00200040, 30, 5000, 7 });
  ROUNDS_RUN (rounds, 100);

  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 0);
  assert_figure (rounds, JM_METRIC_THREADS, "sleeping", ==, 0);
}

static void
test_nobody_can_dress_up_as_a_helper (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Rounds) rounds = rounds_new (tree->root);

  /* a name of his choice; a setuid program; a sleep that is none */
  make_process (tree, &(Made){ 100, "slurmstepd", 0, 1, 5000, 7 });
  make_process (tree, &(Made){ 101, "slurmstepd", 0, 1, 5000, 7 });
  make_file (tree, 101, "status", "Name:\tslurmstepd\nUid:\t1001\t0\t0\t0\n");
  make_process (tree, &(Made){ 102, "sleep", 0, 1, 5000, 7 });
  make_file (tree, 102, "cmdline", "sleep 100000000");
  make_process (tree, &(Made){ 103, "sleep", 0, 1, 5000, 7 });
  make_file (tree, 103, "status", "Name:\tsleep\nUid:\t0\t0\t0\t0\n");
  make_file (tree, 103, "cmdline", "sleep 60");
  ROUNDS_RUN (rounds, 100, 101, 102, 103);

  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 4);
}

static void
test_a_helper_that_becomes_the_user_counts (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Rounds) rounds = rounds_new (tree->root);

  make_process (tree, &(Made){ 100, "slurmstepd", 0, 1, 5000, 7 });
  make_file (tree, 100, "status", "Name:\tslurmstepd\nUid:\t0\t0\t0\t0\n");
  ROUNDS_RUN (rounds, 100);
  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 0);

  make_file (tree, 100, "status", "Name:\tslurmstepd\nUid:\t1001\t1001\t1001\t1001\n");
  make_stat (tree, &(Made){ 100, "slurmstepd", 0, 9, 5000, 7 });
  ROUNDS_RUN (rounds, 100);
  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 1);
  assert_figure (rounds, JM_METRIC_PROCESSES_SPAWNED, NULL, ==, 1);
  assert_figure (rounds, JM_METRIC_PROCESS_CPU_USER, NULL, ==, 9LL * TICK_NS);
}

static void
test_executables_beyond_the_bound_are_other (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Rounds) rounds = rounds_new (tree->root);

  jm_process_source_set_max_executables (rounds->table, 2);
  make_process (tree, &(Made){ 100, "a", 0, 1, 5000, 0 });
  make_process (tree, &(Made){ 101, "other", 0, 2, 5000, 0 });
  make_process (tree, &(Made){ 102, "c", 0, 4, 5000, 0 });
  make_process (tree, &(Made){ 103, "d", 0, 8, 5000, 0 });
  ROUNDS_RUN (rounds, 100, 101, 102, 103);

  assert_figure (rounds, JM_METRIC_EXECUTABLE_CPU, "a", ==, 1LL * TICK_NS);
  assert_figure (rounds, JM_METRIC_EXECUTABLE_CPU, "c", ==, 4LL * TICK_NS);
  assert_figure (rounds, JM_METRIC_EXECUTABLE_CPU, "other", ==, 10LL * TICK_NS);
}

static void
test_threads_are_those_of_the_executables_that_run (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Rounds) rounds = rounds_new (tree->root);

  jm_process_source_set_max_executables (rounds->table, 2);
  make_process (tree, &(Made){ 100, "mpirun", 0, 1, 5000, 0 });
  make_process (tree, &(Made){ 101, "solver", 0, 2, 5000, 0 });
  make_process (tree, &(Made){ 102, "solver", 0, 4, 5000, 0 });
  make_process (tree, &(Made){ 103, "d", 0, 8, 5000, 0 });
  make_process (tree, &(Made){ 104, "e", 0, 8, 5000, 0 });
  ROUNDS_RUN (rounds, 100, 101, 102, 103, 104);
  assert_figure (rounds, JM_METRIC_EXECUTABLE_THREADS, "mpirun", ==, 1);
  assert_figure (rounds, JM_METRIC_EXECUTABLE_THREADS, "solver", ==, 2);
  assert_figure (rounds, JM_METRIC_EXECUTABLE_THREADS, "other", ==, 2);

  /* what has ended makes room */
  ROUNDS_RUN (rounds, 100, 103);
  assert_figure (rounds, JM_METRIC_EXECUTABLE_THREADS, "mpirun", ==, 1);
  assert_figure (rounds, JM_METRIC_EXECUTABLE_THREADS, "d", ==, 1);
  g_assert_false (
    rounds_find (rounds, rounds->group, JM_METRIC_EXECUTABLE_THREADS, "solver", NULL));
  g_assert_false (
    rounds_find (rounds, rounds->group, JM_METRIC_EXECUTABLE_THREADS, "other", NULL));
}

static void
test_names_of_executables_are_made_fit_to_print (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Rounds) rounds = rounds_new (tree->root);
  g_autofree char *deep = g_strnfill (400, 'x');
  g_autofree char *long_path = g_strconcat ("/", deep, "/prog", NULL);
  const JmReading *values;
  guint n_values;

  make_process (tree, &(Made){ 100, "caf\xe9", 0, 1, 5000, 0 });
  make_process (tree, &(Made){ 101, "gone", 0, 2, 5000, 0 });
  make_link (tree, 101, "exe", "/opt/app/bin/gone (deleted)");
  make_process (tree, &(Made){ 102, "prog", 0, 4, 5000, 0 });
  make_link (tree, 102, "exe", long_path);
  ROUNDS_RUN (rounds, 100, 101, 102);

  assert_figure (rounds, JM_METRIC_EXECUTABLE_CPU, "caf\xef\xbf\xbd", ==, TICK_NS);
  assert_figure (rounds, JM_METRIC_EXECUTABLE_CPU, "/opt/app/bin/gone", ==,
                 2LL * TICK_NS);

  jm_process_source_read_group (rounds->table, rounds->group, rounds->readings);
  values = jm_readings_get_values (rounds->readings, &n_values);
  for (guint i = 0; i < n_values; i++)
    if (values[i].labels != NULL)
      {
        g_assert_cmpuint (strlen (jm_labels_get_value (values[i].labels, 0)), <=, 255);
        g_assert_true (
          g_utf8_validate (jm_labels_get_value (values[i].labels, 0), -1, NULL));
      }
}

static void
test_io_that_is_broken_is_a_gap_until_it_is_mended (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Rounds) rounds = rounds_new (tree->root);

  make_process (tree, &(Made){ 100, "a", 0, 1, 5000, 7 });
  make_process (tree, &(Made){ 101, "b", 0, 2, 5000, 9 });
  rewrite (tree, 101, "io", "rchar: 12\nwchar: many\n");
  ROUNDS_RUN (rounds, 100, 101);
  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 2);
  assert_figure (rounds, JM_METRIC_PROCESS_CPU_USER, NULL, ==, 3LL * TICK_NS);
  assert_no_figure (rounds, JM_METRIC_PROCESS_WRITE_CHARS);
  g_assert_error (rounds_get_error (rounds, JM_COLLECTOR_PROCESS), JM_ERROR,
                  JM_ERROR_MALFORMED);

  /* the sum is whole again, since what was missed is in the figure of now */
  make_io (tree, &(Made){ 101, "b", 0, 2, 5000, 9 });
  ROUNDS_RUN (rounds, 100, 101);
  assert_figure (rounds, JM_METRIC_PROCESS_WRITE_CHARS, NULL, ==, 16);
  g_assert_cmpuint (rounds_get_n_errors (rounds, JM_COLLECTOR_PROCESS), ==, 0);
}

static void
test_io_that_was_never_read_is_missed_for_good (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Rounds) rounds = rounds_new (tree->root);

  make_process (tree, &(Made){ 100, "a", 0, 1, 5000, 7 });
  rewrite (tree, 100, "io", "rchar: 12\n");
  ROUNDS_RUN (rounds, 100);
  make_process (tree, &(Made){ 100, "a", 0, 1, 6000, 7 });
  ROUNDS_RUN (rounds, 100);

  assert_figure (rounds, JM_METRIC_PROCESSES_SPAWNED, NULL, ==, 2);
  assert_no_figure (rounds, JM_METRIC_PROCESS_WRITE_CHARS);
}

static void
test_a_file_that_the_kernel_lacks_is_a_silent_gap (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Rounds) rounds = rounds_new (tree->root);

  make_process (tree, &(Made){ 100, "a", 0, 1, 5000, 7 });
  tree_remove (tree, "proc/100/io");
  ROUNDS_RUN (rounds, 100);

  assert_figure (rounds, JM_METRIC_PROCESSES, NULL, ==, 1);
  assert_no_figure (rounds, JM_METRIC_PROCESS_WRITE_CHARS);
  g_assert_cmpuint (rounds_get_n_errors (rounds, JM_COLLECTOR_PROCESS), ==, 0);
}

static void
test_a_state_is_behind_the_last_parenthesis (void)
{
  static const struct
  {
    const char *text;
    char letter;
  } cases[] = {
    { "7 (sh) S 1 2", 'S' },
    { "7 (a) R 1 (b) D 1 2", 'D' },
    { "7 (\n) t 1", 't' },
    { "7 (sh) S", 0 },
    { "7 (sh) ", 0 },
    { "7 (sh)", 0 },
    { "7 (sh) 1 2", 0 },
    { "7 sh S 1", 0 },
    { "", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      char letter = 0;

      g_assert_cmpint (jm_parse_thread_state (cases[i].text, strlen (cases[i].text),
                                              &letter),
                       ==, cases[i].letter != 0);
      g_assert_cmpint (letter, ==, cases[i].letter);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/process-trees/what-is-left-of-a-process-is-no-process",
                   test_what_is_left_of_a_process_is_no_process);
  g_test_add_func ("/process-trees/a-batch-step-is-the-sum-of-its-processes",
                   test_a_batch_step_is_the_sum_of_its_processes);
  g_test_add_func ("/process-trees/the-schedulers-helpers-are-not-the-jobs",
                   test_the_schedulers_helpers_are_not_the_jobs);
  g_test_add_func ("/process-trees/a-stat-cut-short-is-a-gap-and-reported",
                   test_a_stat_cut_short_is_a_gap_and_reported);
  g_test_add_func ("/process-trees/a-name-with-parentheses-and-newlines-does-no-harm",
                   test_a_name_with_parentheses_and_newlines_does_no_harm);
  g_test_add_func ("/process-trees/a-pid-that-is-reused-is-another-process",
                   test_a_pid_that_is_reused_is_another_process);
  g_test_add_func ("/process-trees/a-sum-never-falls", test_a_sum_never_falls);
  g_test_add_func ("/process-trees/threads-are-placed-where-they-ran",
                   test_threads_are_placed_where_they_ran);
  g_test_add_func ("/process-trees/a-process-that-reports-no-cpu-is-placed-nowhere",
                   test_a_process_that_reports_no_cpu_is_placed_nowhere);
  g_test_add_func ("/process-trees/"
                   "children-that-were-never-seen-ran-unknown-executables",
                   test_children_that_were_never_seen_ran_unknown_executables);
  g_test_add_func ("/process-trees/a-child-that-was-seen-counts-once",
                   test_a_child_that_was_seen_counts_once);
  g_test_add_func ("/process-trees/what-no-process-reports-is-other",
                   test_what_no_process_reports_is_other);
  g_test_add_func ("/process-trees/threads-of-the-kernel-do-not-count",
                   test_threads_of_the_kernel_do_not_count);
  g_test_add_func ("/process-trees/nobody-can-dress-up-as-a-helper",
                   test_nobody_can_dress_up_as_a_helper);
  g_test_add_func ("/process-trees/a-helper-that-becomes-the-user-counts",
                   test_a_helper_that_becomes_the_user_counts);
  g_test_add_func ("/process-trees/executables-beyond-the-bound-are-other",
                   test_executables_beyond_the_bound_are_other);
  g_test_add_func ("/process-trees/threads-are-those-of-the-executables-that-run",
                   test_threads_are_those_of_the_executables_that_run);
  g_test_add_func ("/process-trees/names-of-executables-are-made-fit-to-print",
                   test_names_of_executables_are_made_fit_to_print);
  g_test_add_func ("/process-trees/io-that-is-broken-is-a-gap-until-it-is-mended",
                   test_io_that_is_broken_is_a_gap_until_it_is_mended);
  g_test_add_func ("/process-trees/io-that-was-never-read-is-missed-for-good",
                   test_io_that_was_never_read_is_missed_for_good);
  g_test_add_func ("/process-trees/a-file-that-the-kernel-lacks-is-a-silent-gap",
                   test_a_file_that_the_kernel_lacks_is_a_silent_gap);
  g_test_add_func ("/process-trees/a-state-is-behind-the-last-parenthesis",
                   test_a_state_is_behind_the_last_parenthesis);

  return g_test_run ();
}
