/* jm-run-gap.c: why a run lacks records of its nodes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-run-gap-private.h"

#include "core/jm-run-nodes-private.h"
#include "core/jm-run-part-private.h"
#include "core/jm-run-private.h"

#define NO_ACCOUNTING "The scheduler's accounting does not have this run."
#define NO_END "it has recorded no end of the job"

/* Nodes that have recorded the end, and others that have a record. */
typedef struct
{
  GHashTable *ended, *begun;
} Recorded;

static Recorded
list_recorded (JmRun *run)
{
  const GPtrArray *parts = jm_run_get_parts (run, JM_RUN_PART_KIND_NODE);
  Recorded recorded = { g_hash_table_new (g_str_hash, g_str_equal),
                        g_hash_table_new (g_str_hash, g_str_equal) };

  for (guint i = 0; i < parts->len; i++)
    {
      const JmRunPart *part = parts->pdata[i];
      const char *name = jm_run_part_peek_text (part, JM_QUANTITY_NODE);

      if (g_strcmp0 (jm_run_part_peek_text (part, JM_QUANTITY_KEY),
                     JM_RUN_KEY_TIME_SERIES) == 0)
        continue;
      g_hash_table_add (jm_run_part_peek (part, JM_QUANTITY_END_TIME) !=
                            JM_RUN_PART_UNKNOWN
                          ? recorded.ended
                          : recorded.begun,
                        (gpointer) (name != NULL ? name : ""));
    }

  return recorded;
}

static void
recorded_clear (Recorded *self)
{
  g_hash_table_unref (self->ended);
  g_hash_table_unref (self->begun);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Recorded, recorded_clear)

/* Takes from the accounting's nodes those of a table; FALSE where one is none of them,
 * as the two call nodes by different names. */
static gboolean
take_away (GHashTable *listed, GHashTable *names)
{
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (!jm_run_nodes_remove (listed, name))
      return FALSE;

  return TRUE;
}

static const char *
find_first (GHashTable *names)
{
  GHashTableIter iter;
  gpointer name;
  const char *first = NULL;

  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (first == NULL || g_strcmp0 (name, first) < 0)
      first = name;

  return first;
}

/* One of the nodes that lack, and why; NULL where they have no name. */
static char *
explain_one (const JmRun *run,
             const Recorded *recorded,
             JmNodeReasonFunc func,
             gpointer data)
{
  g_autoptr (GHashTable) listed = jm_run_nodes_list (run);
  const char *name = find_first (recorded->begun);
  const char *reason = NO_END;

  if (name == NULL && listed != NULL && take_away (listed, recorded->ended))
    {
      name = find_first (listed);
      reason = name != NULL ? func (run->cluster, name,
                                    jm_run_peek (run, JM_RUN_FIELD_END_TIME), data)
                            : NULL;
    }

  return name != NULL ? g_strdup_printf ("%s%s%s", name, reason != NULL ? ": " : "",
                                         reason != NULL ? reason : "")
                      : NULL;
}

char *
jm_run_gap_explain (JmRun *run, JmNodeReasonFunc func, gpointer data)
{
  g_auto (Recorded) recorded = list_recorded (run);
  gint64 n_nodes = MAX (jm_run_peek (run, JM_RUN_FIELD_NODES), 1);
  gint64 n_lacking = n_nodes - (gint64) g_hash_table_size (recorded.ended);
  g_autofree char *one = NULL;

  if (jm_run_peek (run, JM_RUN_FIELD_START_TIME) <= 0 ||
      jm_run_peek (run, JM_RUN_FIELD_END_TIME) <= 0)
    return NULL;
  if (!jm_run_is_accounted (run))
    return g_strdup (NO_ACCOUNTING);
  if (n_lacking <= 0)
    return NULL;
  one = explain_one (run, &recorded, func, data);

  return g_strdup_printf ("Records of %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                          " nodes are missing%s%s.",
                          n_lacking, n_nodes, one != NULL ? ", such as of " : "",
                          one != NULL ? one : "");
}
