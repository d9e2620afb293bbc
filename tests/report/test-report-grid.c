/* test-report-grid.c: what all nodes of a run did at once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "report/page/jm-report-grid-private.h"

#include <math.h>
#include <string.h>

#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "core/jm-job-profile-private.h"
#include "core/jm-run-document-private.h"
#include "core/jm-run-field-private.h"
#include "judge/jm-run-report-private.h"
#include "report/page/jm-equivalence-private.h"
#include "report/page/jm-report-plots-private.h"
#include "report/plot/jm-plot-private.h"
#include "shown-report.h"

#define SECOND_US G_USEC_PER_SEC
#define POINT_SECONDS (SHOWN_REPORT_SECONDS / 60)

static const double tolerance = 1e-6;

static gsize
find (const JmReportGrid *grid, double seconds_since_begin)
{
  gsize i = 0;

  while (i + 1 < grid->n &&
         grid->times[i + 1] <= SHOWN_REPORT_BEGIN_S + seconds_since_begin)
    i++;

  return i;
}

static void
test_a_sum_is_reported_by_the_second (void)
{
  g_autoptr (JmRunReport) report = shown_report_new (2, 0);
  g_auto (JmReportGrid) grid = { 0 };

  g_assert_true (
    jm_report_grid_init_of_profile (&grid, jm_run_report_get_node_profile (report, 1),
                                    JM_PROFILE_SERIES_CPU));
  g_assert_cmpfloat_with_epsilon (grid.values[0], 0.25, tolerance);
  g_assert_cmpfloat (grid.times[0], >, SHOWN_REPORT_BEGIN_S);
}

static void
test_what_nobody_saw_is_a_gap (void)
{
  g_autoptr (JmRunReport) report = shown_report_new (2, 0);
  g_auto (JmReportGrid) grid = { 0 };

  g_assert_true (
    jm_report_grid_init_of_profile (&grid, jm_run_report_get_node_profile (report, 0),
                                    JM_PROFILE_SERIES_MEMORY));
  g_assert_false (isnan (grid.values[find (&grid, 19 * POINT_SECONDS)]));
  g_assert_true (isnan (grid.values[find (&grid, 22 * POINT_SECONDS)]));
  g_assert_false (isnan (grid.values[find (&grid, 26 * POINT_SECONDS)]));
}

static void
test_nodes_are_added_up (void)
{
  g_autoptr (JmRunReport) report = shown_report_new (20, 0);
  g_auto (JmReportGrid) one = { 0 };
  g_auto (JmReportGrid) all = { 0 };
  gsize i;

  g_assert_true (
    jm_report_grid_init_of_profile (&one, jm_run_report_get_node_profile (report, 0),
                                    JM_PROFILE_SERIES_CPU));
  g_assert_true (jm_report_grid_init_of_all (&all, report, JM_PROFILE_SERIES_CPU));
  g_assert_cmpuint (all.n, ==, one.n);
  i = find (&all, 40 * POINT_SECONDS);
  g_assert_cmpfloat_with_epsilon (all.values[i], 19 * one.values[i] + 0.25, 1e-3);
  g_assert_true (isnan (all.values[find (&all, 22 * POINT_SECONDS)]));
}

static void
test_a_node_that_ran_later_had_nothing_before (void)
{
  g_autoptr (JmRunReport) report = shown_report_new (2, 0);
  JmRunReportNode *node = jm_run_report_peek_node (report, 1);
  g_autoptr (JmJobProfile) profile =
    jm_job_profile_new ((SHOWN_REPORT_BEGIN_S + SHOWN_REPORT_SECONDS) * SECOND_US);
  g_auto (JmReportGrid) before = { 0 };
  g_auto (JmReportGrid) all = { 0 };

  jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_CPU,
                          (SHOWN_REPORT_BEGIN_S + SHOWN_REPORT_SECONDS) * SECOND_US,
                          (SHOWN_REPORT_BEGIN_S + 2 * SHOWN_REPORT_SECONDS) * SECOND_US,
                          G_GUINT64_CONSTANT (4000000000) * SHOWN_REPORT_SECONDS);
  shown_report_set_profile (node, profile);
  g_assert_true (
    jm_report_grid_init_of_profile (&before, jm_run_report_get_node_profile (report, 0),
                                    JM_PROFILE_SERIES_CPU));
  g_assert_true (jm_report_grid_init_of_all (&all, report, JM_PROFILE_SERIES_CPU));
  g_assert_cmpfloat_with_epsilon (all.values[find (&all, 40 * POINT_SECONDS)],
                                  before.values[find (&before, 40 * POINT_SECONDS)],
                                  0.5);
  g_assert_cmpfloat_with_epsilon (all.values[find (&all, 90 * POINT_SECONDS)], 4,
                                  tolerance);
}

static void
test_there_are_plots_of_what_was_seen_alone (void)
{
  g_autoptr (JmRunReport) with = shown_report_new (2, 1);
  g_autoptr (JmRunReport) without = shown_report_new (2, 0);
  g_autoptr (JmRunReport) bare = shown_report_new_bare ();
  g_autoptr (GPtrArray) of_all = jm_report_plots_list (with);
  g_autoptr (GPtrArray) of_some = jm_report_plots_list (without);
  g_autoptr (GPtrArray) of_none = jm_report_plots_list (bare);

  g_assert_cmpuint (of_all->len, ==, 6);
  g_assert_cmpuint (of_some->len, ==, 4);
  g_assert_cmpuint (of_none->len, ==, 0);
}

static const JmPlotSeries *
get_line (GPtrArray *plots, guint plot, guint line)
{
  return ((JmPlot *) plots->pdata[plot])->series->pdata[line];
}

/* A row for each node, and of more nodes than rows the mean of several. */
static void
test_many_nodes_have_a_map (void)
{
  static const struct
  {
    guint n_nodes;
    guint n_rows;
    const char *title;
  } cases[] = {
    { JM_REPORT_MAX_PLOT_LINES, 0, NULL },
    { 17, 17, "CPUs that were busy, by node" },
    { 70, 24, "CPUs that were busy, means of 3 nodes" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (JmRunReport) report = shown_report_new (cases[i].n_nodes, 0);
      g_autoptr (GPtrArray) plots = jm_report_plots_list (report);
      JmPlot *map = plots->pdata[1];

      g_assert_cmpint (map->kind == JM_PLOT_KIND_MAP, ==, cases[i].n_rows > 0);
      if (cases[i].n_rows == 0)
        continue;
      g_assert_cmpstr (map->title, ==, cases[i].title);
      g_assert_cmpuint (map->series->len, ==, cases[i].n_rows);
      /* all but the last node do the same */
      g_assert_cmpfloat_with_epsilon (get_line (plots, 1, 0)->maximum, 14.5, 0.01);
      g_assert_cmpfloat (get_line (plots, 1, cases[i].n_rows - 1)->maximum, <, 5);
    }
}

/* Takes both. */
static GPtrArray *
draw_compared (JmRunReport *first, JmRunReport *second)
{
  g_autoptr (GPtrArray) reports =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_report_unref);
  g_autoptr (JmRunComparison) comparison = NULL;

  g_ptr_array_add (reports, first);
  g_ptr_array_add (reports, second);
  comparison = jm_run_comparison_new (reports);

  return jm_report_plots_compare (comparison);
}

static void
test_runs_are_drawn_over_each_other (void)
{
  g_autoptr (GPtrArray) plots =
    draw_compared (shown_report_new (1, 1), shown_report_new (2, 1));

  /* CPUs, memory, both plots of accelerators, and power */
  g_assert_cmpuint (plots->len, ==, 5);
  for (guint i = 0; i < plots->len; i++)
    g_assert_cmpuint (((JmPlot *) plots->pdata[i])->series->len, ==, 2);
  g_assert_cmpfloat_with_epsilon (get_line (plots, 2, 0)->maximum, 88, 1e-3);
  g_assert_cmpfloat_with_epsilon (get_line (plots, 2, 1)->maximum, 88, 1e-3);
}

static JmRunReport *
make_later (gint64 seconds)
{
  JmRunReport *report = shown_report_new (1, 0);
  const gint64 begin_us = (SHOWN_REPORT_BEGIN_S + seconds) * SECOND_US;
  g_autoptr (JmJobProfile) profile = jm_job_profile_new (begin_us);

  jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_CPU, begin_us,
                          begin_us + 600 * SECOND_US,
                          G_GUINT64_CONSTANT (3000000000) * 600);
  shown_report_set_profile (jm_run_report_peek_node (report, 0), profile);
  jm_run_keep_number (report->run, JM_RUN_FIELD_START_TIME,
                      SHOWN_REPORT_BEGIN_S + seconds);

  return report;
}

static void
test_each_run_begins_at_zero (void)
{
  g_autoptr (GPtrArray) plots = draw_compared (make_later (0), make_later (86400));
  JmPlot *plot;

  g_assert_cmpuint (plots->len, ==, 1);
  plot = plots->pdata[0];
  g_assert_cmpfloat (plot->begin_seconds, ==, 0);
  g_assert_cmpfloat (plot->end_seconds, <=, 600);
  for (guint i = 0; i < 2; i++)
    {
      const JmPlotPoint *point =
        &g_array_index (get_line (plots, 0, i)->points, JmPlotPoint, 0);

      g_assert_cmpfloat (point->x, >, 0);
      g_assert_cmpfloat (point->x, <, 600);
      g_assert_cmpfloat_with_epsilon (point->y, 3, tolerance);
    }
}

static void
test_one_run_alone_is_not_compared (void)
{
  g_autoptr (GPtrArray) plots =
    draw_compared (shown_report_new (1, 0), shown_report_new_bare ());

  g_assert_cmpuint (plots->len, ==, 0);
}

static void
test_a_run_without_a_profile_leaves_colours_alone (void)
{
  g_autoptr (GPtrArray) reports =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_report_unref);
  g_autoptr (JmRunComparison) comparison = NULL;
  g_autoptr (GPtrArray) plots = NULL;

  g_ptr_array_add (reports, shown_report_new (1, 0));
  g_ptr_array_add (reports, shown_report_new_bare ());
  g_ptr_array_add (reports, shown_report_new (1, 0));
  comparison = jm_run_comparison_new (reports);
  plots = jm_report_plots_compare (comparison);
  g_assert_cmpuint (plots->len, ==, 3);
  for (guint i = 0; i < plots->len; i++)
    {
      g_assert_true (g_str_has_suffix (get_line (plots, i, 1)->name, " (no profile)"));
      g_assert_cmpuint (get_line (plots, i, 1)->points->len, ==, 0);
      g_assert_cmpuint (get_line (plots, i, 2)->points->len, >, 0);
    }
}

static GPtrArray *
read_series (const char *text)
{
  GPtrArray *all =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_tsdb_series_unref);
  g_autoptr (JsonNode) json = jm_json_parse (text, strlen (text));
  g_autoptr (GError) error = NULL;
  JmTsdbSeries *series = jm_run_document_read_series (json, "server", &error);

  g_assert_no_error (error);
  g_ptr_array_add (all, series);

  return all;
}

/* The ledgers report what no database knows. */
static void
test_there_are_plots_where_a_database_knows_nothing (void)
{
  g_autoptr (JmRunReport) report = shown_report_new (2, 1);
  g_autoptr (GPtrArray) series = g_ptr_array_new ();
  g_autoptr (GPtrArray) plots = NULL;

  g_assert_false (jm_run_report_wants_series (report));
  jm_run_report_set_series (report, series);
  plots = jm_report_plots_list (report);
  g_assert_cmpuint (plots->len, ==, 6);
}

static void
test_there_are_plots_of_what_a_database_knows (void)
{
  g_autoptr (JmRunReport) bare = shown_report_new_bare ();
  g_autoptr (GPtrArray) series =
    read_series ("{\"name\": \"memory\", \"unit\": \"bytes\", \"labels\": {},"
                 " \"points\": [[1700000000, 100], [1700000060, null],"
                 " [1700000120, 300]]}");
  g_autoptr (GPtrArray) plots = NULL;

  g_assert_true (jm_run_report_wants_series (bare));
  jm_run_report_set_series (bare, series);
  plots = jm_report_plots_list (bare);
  g_assert_cmpuint (plots->len, ==, 1);
}

static void
test_series_that_cannot_be_are_refused (void)
{
  static const char *const wrong[] = {
    "{}",
    "{\"name\": \"cpu\"}",
    "{\"name\": \"cpu\", \"labels\": {}}",
    "{\"name\": \"cpu\", \"labels\": {\"a\": 1}, \"points\": []}",
    "{\"name\": \"cpu\", \"labels\": {}, \"points\": [1]}",
    "{\"name\": \"cpu\", \"labels\": {}, \"points\": [[1]]}",
    "{\"name\": \"cpu\", \"labels\": {}, \"points\": [[null, 1]]}",
    "{\"name\": \"cpu\", \"labels\": {}, \"points\": [[1, \"2\"]]}",
    "{\"name\": \"cpu\", \"labels\": {}, \"points\": [[2, 1], [1, 1]]}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (JsonNode) json = jm_json_parse (wrong[i], strlen (wrong[i]));
      g_autoptr (GError) error = NULL;

      g_assert_null (jm_run_document_read_series (json, "server", &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
      g_assert_true (g_str_has_prefix (error->message, "server: "));
    }
}

static void
test_emissions_compare_with_what_is_there_at_least_once (void)
{
  g_autofree char *little = jm_equivalence_describe (1);
  g_autofree char *phones = jm_equivalence_describe (124);
  g_autofree char *some = jm_equivalence_describe (488.4);
  g_autofree char *much = jm_equivalence_describe (244200);

  g_assert_true (g_str_has_prefix (little, "less than charging a phone once"));
  g_assert_true (g_str_has_prefix (phones, "charging a phone 10 times ("));
  g_assert_true (g_str_has_prefix (some, "an average petrol car on 2.0km ("));
  g_assert_true (g_str_has_prefix (much, "an average petrol car on 1000km ("));
  g_assert_nonnull (strstr (much, "EPA"));
  g_assert_null (jm_equivalence_describe (0));
  g_assert_null (jm_equivalence_describe (-1));
  g_assert_null (jm_equivalence_describe (NAN));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/report-grid/second", test_a_sum_is_reported_by_the_second);
  g_test_add_func ("/report-grid/gap", test_what_nobody_saw_is_a_gap);
  g_test_add_func ("/report-grid/nodes", test_nodes_are_added_up);
  g_test_add_func ("/report-grid/later", test_a_node_that_ran_later_had_nothing_before);
  g_test_add_func ("/report-plots/seen", test_there_are_plots_of_what_was_seen_alone);
  g_test_add_func ("/report-plots/map", test_many_nodes_have_a_map);
  g_test_add_func ("/report-plots/database",
                   test_there_are_plots_where_a_database_knows_nothing);
  g_test_add_func ("/report-plots/series",
                   test_there_are_plots_of_what_a_database_knows);
  g_test_add_func ("/report-plots/compare", test_runs_are_drawn_over_each_other);
  g_test_add_func ("/report-plots/zero", test_each_run_begins_at_zero);
  g_test_add_func ("/report-plots/alone", test_one_run_alone_is_not_compared);
  g_test_add_func ("/report-plots/colours",
                   test_a_run_without_a_profile_leaves_colours_alone);
  g_test_add_func ("/report-plots/wrong", test_series_that_cannot_be_are_refused);
  g_test_add_func ("/equivalence/least",
                   test_emissions_compare_with_what_is_there_at_least_once);

  return g_test_run ();
}
