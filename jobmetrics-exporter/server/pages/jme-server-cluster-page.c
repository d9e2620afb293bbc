/* jme-server-cluster-page.c: what schedulers report now, on a page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-page.h"

#include "archive/jm-archive.h"
#include "core/jm-quantity-private.h"
#include "server/jme-archive-query.h"
#include "server/pages/jme-cluster-parts.h"
#include "server/pages/jme-page-form.h"
#include "server/pages/jme-page-part.h"
#include "server/pages/jme-targets.h"
#include "server/pages/jme-usage-table.h"

#define REFRESH_SECONDS 30
/* The first of more. */
#define MAX_HOLDERS 15
#define MAX_RUNNING 5000

/* One scheduler's part of the page. */
typedef struct
{
  JmeAnswer *answer;
  const JmeQueueNews *news;
  guint number;
  gboolean sees_all;
} ClusterPart;

static void
begin_table (ClusterPart *self,
             const char *name,
             const char *caption,
             const char *const *titles)
{
  g_autofree char *id = g_strdup_printf ("%s-%u", name, self->number);

  jme_part_begin_table (self->answer->text, id, caption, titles);
}

/* --- the queue, in numbers --- */

static void
append_jobs (ClusterPart *self)
{
  JmSchedulerReport *jobs = self->news->reports[JM_SCHEDULER_TOPIC_JOBS];
  gint64 counts[JM_N_SCHEDULER_JOB_STATES] = { 0 };

  if (jobs == NULL)
    return;

  for (guint i = 0; i < jm_scheduler_report_get_n_jobs (jobs); i++)
    {
      const JmSchedulerJob *job = jm_scheduler_report_get_job (jobs, i);

      if (job->sum_of == JM_SCHEDULER_SUM_NONE ||
          job->sum_of == JM_SCHEDULER_SUM_CLUSTER)
        counts[job->state] += MAX (job->tasks, 1);
    }
  g_string_append (self->answer->text, "<dl class=\"cards\">\n");
  for (JmSchedulerJobState i = 0; i < JM_N_SCHEDULER_JOB_STATES; i++)
    if (counts[i] > 0)
      {
        g_autofree char *term =
          g_strdup_printf ("Jobs %s", jm_scheduler_job_state_get_name (i));

        jme_part_append_figure_fact (self->answer->text, term,
                                     jm_figure_known ((double) counts[i]),
                                     JM_FORMAT_COUNT);
      }
  g_string_append (self->answer->text, "</dl>\n");
}

/* --- partitions --- */

static void
append_partition (GString *out, const JmSchedulerPartition *partition)
{
  g_string_append (out, "<tr><th scope=\"row\">");
  jme_part_append_link (out, JME_PAGE_JOBS "?partition=", partition->name,
                        partition->name);
  g_string_append (out, partition->is_default == 1
                          ? " <span class=\"muted\">default</span></th>"
                          : "</th>");
  jme_html_append_cell (out, partition->state);
  jme_part_append_number_cell (out, partition->nodes, JM_FORMAT_COUNT);
  jme_part_append_number_cell (out, partition->cpus, JM_FORMAT_COUNT);
  jme_part_append_number_cell (out, partition->gpus, JM_FORMAT_COUNT);
  jme_part_append_number_cell (out, partition->max_time_seconds, JM_FORMAT_DURATION);
  jme_html_append_cell (out, partition->node_list);
  g_string_append (out, "</tr>\n");
}

static void
append_partitions (ClusterPart *self)
{
  GString *out = self->answer->text;
  JmSchedulerReport *report = self->news->reports[JM_SCHEDULER_TOPIC_PARTITIONS];
  guint n = report != NULL ? jm_scheduler_report_get_n_partitions (report) : 0;

  if (n == 0)
    return;

  g_string_append (out, "<h3>Partitions</h3>\n");
  begin_table (self, "partitions", "Partitions, as the scheduler has them",
               (const char *const[]){ "Partition", "State", "#Nodes", "#CPUs", "#GPUs",
                                      "#Longest job", "On the nodes", NULL });
  for (guint i = 0; i < n; i++)
    append_partition (out, jm_scheduler_report_get_partition (report, i));
  jme_part_end_table (out);
}

/* --- reservations --- */

/* For whom it is, is shown to administrators. */
static void
append_reservation (ClusterPart *self, const JmSchedulerReservation *reservation)
{
  GString *out = self->answer->text;

  g_string_append (out, "<tr><th scope=\"row\">");
  jme_html_append_escaped (out, reservation->name);
  g_string_append (out, "</th>");
  jme_html_append_cell (out, reservation->state);
  jme_part_append_time_cell (out, reservation->start_time);
  jme_part_append_time_cell (out, reservation->end_time);
  jme_part_append_number_cell (out, reservation->nodes, JM_FORMAT_COUNT);
  jme_html_append_cell (out, reservation->partition);
  jme_html_append_cell (out, reservation->node_list);
  if (self->sees_all)
    {
      jme_html_append_cell (out, reservation->accounts);
      jme_html_append_cell (out, reservation->users);
    }
  g_string_append (out, "</tr>\n");
}

static void
append_reservations (ClusterPart *self)
{
  GString *out = self->answer->text;
  JmSchedulerReport *report = self->news->reports[JM_SCHEDULER_TOPIC_RESERVATIONS];
  guint n = report != NULL ? jm_scheduler_report_get_n_reservations (report) : 0;

  if (n == 0)
    return;

  g_string_append (out, "<h3>Reservations</h3>\n");
  begin_table (self, "reservations", "Reservations, and for whom",
               (const char *const[]){
                 "Reservation", "State", "From", "To", "#Nodes", "Partition",
                 "On the nodes", self->sees_all ? "Accounts" : NULL, "Users", NULL });
  for (guint i = 0; i < n; i++)
    append_reservation (self, jm_scheduler_report_get_reservation (report, i));
  jme_part_end_table (out);
}

/* --- a scheduler --- */

static void
append_problem (ClusterPart *self)
{
  GString *out = self->answer->text;

  if (self->news->problem == NULL)
    return;

  g_string_append (out, "<div class=\"notice bad\"><p>The scheduler did not answer the "
                        "last time.</p>\n");
  if (self->sees_all)
    {
      g_string_append (out, "<p>");
      jme_html_append_escaped (out, self->news->problem);
      g_string_append (out, "</p>\n");
    }
  g_string_append (out, "</div>\n");
}

static void
append_age (ClusterPart *self)
{
  g_autofree char *age =
    jme_part_format_age (self->news->age_us[JM_SCHEDULER_TOPIC_NODES]);

  if (self->news->reports[JM_SCHEDULER_TOPIC_NODES] != NULL)
    g_string_append_printf (self->answer->text,
                            "<p class=\"muted\">As it was %s ago.</p>\n", age);
}

/* --- what is held and not used --- */

static void
append_holders (ClusterPart *self, JmTable *table, gboolean has_more)
{
  static const char *const titles[] = { "User",    "#Jobs",   "#CPUs", "#Idle",
                                        "#Memory", "#Unused", NULL };

  g_string_append (self->answer->text, "<h3>What running jobs have not used</h3>\n");
  if (has_more)
    g_string_append_printf (self->answer->text, "<p>Of %u of the running jobs.</p>\n",
                            MAX_RUNNING);
  begin_table (self, "unused",
               "Users whose running jobs have most idle CPUs, in the "
               "mean over their time",
               titles);
  jme_part_append_rows (self->answer->text, table, MAX_HOLDERS,
                        JME_PAGE_JOBS
                        "?state=RUNNING&amp;sort=-cpu_unused_seconds&amp;user=");
  jme_part_end_table (self->answer->text);
}

/* By the archive, which knows what they have used. */
static gboolean
append_unused (ClusterPart *self, GError **error)
{
  static const char *const running[] = { "RUNNING", NULL };
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) totals = NULL;
  g_autoptr (JmTable) table = jm_table_new_of_sums (
    "user,runs,cpus,idle_cpus,memory_allocated_bytes,memory_unused_bytes", NULL);
  gboolean has_more;
  double idle;

  jm_run_filter_set_cluster (filter, self->news->cluster);
  jm_run_filter_set_states (filter, running);
  totals = jm_archive_database_list_totals (self->answer->store, filter,
                                            JM_USAGE_GROUPS_USER, MAX_RUNNING,
                                            self->answer->viewer, &has_more, error);
  if (totals == NULL)
    return FALSE;

  for (guint i = 0; i < totals->len; i++)
    jm_table_add_totals (table, totals->pdata[i]);
  jm_table_sort (table, "idle_cpus", TRUE, NULL);
  if (totals->len > 0 && jm_table_get_value (table, 0, 3, &idle))
    append_holders (self, table, has_more);

  return TRUE;
}

static gboolean
append_cluster (ClusterPart *self,
                const JmeArchiveQuery *query,
                const char *word,
                GError **error)
{
  GString *out = self->answer->text;

  g_string_append (out, "<h2>");
  jme_html_append_escaped (out, self->news->cluster != NULL
                                  ? self->news->cluster
                                  : "A scheduler that was not reached yet");
  g_string_append (out, "</h2>\n");
  append_problem (self);
  if (self->news->cluster == NULL)
    return TRUE;

  append_age (self);
  append_jobs (self);
  jme_cluster_use_append_nodes (out, self->news, self->number);
  /* of who sees a part of the runs, that would be no use of the cluster */
  if (self->sees_all &&
      (!jme_cluster_hours_append (self->answer, query, self->news, self->number,
                                  error) ||
       !jme_usage_table_append_cluster (self->answer, self->news->cluster, error)))
    return FALSE;
  jme_cluster_use_append_queue (out, self->news, self->number, self->sees_all);
  if (self->sees_all && !append_unused (self, error))
    return FALSE;
  jme_cluster_nodes_append (out, self->news, self->number, word, self->sees_all);
  append_partitions (self);
  append_reservations (self);

  return TRUE;
}

/* --- the page --- */

static void
append_nothing (GString *out)
{
  g_string_append (
    out,
    "<p>This server watches no scheduler. <code>--server.scheduler=NAME</code> names "
    "one, such as <code>--server.scheduler=slurm,cluster=alpha</code>; the manual's "
    "page of the archive has more.</p>\n");
}

static gboolean
append_page (JmeAnswer *answer,
             const JmePages *pages,
             const JmeArchiveQuery *query,
             GError **error)
{
  g_autoptr (GPtrArray) news = jme_queue_list_news (pages->queue);
  g_autofree char *cluster = jme_form_get_value (answer->request, "cluster");
  g_autofree char *word = jme_form_get_value (answer->request, "state");

  g_string_append (answer->text, "<h1>Cluster</h1>\n");
  for (guint i = 0; i < news->len; i++)
    {
      ClusterPart part = { .answer = answer,
                           .news = news->pdata[i],
                           .number = i,
                           .sees_all = jm_viewer_sees_all (answer->viewer) };

      if ((cluster == NULL || g_strcmp0 (part.news->cluster, cluster) == 0) &&
          !append_cluster (&part, query, word, error))
        return FALSE;
    }
  if (news->len == 0)
    append_nothing (answer->text);

  return jme_targets_append (pages->targets, answer, cluster, error);
}

void
jme_server_cluster_page_answer (JmeRequest *request, gpointer pages)
{
  g_auto (JmeAnswer) answer = { 0 };
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;

  if (!jme_page_begin (&answer, pages, request))
    return;
  if (!jme_archive_query_init (&query, request, JME_ARCHIVE_PAGE_OF_NODES, &error) ||
      !append_page (&answer, pages, &query, &error))
    jme_answer_fail (&answer, error);
  else
    jme_page_reply (&answer, &(JmeHtmlPage){ .title = "Cluster",
                                             .section = JME_PAGE_CLUSTER,
                                             .refresh_seconds = REFRESH_SECONDS });
}
