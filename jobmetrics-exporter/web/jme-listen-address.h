/* jme-listen-address.h: addresses on which the server waits, and their sockets
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * JmeListenAddress:
 * @text: as the option gave it
 * @host: (nullable): name or number; %NULL for every interface
 * @port: the port, 0 for a free one
 * @path: (nullable): of a unix socket; then there is no host
 * @is_local: whether the socket is the one that every user of this machine may open
 */
typedef struct
{
  char *text;
  char *host;
  guint16 port;
  char *path;
  gboolean is_local;
} JmeListenAddress;

JmeListenAddress *jme_listen_address_parse (const char *text, GError **error);

JmeListenAddress *jme_listen_address_new_local (const char *path, GError **error);

void jme_listen_address_free (JmeListenAddress *self);

gboolean jme_listen_address_open (const JmeListenAddress *self,
                                  GPtrArray *sockets,
                                  GError **error);

GSocket *jme_listen_address_adopt (int fd, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeListenAddress, jme_listen_address_free)

typedef struct _JmeWebListener JmeWebListener;

/**
 * JmeIncoming:
 * @socket: (nullable): a new connection; %NULL when one cannot be accepted, such as
 *   for lack of descriptors, and some should be freed
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
