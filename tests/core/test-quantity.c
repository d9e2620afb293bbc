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
test_is_found_by_its_name_among_those_of_its_subject (void)
{
  const JmQuantity *of_job = jm_quantity_of_subject (JM_SUBJECT_KIND_JOB, "cpus");

  g_assert_cmpstr (of_job->name, ==, "cpus");
  g_assert_true (of_job != jm_quantity_of_subject (JM_SUBJECT_KIND_NODE, "cpus"));
  g_assert_true (jm_quantity_of_subject (JM_SUBJECT_KIND_JOB, "cpu_seconds") ==
                 jm_quantity_of_subject (JM_SUBJECT_KIND_TASK, "cpu_seconds_total"));
  g_assert_null (jm_quantity_of_subject (JM_SUBJECT_KIND_GRID, "cpu_seconds"));
  g_assert_null (
    jm_quantity_of_subject (JM_SUBJECT_KIND_JOB, "cpu_efficiency_percent"));
}

/* No name of one leads to another, be it with `_total` or not. */
static void
test_those_of_a_subject_can_be_listed (void)
{
  for (JmSubjectKind kind = 0; kind < JM_N_SUBJECT_KINDS; kind++)
    {
      g_autoptr (GPtrArray) all = jm_quantity_list_of_subject (kind);

      g_assert_cmpuint (all->len, >, 0);
      for (guint i = 0; i < all->len; i++)
        {
          const JmQuantity *quantity = all->pdata[i];
          const JmMetricInfo *info = jm_quantity_get_metric_info (quantity);

          g_assert_cmpuint (info->kinds & (1u << kind), !=, 0);
          g_assert_true (jm_quantity_of_subject (kind, quantity->name) == quantity);
          g_assert_true (jm_quantity_of_subject (kind, info->name) == quantity);
        }
    }
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
  g_test_add_func ("/quantity/is-found-by-its-name-among-those-of-its-subject",
                   test_is_found_by_its_name_among_those_of_its_subject);
  g_test_add_func ("/quantity/those-of-a-subject-can-be-listed",
                   test_those_of_a_subject_can_be_listed);
  g_test_add_func ("/quantity/any-of-its-names-will-do", test_any_of_its_names_will_do);
  g_test_add_func ("/quantity/a-field-of-a-job-is-a-quantity",
                   test_a_field_of_a_job_is_a_quantity);

  return g_test_run ();
}
