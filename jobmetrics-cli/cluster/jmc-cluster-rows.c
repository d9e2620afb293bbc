/* jmc-cluster-rows.c: what schedulers say, row by row
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "cluster/jmc-cluster-rows.h"

#include <math.h>

#include "jmc-output.h"

void
jmc_cluster_rows_init (JmcClusterRows *self)
{
  self->rows = g_array_new (FALSE, FALSE, sizeof (JmcClusterRow));
  self->held =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_scheduler_report_unref);
  self->made = g_ptr_array_new_with_free_func (g_free);
  self->is_whole = TRUE;
}

void
jmc_cluster_rows_clear (JmcClusterRows *self)
{
  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_pointer (&self->held, g_ptr_array_unref);
  g_clear_pointer (&self->made, g_ptr_array_unref);
  g_clear_pointer (&self->whole, jm_snapshot_unref);
}

static void
add (JmcClusterRows *self, const char *cluster, gconstpointer record)
{
  const JmcClusterRow row = { cluster, record };

  g_array_append_val (self->rows, row);
}

/* --- what a scheduler lists --- */

static void
add_records (JmcClusterRows *self, const char *cluster, JmSchedulerReport *report)
{
  guint n_jobs = jm_scheduler_report_get_n_jobs (report);
  guint n_nodes = jm_scheduler_report_get_n_nodes (report);
  guint n_shares = jm_scheduler_report_get_n_shares (report);

  for (guint i = 0; i < n_jobs; i++)
    {
      const JmSchedulerJob *job = jm_scheduler_report_get_job (report, i);

      if (job->sum_of == JM_SCHEDULER_SUM_NONE &&
          !jm_scheduler_job_state_has_ended (job->state))
        add (self, cluster, job);
    }
  for (guint i = 0; i < n_nodes; i++)
    add (self, cluster, jm_scheduler_report_get_node (report, i));
  for (guint i = 0; i < n_shares; i++)
    add (self, cluster, jm_scheduler_report_get_share (report, i));
}

/* Whether its jobs were told as sums, of which there is no list. */
static gboolean
has_only_sums (JmSchedulerReport *report)
{
  guint n = jm_scheduler_report_get_n_jobs (report);

  for (guint i = 0; i < n; i++)
    if (jm_scheduler_report_get_job (report, i)->sum_of == JM_SCHEDULER_SUM_NONE)
      return FALSE;

  return n > 0;
}

static void
read_scheduler (JmcClusterRows *self,
                JmCluster *cluster,
                guint i,
                JmSchedulerTopic topic)
{
  const char *name;
  g_autoptr (GError) error = NULL;
  JmSchedulerReport *report = jm_cluster_read (cluster, i, topic, NULL, &error);

  if (report == NULL)
    {
      jmc_output_complain ("%s", error->message);
      self->is_whole = FALSE;
      return;
    }

  g_ptr_array_add (self->held, report);
  name = jm_scheduler_get_cluster (jm_cluster_get_scheduler (cluster, i));
  if (has_only_sums (report))
    {
      jmc_output_complain ("%s: its scheduler reports sums of jobs, and lists none: "
                           "see jobmetrics-cli partitions",
                           name);
      self->is_whole = FALSE;
      return;
    }
  add_records (self, name, report);
}

void
jmc_cluster_rows_read (JmcClusterRows *self, JmCluster *cluster, JmSchedulerTopic topic)
{
  guint n = jm_cluster_get_n_schedulers (cluster);

  for (guint i = 0; i < n; i++)
    read_scheduler (self, cluster, i, topic);
}

/* --- sums of partitions --- */

static double
get_figure (JmSnapshot *snapshot, guint subject, JmMetric metric, const char *word)
{
  g_autoptr (JmLabels) labels = jm_labels_of (word, NULL);
  double value;

  return jm_snapshot_get_labelled_value (snapshot, subject, metric, labels, &value)
           ? value
           : NAN;
}

static double
get_sum (JmSnapshot *snapshot, guint subject, JmMetric metric)
{
  double value;

  return jm_snapshot_get_value (snapshot, subject, metric, &value) ? value : NAN;
}

/* Of all states. */
static double
count_nodes (JmSnapshot *snapshot, guint subject)
{
  double sum = NAN;

  for (guint i = 0; i < JM_N_SCHEDULER_NODE_STATES; i++)
    {
      g_autofree char *state =
        g_ascii_strdown (jm_scheduler_node_state_get_name ((JmSchedulerNodeState) i),
                         -1);
      double n = get_figure (snapshot, subject, JM_METRIC_CLUSTER_NODES, state);

      if (!isnan (n))
        sum = (isnan (sum) ? 0 : sum) + n;
    }

  return sum;
}

static void
add_partition (JmcClusterRows *self, guint subject)
{
  JmSnapshot *all = self->whole;
  JmLabels *labels = jm_snapshot_get_subject_labels (all, subject);
  JmcPartition *made = g_new0 (JmcPartition, 1);

  made->name = jm_labels_get_value (labels, 1);
  made->running = get_figure (all, subject, JM_METRIC_QUEUE_JOBS, "running");
  made->pending = get_figure (all, subject, JM_METRIC_QUEUE_JOBS, "pending");
  made->oldest_pending_seconds = get_sum (all, subject, JM_METRIC_QUEUE_OLDEST_PENDING);
  made->nodes = count_nodes (all, subject);
  made->nodes_idle = get_figure (all, subject, JM_METRIC_CLUSTER_NODES, "idle");
  made->cpus_allocated = get_figure (all, subject, JM_METRIC_CLUSTER_CPUS, "allocated");
  made->cpus_idle = get_figure (all, subject, JM_METRIC_CLUSTER_CPUS, "idle");
  made->cpus_other = get_figure (all, subject, JM_METRIC_CLUSTER_CPUS, "other");
  made->memory_bytes = get_sum (all, subject, JM_METRIC_CLUSTER_MEMORY);
  made->memory_allocated_bytes =
    get_sum (all, subject, JM_METRIC_CLUSTER_ALLOCATED_MEMORY);
  g_ptr_array_add (self->made, made);
  add (self, jm_labels_get_value (labels, 0), made);
}

static void
complain_of (JmcClusterRows *self, JmCluster *cluster, JmSchedulerTopic topic)
{
  guint n = jm_cluster_get_n_schedulers (cluster);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) error = jm_cluster_get_error (cluster, i, topic);

      if (error == NULL)
        continue;
      jmc_output_complain ("%s", error->message);
      self->is_whole = FALSE;
    }
}

void
jmc_cluster_rows_read_partitions (JmcClusterRows *self, JmCluster *cluster)
{
  guint n;

  self->whole = jm_cluster_sample (cluster, NULL);
  complain_of (self, cluster, JM_SCHEDULER_TOPIC_JOBS);
  complain_of (self, cluster, JM_SCHEDULER_TOPIC_NODES);
  n = self->whole != NULL ? jm_snapshot_get_n_subjects (self->whole) : 0;
  for (guint i = 0; i < n; i++)
    if (jm_snapshot_get_kind (self->whole, i) == JM_SUBJECT_KIND_PARTITION)
      add_partition (self, i);
}
