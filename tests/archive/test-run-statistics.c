/* test-run-statistics.c: tests of how runs fared
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "archive/jm-archive-database-private.h"
#include "archive/jm-archive-private.h"
#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "core/jm-run-field-private.h"
#include "made-runs.h"
#include "made-site.h"

#define MIB G_GINT64_CONSTANT (1048576)

/* One that waited and ran so long, on four CPUs, all of which end on the first day. */
static JmRun *
make (const char *id, gint64 wait, gint64 length, const char *state)
{
  gint64 start = MIDNIGHT + 3600;
  JmRun *run = made_run (id, start - wait, start, start + length);

  jm_run_keep_text (run, JM_RUN_FIELD_STATE, state);

  return run;
}

static void
add (JmRunBatch *batch, JmRun *run)
{
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
  jm_run_unref (run);
}

/* Ten that wait 10, 20, ... 100 s and run 1, 2, ... 10 s; the fourth fails. */
static void
fill (MadeSite *site)
{
  JmRunBatch *batch = jm_run_batch_new ();

  for (guint i = 1; i <= 10; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i);
      JmRun *run = make (id, i * 10, i, i == 4 ? "FAILED" : "COMPLETED");

      jm_run_keep_text (run, JM_RUN_FIELD_USER, i <= 3 ? "bob" : "ada");
      jm_run_keep_number (run, JM_RUN_FIELD_UID, i <= 3 ? 1001 : 1000);
      if (i >= 4)
        jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, i * 1000000);
      if (i == 4 || i == 5)
        jm_run_keep_number (run, JM_RUN_FIELD_ENERGY, i * 500000);
      add (batch, run);
    }
  made_site_merge (site, batch);
}

static GPtrArray *
list (MadeSite *site, JmRunFilter *filter, JmUsageGroups groups, JmViewer *viewer)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *all =
    jm_archive_database_list_statistics (site->store, filter, MIDNIGHT, MIDNIGHT + DAY,
                                         groups, viewer, &error);

  g_assert_no_error (error);

  return all;
}

static void
assert_is (JmRunStatistics *of, JmRunStatistic statistic, double wanted)
{
  double found;

  g_assert_true (jm_run_statistics_get_value (of, statistic, &found));
  g_assert_cmpfloat_with_epsilon (found, wanted, 1e-9);
}

static void
assert_is_absent (JmRunStatistics *of, JmRunStatistic statistic)
{
  double found;

  g_assert_false (jm_run_statistics_get_value (of, statistic, &found));
}

static void
test_runs_are_counted_by_how_they_ended (MadeSite *site, gconstpointer data)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (GPtrArray) found = NULL;

  fill (site);
  found = list (site, filter, JM_USAGE_GROUPS_NONE, all);
  g_assert_cmpuint (found->len, ==, 1);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_RUNS, 10);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_COMPLETED, 9);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_FAILED, 1);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_OTHER, 0);
}

static void
test_times_have_means_and_ranks (MadeSite *site, gconstpointer data)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (GPtrArray) found = NULL;

  fill (site);
  found = list (site, filter, JM_USAGE_GROUPS_NONE, all);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_WAIT_MEAN, 55);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_WAIT_MIN, 10);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_WAIT_MEDIAN, 50);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_WAIT_P90, 90);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_WAIT_MAX, 100);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_DURATION_MEAN, 5.5);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_DURATION_MEDIAN, 5);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_DURATION_P90, 9);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_DURATION_MAX, 10);
}

/* 4 CPUs for 1 + ... + 10 s; from the fourth on one of them was used. */
static void
test_what_was_used_is_set_against_what_was_given (MadeSite *site, gconstpointer data)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (GPtrArray) found = NULL;

  fill (site);
  found = list (site, filter, JM_USAGE_GROUPS_NONE, all);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_CPUS, 220);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_CPU_EFFICIENCY, 0.25);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_CPUS_UNUSED, 147);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_CPUS_LOST, 16);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_ENERGY, 4.5);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_ENERGY_LOST, 2);
}

/* Of the first 4 GiB on two nodes, of which each used 512 MiB at the most; the second
 * used more than it had, the third's peak is not known. */
static void
test_memory_and_accelerators_are_set_against_time (MadeSite *site, gconstpointer data)
{
  static const gint64 peaks[] = { 512, 3000, -1 };
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (GPtrArray) found = NULL;
  JmRunBatch *batch = jm_run_batch_new ();

  for (guint i = 0; i < G_N_ELEMENTS (peaks); i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i);
      JmRun *run = make (id, 10, 100, "COMPLETED");

      jm_run_keep_number (run, JM_RUN_FIELD_NODES, 2);
      jm_run_keep_number (run, JM_RUN_FIELD_MEMORY_ALLOCATED, 4096 * MIB);
      if (peaks[i] >= 0)
        jm_run_keep_number (run, JM_RUN_FIELD_MEMORY_PEAK, peaks[i] * MIB);
      if (i == 0)
        jm_run_keep_number (run, JM_RUN_FIELD_GPUS_ALLOCATED, 3);
      add (batch, run);
    }
  made_site_merge (site, batch);
  found = list (site, filter, JM_USAGE_GROUPS_NONE, all);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_MEMORY, 3 * 4096.0 * 100 * MIB);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_MEMORY_UNUSED, 3072.0 * 100 * MIB);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_GPUS, 300);
}

static void
test_what_nobody_knows_is_absent (MadeSite *site, gconstpointer data)
{
  const char *const bob[] = { "bob", NULL };
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (GPtrArray) found = NULL;

  fill (site);
  jm_run_filter_set_users (filter, bob);
  found = list (site, filter, JM_USAGE_GROUPS_NONE, all);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_RUNS, 3);
  assert_is_absent (found->pdata[0], JM_RUN_STATISTIC_CPU_EFFICIENCY);
  assert_is_absent (found->pdata[0], JM_RUN_STATISTIC_CPUS_UNUSED);
  assert_is_absent (found->pdata[0], JM_RUN_STATISTIC_MEMORY_EFFICIENCY);
  assert_is_absent (found->pdata[0], JM_RUN_STATISTIC_MEMORY_UNUSED);
  assert_is_absent (found->pdata[0], JM_RUN_STATISTIC_ENERGY);
  assert_is_absent (found->pdata[0], JM_RUN_STATISTIC_ENERGY_LOST);
  assert_is_absent (found->pdata[0], JM_RUN_STATISTIC_EMISSIONS);
}

/* Of those on several nodes nobody knows how much each used. */
static void
test_memory_efficiency_is_that_of_runs_on_one_node (MadeSite *site, gconstpointer data)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  JmRunBatch *batch = jm_run_batch_new ();
  g_autoptr (GPtrArray) found = NULL;

  for (gint64 nodes = 1; nodes <= 3; nodes++)
    {
      g_autofree char *id = g_strdup_printf ("%d", (int) nodes);
      JmRun *run = make (id, 5, nodes < 3 ? 10 : 30, "COMPLETED");

      jm_run_keep_number (run, JM_RUN_FIELD_NODES, nodes < 3 ? nodes : 1);
      jm_run_keep_number (run, JM_RUN_FIELD_MEMORY_ALLOCATED, 1000 * MIB);
      jm_run_keep_number (run, JM_RUN_FIELD_MEMORY_PEAK, nodes * 100 * MIB);
      add (batch, run);
    }
  made_site_merge (site, batch);
  found = list (site, filter, JM_USAGE_GROUPS_NONE, all);
  /* 100 MiB for 10 s and 300 MiB for 30 s, of 1000 MiB for 40 s */
  assert_is (found->pdata[0], JM_RUN_STATISTIC_MEMORY_EFFICIENCY, 0.25);
  /* 900 MiB for 10 s, 700 MiB for 30 s, and 600 MiB for 10 s where each of two nodes
   * had 200 MiB at the most */
  assert_is (found->pdata[0], JM_RUN_STATISTIC_MEMORY_UNUSED, 36000.0 * 1048576);
  assert_is_absent (found->pdata[0], JM_RUN_STATISTIC_GPUS_UNUSED);
}

static void
test_a_wait_begins_when_nothing_else_held_it_back (MadeSite *site, gconstpointer data)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  JmRunBatch *batch = jm_run_batch_new ();
  JmRun *held = make ("1", 1000, 10, "COMPLETED");
  JmRun *never = made_run ("2", MIDNIGHT + 5, 0, MIDNIGHT + 500);
  g_autoptr (GPtrArray) found = NULL;

  jm_run_keep_number (held, JM_RUN_FIELD_ELIGIBLE_TIME, MIDNIGHT + 3600 - 40);
  jm_run_keep_text (never, JM_RUN_FIELD_STATE, "CANCELLED");
  add (batch, held);
  add (batch, never);
  made_site_merge (site, batch);
  found = list (site, filter, JM_USAGE_GROUPS_STATE, all);
  g_assert_cmpuint (found->len, ==, 2);
  g_assert_cmpstr (jm_run_statistics_get_group (found->pdata[0], JM_USAGE_GROUPS_STATE),
                   ==, "CANCELLED");
  assert_is_absent (found->pdata[0], JM_RUN_STATISTIC_WAIT_MEAN);
  assert_is_absent (found->pdata[0], JM_RUN_STATISTIC_DURATION_MEDIAN);
  assert_is (found->pdata[1], JM_RUN_STATISTIC_WAIT_MEAN, 40);
  assert_is (found->pdata[1], JM_RUN_STATISTIC_WAIT_MEDIAN, 40);
}

static void
test_groups_are_kept_apart (MadeSite *site, gconstpointer data)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (GPtrArray) found = NULL;

  fill (site);
  found =
    list (site, filter,
          JM_USAGE_GROUPS_CLUSTER | JM_USAGE_GROUPS_USER | JM_USAGE_GROUPS_DAY, all);
  g_assert_cmpuint (found->len, ==, 2);
  g_assert_cmpstr (jm_run_statistics_get_group (found->pdata[0],
                                                JM_USAGE_GROUPS_CLUSTER),
                   ==, "alps");
  g_assert_cmpstr (jm_run_statistics_get_group (found->pdata[0], JM_USAGE_GROUPS_USER),
                   ==, "ada");
  g_assert_null (jm_run_statistics_get_group (found->pdata[0], JM_USAGE_GROUPS_STATE));
  g_assert_cmpint (jm_run_statistics_get_day (found->pdata[0]), ==, MIDNIGHT);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_WAIT_MEDIAN, 70);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_CPU_EFFICIENCY, 0.25);
  g_assert_cmpstr (jm_run_statistics_get_group (found->pdata[1], JM_USAGE_GROUPS_USER),
                   ==, "bob");
  assert_is (found->pdata[1], JM_RUN_STATISTIC_WAIT_MEDIAN, 20);
  assert_is (found->pdata[1], JM_RUN_STATISTIC_WAIT_P90, 30);
}

static void
test_a_viewer_sees_what_they_may (MadeSite *site, gconstpointer data)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) bob = jm_viewer_new ();
  g_autoptr (JmViewer) nobody = jm_viewer_new ();
  g_autoptr (GPtrArray) his = NULL;
  g_autoptr (GPtrArray) none = NULL;
  g_autoptr (GPtrArray) names = NULL;

  fill (site);
  jm_viewer_let_own (bob, "alps", 1001);
  his = list (site, filter, JM_USAGE_GROUPS_USER, bob);
  g_assert_cmpuint (his->len, ==, 1);
  assert_is (his->pdata[0], JM_RUN_STATISTIC_WAIT_MAX, 30);
  names = list (site, filter, JM_USAGE_GROUPS_USER, nobody);
  g_assert_cmpuint (names->len, ==, 0);
  none = list (site, filter, JM_USAGE_GROUPS_NONE, nobody);
  assert_is (none->pdata[0], JM_RUN_STATISTIC_RUNS, 0);
  assert_is_absent (none->pdata[0], JM_RUN_STATISTIC_WAIT_MAX);
}

/* As large as a run can say it is, and many of them: nothing overflows. */
static void
test_absurd_runs_are_added_up (MadeSite *site, gconstpointer data)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  JmRunBatch *batch = jm_run_batch_new ();
  g_autoptr (GPtrArray) found = NULL;

  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i);
      JmRun *run = made_run (id, 1, MIDNIGHT + 60 - 316224000 + i, MIDNIGHT + 60);

      jm_run_keep_number (run, JM_RUN_FIELD_NODES, 1);
      jm_run_keep_number (run, JM_RUN_FIELD_CPUS, G_GINT64_CONSTANT (1) << 24);
      jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, G_GINT64_CONSTANT (1) << 60);
      jm_run_keep_number (run, JM_RUN_FIELD_ENERGY, G_GINT64_CONSTANT (1) << 60);
      jm_run_keep_number (run, JM_RUN_FIELD_MEMORY_PEAK, G_GINT64_CONSTANT (1) << 52);
      jm_run_keep_number (run, JM_RUN_FIELD_MEMORY_ALLOCATED,
                          G_GINT64_CONSTANT (1) << 52);
      add (batch, run);
    }
  made_site_merge (site, batch);
  found = list (site, filter, JM_USAGE_GROUPS_NONE, all);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_RUNS, 100);
  assert_is (found->pdata[0], JM_RUN_STATISTIC_MEMORY_EFFICIENCY, 1);
}

static void
test_a_period_is_bounded (MadeSite *site, gconstpointer data)
{
  static const struct
  {
    gint64 since, until;
  } wrong[] = { { 0, MIDNIGHT },
                { MIDNIGHT, MIDNIGHT - 1 },
                { -1, 5 },
                { 0, G_MAXINT64 } };
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (
        jm_archive_database_list_statistics (site->store, filter, wrong[i].since,
                                             wrong[i].until, JM_USAGE_GROUPS_NONE, all,
                                             &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
    }
}

/* What a server may answer of users by day, and the rows of it; none is refused. */
static void
test_an_answer_is_read_or_refused (MadeSite *site, gconstpointer data)
{
  static const struct
  {
    const char *json;
    int n_rows;
  } answers[] = {
    { "{\"statistics\":[]}", 0 },
    { "{\"statistics\":[{\"user\":\"ada\",\"day_start_time\":86400,\"runs\":2,"
      "\"wait_max_seconds\":null,\"moons\":\"?\"}]}",
      1 },
    /* the second began after a signed number of 32 bits ends */
    { "{\"statistics\":[{\"user\":\"ada\",\"day_start_time\":86400},"
      "{\"user\":\"ada\",\"day_start_time\":2208988800}]}",
      2 },
    { "{\"statistics\":[{\"user\":\"a\",\"day_start_time\":253402300800}]}", -1 },
    { "{}", -1 },
    { "[]", -1 },
    { "{\"statistics\":{}}", -1 },
    { "{\"statistics\":[7]}", -1 },
    { "{\"statistics\":[{\"day_start_time\":0}]}", -1 },
    { "{\"statistics\":[{\"user\":\"a\",\"day_start_time\":-1}]}", -1 },
    { "{\"statistics\":[{\"user\":\"a\",\"day_start_time\":1e300}]}", -1 },
    { "{\"statistics\":[{\"user\":\"a\",\"day_start_time\":0,\"runs\":-1}]}", -1 },
    { "{\"statistics\":[{\"user\":\"a\",\"day_start_time\":0,\"runs\":\"1\"}]}", -1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autoptr (JsonNode) json =
        jm_json_parse (answers[i].json, strlen (answers[i].json));
      g_autoptr (GError) error = NULL;
      g_autoptr (GVariant) rows =
        jm_run_statistics_read (json, JM_USAGE_GROUPS_USER | JM_USAGE_GROUPS_DAY,
                                "server", &error);

      if (answers[i].n_rows < 0)
        g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
      else
        g_assert_cmpuint (g_variant_n_children (rows), ==, (guint) answers[i].n_rows);
      if (answers[i].n_rows == 1)
        {
          g_autofree char *printed = g_variant_print (rows, FALSE);

          g_assert_cmpstr (printed, ==,
                           "[{'user': <'ada'>, 'day_start_time': <int64 86400>, "
                           "'runs': <2.0>}]");
        }
    }
}

#define TEST(name)                                                                     \
 {                                                                                     \
#  name, test_##name                                                                   \
 }

static const MadeSiteTest tests[] = {
  TEST (runs_are_counted_by_how_they_ended),
  TEST (times_have_means_and_ranks),
  TEST (what_was_used_is_set_against_what_was_given),
  TEST (memory_and_accelerators_are_set_against_time),
  TEST (what_nobody_knows_is_absent),
  TEST (memory_efficiency_is_that_of_runs_on_one_node),
  TEST (a_wait_begins_when_nothing_else_held_it_back),
  TEST (groups_are_kept_apart),
  TEST (a_viewer_sees_what_they_may),
  TEST (absurd_runs_are_added_up),
  TEST (a_period_is_bounded),
  TEST (an_answer_is_read_or_refused),
  { NULL },
};

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  return made_site_run ("run-statistics", tests);
}
