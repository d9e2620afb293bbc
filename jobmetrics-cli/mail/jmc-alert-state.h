/* jmc-alert-state.h: who was told of what, and when
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _JmcAlertState JmcAlertState;

/* What a file tells, which may not be there yet. It is locked for as long as this
 * lives: of two who alert at once, the second one gets `UNAVAILABLE`. `MALFORMED` where
 * the file tells nothing that can be meant: nobody is then told anything a second time.
 */
JmcAlertState *jmc_alert_state_open (const char *path, GError **error);

/* The same to look at alone, without a lock; it cannot be written. */
JmcAlertState *jmc_alert_state_read (const char *path, GError **error);
void jmc_alert_state_free (JmcAlertState *self);

/* When @user was last told of @kind, seconds since 1970; 0 if never. */
gint64 jmc_alert_state_get (JmcAlertState *self, const char *user, const char *kind);
void jmc_alert_state_set (JmcAlertState *self,
                          const char *user,
                          const char *kind,
                          gint64 time);

/* Forgets what is older than @oldest, and brings the rest to the disk, all of it or
 * nothing. */
gboolean jmc_alert_state_write (JmcAlertState *self, gint64 oldest, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcAlertState, jmc_alert_state_free)

G_END_DECLS
