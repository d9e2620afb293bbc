/* jme-web-listener.c: one socket on which clients come in
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-listen-address.h"

#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>

#define ACCEPTS_PER_TURN 16
#define PAUSE_S 1

struct _JmeWebListener
{
  GSocket *socket;
  GSource *source;
  gboolean is_own;
  JmeIncoming incoming;
  gpointer user_data;
};

static void start (JmeWebListener *self);

static gboolean
on_pause_over (gpointer user_data)
{
  start (user_data);
  return G_SOURCE_REMOVE;
}

static void
stop (JmeWebListener *self)
{
  if (self->source != NULL)
    g_source_destroy (self->source);
  g_clear_pointer (&self->source, g_source_unref);
}

/* Out of descriptors, the connection that waits would wake us again and again. */
static void
pause_listening (JmeWebListener *self)
{
  stop (self);
  self->source = g_timeout_source_new_seconds (PAUSE_S);
  g_source_set_callback (self->source, on_pause_over, self, NULL);
  g_source_attach (self->source, g_main_context_get_thread_default ());
}

static gboolean
on_readable (GSocket *socket, GIOCondition condition, gpointer user_data)
{
  JmeWebListener *self = user_data;

  for (guint i = 0; i < ACCEPTS_PER_TURN; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GSocket) accepted = g_socket_accept (socket, NULL, &error);

      if (accepted != NULL)
        {
          self->incoming (accepted, self->user_data);
          continue;
        }
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
        break;

      g_warning ("cannot accept a connection: %s", error->message);
      self->incoming (NULL, self->user_data);
      pause_listening (self);
      return G_SOURCE_REMOVE;
    }

  return G_SOURCE_CONTINUE;
}

static void
start (JmeWebListener *self)
{
  stop (self);
  self->source = g_socket_create_source (self->socket, G_IO_IN, NULL);
  g_source_set_callback (self->source, G_SOURCE_FUNC (on_readable), self, NULL);
  g_source_attach (self->source, g_main_context_get_thread_default ());
}

/**
 * jme_web_listener_new:
 * @socket: a listening socket that does not block
 * @is_own: whether the file of a unix socket goes when the listener goes
 * @incoming: (scope notified): called for each connection
 * @user_data: for @incoming
 *
 * Accepts connections in the main context of the calling thread.
 *
 * Returns: (transfer full): the listener
 */
JmeWebListener *
jme_web_listener_new (GSocket *socket,
                      gboolean is_own,
                      JmeIncoming incoming,
                      gpointer user_data)
{
  JmeWebListener *self = g_new0 (JmeWebListener, 1);

  self->socket = g_object_ref (socket);
  self->is_own = is_own;
  self->incoming = incoming;
  self->user_data = user_data;
  start (self);

  return self;
}

void
jme_web_listener_free (JmeWebListener *self)
{
  g_autoptr (GSocketAddress) address = g_socket_get_local_address (self->socket, NULL);

  stop (self);
  g_socket_close (self->socket, NULL);
  if (self->is_own && G_IS_UNIX_SOCKET_ADDRESS (address))
    g_unlink (g_unix_socket_address_get_path (G_UNIX_SOCKET_ADDRESS (address)));
  g_object_unref (self->socket);
  g_free (self);
}

/**
 * jme_web_listener_describe:
 * @self: a listener
 *
 * Returns: (transfer full): such as `[::]:9010` or `unix:/run/jobmetrics.sock`
 */
char *
jme_web_listener_describe (JmeWebListener *self)
{
  g_autoptr (GSocketAddress) address = g_socket_get_local_address (self->socket, NULL);

  if (G_IS_UNIX_SOCKET_ADDRESS (address))
    {
      GUnixSocketAddress *unix_address = G_UNIX_SOCKET_ADDRESS (address);

      return g_strconcat ("unix:", g_unix_socket_address_get_path (unix_address), NULL);
    }
  if (G_IS_INET_SOCKET_ADDRESS (address))
    return g_socket_connectable_to_string (G_SOCKET_CONNECTABLE (address));

  return g_strdup ("unknown");
}
