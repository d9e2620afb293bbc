/* test-checkpoint.c: what a program that is killed goes on with
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>
#include <unistd.h>

#include "left-ledger.h"
#include "made-ledger.h"
#include "node/ledger/jm-checkpoint-private.h"
#include "sql/jm-sqlite-private.h"

#define NODE "n1"
#define ENERGY "energy"

/* One program after the other, which all are killed. */
typedef struct
{
  Place place; /* of the ledger of now */
  int stored_fd;
  JmLedger *ledger;
  JmCheckpoint *checkpoint;
  sqlite3 *disk; /* NULL while it is not stopped */
} Fixture;

static const MadeRun ended = {
  .key = "b/1",
  .id = "1",
  .user = "ada",
  .account = "physics",
  .state = JM_RUN_STATE_ENDED,
  .begin_us = BEGIN_US,
  .end_us = BEGIN_US + 10 * SECOND_US,
  .cpu_ns = 7,
};

static void
start (Fixture *f)
{
  g_autoptr (GError) error = NULL;
  JmCheckpointMemory *memory =
    jm_checkpoint_memory_open (dup (f->stored_fd), NODE, &error);

  g_assert_no_error (error);
  f->ledger = made_ledger_open (&f->place);
  f->checkpoint = jm_checkpoint_new (f->ledger, memory);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmCheckpointMemory) memory = jm_checkpoint_memory_new (NODE, &error);

  g_assert_no_error (error);
  place_set_up (&f->place, NULL);
  f->stored_fd = jm_checkpoint_memory_share (memory, &error);
  g_assert_no_error (error);
  start (f);
}

static void
end (Fixture *f)
{
  g_clear_pointer (&f->disk, sqlite3_close);
  g_clear_pointer (&f->checkpoint, jm_checkpoint_free);
  jm_ledger_close_within (f->ledger, LONG_US);
  g_clear_object (&f->ledger);
  place_tear_down (&f->place, NULL);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  end (f);
  if (f->stored_fd >= 0)
    close (f->stored_fd);
}

/* The next program finds what is at @path now. */
static void
kill_and_start_with (Fixture *f, const char *path)
{
  Place next;

  place_set_up (&next, NULL);
  left_ledger_copy (path, next.path);
  end (f);
  f->place = next;
  start (f);
}

static void
kill_and_start (Fixture *f)
{
  kill_and_start_with (f, f->place.path);
}

static void
set (JmLedgerBatch *batch, const char *name, const char *key, const char *text)
{
  g_autoptr (GBytes) bytes = text != NULL ? g_bytes_new (text, strlen (text)) : NULL;

  jm_ledger_batch_set (batch, name, key, bytes);
}

static void
submit_value (Fixture *f, const char *key, const char *text)
{
  JmLedgerBatch *batch = jm_ledger_batch_new ();

  set (batch, ENERGY, key, text);
  jm_checkpoint_submit (f->checkpoint, batch);
}

static void
submit_record (Fixture *f, const MadeRun *run)
{
  JmLedgerBatch *batch = jm_ledger_batch_new ();
  g_autoptr (JmJobRecord) record = made_record_new (run);

  if (run->state == JM_RUN_STATE_RUNNING)
    jm_ledger_batch_set_running (batch, record);
  else
    jm_ledger_batch_append (batch, record);
  jm_checkpoint_submit (f->checkpoint, batch);
}

/* All of it, however the disk is. */
static void
store (Fixture *f)
{
  guint64 ticket = jm_ledger_submit (f->ledger, jm_ledger_batch_new ());

  /* which waits for no ledger that is behind */
  while (!jm_ledger_await (f->ledger, ticket, LONG_US))
    g_usleep (1000);
}

static void
assert_value (Fixture *f, const char *key, const char *expected)
{
  g_autoptr (GHashTable) values = jm_checkpoint_load (f->checkpoint, ENERGY);
  GBytes *bytes = g_hash_table_lookup (values, key);

  if (expected == NULL)
    g_assert_null (bytes);
  else
    g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), expected,
                     strlen (expected));
}

static void
test_goes_on_with_what_no_disk_has (Fixture *f, gconstpointer data)
{
  made_warnings_count ();
  submit_value (f, "node", "5 J");
  submit_value (f, "old", "1 J");
  store (f);
  f->disk = place_stop_disk (&f->place);
  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *text = g_strdup_printf ("%u J", 6 + i);

      submit_value (f, "node", text);
      g_assert_true (jm_checkpoint_await (f->checkpoint, 0));
    }
  submit_value (f, "job", "2 J");
  submit_value (f, "old", NULL);
  kill_and_start (f);

  assert_value (f, "node", "10 J");
  assert_value (f, "job", "2 J");
  assert_value (f, "old", NULL);
}

static void
test_goes_on_after_several_kills (Fixture *f, gconstpointer data)
{
  made_warnings_count ();
  f->disk = place_stop_disk (&f->place);
  submit_value (f, "node", "1 J");
  kill_and_start (f);
  f->disk = place_stop_disk (&f->place);
  submit_value (f, "job", "2 J");
  kill_and_start (f);
  assert_value (f, "node", "1 J");
  assert_value (f, "job", "2 J");

  /* what it goes on with reaches the disk */
  store (f);
  kill_and_start (f);
  assert_value (f, "node", "1 J");
}

static void
test_has_no_value_of_a_run_that_has_ended (Fixture *f, gconstpointer data)
{
  made_warnings_count ();
  submit_value (f, ended.key, "3 J");
  store (f);
  f->disk = place_stop_disk (&f->place);
  submit_record (f, &ended);
  kill_and_start (f);

  assert_value (f, ended.key, NULL);
}

static guint64
count_ended (Fixture *f)
{
  g_autoptr (GArray) totals = jm_ledger_list_totals (f->ledger);
  guint64 n = 0;

  for (guint i = 0; i < totals->len; i++)
    n += g_array_index (totals, JmLedgerTotal, i).n_jobs;

  return n;
}

static void
test_counts_a_run_once_whether_it_was_stored_or_not (Fixture *f, gconstpointer data)
{
  made_warnings_count ();
  f->disk = place_stop_disk (&f->place);
  submit_record (f, &ended);
  kill_and_start (f);
  store (f);
  g_assert_cmpuint (count_ended (f), ==, 1);
  kill_and_start (f);
  store (f);

  g_assert_cmpuint (count_ended (f), ==, 1);
}

/* As --ledger.max-age and --ledger.max-size have it. */
static void
test_counts_no_run_anew_whose_record_is_dropped (Fixture *f, gconstpointer data)
{
  g_autoptr (sqlite3) file = NULL;

  submit_record (f, &ended);
  store (f);
  file = jm_sqlite_open (f->place.path, TRUE, NULL);
  g_assert_true (jm_sqlite_run (file, "DELETE FROM record", NULL));
  kill_and_start (f);
  store (f);

  g_assert_cmpuint (count_ended (f), ==, 1);
}

static void
test_has_the_latest_record_of_a_run_that_goes_on (Fixture *f, gconstpointer data)
{
  MadeRun running = { .key = "b/2", .id = "2", .begin_us = BEGIN_US };
  g_autoptr (GPtrArray) records = NULL;

  made_warnings_count ();
  running.state = JM_RUN_STATE_RUNNING;
  running.user = "ada";
  submit_record (f, &running);
  store (f);
  f->disk = place_stop_disk (&f->place);
  running.user = "bob";
  submit_record (f, &running);
  kill_and_start (f);
  records = jm_checkpoint_load_running (f->checkpoint);

  g_assert_cmpuint (records->len, ==, 1);
  g_assert_cmpstr (jm_job_get_user (jm_job_record_get_job (records->pdata[0])), ==,
                   "bob");
}

/* As on a node that has no disk. */
static void
test_goes_on_where_the_ledger_is_empty_at_each_start (Fixture *f, gconstpointer data)
{
  submit_value (f, "job", "1 J");
  submit_value (f, "old", "1 J");
  submit_value (f, "old", NULL);
  submit_record (f, &ended);
  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *text = g_strdup_printf ("%u J", i);

      if (i % 2 == 0)
        store (f);
      submit_value (f, "node", text);
      kill_and_start_with (f, "/nowhere");

      assert_value (f, "node", text);
      assert_value (f, "job", "1 J");
      assert_value (f, "old", NULL);
      g_assert_cmpuint (count_ended (f), ==, 1);
    }
  store (f);
  g_assert_cmpuint (count_ended (f), ==, 1);
}

/* Such a disk, and before that one which was slow. */
static void
test_counts_a_run_once_whose_ledger_is_gone_later (Fixture *f, gconstpointer data)
{
  made_warnings_count ();
  submit_record (f, &ended);
  store (f);
  f->disk = place_stop_disk (&f->place);
  submit_value (f, "node", "1 J");
  kill_and_start (f);
  kill_and_start_with (f, "/nowhere");
  store (f);

  assert_value (f, "node", "1 J");
  g_assert_cmpuint (count_ended (f), ==, 1);
}

/* Its disk broke while it ran, and is mended behind its end. */
static void
test_counts_a_run_once_that_ended_in_another_ledger (Fixture *f, gconstpointer data)
{
  MadeRun begun = ended;
  Place before;

  begun.state = JM_RUN_STATE_RUNNING;
  begun.end_us = 0;
  submit_record (f, &begun);
  store (f);
  place_set_up (&before, NULL);
  left_ledger_copy (f->place.path, before.path);
  kill_and_start_with (f, "/nowhere");
  submit_record (f, &ended);
  store (f);
  submit_value (f, "node", "1 J");
  kill_and_start_with (f, before.path);
  place_tear_down (&before, NULL);

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GPtrArray) running = jm_checkpoint_load_running (f->checkpoint);

      g_assert_cmpuint (running->len, ==, 0);
      g_assert_cmpuint (count_ended (f), ==, 1);
      submit_value (f, "node", "2 J");
      store (f);
      kill_and_start (f);
    }
}

static void
test_goes_on_where_the_ledger_is_one_of_before (Fixture *f, gconstpointer data)
{
  static const MadeRun earlier = { .key = "b/0",
                                   .id = "0",
                                   .user = "ada",
                                   .account = "physics",
                                   .state = JM_RUN_STATE_ENDED,
                                   .begin_us = BEGIN_US,
                                   .end_us = BEGIN_US + SECOND_US };
  Place before;

  submit_record (f, &earlier);
  submit_value (f, "node", "1 J");
  store (f);
  place_set_up (&before, NULL);
  left_ledger_copy (f->place.path, before.path);
  submit_record (f, &ended);
  submit_value (f, "node", "2 J");
  store (f);
  submit_value (f, "job", "2 J");
  kill_and_start_with (f, before.path);
  place_tear_down (&before, NULL);

  assert_value (f, "node", "2 J");
  store (f);
  g_assert_cmpuint (count_ended (f), ==, 2);
}

/* Such as of a program before this one that was put back for a while. */
static void
test_takes_nothing_that_the_ledger_had_already (Fixture *f, gconstpointer data)
{
  submit_value (f, "node", "1 J");
  store (f);
  made_ledger_set (f->ledger, ENERGY, "node", "9 J");
  store (f);
  kill_and_start (f);

  assert_value (f, "node", "9 J");
}

static void
test_begins_anew_where_the_memory_holds_noise (Fixture *f, gconstpointer data)
{
  g_autoptr (GBytes) noise = g_bytes_new_static ("\xff\x01nonsense\0\0", 12);
  g_autoptr (JmCheckpointMemory) memory = NULL;

  made_warnings_count ();
  submit_value (f, "node", "1 J");
  store (f);
  memory = jm_checkpoint_memory_open (dup (f->stored_fd), NODE, NULL);
  g_assert_true (jm_checkpoint_memory_write (memory, noise, NULL));
  kill_and_start (f);

  g_assert_cmpuint (made_warnings_get (), >, 0);
  assert_value (f, "node", "1 J");
}

static void
test_waits_for_the_ledger_without_memory (Fixture *f, gconstpointer data)
{
  g_clear_pointer (&f->checkpoint, jm_checkpoint_free);
  f->checkpoint = jm_checkpoint_new (f->ledger, NULL);
  submit_value (f, "node", "1 J");

  g_assert_true (jm_checkpoint_await (f->checkpoint, LONG_US));
  assert_value (f, "node", "1 J");
}

static void
test_waits_for_the_ledger_where_nobody_keeps_the_memory (Fixture *f, gconstpointer data)
{
  made_warnings_count ();
  f->disk = place_stop_disk (&f->place);
  submit_value (f, "node", "1 J");
  g_assert_true (jm_checkpoint_await (f->checkpoint, 0));
  close (f->stored_fd);
  f->stored_fd = -1;
  submit_value (f, "node", "2 J");
  submit_value (f, "node", "3 J");

  g_assert_false (jm_checkpoint_await (f->checkpoint, 0));
  g_assert_cmpuint (made_warnings_get (), >, 0);
}

#define ADD(path, function)                                                            \
 g_test_add ("/checkpoint/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("no-disk", test_goes_on_with_what_no_disk_has);
  ADD ("several-kills", test_goes_on_after_several_kills);
  ADD ("ended", test_has_no_value_of_a_run_that_has_ended);
  ADD ("once", test_counts_a_run_once_whether_it_was_stored_or_not);
  ADD ("dropped", test_counts_no_run_anew_whose_record_is_dropped);
  ADD ("running", test_has_the_latest_record_of_a_run_that_goes_on);
  ADD ("empty", test_goes_on_where_the_ledger_is_empty_at_each_start);
  ADD ("gone-later", test_counts_a_run_once_whose_ledger_is_gone_later);
  ADD ("elsewhere", test_counts_a_run_once_that_ended_in_another_ledger);
  ADD ("before", test_goes_on_where_the_ledger_is_one_of_before);
  ADD ("stored", test_takes_nothing_that_the_ledger_had_already);
  ADD ("noise", test_begins_anew_where_the_memory_holds_noise);
  ADD ("no-memory", test_waits_for_the_ledger_without_memory);
  ADD ("nobody", test_waits_for_the_ledger_where_nobody_keeps_the_memory);

  return g_test_run ();
}
