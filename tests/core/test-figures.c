/* test-figures.c: figures of one subject, by quantity
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-figure-private.h"
#include "core/jm-figures-private.h"

#include <float.h>

#include "report-jobs.h"

static void
set (JmFigures *figures, JmQuantityId quantity, double value)
{
  jm_figures_set (figures, quantity, jm_figure_known (value));
}

static void
check (JmFigures *figures, JmQuantityId quantity, double expected)
{
  JmFigure figure = jm_figures_get (figures, quantity);

  g_assert_true (figure.is_known);
  g_assert_cmpfloat (figure.value, ==, expected);
}

static void
check_absent (JmFigures *figures, JmQuantityId quantity)
{
  g_assert_false (jm_figures_get (figures, quantity).is_known);
}

/* Four CPUs, of which two were busy for 100 seconds. */
static JmFigures *
make_half_busy (void)
{
  JmFigures *figures = jm_figures_new ();

  set (figures, JM_QUANTITY_ELAPSED, 100);
  set (figures, JM_QUANTITY_CPUS, 4);
  set (figures, JM_QUANTITY_CPU_TOTAL, 200);

  return figures;
}

static void
test_are_absent_until_they_are_set (void)
{
  g_autoptr (JmFigures) figures = jm_figures_new ();

  for (JmQuantityId i = 0; i < JM_N_QUANTITIES; i++)
    check_absent (figures, i);

  for (JmQuantityId i = JM_N_QUANTITIES; i-- > 0;)
    set (figures, i, i);
  set (figures, JM_QUANTITY_CPUS, 0.5);
  jm_figures_set (figures, JM_QUANTITY_ENERGY, (JmFigure){ 0 });

  check_absent (figures, JM_QUANTITY_ENERGY);
  check (figures, JM_QUANTITY_CPUS, 0.5);
  check (figures, JM_QUANTITY_ELAPSED, JM_QUANTITY_ELAPSED);
}

static void
test_follow_from_others (void)
{
  g_autoptr (JmFigures) figures = make_half_busy ();

  jm_figures_derive_run (figures);

  check (figures, JM_QUANTITY_CPU_AVAILABLE, 400);
  check (figures, JM_QUANTITY_CPU_UNUSED, 200);
  check (figures, JM_QUANTITY_CPU_EFFICIENCY, 50);
  check (figures, JM_QUANTITY_CPUS_USED, 2);
  check_absent (figures, JM_QUANTITY_TIME_SHARE);
  check_absent (figures, JM_QUANTITY_BYTES_PER_CALL);
}

static void
test_replace_none_that_is_known (void)
{
  g_autoptr (JmFigures) figures = make_half_busy ();

  set (figures, JM_QUANTITY_CPU_EFFICIENCY, 51);
  jm_figures_derive_run (figures);

  check (figures, JM_QUANTITY_CPU_EFFICIENCY, 51);
}

static void
test_of_estimates_are_estimates (void)
{
  g_autoptr (JmFigures) figures = make_half_busy ();

  jm_figures_set (figures, JM_QUANTITY_CPU_TOTAL, (JmFigure){ 200, TRUE, TRUE });
  jm_figures_derive_run (figures);

  g_assert_true (jm_figures_get (figures, JM_QUANTITY_CPUS_USED).is_estimated);
  g_assert_false (jm_figures_get (figures, JM_QUANTITY_CPU_AVAILABLE).is_estimated);
}

static void
test_never_follow_from_no_time_nor_become_infinite (void)
{
  g_autoptr (JmFigures) none = make_half_busy ();
  g_autoptr (JmFigures) huge = make_half_busy ();

  set (none, JM_QUANTITY_ELAPSED, 0);
  jm_figures_derive_run (none);
  check (none, JM_QUANTITY_CPU_AVAILABLE, 0);
  check_absent (none, JM_QUANTITY_CPU_EFFICIENCY);
  check_absent (none, JM_QUANTITY_CPUS_USED);

  set (huge, JM_QUANTITY_ELAPSED, DBL_MAX);
  jm_figures_derive_run (huge);
  check_absent (huge, JM_QUANTITY_CPU_AVAILABLE);
}

static void
test_are_never_below_nothing_nor_more_than_all_of_the_time (void)
{
  g_autoptr (JmFigures) figures = make_half_busy ();

  set (figures, JM_QUANTITY_MEMORY_ALLOCATED, 10);
  set (figures, JM_QUANTITY_MEMORY_PEAK, 11);
  set (figures, JM_QUANTITY_CPU_PRESSURE_SOME, 101);
  jm_figures_derive (figures, NULL, 0);

  check (figures, JM_QUANTITY_MEMORY_UNUSED, 0);
  check (figures, JM_QUANTITY_CPU_WAIT, 100);
}

/* The run's peak is that of one node, which says nothing of the others. */
static void
test_of_nodes_are_joined_and_do_not_follow_from_the_whole (void)
{
  g_autoptr (JmFigures) figures = make_half_busy ();

  set (figures, JM_QUANTITY_MEMORY_ALLOCATED, 10);
  set (figures, JM_QUANTITY_MEMORY_PEAK, 4);
  jm_figures_derive_run (figures);
  check_absent (figures, JM_QUANTITY_MEMORY_UNUSED);

  jm_figures_derive (figures, NULL, 0);
  check (figures, JM_QUANTITY_MEMORY_UNUSED, 6);
}

static void
test_of_a_node_are_those_of_its_snapshot (void)
{
  g_autoptr (JmSnapshot) snapshot = report_jobs_make_snapshot ();
  g_autoptr (JmFigures) figures = jm_figures_new ();
  JmFigure cpu = jm_figure_of_metric (snapshot, JOB, JM_METRIC_CPU_TOTAL);

  g_assert_true (cpu.is_known);
  set (figures, JM_QUANTITY_ELAPSED, 10);
  jm_figures_derive (figures, snapshot, JOB);

  check (figures, JM_QUANTITY_CPU_TOTAL, cpu.value);
  check (figures, JM_QUANTITY_CPUS_USED, cpu.value / 10);
}

#define TEST(name) g_test_add_func ("/figures/" #name, test_##name)

static JmFigure
get_if_kept (JmQuantityId quantity, gpointer figures)
{
  return jm_figures_get (figures, quantity);
}

static void
test_follow_one_by_one_as_all_at_once (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());

  for (guint round = 0; round < 100; round++)
    {
      g_autoptr (JmFigures) kept = jm_figures_new ();
      g_autoptr (JmFigures) all = jm_figures_new ();

      for (JmQuantityId i = 0; i < JM_N_QUANTITIES; i++)
        if (g_rand_boolean (rand))
          {
            double value = g_rand_int_range (rand, 0, 5);

            set (kept, i, value);
            set (all, i, value);
          }
      jm_figures_derive_run (all);
      for (JmQuantityId i = 0; i < JM_N_QUANTITIES; i++)
        {
          JmFigure expected = jm_figures_get (all, i);
          JmFigure found = jm_figures_get (kept, i);

          if (!found.is_known)
            found = jm_figures_follow (i, get_if_kept, kept);
          g_assert_cmpint (found.is_known, ==, expected.is_known);
          g_assert_cmpfloat (found.value, ==, expected.value);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST (are_absent_until_they_are_set);
  TEST (follow_from_others);
  TEST (follow_one_by_one_as_all_at_once);
  TEST (replace_none_that_is_known);
  TEST (of_estimates_are_estimates);
  TEST (never_follow_from_no_time_nor_become_infinite);
  TEST (are_never_below_nothing_nor_more_than_all_of_the_time);
  TEST (of_nodes_are_joined_and_do_not_follow_from_the_whole);
  TEST (of_a_node_are_those_of_its_snapshot);

  return g_test_run ();
}
