/* jme-job-parts.c: what a run has parts of, on its page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-job-parts.h"

#include <json-glib/json-glib.h>

#include "server/pages/jme-page-part.h"

/* All of more are in the API's document. */
#define MAX_ROWS 200
#define MAX_STATES 200

typedef struct
{
  JmRunPartField field;
  const char *title;
  JmQuantity quantity;
  double unit; /* of a number that is kept, in the quantity's */
} Column;

static const Column columns[] = {
  { JM_RUN_PART_FIELD_NAME, "Name", JM_QUANTITY_TEXT, 0 },
  { JM_RUN_PART_FIELD_NODE, "Node", JM_QUANTITY_TEXT, 0 },
  { JM_RUN_PART_FIELD_MODEL, "Model", JM_QUANTITY_TEXT, 0 },
  { JM_RUN_PART_FIELD_UUID, "UUID", JM_QUANTITY_TEXT, 0 },
  { JM_RUN_PART_FIELD_STATE, "State", JM_QUANTITY_TEXT, 0 },
  { JM_RUN_PART_FIELD_QUALITY, "Quality", JM_QUANTITY_TEXT, 0 },
  { JM_RUN_PART_FIELD_START_TIME, "Began", JM_QUANTITY_TIME, 1 },
  { JM_RUN_PART_FIELD_END_TIME, "Ended", JM_QUANTITY_TIME, 1 },
  { JM_RUN_PART_FIELD_NODES, "Nodes", JM_QUANTITY_COUNT, 1 },
  { JM_RUN_PART_FIELD_TASKS, "Tasks", JM_QUANTITY_COUNT, 1 },
  { JM_RUN_PART_FIELD_CPUS, "CPUs", JM_QUANTITY_COUNT, 1 },
  { JM_RUN_PART_FIELD_GPUS, "GPUs", JM_QUANTITY_COUNT, 1 },
  { JM_RUN_PART_FIELD_SHARE, "Share of it", JM_QUANTITY_PERCENT, 1e-4 },
  { JM_RUN_PART_FIELD_CPU_TIME, "CPU time", JM_QUANTITY_DURATION, 1e-6 },
  { JM_RUN_PART_FIELD_MEMORY_PEAK, "Most memory", JM_QUANTITY_BYTES, 1 },
  { JM_RUN_PART_FIELD_ENERGY, "Energy", JM_QUANTITY_JOULES, 1e-6 },
  { JM_RUN_PART_FIELD_EMISSIONS, "CO₂e", JM_QUANTITY_GRAMS, 1e-6 },
  { JM_RUN_PART_FIELD_PROVIDER, "Factor of", JM_QUANTITY_TEXT, 0 },
  { JM_RUN_PART_FIELD_ZONE, "Zone", JM_QUANTITY_TEXT, 0 },
  { JM_RUN_PART_FIELD_METHOD, "Method", JM_QUANTITY_TEXT, 0 },
  { JM_RUN_PART_FIELD_SCOPE, "Counts in", JM_QUANTITY_TEXT, 0 },
  { JM_RUN_PART_FIELD_FACTOR_QUALITY, "Factor is", JM_QUANTITY_TEXT, 0 },
  { JM_RUN_PART_FIELD_COVERAGE, "Observed", JM_QUANTITY_PERCENT, 1e-4 },
  { JM_RUN_PART_FIELD_EXIT_CODE, "Exit code", JM_QUANTITY_COUNT, 1 },
  { JM_RUN_PART_FIELD_SIGNAL, "Signal", JM_QUANTITY_COUNT, 1 },
};

static const struct
{
  JmRunPartKind kind;
  const char *id;
  const char *title;
  const char *caption;
} kinds[] = {
  { JM_RUN_PART_KIND_STEP, "steps", "Steps", "What each step had and used" },
  { JM_RUN_PART_KIND_NODE, "nodes", "Nodes", "What it had and used on each node" },
  { JM_RUN_PART_KIND_DEVICE, "devices", "Accelerators", "What it had of each" },
  { JM_RUN_PART_KIND_ENERGY, "energy", "Energy and carbon",
    "Energy by part of the machine, measured or estimated, and the factors that its "
    "emissions were reckoned with" },
};

/* --- steps, nodes, devices, energy --- */

static JmFigure
get_figure (JmRunPart *part, const Column *column)
{
  gint64 number;

  if (column->quantity == JM_QUANTITY_TEXT ||
      !jm_run_part_get_number (part, column->field, &number))
    return (JmFigure){ 0 };

  return jm_figure_known ((double) number * column->unit);
}

static gboolean
is_known (JmRunPart *part, const Column *column)
{
  const char *text;

  if (column->quantity != JM_QUANTITY_TEXT)
    return get_figure (part, column).is_known;
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
  JmFigure figure = get_figure (part, column);

  if (!is_known (part, column))
    g_string_append (out, column->quantity == JM_QUANTITY_TEXT ||
                              column->quantity == JM_QUANTITY_TIME
                            ? "<td>–</td>"
                            : "<td class=\"number\">–</td>");
  else if (column->field == JM_RUN_PART_FIELD_STATE)
    jme_part_append_state_cell (out, jm_run_part_get_text (part, column->field));
  else if (column->quantity == JM_QUANTITY_TEXT)
    jme_html_append_cell (out, jm_run_part_get_text (part, column->field));
  else if (column->quantity == JM_QUANTITY_TIME)
    jme_part_append_time_cell (out, (gint64) figure.value);
  else
    jme_part_append_figure_cell (out, figure, column->quantity);
}

static void
append_rows (GString *out, GPtrArray *parts)
{
  gboolean wanted[G_N_ELEMENTS (columns)];

  g_string_append (out, "<thead><tr>");
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      wanted[i] = is_wanted (parts, &columns[i]);
      if (wanted[i])
        jme_part_append_column (out, columns[i].title,
                                columns[i].quantity != JM_QUANTITY_TEXT &&
                                  columns[i].quantity != JM_QUANTITY_TIME);
    }
  g_string_append (out, "</tr></thead>\n<tbody>\n");
  for (guint n = 0; n < MIN (parts->len, MAX_ROWS); n++)
    {
      g_string_append (out, "<tr>");
      for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
        if (wanted[i])
          append_cell (out, parts->pdata[n], &columns[i]);
      g_string_append (out, "</tr>\n");
    }
  g_string_append (out, "</tbody>\n");
}

static gboolean
append_parts (JmeAnswer *answer, JmStoredRun *run, guint i, GError **error)
{
  GString *out = answer->text;
  g_autoptr (GPtrArray) parts =
    jm_job_store_list_parts (answer->store, run, kinds[i].kind, answer->viewer, error);

  if (parts == NULL)
    return FALSE;
  if (parts->len == 0)
    return TRUE;

  g_string_append_printf (out, "<h2>%s</h2>\n", kinds[i].title);
  jme_html_begin_table (out, kinds[i].id, kinds[i].caption);
  append_rows (out, parts);
  jme_html_end_table (out);
  if (parts->len > MAX_ROWS)
    g_string_append_printf (out,
                            "<p>These are the first %u of %u; the document below "
                            "has all.</p>\n",
                            MAX_ROWS, parts->len);

  return TRUE;
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
jme_job_parts_append (JmeAnswer *answer, JmStoredRun *run, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (!append_parts (answer, run, i, error))
      return FALSE;

  return append_states (answer, run, error);
}
