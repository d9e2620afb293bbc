/* jm-ended-runs.c: what the exporter saw the end of, for all programs of the node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/jm-sweep-private.h"

#include "core/jm-readings-private.h"
#include "core/jm-snapshot-private.h"
#include "node/jm-ended-run-private.h"
#include "node/jm-job-tracker-private.h"

struct _JmEndedRuns
{
  JmRunDirectory *runs; /* not owned */
  gint64 linger_us;
  GArray *shown;     /* of JmEndedRun: of this round, as the exporter shows them */
  gint64 last_us[2]; /* when the two rounds before began */
};

static gboolean
is_tracked (const JmRound *round, const char *run_key)
{
  for (guint t = 0; t < round->trackers->len; t++)
    {
      GPtrArray *jobs = jm_job_tracker_get_jobs (round->trackers->pdata[t]);

      for (guint i = 0; i < jobs->len; i++)
        if (g_strcmp0 (jm_job_identity_get_run_key (
                         jm_tracked_job_get_identity (jobs->pdata[i])),
                       run_key) == 0)
          return TRUE;
    }

  return FALSE;
}

static void
add_run (JmEndedRuns *self, JmRound *round, const char *run_key)
{
  JmSubject subject = { .kind = JM_SUBJECT_KIND_JOB, .parent = JM_NODE_SUBJECT };
  JmEndedRun run;
  guint from;

  jm_readings_set_subject (round->readings, round->subjects->len);
  jm_readings_get_values (round->readings, &from);
  if (!jm_run_directory_read_end (self->runs, run_key, &run, round->readings))
    return;

  /* the exporter that should have taken the file away is no more */
  if (run.until_us < g_get_real_time ())
    {
      jm_readings_truncate (round->readings, from);
      jm_ended_run_clear (&run);
      return;
    }

  subject.job = run.job;
  subject.end_time = run.end_us;
  g_array_append_val (round->subjects, subject);
  g_array_append_val (self->shown, run);
}

JmEndedRuns *
jm_ended_runs_new (JmRunDirectory *runs, gint64 linger_us)
{
  JmEndedRuns *self = g_new0 (JmEndedRuns, 1);

  self->runs = runs;
  self->linger_us = linger_us;
  self->shown = g_array_new (FALSE, FALSE, sizeof (JmEndedRun));
  g_array_set_clear_func (self->shown, (GDestroyNotify) jm_ended_run_clear);

  return self;
}

void
jm_ended_runs_free (JmEndedRuns *self)
{
  g_array_unref (self->shown);
  g_free (self);
}

/* The exporter itself has them on display. They come first: of several jobs of one id
 * the last is taken for the one that is meant. */
void
jm_ended_runs_add (JmEndedRuns *self, JmRound *round)
{
  g_auto (GStrv) keys = NULL;

  g_array_set_size (self->shown, 0);
  if (jm_run_directory_is_writing (self->runs) ||
      !jm_readings_begin (round->readings, JM_COLLECTOR_JOBS))
    return;

  keys = jm_run_directory_list_ended (self->runs);
  for (guint i = 0; keys[i] != NULL; i++)
    if (!is_tracked (round, keys[i]))
      add_run (self, round, keys[i]);
}

/* Its energy is known one round after its end only. */
void
jm_ended_runs_publish (JmEndedRuns *self, JmSnapshot *snapshot)
{
  guint n;
  const JmSubject *subjects = jm_snapshot_get_subjects (snapshot, &n);

  for (guint i = 0; i < n; i++)
    {
      const JmSubject *subject = &subjects[i];
      const JmReading *readings;
      guint n_readings;

      if (subject->kind != JM_SUBJECT_KIND_JOB || subject->end_time == 0 ||
          subject->end_time < self->last_us[1])
        continue;

      readings = jm_snapshot_get_readings_of (snapshot, i, &n_readings);
      jm_run_directory_write_end (self->runs, subject->job, subject->end_time,
                                  subject->end_time + self->linger_us, readings,
                                  n_readings);
    }

  self->last_us[1] = self->last_us[0];
  self->last_us[0] = jm_snapshot_get_time (snapshot);
}

/* As soon as it has ended, be it without what the energy of its last seconds was. */
void
jm_ended_runs_publish_job (JmEndedRuns *self, JmTrackedJob *tracked, JmSnapshot *last)
{
  JmTrackedSubject *subject = jm_tracked_job_get_subject (tracked);
  gint64 end_us = jm_tracked_subject_get_end_time (subject);
  JmJob *job = jm_tracked_job_get_job (tracked);
  const JmReading *readings;
  guint n_readings;

  if (job == NULL || end_us == 0)
    return;

  readings = jm_tracked_subject_get_last_readings (subject, last, &n_readings);
  jm_run_directory_write_end (self->runs, job, end_us, end_us + self->linger_us,
                              readings, n_readings);
}
