/* jmc-prune.c: only the metrics of a snapshot that are wanted
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-prune.h"

/* The members that hold the metrics of the node and its parts. */
static const char *const parts[JM_N_SUBJECT_KINDS] = {
  [JM_SUBJECT_KIND_NODE] = "node",
  [JM_SUBJECT_KIND_SYSTEM] = "system",
  [JM_SUBJECT_KIND_IDLE] = "idle",
  [JM_SUBJECT_KIND_GRID] = "grid",
};

/* The members that hold jobs, and what is one level further down. */
static const char *const lists[JM_N_SUBJECT_KINDS] = {
  [JM_SUBJECT_KIND_JOB] = "jobs",
  [JM_SUBJECT_KIND_STEP] = "steps",
  [JM_SUBJECT_KIND_TASK] = "tasks",
};

static char *
get_exported_name (const char *name, JmSubjectKind kind)
{
  JmMetric metric;

  if (!jm_metric_from_name (name, kind, &metric))
    return g_strdup (name);

  return g_strconcat (jm_subject_kind_get_prefix (kind), name, NULL);
}

static void
prune_metrics (JsonObject *metrics, JmSubjectKind kind, JmTextEncoder *encoder)
{
  g_autoptr (GList) names = json_object_get_members (metrics);

  for (GList *i = names; i != NULL; i = i->next)
    {
      g_autofree char *name = get_exported_name (i->data, kind);

      if (!jm_text_encoder_exports (encoder, name))
        json_object_remove_member (metrics, i->data);
    }
}

static void
prune_member (JsonObject *object,
              const char *member,
              JmSubjectKind kind,
              JmTextEncoder *encoder)
{
  if (json_object_has_member (object, member))
    prune_metrics (json_object_get_object_member (object, member), kind, encoder);
}

/* Those of @kind in @object, and what they consist of; recursion ends at the tasks. */
static void
prune_list (JsonObject *object, JmSubjectKind kind, JmTextEncoder *encoder)
{
  JsonArray *list;

  if (kind >= JM_N_SUBJECT_KINDS || !json_object_has_member (object, lists[kind]))
    return;

  list = json_object_get_array_member (object, lists[kind]);
  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      JsonObject *subject = json_array_get_object_element (list, i);

      prune_member (subject, "metrics", kind, encoder);
      prune_list (subject, kind + 1, encoder);
    }
}

void
jmc_prune_snapshot (JsonObject *snapshot, JmTextEncoder *encoder)
{
  for (JmSubjectKind i = 0; i < JM_N_SUBJECT_KINDS; i++)
    if (parts[i] != NULL)
      prune_member (snapshot, parts[i], i, encoder);

  prune_list (snapshot, JM_SUBJECT_KIND_JOB, encoder);
}
