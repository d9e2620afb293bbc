/* test-ledger.c: what is written is there again
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <sys/stat.h>

#include "base/jm-error.h"
#include "made-ledger.h"

static void
assert_value (JmLedger *ledger, const char *name, const char *key, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) values = jm_ledger_load (ledger, name, &error);
  GBytes *value;

  g_assert_no_error (error);
  value = g_hash_table_lookup (values, key);
  if (expected == NULL)
    g_assert_null (value);
  else
    {
      g_assert_nonnull (value);
      g_assert_cmpmem (g_bytes_get_data (value, NULL), g_bytes_get_size (value),
                       expected, strlen (expected));
    }
}

static void
test_what_was_set_is_there_when_it_was_awaited (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = made_ledger_open (place);

  made_ledger_finish (ledger, made_ledger_set (ledger, "energy", "a", "1"));
  assert_value (ledger, "energy", "a", "1");
  assert_value (ledger, "energy", "b", NULL);
  assert_value (ledger, "other", "a", NULL);
}

static void
test_the_last_value_of_a_key_counts (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = made_ledger_open (place);

  made_ledger_set (ledger, "energy", "a", "1");
  made_ledger_set (ledger, "energy", "b", "2");
  made_ledger_set (ledger, "energy", "a", "");
  made_ledger_finish (ledger, made_ledger_set (ledger, "energy", "b", NULL));
  assert_value (ledger, "energy", "a", "");
  assert_value (ledger, "energy", "b", NULL);
}

static void
test_a_ledger_is_there_again_when_it_is_opened_again (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = made_ledger_open (place);
  g_autoptr (JmLedger) again = NULL;

  made_ledger_set (ledger, "energy", "a", "1");
  jm_ledger_close (ledger);

  again = made_ledger_open (place);
  assert_value (again, "energy", "a", "1");
}

static void
test_a_closed_ledger_is_not_read (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = made_ledger_open (place);
  g_autoptr (GError) error = NULL;

  jm_ledger_close (ledger);
  jm_ledger_close (ledger);
  g_assert_null (jm_ledger_load (ledger, "energy", &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
}

static void
test_the_owner_writes_and_the_group_reads (Place *place, gconstpointer data)
{
  mode_t mask = umask (0);
  G_GNUC_UNUSED g_autoptr (JmLedger) ledger = made_ledger_open (place);
  struct stat status;

  umask (mask);
  g_assert_cmpint (stat (place->path, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 07777, ==, 0640);
}

static void
test_one_program_writes_at_a_time (Place *place, gconstpointer data)
{
  JmLedgerPlan plan = { .path = place->path };
  g_autoptr (JmLedger) ledger = made_ledger_open (place);
  g_autoptr (JmLedger) next = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (jm_ledger_open_for_writing (&plan, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "another program writes it"));

  jm_ledger_close (ledger);
  next = made_ledger_open (place);
}

#define ADD(test)                                                                      \
 g_test_add ("/ledger/" #test, Place, NULL, place_set_up, test_##test, place_tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD (what_was_set_is_there_when_it_was_awaited);
  ADD (the_last_value_of_a_key_counts);
  ADD (a_ledger_is_there_again_when_it_is_opened_again);
  ADD (a_closed_ledger_is_not_read);
  ADD (the_owner_writes_and_the_group_reads);
  ADD (one_program_writes_at_a_time);

  return g_test_run ();
}
