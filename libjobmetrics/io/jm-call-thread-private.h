/* jm-call-thread-private.h: makes calls that may never return
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef void (*JmCallFunc) (gpointer data);

/* One call, shared by who waits for it and the thread that makes it. */
typedef struct _JmCall JmCall;

/* @destroy frees @data once nobody needs it any more, in either thread. */
JmCall *jm_call_new (JmCallFunc func, gpointer data, GDestroyNotify destroy);
JmCall *jm_call_ref (JmCall *self);
void jm_call_unref (JmCall *self);

/* Whether it has returned; @data is the caller's then. */
gboolean jm_call_is_over (JmCall *self);

/* What was given to jm_call_new(). */
gpointer jm_call_get_data (JmCall *self);

/* Has an object live until the call has returned. */
void jm_call_hold (JmCall *self, GObject *object);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmCall, jm_call_unref)

/* A thread that makes one call after another. One that does not return in time is left
 * behind with its thread, and another thread makes those that follow. */
typedef struct _JmCallThread JmCallThread;

JmCallThread *jm_call_thread_new (const char *name);

/* Waits for no call that was left behind. */
void jm_call_thread_free (JmCallThread *self);

/* Makes a call. FALSE where it has not returned in time, or soon after it was
 * cancelled: it is then left behind. */
gboolean jm_call_thread_run (JmCallThread *self,
                             JmCall *call,
                             gint64 timeout_us,
                             GCancellable *cancellable);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmCallThread, jm_call_thread_free)

G_END_DECLS
