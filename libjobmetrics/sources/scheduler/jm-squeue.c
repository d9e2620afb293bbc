/* jm-squeue.c: the jobs that squeue lists
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/scheduler/jm-squeue-private.h"

#include "sources/scheduler/jm-slurm-state-private.h"
#include "sources/scheduler/jm-slurm-table-private.h"
#include "sources/scheduler/jm-slurm-tres-private.h"

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
  if (!jm_slurm_is_no_name (text))                                                     \
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
  if (!jm_slurm_is_absent (text))
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
  return jm_slurm_take_value (text, parse, &job_of (job)->field);                      \
 }

NUMBER (array_job, array_job_id, jm_slurm_parse_count)
NUMBER (het_job, het_job_id, jm_slurm_parse_count)
NUMBER (uid, uid, jm_slurm_parse_count)
NUMBER (restarts, restarts, jm_slurm_parse_count)
NUMBER (priority, priority, jm_slurm_parse_count)
NUMBER (time_limit, time_limit_seconds, jm_slurm_parse_duration)
NUMBER (submit_time, submit_time, jm_slurm_parse_time)
NUMBER (eligible_time, eligible_time, jm_slurm_parse_time)
NUMBER (start_time, start_time, jm_slurm_parse_time)
NUMBER (end_time, end_time, jm_slurm_parse_time)

static gboolean
take_raw_id (JmSchedulerReport *report, gpointer job, JmSlice text)
{
  return jm_slurm_take_value (text, jm_slurm_parse_count, &job_of (job)->raw_id) &&
         job_of (job)->raw_id >= 0;
}

/* A job of no array has its own number in the column of the array's. */
static gboolean
take_tasks (JmSchedulerReport *report, gpointer record, JmSlice text)
{
  JmSchedulerJob *job = record;
  guint64 task;
  gboolean has;

  if (jm_slurm_is_absent (text))
    {
      job->array_job_id = -1;
      job->tasks = 1;
      return TRUE;
    }
  if (jm_slurm_parse_count (text, &task, &has) && has)
    job->array_task_id = (gint64) task;

  return jm_slurm_take_value (text, jm_slurm_count_tasks, &job->tasks);
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

/* --- what it has, or asks for as long as it waits --- */

static void
take_gpu_types (JmSchedulerReport *report, JmSchedulerJob *job, const JmSlurmTres *tres)
{
  gboolean is_pending = job->state == JM_SCHEDULER_JOB_STATE_PENDING;

  for (guint i = 0; i < tres->n_types; i++)
    {
      const gint64 count = (gint64) tres->types[i].count;
      const JmSchedulerGpus gpus = {
        .gres = jm_scheduler_report_keep (report, "gpu"),
        .type = jm_scheduler_report_keep_slice (report, tres->types[i].type),
        .total = is_pending ? count : -1,
        .allocated = is_pending ? -1 : count,
      };
      guint place = jm_scheduler_report_add_gpus (report, &gpus);

      if (i == 0)
        job->first_gpus = place;
      job->n_gpus++;
    }
}

/* Who tells its CPUs would tell its GPUs. */
static gint64
count_gpus (const JmSlurmTres *tres)
{
  return tres->has_gpus || tres->has_cpus ? (gint64) tres->gpus : -1;
}

/* The state's column stands before this one's. */
static gboolean
take_tres (JmSchedulerReport *report, gpointer record, JmSlice text)
{
  JmSchedulerJob *job = record;
  gboolean is_pending = job->state == JM_SCHEDULER_JOB_STATE_PENDING;
  gint64 *cpus = is_pending ? &job->cpus_requested : &job->cpus_allocated;
  gint64 *memory =
    is_pending ? &job->memory_requested_bytes : &job->memory_allocated_bytes;
  gint64 *gpus = is_pending ? &job->gpus_requested : &job->gpus_allocated;
  JmSlurmTres tres;

  if (!jm_slurm_parse_tres (text, &tres) || tres.cpus > G_MAXINT64 ||
      tres.memory_bytes > G_MAXINT64 || tres.nodes > G_MAXINT64)
    return FALSE;

  *cpus = tres.has_cpus ? (gint64) tres.cpus : -1;
  *memory = tres.has_memory ? (gint64) tres.memory_bytes : -1;
  *gpus = count_gpus (&tres);
  job->nodes = tres.has_nodes ? (gint64) tres.nodes : -1;
  take_gpu_types (report, job, &tres);

  return TRUE;
}

/* --- the line --- */

/* No name and no comment: users may put line ends into them, which squeue prints as
 * they are, so that what stands behind one would be another job. */
static const JmSlurmColumn columns[] = {
  { "JobArrayID", take_id },
  { "JobID", take_raw_id },
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
};

char *
jm_squeue_make_format (void)
{
  return jm_slurm_table_make_format (columns, G_N_ELEMENTS (columns));
}

gboolean
jm_squeue_parse_line (const char *line, gsize length, JmSchedulerReport *report)
{
  const JmSlice text = { line, length };
  JmSchedulerJob *job;

  if (jm_scheduler_report_get_n_jobs (report) >= JOBS_MAX)
    {
      jm_scheduler_report_complain (report, "squeue: too many jobs");
      return FALSE;
    }

  job = jm_scheduler_report_append_job (report);
  if (jm_slurm_table_parse (columns, G_N_ELEMENTS (columns), text, report, job,
                            "squeue"))
    return TRUE;

  jm_scheduler_report_drop_job (report);

  return FALSE;
}
