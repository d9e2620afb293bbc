/* jm-report-plots.c: what a run did over time, as plots
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/page/jm-report-plots-private.h"

#include <math.h>

#include "core/jm-figure-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-tsdb-series.h"
#include "judge/jm-run-report-private.h"
#include "report/page/jm-report-grid-private.h"
#include "report/plot/jm-plot-canvas-private.h"
#include "report/plot/jm-plot-private.h"

#define N_PART_SERIES 2

/* A plot of a report. One of several series shows each of them, of all nodes. */
typedef struct
{
  const char *title;
  JmFormat format;
  struct
  {
    JmProfileSeries series;
    const char *name;
  } parts[N_PART_SERIES]; /* the second has no name where there is but one */
  double factor;
  gboolean is_share; /* of several nodes the mean, and not the sum */
  /* What it might be at most: of a node, and of all; JM_N_QUANTITIES for no limit. */
  guint limit;
  const char *limit_name;
  const char *tsdb_name;
} Kind;

static const Kind kinds[] = {
  { "CPUs that were busy",
    JM_FORMAT_COUNT,
    { { JM_PROFILE_SERIES_CPU, "CPUs" } },
    1,
    FALSE,
    JM_QUANTITY_CPUS,
    "given",
    "cpu" },
  { "Memory",
    JM_FORMAT_BYTES,
    { { JM_PROFILE_SERIES_MEMORY, "memory" } },
    1,
    FALSE,
    JM_QUANTITY_MEMORY_ALLOCATED,
    "given",
    "memory" },
  { "How busy GPUs were",
    JM_FORMAT_PERCENT,
    { { JM_PROFILE_SERIES_GPU_UTILIZATION, "GPUs" } },
    100,
    TRUE,
    JM_N_QUANTITIES,
    NULL,
    "gpu" },
  { "Memory of GPUs",
    JM_FORMAT_BYTES,
    { { JM_PROFILE_SERIES_GPU_MEMORY, "GPU memory" } },
    1,
    FALSE,
    JM_N_QUANTITIES,
    NULL,
    "gpu-memory" },
  { "Power",
    JM_FORMAT_WATTS,
    { { JM_PROFILE_SERIES_ENERGY, "power" } },
    1,
    FALSE,
    JM_N_QUANTITIES,
    NULL,
    "power" },
  { "Reads and writes in each second",
    JM_FORMAT_BYTES,
    { { JM_PROFILE_SERIES_READ, "read" }, { JM_PROFILE_SERIES_WRITE, "written" } },
    1,
    FALSE,
    JM_N_QUANTITIES,
    NULL,
    NULL },
};

/* --- in general --- */

/* From the begin of the run to its end, so that all plots are of one width in time. */
static void
set_range (JmPlot *plot, JmRunReport *report)
{
  gint64 begin, end;

  if (jm_run_get_number (report->run, JM_RUN_FIELD_START_TIME, &begin) &&
      (jm_run_get_number (report->run, JM_RUN_FIELD_END_TIME, &end) ||
       jm_run_get_number (report->run, JM_RUN_FIELD_SEEN_TIME, &end)) &&
      begin > 0 && end > begin && end < G_MAXINT64 / G_USEC_PER_SEC)
    jm_plot_set_range (plot, begin * G_USEC_PER_SEC, end * G_USEC_PER_SEC);
}

static guint
count_nodes (JmRunReport *report, JmProfileSeries series)
{
  guint n = 0;

  for (guint i = 0; i < report->nodes->len; i++)
    {
      JmJobProfile *profile = jm_run_report_get_node_profile (report, i);

      n += profile != NULL && jm_job_profile_has (profile, series);
    }

  return n;
}

/* What is shown of some nodes must not pass for that of all. */
static JmPlot *
make_plot_as (JmPlotKind shape,
              const Kind *kind,
              JmRunReport *report,
              guint n_nodes,
              const char *further)
{
  g_autoptr (GString) title = g_string_new (kind->title);
  JmPlot *plot;

  if (n_nodes < report->nodes->len)
    g_string_append_printf (title, ", on %u of %u nodes", n_nodes, report->nodes->len);
  g_string_append (title, further);
  plot = jm_plot_new (shape, title->str, kind->format);
  set_range (plot, report);

  return plot;
}

static JmPlot *
make_plot (const Kind *kind, JmRunReport *report, guint n_nodes)
{
  return make_plot_as (JM_PLOT_KIND_LINES, kind, report, n_nodes, "");
}

static void
add_grid (JmPlot *plot, const Kind *kind, const char *name, JmReportGrid *grid)
{
  jm_report_grid_scale (grid, kind->factor);
  jm_plot_add_series (plot, name, grid->times, grid->values, grid->n);
}

/* --- of profiles --- */

/* A limit of lines of nodes is that of each, and so there is one where all have the
 * same. */
static void
set_node_limit (JmPlot *plot, const Kind *kind, JmRunReport *report)
{
  JmFigure limit = { 0 };

  if (kind->limit == JM_N_QUANTITIES)
    return;

  for (guint i = 0; i < report->nodes->len; i++)
    {
      const JmFigure own =
        jm_figures_get (jm_run_report_peek_node (report, i)->figures, kind->limit);

      if (!own.is_known ||
          (limit.is_known && (own.value < limit.value || own.value > limit.value)))
        return;
      limit = own;
    }
  if (limit.is_known)
    jm_plot_set_limit (plot, kind->limit_name, limit.value);
}

static void
add_nodes (JmPlot *plot, const Kind *kind, JmRunReport *report)
{
  const JmProfileSeries series = kind->parts[0].series;

  for (guint i = 0; i < report->nodes->len; i++)
    {
      JmJobProfile *profile = jm_run_report_get_node_profile (report, i);
      g_auto (JmReportGrid) grid = { 0 };

      if (profile != NULL && jm_report_grid_init_of_profile (&grid, profile, series))
        add_grid (plot, kind, jm_run_report_get_node_name (report, i), &grid);
    }
  set_node_limit (plot, kind, report);
}

static JmFigure
sum_nodes (JmRunReport *report, JmQuantityId quantity)
{
  JmFigure sum = { 0 };

  for (guint i = 0; i < report->nodes->len; i++)
    {
      const JmFigure own =
        jm_figures_get (jm_run_report_peek_node (report, i)->figures, quantity);

      if (!own.is_known)
        return own;
      sum = jm_figure_add (sum, own);
    }

  return sum;
}

static void
set_whole_limit (JmPlot *plot, const Kind *kind, JmRunReport *report)
{
  JmFigure limit;

  if (kind->limit == JM_N_QUANTITIES)
    return;

  limit = sum_nodes (report, kind->limit);
  if (limit.is_known)
    jm_plot_set_limit (plot, kind->limit_name, limit.value);
}

static void
add_wholes (JmPlot *plot, const Kind *kind, JmRunReport *report, guint n_nodes)
{
  for (guint i = 0; i < N_PART_SERIES && kind->parts[i].name != NULL; i++)
    {
      g_auto (JmReportGrid) grid = { 0 };

      if (!jm_report_grid_init_of_all (&grid, report, kind->parts[i].series))
        continue;
      if (kind->is_share)
        jm_report_grid_scale (&grid, 1.0 / n_nodes);
      add_grid (plot, kind, kind->parts[i].name, &grid);
    }
  if (n_nodes == report->nodes->len)
    set_whole_limit (plot, kind, report);
}

/* --- a map of nodes --- */

/* Nodes from @from to before @to, as far as they have a profile, in the mean. */
static void
add_row (JmPlot *plot,
         const Kind *kind,
         JmRunReport *report,
         const guint *nodes,
         guint n)
{
  const JmProfileSeries series = kind->parts[0].series;
  const char *first = jm_run_report_get_node_name (report, nodes[0]);
  const char *last = jm_run_report_get_node_name (report, nodes[n - 1]);
  g_autofree char *name =
    n == 1 ? g_strdup (first) : g_strdup_printf ("%s – %s", first, last);
  g_auto (JmReportGrid) grid = { 0 };

  if (n == 1
        ? !jm_report_grid_init_of_profile (&grid,
                                           jm_run_report_get_node_profile (report,
                                                                           nodes[0]),
                                           series)
        : !jm_report_grid_init_of_nodes (&grid, report, series, nodes[0],
                                         nodes[n - 1] + 1))
    return;
  jm_report_grid_scale (&grid, 1.0 / n);
  add_grid (plot, kind, name, &grid);
}

static GArray *
list_nodes (const Kind *kind, JmRunReport *report)
{
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < report->nodes->len; i++)
    {
      JmJobProfile *profile = jm_run_report_get_node_profile (report, i);

      if (profile != NULL && jm_job_profile_has (profile, kind->parts[0].series))
        g_array_append_val (nodes, i);
    }

  return nodes;
}

static JmPlot *
make_map (const Kind *kind, JmRunReport *report)
{
  g_autoptr (GArray) nodes = list_nodes (kind, report);
  const guint n_of_row =
    (nodes->len + JM_REPORT_MAX_MAP_ROWS - 1) / JM_REPORT_MAX_MAP_ROWS;
  g_autofree char *further = n_of_row == 1
                               ? g_strdup (", by node")
                               : g_strdup_printf (", means of %u nodes", n_of_row);
  JmPlot *plot = make_plot_as (JM_PLOT_KIND_MAP, kind, report, nodes->len, further);

  for (guint i = 0; i < nodes->len; i += n_of_row)
    add_row (plot, kind, report, &g_array_index (nodes, guint, i),
             MIN (n_of_row, nodes->len - i));
  set_node_limit (plot, kind, report);

  return plot;
}

/* Of that which nodes were given, one that uses less than the others stands out. */
static gboolean
has_map (const Kind *kind)
{
  return kind->is_share || kind->limit != JM_N_QUANTITIES;
}

static guint
count_nodes_of (const Kind *kind, JmRunReport *report)
{
  guint n = 0;

  for (guint i = 0; i < N_PART_SERIES && kind->parts[i].name != NULL; i++)
    n = MAX (n, count_nodes (report, kind->parts[i].series));

  return n;
}

static void
take_profiles (GPtrArray *plots, const Kind *kind, JmRunReport *report)
{
  const guint n_nodes = count_nodes_of (kind, report);
  JmPlot *plot;

  if (n_nodes == 0)
    return;

  plot = make_plot (kind, report, n_nodes);
  if (n_nodes > 1 && n_nodes <= JM_REPORT_MAX_PLOT_LINES && kind->parts[1].name == NULL)
    add_nodes (plot, kind, report);
  else
    add_wholes (plot, kind, report, n_nodes);
  g_ptr_array_add (plots, plot);
  if (n_nodes > JM_REPORT_MAX_PLOT_LINES && has_map (kind))
    g_ptr_array_add (plots, make_map (kind, report));
}

/* --- of a time series database --- */

/* Of power there is one for each domain, measured or estimated. */
static char *
make_name (const Kind *kind, JmTsdbSeries *series)
{
  const char *domain = jm_tsdb_series_get_label (series, "domain");
  const char *quality = jm_tsdb_series_get_label (series, "quality");

  if (domain == NULL)
    return g_strdup (kind->parts[0].name);

  return g_strconcat (domain, quality != NULL ? ", " : "",
                      quality != NULL ? quality : "", NULL);
}

static void
add_series (JmPlot *plot, const Kind *kind, JmTsdbSeries *series)
{
  const guint n = jm_tsdb_series_get_n_points (series);
  g_autofree char *name = make_name (kind, series);
  JmReportGrid grid = { g_new (double, n), g_new (double, n), n };

  for (guint i = 0; i < n; i++)
    jm_tsdb_series_get_point (series, i, &grid.times[i], &grid.values[i]);
  add_grid (plot, kind, name, &grid);
  jm_report_grid_clear (&grid);
}

/* NULL where it knows of nothing of the kind. */
static JmPlot *
make_of_series (const Kind *kind, JmRunReport *report, GPtrArray *all)
{
  JmPlot *plot = NULL;

  for (guint i = 0; i < all->len; i++)
    if (kind->tsdb_name != NULL && jm_tsdb_series_get_n_points (all->pdata[i]) > 0 &&
        g_strcmp0 (jm_tsdb_series_get_name (all->pdata[i]), kind->tsdb_name) == 0)
      {
        if (plot == NULL)
          plot = make_plot (kind, report, report->nodes->len);
        add_series (plot, kind, all->pdata[i]);
      }
  if (plot != NULL)
    set_whole_limit (plot, kind, report);

  return plot;
}

/* Where a database has nothing, the ledgers' figures are shown. */
GPtrArray *
jm_report_plots_list (JmRunReport *report)
{
  GPtrArray *plots = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_plot_unref);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      JmPlot *plot = report->series != NULL
                       ? make_of_series (&kinds[i], report, report->series)
                       : NULL;

      if (plot != NULL)
        g_ptr_array_add (plots, plot);
      else
        take_profiles (plots, &kinds[i], report);
    }

  return plots;
}

/* --- each node by itself --- */

typedef struct
{
  guint node;
  double mean;
  double highest;
  JmReportGrid grid;
} Own;

static void
own_clear (gpointer data)
{
  jm_report_grid_clear (&((Own *) data)->grid);
}

static int
compare_own (gconstpointer a, gconstpointer b)
{
  const Own *first = a;
  const Own *second = b;

  if (first->mean < second->mean || first->mean > second->mean)
    return first->mean < second->mean ? -1 : 1;

  return (first->node > second->node) - (first->node < second->node);
}

static void
measure_own (Own *self)
{
  double sum = 0;
  guint n = 0;

  for (gsize i = 0; i < self->grid.n; i++)
    if (!isnan (self->grid.values[i]))
      {
        sum += self->grid.values[i];
        self->highest = fmax (self->highest, self->grid.values[i]);
        n++;
      }
  self->mean = n > 0 ? sum / n : 0;
}

static GArray *
list_own (const Kind *kind, JmRunReport *report)
{
  g_autoptr (GArray) nodes = list_nodes (kind, report);
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Own));

  g_array_set_clear_func (all, own_clear);
  for (guint i = 0; i < nodes->len; i++)
    {
      Own own = { .node = g_array_index (nodes, guint, i) };
      JmJobProfile *profile = jm_run_report_get_node_profile (report, own.node);

      if (!jm_report_grid_init_of_profile (&own.grid, profile, kind->parts[0].series))
        continue;
      jm_report_grid_scale (&own.grid, kind->factor);
      measure_own (&own);
      g_array_append_val (all, own);
    }
  g_array_sort (all, compare_own);

  return all;
}

static JmPlot *
make_own_plot (const Kind *kind, JmRunReport *report, const Own *own, double highest)
{
  const char *name = jm_run_report_get_node_name (report, own->node);
  JmPlot *plot = jm_plot_new (JM_PLOT_KIND_LINES, name, kind->format);

  set_range (plot, report);
  jm_plot_add_series (plot, name, own->grid.times, own->grid.values, own->grid.n);
  plot->highest = highest;
  if (kind->limit != JM_N_QUANTITIES)
    {
      const JmFigure limit =
        jm_figures_get (jm_run_report_peek_node (report, own->node)->figures,
                        kind->limit);

      if (limit.is_known)
        jm_plot_set_limit (plot, kind->limit_name, limit.value);
    }

  return plot;
}

static void
multiples_free (gpointer data)
{
  JmReportMultiples *self = data;

  g_free (self->title);
  g_ptr_array_unref (self->plots);
  g_free (self);
}

/* NULL of so few nodes that their lines can be distinguished. */
static JmReportMultiples *
make_multiples (const Kind *kind, JmRunReport *report)
{
  g_autoptr (GArray) all = list_own (kind, report);
  const guint n = MIN (all->len, JM_REPORT_MAX_MULTIPLES);
  JmReportMultiples *self;
  double highest = 0;

  if (all->len <= JM_PLOT_N_STYLES)
    return NULL;

  for (guint i = 0; i < n; i++)
    highest = fmax (highest, g_array_index (all, Own, i).highest);
  self = g_new (JmReportMultiples, 1);
  self->title = n < all->len
                  ? g_strdup_printf ("%s, on the %u of %u nodes with the lowest mean",
                                     kind->title, n, all->len)
                  : g_strdup_printf ("%s, on each of %u nodes, the lowest mean first",
                                     kind->title, n);
  self->plots = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_plot_unref);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (self->plots,
                     make_own_plot (kind, report, &g_array_index (all, Own, i),
                                    highest));

  return self;
}

GPtrArray *
jm_report_plots_list_multiples (JmRunReport *report)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (multiples_free);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      JmReportMultiples *one =
        has_map (&kinds[i]) ? make_multiples (&kinds[i], report) : NULL;

      if (one != NULL)
        g_ptr_array_add (list, one);
    }

  return list;
}

/* --- of several runs --- */

/* Two runs of one job have their places behind the id. */
static char *
make_run_name (JmRunComparison *comparison, guint i)
{
  JmRunReport *report = jm_run_comparison_get_report (comparison, i);
  const char *id = jm_run_get_text (report->run, "jobid");

  for (guint j = 0; j < jm_run_comparison_get_n_runs (comparison); j++)
    {
      JmRunReport *other = jm_run_comparison_get_report (comparison, j);

      if (j != i && g_strcmp0 (jm_run_get_raw_id (report->run),
                               jm_run_get_raw_id (other->run)) == 0)
        return g_strdup_printf ("%s (run %u)", id, i + 1);
    }

  return g_strdup (id);
}

/* Part of the nodes must not pass for all of them. */
static char *
name_line (JmRunReport *report, guint n_nodes, const char *name)
{
  if (n_nodes == 0)
    return g_strdup_printf ("%s (no profile)", name);
  if (n_nodes < report->nodes->len)
    return g_strdup_printf ("%s (%u of %u nodes)", name, n_nodes, report->nodes->len);

  return g_strdup (name);
}

/* The end of its line, seconds from its start; 0 where nothing was seen of it: it has a
 * line without points then, so that the others keep their colours. */
static double
add_run (JmPlot *plot, const Kind *kind, JmRunReport *report, const char *name)
{
  const guint n_nodes = count_nodes (report, kind->parts[0].series);
  g_autofree char *line = name_line (report, n_nodes, name);
  g_auto (JmReportGrid) grid = { 0 };
  gint64 begin = 0;

  if (n_nodes == 0 ||
      !jm_report_grid_init_of_all (&grid, report, kind->parts[0].series))
    {
      jm_plot_add_series (plot, line, NULL, NULL, 0);
      return 0;
    }
  if (!jm_run_get_number (report->run, JM_RUN_FIELD_START_TIME, &begin) || begin <= 0)
    begin = (gint64) grid.times[0];
  for (gsize i = 0; i < grid.n; i++)
    grid.times[i] -= (double) begin;
  if (kind->is_share)
    jm_report_grid_scale (&grid, 1.0 / n_nodes);
  add_grid (plot, kind, line, &grid);

  return MAX (grid.times[grid.n - 1], 1);
}

static void
compare (GPtrArray *plots, const Kind *kind, JmRunComparison *comparison)
{
  g_autoptr (JmPlot) plot = jm_plot_new (JM_PLOT_KIND_LINES, kind->title, kind->format);
  double end = 0;
  guint n = 0;

  for (guint i = 0; i < jm_run_comparison_get_n_runs (comparison); i++)
    {
      JmRunReport *report = jm_run_comparison_get_report (comparison, i);
      g_autofree char *name = make_run_name (comparison, i);
      const double own_end = add_run (plot, kind, report, name);

      n += own_end > 0;
      end = MAX (end, own_end);
    }
  if (n < 2)
    return;

  jm_plot_set_range (plot, 0, (gint64) (end * G_USEC_PER_SEC));
  g_ptr_array_add (plots, g_steal_pointer (&plot));
}

/* What is read and what is written would be two lines of each run. */
GPtrArray *
jm_report_plots_compare (JmRunComparison *comparison)
{
  GPtrArray *plots = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_plot_unref);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (kinds[i].parts[1].name == NULL)
      compare (plots, &kinds[i], comparison);

  return plots;
}
