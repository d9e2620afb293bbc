/* jm-sweep.c: one round over a node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/jm-sweep-private.h"

#include "collect/jm-job-identity-private.h"
#include "collect/jm-job-tracker-private.h"
#include "collect/jm-process-list-private.h"
#include "core/jm-error.h"
#include "core/jm-snapshot-private.h"

#define MAX_LOST 20
#define ROUNDS_BETWEEN_EMPTY 12

struct _JmSweep
{
  JmSweepPlan plan;
  GPtrArray *job_sources; /* of JmJobSource */
  GPtrArray *readers;     /* of JmCgroupReader, one for each tracker */
  GPtrArray *trackers;    /* of JmJobTracker */
  JmProcessTable *processes;
  JmMachine *machine;
  JmEnergyAccounts *energy;
  JmReadings *readings;
  JmReadings *late; /* the spare for readings between rounds */
  GArray *subjects; /* of JmSubject without references */
  JmSnapshot *last;
};

/* --- reading one unit --- */

/* A job whose cgroups do not account for CPU time, such as one that only its processes
 * make up, still has the sum over its processes. */
static void
add_cpu_from_processes (JmReadings *readings, guint from)
{
  const JmReading *user = jm_readings_find (readings, from, JM_METRIC_PROCESS_CPU_USER);
  const JmReading *system =
    jm_readings_find (readings, from, JM_METRIC_PROCESS_CPU_SYSTEM);
  guint64 total;

  if (user == NULL || system == NULL ||
      jm_readings_find (readings, from, JM_METRIC_CPU_TOTAL) != NULL ||
      !jm_readings_begin (readings, JM_COLLECTOR_CPU))
    return;

  total = user->value + system->value;
  jm_readings_add (readings, JM_METRIC_CPU_TOTAL, total);
}

/* Reads a unit into @readings; %FALSE when it went away meanwhile. */
static gboolean
read_unit (JmSweep *self,
           JmCgroupReader *reader,
           JmTrackedUnit *unit,
           JmReadings *readings)
{
  guint from;

  jm_readings_get_values (readings, &from);
  jm_readings_clear_cpus (readings);

  for (guint i = 0; i < unit->cgroups->len; i++)
    {
      g_autoptr (GError) error = NULL;
      guint cgroup = g_array_index (unit->cgroups, guint, i);

      if (!jm_cgroup_reader_read (reader, cgroup, readings, &error))
        {
          if (error != NULL)
            jm_readings_add_error (readings, error);
          jm_readings_truncate (readings, from);
          return FALSE;
        }
    }
  if (unit->cgroups->len > 1)
    jm_readings_merge (readings, from);
  jm_readings_bound (readings, from, JM_METRIC_PERCPU, self->plan.max_cpus);

  if (!unit->has_unlisted)
    jm_process_table_read_group (self->processes, unit->group, readings);
  add_cpu_from_processes (readings, from);

  return TRUE;
}

/* Energy is accounted for in every round, be the job read or not. */
static gboolean
is_of_energy (const JmReading *reading)
{
  JmCollector collector = jm_metric_get_info (reading->metric)->collector;

  return collector == JM_COLLECTOR_POWER || collector == JM_COLLECTOR_EMISSIONS;
}

/* What is shown of a unit that cannot be read any more: what was read as late as
 * possible. */
static void
add_last_figures (JmSweep *self, JmTrackedUnit *unit)
{
  const JmReading *values = NULL;
  guint n_values = 0;

  if (unit->late != NULL)
    values = jm_readings_get_values (unit->late, &n_values);
  else if (unit->last_subject != 0)
    values = jm_snapshot_get_readings_of (self->last, unit->last_subject, &n_values);

  for (guint i = 0; i < n_values; i++)
    if (!is_of_energy (&values[i]))
      jm_readings_add_copies (self->readings, &values[i], 1);
}

static guint
add_subject (JmSweep *self, JmTrackedUnit *unit)
{
  JmSubject subject = { 0 };
  guint number = self->subjects->len;

  if (unit != NULL)
    {
      subject.level = unit->level;
      subject.job = unit->job->job;
      subject.step = unit->step;
      subject.task = unit->task;
      subject.end_time = unit->end_us;
    }
  g_array_append_val (self->subjects, subject);
  jm_readings_set_subject (self->readings, number);

  return number;
}

static void
claim_energy (JmSweep *self, JmTrackedUnit *unit, guint subject, guint from)
{
  const JmEnergyClaim claim = { subject, from, unit->job->job,
                                jm_readings_get_cpus (self->readings),
                                unit->end_us != 0 };

  jm_energy_accounts_claim (self->energy, &unit->job->energy, &claim, self->readings);
}

static void
sample_unit (JmSweep *self, JmCgroupReader *reader, JmTrackedUnit *unit)
{
  guint number = add_subject (self, unit);
  gboolean is_read;
  guint from;

  jm_readings_get_values (self->readings, &from);
  is_read = unit->end_us == 0 && read_unit (self, reader, unit, self->readings);
  if (is_read)
    g_clear_pointer (&unit->late, jm_readings_unref);
  else
    add_last_figures (self, unit);
  unit->last_subject = number;
  if (unit->level == JM_LEVEL_JOB)
    {
      unit->job->n_lost = is_read || unit->end_us != 0 ? 0 : unit->job->n_lost + 1;
      claim_energy (self, unit, number, from);
    }

  if (unit->level >= self->plan.level)
    return;

  for (guint i = 0; i < unit->children->len; i++)
    sample_unit (self, reader, g_ptr_array_index (unit->children, i));
}

/* --- one round --- */

static gboolean
wants_processes (JmSweep *self)
{
  const guint mask =
    1u << JM_COLLECTOR_PROCESS | 1u << JM_COLLECTOR_THREADS | 1u << JM_COLLECTOR_FILES;

  return (self->plan.collectors & mask) != 0;
}

/* A sum over some of a unit's processes is none, neither for those above it. */
static void
mark_unlisted (JmTrackedUnit *unit)
{
  for (; unit != NULL; unit = unit->parent)
    unit->has_unlisted = TRUE;
}

static void
clear_unlisted (JmTrackedUnit *unit)
{
  unit->has_unlisted = FALSE;
  for (guint i = 0; i < unit->children->len; i++)
    clear_unlisted (g_ptr_array_index (unit->children, i));
}

/* Processes live in the leaves: in cgroup v2 the kernel sees to it, in v1 schedulers
 * do. An inner cgroup that was found empty is asked again only now and then. */
static gboolean
is_passed_over (JmTrackedCgroup *cgroup)
{
  if (cgroup->n_below == 0 || !cgroup->is_empty)
    return FALSE;

  cgroup->n_passed_over = (cgroup->n_passed_over + 1) % ROUNDS_BETWEEN_EMPTY;

  return cgroup->n_passed_over != 0;
}

static void
read_processes_of (JmSweep *self, JmCgroupReader *reader, JmTrackedCgroup *cgroup)
{
  g_autoptr (GError) error = NULL;
  const guint *pids;
  guint n_pids;
  gboolean is_listed;

  if (is_passed_over (cgroup))
    return;

  jm_readings_begin (self->readings, JM_COLLECTOR_PROCESS);
  jm_readings_clear_processes (self->readings);
  is_listed =
    jm_cgroup_reader_list_processes (reader, cgroup->cgroup, self->readings, &error);
  if (!is_listed && !g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
    {
      if (error != NULL)
        jm_readings_add_error (self->readings, error);
      mark_unlisted (cgroup->unit);
    }

  pids = jm_readings_get_processes (self->readings, &n_pids);
  cgroup->is_empty = is_listed && n_pids == 0;
  for (guint i = 0; i < n_pids; i++)
    jm_process_table_add_process (self->processes, cgroup->unit->group, pids[i]);
}

static void
read_processes (JmSweep *self)
{
  jm_process_table_begin_round (self->processes, self->readings);

  for (guint t = 0; t < self->trackers->len; t++)
    {
      GPtrArray *jobs = jm_job_tracker_get_jobs (g_ptr_array_index (self->trackers, t));

      for (guint i = 0; i < jobs->len; i++)
        {
          const JmTrackedJob *job = g_ptr_array_index (jobs, i);

          clear_unlisted (job->unit);
          for (guint k = 0; k < job->cgroups->len; k++)
            read_processes_of (self, g_ptr_array_index (self->readers, t),
                               g_ptr_array_index (job->cgroups, k));
        }
    }

  jm_process_table_end_round (self->processes);
}

static void
sample_jobs (JmSweep *self, guint tracker)
{
  JmCgroupReader *reader = g_ptr_array_index (self->readers, tracker);
  GPtrArray *jobs =
    jm_job_tracker_get_jobs (g_ptr_array_index (self->trackers, tracker));

  for (guint i = 0; i < jobs->len; i++)
    {
      JmTrackedJob *job = g_ptr_array_index (jobs, i);

      job->is_touched = FALSE;
      jm_readings_begin (self->readings, JM_COLLECTOR_JOBS);
      job->n_asked++;
      job->n_sweeps++;
      jm_job_identity_learn (job, reader, self->readings);
      if (job->job != NULL)
        sample_unit (self, reader, job->unit);
    }
}

static void
save_energy (JmSweep *self)
{
  g_autoptr (GHashTable) accounts = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint t = 0; t < self->trackers->len; t++)
    {
      GPtrArray *jobs = jm_job_tracker_get_jobs (g_ptr_array_index (self->trackers, t));

      for (guint i = 0; i < jobs->len; i++)
        {
          const JmTrackedJob *job = g_ptr_array_index (jobs, i);
          const char *uuid =
            job->job != NULL ? jm_job_get_field (job->job, JM_JOB_FIELD_UUID) : NULL;

          if (uuid != NULL && job->energy != NULL)
            g_hash_table_insert (accounts, (gpointer) uuid, job->energy);
        }
    }

  jm_energy_accounts_save (self->energy, accounts);
}

static void
read_round (JmSweep *self)
{
  g_array_set_size (self->subjects, 0);

  add_subject (self, NULL);
  if (self->machine != NULL)
    jm_machine_read (self->machine, self->readings);
  jm_energy_accounts_begin_round (self->energy, self->readings);

  if (wants_processes (self))
    read_processes (self);
  for (guint i = 0; i < self->trackers->len; i++)
    sample_jobs (self, i);
  jm_energy_accounts_end_round (self->energy, self->readings);
  if (jm_energy_accounts_is_save_due (self->energy))
    save_energy (self);

  jm_readings_end (self->readings);
}

static void
refresh_trackers (JmSweep *self, gint64 now_us, JmReadings *readings)
{
  for (guint i = 0; i < self->trackers->len; i++)
    jm_job_tracker_refresh (g_ptr_array_index (self->trackers, i), now_us, readings);
}

/* One sweep may lose a job that is about to be reported as gone; a second one does not.
 */
static void
renew_lost_jobs (JmSweep *self, gint64 now_us)
{
  for (guint t = 0; t < self->trackers->len; t++)
    {
      JmJobTracker *tracker = g_ptr_array_index (self->trackers, t);
      GPtrArray *jobs = jm_job_tracker_get_jobs (tracker);

      for (guint i = 0; i < jobs->len; i++)
        {
          JmTrackedJob *job = g_ptr_array_index (jobs, i);

          if (job->n_lost > MAX_LOST)
            jm_job_tracker_renew (tracker, job, now_us);
        }
    }
}

static void
expire_jobs (JmSweep *self, gint64 now_us)
{
  gint64 before_us = now_us - self->plan.linger_us;

  for (guint i = 0; i < self->trackers->len; i++)
    jm_job_tracker_expire (g_ptr_array_index (self->trackers, i), before_us);
}

static void
find_jobs (JmSweep *self, gint64 now_us)
{
  if (!jm_readings_begin (self->readings, JM_COLLECTOR_JOBS))
    return;

  renew_lost_jobs (self, now_us);
  refresh_trackers (self, now_us, self->readings);
  expire_jobs (self, now_us);
}

/* --- between rounds --- */

static void
read_late (JmSweep *self, JmCgroupReader *reader, JmTrackedUnit *unit)
{
  if (unit->level > self->plan.level)
    return;

  for (guint i = 0; i < unit->children->len; i++)
    read_late (self, reader, g_ptr_array_index (unit->children, i));

  if (unit->end_us != 0)
    return;

  if (self->late == NULL)
    self->late = jm_readings_new ();
  jm_readings_reset (self->late, self->plan.collectors);

  if (read_unit (self, reader, unit, self->late))
    {
      JmReadings *older = unit->late;

      unit->late = g_steal_pointer (&self->late);
      self->late = older;
    }
}

static void
read_touched_jobs (JmSweep *self, guint tracker)
{
  JmCgroupReader *reader = g_ptr_array_index (self->readers, tracker);
  GPtrArray *jobs =
    jm_job_tracker_get_jobs (g_ptr_array_index (self->trackers, tracker));

  for (guint i = 0; i < jobs->len; i++)
    {
      JmTrackedJob *job = g_ptr_array_index (jobs, i);

      if (!job->is_touched)
        continue;

      job->is_touched = FALSE;
      jm_job_identity_learn (job, reader, self->readings);
      read_late (self, reader, job->unit);
    }
}

/* --- the sweep --- */

JmSweep *
jm_sweep_new (const JmSweepPlan *plan,
              GPtrArray *job_sources,
              JmProcessTable *processes,
              JmMachine *machine,
              JmEnergyAccounts *energy)
{
  JmSweep *self = g_new0 (JmSweep, 1);

  self->plan = *plan;
  self->job_sources = g_ptr_array_ref (job_sources);
  self->processes = g_object_ref (processes);
  self->machine = machine != NULL ? g_object_ref (machine) : NULL;
  self->energy = energy;
  self->readers = g_ptr_array_new_with_free_func (g_object_unref);
  self->trackers =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_job_tracker_free);
  self->readings = jm_readings_new ();
  self->subjects = g_array_new (FALSE, FALSE, sizeof (JmSubject));

  return self;
}

void
jm_sweep_free (JmSweep *self)
{
  /* the jobs' accounts go with the trackers */
  save_energy (self);
  g_clear_pointer (&self->last, jm_snapshot_unref);
  g_clear_pointer (&self->late, jm_readings_unref);
  g_array_unref (self->subjects);
  jm_readings_unref (self->readings);
  g_ptr_array_unref (self->trackers);
  g_ptr_array_unref (self->readers);
  jm_energy_accounts_free (self->energy);
  g_clear_object (&self->machine);
  g_object_unref (self->processes);
  g_ptr_array_unref (self->job_sources);
  g_free (self);
}

JmEnergyAccounts *
jm_sweep_get_energy (JmSweep *self)
{
  return self->energy;
}

void
jm_sweep_add_reader (JmSweep *self, JmCgroupReader *reader)
{
  g_ptr_array_add (self->readers, g_object_ref (reader));
  g_ptr_array_add (self->trackers,
                   jm_job_tracker_new (reader, self->job_sources, self->processes,
                                       self->plan.level));
}

/* The node's own reader comes first; one that was added is asked in every round. */
int
jm_sweep_get_event_fd (JmSweep *self)
{
  if (self->readers->len == 0)
    return -1;

  return jm_cgroup_reader_get_event_fd (g_ptr_array_index (self->readers, 0));
}

/* Without a meter there is nothing that could succeed or fail. */
static guint32
get_collectors (JmSweep *self)
{
  const guint32 energy = 1u << JM_COLLECTOR_POWER | 1u << JM_COLLECTOR_EMISSIONS;

  return jm_energy_accounts_is_empty (self->energy) ? self->plan.collectors & ~energy
                                                    : self->plan.collectors;
}

JmSnapshot *
jm_sweep_sample (JmSweep *self)
{
  guint32 collectors = get_collectors (self);
  gint64 began_us = g_get_monotonic_time ();
  gint64 now_us = g_get_real_time ();
  JmSnapshot *snapshot;

  jm_readings_reset (self->readings, collectors);
  find_jobs (self, now_us);
  read_round (self);

  snapshot =
    jm_snapshot_new (now_us, (g_get_monotonic_time () - began_us) * 1000, collectors,
                     (const JmSubject *) (gpointer) self->subjects->data,
                     self->subjects->len, self->readings);
  g_clear_pointer (&self->last, jm_snapshot_unref);
  self->last = jm_snapshot_ref (snapshot);

  return snapshot;
}

void
jm_sweep_follow (JmSweep *self)
{
  refresh_trackers (self, g_get_real_time (), NULL);
  for (guint i = 0; i < self->trackers->len; i++)
    read_touched_jobs (self, i);
}

/* Of several of that name the one seen last, as in a snapshot. */
static JmTrackedJob *
find_job (JmSweep *self, const char *name, JmCgroupReader **reader)
{
  for (guint t = self->trackers->len; t-- > 0;)
    {
      GPtrArray *jobs = jm_job_tracker_get_jobs (g_ptr_array_index (self->trackers, t));

      *reader = g_ptr_array_index (self->readers, t);
      for (guint i = jobs->len; i-- > 0;)
        {
          JmTrackedJob *job = g_ptr_array_index (jobs, i);

          if (job->job == NULL)
            jm_job_identity_learn (job, *reader, self->readings);
          if (job->job != NULL && jm_job_is_called (job->job, name))
            return job;
        }
    }

  return NULL;
}

GPtrArray *
jm_sweep_list_processes (JmSweep *self,
                         const char *job,
                         GCancellable *cancellable,
                         GError **error)
{
  JmCgroupReader *reader;
  JmTrackedJob *found;

  jm_sweep_follow (self);
  found = find_job (self, job, &reader);
  if (found == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: no such job on this node",
                   job);
      return NULL;
    }

  return jm_process_list_read (found, reader, self->processes, cancellable, error);
}
