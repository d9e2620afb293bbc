/* jm-tracked-cgroup.c: a cgroup whose processes are a job's
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-place-private.h"
#include "node/jm-tracked-job-private.h"

#include "base/jm-error.h"
#include "core/jm-readings-private.h"
#include "sources/cgroup/jm-cgroup-kernel-reader-private.h"
#include "sources/cgroup/jm-cgroup-types-private.h"

#define ROUNDS_BETWEEN_EMPTY 12

struct _JmTrackedCgroup
{
  JmTrackedCgroup *above; /* the one directly above, if that is a job's too */
  JmTrackedSubject *subject;
  char *path;
  JmPlace *place;
  guint number;
  guint64 inode;          /* 0 is not known */
  gboolean is_inode_read; /* it was asked for */
  guint n_below;          /* cgroups directly below */
  gboolean has_figures;
  gboolean is_helper; /* the scheduler's own processes */
  gboolean is_denied;
  gboolean is_empty;
  gboolean is_met;     /* a process of it was seen */
  guint n_passed_over; /* rounds in which it was not asked for processes */
  JmSlot slot;
};

JmTrackedCgroup *
jm_tracked_cgroup_new (const char *path,
                       JmTrackedSubject *subject,
                       JmPlace *place,
                       JmTrackedCgroup *above)
{
  JmTrackedCgroup *self = g_new0 (JmTrackedCgroup, 1);

  self->above = above;
  self->subject = subject;
  self->path = g_strdup (path);
  self->place = jm_place_ref (place != NULL ? place : above->place);
  self->is_helper = place != NULL ? jm_place_is_helper (place) : above->is_helper;
  self->has_figures = place != NULL && !self->is_helper;
  if (above != NULL)
    above->n_below++;

  return self;
}

void
jm_tracked_cgroup_free (JmTrackedCgroup *self)
{
  if (self->above != NULL)
    self->above->n_below--;
  jm_slot_clear (&self->slot);
  jm_place_unref (self->place);
  g_free (self->path);
  g_free (self);
}

gboolean
jm_tracked_cgroup_open (JmTrackedCgroup *self,
                        JmCgroupReader *reader,
                        JmSubjectKind kind,
                        GError **error)
{
  GError *problem = NULL;

  if (!self->is_helper)
    self->number = jm_cgroup_reader_open_cgroup (reader, self->path, kind, &problem);
  self->is_denied = g_error_matches (problem, JM_ERROR, JM_ERROR_DENIED);
  if (problem != NULL)
    g_propagate_error (error, problem);

  return self->number != 0;
}

gboolean
jm_tracked_cgroup_is_denied (const JmTrackedCgroup *self)
{
  return self->is_denied;
}

guint
jm_tracked_cgroup_get_number (const JmTrackedCgroup *self)
{
  return self->number;
}

const char *
jm_tracked_cgroup_get_path (const JmTrackedCgroup *self)
{
  return self->path;
}

JmPlace *
jm_tracked_cgroup_get_place (const JmTrackedCgroup *self)
{
  return self->place;
}

JmTrackedSubject *
jm_tracked_cgroup_get_subject (const JmTrackedCgroup *self)
{
  return self->subject;
}

guint64
jm_tracked_cgroup_get_inode (JmTrackedCgroup *self, JmCgroupReader *reader)
{
  if (!self->is_inode_read)
    self->inode = jm_cgroup_reader_get_inode (reader, self->path, 0);
  self->is_inode_read = TRUE;

  return self->inode;
}

gboolean
jm_tracked_cgroup_has_figures (const JmTrackedCgroup *self)
{
  return self->has_figures;
}

JmSlot *
jm_tracked_cgroup_get_slot (JmTrackedCgroup *self)
{
  return &self->slot;
}

/* Processes live in the leaves: in cgroup v2 the kernel sees to it, in v1 schedulers
 * do. An inner cgroup that was found empty is asked again only now and then. */
gboolean
jm_tracked_cgroup_is_due (JmTrackedCgroup *self)
{
  if (self->n_below == 0 || !self->is_empty)
    return TRUE;

  self->n_passed_over = (self->n_passed_over + 1) % ROUNDS_BETWEEN_EMPTY;

  return self->n_passed_over == 0;
}

void
jm_tracked_cgroup_set_empty (JmTrackedCgroup *self, gboolean is_empty)
{
  self->is_empty = is_empty;
  self->is_met = self->is_met || !is_empty;
}

gboolean
jm_tracked_cgroup_is_empty (const JmTrackedCgroup *self)
{
  return self->is_empty;
}

gboolean
jm_tracked_cgroup_is_met (const JmTrackedCgroup *self)
{
  return self->is_met;
}

static JmOccupancy
list_processes (const JmTrackedCgroup *self,
                JmCgroupReader *reader,
                JmReadings *readings)
{
  guint n_pids = 0;

  jm_readings_clear_processes (readings);
  if (!jm_cgroup_reader_list_processes (reader, self->number, readings, NULL))
    return JM_OCCUPANCY_UNKNOWN;
  jm_readings_get_processes (readings, &n_pids);

  return n_pids > 0 ? JM_OCCUPANCY_POPULATED : JM_OCCUPANCY_EMPTY;
}

static JmOccupancy
find_occupancy (const JmTrackedCgroup *self,
                JmCgroupReader *reader,
                JmReadings *readings)
{
  gboolean has_processes, is_known;

  if (!JM_IS_CGROUP_KERNEL_READER (reader))
    return list_processes (self, reader, readings);
  is_known =
    JM_IS_CGROUP_V2_READER (reader)
      ? jm_cgroup_kernel_reader_read_populated (JM_CGROUP_KERNEL_READER (reader),
                                                self->path, &has_processes)
      : jm_cgroup_kernel_reader_read_occupied (JM_CGROUP_KERNEL_READER (reader),
                                               self->path, &has_processes);
  if (!is_known)
    return JM_OCCUPANCY_UNKNOWN;

  return has_processes ? JM_OCCUPANCY_POPULATED : JM_OCCUPANCY_EMPTY;
}

JmOccupancy
jm_tracked_cgroups_find_occupancy (const GPtrArray *cgroups,
                                   JmCgroupReader *reader,
                                   JmReadings *readings)
{
  JmOccupancy all = cgroups->len > 0 ? JM_OCCUPANCY_EMPTY : JM_OCCUPANCY_UNKNOWN;

  for (guint i = 0; i < cgroups->len && all != JM_OCCUPANCY_POPULATED; i++)
    {
      JmOccupancy one = find_occupancy (cgroups->pdata[i], reader, readings);

      if (one != JM_OCCUPANCY_EMPTY)
        all = one;
    }

  return all;
}

gboolean
jm_tracked_cgroup_is_unmet (const JmTrackedCgroup *self)
{
  return !self->is_met && self->n_below == 0;
}
