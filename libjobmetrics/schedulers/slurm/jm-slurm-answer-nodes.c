/* jm-slurm-answer-nodes.c: the nodes that slurmrestd lists
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/slurm/jm-slurm-answer-private.h"

#include <string.h>

#include "schedulers/slurm/jm-slurm-resources-private.h"
#include "schedulers/slurm/jm-slurm-state-private.h"

typedef struct
{
  JmSchedulerNode node;
  const char *states;
  const char *gres;
  const char *gres_used;
  gint64 effective_cpus;
} Draft;

#define NODE(name, kind, member)                                                       \
 {                                                                                     \
  name, kind, G_STRUCT_OFFSET (Draft, node.member)                                     \
 }

static const JmSlurmField fields[] = {
  NODE ("name", JM_SLURM_TEXT, name),
  NODE ("partitions", JM_SLURM_WORDS, partitions),
  { "state", JM_SLURM_WORDS, G_STRUCT_OFFSET (Draft, states) },
  { "state_flags", JM_SLURM_WORDS, G_STRUCT_OFFSET (Draft, states) },
  NODE ("cpus", JM_SLURM_COUNT, cpus),
  { "effective_cpus", JM_SLURM_COUNT, G_STRUCT_OFFSET (Draft, effective_cpus) },
  NODE ("alloc_cpus", JM_SLURM_COUNT, cpus_allocated),
  NODE ("cpu_load", JM_SLURM_HUNDREDTHS, load),
  NODE ("real_memory", JM_SLURM_MEMORY, memory_bytes),
  NODE ("alloc_memory", JM_SLURM_MEMORY, memory_allocated_bytes),
  NODE ("free_memory", JM_SLURM_MEMORY, memory_free_bytes),
  NODE ("free_mem", JM_SLURM_MEMORY, memory_free_bytes),
  { "gres", JM_SLURM_TEXT, G_STRUCT_OFFSET (Draft, gres) },
  { "gres_used", JM_SLURM_TEXT, G_STRUCT_OFFSET (Draft, gres_used) },
  NODE ("active_features", JM_SLURM_WORDS, features),
  NODE ("reservation", JM_SLURM_TEXT, reservation),
  NODE ("weight", JM_SLURM_COUNT, weight),
  NODE ("slurmd_version", JM_SLURM_TEXT, version),
  NODE ("version", JM_SLURM_TEXT, version),
  NODE ("boot_time", JM_SLURM_TIME, boot_time),
  NODE ("reason", JM_SLURM_TEXT, reason),
  NODE ("reason_changed_at", JM_SLURM_TIME, reason_time),
  NODE ("reason_set_by_user", JM_SLURM_TEXT, reason_user),
};

static void
begin (gpointer draft)
{
  jm_scheduler_node_init (&((Draft *) draft)->node);
  ((Draft *) draft)->effective_cpus = -1;
}

static JmSlice
slice_of (const char *text)
{
  return (JmSlice){ text != NULL ? text : "", text != NULL ? strlen (text) : 0 };
}

static gboolean
set_state (Draft *self, JmSchedulerReport *report)
{
  g_autoptr (GString) other = g_string_new (NULL);
  g_autofree char *words = g_strdup (self->states != NULL ? self->states : "");

  g_strdelimit (words, ",", '+');
  if (!jm_slurm_parse_node_state (slice_of (words), &self->node.state,
                                  &self->node.flags, other))
    return FALSE;
  self->node.other_flags = jm_scheduler_report_keep (report, other->str);

  return TRUE;
}

/* sinfo calls those idle that a job could have: none of a node that is drained or
 * down. */
static void
set_cpus (JmSchedulerNode *node, gint64 effective_cpus)
{
  gboolean is_lost = node->state == JM_SCHEDULER_NODE_STATE_DOWN ||
                     (node->flags & 1u << JM_SCHEDULER_NODE_FLAG_DRAIN) != 0;
  gint64 n_free;

  if (effective_cpus > 0)
    node->cpus = effective_cpus;
  if (node->cpus < 0 || node->cpus_allocated < 0)
    return;

  n_free = MAX (node->cpus - node->cpus_allocated, 0);
  node->cpus_idle = is_lost ? 0 : n_free;
  node->cpus_other = is_lost ? n_free : 0;
}

static void
set_gpus (Draft *self, JmSchedulerReport *report)
{
  JmSlurmTres total, used;

  jm_slurm_parse_gres (slice_of (self->gres), &total);
  jm_slurm_parse_gres (slice_of (self->gres_used), &used);
  jm_slurm_complain_of_tres (report, "gres", &total);
  jm_slurm_complain_of_tres (report, "gres_used", &used);
  jm_slurm_set_node_gpus (report, &self->node, &total, &used);
}

static void
end (JmSlurmAnswer *answer, gpointer data)
{
  Draft *self = data;
  JmSchedulerReport *report = jm_slurm_answer_get_report (answer);

  if (self->node.name == NULL)
    {
      jm_scheduler_report_pass_over (report, "a node without a name");
      return;
    }

  if (!set_state (self, report))
    jm_scheduler_report_complain (report, "state: a node without a state");
  set_gpus (self, report);
  set_cpus (&self->node, self->effective_cpus);
  jm_scheduler_report_add_node (report, &self->node);
}

const JmSlurmShape jm_slurm_nodes_shape = {
  .records = "nodes",
  .draft_size = sizeof (Draft),
  .fields = fields,
  .n_fields = G_N_ELEMENTS (fields),
  .begin = begin,
  .end = end,
};
