/* test-trace-store.c: what wrappers reported last, within bounds
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/jm-trace-store-private.h"

#define SECOND G_TIME_SPAN_SECOND
#define START (1000 * SECOND)

static const JmTraceLimits limits = { .max_age_ms = 30000,
                                      .max_records = 10,
                                      .max_per_job = 4,
                                      .rate = 2,
                                      .burst = 3 };

typedef struct
{
  const char *cluster;
  guint64 job_id;
  const char *step;
  const char *host;
  guint64 pid;
  const char *user;
} Key;

static const Key usual = { "east", 7, "0", "n1", 100, "ada" };

static JmTraceRecord *
make (const Key *key, double cpus)
{
  JmTraceRecord *record = g_new0 (JmTraceRecord, 1);

  record->cluster = g_strdup (key->cluster);
  record->job_id = key->job_id;
  record->step = g_strdup (key->step);
  record->host = g_strdup (key->host);
  record->pid = key->pid;
  record->user = g_strdup (key->user);
  record->cpus = cpus;

  return record;
}

static guint
count (JmTraceStore *store, gint64 now_us)
{
  g_autoptr (GPtrArray) records = jm_trace_store_list (store, now_us);

  return records->len;
}

static void
records_of_other_keys_stand_beside_each_other (void)
{
  static const Key keys[] = {
    { "east", 7, "0", "n1", 100, "ada" },  { "west", 7, "0", "n1", 100, "ada" },
    { "east", 8, "0", "n1", 100, "ada" },  { "east", 7, "1", "n1", 100, "ada" },
    { "east", 7, "0", "n2", 100, "ada" },  { "east", 7, "0", "n1", 101, "ada" },
    { "west", 7, "0", "n1", 100, "mary" },
  };
  g_autoptr (JmTraceStore) store = jm_trace_store_new (&limits);

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_assert_cmpint (jm_trace_store_add (store, make (&keys[i], i), START), ==,
                     JM_TRACE_TAKEN);
  g_assert_cmpuint (count (store, START), ==, G_N_ELEMENTS (keys));
}

static void
the_last_word_of_one_process_counts (void)
{
  g_autoptr (JmTraceStore) store = jm_trace_store_new (&limits);
  g_autoptr (GPtrArray) records = NULL;

  jm_trace_store_add (store, make (&usual, 10), START);
  jm_trace_store_add (store, make (&usual, 20), START + SECOND);
  records = jm_trace_store_list (store, START + SECOND);
  g_assert_cmpuint (records->len, ==, 1);
  g_assert_cmpfloat (((JmTraceRecord *) records->pdata[0])->cpus, ==, 20);
}

static void
they_stand_in_the_order_of_jobs (void)
{
  static const Key keys[] = {
    { "", 10, "", "n1", 1, "ada" },
    { "", 9, "", "n2", 1, "ada" },
    { "", 9, "", "n1", 5, "ada" },
    { "", 9, "", "n1", 4, "ada" },
  };
  static const guint order[] = { 3, 2, 1, 0 };
  g_autoptr (JmTraceStore) store = jm_trace_store_new (&limits);
  g_autoptr (GPtrArray) records = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    jm_trace_store_add (store, make (&keys[i], i), START);
  records = jm_trace_store_list (store, START);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_assert_cmpfloat (((JmTraceRecord *) records->pdata[i])->cpus, ==, order[i]);
}

static void
what_is_not_told_anew_goes (void)
{
  const Key other = { "east", 7, "0", "n2", 100, "ada" };
  g_autoptr (JmTraceStore) store = jm_trace_store_new (&limits);

  jm_trace_store_add (store, make (&usual, 1), START);
  jm_trace_store_add (store, make (&other, 1), START);
  jm_trace_store_add (store, make (&other, 1), START + 20 * SECOND);
  g_assert_cmpuint (count (store, START + 30 * SECOND), ==, 2);
  g_assert_cmpuint (count (store, START + 31 * SECOND), ==, 1);
  g_assert_cmpuint (count (store, START + 51 * SECOND), ==, 0);
}

static void
a_job_has_no_more_than_its_share (void)
{
  g_autoptr (JmTraceStore) store = jm_trace_store_new (&limits);
  Key key = usual;

  for (key.pid = 1; key.pid <= 4; key.pid++)
    g_assert_cmpint (jm_trace_store_add (store, make (&key, 1), START), ==,
                     JM_TRACE_TAKEN);
  g_assert_cmpint (jm_trace_store_add (store, make (&key, 1), START), ==,
                   JM_TRACE_JOB_FULL);
  key.pid = 1;
  g_assert_cmpint (jm_trace_store_add (store, make (&key, 2), START), ==,
                   JM_TRACE_TAKEN);
  key = (Key){ "east", 8, "0", "n1", 5, "ada" };
  g_assert_cmpint (jm_trace_store_add (store, make (&key, 1), START), ==,
                   JM_TRACE_TAKEN);
}

static void
a_full_store_has_room_again_when_some_are_old (void)
{
  g_autoptr (JmTraceStore) store = jm_trace_store_new (&limits);
  Key key = usual;

  for (key.job_id = 1; key.job_id <= 10; key.job_id++)
    g_assert_cmpint (jm_trace_store_add (store, make (&key, 1), START), ==,
                     JM_TRACE_TAKEN);
  g_assert_cmpint (jm_trace_store_add (store, make (&key, 1), START + SECOND), ==,
                   JM_TRACE_FULL);
  g_assert_cmpuint (count (store, START + SECOND), ==, 10);
  g_assert_cmpint (jm_trace_store_add (store, make (&key, 1), START + 61 * SECOND), ==,
                   JM_TRACE_TAKEN);
  g_assert_cmpuint (count (store, START + 61 * SECOND), ==, 1);
}

static void
a_sender_tells_no_more_than_its_share (void)
{
  g_autoptr (JmTraceStore) store = jm_trace_store_new (&limits);

  for (guint i = 0; i < 3; i++)
    g_assert_true (jm_trace_store_take_turn (store, "10.0.0.1", START));
  g_assert_false (jm_trace_store_take_turn (store, "10.0.0.1", START));
  g_assert_true (jm_trace_store_take_turn (store, "10.0.0.2", START));

  g_assert_true (jm_trace_store_take_turn (store, "10.0.0.1", START + SECOND / 2));
  g_assert_false (jm_trace_store_take_turn (store, "10.0.0.1", START + SECOND / 2));
  for (guint i = 0; i < 3; i++)
    g_assert_true (jm_trace_store_take_turn (store, "10.0.0.1", START + 100 * SECOND));
  g_assert_false (jm_trace_store_take_turn (store, "10.0.0.1", START + 100 * SECOND));
}

static void
senders_beyond_the_bound_wait_until_others_are_quiet (void)
{
  g_autoptr (JmTraceStore) store = jm_trace_store_new (&limits);

  for (guint i = 0; i < 16384; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);

      g_assert_true (jm_trace_store_take_turn (store, name, START));
    }
  g_assert_false (jm_trace_store_take_turn (store, "one more", START));
  g_assert_true (jm_trace_store_take_turn (store, "one more", START + 31 * SECOND));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-store/records-of-other-keys-stand-beside-each-other",
                   records_of_other_keys_stand_beside_each_other);
  g_test_add_func ("/trace-store/the-last-word-of-one-process-counts",
                   the_last_word_of_one_process_counts);
  g_test_add_func ("/trace-store/they-stand-in-the-order-of-jobs",
                   they_stand_in_the_order_of_jobs);
  g_test_add_func ("/trace-store/what-is-not-reported-anew-goes",
                   what_is_not_told_anew_goes);
  g_test_add_func ("/trace-store/a-job-has-no-more-than-its-share",
                   a_job_has_no_more_than_its_share);
  g_test_add_func ("/trace-store/a-full-store-has-room-again-when-some-are-old",
                   a_full_store_has_room_again_when_some_are_old);
  g_test_add_func ("/trace-store/a-sender-reports-no-more-than-its-share",
                   a_sender_tells_no_more_than_its_share);
  g_test_add_func ("/trace-store/senders-beyond-the-bound-wait-until-others-are-quiet",
                   senders_beyond_the_bound_wait_until_others_are_quiet);

  return g_test_run ();
}
