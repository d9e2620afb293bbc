/* test-job-selection.c: which jobs are meant
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "../report/report-jobs.h"
#include "core/jm-job-selection.h"

static void
check (JmJobSelection *selection, const char *expected)
{
  g_autoptr (JmSnapshot) snapshot = report_jobs_make_snapshot ();
  g_autoptr (GArray) jobs = jm_job_selection_list (selection, snapshot);
  g_autoptr (GString) ids = g_string_new (NULL);

  for (guint i = 0; i < jobs->len; i++)
    {
      JmJob *job = jm_snapshot_get_job (snapshot, g_array_index (jobs, guint, i));

      g_string_append_printf (ids, "%s%s", i > 0 ? " " : "", jm_job_get_id (job));
    }
  g_assert_cmpstr (ids->str, ==, expected);
}

static void
test_all_jobs_are_meant_at_first (void)
{
  g_autoptr (JmJobSelection) selection = jm_job_selection_new ();

  g_assert_true (jm_job_selection_is_everything (selection));
  check (selection, "1012 7");
}

static void
test_users_are_meant_by_name_or_by_number (void)
{
  g_autoptr (JmJobSelection) selection = jm_job_selection_new ();
  const char *const alice[] = { "alice", NULL };
  const char *const both[] = { "1001", "alice", NULL };
  const char *const nobody[] = { "nobody", NULL };

  jm_job_selection_set_users (selection, alice);
  g_assert_false (jm_job_selection_is_everything (selection));
  check (selection, "1012");
  jm_job_selection_set_users (selection, both);
  check (selection, "1012 7");
  jm_job_selection_set_users (selection, nobody);
  check (selection, "");
  jm_job_selection_set_users (selection, NULL);
  check (selection, "1012 7");
}

static void
test_a_job_without_an_account_is_in_none (void)
{
  g_autoptr (JmJobSelection) selection = jm_job_selection_new ();
  const char *const accounts[] = { "physics", "", NULL };

  jm_job_selection_set_accounts (selection, accounts);
  check (selection, "1012");
}

static void
test_jobs_are_meant_by_state (void)
{
  g_autoptr (JmJobSelection) selection = jm_job_selection_new ();

  jm_job_selection_set_state (selection, JM_JOB_STATE_RUNNING);
  check (selection, "1012");
  jm_job_selection_set_state (selection, JM_JOB_STATE_ENDED);
  check (selection, "7");
}

static void
assert_needs (JmJobSelection *self, const JmCollectorSet *expected)
{
  JmCollectorSet needed = { { 0 } };

  jm_job_selection_add_collectors (self, &needed);
  g_assert_true (jm_collector_set_equal (&needed, expected));
}

static void
test_all_that_was_set_must_be_true (void)
{
  g_autoptr (JmJobSelection) selection = jm_job_selection_new ();
  g_autoptr (JmFilter) filter = jm_filter_new ("mem > 1MiB", NULL);

  jm_job_selection_set_filter (selection, filter);
  check (selection, "1012");
  assert_needs (selection, JM_COLLECTOR_SET (JM_COLLECTOR_MEMORY));
  jm_job_selection_set_state (selection, JM_JOB_STATE_ENDED);
  check (selection, "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/report/job-selection/all-jobs-are-meant-at-first",
                   test_all_jobs_are_meant_at_first);
  g_test_add_func ("/report/job-selection/users-are-meant-by-name-or-by-number",
                   test_users_are_meant_by_name_or_by_number);
  g_test_add_func ("/report/job-selection/a-job-without-an-account-is-in-none",
                   test_a_job_without_an_account_is_in_none);
  g_test_add_func ("/report/job-selection/jobs-are-meant-by-state",
                   test_jobs_are_meant_by_state);
  g_test_add_func ("/report/job-selection/all-that-was-set-must-be-true",
                   test_all_that_was_set_must_be_true);

  return g_test_run ();
}
