/* jm-poller-private.h: asks in the background what may be slow to answer
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Asks once, and may wait for the answer; in the poller's thread. NULL with an error,
 * or without one where the answer before it still holds. */
typedef gpointer (*JmPollFunc) (gpointer user_data,
                                GCancellable *cancellable,
                                GError **error);

/* A thread that asks at an interval and keeps the last answer, so that nobody waits.
 * After a failure it asks less and less often, up to BACK_OFF times the interval. */
typedef struct _JmPoller JmPoller;

/* @interval_ms of 0 asks until there is an answer, and never again. @answer_ref and
 * @answer_unref are for what @poll returns. @user_data must outlive the poller. */
JmPoller *jm_poller_new (const char *name,
                         guint interval_ms,
                         JmPollFunc poll,
                         gpointer user_data,
                         GBoxedCopyFunc answer_ref,
                         GDestroyNotify answer_unref);

/* Cancels a question that is under way, and waits for its end. */
void jm_poller_free (JmPoller *self);

/* The last answer, a reference of its own, or NULL while there was none. @age_us is
 * since when it is known; @error, why the last question failed, if it did: the answer
 * is then an older one. */
gpointer jm_poller_get_latest (JmPoller *self, gint64 *age_us, GError **error);

/* Waits until it was asked once, whatever came of it; FALSE if that took longer. */
gboolean jm_poller_wait (JmPoller *self, gint64 timeout_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPoller, jm_poller_free)

G_END_DECLS
