/* test-jmc-top-processes.c: the processes of jobs in top
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "core/jm-process-private.h"
#include "jmc-top-node.h"
#include "top/jmc-top-draw.h"
#include "top/jmc-top-model.h"

/* What a node would list, and how often it was asked. */
typedef struct
{
  GPtrArray *processes; /* of JmProcess; NULL for a failure */
  double seconds;       /* when it is listed */
  guint n_asked;
} Lister;

static void
lister_clear (Lister *self)
{
  g_clear_pointer (&self->processes, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Lister, lister_clear)

static void
lister_renew (Lister *self, double seconds)
{
  lister_clear (self);
  self->processes = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_process_unref);
  self->seconds = seconds;
}

static GPtrArray *
list (const char *uuid, gint64 *now_us, gpointer data)
{
  Lister *self = data;

  self->n_asked++;
  *now_us = (gint64) (self->seconds * G_USEC_PER_SEC);

  return self->processes != NULL ? g_ptr_array_ref (self->processes) : NULL;
}

typedef struct
{
  guint pid;
  const char *step;
  const char *task;
  const char *executable;
  const char *command;
  const char *state;
  double cpu_seconds;
  guint64 rss_mib;
  gint64 start_seconds;
} Made;

static void
add (Lister *self, const Made *made)
{
  g_autoptr (JmPlace) place = jm_place_new ("7", made->step, made->task);
  const JmProcessFacts facts = {
    .command = made->command,
    .executable = made->executable,
    .state = made->state != NULL ? made->state : "sleeping",
    .start_time_us =
      (made->start_seconds != 0 ? made->start_seconds : NOW - 60) * G_USEC_PER_SEC,
    .cpu_user_ns = (gint64) (made->cpu_seconds * SECOND_NS),
    .cpu_system_ns = 0,
    .rss_bytes = (gint64) (made->rss_mib * MIB),
    .n_threads = 3,
  };

  g_ptr_array_add (self->processes,
                   jm_process_new (made->pid, place,
                                   made->command != NULL ? &facts : NULL));
}

#define ADD_PROCESS(self, ...) add (self, &(const Made){ __VA_ARGS__ })

/* Job 7 on four CPUs, with a task that runs two programs, and job 8. */
static void
update (JmcTopModel *model, double seconds)
{
  Sweep *sweep = sweep_new ();
  g_autoptr (JmSnapshot) snapshot = NULL;

  sweep_add_job (sweep, "7", "alice", "train");
  sweep_add (sweep, JM_METRIC_CPUS, 4);
  sweep_add (sweep, JM_METRIC_MEMORY_LIMIT, 100 * MIB);
  sweep_add_step (sweep, "0");
  sweep_add_task (sweep, "0");
  sweep_add_labelled (sweep, JM_METRIC_EXECUTABLE_CPU, "/opt/train", 9 * SECOND_NS);
  sweep_add_labelled (sweep, JM_METRIC_EXECUTABLE_CPU, "/bin/sh", SECOND_NS);
  sweep_add_job (sweep, "8", "bob", NULL);
  snapshot = sweep_finish (sweep);

  jmc_top_model_update (model, snapshot, (gint64) (seconds * G_USEC_PER_SEC));
}

static JmcTopModel *
make_model (Lister *lister)
{
  JmcTopModel *model = jmc_top_model_new ();

  jmc_top_model_set_lister (model, list, lister);
  jmc_top_model_sort (model, JMC_TOP_ID, FALSE);

  return model;
}

static const JmcTopRow *
find_row (JmcTopModel *model, const char *label)
{
  for (guint i = 0; i < jmc_top_model_get_n_lines (model); i++)
    {
      const JmcTopRow *row = jmc_top_model_get_line (model, i)->row;

      if (g_str_equal (row->texts[JMC_TOP_ID], label))
        return row;
    }

  g_error ("no line is %s", label);
}

static void
assert_lines (JmcTopModel *model, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < jmc_top_model_get_n_lines (model); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " | " : "",
                            jmc_top_model_get_line (model, i)->row->texts[JMC_TOP_ID]);

  g_assert_cmpstr (text->str, ==, expected);
}

static void
assert_known (const JmcTopRow *row, JmcTopColumn column, double value)
{
  g_assert_true (row->figures[column].is_known);
  g_assert_cmpfloat_with_epsilon (row->figures[column].value, value, 1e-6);
}

static void
test_processes_stand_below_what_they_run (void)
{
  g_auto (Lister) lister = { 0 };
  g_autoptr (JmcTopModel) model = make_model (&lister);

  lister_renew (&lister, 100);
  ADD_PROCESS (&lister, 40, "0", "0", "/bin/sh", "sh");
  ADD_PROCESS (&lister, 41, "0", "0", "/opt/train", "train", "running");
  ADD_PROCESS (&lister, 42, "0", "0", "/opt/train", "train", "disk_sleep");
  update (model, 100);
  assert_lines (model, "7 | 8");

  jmc_top_model_open (model);
  assert_lines (model, "7 | step 0 | task 0 | train | 41 R train | 42 D train | sh | "
                       "40 S sh | 8");
}

static void
test_a_process_has_figures_of_its_own (void)
{
  g_auto (Lister) lister = { 0 };
  g_autoptr (JmcTopModel) model = make_model (&lister);
  const JmcTopRow *row;

  lister_renew (&lister, 100);
  ADD_PROCESS (&lister, 41, "0", "0", "/opt/train", "train", "running", 8.5, 25);
  update (model, 100);
  jmc_top_model_open (model);
  row = find_row (model, "41 R train");

  assert_known (row, JMC_TOP_CPU_TIME, 8.5);
  assert_known (row, JMC_TOP_MEMORY, 25 * MIB);
  assert_known (row, JMC_TOP_MEMORY_PERCENT, 25);
  assert_known (row, JMC_TOP_THREADS, 3);
  assert_known (row, JMC_TOP_AGE, 60);
  g_assert_false (row->figures[JMC_TOP_CPU_PERCENT].is_known);
}

static void
test_a_rate_is_by_the_time_between_two_looks (void)
{
  g_auto (Lister) lister = { 0 };
  g_autoptr (JmcTopModel) model = make_model (&lister);

  update (model, 100);
  lister_renew (&lister, 101);
  ADD_PROCESS (&lister, 41, "0", "0", "/opt/train", "train", "running", 8);
  jmc_top_model_open (model);
  lister_renew (&lister, 102);
  ADD_PROCESS (&lister, 41, "0", "0", "/opt/train", "train", "running", 10);
  update (model, 102);

  /* two seconds of one, on four CPUs */
  assert_known (find_row (model, "41 R train"), JMC_TOP_CPU_PERCENT, 50);
}

static void
test_a_number_that_was_given_again_has_no_rate (void)
{
  g_auto (Lister) lister = { 0 };
  g_autoptr (JmcTopModel) model = make_model (&lister);

  jmc_top_model_open_all (model, TRUE);
  lister_renew (&lister, 100);
  ADD_PROCESS (&lister, 41, "0", "0", "/opt/train", "train", "running", 1, 1, NOW - 9);
  update (model, 100);
  lister_renew (&lister, 102);
  ADD_PROCESS (&lister, 41, "0", "0", "/opt/train", "train", "running", 2, 1, NOW - 1);
  update (model, 102);

  g_assert_false (
    find_row (model, "41 R train")->figures[JMC_TOP_CPU_PERCENT].is_known);
}

static void
test_two_looks_at_once_give_no_rate (void)
{
  g_auto (Lister) lister = { 0 };
  g_autoptr (JmcTopModel) model = make_model (&lister);

  jmc_top_model_open_all (model, TRUE);
  for (guint i = 0; i < 2; i++)
    {
      lister_renew (&lister, 100 + 0.01 * i);
      ADD_PROCESS (&lister, 41, "0", "0", "/opt/train", "train", "running",
                   1 + 0.01 * i);
      update (model, 100 + 0.01 * i);
    }

  g_assert_false (
    find_row (model, "41 R train")->figures[JMC_TOP_CPU_PERCENT].is_known);
}

static void
test_a_process_that_may_not_be_seen_has_its_number (void)
{
  g_auto (Lister) lister = { 0 };
  g_autoptr (JmcTopModel) model = make_model (&lister);
  const JmcTopRow *row;

  lister_renew (&lister, 100);
  ADD_PROCESS (&lister, 41, "0", "0");
  update (model, 100);
  jmc_top_model_open (model);
  assert_lines (model, "7 | step 0 | task 0 | train | sh | 41 ? ? | 8");
  row = find_row (model, "41 ? ?");

  for (guint i = JMC_TOP_N_TEXTS; i < JMC_TOP_N_COLUMNS; i++)
    g_assert_false (row->figures[i].is_known);
}

static void
test_what_the_sweep_did_not_see_finds_a_place (void)
{
  g_auto (Lister) lister = { 0 };
  g_autoptr (JmcTopModel) model = make_model (&lister);

  lister_renew (&lister, 100);
  ADD_PROCESS (&lister, 41, "9", "3", "/bin/new", "new");
  ADD_PROCESS (&lister, 42, "0", "9", "/bin/young", "young");
  ADD_PROCESS (&lister, 43, NULL, NULL, "/bin/loose", "loose");
  ADD_PROCESS (&lister, 44, "0", "0", "/bin/idle", "idle");
  update (model, 100);
  jmc_top_model_open (model);

  assert_lines (model, "7 | step 0 | task 0 | train | sh | idle | 44 S idle | young | "
                       "42 S young | loose | 43 S loose | new | 41 S new | 8");
}

static void
test_what_is_not_distinguished_stands_below_the_rest (void)
{
  g_auto (Lister) lister = { 0 };
  g_autoptr (JmcTopModel) model = make_model (&lister);
  Sweep *sweep = sweep_new ();
  g_autoptr (JmSnapshot) snapshot = NULL;

  lister_renew (&lister, 100);
  ADD_PROCESS (&lister, 41, NULL, NULL, "/bin/eleventh", "eleventh");
  sweep_add_job (sweep, "7", "alice", NULL);
  sweep_add_labelled (sweep, JM_METRIC_EXECUTABLE_CPU, "/bin/a", SECOND_NS);
  sweep_add_labelled (sweep, JM_METRIC_EXECUTABLE_CPU, "other", 2 * SECOND_NS);
  snapshot = sweep_finish (sweep);
  jmc_top_model_open_all (model, TRUE);
  jmc_top_model_update (model, snapshot, 100 * G_USEC_PER_SEC);

  assert_lines (model, "7 | other | 41 S eleventh | a");
}

static void
test_processes_are_sorted_as_jobs_are (void)
{
  g_auto (Lister) lister = { 0 };
  g_autoptr (JmcTopModel) model = make_model (&lister);

  lister_renew (&lister, 100);
  ADD_PROCESS (&lister, 9, NULL, NULL, "/bin/a", "a", NULL, 3, 10);
  ADD_PROCESS (&lister, 10, NULL, NULL, "/bin/a", "a", NULL, 1, 30);
  ADD_PROCESS (&lister, 11, NULL, NULL, "/bin/a", "a", NULL, 2, 20);
  update (model, 100);
  jmc_top_model_set_user (model, "alice");
  jmc_top_model_open (model);
  jmc_top_model_select (model, 1);
  jmc_top_model_close (model);
  assert_lines (model, "7 | step 0 | a | 9 S a | 10 S a | 11 S a");

  jmc_top_model_sort (model, JMC_TOP_MEMORY, FALSE);
  assert_lines (model, "7 | step 0 | a | 10 S a | 11 S a | 9 S a");
  jmc_top_model_sort (model, JMC_TOP_CPU_TIME, TRUE);
  assert_lines (model, "7 | step 0 | a | 10 S a | 11 S a | 9 S a");
  jmc_top_model_sort (model, JMC_TOP_NAME, TRUE);
  assert_lines (model, "7 | step 0 | a | 9 S a | 10 S a | 11 S a");
}

static void
test_only_open_jobs_are_looked_into_once_a_sweep (void)
{
  g_auto (Lister) lister = { 0 };
  g_autoptr (JmcTopModel) model = make_model (&lister);

  lister_renew (&lister, 100);
  update (model, 100);
  g_assert_cmpuint (lister.n_asked, ==, 0);

  jmc_top_model_open (model);
  jmc_top_model_sort (model, JMC_TOP_MEMORY, FALSE);
  jmc_top_model_close (model);
  jmc_top_model_open (model);
  g_assert_cmpuint (lister.n_asked, ==, 1);

  update (model, 102);
  g_assert_cmpuint (lister.n_asked, ==, 2);
  jmc_top_model_close (model);
  update (model, 104);
  g_assert_cmpuint (lister.n_asked, ==, 2);
}

static void
test_jobs_that_nobody_wants_are_not_looked_into (void)
{
  g_auto (Lister) lister = { 0 };
  g_autoptr (JmcTopModel) model = make_model (&lister);

  lister_renew (&lister, 100);
  jmc_top_model_open_all (model, TRUE);
  jmc_top_model_set_filter (model, "bob");
  update (model, 100);
  g_assert_cmpuint (lister.n_asked, ==, 1);

  jmc_top_model_set_filter (model, NULL);
  g_assert_cmpuint (lister.n_asked, ==, 2);
}

static void
test_a_job_without_steps_opens_into_its_processes (void)
{
  g_auto (Lister) lister = { 0 };
  g_autoptr (JmcTopModel) model = make_model (&lister);

  lister_renew (&lister, 100);
  ADD_PROCESS (&lister, 50, NULL, NULL, "/bin/b", "b");
  update (model, 100);
  jmc_top_model_select (model, 1);
  g_assert_true (jmc_top_model_get_line (model, 1)->has_parts);
  jmc_top_model_toggle (model);
  assert_lines (model, "7 | 8 | b | 50 S b");

  jmc_top_model_toggle (model);
  assert_lines (model, "7 | 8");
}

static void
test_a_list_that_fails_leaves_the_rest (void)
{
  g_auto (Lister) lister = { 0 };
  g_autoptr (JmcTopModel) model = make_model (&lister);

  jmc_top_model_open_all (model, TRUE);
  update (model, 100);

  g_assert_cmpuint (lister.n_asked, ==, 2);
  assert_lines (model, "7 | step 0 | task 0 | train | sh | 8");
}

static void
test_a_job_that_ended_is_not_looked_into (void)
{
  g_auto (Lister) lister = { 0 };
  g_autoptr (JmcTopModel) model = make_model (&lister);
  Sweep *sweep = sweep_new ();
  g_autoptr (JmSnapshot) snapshot = NULL;

  sweep_add_job (sweep, "7", "alice", NULL);
  sweep_end_job (sweep);
  snapshot = sweep_finish (sweep);
  jmc_top_model_open_all (model, TRUE);
  jmc_top_model_update (model, snapshot, 100 * G_USEC_PER_SEC);

  g_assert_cmpuint (lister.n_asked, ==, 0);
  g_assert_false (jmc_top_model_get_line (model, 0)->has_parts);
}

static void
test_80_columns_hold_a_process (void)
{
  g_auto (Lister) lister = { 0 };
  g_autoptr (JmcTopModel) model = make_model (&lister);
  g_autofree char *text = NULL;

  jmc_top_model_open_all (model, TRUE);
  for (guint i = 0; i < 2; i++)
    {
      lister_renew (&lister, 100 + 2 * i);
      ADD_PROCESS (&lister, 4194303, "0", "0", "/opt/train", "a\033[2Jtrain", "running",
                   8.5 + i, 25);
      ADD_PROCESS (&lister, 12, "0", "0");
      update (model, 100 + 2 * i);
    }
  text = jmc_top_draw_page (model, "c1", NULL, 80);

  /* clang-format off */
  g_assert_nonnull (strstr (text,
    "     `- task 0                  -     -        -       -          -      -\n"
    "        |- train                    0.0     9.0s\n"
    "        |  `- 4194303 R a?[2Jtra+  12.5     9.5s   25MiB ||      25  1m00s\n"
    "        |- sh                       0.0     1.0s\n"
    "        `- 12 ? ?                     -        -       -          -      -\n"));
  /* clang-format on */
}

#define ADD(name, function) g_test_add_func ("/cli/top/processes/" name, function)

int
main (int argc, char **argv)
{
  /* not UTF-8: bars and trees are drawn in ASCII */
  g_setenv ("LC_ALL", "C", TRUE);
  g_test_init (&argc, &argv, NULL);

  ADD ("tree", test_processes_stand_below_what_they_run);
  ADD ("figures", test_a_process_has_figures_of_its_own);
  ADD ("rate", test_a_rate_is_by_the_time_between_two_looks);
  ADD ("number-again", test_a_number_that_was_given_again_has_no_rate);
  ADD ("at-once", test_two_looks_at_once_give_no_rate);
  ADD ("hidden", test_a_process_that_may_not_be_seen_has_its_number);
  ADD ("young", test_what_the_sweep_did_not_see_finds_a_place);
  ADD ("other", test_what_is_not_distinguished_stands_below_the_rest);
  ADD ("order", test_processes_are_sorted_as_jobs_are);
  ADD ("once", test_only_open_jobs_are_looked_into_once_a_sweep);
  ADD ("unwanted", test_jobs_that_nobody_wants_are_not_looked_into);
  ADD ("no-steps", test_a_job_without_steps_opens_into_its_processes);
  ADD ("failure", test_a_list_that_fails_leaves_the_rest);
  ADD ("ended", test_a_job_that_ended_is_not_looked_into);
  ADD ("80-columns", test_80_columns_hold_a_process);

  return g_test_run ();
}
