/* jmc-cluster-field.c: what is known of a job, a node, a partition or a share
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "cluster/jmc-cluster-field.h"

#include <math.h>

#include "sources/scheduler/jm-scheduler-state.h"

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

static double
known_percent (double part)
{
  return isfinite (part) ? part * 100 : NAN;
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
  { .name = "cluster",
    .title = "CLUSTER",
    .help = "The cluster",
    .format = JM_FORMAT_TEXT,
    .option = 'C',
    .is_hidden = TRUE,
    .make_text = make_cluster },
  { .name = "jobid",
    .title = "JOBID",
    .help = "The job, as users see it",
    .format = JM_FORMAT_TEXT,
    .option = 'j',
    .make_text = job_id },
  { .name = "user",
    .title = "USER",
    .help = "Whose it is",
    .format = JM_FORMAT_TEXT,
    .option = 'u',
    .make_text = job_user },
  { .name = "account",
    .title = "ACCOUNT",
    .help = "What is charged",
    .format = JM_FORMAT_TEXT,
    .option = 'A',
    .make_text = job_account },
  { .name = "partition",
    .title = "PARTITION",
    .help = "Where it runs, or may",
    .format = JM_FORMAT_TEXT,
    .option = 'p',
    .make_text = job_partitions },
  { .name = "qos",
    .title = "QOS",
    .help = "Quality of service",
    .format = JM_FORMAT_TEXT,
    .option = 'q',
    .is_hidden = TRUE,
    .make_text = job_qos },
  { .name = "state",
    .title = "STATE",
    .help = "What it does, and its flags",
    .format = JM_FORMAT_TEXT,
    .option = 't',
    .make_text = make_job_state },
  { .name = "tasks",
    .title = "TASKS",
    .help = "Jobs that one line stands for: tasks of an array that wait",
    .format = JM_FORMAT_COUNT,
    .get_number = job_tasks },
  { .name = "nodes",
    .title = "NODES",
    .help = "Nodes that it has or asks for",
    .format = JM_FORMAT_COUNT,
    .get_number = job_nodes },
  { .name = "cpus",
    .title = "CPUS",
    .help = "CPUs that it has, or asks for",
    .format = JM_FORMAT_COUNT,
    .get_number = get_job_cpus },
  { .name = "memory",
    .title = "MEMORY",
    .help = "Memory that it has, or asks for",
    .format = JM_FORMAT_BYTES,
    .get_number = get_job_memory },
  { .name = "gpus",
    .title = "GPUS",
    .help = "GPUs that it has, or asks for",
    .format = JM_FORMAT_COUNT,
    .get_number = get_job_gpus },
  { .name = "limit",
    .title = "LIMIT",
    .help = "How long it may run",
    .format = JM_FORMAT_DURATION,
    .get_number = job_time_limit_seconds },
  { .name = "wait",
    .title = "WAIT",
    .help = "How long it has waited since it could have begun",
    .format = JM_FORMAT_DURATION,
    .get_number = get_job_wait },
  { .name = "submitted",
    .title = "SUBMITTED",
    .help = "When it came",
    .format = JM_FORMAT_TIME,
    .is_hidden = TRUE,
    .get_number = job_submit_time },
  { .name = "eligible",
    .title = "ELIGIBLE",
    .help = "Since when it might run",
    .format = JM_FORMAT_TIME,
    .is_hidden = TRUE,
    .get_number = job_eligible_time },
  { .name = "start",
    .title = "START",
    .help = "When it began, or is expected to",
    .format = JM_FORMAT_TIME,
    .is_hidden = TRUE,
    .get_number = job_start_time },
  { .name = "end",
    .title = "END",
    .help = "When it has to be over",
    .format = JM_FORMAT_TIME,
    .is_hidden = TRUE,
    .get_number = job_end_time },
  { .name = "priority",
    .title = "PRIORITY",
    .help = "The scheduler's",
    .format = JM_FORMAT_COUNT,
    .is_hidden = TRUE,
    .get_number = job_priority },
  { .name = "reservation",
    .title = "RESERVATION",
    .help = "That it is in",
    .format = JM_FORMAT_TEXT,
    .is_hidden = TRUE,
    .make_text = job_reservation },
  { .name = "features",
    .title = "FEATURES",
    .help = "That it asks for",
    .format = JM_FORMAT_TEXT,
    .is_hidden = TRUE,
    .make_text = job_features },
  { .name = "node_list",
    .title = "NODELIST",
    .help = "Its nodes",
    .format = JM_FORMAT_TEXT,
    .is_hidden = TRUE,
    .make_text = job_node_list },
  { .name = "reason",
    .title = "REASON",
    .help = "Why it waits",
    .format = JM_FORMAT_TEXT,
    .option = 'r',
    .make_text = job_reason },
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
  { .name = "cluster",
    .title = "CLUSTER",
    .help = "The cluster",
    .format = JM_FORMAT_TEXT,
    .option = 'C',
    .is_hidden = TRUE,
    .make_text = make_cluster },
  { .name = "node",
    .title = "NODE",
    .help = "Its name",
    .format = JM_FORMAT_TEXT,
    .option = 'n',
    .make_text = node_name },
  { .name = "partition",
    .title = "PARTITION",
    .help = "What it is in",
    .format = JM_FORMAT_TEXT,
    .option = 'p',
    .make_text = node_partitions },
  { .name = "state",
    .title = "STATE",
    .help = "What it does, and its flags",
    .format = JM_FORMAT_TEXT,
    .option = 't',
    .make_text = make_node_state },
  { .name = "cpus",
    .title = "CPUS",
    .help = "CPUs that jobs may have",
    .format = JM_FORMAT_COUNT,
    .get_number = node_cpus },
  { .name = "cpus_allocated",
    .title = "USED",
    .help = "CPUs that jobs have",
    .format = JM_FORMAT_COUNT,
    .get_number = node_cpus_allocated },
  { .name = "cpus_idle",
    .title = "IDLE",
    .help = "CPUs that a job could have now",
    .format = JM_FORMAT_COUNT,
    .get_number = node_cpus_idle },
  { .name = "memory",
    .title = "MEMORY",
    .help = "Memory that jobs may have",
    .format = JM_FORMAT_BYTES,
    .get_number = node_memory_bytes },
  { .name = "memory_allocated",
    .title = "MEMUSED",
    .help = "Memory that jobs have",
    .format = JM_FORMAT_BYTES,
    .get_number = node_memory_allocated_bytes },
  { .name = "memory_free",
    .title = "MEMFREE",
    .help = "Memory that the kernel has left",
    .format = JM_FORMAT_BYTES,
    .is_hidden = TRUE,
    .get_number = node_memory_free_bytes },
  { .name = "gpus",
    .title = "GPUS",
    .help = "GPUs that it has",
    .format = JM_FORMAT_COUNT,
    .get_number = node_gpus },
  { .name = "gpus_allocated",
    .title = "GPUSED",
    .help = "GPUs that jobs have",
    .format = JM_FORMAT_COUNT,
    .get_number = node_gpus_allocated },
  { .name = "load",
    .title = "LOAD",
    .help = "Load average",
    .format = JM_FORMAT_COUNT,
    .is_hidden = TRUE,
    .get_number = node_load },
  { .name = "features",
    .title = "FEATURES",
    .help = "That are active now",
    .format = JM_FORMAT_TEXT,
    .option = 'f',
    .is_hidden = TRUE,
    .make_text = node_features },
  { .name = "version",
    .title = "VERSION",
    .help = "Of the scheduler's daemon on it",
    .format = JM_FORMAT_TEXT,
    .is_hidden = TRUE,
    .make_text = node_version },
  { .name = "reason_time",
    .title = "SINCE",
    .help = "Since when it is drained or down",
    .format = JM_FORMAT_TIME,
    .get_number = node_reason_time },
  { .name = "reason_user",
    .title = "BY",
    .help = "Who drained it",
    .format = JM_FORMAT_TEXT,
    .make_text = node_reason_user },
  { .name = "reason",
    .title = "REASON",
    .help = "Why it is drained or down",
    .format = JM_FORMAT_TEXT,
    .make_text = node_reason },
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
  { .name = "cluster",
    .title = "CLUSTER",
    .help = "The cluster",
    .format = JM_FORMAT_TEXT,
    .option = 'C',
    .is_hidden = TRUE,
    .make_text = make_cluster },
  { .name = "partition",
    .title = "PARTITION",
    .help = "Its name",
    .format = JM_FORMAT_TEXT,
    .option = 'p',
    .make_text = partition_name },
  { .name = "running",
    .title = "RUNNING",
    .help = "Jobs that run",
    .format = JM_FORMAT_COUNT,
    .get_number = partition_running },
  { .name = "pending",
    .title = "PENDING",
    .help = "Jobs that wait",
    .format = JM_FORMAT_COUNT,
    .get_number = partition_pending },
  { .name = "oldest",
    .title = "OLDEST",
    .help = "How long the oldest of them has waited since it could have begun",
    .format = JM_FORMAT_DURATION,
    .get_number = partition_oldest_pending_seconds },
  { .name = "nodes",
    .title = "NODES",
    .help = "Its nodes",
    .format = JM_FORMAT_COUNT,
    .get_number = partition_nodes },
  { .name = "nodes_idle",
    .title = "IDLE",
    .help = "Nodes without a job",
    .format = JM_FORMAT_COUNT,
    .get_number = partition_nodes_idle },
  { .name = "cpus_allocated",
    .title = "CPUSED",
    .help = "CPUs that jobs have",
    .format = JM_FORMAT_COUNT,
    .get_number = partition_cpus_allocated },
  { .name = "cpus_idle",
    .title = "CPUIDLE",
    .help = "CPUs that a job could have now",
    .format = JM_FORMAT_COUNT,
    .get_number = partition_cpus_idle },
  { .name = "cpus_other",
    .title = "CPUAWAY",
    .help = "CPUs of nodes that are drained or down",
    .format = JM_FORMAT_COUNT,
    .get_number = partition_cpus_other },
  { .name = "memory",
    .title = "MEMORY",
    .help = "Memory that jobs may have",
    .format = JM_FORMAT_BYTES,
    .get_number = partition_memory_bytes },
  { .name = "memory_allocated",
    .title = "MEMUSED",
    .help = "Memory that jobs have",
    .format = JM_FORMAT_BYTES,
    .get_number = partition_memory_allocated_bytes },
};

/* --- of shares --- */

TEXT_OF (JmSchedulerShare, share, account)
TEXT_OF (JmSchedulerShare, share, user)
TEXT_OF (JmSchedulerShare, share, partition)
NUMBER_OF (JmSchedulerShare, share, raw_shares, known_count)
NUMBER_OF (JmSchedulerShare, share, norm_shares, known_percent)
NUMBER_OF (JmSchedulerShare, share, raw_usage, known_ratio)
NUMBER_OF (JmSchedulerShare, share, norm_usage, known_percent)
NUMBER_OF (JmSchedulerShare, share, effective_usage, known_percent)
NUMBER_OF (JmSchedulerShare, share, fair_share, known_percent)

static const JmcClusterField share_fields[] = {
  { .name = "cluster",
    .title = "CLUSTER",
    .help = "The cluster",
    .format = JM_FORMAT_TEXT,
    .option = 'C',
    .is_hidden = TRUE,
    .make_text = make_cluster },
  { .name = "account",
    .title = "ACCOUNT",
    .help = "The account",
    .format = JM_FORMAT_TEXT,
    .option = 'A',
    .make_text = share_account },
  { .name = "user",
    .title = "USER",
    .help = "The user; none of the account as a whole",
    .format = JM_FORMAT_TEXT,
    .option = 'u',
    .make_text = share_user },
  { .name = "partition",
    .title = "PARTITION",
    .help = "For jobs of this partition alone",
    .format = JM_FORMAT_TEXT,
    .is_hidden = TRUE,
    .make_text = share_partition },
  { .name = "raw_shares",
    .title = "SHARES",
    .help = "As they were given out",
    .format = JM_FORMAT_COUNT,
    .get_number = share_raw_shares },
  { .name = "norm_shares",
    .title = "OF ALL",
    .help = "The part of the whole that was given, in per cent",
    .format = JM_FORMAT_PERCENT,
    .get_number = share_norm_shares },
  { .name = "raw_usage",
    .title = "USED",
    .help = "CPU time, weighed and decayed",
    .format = JM_FORMAT_DURATION,
    .get_number = share_raw_usage },
  { .name = "norm_usage",
    .title = "OF ALL USED",
    .help = "The part of the whole that was used, in per cent",
    .format = JM_FORMAT_PERCENT,
    .get_number = share_norm_usage },
  { .name = "effective_usage",
    .title = "EFFECTIVE",
    .help = "The same as the priority has it, in per cent",
    .format = JM_FORMAT_PERCENT,
    .is_hidden = TRUE,
    .get_number = share_effective_usage },
  { .name = "fair_share",
    .title = "FAIRSHARE",
    .help = "0 for nothing left, to 1, in per cent",
    .format = JM_FORMAT_PERCENT,
    .get_number = share_fair_share },
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

  return isnan (number) ? NULL : jm_format_to_string (self->format, number);
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
