/* test-record-field.c: whatever is known of a record, by its name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-job-record-private.h"
#include "core/jm-metric-private.h"
#include "core/jm-record-field-private.h"
#include "jm-snapshot-builder.h"

#define BEGIN_US G_GINT64_CONSTANT (1700000000000000)
#define END_US (BEGIN_US + 2 * G_USEC_PER_SEC)

static JmJobRecord *
make_record (gint64 end_us, const JmCoverage *coverage, guint n_coverage)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmJob) job =
    jm_test_job_new ("7", "user", "alice", "start_time", "1600000000", NULL);
  g_autoptr (JmSnapshot) snapshot = NULL;
  JmJobRecordContent content = { .job = job,
                                 .node = "n1",
                                 .state = end_us > 0 ? JM_RUN_STATE_ENDED
                                                     : JM_RUN_STATE_RUNNING,
                                 .begin_us = BEGIN_US,
                                 .end_us = end_us,
                                 .seen_us = BEGIN_US + G_USEC_PER_SEC,
                                 .coverage = coverage,
                                 .n_coverage = n_coverage };

  jm_snapshot_builder_add_job (builder, job);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL, 3000000000);
  jm_snapshot_builder_add (builder, JM_METRIC_CPUS, 2);
  snapshot = jm_snapshot_builder_end (builder);
  content.snapshot = snapshot;

  return jm_job_record_new (&content);
}

static void
check (JmJobRecord *record, const char *name, const char *shown, const char *told)
{
  JmRecordField field;
  g_autofree char *text = NULL;
  g_autofree char *string = NULL;

  g_assert_true (jm_record_field_from_name (name, &field));
  text = jm_record_field_format (&field, record);
  string = jm_record_field_to_string (&field, record);
  g_assert_cmpstr (text, ==, shown);
  g_assert_cmpstr (string, ==, told);
}

static void
test_a_record_has_its_own_times (void)
{
  g_autoptr (JmJobRecord) record = make_record (END_US, NULL, 0);

  check (record, "state", "ended", "ended");
  check (record, "node", "n1", "n1");
  check (record, "BEGIN", "2023-11-14 22:13:20", "1700000000");
  check (record, "ENDED", "2023-11-14 22:13:22", "1700000002");
  check (record, "elapsed", "2.00s", "2");
  check (record, "eff", "75.0%", "75");
  check (record, "position", NULL, NULL);
}

static void
test_a_run_that_goes_on_counts_up_to_when_it_was_read (void)
{
  g_autoptr (JmJobRecord) record = make_record (0, NULL, 0);

  check (record, "state", "running", "running");
  check (record, "end_time", NULL, NULL);
  check (record, "elapsed", "1.00s", "1");
}

static void
test_fields_of_its_job_are_a_records_too (void)
{
  g_autoptr (JmJobRecord) record = make_record (END_US, NULL, 0);

  check (record, "user", "alice", "alice");
  check (record, "cpu_time", "3.00s", "3");
  check (record, "peak", NULL, NULL);
}

static void
test_the_least_that_was_observed_of_its_energy_counts (void)
{
  static const JmCoverage coverage[] = {
    { "life", 0.9, JM_TOTAL_METHOD_LAST },
    { "cpu", 1, JM_TOTAL_METHOD_FINAL },
    { "energy.package.0", 0.75, JM_TOTAL_METHOD_LAST },
    { "energy.package.1", 0.5, JM_TOTAL_METHOD_LAST },
  };
  g_autoptr (JmJobRecord) record =
    make_record (END_US, coverage, G_N_ELEMENTS (coverage));
  g_autoptr (JmJobRecord) bare = make_record (END_US, NULL, 0);

  check (record, "observed", "90.0%", "90");
  check (record, "cpu_observed_percent", "100.0%", "100");
  check (record, "energy_observed_percent", "50.0%", "50");
  check (record, "cpu_method", "final", "final");
  check (bare, "observed", NULL, NULL);
  check (bare, "energy_observed_percent", NULL, NULL);
}

static void
test_none_is_listed_that_has_no_meaning_for_a_record (void)
{
  g_autoptr (GArray) fields = jm_record_field_list ();
  JmRecordField field;
  guint n_states = 0;

  for (guint i = 0; i < fields->len; i++)
    {
      const JmRecordField *it = &g_array_index (fields, JmRecordField, i);

      n_states += g_str_equal (it->quantity->name, "state");
      g_assert_true (jm_record_field_from_name (it->quantity->name, &field));
      g_assert_true (field.field == it->field);
    }
  g_assert_cmpuint (n_states, ==, 1);
  g_assert_false (jm_record_field_from_name ("step", &field));
  g_assert_false (jm_record_field_from_name ("moods", &field));
}

int
main (int argc, char **argv)
{
  g_setenv ("TZ", "UTC", TRUE);
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/record-field/a-record-has-its-own-times",
                   test_a_record_has_its_own_times);
  g_test_add_func ("/record-field/a-run-that-goes-on-counts-up-to-when-it-was-read",
                   test_a_run_that_goes_on_counts_up_to_when_it_was_read);
  g_test_add_func ("/record-field/fields-of-its-job-are-a-records-too",
                   test_fields_of_its_job_are_a_records_too);
  g_test_add_func ("/record-field/the-least-that-was-observed-of-its-energy-counts",
                   test_the_least_that_was_observed_of_its_energy_counts);
  g_test_add_func ("/record-field/none-is-listed-that-has-no-meaning-for-a-record",
                   test_none_is_listed_that_has_no_meaning_for_a_record);

  return g_test_run ();
}
