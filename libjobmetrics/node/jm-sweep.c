/* jm-sweep.c: one round over a node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define G_LOG_DOMAIN "JobMetrics"

#include "node/jm-sweep-private.h"

#include <poll.h>

#include "base/jm-error.h"
#include "core/jm-snapshot-private.h"
#include "host/jm-source-private.h"
#include "node/jm-job-tracker-private.h"
#include "node/ledger/jm-checkpoint-private.h"
#include "sources/cgroup/jm-cgroup-kernel-reader-private.h"

#define MAX_LOST 20

/* For how long a slow disk may keep counters as they were. */
#define LONGEST_HELD_US (30 * G_USEC_PER_SEC)

/* A scheduler makes a job's cgroups one after the other: what comes so close together
 * is listed at once. */
#define BIRTHS_US (3 * 1000)

struct _JmSweep
{
  JmSweepPlan plan;
  JmStages *stages;
  JmRound round;
  JmRunDirectory *runs;
  JmProcessSource *processes; /* in which a job's processes are counted */
  GPtrArray *job_sources;     /* of JmJobSource: looked into when a cgroup is born */
  GPtrArray *trackers;        /* of JmJobTracker, one for each reader */
  JmAlarm *alarm;             /* when there is something to follow */
  gint64 heard_us;            /* since when there is something to list; 0 for not */
  JmReadings *readings;
  JmReadings *late; /* the spare for readings between rounds */
  GArray *subjects; /* of JmSubject without references */
  GArray *sums;     /* of guint: subjects whose CPU time is a sum over processes */
  JmSnapshot *last;
  JmEndedRuns *ended;
  JmCheckpoint *checkpoint; /* NULL without a ledger */
  JmHeldCounters *held;     /* with it */
  JmLedgerBatch *ends;      /* jobs that ended since; NULL for none */
  gboolean has_pruned;
};

/* --- one subject --- */

static guint
add_subject (JmSweep *self, const JmTrackedSubject *tracked, guint parent)
{
  const JmSubject subject = {
    .kind = jm_tracked_subject_get_kind (tracked),
    .parent = parent,
    .job = jm_tracked_job_get_job (jm_tracked_subject_get_job (tracked)),
    .labels = jm_tracked_subject_get_labels (tracked),
    .end_time = jm_tracked_subject_get_end_time (tracked),
  };

  return jm_round_add_subject (&self->round, &subject);
}

/* In the order of JM_NODE_SUBJECT and its kin. What is read first is about the node. */
static void
add_node (JmSweep *self)
{
  static const JmSubjectKind kinds[] = {
    [JM_NODE_SUBJECT] = JM_SUBJECT_KIND_NODE,
    [JM_SYSTEM_SUBJECT] = JM_SUBJECT_KIND_SYSTEM,
    [JM_IDLE_SUBJECT] = JM_SUBJECT_KIND_IDLE,
    [JM_GRID_SUBJECT] = JM_SUBJECT_KIND_GRID,
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const JmSubject subject = { .kind = kinds[i] };

      g_array_append_val (self->subjects, subject);
    }
  jm_readings_set_subject (self->readings, JM_NODE_SUBJECT);
}

/* Has every stage look at it. */
static void
visit (JmSweep *self, JmTrackedSubject *tracked, guint number)
{
  self->round.subject = tracked;
  jm_readings_get_values (self->round.readings, &self->round.from);
  jm_stages_visit (self->stages, &self->round, number);
}

/* Of a job no cgroup of which could be opened yet there was nothing to read. */
static void
note_reading (JmTrackedSubject *tracked, gint64 read_us)
{
  if (jm_tracked_job_get_cgroup (jm_tracked_subject_get_job (tracked), 0) != NULL)
    jm_tracked_subject_set_read_time (tracked, read_us);
}

static void
sample_subject (JmSweep *self, JmTrackedSubject *tracked, guint parent)
{
  guint number = add_subject (self, tracked, parent);
  gint64 began_us = g_get_real_time ();
  JmTrackedSubject *child;

  visit (self, tracked, number);
  if (!jm_tracked_subject_has_own_cpu (tracked))
    g_array_append_val (self->sums, number);
  if (self->round.is_read)
    {
      jm_tracked_subject_drop_late (tracked);
      note_reading (tracked, began_us);
    }
  jm_tracked_subject_set_number (tracked, number);
  if (jm_tracked_subject_get_kind (tracked) == JM_SUBJECT_KIND_JOB)
    jm_tracked_job_count_round (jm_tracked_subject_get_job (tracked),
                                self->round.is_read);

  if (jm_tracked_subject_get_kind (tracked) >= self->plan.level)
    return;

  for (guint i = 0; (child = jm_tracked_subject_get_child (tracked, i)) != NULL; i++)
    sample_subject (self, child, number);
}

/* --- one that is about to go --- */

static void
read_late (JmSweep *self, JmTrackedSubject *tracked)
{
  JmTrackedSubject *child;
  gint64 began_us;

  if (jm_tracked_subject_get_kind (tracked) > self->plan.level)
    return;

  for (guint i = 0; (child = jm_tracked_subject_get_child (tracked, i)) != NULL; i++)
    read_late (self, child);

  if (jm_tracked_subject_get_end_time (tracked) != 0)
    return;

  if (self->late == NULL)
    self->late = jm_readings_new ();
  jm_readings_reset (self->late, &self->plan.collectors);
  self->round.readings = self->late;
  began_us = g_get_real_time ();
  visit (self, tracked, 0);

  if (self->round.is_read)
    {
      jm_tracked_subject_swap_late (tracked, &self->late);
      note_reading (tracked, began_us);
    }
}

static void
begin_late (JmSweep *self, JmJobTracker *tracker)
{
  self->round = (JmRound){ .plan = &self->plan,
                           .trackers = self->trackers,
                           .reader = jm_job_tracker_get_reader (tracker),
                           .last = self->last,
                           .is_late = TRUE };
}

/* --- one round --- */

/* Before anything is read: whose a device is, stages ask for all jobs at once. */
static void
learn_jobs (JmSweep *self, JmJobTracker *tracker)
{
  GPtrArray *jobs = jm_job_tracker_get_jobs (tracker);

  jm_readings_begin (self->readings, JM_COLLECTOR_JOBS);
  for (guint i = 0; i < jobs->len; i++)
    {
      JmTrackedJob *job = g_ptr_array_index (jobs, i);

      jm_job_identity_count_round (jm_tracked_job_get_identity (job));
      jm_tracked_job_learn (job, jm_job_tracker_get_reader (tracker), self->runs,
                            self->readings);
    }
}

/* There is something to list. */
static void
note_behind (JmSweep *self, gboolean is_behind)
{
  if (is_behind && self->heard_us == 0)
    self->heard_us = g_get_monotonic_time ();
}

static gboolean
has_changes (JmCgroupReader *reader)
{
  struct pollfd fd = { jm_cgroup_reader_get_event_fd (reader), POLLIN, 0 };

  return fd.fd >= 0 && poll (&fd, 1, 0) > 0;
}

/* By the time of their turn, those from @first on that are about to go may be gone. Of
 * one that has had its turn nothing older than this round is lost. */
static void
read_dying (JmSweep *self, JmJobTracker *tracker, guint first)
{
  g_autoptr (GPtrArray) dying = NULL;
  const JmRound round = self->round;
  guint turn;

  if (!has_changes (round.reader))
    return;

  dying = g_ptr_array_new ();
  note_behind (self, jm_job_tracker_hear_of_jobs (tracker, dying));
  begin_late (self, tracker);
  for (guint i = 0; i < dying->len; i++)
    if (g_ptr_array_find (jm_job_tracker_get_jobs (tracker), dying->pdata[i], &turn) &&
        turn >= first)
      read_late (self, jm_tracked_job_get_subject (dying->pdata[i]));
  self->round = round;
}

static void
sample_jobs (JmSweep *self, JmJobTracker *tracker)
{
  GPtrArray *jobs = jm_job_tracker_get_jobs (tracker);

  self->round.reader = jm_job_tracker_get_reader (tracker);

  for (guint i = 0; i < jobs->len; i++)
    {
      JmTrackedJob *job = g_ptr_array_index (jobs, i);

      read_dying (self, tracker, i + 1);
      if (jm_tracked_job_get_job (job) != NULL)
        sample_subject (self, jm_tracked_job_get_subject (job), JM_NODE_SUBJECT);
    }
}

static void
read_round (JmSweep *self)
{
  self->round = (JmRound){ .plan = &self->plan,
                           .readings = self->readings,
                           .last = self->last,
                           .trackers = self->trackers,
                           .subjects = self->subjects,
                           .is_published = jm_run_directory_is_writing (self->runs) };
  g_array_set_size (self->subjects, 0);
  g_array_set_size (self->sums, 0);
  add_node (self);
  jm_ended_runs_add (self->ended, &self->round);
  jm_readings_set_subject (self->readings, JM_NODE_SUBJECT);

  for (guint i = 0; i < self->trackers->len; i++)
    learn_jobs (self, g_ptr_array_index (self->trackers, i));
  jm_stages_begin (self->stages, &self->round);
  for (guint i = 0; i < self->trackers->len; i++)
    sample_jobs (self, g_ptr_array_index (self->trackers, i));
  jm_stages_end (self->stages, &self->round);

  jm_readings_end (self->readings);

  /* By now those of an earlier program that are still there are this one's too. */
  if (!self->has_pruned && self->trackers->len > 0)
    {
      jm_run_directory_prune (self->runs);
      self->has_pruned = TRUE;
    }
}

static void
refresh_trackers (JmSweep *self, gint64 now_us, JmReadings *readings)
{
  for (guint i = 0; i < self->trackers->len; i++)
    jm_job_tracker_refresh (g_ptr_array_index (self->trackers, i), now_us, readings);
  self->heard_us = 0;
}

/* One sweep may lose a job that is about to be reported as gone; a second one does not.
 * Of one that is over its cgroups may stay. */
static void
renew_jobs (JmSweep *self, gint64 now_us)
{
  for (guint t = 0; t < self->trackers->len; t++)
    {
      JmJobTracker *tracker = g_ptr_array_index (self->trackers, t);
      GPtrArray *jobs = jm_job_tracker_get_jobs (tracker);

      for (guint i = 0; i < jobs->len; i++)
        {
          JmTrackedJob *job = g_ptr_array_index (jobs, i);

          if (jm_tracked_job_get_n_lost (job) > MAX_LOST)
            jm_job_tracker_renew (tracker, job, now_us);
          else
            jm_job_tracker_leave_empty (tracker, job, now_us, self->readings);
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

/* --- between rounds --- */

static void
keep_end (JmSweep *self, JmTrackedJob *job)
{
  if (self->checkpoint == NULL || jm_tracked_job_get_job (job) == NULL ||
      jm_tracked_subject_get_end_time (jm_tracked_job_get_subject (job)) == 0)
    return;

  if (self->ends == NULL)
    self->ends = jm_ledger_batch_new ();
  jm_stages_job_ended (self->stages, &self->round, job, self->ends);
}

static void
submit_ends (JmSweep *self)
{
  if (self->ends != NULL)
    jm_checkpoint_submit (self->checkpoint, g_steal_pointer (&self->ends));
}

/* Its figures may be there for a moment only: who it is can wait. Nothing is missing of
 * those that were read between two lists without a process. */
static void
look_at (JmSweep *self, JmJobTracker *tracker, JmTrackedJob *job)
{
  JmTrackedSubject *subject = jm_tracked_job_get_subject (job);
  gint64 before_us = jm_tracked_subject_get_read_time (subject);
  gboolean was_empty = jm_tracked_job_looks_empty (job);

  begin_late (self, tracker);
  read_late (self, subject);
  jm_job_tracker_meet (tracker, job, self->readings);
  if (was_empty && jm_tracked_job_looks_empty (job) &&
      jm_tracked_subject_get_read_time (subject) != before_us)
    jm_tracked_subject_note_final (subject);
  jm_ended_runs_publish_job (self->ended, job, self->last);
  keep_end (self, job);
}

static void
look_at_jobs (JmSweep *self)
{
  for (guint i = 0; i < self->trackers->len; i++)
    {
      JmJobTracker *tracker = g_ptr_array_index (self->trackers, i);
      JmTrackedJob *job;

      while ((job = jm_job_tracker_take_due (tracker)) != NULL)
        look_at (self, tracker, job);
    }
  submit_ends (self);
}

/* --- keeping --- */

static void
keep_round (JmSweep *self, gboolean is_last)
{
  JmLedgerBatch *batch;

  if (self->checkpoint == NULL || self->last == NULL)
    return;

  batch = jm_ledger_batch_new ();
  self->round.snapshot = self->last;
  self->round.is_last = is_last;
  jm_stages_save (self->stages, &self->round, batch);
  self->round.snapshot = NULL;
  jm_checkpoint_submit (self->checkpoint, batch);
}

void
jm_sweep_set_interval (JmSweep *self, gint64 interval_us)
{
  self->plan.interval_us = interval_us;
}

void
jm_sweep_set_ledger (JmSweep *self, JmLedger *ledger, JmCheckpointMemory *memory)
{
  g_autoptr (GPtrArray) running = NULL;

  g_clear_pointer (&self->held, jm_held_counters_free);
  g_clear_pointer (&self->checkpoint, jm_checkpoint_free);
  self->checkpoint = jm_checkpoint_new (ledger, memory);
  for (guint i = 0; i < self->trackers->len; i++)
    jm_cgroup_kernel_reader_weigh_removed (
      jm_job_tracker_get_reader (self->trackers->pdata[i]));
  self->held = jm_held_counters_new (self->checkpoint, LONGEST_HELD_US);
  running = jm_checkpoint_load_running (self->checkpoint);
  for (guint i = 0; i < running->len; i++)
    jm_run_directory_remember (self->runs, jm_job_record_get_job (running->pdata[i]));
  jm_stages_restore (self->stages, self->checkpoint, running);
}

gboolean
jm_sweep_await_stored (JmSweep *self, gint64 timeout_us)
{
  return self->checkpoint == NULL || jm_checkpoint_await (self->checkpoint, timeout_us);
}

/* Reads those jobs whose end may be near before anything else is done. */
static void
hear (JmSweep *self)
{
  gboolean is_behind = FALSE;

  for (guint i = 0; i < self->trackers->len; i++)
    is_behind |= jm_job_tracker_hear (g_ptr_array_index (self->trackers, i));
  look_at_jobs (self);

  note_behind (self, is_behind);
}

/* What is new is read, and asked who it is, at once. */
static void
list (JmSweep *self)
{
  refresh_trackers (self, g_get_real_time (), NULL);
  look_at_jobs (self);
}

static void
set_alarm (JmSweep *self)
{
  gint64 due_us = self->heard_us != 0 ? self->heard_us + BIRTHS_US : G_MAXINT64;

  for (guint i = 0; i < self->trackers->len; i++)
    due_us = MIN (due_us, jm_job_tracker_get_next_look (self->trackers->pdata[i]));

  jm_alarm_set (self->alarm, due_us);
}

static void
find_jobs (JmSweep *self, gint64 now_us)
{
  if (!jm_readings_begin (self->readings, JM_COLLECTOR_JOBS))
    return;

  hear (self);
  renew_jobs (self, now_us);
  refresh_trackers (self, now_us, self->readings);
  expire_jobs (self, now_us);
}

/* --- the sweep --- */

JmSweep *
jm_sweep_new (const JmSweepPlan *plan, JmSourceSet *sources, GPtrArray *problems)
{
  JmSweep *self = g_new0 (JmSweep, 1);

  self->plan = *plan;
  self->stages = jm_stages_open (plan, sources, problems);
  self->processes =
    g_object_ref (jm_source_set_find (sources, JM_SOURCE_KIND_PROCESSES));
  self->runs = jm_run_directory_new (jm_source_get_host (JM_SOURCE (self->processes)),
                                     JM_RUN_DIRECTORY);
  self->job_sources = g_ptr_array_new_with_free_func (g_object_unref);
  self->trackers =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_job_tracker_free);
  self->alarm = jm_alarm_new ();
  self->readings = jm_readings_new ();
  self->subjects = g_array_new (FALSE, FALSE, sizeof (JmSubject));
  self->sums = g_array_new (FALSE, FALSE, sizeof (guint));
  self->ended = jm_ended_runs_new (self->runs, plan->linger_us);

  return self;
}

void
jm_sweep_free (JmSweep *self)
{
  keep_round (self, TRUE);
  g_clear_pointer (&self->held, jm_held_counters_free);
  g_clear_pointer (&self->checkpoint, jm_checkpoint_free);
  /* what a stage keeps of the jobs goes with the trackers */
  jm_stages_free (self->stages);
  g_clear_pointer (&self->last, jm_snapshot_unref);
  g_clear_pointer (&self->late, jm_readings_unref);
  g_array_unref (self->subjects);
  g_array_unref (self->sums);
  jm_ended_runs_free (self->ended);
  jm_readings_unref (self->readings);
  g_ptr_array_unref (self->trackers);
  jm_alarm_free (self->alarm);
  jm_run_directory_free (self->runs);
  g_ptr_array_unref (self->job_sources);
  g_object_unref (self->processes);
  g_free (self);
}

/* One that cannot be polled is asked in every round. */
static void
poll_reader (JmSweep *self, JmCgroupReader *reader)
{
  int fd = jm_cgroup_reader_get_event_fd (reader);

  if (fd >= 0 && !jm_alarm_add_fd (self->alarm, fd))
    g_debug ("%s: its changes are asked for in each round",
             G_OBJECT_TYPE_NAME (reader));
}

static void
add_reader (JmSweep *self, JmCgroupReader *reader)
{
  poll_reader (self, reader);
  g_ptr_array_add (self->trackers,
                   jm_job_tracker_new (reader, self->runs, self->job_sources,
                                       self->processes, self->plan.level));
}

void
jm_sweep_add_source (JmSweep *self, const JmSourceEntry *entry)
{
  gboolean is_open = jm_source_is_open (entry->source);

  if (entry->kind == JM_SOURCE_KIND_JOBS && is_open)
    g_ptr_array_add (self->job_sources, g_object_ref (entry->source));
  if (entry->kind == JM_SOURCE_KIND_CGROUPS && is_open)
    add_reader (self, JM_CGROUP_READER (entry->source));

  jm_stages_add_source (self->stages, entry);
}

JmRunDirectory *
jm_sweep_get_runs (JmSweep *self)
{
  return self->runs;
}

void
jm_sweep_wait (JmSweep *self, gint64 timeout_us)
{
  jm_stages_wait (self->stages, timeout_us);
}

int
jm_sweep_get_event_fd (JmSweep *self)
{
  return jm_alarm_get_fd (self->alarm);
}

JmSnapshot *
jm_sweep_sample (JmSweep *self)
{
  JmCollectorSet collectors = self->plan.collectors;
  JmCollectorSet shown = self->plan.shown;
  JmCollectorSet idle = { { 0 } };
  gint64 began_us = g_get_monotonic_time ();
  gint64 now_us = g_get_real_time ();
  JmSnapshot *snapshot;

  jm_stages_add_idle_collectors (self->stages, &idle);
  jm_collector_set_subtract (&collectors, &idle);
  jm_collector_set_subtract (&shown, &idle);
  jm_readings_reset (self->readings, &collectors);
  find_jobs (self, now_us);
  read_round (self);

  snapshot =
    jm_snapshot_new (now_us, (g_get_monotonic_time () - began_us) * 1000, &shown,
                     (const JmSubject *) (gpointer) self->subjects->data,
                     self->subjects->len, self->readings);
  g_clear_pointer (&self->last, jm_snapshot_unref);
  self->last = jm_snapshot_ref (snapshot);
  jm_ended_runs_publish (self->ended, snapshot);
  set_alarm (self);
  keep_round (self, FALSE);

  return snapshot;
}

JmSnapshot *
jm_sweep_sample_to_show (JmSweep *self, gint64 timeout_us)
{
  g_autoptr (JmSnapshot) snapshot = jm_sweep_sample (self);

  return self->held != NULL
           ? jm_held_counters_show (self->held, snapshot, self->readings, self->sums,
                                    timeout_us)
           : g_steal_pointer (&snapshot);
}

void
jm_sweep_follow (JmSweep *self)
{
  jm_alarm_clear (self->alarm);
  hear (self);
  if (jm_alarm_get_fd (self->alarm) < 0 ||
      (self->heard_us != 0 && g_get_monotonic_time () >= self->heard_us + BIRTHS_US))
    list (self);
  set_alarm (self);
}

/* Of several of that name the one seen last, as in a snapshot. */
static JmTrackedJob *
find_job (JmSweep *self, const char *name, JmJobTracker **tracker)
{
  for (guint t = self->trackers->len; t-- > 0;)
    {
      GPtrArray *jobs;

      *tracker = g_ptr_array_index (self->trackers, t);
      jobs = jm_job_tracker_get_jobs (*tracker);
      for (guint i = jobs->len; i-- > 0;)
        {
          JmTrackedJob *job = g_ptr_array_index (jobs, i);

          if (jm_tracked_job_get_job (job) == NULL)
            jm_tracked_job_learn (job, jm_job_tracker_get_reader (*tracker), self->runs,
                                  self->readings);
          if (jm_tracked_job_get_job (job) != NULL &&
              jm_job_is_called (jm_tracked_job_get_job (job), name))
            return job;
        }
    }

  return NULL;
}

/* A scheduler calls its hooks before a job's first process and after its last one. */
static void
end_deserted (JmSweep *self, JmJobTracker *tracker, JmTrackedJob *job)
{
  if (!jm_tracked_job_is_deserted (job, jm_job_tracker_get_reader (tracker),
                                   self->readings))
    return;

  jm_job_tracker_leave (tracker, job, g_get_real_time ());
  look_at_jobs (self);
}

gboolean
jm_sweep_attend (JmSweep *self, const char *name)
{
  JmJobTracker *tracker;
  JmTrackedJob *job;

  hear (self);
  list (self);
  job = find_job (self, name, &tracker);
  if (job != NULL)
    {
      look_at (self, tracker, job);
      end_deserted (self, tracker, job);
    }
  submit_ends (self);
  set_alarm (self);

  return job != NULL;
}

GPtrArray *
jm_sweep_list_processes (JmSweep *self,
                         const char *job,
                         GCancellable *cancellable,
                         GError **error)
{
  JmJobTracker *tracker;
  JmTrackedJob *found;

  hear (self);
  list (self);
  set_alarm (self);
  found = find_job (self, job, &tracker);
  if (found == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: no such job on this node",
                   job);
      return NULL;
    }

  return jm_process_list_read (found, jm_job_tracker_get_reader (tracker),
                               self->processes, cancellable, error);
}
