/* jm-run-sums.c: figures of a run that are sums over its nodes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-run-group-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"
#include "core/jm-run-words-private.h"

/* What of a run is the sum over its nodes, or the greatest of them. */
static const struct
{
  JmQuantityId quantity;
  JmRunField field;
  gboolean is_sum;
} sums[] = {
#include "core/jm-run-sums.inc"
};

static gboolean
has_all_nodes (const JmRunRow *row)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  gint64 n_nodes = jm_run_peek (row->run, JM_RUN_FIELD_NODES);

  for (guint i = 0; i < row->nodes->len; i++)
    {
      const JmRunPart *node = row->nodes->pdata[i];
      const char *name = jm_run_part_peek_text (node, JM_QUANTITY_NODE);

      g_hash_table_add (names, (gpointer) (name != NULL ? name : ""));
    }

  return (gint64) g_hash_table_size (names) >= n_nodes;
}

/* FALSE where a node does not know it. */
static gboolean
sum_up (const GPtrArray *nodes, JmQuantityId quantity, gboolean is_sum, gint64 *sum)
{
  *sum = 0;
  for (guint i = 0; i < nodes->len; i++)
    {
      gint64 value = jm_run_part_peek (nodes->pdata[i], quantity);

      if (value == JM_RUN_PART_UNKNOWN)
        return FALSE;
      *sum = is_sum ? *sum + MIN (value, G_MAXINT64 - *sum) : MAX (*sum, value);
    }

  return TRUE;
}

static gboolean
goes_on_somewhere (const JmRunRow *row)
{
  for (guint i = 0; i < row->nodes->len; i++)
    if (jm_run_part_peek (row->nodes->pdata[i], JM_QUANTITY_END_TIME) ==
        JM_RUN_PART_UNKNOWN)
      return TRUE;

  return FALSE;
}

static void
set_state (JmRunRow *row, const char *state)
{
  if (g_strcmp0 (row->run->texts[JM_RUN_FIELD_STATE], state) == 0)
    return;
  jm_run_keep_text (row->run, JM_RUN_FIELD_STATE, state);
  row->has_changed = TRUE;
}

/* A run that nodes alone know runs until the last of them has ended it. */
static void
settle_state (JmRunRow *row)
{
  if (row->run->sources[JM_RUN_FIELD_STATE] != '0' + JM_RUN_SOURCE_LEDGER ||
      !goes_on_somewhere (row))
    return;
  set_state (row, JM_RUN_RUNNING);
}

/* Nodes know of an end before the accounting does, which may be none. What the queue
 * sent last was true until then. */
static void
settle_end (JmRunRow *row)
{
  static const char *const of_queue[] = {
    JM_RUN_PENDING,    JM_RUN_RUNNING, JM_RUN_SUSPENDED,
    JM_RUN_COMPLETING, JM_RUN_UNCLEAR, NULL,
  };
  const char *state = row->run->texts[JM_RUN_FIELD_STATE];

  if (state == NULL)
    return;
  if (row->run->sources[JM_RUN_FIELD_END_TIME] == '0' + JM_RUN_SOURCE_LEDGER &&
      g_strv_contains (of_queue, state))
    set_state (row, JM_RUN_ENDED);
  else if (!jm_run_has (row->run, JM_RUN_FIELD_END_TIME) &&
           g_str_equal (state, JM_RUN_ENDED) && goes_on_somewhere (row))
    set_state (row, JM_RUN_RUNNING);
}

/* How long it had run by the last record is not how long it ran. */
static void
settle_elapsed (JmRunRow *row)
{
  if (!jm_run_has (row->run, JM_RUN_FIELD_END_TIME) ||
      row->run->sources[JM_RUN_FIELD_ELAPSED] != '0' + JM_RUN_SOURCE_LEDGER)
    return;
  jm_run_clear (row->run, JM_RUN_FIELD_ELAPSED);
  row->has_changed = TRUE;
}

static void
settle_nodes (JmRunRow *row)
{
  g_autoptr (JmRun) told = NULL;
  gboolean is_whole;

  told = jm_run_new (row->run->cluster, row->run->raw_id);
  settle_state (row);
  /* a node that does not know of the end has not sent all of it */
  is_whole = row->nodes->len > 0 && has_all_nodes (row) &&
             !(jm_run_has (row->run, JM_RUN_FIELD_END_TIME) && goes_on_somewhere (row));
  for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
    {
      gint64 sum;

      if (is_whole && sum_up (row->nodes, sums[i].quantity, sums[i].is_sum, &sum))
        jm_run_keep_number (told, sums[i].field, sum);
      else if (row->run->sources[sums[i].field] == '0' + JM_RUN_SOURCE_LEDGER)
        {
          jm_run_clear (row->run, sums[i].field);
          row->has_changed = TRUE;
        }
    }
  if (jm_run_merge_facts (row->run, told, JM_RUN_SOURCE_LEDGER))
    row->has_changed = TRUE;
  if (jm_run_merge_figures (row->run, told, JM_RUN_SOURCE_LEDGER))
    row->has_changed = TRUE;
  settle_end (row);
}

void
jm_run_row_settle (JmRunRow *row)
{
  if (row->nodes != NULL && (row->nodes->len > 0 || row->has_foreign))
    settle_nodes (row);
  settle_elapsed (row);
}

/* --- steps --- */

/* A step as the scheduler has it, which may be NULL, and as its nodes do. */
typedef struct
{
  const JmRunPart *scheduled;
  GPtrArray *nodes;
} Step;

static void
step_free (gpointer data)
{
  Step *self = data;

  g_ptr_array_unref (self->nodes);
  g_free (self);
}

/* Where the scheduler says on how many nodes it was, all of them have to report. */
static gboolean
has_all_records (const Step *step)
{
  gint64 n_nodes =
    step->scheduled != NULL ? jm_run_part_peek (step->scheduled, JM_QUANTITY_NODES) : 0;

  return step->nodes->len > 0 && (gint64) step->nodes->len >= n_nodes;
}

/* Of what it used, nodes are believed first, as of the whole run. */
static JmRunPart *
merge_step (const Step *step, const char *name)
{
  JmRunPart *merged = jm_run_part_new (JM_RUN_PART_KIND_STEP);
  guint n;
  const JmRunPartColumn *columns =
    jm_run_part_kind_get_columns (JM_RUN_PART_KIND_STEP, &n);

  jm_run_part_set_text (merged, JM_QUANTITY_NAME, name);
  if (step->scheduled != NULL)
    jm_run_part_set_text (merged, JM_QUANTITY_STATE,
                          jm_run_part_peek_text (step->scheduled, JM_QUANTITY_STATE));
  for (guint i = 0; i < n && step->scheduled != NULL; i++)
    if (!columns[i].is_text)
      merged->values[i].number = step->scheduled->values[i].number;
  for (guint i = 0; i < G_N_ELEMENTS (sums) && has_all_records (step); i++)
    {
      gint64 sum;

      if ((jm_run_field_is_figure (sums[i].field) ||
           jm_run_part_peek (merged, sums[i].quantity) == JM_RUN_PART_UNKNOWN) &&
          sum_up (step->nodes, sums[i].quantity, sums[i].is_sum, &sum))
        jm_run_part_set_number (merged, sums[i].quantity, sum);
    }

  return merged;
}

static Step *
take_step (GHashTable *steps, GPtrArray *names, const char *name)
{
  Step *step = g_hash_table_lookup (steps, name);

  if (step != NULL)
    return step;

  step = g_new0 (Step, 1);
  step->nodes = g_ptr_array_new ();
  g_hash_table_insert (steps, (gpointer) name, step);
  g_ptr_array_add (names, (gpointer) name);

  return step;
}

/**
 * jm_run_part_merge_steps:
 * @parts: (element-type JmRunPart): parts of a run
 *
 * Merges the parts about each step: the scheduler has its identity and times, and the
 * nodes have what it used.
 *
 * Returns: (transfer full) (element-type JmRunPart): the steps, each once
 * Since: 0.1
 */
GPtrArray *
jm_run_part_merge_steps (const GPtrArray *parts)
{
  g_autoptr (GHashTable) steps =
    g_hash_table_new_full (g_str_hash, g_str_equal, NULL, step_free);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GPtrArray *merged =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_part_unref);

  for (guint i = 0; i < parts->len; i++)
    {
      const JmRunPart *part = parts->pdata[i];
      const char *node = jm_run_part_peek_text (part, JM_QUANTITY_NODE);
      const char *name = jm_run_part_peek_text (part, JM_QUANTITY_NAME);
      Step *step;

      if (part->kind != JM_RUN_PART_KIND_STEP || name == NULL)
        continue;
      step = take_step (steps, names, name);
      if (node == NULL || *node == '\0')
        step->scheduled = part;
      else
        g_ptr_array_add (step->nodes, (gpointer) part);
    }
  for (guint i = 0; i < names->len; i++)
    g_ptr_array_add (merged, merge_step (g_hash_table_lookup (steps, names->pdata[i]),
                                         names->pdata[i]));

  return merged;
}
