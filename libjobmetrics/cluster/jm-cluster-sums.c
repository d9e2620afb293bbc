/* jm-cluster-sums.c: a snapshot of what schedulers reported
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "cluster/jm-cluster-asker-private.h"

#include <string.h>

#include "cluster/jm-cluster-node-word-private.h"
#include "cluster/jm-cluster-tally-private.h"
#include "cluster/jm-cluster-targets-private.h"
#include "cluster/jm-cluster-teller-private.h"
#include "schedulers/jm-scheduler-report-private.h"

/* Of one name: a cluster, a partition, an account or a user. */
typedef struct
{
  JmQueueTally queue;
  JmNodeTally nodes;
  const JmSchedulerPartition *partition; /* NULL where it is not known */
} Sums;

struct _JmClusterSums
{
  guint max_names;
  gint64 now_us;
  const GPtrArray *targets; /* of JmClusterTarget, or NULL */
  JmReadings *readings;
  GArray *subjects; /* of JmSubject */
};

/* One call of jm_cluster_sums_add(). */
typedef struct
{
  JmClusterTeller teller;
  gint64 now_us;
  const JmClusterAnswer *answers;
  Sums all;
  gboolean is_placed;     /* it is known which partitions the node is in */
  GHashTable *partitions; /* of Sums, by name */
  GHashTable *accounts;
  GHashTable *users;
  GHashTable *lists; /* of GPtrArray of Sums, by the partitions' names with commas */
} Cluster;

static void
sums_clear (Sums *self)
{
  jm_queue_tally_clear (&self->queue);
  jm_node_tally_clear (&self->nodes);
}

static void
sums_free (gpointer data)
{
  sums_clear (data);
  g_free (data);
}

static void
clear_subject (gpointer data)
{
  jm_subject_clear (data);
}

JmClusterSums *
jm_cluster_sums_new (guint max_names, gint64 now_us)
{
  const JmCollectorSet *collectors =
    JM_COLLECTOR_SET (JM_COLLECTOR_SCHEDULER, JM_COLLECTOR_QUEUE,
                      JM_COLLECTOR_CLUSTER_NODES, JM_COLLECTOR_GRANTS);
  JmClusterSums *self = g_new0 (JmClusterSums, 1);

  self->max_names = max_names;
  self->now_us = now_us;
  self->readings = jm_readings_new ();
  jm_readings_reset (self->readings, collectors);
  self->subjects = g_array_new (FALSE, TRUE, sizeof (JmSubject));
  g_array_set_clear_func (self->subjects, clear_subject);

  return self;
}

void
jm_cluster_sums_free (JmClusterSums *self)
{
  jm_readings_unref (self->readings);
  g_array_unref (self->subjects);
  g_free (self);
}

void
jm_cluster_sums_set_targets (JmClusterSums *self, const GPtrArray *targets)
{
  self->targets = targets;
}

/* --- adding up --- */

static Sums *
take_sums (GHashTable *table, const char *name)
{
  Sums *sums;

  if (name == NULL)
    name = JM_CLUSTER_NONE;
  sums = g_hash_table_lookup (table, name);
  if (sums == NULL)
    {
      sums = g_new0 (Sums, 1);
      jm_node_tally_init (&sums->nodes);
      g_hash_table_insert (table, g_strdup (name), sums);
    }

  return sums;
}

/* Most jobs and nodes are in few sets of partitions. */
static GPtrArray *
take_partitions (Cluster *self, const char *names)
{
  GPtrArray *list;
  const char *rest = names;
  const char *word;
  gsize length;

  if (names == NULL)
    names = rest = JM_CLUSTER_NONE;
  list = g_hash_table_lookup (self->lists, names);
  if (list != NULL)
    return list;

  list = g_ptr_array_new ();
  while (jm_cluster_take_word (&rest, &word, &length))
    {
      g_autofree char *name = g_strndup (word, length);
      Sums *partition = take_sums (self->partitions, name);

      if (!g_ptr_array_find (list, partition, NULL))
        g_ptr_array_add (list, partition);
    }
  g_hash_table_insert (self->lists, g_strdup (names), list);

  return list;
}

/* A job counts everywhere, a sum where it was made. */
static gboolean
counts_for (const JmSchedulerJob *job, JmSchedulerSum subject)
{
  return job->sum_of == JM_SCHEDULER_SUM_NONE || job->sum_of == subject;
}

static void
add_to_partitions (Cluster *self, JmSchedulerReport *report, const JmSchedulerJob *job)
{
  GPtrArray *partitions = take_partitions (self, job->partitions);

  for (guint i = 0; i < partitions->len; i++)
    jm_queue_tally_add (&((Sums *) partitions->pdata[i])->queue, report, job, TRUE,
                        self->now_us);
}

static void
add_jobs (Cluster *self, JmSchedulerReport *report)
{
  gint64 now_us = self->now_us;
  guint n = jm_scheduler_report_get_n_jobs (report);

  for (guint i = 0; i < n; i++)
    {
      const JmSchedulerJob *job = jm_scheduler_report_get_job (report, i);

      if (counts_for (job, JM_SCHEDULER_SUM_CLUSTER))
        jm_queue_tally_add (&self->all.queue, report, job, TRUE, now_us);
      if (counts_for (job, JM_SCHEDULER_SUM_PARTITION))
        add_to_partitions (self, report, job);
      if (counts_for (job, JM_SCHEDULER_SUM_ACCOUNT))
        jm_queue_tally_add (&take_sums (self->accounts, job->account)->queue, report,
                            job, FALSE, now_us);
      if (counts_for (job, JM_SCHEDULER_SUM_USER))
        jm_queue_tally_add (&take_sums (self->users, job->user)->queue, report, job,
                            FALSE, now_us);
    }
}

static void
add_nodes (Cluster *self, JmSchedulerReport *report)
{
  guint n = jm_scheduler_report_get_n_nodes (report);

  for (guint i = 0; i < n; i++)
    {
      const JmSchedulerNode *node = jm_scheduler_report_get_node (report, i);
      GPtrArray *partitions;

      jm_node_tally_add (&self->all.nodes, report, node);
      if (node->partitions == NULL)
        continue;
      self->is_placed = TRUE;
      partitions = take_partitions (self, node->partitions);
      for (guint j = 0; j < partitions->len; j++)
        jm_node_tally_add (&((Sums *) partitions->pdata[j])->nodes, report, node);
    }
}

static void
add_partitions (Cluster *self, JmSchedulerReport *report)
{
  guint n = jm_scheduler_report_get_n_partitions (report);

  for (guint i = 0; i < n; i++)
    {
      const JmSchedulerPartition *partition =
        jm_scheduler_report_get_partition (report, i);

      take_sums (self->partitions, partition->name)->partition = partition;
    }
}

/* --- the snapshot --- */

static JmSchedulerReport *
get_report (const Cluster *self, JmSchedulerTopic topic)
{
  return self->answers[topic].report;
}

/* What is added after this is about it. */
static void
begin_subject (Cluster *self, JmSubjectKind kind, const char *name)
{
  jm_cluster_teller_begin (&self->teller, kind, (const char *const[]){ name, NULL });
}

static void
tell_topic (Cluster *self, JmSchedulerTopic topic)
{
  const JmClusterAnswer *answer = &self->answers[topic];
  JmReadings *readings = self->teller.readings;
  g_autoptr (JmLabels) labels =
    jm_labels_of (jm_scheduler_topic_get_name (topic), NULL);

  if (!answer->is_asked)
    return;

  jm_readings_add_labelled (readings, JM_METRIC_SCHEDULER_SUCCESS, labels,
                            answer->has_succeeded);
  jm_readings_add_labelled (readings, JM_METRIC_SCHEDULER_DURATION, labels,
                            answer->duration_us);
  jm_readings_add_labelled (readings, JM_METRIC_SCHEDULER_FAILURES, labels,
                            answer->n_failures);
  if (answer->report == NULL)
    return;

  jm_readings_add_labelled (readings, JM_METRIC_SCHEDULER_AGE, labels, answer->age_us);
  for (JmSchedulerFault fault = 0; fault < JM_N_SCHEDULER_FAULTS; fault++)
    {
      g_autoptr (JmLabels) reason =
        jm_labels_of (jm_scheduler_topic_get_name (topic),
                      jm_scheduler_fault_get_name (fault), NULL);

      jm_readings_add_labelled (readings, JM_METRIC_SCHEDULER_UNREAD, reason,
                                jm_scheduler_report_get_n_faults (answer->report,
                                                                  fault));
    }
}

/* A topic without an answer has no figures: they are not zero. */
static void
tell_sums (Cluster *self, const Sums *sums, gboolean has_words, gboolean has_nodes)
{
  JmReadings *readings = self->teller.readings;
  JmSchedulerReport *jobs = self->answers[JM_SCHEDULER_TOPIC_JOBS].report;
  JmSchedulerReport *nodes = self->answers[JM_SCHEDULER_TOPIC_NODES].report;

  if (jobs != NULL)
    {
      jm_readings_begin (readings, JM_COLLECTOR_QUEUE);
      jm_queue_tally_tell (&sums->queue, jobs, has_words, readings);
    }
  if (has_nodes && nodes != NULL)
    {
      jm_readings_begin (readings, JM_COLLECTOR_CLUSTER_NODES);
      jm_node_tally_tell (&sums->nodes, FALSE,
                          jm_scheduler_report_get_node_sums (nodes), readings);
    }
}

static void
tell_cluster (Cluster *self)
{
  begin_subject (self, JM_SUBJECT_KIND_CLUSTER, NULL);
  jm_readings_begin (self->teller.readings, JM_COLLECTOR_SCHEDULER);
  for (JmSchedulerTopic i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    tell_topic (self, i);
  tell_sums (self, &self->all, TRUE, TRUE);
  if (get_report (self, JM_SCHEDULER_TOPIC_NODES) != NULL)
    jm_cluster_tell_reserved (&self->teller,
                              get_report (self, JM_SCHEDULER_TOPIC_NODES),
                              get_report (self, JM_SCHEDULER_TOPIC_RESERVATIONS),
                              self->now_us);
  if (get_report (self, JM_SCHEDULER_TOPIC_LICENSES) != NULL)
    jm_cluster_tell_licenses (&self->teller,
                              get_report (self, JM_SCHEDULER_TOPIC_LICENSES));
  if (get_report (self, JM_SCHEDULER_TOPIC_RESERVATIONS) != NULL)
    jm_cluster_tell_reservations (&self->teller,
                                  get_report (self, JM_SCHEDULER_TOPIC_RESERVATIONS));
  if (get_report (self, JM_SCHEDULER_TOPIC_LIMITS) != NULL)
    jm_cluster_tell_qos (&self->teller, get_report (self, JM_SCHEDULER_TOPIC_LIMITS));
}

static GList *
list_names (GHashTable *table)
{
  return g_list_sort (g_hash_table_get_keys (table), (GCompareFunc) strcmp);
}

static void
tell_partitions (Cluster *self)
{
  g_autoptr (GList) names = list_names (self->partitions);

  for (GList *i = names; i != NULL; i = i->next)
    {
      const Sums *sums = g_hash_table_lookup (self->partitions, i->data);

      begin_subject (self, JM_SUBJECT_KIND_PARTITION, i->data);
      tell_sums (self, sums, TRUE, self->is_placed);
      if (sums->partition != NULL)
        jm_cluster_tell_partition (&self->teller, sums->partition);
    }
}

static void
tell_people (Cluster *self, JmSubjectKind kind, GHashTable *table)
{
  g_autoptr (GList) names = list_names (table);
  Sums other = { 0 };
  guint n = 0;

  for (GList *i = names; i != NULL; i = i->next, n++)
    {
      Sums *sums = g_hash_table_lookup (table, i->data);

      if (n >= self->teller.max_names)
        {
          jm_queue_tally_unite (&other.queue, &sums->queue);
          continue;
        }
      begin_subject (self, kind, i->data);
      tell_sums (self, sums, FALSE, FALSE);
    }

  if (n > self->teller.max_names)
    {
      begin_subject (self, kind, JM_CLUSTER_OTHER);
      tell_sums (self, &other, FALSE, FALSE);
    }
  sums_clear (&other);
}

static const char *
or_nothing (const char *word)
{
  return word != NULL ? word : "";
}

static void
tell_reason (JmReadings *readings, const JmSchedulerNode *node)
{
  g_autoptr (JmLabels) labels = NULL;

  if (node->reason == NULL || node->reason_time <= 0)
    return;

  labels = jm_labels_of (node->reason, or_nothing (node->reason_user), NULL);
  jm_readings_add_labelled (readings, JM_METRIC_CLUSTER_NODE_REASON_TIME, labels,
                            (guint64) node->reason_time * G_USEC_PER_SEC);
}

static void
tell_flags (JmReadings *readings, const JmSchedulerNode *node)
{
  g_auto (GStrv) flags = jm_cluster_list_node_flags (node);

  for (char **flag = flags; *flag != NULL; flag++)
    {
      g_autoptr (JmLabels) labels = jm_labels_of (*flag, NULL);

      jm_readings_add_labelled (readings, JM_METRIC_CLUSTER_NODE_FLAG, labels, 1);
    }
}

static void
tell_state (JmReadings *readings, const JmSchedulerNode *node)
{
  g_autofree char *state =
    g_ascii_strdown (jm_scheduler_node_state_get_name (node->state), -1);
  g_autoptr (JmLabels) state_labels = jm_labels_of (state, NULL);
  g_autofree char *word = jm_cluster_node_word_make (node);
  g_autoptr (JmLabels) word_labels = jm_labels_of (word, NULL);

  jm_readings_add_labelled (readings, JM_METRIC_CLUSTER_NODE_STATE, state_labels, 1);
  tell_flags (readings, node);
  jm_readings_add_labelled (readings, JM_METRIC_CLUSTER_NODE_SINFO_STATE, word_labels,
                            1);
}

static void
tell_node (Cluster *self, const JmSchedulerNode *node)
{
  JmReadings *readings = self->teller.readings;
  JmSchedulerReport *report = self->answers[JM_SCHEDULER_TOPIC_NODES].report;
  g_autoptr (JmLabels) info =
    jm_labels_of (or_nothing (node->version), or_nothing (node->features), NULL);
  JmNodeTally tally;

  begin_subject (self, JM_SUBJECT_KIND_CLUSTER_NODE, node->name);
  jm_readings_begin (readings, JM_COLLECTOR_CLUSTER_NODES);
  jm_node_tally_init (&tally);
  jm_node_tally_add (&tally, report, node);
  jm_node_tally_tell (&tally, TRUE, NULL, readings);
  jm_node_tally_clear (&tally);
  jm_readings_add_labelled (readings, JM_METRIC_CLUSTER_NODE_INFO, info, 1);
  if (jm_scheduler_report_get_node_sums (report) == NULL)
    tell_state (readings, node);
  if (node->load >= 0 && node->load < JM_CLUSTER_LOAD_MAX && node->cpus > 0)
    jm_readings_add (readings, JM_METRIC_CLUSTER_NODE_LOAD,
                     (guint64) (node->load * 1e6 / (double) node->cpus));
  tell_reason (readings, node);
}

static void
tell_nodes (Cluster *self, JmSchedulerReport *report)
{
  guint n = jm_scheduler_report_get_n_nodes (report);

  for (guint i = 0; i < n; i++)
    tell_node (self, jm_scheduler_report_get_node (report, i));
}

void
jm_cluster_sums_add (JmClusterSums *self,
                     const char *cluster,
                     const JmClusterAnswer answers[JM_N_SCHEDULER_TOPICS])
{
  JmSchedulerReport *jobs = answers[JM_SCHEDULER_TOPIC_JOBS].report;
  JmSchedulerReport *nodes = answers[JM_SCHEDULER_TOPIC_NODES].report;
  JmSchedulerReport *partitions_told = answers[JM_SCHEDULER_TOPIC_PARTITIONS].report;
  JmSchedulerReport *diagnostics = answers[JM_SCHEDULER_TOPIC_DIAGNOSTICS].report;
  JmSchedulerReport *shares = answers[JM_SCHEDULER_TOPIC_SHARES].report;
  JmSchedulerReport *limits = answers[JM_SCHEDULER_TOPIC_LIMITS].report;
  g_autoptr (GHashTable) partitions =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, sums_free);
  g_autoptr (GHashTable) accounts =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, sums_free);
  g_autoptr (GHashTable) users =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, sums_free);
  g_autoptr (GHashTable) lists =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                           (GDestroyNotify) g_ptr_array_unref);
  Cluster now = {
    .teller = { .readings = self->readings,
                .subjects = self->subjects,
                .cluster = cluster,
                .parent = self->subjects->len,
                .max_names = self->max_names },
    .now_us = self->now_us,
    .answers = answers,
    .partitions = partitions,
    .accounts = accounts,
    .users = users,
    .lists = lists,
  };

  jm_node_tally_init (&now.all.nodes);
  if (jobs != NULL)
    add_jobs (&now, jobs);
  if (nodes != NULL)
    add_nodes (&now, nodes);
  if (partitions_told != NULL)
    add_partitions (&now, partitions_told);

  tell_cluster (&now);
  if (self->targets != NULL)
    jm_cluster_tell_targets (&now.teller, self->targets, self->now_us);
  if (diagnostics != NULL)
    jm_cluster_tell_diagnostics (&now.teller, diagnostics);
  tell_partitions (&now);
  tell_people (&now, JM_SUBJECT_KIND_ACCOUNT, accounts);
  tell_people (&now, JM_SUBJECT_KIND_USER, users);
  if (nodes != NULL)
    tell_nodes (&now, nodes);
  if (shares != NULL || limits != NULL)
    jm_cluster_tell_associations (&now.teller, shares, limits);
  jm_readings_end (self->readings);
  sums_clear (&now.all);
}

JmSnapshot *
jm_cluster_sums_make_snapshot (JmClusterSums *self, gint64 duration_ns)
{
  const JmCollectorSet *collectors =
    JM_COLLECTOR_SET (JM_COLLECTOR_SCHEDULER, JM_COLLECTOR_QUEUE,
                      JM_COLLECTOR_CLUSTER_NODES, JM_COLLECTOR_GRANTS);

  if (self->subjects->len == 0)
    return NULL;

  return jm_snapshot_new (self->now_us, duration_ns, collectors,
                          (const JmSubject *) (const void *) self->subjects->data,
                          self->subjects->len, self->readings);
}
