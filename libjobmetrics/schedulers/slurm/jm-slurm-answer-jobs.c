/* jm-slurm-answer-jobs.c: the jobs that slurmrestd lists
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/slurm/jm-slurm-answer-private.h"

#include <string.h>

#include "schedulers/slurm/jm-slurm-resources-private.h"
#include "schedulers/slurm/jm-slurm-state-private.h"

typedef struct
{
  JmSchedulerJob job;
  const char *states;
  const char *description;
  const char *requested;
  const char *allocated;
  const char *tasks; /* of an array that wait */
} Draft;

#define JOB(name, kind, member)                                                        \
 {                                                                                     \
  name, kind, G_STRUCT_OFFSET (Draft, job.member)                                      \
 }

/* Its tres_..._str have what job_resources has in each release in another way. */
static const JmSlurmField fields[] = {
  JOB ("job_id", JM_SLURM_COUNT, raw_id),
  JOB ("step_id.sluid", JM_SLURM_TEXT, sluid),
  JOB ("array_job_id", JM_SLURM_COUNT, array_job_id),
  JOB ("array_task_id", JM_SLURM_COUNT, array_task_id),
  { "array_task_string", JM_SLURM_TEXT, G_STRUCT_OFFSET (Draft, tasks) },
  JOB ("het_job_id", JM_SLURM_COUNT, het_job_id),
  JOB ("het_job_offset", JM_SLURM_COUNT, het_job_offset),
  JOB ("user_name", JM_SLURM_TEXT, user),
  JOB ("user_id", JM_SLURM_COUNT, uid),
  JOB ("account", JM_SLURM_TEXT, account),
  JOB ("qos", JM_SLURM_TEXT, qos),
  JOB ("partition", JM_SLURM_TEXT, partitions),
  JOB ("name", JM_SLURM_ANY_TEXT, name),
  { "job_state", JM_SLURM_WORDS, G_STRUCT_OFFSET (Draft, states) },
  JOB ("state_reason", JM_SLURM_TEXT, reason),
  { "state_description", JM_SLURM_TEXT, G_STRUCT_OFFSET (Draft, description) },
  JOB ("resv_name", JM_SLURM_TEXT, reservation),
  { "tres_req_str", JM_SLURM_TEXT, G_STRUCT_OFFSET (Draft, requested) },
  { "tres_alloc_str", JM_SLURM_TEXT, G_STRUCT_OFFSET (Draft, allocated) },
  JOB ("submit_time", JM_SLURM_TIME, submit_time),
  JOB ("eligible_time", JM_SLURM_TIME, eligible_time),
  JOB ("start_time", JM_SLURM_TIME, start_time),
  JOB ("end_time", JM_SLURM_TIME, end_time),
  JOB ("time_limit", JM_SLURM_MINUTES, time_limit_seconds),
  JOB ("priority", JM_SLURM_COUNT, priority),
  JOB ("nodes", JM_SLURM_TEXT, node_list),
  JOB ("features", JM_SLURM_TEXT, features),
  JOB ("licenses", JM_SLURM_TEXT, licenses),
  JOB ("restart_cnt", JM_SLURM_COUNT, restarts),
};

static void
begin (gpointer draft)
{
  jm_scheduler_job_init (&((Draft *) draft)->job);
}

static JmSlice
slice_of (const char *text)
{
  return (JmSlice){ text != NULL ? text : "", text != NULL ? strlen (text) : 0 };
}

/* A job of no array, or not heterogeneous, has a 0 there. */
static void
set_membership (Draft *self)
{
  JmSchedulerJob *job = &self->job;

  if (job->array_job_id <= 0)
    {
      job->array_job_id = -1;
      job->array_task_id = -1;
    }
  if (job->het_job_id <= 0)
    {
      job->het_job_id = -1;
      job->het_job_offset = -1;
    }
  job->tasks = self->tasks != NULL ? -1 : 1;
}

/* As users see it. */
static void
set_id (Draft *self, JmSchedulerReport *report)
{
  JmSchedulerJob *job = &self->job;
  g_autofree char *id = NULL;

  if (job->array_job_id >= 0 && self->tasks != NULL)
    id = g_strdup_printf ("%" G_GINT64_FORMAT "_[%s]", job->array_job_id, self->tasks);
  else if (job->array_job_id >= 0 && job->array_task_id >= 0)
    id = g_strdup_printf ("%" G_GINT64_FORMAT "_%" G_GINT64_FORMAT, job->array_job_id,
                          job->array_task_id);
  else if (job->het_job_id >= 0 && job->het_job_offset >= 0)
    id = g_strdup_printf ("%" G_GINT64_FORMAT "+%" G_GINT64_FORMAT, job->het_job_id,
                          job->het_job_offset);
  else
    id = g_strdup_printf ("%" G_GINT64_FORMAT, job->raw_id);
  job->id = jm_scheduler_report_keep_once (report, slice_of (id));
}

static gboolean
set_state (Draft *self, JmSchedulerReport *report)
{
  g_autoptr (GString) other = g_string_new (NULL);

  if (!jm_slurm_parse_job_states (slice_of (self->states), &self->job.state,
                                  &self->job.flags, other))
    return FALSE;
  self->job.other_flags = jm_scheduler_report_keep (report, other->str);
  /* squeue prints the longer of the two, too */
  self->job.reason = jm_slurm_keep_reason (self->job.state, self->description != NULL
                                                              ? self->description
                                                              : self->job.reason);

  return TRUE;
}

static void
set_resources (Draft *self, JmSchedulerReport *report)
{
  jm_slurm_take_job_tres (report, &self->job, "tres_req_str",
                          slice_of (self->requested), TRUE);
  if (self->job.state != JM_SCHEDULER_JOB_STATE_PENDING)
    jm_slurm_take_job_tres (report, &self->job, "tres_alloc_str",
                            slice_of (self->allocated), FALSE);
}

static void
end (JmSlurmAnswer *answer, gpointer data)
{
  Draft *self = data;
  JmSchedulerReport *report = jm_slurm_answer_get_report (answer);

  if (self->job.raw_id < 0)
    {
      jm_scheduler_report_pass_over (report, "a job without job_id");
      return;
    }

  set_membership (self);
  set_id (self, report);
  if (!set_state (self, report))
    jm_scheduler_report_complain (report, "job_state: a job without a state");
  set_resources (self, report);
  if (self->tasks != NULL &&
      !jm_scheduler_take_value (slice_of (self->tasks), jm_scheduler_count_tasks,
                                &self->job.tasks))
    jm_scheduler_report_complain (report, "array_task_string: not understood");
  jm_scheduler_report_add_job (report, &self->job);
}

const JmSlurmShape jm_slurm_jobs_shape = {
  .records = "jobs",
  .draft_size = sizeof (Draft),
  .fields = fields,
  .n_fields = G_N_ELEMENTS (fields),
  .begin = begin,
  .end = end,
};
