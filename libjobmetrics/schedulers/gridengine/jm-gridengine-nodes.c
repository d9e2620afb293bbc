/* jm-gridengine-nodes.c: the nodes that qhost lists
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/gridengine/jm-gridengine-answers-private.h"

#include <math.h>

#include "schedulers/gridengine/jm-gridengine-value-private.h"
#include "schedulers/jm-scheduler-report-private.h"

#define NODES_MAX 1000000
#define QUEUES_MAX 65536
#define SLOTS_MAX (1 << 24)

/* What stands in place of a value that a host has not reported. */
#define NO_VALUE "-"
/* Stands for the cluster as a whole. */
#define GLOBAL_HOST "global"

/* What the state of a queue is made of. */
static const char letters[] = "uEdDaAsSCoc";

enum
{
  LETTER_UNKNOWN = 1 << 0,
  LETTER_ERROR = 1 << 1,
  LETTERS_DISABLED = 3 << 2,
  LETTERS_ALARM = 3 << 4,
  LETTERS_SUSPENDED = 7 << 6,
  LETTER_ORPHANED = 1 << 9,
  LETTER_AMBIGUOUS = 1 << 10,
};

typedef gboolean (*Take) (JmGridengineNodes *self, JmSlice text);

static gboolean
take_cpus (JmGridengineNodes *self, JmSlice text)
{
  return jm_gridengine_parse_count (text, &self->node.cpus);
}

static gboolean
take_load (JmGridengineNodes *self, JmSlice text)
{
  return jm_gridengine_parse_real (text, &self->node.load);
}

static gboolean
take_memory (JmGridengineNodes *self, JmSlice text)
{
  return jm_gridengine_parse_memory (text, &self->node.memory_bytes);
}

static gboolean
take_memory_free (JmGridengineNodes *self, JmSlice text)
{
  return jm_gridengine_parse_memory (text, &self->node.memory_free_bytes);
}

static gboolean
parse_slots (JmSlice text, gint64 *slots)
{
  gint64 value;

  if (!jm_gridengine_parse_count (text, &value) || value > SLOTS_MAX)
    return FALSE;
  *slots = value;

  return TRUE;
}

static gboolean
take_slots (JmGridengineNodes *self, JmSlice text)
{
  return parse_slots (text, &self->queue.slots);
}

static gboolean
take_used (JmGridengineNodes *self, JmSlice text)
{
  return parse_slots (text, &self->queue.used);
}

/* Later releases may have further letters. */
static gboolean
take_letters (JmGridengineNodes *self, JmSlice text)
{
  guint found = 0;

  for (gsize i = 0; i < text.length; i++)
    {
      const char *letter = memchr (letters, text.text[i], sizeof letters - 1);

      if (!g_ascii_isalpha (text.text[i]))
        return FALSE;
      if (letter != NULL)
        found |= 1U << (letter - letters);
    }
  self->queue.letters |= found;

  return TRUE;
}

/* What the host measures comes twice: as a host's value, and more exactly as a
 * resource's where one of that name is defined. */
static const struct
{
  const char *element;
  const char *name;
  Take take;
} fields[] = {
  { "hostvalue", "num_proc", take_cpus },
  { "hostvalue", "load_avg", take_load },
  { "hostvalue", "mem_total", take_memory },
  { "resourcevalue", "load_avg", take_load },
  { "resourcevalue", "mem_total", take_memory },
  { "resourcevalue", "mem_free", take_memory_free },
  { "queuevalue", "slots", take_slots },
  { "queuevalue", "slots_used", take_used },
  { "queuevalue", "state_string", take_letters },
};

/* --- queues --- */

static void
begin_queue (JmGridengineNodes *self, const char *name)
{
  self->queue = (JmGridengineQueue){ .slots = 0 };
  if (self->queues->len + strlen (name) > QUEUES_MAX)
    return;
  if (self->queues->len > 0)
    g_string_append_c (self->queues, ',');
  g_string_append (self->queues, name);
}

static void
end_queue (JmGridengineNodes *self)
{
  const JmGridengineQueue *queue = &self->queue;
  const guint closing = LETTER_UNKNOWN | LETTER_ERROR | LETTERS_DISABLED |
                        LETTERS_ALARM | LETTERS_SUSPENDED | LETTER_ORPHANED |
                        LETTER_AMBIGUOUS;

  self->slots += queue->slots;
  self->used += queue->used;
  if ((queue->letters & closing) == 0 && queue->slots > queue->used)
    self->free += queue->slots - queue->used;
  self->any_letters |= queue->letters;
  self->all_letters &= queue->letters;
}

/* --- hosts --- */

static void
begin_node (JmGridengineNodes *self, const char *name)
{
  jm_scheduler_node_init (&self->node);
  self->node.name = jm_scheduler_report_keep (self->report, name);
  g_string_truncate (self->queues, 0);
  self->slots = self->used = self->free = 0;
  self->any_letters = 0;
  self->all_letters = G_MAXUINT;
  self->is_node = strcmp (name, GLOBAL_HOST) != 0;
  self->is_bad = name[0] == '\0';
}

static void
add_word (GString *words, gboolean is_so, const char *word)
{
  if (!is_so)
    return;
  if (words->len > 0)
    g_string_append_c (words, ',');
  g_string_append (words, word);
}

static void
set_flags (JmGridengineNodes *self)
{
  JmSchedulerNode *node = &self->node;
  g_autoptr (GString) other = g_string_new (NULL);
  gboolean has_queues = self->queues->len > 0;

  if (has_queues && (self->all_letters & LETTERS_DISABLED) != 0)
    node->flags |= 1U << JM_SCHEDULER_NODE_FLAG_DRAIN;
  if (node->state == JM_SCHEDULER_NODE_STATE_DOWN)
    node->flags |= 1U << JM_SCHEDULER_NODE_FLAG_NOT_RESPONDING;

  add_word (other, (self->any_letters & LETTERS_ALARM) != 0, "alarm");
  add_word (other, (self->any_letters & LETTERS_SUSPENDED) != 0, "suspended");
  add_word (other, (self->any_letters & LETTER_ORPHANED) != 0, "orphaned");
  add_word (other, (self->any_letters & LETTER_AMBIGUOUS) != 0, "ambiguous");
  node->other_flags = jm_scheduler_report_keep (self->report, other->str);
}

/* A host whose execution daemon is away has no load; its queues then become unknown. */
static JmSchedulerNodeState
find_state (JmGridengineNodes *self)
{
  gboolean has_queues = self->queues->len > 0;

  if (isnan (self->node.load) || (self->any_letters & LETTER_UNKNOWN) != 0)
    return JM_SCHEDULER_NODE_STATE_DOWN;
  if (has_queues && (self->all_letters & LETTER_ERROR) != 0)
    return JM_SCHEDULER_NODE_STATE_ERROR;
  if (self->used == 0)
    return JM_SCHEDULER_NODE_STATE_IDLE;

  return self->used >= self->slots ||
             (self->node.cpus >= 0 && self->used >= self->node.cpus)
           ? JM_SCHEDULER_NODE_STATE_ALLOCATED
           : JM_SCHEDULER_NODE_STATE_MIXED;
}

static void
set_cpus (JmGridengineNodes *self)
{
  JmSchedulerNode *node = &self->node;
  gint64 left;

  node->cpus_allocated = self->used;
  if (node->cpus < 0)
    return;

  left = MAX (node->cpus - self->used, 0);
  node->cpus_idle =
    node->state == JM_SCHEDULER_NODE_STATE_DOWN ? 0 : MIN (self->free, left);
  node->cpus_other = left - node->cpus_idle;
}

static void
add_node (JmGridengineNodes *self)
{
  if (self->is_bad || jm_scheduler_report_get_n_nodes (self->report) >= NODES_MAX)
    {
      jm_scheduler_report_pass_over (self->report, self->is_bad
                                                     ? "qhost: a host without a name"
                                                     : "qhost: too many hosts");
      return;
    }

  self->node.partitions = jm_scheduler_report_keep (self->report, self->queues->str);
  self->node.state = find_state (self);
  set_flags (self);
  set_cpus (self);
  *jm_scheduler_report_append_node (self->report) = self->node;
}

/* --- elements --- */

static void
on_begin (gpointer data, const char *element, const char *name)
{
  JmGridengineNodes *self = data;

  if (strcmp (element, "host") == 0)
    begin_node (self, name);
  else if (strcmp (element, "queue") == 0)
    begin_queue (self, name);
}

static void
take_value (JmGridengineNodes *self,
            const char *element,
            const char *name,
            JmSlice text)
{
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (strcmp (fields[i].name, name) == 0 &&
        strcmp (fields[i].element, element) == 0 && !fields[i].take (self, text))
      {
        g_autofree char *complaint =
          g_strdup_printf ("qhost: %s: %s: %.*s", self->node.name, name,
                           (int) MIN (text.length, 128), text.text);

        jm_scheduler_report_complain (self->report, complaint);
      }
}

static void
on_end (gpointer data, const char *element, const char *name, JmSlice text)
{
  JmGridengineNodes *self = data;

  if (!self->is_node)
    return;

  if (strcmp (element, "host") == 0)
    {
      add_node (self);
      self->is_node = FALSE;
    }
  else if (strcmp (element, "queue") == 0)
    end_queue (self);
  else if (!jm_slice_equal (text, NO_VALUE))
    take_value (self, element, name, text);
}

static void
on_spoil (gpointer data)
{
  JmGridengineNodes *self = data;
  g_autofree char *complaint =
    g_strdup_printf ("qhost: host %s: a tag out of place", self->node.name);

  self->is_node = FALSE;
  jm_scheduler_report_pass_over (self->report, complaint);
}

const JmGridengineXmlHandler jm_gridengine_nodes_handler = { "host", on_begin, on_end,
                                                             on_spoil };

void
jm_gridengine_nodes_init (JmGridengineNodes *self, JmSchedulerReport *report)
{
  *self = (JmGridengineNodes){ .report = report, .queues = g_string_new (NULL) };
}

void
jm_gridengine_nodes_clear (JmGridengineNodes *self)
{
  g_string_free (self->queues, TRUE);
}
