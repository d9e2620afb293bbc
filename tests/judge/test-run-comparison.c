/* test-run-comparison.c: the figures of several runs side by side
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "judge/jm-run-comparison.h"

#include "made-report.h"

static JmRunComparison *
compare (const char *const *runs)
{
  g_autoptr (GPtrArray) reports =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_report_unref);

  for (guint i = 0; runs[i] != NULL; i++)
    g_ptr_array_add (reports, made_report_new (runs[i]));

  return jm_run_comparison_new (reports);
}

static JmRunComparison *
compare_two (const char *first, const char *second)
{
  return compare ((const char *[]){ first, second, NULL });
}

static void
assert_difference (const char *quantity,
                   const char *first,
                   const char *second,
                   const char *expected)
{
  g_autofree char *one = g_strdup_printf ("%s=%s", quantity, first);
  g_autofree char *other = g_strdup_printf ("%s=%s", quantity, second);
  g_autoptr (JmRunComparison) comparison = compare_two (one, other);
  g_autofree char *text =
    jm_run_comparison_format_difference (comparison, jm_quantity_of_run (quantity), 1);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_amounts_differ_in_per_cent_of_the_first_run (void)
{
  assert_difference ("elapsed_seconds", "2h", "3h", "+50%");
  assert_difference ("elapsed_seconds", "2h", "1h", "-50%");
  assert_difference ("memory_peak_bytes", "1000", "1055", "+5.5%");
  assert_difference ("cpus", "1", "64", "+6300%");
  assert_difference ("cpus", "8", "8", "=");
  assert_difference ("memory_peak_bytes", "1000000", "1000001", "0%");
}

static void
test_shares_differ_in_percentage_points (void)
{
  assert_difference ("cpu_efficiency_percent", "50", "96", "+46.0 pp");
  assert_difference ("cpu_efficiency_percent", "96", "50", "-46.0 pp");
}

static void
test_what_the_first_run_had_none_of_differs_by_an_amount (void)
{
  assert_difference ("memory_oom_kills", "0", "2", "+2");
  assert_difference ("memory_oom_kills", "2", "0", "-100%");
}

static void
test_codes_have_no_difference (void)
{
  assert_difference ("exit_code", "0", "2", NULL);
}

static void
test_what_is_absent_is_not_zero (void)
{
  g_autoptr (JmRunComparison) comparison = compare_two ("cpus=8", "nodes=1");
  const JmQuantity *cpus = jm_quantity_of_run ("cpus");
  g_autofree char *first = jm_run_comparison_format_value (comparison, cpus, 0);
  g_autofree char *other = jm_run_comparison_format_value (comparison, cpus, 1);
  double difference;

  g_assert_cmpstr (first, ==, "8");
  g_assert_null (other);
  g_assert_false (jm_run_comparison_get_difference (comparison, cpus, 1, &difference));
  g_assert_null (jm_run_comparison_format_difference (comparison, cpus, 1));
}

static void
test_lists_what_at_least_one_run_has (void)
{
  g_autoptr (JmRunComparison) comparison =
    compare ((const char *[]){ "cpus=8", "cpus=4", "exit_code=1", NULL });
  g_autoptr (GPtrArray) quantities = jm_run_comparison_list_quantities (comparison);

  g_assert_cmpuint (jm_run_comparison_get_n_runs (comparison), ==, 3);
  g_assert_cmpuint (quantities->len, ==, 2);
  g_assert_true (g_ptr_array_find (quantities, jm_quantity_of_run ("cpus"), NULL));
  g_assert_true (g_ptr_array_find (quantities, jm_quantity_of_run ("exit_code"), NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name) g_test_add_func ("/run-comparison/" #name, test_##name)
  ADD (amounts_differ_in_per_cent_of_the_first_run);
  ADD (shares_differ_in_percentage_points);
  ADD (what_the_first_run_had_none_of_differs_by_an_amount);
  ADD (codes_have_no_difference);
  ADD (what_is_absent_is_not_zero);
  ADD (lists_what_at_least_one_run_has);

  return g_test_run ();
}
