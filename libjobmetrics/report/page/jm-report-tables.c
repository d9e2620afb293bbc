/* jm-report-tables.c: nodes and accelerators of a run as tables
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/page/jm-report-tables-private.h"

#include "base/jm-safe-text-private.h"
#include "core/jm-run-part-private.h"
#include "judge/jm-run-figures-private.h"
#include "judge/jm-run-report-private.h"

/* A column that there is where the figure of any row is known. */
typedef struct
{
  JmQuantityId quantity;
  const char *title;
  guint rank;
  gboolean has_sum; /* whether that of the whole run belongs below it */
  gboolean is_more; /* whether it says nothing without the column before it */
} QuantityColumn;

/* One of these that a table has. */
typedef struct
{
  const QuantityColumn *column;
  double greatest; /* of its figures: its unit fits that */
} Shown;

static const QuantityColumn node_columns[] = {
  { JM_QUANTITY_CPUS, "CPUs", 6, TRUE },
  { JM_QUANTITY_CPU_TOTAL, "CPU time", 5, TRUE },
  { JM_QUANTITY_CPU_EFFICIENCY, "CPU use", 0, TRUE },
  { JM_QUANTITY_MEMORY_PEAK, "Memory", 2, FALSE },
  { JM_QUANTITY_MEMORY_ALLOCATED, "of", 3, FALSE, TRUE },
  { JM_QUANTITY_MEMORY_SHARE, "Mem. use", 1, TRUE },
  { JM_QUANTITY_READ, "Read", 8, TRUE },
  { JM_QUANTITY_WRITTEN, "Written", 9, TRUE },
  { JM_QUANTITY_ENERGY, "Energy", 4, TRUE },
  { JM_QUANTITY_EMISSIONS, "CO2", 10, TRUE },
  { JM_QUANTITY_OBSERVED, "Observed", 7, TRUE },
};

static const QuantityColumn gpu_columns[] = {
  { JM_QUANTITY_GPU_UTILIZATION_SHARE, "Use", 0, TRUE },
  { JM_QUANTITY_GPU_MEMORY_MOST, "Memory", 2, FALSE },
  { JM_QUANTITY_GPU_MEMORY, "of", 3, FALSE, TRUE },
  { JM_QUANTITY_GPU_MEMORY_SHARE, "Mem. use", 1, FALSE },
  { JM_QUANTITY_GPU_TENSOR, "Tensor", 6, FALSE },
  { JM_QUANTITY_ENERGY, "Energy", 4, FALSE },
};

/* --- tables in general --- */

static JmReportTable *
table_new (const char *title, const char *caption)
{
  JmReportTable *self = g_new0 (JmReportTable, 1);

  self->title = title;
  self->caption = caption;
  self->columns = g_array_new (FALSE, FALSE, sizeof (JmReportColumn));
  self->cells = g_ptr_array_new_with_free_func (g_free);

  return self;
}

void
jm_report_table_free (JmReportTable *self)
{
  g_array_unref (self->columns);
  g_ptr_array_unref (self->cells);
  g_free (self);
}

guint
jm_report_table_get_n_rows (const JmReportTable *self)
{
  return self->columns->len > 0 ? self->cells->len / self->columns->len : 0;
}

const char *
jm_report_table_get_cell (const JmReportTable *self, guint row, guint column)
{
  return self->cells->pdata[row * self->columns->len + column];
}

static void
add_column (JmReportTable *self, const char *title, gboolean is_number, guint rank)
{
  const JmReportColumn column = { title, is_number, rank };

  g_array_append_val (self->columns, column);
}

static void
add_text (JmReportTable *self, const char *text)
{
  g_ptr_array_add (self->cells, text != NULL ? jm_safe_text_make (text) : NULL);
}

/* A node that nobody named is not one without a name. */
static void
add_node_name (JmReportTable *self, JmRunReport *report, guint node)
{
  const char *name =
    node < report->nodes->len ? jm_run_report_peek_node (report, node)->name : NULL;

  add_text (self, name != NULL && *name != '\0' ? name : NULL);
}

static void
add_figure (JmReportTable *self, JmFigure figure, JmFormat format, double greatest)
{
  g_ptr_array_add (self->cells, jm_figure_format_beside (figure, format, greatest));
}

/* --- of quantities --- */

typedef struct
{
  const JmRunReport *report;
  JmRunReportPeek peek;
  guint n_rows;
} Rows;

static JmFigure
get_figure (const Rows *rows, guint row, JmQuantityId quantity)
{
  return jm_figures_get (rows->peek (rows->report, row), quantity);
}

static gboolean
is_known (const Rows *rows, JmQuantityId quantity)
{
  for (guint i = 0; i < rows->n_rows; i++)
    if (get_figure (rows, i, quantity).is_known)
      return TRUE;

  return FALSE;
}

static gboolean
is_shown (const Rows *rows, const QuantityColumn *column)
{
  return is_known (rows, column->quantity) &&
         (!column->is_more || is_known (rows, column[-1].quantity));
}

/* With the sum below them. */
static double
find_greatest (const Rows *rows, const QuantityColumn *column)
{
  double greatest = column->has_sum
                      ? jm_figures_get (rows->report->figures, column->quantity).value
                      : 0;

  for (guint i = 0; i < rows->n_rows; i++)
    greatest = MAX (greatest, get_figure (rows, i, column->quantity).value);

  return greatest;
}

/* Adds the columns that have a figure, and lists these in @shown. */
static guint
add_columns (JmReportTable *self,
             const Rows *rows,
             const QuantityColumn *columns,
             guint n_columns,
             Shown *shown)
{
  guint n_shown = 0;

  for (guint i = 0; i < n_columns; i++)
    if (is_shown (rows, &columns[i]))
      {
        add_column (self, columns[i].title, TRUE, columns[i].rank);
        shown[n_shown++] = (Shown){ &columns[i], find_greatest (rows, &columns[i]) };
      }

  return n_shown;
}

static void
add_shown (JmReportTable *self, const JmFigures *figures, const Shown *shown)
{
  const JmQuantityId quantity = shown->column->quantity;

  add_figure (self, jm_figures_get (figures, quantity),
              jm_quantity_get (quantity)->format, shown->greatest);
}

static void
add_figures (JmReportTable *self,
             const JmFigures *figures,
             const Shown *shown,
             guint n_shown)
{
  for (guint i = 0; i < n_shown; i++)
    add_shown (self, figures, &shown[i]);
}

/* What did nothing is said so, where anything in the table did. */
static gboolean
is_unused (JmFigure share)
{
  return share.is_known && share.value < JM_RUN_UNUSED_PERCENT;
}

static gboolean
has_unused (const Rows *rows, JmQuantityId quantity)
{
  for (guint i = 0; i < rows->n_rows; i++)
    if (is_unused (get_figure (rows, i, quantity)))
      return TRUE;

  return FALSE;
}

static void
add_remark (JmReportTable *self, JmFigure share)
{
  g_ptr_array_add (self->cells, g_strdup (is_unused (share) ? "not used" : ""));
}

static gboolean
has_sums (const Shown *shown, guint n_shown)
{
  for (guint i = 0; i < n_shown; i++)
    if (shown[i].column->has_sum)
      return TRUE;

  return FALSE;
}

static void
add_sums (JmReportTable *self,
          const JmFigures *figures,
          const Shown *shown,
          guint n_shown)
{
  for (guint i = 0; i < n_shown; i++)
    if (shown[i].column->has_sum)
      add_shown (self, figures, &shown[i]);
    else
      g_ptr_array_add (self->cells, g_strdup (""));
  self->has_sum = TRUE;
}

/* --- nodes --- */

JmReportTable *
jm_report_tables_make_nodes (JmRunReport *report)
{
  const guint n_nodes = report->nodes->len;
  Shown shown[G_N_ELEMENTS (node_columns)];
  g_autoptr (JmReportTable) self =
    table_new ("Nodes", "What it used on each of its nodes");
  const Rows rows = { report, jm_run_report_peek_node_figures, n_nodes };
  gboolean has_remarks;
  guint n_shown;

  if (n_nodes == 0)
    return NULL;

  add_column (self, "Node", FALSE, 0);
  n_shown = add_columns (self, &rows, node_columns, G_N_ELEMENTS (node_columns), shown);
  if (n_shown == 0)
    return NULL;
  has_remarks = has_unused (&rows, JM_QUANTITY_CPU_EFFICIENCY);
  if (has_remarks)
    add_column (self, "", FALSE, 0);

  for (guint i = 0; i < MIN (n_nodes, JM_REPORT_MAX_ROWS); i++)
    {
      add_node_name (self, report, i);
      add_figures (self, jm_run_report_peek_node (report, i)->figures, shown, n_shown);
      if (has_remarks)
        add_remark (self, get_figure (&rows, i, JM_QUANTITY_CPU_EFFICIENCY));
    }
  self->n_left_out = n_nodes - MIN (n_nodes, JM_REPORT_MAX_ROWS);
  if (n_nodes > 1)
    {
      add_text (self, "all");
      add_sums (self, report->figures, shown, n_shown);
      if (has_remarks)
        add_text (self, "");
    }

  return g_steal_pointer (&self);
}

/* --- accelerators --- */

static gboolean
has_models (JmRunReport *report)
{
  for (guint i = 0; i < report->gpus->len; i++)
    if (jm_run_report_peek_gpu (report, i)->model != NULL)
      return TRUE;

  return FALSE;
}

static void
add_gpu (JmReportTable *self, JmRunReport *report, guint i, gboolean has_model)
{
  const JmRunReportGpu *gpu = jm_run_report_peek_gpu (report, i);

  add_node_name (self, report, gpu->node);
  add_text (self, gpu->name);
  if (has_model)
    add_text (self, gpu->model);
}

JmReportTable *
jm_report_tables_make_gpus (JmRunReport *report)
{
  const guint n_gpus = report->gpus->len;
  Shown shown[G_N_ELEMENTS (gpu_columns)];
  const gboolean has_model = has_models (report);
  g_autoptr (JmReportTable) self =
    table_new ("GPUs", "What it used of each of its accelerators");
  const Rows rows = { report, jm_run_report_peek_gpu_figures, n_gpus };
  gboolean has_remarks;
  guint n_shown;

  if (n_gpus == 0)
    return NULL;

  add_column (self, "Node", FALSE, 0);
  add_column (self, "GPU", FALSE, 0);
  if (has_model)
    add_column (self, "Model", FALSE, 5);
  n_shown = add_columns (self, &rows, gpu_columns, G_N_ELEMENTS (gpu_columns), shown);
  has_remarks = has_unused (&rows, JM_QUANTITY_GPU_UTILIZATION_SHARE);
  if (has_remarks)
    add_column (self, "", FALSE, 0);

  for (guint i = 0; i < MIN (n_gpus, JM_REPORT_MAX_ROWS); i++)
    {
      add_gpu (self, report, i, has_model);
      add_figures (self, jm_run_report_peek_gpu (report, i)->figures, shown, n_shown);
      if (has_remarks)
        add_remark (self, get_figure (&rows, i, JM_QUANTITY_GPU_UTILIZATION_SHARE));
    }
  self->n_left_out = n_gpus - MIN (n_gpus, JM_REPORT_MAX_ROWS);
  if (n_gpus > 1 && has_sums (shown, n_shown))
    {
      add_text (self, "all");
      add_text (self, "");
      if (has_model)
        add_text (self, "");
      add_sums (self, report->figures, shown, n_shown);
      if (has_remarks)
        add_text (self, "");
    }

  return g_steal_pointer (&self);
}

/* --- energy by what counted it --- */

typedef struct
{
  const char *domain;
  const char *quality;
  double joules;
} Sum;

static Sum *
find_sum (GArray *sums, const char *domain, const char *quality)
{
  const Sum sum = { domain, quality, 0 };

  for (guint i = 0; i < sums->len; i++)
    {
      Sum *known = &g_array_index (sums, Sum, i);

      if (g_strcmp0 (known->domain, domain) == 0 &&
          g_strcmp0 (known->quality, quality) == 0)
        return known;
    }
  g_array_append_val (sums, sum);

  return &g_array_index (sums, Sum, sums->len - 1);
}

/* Of all nodes together; the parts of emissions have no energy. */
static GArray *
list_sums (GPtrArray *parts)
{
  GArray *sums = g_array_new (FALSE, FALSE, sizeof (Sum));

  for (guint i = 0; parts != NULL && i < parts->len; i++)
    {
      JmRunPart *part = parts->pdata[i];
      const char *domain = jm_run_part_peek_text (part, JM_QUANTITY_NAME);
      const char *quality = jm_run_part_peek_text (part, JM_QUANTITY_ENERGY_QUALITY);
      const JmFigure energy = jm_run_part_peek_figure (part, JM_QUANTITY_ENERGY);

      if (domain != NULL && energy.is_known && sums->len < JM_REPORT_MAX_ROWS)
        find_sum (sums, domain, quality)->joules += energy.value;
    }

  return sums;
}

JmReportTable *
jm_report_tables_make_energy (JmRunReport *report)
{
  g_autoptr (GArray) sums =
    list_sums (jm_run_get_parts (report->run, JM_RUN_PART_KIND_ENERGY));
  JmReportTable *self;
  double greatest = 0;

  if (sums->len == 0)
    return NULL;

  for (guint i = 0; i < sums->len; i++)
    greatest = MAX (greatest, g_array_index (sums, Sum, i).joules);

  self = table_new ("Energy by meter", "Of all nodes together");
  add_column (self, "Domain", FALSE, 0);
  add_column (self, "Quality", FALSE, 1);
  add_column (self, "Energy", TRUE, 0);
  for (guint i = 0; i < sums->len; i++)
    {
      const Sum *sum = &g_array_index (sums, Sum, i);
      JmFigure figure = jm_figure_known (sum->joules);

      figure.is_estimated =
        sum->quality != NULL && !g_str_equal (sum->quality, "measured");
      add_text (self, sum->domain);
      add_text (self, sum->quality);
      add_figure (self, figure, JM_FORMAT_JOULES, greatest);
    }

  return self;
}
