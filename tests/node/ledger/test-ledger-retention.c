/* test-ledger-retention.c: what a ledger forgets, and what it never does
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <sys/stat.h>

#include "made-ledger.h"

#define HOUR_US (3600 * SECOND_US)
#define N_MANY 3000
#define MAX_BYTES (512 * 1024)

static guint64
get_n_records (JmLedger *ledger)
{
  g_auto (JmLedgerStatus) status = { 0 };

  jm_ledger_get_status (ledger, &status);

  return status.n_records;
}

static void
wait_for_n_records (JmLedger *ledger, guint64 expected)
{
  gint64 until_us = g_get_monotonic_time () + LONG_US;

  while (get_n_records (ledger) != expected)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, until_us);
      g_usleep (1000);
    }
}

static guint64
append_ended (JmLedger *ledger, guint number, gint64 end_us)
{
  g_autofree char *id = g_strdup_printf ("%u", number);
  MadeRun run = { .key = id,
                  .id = id,
                  .user = "ada",
                  .state = JM_RUN_STATE_ENDED,
                  .begin_us = end_us - SECOND_US,
                  .end_us = end_us };

  return made_ledger_append_run (ledger, &run);
}

static guint64
get_n_jobs (JmLedger *ledger)
{
  g_autoptr (GArray) totals = jm_ledger_list_totals (ledger);

  g_assert_cmpuint (totals->len, ==, 1);

  return g_array_index (totals, JmLedgerTotal, 0).n_jobs;
}

static void
test_what_is_too_old_is_forgotten (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger =
    made_ledger_open_as (place, (JmLedgerPlan){ .max_age_us = HOUR_US });
  gint64 now_us = g_get_real_time ();
  g_autofree char *ids = NULL;

  for (guint i = 0; i < 300; i++)
    append_ended (ledger, i, now_us - 2 * HOUR_US);
  append_ended (ledger, 300, now_us - HOUR_US / 2);
  made_ledger_finish (ledger, append_ended (ledger, 301, now_us));
  wait_for_n_records (ledger, 2);

  ids = made_ledger_list_ids (ledger, NULL);
  g_assert_cmpstr (ids, ==, "300 301");
  g_assert_cmpuint (get_n_jobs (ledger), ==, 302);
}

static goffset
get_file_size (Place *place)
{
  struct stat status;

  g_assert_cmpint (stat (place->path, &status), ==, 0);

  return status.st_size;
}

static guint64
append_many (JmLedger *ledger, guint from, guint to)
{
  guint64 ticket = 0;

  for (guint i = from; i < to; i++)
    ticket = append_ended (ledger, i, BEGIN_US + i * SECOND_US);

  return ticket;
}

static const char *
get_last_id (GPtrArray *records)
{
  return jm_job_get_id (jm_job_record_get_job (records->pdata[records->len - 1]));
}

static void
test_a_ledger_keeps_to_its_size (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger =
    made_ledger_open_as (place, (JmLedgerPlan){ .max_bytes = MAX_BYTES });
  g_autoptr (GPtrArray) records = NULL;

  for (guint i = 0; i < N_MANY; i += 20)
    {
      guint64 before;

      made_ledger_finish (ledger, append_many (ledger, i, i + 20));
      /* it forgets a few at a time, in between */
      do
        {
          before = get_n_records (ledger);
          made_ledger_finish (ledger, made_ledger_set (ledger, "a", "b", "c"));
        }
      while (get_n_records (ledger) != before);
    }
  jm_ledger_close (ledger);
  g_clear_object (&ledger);

  g_assert_cmpint (get_file_size (place), <=, MAX_BYTES + MAX_BYTES / 4);
  g_assert_cmpint (get_file_size (place), >=, MAX_BYTES / 2);
  ledger = made_ledger_open (place);
  records = jm_ledger_list (ledger, NULL, NULL, NULL);
  g_assert_cmpuint (records->len, >, 50);
  g_assert_cmpuint (records->len, <, N_MANY);
  g_assert_cmpstr (get_last_id (records), ==, "2999");
  g_assert_cmpuint (get_n_jobs (ledger), ==, N_MANY);
}

static void
test_one_that_was_larger_shrinks (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = made_ledger_open (place);
  g_autoptr (GPtrArray) records = NULL;
  gint64 until_us = g_get_monotonic_time () + LONG_US;

  made_ledger_finish (ledger, append_many (ledger, 0, N_MANY));
  jm_ledger_close (ledger);
  g_clear_object (&ledger);
  g_assert_cmpint (get_file_size (place), >, MAX_BYTES + MAX_BYTES / 2);

  while (get_file_size (place) > MAX_BYTES)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, until_us);
      g_clear_object (&ledger);
      ledger = made_ledger_open_as (place, (JmLedgerPlan){ .max_bytes = MAX_BYTES });
      g_usleep (10000);
      jm_ledger_close (ledger);
    }

  g_clear_object (&ledger);
  ledger = made_ledger_open (place);
  records = jm_ledger_list (ledger, NULL, NULL, NULL);
  g_assert_cmpuint (records->len, >, 50);
  g_assert_cmpstr (get_last_id (records), ==, "2999");
}

static void
test_one_that_keeps_the_oldest_takes_no_more (Place *place, gconstpointer data)
{
  JmLedgerPlan plan = { .max_bytes = MAX_BYTES, .keeps_oldest = TRUE };
  g_autoptr (JmLedger) ledger = made_ledger_open_as (place, plan);
  g_autoptr (GPtrArray) records = NULL;
  g_auto (JmLedgerStatus) status = { 0 };
  guint n_warnings = made_warnings_get ();

  for (guint i = 0; i < N_MANY; i += 20)
    made_ledger_finish (ledger, append_many (ledger, i, i + 20));

  records = jm_ledger_list (ledger, NULL, NULL, NULL);
  jm_ledger_get_status (ledger, &status);
  g_assert_cmpuint (records->len, <, N_MANY);
  g_assert_cmpuint (records->len + status.n_dropped, ==, N_MANY);
  g_assert_cmpuint (records->len, ==, status.n_records);
  g_assert_cmpuint (status.n_given_up, ==, 0);
  g_assert_cmpuint (get_n_jobs (ledger), ==, N_MANY);
  g_assert_cmpuint (made_warnings_get () - n_warnings, ==, 1);
}

#define ADD(test)                                                                      \
 g_test_add ("/ledger-retention/" #test, Place, NULL, place_set_up, test_##test,       \
             place_tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  made_warnings_count ();

  ADD (what_is_too_old_is_forgotten);
  ADD (a_ledger_keeps_to_its_size);
  ADD (one_that_was_larger_shrinks);
  ADD (one_that_keeps_the_oldest_takes_no_more);

  return g_test_run ();
}
