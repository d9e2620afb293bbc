/* test-pbs-log.c: PBS's accounting logs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-run-field-private.h"
#include "log-fixture.h"
#include "schedulers/jm-scheduler-types-private.h"

#define ALL "101.head1 102.head1 104[7].head1 102.head1"

static void
begin (LogFixture *f, gconstpointer data)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);

  log_begin (f, "pbs-log", "20221004");
  f->history =
    JM_HISTORY (g_initable_new (JM_TYPE_PBS_LOG, NULL, NULL, "host", host, "cluster",
                                "alpha", "directory", f->directory, NULL));
  g_assert_nonnull (f->history);
}

static void
test_reports_what_was_written (LogFixture *f, gconstpointer data)
{
  log_write (f, f->text, f->length);
  g_test_expect_message (NULL, G_LOG_LEVEL_WARNING, "*20221004*passed over: 1");
  log_read (f);
  g_test_assert_expected_messages ();

  log_assert_list (f, ALL);
  g_assert_cmpstr (jm_history_get_position_name (f->history), ==, "pbs-log/alpha");
  g_assert_cmpstr (log_text (f, 0, JM_RUN_FIELD_USER), ==, "ada");
  g_assert_cmpstr (log_text (f, 0, JM_RUN_FIELD_ACCOUNT), ==, "physics");
  g_assert_cmpstr (log_text (f, 0, JM_RUN_FIELD_PARTITION), ==, "workq");
  g_assert_cmpstr (log_text (f, 0, JM_RUN_FIELD_NODE_LIST), ==, "node1");
  g_assert_cmpstr (log_text (f, 0, JM_RUN_FIELD_STATE), ==, "COMPLETED");
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_SUBMIT_TIME), ==, 1664918401);
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_ELIGIBLE_TIME), ==, 1664918402);
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_START_TIME), ==, 1664918405);
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_END_TIME), ==, 1664920805);
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_TIME_LIMIT), ==, 3600);
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_ELAPSED), ==, 2400);
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_CPUS), ==, 4);
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_GPUS_ALLOCATED), ==, 1);
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_NODES), ==, 1);
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_CPU_TOTAL), ==, 9360000000);
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_MEMORY_PEAK), ==, 2147483648);
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_MEMORY_ALLOCATED), ==, 17179869184);
}

static void
test_a_rerun_and_an_array (LogFixture *f, gconstpointer data)
{
  log_write (f, f->text, f->length);
  g_test_expect_message (NULL, G_LOG_LEVEL_WARNING, "*");
  log_read (f);

  g_assert_cmpstr (log_text (f, 1, JM_RUN_FIELD_STATE), ==, "REQUEUED");
  g_assert_cmpstr (log_text (f, 1, JM_RUN_FIELD_ACCOUNT), ==, "chem");
  g_assert_cmpint (log_number (f, 1, JM_RUN_FIELD_NODES), ==, 2);
  g_assert_cmpint (log_number (f, 1, JM_RUN_FIELD_MEMORY_PEAK), ==, -1);
  g_assert_cmpint (log_number (f, 1, JM_RUN_FIELD_EXIT_CODE), ==, -1);
  g_assert_cmpstr (log_text (f, 2, JM_RUN_FIELD_ARRAY_JOBID), ==, "104");
  g_assert_cmpstr (log_text (f, 2, JM_RUN_FIELD_ARRAY_TASKID), ==, "7");
  g_assert_cmpstr (log_text (f, 2, JM_RUN_FIELD_NAME), ==, "a b=c");
  g_assert_cmpint (log_number (f, 2, JM_RUN_FIELD_EXIT_SIGNAL), ==, 15);
  g_assert_cmpint (log_number (f, 3, JM_RUN_FIELD_EXIT_CODE), ==, 1);
}

static void
test_a_value_that_cannot_be_read_costs_itself (LogFixture *f, gconstpointer data)
{
  static const char text[] =
    "10/05/2022 00:10:00;E;105.head1;user=ada start=1664928000 end=1664928600 "
    "Exit_status=0 Resource_List.mem=lots resources_used.cput=00:10:00\n"
    "10/05/2022 00:10:00;E;106.head1;user=ada start=1664928000 end=soon\n";

  log_write (f, text, strlen (text));
  g_test_expect_message (NULL, G_LOG_LEVEL_WARNING,
                         "*cannot read Resource_List.mem*over: 2");
  log_read (f);
  g_test_assert_expected_messages ();

  log_assert_list (f, "105.head1");
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_MEMORY_ALLOCATED), ==, -1);
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_CPU_TOTAL), ==, 600000000);
}

static void
test_reads_in_two_parts_what_it_reads_in_one (LogFixture *f, gconstpointer data)
{
  char *bad = strstr (f->text, "this is no");

  /* it is warned of elsewhere */
  memmove (bad, strchr (bad, '\n') + 1, strlen (strchr (bad, '\n') + 1) + 1);
  f->length = strlen (f->text);
  log_assert_cuts (f, ALL);
}

/* The day before is packed while the next one is written. */
static void
test_a_packed_day_goes_on_where_it_was (LogFixture *f, gconstpointer data)
{
  g_autofree char *packed = g_strconcat (f->path, ".gz", NULL);
  g_autofree char *next = g_build_filename (f->directory, "20221005", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (packed);
  g_autoptr (GOutputStream) raw = NULL;
  g_autoptr (GOutputStream) stream = NULL;
  g_autoptr (GConverter) pack =
    G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1));
  const char *end = strstr (f->text, "\nthis is");
  const char *half = strstr (f->text, "10/04/2022 22:10");
  static const char more[] =
    "10/05/2022 00:10:00;E;105.head1;user=ada start=1664928000 "
    "end=1664928600 Exit_status=0\n";

  log_write (f, f->text, (gsize) (half - f->text));
  log_read (f);
  log_assert_list (f, "101.head1");

  raw = G_OUTPUT_STREAM (g_file_create (file, 0, NULL, NULL));
  stream = g_converter_output_stream_new (raw, pack);
  g_assert_true (g_output_stream_write_all (stream, f->text,
                                            (gsize) (end + 1 - f->text), NULL, NULL,
                                            NULL));
  g_assert_true (g_output_stream_close (stream, NULL, NULL));
  g_unlink (f->path);
  g_assert_true (g_file_set_contents (next, more, -1, NULL));
  log_read (f);
  log_assert_list (f, "101.head1 102.head1 104[7].head1 105.head1");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(test)                                                                      \
 g_test_add ("/pbs-log/" #test, LogFixture, NULL, begin, test_##test, log_end)
  ADD (reports_what_was_written);
  ADD (a_rerun_and_an_array);
  ADD (a_value_that_cannot_be_read_costs_itself);
  ADD (reads_in_two_parts_what_it_reads_in_one);
  ADD (a_packed_day_goes_on_where_it_was);
#undef ADD

  return g_test_run ();
}
