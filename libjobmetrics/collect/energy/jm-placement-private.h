/* jm-placement-private.h: on which CPUs a job was seen of late
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A job's threads are looked at in moments, and some have just moved: what was seen
 * before counts as well, the less the older it is. */
typedef struct _JmPlacement JmPlacement;

JmPlacement *jm_placement_new (void);
void jm_placement_free (JmPlacement *self);

/* Takes how long the job has run on each CPU, by number, up to now. @is_whole: all of
 * that was since the round before; else, the first time, nothing is known of when it
 * was. */
void jm_placement_take (JmPlacement *self,
                        const guint64 *total_ns,
                        guint n,
                        gboolean is_whole);

/* What it was seen to run on one CPU of late, before the program began. */
void jm_placement_restore (JmPlacement *self, guint cpu, guint64 recent_ns);

/* Nanoseconds, of which the proportions count. */
const guint64 *jm_placement_get (JmPlacement *self, guint *n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPlacement, jm_placement_free)

G_END_DECLS
