/* test-collector-set.c: some of the collectors
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-collector-set-private.h"

#include "base/jm-error.h"
#include "core/jm-metric-private.h"

static void
test_a_new_set_has_none_and_all_is_every_one (void)
{
  g_autoptr (JmCollectorSet) none = jm_collector_set_new ();
  g_autoptr (JmCollectorSet) all = jm_collector_set_copy (jm_collector_set_get_all ());

  g_assert_true (jm_collector_set_is_empty (none));
  for (JmCollector i = 0; i < JM_N_COLLECTORS; i++)
    {
      g_assert_false (jm_collector_set_has (none, i));
      g_assert_true (jm_collector_set_has (all, i));
      jm_collector_set_subtract (all, JM_COLLECTOR_SET (i));
    }
  g_assert_true (jm_collector_set_is_empty (all));
}

static void
test_the_usual_ones_are_all_but_those_that_take_more (void)
{
  g_autoptr (JmCollectorSet) usual = jm_collector_set_new_usual ();
  g_autoptr (JmCollectorSet) all = jm_collector_set_copy (jm_collector_set_get_all ());

  jm_collector_set_subtract (all, JM_COLLECTOR_SET (JM_COLLECTOR_PERF));
  jm_collector_set_subtract (all, JM_COLLECTOR_SET (JM_COLLECTOR_NETWORK));
  jm_collector_set_subtract (all, JM_COLLECTOR_SET (JM_COLLECTOR_FILESYSTEM));
  g_assert_true (jm_collector_set_equal (usual, all));
  g_assert_true (jm_collector_is_usual (JM_COLLECTOR_CPU));
  g_assert_false (jm_collector_is_usual (JM_COLLECTOR_PERF));
}

static void
test_what_was_added_can_be_removed (void)
{
  JmCollectorSet set = { { 0 } };

  jm_collector_set_add (&set, JM_COLLECTOR_EMISSIONS);
  jm_collector_set_add (&set, JM_COLLECTOR_EMISSIONS);
  g_assert_true (
    jm_collector_set_equal (&set, JM_COLLECTOR_SET (JM_COLLECTOR_EMISSIONS)));
  jm_collector_set_subtract (&set, JM_COLLECTOR_SET (JM_COLLECTOR_EMISSIONS));
  jm_collector_set_subtract (&set, JM_COLLECTOR_SET (JM_COLLECTOR_CPU));
  g_assert_true (jm_collector_set_is_empty (&set));
}

static void
test_a_copy_goes_its_own_way (void)
{
  const JmCollectorSet *cpu = JM_COLLECTOR_SET (JM_COLLECTOR_CPU);
  g_autoptr (JmCollectorSet) copy = jm_collector_set_copy (cpu);

  jm_collector_set_add (copy, JM_COLLECTOR_IO);
  g_assert_true (jm_collector_set_has (copy, JM_COLLECTOR_CPU));
  g_assert_false (jm_collector_set_has (cpu, JM_COLLECTOR_IO));
}

static void
test_sets_are_united_and_subtracted (void)
{
  JmCollectorSet set = *JM_COLLECTOR_SET (JM_COLLECTOR_CPU, JM_COLLECTOR_IO);

  jm_collector_set_unite (&set, JM_COLLECTOR_SET (JM_COLLECTOR_IO, JM_COLLECTOR_POWER));
  g_assert_true (
    jm_collector_set_equal (&set, JM_COLLECTOR_SET (JM_COLLECTOR_CPU, JM_COLLECTOR_IO,
                                                    JM_COLLECTOR_POWER)));
  jm_collector_set_subtract (&set,
                             JM_COLLECTOR_SET (JM_COLLECTOR_CPU, JM_COLLECTOR_NODE));
  g_assert_true (jm_collector_set_equal (&set, JM_COLLECTOR_SET (JM_COLLECTOR_IO,
                                                                 JM_COLLECTOR_POWER)));
}

static void
test_names_are_taken_and_what_is_none_is_quoted (void)
{
  const char *const names[] = { "cpu", "memory.stat", NULL };
  const char *const wrong[] = { "io", "weather", NULL };
  g_autoptr (GError) error = NULL;
  JmCollectorSet set = { { 0 } };

  g_assert_true (jm_collector_set_add_names (&set, names, &error));
  g_assert_no_error (error);
  g_assert_true (
    jm_collector_set_equal (&set, JM_COLLECTOR_SET (JM_COLLECTOR_CPU,
                                                    JM_COLLECTOR_MEMORY_STAT)));
  g_assert_false (jm_collector_set_add_names (&set, wrong, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, "no such collector: weather");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/collector-set/a-new-set-has-none-and-all-is-every-one",
                   test_a_new_set_has_none_and_all_is_every_one);
  g_test_add_func ("/collector-set/the-usual-ones-are-all-but-those-that-take-more",
                   test_the_usual_ones_are_all_but_those_that_take_more);
  g_test_add_func ("/collector-set/what-was-added-can-be-removed",
                   test_what_was_added_can_be_removed);
  g_test_add_func ("/collector-set/a-copy-goes-its-own-way",
                   test_a_copy_goes_its_own_way);
  g_test_add_func ("/collector-set/sets-are-united-and-subtracted",
                   test_sets_are_united_and_subtracted);
  g_test_add_func ("/collector-set/names-are-taken-and-what-is-none-is-quoted",
                   test_names_are_taken_and_what_is_none_is_quoted);

  return g_test_run ();
}
