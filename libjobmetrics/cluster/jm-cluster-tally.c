/* jm-cluster-tally.c: sums over the jobs and the nodes of a cluster
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "cluster/jm-cluster-tally-private.h"

#include <string.h>

#include "cluster/jm-cluster-node-word-private.h"
#include "schedulers/jm-scheduler-report-private.h"

static const struct
{
  const char *seconds;
  guint64 us;
} waits[JM_N_CLUSTER_WAITS] = {
#define WAIT(seconds)                                                                  \
 {                                                                                     \
#  seconds, seconds##LLU *G_USEC_PER_SEC                                               \
 }
  WAIT (0),     WAIT (60),     WAIT (600),    WAIT (3600),    WAIT (21600),
  WAIT (86400), WAIT (259200), WAIT (604800), WAIT (2592000),
#undef WAIT
};
static const char *const cpu_states[] = { "allocated", "idle", "other" };
/* Of the types of GPUs of jobs. */
enum
{
  REQUESTED,
  ALLOCATED,
  N_HELD
};
/* Of features. */
enum
{
  FEATURE_JOBS,
  FEATURE_CPUS,
  FEATURE_MEMORY,
  N_FEATURE_COUNTS
};
/* Of the words for nodes. */
enum
{
  WORD_NODES,
  WORD_CPUS,
  WORD_ALLOCATED_CPUS,
  WORD_ALLOCATED_MEMORY,
  N_WORD_COUNTS
};
static const char *const gpu_states[JM_N_CLUSTER_GPU_STATES] = { "allocated", "idle",
                                                                 "unusable" };

/* --- words --- */

gboolean
jm_cluster_take_word (const char **list, const char **word, gsize *length)
{
  const char *text = *list;

  if (text == NULL)
    return FALSE;

  *word = text;
  *length = strcspn (text, ",");
  *list = text[*length] == ',' ? text + *length + 1 : NULL;

  return TRUE;
}

/* The names of the bits of @flags, and the words of @others, each once. */
static char **
list_flags (guint flags,
            guint n_flags,
            const char *(*get_name) (guint flag),
            const char *others)
{
  GPtrArray *list = g_ptr_array_new ();
  const char *word;
  gsize length;

  for (guint i = 0; i < n_flags; i++)
    if ((flags & (1u << i)) != 0)
      g_ptr_array_add (list, g_ascii_strdown (get_name (i), -1));
  while (jm_cluster_take_word (&others, &word, &length))
    {
      g_autofree char *lower = g_ascii_strdown (word, (gssize) length);

      if (length > 0 &&
          !g_ptr_array_find_with_equal_func (list, lower, g_str_equal, NULL))
        g_ptr_array_add (list, g_steal_pointer (&lower));
    }
  g_ptr_array_add (list, NULL);

  return (char **) g_ptr_array_free (list, FALSE);
}

static const char *
get_job_flag_name (guint flag)
{
  return jm_scheduler_job_flag_get_name (flag);
}

static const char *
get_node_flag_name (guint flag)
{
  return jm_scheduler_node_flag_get_name (flag);
}

char **
jm_cluster_list_node_flags (const JmSchedulerNode *node)
{
  return list_flags (node->flags, JM_N_SCHEDULER_NODE_FLAGS, get_node_flag_name,
                     node->other_flags);
}

/* Of each word there are @n counts. */
static guint64 *
take_counts (GHashTable **counts, const char *word, gsize length, guint n)
{
  g_autofree char *key = g_strndup (word, length);
  guint64 *found;

  if (*counts == NULL)
    *counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  found = g_hash_table_lookup (*counts, key);
  if (found != NULL)
    return found;

  if (g_hash_table_size (*counts) >= JM_CLUSTER_WORDS_MAX &&
      !g_str_equal (key, JM_CLUSTER_OTHER))
    return take_counts (counts, JM_CLUSTER_OTHER, strlen (JM_CLUSTER_OTHER), n);
  found = g_new0 (guint64, n);
  g_hash_table_insert (*counts, g_steal_pointer (&key), found);

  return found;
}

static guint64 *
take_count (GHashTable **counts, const char *word, gsize length)
{
  return take_counts (counts, word, length, 1);
}

/* One that nobody named is JM_CLUSTER_NONE. */
static guint64 *
take_type (GHashTable **counts, const char *type, guint n)
{
  if (type == NULL)
    type = JM_CLUSTER_NONE;

  return take_counts (counts, type, strlen (type), n);
}

/* In the order of their names: that of a hash table is another in each round. */
static GList *
list_words (GHashTable *counts)
{
  return counts != NULL
           ? g_list_sort (g_hash_table_get_keys (counts), (GCompareFunc) strcmp)
           : NULL;
}

static void
tell (JmReadings *readings, JmMetric metric, const char *word, guint64 value)
{
  g_autoptr (JmLabels) labels = jm_labels_of (word, NULL);

  jm_readings_add_labelled (readings, metric, labels, value);
}

static void
tell_pair (JmReadings *readings,
           JmMetric metric,
           const char *word,
           const char *state,
           guint64 value)
{
  g_autoptr (JmLabels) labels = jm_labels_of (word, state, NULL);

  jm_readings_add_labelled (readings, metric, labels, value);
}

static void
tell_lower (JmReadings *readings, JmMetric metric, const char *word, guint64 value)
{
  g_autofree char *lower = g_ascii_strdown (word, -1);

  tell (readings, metric, lower, value);
}

static void
tell_counts (JmReadings *readings, JmMetric metric, GHashTable *counts, guint number)
{
  g_autoptr (GList) words = list_words (counts);

  for (GList *i = words; i != NULL; i = i->next)
    tell (readings, metric, i->data,
          ((const guint64 *) g_hash_table_lookup (counts, i->data))[number]);
}

/* --- jobs --- */

void
jm_queue_tally_clear (JmQueueTally *self)
{
  g_clear_pointer (&self->gpus, g_hash_table_unref);
  g_clear_pointer (&self->flags, g_hash_table_unref);
  g_clear_pointer (&self->reasons, g_hash_table_unref);
  g_clear_pointer (&self->features, g_hash_table_unref);
}

/* What is not known is left out. */
static guint64
get_told (gint64 value)
{
  return (guint64) MAX (value, 0);
}

static guint64
get_tasks (const JmSchedulerJob *job)
{
  return job->tasks > 0 ? (guint64) job->tasks : 1;
}

/* A scheduler may report any number: sums stop at the largest. */
static void
add (guint64 *sum, guint64 value, guint64 times)
{
  if (!g_uint64_checked_mul (&value, value, times) ||
      !g_uint64_checked_add (sum, *sum, value))
    *sum = G_MAXUINT64;
}

static void
add_requested (guint64 *sums, const JmSchedulerJob *job)
{
  guint64 n_tasks = get_tasks (job);

  add (&sums[JM_CLUSTER_CPUS], get_told (job->cpus_requested), n_tasks);
  add (&sums[JM_CLUSTER_MEMORY], get_told (job->memory_requested_bytes), n_tasks);
  add (&sums[JM_CLUSTER_GPUS], get_told (job->gpus_requested), n_tasks);
}

static void
add_allocated (guint64 *sums, const JmSchedulerJob *job)
{
  add (&sums[JM_CLUSTER_CPUS], get_told (job->cpus_allocated), 1);
  add (&sums[JM_CLUSTER_MEMORY], get_told (job->memory_allocated_bytes), 1);
  add (&sums[JM_CLUSTER_GPUS], get_told (job->gpus_allocated), 1);
}

/* Of @n_all GPUs of each of the tasks; those of which no type is known are the rest. */
static void
add_types (JmQueueTally *self,
           JmSchedulerReport *report,
           const JmSchedulerJob *job,
           guint held,
           gint64 n_all)
{
  guint64 n_tasks = held == REQUESTED ? get_tasks (job) : 1;
  guint64 rest = get_told (n_all);

  for (guint i = 0; i < job->n_gpus; i++)
    {
      const JmSchedulerGpus *gpus =
        jm_scheduler_report_get_gpus (report, job->first_gpus + i);
      guint64 n = get_told (held == REQUESTED ? gpus->total : gpus->allocated);

      if (n == 0 || gpus->type == NULL || g_strcmp0 (gpus->gres, "gpu") != 0)
        continue;
      add (&take_type (&self->gpus, gpus->type, N_HELD)[held], n, n_tasks);
      rest -= MIN (rest, n);
    }
  if (rest > 0)
    add (&take_type (&self->gpus, NULL, N_HELD)[held], rest, n_tasks);
}

static void
add_feature (JmQueueTally *self,
             const JmSchedulerJob *job,
             const char *name,
             gsize size)
{
  guint64 *counts = take_counts (&self->features, name, size, N_FEATURE_COUNTS);

  add (&counts[FEATURE_JOBS], get_tasks (job), 1);
  if (job->state == JM_SCHEDULER_JOB_STATE_PENDING)
    return;
  add (&counts[FEATURE_CPUS], get_told (job->cpus_allocated), 1);
  add (&counts[FEATURE_MEMORY], get_told (job->memory_allocated_bytes), 1);
}

static void
add_features (JmQueueTally *self, const JmSchedulerJob *job)
{
  const char *rest = job->features;

  if (job->sum_of != JM_SCHEDULER_SUM_NONE ||
      jm_scheduler_job_state_has_ended (job->state))
    return;
  if (rest == NULL || *rest == '\0')
    rest = JM_CLUSTER_NONE;
  for (;;)
    {
      gsize length = strcspn (rest, "&");

      add_feature (self, job, rest, length);
      if (rest[length] == '\0')
        return;
      rest += length + 1;
    }
}

/* Since it was eligible; that is not known of one that is held or waits for another. */
static void
add_wait (JmQueueTally *self, const JmSchedulerJob *job, gint64 now_us)
{
  gint64 now_s = now_us / G_USEC_PER_SEC;
  guint64 wait_us;

  if (job->eligible_time <= 0 || job->eligible_time > now_s)
    return;

  wait_us = (guint64) (now_s - job->eligible_time) * G_USEC_PER_SEC;
  self->n_eligible += get_tasks (job);
  add (&self->pending_us, wait_us, get_tasks (job));
  self->oldest_us = MAX (self->oldest_us, wait_us);
  for (guint i = 0; i < JM_N_CLUSTER_WAITS && wait_us >= waits[i].us; i++)
    self->waiting[i] += get_tasks (job);
}

static gboolean
has_flags (const JmSchedulerJob *job)
{
  return job->flags != 0 || job->other_flags != NULL;
}

static void
note_sum (JmQueueTally *self, const JmSchedulerJob *job)
{
  self->has_sums = TRUE;
  self->is_told[JM_CLUSTER_CPUS] |= job->cpus_allocated >= 0;
  self->is_told[JM_CLUSTER_MEMORY] |= job->memory_allocated_bytes >= 0;
  self->is_told[JM_CLUSTER_GPUS] |= job->gpus_allocated >= 0;
}

gsize
jm_cluster_measure_reason (const char *reason)
{
  const char *nodes = strstr (reason, "UnavailableNodes:");
  gsize length = nodes != NULL ? (gsize) (nodes - reason) : strlen (reason);

  while (length > 0 && strchr (", _", reason[length - 1]) != NULL)
    length--;

  return length > 0 ? length : strcspn (reason, ":");
}

void
jm_queue_tally_add (JmQueueTally *self,
                    JmSchedulerReport *report,
                    const JmSchedulerJob *job,
                    gboolean has_words,
                    gint64 now_us)
{
  if (job->sum_of != JM_SCHEDULER_SUM_NONE)
    note_sum (self, job);
  if (job->sum_of == JM_SCHEDULER_SUM_NONE || !has_flags (job))
    self->jobs[job->state] += get_tasks (job);
  if (has_words && has_flags (job))
    {
      g_auto (GStrv) flags = list_flags (job->flags, JM_N_SCHEDULER_JOB_FLAGS,
                                         get_job_flag_name, job->other_flags);

      for (char **flag = flags; *flag != NULL; flag++)
        *take_count (&self->flags, *flag, strlen (*flag)) += get_tasks (job);
    }

  if (has_words)
    add_features (self, job);
  if (job->state == JM_SCHEDULER_JOB_STATE_RUNNING)
    {
      add_allocated (self->allocated, job);
      add_types (self, report, job, ALLOCATED, job->gpus_allocated);
    }
  if (job->state == JM_SCHEDULER_JOB_STATE_SUSPENDED)
    add_allocated (self->suspended, job);
  if (job->state != JM_SCHEDULER_JOB_STATE_PENDING)
    return;

  add_requested (self->requested, job);
  add_types (self, report, job, REQUESTED, job->gpus_requested);
  add_wait (self, job, now_us);
  if (has_words && job->reason != NULL)
    *take_count (&self->reasons, job->reason,
                 jm_cluster_measure_reason (job->reason)) += get_tasks (job);
}

static void
unite_counts (GHashTable **counts, GHashTable *other, guint n)
{
  GHashTableIter iter;
  gpointer word, count;

  if (other == NULL)
    return;

  g_hash_table_iter_init (&iter, other);
  while (g_hash_table_iter_next (&iter, &word, &count))
    {
      guint64 *sums = take_counts (counts, word, strlen (word), n);

      for (guint i = 0; i < n; i++)
        add (&sums[i], ((const guint64 *) count)[i], 1);
    }
}

void
jm_queue_tally_unite (JmQueueTally *self, const JmQueueTally *other)
{
  for (guint i = 0; i < JM_N_SCHEDULER_JOB_STATES; i++)
    self->jobs[i] += other->jobs[i];
  for (guint i = 0; i < JM_N_CLUSTER_RESOURCES; i++)
    {
      add (&self->requested[i], other->requested[i], 1);
      add (&self->allocated[i], other->allocated[i], 1);
      add (&self->suspended[i], other->suspended[i], 1);
    }
  for (guint i = 0; i < JM_N_CLUSTER_WAITS; i++)
    self->waiting[i] += other->waiting[i];
  self->n_eligible += other->n_eligible;
  add (&self->pending_us, other->pending_us, 1);
  self->oldest_us = MAX (self->oldest_us, other->oldest_us);
  self->has_sums |= other->has_sums;
  for (guint i = 0; i < JM_N_CLUSTER_RESOURCES; i++)
    self->is_told[i] |= other->is_told[i];
  unite_counts (&self->gpus, other->gpus, N_HELD);
  unite_counts (&self->flags, other->flags, 1);
  unite_counts (&self->reasons, other->reasons, 1);
  unite_counts (&self->features, other->features, N_FEATURE_COUNTS);
}

/* In the order of JmClusterResource. */
static const JmMetric requested_metrics[JM_N_CLUSTER_RESOURCES] = {
  JM_METRIC_QUEUE_REQUESTED_CPUS,
  JM_METRIC_QUEUE_REQUESTED_MEMORY,
  JM_METRIC_QUEUE_REQUESTED_GPUS,
};
static const JmMetric allocated_metrics[JM_N_CLUSTER_RESOURCES] = {
  JM_METRIC_QUEUE_ALLOCATED_CPUS,
  JM_METRIC_QUEUE_ALLOCATED_MEMORY,
  JM_METRIC_QUEUE_ALLOCATED_GPUS,
};
static const JmMetric suspended_metrics[JM_N_CLUSTER_RESOURCES] = {
  JM_METRIC_QUEUE_SUSPENDED_CPUS,
  JM_METRIC_QUEUE_SUSPENDED_MEMORY,
  JM_METRIC_QUEUE_SUSPENDED_GPUS,
};

/* Sums leave out what is not known: it is not zero. */
static void
tell_resources (const JmQueueTally *self, JmReadings *readings)
{
  for (guint i = 0; i < JM_N_CLUSTER_RESOURCES; i++)
    {
      if (!self->has_sums)
        {
          jm_readings_add (readings, requested_metrics[i], self->requested[i]);
          jm_readings_add (readings, suspended_metrics[i], self->suspended[i]);
        }
      if (!self->has_sums || self->is_told[i])
        jm_readings_add (readings, allocated_metrics[i], self->allocated[i]);
    }
  if (self->has_sums)
    return;

  tell_counts (readings, JM_METRIC_QUEUE_REQUESTED_GPUS_BY_TYPE, self->gpus, REQUESTED);
  tell_counts (readings, JM_METRIC_QUEUE_ALLOCATED_GPUS_BY_TYPE, self->gpus, ALLOCATED);
}

/* That there is none of a state that nobody asked for is not known. */
static gboolean
is_asked_for (JmSchedulerReport *report, JmSchedulerJobState state)
{
  return !jm_scheduler_job_state_has_ended (state) ||
         !jm_scheduler_report_lacks_ended_jobs (report);
}

void
jm_queue_tally_tell (const JmQueueTally *self,
                     JmSchedulerReport *report,
                     gboolean has_words,
                     JmReadings *readings)
{
  for (JmSchedulerJobState i = 0; i < JM_N_SCHEDULER_JOB_STATES; i++)
    if (self->jobs[i] > 0 || is_asked_for (report, i))
      tell_lower (readings, JM_METRIC_QUEUE_JOBS, jm_scheduler_job_state_get_name (i),
                  self->jobs[i]);
  if (has_words)
    {
      tell_counts (readings, JM_METRIC_QUEUE_FLAGGED_JOBS, self->flags, 0);
      tell_counts (readings, JM_METRIC_QUEUE_PENDING_JOBS, self->reasons, 0);
      tell_counts (readings, JM_METRIC_QUEUE_FEATURE_JOBS, self->features,
                   FEATURE_JOBS);
      tell_counts (readings, JM_METRIC_QUEUE_FEATURE_CPUS, self->features,
                   FEATURE_CPUS);
      tell_counts (readings, JM_METRIC_QUEUE_FEATURE_MEMORY, self->features,
                   FEATURE_MEMORY);
    }
  for (guint i = 0; has_words && !self->has_sums && i < JM_N_CLUSTER_WAITS; i++)
    tell (readings, JM_METRIC_QUEUE_WAITING_JOBS, waits[i].seconds, self->waiting[i]);
  tell_resources (self, readings);
  if (self->n_eligible == 0)
    return;

  jm_readings_add (readings, JM_METRIC_QUEUE_OLDEST_PENDING, self->oldest_us);
  jm_readings_add (readings, JM_METRIC_QUEUE_MEAN_PENDING,
                   self->pending_us / self->n_eligible);
}

/* --- nodes --- */

void
jm_node_tally_init (JmNodeTally *self)
{
  *self = (JmNodeTally){ .cpus = { -1, -1, -1 },
                         .memory_bytes = -1,
                         .memory_allocated_bytes = -1,
                         .memory_free_bytes = -1,
                         .load_ppm = -1,
                         .weight = -1 };
}

void
jm_node_tally_clear (JmNodeTally *self)
{
  g_clear_pointer (&self->words, g_hash_table_unref);
  g_clear_pointer (&self->flags, g_hash_table_unref);
  g_clear_pointer (&self->gpus, g_hash_table_unref);
  g_clear_pointer (&self->shares, g_hash_table_unref);
}

static void
add_told (gint64 *sum, gint64 value)
{
  if (value >= 0)
    *sum = *sum > G_MAXINT64 - value ? G_MAXINT64 : MAX (*sum, 0) + value;
}

/* What is idle and cannot be had. */
static gboolean
is_unusable (const JmSchedulerNode *node)
{
  const guint lost =
    1u << JM_SCHEDULER_NODE_FLAG_DRAIN | 1u << JM_SCHEDULER_NODE_FLAG_NOT_RESPONDING;

  return node->state == JM_SCHEDULER_NODE_STATE_DOWN ||
         node->state == JM_SCHEDULER_NODE_STATE_ERROR || (node->flags & lost) != 0 ||
         node->cpus_idle == 0;
}

static void
add_gpus (JmNodeTally *self, const JmSchedulerGpus *gpus, gboolean is_lost)
{
  guint64 n_total = get_told (gpus->total);
  guint64 n_allocated = MIN (get_told (gpus->allocated), n_total);
  guint64 *counts;

  /* the number of idle ones is unknown */
  if (gpus->total < 0 || gpus->allocated < 0)
    return;

  /* shards and the like are parts of the same devices */
  if (g_strcmp0 (gpus->gres, "gpu") == 0)
    counts = take_type (&self->gpus, gpus->type, JM_N_CLUSTER_GPU_STATES);
  else
    counts = take_type (&self->shares, gpus->gres, JM_N_CLUSTER_GPU_STATES);

  add (&counts[JM_CLUSTER_GPU_ALLOCATED], n_allocated, 1);
  add (&counts[is_lost ? JM_CLUSTER_GPU_UNUSABLE : JM_CLUSTER_GPU_IDLE],
       n_total - n_allocated, 1);
}

void
jm_node_tally_add (JmNodeTally *self,
                   JmSchedulerReport *report,
                   const JmSchedulerNode *node)
{
  gboolean is_lost = is_unusable (node);
  g_autofree char *word = jm_cluster_node_word_make (node);
  g_auto (GStrv) flags = jm_cluster_list_node_flags (node);
  guint64 *counts = take_counts (&self->words, word, strlen (word), N_WORD_COUNTS);

  self->nodes[node->state]++;
  counts[WORD_NODES]++;
  add (&counts[WORD_CPUS], get_told (node->cpus), 1);
  add (&counts[WORD_ALLOCATED_CPUS], get_told (node->cpus_allocated), 1);
  add (&counts[WORD_ALLOCATED_MEMORY], get_told (node->memory_allocated_bytes), 1);
  for (char **flag = flags; *flag != NULL; flag++)
    *take_count (&self->flags, *flag, strlen (*flag)) += 1;
  add_told (&self->cpus[0], node->cpus_allocated);
  add_told (&self->cpus[1], node->cpus_idle);
  add_told (&self->cpus[2], node->cpus_other);
  add_told (&self->memory_bytes, node->memory_bytes);
  add_told (&self->memory_allocated_bytes, node->memory_allocated_bytes);
  add_told (&self->memory_free_bytes, node->memory_free_bytes);
  add_told (&self->weight, node->weight);
  if (node->load >= 0 && node->load < JM_CLUSTER_LOAD_MAX)
    add_told (&self->load_ppm, (gint64) (node->load * 1e6 + 0.5));
  for (guint i = 0; i < node->n_gpus; i++)
    add_gpus (self, jm_scheduler_report_get_gpus (report, node->first_gpus + i),
              is_lost);
}

static void
tell_gpus (GHashTable *gpus, JmMetric metric, JmReadings *readings)
{
  g_autoptr (GList) types = list_words (gpus);

  for (GList *i = types; i != NULL; i = i->next)
    for (guint j = 0; j < JM_N_CLUSTER_GPU_STATES; j++)
      tell_pair (readings, metric, i->data, gpu_states[j],
                 ((const guint64 *) g_hash_table_lookup (gpus, i->data))[j]);
}

static void
tell_told (JmReadings *readings, JmMetric metric, gint64 value)
{
  if (value >= 0)
    jm_readings_add (readings, metric, (guint64) value);
}

/* Exports every state of sinfo, with 0 where no node has it. */
static void
tell_sinfo_words (const JmNodeTally *self, JmReadings *readings)
{
  for (const char *const *word = jm_cluster_node_word_list (); *word != NULL; word++)
    if (self->words == NULL || !g_hash_table_contains (self->words, *word))
      tell (readings, JM_METRIC_CLUSTER_SINFO_NODES, *word, 0);
  tell_counts (readings, JM_METRIC_CLUSTER_SINFO_NODES, self->words, WORD_NODES);
  tell_counts (readings, JM_METRIC_CLUSTER_SINFO_CPUS, self->words, WORD_CPUS);
  if (self->cpus[0] >= 0)
    tell_counts (readings, JM_METRIC_CLUSTER_SINFO_ALLOCATED_CPUS, self->words,
                 WORD_ALLOCATED_CPUS);
  if (self->memory_allocated_bytes >= 0)
    tell_counts (readings, JM_METRIC_CLUSTER_SINFO_ALLOCATED_MEMORY, self->words,
                 WORD_ALLOCATED_MEMORY);
  tell_told (readings, JM_METRIC_CLUSTER_LOAD, self->load_ppm);
  tell_told (readings, JM_METRIC_CLUSTER_WEIGHT, self->weight);
}

static void
tell_node_sums (const JmSchedulerNodeSums *sums, JmReadings *readings)
{
  for (JmSchedulerNodeState i = 0; i < JM_N_SCHEDULER_NODE_STATES; i++)
    if (sums->states[i] >= 0)
      tell_lower (readings, JM_METRIC_CLUSTER_NODES,
                  jm_scheduler_node_state_get_name (i), (guint64) sums->states[i]);
  for (JmSchedulerNodeFlag i = 0; i < JM_N_SCHEDULER_NODE_FLAGS; i++)
    if (sums->flags[i] > 0)
      tell_lower (readings, JM_METRIC_CLUSTER_FLAGGED_NODES,
                  jm_scheduler_node_flag_get_name (i), (guint64) sums->flags[i]);
}

void
jm_node_tally_tell (const JmNodeTally *self,
                    gboolean is_one,
                    const JmSchedulerNodeSums *sums,
                    JmReadings *readings)
{
  if (!is_one && sums != NULL)
    tell_node_sums (sums, readings);
  else if (!is_one)
    {
      for (JmSchedulerNodeState i = 0; i < JM_N_SCHEDULER_NODE_STATES; i++)
        tell_lower (readings, JM_METRIC_CLUSTER_NODES,
                    jm_scheduler_node_state_get_name (i), self->nodes[i]);
      tell_counts (readings, JM_METRIC_CLUSTER_FLAGGED_NODES, self->flags, 0);
      tell_sinfo_words (self, readings);
    }
  for (guint i = 0; i < G_N_ELEMENTS (cpu_states); i++)
    if (self->cpus[i] >= 0)
      tell (readings, JM_METRIC_CLUSTER_CPUS, cpu_states[i], (guint64) self->cpus[i]);
  tell_told (readings, JM_METRIC_CLUSTER_MEMORY, self->memory_bytes);
  tell_told (readings, JM_METRIC_CLUSTER_ALLOCATED_MEMORY,
             self->memory_allocated_bytes);
  tell_told (readings, JM_METRIC_CLUSTER_FREE_MEMORY, self->memory_free_bytes);
  tell_gpus (self->gpus, JM_METRIC_CLUSTER_GPUS, readings);
  tell_gpus (self->shares, JM_METRIC_CLUSTER_GPU_SHARES, readings);
}

static void
tell_reserved_gpus (JmReadings *readings,
                    const char *reservation,
                    const char *type,
                    const guint64 *counts)
{
  for (guint i = 0; i < JM_N_CLUSTER_GPU_STATES; i++)
    {
      g_autoptr (JmLabels) labels =
        jm_labels_of (reservation, type, gpu_states[i], NULL);

      jm_readings_add_labelled (readings, JM_METRIC_CLUSTER_GPUS_BY_RESERVATION, labels,
                                counts[i]);
    }
}

void
jm_node_tally_tell_reserved (const JmNodeTally *self,
                             const char *reservation,
                             JmReadings *readings)
{
  g_autoptr (GList) types = list_words (self->gpus);
  g_autoptr (GList) states = list_words (self->words);

  for (guint i = 0; i < G_N_ELEMENTS (cpu_states); i++)
    if (self->cpus[i] >= 0)
      tell_pair (readings, JM_METRIC_CLUSTER_CPUS_BY_RESERVATION, reservation,
                 cpu_states[i], (guint64) self->cpus[i]);
  for (GList *i = types; i != NULL; i = i->next)
    tell_reserved_gpus (readings, reservation, i->data,
                        g_hash_table_lookup (self->gpus, i->data));
  for (GList *i = states; i != NULL; i = i->next)
    tell_pair (readings, JM_METRIC_CLUSTER_NODES_BY_RESERVATION, reservation, i->data,
               *(const guint64 *) g_hash_table_lookup (self->words, i->data));
}
