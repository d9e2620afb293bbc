/* jm-gridengine-jobs.c: the jobs that qstat lists
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/gridengine/jm-gridengine-answers-private.h"

#include <math.h>

#include "schedulers/gridengine/jm-gridengine-value-private.h"
#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/jm-scheduler-value-private.h"

#define JOBS_MAX 2000000
#define QUEUES_MAX 4096
#define PRIORITY_MAX 1e9
/* qstat prints so many digits behind the point. */
#define PRIORITY_UNITS 100000

typedef gboolean (*Take) (JmGridengineJobs *self, const char *name, JmSlice text);

/* --- who it is --- */

static gboolean
take_number (JmGridengineJobs *self, const char *name, JmSlice text)
{
  return jm_gridengine_parse_count (text, &self->job.raw_id);
}

/* Grid Engine 8 writes %lt; for a `<`. */
static gboolean
take_name (JmGridengineJobs *self, const char *name, JmSlice text)
{
  GString *fixed = g_string_new_len (text.text, (gssize) text.length);

  g_string_replace (fixed, "%lt;", "<", 0);
  self->job.name =
    jm_scheduler_report_keep_once (self->report, (JmSlice){ fixed->str, fixed->len });
  g_string_free (fixed, TRUE);

  return TRUE;
}

static gboolean
take_owner (JmGridengineJobs *self, const char *name, JmSlice text)
{
  self->job.user = jm_scheduler_report_keep_slice (self->report, text);

  return TRUE;
}

static gboolean
take_project (JmGridengineJobs *self, const char *name, JmSlice text)
{
  if (text.length > 0)
    self->job.account = jm_scheduler_report_keep_slice (self->report, text);

  return TRUE;
}

/* Whom no department was made for is in the default one. */
static gboolean
take_department (JmGridengineJobs *self, const char *name, JmSlice text)
{
  if (self->job.account == NULL && !jm_slice_equal (text, "defaultdepartment"))
    self->job.account = jm_scheduler_report_keep_slice (self->report, text);

  return TRUE;
}

/* `3` of a task that runs, `4-10:3` or `2,5,7` of those that wait. */
static gboolean
take_tasks (JmGridengineJobs *self, const char *name, JmSlice text)
{
  gint64 task;

  if (text.length == 0)
    return TRUE;
  if (!jm_scheduler_take_value (text, jm_scheduler_count_tasks, &self->job.tasks))
    return FALSE;

  self->job.id = jm_scheduler_report_keep_once (self->report, text);
  if (jm_gridengine_parse_count (text, &task))
    self->job.array_task_id = task;

  return TRUE;
}

/* --- what it does --- */

static gboolean
take_state (JmGridengineJobs *self, const char *name, JmSlice text)
{
  g_autoptr (GString) other = g_string_new (NULL);
  JmSchedulerJobState state;
  guint flags = self->job.flags;
  const char *reason;

  if (!jm_gridengine_parse_job_state (text, &state, &flags, other, &reason))
    return FALSE;
  self->job.state = state;
  self->job.flags = flags;
  self->job.other_flags = jm_scheduler_report_keep (self->report, other->str);
  self->job.reason = jm_scheduler_report_keep (self->report, reason);

  return TRUE;
}

static gboolean
take_priority (JmGridengineJobs *self, const char *name, JmSlice text)
{
  double priority;

  if (!jm_gridengine_parse_real (text, &priority) || priority > PRIORITY_MAX)
    return FALSE;
  self->job.priority = (gint64) round (priority * PRIORITY_UNITS);

  return TRUE;
}

static gboolean
take_submission (JmGridengineJobs *self, const char *name, JmSlice text)
{
  return jm_gridengine_parse_time (text, &self->job.submit_time);
}

static gboolean
take_start (JmGridengineJobs *self, const char *name, JmSlice text)
{
  return jm_gridengine_parse_time (text, &self->job.start_time);
}

/* --- where, and with what --- */

/* `all.q@node1`, nothing of a job that waits. */
static gboolean
take_queue (JmGridengineJobs *self, const char *name, JmSlice text)
{
  const char *at = memchr (text.text, '@', text.length);
  gsize length = at != NULL ? (gsize) (at - text.text) : text.length;

  if (length > 0)
    self->job.partitions =
      jm_scheduler_report_keep_slice (self->report, (JmSlice){ text.text, length });
  if (at != NULL)
    self->job.node_list =
      jm_scheduler_report_keep_slice (self->report,
                                      (JmSlice){ at + 1, text.length - length - 1 });

  return TRUE;
}

static gboolean
take_requested_queue (JmGridengineJobs *self, const char *name, JmSlice text)
{
  if (self->queues->len + text.length > QUEUES_MAX)
    return FALSE;
  if (self->queues->len > 0)
    g_string_append_c (self->queues, ',');
  g_string_append_len (self->queues, text.text, (gssize) text.length);

  return TRUE;
}

static gboolean
take_slots (JmGridengineJobs *self, const char *name, JmSlice text)
{
  gint64 slots;

  if (!jm_gridengine_parse_count (text, &slots) || slots == 0)
    return FALSE;
  self->slots = slots;

  return TRUE;
}

/* Which resource has the memory, where a job asks for several: the last. */
static guint
rank_of_memory (const char *name)
{
  static const char *const names[] = { "virtual_free", "mem_free", "m_mem_free",
                                       "h_rss",        "h_vmem",   NULL };

  for (guint i = 0; names[i] != NULL; i++)
    if (strcmp (names[i], name) == 0)
      return i + 1;

  return 0;
}

static gboolean
is_gpus (const char *name)
{
  static const char *const names[] = { "gpu", "gpus", "ngpu", "ngpus", NULL };

  return g_strv_contains (names, name);
}

/* Each site may say that a resource is a yes or no, or has no limit. */
static gboolean
take_request (JmGridengineJobs *self, const char *name, JmSlice text)
{
  guint rank = rank_of_memory (name);

  if (strcmp (name, "h_rt") == 0)
    jm_scheduler_take_value (text, jm_scheduler_parse_duration,
                             &self->job.time_limit_seconds);
  else if (is_gpus (name))
    jm_gridengine_parse_count (text, &self->job.gpus_requested);
  else if (rank > self->memory_rank &&
           jm_gridengine_parse_memory (text, &self->job.memory_requested_bytes))
    self->memory_rank = rank;

  return TRUE;
}

/* --- the element --- */

static const struct
{
  const char *element;
  Take take;
} fields[] = {
  { "JB_job_number", take_number }, { "JAT_prio", take_priority },
  { "JB_name", take_name },         { "JB_owner", take_owner },
  { "JB_project", take_project },   { "JB_department", take_department },
  { "state", take_state },          { "JB_submission_time", take_submission },
  { "JAT_start_time", take_start }, { "queue_name", take_queue },
  { "slots", take_slots },          { "tasks", take_tasks },
  { "hard_request", take_request }, { "hard_req_queue", take_requested_queue },
};

static void
complain (JmGridengineJobs *self, const char *element, JmSlice text)
{
  g_autofree char *complaint =
    g_strdup_printf ("qstat: %s: %.*s", element, (int) MIN (text.length, 128),
                     text.text);

  jm_scheduler_report_complain (self->report, complaint);
}

static void
set_id (JmGridengineJobs *self)
{
  JmSchedulerJob *job = &self->job;
  g_autofree char *id = NULL;

  if (job->id == NULL)
    {
      id = g_strdup_printf ("%" G_GINT64_FORMAT, job->raw_id);
      job->tasks = 1;
    }
  else
    {
      id = g_strdup_printf ("%" G_GINT64_FORMAT ".%s", job->raw_id, job->id);
      job->array_job_id = job->raw_id;
      job->raw_id = -1; /* the tasks of an array have one number in common */
    }
  job->id = jm_scheduler_report_keep_once (self->report, (JmSlice){ id, strlen (id) });
}

/* What is asked for may be meant for each slot, each host or the job: that stands in
 * the definition of the resource. Of several slots qstat names the first one's host. */
static void
set_slots (JmGridengineJobs *self)
{
  JmSchedulerJob *job = &self->job;

  if (job->state == JM_SCHEDULER_JOB_STATE_PENDING)
    job->cpus_requested = self->slots;
  else
    job->cpus_allocated = self->slots;

  if (self->slots != 1)
    {
      job->memory_requested_bytes = -1;
      job->gpus_requested = -1;
      job->node_list = NULL;
    }
  if (job->node_list != NULL)
    job->nodes = 1;
}

static void
add_job (JmGridengineJobs *self)
{
  JmSchedulerJob *job = &self->job;

  if (job->raw_id < 0)
    {
      jm_scheduler_report_pass_over (self->report, "qstat: a job without a number");
      return;
    }
  if (jm_scheduler_report_get_n_jobs (self->report) >= JOBS_MAX)
    {
      jm_scheduler_report_pass_over (self->report, "qstat: too many jobs");
      return;
    }

  set_id (self);
  set_slots (self);
  if (job->partitions == NULL)
    job->partitions = jm_scheduler_report_keep (self->report, self->queues->str);
  if (job->start_time > 0 && job->time_limit_seconds >= 0)
    job->end_time = job->start_time + job->time_limit_seconds;
  *jm_scheduler_report_append_job (self->report) = *job;
}

static void
on_begin (gpointer data, const char *element, const char *name)
{
  JmGridengineJobs *self = data;

  if (strcmp (element, "job_list") != 0)
    return;

  jm_scheduler_job_init (&self->job);
  g_string_truncate (self->queues, 0);
  self->slots = -1;
  self->memory_rank = 0;
  self->is_job = TRUE;
}

static void
on_end (gpointer data, const char *element, const char *name, JmSlice text)
{
  JmGridengineJobs *self = data;

  if (!self->is_job)
    return;
  if (strcmp (element, "job_list") == 0)
    {
      add_job (self);
      self->is_job = FALSE;
      return;
    }

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (strcmp (fields[i].element, element) == 0 && !fields[i].take (self, name, text))
      complain (self, element, text);
}

static void
on_spoil (gpointer data)
{
  JmGridengineJobs *self = data;
  g_autofree char *complaint =
    self->job.raw_id < 0
      ? g_strdup ("qstat: a job with a tag out of place")
      : g_strdup_printf ("qstat: job %" G_GINT64_FORMAT ": a tag out of place",
                         self->job.raw_id);

  self->is_job = FALSE;
  jm_scheduler_report_pass_over (self->report, complaint);
}

const JmGridengineXmlHandler jm_gridengine_jobs_handler = { "job_list", on_begin,
                                                            on_end, on_spoil };

void
jm_gridengine_jobs_init (JmGridengineJobs *self, JmSchedulerReport *report)
{
  *self = (JmGridengineJobs){ .report = report, .queues = g_string_new (NULL) };
  jm_scheduler_report_set_lacks_ended_jobs (report);
}

void
jm_gridengine_jobs_clear (JmGridengineJobs *self)
{
  g_string_free (self->queues, TRUE);
}
