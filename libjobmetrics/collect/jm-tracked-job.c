/* jm-tracked-job.c: a job that is on display, its cgroups and its subjects
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/jm-tracked-job-private.h"

struct _JmTrackedJob
{
  JmJobIdentity *identity;
  JmTrackedSubject *subject;
  GPtrArray *cgroups; /* of JmTrackedCgroup, not owned */
  guint n_lost;
  gboolean is_touched;
  JmEnergyAccount *energy;
  JmGpuJob *gpus;
};

JmTrackedJob *
jm_tracked_job_new (JmJobIdentity *identity, guint group)
{
  JmTrackedJob *self = g_new0 (JmTrackedJob, 1);

  self->identity = identity;
  self->subject = jm_tracked_subject_new (self, NULL, JM_SUBJECT_KIND_JOB, NULL, group);
  self->cgroups = g_ptr_array_new ();

  return self;
}

void
jm_tracked_job_free (JmTrackedJob *self)
{
  jm_tracked_subject_free (self->subject);
  g_clear_pointer (&self->energy, jm_energy_account_free);
  g_clear_pointer (&self->gpus, jm_gpu_job_free);
  g_ptr_array_unref (self->cgroups);
  jm_job_identity_free (self->identity);
  g_free (self);
}

JmJobIdentity *
jm_tracked_job_get_identity (const JmTrackedJob *self)
{
  return self->identity;
}

JmTrackedSubject *
jm_tracked_job_get_subject (const JmTrackedJob *self)
{
  return self->subject;
}

JmJob *
jm_tracked_job_get_job (const JmTrackedJob *self)
{
  return jm_job_identity_get_job (self->identity);
}

void
jm_tracked_job_learn (JmTrackedJob *self,
                      JmCgroupReader *reader,
                      JmRunDirectory *runs,
                      JmReadings *readings)
{
  jm_job_identity_learn (self->identity,
                         &(JmJobEvidence){
                           reader, self->cgroups, runs, readings,
                           jm_tracked_subject_get_end_time (self->subject) != 0 });
}

JmTrackedCgroup *
jm_tracked_job_get_cgroup (const JmTrackedJob *self, guint i)
{
  return i < self->cgroups->len ? g_ptr_array_index (self->cgroups, i) : NULL;
}

/* A new cgroup may tell more of who the job is than those before it: the extern step's
 * processes know less than the batch step's. */
void
jm_tracked_job_add_cgroup (JmTrackedJob *self, JmTrackedCgroup *cgroup)
{
  g_ptr_array_add (self->cgroups, cgroup);
  if (jm_tracked_cgroup_has_figures (cgroup))
    jm_tracked_subject_add_cgroup (jm_tracked_cgroup_get_subject (cgroup),
                                   jm_tracked_cgroup_get_number (cgroup));
  jm_job_identity_ask_again (self->identity);
}

void
jm_tracked_job_remove_cgroup (JmTrackedJob *self,
                              JmTrackedCgroup *cgroup,
                              gint64 now_us)
{
  g_ptr_array_remove (self->cgroups, cgroup);
  if (jm_tracked_cgroup_has_figures (cgroup))
    jm_tracked_subject_remove_cgroup (jm_tracked_cgroup_get_subject (cgroup),
                                      jm_tracked_cgroup_get_number (cgroup), now_us);
}

gboolean
jm_tracked_job_was_missed (const JmTrackedJob *self)
{
  return self->cgroups->len == 0 &&
         jm_tracked_subject_get_end_time (self->subject) == 0;
}

void
jm_tracked_job_touch (JmTrackedJob *self)
{
  self->is_touched = TRUE;
}

gboolean
jm_tracked_job_take_touch (JmTrackedJob *self)
{
  gboolean is_touched = self->is_touched;

  self->is_touched = FALSE;

  return is_touched;
}

void
jm_tracked_job_count_round (JmTrackedJob *self, gboolean is_read)
{
  gboolean is_lost = !is_read && jm_tracked_subject_get_end_time (self->subject) == 0;

  self->n_lost = is_lost ? self->n_lost + 1 : 0;
}

guint
jm_tracked_job_get_n_lost (const JmTrackedJob *self)
{
  return self->n_lost;
}

JmEnergyAccount **
jm_tracked_job_get_energy (JmTrackedJob *self)
{
  return &self->energy;
}

JmGpuJob **
jm_tracked_job_get_gpus (JmTrackedJob *self)
{
  return &self->gpus;
}
