/* test-gridengine-log.c: Grid Engine's accounting file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-run-field-private.h"
#include "log-fixture.h"
#include "schedulers/jm-scheduler-types-private.h"

#define ALL "1 2 3.1 3.2 3.3 4 5"
#define ROW(job, slave, submission, start, end, failed, status, pe, slots)             \
 "all.q:n1:ada:ada:x:" job ":sge:0:" submission ":" start ":" end ":" failed           \
 ":" status ":8:1.5:0.5:1:0:0:0:0:0:0:0:0:0:0:0:0:0:0:phys:defaultdepartment:" pe      \
 ":" slots ":0:2.25:0:0:NONE:0:" slave ":5000000:0:0\n"

static void
begin (LogFixture *f, gconstpointer data)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);

  log_begin (f, "gridengine-log", "accounting");
  f->history =
    JM_HISTORY (g_initable_new (JM_TYPE_GRID_ENGINE_LOG, NULL, NULL, "host", host,
                                "cluster", "alpha", "path", f->path, NULL));
  g_assert_nonnull (f->history);
}

static void
test_reports_what_was_recorded (LogFixture *f, gconstpointer data)
{
  log_write (f, f->text, f->length);
  log_read (f);

  log_assert_list (f, ALL);
  g_assert_cmpstr (jm_history_get_position_name (f->history), ==,
                   "gridengine-log/alpha");
  g_assert_cmpstr (log_text (f, 0, JM_RUN_FIELD_USER), ==, "alice");
  g_assert_cmpstr (log_text (f, 0, JM_RUN_FIELD_NAME), ==, "burn");
  g_assert_cmpstr (log_text (f, 0, JM_RUN_FIELD_PARTITION), ==, "all.q");
  g_assert_null (log_text (f, 0, JM_RUN_FIELD_ACCOUNT));
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_SUBMIT_TIME), ==, 1795247423);
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_START_TIME), ==, 1795247434);
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_END_TIME), ==, 1795247474);
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_ELAPSED), ==, 40);
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_CPU_TOTAL), ==, 26132915);
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_MEMORY_PEAK), ==, -1);
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_CPUS), ==, 1);
  g_assert_cmpstr (log_text (f, 2, JM_RUN_FIELD_ARRAY_TASKID), ==, "1");
  g_assert_cmpstr (log_text (f, 5, JM_RUN_FIELD_STATE), ==, "FAILED");
  g_assert_cmpint (log_number (f, 5, JM_RUN_FIELD_EXIT_CODE), ==, 1);
}

static void
test_reads_in_two_parts_what_it_reads_in_one (LogFixture *f, gconstpointer data)
{
  log_assert_cuts (f, ALL);
}

/* Wherever it was read last: before the rotation or after it, by name or by copying. */
static void
test_a_rotation_loses_nothing (LogFixture *f, gconstpointer data)
{
  static const char newer[] =
    "# Version: 8.1.9\n" ROW ("6", "NONE", "1795250000", "1795250001", "1795250002",
                              "0", "0", "NONE", "1");
  g_autofree char *old = g_strconcat (f->path, ".0", NULL);

  for (gsize cut = 0; cut <= f->length; cut++)
    {
      log_forget (f);
      g_unlink (old);
      log_write (f, f->text, cut);
      log_read (f);
      log_write (f, f->text, f->length);
      log_set_time (f->path, 1795249000);
      g_assert_cmpint (g_rename (f->path, old), ==, 0);
      log_write (f, newer, strlen (newer));
      log_read (f);
      log_assert_list (f, ALL " 6");
    }
}

static void
test_a_slave_is_no_run (LogFixture *f, gconstpointer data)
{
  static const char text[] =
    ROW ("7", "1.n2", "0", "1795250001", "1795250002", "0", "0", "mpi", "4")
      ROW ("7", "NONE", "1795250000", "1795250001", "1795250002", "0", "0", "mpi", "4");

  log_write (f, text, strlen (text));
  log_read (f);

  log_assert_list (f, "7");
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_CPUS), ==, 4);
  g_assert_null (log_text (f, 0, JM_RUN_FIELD_NODE_LIST));
  g_assert_cmpstr (log_text (f, 0, JM_RUN_FIELD_ACCOUNT), ==, "phys");
}

static void
test_a_rerun_is_a_run_of_its_own (LogFixture *f, gconstpointer data)
{
  static const char text[] =
    ROW ("8", "NONE", "1795250000123", "1795250001500", "1795250009500", "25", "137",
         "NONE", "1") ROW ("8", "NONE", "1795250000123", "1795250011500",
                           "1795250012500", "0", "0", "NONE", "1");

  log_write (f, text, strlen (text));
  log_read (f);

  log_assert_list (f, "8 8");
  g_assert_cmpstr (log_text (f, 0, JM_RUN_FIELD_STATE), ==, "REQUEUED");
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_EXIT_SIGNAL), ==, 9);
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_START_TIME), ==, 1795250001);
  g_assert_cmpint (log_number (f, 1, JM_RUN_FIELD_START_TIME), ==, 1795250011);
}

static void
test_passes_over_what_is_no_row (LogFixture *f, gconstpointer data)
{
  static const char text[] =
    "all.q:n1\nnonsense\n" ROW ("9", "NONE", "1795250000", "1795250001", "1795250002",
                                "0", "0", "NONE", "1");

  log_write (f, text, strlen (text));
  g_test_expect_message (NULL, G_LOG_LEVEL_WARNING,
                         "*byte 9: cannot read the record*passed over: 2");
  log_read (f);
  g_test_assert_expected_messages ();

  log_assert_list (f, "9");
}

static void
test_a_value_that_cannot_be_read_costs_itself (LogFixture *f, gconstpointer data)
{
  static const char text[] = ROW ("9", "NONE", "1795250000", "1795250001", "1795250002",
                                  "0", "-1", "NONE", "many");

  log_write (f, text, strlen (text));
  g_test_expect_message (NULL, G_LOG_LEVEL_WARNING, "*cannot read slots*over: 1");
  log_read (f);
  g_test_assert_expected_messages ();

  log_assert_list (f, "9");
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_CPUS), ==, -1);
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_EXIT_CODE), ==, -1);
  g_assert_null (log_text (f, 0, JM_RUN_FIELD_STATE));
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_ELAPSED), ==, 1);
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_CPU_TOTAL), ==, 2250000);
}

static void
test_a_position_of_another_kind_is_refused (LogFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  log_write (f, f->text, f->length);
  g_assert_false (jm_history_read (f->history, "yesterday", log_take, f, NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(test)                                                                      \
 g_test_add ("/gridengine-log/" #test, LogFixture, NULL, begin, test_##test, log_end)
  ADD (reports_what_was_recorded);
  ADD (reads_in_two_parts_what_it_reads_in_one);
  ADD (a_rotation_loses_nothing);
  ADD (a_slave_is_no_run);
  ADD (a_rerun_is_a_run_of_its_own);
  ADD (passes_over_what_is_no_row);
  ADD (a_value_that_cannot_be_read_costs_itself);
  ADD (a_position_of_another_kind_is_refused);
#undef ADD

  return g_test_run ();
}
