/* jmc-cluster-field.c: what is known of a job, a node, a partition or a share
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "cluster/jmc-cluster-rows.h"

#include <math.h>

#include "schedulers/jm-scheduler-records.h"

/* --- of all --- */

static char *
make_cluster (const JmcClusterRow *row)
{
  return g_strdup (row->cluster);
}

/* A count of which -1 stands for none. */
static double
known_count (gint64 value)
{
  return value >= 0 ? (double) value : NAN;
}

/* A moment of which 0 stands for none. */
static double
known_time (gint64 value)
{
  return value > 0 ? (double) value : NAN;
}

static double
known_ratio (double value)
{
  return isfinite (value) ? value : NAN;
}

/* A member of a record, as a function. */
#define TEXT_OF(Record, prefix, member)                                                \
 static char *prefix##_##member (const JmcClusterRow *row)                             \
 {                                                                                     \
  return g_strdup (((const Record *) row->record)->member);                            \
 }
#define NUMBER_OF(Record, prefix, member, known)                                       \
 static double prefix##_##member (const JmcClusterRow *row)                            \
 {                                                                                     \
  return known (((const Record *) row->record)->member);                               \
 }

/* The flags of which the bits are set, and others, behind a state. */
static char *
join_flags (const char *state,
            guint flags,
            guint n_flags,
            const char *(*get_name) (guint flag),
            const char *others)
{
  GString *text = g_string_new (NULL);
  g_autofree char *lower = g_ascii_strdown (state, -1);

  g_string_append (text, lower);
  for (guint i = 0; i < n_flags; i++)
    if (flags & (1u << i))
      {
        g_autofree char *flag = g_ascii_strdown (get_name (i), -1);

        g_string_append_printf (text, "+%s", flag);
      }
  if (others != NULL)
    {
      g_auto (GStrv) words = g_strsplit (others, ",", -1);

      for (char **word = words; *word != NULL; word++)
        g_string_append_printf (text, "+%s", *word);
    }

  return g_string_free (text, FALSE);
}

/* --- of jobs --- */

static const char *
get_job_flag (guint flag)
{
  return jm_scheduler_job_flag_get_name ((JmSchedulerJobFlag) flag);
}

static char *
make_job_state (const JmcClusterRow *row)
{
  const JmSchedulerJob *job = row->record;

  return join_flags (jm_scheduler_job_state_get_name (job->state), job->flags,
                     JM_N_SCHEDULER_JOB_FLAGS, get_job_flag, job->other_flags);
}

static double
prefer (gint64 allocated, gint64 requested)
{
  return known_count (allocated >= 0 ? allocated : requested);
}

static double
get_job_cpus (const JmcClusterRow *row)
{
  const JmSchedulerJob *job = row->record;

  return prefer (job->cpus_allocated, job->cpus_requested);
}

static double
get_job_memory (const JmcClusterRow *row)
{
  const JmSchedulerJob *job = row->record;

  return prefer (job->memory_allocated_bytes, job->memory_requested_bytes);
}

static double
get_job_gpus (const JmcClusterRow *row)
{
  const JmSchedulerJob *job = row->record;

  return prefer (job->gpus_allocated, job->gpus_requested);
}

/* Until now, or until it began. */
static double
get_job_wait (const JmcClusterRow *row)
{
  const JmSchedulerJob *job = row->record;
  gboolean is_pending = job->state == JM_SCHEDULER_JOB_STATE_PENDING;
  gint64 end = is_pending ? g_get_real_time () / G_USEC_PER_SEC : job->start_time;

  if (job->eligible_time <= 0 || end < job->eligible_time)
    return NAN;

  return (double) (end - job->eligible_time);
}

TEXT_OF (JmSchedulerJob, job, id)
TEXT_OF (JmSchedulerJob, job, user)
TEXT_OF (JmSchedulerJob, job, account)
TEXT_OF (JmSchedulerJob, job, partitions)
TEXT_OF (JmSchedulerJob, job, qos)
NUMBER_OF (JmSchedulerJob, job, tasks, known_count)
NUMBER_OF (JmSchedulerJob, job, nodes, known_count)
NUMBER_OF (JmSchedulerJob, job, time_limit_seconds, known_count)
NUMBER_OF (JmSchedulerJob, job, submit_time, known_time)
NUMBER_OF (JmSchedulerJob, job, eligible_time, known_time)
NUMBER_OF (JmSchedulerJob, job, start_time, known_time)
NUMBER_OF (JmSchedulerJob, job, end_time, known_time)
NUMBER_OF (JmSchedulerJob, job, priority, known_count)
TEXT_OF (JmSchedulerJob, job, reservation)
TEXT_OF (JmSchedulerJob, job, features)
TEXT_OF (JmSchedulerJob, job, node_list)
TEXT_OF (JmSchedulerJob, job, reason)

static const JmcClusterField job_fields[] = {
  { JM_QUANTITY_CLUSTER, .is_choice = TRUE, .is_hidden = TRUE,
    .make_text = make_cluster },
  { JM_QUANTITY_JOBID, .is_choice = TRUE, .make_text = job_id },
  { JM_QUANTITY_USER, .is_choice = TRUE, .make_text = job_user },
  { JM_QUANTITY_ACCOUNT, .is_choice = TRUE, .make_text = job_account },
  { JM_QUANTITY_PARTITION, .is_choice = TRUE, .make_text = job_partitions },
  { JM_QUANTITY_QOS, .is_choice = TRUE, .is_hidden = TRUE, .make_text = job_qos },
  { JM_QUANTITY_STATE, .is_choice = TRUE, .make_text = make_job_state },
  { JM_QUANTITY_ARRAY_TASKS, .get_number = job_tasks },
  { JM_QUANTITY_NODES, .get_number = job_nodes },
  { JM_QUANTITY_CPUS, .get_number = get_job_cpus },
  { JM_QUANTITY_MEMORY_ALLOCATED, .get_number = get_job_memory },
  { JM_QUANTITY_GPUS_ALLOCATED, .get_number = get_job_gpus },
  { JM_QUANTITY_TIME_LIMIT, .get_number = job_time_limit_seconds },
  { JM_QUANTITY_WAIT, .get_number = get_job_wait },
  { JM_QUANTITY_SUBMIT_TIME, .is_hidden = TRUE, .get_number = job_submit_time },
  { JM_QUANTITY_ELIGIBLE_TIME, .is_hidden = TRUE, .get_number = job_eligible_time },
  { JM_QUANTITY_START_TIME, .is_hidden = TRUE, .get_number = job_start_time },
  { JM_QUANTITY_LATEST_END_TIME, .is_hidden = TRUE, .get_number = job_end_time },
  { JM_QUANTITY_PRIORITY, .is_hidden = TRUE, .get_number = job_priority },
  { JM_QUANTITY_RESERVATION, .is_hidden = TRUE, .make_text = job_reservation },
  { JM_QUANTITY_FEATURES, .is_hidden = TRUE, .make_text = job_features },
  { JM_QUANTITY_NODE_LIST, .is_hidden = TRUE, .make_text = job_node_list },
  { JM_QUANTITY_REASON, .is_choice = TRUE, .make_text = job_reason },
};

/* --- of nodes --- */

static const char *
get_node_flag (guint flag)
{
  return jm_scheduler_node_flag_get_name ((JmSchedulerNodeFlag) flag);
}

static char *
make_node_state (const JmcClusterRow *row)
{
  const JmSchedulerNode *node = row->record;

  return join_flags (jm_scheduler_node_state_get_name (node->state), node->flags,
                     JM_N_SCHEDULER_NODE_FLAGS, get_node_flag, node->other_flags);
}

TEXT_OF (JmSchedulerNode, node, name)
TEXT_OF (JmSchedulerNode, node, partitions)
NUMBER_OF (JmSchedulerNode, node, cpus, known_count)
NUMBER_OF (JmSchedulerNode, node, cpus_allocated, known_count)
NUMBER_OF (JmSchedulerNode, node, cpus_idle, known_count)
NUMBER_OF (JmSchedulerNode, node, memory_bytes, known_count)
NUMBER_OF (JmSchedulerNode, node, memory_allocated_bytes, known_count)
NUMBER_OF (JmSchedulerNode, node, memory_free_bytes, known_count)
NUMBER_OF (JmSchedulerNode, node, gpus, known_count)
NUMBER_OF (JmSchedulerNode, node, gpus_allocated, known_count)
NUMBER_OF (JmSchedulerNode, node, load, known_ratio)
TEXT_OF (JmSchedulerNode, node, features)
TEXT_OF (JmSchedulerNode, node, version)
NUMBER_OF (JmSchedulerNode, node, reason_time, known_time)
TEXT_OF (JmSchedulerNode, node, reason_user)
TEXT_OF (JmSchedulerNode, node, reason)

static const JmcClusterField node_fields[] = {
  { JM_QUANTITY_CLUSTER, .is_choice = TRUE, .is_hidden = TRUE,
    .make_text = make_cluster },
  { JM_QUANTITY_NODE, .is_choice = TRUE, .make_text = node_name },
  { JM_QUANTITY_PARTITION, .is_choice = TRUE, .make_text = node_partitions },
  { JM_QUANTITY_STATE, .is_choice = TRUE, .make_text = make_node_state },
  { JM_QUANTITY_CLUSTER_CPUS, .get_number = node_cpus },
  { JM_QUANTITY_CPUS_ALLOCATED, .get_number = node_cpus_allocated },
  { JM_QUANTITY_CPUS_IDLE, .get_number = node_cpus_idle },
  { JM_QUANTITY_CLUSTER_MEMORY, .get_number = node_memory_bytes },
  { JM_QUANTITY_CLUSTER_ALLOCATED_MEMORY, .get_number = node_memory_allocated_bytes },
  { JM_QUANTITY_CLUSTER_FREE_MEMORY, .is_hidden = TRUE,
    .get_number = node_memory_free_bytes },
  { JM_QUANTITY_CLUSTER_GPUS, .get_number = node_gpus },
  { JM_QUANTITY_NODE_GPUS_ALLOCATED, .get_number = node_gpus_allocated },
  { JM_QUANTITY_LOAD, .is_hidden = TRUE, .get_number = node_load },
  { JM_QUANTITY_FEATURES, .is_choice = TRUE, .is_hidden = TRUE,
    .make_text = node_features },
  { JM_QUANTITY_VERSION, .is_hidden = TRUE, .make_text = node_version },
  { JM_QUANTITY_REASON_TIME, .get_number = node_reason_time },
  { JM_QUANTITY_REASON_USER, .make_text = node_reason_user },
  { JM_QUANTITY_REASON, .make_text = node_reason },
};

/* --- of partitions --- */

TEXT_OF (JmcPartition, partition, name)
NUMBER_OF (JmcPartition, partition, running, known_ratio)
NUMBER_OF (JmcPartition, partition, pending, known_ratio)
NUMBER_OF (JmcPartition, partition, oldest_pending_seconds, known_ratio)
NUMBER_OF (JmcPartition, partition, nodes, known_ratio)
NUMBER_OF (JmcPartition, partition, nodes_idle, known_ratio)
NUMBER_OF (JmcPartition, partition, cpus_allocated, known_ratio)
NUMBER_OF (JmcPartition, partition, cpus_idle, known_ratio)
NUMBER_OF (JmcPartition, partition, cpus_other, known_ratio)
NUMBER_OF (JmcPartition, partition, memory_bytes, known_ratio)
NUMBER_OF (JmcPartition, partition, memory_allocated_bytes, known_ratio)

static const JmcClusterField partition_fields[] = {
  { JM_QUANTITY_CLUSTER, .is_choice = TRUE, .is_hidden = TRUE,
    .make_text = make_cluster },
  { JM_QUANTITY_PARTITION, .is_choice = TRUE, .make_text = partition_name },
  { JM_QUANTITY_RUNNING_JOBS, .get_number = partition_running },
  { JM_QUANTITY_QUEUE_PENDING_JOBS, .get_number = partition_pending },
  { JM_QUANTITY_QUEUE_OLDEST_PENDING, .get_number = partition_oldest_pending_seconds },
  { JM_QUANTITY_CLUSTER_NODES, .get_number = partition_nodes },
  { JM_QUANTITY_NODES_IDLE, .get_number = partition_nodes_idle },
  { JM_QUANTITY_CPUS_ALLOCATED, .get_number = partition_cpus_allocated },
  { JM_QUANTITY_CPUS_IDLE, .get_number = partition_cpus_idle },
  { JM_QUANTITY_CPUS_OTHER, .get_number = partition_cpus_other },
  { JM_QUANTITY_CLUSTER_MEMORY, .get_number = partition_memory_bytes },
  { JM_QUANTITY_CLUSTER_ALLOCATED_MEMORY,
    .get_number = partition_memory_allocated_bytes },
};

/* --- of shares --- */

TEXT_OF (JmSchedulerShare, share, account)
TEXT_OF (JmSchedulerShare, share, user)
TEXT_OF (JmSchedulerShare, share, partition)
NUMBER_OF (JmSchedulerShare, share, raw_shares, known_count)
NUMBER_OF (JmSchedulerShare, share, norm_shares, known_ratio)
NUMBER_OF (JmSchedulerShare, share, raw_usage, known_ratio)
NUMBER_OF (JmSchedulerShare, share, norm_usage, known_ratio)
NUMBER_OF (JmSchedulerShare, share, effective_usage, known_ratio)
NUMBER_OF (JmSchedulerShare, share, fair_share, known_ratio)

static const JmcClusterField share_fields[] = {
  { JM_QUANTITY_CLUSTER, .is_choice = TRUE, .is_hidden = TRUE,
    .make_text = make_cluster },
  { JM_QUANTITY_ACCOUNT, .is_choice = TRUE, .make_text = share_account },
  { JM_QUANTITY_USER, .is_choice = TRUE, .make_text = share_user },
  { JM_QUANTITY_PARTITION, .is_hidden = TRUE, .make_text = share_partition },
  { JM_QUANTITY_SHARES, .get_number = share_raw_shares },
  { JM_QUANTITY_SHARES_NORM, .get_number = share_norm_shares },
  { JM_QUANTITY_USAGE, .get_number = share_raw_usage },
  { JM_QUANTITY_USAGE_NORM, .get_number = share_norm_usage },
  { JM_QUANTITY_USAGE_EFFECTIVE, .is_hidden = TRUE,
    .get_number = share_effective_usage },
  { JM_QUANTITY_FAIRSHARE, .get_number = share_fair_share },
};

/* --- all of them --- */

const JmcClusterField *
jmc_cluster_field_list_jobs (guint *n)
{
  *n = G_N_ELEMENTS (job_fields);

  return job_fields;
}

const JmcClusterField *
jmc_cluster_field_list_nodes (guint *n)
{
  *n = G_N_ELEMENTS (node_fields);

  return node_fields;
}

const JmcClusterField *
jmc_cluster_field_list_partitions (guint *n)
{
  *n = G_N_ELEMENTS (partition_fields);

  return partition_fields;
}

const JmcClusterField *
jmc_cluster_field_list_shares (guint *n)
{
  *n = G_N_ELEMENTS (share_fields);

  return share_fields;
}

char *
jmc_cluster_field_format (const JmcClusterField *self, const JmcClusterRow *row)
{
  double number;

  if (self->make_text != NULL)
    return self->make_text (row);

  number = self->get_number (row);

  return isnan (number)
           ? NULL
           : jm_format_to_string (jm_quantity_get (self->id)->format, number);
}

char *
jmc_cluster_field_to_string (const JmcClusterField *self, const JmcClusterRow *row)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  double number;

  if (self->make_text != NULL)
    return self->make_text (row);

  number = self->get_number (row);

  return isnan (number) ? NULL : g_strdup (g_ascii_dtostr (text, sizeof text, number));
}
