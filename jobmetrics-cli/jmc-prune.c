/* jmc-prune.c: only the metrics of a snapshot that are wanted
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-prune.h"

/* The members that hold what is one level further down. */
static const char *const below[JM_N_LEVELS] = {
  [JM_LEVEL_NODE] = "jobs",
  [JM_LEVEL_JOB] = "steps",
  [JM_LEVEL_STEP] = "tasks",
  [JM_LEVEL_TASK] = NULL,
};

static char *
get_exported_name (const char *name, JmLevel level)
{
  JmMetric metric;

  if (!jm_metric_from_name (name, level == JM_LEVEL_NODE, &metric))
    return g_strdup (name);

  return g_strconcat (jm_metric_get_prefix (metric, level), name, NULL);
}

static void
prune_metrics (JsonObject *metrics, JmLevel level, JmTextEncoder *encoder)
{
  g_autoptr (GList) names = json_object_get_members (metrics);

  for (GList *i = names; i != NULL; i = i->next)
    {
      g_autofree char *name = get_exported_name (i->data, level);

      if (!jm_text_encoder_exports (encoder, name))
        json_object_remove_member (metrics, i->data);
    }
}

/* Recursion ends at the tasks. */
static void
prune (JsonObject *subject, JmLevel level, JmTextEncoder *encoder)
{
  const char *metrics = level == JM_LEVEL_NODE ? "node" : "metrics";
  JsonArray *children = NULL;

  if (json_object_has_member (subject, metrics))
    prune_metrics (json_object_get_object_member (subject, metrics), level, encoder);

  if (below[level] != NULL && json_object_has_member (subject, below[level]))
    children = json_object_get_array_member (subject, below[level]);

  for (guint i = 0; children != NULL && i < json_array_get_length (children); i++)
    prune (json_array_get_object_element (children, i), level + 1, encoder);
}

void
jmc_prune_snapshot (JsonObject *snapshot, JmTextEncoder *encoder)
{
  prune (snapshot, JM_LEVEL_NODE, encoder);
}
