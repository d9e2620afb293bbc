/* jm-run-document.c: a site's runs as documents and tables
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-run-document-private.h"

#include <math.h>
#include <string.h>

#include "base/jm-csv-private.h"
#include "base/jm-json-writer-private.h"
#include "base/jm-number-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"
#include "core/jm-run-private.h"
#include "core/jm-usage-private.h"

/* Columns are in whole parts of the unit that people see. */
static const struct
{
  const char *column;
  const char *written;
} units[] = { { "_us", "_seconds" },
              { "_uj", "_joules" },
              { "_ug", "_grams" },
              { "_ppm", "_ratio" } };

#define MILLIONTHS 6

/* --- names and values --- */

guint
jm_run_document_make_name (const char *column, char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_has_suffix (column, units[i].column))
      {
        gsize length = strlen (column) - strlen (units[i].column);

        g_strlcpy (name, column, MIN (length + 1, JM_RUN_DOCUMENT_NAME_SIZE));
        g_strlcat (name, units[i].written, JM_RUN_DOCUMENT_NAME_SIZE);
        return MILLIONTHS;
      }

  g_strlcpy (name, g_str_equal (column, "user_name") ? "user" : column,
             JM_RUN_DOCUMENT_NAME_SIZE);

  return 0;
}

/* Nothing that is kept is below zero. */
static void
append_amount (GString *text, gint64 number, guint n_decimals)
{
  jm_number_append_decimal (text, (guint64) MAX (number, 0), n_decimals);
}

static void
add_text (JmJsonWriter *json, const char *column, const char *text)
{
  char name[JM_RUN_DOCUMENT_NAME_SIZE];

  jm_run_document_make_name (column, name);
  jm_json_writer_add_known_text (json, name, text);
}

static void
add_number (JmJsonWriter *json, const char *column, gint64 number)
{
  char name[JM_RUN_DOCUMENT_NAME_SIZE];
  guint n_decimals = jm_run_document_make_name (column, name);

  append_amount (jm_json_writer_begin_value (json, name), number, n_decimals);
}

/* --- runs --- */

static void
add_sources (JmJsonWriter *json, JmRun *run)
{
  jm_json_writer_begin_object (json, "sources");
  for (JmRunField field = 0; field < JM_N_RUN_FIELDS; field++)
    {
      JmRunSource source = jm_run_peek_source (run, field);

      if (jm_run_field_is_figure (field) && source != JM_RUN_SOURCE_NONE)
        add_text (json, jm_run_field_get_name (field), jm_run_source_get_name (source));
    }
  jm_json_writer_end_object (json);
}

void
jm_run_document_add (JmJsonWriter *json, JmRun *run)
{
  add_text (json, "cluster", jm_run_get_cluster (run));
  add_text (json, "raw_id", jm_run_get_raw_id (run));
  for (JmRunField field = 0; field < JM_N_RUN_FIELDS; field++)
    {
      const char *name = jm_run_field_get_name (field);
      gint64 number;

      if (jm_run_field_holds_text (field))
        add_text (json, name, jm_run_peek_text (run, field));
      else if (jm_run_get_number (run, field, &number))
        add_number (json, name, number);
    }
  add_sources (json, run);
  if (run->has_estimates)
    jm_json_writer_add_boolean (json, JM_RUN_DOCUMENT_ESTIMATED, TRUE);
}

void
jm_run_document_append (GString *text, JmRun *run)
{
  JmJsonWriter json = { .out = text, .layout = JM_JSON_SPACED };

  jm_json_writer_begin_object (&json, NULL);
  jm_run_document_add (&json, run);
  jm_json_writer_end_object (&json);
}

void
jm_run_document_append_part (GString *text, JmRunPart *part)
{
  JmJsonWriter json = { .out = text, .layout = JM_JSON_SPACED };
  guint n;
  const JmRunPartColumn *columns = jm_run_part_kind_get_columns (part->kind, &n);

  jm_json_writer_begin_object (&json, NULL);
  for (guint i = 0; i < n; i++)
    if (columns[i].is_text)
      add_text (&json, columns[i].name, part->values[i].text);
    else if (part->values[i].number != JM_RUN_PART_UNKNOWN)
      add_number (&json, columns[i].name, part->values[i].number);
  jm_json_writer_end_object (&json);
}

void
jm_run_document_add_list (JmJsonWriter *json,
                          JmRunPartKind kind,
                          const GPtrArray *parts)
{
  jm_json_writer_break_line (json);
  jm_json_writer_begin_array (json, jm_run_part_kind_get_name (kind));
  for (guint i = 0; i < parts->len; i++)
    {
      jm_json_writer_break_line (json);
      jm_run_document_append_part (json->out, parts->pdata[i]);
    }
  jm_json_writer_end_array (json);
}

void
jm_run_document_append_with_energy (GString *text, JmRun *run)
{
  JmJsonWriter json = { .out = text, .layout = JM_JSON_SPACED };

  jm_json_writer_begin_object (&json, NULL);
  jm_run_document_add (&json, run);
  jm_run_document_add_list (&json, JM_RUN_PART_KIND_ENERGY,
                            jm_run_get_parts (run, JM_RUN_PART_KIND_ENERGY));
  jm_json_writer_end_object (&json);
}

void
jm_run_document_add_parts (JmJsonWriter *json, JmRun *run)
{
  for (JmRunPartKind kind = 0; kind < JM_RUN_PART_KIND_RECORD; kind++)
    jm_run_document_add_list (json, kind, jm_run_get_parts (run, kind));
}

gboolean
jm_run_document_add_record (JmJsonWriter *json, JmRunPart *part, GError **error)
{
  g_autoptr (JmJobRecord) record = jm_run_part_get_record (part, error);
  g_autofree char *text = NULL;

  if (record == NULL)
    return FALSE;
  text = jm_record_json_format (record);
  jm_json_writer_break_line (json);
  jm_json_writer_add_json (json, NULL, text);

  return TRUE;
}

static void
append_name_cell (GString *csv, guint column, const char *field)
{
  char name[JM_RUN_DOCUMENT_NAME_SIZE];

  jm_run_document_make_name (field, name);
  jm_csv_append (csv, column, name);
}

char *
jm_run_document_format (JmRun *run, JmRunField field)
{
  char name[JM_RUN_DOCUMENT_NAME_SIZE];
  GString *cell;
  gint64 number;

  if (jm_run_field_holds_text (field))
    return g_strdup (jm_run_peek_text (run, field));
  if (!jm_run_get_number (run, field, &number))
    return NULL;

  cell = g_string_new (NULL);
  append_amount (cell, number,
                 jm_run_document_make_name (jm_run_field_get_name (field), name));

  return g_string_free (cell, FALSE);
}

static void
append_cell (GString *csv, guint column, JmRun *run, JmRunField field)
{
  g_autofree char *cell = jm_run_document_format (run, field);

  jm_csv_append (csv, column, cell);
}

/* The figures that were estimated, as JmTable names them. */
static void
append_estimated_cell (GString *csv, guint column, JmRun *run)
{
  static const JmRunField fields[] = { JM_RUN_FIELD_ENERGY, JM_RUN_FIELD_EMISSIONS };
  g_autoptr (GString) names = g_string_new (NULL);
  gint64 number;

  for (guint i = 0; run->has_estimates && i < G_N_ELEMENTS (fields); i++)
    if (jm_run_get_number (run, fields[i], &number))
      g_string_append_printf (names, "%s%s", names->len > 0 ? " " : "",
                              jm_run_field_get_quantity (fields[i])->name);
  jm_csv_append (csv, column, names->str);
}

void
jm_run_document_append_csv (GString *csv, JmRun *run)
{
  jm_csv_append (csv, 0, run != NULL ? jm_run_get_cluster (run) : "cluster");
  jm_csv_append (csv, 1, run != NULL ? jm_run_get_raw_id (run) : "raw_id");
  for (JmRunField field = 0; field < JM_N_RUN_FIELDS; field++)
    if (run != NULL)
      append_cell (csv, 2 + field, run, field);
    else
      append_name_cell (csv, 2 + field, jm_run_field_get_name (field));
  if (run != NULL)
    append_estimated_cell (csv, 2 + JM_N_RUN_FIELDS, run);
  else
    jm_csv_append (csv, 2 + JM_N_RUN_FIELDS, "estimated");
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

void
jm_run_document_append_usage (GString *text, JmUsage *usage, JmUsageGroups groups)
{
  JmJsonWriter json = { .out = text, .layout = JM_JSON_SPACED };

  jm_json_writer_begin_object (&json, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (groups_told); i++)
    if ((groups & groups_told[i].group) != 0)
      add_text (&json, groups_told[i].name, groups_told[i].get (usage));
  if ((groups & JM_USAGE_GROUPS_DAY) != 0)
    add_number (&json, "day_start_time", jm_usage_get_day (usage));
  for (JmUsageQuantity i = 0; i < JM_N_USAGE_QUANTITIES; i++)
    jm_json_writer_add_double (&json, jm_usage_quantity_get_quantity (i)->name,
                               jm_usage_get_amount (usage, i));
  jm_json_writer_end_object (&json);
}

/* NaN is what nobody knew. */
static void
append_number_cell (GString *csv, guint column, double number)
{
  g_autoptr (GString) cell = g_string_new (NULL);

  if (!isnan (number))
    jm_number_append_double (cell, number);
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
      jm_csv_append (csv, column++, jm_usage_quantity_get_quantity (i)->name);
  jm_csv_end_line (csv);
}
