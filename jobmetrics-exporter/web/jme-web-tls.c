/* jme-web-tls.c: the server's side of TLS
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-web-tls.h"

#include <sys/socket.h>

#include "base/jm-bounded-read-private.h"
#include "base/jm-error.h"
#include "web/jme-tls-config.h"

#define MAX_PEM_BYTES (1024 * 1024)
#define TRIAL_TIMEOUT_S 5

struct _JmeWebTls
{
  GTlsCertificate *certificate;
  GTlsDatabase *client_ca; /* nullable */
  JmeClientAuth client_auth;
  char **allowed_sans; /* nullable */
};

static GTlsAuthenticationMode
authentication_mode (JmeClientAuth auth)
{
  switch (auth)
    {
    case JME_CLIENT_AUTH_REQUEST:
    case JME_CLIENT_AUTH_VERIFY_IF_GIVEN:
      return G_TLS_AUTHENTICATION_REQUESTED;
    case JME_CLIENT_AUTH_REQUIRE_ANY:
    case JME_CLIENT_AUTH_REQUIRE_AND_VERIFY:
      return G_TLS_AUTHENTICATION_REQUIRED;
    case JME_CLIENT_AUTH_NONE:
    default:
      return G_TLS_AUTHENTICATION_NONE;
    }
}

static void
set_file_error (const JmeWebConfig *config,
                const JmeWebFile *file,
                const char *key,
                const char *problem,
                GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s:%u: %s: %s: %s", config->path,
               file->path != NULL ? file->line : config->tls.line, key, problem,
               file->path != NULL ? file->path : "(in this file)");
}

static char *
load_pem (const JmeWebConfig *config,
          const JmeWebFile *file,
          const char *key,
          const char *inline_pem,
          GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autoptr (GBytes) bytes = NULL;
  const char *pem;
  gsize length;

  if (inline_pem != NULL)
    return g_strdup (inline_pem);

  bytes = jm_bounded_read_file (file->path, MAX_PEM_BYTES, &reason);
  if (bytes == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s:%u: %s: %s", config->path,
                   file->line, key, reason->message);
      return NULL;
    }
  pem = g_bytes_get_data (bytes, &length);

  return g_strndup (pem != NULL ? pem : "", length);
}

static gboolean
has_private_key (GTlsCertificate *certificate)
{
  g_autoptr (GByteArray) key = NULL;

  g_object_get (certificate, "private-key", &key, NULL);

  return key != NULL;
}

static GTlsCertificate *
load_certificate (const JmeWebConfig *config, GError **error)
{
  const JmeTlsConfig *tls = &config->tls;
  g_autofree char *cert =
    load_pem (config, &tls->cert_file, "cert_file", tls->cert, error);
  g_autofree char *key = NULL;
  g_autofree char *both = NULL;
  g_autoptr (GTlsCertificate) only_cert = NULL;
  g_autoptr (GTlsCertificate) certificate = NULL;

  if (cert == NULL)
    return NULL;
  key = load_pem (config, &tls->key_file, "key_file", tls->key, error);
  if (key == NULL)
    return NULL;

  only_cert = g_tls_certificate_new_from_pem (cert, -1, NULL);
  if (only_cert == NULL)
    {
      set_file_error (config, &tls->cert_file, "cert_file", "not a certificate in PEM",
                      error);
      return NULL;
    }

  both = g_strconcat (cert, "\n", key, NULL);
  certificate = g_tls_certificate_new_from_pem (both, -1, NULL);
  if (certificate == NULL || !has_private_key (certificate))
    {
      set_file_error (config, &tls->key_file, "key_file", "not a private key in PEM",
                      error);
      return NULL;
    }

  return g_steal_pointer (&certificate);
}

static GTlsDatabase *
load_client_ca (const JmeWebConfig *config, GError **error)
{
  const JmeWebFile *file = &config->tls.client_ca_file;
  g_autofree char *pem = load_pem (config, file, "client_ca_file", NULL, error);
  g_autolist (GTlsCertificate) list = NULL;
  GTlsDatabase *database;

  if (pem == NULL)
    return NULL;

  list = g_tls_certificate_list_new_from_file (file->path, NULL);
  database = list != NULL ? g_tls_file_database_new (file->path, NULL) : NULL;
  if (database == NULL)
    set_file_error (config, file, "client_ca_file", "holds no certificates in PEM",
                    error);

  return database;
}

/* A database given later, be it none, comes too late: GIO would have loaded all the
 * authorities of the system by then, 8 MiB of them. */
static GIOStream *
wrap_server (GIOStream *stream,
             GTlsCertificate *certificate,
             GTlsDatabase *client_ca,
             GTlsAuthenticationMode mode,
             GError **error)
{
  return g_initable_new (g_tls_backend_get_server_connection_type (
                           g_tls_backend_get_default ()),
                         NULL, error, "base-io-stream", stream, "certificate",
                         certificate, "database", client_ca, "authentication-mode",
                         mode, "require-close-notify", FALSE, NULL);
}

static GIOStream *
wrap_trial_client (GIOStream *stream, GError **error)
{
  return g_initable_new (g_tls_backend_get_client_connection_type (
                           g_tls_backend_get_default ()),
                         NULL, error, "base-io-stream", stream, "database", NULL, NULL);
}

static gboolean
accept_any (GTlsConnection *connection,
            GTlsCertificate *certificate,
            GTlsCertificateFlags errors,
            gpointer user_data)
{
  return TRUE;
}

static gboolean
accept_good (GTlsConnection *connection,
             GTlsCertificate *certificate,
             GTlsCertificateFlags errors,
             gpointer user_data)
{
  return errors == G_TLS_CERTIFICATE_NO_FLAGS;
}

static gpointer
trial_server (gpointer user_data)
{
  g_autoptr (GTlsConnection) server = user_data;

  return GINT_TO_POINTER (g_tls_connection_handshake (server, NULL, NULL));
}

static GIOStream *
trial_stream (int fd)
{
  g_autoptr (GSocket) socket = g_socket_new_from_fd (fd, NULL);

  g_socket_set_timeout (socket, TRIAL_TIMEOUT_S);
  return G_IO_STREAM (g_socket_connection_factory_create_connection (socket));
}

/* Only a handshake shows that the key is the certificate's own. */
static gboolean
is_usable (GTlsCertificate *certificate, GError **error)
{
  g_autoptr (GIOStream) near = NULL;
  g_autoptr (GIOStream) far = NULL;
  g_autoptr (GIOStream) server = NULL;
  g_autoptr (GIOStream) client = NULL;
  gboolean client_is_good;
  GThread *thread;
  int fds[2];

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
    return FALSE;
  near = trial_stream (fds[0]);
  far = trial_stream (fds[1]);

  server = wrap_server (near, certificate, NULL, G_TLS_AUTHENTICATION_NONE, error);
  if (server == NULL)
    return FALSE;
  client = wrap_trial_client (far, error);
  if (client == NULL)
    return FALSE;

  g_signal_connect (client, "accept-certificate", G_CALLBACK (accept_any), NULL);

  thread = g_thread_new ("tls-trial", trial_server, g_object_ref (server));
  client_is_good = g_tls_connection_handshake (G_TLS_CONNECTION (client), NULL, error);
  if (!client_is_good)
    g_io_stream_close (far, NULL, NULL);

  return GPOINTER_TO_INT (g_thread_join (thread)) && client_is_good;
}

static gboolean
try_out (JmeWebTls *self, const JmeWebConfig *config, GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autofree char *problem = NULL;

  if (is_usable (self->certificate, &reason))
    return TRUE;

  problem = g_strdup_printf ("does not fit its certificate (%s)",
                             reason != NULL ? reason->message : "handshake failed");
  set_file_error (config, &config->tls.key_file, "key_file", problem, error);
  return FALSE;
}

static gboolean
has_backend (const JmeWebConfig *config, GError **error)
{
  GTlsBackend *backend = g_tls_backend_get_default ();

  /* Versions and curves are set as GnuTLS takes them. */
  if (g_str_equal (G_OBJECT_TYPE_NAME (backend), "GTlsBackendGnutls"))
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
               "%s:%u: tls_server_config: TLS needs the GnuTLS module of "
               "glib-networking",
               config->path, config->tls.line);
  return FALSE;
}

/**
 * jme_web_tls_new:
 * @config: what web.yml says, with TLS
 * @error: return location for an error
 *
 * Loads certificate, key and client authorities, and tries them out.
 *
 * - Errors: `INVALID`: a file that is missing or unusable.
 *
 * Returns: (transfer full): the server's side of TLS
 */
JmeWebTls *
jme_web_tls_new (const JmeWebConfig *config, GError **error)
{
  g_autoptr (JmeWebTls) self = g_rc_box_new0 (JmeWebTls);

  if (!has_backend (config, error))
    return NULL;

  self->client_auth = config->tls.client_auth;
  self->allowed_sans = g_strdupv (config->tls.client_allowed_sans);
  self->certificate = load_certificate (config, error);
  if (self->certificate == NULL)
    return NULL;

  if (config->tls.client_ca_file.path != NULL)
    {
      self->client_ca = load_client_ca (config, error);
      if (self->client_ca == NULL)
        return NULL;
    }

  return try_out (self, config, error) ? g_steal_pointer (&self) : NULL;
}

JmeWebTls *
jme_web_tls_ref (JmeWebTls *self)
{
  return g_rc_box_acquire (self);
}

static void
web_tls_clear (gpointer data)
{
  JmeWebTls *self = data;

  g_clear_object (&self->certificate);
  g_clear_object (&self->client_ca);
  g_strfreev (self->allowed_sans);
}

void
jme_web_tls_unref (JmeWebTls *self)
{
  g_rc_box_release_full (self, web_tls_clear);
}

/**
 * jme_web_tls_get_expiry:
 * @self: the server's side of TLS
 *
 * Returns: (transfer full) (nullable): when its own certificate expires
 */
GDateTime *
jme_web_tls_get_expiry (JmeWebTls *self)
{
  return g_tls_certificate_get_not_valid_after (self->certificate);
}

/**
 * jme_web_tls_wrap:
 * @self: the server's side of TLS
 * @stream: a client's connection
 * @error: return location for an error
 *
 * Returns: (transfer full): a #GTlsConnection over @stream, before its handshake
 */
GIOStream *
jme_web_tls_wrap (JmeWebTls *self, GIOStream *stream, GError **error)
{
  static const char *const protocols[] = { "http/1.1", NULL };
  GIOStream *wrapped = wrap_server (stream, self->certificate, self->client_ca,
                                    authentication_mode (self->client_auth), error);

  if (wrapped == NULL)
    return NULL;

  g_tls_connection_set_advertised_protocols (G_TLS_CONNECTION (wrapped), protocols);

  /* A server is asked about every certificate, faultless ones included. */
  g_signal_connect (wrapped, "accept-certificate",
                    G_CALLBACK (self->client_auth >= JME_CLIENT_AUTH_VERIFY_IF_GIVEN
                                  ? accept_good
                                  : accept_any),
                    NULL);

  return wrapped;
}

static gboolean
has_dns_name (JmeWebTls *self, GTlsCertificate *certificate)
{
  g_autoptr (GPtrArray) names = g_tls_certificate_get_dns_names (certificate);

  for (guint i = 0; names != NULL && i < names->len; i++)
    {
      gsize length;
      const char *data = g_bytes_get_data (names->pdata[i], &length);
      g_autofree char *name = g_strndup (data, length);

      if (g_strv_contains ((const char *const *) self->allowed_sans, name))
        return TRUE;
    }

  return FALSE;
}

static gboolean
has_ip_address (JmeWebTls *self, GTlsCertificate *certificate)
{
  g_autoptr (GPtrArray) addresses = g_tls_certificate_get_ip_addresses (certificate);

  for (guint i = 0; addresses != NULL && i < addresses->len; i++)
    {
      g_autofree char *address = g_inet_address_to_string (addresses->pdata[i]);

      if (g_strv_contains ((const char *const *) self->allowed_sans, address))
        return TRUE;
    }

  return FALSE;
}

/**
 * jme_web_tls_check_peer:
 * @self: the server's side of TLS
 * @connection: a connection after its handshake
 *
 * Returns: whether the client's certificate has one of the names that are allowed,
 *   or there is no list of them
 */
gboolean
jme_web_tls_check_peer (JmeWebTls *self, GTlsConnection *connection)
{
  GTlsCertificate *certificate = g_tls_connection_get_peer_certificate (connection);

  if (self->allowed_sans == NULL)
    return TRUE;

  return certificate != NULL &&
         (has_dns_name (self, certificate) || has_ip_address (self, certificate));
}

/* Asked again: of a session that is resumed nobody asked, and the authorities may be
 * others since. */
GTlsCertificate *
jme_web_tls_find_verified (JmeWebTls *self, GTlsConnection *connection)
{
  GTlsCertificate *certificate = g_tls_connection_get_peer_certificate (connection);
  g_autoptr (GError) error = NULL;
  GTlsCertificateFlags problems;

  if (certificate == NULL || self->client_ca == NULL ||
      !jme_client_auth_verifies (self->client_auth))
    return NULL;
  problems =
    g_tls_database_verify_chain (self->client_ca, certificate,
                                 G_TLS_DATABASE_PURPOSE_AUTHENTICATE_CLIENT, NULL, NULL,
                                 G_TLS_DATABASE_VERIFY_NONE, NULL, &error);

  return error == NULL && problems == G_TLS_CERTIFICATE_NO_FLAGS ? certificate : NULL;
}
