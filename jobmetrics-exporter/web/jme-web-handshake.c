/* jme-web-handshake.c: how a client's connection becomes one of TLS
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-web-tls.h"

typedef struct
{
  JmeWebClient *client;
  JmeWebTls *tls;
  const JmeHandshakeSteps *steps;
} Handshake;

static Handshake *
handshake_copy (const Handshake *from)
{
  Handshake *self = g_new (Handshake, 1);

  self->client = g_object_ref (from->client);
  self->tls = jme_web_tls_ref (from->tls);
  self->steps = from->steps;

  return self;
}

static void
handshake_free (gpointer data)
{
  Handshake *self = data;

  g_object_unref (self->client);
  jme_web_tls_unref (self->tls);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Handshake, handshake_free)

static void
on_handshake (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Handshake) self = user_data;
  GTlsConnection *connection = G_TLS_CONNECTION (source);
  g_autoptr (GError) error = NULL;

  if (g_tls_connection_handshake_finish (connection, result, &error) &&
      jme_web_tls_check_peer (self->tls, connection) &&
      jme_web_client_get_state (self->client) != JME_WEB_CLIENT_CUT)
    {
      jme_web_client_set_certificate (self->client,
                                      jme_web_tls_find_verified (self->tls,
                                                                 connection));
      self->steps->ends (self->client, G_IO_STREAM (connection));
      return;
    }

  g_debug ("a TLS handshake failed: %s",
           error != NULL ? error->message : "a name that is not allowed");
  jme_web_client_cut (self->client);
  g_io_stream_close (jme_web_client_get_stream (self->client), NULL, NULL);
  self->steps->ends (self->client, NULL);
}

static void
shake_hands (const Handshake *self)
{
  g_autoptr (GIOStream) stream =
    jme_web_tls_wrap (self->tls, jme_web_client_get_stream (self->client), NULL);

  if (stream == NULL)
    {
      self->steps->ends (self->client, NULL);
      return;
    }

  self->steps->begins (self->client);
  g_tls_connection_handshake_async (G_TLS_CONNECTION (stream), G_PRIORITY_DEFAULT, NULL,
                                    on_handshake, handshake_copy (self));
}

static gboolean
on_first_words (GSocket *socket, GIOCondition condition, gpointer user_data)
{
  const Handshake *self = user_data;

  if (jme_web_client_get_state (self->client) == JME_WEB_CLIENT_CUT)
    self->steps->ends (self->client, NULL);
  else
    shake_hands (self);

  return G_SOURCE_REMOVE;
}

/* GIO has few threads to shake hands in: those who are silent shall not sit in them. */
void
jme_web_handshake_start (JmeWebClient *client,
                         GSocket *socket,
                         JmeWebTls *tls,
                         const JmeHandshakeSteps *steps)
{
  const Handshake self = { client, tls, steps };
  g_autoptr (GSource) source = g_socket_create_source (socket, G_IO_IN, NULL);

  g_source_set_callback (source, G_SOURCE_FUNC (on_first_words), handshake_copy (&self),
                         handshake_free);
  g_source_attach (source, g_main_context_get_thread_default ());
}
