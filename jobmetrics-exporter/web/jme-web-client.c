/* jme-web-client.c: connections of clients, and how long each may take
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-web-client.h"

#include <glib-unix.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A client that only ends its own side may still read, and one that has gone looks the
 * same until somebody writes to it. */
#define FAREWELL_MS 1000

/* Every end of a connection comes through the socket: shut down, it makes whoever
 * reads or writes it, be it GnuTLS in its thread or libsoup, come to an end by itself.
 */
struct _JmeWebClient
{
  GObject parent_instance;

  GObject *server;
  GSocket *socket;
  /* Asked for once: workers want them as well, when the socket may be closed, and its
   * descriptor another client's. NULL where there is none. */
  GSocketAddress *remote_address, *local_address;
  GIOStream *stream;
  JmeWebClientState state;
  GSource *deadline;
  GSource *next; /* waits for the next request, or for the end */
  JmeWebClientNext on_next;
  GSource *farewell; /* watches for it while the client waits */
  GCancellable *gone;
  gint64 ask_until_us;
  guint ask_ms;
  gint64 progress_us; /* when it was seen to read something */
  guint read_ms;
  guint generation;
  gboolean is_identified;
  JmePeer peer;
  GTlsCertificate *certificate; /* that was verified, or NULL */
};

G_DEFINE_FINAL_TYPE (JmeWebClient, jme_web_client, G_TYPE_OBJECT)

#define STALL_US (G_USEC_PER_SEC / 2)

static gboolean
on_deadline (gpointer user_data)
{
  JmeWebClient *self = user_data;

  g_debug ("a client took too long");
  jme_web_client_cut (self);

  return G_SOURCE_REMOVE;
}

static void
clear_source (GSource **source)
{
  if (*source != NULL)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static void
set_deadline (JmeWebClient *self, gint64 until_us)
{
  clear_source (&self->deadline);
  self->deadline = g_timeout_source_new (0);
  g_source_set_ready_time (self->deadline, until_us);
  g_source_set_callback (self->deadline, on_deadline, self, NULL);
  g_source_attach (self->deadline, g_main_context_get_thread_default ());
}

static gint64
until (guint ms)
{
  return g_get_monotonic_time () + ms * G_GINT64_CONSTANT (1000);
}

static void
set_deadline_in (JmeWebClient *self, guint ms)
{
  set_deadline (self, until (ms));
}

static gboolean
on_farewell (int fd, GIOCondition condition, gpointer user_data)
{
  JmeWebClient *self = user_data;

  if ((condition & (G_IO_ERR | G_IO_HUP)) != 0)
    jme_web_client_cut (self);
  else
    set_deadline_in (self, FAREWELL_MS);

  return G_SOURCE_REMOVE;
}

/* libsoup looks at no connection whose request is being answered: that of a client
 * which left would stay half closed until then. */
static void
watch_for_farewell (JmeWebClient *self)
{
  /* GLib has no name for it, and hands it on to poll(). */
  GIOCondition condition = (GIOCondition) POLLRDHUP;

  self->farewell = g_unix_fd_source_new (g_socket_get_fd (self->socket), condition);
  g_source_set_callback (self->farewell, G_SOURCE_FUNC (on_farewell), self, NULL);
  g_source_attach (self->farewell, g_main_context_get_thread_default ());
}

static void
jme_web_client_finalize (GObject *object)
{
  JmeWebClient *self = JME_WEB_CLIENT (object);

  clear_source (&self->deadline);
  clear_source (&self->farewell);
  clear_source (&self->next);
  g_clear_object (&self->certificate);
  g_clear_object (&self->gone);
  g_clear_object (&self->stream);
  g_clear_object (&self->remote_address);
  g_clear_object (&self->local_address);
  g_clear_object (&self->socket);
  g_clear_object (&self->server);

  G_OBJECT_CLASS (jme_web_client_parent_class)->finalize (object);
}

static void
jme_web_client_class_init (JmeWebClientClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jme_web_client_finalize;
}

static void
jme_web_client_init (JmeWebClient *self)
{
  self->gone = g_cancellable_new ();
}

/**
 * jme_web_client_new:
 * @server: whose client it is, kept as long as the client
 * @socket: the accepted connection
 * @ask_ms: milliseconds until its request must be here, TLS handshake included
 * @read_ms: milliseconds that it may take for the reply
 *
 * Returns: (transfer full): the client, asking
 */
JmeWebClient *
jme_web_client_new (GObject *server, GSocket *socket, guint ask_ms, guint read_ms)
{
  JmeWebClient *self = g_object_new (JME_TYPE_WEB_CLIENT, NULL);

  if (g_socket_get_family (socket) != G_SOCKET_FAMILY_UNIX)
    g_socket_set_option (socket, IPPROTO_TCP, TCP_NODELAY, TRUE, NULL);

  self->server = g_object_ref (server);
  self->socket = g_object_ref (socket);
  self->remote_address = g_socket_get_remote_address (socket, NULL);
  self->local_address = g_socket_get_local_address (socket, NULL);
  self->stream = G_IO_STREAM (g_socket_connection_factory_create_connection (socket));
  self->ask_ms = ask_ms;
  self->ask_until_us = until (ask_ms);
  self->read_ms = read_ms;
  jme_web_client_set_state (self, JME_WEB_CLIENT_ASKING);

  return self;
}

GObject *
jme_web_client_get_server (JmeWebClient *self)
{
  return self->server;
}

GIOStream *
jme_web_client_get_stream (JmeWebClient *self)
{
  return self->stream;
}

void
jme_web_client_set_generation (JmeWebClient *self, guint generation)
{
  self->generation = generation;
}

guint
jme_web_client_get_generation (JmeWebClient *self)
{
  return self->generation;
}

JmeWebClientState
jme_web_client_get_state (JmeWebClient *self)
{
  return self->state;
}

/**
 * jme_web_client_get_gone:
 * @self: a client
 *
 * Returns: (transfer none): cancelled when the client has left or was thrown out, in
 *   the server's thread
 */
GCancellable *
jme_web_client_get_gone (JmeWebClient *self)
{
  return self->gone;
}

/**
 * jme_web_client_set_state:
 * @self: a client
 * @state: what happens now; one that was cut stays so
 */
void
jme_web_client_set_state (JmeWebClient *self, JmeWebClientState state)
{
  if (self->state == JME_WEB_CLIENT_CUT)
    return;

  self->state = state;
  clear_source (&self->deadline);
  clear_source (&self->farewell);
  switch (state)
    {
    case JME_WEB_CLIENT_SHAKING_HANDS:
    case JME_WEB_CLIENT_ASKING:
      set_deadline (self, self->ask_until_us);
      break;
    case JME_WEB_CLIENT_READING:
      jme_web_client_note_progress (self);
      set_deadline_in (self, self->read_ms);
      break;
    case JME_WEB_CLIENT_LOGGING_IN:
    case JME_WEB_CLIENT_WAITING:
      watch_for_farewell (self);
      break;
    case JME_WEB_CLIENT_IDLE: /* its deadline is set by jme_web_client_rest() */
    case JME_WEB_CLIENT_CUT:
    default:
      break;
    }
}

static gboolean
on_readable (GObject *stream, gpointer user_data)
{
  g_autoptr (JmeWebClient) self = g_object_ref (JME_WEB_CLIENT (user_data));

  clear_source (&self->next);
  self->ask_until_us = until (self->ask_ms);
  self->on_next (self);

  return G_SOURCE_REMOVE;
}

/**
 * jme_web_client_rest:
 * @self: a client that was sent its whole reply
 * @stream: where its next request comes, TLS taken off
 * @idle_ms: milliseconds that it may take until then
 * @on_next: called once: the request begins, or the connection has come to an end
 */
void
jme_web_client_rest (JmeWebClient *self,
                     GIOStream *stream,
                     guint idle_ms,
                     JmeWebClientNext on_next)
{
  GInputStream *input = g_io_stream_get_input_stream (stream);

  self->on_next = on_next;
  jme_web_client_set_state (self, JME_WEB_CLIENT_IDLE);
  set_deadline_in (self, idle_ms);
  self->next =
    g_pollable_input_stream_create_source (G_POLLABLE_INPUT_STREAM (input), NULL);
  g_source_set_callback (self->next, G_SOURCE_FUNC (on_readable), self, NULL);
  g_source_attach (self->next, g_main_context_get_thread_default ());
}

/* What one customer of an internet provider has of IPv6. */
#define IPV6_NETWORK_BYTES 8

/**
 * jme_web_client_describe_peer:
 * @self: a client
 *
 * Returns: (transfer full): where it comes from: an IPv4 address, an IPv6 network of 64
 *   bits, or `local`
 */
char *
jme_web_client_describe_peer (JmeWebClient *self)
{
  g_autoptr (GInetAddress) ip = jme_web_client_get_remote_address (self);
  g_autoptr (GInetAddress) network = NULL;
  guint8 bytes[16] = { 0 };

  if (ip == NULL)
    return g_strdup ("local");

  if (g_inet_address_get_family (ip) != G_SOCKET_FAMILY_IPV6 ||
      g_inet_address_get_is_loopback (ip))
    return g_inet_address_to_string (ip);

  memcpy (bytes, g_inet_address_to_bytes (ip), IPV6_NETWORK_BYTES);
  network = g_inet_address_new_from_bytes (bytes, G_SOCKET_FAMILY_IPV6);

  return g_inet_address_to_string (network);
}

gboolean
jme_peer_is_trusted (const JmePeer *self)
{
  return self->uid == 0 || self->uid == geteuid ();
}

gboolean
jme_web_client_identify (JmeWebClient *self)
{
  g_autoptr (GCredentials) credentials = g_socket_get_credentials (self->socket, NULL);
  uid_t uid =
    credentials != NULL ? g_credentials_get_unix_user (credentials, NULL) : (uid_t) -1;

  if (uid == (uid_t) -1)
    return FALSE;

  self->peer =
    (JmePeer){ uid, MAX (0, g_credentials_get_unix_pid (credentials, NULL)) };
  self->is_identified = TRUE;

  return TRUE;
}

const JmePeer *
jme_web_client_get_peer (JmeWebClient *self)
{
  return self->is_identified ? &self->peer : NULL;
}

void
jme_web_client_set_certificate (JmeWebClient *self, GTlsCertificate *certificate)
{
  g_set_object (&self->certificate, certificate);
}

GTlsCertificate *
jme_web_client_get_certificate (JmeWebClient *self)
{
  return self->certificate;
}

GInetAddress *
jme_web_client_get_remote_address (JmeWebClient *self)
{
  GSocketAddress *address = self->remote_address;

  return G_IS_INET_SOCKET_ADDRESS (address)
           ? g_object_ref (
               g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (address)))
           : NULL;
}

guint
jme_web_client_get_local_port (JmeWebClient *self)
{
  GSocketAddress *address = self->local_address;

  return G_IS_INET_SOCKET_ADDRESS (address)
           ? g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address))
           : 0;
}

/* A part of the reply has gone out. */
void
jme_web_client_note_progress (JmeWebClient *self)
{
  self->progress_us = g_get_monotonic_time ();
}

gint64
jme_web_client_get_progress_us (JmeWebClient *self)
{
  return self->progress_us;
}

/* Shut down, a TCP socket still takes what keeps coming in, and somebody who sends
 * without end would be read from without end. Only a connection that is none any more
 * is over: connect(2) has AF_UNSPEC for that. A unix socket is over when it is shut
 * down. */
static void
reset (GSocket *socket)
{
  const struct sockaddr nowhere = { .sa_family = AF_UNSPEC };

  if (g_socket_get_family (socket) != G_SOCKET_FAMILY_UNIX)
    (void) !connect (g_socket_get_fd (socket), &nowhere, sizeof nowhere);
}

/**
 * jme_web_client_cut:
 * @self: a client
 *
 * Throws it out; the owner of its stream sees the stream end.
 */
void
jme_web_client_cut (JmeWebClient *self)
{
  jme_web_client_set_state (self, JME_WEB_CLIENT_CUT);
  g_socket_shutdown (self->socket, TRUE, TRUE, NULL);
  reset (self->socket);
  g_cancellable_cancel (self->gone);
}

/**
 * jme_web_client_finish:
 * @self: a client that was sent its whole reply
 *
 * To be called before its stream is closed. Closing TLS writes a last record, and
 * would wait for a client that does not read; such a one goes without.
 */
void
jme_web_client_finish (JmeWebClient *self)
{
  clear_source (&self->deadline);
  if ((g_socket_condition_check (self->socket, G_IO_OUT) & G_IO_OUT) == 0)
    g_socket_shutdown (self->socket, FALSE, TRUE, NULL);
}

/* --- all clients --- */

void
jme_web_clients_init (JmeWebClients *self)
{
  g_queue_init (&self->queue);
}

void
jme_web_clients_add (JmeWebClients *self, JmeWebClient *client)
{
  g_queue_push_tail (&self->queue, client);
}

void
jme_web_clients_remove (JmeWebClients *self, JmeWebClient *client)
{
  if (g_queue_remove (&self->queue, client))
    g_object_unref (client);
}

guint
jme_web_clients_count (const JmeWebClients *self,
                       JmeWebClientState from,
                       JmeWebClientState to)
{
  guint n = 0;

  for (GList *l = self->queue.head; l != NULL; l = l->next)
    {
      JmeWebClientState state = jme_web_client_get_state (l->data);

      n += state >= from && state <= to;
    }

  return n;
}

guint
jme_web_clients_count_of (const JmeWebClients *self, guint uid)
{
  guint n = 0;

  for (GList *l = self->queue.head; l != NULL; l = l->next)
    {
      const JmePeer *peer = jme_web_client_get_peer (l->data);

      n += peer != NULL && peer->uid == uid;
    }

  return n;
}

gboolean
jme_web_clients_cut_oldest (JmeWebClients *self,
                            JmeWebClientState from,
                            JmeWebClientState to)
{
  for (GList *l = self->queue.head; l != NULL; l = l->next)
    {
      JmeWebClientState state = jme_web_client_get_state (l->data);

      if (state >= from && state <= to)
        {
          jme_web_client_cut (l->data);
          return TRUE;
        }
    }

  return FALSE;
}

gboolean
jme_web_clients_cut_most_stalled (JmeWebClients *self)
{
  gint64 since_us = g_get_monotonic_time () - STALL_US;
  JmeWebClient *stalled = NULL;

  for (GList *l = self->queue.head; l != NULL; l = l->next)
    if (jme_web_client_get_state (l->data) == JME_WEB_CLIENT_READING &&
        jme_web_client_get_progress_us (l->data) <= since_us)
      {
        since_us = jme_web_client_get_progress_us (l->data);
        stalled = l->data;
      }

  if (stalled == NULL)
    return FALSE;
  jme_web_client_cut (stalled);

  return TRUE;
}

/* Nobody has the stream of a client that rests, and would see its end. */
void
jme_web_clients_cut_all (JmeWebClients *self)
{
  GList *next;

  for (GList *l = self->queue.head; l != NULL; l = next)
    {
      JmeWebClient *client = l->data;

      next = l->next;
      jme_web_client_cut (client);
      if (client->next != NULL)
        jme_web_clients_remove (self, client);
    }
}
