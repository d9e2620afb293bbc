/* jm-lookout-private.h: the jobs that are looked at between two rounds
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/jm-tracked-job-private.h"

G_BEGIN_DECLS

/* The jobs of which something is new, or may be about to go. Each is looked at when
 * that is heard of, and again after ever longer pauses: its processes come a moment
 * after its cgroup, and what they have used is counted a moment after they ended. Times
 * are those of the monotonic clock. */
typedef struct _JmLookout JmLookout;

JmLookout *jm_lookout_new (void);
void jm_lookout_free (JmLookout *self);

/* Something happened to @job. It is looked at at once, unless that was done a moment
 * ago. */
void jm_lookout_add (JmLookout *self, JmTrackedJob *job, gint64 now_us);

/* It is gone, or there is nothing more to learn between two rounds. */
void jm_lookout_remove (JmLookout *self, JmTrackedJob *job);

/* One that is to be looked at now, or NULL. It comes again later, unless it was looked
 * at often enough. */
JmTrackedJob *jm_lookout_take (JmLookout *self, gint64 now_us);

/* Whether @job was looked at twice since something happened to it. */
gboolean jm_lookout_has_seen (const JmLookout *self, JmTrackedJob *job);

/* When the next is to be looked at; G_MAXINT64 where there is none. */
gint64 jm_lookout_get_next (const JmLookout *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmLookout, jm_lookout_free)

G_END_DECLS
