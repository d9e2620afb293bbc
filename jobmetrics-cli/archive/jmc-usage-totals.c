/* jmc-usage-totals.c: what runs left unused and what they cost, in sums
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jmc-usage-totals.h"

#include "archive/jmc-usage-group.h"
#include "base/jm-csv-private.h"
#include "base/jm-json-writer-private.h"
#include "base/jm-number-private.h"
#include "core/jm-quantity-private.h"
#include "core/jm-run-derived-private.h"
#include "jmc-figure-cell.h"
#include "jmc-output.h"

/* The first of more. */
#define MAX_NAMED 10
#define MAX_COLUMNS 24

typedef enum
{
  LOOK_COUNT,
  LOOK_DECIMAL,
  LOOK_HOURS,
  LOOK_MONEY,
  LOOK_DAY,      /* of a moment */
  LOOK_DAYS,     /* of a length of time */
  LOOK_QUANTITY, /* as its format has it */
} Look;

/* Whether a table for people has it. */
typedef enum
{
  SHOWN_ALWAYS,
  SHOWN_IF_KNOWN, /* of any line */
  SHOWN_BELOW, /* in a second table, of the lines that have any of its first column */
  SHOWN_NEVER,
} Shown;

typedef struct
{
  const char *title; /* NULL behind the last */
  JmQuantityId quantity;
  Look look;
  Shown shown;
} Column;

static const Column columns[][MAX_COLUMNS + 1] = {
  [JMC_USAGE_WASTE] = {
    { "RUNS", JM_QUANTITY_USAGE_RUNS, LOOK_COUNT },
    { "CPU-HOURS", JM_QUANTITY_USAGE_CPUS, LOOK_HOURS },
    { "UNUSED", JM_QUANTITY_CPU_UNUSED, LOOK_HOURS },
    { "EFF%", JM_QUANTITY_CPU_EFFICIENCY, LOOK_QUANTITY },
    { "GIB-HOURS", JM_QUANTITY_USAGE_MEMORY, LOOK_HOURS },
    { "UNUSED", JM_QUANTITY_MEMORY_UNUSED_TIME, LOOK_HOURS },
    { "MEM%", JM_QUANTITY_MEMORY_SHARE, LOOK_QUANTITY },
    { "GPU-HOURS", JM_QUANTITY_USAGE_GPUS, LOOK_HOURS },
    { "UNUSED", JM_QUANTITY_GPU_UNUSED, LOOK_HOURS },
  },
  [JMC_USAGE_NOW] = {
    { "RUNS", JM_QUANTITY_USAGE_RUNS, LOOK_COUNT },
    { "CPUS", JM_QUANTITY_CPUS, LOOK_COUNT },
    { "IDLE", JM_QUANTITY_IDLE_CPUS, LOOK_DECIMAL },
    { "MEMORY", JM_QUANTITY_MEMORY_ALLOCATED, LOOK_QUANTITY },
    { "UNUSED", JM_QUANTITY_MEMORY_UNUSED, LOOK_QUANTITY },
    { "GPUS", JM_QUANTITY_GPUS_ALLOCATED, LOOK_COUNT },
  },
  [JMC_USAGE_GOODPUT] = {
    { "CPU-HOURS", JM_QUANTITY_USAGE_CPUS, LOOK_HOURS },
    { "PRODUCTIVE", JM_QUANTITY_CPU_PRODUCTIVE, LOOK_HOURS },
    { "UNUSED", JM_QUANTITY_CPU_IDLE, LOOK_HOURS },
    { "FAILED", JM_QUANTITY_CPU_LOST_TO_FAILURE, LOOK_HOURS },
    { "PREEMPT", JM_QUANTITY_CPU_LOST_TO_PREEMPTION, LOOK_HOURS },
    { "TIMEOUT", JM_QUANTITY_CPU_LOST_TO_TIME_LIMIT, LOOK_HOURS },
    { "UNKNOWN", JM_QUANTITY_CPU_UNOBSERVED, LOOK_HOURS },
    { "GOOD%", JM_QUANTITY_CPU_GOODPUT, LOOK_QUANTITY },
    { "GPU-HOURS", JM_QUANTITY_USAGE_GPUS, LOOK_HOURS, SHOWN_BELOW },
    { "PRODUCTIVE", JM_QUANTITY_GPU_PRODUCTIVE, LOOK_HOURS, SHOWN_BELOW },
    { "UNUSED", JM_QUANTITY_GPU_IDLE, LOOK_HOURS, SHOWN_BELOW },
    { "FAILED", JM_QUANTITY_GPU_LOST_TO_FAILURE, LOOK_HOURS, SHOWN_BELOW },
    { "PREEMPT", JM_QUANTITY_GPU_LOST_TO_PREEMPTION, LOOK_HOURS, SHOWN_BELOW },
    { "TIMEOUT", JM_QUANTITY_GPU_LOST_TO_TIME_LIMIT, LOOK_HOURS, SHOWN_BELOW },
    { "UNKNOWN", JM_QUANTITY_GPU_UNOBSERVED, LOOK_HOURS, SHOWN_BELOW },
    { "GOOD%", JM_QUANTITY_GPU_GOODPUT, LOOK_QUANTITY, SHOWN_BELOW },
  },
  [JMC_USAGE_COST] = {
    { "RUNS", JM_QUANTITY_USAGE_RUNS, LOOK_COUNT },
    { "CPU-HOURS", JM_QUANTITY_USAGE_CPUS, LOOK_HOURS },
    { "GIB-HOURS", JM_QUANTITY_USAGE_MEMORY, LOOK_HOURS },
    { "GPU-HOURS", JM_QUANTITY_USAGE_GPUS, LOOK_HOURS },
    { "ENERGY", JM_QUANTITY_ENERGY, LOOK_QUANTITY },
    { "COST", JM_QUANTITY_COST, LOOK_MONEY },
    { "UNPRICED", JM_QUANTITY_UNPRICED_RUNS, LOOK_COUNT },
  },
  [JMC_USAGE_BUDGETS] = {
    { "FROM", JM_QUANTITY_BUDGET_START_TIME, LOOK_DAY },
    { "TO", JM_QUANTITY_BUDGET_END_TIME, LOOK_DAY },
    { "DAYS", JM_QUANTITY_BUDGET_ELAPSED, LOOK_DAYS },
    { "BUDGET", JM_QUANTITY_BUDGET, LOOK_MONEY },
    { "USED", JM_QUANTITY_COST, LOOK_MONEY },
    { "USED%", JM_QUANTITY_BUDGET_USED, LOOK_QUANTITY },
    { "FORECAST", JM_QUANTITY_BUDGET_FORECAST, LOOK_MONEY },
    { "RUNS", JM_QUANTITY_USAGE_RUNS, LOOK_COUNT },
    { "UNPRICED", JM_QUANTITY_UNPRICED_RUNS, LOOK_COUNT },
  },
  [JMC_USAGE_CARBON] = {
    { "RUNS", JM_QUANTITY_USAGE_RUNS, LOOK_COUNT },
    { "CPU-HOURS", JM_QUANTITY_USAGE_CPUS, LOOK_HOURS, SHOWN_NEVER },
    { "ENERGY", JM_QUANTITY_ENERGY, LOOK_QUANTITY },
    { "KNOWN%", JM_QUANTITY_ENERGY_KNOWN, LOOK_QUANTITY },
    { "MEASURED", JM_QUANTITY_ENERGY_MEASURED, LOOK_QUANTITY, SHOWN_NEVER },
    { "ESTIMATED", JM_QUANTITY_ENERGY_ESTIMATED, LOOK_QUANTITY, SHOWN_NEVER },
    { "MEASURED%", JM_QUANTITY_ENERGY_MEASURED_SHARE, LOOK_QUANTITY },
    { "PUE", JM_QUANTITY_PUE, LOOK_DECIMAL, SHOWN_NEVER },
    { "SITE-ENERGY", JM_QUANTITY_FACILITY_ENERGY, LOOK_QUANTITY, SHOWN_NEVER },
    { "DIRECT", JM_QUANTITY_EMISSIONS_DIRECT, LOOK_QUANTITY, SHOWN_IF_KNOWN },
    { "LIFE-CYCLE", JM_QUANTITY_EMISSIONS_LIFECYCLE, LOOK_QUANTITY, SHOWN_IF_KNOWN },
    { "UNSCOPED", JM_QUANTITY_EMISSIONS_UNSCOPED, LOOK_QUANTITY, SHOWN_IF_KNOWN },
    { "CO2-KNOWN%", JM_QUANTITY_EMISSIONS_KNOWN, LOOK_QUANTITY },
    { "DIRECT-ENERGY", JM_QUANTITY_DIRECT_ENERGY, LOOK_QUANTITY, SHOWN_NEVER },
    { "LIFE-CYCLE-ENERGY", JM_QUANTITY_LIFECYCLE_ENERGY, LOOK_QUANTITY, SHOWN_NEVER },
    { "MARKET", JM_QUANTITY_EMISSIONS_MARKET, LOOK_QUANTITY, SHOWN_IF_KNOWN },
    { "EMBODIED", JM_QUANTITY_EMBODIED, LOOK_QUANTITY, SHOWN_IF_KNOWN },
    { "UNEMBODIED", JM_QUANTITY_UNEMBODIED_RUNS, LOOK_COUNT, SHOWN_IF_KNOWN },
    { "SCI-DIRECT", JM_QUANTITY_SCI_DIRECT_HOUR, LOOK_QUANTITY, SHOWN_IF_KNOWN },
    { "SCI-LIFE-CYCLE", JM_QUANTITY_SCI_LIFECYCLE_HOUR, LOOK_QUANTITY, SHOWN_IF_KNOWN },
    { "SCI-DIRECT-RUN", JM_QUANTITY_SCI_DIRECT_RUN, LOOK_DECIMAL, SHOWN_NEVER },
    { "SCI-LIFE-CYCLE-RUN", JM_QUANTITY_SCI_LIFECYCLE_RUN, LOOK_DECIMAL, SHOWN_NEVER },
  },
};

/* By which the greatest stands first; others are in the order of their names. */
static const struct
{
  gboolean is_sorted;
  JmQuantityId quantity;
} orders[] = {
  [JMC_USAGE_WASTE] = { TRUE, JM_QUANTITY_CPU_UNUSED },
  [JMC_USAGE_NOW] = { TRUE, JM_QUANTITY_IDLE_CPUS },
  [JMC_USAGE_GOODPUT] = { TRUE, JM_QUANTITY_USAGE_CPUS },
  [JMC_USAGE_COST] = { FALSE },
  [JMC_USAGE_BUDGETS] = { FALSE },
  [JMC_USAGE_CARBON] = { FALSE },
};

static gboolean
has_currency (JmcUsageKind kind)
{
  return kind == JMC_USAGE_COST || kind == JMC_USAGE_BUDGETS;
}

static JmFigure
get (JmRunTotals *totals, JmQuantityId quantity)
{
  double value;

  return jm_run_totals_get_value (totals, jm_quantity_get (quantity), &value)
           ? jm_figure_known (value)
           : (JmFigure){ 0 };
}

/* --- groups --- */

static char *
format_moment (double seconds, const char *format)
{
  g_autoptr (GDateTime) moment = g_date_time_new_from_unix_utc ((gint64) seconds);

  return moment != NULL ? g_date_time_format (moment, format) : NULL;
}

/* NULL where it is not known. */
static char *
format_group (JmRunTotals *totals, const JmcUsageGroup *group)
{
  const char *name;

  if (group->group == JM_USAGE_GROUPS_MONTH)
    return format_moment ((double) jm_run_totals_get_month (totals), "%Y-%m");
  name = jm_run_totals_get_name (totals, group->group);

  return name != NULL && *name != '\0' ? g_strdup (name) : NULL;
}

/* --- a table --- */

static char *
format_amount (double value, const Column *column)
{
  const JmFormat unit = jm_quantity_get (column->quantity)->format;

  switch (column->look)
    {
    case LOOK_HOURS:
      return g_strdup_printf ("%.1f", value / 3600 /
                                        (unit == JM_FORMAT_BYTE_SECONDS ? 1 << 30 : 1));
    case LOOK_DAY:
      return format_moment (value, "%Y-%m-%d");
    case LOOK_DAYS:
      return g_strdup_printf ("%.1f", value / 86400);
    case LOOK_DECIMAL:
      return g_strdup_printf ("%.1f", value);
    case LOOK_MONEY:
      return g_strdup_printf ("%.2f", value);
    case LOOK_COUNT:
    case LOOK_QUANTITY:
    default:
      return g_strdup_printf ("%.0f", value);
    }
}

static void
add_amount (JmTextTable *table, JmRunTotals *totals, const Column *column)
{
  const JmFigure figure = get (totals, column->quantity);

  if (column->look == LOOK_QUANTITY || !figure.is_known)
    jmc_figure_cell_add (table, figure, jm_quantity_get (column->quantity)->format);
  else
    jm_text_table_take (table, format_amount (figure.value, column));
}

static void
add_group_looks (GArray *looks, JmUsageGroups groups)
{
  for (guint i = 0; i < jmc_usage_group_count (); i++)
    {
      const JmTextColumn look = { jmc_usage_group_get (i)->title, JM_TEXT_ALIGN_LEFT };

      if ((groups & jmc_usage_group_get (i)->group) != 0)
        g_array_append_val (looks, look);
    }
}

/* The columns that a table of these sums has; those of the one below it for
 * @is_below. */
static GPtrArray *
list_shown (JmcUsageKind kind, gboolean is_below, GPtrArray *all)
{
  GPtrArray *shown = g_ptr_array_new ();

  for (const Column *column = columns[kind]; column->title != NULL; column++)
    {
      gboolean is_shown = column->shown == (is_below ? SHOWN_BELOW : SHOWN_ALWAYS);

      for (guint i = 0; !is_below && column->shown == SHOWN_IF_KNOWN && i < all->len;
           i++)
        is_shown = is_shown || get (all->pdata[i], column->quantity).is_known;
      if (is_shown)
        g_ptr_array_add (shown, (gpointer) column);
    }

  return shown;
}

static void
add_row (JmTextTable *table,
         GPtrArray *shown,
         JmUsageGroups groups,
         JmRunTotals *totals)
{
  for (guint i = 0; i < jmc_usage_group_count (); i++)
    if ((groups & jmc_usage_group_get (i)->group) != 0)
      jm_text_table_take (table, format_group (totals, jmc_usage_group_get (i)));
  for (guint i = 0; i < shown->len; i++)
    add_amount (table, totals, shown->pdata[i]);
}

static void
print_table (JmcArchiveForm *form,
             JmcUsageKind kind,
             JmUsageGroups groups,
             GPtrArray *shown,
             GPtrArray *all,
             const char *currency)
{
  g_autoptr (GArray) looks = g_array_new (FALSE, FALSE, sizeof (JmTextColumn));
  g_autoptr (JmTextTable) table = NULL;

  add_group_looks (looks, groups);
  for (guint i = 0; i < shown->len; i++)
    {
      const Column *column = shown->pdata[i];
      const gboolean is_money = column->quantity == JM_QUANTITY_COST &&
                                kind == JMC_USAGE_COST && currency != NULL;
      const JmTextColumn look = { is_money ? currency : column->title,
                                  JM_TEXT_ALIGN_RIGHT };

      g_array_append_val (looks, look);
    }
  table = jm_text_table_new (&g_array_index (looks, JmTextColumn, 0), looks->len);
  for (guint i = 0; i < all->len; i++)
    add_row (table, shown, groups, all->pdata[i]);
  jmc_archive_form_print_table (form, table);
}

/* Those that have any of a column. */
static GPtrArray *
list_with (GPtrArray *all, const Column *column)
{
  GPtrArray *some = g_ptr_array_new ();

  for (guint i = 0; i < all->len; i++)
    if (get (all->pdata[i], column->quantity).value > 0)
      g_ptr_array_add (some, all->pdata[i]);

  return some;
}

static void
print_tables (JmcArchiveForm *form,
              JmcUsageKind kind,
              JmUsageGroups groups,
              GPtrArray *all,
              const char *currency)
{
  g_autoptr (GPtrArray) first = list_shown (kind, FALSE, all);
  g_autoptr (GPtrArray) below = list_shown (kind, TRUE, all);
  g_autoptr (GPtrArray) some = NULL;

  print_table (form, kind, groups, first, all, currency);
  some = below->len > 0 ? list_with (all, below->pdata[0]) : NULL;
  if (some == NULL || some->len == 0)
    return;

  jmc_output_print ("\n");
  print_table (form, kind, groups, below, some, currency);
}

/* --- for programs --- */

static void
append_csv_head (GString *text, JmcUsageKind kind, JmUsageGroups groups)
{
  guint n = 0;

  for (guint i = 0; i < jmc_usage_group_count (); i++)
    if ((groups & jmc_usage_group_get (i)->group) != 0)
      jm_csv_append (text, n++, jmc_usage_group_get (i)->name);
  for (const Column *column = columns[kind]; column->title != NULL; column++)
    jm_csv_append (text, n++, jm_quantity_get (column->quantity)->name);
  if (has_currency (kind))
    jm_csv_append (text, n++, "currency");
  jm_csv_end_line (text);
}

static void
append_csv_row (GString *text,
                JmcUsageKind kind,
                JmUsageGroups groups,
                JmRunTotals *totals,
                const char *currency)
{
  guint n = 0;

  for (guint i = 0; i < jmc_usage_group_count (); i++)
    if ((groups & jmc_usage_group_get (i)->group) != 0)
      {
        g_autofree char *name = format_group (totals, jmc_usage_group_get (i));

        jm_csv_append (text, n++, name != NULL ? name : "");
      }
  for (const Column *column = columns[kind]; column->title != NULL; column++)
    {
      const JmFigure figure = get (totals, column->quantity);
      g_autoptr (GString) cell = g_string_new (NULL);

      if (figure.is_known)
        jm_number_append_double (cell, figure.value);
      jm_csv_append (text, n++, cell->str);
    }
  if (has_currency (kind))
    jm_csv_append (text, n++, currency != NULL ? currency : "");
  jm_csv_end_line (text);
}

static void
print_csv (JmcArchiveForm *form,
           JmcUsageKind kind,
           JmUsageGroups groups,
           GPtrArray *all,
           const char *currency)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (!form->is_bare)
    append_csv_head (text, kind, groups);
  for (guint i = 0; i < all->len; i++)
    append_csv_row (text, kind, groups, all->pdata[i], currency);
  jmc_output_print (text->str);
}

/* What is not known is left out. */
static void
print_json (JmcArchiveForm *form,
            JmcUsageKind kind,
            JmUsageGroups groups,
            JmRunTotals *totals,
            const char *currency)
{
  g_autoptr (GString) text = g_string_new (NULL);
  JmJsonWriter json = { .out = text, .layout = JM_JSON_SPACED };

  jm_json_writer_begin_object (&json, NULL);
  for (guint i = 0; i < jmc_usage_group_count (); i++)
    if ((groups & jmc_usage_group_get (i)->group) != 0)
      {
        g_autofree char *name = format_group (totals, jmc_usage_group_get (i));

        jm_json_writer_add_known_text (&json, jmc_usage_group_get (i)->name, name);
      }
  for (const Column *column = columns[kind]; column->title != NULL; column++)
    {
      const JmFigure figure = get (totals, column->quantity);

      if (figure.is_known)
        jm_json_writer_add_double (&json, jm_quantity_get (column->quantity)->name,
                                   figure.value);
    }
  if (has_currency (kind))
    jm_json_writer_add_known_text (&json, "currency", currency);
  jm_json_writer_end_object (&json);
  jmc_archive_form_print_json (form, text);
}

static int
compare (gconstpointer a, gconstpointer b, gpointer quantity)
{
  const JmFigure one =
    get (*(JmRunTotals *const *) a, *(const JmQuantityId *) quantity);
  const JmFigure other =
    get (*(JmRunTotals *const *) b, *(const JmQuantityId *) quantity);

  return jm_figure_compare (one, other, TRUE);
}

void
jmc_usage_totals_print (JmcArchiveForm *form,
                        JmcUsageKind kind,
                        JmUsageGroups groups,
                        GPtrArray *totals,
                        const char *currency)
{
  if (orders[kind].is_sorted)
    g_ptr_array_sort_with_data (totals, compare, (gpointer) &orders[kind].quantity);

  if (form->kind == JMC_ARCHIVE_FORM_TABLE)
    print_tables (form, kind, groups, totals, currency);
  else if (form->kind == JMC_ARCHIVE_FORM_CSV)
    print_csv (form, kind, groups, totals, currency);
  else
    for (guint i = 0; i < totals->len; i++)
      print_json (form, kind, groups, totals->pdata[i], currency);
}

/* --- what would fit --- */

static void
print_fitting_text (GPtrArray *fitting, guint n_waiting)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *jobs = jm_number_count (n_waiting, "job");

  g_string_append_printf (text,
                          "\n%u of %s waiting for room would fit into what running "
                          "jobs have not used",
                          fitting->len, jobs);
  for (guint i = 0; i < fitting->len && i < MAX_NAMED; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? ":\n" : ", ",
                            jm_run_derived_get_job_id (fitting->pdata[i]));
  if (fitting->len > MAX_NAMED)
    g_string_append (text, ", ...");
  g_string_append (text, fitting->len > 0 ? "\n" : ".\n");
  jmc_output_print (text->str);
}

void
jmc_usage_totals_print_fitting (JmcArchiveForm *form,
                                GPtrArray *fitting,
                                guint n_waiting)
{
  g_autoptr (GString) text = g_string_new (NULL);
  JmJsonWriter json = { .out = text, .layout = JM_JSON_SPACED };

  if (form->kind == JMC_ARCHIVE_FORM_TABLE && n_waiting > 0)
    print_fitting_text (fitting, n_waiting);
  if (form->kind == JMC_ARCHIVE_FORM_TABLE || form->kind == JMC_ARCHIVE_FORM_CSV)
    return;

  jm_json_writer_begin_object (&json, NULL);
  jm_json_writer_add_int (&json, "waiting_runs", n_waiting);
  jm_json_writer_begin_array (&json, "fitting");
  for (guint i = 0; i < fitting->len; i++)
    jm_json_writer_add_text (&json, NULL,
                             jm_run_derived_get_job_id (fitting->pdata[i]));
  jm_json_writer_end_array (&json);
  jm_json_writer_end_object (&json);
  jmc_archive_form_print_json (form, text);
}
