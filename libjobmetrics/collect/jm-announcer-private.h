/* jm-announcer-private.h: handlers that hear in their own thread of another's sweeps
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-snapshot.h"

G_BEGIN_DECLS

/* Snapshots on their way from the thread in which they are made to the main context
 * that was the thread's default where the announcer was. */
typedef struct _JmAnnouncer JmAnnouncer;

/* @signal is one of @emitter's, whose only argument is the snapshot. The announcer does
 * not keep the emitter alive, and calls nobody once that is gone. */
JmAnnouncer *jm_announcer_new (gpointer emitter, guint signal);
void jm_announcer_unref (JmAnnouncer *self);

/* Any thread may call it. Snapshots that nobody takes in time are passed over, the
 * oldest first. */
void jm_announcer_add (JmAnnouncer *self, JmSnapshot *snapshot);

G_END_DECLS
