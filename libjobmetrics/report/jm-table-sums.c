/* jm-table-sums.c: sums of an archive as rows of a table
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <math.h>

#include "core/jm-usage-private.h"
#include "report/jm-table-private.h"

#define GIB 1073741824.0
#define HOUR_SECONDS 3600.0
#define DAY_SECONDS 86400.0

/* Of days, or of runs: the other one is NULL. */
typedef struct
{
  JmUsage *usage;
  JmRunTotals *totals;
} Row;

/* How people read a figure, where that is not as the quantity has it. */
typedef enum
{
  LOOK_QUANTITY,
  LOOK_HOURS, /* of seconds, or of gibibytes by seconds */
  LOOK_DAYS,  /* of seconds */
  LOOK_DATE,  /* of a moment, by UTC */
  LOOK_MONEY,
  LOOK_DECIMAL,
} Look;

typedef struct
{
  JmQuantityId id;
  const char *heading; /* NULL for the quantity's */
  Look look;
  gboolean is_optional;
} Field;

static const Field fields[] = {
  { JM_QUANTITY_CLUSTER },
  { JM_QUANTITY_USER },
  { JM_QUANTITY_ACCOUNT },
  { JM_QUANTITY_PARTITION },
  { JM_QUANTITY_NAME },
  { JM_QUANTITY_NODE },
  { JM_QUANTITY_DAY, NULL, LOOK_DATE },
  { JM_QUANTITY_MONTH },
  { JM_QUANTITY_USAGE_RUNS },
  { JM_QUANTITY_USAGE_WALL },
  { JM_QUANTITY_USAGE_CPUS, NULL, LOOK_HOURS },
  { JM_QUANTITY_USAGE_GPUS, NULL, LOOK_HOURS },
  { JM_QUANTITY_USAGE_MEMORY, "GIB-HOURS", LOOK_HOURS },
  { JM_QUANTITY_CPU_TOTAL },
  { JM_QUANTITY_ENERGY },
  { JM_QUANTITY_EMISSIONS },
  { JM_QUANTITY_CPU_UNUSED, "UNUSED", LOOK_HOURS },
  { JM_QUANTITY_CPU_EFFICIENCY },
  { JM_QUANTITY_MEMORY_UNUSED_TIME, "UNUSED", LOOK_HOURS },
  { JM_QUANTITY_MEMORY_SHARE, "MEM%" },
  { JM_QUANTITY_GPU_UNUSED, "UNUSED", LOOK_HOURS },
  { JM_QUANTITY_CPUS },
  { JM_QUANTITY_IDLE_CPUS, "IDLE", LOOK_DECIMAL },
  { JM_QUANTITY_MEMORY_ALLOCATED, "MEMORY" },
  { JM_QUANTITY_MEMORY_UNUSED, "UNUSED" },
  { JM_QUANTITY_GPUS_ALLOCATED, "GPUS" },
  { JM_QUANTITY_CPU_PRODUCTIVE, "PRODUCTIVE", LOOK_HOURS },
  { JM_QUANTITY_CPU_IDLE, "IDLE", LOOK_HOURS },
  { JM_QUANTITY_CPU_PROLOG_EPILOG, "PROLOG", LOOK_HOURS, .is_optional = TRUE },
  { JM_QUANTITY_CPU_LOST_TO_FAILURE, "FAILED", LOOK_HOURS },
  { JM_QUANTITY_CPU_LOST_TO_PREEMPTION, "PREEMPT", LOOK_HOURS },
  { JM_QUANTITY_CPU_LOST_TO_TIME_LIMIT, "TIMEOUT", LOOK_HOURS },
  { JM_QUANTITY_CPU_UNOBSERVED, "UNOBSERVED", LOOK_HOURS },
  { JM_QUANTITY_CPU_GOODPUT, "GOOD%" },
  { JM_QUANTITY_GPU_PRODUCTIVE, "PRODUCTIVE", LOOK_HOURS },
  { JM_QUANTITY_GPU_IDLE, "IDLE", LOOK_HOURS },
  { JM_QUANTITY_GPU_PROLOG_EPILOG, "PROLOG", LOOK_HOURS, .is_optional = TRUE },
  { JM_QUANTITY_GPU_LOST_TO_FAILURE, "FAILED", LOOK_HOURS },
  { JM_QUANTITY_GPU_LOST_TO_PREEMPTION, "PREEMPT", LOOK_HOURS },
  { JM_QUANTITY_GPU_LOST_TO_TIME_LIMIT, "TIMEOUT", LOOK_HOURS },
  { JM_QUANTITY_GPU_UNOBSERVED, "UNOBSERVED", LOOK_HOURS },
  { JM_QUANTITY_GPU_GOODPUT, "GOOD%" },
  { JM_QUANTITY_USAGE_STORAGE, NULL, LOOK_HOURS, TRUE },
  { JM_QUANTITY_COST, NULL, LOOK_MONEY },
  { JM_QUANTITY_STORAGE_COST, NULL, LOOK_MONEY, TRUE },
  { JM_QUANTITY_UNPRICED_RUNS },
  { JM_QUANTITY_CURRENCY, .is_optional = TRUE },
  { JM_QUANTITY_BUDGET_START_TIME, NULL, LOOK_DATE },
  { JM_QUANTITY_BUDGET_END_TIME, NULL, LOOK_DATE },
  { JM_QUANTITY_BUDGET_ELAPSED, "DAYS", LOOK_DAYS },
  { JM_QUANTITY_BUDGET, NULL, LOOK_MONEY },
  { JM_QUANTITY_BUDGET_USED },
  { JM_QUANTITY_BUDGET_FORECAST, NULL, LOOK_MONEY },
  { JM_QUANTITY_ENERGY_KNOWN, "KNOWN%" },
  { JM_QUANTITY_ENERGY_MEASURED },
  { JM_QUANTITY_ENERGY_ESTIMATED },
  { JM_QUANTITY_ENERGY_MEASURED_SHARE },
  { JM_QUANTITY_PUE },
  { JM_QUANTITY_FACILITY_ENERGY },
  { JM_QUANTITY_EMISSIONS_DIRECT, .is_optional = TRUE },
  { JM_QUANTITY_EMISSIONS_LIFECYCLE, .is_optional = TRUE },
  { JM_QUANTITY_EMISSIONS_UNSCOPED, .is_optional = TRUE },
  { JM_QUANTITY_EMISSIONS_KNOWN },
  { JM_QUANTITY_DIRECT_ENERGY },
  { JM_QUANTITY_LIFECYCLE_ENERGY },
  { JM_QUANTITY_EMISSIONS_MARKET, .is_optional = TRUE },
  { JM_QUANTITY_EMBODIED, .is_optional = TRUE },
  { JM_QUANTITY_UNEMBODIED_RUNS, .is_optional = TRUE },
  { JM_QUANTITY_SCI_DIRECT_HOUR, "SCI-DIRECT", .is_optional = TRUE },
  { JM_QUANTITY_SCI_LIFECYCLE_HOUR, "SCI-LIFE-CYCLE", .is_optional = TRUE },
  { JM_QUANTITY_SCI_DIRECT_RUN, .is_optional = TRUE },
  { JM_QUANTITY_SCI_LIFECYCLE_RUN, .is_optional = TRUE },
  { JM_QUANTITY_MEDIAN_ELAPSED },
  { JM_QUANTITY_MEDIAN_CPU_EFFICIENCY },
  { JM_QUANTITY_MEDIAN_MEMORY_SHARE },
};

static GArray *
list_columns (void)
{
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (JmRowColumn));

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      const JmRowColumn column = { jm_quantity_get (fields[i].id), &fields[i],
                                   fields[i].heading, fields[i].is_optional };

      g_array_append_val (columns, column);
    }

  return columns;
}

/* --- figures --- */

static JmFigure
get_usage (JmUsage *usage, const JmQuantity *quantity)
{
  for (JmUsageQuantity i = 0; i < JM_N_USAGE_QUANTITIES; i++)
    if (jm_usage_quantity_get_quantity (i) == quantity)
      {
        const double amount = jm_usage_get_amount (usage, i);

        return isnan (amount) ? (JmFigure){ 0 } : jm_figure_known (amount);
      }

  return (JmFigure){ 0 };
}

static JmFigure
get_figure (const JmRowColumn *column, gconstpointer data)
{
  const Row *row = data;
  const JmQuantityId id = ((const Field *) column->field)->id;

  if (row->totals != NULL)
    return id == JM_QUANTITY_DAY && row->totals->month >= 0
             ? jm_figure_known ((double) row->totals->month)
             : jm_figures_get (row->totals->figures, id);
  if (id != JM_QUANTITY_DAY)
    return get_usage (row->usage, column->quantity);

  return row->usage->day >= 0 ? jm_figure_known ((double) jm_usage_get_day (row->usage))
                              : (JmFigure){ 0 };
}

static char *
format_moment (double seconds, const char *format)
{
  g_autoptr (GDateTime) moment = g_date_time_new_from_unix_utc ((gint64) seconds);

  return moment != NULL ? g_date_time_format (moment, format) : NULL;
}

static char *
format_look (const JmRowColumn *column, double value)
{
  switch (((const Field *) column->field)->look)
    {
    case LOOK_HOURS:
      if (column->quantity->format == JM_FORMAT_BYTE_SECONDS)
        value /= GIB;
      return g_strdup_printf ("%.1f", value / HOUR_SECONDS);
    case LOOK_DAYS:
      return g_strdup_printf ("%.1f", value / DAY_SECONDS);
    case LOOK_DATE:
      return format_moment (value, "%Y-%m-%d");
    case LOOK_MONEY:
      return g_strdup_printf ("%.2f", value);
    case LOOK_DECIMAL:
      return g_strdup_printf ("%.1f", value);
    case LOOK_QUANTITY:
    default:
      return NULL;
    }
}

static char *
format_figure (const JmRowColumn *column, JmFigure figure)
{
  g_autofree char *text = format_look (column, figure.value);

  return text != NULL && figure.is_estimated
           ? g_strconcat (JM_FIGURE_ESTIMATE_MARK, text, NULL)
           : g_steal_pointer (&text);
}

/* --- texts --- */

static const char *
get_name (const Row *row, JmQuantityId id)
{
  static const JmQuantityId groups[JM_N_USAGE_NAMES] = {
    JM_QUANTITY_CLUSTER,   JM_QUANTITY_USER, JM_QUANTITY_ACCOUNT,
    JM_QUANTITY_PARTITION, JM_QUANTITY_NAME, JM_QUANTITY_NODE
  };
  const JmUsage *usage = row->usage;

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    if (groups[i] == id)
      return usage == NULL
               ? row->totals->names[i]
               : (const char *const[JM_N_USAGE_NAMES]){ usage->cluster, usage->user,
                                                        usage->account,
                                                        usage->partition }[i];

  return row->totals != NULL && id == JM_QUANTITY_CURRENCY ? row->totals->currency
                                                           : NULL;
}

static char *
get_text (const JmRowColumn *column, gconstpointer data)
{
  const Row *row = data;
  const JmQuantityId id = ((const Field *) column->field)->id;
  const char *name;

  if (id == JM_QUANTITY_MONTH)
    return row->totals != NULL && row->totals->month >= 0
             ? format_moment ((double) row->totals->month, "%Y-%m")
             : NULL;
  name = get_name (row, id);

  return name != NULL && *name != '\0' ? g_strdup (name) : NULL;
}

static const JmRowType sum_type = { list_columns, get_figure, get_text, NULL,
                                    format_figure };

/**
 * jm_table_new_of_sums:
 * @columns: names of quantities, with commas between them
 * @error: return location for an error
 *
 * Makes a table of sums of an archive, without rows: see jm_table_add_usage(),
 * jm_table_add_totals() and jm_table_add_columns().
 *
 * ```python
 * table =
 * JobMetrics.Table.new_of_sums("account,runs,allocated_cpu_seconds,energy_joules") for
 * usage in archive.list_usage(filter, JobMetrics.UsageGroups.ACCOUNT, None):
 *     table.add_usage(usage)
 * ```
 *
 * Returns: (transfer full): the table; %NULL where sums have no such quantity, with
 *   %JM_ERROR_INVALID
 * Since: 0.1
 */
JmTable *
jm_table_new_of_sums (const char *columns, GError **error)
{
  g_return_val_if_fail (columns != NULL, NULL);

  return jm_table_new (&sum_type, columns, error);
}

/**
 * jm_table_add_usage:
 * @self: a table of sums
 * @usage: a sum of days
 *
 * Adds a row.
 *
 * Since: 0.1
 */
void
jm_table_add_usage (JmTable *self, JmUsage *usage)
{
  const Row row = { .usage = usage };

  g_return_if_fail (JM_IS_TABLE (self));
  g_return_if_fail (jm_table_get_row_type (self) == &sum_type);
  g_return_if_fail (usage != NULL);

  jm_table_add (self, &row);
}

/**
 * jm_table_add_totals:
 * @self: a table of sums
 * @totals: sums of runs
 *
 * Adds a row.
 *
 * Since: 0.1
 */
void
jm_table_add_totals (JmTable *self, JmRunTotals *totals)
{
  const Row row = { .totals = totals };

  g_return_if_fail (JM_IS_TABLE (self));
  g_return_if_fail (jm_table_get_row_type (self) == &sum_type);
  g_return_if_fail (totals != NULL);

  jm_table_add (self, &row);
}
