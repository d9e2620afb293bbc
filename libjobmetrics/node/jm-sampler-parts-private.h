/* jm-sampler-parts-private.h: what a sampler is asked, and what it announces
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

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

/* Tasks that wait for a sweep, or for something about a job. Any thread may call what
 * follows. Whoever has taken a task owns it, and nobody else answers it; one that is
 * cancelled while it waits leaves the queue and is answered where it was asked for. The
 * tasks' source object keeps the queue. */
typedef struct _JmSampleQueue JmSampleQueue;

/* @on_demand is called in @context, once for all that was asked for before it calls
 * jm_sample_queue_begin(). */
JmSampleQueue *
jm_sample_queue_new (GMainContext *context, GSourceFunc on_demand, gpointer user_data);
void jm_sample_queue_free (JmSampleQueue *self);

/* A sweep that began before @not_before_us, by the monotonic clock, will not do. */
void jm_sample_queue_add_sweep (JmSampleQueue *self, GTask *task, gint64 not_before_us);
void jm_sample_queue_add_job (JmSampleQueue *self, GTask *task, const char *job);

/* What is asked for from here on is another demand. Whether anybody waits for a sweep:
 * one that began meanwhile may have served them all. */
gboolean jm_sample_queue_begin (JmSampleQueue *self);

/* One of those for whom a sweep that began at @began_us is new enough, or NULL. */
GTask *jm_sample_queue_take_served (JmSampleQueue *self, gint64 began_us);

/* The one that has asked about a job longest, or NULL. */
GTask *jm_sample_queue_take_asking (JmSampleQueue *self);

/* What the job is called that a task asks about; NULL where it waits for a sweep. */
const char *jm_sample_queue_get_job (GTask *task);

/* Any that waits, or NULL; nothing is demanded any more. */
GTask *jm_sample_queue_take_any (JmSampleQueue *self);

G_END_DECLS
