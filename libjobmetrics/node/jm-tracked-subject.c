/* jm-tracked-subject.c: a job, a step or a task that is on display
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/jm-tracked-job-private.h"

#include "core/jm-readings-private.h"

struct _JmTrackedSubject
{
  JmTrackedJob *job;
  JmTrackedSubject *parent;
  GPtrArray *children; /* of JmTrackedSubject, owned */
  JmSubjectKind kind;
  JmLabels *labels; /* NULL where the kind has none */
  GArray *cgroups;  /* of guint */
  guint group;
  gint64 end_us;
  gboolean is_told; /* of its end, in a snapshot */
  gboolean has_unlisted;
  gboolean has_own_cpu;
  guint last_number; /* in the last snapshot; 0 if it was in none */
  JmReadings *late;  /* NULL for none */
  gint64 first_read_us;
  gint64 read_us;    /* when its counters were read last, since 1970; 0 for never */
  gboolean is_final; /* its last process had gone by then */
  guint64 used_ns;   /* CPU time of its last cgroup; 0 for not known */
  guint64 unread_ns; /* CPU time of others that is in no readings yet */
  gint64 cpu_us;     /* up to when all of it is known; 0 for read_us */
  JmSlot slot;
};

JmTrackedSubject *
jm_tracked_subject_new (JmTrackedJob *job,
                        JmTrackedSubject *parent,
                        JmSubjectKind kind,
                        JmLabels *labels,
                        guint group)
{
  JmTrackedSubject *self = g_new0 (JmTrackedSubject, 1);

  self->job = job;
  self->parent = parent;
  self->children =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_tracked_subject_free);
  self->kind = kind;
  self->labels = labels != NULL ? jm_labels_ref (labels) : NULL;
  self->cgroups = g_array_new (FALSE, FALSE, sizeof (guint));
  self->group = group;
  if (parent != NULL)
    g_ptr_array_add (parent->children, self);

  return self;
}

void
jm_tracked_subject_free (JmTrackedSubject *self)
{
  g_ptr_array_unref (self->children);
  g_array_unref (self->cgroups);
  g_clear_pointer (&self->labels, jm_labels_unref);
  g_clear_pointer (&self->late, jm_readings_unref);
  jm_slot_clear (&self->slot);
  g_free (self);
}

JmTrackedJob *
jm_tracked_subject_get_job (const JmTrackedSubject *self)
{
  return self->job;
}

JmSubjectKind
jm_tracked_subject_get_kind (const JmTrackedSubject *self)
{
  return self->kind;
}

JmLabels *
jm_tracked_subject_get_labels (const JmTrackedSubject *self)
{
  return self->labels;
}

guint
jm_tracked_subject_get_group (const JmTrackedSubject *self)
{
  return self->group;
}

/* --- children --- */

JmTrackedSubject *
jm_tracked_subject_get_child (const JmTrackedSubject *self, guint i)
{
  return i < self->children->len ? g_ptr_array_index (self->children, i) : NULL;
}

gboolean
jm_tracked_subject_find_child (const JmTrackedSubject *self, JmLabels *labels, guint *i)
{
  for (*i = 0; *i < self->children->len; (*i)++)
    if (jm_tracked_subject_get_child (self, *i)->labels == labels)
      return TRUE;

  return FALSE;
}

void
jm_tracked_subject_remove_child (JmTrackedSubject *self, guint i)
{
  g_ptr_array_remove_index (self->children, i);
}

/* --- its life --- */

const guint *
jm_tracked_subject_get_cgroups (const JmTrackedSubject *self, guint *n)
{
  *n = self->cgroups->len;

  return (const guint *) (gpointer) self->cgroups->data;
}

void
jm_tracked_subject_add_cgroup (JmTrackedSubject *self, guint cgroup)
{
  g_array_append_val (self->cgroups, cgroup);
}

void
jm_tracked_subject_remove_cgroup (JmTrackedSubject *self, guint cgroup, gint64 now_us)
{
  for (guint i = self->cgroups->len; i-- > 0;)
    if (g_array_index (self->cgroups, guint, i) == cgroup)
      g_array_remove_index (self->cgroups, i);

  if (self->cgroups->len == 0)
    self->end_us = now_us;
}

gint64
jm_tracked_subject_get_end_time (const JmTrackedSubject *self)
{
  return self->end_us;
}

void
jm_tracked_subject_end (JmTrackedSubject *self, gint64 now_us)
{
  self->end_us = now_us;
}

gboolean
jm_tracked_subject_ended_before (const JmTrackedSubject *self, gint64 time_us)
{
  return self->end_us != 0 && self->end_us < time_us;
}

gboolean
jm_tracked_subject_is_told (const JmTrackedSubject *self)
{
  return self->is_told;
}

/* --- its processes --- */

void
jm_tracked_subject_mark_unlisted (JmTrackedSubject *self)
{
  for (; self != NULL; self = self->parent)
    self->has_unlisted = TRUE;
}

void
jm_tracked_subject_clear_unlisted (JmTrackedSubject *self)
{
  self->has_unlisted = FALSE;
  for (guint i = 0; i < self->children->len; i++)
    jm_tracked_subject_clear_unlisted (g_ptr_array_index (self->children, i));
}

gboolean
jm_tracked_subject_has_unlisted (const JmTrackedSubject *self)
{
  return self->has_unlisted;
}

void
jm_tracked_subject_note_own_cpu (JmTrackedSubject *self)
{
  self->has_own_cpu = TRUE;
}

gboolean
jm_tracked_subject_has_own_cpu (const JmTrackedSubject *self)
{
  return self->has_own_cpu;
}

/* --- its last readings --- */

void
jm_tracked_subject_set_number (JmTrackedSubject *self, guint number)
{
  self->last_number = number;
  self->is_told = self->is_told || self->end_us != 0;
}

guint
jm_tracked_subject_get_number (const JmTrackedSubject *self)
{
  return self->last_number;
}

void
jm_tracked_subject_set_read_time (JmTrackedSubject *self, gint64 read_us)
{
  if (self->first_read_us == 0)
    self->first_read_us = read_us;
  self->read_us = read_us;
  self->is_final = FALSE;
}

void
jm_tracked_subject_note_final (JmTrackedSubject *self)
{
  self->is_final = TRUE;
}

gboolean
jm_tracked_subject_is_final (const JmTrackedSubject *self)
{
  return self->is_final;
}

gint64
jm_tracked_subject_get_first_read_time (const JmTrackedSubject *self)
{
  return self->first_read_us;
}

gint64
jm_tracked_subject_get_read_time (const JmTrackedSubject *self)
{
  return self->read_us;
}

/* Of several cgroups one that is not known whole leaves the sum so. */
void
jm_tracked_subject_note_unread_cpu (JmTrackedSubject *self,
                                    guint64 used_ns,
                                    guint64 unread_ns,
                                    gint64 until_us)
{
  /* what was read of the only one may be in readings that were given up */
  if (self->cgroups->len == 1)
    self->used_ns = used_ns;
  else
    self->unread_ns += unread_ns;
  self->cpu_us = self->cgroups->len == 1 ? until_us : 0;
}

gint64
jm_tracked_subject_get_cpu_time (const JmTrackedSubject *self)
{
  return self->cpu_us;
}

JmSlot *
jm_tracked_subject_get_slot (JmTrackedSubject *self)
{
  return &self->slot;
}

void
jm_tracked_subject_swap_late (JmTrackedSubject *self, JmReadings **late)
{
  JmReadings *older = self->late;

  self->late = *late;
  *late = older;
}

void
jm_tracked_subject_drop_late (JmTrackedSubject *self)
{
  g_clear_pointer (&self->late, jm_readings_unref);
}

static const JmReading *
get_last_readings (const JmTrackedSubject *self, JmSnapshot *last, guint *n_readings)
{
  *n_readings = 0;
  if (self->late != NULL)
    return jm_readings_get_values (self->late, n_readings);
  if (self->last_number != 0)
    return jm_snapshot_get_readings_of (last, self->last_number, n_readings);

  return NULL;
}

/* Of one that was never read nothing else is known. */
static void
add_unread (JmTrackedSubject *self, JmSnapshot *last)
{
  JmReadings *all = jm_readings_new ();
  guint n;
  const JmReading *readings = get_last_readings (self, last, &n);
  guint64 cpu_ns = self->unread_ns;

  for (guint i = 0; i < n; i++)
    if (readings[i].metric == JM_METRIC_CPU_TOTAL)
      cpu_ns += readings[i].value;
    else if (!jm_reading_is_of_energy (&readings[i]))
      jm_readings_add_copies (all, &readings[i], 1);
  jm_readings_add (all, JM_METRIC_CPU_TOTAL, MAX (cpu_ns, self->used_ns));

  self->used_ns = self->unread_ns = 0;
  g_clear_pointer (&self->late, jm_readings_unref);
  self->late = all;
}

const JmReading *
jm_tracked_subject_get_last_readings (JmTrackedSubject *self,
                                      JmSnapshot *last,
                                      guint *n_readings)
{
  if (self->used_ns > 0 || self->unread_ns > 0)
    add_unread (self, last);

  return get_last_readings (self, last, n_readings);
}
