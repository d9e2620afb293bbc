/* jmc-run-page.c: all that a site knows of one run, as text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "accounts/jmc-run-page.h"

#include "core/jm-format.h"
#include "pages/jmc-job-page.h"
#include "pages/jmc-pairs.h"
#include "report/jm-run-column-private.h"
#include "store/jm-run-part-private.h"

#define INDENT 2

/* --- the run --- */

typedef struct
{
  const char *title;
  const char *field;
} Line;

static const Line identity[] = {
  { "Cluster", "cluster" },
  { "Raw id", "raw_id" },
  { "User", "user" },
  { "Account", "account" },
  { "Partition", "partition" },
  { "QOS", "qos" },
  { "Name", "name" },
  { "State", "state" },
  { "Reason", "reason" },
  { "Exit code", "exit_code" },
  { "Signal", "exit_signal" },
  { "Submitted", "submitted" },
  { "Began", "began" },
  { "Ended", "ended" },
  { "Waited", "waited" },
  { "Elapsed", "elapsed" },
  { "Time limit", "limit" },
  { "Nodes", "nodes" },
  { "Node list", "node_list" },
  { "CPUs", "cpus" },
  { "Accelerators", "gpus_alloc" },
  { "Memory", "mem_alloc" },
  { "UUID", "uuid" },
};

static const Line figures[] = {
  { "CPU time", "cpu_time" }, { "CPU efficiency", "eff" },
  { "Memory peak", "peak" },  { "Memory efficiency", "peak%" },
  { "Energy", "energy" },     { "Emissions", "co2" },
};

static char *
format (const JmRunColumn *field, JmStoredRun *run)
{
  g_autofree char *text = jm_run_column_format (field, run);

  if (text == NULL || jm_quantity_get (field->quantity)->format != JM_FORMAT_PERCENT)
    return g_steal_pointer (&text);

  return g_strconcat (text, "%", NULL);
}

static void
append_table (GString *text, const char *title, JmcTable *table, gboolean color)
{
  g_autofree char *lines = NULL;

  if (jmc_table_get_n_rows (table) == 0)
    return;
  jmc_job_page_append_title (text, title, color);
  jmc_table_set_indent (table, INDENT);
  lines = jmc_table_render (table, 0, FALSE);
  g_string_append (text, lines);
}

static void
append_lines (GString *text,
              const char *title,
              const Line *lines,
              guint n_lines,
              JmStoredRun *run,
              gboolean color)
{
  g_autoptr (JmcTable) table = jmc_pairs_new ();

  for (guint i = 0; i < n_lines; i++)
    {
      char *value = format (jm_run_column_from_name (lines[i].field), run);

      if (value != NULL)
        jmc_pairs_take (table, lines[i].title, value);
    }
  append_table (text, title, table, color);
}

/* --- its parts --- */

/* A column of a table of parts, which has it where some part has the figure. */
typedef struct
{
  const char *title;
  JmRunPartField field;
} Column;

static const Column columns[] = {
  { "NAME", JM_RUN_PART_FIELD_NAME },
  { "NODE", JM_RUN_PART_FIELD_NODE },
  { "MODEL", JM_RUN_PART_FIELD_GPU_MODEL },
  { "QUALITY", JM_RUN_PART_FIELD_ENERGY_QUALITY },
  { "PROVIDER", JM_RUN_PART_FIELD_EMISSION_PROVIDER },
  { "ZONE", JM_RUN_PART_FIELD_EMISSION_ZONE },
  { "METHOD", JM_RUN_PART_FIELD_EMISSION_METHOD },
  { "STATE", JM_RUN_PART_FIELD_STATE },
  { "BEGAN", JM_RUN_PART_FIELD_START_TIME },
  { "ENDED", JM_RUN_PART_FIELD_END_TIME },
  { "EXIT", JM_RUN_PART_FIELD_EXIT_CODE },
  { "NODES", JM_RUN_PART_FIELD_NODES },
  { "TASKS", JM_RUN_PART_FIELD_STEP_TASKS },
  { "CPUS", JM_RUN_PART_FIELD_CPUS },
  { "GPUS", JM_RUN_PART_FIELD_GPUS_ALLOCATED },
  { "SHARE", JM_RUN_PART_FIELD_GPU_SHARE },
  { "OBSERVED", JM_RUN_PART_FIELD_LIFE_OBSERVED },
  { "CPU-TIME", JM_RUN_PART_FIELD_CPU_TOTAL },
  { "PEAK", JM_RUN_PART_FIELD_MEMORY_PEAK },
  { "ENERGY", JM_RUN_PART_FIELD_ENERGY },
  { "CO2", JM_RUN_PART_FIELD_EMISSIONS },
};

static JmFormat
get_format (const Column *column)
{
  return jm_run_part_field_get_quantity (column->field)->format;
}

static char *
format_part (const Column *column, JmRunPart *part)
{
  JmFigure figure;

  if (get_format (column) == JM_FORMAT_TEXT)
    return g_strdup (jm_run_part_get_text (part, column->field));
  figure = jm_run_part_get_figure (part, column->field);
  if (!figure.is_known)
    return NULL;

  switch (get_format (column))
    {
    case JM_FORMAT_COUNT:
      return g_strdup_printf ("%.0f", figure.value);
    case JM_FORMAT_RATIO:
      return jm_format_to_string (JM_FORMAT_PERCENT, 100 * figure.value);
    default:
      return jm_format_to_string (get_format (column), figure.value);
    }
}

static gboolean
is_known (const Column *column, GPtrArray *parts)
{
  for (guint i = 0; i < parts->len; i++)
    {
      g_autofree char *text = format_part (column, parts->pdata[i]);

      if (text != NULL)
        return TRUE;
    }

  return FALSE;
}

static void
append_parts (GString *text, const char *title, GPtrArray *parts, gboolean color)
{
  JmcColumn looks[G_N_ELEMENTS (columns)];
  const Column *shown[G_N_ELEMENTS (columns)];
  g_autoptr (JmcTable) table = NULL;
  guint n_shown = 0;

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (is_known (&columns[i], parts))
      {
        looks[n_shown].title = columns[i].title;
        looks[n_shown].align =
          get_format (&columns[i]) == JM_FORMAT_TEXT ? JMC_ALIGN_LEFT : JMC_ALIGN_RIGHT;
        shown[n_shown++] = &columns[i];
      }
  if (n_shown == 0)
    return;

  table = jmc_table_new (looks, n_shown);
  for (guint i = 0; i < parts->len; i++)
    for (guint k = 0; k < n_shown; k++)
      jmc_table_take (table, format_part (shown[k], parts->pdata[i]));
  append_table (text, title, table, color);
}

/* --- all of it --- */

char *
jmc_run_page_render (JmcRunDetails *details, gboolean color)
{
  static const char *const titles[JMC_N_DETAIL_KINDS] = {
    [JM_RUN_PART_KIND_STEP] = "Steps",
    [JM_RUN_PART_KIND_NODE] = "Nodes",
    [JM_RUN_PART_KIND_DEVICE] = "Devices",
    [JM_RUN_PART_KIND_ENERGY] = "Energy and emissions",
  };
  GString *text = g_string_new (NULL);
  g_autofree char *title =
    g_strconcat ("Job ", jm_run_derived_get_job_id (details->run), NULL);
  g_autoptr (GPtrArray) steps =
    jm_run_part_merge_steps (details->parts[JM_RUN_PART_KIND_STEP]);

  append_lines (text, title, identity, G_N_ELEMENTS (identity), details->run, color);
  append_lines (text, "What it used", figures, G_N_ELEMENTS (figures), details->run,
                color);
  for (guint i = 0; i < JMC_N_DETAIL_KINDS; i++)
    append_parts (text, titles[i],
                  i == JM_RUN_PART_KIND_STEP ? steps : details->parts[i], color);

  return g_string_free (text, FALSE);
}
