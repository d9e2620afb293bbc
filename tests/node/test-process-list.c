/* test-process-list.c: the processes of one job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <sys/wait.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "core/jm-snapshot-private.h"
#include "fake-sources.h"
#include "node/jm-node.h"
#include "tree.h"

/* Made-up cgroups; processes are those of a tree, or of this machine. */
typedef struct
{
  Tree *tree;
  FakeReader *cgroups;
  FakeJobs *jobs;
  JmNode *node;
} Fixture;

static void
fixture_open (Fixture *f, JmHost *host)
{
  const char *const no_schedulers[] = { NULL };
  g_autoptr (GError) error = NULL;

  f->node = g_initable_new (JM_TYPE_NODE, NULL, &error, "host", host, "schedulers",
                            no_schedulers, NULL);
  g_assert_no_error (error);
  f->jobs = fake_jobs_new (host);
  f->cgroups = fake_reader_new (host);
  jm_node_add_source (f->node, JM_SOURCE (f->jobs));
  jm_node_add_source (f->node, JM_SOURCE (f->cgroups));
  fake_reader_set_cpu (f->cgroups, "/job_7", 1);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  f->tree = tree_new ();
  tree_put (f->tree, "proc/stat", "cpu 1 1 1 1\nbtime 1700000000\n");
  fixture_open (f, f->tree->host);
}

static void
set_up_on_this_machine (Fixture *f, gconstpointer data)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);

  fixture_open (f, host);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_clear_object (&f->node);
  g_assert_finalize_object (f->cgroups);
  g_assert_finalize_object (f->jobs);
  g_clear_pointer (&f->tree, tree_free);
}

static void
add_process (Fixture *f, const char *path, guint pid, const char *name, guint64 ticks)
{
  g_autofree char *file = g_strdup_printf ("proc/%u/stat", pid);
  g_autofree char *text =
    g_strdup_printf ("%u (%s) R 1 1 1 0 -1 0 0 0 0 0 %" G_GUINT64_FORMAT
                     " 5 0 0 20 0 3 0 250 4096 10 "
                     "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
                     pid, name, ticks);

  tree_put (f->tree, file, text);
  fake_reader_add_process (f->cgroups, path, pid);
}

static GPtrArray *
list (JmNode *node, const char *job)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *processes = jm_node_list_processes (node, job, NULL, &error);

  g_assert_no_error (error);

  return processes;
}

/* "PID COMMAND step task" of each. */
static char *
describe (GPtrArray *processes)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < processes->len; i++)
    {
      JmProcess *process = processes->pdata[i];
      const char *command = jm_process_get_command (process);
      const char *step = jm_process_get_step (process);
      const char *task = jm_process_get_task (process);

      g_string_append_printf (text, "%s%u %s %s %s", i > 0 ? ", " : "",
                              jm_process_get_pid (process),
                              command != NULL ? command : "?",
                              step != NULL ? step : "-", task != NULL ? task : "-");
    }

  return g_string_free (text, FALSE);
}

static void
assert_list (JmNode *node, const char *job, const char *expected)
{
  g_autoptr (GPtrArray) processes = list (node, job);
  g_autofree char *text = describe (processes);

  g_assert_cmpstr (text, ==, expected);
}

static void
assert_fails (JmNode *node, const char *job, GQuark domain, int code, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (jm_node_list_processes (node, job, NULL, &error));
  g_assert_error (error, domain, code);
  g_assert_cmpstr (error->message, ==, text);
}

/* --- a recorded node --- */

static JmNode *
open_recorded (const char *name)
{
  g_autofree char *root = g_test_build_filename (G_TEST_BUILT, "fixtures", name, NULL);
  g_autoptr (JmHost) host = jm_host_new (root);
  g_autoptr (GError) error = NULL;
  JmNode *node = jm_node_new_full (host, &error);

  g_assert_no_error (error);

  return node;
}

static void
test_a_recorded_job_has_its_processes_and_no_helpers (void)
{
  g_autoptr (JmNode) node = open_recorded ("slurm-v2-steps");

  /* neither slurmstepd nor the sleep of step extern */
  assert_list (node, "5",
               "2539 slurm_script batch 0, 3271 srun batch 0, 3281 srun batch 0, "
               "3311 load 0 0, 3315 load 0 1");
}

static void
test_a_recorded_process_says_what_the_kernel_said (void)
{
  g_autoptr (JmNode) node = open_recorded ("slurm-v2-steps");
  g_autoptr (GPtrArray) processes = list (node, "5");
  JmProcess *load = processes->pdata[3];

  g_assert_cmpuint (jm_process_get_pid (load), ==, 3311);
  g_assert_cmpstr (jm_process_get_executable (load), ==, "/var/lib/slurmlab/home/load");
  g_assert_cmpstr (jm_process_get_state (load), ==, "sleeping");
  g_assert_cmpint (jm_process_get_cpu_user (load), ==, 26190000000);
  g_assert_cmpint (jm_process_get_cpu_system (load), ==, 1090000000);
  g_assert_cmpint (jm_process_get_rss (load), ==, 7931 * sysconf (_SC_PAGESIZE));
  g_assert_cmpint (jm_process_get_n_threads (load), ==, 2);
}

static void
test_processes_that_have_ended_are_not_there (void)
{
  g_autoptr (JmNode) node = open_recorded ("slurm-v2-steps");

  assert_list (node, "15", "");
}

static void
test_steps_of_cgroup_v1_have_theirs (void)
{
  g_autoptr (JmNode) node = open_recorded ("slurm-v1-steps");
  g_autoptr (JmSnapshot) snapshot = jm_node_sample (node, NULL, NULL);
  g_autoptr (GPtrArray) jobs = jm_snapshot_get_jobs (snapshot);
  guint n_in_tasks = 0;

  for (guint i = 0; i < jobs->len; i++)
    {
      g_autoptr (GPtrArray) processes = list (node, jm_job_get_uuid (jobs->pdata[i]));

      for (guint k = 0; k < processes->len; k++)
        n_in_tasks += jm_process_get_task (processes->pdata[k]) != NULL;
    }

  g_assert_cmpuint (n_in_tasks, >, 0);
}

static void
test_sweeps_count_as_if_nobody_had_looked (void)
{
  g_autoptr (JmNode) node = open_recorded ("slurm-v2-steps");
  double spawned[2];

  for (guint i = 0; i < G_N_ELEMENTS (spawned); i++)
    {
      g_autoptr (JmSnapshot) snapshot = jm_node_sample (node, NULL, NULL);
      g_autoptr (GPtrArray) processes = list (node, "5");
      guint subject;

      g_assert_nonnull (processes);
      g_assert_true (jm_snapshot_find_job (snapshot, "5", &subject));
      g_assert_true (jm_snapshot_get_metric (snapshot, subject,
                                             JM_METRIC_PROCESSES_SPAWNED, &spawned[i]));
    }

  g_assert_cmpfloat (spawned[0], ==, 5);
  g_assert_cmpfloat (spawned[1], ==, 5);
}

/* --- made-up cgroups --- */

static void
test_processes_are_where_their_cgroups_are (Fixture *f, gconstpointer data)
{
  fake_reader_set_cpu (f->cgroups, "/job_7/step_0", 1);
  fake_reader_set_cpu (f->cgroups, "/job_7/step_0/task_3", 1);
  add_process (f, "/job_7", 40, "outside", 0);
  add_process (f, "/job_7/step_0", 41, "above", 0);
  add_process (f, "/job_7/step_0/task_3", 42, "within", 0);

  assert_list (f->node, "7", "40 outside - -, 41 above 0 -, 42 within 0 3");
}

static void
test_a_process_that_moves_is_listed_once (Fixture *f, gconstpointer data)
{
  fake_reader_set_cpu (f->cgroups, "/job_7/step_0", 1);
  add_process (f, "/job_7", 40, "walker", 0);
  add_process (f, "/job_7/step_0", 40, "walker", 0);

  assert_list (f->node, "7", "40 walker - -");
}

static void
test_numbers_that_are_none_are_passed_over (Fixture *f, gconstpointer data)
{
  fake_reader_add_process (f->cgroups, "/job_7", 0);
  fake_reader_add_process (f->cgroups, "/job_7", G_MAXUINT);

  assert_list (f->node, "7", "");
}

static void
test_a_process_has_a_start_time (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) processes = NULL;

  add_process (f, "/job_7", 40, "late", 0);
  processes = list (f->node, "7");

  g_assert_cmpint (jm_process_get_start_time (processes->pdata[0]), ==,
                   G_GINT64_CONSTANT (1700000002500000));
}

static void
assert_nothing_is_known (JmProcess *process)
{
  g_assert_null (jm_process_get_command (process));
  g_assert_null (jm_process_get_executable (process));
  g_assert_null (jm_process_get_state (process));
  g_assert_cmpint (jm_process_get_start_time (process), ==, 0);
  g_assert_cmpint (jm_process_get_cpu_user (process), ==, -1);
  g_assert_cmpint (jm_process_get_cpu_system (process), ==, -1);
  g_assert_cmpint (jm_process_get_rss (process), ==, -1);
  g_assert_cmpint (jm_process_get_n_threads (process), ==, -1);
}

static void
test_what_breaks_its_format_has_a_number_alone (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) processes = NULL;

  tree_put (f->tree, "proc/40/stat", "what is this\n");
  fake_reader_add_process (f->cgroups, "/job_7", 40);
  processes = list (f->node, "7");

  g_assert_cmpuint (processes->len, ==, 1);
  g_assert_cmpuint (jm_process_get_pid (processes->pdata[0]), ==, 40);
  assert_nothing_is_known (processes->pdata[0]);
}

static void
test_what_no_clock_could_count_is_not_known (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) processes = NULL;

  add_process (f, "/job_7", 40, "ancient", G_MAXUINT64);
  processes = list (f->node, "7");

  g_assert_cmpint (jm_process_get_cpu_user (processes->pdata[0]), ==, -1);
  g_assert_cmpint (jm_process_get_cpu_system (processes->pdata[0]), ==, 50000000);
}

static void
test_names_are_made_valid (Fixture *f, gconstpointer data)
{
  add_process (f, "/job_7", 40, "a\xff b) (c", 0);

  assert_list (f->node, "7", "40 a\xef\xbf\xbd b) (c - -");
}

static void
test_half_a_list_is_none (Fixture *f, gconstpointer data)
{
  add_process (f, "/job_7", 40, "seen", 0);
  fake_reader_set_cpu (f->cgroups, "/job_7/step_0", 1);
  fake_reader_refuse_processes (f->cgroups, "/job_7/step_0");

  assert_fails (f->node, "7", JM_ERROR, JM_ERROR_DENIED, "not to be listed");
}

static void
test_a_cgroup_that_vanishes_has_no_processes (Fixture *f, gconstpointer data)
{
  add_process (f, "/job_7", 40, "stays", 0);
  fake_reader_set_cpu (f->cgroups, "/job_7/step_0", 1);
  add_process (f, "/job_7/step_0", 41, "goes", 0);
  assert_list (f->node, "7", "40 stays - -, 41 goes 0 -");
  fake_reader_remove_unseen (f->cgroups, "/job_7/step_0");

  assert_list (f->node, "7", "40 stays - -");
}

static void
test_a_job_that_ended_has_no_processes (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_process (f, "/job_7", 40, "worker", 0);
  snapshot = jm_node_sample (f->node, NULL, NULL);
  fake_reader_remove (f->cgroups, "/job_7");

  assert_list (f->node, "7", "");
}

static void
test_a_job_of_which_nothing_is_known_is_absent (Fixture *f, gconstpointer data)
{
  assert_fails (f->node, "8", JM_ERROR, JM_ERROR_ABSENT, "8: no such job on this node");
}

static void
test_ends_when_cancelled (Fixture *f, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);

  g_assert_null (jm_node_list_processes (f->node, "7", cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_a_closed_node_has_none (Fixture *f, gconstpointer data)
{
  jm_node_close (f->node);

  assert_fails (f->node, "7", G_IO_ERROR, G_IO_ERROR_CLOSED, "the node is closed");
}

/* --- this machine --- */

static void
test_a_process_of_this_machine_agrees_with_its_kernel (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) processes = NULL;
  g_autofree char *path = g_file_read_link ("/proc/self/exe", NULL);
  JmProcess *self;

  fake_reader_add_process (f->cgroups, "/job_7", (guint) getpid ());
  processes = list (f->node, "7");
  self = processes->pdata[0];

  g_assert_cmpuint (jm_process_get_pid (self), ==, getpid ());
  g_assert_cmpstr (jm_process_get_executable (self), ==, path);
  g_assert_cmpstr (jm_process_get_state (self), ==, "running");
  g_assert_cmpint (jm_process_get_rss (self), >, 0);
  g_assert_cmpint (jm_process_get_n_threads (self), >=, 1);
  g_assert_cmpint (jm_process_get_start_time (self), >, 0);
  g_assert_cmpint (jm_process_get_start_time (self), <=, g_get_real_time ());
}

static void
test_a_process_that_was_waited_for_is_not_there (Fixture *f, gconstpointer data)
{
  pid_t pid = fork ();

  if (pid == 0)
    _exit (0);
  g_assert_cmpint (pid, >, 0);
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
  fake_reader_add_process (f->cgroups, "/job_7", (guint) pid);

  assert_list (f->node, "7", "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/process-list/recorded/helpers",
                   test_a_recorded_job_has_its_processes_and_no_helpers);
  g_test_add_func ("/process-list/recorded/figures",
                   test_a_recorded_process_says_what_the_kernel_said);
  g_test_add_func ("/process-list/recorded/ended",
                   test_processes_that_have_ended_are_not_there);
  g_test_add_func ("/process-list/recorded/v1", test_steps_of_cgroup_v1_have_theirs);
  g_test_add_func ("/process-list/recorded/sums",
                   test_sweeps_count_as_if_nobody_had_looked);

#define TEST(path, set_up, test)                                                       \
 g_test_add ("/process-list/" path, Fixture, NULL, set_up, test, tear_down)
  TEST ("places", set_up, test_processes_are_where_their_cgroups_are);
  TEST ("moving", set_up, test_a_process_that_moves_is_listed_once);
  TEST ("no-numbers", set_up, test_numbers_that_are_none_are_passed_over);
  TEST ("start", set_up, test_a_process_has_a_start_time);
  TEST ("malformed", set_up, test_what_breaks_its_format_has_a_number_alone);
  TEST ("too-large", set_up, test_what_no_clock_could_count_is_not_known);
  TEST ("names", set_up, test_names_are_made_valid);
  TEST ("denied", set_up, test_half_a_list_is_none);
  TEST ("vanished", set_up, test_a_cgroup_that_vanishes_has_no_processes);
  TEST ("ended", set_up, test_a_job_that_ended_has_no_processes);
  TEST ("unknown", set_up, test_a_job_of_which_nothing_is_known_is_absent);
  TEST ("cancelled", set_up, test_ends_when_cancelled);
  TEST ("closed", set_up, test_a_closed_node_has_none);
  TEST ("live", set_up_on_this_machine,
        test_a_process_of_this_machine_agrees_with_its_kernel);
  TEST ("live-ended", set_up_on_this_machine,
        test_a_process_that_was_waited_for_is_not_there);

  return g_test_run ();
}
