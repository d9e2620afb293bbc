/* test-work.c: what processors have counted of somebody
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/energy/jm-work-private.h"

#include "core/jm-readings-private.h"

#define MS G_GUINT64_CONSTANT (1000000)

/* What perf reports of one cgroup. */
typedef struct
{
  guint64 cycles, instructions, misses;
  guint64 clock_ns;
  guint64 wanted_ns, counted_ns; /* of the group "cache" */
  gboolean has_no_misses, has_no_clock;
} Told;

typedef struct
{
  JmReadings *readings;
  JmLabels *cache;
  JmWorkMeter meter;
  Told told;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->readings = jm_readings_new ();
  f->cache = jm_labels_of ("cache", NULL);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  jm_labels_unref (f->cache);
  jm_readings_unref (f->readings);
}

static void
tell (Fixture *f)
{
  jm_readings_reset (f->readings, jm_collector_set_get_all ());
  jm_readings_begin (f->readings, JM_COLLECTOR_PERF);
  jm_readings_add (f->readings, JM_METRIC_PERF_CYCLES, f->told.cycles);
  jm_readings_add (f->readings, JM_METRIC_PERF_INSTRUCTIONS, f->told.instructions);
  if (!f->told.has_no_misses)
    jm_readings_add (f->readings, JM_METRIC_PERF_CACHE_MISSES, f->told.misses);
  if (!f->told.has_no_clock)
    jm_readings_add (f->readings, JM_METRIC_PERF_TASK_CLOCK, f->told.clock_ns);
  jm_readings_add_labelled (f->readings, JM_METRIC_PERF_WANTED, f->cache,
                            f->told.wanted_ns);
  jm_readings_add_labelled (f->readings, JM_METRIC_PERF_COUNTED, f->cache,
                            f->told.counted_ns);
}

/* It runs so long, is counted all the while, and does something. */
static void
run (Fixture *f, guint64 ms)
{
  f->told.cycles += 2000 * ms;
  f->told.instructions += 3000 * ms;
  f->told.misses += 10 * ms;
  f->told.clock_ns += ms * MS;
  f->told.wanted_ns += ms * MS;
  f->told.counted_ns += ms * MS;
}

static JmWork
take (Fixture *f, guint64 cpu_ms, gboolean is_whole)
{
  tell (f);

  return jm_work_meter_take (&f->meter, f->readings, 0, cpu_ms * MS, is_whole);
}

static void
assert_known (JmWork work, double misses)
{
  g_assert_true (jm_work_is_known (&work));
  g_assert_cmpfloat (work.counts[JM_WORK_CYCLES], ==, 200 * misses);
  g_assert_cmpfloat (work.counts[JM_WORK_INSTRUCTIONS], ==, 300 * misses);
  g_assert_cmpfloat (work.counts[JM_WORK_CACHE_MISSES], ==, misses);
}

static void
assert_unknown (JmWork work)
{
  g_assert_false (jm_work_is_known (&work));
}

static void
test_knows_what_was_counted_since (Fixture *f, gconstpointer data)
{
  run (f, 500);
  assert_unknown (take (f, 500, FALSE));

  run (f, 100);
  assert_known (take (f, 100, FALSE), 1000);
}

static void
test_knows_all_of_a_job_that_was_counted_from_its_birth (Fixture *f, gconstpointer data)
{
  run (f, 100);
  assert_known (take (f, 105, TRUE), 1000);
}

static void
test_knows_nothing_of_a_job_that_was_met_late (Fixture *f, gconstpointer data)
{
  run (f, 100);
  assert_unknown (take (f, 300, TRUE));

  run (f, 100);
  assert_known (take (f, 100, FALSE), 1000);
}

/* Its counters are closed, or nobody opened them. */
static void
test_who_did_not_run_has_done_nothing (Fixture *f, gconstpointer data)
{
  f->told.has_no_misses = TRUE;
  assert_known (take (f, 0, FALSE), 0);
}

static void
test_knows_nothing_where_one_figure_is_missing (Fixture *f, gconstpointer data)
{
  take (f, 0, FALSE);
  run (f, 100);
  f->told.has_no_misses = TRUE;
  assert_unknown (take (f, 100, FALSE));

  /* what comes back spans more than one interval */
  run (f, 100);
  f->told.has_no_misses = FALSE;
  assert_unknown (take (f, 100, FALSE));
  run (f, 100);
  assert_known (take (f, 100, FALSE), 1000);
}

static void
test_knows_nothing_of_what_had_no_turn (Fixture *f, gconstpointer data)
{
  take (f, 0, FALSE);
  run (f, 100);
  f->told.counted_ns -= 95 * MS;
  assert_unknown (take (f, 100, FALSE));

  run (f, 100);
  assert_unknown (take (f, 100, FALSE));
  run (f, 100);
  f->told.counted_ns -= 70 * MS;
  assert_known (take (f, 100, FALSE), 1000);
}

static void
test_knows_nothing_where_counters_were_away_for_a_while (Fixture *f, gconstpointer data)
{
  take (f, 0, FALSE);
  run (f, 50);
  assert_unknown (take (f, 100, FALSE));
}

static void
test_goes_by_both_ends_where_no_clock_is_reported (Fixture *f, gconstpointer data)
{
  f->told.has_no_clock = TRUE;
  run (f, 100);
  assert_unknown (take (f, 100, TRUE));

  run (f, 100);
  assert_known (take (f, 100, FALSE), 1000);
}

static void
test_knows_what_a_node_did_from_its_second_reading_on (Fixture *f, gconstpointer data)
{
  f->told.has_no_clock = TRUE;
  run (f, 100);
  tell (f);
  assert_unknown (jm_work_meter_take_node (&f->meter, f->readings));

  run (f, 100);
  tell (f);
  assert_known (jm_work_meter_take_node (&f->meter, f->readings), 1000);

  /* what comes back spans more than one interval */
  run (f, 100);
  assert_unknown (jm_work_meter_take_node (&f->meter, NULL));
  run (f, 100);
  tell (f);
  assert_unknown (jm_work_meter_take_node (&f->meter, f->readings));
}

#define ADD(path, function)                                                            \
 g_test_add ("/counted-work/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("knows-what-was-counted-since", test_knows_what_was_counted_since);
  ADD ("knows-all-of-a-job-that-was-counted-from-its-birth",
       test_knows_all_of_a_job_that_was_counted_from_its_birth);
  ADD ("knows-nothing-of-a-job-that-was-met-late",
       test_knows_nothing_of_a_job_that_was_met_late);
  ADD ("who-did-not-run-has-done-nothing", test_who_did_not_run_has_done_nothing);
  ADD ("knows-nothing-where-one-figure-is-missing",
       test_knows_nothing_where_one_figure_is_missing);
  ADD ("knows-nothing-of-what-had-no-turn", test_knows_nothing_of_what_had_no_turn);
  ADD ("knows-nothing-where-counters-were-away-for-a-while",
       test_knows_nothing_where_counters_were_away_for_a_while);
  ADD ("goes-by-both-ends-where-no-clock-is-reported",
       test_goes_by_both_ends_where_no_clock_is_reported);
  ADD ("knows-what-a-node-did-from-its-second-reading-on",
       test_knows_what_a_node_did_from_its_second_reading_on);

  return g_test_run ();
}
