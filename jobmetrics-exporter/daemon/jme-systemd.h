/* jme-systemd.h: what a systemd unit asks of a daemon
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

void jme_systemd_notify (const char *state);

void jme_systemd_notify_reloading (void);

GSource *jme_systemd_watchdog_source_new (gint64 (*get_busy_us) (gpointer),
                                          gpointer user_data);

gboolean jme_systemd_store (int fd, const char *name, GError **error);
void jme_systemd_remove_stored (const char *name);
int jme_systemd_take_stored (const char *name);

gboolean jme_systemd_take_sockets (GArray *fds, GError **error);

G_END_DECLS
