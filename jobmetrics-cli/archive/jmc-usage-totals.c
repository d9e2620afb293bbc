/* jmc-usage-totals.c: tables of sums
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jmc-usage-totals.h"

#include "base/jm-json-writer-private.h"
#include "base/jm-number-private.h"
#include "core/jm-quantity-private.h"
#include "jmc-output.h"

/* The first of more. */
#define MAX_NAMED 10

#define LOSSES(device)                                                                 \
 "allocated_" device "_seconds," device "_productive_seconds," device                  \
 "_idle_seconds," device "_prolog_epilog_seconds," device                              \
 "_lost_to_failure_seconds," device "_lost_to_preemption_seconds," device              \
 "_lost_to_time_limit_seconds," device "_unobserved_seconds," device                   \
 "_goodput_percent"

/* Columns of programs, and those that people see where these are not all. What people
 * see below is of the sums that have accelerators, those that have most first. By @sort
 * the greatest stands first; without one, sums are in the order of their names. */
static const struct
{
  const char *columns;
  const char *shown; /* NULL for all */
  const char *below; /* NULL for nothing */
  const char *sort;
} kinds[] = {
  [JMC_USAGE_DAYS] = {
    .columns = "runs,wall_seconds,allocated_cpu_seconds,allocated_gpu_seconds,"
               "allocated_memory_byte_seconds,cpu_seconds,energy_joules,"
               "emissions_grams",
    /* what a line of 80 cells has room for comes first */
    .shown = "runs,allocated_cpu_seconds,allocated_gpu_seconds,energy_joules,"
             "emissions_grams,cpu_seconds,wall_seconds,allocated_memory_byte_seconds",
  },
  [JMC_USAGE_WASTE] = {
    .columns = "runs,allocated_cpu_seconds,cpu_unused_seconds,cpu_efficiency_percent,"
               "allocated_memory_byte_seconds,memory_unused_byte_seconds,"
               "memory_share_percent,allocated_gpu_seconds,gpu_unused_seconds",
    .sort = "cpu_unused_seconds",
  },
  [JMC_USAGE_NOW] = {
    .columns = "runs,cpus,idle_cpus,memory_allocated_bytes,memory_unused_bytes,"
               "gpus_allocated",
    .sort = "idle_cpus",
  },
  [JMC_USAGE_GOODPUT] = {
    .columns = LOSSES ("cpu") "," LOSSES ("gpu"),
    .shown = LOSSES ("cpu"),
    .below = LOSSES ("gpu"),
    .sort = "allocated_cpu_seconds",
  },
  [JMC_USAGE_COST] = {
    .columns = "runs,allocated_cpu_seconds,allocated_memory_byte_seconds,"
               "allocated_gpu_seconds,allocated_storage_byte_seconds,energy_joules,"
               "cost,storage_cost,unpriced_runs,currency",
  },
  [JMC_USAGE_BUDGETS] = {
    .columns = "budget_start_time,budget_end_time,budget_elapsed_seconds,budget,cost,"
               "budget_used_percent,budget_forecast,runs,unpriced_runs,currency",
  },
  [JMC_USAGE_CARBON] = {
    .columns = "runs,allocated_cpu_seconds,energy_joules,energy_known_percent,"
               "energy_measured_joules,energy_estimated_joules,"
               "energy_measured_percent,pue,facility_energy_joules,"
               "emissions_direct_grams,emissions_lifecycle_grams,"
               "emissions_unscoped_grams,emissions_known_percent,"
               "direct_energy_joules,lifecycle_energy_joules,"
               "emissions_market_grams,embodied_grams,unembodied_runs,"
               "sci_direct_grams_per_cpu_hour,sci_lifecycle_grams_per_cpu_hour,"
               "sci_direct_grams_per_run,sci_lifecycle_grams_per_run",
    .shown = "runs,energy_joules,energy_known_percent,energy_measured_percent,pue,"
             "emissions_direct_grams,emissions_lifecycle_grams,"
             "emissions_unscoped_grams,emissions_known_percent,"
             "emissions_market_grams,embodied_grams,unembodied_runs,"
             "sci_direct_grams_per_cpu_hour,sci_lifecycle_grams_per_cpu_hour",
  },
  [JMC_USAGE_GROUPS] = {
    .columns = JM_ARCHIVE_GROUP_COLUMNS,
  },
};

static JmTable *
make_table (JmUsageGroups groups, const char *columns)
{
  static const struct
  {
    JmUsageGroups group;
    const char *name;
  } names[] = {
    { JM_USAGE_GROUPS_CLUSTER, "cluster" }, { JM_USAGE_GROUPS_USER, "user" },
    { JM_USAGE_GROUPS_ACCOUNT, "account" }, { JM_USAGE_GROUPS_PARTITION, "partition" },
    { JM_USAGE_GROUPS_NODE, "node" },       { JM_USAGE_GROUPS_DAY, "day_start_time" },
    { JM_USAGE_GROUPS_MONTH, "month" },     { JM_USAGE_GROUPS_NAME, "name" },
  };
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if ((groups & names[i].group) != 0)
      g_string_append_printf (all, "%s,", names[i].name);
  g_string_append (all, columns);

  return jm_table_new_of_sums (all->str, NULL);
}

static gboolean
print_table (JmcArchiveForm *form,
             JmcUsageKind kind,
             JmUsageGroups groups,
             const char *columns,
             const char *sort,
             GPtrArray *sums)
{
  g_autoptr (JmTable) table = make_table (groups, columns);

  for (guint i = 0; i < sums->len; i++)
    if (kind == JMC_USAGE_DAYS)
      jm_table_add_usage (table, sums->pdata[i]);
    else
      jm_table_add_totals (table, sums->pdata[i]);
  if (sort != NULL)
    jm_table_sort (table, sort, TRUE, NULL);

  return jmc_archive_form_print_table (form, table);
}

static GPtrArray *
list_with_gpus (GPtrArray *sums)
{
  const JmQuantity *quantity = jm_quantity_get (JM_QUANTITY_USAGE_GPUS);
  GPtrArray *some = g_ptr_array_new ();
  double value;

  for (guint i = 0; i < sums->len; i++)
    if (jm_run_totals_get_value (sums->pdata[i], quantity, &value) && value > 0)
      g_ptr_array_add (some, sums->pdata[i]);

  return some;
}

/* A document has one table. */
gboolean
jmc_usage_totals_print (JmcArchiveForm *form,
                        JmcUsageKind kind,
                        JmUsageGroups groups,
                        GPtrArray *sums)
{
  const gboolean has_below =
    form->kind == JMC_ARCHIVE_FORM_TABLE && kinds[kind].below != NULL;
  const gboolean is_short = jmc_archive_form_is_for_people (form) &&
                            kinds[kind].shown != NULL &&
                            (has_below || kinds[kind].below == NULL);
  g_autoptr (GPtrArray) some = NULL;

  if (!print_table (form, kind, groups,
                    is_short ? kinds[kind].shown : kinds[kind].columns,
                    kinds[kind].sort, sums))
    return FALSE;
  if (!has_below)
    return TRUE;

  some = list_with_gpus (sums);
  if (some->len == 0)
    return TRUE;
  jmc_output_print ("\n");

  return print_table (form, kind, groups, kinds[kind].below, "allocated_gpu_seconds",
                      some);
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
                            jm_run_get_text (fitting->pdata[i], "jobid"));
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
  if (jmc_archive_form_is_for_people (form) || form->kind == JMC_ARCHIVE_FORM_CSV)
    return;

  jm_json_writer_begin_object (&json, NULL);
  jm_json_writer_add_int (&json, "waiting_runs", n_waiting);
  jm_json_writer_begin_array (&json, "fitting");
  for (guint i = 0; i < fitting->len; i++)
    jm_json_writer_add_text (&json, NULL, jm_run_get_text (fitting->pdata[i], "jobid"));
  jm_json_writer_end_array (&json);
  jm_json_writer_end_object (&json);
  jmc_archive_form_print_json (form, text);
}
