/* jme-cluster-use.c: how much of a cluster is in use, by whom, and what waits
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-cluster-parts.h"

#include <string.h>

#include "archive/jm-archive-database-private.h"
#include "base/jm-number-private.h"
#include "cluster/jm-cluster-node-word-private.h"
#include "cluster/jm-cluster-tally-private.h"
#include "server/pages/jme-page-part.h"
#include "server/pages/jme-page.h"

/* The first of more. */
#define MAX_SHAPES 5000
#define MAX_GROUPS 15

/* Of the drawing of nodes. */
#define SHAPES_IN_ROW 48
#define STEP 16
#define SIZE 12
/* Shades between no CPU in use and all of them; jobmetrics.css has their colours. */
#define N_SHADES 4

/* Flags of a node that begins no job. */
#define CLOSED                                                                         \
 ((1u << JM_SCHEDULER_NODE_FLAG_DRAIN) | (1u << JM_SCHEDULER_NODE_FLAG_FAIL) |         \
  (1u << JM_SCHEDULER_NODE_FLAG_MAINTENANCE) |                                         \
  (1u << JM_SCHEDULER_NODE_FLAG_NOT_RESPONDING) |                                      \
  (1u << JM_SCHEDULER_NODE_FLAG_POWERED_DOWN))

/* --- shares --- */

static void
append_share (GString *out,
              const char *what,
              guint number,
              gint64 part,
              gint64 whole,
              JmFormat format)
{
  g_autofree char *id = g_strdup_printf ("use-%s-%u", what, number);
  g_autofree char *used = NULL;
  g_autofree char *all = NULL;
  g_autofree char *hint = NULL;

  if (part < 0 || whole <= 0)
    return;

  used = jm_format_to_string (format, (double) part);
  all = jm_format_to_string (format, (double) whole);
  hint = g_strdup_printf ("%s of %s", used, all);
  jme_part_append_gauge (out, id, what,
                         jm_figure_known (100.0 * (double) part / (double) whole),
                         hint);
}

/* Of all types. */
static gint64
sum_gpus (const JmNodeTally *tally, gboolean is_in_use)
{
  GHashTableIter iter;
  gpointer counts;
  gint64 sum = 0;

  if (tally->gpus == NULL)
    return -1;

  g_hash_table_iter_init (&iter, tally->gpus);
  while (g_hash_table_iter_next (&iter, NULL, &counts))
    for (guint i = 0; i < JM_N_CLUSTER_GPU_STATES; i++)
      if (!is_in_use || i == JM_CLUSTER_GPU_ALLOCATED)
        sum += (gint64) ((guint64 *) counts)[i];

  return sum;
}

static void
tally_up (JmNodeTally *tally, JmSchedulerReport *report)
{
  jm_node_tally_init (tally);
  for (guint i = 0; i < jm_scheduler_report_get_n_nodes (report); i++)
    jm_node_tally_add (tally, report, jm_scheduler_report_get_node (report, i));
}

static gint64
sum_cpus (const JmNodeTally *tally)
{
  return tally->cpus[0] + tally->cpus[1] + tally->cpus[2];
}

static void
append_shares (GString *out, JmSchedulerReport *report, guint number)
{
  JmNodeTally tally;

  tally_up (&tally, report);
  g_string_append (out, "<div class=\"gauges\">\n");
  append_share (out, "CPUs", number, tally.cpus[0], sum_cpus (&tally), JM_FORMAT_COUNT);
  append_share (out, "Memory", number, tally.memory_allocated_bytes, tally.memory_bytes,
                JM_FORMAT_BYTES);
  append_share (out, "GPUs", number, sum_gpus (&tally, TRUE), sum_gpus (&tally, FALSE),
                JM_FORMAT_COUNT);
  g_string_append (out, "</div>\n");
  jm_node_tally_clear (&tally);
}

static JmFigure
get_known (gint64 number)
{
  return number > 0 ? jm_figure_known ((double) number) : (JmFigure){ 0 };
}

void
jme_cluster_use_get_whole (const JmeQueueNews *news, JmFigure *whole)
{
  JmNodeTally tally;

  memset (whole, 0, sizeof *whole * JM_N_RUN_HOUR_MEANS);
  if (news->reports[JM_SCHEDULER_TOPIC_NODES] == NULL)
    return;

  tally_up (&tally, news->reports[JM_SCHEDULER_TOPIC_NODES]);
  whole[JM_RUN_HOUR_CPUS] = get_known (sum_cpus (&tally));
  whole[JM_RUN_HOUR_MEMORY] = get_known (tally.memory_bytes);
  whole[JM_RUN_HOUR_GPUS] = get_known (sum_gpus (&tally, FALSE));
  jm_node_tally_clear (&tally);
}

/* --- a shape for each node --- */

static gboolean
is_closed (const JmSchedulerNode *node)
{
  return (node->flags & CLOSED) != 0 || node->state == JM_SCHEDULER_NODE_STATE_DOWN ||
         node->state == JM_SCHEDULER_NODE_STATE_ERROR ||
         node->state == JM_SCHEDULER_NODE_STATE_FUTURE;
}

/* A node with one CPU in use has not the shade of one without. */
static guint
choose_shade (const JmSchedulerNode *node)
{
  const gint64 in_use = MIN (MAX (node->cpus_allocated, 0), MAX (node->cpus, 0));

  if (in_use == 0)
    return 0;

  return (guint) ((in_use * N_SHADES + node->cpus - 1) / node->cpus);
}

static void
append_shape_title (GString *out, const JmSchedulerNode *node)
{
  g_autofree char *word = jm_cluster_node_word_make (node);

  g_string_append (out, "<title>");
  jme_html_append_escaped (out, node->name);
  g_string_append (out, ": ");
  jme_html_append_escaped (out, word);
  if (node->cpus > 0 && node->cpus_allocated >= 0)
    g_string_append_printf (out,
                            ", %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                            " CPUs in use",
                            node->cpus_allocated, node->cpus);
  g_string_append (out, "</title>");
}

/* A square; a node that begins no job is a triangle. */
static void
append_shape (GString *out, const JmSchedulerNode *node, guint place)
{
  const guint x = place % SHAPES_IN_ROW * STEP;
  const guint y = place / SHAPES_IN_ROW * STEP;
  const guint shade = choose_shade (node);

  if (is_closed (node))
    g_string_append_printf (out, "<path class=\"closed\" d=\"M%u %ul%d %dh-%dz\">",
                            x + SIZE / 2, y, SIZE / 2, SIZE, SIZE);
  else
    g_string_append_printf (out,
                            "<rect class=\"use%u\" x=\"%u\" y=\"%u\" width=\"%d\" "
                            "height=\"%d\">",
                            shade, x, y, SIZE, SIZE);
  append_shape_title (out, node);
  g_string_append (out, is_closed (node) ? "</path>\n" : "</rect>\n");
}

static void
append_key (GString *out)
{
  g_string_append (out,
                   "<figcaption>A shape for each node. CPUs in use: "
                   "<svg class=\"key\" viewBox=\"0 0 76 12\" width=\"76\" "
                   "height=\"12\" role=\"img\" aria-label=\"from light to dark\">");
  for (guint i = 0; i <= N_SHADES; i++)
    g_string_append_printf (out,
                            "<rect class=\"use%u\" x=\"%u\" y=\"0\" width=\"%d\" "
                            "height=\"%d\"/>",
                            i, i * STEP, SIZE, SIZE);
  g_string_append_printf (
    out,
    "</svg> none to all. A triangle begins no job: "
    "<svg class=\"key\" viewBox=\"0 0 12 12\" width=\"12\" height=\"12\" role=\"img\" "
    "aria-label=\"triangle\"><path class=\"closed\" d=\"M%d 0l%d %dh-%dz\"/></svg>"
    "</figcaption>\n",
    SIZE / 2, SIZE / 2, SIZE, SIZE);
}

static void
append_shapes (GString *out, JmSchedulerReport *report)
{
  const guint n_all = jm_scheduler_report_get_n_nodes (report);
  const guint n = MIN (n_all, MAX_SHAPES);
  const guint n_rows = (n + SHAPES_IN_ROW - 1) / SHAPES_IN_ROW;
  g_autofree char *nodes = NULL;

  if (n == 0)
    return;

  g_string_append (out, "<figure class=\"nodes\">\n");
  append_key (out);
  nodes = jm_number_count (n, "node");
  g_string_append_printf (out,
                          "<svg viewBox=\"0 0 %d %u\" width=\"%d\" height=\"%u\" "
                          "role=\"img\" aria-label=\"%s; the table has them by "
                          "state\">\n",
                          SHAPES_IN_ROW * STEP, n_rows * STEP, SHAPES_IN_ROW * STEP,
                          n_rows * STEP, nodes);
  for (guint i = 0; i < n; i++)
    append_shape (out, jm_scheduler_report_get_node (report, i), i);
  g_string_append (out, "</svg></figure>\n");
  if (n < n_all)
    g_string_append_printf (out, "<p>No more than %u nodes are drawn.</p>\n", n);
}

void
jme_cluster_use_append_nodes (GString *out, const JmeQueueNews *news, guint number)
{
  JmSchedulerReport *report = news->reports[JM_SCHEDULER_TOPIC_NODES];

  if (report == NULL)
    return;

  append_shares (out, report, number);
  append_shapes (out, report);
}

/* --- the queue --- */

/* Jobs of one user, or that wait for one reason. */
typedef struct
{
  char *name;
  gint64 jobs;
  gint64 cpus; /* -1 where it is not known */
  gint64 memory_bytes;
  gint64 gpus;
} Group;

static void
group_free (gpointer data)
{
  Group *self = data;

  g_free (self->name);
  g_free (self);
}

static void
add_known (gint64 *sum, gint64 value, gint64 n)
{
  if (value < 0)
    return;
  if (__builtin_mul_overflow (value, n, &value) ||
      __builtin_add_overflow (MAX (*sum, 0), value, sum))
    *sum = G_MAXINT64;
}

/* Takes @name. */
static Group *
find_group (GHashTable *groups, char *name)
{
  Group *group = g_hash_table_lookup (groups, name);

  if (group != NULL)
    {
      g_free (name);
      return group;
    }
  group = g_new (Group, 1);
  *group = (Group){ name, 0, -1, -1, -1 };
  g_hash_table_insert (groups, name, group);

  return group;
}

static void
add_holder (GHashTable *groups, const JmSchedulerJob *job)
{
  Group *group;

  if (job->state != JM_SCHEDULER_JOB_STATE_RUNNING || job->user == NULL)
    return;

  group = find_group (groups, g_strdup (job->user));
  group->jobs += MAX (job->tasks, 1);
  add_known (&group->cpus, job->cpus_allocated, 1);
  add_known (&group->memory_bytes, job->memory_allocated_bytes, 1);
  add_known (&group->gpus, job->gpus_allocated, 1);
}

static void
add_waiting (GHashTable *groups, const JmSchedulerJob *job)
{
  const gint64 n = MAX (job->tasks, 1);
  Group *group;

  if (job->state != JM_SCHEDULER_JOB_STATE_PENDING || job->reason == NULL)
    return;

  group = find_group (groups,
                      g_strndup (job->reason, jm_cluster_measure_reason (job->reason)));
  group->jobs += n;
  add_known (&group->cpus, job->cpus_requested, n);
  add_known (&group->memory_bytes, job->memory_requested_bytes, n);
  add_known (&group->gpus, job->gpus_requested, n);
}

static int
compare_by_jobs (gconstpointer a, gconstpointer b)
{
  const Group *first = a;
  const Group *second = b;

  if (first->jobs != second->jobs)
    return first->jobs < second->jobs ? 1 : -1;

  return g_strcmp0 (first->name, second->name);
}

static int
compare_by_cpus (gconstpointer a, gconstpointer b)
{
  const Group *first = a;
  const Group *second = b;

  if (first->cpus != second->cpus)
    return first->cpus < second->cpus ? 1 : -1;

  return compare_by_jobs (a, b);
}

typedef struct
{
  const char *id;
  const char *heading;
  const char *caption;
  const char *title; /* of the names */
  const char *path;  /* of the jobs of a name; NULL where none is */
  void (*add) (GHashTable *groups, const JmSchedulerJob *job);
  GCompareFunc compare;
} Table;

static const Table holders = {
  .id = "holders",
  .heading = "Who has the CPUs",
  .caption = "Users with most CPUs in running jobs",
  .title = "User",
  .path = JME_PAGE_JOBS "?state=RUNNING&amp;sort=-cpu_unused_seconds&amp;user=",
  .add = add_holder,
  .compare = compare_by_cpus,
};

static const Table waiting = {
  .id = "waiting",
  .heading = "Why jobs wait",
  .caption = "Pending jobs by the scheduler's reason, and what they ask for",
  .title = "Reason",
  .add = add_waiting,
  .compare = compare_by_jobs,
};

static void
append_group (GString *out, const Table *table, const Group *group)
{
  g_string_append (out, "<tr><th scope=\"row\">");
  if (table->path != NULL)
    jme_part_append_link (out, table->path, group->name, group->name);
  else
    jme_html_append_escaped (out, group->name);
  g_string_append (out, "</th>");
  jme_part_append_number_cell (out, group->jobs, JM_FORMAT_COUNT);
  jme_part_append_number_cell (out, group->cpus, JM_FORMAT_COUNT);
  jme_part_append_number_cell (out, group->memory_bytes, JM_FORMAT_BYTES);
  jme_part_append_number_cell (out, group->gpus, JM_FORMAT_COUNT);
  g_string_append (out, "</tr>\n");
}

static void
append_groups (GString *out, const Table *table, GHashTable *groups, guint number)
{
  g_autofree char *id = g_strdup_printf ("%s-%u", table->id, number);
  g_autoptr (GList) list =
    g_list_sort (g_hash_table_get_values (groups), table->compare);
  guint n_left = MAX_GROUPS;

  g_string_append_printf (out, "<h3>%s</h3>\n", table->heading);
  jme_part_begin_table (out, id, table->caption,
                        (const char *const[]){ table->title, "#Jobs", "#CPUs",
                                               "#Memory", "#GPUs", NULL });
  for (GList *at = list; at != NULL && n_left > 0; at = at->next, n_left--)
    append_group (out, table, at->data);
  jme_part_end_table (out);
  if (g_hash_table_size (groups) > MAX_GROUPS)
    g_string_append_printf (out, "<p>The first %d of %u.</p>\n", MAX_GROUPS,
                            g_hash_table_size (groups));
}

static void
append_table (GString *out, const Table *table, JmSchedulerReport *jobs, guint number)
{
  g_autoptr (GHashTable) groups =
    g_hash_table_new_full (g_str_hash, g_str_equal, NULL, group_free);

  for (guint i = 0; i < jm_scheduler_report_get_n_jobs (jobs); i++)
    {
      const JmSchedulerJob *job = jm_scheduler_report_get_job (jobs, i);

      if (job->sum_of == JM_SCHEDULER_SUM_NONE)
        table->add (groups, job);
    }
  if (g_hash_table_size (groups) > 0)
    append_groups (out, table, groups, number);
}

void
jme_cluster_use_append_queue (GString *out,
                              const JmeQueueNews *news,
                              guint number,
                              gboolean sees_all)
{
  JmSchedulerReport *jobs = news->reports[JM_SCHEDULER_TOPIC_JOBS];

  if (jobs == NULL)
    return;

  if (sees_all)
    append_table (out, &holders, jobs, number);
  append_table (out, &waiting, jobs, number);
}
