/* jm-squeue.c: the jobs that squeue lists
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/slurm/jm-slurm-output-private.h"

#include "schedulers/slurm/jm-slurm-resources-private.h"
#include "schedulers/slurm/jm-slurm-state-private.h"

#define JOBS_MAX 2000000

static JmSchedulerJob *
job_of (gpointer record)
{
  return record;
}

/* --- words --- */

#define WORD(column, field)                                                            \
 static gboolean take_##column (JmSchedulerReport *report, gpointer job, JmSlice text) \
 {                                                                                     \
  if (!jm_scheduler_is_no_name (text))                                                 \
   job_of (job)->field = jm_scheduler_report_keep_slice (report, text);                \
  return TRUE;                                                                         \
 }

WORD (user, user)
WORD (account, account)
WORD (qos, qos)
WORD (partitions, partitions)
WORD (reservation, reservation)
WORD (nodes, node_list)
WORD (features, features)
WORD (licenses, licenses)

static gboolean
take_reason (JmSchedulerReport *report, gpointer job, JmSlice text)
{
  if (!jm_scheduler_is_no_name (text))
    job_of (job)->reason = jm_scheduler_report_keep_slice (report, text);

  return TRUE;
}

static gboolean
take_id (JmSchedulerReport *report, gpointer job, JmSlice text)
{
  job_of (job)->id = jm_scheduler_report_keep_once (report, text);

  return job_of (job)->id != NULL;
}

/* --- numbers --- */

#define NUMBER(column, field, parse)                                                   \
 static gboolean take_##column (JmSchedulerReport *report, gpointer job, JmSlice text) \
 {                                                                                     \
  return jm_scheduler_take_value (text, parse, &job_of (job)->field);                  \
 }

NUMBER (array_job, array_job_id, jm_scheduler_parse_count)
NUMBER (het_job, het_job_id, jm_scheduler_parse_count)
NUMBER (uid, uid, jm_scheduler_parse_count)
NUMBER (restarts, restarts, jm_scheduler_parse_count)
NUMBER (priority, priority, jm_scheduler_parse_count)
NUMBER (time_limit, time_limit_seconds, jm_scheduler_parse_duration)
NUMBER (submit_time, submit_time, jm_scheduler_parse_time)
NUMBER (eligible_time, eligible_time, jm_scheduler_parse_time)
NUMBER (start_time, start_time, jm_scheduler_parse_time)
NUMBER (end_time, end_time, jm_scheduler_parse_time)

static gboolean
take_raw_id (JmSchedulerReport *report, gpointer job, JmSlice text)
{
  return jm_scheduler_take_value (text, jm_scheduler_parse_count,
                                  &job_of (job)->raw_id) &&
         job_of (job)->raw_id >= 0;
}

/* A job of no array has its own number in the column of the array's. */
static gboolean
take_tasks (JmSchedulerReport *report, gpointer record, JmSlice text)
{
  JmSchedulerJob *job = record;
  guint64 task;
  gboolean has;

  if (jm_scheduler_is_absent (text))
    {
      job->array_job_id = -1;
      job->tasks = 1;
      return TRUE;
    }
  if (jm_scheduler_parse_count (text, &task, &has) && has)
    job->array_task_id = (gint64) task;

  /* of a list that cannot be read, such as one that ends in dots */
  job->tasks = -1;
  return jm_scheduler_take_value (text, jm_scheduler_count_tasks, &job->tasks);
}

static gboolean
take_state (JmSchedulerReport *report, gpointer job, JmSlice text)
{
  g_autoptr (GString) other = g_string_new (NULL);

  if (!jm_slurm_parse_job_state (text, &job_of (job)->state, &job_of (job)->flags,
                                 other))
    return FALSE;
  job_of (job)->other_flags = jm_scheduler_report_keep (report, other->str);

  return TRUE;
}

/* The state's column stands before this one's. */
static gboolean
take_tres (JmSchedulerReport *report, gpointer record, JmSlice text)
{
  JmSchedulerJob *job = record;

  jm_slurm_take_job_tres (report, job, "squeue: tres-alloc", text,
                          job->state == JM_SCHEDULER_JOB_STATE_PENDING);

  return TRUE;
}

/* Whatever a user calls it: `N/A`, too. squeue prints `(null)` where there is none. */
static gboolean
take_name (JmSchedulerReport *report, gpointer job, JmSlice text)
{
  if (text.length > 0 && !jm_slice_equal (text, "(null)"))
    job_of (job)->name = jm_scheduler_report_keep_slice (report, text);

  return TRUE;
}

/* --- the row --- */

static const JmSlurmColumn columns[] = {
  { "JobArrayID", take_id, .is_key = TRUE },
  { "JobID", take_raw_id, .is_key = TRUE },
  { "ArrayJobID", take_array_job },
  { "ArrayTaskID", take_tasks },
  { "HetJobID", take_het_job },
  { "UserName", take_user },
  { "UserID", take_uid },
  { "Account", take_account },
  { "QOS", take_qos },
  { "Partition", take_partitions },
  { "State", take_state },
  { "Reason", take_reason },
  { "Reservation", take_reservation },
  { "tres-alloc", take_tres },
  { "SubmitTime", take_submit_time },
  { "EligibleTime", take_eligible_time },
  { "StartTime", take_start_time },
  { "EndTime", take_end_time },
  { "TimeLimit", take_time_limit },
  { "PriorityLong", take_priority },
  { "NodeList", take_nodes },
  { "Feature", take_features },
  { "Licenses", take_licenses },
  { "RestartCnt", take_restarts },
  { "Name", take_name },
};

const JmSlurmTable jm_squeue_table = { "squeue", columns, G_N_ELEMENTS (columns),
                                       .may_lack_last = TRUE };

gboolean
jm_squeue_take_row (const char *separator, JmSlice row, JmSchedulerReport *report)
{
  JmSchedulerJob *job;

  if (jm_scheduler_report_get_n_jobs (report) >= JOBS_MAX)
    {
      jm_scheduler_report_pass_over (report, "squeue: too many jobs");
      return FALSE;
    }

  job = jm_scheduler_report_append_job (report);
  if (jm_slurm_table_parse (&jm_squeue_table, separator, row, report, job))
    {
      job->reason = jm_slurm_keep_reason (job->state, job->reason);
      return TRUE;
    }

  jm_scheduler_report_drop_job (report);

  return FALSE;
}
