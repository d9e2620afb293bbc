/* jme-listen-address.c: an address on which the server waits
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-listen-address.h"

#include <gio/gunixsocketaddress.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/jm-error.h"

#define UNIX_PREFIX "unix:"
#define MAX_HOST_BYTES 253
#define HOST_CHARACTERS G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS ".-_"

static const char *
get_option (const JmeListenAddress *self)
{
  return self->is_local ? "--web.local-socket" : "--web.listen-address";
}

static gboolean
parse_unix (JmeListenAddress *self, const char *path, GError **error)
{
  if (*path != '/' || strlen (path) >= sizeof ((struct sockaddr_un *) NULL)->sun_path)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "%s: not an absolute path of at most 107 bytes: %s",
                   get_option (self), self->text);
      return FALSE;
    }
  self->path = g_strdup (path);

  return TRUE;
}

/* A name, an IPv4 address, or an IPv6 address in brackets. */
static char *
parse_host (const char *text, gsize length)
{
  gboolean has_brackets = length >= 2 && text[0] == '[' && text[length - 1] == ']';
  g_autofree char *host =
    has_brackets ? g_strndup (text + 1, length - 2) : g_strndup (text, length);
  g_autoptr (GInetAddress) number = g_inet_address_new_from_string (host);

  if (has_brackets)
    return number != NULL && g_inet_address_get_family (number) == G_SOCKET_FAMILY_IPV6
             ? g_steal_pointer (&host)
             : NULL;

  return length <= MAX_HOST_BYTES && strspn (host, HOST_CHARACTERS) == length
           ? g_steal_pointer (&host)
           : NULL;
}

/**
 * jme_listen_address_parse:
 * @text: `:9010`, `0.0.0.0:9010`, `[::1]:9010`, `localhost:9010` or `unix:/path`
 * @error: return location for an error
 *
 * - Errors: `INVALID` when it is none of these.
 *
 * Returns: (transfer full): the address
 */
JmeListenAddress *
jme_listen_address_parse (const char *text, GError **error)
{
  g_autoptr (JmeListenAddress) self = g_new0 (JmeListenAddress, 1);
  const char *colon = strrchr (text, ':');
  guint64 port;

  self->text = g_strdup (text);
  if (g_str_has_prefix (text, UNIX_PREFIX))
    return parse_unix (self, text + strlen (UNIX_PREFIX), error)
             ? g_steal_pointer (&self)
             : NULL;

  if (colon == NULL ||
      !g_ascii_string_to_unsigned (colon + 1, 10, 0, G_MAXUINT16, &port, NULL))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "--web.listen-address: no port from 0 to 65535 after a colon: %s",
                   text);
      return NULL;
    }
  self->port = (guint16) port;

  if (colon == text)
    return g_steal_pointer (&self);

  self->host = parse_host (text, (gsize) (colon - text));
  if (self->host != NULL)
    return g_steal_pointer (&self);

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
               "--web.listen-address: not a host (an IPv6 address stands in brackets): "
               "%s",
               text);
  return NULL;
}

/**
 * jme_listen_address_new_local:
 * @path: where the socket is to be
 * @error: return location for an error
 *
 * Makes the address of the socket that every user of this machine may open.
 *
 * - Errors: `INVALID` when no socket can have that path.
 *
 * Returns: (transfer full): the address
 */
JmeListenAddress *
jme_listen_address_new_local (const char *path, GError **error)
{
  g_autoptr (JmeListenAddress) self = g_new0 (JmeListenAddress, 1);

  self->is_local = TRUE;
  self->text = g_strdup (path);

  return parse_unix (self, path, error) ? g_steal_pointer (&self) : NULL;
}

void
jme_listen_address_free (JmeListenAddress *self)
{
  g_free (self->text);
  g_free (self->host);
  g_free (self->path);
  g_free (self);
}

static void
set_open_error (const JmeListenAddress *self, const char *problem, GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: cannot listen on %s: %s",
               get_option (self), self->text, problem);
}

static GSocket *
open_socket (GSocketAddress *address, GError **error)
{
  GSocketFamily family = g_socket_address_get_family (address);
  g_autoptr (GSocket) socket =
    g_socket_new (family, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, error);

  if (socket == NULL)
    return NULL;

  /* The wildcard serves both families; a name or number only its own. */
  if (family == G_SOCKET_FAMILY_IPV6)
    {
      GInetAddress *ip =
        g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (address));

      if (!g_socket_set_option (socket, IPPROTO_IPV6, IPV6_V6ONLY,
                                !g_inet_address_get_is_any (ip), error))
        return NULL;
    }

  g_socket_set_blocking (socket, FALSE);
  /* GLib's ten overflow when many knock at once, and who is left out waits a second. */
  g_socket_set_listen_backlog (socket, SOMAXCONN);
  if (!g_socket_bind (socket, address, TRUE, error) || !g_socket_listen (socket, error))
    return NULL;

  return g_steal_pointer (&socket);
}

static gboolean
open_any (const JmeListenAddress *self, GPtrArray *sockets, GError **error)
{
  GSocketFamily families[] = { G_SOCKET_FAMILY_IPV6, G_SOCKET_FAMILY_IPV4 };
  g_autoptr (GError) local_error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (families); i++)
    {
      g_autoptr (GInetAddress) ip = g_inet_address_new_any (families[i]);
      g_autoptr (GSocketAddress) address = g_inet_socket_address_new (ip, self->port);
      GSocket *socket;

      g_clear_error (&local_error);
      socket = open_socket (address, &local_error);
      if (socket != NULL)
        {
          g_ptr_array_add (sockets, socket);
          return TRUE;
        }

      /* Only a kernel without IPv6 is a reason to go on to IPv4 alone. */
      if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_ADDRESS_IN_USE))
        break;
    }

  set_open_error (self, local_error->message, error);
  return FALSE;
}

static gboolean
open_host (const JmeListenAddress *self, GPtrArray *sockets, GError **error)
{
  g_autoptr (GResolver) resolver = g_resolver_get_default ();
  g_autoptr (GError) local_error = NULL;
  g_autolist (GInetAddress) ips =
    g_resolver_lookup_by_name (resolver, self->host, NULL, &local_error);
  gboolean is_open = FALSE;

  for (GList *l = ips; l != NULL; l = l->next)
    {
      g_autoptr (GSocketAddress) address =
        g_inet_socket_address_new (l->data, self->port);
      GSocket *socket;

      g_clear_error (&local_error);
      socket = open_socket (address, &local_error);
      if (socket != NULL)
        {
          g_ptr_array_add (sockets, socket);
          is_open = TRUE;
        }
      else if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_ADDRESS_IN_USE))
        {
          is_open = FALSE;
          break;
        }
    }

  /* localhost often means ::1 too, on hosts that have no IPv6: one will do. */
  if (!is_open)
    set_open_error (self, local_error != NULL ? local_error->message : "no address",
                    error);

  return is_open;
}

/* A socket that its server left behind refuses connections. */
static gboolean
is_abandoned (GSocketAddress *address)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSocket) socket =
    g_socket_new (G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_STREAM, 0, NULL);

  if (socket == NULL)
    return FALSE;
  g_socket_set_blocking (socket, FALSE);

  return !g_socket_connect (socket, address, NULL, &error) &&
         g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED);
}

static gboolean
clear_path (const JmeListenAddress *self, GSocketAddress *address, GError **error)
{
  struct stat info;

  if (lstat (self->path, &info) != 0)
    return TRUE;

  if (!S_ISSOCK (info.st_mode))
    {
      set_open_error (self, "something that is no socket is there", error);
      return FALSE;
    }
  if (!is_abandoned (address))
    {
      set_open_error (self, "another process listens there", error);
      return FALSE;
    }
  unlink (self->path);

  return TRUE;
}

static gboolean
open_unix (const JmeListenAddress *self, GPtrArray *sockets, GError **error)
{
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (self->path);
  g_autoptr (GError) local_error = NULL;
  GSocket *socket;
  mode_t mask;

  if (!clear_path (self, address, error))
    return FALSE;

  mask = umask (self->is_local ? 0111 : 0117);
  socket = open_socket (address, &local_error);
  umask (mask);

  if (socket == NULL)
    {
      set_open_error (self, local_error->message, error);
      return FALSE;
    }
  g_ptr_array_add (sockets, socket);

  return TRUE;
}

/**
 * jme_listen_address_open:
 * @self: the address
 * @sockets: (element-type Gio.Socket): where to append what was opened
 * @error: return location for an error
 *
 * Listens: on both IP families where no host is given, on every address of a name.
 * A unix socket gets mode 0660, the local one 0666; one whose server is gone is
 * replaced.
 *
 * - Errors: `UNAVAILABLE` when the address is taken or not this host's.
 */
gboolean
jme_listen_address_open (const JmeListenAddress *self,
                         GPtrArray *sockets,
                         GError **error)
{
  if (self->path != NULL)
    return open_unix (self, sockets, error);
  if (self->host == NULL)
    return open_any (self, sockets, error);

  return open_host (self, sockets, error);
}

/**
 * jme_listen_address_adopt:
 * @fd: a descriptor that a service manager opened
 * @error: return location for an error
 *
 * - Errors: `INVALID` when it is no listening stream socket.
 *
 * Returns: (transfer full): the socket
 */
GSocket *
jme_listen_address_adopt (int fd, GError **error)
{
  g_autoptr (GSocket) socket = g_socket_new_from_fd (fd, NULL);
  int is_listening = 0;

  if (socket == NULL ||
      !g_socket_get_option (socket, SOL_SOCKET, SO_ACCEPTCONN, &is_listening, NULL) ||
      !is_listening || g_socket_get_socket_type (socket) != G_SOCKET_TYPE_STREAM)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "--web.systemd-socket: descriptor %d is not a listening stream "
                   "socket",
                   fd);
      return NULL;
    }
  g_socket_set_blocking (socket, FALSE);

  return g_steal_pointer (&socket);
}
