/* jm-table-scheduler.c: jobs, nodes and shares of a scheduler as rows of a table
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <math.h>

#include "core/jm-quantity-private.h"
#include "report/jm-table-private.h"
#include "schedulers/jm-scheduler-records.h"
#include "schedulers/jm-scheduler-report-private.h"

/* A record as the scheduler has it, and whose it is. */
typedef struct
{
  const char *cluster;
  gconstpointer record;
} Row;

/* One of the text and the number can be had, as the format says. */
typedef struct
{
  JmQuantityId id;
  char *(*make_text) (const Row *row);   /* NULL for none */
  double (*get_number) (const Row *row); /* NAN for none */
} Field;

/* --- of all --- */

static char *
make_cluster (const Row *row)
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
 static char *prefix##_##member (const Row *row)                                       \
 {                                                                                     \
  return g_strdup (((const Record *) row->record)->member);                            \
 }
#define NUMBER_OF(Record, prefix, member, known)                                       \
 static double prefix##_##member (const Row *row)                                      \
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
make_job_state (const Row *row)
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
get_job_cpus (const Row *row)
{
  const JmSchedulerJob *job = row->record;

  return prefer (job->cpus_allocated, job->cpus_requested);
}

static double
get_job_memory (const Row *row)
{
  const JmSchedulerJob *job = row->record;

  return prefer (job->memory_allocated_bytes, job->memory_requested_bytes);
}

static double
get_job_gpus (const Row *row)
{
  const JmSchedulerJob *job = row->record;

  return prefer (job->gpus_allocated, job->gpus_requested);
}

/* Until now, or until it began. */
static double
get_job_wait (const Row *row)
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

static const Field job_fields[] = {
  { JM_QUANTITY_CLUSTER, .make_text = make_cluster },
  { JM_QUANTITY_JOBID, .make_text = job_id },
  { JM_QUANTITY_USER, .make_text = job_user },
  { JM_QUANTITY_ACCOUNT, .make_text = job_account },
  { JM_QUANTITY_PARTITION, .make_text = job_partitions },
  { JM_QUANTITY_QOS, .make_text = job_qos },
  { JM_QUANTITY_STATE, .make_text = make_job_state },
  { JM_QUANTITY_ARRAY_TASKS, .get_number = job_tasks },
  { JM_QUANTITY_NODES, .get_number = job_nodes },
  { JM_QUANTITY_CPUS, .get_number = get_job_cpus },
  { JM_QUANTITY_MEMORY_ALLOCATED, .get_number = get_job_memory },
  { JM_QUANTITY_GPUS_ALLOCATED, .get_number = get_job_gpus },
  { JM_QUANTITY_TIME_LIMIT, .get_number = job_time_limit_seconds },
  { JM_QUANTITY_WAIT, .get_number = get_job_wait },
  { JM_QUANTITY_SUBMIT_TIME, .get_number = job_submit_time },
  { JM_QUANTITY_ELIGIBLE_TIME, .get_number = job_eligible_time },
  { JM_QUANTITY_START_TIME, .get_number = job_start_time },
  { JM_QUANTITY_LATEST_END_TIME, .get_number = job_end_time },
  { JM_QUANTITY_PRIORITY, .get_number = job_priority },
  { JM_QUANTITY_RESERVATION, .make_text = job_reservation },
  { JM_QUANTITY_FEATURES, .make_text = job_features },
  { JM_QUANTITY_NODE_LIST, .make_text = job_node_list },
  { JM_QUANTITY_REASON, .make_text = job_reason },
};

/* --- of nodes --- */

static const char *
get_node_flag (guint flag)
{
  return jm_scheduler_node_flag_get_name ((JmSchedulerNodeFlag) flag);
}

static char *
make_node_state (const Row *row)
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

static const Field node_fields[] = {
  { JM_QUANTITY_CLUSTER, .make_text = make_cluster },
  { JM_QUANTITY_NODE, .make_text = node_name },
  { JM_QUANTITY_PARTITION, .make_text = node_partitions },
  { JM_QUANTITY_STATE, .make_text = make_node_state },
  { JM_QUANTITY_CLUSTER_CPUS, .get_number = node_cpus },
  { JM_QUANTITY_CPUS_ALLOCATED, .get_number = node_cpus_allocated },
  { JM_QUANTITY_CPUS_IDLE, .get_number = node_cpus_idle },
  { JM_QUANTITY_CLUSTER_MEMORY, .get_number = node_memory_bytes },
  { JM_QUANTITY_CLUSTER_ALLOCATED_MEMORY, .get_number = node_memory_allocated_bytes },
  { JM_QUANTITY_CLUSTER_FREE_MEMORY, .get_number = node_memory_free_bytes },
  { JM_QUANTITY_CLUSTER_GPUS, .get_number = node_gpus },
  { JM_QUANTITY_NODE_GPUS_ALLOCATED, .get_number = node_gpus_allocated },
  { JM_QUANTITY_LOAD, .get_number = node_load },
  { JM_QUANTITY_FEATURES, .make_text = node_features },
  { JM_QUANTITY_VERSION, .make_text = node_version },
  { JM_QUANTITY_REASON_TIME, .get_number = node_reason_time },
  { JM_QUANTITY_REASON_USER, .make_text = node_reason_user },
  { JM_QUANTITY_REASON, .make_text = node_reason },
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

static const Field share_fields[] = {
  { JM_QUANTITY_CLUSTER, .make_text = make_cluster },
  { JM_QUANTITY_ACCOUNT, .make_text = share_account },
  { JM_QUANTITY_USER, .make_text = share_user },
  { JM_QUANTITY_PARTITION, .make_text = share_partition },
  { JM_QUANTITY_SHARES, .get_number = share_raw_shares },
  { JM_QUANTITY_SHARES_NORM, .get_number = share_norm_shares },
  { JM_QUANTITY_USAGE, .get_number = share_raw_usage },
  { JM_QUANTITY_USAGE_NORM, .get_number = share_norm_usage },
  { JM_QUANTITY_USAGE_EFFECTIVE, .get_number = share_effective_usage },
  { JM_QUANTITY_FAIRSHARE, .get_number = share_fair_share },
};

/* --- all of them --- */

static GArray *
list_columns (const Field *fields, guint n_fields)
{
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (JmRowColumn));

  for (guint i = 0; i < n_fields; i++)
    {
      const JmRowColumn column = { jm_quantity_get (fields[i].id), &fields[i] };

      g_array_append_val (columns, column);
    }

  return columns;
}

static GArray *
list_job_columns (void)
{
  return list_columns (job_fields, G_N_ELEMENTS (job_fields));
}

static GArray *
list_node_columns (void)
{
  return list_columns (node_fields, G_N_ELEMENTS (node_fields));
}

static GArray *
list_share_columns (void)
{
  return list_columns (share_fields, G_N_ELEMENTS (share_fields));
}

static JmFigure
get_figure (const JmRowColumn *column, gconstpointer row)
{
  const double number = ((const Field *) column->field)->get_number (row);

  return isnan (number) ? (JmFigure){ 0 } : jm_figure_known (number);
}

static char *
get_text (const JmRowColumn *column, gconstpointer row)
{
  return ((const Field *) column->field)->make_text (row);
}

static const JmRowType job_type = { list_job_columns, get_figure, get_text, NULL };
static const JmRowType node_type = { list_node_columns, get_figure, get_text, NULL };
static const JmRowType share_type = { list_share_columns, get_figure, get_text, NULL };

/**
 * jm_table_new_of_scheduler:
 * @topic: %JM_SCHEDULER_TOPIC_JOBS, %JM_SCHEDULER_TOPIC_NODES or
 *   %JM_SCHEDULER_TOPIC_SHARES
 * @columns: names of quantities, with commas between them
 * @error: return location for an error
 *
 * Makes a table of what a scheduler lists now, without rows: see
 * jm_table_add_listed() and jm_table_add_columns().
 *
 * Returns: (transfer full): the table; %NULL where there is no such quantity, with
 *   %JM_ERROR_INVALID
 * Since: 0.1
 */
JmTable *
jm_table_new_of_scheduler (JmSchedulerTopic topic, const char *columns, GError **error)
{
  g_return_val_if_fail (columns != NULL, NULL);

  switch (topic)
    {
    case JM_SCHEDULER_TOPIC_JOBS:
      return jm_table_new (&job_type, columns, error);
    case JM_SCHEDULER_TOPIC_NODES:
      return jm_table_new (&node_type, columns, error);
    case JM_SCHEDULER_TOPIC_SHARES:
      return jm_table_new (&share_type, columns, error);
    case JM_SCHEDULER_TOPIC_PARTITIONS:
    case JM_SCHEDULER_TOPIC_RESERVATIONS:
    case JM_SCHEDULER_TOPIC_LICENSES:
    case JM_SCHEDULER_TOPIC_LIMITS:
    case JM_SCHEDULER_TOPIC_DIAGNOSTICS:
    default:
      g_return_val_if_reached (NULL);
    }
}

/**
 * jm_table_add_listed:
 * @self: a table of what a scheduler lists
 * @report: what the scheduler answered about the table's topic
 * @i: a job, node or share of it
 * @cluster: (nullable): which cluster is the scheduler's
 *
 * Adds a row.
 *
 * Since: 0.1
 */
void
jm_table_add_listed (JmTable *self,
                     JmSchedulerReport *report,
                     guint i,
                     const char *cluster)
{
  const JmRowType *type;
  Row row = { cluster, NULL };

  g_return_if_fail (JM_IS_TABLE (self));
  g_return_if_fail (report != NULL);

  type = jm_table_get_row_type (self);
  if (type == &job_type)
    row.record = jm_scheduler_report_get_job (report, i);
  else if (type == &node_type)
    row.record = jm_scheduler_report_get_node (report, i);
  else if (type == &share_type)
    row.record = jm_scheduler_report_get_share (report, i);
  g_return_if_fail (row.record != NULL);

  jm_table_add (self, &row);
}
