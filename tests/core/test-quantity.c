/* test-quantity.c: the table of what can be known of a subject
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-job-private.h"
#include "core/jm-metric.h"
#include "core/jm-quantity-private.h"

static void
test_each_says_what_it_is (void)
{
  for (JmQuantityId i = 0; i < JM_N_QUANTITIES; i++)
    {
      const JmQuantity *quantity = jm_quantity_get (i);

      g_assert_cmpuint (jm_quantity_get_id (quantity), ==, i);
      g_assert_cmpstr (quantity->name, !=, "");
      g_assert_true (g_str_has_suffix (quantity->help, "."));
      g_assert_false (g_str_has_suffix (quantity->name, "_total"));
    }
}

static void
test_a_metric_is_called_as_its_quantity (void)
{
  for (JmMetric i = 0; i < JM_N_METRICS; i++)
    g_assert_true (
      jm_quantity_is_called (jm_quantity_of_metric (i), jm_metric_get_name (i)));
}

static void
test_any_of_its_names_will_do (void)
{
  const JmQuantity *efficiency = jm_quantity_get (JM_QUANTITY_CPU_EFFICIENCY);
  const JmQuantity *cpu_time = jm_quantity_of_metric (JM_METRIC_CPU_TOTAL);

  g_assert_true (jm_quantity_is_called (efficiency, "cpu_efficiency_percent"));
  g_assert_true (jm_quantity_is_called (efficiency, "eff"));
  g_assert_true (jm_quantity_is_called (efficiency, "EFF%"));
  g_assert_true (jm_quantity_is_called (cpu_time, "CPU-TIME"));
  g_assert_true (jm_quantity_is_called (cpu_time, "cpu_seconds_total"));
  g_assert_false (jm_quantity_is_called (cpu_time, "cpu"));
  g_assert_false (jm_quantity_is_called (cpu_time, "CPU-TIME%"));
  g_assert_false (jm_quantity_is_called (cpu_time, ""));
}

static void
test_a_field_of_a_job_is_a_quantity (void)
{
  g_assert_true (jm_job_field_get_quantity (JM_JOB_FIELD_USER) ==
                 jm_quantity_get (JM_QUANTITY_USER));
  g_assert_cmpstr (jm_job_field_get_name (JM_JOB_FIELD_ID), ==, "jobid");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/quantity/each-says-what-it-is", test_each_says_what_it_is);
  g_test_add_func ("/quantity/a-metric-is-called-as-its-quantity",
                   test_a_metric_is_called_as_its_quantity);
  g_test_add_func ("/quantity/any-of-its-names-will-do", test_any_of_its_names_will_do);
  g_test_add_func ("/quantity/a-field-of-a-job-is-a-quantity",
                   test_a_field_of_a_job_is_a_quantity);

  return g_test_run ();
}
