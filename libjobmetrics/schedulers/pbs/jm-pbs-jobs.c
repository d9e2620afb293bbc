/* jm-pbs-jobs.c: the jobs that qstat of PBS lists
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/pbs/jm-pbs-answers-private.h"

#include "schedulers/jm-scheduler-value-private.h"
#include "schedulers/pbs/jm-pbs-value-private.h"

#define JOBS_MAX 2000000

/* Where its members stand. */

/* Of jobs that none was given to. */
#define DEFAULT_PROJECT "_pbs_project_default"
#define NOT_RUNNING "Not Running: "
#define CAN_NEVER_RUN "Can Never Run"
#define NUMBERS " (R:"

typedef gboolean (*Take) (JmPbsJobs *self, JmSlice text);

/* --- words --- */

static const char *
keep (JmPbsJobs *self, JmSlice text)
{
  return jm_scheduler_report_keep_slice (self->report, text);
}

static gboolean
take_name (JmPbsJobs *self, JmSlice text)
{
  self->job.name = keep (self, text);

  return TRUE;
}

/* Whose name it runs under: operators alone see it. */
static gboolean
take_user (JmPbsJobs *self, JmSlice text)
{
  if (text.length > 0)
    self->job.user = keep (self, text);

  return TRUE;
}

/* `alice@login1`: who submitted it. */
static gboolean
take_owner (JmPbsJobs *self, JmSlice text)
{
  const char *at = memchr (text.text, '@', text.length);

  if (self->job.user != NULL)
    return TRUE;
  if (at != NULL)
    text.length = (gsize) (at - text.text);
  self->job.user = keep (self, text);

  return TRUE;
}

static gboolean
take_queue (JmPbsJobs *self, JmSlice text)
{
  self->job.partitions = keep (self, text);

  return TRUE;
}

static gboolean
take_account (JmPbsJobs *self, JmSlice text)
{
  if (text.length > 0)
    self->job.account = keep (self, text);

  return TRUE;
}

/* The account's name stands before it. */
static gboolean
take_project (JmPbsJobs *self, JmSlice text)
{
  if (self->job.account == NULL && !jm_slice_equal (text, DEFAULT_PROJECT))
    self->job.account = keep (self, text);

  return TRUE;
}

/* Other comments are about a moment, such as when it was held. `(R: 4 A: 1 T: 8)`
 * behind a reason is another for each job. */
static gboolean
take_comment (JmPbsJobs *self, JmSlice text)
{
  const gsize length = strlen (NOT_RUNNING);
  const char *numbers = g_strstr_len (text.text, (gssize) text.length, NUMBERS);

  if (numbers != NULL)
    text.length = (gsize) (numbers - text.text);

  if (text.length > length && memcmp (text.text, NOT_RUNNING, length) == 0)
    self->job.reason =
      keep (self, (JmSlice){ text.text + length, text.length - length });
  else if (text.length >= strlen (CAN_NEVER_RUN) &&
           memcmp (text.text, CAN_NEVER_RUN, strlen (CAN_NEVER_RUN)) == 0)
    self->job.reason = keep (self, text);

  return TRUE;
}

static gboolean
take_hosts (JmPbsJobs *self, JmSlice text)
{
  g_autoptr (GString) hosts = g_string_new (NULL);

  self->n_hosts = jm_pbs_append_hosts (hosts, text);
  self->job.node_list = keep (self, (JmSlice){ hosts->str, hosts->len });

  return TRUE;
}

/* --- numbers --- */

/* May be below 0. */
static gboolean
take_priority (JmPbsJobs *self, JmSlice text)
{
  gboolean is_negative = text.length > 0 && text.text[0] == '-';
  JmSlice digits = { text.text + is_negative, text.length - (gsize) is_negative };
  gint64 value;

  if (!jm_pbs_parse_count (digits, &value))
    return FALSE;
  self->job.priority = is_negative ? -value : value;

  return TRUE;
}

static gboolean
take_run_count (JmPbsJobs *self, JmSlice text)
{
  gint64 runs;

  if (!jm_pbs_parse_count (text, &runs))
    return FALSE;
  self->job.restarts = MAX (runs - 1, 0);

  return TRUE;
}

static gboolean
take_submit_time (JmPbsJobs *self, JmSlice text)
{
  return jm_pbs_parse_time (text, &self->job.submit_time);
}

static gboolean
take_eligible_time (JmPbsJobs *self, JmSlice text)
{
  return jm_pbs_parse_time (text, &self->job.eligible_time);
}

static gboolean
take_start_time (JmPbsJobs *self, JmSlice text)
{
  return jm_pbs_parse_time (text, &self->job.start_time);
}

/* `UNKNOWN` where the scheduler found none. */
static gboolean
take_estimate (JmPbsJobs *self, JmSlice text)
{
  jm_pbs_parse_time (text, &self->estimated_time);

  return TRUE;
}

static gboolean
take_walltime (JmPbsJobs *self, JmSlice text)
{
  return jm_pbs_parse_duration (text, &self->job.time_limit_seconds);
}

/* A number that can be multiplied by another. */
static gboolean
take_amount (JmSlice text, gint64 *amount)
{
  gint64 value;

  if (!jm_pbs_parse_count (text, &value) || value > G_MAXINT32)
    return FALSE;
  *amount = value;

  return TRUE;
}

static gboolean
take_cpus (JmPbsJobs *self, JmSlice text)
{
  return take_amount (text, &self->cpus);
}

static gboolean
take_gpus (JmPbsJobs *self, JmSlice text)
{
  return take_amount (text, &self->gpus);
}

static gboolean
take_memory (JmPbsJobs *self, JmSlice text)
{
  return jm_pbs_parse_memory (text, &self->memory_bytes);
}

static gboolean
take_nodes (JmPbsJobs *self, JmSlice text)
{
  return jm_pbs_parse_count (text, &self->job.nodes);
}

/* --- what it does --- */

static const struct
{
  char letter;
  JmSchedulerJobState state;
  guint flags;
  const char *reason;
  const char *word;
} states[] = {
  { 'Q', JM_SCHEDULER_JOB_STATE_PENDING, 0, NULL, NULL },
  { 'H', JM_SCHEDULER_JOB_STATE_PENDING, 0, "hold", NULL },
  { 'W', JM_SCHEDULER_JOB_STATE_PENDING, 0, "time", NULL },
  { 'T', JM_SCHEDULER_JOB_STATE_PENDING, 0, NULL, "transit" },
  { 'B', JM_SCHEDULER_JOB_STATE_RUNNING, 0, NULL, NULL },
  { 'R', JM_SCHEDULER_JOB_STATE_RUNNING, 0, NULL, NULL },
  { 'E', JM_SCHEDULER_JOB_STATE_RUNNING, 1U << JM_SCHEDULER_JOB_FLAG_COMPLETING, NULL,
    NULL },
  { 'S', JM_SCHEDULER_JOB_STATE_SUSPENDED, 0, NULL, NULL },
  { 'U', JM_SCHEDULER_JOB_STATE_SUSPENDED, 0, NULL, "keyboard" },
  { 'F', JM_SCHEDULER_JOB_STATE_UNKNOWN, 0, NULL, "finished" },
  { 'X', JM_SCHEDULER_JOB_STATE_UNKNOWN, 0, NULL, "finished" },
  { 'M', JM_SCHEDULER_JOB_STATE_UNKNOWN, 0, NULL, "moved" },
};

static gboolean
take_state (JmPbsJobs *self, JmSlice text)
{
  for (guint i = 0; text.length == 1 && i < G_N_ELEMENTS (states); i++)
    if (states[i].letter == text.text[0])
      {
        self->job.state = states[i].state;
        self->job.flags = states[i].flags;
        self->job.reason = jm_scheduler_report_keep (self->report, states[i].reason);
        self->job.other_flags = jm_scheduler_report_keep (self->report, states[i].word);
        return TRUE;
      }

  return FALSE;
}

/* Those that are about to end have what they were given. */
static gboolean
take_state_count (JmPbsJobs *self, JmSlice text)
{
  gint64 queued, running, exiting = 0;

  if (!jm_pbs_parse_state_count (text, "Queued", &queued) ||
      !jm_pbs_parse_state_count (text, "Running", &running) || queued > G_MAXINT32 ||
      running > G_MAXINT32)
    return FALSE;
  if (jm_pbs_parse_state_count (text, "Exiting", &exiting) && exiting <= G_MAXINT32)
    running += exiting;
  self->queued = queued;
  self->running = running;

  return TRUE;
}

/* `-` where none waits. */
static gboolean
take_indices (JmPbsJobs *self, JmSlice text)
{
  g_string_truncate (self->indices, 0);
  if (!jm_slice_equal (text, "-"))
    g_string_append_len (self->indices, text.text, (gssize) text.length);

  return TRUE;
}

/* --- the entry --- */

static const struct
{
  const char *section;
  const char *key;
  Take take;
} fields[] = {
  { "", "Job_Name", take_name },
  { "", "Job_Owner", take_owner },
  { "", "euser", take_user },
  { "", "job_state", take_state },
  { "", "queue", take_queue },
  { "", "Account_Name", take_account },
  { "", "project", take_project },
  { "", "comment", take_comment },
  { "", "exec_host", take_hosts },
  { "", "Priority", take_priority },
  { "", "run_count", take_run_count },
  { "", "ctime", take_submit_time },
  { "", "etime", take_eligible_time },
  { "", "stime", take_start_time },
  { "", "array_state_count", take_state_count },
  { "", "array_indices_remaining", take_indices },
  { "estimated", "start_time", take_estimate },
  { "Resource_List", "ncpus", take_cpus },
  { "Resource_List", "mem", take_memory },
  { "Resource_List", "ngpus", take_gpus },
  { "Resource_List", "nodect", take_nodes },
  { "Resource_List", "walltime", take_walltime },
};

/* A value that cannot be read is unknown. */
static void
take_value (JmPbsJobs *self, const char *key, JmSlice text)
{
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (strcmp (fields[i].key, key) == 0 &&
        strcmp (fields[i].section, self->section->str) == 0 &&
        !fields[i].take (self, text))
      {
        g_autofree char *complaint =
          g_strdup_printf ("qstat: %s: %s: %.*s", self->id->str, key,
                           (int) MIN (text.length, 128), text.text);

        jm_scheduler_report_complain (self->report, complaint);
      }
}

static void
begin_job (JmPbsJobs *self, const char *id)
{
  jm_scheduler_job_init (&self->job);
  g_string_assign (self->id, id);
  g_string_truncate (self->section, 0);
  g_string_truncate (self->indices, 0);
  self->cpus = self->memory_bytes = self->gpus = self->queued = self->running = -1;
  self->estimated_time = 0;
  self->n_hosts = -1;
  self->is_lost = FALSE;
}

/* `12.server`, `12[].server` of an array, `12[3].server` of a task. All of it is what
 * the accounting calls the job: servers count each for itself. */
static gboolean
parse_id (JmPbsJobs *self, const char **behind)
{
  const char *id = self->id->str;
  gsize digits = strspn (id, "0123456789");
  const char *close = id[digits] == '[' ? strchr (id + digits, ']') : NULL;
  JmSlice task = { NULL, 0 };
  gint64 number;

  if (!jm_pbs_parse_count ((JmSlice){ id, digits }, &number))
    return FALSE;
  *behind = id + digits;
  if (close == NULL)
    return id[digits] == '.' || id[digits] == '\0';

  task = (JmSlice){ id + digits + 1, (gsize) (close - id) - digits - 1 };
  self->job.array_job_id = number;
  *behind = close + 1;

  return task.length == 0 || jm_pbs_parse_count (task, &self->job.array_task_id);
}

static gint64
multiply (gint64 value, gint64 n)
{
  return value >= 0 && value <= G_MAXINT64 / MAX (n, 1) ? value * n : -1;
}

static void
append (JmPbsJobs *self, const char *id, gint64 n_tasks)
{
  JmSchedulerJob *job = jm_scheduler_report_append_job (self->report);
  gboolean is_pending = self->job.state == JM_SCHEDULER_JOB_STATE_PENDING;

  *job = self->job;
  job->id = jm_scheduler_report_keep_slice (self->report, (JmSlice){ id, strlen (id) });
  job->tasks = n_tasks;
  if (is_pending)
    {
      job->cpus_requested = self->cpus;
      job->memory_requested_bytes = self->memory_bytes;
      job->gpus_requested = self->gpus;
      job->start_time = self->estimated_time;
      job->node_list = NULL;
      return;
    }

  job->cpus_allocated = multiply (self->cpus, n_tasks);
  job->memory_allocated_bytes = multiply (self->memory_bytes, n_tasks);
  job->gpus_allocated = multiply (self->gpus, n_tasks);
  if (self->n_hosts > 0)
    job->nodes = self->n_hosts;
  job->reason = NULL;
  if (job->start_time > 0 && job->time_limit_seconds >= 0)
    job->end_time = job->start_time + job->time_limit_seconds;
}

/* One record for those that run, and one for those that wait. An array began when its
 * first task did: of the others that is not known. */
static void
append_array (JmPbsJobs *self, const char *behind)
{
  if (self->running > 0)
    {
      self->job.state = JM_SCHEDULER_JOB_STATE_RUNNING;
      self->job.start_time = 0;
      append (self, self->id->str, self->running);
    }
  if (self->queued > 0)
    {
      g_autofree char *id =
        g_strdup_printf ("%" G_GINT64_FORMAT "[%s]%s", self->job.array_job_id,
                         self->indices->str, behind);

      self->job.state = JM_SCHEDULER_JOB_STATE_PENDING;
      append (self, id, self->queued);
    }
}

static void
end_job (JmPbsJobs *self)
{
  gboolean is_array;
  const char *behind;

  if (self->is_lost)
    return;
  if (jm_scheduler_report_get_n_jobs (self->report) >= JOBS_MAX)
    {
      jm_scheduler_report_pass_over (self->report, "qstat: too many jobs");
      return;
    }
  if (!parse_id (self, &behind))
    {
      g_autofree char *complaint =
        g_strdup_printf ("qstat: a job %.128s", self->id->str);

      jm_scheduler_report_pass_over (self->report, complaint);
      return;
    }

  is_array = self->job.array_job_id >= 0 && self->job.array_task_id < 0;
  if (is_array && self->queued >= 0)
    append_array (self, behind);
  else
    append (self, self->id->str, 1);
}

static void
on_begin (gpointer data, guint depth, const char *key)
{
  JmPbsJobs *self = data;

  if (depth == JM_PBS_DEPTH_ROOT)
    self->is_jobs = strcmp (key, "Jobs") == 0;
  else if (depth == JM_PBS_DEPTH_LIST)
    begin_job (self, key);
  else if (depth == JM_PBS_DEPTH_RECORD)
    g_string_assign (self->section, key);
}

static void
on_value (gpointer data, guint depth, const char *key, JmSlice text)
{
  JmPbsJobs *self = data;

  if (self->is_jobs && (depth == JM_PBS_DEPTH_RECORD || depth == JM_PBS_DEPTH_SECTION))
    take_value (self, key, text);
}

static void
on_end (gpointer data, guint depth)
{
  JmPbsJobs *self = data;

  if (depth == JM_PBS_DEPTH_LIST && self->is_jobs)
    end_job (self);
  else if (depth == JM_PBS_DEPTH_RECORD)
    g_string_truncate (self->section, 0);
}

static void
on_lost (gpointer data, const char *problem)
{
  JmPbsJobs *self = data;
  g_autofree char *complaint =
    g_strdup_printf ("qstat: %.128s: not JSON: %s", self->id->str, problem);

  jm_scheduler_report_pass_over (self->report, complaint);
  self->is_lost = TRUE;
}

const JmPbsJsonHandler jm_pbs_jobs_handler = { on_begin, on_value, on_end, on_lost };

void
jm_pbs_jobs_init (JmPbsJobs *self, JmSchedulerReport *report)
{
  *self = (JmPbsJobs){
    .report = report,
    .id = g_string_new (NULL),
    .section = g_string_new (NULL),
    .indices = g_string_new (NULL),
  };
  jm_scheduler_report_set_lacks_ended_jobs (report);
}

void
jm_pbs_jobs_clear (JmPbsJobs *self)
{
  g_string_free (self->id, TRUE);
  g_string_free (self->section, TRUE);
  g_string_free (self->indices, TRUE);
}
