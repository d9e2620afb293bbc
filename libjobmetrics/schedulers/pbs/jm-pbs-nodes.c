/* jm-pbs-nodes.c: the nodes that pbsnodes lists
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/pbs/jm-pbs-answers-private.h"

#include "schedulers/jm-scheduler-value-private.h"
#include "schedulers/pbs/jm-pbs-value-private.h"

#define NODES_MAX 1000000
#define WORDS_MAX 1024

/* Where its members stand. */

/* In place of what the vnodes of a host have each for itself. */
#define VARIOUS "<various>"

#define FLAG(name) (1U << JM_SCHEDULER_NODE_FLAG_##name)

typedef gboolean (*Take) (JmPbsNodes *self, JmSlice text);

/* --- states --- */

/* Of several the state that is named first in #JmSchedulerNodeState counts, after that
 * which is not known. */
static const struct
{
  const char *word;
  JmSchedulerNodeState state;
  guint flags;
  gboolean is_full;
  gboolean is_closed;
  gboolean is_other; /* the word is kept */
} words[] = {
  { "free", JM_SCHEDULER_NODE_STATE_UNKNOWN, 0, FALSE, FALSE, FALSE },
  { "job-busy", JM_SCHEDULER_NODE_STATE_UNKNOWN, 0, TRUE, FALSE, FALSE },
  { "job-exclusive", JM_SCHEDULER_NODE_STATE_UNKNOWN, 0, TRUE, TRUE, FALSE },
  { "resv-exclusive", JM_SCHEDULER_NODE_STATE_UNKNOWN, FLAG (RESERVED), FALSE, FALSE,
    FALSE },
  { "offline", JM_SCHEDULER_NODE_STATE_UNKNOWN, FLAG (DRAIN), FALSE, TRUE, FALSE },
  { "busy", JM_SCHEDULER_NODE_STATE_UNKNOWN, 0, FALSE, TRUE, TRUE },
  { "provisioning", JM_SCHEDULER_NODE_STATE_UNKNOWN, 0, FALSE, TRUE, TRUE },
  { "wait-provisioning", JM_SCHEDULER_NODE_STATE_UNKNOWN, 0, FALSE, TRUE, TRUE },
  { "initializing", JM_SCHEDULER_NODE_STATE_UNKNOWN, 0, FALSE, TRUE, TRUE },
  { "maintenance", JM_SCHEDULER_NODE_STATE_UNKNOWN, FLAG (MAINTENANCE), FALSE, TRUE,
    FALSE },
  { "sleep", JM_SCHEDULER_NODE_STATE_UNKNOWN, FLAG (POWERED_DOWN), FALSE, FALSE,
    FALSE },
  { "down", JM_SCHEDULER_NODE_STATE_DOWN, FLAG (NOT_RESPONDING), FALSE, TRUE, FALSE },
  { "state-unknown", JM_SCHEDULER_NODE_STATE_DOWN, FLAG (NOT_RESPONDING), FALSE, TRUE,
    FALSE },
  { "stale", JM_SCHEDULER_NODE_STATE_DOWN, 0, FALSE, TRUE, TRUE },
  { "unresolvable", JM_SCHEDULER_NODE_STATE_DOWN, 0, FALSE, TRUE, TRUE },
};

static void
keep_word (JmPbsNodes *self, JmSlice word)
{
  if (self->words->len + word.length > WORDS_MAX)
    return;
  g_string_append (self->words, self->words->len > 0 ? "," : "");
  for (gsize i = 0; i < word.length; i++)
    g_string_append_c (self->words, g_ascii_tolower (word.text[i]));
}

static void
take_word (JmPbsNodes *self, JmSlice word)
{
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (word.length == strlen (words[i].word) &&
        g_ascii_strncasecmp (words[i].word, word.text, word.length) == 0)
      {
        self->node.state = MAX (self->node.state, words[i].state);
        self->node.flags |= words[i].flags;
        self->is_full = self->is_full || words[i].is_full;
        self->is_closed = self->is_closed || words[i].is_closed;
        if (words[i].is_other)
          keep_word (self, word);
        return;
      }

  keep_word (self, word);
}

/* `free`, `offline,down` */
static gboolean
take_state (JmPbsNodes *self, JmSlice text)
{
  JmSlice part;

  while (jm_slice_take_word (&text, ',', &part))
    {
      JmSlice word = jm_slice_trim (part);

      if (word.length > 0)
        take_word (self, word);
    }

  return TRUE;
}

/* --- values --- */

#define WORD(name, field)                                                              \
 static gboolean take_##name (JmPbsNodes *self, JmSlice text)                          \
 {                                                                                     \
  self->field = jm_scheduler_report_keep_slice (self->report, text);                   \
  return TRUE;                                                                         \
 }

WORD (queue, node.partitions)
WORD (reservation, node.reservation)
WORD (version, node.version)
WORD (comment, reason)

#define NUMBER(name, parse, field)                                                     \
 static gboolean take_##name (JmPbsNodes *self, JmSlice text)                          \
 {                                                                                     \
  return parse (text, &self->field);                                                   \
 }

NUMBER (cpus, jm_pbs_parse_count, node.cpus)
NUMBER (memory, jm_pbs_parse_memory, node.memory_bytes)
NUMBER (gpus, jm_pbs_parse_count, node.gpus)
NUMBER (cpus_allocated, jm_pbs_parse_count, node.cpus_allocated)
NUMBER (memory_allocated, jm_pbs_parse_memory, node.memory_allocated_bytes)
NUMBER (gpus_allocated, jm_pbs_parse_count, node.gpus_allocated)

NUMBER (changed_time, jm_pbs_parse_time, changed_time)

static const struct
{
  const char *section;
  const char *key;
  Take take;
} fields[] = {
  { "", "state", take_state },
  { "", "queue", take_queue },
  { "", "resv", take_reservation },
  { "", "pbs_version", take_version },
  { "", "comment", take_comment },
  { "", "last_state_change_time", take_changed_time },
  { "resources_available", "ncpus", take_cpus },
  { "resources_available", "mem", take_memory },
  { "resources_available", "ngpus", take_gpus },
  { "resources_assigned", "ncpus", take_cpus_allocated },
  { "resources_assigned", "mem", take_memory_allocated },
  { "resources_assigned", "ngpus", take_gpus_allocated },
};

/* What cannot be read is absent; the rest of the node is kept. */
static void
take_value (JmPbsNodes *self, const char *key, JmSlice text)
{
  if (jm_slice_equal (text, VARIOUS) && strcmp (key, "state") != 0)
    return;

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (strcmp (fields[i].key, key) == 0 &&
        strcmp (fields[i].section, self->section->str) == 0 &&
        !fields[i].take (self, text))
      {
        g_autofree char *complaint =
          g_strdup_printf ("pbsnodes: %s: %s: %.*s", self->node.name, key,
                           (int) MIN (text.length, 128), text.text);

        jm_scheduler_report_complain (self->report, complaint);
      }
}

/* --- the entry --- */

static void
begin_node (JmPbsNodes *self, const char *name)
{
  jm_scheduler_node_init (&self->node);
  self->node.name =
    jm_scheduler_report_keep_slice (self->report, (JmSlice){ name, strlen (name) });
  g_string_truncate (self->section, 0);
  g_string_truncate (self->words, 0);
  self->reason = NULL;
  self->changed_time = 0;
  self->is_assigned = self->is_full = self->is_closed = self->is_lost = FALSE;
}

/* What is not in the list of what jobs have, they have nothing of. */
static void
set_nothing (gint64 there, gint64 *allocated)
{
  if (there >= 0 && *allocated < 0)
    *allocated = 0;
}

static void
set_cpus (JmSchedulerNode *node, gboolean is_closed)
{
  gint64 left;

  if (node->cpus < 0 || node->cpus_allocated < 0)
    return;

  left = MAX (node->cpus - node->cpus_allocated, 0);
  node->cpus_idle = is_closed ? 0 : left;
  node->cpus_other = is_closed ? left : 0;
}

static void
set_state (JmPbsNodes *self)
{
  JmSchedulerNode *node = &self->node;

  if (node->state != JM_SCHEDULER_NODE_STATE_UNKNOWN)
    return;
  if (self->is_full)
    node->state = JM_SCHEDULER_NODE_STATE_ALLOCATED;
  else if (node->cpus_allocated == 0)
    node->state = JM_SCHEDULER_NODE_STATE_IDLE;
  else if (node->cpus_allocated > 0)
    node->state = node->cpus >= 0 && node->cpus_allocated >= node->cpus
                    ? JM_SCHEDULER_NODE_STATE_ALLOCATED
                    : JM_SCHEDULER_NODE_STATE_MIXED;
}

static void
set_gpus (JmPbsNodes *self)
{
  JmSchedulerNode *node = &self->node;
  const JmSchedulerGpus gpus = { .gres = "gpu",
                                 .total = node->gpus,
                                 .allocated = node->gpus_allocated };

  if (node->gpus <= 0)
    return;

  node->first_gpus = jm_scheduler_report_add_gpus (self->report, &gpus);
  node->n_gpus = 1;
}

static void
end_node (JmPbsNodes *self)
{
  JmSchedulerNode *node = &self->node;

  if (self->is_lost)
    return;
  if (node->name == NULL || jm_scheduler_report_get_n_nodes (self->report) >= NODES_MAX)
    {
      jm_scheduler_report_pass_over (self->report, node->name == NULL
                                                     ? "pbsnodes: a node without a name"
                                                     : "pbsnodes: too many nodes");
      return;
    }

  if (self->is_assigned)
    {
      set_nothing (node->cpus, &node->cpus_allocated);
      set_nothing (node->memory_bytes, &node->memory_allocated_bytes);
      set_nothing (node->gpus, &node->gpus_allocated);
    }
  set_state (self);
  set_cpus (node, self->is_closed);
  set_gpus (self);
  node->other_flags =
    jm_scheduler_report_keep_slice (self->report,
                                    (JmSlice){ self->words->str, self->words->len });
  if (self->is_closed && !self->is_full)
    {
      node->reason = self->reason;
      node->reason_time = self->changed_time;
    }
  *jm_scheduler_report_append_node (self->report) = *node;
}

static void
on_begin (gpointer data, guint depth, const char *key)
{
  JmPbsNodes *self = data;

  if (depth == JM_PBS_DEPTH_ROOT)
    self->is_nodes = strcmp (key, "nodes") == 0;
  else if (depth == JM_PBS_DEPTH_LIST)
    begin_node (self, key);
  else if (depth == JM_PBS_DEPTH_RECORD)
    {
      g_string_assign (self->section, key);
      self->is_assigned = self->is_assigned || strcmp (key, "resources_assigned") == 0;
    }
}

static void
on_value (gpointer data, guint depth, const char *key, JmSlice text)
{
  JmPbsNodes *self = data;

  if (self->is_nodes && (depth == JM_PBS_DEPTH_RECORD || depth == JM_PBS_DEPTH_SECTION))
    take_value (self, key, text);
}

static void
on_end (gpointer data, guint depth)
{
  JmPbsNodes *self = data;

  if (depth == JM_PBS_DEPTH_LIST && self->is_nodes)
    end_node (self);
  else if (depth == JM_PBS_DEPTH_RECORD)
    g_string_truncate (self->section, 0);
}

static void
on_lost (gpointer data, const char *problem)
{
  JmPbsNodes *self = data;
  g_autofree char *complaint =
    g_strdup_printf ("pbsnodes: %.128s: not JSON: %s",
                     self->node.name != NULL ? self->node.name : "a node", problem);

  jm_scheduler_report_pass_over (self->report, complaint);
  self->is_lost = TRUE;
}

const JmPbsJsonHandler jm_pbs_nodes_handler = { on_begin, on_value, on_end, on_lost };

void
jm_pbs_nodes_init (JmPbsNodes *self, JmSchedulerReport *report)
{
  *self = (JmPbsNodes){
    .report = report,
    .section = g_string_new (NULL),
    .words = g_string_new (NULL),
  };
}

void
jm_pbs_nodes_clear (JmPbsNodes *self)
{
  g_string_free (self->section, TRUE);
  g_string_free (self->words, TRUE);
}
