/* jme-job-parts.c: what a run has parts of, on its page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-job-parts.h"

#include <json-glib/json-glib.h>

#include "server/pages/jme-page-part.h"
#include "store/jm-run-part-private.h"

/* All of more are in the API's document. */
#define MAX_ROWS 200
#define MAX_STATES 200

typedef struct
{
  JmRunPartField field;
  const char *title;
} Column;

static const Column step_columns[] = {
  { JM_RUN_PART_FIELD_NAME, "Name" },
  { JM_RUN_PART_FIELD_STATE, "State" },
  { JM_RUN_PART_FIELD_START_TIME, "Began" },
  { JM_RUN_PART_FIELD_END_TIME, "Ended" },
  { JM_RUN_PART_FIELD_NODES, "Nodes" },
  { JM_RUN_PART_FIELD_STEP_TASKS, "Tasks" },
  { JM_RUN_PART_FIELD_CPUS, "CPUs" },
  { JM_RUN_PART_FIELD_GPUS_ALLOCATED, "GPUs" },
  { JM_RUN_PART_FIELD_CPU_TOTAL, "CPU time" },
  { JM_RUN_PART_FIELD_MEMORY_PEAK, "Most memory" },
  { JM_RUN_PART_FIELD_ENERGY, "Energy" },
  { JM_RUN_PART_FIELD_EMISSIONS, "CO₂e" },
  { JM_RUN_PART_FIELD_EXIT_CODE, "Exit code" },
  { JM_RUN_PART_FIELD_EXIT_SIGNAL, "Signal" },
};

static const Column factor_columns[] = {
  { JM_RUN_PART_FIELD_NODE, "Node" },
  { JM_RUN_PART_FIELD_EMISSIONS, "CO₂e" },
  { JM_RUN_PART_FIELD_EMISSION_PROVIDER, "Factor of" },
  { JM_RUN_PART_FIELD_EMISSION_ZONE, "Zone" },
  { JM_RUN_PART_FIELD_EMISSION_METHOD, "Method" },
  { JM_RUN_PART_FIELD_EMISSION_SCOPE, "Counts in" },
  { JM_RUN_PART_FIELD_EMISSION_QUALITY, "Factor is" },
};

/* What a report has no table of: parts of a kind of which something is known. */
typedef struct
{
  JmRunPartKind kind;
  JmRunPartField key;
  const Column *columns;
  guint n_columns;
  const char *id;
  const char *title;
  const char *caption;
} Table;

static const Table tables[] = {
  { JM_RUN_PART_KIND_STEP, JM_RUN_PART_FIELD_NAME, step_columns,
    G_N_ELEMENTS (step_columns), "steps", "Steps", "What each step had and used" },
  { JM_RUN_PART_KIND_ENERGY, JM_RUN_PART_FIELD_EMISSION_PROVIDER, factor_columns,
    G_N_ELEMENTS (factor_columns), "factors", "Emission factors",
    "What the emissions were reckoned with" },
};

/* --- steps and emission factors --- */

static JmFormat
get_format (const Column *column)
{
  return jm_run_part_field_get_quantity (column->field)->format;
}

static gboolean
is_known (JmRunPart *part, const Column *column)
{
  const char *text;

  if (get_format (column) != JM_FORMAT_TEXT)
    return jm_run_part_get_figure (part, column->field).is_known;
  text = jm_run_part_get_text (part, column->field);

  return text != NULL && *text != '\0';
}

/* A column of which nothing is known is left out. */
static gboolean
is_wanted (GPtrArray *parts, const Column *column)
{
  for (guint i = 0; i < parts->len; i++)
    if (is_known (parts->pdata[i], column))
      return TRUE;

  return FALSE;
}

static void
append_cell (GString *out, JmRunPart *part, const Column *column)
{
  JmFigure figure = jm_run_part_get_figure (part, column->field);

  if (!is_known (part, column))
    g_string_append (out, get_format (column) == JM_FORMAT_TEXT ||
                              get_format (column) == JM_FORMAT_TIME
                            ? "<td>–</td>"
                            : "<td class=\"number\">–</td>");
  else if (column->field == JM_RUN_PART_FIELD_STATE)
    jme_part_append_state_cell (out, jm_run_part_get_text (part, column->field));
  else if (get_format (column) == JM_FORMAT_TEXT)
    jme_html_append_cell (out, jm_run_part_get_text (part, column->field));
  else if (get_format (column) == JM_FORMAT_TIME)
    jme_part_append_time_cell (out, (gint64) figure.value);
  else
    jme_part_append_figure_cell (out, figure, get_format (column));
}

static void
append_rows (GString *out, const Table *table, GPtrArray *parts)
{
  g_autofree gboolean *wanted = g_new (gboolean, table->n_columns);

  g_string_append (out, "<thead><tr>");
  for (guint i = 0; i < table->n_columns; i++)
    {
      const Column *column = &table->columns[i];

      wanted[i] = is_wanted (parts, column);
      if (wanted[i])
        jme_part_append_column (out, column->title,
                                get_format (column) != JM_FORMAT_TEXT &&
                                  get_format (column) != JM_FORMAT_TIME);
    }
  g_string_append (out, "</tr></thead>\n<tbody>\n");
  for (guint n = 0; n < MIN (parts->len, MAX_ROWS); n++)
    {
      g_string_append (out, "<tr>");
      for (guint i = 0; i < table->n_columns; i++)
        if (wanted[i])
          append_cell (out, parts->pdata[n], &table->columns[i]);
      g_string_append (out, "</tr>\n");
    }
  g_string_append (out, "</tbody>\n");
}

static GPtrArray *
choose (const Table *table, GPtrArray *all)
{
  GPtrArray *chosen;

  if (table->kind == JM_RUN_PART_KIND_STEP)
    return jm_run_part_merge_steps (all);

  chosen = g_ptr_array_new ();

  for (guint i = 0; i < all->len; i++)
    if (jm_run_part_get_kind (all->pdata[i]) == table->kind &&
        jm_run_part_get_text (all->pdata[i], table->key) != NULL)
      g_ptr_array_add (chosen, all->pdata[i]);

  return chosen;
}

static void
append_table (GString *out, const Table *table, GPtrArray *all)
{
  g_autoptr (GPtrArray) parts = choose (table, all);

  if (parts->len == 0)
    return;

  g_string_append_printf (out, "<h2>%s</h2>\n", table->title);
  jme_html_begin_table (out, table->id, table->caption);
  append_rows (out, table, parts);
  jme_html_end_table (out);
  if (parts->len > MAX_ROWS)
    g_string_append_printf (out,
                            "<p>These are the first %u of %u; the document below "
                            "has all.</p>\n",
                            MAX_ROWS, parts->len);
}

/* --- what the scheduler said --- */

static const char *
get_text (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && json_node_get_value_type (node) == G_TYPE_STRING
           ? json_node_get_string (node)
           : NULL;
}

static void
append_state (GString *out, const char *document)
{
  g_autoptr (JsonNode) node = json_from_string (document, NULL);
  JsonObject *object;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return;

  object = json_node_get_object (node);
  g_string_append (out, "<tr>");
  jme_part_append_time_cell (out, json_object_get_int_member_with_default (object,
                                                                           "time", 0));
  jme_part_append_state_cell (out, get_text (object, "state"));
  jme_html_append_cell (out, get_text (object, "reason"));
  jme_html_append_cell (out, get_text (object, "partitions"));
  jme_html_append_cell (out, get_text (object, "node_list"));
  g_string_append (out, "</tr>\n");
}

static gboolean
append_states (JmeAnswer *answer, JmStoredRun *run, GError **error)
{
  static const char *const titles[] = { "When", "State", "Why", "Partition", "Nodes" };
  GString *out = answer->text;
  g_auto (GStrv) states =
    jm_job_store_list_states (answer->store, jm_stored_run_get_cluster (run),
                              jm_stored_run_get_raw_id (run), answer->viewer, error);
  guint n;

  if (states == NULL)
    return FALSE;
  n = g_strv_length (states);
  if (n == 0)
    return TRUE;

  g_string_append (out, "<h2>History</h2>\n");
  jme_html_begin_table (out, "states",
                        "What the scheduler said of the job, each time "
                        "that it was another thing");
  g_string_append (out, "<thead><tr>");
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    jme_part_append_column (out, titles[i], FALSE);
  g_string_append (out, "</tr></thead>\n<tbody>\n");
  for (guint i = n > MAX_STATES ? n - MAX_STATES : 0; i < n; i++)
    append_state (out, states[i]);
  g_string_append (out, "</tbody>\n");
  jme_html_end_table (out);

  return TRUE;
}

gboolean
jme_job_parts_append (JmeAnswer *answer,
                      JmStoredRun *run,
                      GPtrArray *parts,
                      GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    append_table (answer->text, &tables[i], parts);

  return append_states (answer, run, error);
}
