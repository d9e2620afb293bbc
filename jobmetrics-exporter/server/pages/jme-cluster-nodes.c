/* jme-cluster-nodes.c: nodes of a cluster by their states, on a page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-cluster-parts.h"

#include <math.h>

#include "cluster/jm-cluster-node-word-private.h"
#include "server/pages/jme-page-part.h"
#include "server/pages/jme-page.h"

/* The first of more. */
#define MAX_NODES 500

/* All nodes of one state. */
typedef struct
{
  char *word;
  gint64 n_nodes;
  gint64 cpus;
  gint64 cpus_allocated;
  gint64 gpus;
  gint64 gpus_allocated;
} Sum;

static void
sum_clear (gpointer data)
{
  Sum *self = data;

  g_free (self->word);
}

/* --- all of a state together --- */

static Sum *
find_sum (GArray *sums, char *word)
{
  Sum sum = { .word = word };

  for (guint i = 0; i < sums->len; i++)
    if (g_str_equal (g_array_index (sums, Sum, i).word, word))
      {
        g_free (word);
        return &g_array_index (sums, Sum, i);
      }
  g_array_append_val (sums, sum);

  return &g_array_index (sums, Sum, sums->len - 1);
}

static void
add_node (GArray *sums, const JmSchedulerNode *node)
{
  Sum *sum = find_sum (sums, jm_cluster_node_word_make (node));

  sum->n_nodes++;
  sum->cpus += MAX (node->cpus, 0);
  sum->cpus_allocated += MAX (node->cpus_allocated, 0);
  sum->gpus += MAX (node->gpus, 0);
  sum->gpus_allocated += MAX (node->gpus_allocated, 0);
}

static int
compare_sums (gconstpointer a, gconstpointer b)
{
  const Sum *first = a;
  const Sum *second = b;

  return (second->n_nodes > first->n_nodes) - (second->n_nodes < first->n_nodes);
}

static void
append_sum (GString *out, const Sum *sum, const char *path)
{
  g_string_append (out, "<tr><th scope=\"row\">");
  jme_part_append_link (out, path, sum->word, sum->word);
  g_string_append (out, "</th>");
  jme_part_append_number_cell (out, sum->n_nodes, JM_FORMAT_COUNT);
  jme_part_append_number_cell (out, sum->cpus, JM_FORMAT_COUNT);
  jme_part_append_number_cell (out, sum->cpus_allocated, JM_FORMAT_COUNT);
  jme_part_append_number_cell (out, sum->gpus, JM_FORMAT_COUNT);
  jme_part_append_number_cell (out, sum->gpus_allocated, JM_FORMAT_COUNT);
  g_string_append (out, "</tr>\n");
}

static void
append_sums (GString *out, const JmeQueueNews *news, guint number)
{
  static const char *const titles[] = {
    "State", "#Nodes", "#CPUs", "#CPUs in use", "#GPUs", "#GPUs in use", NULL
  };
  JmSchedulerReport *report = news->reports[JM_SCHEDULER_TOPIC_NODES];
  g_autoptr (GArray) sums = g_array_new (FALSE, FALSE, sizeof (Sum));
  g_autofree char *id = g_strdup_printf ("states-%u", number);
  g_autofree char *escaped = g_uri_escape_string (news->cluster, NULL, FALSE);
  g_autofree char *path =
    g_strdup_printf (JME_PAGE_CLUSTER "?cluster=%s&amp;state=", escaped);

  g_array_set_clear_func (sums, sum_clear);
  for (guint i = 0; i < jm_scheduler_report_get_n_nodes (report); i++)
    add_node (sums, jm_scheduler_report_get_node (report, i));
  g_array_sort (sums, compare_sums);

  jme_part_begin_table (out, id, "Nodes by the scheduler's state", titles);
  for (guint i = 0; i < sums->len; i++)
    append_sum (out, &g_array_index (sums, Sum, i), path);
  jme_part_end_table (out);
}

/* --- one by one --- */

static gboolean
is_wanted (const JmSchedulerNode *node, const char *word)
{
  g_autofree char *own = NULL;

  if (word == NULL)
    return node->reason != NULL && *node->reason != '\0';
  own = jm_cluster_node_word_make (node);

  return g_str_equal (own, word);
}

static void
append_use (GString *out, gint64 part, gint64 whole)
{
  g_autofree char *text = NULL;

  if (whole >= 0 && part >= 0)
    text = g_strdup_printf ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT, part, whole);
  jme_html_append_number_cell (out, text);
}

/* With a node's name behind it: the runs of a day on that node. */
static char *
make_path_of_runs (const char *cluster)
{
  g_autofree char *escaped = g_uri_escape_string (cluster, NULL, FALSE);

  return g_strdup_printf (JME_PAGE_JOBS "?cluster=%s&amp;since=-1d&amp;node=", escaped);
}

static void
append_node (GString *out,
             const JmSchedulerNode *node,
             const char *path,
             gboolean sees_all)
{
  g_autofree char *own = jm_cluster_node_word_make (node);
  char load[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (out, "<tr><th scope=\"row\">");
  jme_part_append_link (out, path, node->name, node->name);
  g_string_append (out, "</th>");
  jme_html_append_cell (out, own);
  jme_html_append_cell (out, node->partitions);
  jme_html_append_cell (out, node->reason);
  jme_part_append_time_cell (out, node->reason_time);
  if (sees_all)
    jme_html_append_cell (out, node->reason_user);
  append_use (out, node->cpus_allocated, node->cpus);
  append_use (out, node->gpus_allocated, node->gpus);
  g_ascii_formatd (load, sizeof load, "%.2f", node->load);
  jme_html_append_number_cell (out, isnan (node->load) ? NULL : load);
  jme_part_append_number_cell (out, node->memory_bytes, JM_FORMAT_BYTES);
  g_string_append (out, "</tr>\n");
}

static void
append_nodes (GString *out,
              const JmeQueueNews *news,
              const char *id,
              const char *word,
              gboolean sees_all)
{
  static const char *const titles[] = {
    "Node",         "State",        "Partitions", "Reason",  "Since",
    "#CPUs in use", "#GPUs in use", "#Load",      "#Memory", NULL
  };
  static const char *const titles_for_all[] = {
    "Node",         "State",        "Partitions", "Reason",  "Since", "By",
    "#CPUs in use", "#GPUs in use", "#Load",      "#Memory", NULL
  };
  JmSchedulerReport *report = news->reports[JM_SCHEDULER_TOPIC_NODES];
  g_autofree char *path = make_path_of_runs (news->cluster);
  guint n_told = 0;

  jme_part_begin_table (out, id,
                        word != NULL
                          ? "Nodes in this state"
                          : "Nodes that are drained or down, with the reason",
                        sees_all ? titles_for_all : titles);
  for (guint i = 0; i < jm_scheduler_report_get_n_nodes (report); i++)
    {
      const JmSchedulerNode *node = jm_scheduler_report_get_node (report, i);

      if (n_told == MAX_NODES || !is_wanted (node, word))
        continue;
      append_node (out, node, path, sees_all);
      n_told++;
    }
  jme_part_end_table (out);
  if (n_told == MAX_NODES)
    g_string_append_printf (out, "<p>No more than %u nodes are listed.</p>\n",
                            MAX_NODES);
}

static guint
count_wanted (JmSchedulerReport *report, const char *word)
{
  guint n = 0;

  for (guint i = 0; i < jm_scheduler_report_get_n_nodes (report); i++)
    n += is_wanted (jm_scheduler_report_get_node (report, i), word);

  return n;
}

void
jme_cluster_nodes_append (GString *out,
                          const JmeQueueNews *news,
                          guint number,
                          const char *word,
                          gboolean sees_all)
{
  JmSchedulerReport *report = news->reports[JM_SCHEDULER_TOPIC_NODES];
  g_autofree char *id = g_strdup_printf ("nodes-%u", number);

  if (report == NULL)
    return;

  g_string_append (out, "<h3>Nodes</h3>\n");
  append_sums (out, news, number);
  if (word != NULL)
    {
      g_string_append (out, "<h4>");
      jme_html_append_escaped (out, word);
      g_string_append (out, "</h4>\n");
    }
  if (count_wanted (report, word) > 0)
    append_nodes (out, news, id, word, sees_all);
  else if (word != NULL)
    g_string_append (out, "<p>No node is in this state now.</p>\n");
}
