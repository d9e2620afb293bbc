/* test-jmc-record-page.c: what ledger makes of records
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "base/jm-error.h"
#include "core/jm-job-profile-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-metric-private.h"
#include "jm-snapshot-builder.h"
#include "ledger/jmc-ledger-output.h"

#define BEGIN_US G_GINT64_CONSTANT (1700000000000000)
#define MS G_GINT64_CONSTANT (1000)
#define NS_PER_S G_GUINT64_CONSTANT (1000000000)

static const JmCoverage coverage[] = {
  { "life", 0.75, JM_TOTAL_METHOD_LAST },
  { "cpu", 1, JM_TOTAL_METHOD_FINAL },
  { "energy.package.0", 0.5, JM_TOTAL_METHOD_CHECKPOINT },
};

static const JmcRecordStyle plain = { .is_ascii = TRUE, .depth = JM_SUBJECT_KIND_JOB };

static JmSnapshot *
make_snapshot (JmJob *job)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmLabels) measured = jm_labels_of ("package", "measured", NULL);

  jm_snapshot_builder_add_job (builder, job);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL, 2 * NS_PER_S);
  jm_snapshot_builder_add (builder, JM_METRIC_CPUS, 2);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_PEAK, 3 << 20);
  jm_snapshot_builder_add (builder, JM_METRIC_PROCESSES_PEAK, 4);
  jm_snapshot_builder_add_labels (builder, JM_METRIC_ENERGY, measured, 12000000);

  return jm_snapshot_builder_end (builder);
}

/* Two seconds, of which the last half was not observed. */
static JmJobProfile *
make_profile (void)
{
  JmJobProfile *profile = jm_job_profile_new (BEGIN_US);

  for (guint i = 0; i < 3; i++)
    {
      const gint64 from_us = BEGIN_US + i * 500 * MS;

      jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_CPU, from_us,
                              from_us + 500 * MS, (i + 1) * NS_PER_S / 4);
      jm_job_profile_add_level (profile, JM_PROFILE_SERIES_MEMORY, from_us,
                                from_us + 500 * MS, (i + 1) << 20);
    }

  return profile;
}

static JmJobRecord *
make_record (void)
{
  g_autoptr (JmJob) job =
    jm_test_job_new ("7", "user", "alice", "uid", "1001", "account", "physics", "name",
                     "train\033[2J", NULL);
  g_autoptr (JmSnapshot) snapshot = make_snapshot (job);
  g_autoptr (JmJobProfile) profile = make_profile ();
  const JmJobRecordContent content = { .job = job,
                                       .node = "n1",
                                       .state = JM_RUN_STATE_LOST,
                                       .begin_us = BEGIN_US,
                                       .end_us = BEGIN_US + 2000 * MS,
                                       .seen_us = BEGIN_US + 1500 * MS,
                                       .snapshot = snapshot,
                                       .profile = profile,
                                       .coverage = coverage,
                                       .n_coverage = G_N_ELEMENTS (coverage) };

  return jm_job_record_new (&content);
}

static JmJobRecord *
make_bare_record (void)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmJob) job = jm_test_job_new ("8", NULL);
  g_autoptr (JmSnapshot) snapshot = NULL;
  JmJobRecordContent content = { .job = job, .begin_us = BEGIN_US };

  jm_snapshot_builder_add_job (builder, job);
  snapshot = jm_snapshot_builder_end (builder);
  content.snapshot = snapshot;

  return jm_job_record_new (&content);
}

static void
test_a_page_reports_how_much_was_observed_and_how (void)
{
  g_autoptr (JmJobRecord) record = make_record ();
  g_autofree char *page = jmc_record_page_render (record, &plain);

  g_assert_cmpstr (
    page, ==,
    "Job 7\n"
    "  Name        train?[2J\n"
    "  User        alice (1001)\n"
    "  Account     physics\n"
    "  Partition   -\n"
    "  Scheduler   -\n"
    "  Node        n1\n"
    "  State       lost: it ended while no exporter ran\n"
    "  Began       2023-11-14 22:13:20 UTC\n"
    "  Ended       2023-11-14 22:13:22 UTC\n"
    "  Elapsed     2.00s\n"
    "  Efficiency  50.0%\n"
    "  UUID        f92511db-1dd2-5d42-81dd-1690fe579414 (weak: made without a time)\n"
    "  Known from  hook: jobid, user, uid, account, name\n"
    "\n"
    "How much of it was observed\n"
    "  Life                75.0%  as read last before its end; the rest is lost\n"
    "  CPU time           100.0%  read when its last process had gone\n"
    "  Energy, package 0   50.0%  as stored last, before the exporter or the node "
    "ended\n"
    "\n"
    "CPU\n"
    "  CPUs   2\n"
    "  Total  2.00s\n"
    "\n"
    "Memory\n"
    "  Peak  3.0MiB\n"
    "\n"
    "Processes\n"
    "  Processes  at most 4\n"
    "\n"
    "Energy\n"
    "  DOMAIN   ENERGY  QUALITY   KNOWN\n"
    "  package     12J  measured  -\n"
    "\n"
    "Over its life (2 points of 1.00s)\n"
    "  CPU     ##  at most 0.8 CPUs\n"
    "  Memory  *#  at most 3.0MiB\n");
}

static void
test_a_page_invents_nothing (void)
{
  g_autoptr (JmJobRecord) record = make_bare_record ();
  g_autofree char *page = jmc_record_page_render (record, &plain);

  g_assert_cmpstr (page, ==,
                   "Job 8\n"
                   "  Name        -\n"
                   "  User        -\n"
                   "  Account     -\n"
                   "  Partition   -\n"
                   "  Scheduler   -\n"
                   "  State       running\n"
                   "  Began       2023-11-14 22:13:20 UTC\n"
                   "  UUID        9fef4cc2-5054-554b-a429-bc208254d5c9 (weak: made "
                   "without a time)\n"
                   "  Known from  hook: jobid\n");
}

static void
test_bars_have_what_is_left_of_a_terminal (void)
{
  g_autoptr (JmJobRecord) record = make_record ();
  const JmcRecordStyle style = { .width = 80, .depth = JM_SUBJECT_KIND_JOB };
  g_autofree char *page = jmc_record_page_render (record, &style);
  g_auto (GStrv) lines = g_strsplit (page, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    if (strstr (*line, "█") != NULL)
      g_assert_cmpint (g_utf8_strlen (*line, -1), <=, 80);
  g_assert_nonnull (strstr (page, "█"));
}

static JmTable *
parse_columns (const char *text)
{
  g_autoptr (GError) error = NULL;
  JmTable *table = jm_table_new_of_records (text, &error);

  g_assert_no_error (error);

  return table;
}

static void
test_a_table_has_the_columns_of_which_something_is_known (void)
{
  g_autoptr (JmJobRecord) record = make_record ();
  g_autoptr (JmJobRecord) bare = make_bare_record ();
  g_autoptr (JmTable) table = parse_columns ("jobid,state,elapsed,eff");
  g_autofree char *lines = NULL;

  jm_table_add_optional_columns (table, "energy,co2,observed");
  jm_table_add_record (table, record);
  jm_table_add_record (table, bare);
  lines = jm_table_to_text (table, 0, TRUE, FALSE);

  g_assert_cmpstr (lines, ==,
                   "JOBID  STATE    ELAPSED  EFF%  ENERGY  OBSERVED%\n"
                   "7      lost       2.00s  50.0     12J       75.0\n"
                   "8      running        -     -       -          -\n");
}

static void
test_csv_is_in_base_units (void)
{
  g_autoptr (JmJobRecord) record = make_record ();
  g_autoptr (JmJobRecord) bare = make_bare_record ();
  g_autoptr (JmTable) table =
    parse_columns ("jobid,user,begin,ended,elapsed,cpu_time,energy,observed");
  g_autofree char *text = NULL;

  jm_table_add_record (table, record);
  jm_table_add_record (table, bare);
  text = jm_table_to_csv (table, TRUE);

  g_assert_cmpstr (text, ==,
                   "jobid,user,begin_time,end_time,elapsed_seconds,cpu_seconds,"
                   "energy_joules,life_observed_percent,estimated\r\n"
                   "7,alice,1700000000,1700000002,2,2,12,75,\r\n"
                   "8,,1700000000,,,,,,\r\n");
}

static void
test_a_column_that_is_not_there_is_named (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (jm_table_new_of_records ("jobid,moods", &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "'moods'"));
}

static void
test_a_course_has_a_line_for_each_point (void)
{
  g_autoptr (JmJobRecord) record = make_record ();
  g_autoptr (JmJobRecord) bare = make_bare_record ();
  g_autoptr (GString) text = g_string_new (NULL);

  jmc_profile_csv_append_titles (text);
  jmc_profile_csv_append (text, record);
  jmc_profile_csv_append (text, bare);

  g_assert_cmpstr (
    text->str, ==,
    "jobid,begin_time,time,interval_seconds,cpu_seconds,memory_bytes,memory_peak_bytes,"
    "read_bytes,write_bytes,threads,threads_peak,energy_joules,gpu_utilization_ratio,"
    "gpu_utilization_peak_ratio,gpu_memory_bytes,gpu_memory_peak_bytes\r\n"
    "7,1700000000,1700000000,1,0.75,1572864,2097152,,,,,,,,,\r\n"
    "7,1700000000,1700000001,1,0.75,3145728,3145728,,,,,,,,,\r\n");
}

int
main (int argc, char **argv)
{
  g_setenv ("TZ", "UTC", TRUE);
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cli/ledger/a-page-reports-how-much-was-observed-and-how",
                   test_a_page_reports_how_much_was_observed_and_how);
  g_test_add_func ("/cli/ledger/a-page-invents-nothing", test_a_page_invents_nothing);
  g_test_add_func ("/cli/ledger/bars-have-what-is-left-of-a-terminal",
                   test_bars_have_what_is_left_of_a_terminal);
  g_test_add_func ("/cli/ledger/a-table-has-the-columns-of-which-something-is-known",
                   test_a_table_has_the_columns_of_which_something_is_known);
  g_test_add_func ("/cli/ledger/csv-is-in-base-units", test_csv_is_in_base_units);
  g_test_add_func ("/cli/ledger/a-column-that-is-not-there-is-named",
                   test_a_column_that_is_not_there_is_named);
  g_test_add_func ("/cli/ledger/a-course-has-a-line-for-each-point",
                   test_a_course_has_a_line_for_each_point);

  return g_test_run ();
}
