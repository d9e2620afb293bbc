/* jm-tracked-job.c: a job that is on display, its cgroups and its subjects
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/jm-tracked-job-private.h"

#include "core/jm-readings-private.h"

/* Of a job array of tasks, the rounds look at the rest. */
#define MAX_MET 16

struct _JmTrackedJob
{
  JmJobIdentity *identity;
  JmTrackedSubject *subject;
  GPtrArray *cgroups; /* of JmTrackedCgroup, not owned */
  guint n_lost;
  gint64 empty_us; /* the first round that found no process; 0 for the last did */
  gint64 born_us, died_us; /* of its cgroups; 0 where that is not known better */
  gint64 heard_us;         /* the round that found its first cgroup */
  gboolean was_met;        /* a process was seen in a cgroup of it that has gone */
  gboolean is_missed;      /* a cgroup of it went before it could be opened */
  gboolean is_to_end; /* its scheduler's hook was heard after its processes began */
  JmSlot slots[JM_N_JOB_SLOTS];
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
  for (JmJobSlot i = 0; i < JM_N_JOB_SLOTS; i++)
    jm_slot_clear (&self->slots[i]);
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
                           jm_tracked_subject_get_end_time (self->subject) != 0,
                           self->is_missed });
}

gboolean
jm_tracked_job_is_met (const JmTrackedJob *self)
{
  if (jm_job_identity_is_vague (self->identity))
    return FALSE;

  for (guint i = 0; i < MIN (self->cgroups->len, MAX_MET); i++)
    if (jm_tracked_cgroup_is_unmet (g_ptr_array_index (self->cgroups, i)))
      return FALSE;

  return TRUE;
}

static void
list_processes (JmTrackedCgroup *cgroup, JmCgroupReader *reader, JmReadings *readings)
{
  guint n_pids;

  jm_readings_clear_processes (readings);
  jm_cgroup_reader_list_processes (reader, jm_tracked_cgroup_get_number (cgroup),
                                   readings, NULL);
  jm_readings_get_processes (readings, &n_pids);
  jm_tracked_cgroup_set_empty (cgroup, n_pids == 0);
}

void
jm_tracked_job_meet (JmTrackedJob *self,
                     JmCgroupReader *reader,
                     JmRunDirectory *runs,
                     JmReadings *readings)
{
  gboolean is_met = jm_tracked_job_is_met (self);

  for (guint i = 0; i < MIN (self->cgroups->len, MAX_MET); i++)
    list_processes (g_ptr_array_index (self->cgroups, i), reader, readings);
  if (!is_met || self->cgroups->len == 0)
    jm_tracked_job_learn (self, reader, runs, readings);
}

JmTrackedCgroup *
jm_tracked_job_get_cgroup (const JmTrackedJob *self, guint i)
{
  return i < self->cgroups->len ? g_ptr_array_index (self->cgroups, i) : NULL;
}

/* A new cgroup may have more of who the job is than those before it: the extern step's
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
  self->was_met = self->was_met || jm_tracked_cgroup_is_met (cgroup);
  if (jm_tracked_cgroup_has_figures (cgroup))
    jm_tracked_subject_remove_cgroup (jm_tracked_cgroup_get_subject (cgroup),
                                      jm_tracked_cgroup_get_number (cgroup), now_us);
}

static gboolean
is_empty (const JmTrackedJob *self, JmCgroupReader *reader, JmReadings *readings)
{
  return jm_tracked_cgroups_find_occupancy (self->cgroups, reader, readings) ==
         JM_OCCUPANCY_EMPTY;
}

gboolean
jm_tracked_job_is_deserted (JmTrackedJob *self,
                            JmCgroupReader *reader,
                            JmReadings *readings)
{
  gboolean is_met = self->was_met;

  for (guint i = 0; i < self->cgroups->len && !is_met; i++)
    is_met = jm_tracked_cgroup_is_met (g_ptr_array_index (self->cgroups, i));
  self->is_to_end = is_met;

  return is_met && is_empty (self, reader, readings);
}

gboolean
jm_tracked_job_is_to_end (const JmTrackedJob *self)
{
  return self->is_to_end;
}

gboolean
jm_tracked_job_looks_empty (const JmTrackedJob *self)
{
  for (guint i = 0; i < self->cgroups->len; i++)
    if (!jm_tracked_cgroup_is_empty (g_ptr_array_index (self->cgroups, i)))
      return FALSE;

  return TRUE;
}

/* What the rounds saw costs nothing to know: only where they saw nobody is it asked. */
gint64
jm_tracked_job_find_empty_time (JmTrackedJob *self,
                                JmCgroupReader *reader,
                                JmReadings *readings,
                                gint64 now_us)
{
  if (!jm_tracked_job_looks_empty (self) || !is_empty (self, reader, readings))
    self->empty_us = 0;
  else if (self->empty_us == 0)
    self->empty_us = now_us;

  return self->empty_us;
}

void
jm_tracked_job_miss (JmTrackedJob *self)
{
  self->is_missed = TRUE;
}

void
jm_tracked_job_note_life (JmTrackedJob *self, gint64 born_us, gint64 died_us)
{
  if (born_us != 0 && (self->born_us == 0 || born_us < self->born_us))
    self->born_us = born_us;
  self->died_us = MAX (self->died_us, died_us);
}

void
jm_tracked_job_hear (JmTrackedJob *self, gint64 now_us)
{
  if (self->heard_us == 0)
    self->heard_us = now_us;
}

gint64
jm_tracked_job_find_begin (const JmTrackedJob *self)
{
  gint64 seen_us = jm_tracked_subject_get_first_read_time (self->subject);

  if (self->born_us != 0)
    return self->born_us;

  return seen_us != 0 ? seen_us : self->heard_us;
}

gint64
jm_tracked_job_get_death (const JmTrackedJob *self)
{
  return self->died_us;
}

gboolean
jm_tracked_job_was_missed (const JmTrackedJob *self)
{
  return self->is_missed && self->cgroups->len == 0 &&
         jm_tracked_subject_get_end_time (self->subject) == 0;
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

JmSlot *
jm_tracked_job_get_slot (JmTrackedJob *self, JmJobSlot slot)
{
  return &self->slots[slot];
}
