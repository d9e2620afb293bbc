/* jm-run-document.c: a site's runs as documents and tables
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/jm-run-document-private.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "core/jm-number-private.h"
#include "core/jm-safe-text-private.h"
#include "report/jm-csv-private.h"

/* Columns are in whole parts of the unit that people are told. */
static const struct
{
  const char *column;
  const char *told;
} units[] = { { "_us", "_seconds" },
              { "_uj", "_joules" },
              { "_ug", "_grams" },
              { "_ppm", "_ratio" } };

#define MILLIONTHS 6

static const char *const quantities[JM_N_USAGE_QUANTITIES] = {
  [JM_USAGE_QUANTITY_RUNS] = "runs",
  [JM_USAGE_QUANTITY_WALL] = "wall_seconds",
  [JM_USAGE_QUANTITY_CPUS] = "allocated_cpu_seconds",
  [JM_USAGE_QUANTITY_GPUS] = "allocated_gpu_seconds",
  [JM_USAGE_QUANTITY_MEMORY] = "allocated_memory_byte_seconds",
  [JM_USAGE_QUANTITY_CPU_TIME] = "cpu_seconds",
  [JM_USAGE_QUANTITY_ENERGY] = "energy_joules",
  [JM_USAGE_QUANTITY_EMISSIONS] = "emissions_grams",
};

/* --- names and values --- */

const char *
jm_run_document_get_quantity_name (JmUsageQuantity quantity)
{
  return quantities[quantity];
}

guint
jm_run_document_append_name (GString *text, const char *column)
{
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_has_suffix (column, units[i].column))
      {
        g_string_append_len (text, column, strlen (column) - strlen (units[i].column));
        g_string_append (text, units[i].told);
        return MILLIONTHS;
      }

  g_string_append (text, g_str_equal (column, "user_name") ? "user" : column);

  return 0;
}

/* Nothing that is kept is below zero. */
static void
append_amount (GString *text, gint64 number, guint n_decimals)
{
  jm_number_append_decimal (text, (guint64) MAX (number, 0), n_decimals);
}

static void
append_string (GString *json, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), valid);
  g_autofree char *quoted = json_to_string (node, FALSE);

  jm_safe_text_append_json (json, quoted);
}

static void
begin_member (GString *json)
{
  if (json->str[json->len - 1] != '{')
    g_string_append (json, ", ");
  g_string_append_c (json, '"');
}

static void
append_text_member (GString *json, const char *name, const char *text)
{
  if (text == NULL)
    return;
  begin_member (json);
  jm_run_document_append_name (json, name);
  g_string_append (json, "\": ");
  append_string (json, text);
}

static void
append_number_member (GString *json, const char *name, gint64 number)
{
  guint n_decimals;

  begin_member (json);
  n_decimals = jm_run_document_append_name (json, name);
  g_string_append (json, "\": ");
  append_amount (json, number, n_decimals);
}

/* --- runs --- */

static void
append_sources (GString *json, JmStoredRun *run)
{
  begin_member (json);
  g_string_append (json, "sources\": {");
  for (JmRunField field = 0; field < JM_N_RUN_FIELDS; field++)
    {
      JmRunSource source = jm_stored_run_get_source (run, field);

      if (!jm_run_field_is_figure (field) || source == JM_RUN_SOURCE_NONE)
        continue;
      begin_member (json);
      jm_run_document_append_name (json, jm_run_field_get_name (field));
      g_string_append_printf (json, "\": \"%s\"", jm_run_source_get_name (source));
    }
  g_string_append_c (json, '}');
}

void
jm_run_document_append (GString *json, JmStoredRun *run)
{
  g_string_append_c (json, '{');
  append_text_member (json, "cluster", jm_stored_run_get_cluster (run));
  append_text_member (json, "raw_id", jm_stored_run_get_raw_id (run));
  for (JmRunField field = 0; field < JM_N_RUN_FIELDS; field++)
    {
      const char *name = jm_run_field_get_name (field);
      gint64 number;

      if (jm_run_field_is_text (field))
        append_text_member (json, name, jm_stored_run_get_text (run, field));
      else if (jm_stored_run_get_number (run, field, &number))
        append_number_member (json, name, number);
    }
  append_sources (json, run);
  g_string_append_c (json, '}');
}

void
jm_run_document_append_part (GString *json, JmRunPart *part)
{
  g_string_append_c (json, '{');
  for (JmRunPartField field = 0; field < JM_N_RUN_PART_FIELDS; field++)
    {
      const char *name = jm_run_part_field_get_name (field);
      gint64 number;

      if (field < JM_RUN_PART_FIELD_START_TIME)
        append_text_member (json, name, jm_run_part_get_text (part, field));
      else if (jm_run_part_get_number (part, field, &number))
        append_number_member (json, name, number);
    }
  g_string_append_c (json, '}');
}

static void
append_name_cell (GString *csv, guint column, const char *name)
{
  g_autoptr (GString) cell = g_string_new (NULL);

  jm_run_document_append_name (cell, name);
  jm_csv_append (csv, column, cell->str);
}

char *
jm_run_document_format (JmStoredRun *run, JmRunField field)
{
  g_autoptr (GString) cell = NULL;
  g_autoptr (GString) unwanted = NULL;
  gint64 number;

  if (jm_run_field_is_text (field))
    return g_strdup (jm_stored_run_get_text (run, field));
  if (!jm_stored_run_get_number (run, field, &number))
    return NULL;

  cell = g_string_new (NULL);
  unwanted = g_string_new (NULL);
  append_amount (cell, number,
                 jm_run_document_append_name (unwanted, jm_run_field_get_name (field)));

  return g_string_free (g_steal_pointer (&cell), FALSE);
}

static void
append_cell (GString *csv, guint column, JmStoredRun *run, JmRunField field)
{
  g_autofree char *cell = jm_run_document_format (run, field);

  jm_csv_append (csv, column, cell);
}

void
jm_run_document_append_csv (GString *csv, JmStoredRun *run)
{
  jm_csv_append (csv, 0, run != NULL ? jm_stored_run_get_cluster (run) : "cluster");
  jm_csv_append (csv, 1, run != NULL ? jm_stored_run_get_raw_id (run) : "raw_id");
  for (JmRunField field = 0; field < JM_N_RUN_FIELDS; field++)
    if (run != NULL)
      append_cell (csv, 2 + field, run, field);
    else
      append_name_cell (csv, 2 + field, jm_run_field_get_name (field));
  jm_csv_end_line (csv);
}

/* --- sums --- */

static const struct
{
  JmUsageGroups group;
  const char *name;
  const char *(*get) (JmUsage *usage);
} groups_told[] = {
  { JM_USAGE_GROUPS_CLUSTER, "cluster", jm_usage_get_cluster },
  { JM_USAGE_GROUPS_USER, "user", jm_usage_get_user },
  { JM_USAGE_GROUPS_ACCOUNT, "account", jm_usage_get_account },
  { JM_USAGE_GROUPS_PARTITION, "partition", jm_usage_get_partition },
};

/* NaN is what nobody knew. */
static void
append_known (GString *text, double number, const char *unknown)
{
  if (isnan (number))
    g_string_append (text, unknown);
  else
    jm_number_append_double (text, number);
}

void
jm_run_document_append_usage (GString *json, JmUsage *usage, JmUsageGroups groups)
{
  g_string_append_c (json, '{');
  for (guint i = 0; i < G_N_ELEMENTS (groups_told); i++)
    if ((groups & groups_told[i].group) != 0)
      append_text_member (json, groups_told[i].name, groups_told[i].get (usage));
  if ((groups & JM_USAGE_GROUPS_DAY) != 0)
    append_number_member (json, "day_start_time", jm_usage_get_day (usage));
  for (JmUsageQuantity i = 0; i < JM_N_USAGE_QUANTITIES; i++)
    {
      begin_member (json);
      g_string_append_printf (json, "%s\": ", quantities[i]);
      append_known (json, jm_usage_get_amount (usage, i), "null");
    }
  g_string_append_c (json, '}');
}

static void
append_number_cell (GString *csv, guint column, double number)
{
  g_autoptr (GString) cell = g_string_new (NULL);

  append_known (cell, number, "");
  jm_csv_append (csv, column, cell->str);
}

static guint
append_group_cells (GString *csv, JmUsage *usage, JmUsageGroups groups)
{
  guint column = 0;

  for (guint i = 0; i < G_N_ELEMENTS (groups_told); i++)
    if ((groups & groups_told[i].group) != 0)
      jm_csv_append (csv, column++,
                     usage != NULL ? groups_told[i].get (usage) : groups_told[i].name);
  if ((groups & JM_USAGE_GROUPS_DAY) == 0)
    return column;

  if (usage != NULL)
    append_number_cell (csv, column++, (double) jm_usage_get_day (usage));
  else
    jm_csv_append (csv, column++, "day_start_time");

  return column;
}

void
jm_run_document_append_usage_csv (GString *csv, JmUsage *usage, JmUsageGroups groups)
{
  guint column = append_group_cells (csv, usage, groups);

  for (JmUsageQuantity i = 0; i < JM_N_USAGE_QUANTITIES; i++)
    if (usage != NULL)
      append_number_cell (csv, column++, jm_usage_get_amount (usage, i));
    else
      jm_csv_append (csv, column++, quantities[i]);
  jm_csv_end_line (csv);
}
