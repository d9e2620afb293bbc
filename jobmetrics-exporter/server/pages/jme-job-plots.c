/* jme-job-plots.c: what a run used over time, drawn
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-job-plots.h"

#include "core/jm-error.h"
#include "report/jm-run-derived-private.h"
#include "report/plot/jm-plot.h"
#include "server/jme-series.h"

#define WIDTH 640
#define HEIGHT 240
/* As many as can be told apart; a record is some KiB. */
#define MAX_NODES 128
/* Points of a series of the time series database. */
#define MAX_POINTS 300
/* It shall not keep a page from coming. */
#define TSDB_TIMEOUT_MS 3000

/* --- as the nodes' records tell it --- */

/* A sum is drawn as what it was each second. */
static const struct
{
  const char *title;
  JmProfileSeries series;
  gboolean is_sum;
  double factor;
  JmQuantity quantity;
  JmPlotKind kind;
} courses[] = {
  { "CPUs in use", JM_PROFILE_SERIES_CPU, TRUE, 1, JM_QUANTITY_COUNT,
    JM_PLOT_KIND_LINES },
  { "Memory in use", JM_PROFILE_SERIES_MEMORY, FALSE, 1, JM_QUANTITY_BYTES,
    JM_PLOT_KIND_LINES },
  { "Use of accelerators", JM_PROFILE_SERIES_GPU_UTILIZATION, FALSE, 100,
    JM_QUANTITY_PERCENT, JM_PLOT_KIND_LINES },
  { "Memory of accelerators in use", JM_PROFILE_SERIES_GPU_MEMORY, FALSE, 1,
    JM_QUANTITY_BYTES, JM_PLOT_KIND_LINES },
  { "Power", JM_PROFILE_SERIES_ENERGY, TRUE, 1, JM_QUANTITY_WATTS,
    JM_PLOT_KIND_STACKED },
};

JmRunReport *
jme_job_plots_make_report (JmeAnswer *answer, JmStoredRun *run, GError **error)
{
  static const JmRunPartKind kinds[] = { JM_RUN_PART_KIND_RECORD, JM_RUN_PART_KIND_NODE,
                                         JM_RUN_PART_KIND_DEVICE };
  g_autoptr (GPtrArray) all =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_part_unref);
  gint64 n_nodes = 0;

  jm_stored_run_get_number (run, JM_RUN_FIELD_NODES, &n_nodes);
  for (guint i = 0; n_nodes <= MAX_NODES && i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GPtrArray) parts =
        jm_job_store_list_parts (answer->store, run, kinds[i], answer->viewer, error);

      if (parts == NULL)
        return NULL;
      for (guint n = 0; n < parts->len; n++)
        g_ptr_array_add (all, jm_run_part_ref (parts->pdata[n]));
    }

  return jm_run_report_new (run, NULL, all);
}

static gboolean
add_node (JmPlot *plot, JmRunReport *report, guint node, guint course)
{
  JmJobProfile *profile = jm_run_report_get_node_profile (report, node);
  gsize n = 0;
  g_autofree double *values = NULL;
  g_autofree double *times = NULL;
  double interval, begin;

  if (profile == NULL || !jm_job_profile_has (profile, courses[course].series))
    return FALSE;

  values = jm_job_profile_list_values (profile, courses[course].series, &n);
  interval = (double) jm_job_profile_get_interval (profile) / G_USEC_PER_SEC;
  begin = (double) jm_job_profile_get_begin_time (profile) / G_USEC_PER_SEC;
  times = g_new (double, n);
  for (gsize i = 0; i < n; i++)
    {
      times[i] = begin + ((double) i + 0.5) * interval;
      values[i] *= courses[course].factor / (courses[course].is_sum ? interval : 1);
    }
  jm_plot_add_series (plot, jm_run_report_get_node_name (report, node), times, values,
                      n);

  return TRUE;
}

/* It stands in a page, and so needs no title of its own for those who see it. */
static void
append_plot (GString *out, JmPlot *plot)
{
  g_autofree char *svg = jm_plot_to_svg (plot, WIDTH, HEIGHT);

  g_string_append_printf (out, "<figure><div class=\"box\">%s</div></figure>\n", svg);
}

static void
append_course (GString *out, JmRunReport *report, guint course)
{
  g_autoptr (JmPlot) plot =
    jm_plot_new (courses[course].kind, courses[course].title, courses[course].quantity);
  guint n_told = 0;

  for (guint node = 0; node < jm_run_report_get_n_nodes (report); node++)
    n_told += add_node (plot, report, node, course);
  if (n_told > 0)
    append_plot (out, plot);
}

/* --- as the time series database tells it --- */

static const struct
{
  const char *unit;
  JmQuantity quantity;
  double factor;
} units[] = {
  { "bytes", JM_QUANTITY_BYTES, 1 },
  { "watts", JM_QUANTITY_WATTS, 1 },
  { "ratio", JM_QUANTITY_PERCENT, 100 },
  { "cpus", JM_QUANTITY_COUNT, 1 },
};

static guint
find_unit (JmTsdbSeries *series)
{
  guint i = 0;

  while (i + 1 < G_N_ELEMENTS (units) &&
         g_strcmp0 (units[i].unit, jm_tsdb_series_get_unit (series)) != 0)
    i++;

  return i;
}

static char *
make_name (JmTsdbSeries *series)
{
  const char *domain = jm_tsdb_series_get_label (series, "domain");
  const char *quality = jm_tsdb_series_get_label (series, "quality");

  if (domain == NULL)
    return g_strdup (jm_tsdb_series_get_name (series));

  return quality != NULL ? g_strdup_printf ("%s, %s", domain, quality)
                         : g_strdup (domain);
}

static void
add_series (JmPlot *plot, JmTsdbSeries *series)
{
  guint n = jm_tsdb_series_get_n_points (series);
  g_autofree double *times = g_new (double, n);
  g_autofree double *values = g_new (double, n);
  g_autofree char *name = make_name (series);

  for (guint i = 0; i < n; i++)
    {
      jm_tsdb_series_get_point (series, i, &times[i], &values[i]);
      values[i] *= units[find_unit (series)].factor;
    }
  jm_plot_add_series (plot, name, times, values, n);
}

/* Those of one name, which follow each other, are one plot. */
static void
append_series (GString *out, GPtrArray *all)
{
  for (guint i = 0; i < all->len;)
    {
      const char *name = jm_tsdb_series_get_name (all->pdata[i]);
      g_autoptr (JmPlot) plot = jm_plot_new (JM_PLOT_KIND_LINES, name,
                                             units[find_unit (all->pdata[i])].quantity);

      for (;
           i < all->len && g_str_equal (name, jm_tsdb_series_get_name (all->pdata[i]));
           i++)
        add_series (plot, all->pdata[i]);
      append_plot (out, plot);
    }
}

static void
append_tsdb (JmeAnswer *answer, JmStoredRun *run, GString *out)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) all =
    jme_series_list (answer, run, MAX_POINTS, TSDB_TIMEOUT_MS, &error);

  if (all != NULL)
    {
      append_series (out, all);
      return;
    }
  if (g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
    return;

  g_warning ("the time series database cannot be read: %s", error->message);
  g_string_append (out, "<p class=\"muted\">The time series cannot be read now.</p>\n");
}

/* --- either --- */

void
jme_job_plots_append (JmeAnswer *answer, JmStoredRun *run, JmRunReport *report)
{
  g_autoptr (GString) plots = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (courses); i++)
    append_course (plots, report, i);
  if (plots->len == 0)
    append_tsdb (answer, run, plots);
  if (plots->len > 0)
    g_string_append_printf (answer->text,
                            "<h2>Over time</h2>\n<div class=\"plots\">\n%s</div>\n",
                            plots->str);
}
