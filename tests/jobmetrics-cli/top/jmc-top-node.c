/* jmc-top-node.c: a made-up node for the tests of top
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-top-node.h"

#include "../../add-labelled.h"
#include "../core/made-job.h"

#define MAX_SUBJECTS 256

struct _Sweep
{
  JmSubject subjects[MAX_SUBJECTS];
  guint n_subjects;
  JmReadings *readings;
};

Sweep *
sweep_new (void)
{
  Sweep *self = g_new0 (Sweep, 1);

  self->n_subjects = 1;
  self->readings = jm_readings_new ();
  jm_readings_set_subject (self->readings, JM_NODE_SUBJECT);

  return self;
}

static JmSubject *
get_last (Sweep *self)
{
  return &self->subjects[self->n_subjects - 1];
}

static void
add_subject (Sweep *self, JmSubject subject)
{
  g_assert_cmpuint (self->n_subjects, <, MAX_SUBJECTS);
  jm_readings_set_subject (self->readings, self->n_subjects);
  self->subjects[self->n_subjects++] = subject;
}

/* The uuid is made of the id. */
void
sweep_add_job (Sweep *self, const char *id, const char *user, const char *name)
{
  const char *const fields[JM_N_JOB_FIELDS] = {
    [JM_JOB_FIELD_ID] = id,
    [JM_JOB_FIELD_USER] = user,
    [JM_JOB_FIELD_NAME] = name,
    [JM_JOB_FIELD_SCHEDULER] = "slurm",
    [JM_JOB_FIELD_START_TIME] = "1699996400",
  };

  add_subject (self, (JmSubject){ .kind = JM_SUBJECT_KIND_JOB,
                                  .job = made_job_new (fields, JM_ORIGIN_HOOK) });
}

void
sweep_add_step (Sweep *self, const char *step)
{
  add_subject (self, (JmSubject){ .kind = JM_SUBJECT_KIND_STEP,
                                  .job = jm_job_ref (get_last (self)->job),
                                  .step = g_ref_string_new (step) });
}

void
sweep_add_task (Sweep *self, const char *task)
{
  add_subject (self, (JmSubject){ .kind = JM_SUBJECT_KIND_TASK,
                                  .job = jm_job_ref (get_last (self)->job),
                                  .step = g_ref_string_acquire (get_last (self)->step),
                                  .task = g_ref_string_new (task) });
}

void
sweep_add (Sweep *self, JmMetric metric, guint64 value)
{
  jm_readings_add (self->readings, metric, value);
}

void
sweep_add_labelled (Sweep *self, JmMetric metric, const char *label, guint64 value)
{
  add_labelled (self->readings, metric, label, value);
}

void
sweep_end_job (Sweep *self)
{
  get_last (self)->end_time = NOW * G_USEC_PER_SEC;
}

JmSnapshot *
sweep_finish (Sweep *self)
{
  JmSnapshot *snapshot =
    jm_snapshot_new (NOW * G_USEC_PER_SEC, 1000, jm_collector_set_get_all (),
                     self->subjects, self->n_subjects, self->readings);

  for (guint i = 0; i < self->n_subjects; i++)
    {
      g_clear_pointer (&self->subjects[i].job, jm_job_unref);
      g_clear_pointer (&self->subjects[i].step, g_ref_string_release);
      g_clear_pointer (&self->subjects[i].task, g_ref_string_release);
    }
  jm_readings_unref (self->readings);
  g_free (self);

  return snapshot;
}
