/* test-run-waits.c: how long runs waited that were ready at the same time of the day
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-run-private.h"
#include "judge/jm-run-report-private.h"

/* A midnight. */
#define TODAY G_GINT64_CONSTANT (1772323200)
#define DAY 86400
#define HOUR 3600
#define MINUTE 60
#define MANY 12
/* Too few. */
#define FEW 9

typedef struct
{
  GPtrArray *runs; /* of earlier days */
  guint n;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->runs = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_unref);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_ptr_array_unref (f->runs);
}

static JmRun *
make_run (guint number, gint64 ready)
{
  g_autofree char *id = g_strdup_printf ("%u", number);
  JmRun *run = jm_run_new ("alps", id);

  jm_run_keep_number (run, JM_RUN_FIELD_SUBMIT_TIME, ready);
  jm_run_keep_number (run, JM_RUN_FIELD_CPUS, 8);
  jm_run_keep_number (run, JM_RUN_FIELD_TIME_LIMIT, HOUR);

  return run;
}

/* One a day: each was ready at this time of the day, and began @wait seconds later. */
static void
add (Fixture *f, guint n_days, gint64 time_of_day, gint64 wait)
{
  for (guint day = 1; day <= n_days; day++)
    {
      const gint64 ready = TODAY - (gint64) day * DAY + time_of_day;
      JmRun *run = make_run (++f->n, ready);

      jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, ready + wait);
      g_ptr_array_add (f->runs, run);
    }
}

static void
assert_usual (Fixture *f, gint64 time_of_day, guint n_compared, double usual)
{
  g_autoptr (JmRun) run = make_run (0, TODAY + time_of_day);
  g_autoptr (JmRunReport) report = jm_run_report_new (run, NULL);
  JmFigure compared, wait;

  jm_run_report_set_waits (report, f->runs);
  compared = jm_figures_get (report->figures, JM_QUANTITY_COMPARED_WAITS);
  wait = jm_figures_get (report->figures, JM_QUANTITY_USUAL_WAIT);

  g_assert_true (compared.is_known);
  g_assert_cmpfloat (compared.value, ==, n_compared);
  g_assert_true (wait.is_known);
  g_assert_cmpfloat (wait.value, ==, usual);
}

static void
test_runs_of_the_same_hour_come_first (Fixture *f, gconstpointer data)
{
  add (f, MANY, 9 * HOUR, 100);
  add (f, MANY, 21 * HOUR, 5000);

  assert_usual (f, 9 * HOUR + 80 * MINUTE, MANY, 100);
  assert_usual (f, 21 * HOUR - 80 * MINUTE, MANY, 5000);
  /* at neither */
  assert_usual (f, 15 * HOUR, 2 * MANY, 100);
}

static void
test_of_too_few_at_that_hour_all_count (Fixture *f, gconstpointer data)
{
  add (f, FEW, 9 * HOUR, 100);
  add (f, MANY, 21 * HOUR, 5000);

  assert_usual (f, 9 * HOUR, FEW + MANY, 5000);
}

static void
test_midnight_parts_no_hour (Fixture *f, gconstpointer data)
{
  add (f, MANY, 30 * MINUTE, 100);
  add (f, MANY, 12 * HOUR, 5000);

  assert_usual (f, 23 * HOUR + 40 * MINUTE, MANY, 100);
  assert_usual (f, 30 * MINUTE, MANY, 100);
}

static void
test_other_sizes_of_that_hour_do_not_count (Fixture *f, gconstpointer data)
{
  add (f, MANY, 9 * HOUR, 5000);
  for (guint i = 0; i < f->runs->len; i++)
    jm_run_keep_number (f->runs->pdata[i], JM_RUN_FIELD_CPUS, 64);
  add (f, MANY, 21 * HOUR, 100);

  assert_usual (f, 9 * HOUR, MANY, 100);
}

#define ADD(path, function)                                                            \
 g_test_add ("/run-waits/" path, Fixture, NULL, set_up, test_##function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("hour", runs_of_the_same_hour_come_first);
  ADD ("few", of_too_few_at_that_hour_all_count);
  ADD ("midnight", midnight_parts_no_hour);
  ADD ("size", other_sizes_of_that_hour_do_not_count);

  return g_test_run ();
}
