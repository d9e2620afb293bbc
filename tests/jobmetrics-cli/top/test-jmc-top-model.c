/* test-jmc-top-model.c: which lines top has, in which order, and how fast things go
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-top-node.h"
#include "top/jmc-top-model.h"

static void
update (JmcTopModel *model, Sweep *sweep, double seconds)
{
  g_autoptr (JmSnapshot) snapshot = sweep_finish (sweep);

  jmc_top_model_update (model, snapshot, (gint64) (seconds * G_USEC_PER_SEC));
}

static const JmcTopRow *
get_row (JmcTopModel *model, guint line)
{
  g_assert_cmpuint (line, <, jmc_top_model_get_n_lines (model));

  return jmc_top_model_get_line (model, line)->row;
}

static void
assert_known (JmcTopModel *model, guint line, JmcTopColumn column, double value)
{
  JmFigure figure = get_row (model, line)->figures[column];

  g_assert_true (figure.is_known);
  g_assert_cmpfloat_with_epsilon (figure.value, value, 1e-6);
}

static void
assert_unknown (JmcTopModel *model, guint line, JmcTopColumn column)
{
  g_assert_false (get_row (model, line)->figures[column].is_known);
}

/* The labels of all lines, one blank between them. */
static char *
list_lines (JmcTopModel *model)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < jmc_top_model_get_n_lines (model); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " | " : "",
                            get_row (model, i)->texts[JMC_TOP_ID]);

  return g_string_free (text, FALSE);
}

static void
assert_lines (JmcTopModel *model, const char *expected)
{
  g_autofree char *lines = list_lines (model);

  g_assert_cmpstr (lines, ==, expected);
}

/* --- rates --- */

static Sweep *
make_busy_job (guint64 cpu_ns, guint64 read_bytes)
{
  Sweep *sweep = sweep_new ();

  sweep_add_job (sweep, "7", "alice", "train");
  sweep_add (sweep, JM_METRIC_CPUS, 4);
  sweep_add (sweep, JM_METRIC_CPU_TOTAL, cpu_ns);
  sweep_add (sweep, JM_METRIC_PROCESS_READ_BYTES, read_bytes);

  return sweep;
}

static void
test_one_sweep_has_no_rates (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();

  update (model, make_busy_job (10 * SECOND_NS, 5 * MIB), 100);

  assert_known (model, 0, JMC_TOP_CPU_TIME, 10);
  assert_unknown (model, 0, JMC_TOP_CPU_PERCENT);
  assert_unknown (model, 0, JMC_TOP_READ_RATE);
}

static void
test_rates_are_per_second_between_two_sweeps (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();

  update (model, make_busy_job (10 * SECOND_NS, 5 * MIB), 100);
  update (model, make_busy_job (14 * SECOND_NS, 9 * MIB), 102);

  /* two CPUs' worth of four */
  assert_known (model, 0, JMC_TOP_CPU_PERCENT, 50);
  assert_known (model, 0, JMC_TOP_READ_RATE, 2 * MIB);
  assert_unknown (model, 0, JMC_TOP_WRITE_RATE);
  assert_unknown (model, 0, JMC_TOP_PRESSURE);
}

static void
test_what_did_nothing_has_a_rate_of_zero (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();

  update (model, make_busy_job (10 * SECOND_NS, 0), 100);
  update (model, make_busy_job (10 * SECOND_NS, 0), 102);

  assert_known (model, 0, JMC_TOP_CPU_PERCENT, 0);
  assert_known (model, 0, JMC_TOP_READ_RATE, 0);
}

static void
test_a_counter_that_fell_has_no_rate (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();

  update (model, make_busy_job (10 * SECOND_NS, 5 * MIB), 100);
  update (model, make_busy_job (1 * SECOND_NS, 6 * MIB), 102);

  assert_unknown (model, 0, JMC_TOP_CPU_PERCENT);
  assert_known (model, 0, JMC_TOP_READ_RATE, MIB / 2.0);
}

static void
test_no_time_between_sweeps_gives_no_rate (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();

  update (model, make_busy_job (10 * SECOND_NS, 0), 100);
  update (model, make_busy_job (14 * SECOND_NS, 0), 100);

  assert_unknown (model, 0, JMC_TOP_CPU_PERCENT);
}

static void
test_a_job_that_ended_has_no_rates (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();
  Sweep *sweep = make_busy_job (14 * SECOND_NS, 0);

  update (model, make_busy_job (10 * SECOND_NS, 0), 100);
  sweep_end_job (sweep);
  update (model, sweep, 102);

  g_assert_true (get_row (model, 0)->has_ended);
  assert_known (model, 0, JMC_TOP_CPU_TIME, 14);
  assert_unknown (model, 0, JMC_TOP_CPU_PERCENT);
  g_assert_cmpuint (jmc_top_model_get_summary (model)->n_ended, ==, 1);
  g_assert_cmpuint (jmc_top_model_get_summary (model)->n_running, ==, 0);
}

static void
test_the_kernels_own_io_goes_before_that_of_processes (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();

  for (guint i = 0; i < 2; i++)
    {
      Sweep *sweep = make_busy_job (0, i * 100 * MIB);

      sweep_add_labelled (sweep, JM_METRIC_IO_READ_BYTES, "8:0", i * MIB);
      sweep_add_labelled (sweep, JM_METRIC_IO_READ_BYTES, "8:16", i * MIB);
      update (model, sweep, 100 + 2 * i);
    }

  assert_known (model, 0, JMC_TOP_READ_RATE, MIB);
}

static void
test_pressure_is_that_of_what_was_shortest (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();

  for (guint i = 0; i < 2; i++)
    {
      Sweep *sweep = make_busy_job (0, 0);

      sweep_add (sweep, JM_METRIC_CPU_PRESSURE_SOME, i * 200000);
      sweep_add (sweep, JM_METRIC_MEMORY_PRESSURE_SOME, i * 500000);
      update (model, sweep, 100 + 2 * i);
    }

  assert_known (model, 0, JMC_TOP_PRESSURE, 25);
}

static void
test_a_job_without_cpus_of_its_own_may_use_the_nodes (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();

  for (guint i = 0; i < 2; i++)
    {
      Sweep *sweep = sweep_new ();

      sweep_add (sweep, JM_METRIC_NODE_CPUS, 8);
      sweep_add_job (sweep, "7", "alice", NULL);
      sweep_add (sweep, JM_METRIC_CPU_TOTAL, i * 4 * SECOND_NS);
      update (model, sweep, 100 + i);
    }

  assert_known (model, 0, JMC_TOP_CPU_PERCENT, 50);
  assert_unknown (model, 0, JMC_TOP_CPUS);
  g_assert_false (jmc_top_model_get_summary (model)->allocated_cpus.is_known);
}

/* --- the node --- */

static Sweep *
make_node (guint64 user_ns, guint64 idle_ns, guint64 iowait_ns)
{
  Sweep *sweep = sweep_new ();

  sweep_add_labelled (sweep, JM_METRIC_NODE_CPU, "user", user_ns);
  sweep_add_labelled (sweep, JM_METRIC_NODE_CPU, "idle", idle_ns);
  sweep_add_labelled (sweep, JM_METRIC_NODE_CPU, "iowait", iowait_ns);
  sweep_add (sweep, JM_METRIC_NODE_MEMORY_SIZE, 100 * MIB);
  sweep_add (sweep, JM_METRIC_NODE_MEMORY_AVAILABLE, 60 * MIB);

  return sweep;
}

static void
test_the_node_is_busy_when_it_neither_idles_nor_waits (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();
  const JmNodeSummary *summary = jmc_top_model_get_summary (model);

  update (model, make_node (10 * SECOND_NS, 50 * SECOND_NS, 5 * SECOND_NS), 100);
  g_assert_false (summary->busy_percent.is_known);
  g_assert_cmpfloat (summary->memory_used.value, ==, 40 * MIB);

  update (model, make_node (11 * SECOND_NS, 52 * SECOND_NS, 6 * SECOND_NS), 102);
  g_assert_true (summary->busy_percent.is_known);
  g_assert_cmpfloat_with_epsilon (summary->busy_percent.value, 25, 1e-6);
}

static void
test_a_node_of_which_nothing_was_read_has_no_figures (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();
  const JmNodeSummary *summary = jmc_top_model_get_summary (model);

  update (model, sweep_new (), 100);
  update (model, sweep_new (), 102);

  g_assert_true (jmc_top_model_is_empty (model));
  g_assert_false (summary->busy_percent.is_known);
  g_assert_false (summary->memory_used.is_known);
}

/* --- order --- */

/* Memory grows with the id, except that of 10 is unknown. */
static Sweep *
make_three_jobs (void)
{
  Sweep *sweep = sweep_new ();

  sweep_add_job (sweep, "10", "bob", "Mesh");
  sweep_add_job (sweep, "9", "alice", "train");
  sweep_add (sweep, JM_METRIC_MEMORY_USED, 9 * MIB);
  sweep_add_job (sweep, "8", "alice", NULL);
  sweep_add (sweep, JM_METRIC_MEMORY_USED, 8 * MIB);

  return sweep;
}

static void
test_figures_are_sorted_from_the_largest_on (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();

  update (model, make_three_jobs (), 100);
  jmc_top_model_sort (model, JMC_TOP_MEMORY, FALSE);

  assert_lines (model, "9 | 8 | 10");
}

static void
test_what_is_unknown_is_last_in_either_order (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();

  update (model, make_three_jobs (), 100);
  jmc_top_model_sort (model, JMC_TOP_MEMORY, TRUE);
  assert_lines (model, "8 | 9 | 10");

  jmc_top_model_sort (model, JMC_TOP_NAME, FALSE);
  assert_lines (model, "10 | 9 | 8");
}

static void
test_what_is_equal_is_sorted_by_id (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();

  update (model, make_three_jobs (), 100);
  jmc_top_model_sort (model, JMC_TOP_USER, FALSE);

  assert_lines (model, "8 | 9 | 10");
}

/* --- choice --- */

static void
test_a_filter_finds_text_in_any_word_in_either_case (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();

  update (model, make_three_jobs (), 100);
  jmc_top_model_sort (model, JMC_TOP_ID, FALSE);

  jmc_top_model_set_filter (model, "mEs");
  assert_lines (model, "10");
  jmc_top_model_set_filter (model, "ALI");
  assert_lines (model, "8 | 9");
  jmc_top_model_set_filter (model, "9");
  assert_lines (model, "9");
  jmc_top_model_set_filter (model, "");
  assert_lines (model, "8 | 9 | 10");
}

static void
test_a_user_is_chosen_by_the_whole_name (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();

  update (model, make_three_jobs (), 100);
  jmc_top_model_sort (model, JMC_TOP_ID, FALSE);

  jmc_top_model_set_user (model, "alice");
  assert_lines (model, "8 | 9");
  jmc_top_model_set_user (model, "ali");
  assert_lines (model, "");
  g_assert_false (jmc_top_model_is_empty (model));
}

/* --- parts and selection --- */

static Sweep *
make_job_with_steps (void)
{
  Sweep *sweep = sweep_new ();

  sweep_add_job (sweep, "7", "alice", "train");
  sweep_add_step (sweep, "10");
  sweep_add_step (sweep, "2");
  sweep_add_task (sweep, "0");
  sweep_add_labelled (sweep, JM_METRIC_EXECUTABLE_CPU, "/bin/idle", SECOND_NS);
  sweep_add_labelled (sweep, JM_METRIC_EXECUTABLE_CPU, "/opt/busy", 2 * SECOND_NS);
  sweep_add_step (sweep, "batch");
  sweep_add_job (sweep, "8", "bob", NULL);

  return sweep;
}

#define OPEN "7 | batch | step 2 | task 0 | busy | idle | step 10 | 8"

static void
test_a_job_opens_into_its_steps_tasks_and_executables (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();

  update (model, make_job_with_steps (), 100);
  jmc_top_model_sort (model, JMC_TOP_ID, FALSE);
  assert_lines (model, "7 | 8");

  jmc_top_model_open (model);
  assert_lines (model, OPEN);
  jmc_top_model_open (model);
  assert_lines (model, OPEN);
}

static void
test_parts_close_from_the_inside_out (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();

  update (model, make_job_with_steps (), 100);
  jmc_top_model_sort (model, JMC_TOP_ID, FALSE);
  jmc_top_model_open (model);

  jmc_top_model_select (model, 4);
  jmc_top_model_close (model);
  assert_lines (model, "7 | batch | step 2 | task 0 | step 10 | 8");
  g_assert_cmpuint (jmc_top_model_get_selected (model), ==, 3);
  jmc_top_model_close (model);
  assert_lines (model, "7 | batch | step 2 | step 10 | 8");
  jmc_top_model_close (model);
  assert_lines (model, "7 | 8");
  jmc_top_model_close (model);
  assert_lines (model, "7 | 8");
  g_assert_cmpuint (jmc_top_model_get_selected (model), ==, 0);
}

static void
test_what_is_open_stays_so_in_the_next_sweep (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();

  update (model, make_job_with_steps (), 100);
  jmc_top_model_sort (model, JMC_TOP_ID, FALSE);
  jmc_top_model_toggle (model);
  update (model, make_job_with_steps (), 102);

  assert_lines (model, OPEN);
}

static void
test_all_jobs_open_and_close_at_once (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();

  jmc_top_model_open_all (model, TRUE);
  jmc_top_model_sort (model, JMC_TOP_ID, FALSE);
  update (model, make_job_with_steps (), 100);
  assert_lines (model, OPEN);

  jmc_top_model_open_all (model, FALSE);
  assert_lines (model, "7 | 8");
}

static void
test_an_executable_has_a_rate_of_its_own (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();

  jmc_top_model_open_all (model, TRUE);
  for (guint i = 0; i < 2; i++)
    {
      Sweep *sweep = sweep_new ();

      sweep_add_job (sweep, "7", "alice", NULL);
      sweep_add (sweep, JM_METRIC_CPUS, 2);
      sweep_add_labelled (sweep, JM_METRIC_EXECUTABLE_CPU, "/bin/a", i * SECOND_NS);
      update (model, sweep, 100 + i);
    }

  assert_known (model, 1, JMC_TOP_CPU_PERCENT, 50);
  assert_unknown (model, 1, JMC_TOP_MEMORY);
}

static void
test_the_selection_stays_with_its_job (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();

  update (model, make_three_jobs (), 100);
  jmc_top_model_sort (model, JMC_TOP_MEMORY, FALSE);
  jmc_top_model_select (model, 0);
  jmc_top_model_sort (model, JMC_TOP_ID, FALSE);

  g_assert_cmpuint (jmc_top_model_get_selected (model), ==, 1);
}

static void
test_the_selection_stays_in_place_when_its_job_goes (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();

  update (model, make_three_jobs (), 100);
  jmc_top_model_sort (model, JMC_TOP_ID, FALSE);
  jmc_top_model_select (model, 2);
  update (model, make_busy_job (0, 0), 102);
  g_assert_cmpuint (jmc_top_model_get_selected (model), ==, 0);

  update (model, sweep_new (), 104);
  jmc_top_model_open (model);
  jmc_top_model_close (model);
  assert_lines (model, "");
}

static void
test_nothing_is_selected_until_somebody_selects (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();

  update (model, make_three_jobs (), 100);
  jmc_top_model_sort (model, JMC_TOP_MEMORY, FALSE);
  jmc_top_model_sort (model, JMC_TOP_ID, FALSE);

  g_assert_cmpuint (jmc_top_model_get_selected (model), ==, 0);
}

#define ADD(name, function) g_test_add_func ("/cli/top/model/" name, function)

static void
test_devices_of_a_job_are_figures_and_no_lines (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();
  g_autoptr (JmSnapshot) snapshot = jm_test_snapshot_of_a_gpu_node ();

  jmc_top_model_sort (model, JMC_TOP_ID, FALSE);
  jmc_top_model_open_all (model, TRUE);
  jmc_top_model_update (model, snapshot, 0);

  assert_lines (model, "100 | 101 | batch | 102");
  assert_known (model, 1, JMC_TOP_GPU_MEMORY, (double) (G_GUINT64_CONSTANT (30) << 30));
  assert_unknown (model, 1, JMC_TOP_GPU_PERCENT);
  assert_unknown (model, 2, JMC_TOP_GPU_MEMORY);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("devices-of-a-job-are-figures-and-no-lines",
       test_devices_of_a_job_are_figures_and_no_lines);
  ADD ("one-sweep-has-no-rates", test_one_sweep_has_no_rates);
  ADD ("rates-are-per-second", test_rates_are_per_second_between_two_sweeps);
  ADD ("nothing-done-is-zero", test_what_did_nothing_has_a_rate_of_zero);
  ADD ("fallen-counter", test_a_counter_that_fell_has_no_rate);
  ADD ("no-time-between", test_no_time_between_sweeps_gives_no_rate);
  ADD ("ended-job", test_a_job_that_ended_has_no_rates);
  ADD ("kernels-io-first", test_the_kernels_own_io_goes_before_that_of_processes);
  ADD ("pressure", test_pressure_is_that_of_what_was_shortest);
  ADD ("no-cpus-of-its-own", test_a_job_without_cpus_of_its_own_may_use_the_nodes);
  ADD ("busy-node", test_the_node_is_busy_when_it_neither_idles_nor_waits);
  ADD ("unknown-node", test_a_node_of_which_nothing_was_read_has_no_figures);
  ADD ("largest-first", test_figures_are_sorted_from_the_largest_on);
  ADD ("unknown-last", test_what_is_unknown_is_last_in_either_order);
  ADD ("equal-by-id", test_what_is_equal_is_sorted_by_id);
  ADD ("filter", test_a_filter_finds_text_in_any_word_in_either_case);
  ADD ("user", test_a_user_is_chosen_by_the_whole_name);
  ADD ("open", test_a_job_opens_into_its_steps_tasks_and_executables);
  ADD ("close", test_parts_close_from_the_inside_out);
  ADD ("stays-open", test_what_is_open_stays_so_in_the_next_sweep);
  ADD ("all-open", test_all_jobs_open_and_close_at_once);
  ADD ("executable", test_an_executable_has_a_rate_of_its_own);
  ADD ("selection-follows", test_the_selection_stays_with_its_job);
  ADD ("selection-stays", test_the_selection_stays_in_place_when_its_job_goes);
  ADD ("no-selection", test_nothing_is_selected_until_somebody_selects);

  return g_test_run ();
}
