/* jm-squeue.c: the jobs that squeue lists
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/scheduler/jm-squeue-private.h"

#include "sources/scheduler/jm-slurm-table-private.h"
#include "sources/scheduler/jm-slurm-tres-private.h"

static JmSchedulerJob *
job_of (gpointer record)
{
  return record;
}

/* --- words --- */

#define WORD(field)                                                                    \
 static gboolean take_##field (JmSchedulerReport *report, gpointer job, JmSlice text)  \
 {                                                                                     \
  if (!jm_slurm_is_absent (text))                                                      \
   job_of (job)->field = jm_scheduler_report_intern (report, text);                    \
  return TRUE;                                                                         \
 }

WORD (user)
WORD (account)
WORD (qos)
WORD (partitions)
WORD (reservation)
WORD (reason)
WORD (nodes)
WORD (features)
WORD (licenses)

static gboolean
take_id (JmSchedulerReport *report, gpointer job, JmSlice text)
{
  job_of (job)->id = jm_scheduler_report_keep (report, text);

  return job_of (job)->id != NULL;
}

/* --- numbers --- */

static gboolean
take_known (gpointer job, JmSlice text, guint64 *value, JmSchedulerJobKnown bit)
{
  gboolean has;

  if (!jm_slurm_parse_count (text, value, &has))
    return FALSE;
  if (has)
    job_of (job)->known |= bit;

  return TRUE;
}

static gboolean
take_raw_id (JmSchedulerReport *report, gpointer job, JmSlice text)
{
  gboolean has;

  return jm_slurm_parse_count (text, &job_of (job)->raw_id, &has) && has;
}

static gboolean
take_array_job (JmSchedulerReport *report, gpointer job, JmSlice text)
{
  gboolean has;

  return jm_slurm_parse_count (text, &job_of (job)->array_job, &has);
}

static gboolean
take_het_job (JmSchedulerReport *report, gpointer job, JmSlice text)
{
  gboolean has;

  return jm_slurm_parse_count (text, &job_of (job)->het_job, &has);
}

/* Of a job that is no part of an array the other column has the job's own number. */
static gboolean
take_tasks (JmSchedulerReport *report, gpointer job, JmSlice text)
{
  gboolean has;

  if (!jm_slurm_count_tasks (text, &job_of (job)->n_tasks, &has))
    return FALSE;
  if (!has)
    {
      job_of (job)->n_tasks = 1;
      job_of (job)->array_job = 0;
    }

  return TRUE;
}

static gboolean
take_uid (JmSchedulerReport *report, gpointer job, JmSlice text)
{
  guint64 uid = 0;

  if (!take_known (job, text, &uid, JM_SCHEDULER_JOB_HAS_UID) || uid > G_MAXUINT32)
    return FALSE;
  job_of (job)->uid = (guint) uid;

  return TRUE;
}

static gboolean
take_restarts (JmSchedulerReport *report, gpointer job, JmSlice text)
{
  guint64 restarts = 0;

  if (!take_known (job, text, &restarts, JM_SCHEDULER_JOB_HAS_RESTARTS) ||
      restarts > G_MAXUINT32)
    return FALSE;
  job_of (job)->restarts = (guint) restarts;

  return TRUE;
}

static gboolean
take_priority (JmSchedulerReport *report, gpointer job, JmSlice text)
{
  return take_known (job, text, &job_of (job)->priority, JM_SCHEDULER_JOB_HAS_PRIORITY);
}

static gboolean
take_time_limit (JmSchedulerReport *report, gpointer job, JmSlice text)
{
  gboolean has;

  if (!jm_slurm_parse_duration (text, &job_of (job)->time_limit_seconds, &has))
    return FALSE;
  if (has)
    job_of (job)->known |= JM_SCHEDULER_JOB_HAS_TIME_LIMIT;

  return TRUE;
}

#define TIME(field)                                                                    \
 static gboolean take_##field (JmSchedulerReport *report, gpointer job, JmSlice text)  \
 {                                                                                     \
  gboolean has;                                                                        \
  return jm_slurm_parse_time (text, &job_of (job)->field, &has);                       \
 }

TIME (submit_time)
TIME (eligible_time)
TIME (start_time)
TIME (end_time)

static gboolean
take_state (JmSchedulerReport *report, gpointer job, JmSlice text)
{
  JmSlice flag;

  if (!jm_job_state_parse (text, &job_of (job)->state, &flag))
    return FALSE;
  job_of (job)->flag = jm_scheduler_report_intern (report, flag);

  return TRUE;
}

/* --- what it has, or asks for --- */

static void
take_gpu_types (JmSchedulerReport *report, JmSchedulerJob *job, const JmSlurmTres *tres)
{
  job->n_gpu_types = tres->n_types;
  for (guint i = 0; i < tres->n_types; i++)
    {
      guint place =
        jm_scheduler_report_add_gpus (report,
                                      jm_scheduler_report_intern (report,
                                                                  tres->types[i].type),
                                      0, tres->types[i].count);

      if (i == 0)
        job->first_gpu_type = place;
    }
}

static gboolean
take_tres (JmSchedulerReport *report, gpointer record, JmSlice text)
{
  JmSchedulerJob *job = record;
  JmSlurmTres tres;

  if (!jm_slurm_parse_tres (text, &tres))
    return FALSE;

  job->cpus = tres.cpus;
  job->memory_bytes = tres.memory_bytes;
  job->n_nodes = tres.nodes;
  job->gpus = tres.gpus;
  if (tres.has_cpus)
    job->known |= JM_SCHEDULER_JOB_HAS_CPUS;
  if (tres.has_memory)
    job->known |= JM_SCHEDULER_JOB_HAS_MEMORY;
  if (tres.has_nodes)
    job->known |= JM_SCHEDULER_JOB_HAS_NODES;
  /* who tells its CPUs would tell its GPUs */
  if (tres.has_gpus || tres.has_cpus)
    job->known |= JM_SCHEDULER_JOB_HAS_GPUS;
  take_gpu_types (report, job, &tres);

  return TRUE;
}

/* --- the line --- */

/* ArrayTaskID corrects what ArrayJobID said, and stands behind it. No name and no
 * comment: users may put line ends into them, which squeue prints as they are, so that
 * what stands behind one would be another job. */
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
  JmSchedulerJob *job = jm_scheduler_report_add_job (report);

  if (job == NULL)
    {
      jm_scheduler_report_complain (report, "squeue: too many jobs", text);
      return FALSE;
    }
  if (jm_slurm_table_parse (columns, G_N_ELEMENTS (columns), text, report, job,
                            "squeue"))
    return TRUE;

  jm_scheduler_report_drop_last_job (report);

  return FALSE;
}
