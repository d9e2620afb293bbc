/* jm-tracked-cgroup-private.h: a cgroup whose processes are a job's
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/jm-counting-private.h"
#include "core/jm-place.h"
#include "sources/cgroup/jm-cgroup-reader.h"

G_BEGIN_DECLS

typedef struct _JmTrackedCgroup JmTrackedCgroup;
typedef struct _JmTrackedSubject JmTrackedSubject;

/* Without a @place of its own it is a part of what @above is; one of the two may be
 * NULL. */
JmTrackedCgroup *jm_tracked_cgroup_new (const char *path,
                                        JmTrackedSubject *subject,
                                        JmPlace *place,
                                        JmTrackedCgroup *above);
void jm_tracked_cgroup_free (JmTrackedCgroup *self);

/* Gives it a number in @reader, unless it has gone, is the scheduler's own, or may not be
 * looked at. */
gboolean jm_tracked_cgroup_open (JmTrackedCgroup *self,
                                 JmCgroupReader *reader,
                                 JmSubjectKind kind,
                                 GError **error);

/* Whether it may not be looked at, as of the last try. */
gboolean jm_tracked_cgroup_is_denied (const JmTrackedCgroup *self);

/* Its number in the reader; 0 where it was not opened. */
guint jm_tracked_cgroup_get_number (const JmTrackedCgroup *self);
const char *jm_tracked_cgroup_get_path (const JmTrackedCgroup *self);
JmPlace *jm_tracked_cgroup_get_place (const JmTrackedCgroup *self);
JmTrackedSubject *jm_tracked_cgroup_get_subject (const JmTrackedCgroup *self);

/* Of its directory in the first hierarchy; 0 where it has none there. */
guint64 jm_tracked_cgroup_get_inode (JmTrackedCgroup *self, JmCgroupReader *reader);

/* Whether its figures are the subject's; else it lies below one of which they are. */
gboolean jm_tracked_cgroup_has_figures (const JmTrackedCgroup *self);

/* Where what is counted of it is, which goes with it; NULL until somebody begins. */
JmCounting **jm_tracked_cgroup_get_countings (JmTrackedCgroup *self);

/* Whether it is worth while to ask in this round for its processes. */
gboolean jm_tracked_cgroup_is_due (JmTrackedCgroup *self);

/* Says whether it had none when it was asked. */
void jm_tracked_cgroup_set_empty (JmTrackedCgroup *self, gboolean is_empty);

/* Whether it had none when it was asked, or lies above others that have them. */
gboolean jm_tracked_cgroup_is_empty (const JmTrackedCgroup *self);

/* Whether a process of it was seen. */
gboolean jm_tracked_cgroup_is_met (const JmTrackedCgroup *self);

typedef enum
{
  JM_OCCUPANCY_UNKNOWN, /* none is known to have a process, and one cannot be read */
  JM_OCCUPANCY_EMPTY,
  JM_OCCUPANCY_POPULATED,
} JmOccupancy;

/* Whether there is a process in any of @cgroups, as the kernel says of what is below them
 * too, else as they list them. */
JmOccupancy jm_tracked_cgroups_find_occupancy (const GPtrArray *cgroups,
                                               JmCgroupReader *reader,
                                               JmReadings *readings);

/* Whether processes are expected in it of which none was seen yet. */
gboolean jm_tracked_cgroup_is_unmet (const JmTrackedCgroup *self);

G_END_DECLS
