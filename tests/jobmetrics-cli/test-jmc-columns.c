/* test-jmc-columns.c: jobs in chosen columns and order, as a table and as CSV
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/jm-csv-private.h"
#include "base/jm-error.h"
#include "base/jm-safe-text-private.h"
#include "core/jm-job-selection.h"
#include "core/jm-metric-private.h"
#include "jm-snapshot-builder.h"
#include "jmc-columns.h"

static void
add_job (JmSnapshotBuilder *builder, JmJob *job, guint64 memory_used)
{
  jm_snapshot_builder_add_job (builder, job);
  if (memory_used > 0)
    jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_USED, memory_used);
  jm_job_unref (job);
}

/* Three jobs: little memory, much, and unknown. */
static JmSnapshot *
make_snapshot (void)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());

  add_job (builder, jm_test_job_new ("10", "user", "bob", "name", "b,\"c\"", NULL),
           1024);
  add_job (builder, jm_test_job_new ("9", "user", "alice", NULL), 1536);
  add_job (builder,
           jm_test_job_new ("12", "uid", "1001", "array_jobid", "8", "array_taskid",
                            "2", "name", "two\nlines", NULL),
           0);

  return jm_snapshot_builder_end (builder);
}

static GArray *
list_sorted (JmSnapshot *snapshot, const char *sort)
{
  g_autoptr (JmJobSelection) everything = jm_job_selection_new ();
  g_autoptr (JmcOrder) order = jmc_order_parse (sort, NULL);
  GArray *jobs = jm_job_selection_list (everything, snapshot);

  jmc_order_sort (order, snapshot, jobs);

  return jobs;
}

static JmTable *
make_table (const char *columns, const char *sort, JmSnapshot *snapshot)
{
  g_autoptr (GArray) jobs = list_sorted (snapshot, sort);
  JmTable *table = jm_table_new_of_jobs (columns, NULL);

  for (guint i = 0; i < jobs->len; i++)
    jm_table_add_subject (table, snapshot, g_array_index (jobs, guint, i));

  return table;
}

static void
check_table (const char *columns_text, const char *sort, const char *expected)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  g_autoptr (JmTable) table = make_table (columns_text, sort, snapshot);
  g_autofree char *text = jm_table_to_text (table, 0, FALSE, FALSE);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_jobs_are_sorted_by_number (void)
{
  check_table ("jobid", "jobid", "8_2\n9\n10\n");
  check_table ("jobid", "-jobid", "10\n9\n8_2\n");
}

static void
test_jobs_are_sorted_by_figures_and_by_text (void)
{
  check_table ("mem", "-mem", "1.5KiB\n1.0KiB\n     -\n");
  check_table ("user", "user", "1001\nalice\nbob\n");
}

static void
test_what_is_not_known_comes_last_in_either_order (void)
{
  check_table ("jobid", "mem", "10\n9\n8_2\n");
  check_table ("jobid", "-mem", "9\n10\n8_2\n");
  check_table ("jobid", "-start_time", "8_2\n9\n10\n");
}

static void
test_the_next_key_decides_among_the_alike (void)
{
  check_table ("jobid", "state,-mem", "9\n10\n8_2\n");
}

static void
test_csv_has_base_units_and_nothing_for_what_is_not_known (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  g_autoptr (JmTable) table = make_table ("jobid,user,mem,name", "jobid", snapshot);
  g_autofree char *text = jm_table_to_csv (table, TRUE);

  g_assert_cmpstr (text, ==,
                   "jobid,user,memory_used_bytes,name\r\n"
                   "12,,,\"two\nlines\"\r\n"
                   "9,alice,1536,\r\n"
                   "10,bob,1024,\"b,\"\"c\"\"\"\r\n");
}

static void
test_csv_is_valid_utf8_whatever_a_name_is (void)
{
  g_autoptr (GString) text = g_string_new (NULL);

  jm_csv_append (text, 0, "\xff");

  g_assert_true (g_utf8_validate (text->str, -1, NULL));
}

static void
test_csv_runs_in_no_spreadsheet_and_steers_no_terminal (void)
{
  static const struct
  {
    const char *cell;
    const char *csv;
  } cells[] = {
    { "=1+1", "'=1+1" },
    { "=HYPERLINK(\"x\";\"y\")", "\"'=HYPERLINK(\"\"x\"\";\"\"y\"\")\"" },
    { "+1+cmd|' /C x'!A0", "'+1+cmd|' /C x'!A0" },
    { "-2+3", "'-2+3" },
    { "-", "'-" },
    { "-inf", "'-inf" },
    { "@SUM(1)", "'@SUM(1)" },
    { "\xef\xbc\x9d"
      "1",
      "'\xef\xbc\x9d"
      "1" },
    { "\n=1", "\"'\n=1\"" },
    { " =1", "' =1" },
    { "\xc2\xa0\xe3\x80\x80@A1", "'\xc2\xa0\xe3\x80\x80@A1" },
    { "\t=1", "?=1" },
    { "\r=1", "?=1" },
    { "a;=1", "\"a;=1\"" },
    { "a\033[2J\xe2\x80\xae", "a?[2J?" },
    /* a number is one, and what is inside of a text is no harm */
    { "-12.5", "-12.5" },
    { "-1e-06", "-1e-06" },
    { "a=b-c", "a=b-c" },
    { "", "" },
    { NULL, "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      jm_csv_append (text, 0, cells[i].cell);
      g_assert_cmpstr (text->str, ==, cells[i].csv);
    }
}

static void
test_lines_for_a_terminal_steer_nothing (void)
{
  g_autoptr (GString) text = g_string_new ("a\033[2J\rb\r\nc\n");

  jm_safe_text_make_lines (text);

  g_assert_cmpstr (text->str, ==, "a?[2J?b\r\nc\n");
}

static void
check_error (const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (jm_table_new_of_jobs (text, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
}

static void
test_columns_that_there_are_not_are_refused (void)
{
  g_autoptr (GError) error = NULL;

  check_error ("");
  check_error ("jobid,");
  check_error ("jobid,moods");
  check_error ("cores"); /* is the node's */
  g_assert_null (jmc_order_parse ("--mem", &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
}

static void
assert_needs (const char *columns, const JmCollectorSet *expected)
{
  g_autoptr (JmTable) table = jm_table_new_of_jobs (columns, NULL);
  g_autoptr (GPtrArray) fields = jmc_columns_list_fields (table);
  JmCollectorSet needed = { { 0 } };

  for (guint i = 0; i < fields->len; i++)
    jm_field_add_collectors (fields->pdata[i], &needed);
  g_assert_true (jm_collector_set_equal (&needed, expected));
}

static void
test_no_more_is_read_than_the_columns_show (void)
{
  assert_needs ("jobid,uuid", &(JmCollectorSet){ { 0 } });
  assert_needs (JMC_LIST_COLUMNS,
                JM_COLLECTOR_SET (JM_COLLECTOR_CPU, JM_COLLECTOR_MEMORY,
                                  JM_COLLECTOR_PROCESS, JM_COLLECTOR_THREADS));
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (void);
  } tests[] = {
    { "jobs-are-sorted-by-number", test_jobs_are_sorted_by_number },
    { "jobs-are-sorted-by-figures-and-by-text",
      test_jobs_are_sorted_by_figures_and_by_text },
    { "what-is-not-known-comes-last-in-either-order",
      test_what_is_not_known_comes_last_in_either_order },
    { "the-next-key-decides-among-the-alike",
      test_the_next_key_decides_among_the_alike },
    { "csv-has-base-units-and-nothing-for-what-is-not-known",
      test_csv_has_base_units_and_nothing_for_what_is_not_known },
    { "csv-is-valid-utf8-whatever-a-name-is",
      test_csv_is_valid_utf8_whatever_a_name_is },
    { "csv-runs-in-no-spreadsheet-and-steers-no-terminal",
      test_csv_runs_in_no_spreadsheet_and_steers_no_terminal },
    { "lines-for-a-terminal-steer-nothing", test_lines_for_a_terminal_steer_nothing },
    { "columns-that-there-are-not-are-refused",
      test_columns_that_there_are_not_are_refused },
    { "no-more-is-read-than-the-columns-show",
      test_no_more_is_read_than_the_columns_show },
  };

  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/cli/columns/", tests[i].path, NULL);

      g_test_add_func (path, tests[i].test);
    }

  return g_test_run ();
}
