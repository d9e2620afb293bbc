/* jme-web-listener.h: one socket on which clients come in
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _JmeWebListener JmeWebListener;

/**
 * JmeIncoming:
 * @socket: (nullable): a new connection; %NULL when one cannot be accepted, such as
 *   for want of descriptors, and some should be freed
 * @user_data: as given with the callback
 */
typedef void (*JmeIncoming) (GSocket *socket, gpointer user_data);

JmeWebListener *jme_web_listener_new (GSocket *socket,
                                      gboolean is_own,
                                      JmeIncoming incoming,
                                      gpointer user_data);

void jme_web_listener_free (JmeWebListener *self);

char *jme_web_listener_describe (JmeWebListener *self);

G_END_DECLS
