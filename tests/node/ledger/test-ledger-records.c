/* test-ledger-records.c: records, found again by who asks for them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib/gstdio.h>

#include "base/jm-error.h"
#include "core/jm-job-record-private.h"
#include "made-ledger.h"

static const MadeRun runs[] = {
  { .key = "b/1",
    .id = "1",
    .user = "ada",
    .uid = "1000",
    .account = "physics",
    .scheduler = "slurm",
    .cluster = "lab",
    .state = JM_RUN_STATE_ENDED,
    .begin_us = BEGIN_US,
    .end_us = BEGIN_US + 10 * SECOND_US,
    .cpu_ns = 7000000000,
    .measured_uj = 50,
    .estimated_uj = 5 },
  { .key = "b/2",
    .id = "2",
    .user = "bob",
    .uid = "1001",
    .account = "physics",
    .scheduler = "slurm",
    .cluster = "lab",
    .array_job = "9",
    .array_task = "4",
    .state = JM_RUN_STATE_ENDED,
    .begin_us = BEGIN_US + 5 * SECOND_US,
    .end_us = BEGIN_US + 20 * SECOND_US,
    .cpu_ns = 1000000000,
    .measured_uj = 20 },
  { .key = "b/3",
    .id = "3.server",
    .user = "ada",
    .uid = "1000",
    .account = "maths",
    .scheduler = "pbs",
    .state = JM_RUN_STATE_LOST,
    .begin_us = BEGIN_US + 30 * SECOND_US,
    .end_us = BEGIN_US + 40 * SECOND_US,
    .cpu_ns = 3000000000 },
  { .key = "b/4",
    .id = "1",
    .user = "ada",
    .uid = "1000",
    .account = "physics",
    .scheduler = "slurm",
    .cluster = "lab",
    .state = JM_RUN_STATE_ENDED,
    .begin_us = BEGIN_US + 50 * SECOND_US,
    .end_us = BEGIN_US + 60 * SECOND_US,
    .cpu_ns = 2000000000,
    .measured_uj = 30 },
};

static const MadeRun running = {
  .key = "b/5",
  .id = "5",
  .user = "ada",
  .uid = "1000",
  .account = "physics",
  .scheduler = "slurm",
  .state = JM_RUN_STATE_RUNNING,
  .begin_us = BEGIN_US + 55 * SECOND_US,
};

static void
set_running (JmLedger *ledger, const MadeRun *run)
{
  JmLedgerBatch *batch = jm_ledger_batch_new ();
  g_autoptr (JmJobRecord) record = made_record_new (run);

  jm_ledger_batch_set_running (batch, record);
  made_ledger_finish (ledger, jm_ledger_submit (ledger, batch));
}

static JmLedger *
open_with_records (Place *place)
{
  JmLedger *ledger = made_ledger_open (place);

  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    made_ledger_append_run (ledger, &runs[i]);
  set_running (ledger, &running);

  return ledger;
}

static void
assert_ids (JmLedger *ledger, JmLedgerFilter *filter, const char *expected)
{
  g_autofree char *ids = made_ledger_list_ids (ledger, filter);

  g_assert_cmpstr (ids, ==, expected);
}

static void
test_all_are_there_in_the_order_of_their_ends (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = open_with_records (place);

  assert_ids (ledger, NULL, "1 2 3.server 1 5");
}

static void
test_a_record_is_as_it_was (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = open_with_records (place);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmJobRecord) record = jm_ledger_find (ledger, "2", &error);

  g_assert_no_error (error);
  g_assert_cmpstr (jm_job_record_get_key (record), ==, "b/2");
  g_assert_cmpint (jm_job_record_get_state (record), ==, JM_RUN_STATE_ENDED);
  g_assert_cmpint (jm_job_record_get_begin_time (record), ==, BEGIN_US + 5 * SECOND_US);
  g_assert_cmpint (jm_job_record_get_end_time (record), ==, BEGIN_US + 20 * SECOND_US);
  g_assert_cmpstr (jm_job_get_user (jm_job_record_get_job (record)), ==, "bob");
}

static void
test_one_that_is_recorded_again_counts_once (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = made_ledger_open (place);
  g_autoptr (GArray) totals = NULL;

  made_ledger_append_run (ledger, &runs[0]);
  made_ledger_finish (ledger, made_ledger_append_run (ledger, &runs[0]));
  made_ledger_finish (ledger, made_ledger_append_run (ledger, &runs[0]));
  assert_ids (ledger, NULL, "1");

  totals = jm_ledger_list_totals (ledger);
  g_assert_cmpuint (totals->len, ==, 1);
  g_assert_cmpuint (g_array_index (totals, JmLedgerTotal, 0).n_jobs, ==, 1);
}

static void
test_one_that_ends_runs_no_more_and_leaves_no_values (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = made_ledger_open (place);
  g_autoptr (GPtrArray) left = NULL;
  g_autoptr (GHashTable) values = NULL;
  MadeRun ended = running;

  ended.state = JM_RUN_STATE_ENDED;
  ended.end_us = BEGIN_US + 90 * SECOND_US;
  set_running (ledger, &running);
  made_ledger_set (ledger, "energy", "b/5", "1");
  made_ledger_set (ledger, "process", "b/5", "2");
  made_ledger_finish (ledger, made_ledger_set (ledger, "energy", "b/6", "3"));
  made_ledger_finish (ledger, made_ledger_append_run (ledger, &ended));

  left = jm_ledger_load_running (ledger, NULL);
  g_assert_cmpuint (left->len, ==, 0);
  values = jm_ledger_load (ledger, "energy", NULL);
  g_assert_cmpuint (g_hash_table_size (values), ==, 1);
  g_assert_true (g_hash_table_contains (values, "b/6"));
  assert_ids (ledger, NULL, "5");
}

static void
test_those_that_run_are_loaded (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = open_with_records (place);
  g_autoptr (GPtrArray) records = jm_ledger_load_running (ledger, NULL);

  g_assert_cmpuint (records->len, ==, 1);
  g_assert_cmpstr (jm_job_record_get_key (records->pdata[0]), ==, "b/5");
  g_assert_cmpuint (jm_job_record_get_position (records->pdata[0]), ==, 0);
}

static void
test_one_whose_end_was_seen_is_loaded_until_it_is_recorded (Place *place,
                                                            gconstpointer data)
{
  g_autoptr (JmLedger) ledger = made_ledger_open (place);
  g_autoptr (GPtrArray) records = NULL;
  MadeRun ended = running;

  ended.state = JM_RUN_STATE_ENDED;
  ended.end_us = BEGIN_US + 90 * SECOND_US;
  set_running (ledger, &ended);

  records = jm_ledger_load_running (ledger, NULL);
  g_assert_cmpuint (records->len, ==, 1);
  g_assert_cmpint (jm_job_record_get_state (records->pdata[0]), ==, JM_RUN_STATE_ENDED);
}

static void
assert_called (JmLedger *ledger, const char *job, const char *ids)
{
  g_autoptr (JmLedgerFilter) filter = jm_ledger_filter_new ();

  jm_ledger_filter_set_job (filter, job);
  assert_ids (ledger, filter, ids);
}

static void
test_a_job_is_found_by_each_of_its_names (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = open_with_records (place);
  g_autoptr (JmJobRecord) record = jm_ledger_find (ledger, "9_4", NULL);

  assert_called (ledger, "1", "1 1");
  assert_called (ledger, "slurm:1", "1 1");
  assert_called (ledger, "lab/1", "1 1");
  assert_called (ledger, "slurm:lab/1", "1 1");
  assert_called (ledger, "pbs:1", "");
  assert_called (ledger, "other/1", "");
  assert_called (ledger, "9_4", "2");
  assert_called (ledger, "lab/9_4", "2");
  assert_called (ledger, "9_5", "");
  assert_called (ledger, "3.server", "3.server");
  assert_called (ledger, "3", "3.server");
  assert_called (ledger, "pbs:3", "3.server");
  assert_called (ledger, "", "");
  assert_called (ledger, "%", "");
  assert_called (ledger, jm_job_get_uuid (jm_job_record_get_job (record)), "2");
}

static void
test_the_last_run_of_a_job_is_found (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = open_with_records (place);
  g_autoptr (JmJobRecord) requeued = jm_ledger_find (ledger, "1", NULL);
  g_autoptr (JmJobRecord) current = jm_ledger_find (ledger, "5", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (jm_job_record_get_key (requeued), ==, "b/4");
  g_assert_cmpstr (jm_job_record_get_key (current), ==, "b/5");
  g_assert_null (jm_ledger_find (ledger, "77", &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

static void
test_users_accounts_and_states_are_distinguished (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = open_with_records (place);
  g_autoptr (JmLedgerFilter) user = jm_ledger_filter_new ();
  g_autoptr (JmLedgerFilter) uid = jm_ledger_filter_new ();
  g_autoptr (JmLedgerFilter) account = jm_ledger_filter_new ();
  g_autoptr (JmLedgerFilter) state = jm_ledger_filter_new ();

  jm_ledger_filter_set_user (user, "ada");
  assert_ids (ledger, user, "1 3.server 1 5");
  jm_ledger_filter_set_account (user, "maths");
  assert_ids (ledger, user, "3.server");
  jm_ledger_filter_set_uid (uid, 1001);
  assert_ids (ledger, uid, "2");
  jm_ledger_filter_set_account (account, "physics");
  assert_ids (ledger, account, "1 2 1 5");
  jm_ledger_filter_set_state (state, JM_RUN_STATE_LOST);
  assert_ids (ledger, state, "3.server");
  jm_ledger_filter_set_state (state, JM_RUN_STATE_RUNNING);
  assert_ids (ledger, state, "5");
  jm_ledger_filter_set_state (state, JM_RUN_STATE_ENDED);
  assert_ids (ledger, state, "1 2 1");
}

static void
assert_period (JmLedger *ledger, guint since_s, guint until_s, const char *ids)
{
  g_autoptr (JmLedgerFilter) filter = jm_ledger_filter_new ();

  jm_ledger_filter_set_period (filter, since_s > 0 ? BEGIN_US + since_s * SECOND_US : 0,
                               until_s > 0 ? BEGIN_US + until_s * SECOND_US : 0);
  assert_ids (ledger, filter, ids);
}

static void
test_a_period_has_what_ran_in_it (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = open_with_records (place);

  assert_period (ledger, 0, 0, "1 2 3.server 1 5");
  assert_period (ledger, 15, 0, "2 3.server 1 5");
  assert_period (ledger, 0, 4, "1");
  assert_period (ledger, 12, 35, "2 3.server");
  assert_period (ledger, 21, 29, "");
  assert_period (ledger, 100, 0, "5");
}

static void
test_pages_give_each_record_once (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = open_with_records (place);
  g_autoptr (JmLedgerFilter) filter = jm_ledger_filter_new ();
  g_autoptr (GPtrArray) page = NULL;
  g_autoptr (GError) error = NULL;
  guint64 last = jm_ledger_get_last_position (ledger, &error);

  g_assert_no_error (error);
  jm_ledger_filter_set_limit (filter, 3);
  jm_ledger_filter_set_after (filter, 0);
  assert_ids (ledger, filter, "1 2 3.server");

  page = jm_ledger_list (ledger, filter, NULL, NULL);
  jm_ledger_filter_set_after (filter, jm_job_record_get_position (page->pdata[2]));
  assert_ids (ledger, filter, "1");
  jm_ledger_filter_set_after (filter, last);
  assert_ids (ledger, filter, "");
  jm_ledger_filter_set_after (filter, G_MAXUINT64);
  assert_ids (ledger, filter, "");
}

static void
test_without_a_position_the_last_are_wanted (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = open_with_records (place);
  g_autoptr (JmLedgerFilter) filter = jm_ledger_filter_new ();

  jm_ledger_filter_set_limit (filter, 1);
  assert_ids (ledger, filter, "5");
  jm_ledger_filter_set_limit (filter, 3);
  assert_ids (ledger, filter, "3.server 1 5");
  jm_ledger_filter_set_limit (filter, 100);
  assert_ids (ledger, filter, "1 2 3.server 1 5");
}

static void
test_a_ledger_that_was_removed_goes_on_with_later_positions (Place *place,
                                                             gconstpointer data)
{
  g_autoptr (JmLedger) ledger = open_with_records (place);
  guint64 last = jm_ledger_get_last_position (ledger, NULL);
  g_autoptr (JmLedger) next = NULL;
  g_autoptr (GPtrArray) records = NULL;

  jm_ledger_close (ledger);
  made_directory_remove (place->directory);
  g_assert_cmpint (g_mkdir (place->directory, 0755), ==, 0);

  next = made_ledger_open (place);
  made_ledger_finish (next, made_ledger_append_run (next, &runs[0]));
  records = jm_ledger_list (next, NULL, NULL, NULL);
  g_assert_cmpuint (jm_job_record_get_position (records->pdata[0]), >, last);
}

static void
test_a_list_that_is_cancelled_says_so (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = open_with_records (place);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (jm_ledger_list (ledger, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
assert_total (const JmLedgerTotal *total,
              const char *user,
              const char *account,
              guint64 n_jobs,
              guint64 cpu_s,
              guint64 measured_uj,
              guint64 estimated_uj)
{
  g_assert_cmpstr (total->user, ==, user);
  g_assert_cmpstr (total->account, ==, account);
  g_assert_cmpuint (total->n_jobs, ==, n_jobs);
  g_assert_cmpuint (total->cpu_ns, ==, cpu_s * 1000000000);
  g_assert_cmpuint (total->energy_uj[0], ==, measured_uj);
  g_assert_cmpuint (total->energy_uj[1], ==, estimated_uj);
}

static void
test_totals_are_by_user_and_account (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = open_with_records (place);
  g_autoptr (JmLedger) again = NULL;
  g_autoptr (GArray) totals = NULL;

  jm_ledger_close (ledger);
  again = made_ledger_open (place);
  totals = jm_ledger_list_totals (again);

  g_assert_cmpuint (totals->len, ==, 3);
  assert_total (&g_array_index (totals, JmLedgerTotal, 0), "ada", "maths", 1, 3, 0, 0);
  assert_total (&g_array_index (totals, JmLedgerTotal, 1), "ada", "physics", 2, 9, 80,
                5);
  assert_total (&g_array_index (totals, JmLedgerTotal, 2), "bob", "physics", 1, 1, 20,
                0);
}

static void
test_totals_are_bounded_and_lose_nothing (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = made_ledger_open (place);
  g_autoptr (GArray) totals = NULL;
  JmLedgerBatch *batch = jm_ledger_batch_new ();
  guint64 n_jobs = 0;

  for (guint i = 0; i < JM_LEDGER_MAX_TOTALS + 7; i++)
    {
      g_autofree char *user = g_strdup_printf ("user%u", i);
      MadeRun run = { .key = user,
                      .id = "1",
                      .user = user,
                      .state = JM_RUN_STATE_ENDED };
      g_autoptr (JmJobRecord) record = made_record_new (&run);

      jm_ledger_batch_append (batch, record);
    }
  made_ledger_finish (ledger, jm_ledger_submit (ledger, batch));

  totals = jm_ledger_list_totals (ledger);
  g_assert_cmpuint (totals->len, ==, JM_LEDGER_MAX_TOTALS + 1);
  for (guint i = 0; i < totals->len; i++)
    n_jobs += g_array_index (totals, JmLedgerTotal, i).n_jobs;
  g_assert_cmpuint (n_jobs, ==, JM_LEDGER_MAX_TOTALS + 7);
  assert_total (&g_array_index (totals, JmLedgerTotal, 0), "other", "other", 7, 0, 0,
                0);
}

#define ADD(test)                                                                      \
 g_test_add ("/ledger-records/" #test, Place, NULL, place_set_up, test_##test,         \
             place_tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD (all_are_there_in_the_order_of_their_ends);
  ADD (a_record_is_as_it_was);
  ADD (one_that_is_recorded_again_counts_once);
  ADD (one_that_ends_runs_no_more_and_leaves_no_values);
  ADD (those_that_run_are_loaded);
  ADD (one_whose_end_was_seen_is_loaded_until_it_is_recorded);
  ADD (a_job_is_found_by_each_of_its_names);
  ADD (the_last_run_of_a_job_is_found);
  ADD (users_accounts_and_states_are_distinguished);
  ADD (a_period_has_what_ran_in_it);
  ADD (pages_give_each_record_once);
  ADD (without_a_position_the_last_are_wanted);
  ADD (a_ledger_that_was_removed_goes_on_with_later_positions);
  ADD (a_list_that_is_cancelled_says_so);
  ADD (totals_are_by_user_and_account);
  ADD (totals_are_bounded_and_lose_nothing);

  return g_test_run ();
}
