/* jm-queued-run.c: the run of a job in the queue
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/import/jm-job-states-private.h"

#include "core/jm-run-private.h"
#include "core/jm-run-words-private.h"
#include "core/jm-uuid-private.h"

static gboolean
is_waiting (const JmSchedulerJob *job)
{
  return job->state == JM_SCHEDULER_JOB_STATE_PENDING;
}

/* As the accounting spells it. squeue prints COMPLETING in place of how a job ended. */
static char *
make_state (const JmSchedulerJob *job)
{
  const gboolean is_completing =
    job->state == JM_SCHEDULER_JOB_STATE_UNKNOWN &&
    (job->flags & (1u << JM_SCHEDULER_JOB_FLAG_COMPLETING)) != 0;
  const char *word =
    is_completing ? JM_RUN_COMPLETING : jm_scheduler_job_state_get_name (job->state);

  return g_ascii_strup (word, -1);
}

/* Of a task alone: an array that waits has no number of one. */
static void
set_ids (JmRun *run, const JmSchedulerJob *job)
{
  const struct
  {
    JmRunField field;
    gint64 number;
  } ids[] = {
    { JM_RUN_FIELD_ARRAY_JOBID, job->array_job_id },
    { JM_RUN_FIELD_ARRAY_TASKID, job->array_task_id },
    { JM_RUN_FIELD_HET_JOBID, job->het_job_id },
    { JM_RUN_FIELD_HET_OFFSET, job->het_job_offset },
  };

  jm_run_keep_text (run, JM_RUN_FIELD_JOBID, job->id);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    if (ids[i].number >= 0)
      {
        g_autofree char *id = g_strdup_printf ("%" G_GINT64_FORMAT, ids[i].number);

        jm_run_keep_text (run, ids[i].field, id);
      }
}

/* As nodes name the job that have its SLUID. */
static void
set_uuid (JmRun *run, const JmSchedulerJob *job)
{
  g_autofree char *uuid =
    job->sluid != NULL ? jm_uuid_for_unique_id (run->scheduler, job->sluid) : NULL;

  jm_run_keep_text (run, JM_RUN_FIELD_UUID, uuid);
}

static void
set_texts (JmRun *run, const JmSchedulerJob *job)
{
  g_autofree char *state = make_state (job);

  jm_run_keep_text (run, JM_RUN_FIELD_STATE, state);
  jm_run_keep_text (run, JM_RUN_FIELD_REASON, job->reason);
  jm_run_keep_text (run, JM_RUN_FIELD_USER, job->user);
  jm_run_keep_text (run, JM_RUN_FIELD_ACCOUNT, job->account);
  jm_run_keep_text (run, JM_RUN_FIELD_PARTITION, job->partitions);
  jm_run_keep_text (run, JM_RUN_FIELD_QOS, job->qos);
  jm_run_keep_text (run, JM_RUN_FIELD_NAME, job->name);
  jm_run_keep_text (run, JM_RUN_FIELD_NODE_LIST, job->node_list);
}

/* Slurm has a begin of a job that was cancelled while it waited: the time of its end.
 */
static gint64
get_begin (const JmSchedulerJob *job)
{
  return job->state == JM_SCHEDULER_JOB_STATE_CANCELLED &&
             job->start_time == job->end_time
           ? 0
           : job->start_time;
}

/* What is not known is below 0, as with a run, or 0 of a time. */
static void
set_numbers (JmRun *run, const JmSchedulerJob *job, gint64 time_us)
{
  gint64 cpus = job->cpus_allocated >= 0 ? job->cpus_allocated : job->cpus_requested;

  jm_run_keep_number (run, JM_RUN_FIELD_UID, job->uid);
  jm_run_keep_number (run, JM_RUN_FIELD_SUBMIT_TIME, job->submit_time);
  jm_run_keep_number (run, JM_RUN_FIELD_ELIGIBLE_TIME, job->eligible_time);
  jm_run_keep_number (run, JM_RUN_FIELD_TIME_LIMIT, job->time_limit_seconds);
  jm_run_keep_number (run, JM_RUN_FIELD_NODES, job->nodes);
  jm_run_keep_number (run, JM_RUN_FIELD_CPUS, cpus);
  jm_run_keep_number (run, JM_RUN_FIELD_MEMORY_REQUESTED, job->memory_requested_bytes);
  jm_run_keep_number (run, JM_RUN_FIELD_GPUS_REQUESTED, job->gpus_requested);
  if (is_waiting (job))
    return;

  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, get_begin (job));
  if (jm_scheduler_job_state_has_ended (job->state))
    jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, job->end_time);
  else
    jm_run_keep_number (run, JM_RUN_FIELD_SEEN_TIME, time_us / G_USEC_PER_SEC);
  jm_run_keep_number (run, JM_RUN_FIELD_MEMORY_ALLOCATED, job->memory_allocated_bytes);
  jm_run_keep_number (run, JM_RUN_FIELD_GPUS_ALLOCATED, job->gpus_allocated);
}

void
jm_queued_run_fill (JmRun *run, const JmSchedulerJob *job, gint64 time_us)
{
  set_ids (run, job);
  set_uuid (run, job);
  set_texts (run, job);
  set_numbers (run, job, time_us);
}
