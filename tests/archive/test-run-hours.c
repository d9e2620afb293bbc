/* test-run-hours.c: tests of what the runs of a cluster had in each hour
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jm-archive-database-private.h"
#include "core/jm-run-field-private.h"
#include "made-runs.h"
#include "made-site.h"

#define HOUR G_GINT64_CONSTANT (3600)

static void
add (JmRunBatch *batch, JmRun *run, JmRunSource source)
{
  jm_run_batch_add_run (batch, run, source);
  jm_run_unref (run);
}

/* Four CPUs and three GPUs from 00:30 to 02:30, submitted at 23:00, with 720 kJ; four
 * CPUs from 01:00 on, which is not over; one that waits since 02:15. */
static void
fill (MadeSite *site)
{
  JmRunBatch *batch = jm_run_batch_new ();
  JmRun *ended =
    made_run ("1", MIDNIGHT - HOUR, MIDNIGHT + HOUR / 2, MIDNIGHT + 5 * HOUR / 2);

  jm_run_keep_number (ended, JM_RUN_FIELD_GPUS_ALLOCATED, 3);
  jm_run_keep_number (ended, JM_RUN_FIELD_ENERGY, G_GINT64_CONSTANT (720000000000));
  add (batch, ended, JM_RUN_SOURCE_ACCOUNTING);
  add (batch, made_run ("2", MIDNIGHT + HOUR, MIDNIGHT + HOUR, 0),
       JM_RUN_SOURCE_ACCOUNTING);
  add (batch, made_run ("3", MIDNIGHT + 9 * HOUR / 4, 0, 0), JM_RUN_SOURCE_ACCOUNTING);
  made_site_merge (site, batch);
}

/* From midnight until 03:30. */
static GArray *
list (MadeSite *site, const char *cluster, JmViewer *viewer)
{
  g_autoptr (GError) error = NULL;
  gboolean has_more = TRUE;
  GArray *hours =
    jm_archive_database_list_hours (site->store, cluster, MIDNIGHT,
                                    MIDNIGHT + 7 * HOUR / 2, viewer, &has_more, &error);

  g_assert_no_error (error);
  g_assert_false (has_more);
  g_assert_cmpuint (hours->len, ==, 4);
  for (guint i = 0; i < hours->len; i++)
    g_assert_cmpint (g_array_index (hours, JmRunHour, i).begin, ==,
                     MIDNIGHT + (gint64) i * HOUR);

  return hours;
}

/* A number below 0 is not known. */
static void
assert_are (GArray *hours, JmRunHourMean mean, const double *wanted)
{
  for (guint i = 0; i < hours->len; i++)
    {
      const JmFigure found = g_array_index (hours, JmRunHour, i).means[mean];

      g_assert_cmpint (found.is_known, ==, wanted[i] >= 0);
      if (found.is_known)
        g_assert_cmpfloat_with_epsilon (found.value, wanted[i], 1e-9);
    }
}

static void
test_allocations_are_means_of_each_hour (MadeSite *site, gconstpointer data)
{
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (GArray) hours = NULL;

  fill (site);
  hours = list (site, "alps", all);
  assert_are (hours, JM_RUN_HOUR_CPUS, (double[]){ 2, 8, 6, 4 });
  assert_are (hours, JM_RUN_HOUR_GPUS, (double[]){ 1.5, 3, 1.5, -1 });
}

static void
test_energy_is_spread_over_a_run (MadeSite *site, gconstpointer data)
{
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (GArray) hours = NULL;

  fill (site);
  hours = list (site, "alps", all);
  assert_are (hours, JM_RUN_HOUR_POWER, (double[]){ 50, 100, 50, -1 });
}

static void
test_the_queue_has_what_had_not_begun (MadeSite *site, gconstpointer data)
{
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (GArray) hours = NULL;

  fill (site);
  hours = list (site, "alps", all);
  assert_are (hours, JM_RUN_HOUR_WAITING, (double[]){ 0.5, -1, 0.75, 1 });
}

static void
test_what_no_run_has_is_unknown (MadeSite *site, gconstpointer data)
{
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (GArray) hours = NULL;

  fill (site);
  hours = list (site, "alps", all);
  assert_are (hours, JM_RUN_HOUR_MEMORY, (double[]){ -1, -1, -1, -1 });
}

static void
test_other_clusters_and_viewers_have_none_of_it (MadeSite *site, gconstpointer data)
{
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (JmViewer) other = jm_viewer_new ();
  g_autoptr (GArray) elsewhere = NULL;
  g_autoptr (GArray) unseen = NULL;

  fill (site);
  elsewhere = list (site, "jura", all);
  unseen = list (site, "alps", other);
  for (JmRunHourMean mean = 0; mean < JM_N_RUN_HOUR_MEANS; mean++)
    {
      assert_are (elsewhere, mean, (double[]){ -1, -1, -1, -1 });
      assert_are (unseen, mean, (double[]){ -1, -1, -1, -1 });
    }
}

static void
test_a_run_that_was_lost_ends_when_it_was_seen_last (MadeSite *site, gconstpointer data)
{
  static const char *const states[] = { "RUNNING", "LOST" };
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (GArray) hours = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    {
      JmRunBatch *batch = jm_run_batch_new ();
      JmRun *run = made_run ("4", MIDNIGHT, MIDNIGHT, 0);

      jm_run_keep_text (run, JM_RUN_FIELD_STATE, states[i]);
      jm_run_keep_number (run, JM_RUN_FIELD_SEEN_TIME, MIDNIGHT + 3 * HOUR / 2);
      add (batch, run, JM_RUN_SOURCE_ACCOUNTING);
      made_site_merge (site, batch);
    }
  hours = list (site, "alps", all);
  assert_are (hours, JM_RUN_HOUR_CPUS, (double[]){ 4, 2, -1, -1 });
}

#define TEST(name)                                                                     \
 {                                                                                     \
#  name, test_##name                                                                   \
 }

static const MadeSiteTest tests[] = {
  TEST (allocations_are_means_of_each_hour),
  TEST (energy_is_spread_over_a_run),
  TEST (the_queue_has_what_had_not_begun),
  TEST (what_no_run_has_is_unknown),
  TEST (other_clusters_and_viewers_have_none_of_it),
  TEST (a_run_that_was_lost_ends_when_it_was_seen_last),
  { NULL },
};

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  return made_site_run ("run-hours", tests);
}
