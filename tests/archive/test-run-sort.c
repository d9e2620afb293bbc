/* test-run-sort.c: lists of runs by what they used, or wasted
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "base/jm-error.h"
#include "core/jm-quantity-private.h"
#include "core/jm-run-derived-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"
#include "made-runs.h"
#include "made-site.h"

#define N_RUNS 200
#define PAGE 7

static void
add (JmRunBatch *batch, JmRun *run)
{
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
  jm_run_unref (run);
}

/* Of 4 CPUs for 100 s: the first used 100 s of CPU time, the second all 400 s, the
 * third 10 s; of the fourth nobody knows. */
static void
fill (MadeSite *site)
{
  static const gint64 cpu_us[] = { 100000000, 400000000, 10000000, -1 };
  JmRunBatch *batch = jm_run_batch_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cpu_us); i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i + 1);
      JmRun *run = made_run (id, MIDNIGHT, MIDNIGHT + 60, MIDNIGHT + 160);

      jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, cpu_us[i]);
      add (batch, run);
    }
  made_site_merge (site, batch);
}

static GPtrArray *
list (MadeSite *site, JmRunFilter *filter, char **cursor)
{
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (GError) error = NULL;
  GPtrArray *runs = NULL;

  g_assert_true (jm_run_filter_set_cursor (filter, *cursor, &error));
  g_assert_no_error (error);
  g_clear_pointer (cursor, g_free);
  runs = jm_archive_database_list_runs (site->store, filter, all, cursor, &error);
  g_assert_no_error (error);

  return runs;
}

static void
assert_order (MadeSite *site, const char *sort, const char *ids)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GString) found = g_string_new (NULL);
  g_autoptr (GPtrArray) runs = NULL;
  g_autofree char *cursor = NULL;

  g_assert_true (jm_run_filter_set_sort (filter, sort, NULL));
  runs = list (site, filter, &cursor);
  for (guint i = 0; i < runs->len; i++)
    g_string_append_printf (found, "%s%s", i > 0 ? " " : "",
                            jm_run_get_raw_id (runs->pdata[i]));
  g_assert_cmpstr (found->str, ==, ids);
}

static void
test_those_who_wasted_most_come_first (MadeSite *site, gconstpointer data)
{
  fill (site);
  assert_order (site, "-cpu_unused_seconds", "3 1 2 4");
  assert_order (site, "cpu_efficiency_percent", "3 1 2 4");
  assert_order (site, "-cpu_efficiency_percent", "2 1 3 4");
  assert_order (site, "-cpu_seconds", "2 1 3 4");
  assert_order (site, "cpu_seconds", "3 1 2 4");
}

static void
test_names_are_those_that_people_type (MadeSite *site, gconstpointer data)
{
  fill (site);
  assert_order (site, "-eff", "2 1 3 4");
  assert_order (site, "-end", "4 3 2 1");
  assert_order (site, "submit", "1 2 3 4");
}

static void
test_what_is_no_order_is_refused (MadeSite *site, gconstpointer data)
{
  static const char *const wrong[] = { "",           "-", "--end", "shoe",  "user",
                                       "-partition", "e", "END ",  "id; --" };
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (jm_run_filter_set_sort (filter, wrong[i], &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
    }
}

/* Of bits that are infinite, no number, or negative; or of another order. */
static void
test_what_is_no_figure_is_no_cursor (MadeSite *site, gconstpointer data)
{
  static const char *const wrong[] = { "f9218868437227405312-1",
                                       "f9221120237041090560-1",
                                       "f-4616189618054758400-1",
                                       "f1.5-1",
                                       "fnan-1",
                                       "e1-2" };
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();

  g_assert_true (jm_run_filter_set_sort (filter, "-cpu_unused_seconds", NULL));
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (jm_run_filter_set_cursor (filter, wrong[i], &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
    }
}

/* --- the same figures in the database and here --- */

/* What is known of one is unknown of the next; many are alike. */
static JmRun *
make_random_run (GRand *random, guint i)
{
  g_autofree char *id = g_strdup_printf ("%u", i);
  gint64 submit = MIDNIGHT + g_rand_int_range (random, 0, 100);
  gint64 start = submit + g_rand_int_range (random, -10, 200);
  gint64 end = start + g_rand_int_range (random, 0, 5000);
  JmRun *run = made_run (id, submit, start, g_rand_boolean (random) ? end : 0);

  for (JmRunField field = 0; field < JM_N_RUN_FIELDS; field++)
    if (!jm_run_field_holds_text (field) && !jm_run_field_is_time (field) &&
        field != JM_RUN_FIELD_UID)
      {
        gint64 most = MIN (jm_run_field_get_max (field), G_MAXINT32);

        jm_run_keep_number (run, field,
                            g_rand_boolean (random)
                              ? g_rand_int_range (random, -1, 4)
                              : (gint64) (g_rand_double (random) * (double) most));
      }

  return run;
}

static void
fill_at_random (MadeSite *site)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (20261129);
  JmRunBatch *batch = jm_run_batch_new ();

  for (guint i = 0; i < N_RUNS; i++)
    add (batch, make_random_run (random, i));
  made_site_merge (site, batch);
}

/* Whether @run may stand behind @before. */
static void
assert_is_behind (JmQuantityId quantity, JmRun *before, JmRun *run, gboolean ascends)
{
  JmFigure figure = jm_run_derived_get (run, quantity);
  JmFigure other = jm_run_derived_get (before, quantity);

  if (!figure.is_known)
    return;
  g_assert_true (other.is_known);
  if (ascends)
    g_assert_cmpfloat (figure.value, >=, other.value);
  else
    g_assert_cmpfloat (figure.value, <=, other.value);
}

/* A page begins behind the figure of the last run of the page before, as it is
 * evaluated here: were it another one there by the last bit, a run would be lost or
 * come twice. */
static void
assert_pages (MadeSite *site, const JmRunColumn *column, gboolean ascends)
{
  const char *name = jm_quantity_get (column->quantity)->name;
  g_autofree char *sort = g_strconcat (ascends ? "" : "-", name, NULL);
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GHashTable) seen =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (JmRun) before = NULL;
  g_autofree char *cursor = NULL;

  jm_run_filter_set_limit (filter, PAGE);
  g_assert_true (jm_run_filter_set_sort (filter, sort, NULL));
  do
    {
      g_autoptr (GPtrArray) runs = list (site, filter, &cursor);

      for (guint i = 0; i < runs->len; i++)
        {
          g_assert_true (
            g_hash_table_add (seen, g_strdup (jm_run_get_raw_id (runs->pdata[i]))));
          if (before != NULL)
            assert_is_behind (column->quantity, before, runs->pdata[i], ascends);
          g_clear_pointer (&before, jm_run_unref);
          before = jm_run_ref (runs->pdata[i]);
        }
    }
  while (cursor != NULL);
  g_assert_cmpuint (g_hash_table_size (seen), ==, N_RUNS);
}

static void
test_every_figure_is_the_same_in_the_database (MadeSite *site, gconstpointer data)
{
  guint n_columns;
  const JmRunColumn *columns = jm_run_column_get_all (&n_columns);
  guint n_figures = 0;

  fill_at_random (site);
  for (guint i = 0; i < n_columns; i++)
    if (columns[i].sql != NULL)
      {
        assert_pages (site, &columns[i], TRUE);
        assert_pages (site, &columns[i], FALSE);
        n_figures++;
      }
  g_assert_cmpuint (n_figures, >, 30);
}

/* --- verdicts --- */

#define LOW_CPU                                                                        \
 "[low]\nWhen=cpu_efficiency_percent < 50\nLevel=warning\nObserved=0\nTitle=Low\n"     \
 "Reason=R.\nAction=A.\nWasted=cpu_unused_seconds\n"
#define FAILED                                                                         \
 "[failed]\nWhen=state ~ FAILED*\nLevel=act\nObserved=0\nTitle=Failed\nReason=R.\n"    \
 "Action=A.\n"

static void
judge_by (MadeSite *site, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRunRules) rules =
    jm_run_rules_new_from_text ("site.conf", text, strlen (text), &error);
  gboolean is_done = FALSE;

  g_assert_no_error (error);
  while (!is_done)
    {
      jm_archive_database_judge (site->store, rules, &is_done, &error);
      g_assert_no_error (error);
    }
}

/* The ids of those with one verdict. */
static void
assert_judged (MadeSite *site, const char *kind, const char *ids)
{
  const char *const kinds[] = { kind, NULL };
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GString) found = g_string_new (NULL);
  g_autoptr (GPtrArray) runs = NULL;
  g_autofree char *cursor = NULL;

  g_assert_true (jm_run_filter_set_sort (filter, "submit", NULL));
  g_assert_true (jm_run_filter_set_verdicts (filter, kinds, NULL));
  runs = list (site, filter, &cursor);
  for (guint i = 0; i < runs->len; i++)
    g_string_append_printf (found, "%s%s", i > 0 ? " " : "",
                            jm_run_get_raw_id (runs->pdata[i]));
  g_assert_cmpstr (found->str, ==, ids);
}

/* Of a hundred seconds on four CPUs. */
static JmRun *
make_measured (const char *id, const char *state, gint64 cpu_seconds)
{
  JmRun *run = made_run (id, MIDNIGHT, MIDNIGHT + 60, MIDNIGHT + 160);

  jm_run_keep_text (run, JM_RUN_FIELD_STATE, state);
  jm_run_keep_number (run, JM_RUN_FIELD_NODES, 1);
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, cpu_seconds * 1000000);
  jm_run_keep_number (run, JM_RUN_FIELD_MEMORY_ALLOCATED, 1 << 30);
  jm_run_keep_number (run, JM_RUN_FIELD_MEMORY_PEAK, 1 << 29);
  jm_run_keep_number (run, JM_RUN_FIELD_GPUS_ALLOCATED, 0);

  return run;
}

/* 1 is good, 2 wasted CPUs, 3 failed, of 4 nobody knows what it used, 5 runs and 6
 * waits. */
static void
fill_for_judges (MadeSite *site)
{
  JmRunBatch *batch = jm_run_batch_new ();

  add (batch, make_measured ("1", "COMPLETED", 390));
  add (batch, make_measured ("2", "COMPLETED", 100));
  add (batch, make_measured ("3", "FAILED", 390));
  add (batch, made_run ("4", MIDNIGHT, MIDNIGHT + 60, MIDNIGHT + 160));
  add (batch, made_run ("5", MIDNIGHT, MIDNIGHT + 60, 0));
  add (batch, made_run ("6", MIDNIGHT, 0, 0));
  made_site_merge (site, batch);
}

static void
test_runs_are_found_by_their_verdicts (MadeSite *site, gconstpointer data)
{
  static const char *const wrong[] = { "waste", "wasteful", NULL };
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GError) error = NULL;

  fill_for_judges (site);
  assert_judged (site, "good", "");
  assert_judged (site, "running", "5");
  assert_judged (site, "waiting", "6");
  judge_by (site, LOW_CPU FAILED);
  assert_judged (site, "good", "1");
  assert_judged (site, "waste", "2");
  assert_judged (site, "trouble", "3");
  assert_judged (site, "not-enough-data", "4");
  assert_judged (site, "running", "5");
  assert_judged (site, "waiting", "6");
  g_assert_false (jm_run_filter_set_verdicts (filter, wrong, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
}

static void
test_other_rules_judge_again (MadeSite *site, gconstpointer data)
{
  fill_for_judges (site);
  judge_by (site, FAILED);
  assert_judged (site, "good", "1 2");
  judge_by (site, LOW_CPU FAILED);
  assert_judged (site, "good", "1");
  assert_judged (site, "waste", "2");
  judge_by (site, LOW_CPU);
  assert_judged (site, "trouble", "");
  /* a run whose end nobody can praise */
  assert_judged (site, "not-enough-data", "3 4");
}

/* More than one transaction judges. */
static void
test_a_run_that_changed_is_judged_again (MadeSite *site, gconstpointer data)
{
  JmRunBatch *batch = jm_run_batch_new ();
  JmRunBatch *later = jm_run_batch_new ();

  for (guint i = 10; i < 250; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i);

      add (batch, make_measured (id, "COMPLETED", 390));
    }
  made_site_merge (site, batch);
  judge_by (site, LOW_CPU);
  assert_judged (site, "waste", "");

  add (later, make_measured ("10", "COMPLETED", 5));
  made_site_merge (site, later);
  /* the verdict of before stays meanwhile */
  assert_judged (site, "waste", "");
  judge_by (site, LOW_CPU);
  assert_judged (site, "waste", "10");
}

/* Which is known to have run at some time. */
static JmRun *
make_going (gint64 seen_time, gint64 cpu_seconds)
{
  JmRun *run = made_run ("1", MIDNIGHT, MIDNIGHT + 60, 0);

  jm_run_keep_text (run, JM_RUN_FIELD_STATE, "RUNNING");
  jm_run_keep_number (run, JM_RUN_FIELD_SEEN_TIME, seen_time);
  jm_run_keep_number (run, JM_RUN_FIELD_ELAPSED, 100);
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, cpu_seconds * 1000000);

  return run;
}

static void
merge_going (MadeSite *site, gint64 seen_time, gint64 cpu_seconds)
{
  JmRunBatch *batch = jm_run_batch_new ();

  add (batch, make_going (seen_time, cpu_seconds));
  made_site_merge (site, batch);
}

/* It is listed with what its page says of it, and that it still runs is no reason to
 * judge it again. */
static void
test_a_run_that_goes_on_is_judged (MadeSite *site, gconstpointer data)
{
  JmRunBatch *batch = jm_run_batch_new ();

  merge_going (site, MIDNIGHT + 160, 100);
  assert_judged (site, "running", "1");
  judge_by (site, LOW_CPU);
  assert_judged (site, "waste", "1");
  merge_going (site, MIDNIGHT + 170, 100);
  assert_judged (site, "waste", "1");
  merge_going (site, MIDNIGHT + 180, 390);
  assert_judged (site, "waste", "1");
  judge_by (site, LOW_CPU);
  assert_judged (site, "running", "1");

  add (batch, make_measured ("1", "COMPLETED", 390));
  made_site_merge (site, batch);
  assert_judged (site, "running", "");
  judge_by (site, LOW_CPU);
  assert_judged (site, "good", "1");
}

static void
add_part (JmRunBatch *batch, JmRunPartKind kind, const char *name, gint64 busy_us)
{
  g_autoptr (JmRunPart) part = jm_run_part_new (kind);

  jm_run_part_set_text (part, JM_QUANTITY_NODE, "n1");
  if (kind == JM_RUN_PART_KIND_DEVICE)
    {
      jm_run_part_set_text (part, JM_QUANTITY_NAME, name);
      jm_run_part_set_number (part, JM_QUANTITY_GPU_BUSY, busy_us);
      jm_run_part_set_number (part, JM_QUANTITY_GPU_OBSERVED, 100000000);
    }
  else
    {
      jm_run_part_set_number (part, JM_QUANTITY_START_TIME, MIDNIGHT + 60);
      jm_run_part_set_number (part, JM_QUANTITY_END_TIME, MIDNIGHT + 160);
    }
  jm_run_batch_add_part (batch, part);
}

/* Its records are deleted before the run itself. */
static void
test_a_verdict_outlives_the_records (MadeSite *site, gconstpointer data)
{
  JmRunBatch *batch = jm_run_batch_new ();
  g_autoptr (JmRunPart) record = jm_run_part_new (JM_RUN_PART_KIND_RECORD);
  g_autoptr (GError) error = NULL;

  add (batch, make_measured ("1", "COMPLETED", 100));
  add_part (batch, JM_RUN_PART_KIND_NODE, NULL, 0);
  jm_run_part_set_text (record, JM_QUANTITY_NODE, "n1");
  jm_run_batch_add_part (batch, record);
  add (batch, make_measured ("2", "COMPLETED", 100));
  made_site_merge (site, batch);
  judge_by (site, LOW_CPU);
  assert_judged (site, "waste", "1 2");

  g_assert_true (
    jm_archive_database_forget_records (site->store, MIDNIGHT + DAY, &error));
  g_assert_no_error (error);
  judge_by (site, FAILED);
  assert_judged (site, "waste", "1");
}

static void
add_with_gpus (JmRunBatch *batch, const char *id, gint64 first_us, gint64 second_us)
{
  JmRun *run = make_measured (id, "COMPLETED", 390);

  jm_run_keep_number (run, JM_RUN_FIELD_GPUS_ALLOCATED, 2);
  add (batch, run);
  add_part (batch, JM_RUN_PART_KIND_NODE, NULL, 0);
  add_part (batch, JM_RUN_PART_KIND_DEVICE, "nvidia0", first_us);
  add_part (batch, JM_RUN_PART_KIND_DEVICE, "nvidia1", second_us);
}

/* Of all runs together. */
static void
assert_gpus_unused (MadeSite *site, double expected)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) found = NULL;
  double seconds;

  found =
    jm_archive_database_list_statistics (site->store, filter, MIDNIGHT, MIDNIGHT + DAY,
                                         JM_USAGE_GROUPS_NONE, all, &error);
  g_assert_no_error (error);
  g_assert_true (jm_run_statistics_get_value (found->pdata[0],
                                              JM_RUN_STATISTIC_GPUS_UNUSED, &seconds));
  g_assert_cmpfloat (seconds, ==, expected);
}

/* Of 200 s of two accelerators 150 s were unused, 20 s, and an unknown time. */
static void
test_unused_accelerators_are_sorted_by (MadeSite *site, gconstpointer data)
{
  JmRunBatch *batch = jm_run_batch_new ();
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) runs = NULL;
  g_autofree char *cursor = NULL;
  JmFigure figure;

  add_with_gpus (batch, "1", 90000000, 90000000);
  add_with_gpus (batch, "2", 50000000, 0);
  add (batch, make_measured ("3", "COMPLETED", 390));
  made_site_merge (site, batch);
  assert_order (site, "-gpu_unused_seconds", "3 2 1");
  judge_by (site, LOW_CPU);
  assert_order (site, "-gpu_unused_seconds", "2 1 3");
  assert_order (site, "gpu_utilization_percent", "2 1 3");
  assert_gpus_unused (site, 170);

  g_assert_true (jm_run_filter_set_sort (filter, "-gpu_unused_seconds", NULL));
  runs = list (site, filter, &cursor);
  figure = jm_run_derived_get (runs->pdata[0], JM_QUANTITY_GPU_UNUSED);
  g_assert_cmpfloat (figure.value, ==, 150);
  figure = jm_run_derived_get (runs->pdata[0], JM_QUANTITY_GPU_UTILIZATION_SHARE);
  g_assert_cmpfloat (figure.value, ==, 25);
}

#define TEST(name)                                                                     \
 {                                                                                     \
#  name, test_##name                                                                   \
 }

static const MadeSiteTest tests[] = {
  TEST (those_who_wasted_most_come_first),
  TEST (names_are_those_that_people_type),
  TEST (what_is_no_order_is_refused),
  TEST (what_is_no_figure_is_no_cursor),
  TEST (every_figure_is_the_same_in_the_database),
  TEST (runs_are_found_by_their_verdicts),
  TEST (other_rules_judge_again),
  TEST (a_run_that_changed_is_judged_again),
  TEST (a_run_that_goes_on_is_judged),
  TEST (unused_accelerators_are_sorted_by),
  TEST (a_verdict_outlives_the_records),
  { NULL },
};

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  return made_site_run ("run-sort", tests);
}
