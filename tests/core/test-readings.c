/* test-readings.c: the table that sources fill in one sweep
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "../add-labelled.h"
#include "base/jm-error.h"
#include "core/jm-readings-private.h"

static void
test_only_wanted_collectors_begin (void)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();

  jm_readings_reset (readings, JM_COLLECTOR_SET (JM_COLLECTOR_CPU));

  g_assert_true (jm_readings_begin (readings, JM_COLLECTOR_CPU));
  g_assert_false (jm_readings_begin (readings, JM_COLLECTOR_MEMORY));
}

static void
test_figures_belong_to_the_subject_that_was_set (void)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  const JmReading *values;
  guint n;

  jm_readings_add (readings, JM_METRIC_NODE_CPUS, 4);
  jm_readings_set_subject (readings, 2);
  add_labelled (readings, JM_METRIC_IO_READS, "8:0", G_MAXUINT64);
  values = jm_readings_get_values (readings, &n);

  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (values[0].subject, ==, 0);
  g_assert_null (values[0].labels);
  g_assert_cmpuint (values[1].subject, ==, 2);
  g_assert_cmpint (values[1].metric, ==, JM_METRIC_IO_READS);
  g_assert_cmpstr (jm_labels_get_value (values[1].labels, 0), ==, "8:0");
  g_assert_cmpuint (values[1].value, ==, G_MAXUINT64);
}

static void
test_labels_that_a_source_keeps_are_shared (void)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  JmLabels *labels = jm_labels_of ("8:0", NULL);
  const JmReading *value;
  guint n;

  jm_readings_add_labelled (readings, JM_METRIC_IO_READS, labels, 1);
  value = jm_readings_get_values (readings, &n);

  g_assert_true (value->labels == labels);
  jm_labels_unref (labels);
  g_assert_cmpstr (jm_labels_get_value (value->labels, 0), ==, "8:0");
}

static void
test_what_has_not_the_labels_of_its_metric_is_refused (void)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  g_autoptr (JmLabels) labels = jm_labels_of ("a", "b", NULL);
  guint n;

  g_test_expect_message (NULL, G_LOG_LEVEL_CRITICAL, "*n_labels*");
  jm_readings_add (readings, JM_METRIC_IO_READS, 1);
  g_test_expect_message (NULL, G_LOG_LEVEL_CRITICAL, "*n_labels*");
  jm_readings_add_labelled (readings, JM_METRIC_IO_READS, labels, 1);
  g_test_assert_expected_messages ();

  jm_readings_get_values (readings, &n);
  g_assert_cmpuint (n, ==, 0);
}

static void
test_figures_of_a_domain_leave_the_source_open (void)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  const char *const expected[] = { "", "package-0", NULL };
  const JmReading *value;
  guint n;

  jm_readings_add_energy (readings, "package-0", 12);
  value = jm_readings_get_values (readings, &n);

  g_assert_cmpint (value->metric, ==, JM_METRIC_NODE_ENERGY);
  g_assert_cmpstrv (jm_labels_get_values (value->labels), expected);
}

static void
test_errors_count_for_the_collector_at_work (void)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  g_autoptr (GError) first = g_error_new (JM_ERROR, JM_ERROR_DENIED, "first");
  g_autoptr (GError) second = g_error_new (JM_ERROR, JM_ERROR_MALFORMED, "second");
  const JmCollectorStatus *status;

  jm_readings_add_error (readings, first);
  jm_readings_begin (readings, JM_COLLECTOR_IO);
  jm_readings_add_error (readings, first);
  jm_readings_add_error (readings, second);
  jm_readings_end (readings);
  status = jm_readings_get_status (readings, JM_COLLECTOR_IO);

  g_assert_cmpuint (status->n_errors, ==, 2);
  g_assert_cmpuint (status->n_denied, ==, 1);
  /* a lacking right goes after what failed */
  g_assert_error (status->first_error, JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_cmpuint (jm_readings_get_status (readings, JM_COLLECTOR_CPU)->n_errors, ==,
                    0);
}

static void
test_the_first_of_several_errors_is_kept (void)
{
  static const JmError codes[] = { JM_ERROR_DENIED, JM_ERROR_UNAVAILABLE,
                                   JM_ERROR_MALFORMED, JM_ERROR_DENIED };
  g_autoptr (JmReadings) readings = jm_readings_new ();

  jm_readings_begin (readings, JM_COLLECTOR_IO);
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      g_autoptr (GError) error = g_error_new (JM_ERROR, codes[i], "%u", i);

      jm_readings_add_error (readings, error);
    }

  g_assert_cmpstr (jm_readings_get_status (readings, JM_COLLECTOR_IO)
                     ->first_error->message,
                   ==, "1");
}

static void
test_a_job_that_has_ended_is_no_error (void)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  g_autoptr (GError) error = g_error_new (JM_ERROR, JM_ERROR_ABSENT, "gone");

  jm_readings_begin (readings, JM_COLLECTOR_IO);
  jm_readings_add_error (readings, error);

  g_assert_cmpuint (jm_readings_get_status (readings, JM_COLLECTOR_IO)->n_errors, ==,
                    0);
}

static void
test_a_new_round_forgets_the_last (void)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  g_autoptr (GError) error = g_error_new (JM_ERROR, JM_ERROR_DENIED, "no");
  guint n;

  jm_readings_set_subject (readings, 3);
  jm_readings_begin (readings, JM_COLLECTOR_IO);
  add_labelled (readings, JM_METRIC_IO_READS, "8:0", 1);
  jm_readings_add_process (readings, 42);
  jm_readings_add_error (readings, error);
  jm_readings_reset (readings, jm_collector_set_get_all ());

  jm_readings_get_values (readings, &n);
  g_assert_cmpuint (n, ==, 0);
  jm_readings_get_processes (readings, &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_null (jm_readings_get_status (readings, JM_COLLECTOR_IO)->first_error);
  jm_readings_add (readings, JM_METRIC_PIDS, 1);
  g_assert_cmpuint (jm_readings_get_values (readings, &n)->subject, ==, 0);
}

static void
test_processes_are_handed_on_subject_by_subject (void)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  guint n;

  jm_readings_add (readings, JM_METRIC_PIDS, 1);
  jm_readings_add_process (readings, 42);
  g_assert_cmpuint (jm_readings_get_processes (readings, &n)[0], ==, 42);
  jm_readings_clear_processes (readings);

  jm_readings_get_processes (readings, &n);
  g_assert_cmpuint (n, ==, 0);
  jm_readings_get_values (readings, &n);
  g_assert_cmpuint (n, ==, 1);
}

static void
test_finds_what_was_added_from_a_position_on (void)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();

  jm_readings_add (readings, JM_METRIC_PIDS, 1);
  jm_readings_add (readings, JM_METRIC_CPUS, 2);

  g_assert_cmpuint (jm_readings_find (readings, 0, JM_METRIC_PIDS)->value, ==, 1);
  g_assert_null (jm_readings_find (readings, 1, JM_METRIC_PIDS));
  g_assert_cmpuint (jm_readings_find (readings, 1, JM_METRIC_CPUS)->value, ==, 2);

  jm_readings_truncate (readings, 1);
  g_assert_nonnull (jm_readings_find (readings, 0, JM_METRIC_PIDS));
  g_assert_null (jm_readings_find (readings, 0, JM_METRIC_CPUS));
}

static void
test_figures_of_several_cgroups_are_summed_where_that_makes_sense (void)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  const JmReading *values;
  guint n;

  jm_readings_add (readings, JM_METRIC_PIDS, 100);
  for (guint cgroup = 1; cgroup <= 3; cgroup++)
    {
      jm_readings_add (readings, JM_METRIC_PIDS, cgroup);
      jm_readings_add (readings, JM_METRIC_MEMORY_PEAK, cgroup);
      add_labelled (readings, JM_METRIC_IO_READS, "8:0", cgroup);
    }
  add_labelled (readings, JM_METRIC_IO_READS, "8:16", 7);
  jm_readings_merge (readings, 1);
  values = jm_readings_get_values (readings, &n);

  g_assert_cmpuint (n, ==, 4);
  g_assert_cmpuint (values[0].value, ==, 100);
  g_assert_cmpuint (values[1].value, ==, 6);
  g_assert_cmpint (values[1].metric, ==, JM_METRIC_PIDS);
  g_assert_cmpuint (values[2].value, ==, 6);
  g_assert_cmpstr (jm_labels_get_value (values[2].labels, 0), ==, "8:0");
  g_assert_cmpuint (values[3].value, ==, 7);
}

static void
test_a_peak_of_one_cgroup_alone_is_kept (void)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();

  jm_readings_add (readings, JM_METRIC_MEMORY_PEAK, 5);
  jm_readings_merge (readings, 0);

  g_assert_cmpuint (jm_readings_find (readings, 0, JM_METRIC_MEMORY_PEAK)->value, ==,
                    5);
}

static void
test_copies_are_about_the_present_subject (void)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  g_autoptr (JmReadings) copies = jm_readings_new ();
  const JmReading *values;
  guint n;

  jm_readings_add (readings, JM_METRIC_PIDS, 1);
  add_labelled (readings, JM_METRIC_IO_READS, "8:0", 2);
  values = jm_readings_get_values (readings, &n);
  jm_readings_set_subject (copies, 9);
  jm_readings_add_copies (copies, values, n);
  jm_readings_reset (readings, jm_collector_set_get_all ());
  values = jm_readings_get_values (copies, &n);

  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (values[0].subject, ==, 9);
  g_assert_cmpuint (values[0].value, ==, 1);
  g_assert_cmpuint (values[1].subject, ==, 9);
  g_assert_cmpstr (jm_labels_get_value (values[1].labels, 0), ==, "8:0");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/readings/only-wanted-collectors-begin",
                   test_only_wanted_collectors_begin);
  g_test_add_func ("/readings/figures-belong-to-the-subject-that-was-set",
                   test_figures_belong_to_the_subject_that_was_set);
  g_test_add_func ("/readings/labels-that-a-source-keeps-are-shared",
                   test_labels_that_a_source_keeps_are_shared);
  g_test_add_func ("/readings/what-has-not-the-labels-of-its-metric-is-refused",
                   test_what_has_not_the_labels_of_its_metric_is_refused);
  g_test_add_func ("/readings/figures-of-a-domain-leave-the-source-open",
                   test_figures_of_a_domain_leave_the_source_open);
  g_test_add_func ("/readings/errors-count-for-the-collector-at-work",
                   test_errors_count_for_the_collector_at_work);
  g_test_add_func ("/readings/first-error", test_the_first_of_several_errors_is_kept);
  g_test_add_func ("/readings/a-job-that-has-ended-is-no-error",
                   test_a_job_that_has_ended_is_no_error);
  g_test_add_func ("/readings/a-new-round-forgets-the-last",
                   test_a_new_round_forgets_the_last);
  g_test_add_func ("/readings/processes-are-handed-on-subject-by-subject",
                   test_processes_are_handed_on_subject_by_subject);
  g_test_add_func ("/readings/finds-what-was-added-from-a-position-on",
                   test_finds_what_was_added_from_a_position_on);
  g_test_add_func ("/readings/"
                   "figures-of-several-cgroups-are-summed-where-that-makes-sense",
                   test_figures_of_several_cgroups_are_summed_where_that_makes_sense);
  g_test_add_func ("/readings/a-peak-of-one-cgroup-alone-is-kept",
                   test_a_peak_of_one_cgroup_alone_is_kept);
  g_test_add_func ("/readings/copies-are-about-the-present-subject",
                   test_copies_are_about_the_present_subject);

  return g_test_run ();
}
