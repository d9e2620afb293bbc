/* jm-held-counters.c: counters that wait for a slow disk
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-job-private.h"
#include "node/ledger/jm-checkpoint-private.h"

/* One that is not there. */
#define NO_SUBJECT G_MAXUINT

typedef struct
{
  JmSnapshot *snapshot; /* NULL for none */
  guint64 ticket;
  gint64 time_us; /* by the monotonic clock */
} Round;

struct _JmHeldCounters
{
  JmCheckpoint *checkpoint; /* not owned */
  gint64 longest_us;
  Round stored;   /* the last that is known to be; it began with the program */
  Round waiting;  /* one that may be stored next */
  gint64 live_us; /* when something was shown last that was not stored; 0 for never */
};

JmHeldCounters *
jm_held_counters_new (JmCheckpoint *checkpoint, gint64 longest_us)
{
  JmHeldCounters *self = g_new0 (JmHeldCounters, 1);

  self->checkpoint = checkpoint;
  self->longest_us = longest_us;
  self->stored.time_us = g_get_monotonic_time ();

  return self;
}

static void
round_set (Round *self, JmSnapshot *snapshot, guint64 ticket, gint64 time_us)
{
  if (snapshot != NULL)
    jm_snapshot_ref (snapshot);
  g_clear_pointer (&self->snapshot, jm_snapshot_unref);
  *self = (Round){ snapshot, ticket, time_us };
}

void
jm_held_counters_free (JmHeldCounters *self)
{
  round_set (&self->stored, NULL, 0, 0);
  round_set (&self->waiting, NULL, 0, 0);
  g_free (self);
}

/* --- what is held --- */

/* The kernel keeps the others, or a device, and nobody keeps them over a restart. */
static gboolean
is_held (JmMetric metric, gboolean is_sum)
{
  const JmMetricInfo *info = jm_metric_get_info (metric);

  if (info->kind != JM_METRIC_KIND_COUNTER)
    return FALSE;

  switch (info->collector)
    {
    case JM_COLLECTOR_EMISSIONS:
    case JM_COLLECTOR_GPU:
    case JM_COLLECTOR_POWER:
    case JM_COLLECTOR_PROCESS:
      return TRUE;
    case JM_COLLECTOR_CPU:
      return is_sum;
    default:
      return FALSE;
    }
}

static gboolean
is_same_run (JmJob *a, JmJob *b)
{
  const char *key = a != NULL ? jm_job_get_run_key (a) : NULL;

  return a == b ||
         (key != NULL && b != NULL && g_strcmp0 (key, jm_job_get_run_key (b)) == 0);
}

static guint
find_subject (JmSnapshot *snapshot, const JmSubject *subject)
{
  guint n;
  const JmSubject *subjects = jm_snapshot_get_subjects (snapshot, &n);

  for (guint i = 0; i < n; i++)
    if (subjects[i].kind == subject->kind && subjects[i].labels == subject->labels &&
        is_same_run (subjects[i].job, subject->job))
      return i;

  return NO_SUBJECT;
}

/* NULL where nothing of it is stored. */
static const JmReading *
find_stored (JmSnapshot *stored, guint subject, const JmReading *reading)
{
  guint n_compared;

  return stored != NULL && subject != NO_SUBJECT
           ? jm_snapshot_look_up_reading (stored, subject, reading->metric,
                                          reading->labels, &n_compared)
           : NULL;
}

/* --- another snapshot of the same round --- */

static void
add_held (JmHeldCounters *self,
          JmReadings *readings,
          guint stored_subject,
          const JmReading *reading,
          gboolean is_sum)
{
  const JmReading *stored;
  JmReading held = *reading;

  if (is_held (reading->metric, is_sum))
    {
      stored = find_stored (self->stored.snapshot, stored_subject, reading);
      if (stored == NULL)
        return;
      held.value = stored->value;
    }
  jm_readings_add_copies (readings, &held, 1);
}

static void
add_live (JmReadings *readings, const JmReading *reading)
{
  JmReading live = *reading;

  if (reading->metric == JM_METRIC_LEDGER_UP)
    live.value = 0;
  jm_readings_add_copies (readings, &live, 1);
}

static void
add_subject_live (JmSnapshot *snapshot, JmReadings *readings, guint number)
{
  guint n;
  const JmReading *values = jm_snapshot_get_readings_of (snapshot, number, &n);

  for (guint i = 0; i < n; i++)
    add_live (readings, &values[i]);
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const guint *one = a;
  const guint *other = b;

  return *one < *other ? -1 : *one > *other;
}

static void
add_subject_held (JmHeldCounters *self,
                  JmSnapshot *snapshot,
                  JmReadings *readings,
                  GArray *sums,
                  guint number)
{
  guint n, n_subjects;
  const JmReading *values = jm_snapshot_get_readings_of (snapshot, number, &n);
  const JmSubject *subjects = jm_snapshot_get_subjects (snapshot, &n_subjects);
  gboolean is_sum = g_array_binary_search (sums, &number, compare_numbers, NULL);
  guint stored_subject = NO_SUBJECT;

  if (self->stored.snapshot != NULL)
    stored_subject = find_subject (self->stored.snapshot, &subjects[number]);
  for (guint i = 0; i < n; i++)
    add_held (self, readings, stored_subject, &values[i], is_sum);
}

/* @sums is NULL where nothing is held. */
static JmSnapshot *
remake (JmHeldCounters *self, JmSnapshot *snapshot, JmReadings *readings, GArray *sums)
{
  guint n;
  const JmSubject *subjects = jm_snapshot_get_subjects (snapshot, &n);

  jm_readings_truncate (readings, 0);
  for (guint i = 0; i < n; i++)
    {
      jm_readings_set_subject (readings, i);
      if (sums != NULL)
        add_subject_held (self, snapshot, readings, sums, i);
      else
        add_subject_live (snapshot, readings, i);
    }

  return jm_snapshot_new (jm_snapshot_get_time (snapshot),
                          jm_snapshot_get_duration (snapshot),
                          jm_snapshot_get_collectors (snapshot), subjects, n, readings);
}

/* --- showing --- */

static void
note_waiting (JmHeldCounters *self, JmSnapshot *snapshot, gint64 now_us)
{
  const Round *waiting = &self->waiting;

  if (waiting->snapshot != NULL &&
      !jm_checkpoint_is_stored (self->checkpoint, waiting->ticket))
    return;

  if (waiting->snapshot != NULL)
    round_set (&self->stored, waiting->snapshot, waiting->ticket, waiting->time_us);
  round_set (&self->waiting, snapshot, jm_checkpoint_get_ticket (self->checkpoint),
             now_us);
}

/* What was shown as it is must not fall to what was stored before. */
static gboolean
may_hold (const JmHeldCounters *self, gint64 now_us)
{
  return self->stored.time_us >= self->live_us &&
         now_us - self->stored.time_us <= self->longest_us;
}

JmSnapshot *
jm_held_counters_show (JmHeldCounters *self,
                       JmSnapshot *snapshot,
                       JmReadings *readings,
                       GArray *sums,
                       gint64 timeout_us)
{
  gint64 now_us = g_get_monotonic_time ();
  gboolean holds;

  if (jm_checkpoint_await (self->checkpoint, timeout_us))
    {
      round_set (&self->stored, snapshot, 0, now_us);
      round_set (&self->waiting, NULL, 0, 0);
      return jm_snapshot_ref (snapshot);
    }

  note_waiting (self, snapshot, now_us);
  holds = may_hold (self, now_us);
  if (!holds)
    self->live_us = now_us;

  return remake (self, snapshot, readings, holds ? sums : NULL);
}
