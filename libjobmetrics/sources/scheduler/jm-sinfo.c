/* jm-sinfo.c: the nodes that sinfo lists
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/scheduler/jm-sinfo-private.h"

#include "sources/scheduler/jm-slurm-table-private.h"
#include "sources/scheduler/jm-slurm-tres-private.h"

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
  g_autoptr (GString) flags = g_string_new (NULL);

  if (!jm_node_state_parse (text, &line_of (line)->node.state, flags))
    return FALSE;
  line_of (line)->node.flags =
    jm_scheduler_report_intern (report, (JmSlice){ flags->str, flags->len });

  return TRUE;
}

/* ALLOCATED/IDLE/OTHER/TOTAL */
static gboolean
take_cpus (JmSchedulerReport *report, gpointer line, JmSlice text)
{
  JmSchedulerNode *node = &line_of (line)->node;
  guint64 *const parts[] = { &node->cpus_allocated, &node->cpus_idle, &node->cpus_other,
                             &node->cpus };
  gboolean has;
  JmSlice word;

  if (jm_slurm_is_absent (text))
    return TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (!jm_slurm_take_word (&text, '/', &word) ||
        !jm_slurm_parse_count (word, parts[i], &has) || !has)
      return FALSE;
  node->known |= JM_SCHEDULER_NODE_HAS_CPUS;

  return text.text == NULL;
}

/* With two decimals. */
static gboolean
take_load (JmSchedulerReport *report, gpointer line, JmSlice text)
{
  JmSchedulerNode *node = &line_of (line)->node;
  guint64 whole, part;
  gboolean has;
  JmSlice word;

  if (jm_slurm_is_absent (text))
    return TRUE;
  if (!jm_slurm_take_word (&text, '.', &word) ||
      !jm_slurm_parse_count (word, &whole, &has) || !has || whole > G_MAXUINT32)
    return FALSE;
  if (text.length != 2 || !jm_slurm_parse_count (text, &part, &has) || !has)
    return FALSE;

  node->load_hundredths = whole * 100 + part;
  node->known |= JM_SCHEDULER_NODE_HAS_LOAD;

  return TRUE;
}

static gboolean
take_bytes (gpointer line, JmSlice text, guint64 *bytes, JmSchedulerNodeKnown bit)
{
  gboolean has;

  if (!jm_slurm_parse_memory (text, bytes, &has))
    return FALSE;
  if (has)
    line_of (line)->node.known |= bit;

  return TRUE;
}

static gboolean
take_memory (JmSchedulerReport *report, gpointer line, JmSlice text)
{
  return take_bytes (line, text, &line_of (line)->node.memory_bytes,
                     JM_SCHEDULER_NODE_HAS_MEMORY);
}

static gboolean
take_allocated_memory (JmSchedulerReport *report, gpointer line, JmSlice text)
{
  return take_bytes (line, text, &line_of (line)->node.memory_allocated_bytes,
                     JM_SCHEDULER_NODE_HAS_ALLOCATED_MEMORY);
}

static gboolean
take_free_memory (JmSchedulerReport *report, gpointer line, JmSlice text)
{
  return take_bytes (line, text, &line_of (line)->node.memory_free_bytes,
                     JM_SCHEDULER_NODE_HAS_FREE_MEMORY);
}

static gboolean
take_gres (JmSchedulerReport *report, gpointer line, JmSlice text)
{
  return jm_slurm_parse_gres (text, &line_of (line)->total);
}

static gboolean
take_used_gres (JmSchedulerReport *report, gpointer line, JmSlice text)
{
  return jm_slurm_parse_gres (text, &line_of (line)->used);
}

static gboolean
take_features (JmSchedulerReport *report, gpointer line, JmSlice text)
{
  if (!jm_slurm_is_absent (text))
    line_of (line)->node.features = jm_scheduler_report_intern (report, text);

  return TRUE;
}

static gboolean
take_version (JmSchedulerReport *report, gpointer line, JmSlice text)
{
  if (!jm_slurm_is_absent (text))
    line_of (line)->node.version = jm_scheduler_report_intern (report, text);

  return TRUE;
}

static gboolean
take_reason_time (JmSchedulerReport *report, gpointer line, JmSlice text)
{
  gboolean has;

  return jm_slurm_parse_time (text, &line_of (line)->node.reason_time, &has);
}

/* NAME(UID) */
static gboolean
take_reason_user (JmSchedulerReport *report, gpointer line, JmSlice text)
{
  JmSlice name;

  if (!jm_slurm_is_absent (text) && jm_slurm_take_word (&text, '(', &name))
    line_of (line)->node.reason_user = jm_scheduler_report_intern (report, name);

  return TRUE;
}

static gboolean
take_reason (JmSchedulerReport *report, gpointer line, JmSlice text)
{
  if (!jm_slurm_is_absent (text))
    line_of (line)->node.reason = jm_scheduler_report_intern (report, text);

  return TRUE;
}

static const JmSlurmColumn columns[] = {
  { "NodeList", take_name },
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
  { "Version", take_version },
  { "TimeStamp", take_reason_time },
  { "UserLong", take_reason_user },
  { "Reason", take_reason },
};

char *
jm_sinfo_make_format (void)
{
  return jm_slurm_table_make_format (columns, G_N_ELEMENTS (columns));
}

/* --- the node --- */

/* Devices of one type may stand in several items. */
static guint64
sum_of_type (const JmSlurmTres *tres, JmSlice type)
{
  guint64 sum = 0;

  for (guint i = 0; i < tres->n_types; i++)
    if (tres->types[i].type.length == type.length &&
        memcmp (tres->types[i].type.text, type.text, type.length) == 0)
      sum += tres->types[i].count;

  return sum;
}

static gboolean
stands_before (const JmSlurmTres *tres, guint place)
{
  for (guint i = 0; i < place; i++)
    if (tres->types[i].type.length == tres->types[place].type.length &&
        memcmp (tres->types[i].type.text, tres->types[place].type.text,
                tres->types[i].type.length) == 0)
      return TRUE;

  return FALSE;
}

static void
set_gpus (JmSchedulerReport *report, JmSchedulerNode *node, const Line *line)
{
  node->gpus = line->total.gpus;
  node->gpus_allocated = line->used.gpus;
  node->known |= JM_SCHEDULER_NODE_HAS_GPUS;

  for (guint i = 0; i < line->total.n_types; i++)
    {
      JmSlice type = line->total.types[i].type;
      guint place;

      if (stands_before (&line->total, i))
        continue;
      place =
        jm_scheduler_report_add_gpus (report, jm_scheduler_report_intern (report, type),
                                      sum_of_type (&line->total, type),
                                      sum_of_type (&line->used, type));
      if (node->n_gpu_types++ == 0)
        node->first_gpu_type = place;
    }
}

static void
add_partition (JmSchedulerReport *report, JmSchedulerNode *node, JmSlice partition)
{
  g_autofree char *more = NULL;

  if (partition.length == 0 ||
      (node->partitions != NULL && strlen (node->partitions) > PARTITIONS_MAX))
    return;
  if (node->partitions == NULL)
    {
      node->partitions = jm_scheduler_report_intern (report, partition);
      return;
    }

  more = g_strdup_printf ("%s,%.*s", node->partitions, (int) partition.length,
                          partition.text);
  node->partitions =
    jm_scheduler_report_intern (report, (JmSlice){ more, strlen (more) });
}

gboolean
jm_sinfo_parse_line (const char *line, gsize length, JmSchedulerReport *report)
{
  const JmSlice text = { line, length };
  Line read = { 0 };
  JmSchedulerNode *node;

  if (!jm_slurm_table_parse (columns, G_N_ELEMENTS (columns), text, report, &read,
                             "sinfo"))
    return FALSE;

  node = jm_scheduler_report_find_node (report, read.name);
  if (node == NULL)
    {
      node = jm_scheduler_report_add_node (report);
      if (node == NULL)
        {
          jm_scheduler_report_complain (report, "sinfo: too many nodes", text);
          return FALSE;
        }
      *node = read.node;
      jm_scheduler_report_name_node (report, node, read.name);
      set_gpus (report, node, &read);
    }
  add_partition (report, node, read.partition);

  return TRUE;
}
