/* jm-sinfo.c: the nodes that sinfo lists
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/slurm/jm-slurm-output-private.h"

#include "schedulers/slurm/jm-slurm-resources-private.h"
#include "schedulers/slurm/jm-slurm-state-private.h"

#define NODES_MAX 200000

/* A node is in some partitions, not in hundreds. */
#define PARTITIONS_MAX 8192

/* A line as it is read: GPUs in total and those in use stand in two columns. */
typedef struct
{
  JmSlice name;
  JmSlice partition;
  JmSchedulerNode node;
  JmSlurmTres total;
  JmSlurmTres used;
} Line;

static Line *
line_of (gpointer record)
{
  return record;
}

static gboolean
take_name (JmSchedulerReport *report, gpointer line, JmSlice text)
{
  line_of (line)->name = text;

  return text.length > 0;
}

/* A mark says that it is the one where jobs go that name none. */
static gboolean
take_partition (JmSchedulerReport *report, gpointer line, JmSlice text)
{
  if (text.length > 0 && text.text[text.length - 1] == '*')
    text.length--;
  line_of (line)->partition = text;

  return TRUE;
}

static gboolean
take_state (JmSchedulerReport *report, gpointer line, JmSlice text)
{
  JmSchedulerNode *node = &line_of (line)->node;
  g_autoptr (GString) other = g_string_new (NULL);

  if (!jm_slurm_parse_node_state (text, &node->state, &node->flags, other))
    return FALSE;
  node->other_flags = jm_scheduler_report_keep (report, other->str);

  return TRUE;
}

/* ALLOCATED/IDLE/OTHER/TOTAL */
static gboolean
take_cpus (JmSchedulerReport *report, gpointer line, JmSlice text)
{
  JmSchedulerNode *node = &line_of (line)->node;
  gint64 *const places[] = { &node->cpus_allocated, &node->cpus_idle, &node->cpus_other,
                             &node->cpus };
  gint64 parts[] = { -1, -1, -1, -1 };
  JmSlice word;

  if (jm_scheduler_is_absent (text))
    return TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (!jm_slice_take_word (&text, '/', &word) ||
        !jm_scheduler_take_value (word, jm_scheduler_parse_count, &parts[i]))
      return FALSE;
  if (text.text != NULL)
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    *places[i] = parts[i];

  return TRUE;
}

/* With two decimals. */
static gboolean
take_load (JmSchedulerReport *report, gpointer line, JmSlice text)
{
  gint64 whole = -1;
  gint64 hundredths = -1;
  JmSlice word;

  if (jm_scheduler_is_absent (text))
    return TRUE;
  if (!jm_slice_take_word (&text, '.', &word) || text.length != 2 ||
      !jm_scheduler_take_value (word, jm_scheduler_parse_count, &whole) ||
      !jm_scheduler_take_value (text, jm_scheduler_parse_count, &hundredths) ||
      whole < 0 || hundredths < 0)
    return FALSE;

  line_of (line)->node.load = (double) whole + (double) hundredths / 100;

  return TRUE;
}

#define MEMORY(column, field)                                                          \
 static gboolean take_##column (JmSchedulerReport *report, gpointer line,              \
                                JmSlice text)                                          \
 {                                                                                     \
  return jm_scheduler_take_value (text, jm_scheduler_parse_memory,                     \
                                  &line_of (line)->node.field);                        \
 }

MEMORY (memory, memory_bytes)
MEMORY (allocated_memory, memory_allocated_bytes)
MEMORY (free_memory, memory_free_bytes)

static gboolean
take_gres (JmSchedulerReport *report, gpointer line, JmSlice text)
{
  jm_slurm_parse_gres (text, &line_of (line)->total);
  jm_slurm_complain_of_tres (report, "sinfo: Gres", &line_of (line)->total);

  return TRUE;
}

static gboolean
take_used_gres (JmSchedulerReport *report, gpointer line, JmSlice text)
{
  jm_slurm_parse_gres (text, &line_of (line)->used);
  jm_slurm_complain_of_tres (report, "sinfo: GresUsed", &line_of (line)->used);

  return TRUE;
}

#define WORD(column)                                                                   \
 static gboolean take_##column (JmSchedulerReport *report, gpointer line,              \
                                JmSlice text)                                          \
 {                                                                                     \
  if (!jm_scheduler_is_absent (text))                                                  \
   line_of (line)->node.column = jm_scheduler_report_keep_slice (report, text);        \
  return TRUE;                                                                         \
 }

WORD (features)
WORD (version)
WORD (reason)

static gboolean
take_weight (JmSchedulerReport *report, gpointer line, JmSlice text)
{
  return jm_scheduler_take_value (text, jm_scheduler_parse_count,
                                  &line_of (line)->node.weight);
}

static gboolean
take_reason_time (JmSchedulerReport *report, gpointer line, JmSlice text)
{
  return jm_scheduler_take_value (text, jm_scheduler_parse_time,
                                  &line_of (line)->node.reason_time);
}

/* NAME(UID) */
static gboolean
take_reason_user (JmSchedulerReport *report, gpointer line, JmSlice text)
{
  JmSlice name;

  if (jm_scheduler_is_absent (text))
    return TRUE;
  if (!jm_slice_take_word (&text, '(', &name) || text.length == 0 ||
      text.text[text.length - 1] != ')')
    return FALSE;
  line_of (line)->node.reason_user = jm_scheduler_report_keep_slice (report, name);

  return TRUE;
}

static const JmSlurmColumn columns[] = {
  { "NodeList", take_name, .is_key = TRUE },
  { "Partition", take_partition },
  { "StateComplete", take_state },
  { "CPUsState", take_cpus },
  { "CPUsLoad", take_load },
  { "Memory", take_memory },
  { "AllocMem", take_allocated_memory },
  { "FreeMem", take_free_memory },
  { "Gres", take_gres },
  { "GresUsed", take_used_gres },
  { "Features_act", take_features },
  { "Weight", take_weight },
  { "Version", take_version },
  { "TimeStamp", take_reason_time },
  { "UserLong", take_reason_user },
  { "Reason", take_reason },
};

const JmSlurmTable jm_sinfo_table = { "sinfo", columns, G_N_ELEMENTS (columns) };

/* --- the node --- */

static void
add_partition (JmSchedulerReport *report, JmSchedulerNode *node, JmSlice partition)
{
  g_autofree char *more = NULL;

  if (partition.length == 0 ||
      (node->partitions != NULL && strlen (node->partitions) > PARTITIONS_MAX))
    return;
  if (node->partitions == NULL)
    {
      node->partitions = jm_scheduler_report_keep_slice (report, partition);
      return;
    }

  more = g_strdup_printf ("%s,%.*s", node->partitions, (int) partition.length,
                          partition.text);
  node->partitions = jm_scheduler_report_keep (report, more);
}

/* --- the reader --- */

struct _JmSinfoReader
{
  const char *separator;
  JmSchedulerReport *report; /* not owned */
  GHashTable *places;        /* by name; one more, since NULL is none */
};

JmSinfoReader *
jm_sinfo_reader_new (const char *separator, JmSchedulerReport *report)
{
  JmSinfoReader *self = g_new0 (JmSinfoReader, 1);

  self->separator = separator;
  self->report = report;
  self->places = g_hash_table_new (g_str_hash, g_str_equal);

  return self;
}

void
jm_sinfo_reader_free (JmSinfoReader *self)
{
  g_hash_table_unref (self->places);
  g_free (self);
}

static void
add_node (JmSinfoReader *self, const Line *line, const char *name)
{
  JmSchedulerNode *node = jm_scheduler_report_append_node (self->report);
  guint n_nodes = jm_scheduler_report_get_n_nodes (self->report);

  *node = line->node;
  node->name = name;
  jm_slurm_set_node_gpus (self->report, node, &line->total, &line->used);
  add_partition (self->report, node, line->partition);
  g_hash_table_insert (self->places, (gpointer) name, GUINT_TO_POINTER (n_nodes));
}

gboolean
jm_sinfo_reader_take (JmSinfoReader *self, JmSlice row)
{
  Line read = { 0 };
  const char *name;
  guint place;

  jm_scheduler_node_init (&read.node);
  if (!jm_slurm_table_parse (&jm_sinfo_table, self->separator, row, self->report,
                             &read))
    return FALSE;

  name = jm_scheduler_report_keep_slice (self->report, read.name);
  place = GPOINTER_TO_UINT (g_hash_table_lookup (self->places, name));
  if (place > 0)
    add_partition (self->report,
                   jm_scheduler_report_edit_node (self->report, place - 1),
                   read.partition);
  else if (jm_scheduler_report_get_n_nodes (self->report) < NODES_MAX)
    add_node (self, &read, name);
  else
    {
      jm_scheduler_report_pass_over (self->report, "sinfo: too many nodes");
      return FALSE;
    }

  return TRUE;
}
