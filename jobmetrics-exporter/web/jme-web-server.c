/* jme-web-server.c: a small HTTP server that bears hostile clients
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-web-server.h"

#include <libsoup/soup.h>

#include "web/jme-body-limit.h"
#include "web/jme-head-stream.h"
#include "web/jme-listen-address.h"
#include "web/jme-login.h"
#include "web/jme-request-private.h"
#include "web/jme-web-client.h"
#include "web/jme-web-setup.h"
#include "web/jme-web-tls.h"
#include "web/jme-workers.h"

#define STATUS_TOO_MANY_REQUESTS 429
#define CLIENT_KEY "jme-web-client"
#define HEAD_KEY "jme-head-stream"
#define CONNECTION "Connection"
#define CROSS_SITE "403: a page of another site sent this request\n"

static const JmeWebLimits default_limits = {
  .clients = 256,
  .handshakes = 32,
  .requests = 128,
  .workers = 12,
  .work_ms = JME_WORKERS_BUDGET_MS,
  .ask_ms = 10 * 1000,
  .read_ms = 30 * 1000,
  .idle_ms = 6 * 60 * 1000, /* Prometheus ends what was idle for five minutes itself */
  .per_user = 4,
};

/* libsoup parses and writes; connections are accepted here, and given to it after
 * the TLS handshake, for one request: a JmeHeadStream that libsoup closes. What is
 * below it stays open for the next request where that is clear to begin behind this
 * one. */
struct _JmeWebServer
{
  GObject parent_instance;

  SoupServer *soup;
  JmeWebSetup *setup;
  JmeBasicAuth *auth;
  JmeWebLimits limits;
  JmeRouter *router;
  const JmeIdentityConfig *identity; /* NULL where no proxy names users */
  JmeWorkers *workers;               /* NULL before there is slow work */
  JmeWorkers *askers;   /* the same of work that may wait for other servers */
  GPtrArray *listeners; /* of JmeWebListener */
  JmeWebClients clients;
  GSocketAddress *nowhere; /* libsoup wants addresses, and unix sockets have none */
  JmeWebClient *entering;  /* given to libsoup right now */
};

G_DEFINE_FINAL_TYPE (JmeWebServer, jme_web_server, G_TYPE_OBJECT)

/* Whether one more request may be answered; who does not read has to go for it. */
static gboolean
has_room (JmeWebServer *self)
{
  /* The one that asks is among them. */
  return jme_web_clients_count (&self->clients, JME_WEB_CLIENT_WAITING,
                                JME_WEB_CLIENT_READING) <= self->limits.requests ||
         jme_web_clients_cut_most_stalled (&self->clients);
}

static void
refuse_method (JmeRequest *request, const JmeRoute *route)
{
  g_autofree char *allowed = jme_route_list_methods (route);
  g_autofree char *text = g_strdup_printf ("405: only %s\n", allowed);

  jme_request_set_header (request, "Allow", allowed);
  jme_request_reply_text (request, SOUP_STATUS_METHOD_NOT_ALLOWED, text);
}

static void
refuse_for_now (JmeRequest *request)
{
  jme_request_set_header (request, "Retry-After", "1");
  jme_request_reply_text (request, SOUP_STATUS_SERVICE_UNAVAILABLE,
                          "503: too many requests at once\n");
}

static void
work (JmeWebServer *self, const JmeDestination *destination, JmeRequest *request)
{
  const gboolean asks = destination->route->asks_others;
  JmeWorkers **workers = asks ? &self->askers : &self->workers;
  const JmeWorkersPlan plan = {
    .max_threads = asks ? JME_WORKERS_MAX_THREADS : self->limits.workers,
    .max_of_user = asks ? JME_WORKERS_MAX_OF_USER
                        : CLAMP (self->limits.workers - 1, 1, JME_WORKERS_MAX_OF_USER),
    .budget_ms = self->limits.work_ms,
    .identity = self->identity,
    .refuse = refuse_for_now,
  };

  if (*workers == NULL)
    *workers = jme_workers_new (&plan);
  jme_workers_push (*workers, destination, request);
}

/* Supervisors shall hear whether the daemon lives just when it has much to do, and a
 * job that begins or ends waits for none. */
static gboolean
is_urgent (const JmeRoute *route)
{
  return route->access == JME_ACCESS_OPEN || route->access == JME_ACCESS_LOCAL_ROOT;
}

static void
dispatch (JmeWebServer *self, JmeRequest *request)
{
  const JmeDestination *destination =
    jme_router_find (self->router, jme_request_get_path (request));
  const JmeRoute *route = destination != NULL ? destination->route : NULL;

  if (route == NULL)
    jme_request_reply_text (request, SOUP_STATUS_NOT_FOUND, "404: no such page\n");
  else if (!is_urgent (route) && !has_room (self))
    refuse_for_now (request);
  else if (!jme_route_allows (route, jme_request_get_method (request)))
    refuse_method (request, route);
  else if (jme_request_has_long_body (request))
    jme_request_reply_text (request, SOUP_STATUS_REQUEST_ENTITY_TOO_LARGE,
                            "413: the body is too long\n");
  else if (!jme_request_has_good_query (request))
    jme_request_reply_text (request, SOUP_STATUS_BAD_REQUEST, "400: bad query\n");
  else if (route->is_slow)
    work (self, destination, request);
  else
    route->handler (request, destination->user_data);
}

static void
on_admitted (GObject *server, JmeRequest *request)
{
  dispatch (JME_WEB_SERVER (server), request);
}

/* What is not served is no more open than what is. */
static JmeAccess
find_access (const JmeDestination *destination, JmeRequest *request)
{
  if (destination == NULL)
    return JME_ACCESS_USERS;
  if (destination->route->choose_access == NULL)
    return destination->route->access;

  return destination->route->choose_access (request, destination->user_data);
}

static void
check_user (JmeWebServer *self, JmeRequest *request)
{
  const JmeWebConfig *config = jme_web_setup_get_config (self->setup);
  const JmeDestination *destination =
    jme_router_find (self->router, jme_request_get_path (request));
  const JmePeer *peer = jme_web_client_get_peer (jme_request_get_client (request));
  JmeAccess access = find_access (destination, request);
  const char *reason = NULL;

  switch (jme_access_decide (access, peer, config, &reason))
    {
    case JME_ENTRY_FREE:
      dispatch (self, request);
      break;
    case JME_ENTRY_LOGIN:
      jme_login_check (self->auth, config->users, request, on_admitted,
                       G_OBJECT (self));
      break;
    case JME_ENTRY_REFUSED:
    default:
      jme_request_reply_text (request, SOUP_STATUS_FORBIDDEN, reason);
      break;
    }
}

/* web.yml's limit is for who comes over the network. */
static gboolean
has_turn (JmeWebServer *self, JmeWebClient *client)
{
  return jme_web_client_get_peer (client) != NULL ||
         jme_web_setup_take_turn (self->setup);
}

/* Local users have few connections, which hooks shall find free. */
static gboolean
may_stay (JmeWebClient *client, JmeHeadStream *head)
{
  return jme_web_client_get_peer (client) == NULL && jme_head_stream_may_be_kept (head);
}

static void
refuse_head (JmeRequest *request, guint status, const char *fault)
{
  g_autofree char *text = g_strdup_printf ("%u: %s\n", status, fault);

  jme_request_reply_text (request, status, text);
}

static JmeHeadStream *
get_head (JmeWebClient *client)
{
  return g_object_get_data (G_OBJECT (client), HEAD_KEY);
}

static void
on_request (SoupServer *soup,
            SoupServerMessage *message,
            const char *path,
            GHashTable *query,
            gpointer user_data)
{
  JmeWebServer *self = user_data;
  JmeWebClient *client = g_object_get_data (G_OBJECT (message), CLIENT_KEY);
  g_autoptr (JmeRequest) request = jme_request_new (message, client);
  JmeHeadStream *head = get_head (client);
  guint status;
  const char *fault = jme_head_stream_get_fault (head, &status);

  if (may_stay (client, head))
    soup_message_headers_remove (soup_server_message_get_response_headers (message),
                                 CONNECTION);
  if (!has_turn (self, client))
    jme_request_reply_text (request, STATUS_TOO_MANY_REQUESTS,
                            "429: too many requests\n");
  else if (fault != NULL)
    refuse_head (request, status, fault);
  else if (jme_access_is_cross_site (request, jme_web_server_is_tls (self)))
    jme_request_reply_text (request, SOUP_STATUS_FORBIDDEN, CROSS_SITE);
  else
    check_user (self, request);
}

static gsize
get_max_body (JmeWebServer *self, SoupServerMessage *message)
{
  const char *path = g_uri_get_path (soup_server_message_get_uri (message));
  const JmeDestination *destination = jme_router_find (self->router, path);

  return destination != NULL &&
             jme_route_allows (destination->route,
                               soup_server_message_get_method (message))
           ? destination->route->max_body_bytes
           : 0;
}

static void
on_got_headers (SoupServerMessage *message, gpointer user_data)
{
  JmeWebClient *client = JME_WEB_CLIENT (user_data);
  JmeWebServer *self = JME_WEB_SERVER (jme_web_client_get_server (client));
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);

  /* libsoup answers ranges by itself, out of a body that differs at every request. */
  soup_message_headers_remove (headers, "Range");

  jme_body_limit_set (message, client, get_max_body (self, message));
}

static void
on_wrote_data (SoupServerMessage *message, guint size, gpointer user_data)
{
  jme_web_client_note_progress (JME_WEB_CLIENT (user_data));
}

static void on_next_request (JmeWebClient *client);

static void
on_wrote_body (SoupServerMessage *message, gpointer user_data)
{
  JmeWebClient *client = JME_WEB_CLIENT (user_data);
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);

  if (soup_message_headers_get_one (headers, CONNECTION) == NULL &&
      soup_message_headers_get_encoding (headers) != SOUP_ENCODING_EOF)
    jme_head_stream_keep (get_head (client));
}

static void
on_finished (SoupServerMessage *message, gpointer user_data)
{
  JmeWebClient *client = JME_WEB_CLIENT (user_data);

  if (!jme_head_stream_is_kept (get_head (client)))
    jme_web_client_finish (client);
}

static void
on_disconnected (SoupServerMessage *message, gpointer user_data)
{
  JmeWebClient *client = JME_WEB_CLIENT (user_data);
  JmeWebServer *self = JME_WEB_SERVER (jme_web_client_get_server (client));
  JmeHeadStream *head = get_head (client);

  if (jme_head_stream_is_kept (head) &&
      jme_web_client_get_state (client) != JME_WEB_CLIENT_CUT)
    jme_web_client_rest (client, jme_head_stream_get_base (head), self->limits.idle_ms,
                         on_next_request);
  else
    jme_web_clients_remove (&self->clients, client);
}

static void
on_request_started (SoupServer *soup, SoupServerMessage *message, gpointer user_data)
{
  JmeWebServer *self = user_data;
  JmeWebClient *client = self->entering;
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);
  const JmeWebConfig *config = jme_web_setup_get_config (self->setup);
  GHashTableIter iter;
  gpointer name, value;

  soup_message_headers_replace (headers, CONNECTION, "close");
  g_hash_table_iter_init (&iter, config->headers);
  while (g_hash_table_iter_next (&iter, &name, &value))
    soup_message_headers_replace (headers, name, value);

  g_object_set_data_full (G_OBJECT (message), CLIENT_KEY, g_object_ref (client),
                          g_object_unref);
  g_signal_connect_object (message, "got-headers", G_CALLBACK (on_got_headers), client,
                           0);
  g_signal_connect_object (message, "wrote-body-data", G_CALLBACK (on_wrote_data),
                           client, 0);
  g_signal_connect_object (message, "wrote-body", G_CALLBACK (on_wrote_body), client,
                           0);
  g_signal_connect_object (message, "finished", G_CALLBACK (on_finished), client, 0);
  g_signal_connect_object (message, "disconnected", G_CALLBACK (on_disconnected),
                           client, 0);
}

static void
enter (JmeWebServer *self, JmeWebClient *client, GIOStream *stream)
{
  JmeHeadStream *head = jme_head_stream_new (stream);

  jme_web_client_set_state (client, JME_WEB_CLIENT_ASKING);
  g_object_set_data_full (G_OBJECT (client), HEAD_KEY, head, g_object_unref);

  self->entering = client;
  soup_server_accept_iostream (self->soup, G_IO_STREAM (head), self->nowhere,
                               self->nowhere, NULL);
  self->entering = NULL;
}

/* Its handshake was one of the web.yml that was read then. */
static gboolean
is_of_now (JmeWebServer *self, JmeWebClient *client)
{
  jme_web_setup_refresh (self->setup);

  return jme_web_client_get_generation (client) ==
         jme_web_setup_get_generation (self->setup);
}

static void
on_next_request (JmeWebClient *client)
{
  JmeWebServer *self = JME_WEB_SERVER (jme_web_client_get_server (client));
  g_autoptr (GIOStream) stream =
    g_object_ref (jme_head_stream_get_base (get_head (client)));

  if (!is_of_now (self, client))
    jme_web_client_cut (client);
  if (jme_web_client_get_state (client) == JME_WEB_CLIENT_CUT)
    jme_web_clients_remove (&self->clients, client);
  else
    enter (self, client, stream);
}

/* Each keeps a thread of GIO's busy. */
static void
on_handshake_begins (JmeWebClient *client)
{
  JmeWebServer *self = JME_WEB_SERVER (jme_web_client_get_server (client));

  if (jme_web_clients_count (&self->clients, JME_WEB_CLIENT_SHAKING_HANDS,
                             JME_WEB_CLIENT_SHAKING_HANDS) >= self->limits.handshakes)
    jme_web_clients_cut_oldest (&self->clients, JME_WEB_CLIENT_SHAKING_HANDS,
                                JME_WEB_CLIENT_SHAKING_HANDS);
  jme_web_client_set_state (client, JME_WEB_CLIENT_SHAKING_HANDS);
}

static void
on_handshake_ends (JmeWebClient *client, GIOStream *stream)
{
  JmeWebServer *self = JME_WEB_SERVER (jme_web_client_get_server (client));

  if (stream != NULL)
    enter (self, client, stream);
  else
    jme_web_clients_remove (&self->clients, client);
}

static const JmeHandshakeSteps handshake_steps = {
  .begins = on_handshake_begins,
  .ends = on_handshake_ends,
};

static gboolean
make_room (JmeWebServer *self)
{
  return jme_web_clients_count (&self->clients, JME_WEB_CLIENT_IDLE,
                                JME_WEB_CLIENT_READING) < self->limits.clients ||
         jme_web_clients_cut_oldest (&self->clients, JME_WEB_CLIENT_IDLE,
                                     JME_WEB_CLIENT_IDLE) ||
         jme_web_clients_cut_oldest (&self->clients, JME_WEB_CLIENT_SHAKING_HANDS,
                                     JME_WEB_CLIENT_ASKING) ||
         jme_web_clients_cut_oldest (&self->clients, JME_WEB_CLIENT_READING,
                                     JME_WEB_CLIENT_READING);
}

static void
welcome (JmeWebServer *self, GSocket *socket)
{
  JmeWebClient *client;
  JmeWebTls *tls;

  if (!make_room (self))
    return;

  jme_web_setup_refresh (self->setup);
  client = jme_web_client_new (G_OBJECT (self), socket, self->limits.ask_ms,
                               self->limits.read_ms);
  jme_web_client_set_generation (client, jme_web_setup_get_generation (self->setup));
  jme_web_clients_add (&self->clients, client);

  tls = jme_web_setup_get_tls (self->setup);
  if (tls != NULL)
    jme_web_handshake_start (client, socket, tls, &handshake_steps);
  else
    enter (self, client, jme_web_client_get_stream (client));
}

static void
on_incoming (GSocket *socket, gpointer user_data)
{
  JmeWebServer *self = user_data;

  if (socket != NULL)
    welcome (self, socket);
  else
    jme_web_clients_cut_oldest (&self->clients, JME_WEB_CLIENT_IDLE,
                                JME_WEB_CLIENT_ASKING);
}

/* Nobody shall keep hooks and others out by opening connections. */
static gboolean
has_too_many (JmeWebServer *self, const JmePeer *peer)
{
  return !jme_peer_is_trusted (peer) &&
         jme_web_clients_count_of (&self->clients, peer->uid) >= self->limits.per_user;
}

/* Without TLS: nobody is in between. */
static void
welcome_locally (JmeWebServer *self, GSocket *socket)
{
  g_autoptr (JmeWebClient) client =
    jme_web_client_new (G_OBJECT (self), socket, self->limits.ask_ms,
                        self->limits.read_ms);

  if (!jme_web_client_identify (client) ||
      has_too_many (self, jme_web_client_get_peer (client)) || !make_room (self))
    {
      jme_web_client_cut (client);
      return;
    }

  jme_web_clients_add (&self->clients, g_object_ref (client));
  enter (self, client, jme_web_client_get_stream (client));
}

static void
on_incoming_locally (GSocket *socket, gpointer user_data)
{
  if (socket != NULL)
    welcome_locally (user_data, socket);
  else
    on_incoming (NULL, user_data);
}

static void
jme_web_server_dispose (GObject *object)
{
  jme_web_server_close (JME_WEB_SERVER (object));

  G_OBJECT_CLASS (jme_web_server_parent_class)->dispose (object);
}

static void
jme_web_server_finalize (GObject *object)
{
  JmeWebServer *self = JME_WEB_SERVER (object);

  jme_web_server_finish_work (self);
  g_clear_object (&self->soup);
  g_clear_object (&self->auth);
  g_clear_object (&self->nowhere);
  g_clear_pointer (&self->setup, jme_web_setup_free);
  g_ptr_array_unref (self->listeners);
  jme_router_free (self->router);

  G_OBJECT_CLASS (jme_web_server_parent_class)->finalize (object);
}

static void
jme_web_server_class_init (JmeWebServerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = jme_web_server_dispose;
  G_OBJECT_CLASS (klass)->finalize = jme_web_server_finalize;
}

static void
jme_web_server_init (JmeWebServer *self)
{
  self->limits = default_limits;
  self->router = jme_router_new ();
  self->auth = jme_basic_auth_new ();
  self->nowhere = g_inet_socket_address_new_from_string ("127.0.0.1", 0);
  self->listeners =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jme_web_listener_free);
  jme_web_clients_init (&self->clients);

  self->soup = soup_server_new (NULL, NULL);
  soup_server_add_handler (self->soup, NULL, on_request, self, NULL);
  soup_server_add_handler (self->soup, "*", on_request, self, NULL);
  g_signal_connect (self->soup, "request-started", G_CALLBACK (on_request_started),
                    self);
}

/**
 * jme_web_server_new:
 * @config_path: (nullable): web.yml, or %NULL for plain HTTP that is open to all
 * @error: return location for an error
 *
 * Makes a server that listens nowhere yet. To be called before the program starts a
 * thread or uses TLS; see jme_web_setup_new().
 *
 * - Errors: `INVALID` when web.yml or a file that it names is wrong.
 *
 * Returns: (transfer full): the server
 */
JmeWebServer *
jme_web_server_new (const char *config_path, GError **error)
{
  g_autoptr (JmeWebSetup) setup = jme_web_setup_new (config_path, error);
  JmeWebServer *self;

  if (setup == NULL)
    return NULL;

  self = g_object_new (JME_TYPE_WEB_SERVER, NULL);
  self->setup = g_steal_pointer (&setup);

  return self;
}

/**
 * jme_web_server_set_limits:
 * @self: a server
 * @limits: what its clients may do
 *
 * Replaces the limits: 256 connections, 32 handshakes, 128 requests and 12 slow
 * handlers at once, 10 s for a request, 60 s for a slow handler, 30 s for a reply and
 * six minutes until the next request.
 */
void
jme_web_server_set_limits (JmeWebServer *self, const JmeWebLimits *limits)
{
  self->limits = *limits;
}

/**
 * jme_web_server_set_identity:
 * @self: a server that has no client yet
 * @identity: which proxies are believed; it lives as long as the server
 *
 * Sets how users are recognised. They take turns where there is much to do.
 */
void
jme_web_server_set_identity (JmeWebServer *self, const JmeIdentityConfig *identity)
{
  self->identity = identity;
}

/**
 * jme_web_server_add_routes:
 * @self: a server
 * @routes: routes, up to one without a path, which live as long as the server
 * @user_data: for their handlers
 */
void
jme_web_server_add_routes (JmeWebServer *self,
                           const JmeRoute *routes,
                           gpointer user_data)
{
  jme_router_add (self->router, routes, user_data);
}

/**
 * jme_web_server_reload:
 * @self: a server
 *
 * Reads web.yml and what it names again, without waiting for a change to settle.
 */
void
jme_web_server_reload (JmeWebServer *self)
{
  jme_web_setup_reload (self->setup);
}

static gboolean
listen_on (JmeWebServer *self,
           const JmeListenAddress *address,
           JmeIncoming incoming,
           GError **error)
{
  g_autoptr (GPtrArray) sockets = g_ptr_array_new_with_free_func (g_object_unref);

  if (!jme_listen_address_open (address, sockets, error))
    return FALSE;

  for (guint i = 0; i < sockets->len; i++)
    g_ptr_array_add (self->listeners,
                     jme_web_listener_new (sockets->pdata[i], TRUE, incoming, self));

  return TRUE;
}

/**
 * jme_web_server_listen:
 * @self: a server
 * @address: as jme_listen_address_parse() takes it
 * @error: return location for an error
 *
 * - Errors: `INVALID` for a bad address, `UNAVAILABLE` for one that is taken.
 */
gboolean
jme_web_server_listen (JmeWebServer *self, const char *address, GError **error)
{
  g_autoptr (JmeListenAddress) parsed = jme_listen_address_parse (address, error);

  return parsed != NULL && listen_on (self, parsed, on_incoming, error);
}

/**
 * jme_web_server_listen_locally:
 * @self: a server
 * @path: of a unix socket that every user of this machine may open
 * @error: return location for an error
 *
 * Listens for those whom the kernel knows: without TLS, and without what web.yml asks
 * of others; see #JmeAccess.
 *
 * - Errors: `INVALID` for a bad path, `UNAVAILABLE` for one that is taken.
 */
gboolean
jme_web_server_listen_locally (JmeWebServer *self, const char *path, GError **error)
{
  g_autoptr (JmeListenAddress) address = jme_listen_address_new_local (path, error);

  return address != NULL && listen_on (self, address, on_incoming_locally, error);
}

/**
 * jme_web_server_adopt:
 * @self: a server
 * @fd: a listening socket that the service manager opened, which is taken over
 * @error: return location for an error
 *
 * - Errors: `INVALID` when it is no listening stream socket.
 */
gboolean
jme_web_server_adopt (JmeWebServer *self, int fd, GError **error)
{
  g_autoptr (GSocket) socket = jme_listen_address_adopt (fd, error);

  if (socket == NULL)
    return FALSE;
  g_ptr_array_add (self->listeners,
                   jme_web_listener_new (socket, FALSE, on_incoming, self));

  return TRUE;
}

/**
 * jme_web_server_list_addresses:
 * @self: a server
 *
 * Returns: (transfer full): where it listens, such as `[::]:9010`
 */
GStrv
jme_web_server_list_addresses (JmeWebServer *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < self->listeners->len; i++)
    {
      g_autofree char *address = jme_web_listener_describe (self->listeners->pdata[i]);

      g_strv_builder_add (builder, address);
    }

  return g_strv_builder_end (builder);
}

gboolean
jme_web_server_is_tls (JmeWebServer *self)
{
  return jme_web_setup_get_tls (self->setup) != NULL;
}

/**
 * jme_web_server_stop_listening:
 * @self: a server
 *
 * Takes no new clients; those that are there are still served.
 */
void
jme_web_server_stop_listening (JmeWebServer *self)
{
  g_ptr_array_set_size (self->listeners, 0);
}

/**
 * jme_web_server_finish_work:
 * @self: a server
 *
 * Ends all slow work, and waits for the handlers: what they work for may then be freed.
 */
void
jme_web_server_finish_work (JmeWebServer *self)
{
  /* whoever waits for another server stops when the client is gone */
  jme_web_clients_cut_all (&self->clients);
  g_clear_pointer (&self->workers, jme_workers_free);
  g_clear_pointer (&self->askers, jme_workers_free);
}

/**
 * jme_web_server_close:
 * @self: a server
 *
 * Ends all there is. Clients keep their server alive, so that this comes first
 * where it is to be freed.
 */
void
jme_web_server_close (JmeWebServer *self)
{
  jme_web_server_stop_listening (self);

  /* Cut first: closing TLS would wait for those that do not read. */
  jme_web_clients_cut_all (&self->clients);
  soup_server_disconnect (self->soup);
}
