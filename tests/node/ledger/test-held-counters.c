/* test-held-counters.c: counters that wait for a slow disk
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-collector-set-private.h"
#include "core/jm-job-draft-private.h"
#include "made-ledger.h"
#include "node/ledger/jm-checkpoint-private.h"
#include "sql/jm-sqlite-private.h"

#define JOULE G_GUINT64_CONSTANT (1000000)
#define SECOND_NS G_GUINT64_CONSTANT (1000000000)
#define NODE 0
#define LEDGER 1
#define JOB 2

typedef struct
{
  Place place;
  JmLedger *ledger;
  JmCheckpoint *checkpoint;
  JmHeldCounters *held;
  JmLabels *domain;
  GArray *sums;
  sqlite3 *disk; /* NULL while it is not stopped */
} Fixture;

static void
set_up (Fixture *f, gconstpointer longest_us)
{
  made_warnings_count ();
  place_set_up (&f->place, NULL);
  f->ledger = made_ledger_open (&f->place);
  f->checkpoint = jm_checkpoint_new (f->ledger, NULL);
  f->held = jm_held_counters_new (f->checkpoint, *(const gint64 *) longest_us);
  f->domain = jm_labels_of ("package", JM_QUALITY_MEASURED, NULL);
  f->sums = g_array_new (FALSE, FALSE, sizeof (guint));
}

static void
resume_disk (Fixture *f)
{
  g_clear_pointer (&f->disk, sqlite3_close);
}

static void
tear_down (Fixture *f, gconstpointer longest_us)
{
  resume_disk (f);
  jm_labels_unref (f->domain);
  g_array_unref (f->sums);
  jm_held_counters_free (f->held);
  jm_checkpoint_free (f->checkpoint);
  jm_ledger_close_within (f->ledger, LONG_US);
  g_object_unref (f->ledger);
  place_tear_down (&f->place, NULL);
}

/* All that was handed over, however slow that was. */
static void
await_disk (Fixture *f)
{
  while (
    !jm_checkpoint_is_stored (f->checkpoint, jm_checkpoint_get_ticket (f->checkpoint)))
    g_usleep (1000);
}

static void
hand_over (Fixture *f)
{
  JmLedgerBatch *batch = jm_ledger_batch_new ();
  g_autoptr (GBytes) bytes = g_bytes_new_static ("x", 1);

  jm_ledger_batch_set (batch, "test", "round", bytes);
  jm_checkpoint_submit (f->checkpoint, batch);
}

static JmJob *
make_job (const char *id)
{
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();

  jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_HOOK, id, -1);
  jm_job_draft_set_run_key (draft, id);

  return jm_job_draft_to_job (draft);
}

static void
add (JmReadings *readings, guint subject, JmMetric metric, guint64 value)
{
  jm_readings_set_subject (readings, subject);
  jm_readings_add (readings, metric, value);
}

/* A round by which the node and its job have used so much. */
static JmSnapshot *
show (Fixture *f, guint64 joules, JmJob *job, gint64 timeout_us)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  const JmSubject subjects[] = {
    [NODE] = { .kind = JM_SUBJECT_KIND_NODE },
    [LEDGER] = { .kind = JM_SUBJECT_KIND_LEDGER },
    [JOB] = { .kind = JM_SUBJECT_KIND_JOB, .job = job },
  };
  g_autoptr (JmSnapshot) snapshot = NULL;

  add (readings, NODE, JM_METRIC_MEMORY_USED, joules);
  add (readings, LEDGER, JM_METRIC_LEDGER_UP, 1);
  add (readings, JOB, JM_METRIC_CPU_TOTAL, joules * SECOND_NS);
  jm_readings_add_labelled (readings, JM_METRIC_ENERGY, f->domain, joules * JOULE);
  snapshot = jm_snapshot_new (1, 0, jm_collector_set_get_of_node (), subjects,
                              G_N_ELEMENTS (subjects), readings);
  hand_over (f);

  return jm_held_counters_show (f->held, snapshot, readings, f->sums, timeout_us);
}

static double
get_joules (Fixture *f, JmSnapshot *snapshot)
{
  double joules = -1;

  jm_snapshot_get_labelled_metric (snapshot, JOB, JM_METRIC_ENERGY, f->domain, &joules);

  return joules;
}

static double
get (JmSnapshot *snapshot, guint subject, JmMetric metric)
{
  double value = -1;

  g_assert_true (jm_snapshot_get_metric (snapshot, subject, metric, &value));

  return value;
}

static const gint64 for_long = LONG_US;
static const gint64 not_at_all = -1;
/* of some rounds, as the machine has it */
static const gint64 for_a_moment = 500;

static void
test_shows_what_is_stored_last (Fixture *f, gconstpointer data)
{
  g_autoptr (JmJob) job = make_job ("1");
  g_autoptr (JmSnapshot) stored = show (f, 5, job, LONG_US);
  g_autoptr (JmSnapshot) slow = NULL;
  g_autoptr (JmSnapshot) later = NULL;
  g_autoptr (JmSnapshot) again = NULL;

  f->disk = place_stop_disk (&f->place);
  slow = show (f, 7, job, 0);
  later = show (f, 8, job, 0);
  resume_disk (f);
  await_disk (f);
  again = show (f, 9, job, LONG_US);

  g_assert_cmpfloat (get_joules (f, stored), ==, 5);
  g_assert_cmpfloat (get_joules (f, slow), ==, 5);
  g_assert_cmpfloat (get_joules (f, later), ==, 5);
  g_assert_cmpfloat (get_joules (f, again), >=, 7);
}

static void
test_shows_what_the_kernel_keeps_as_it_is (Fixture *f, gconstpointer data)
{
  g_autoptr (JmJob) job = make_job ("1");
  g_autoptr (JmSnapshot) slow = NULL;

  jm_snapshot_unref (show (f, 5, job, LONG_US));
  f->disk = place_stop_disk (&f->place);
  slow = show (f, 7, job, 0);

  g_assert_cmpfloat (get (slow, JOB, JM_METRIC_CPU_TOTAL), ==, 7);
  g_assert_cmpfloat (get (slow, NODE, JM_METRIC_MEMORY_USED), ==, 7);
  g_assert_cmpfloat (get (slow, LEDGER, JM_METRIC_LEDGER_UP), ==, 1);
}

static void
test_shows_a_sum_over_processes_as_it_is_stored (Fixture *f, gconstpointer data)
{
  static const guint job_number = JOB;
  g_autoptr (JmJob) job = make_job ("1");
  g_autoptr (JmSnapshot) slow = NULL;

  g_array_append_val (f->sums, job_number);
  jm_snapshot_unref (show (f, 5, job, LONG_US));
  f->disk = place_stop_disk (&f->place);
  slow = show (f, 7, job, 0);

  g_assert_cmpfloat (get (slow, JOB, JM_METRIC_CPU_TOTAL), ==, 5);
}

static void
test_shows_nothing_that_never_was_stored (Fixture *f, gconstpointer data)
{
  g_autoptr (JmJob) job = make_job ("1");
  g_autoptr (JmJob) new_job = make_job ("2");
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) of_new_job = NULL;

  f->disk = place_stop_disk (&f->place);
  first = show (f, 5, job, 0);
  g_assert_cmpfloat (get_joules (f, first), ==, -1);

  resume_disk (f);
  await_disk (f);
  jm_snapshot_unref (show (f, 6, job, LONG_US));
  f->disk = place_stop_disk (&f->place);
  of_new_job = show (f, 1, new_job, 0);
  g_assert_cmpfloat (get_joules (f, of_new_job), ==, -1);
}

static void
test_shows_all_after_a_while_and_a_ledger_that_is_not_up (Fixture *f,
                                                          gconstpointer data)
{
  g_autoptr (JmJob) job = make_job ("1");
  g_autoptr (JmSnapshot) live = NULL;
  g_autoptr (JmSnapshot) caught_up = NULL;

  jm_snapshot_unref (show (f, 5, job, LONG_US));
  f->disk = place_stop_disk (&f->place);
  live = show (f, 7, job, 0);
  g_assert_cmpfloat (get_joules (f, live), ==, 7);
  g_assert_cmpfloat (get (live, LEDGER, JM_METRIC_LEDGER_UP), ==, 0);

  resume_disk (f);
  await_disk (f);
  caught_up = show (f, 8, job, LONG_US);
  g_assert_cmpfloat (get_joules (f, caught_up), ==, 8);
}

/* What a disk stores when it is back is older than what was shown meanwhile. */
static void
test_no_counter_falls_when_the_disk_is_back (Fixture *f, gconstpointer data)
{
  g_autoptr (JmJob) job = make_job ("1");
  double last = 0;

  for (guint i = 0; i < 40; i++)
    {
      g_autoptr (JmSnapshot) shown = NULL;
      double joules;

      if (i % 10 == 3)
        f->disk = place_stop_disk (&f->place);
      if (i % 10 == 8)
        resume_disk (f);
      shown = show (f, i + 1, job, 0);
      joules = get_joules (f, shown);
      if (joules < 0)
        continue;
      g_assert_cmpfloat (joules, >=, last);
      last = joules;
    }
}

#define ADD(path, longest_us, function)                                                \
 g_test_add ("/held-counters/" path, Fixture, &longest_us, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("stored", for_long, test_shows_what_is_stored_last);
  ADD ("kernel", for_long, test_shows_what_the_kernel_keeps_as_it_is);
  ADD ("sum", for_long, test_shows_a_sum_over_processes_as_it_is_stored);
  ADD ("never", for_long, test_shows_nothing_that_never_was_stored);
  ADD ("after-a-while", not_at_all,
       test_shows_all_after_a_while_and_a_ledger_that_is_not_up);
  ADD ("back", for_a_moment, test_no_counter_falls_when_the_disk_is_back);

  return g_test_run ();
}
