/* web-stand-in.c: a web server of a test, which answers as the test sets it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web-stand-in.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUEST_MAX_BYTES 16384
#define TRICKLE_US 20000

typedef struct
{
  char *head;
  char *body;
  WebManner manner;
  guint n_requests;
  char *request;
  WebAnswer answer; /* NULL for @body */
  gpointer answer_data;
} Page;

struct _WebStandIn
{
  GSocketListener *listener;
  GCancellable *cancellable; /* of all that waits */
  GThread *thread;
  GTlsCertificate *certificate; /* NULL without TLS */
  char *folder;
  char *ca_file;
  char *url;
  GMutex mutex;
  GHashTable *pages; /* of path to Page */
  char *key;         /* NULL if all may come in */
};

static void
page_free (gpointer data)
{
  Page *page = data;

  g_free (page->head);
  g_free (page->body);
  g_free (page->request);
  g_free (page);
}

static void
make_certificate (WebStandIn *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *key_file = NULL;
  int status = -1;

  self->folder = g_dir_make_tmp ("jobmetrics-web-XXXXXX", &error);
  g_assert_no_error (error);
  self->ca_file = g_build_filename (self->folder, "server.crt", NULL);
  key_file = g_build_filename (self->folder, "server.key", NULL);

  const char *command[] = { "openssl",
                            "req",
                            "-x509",
                            "-newkey",
                            "ec",
                            "-pkeyopt",
                            "ec_paramgen_curve:P-256",
                            "-nodes",
                            "-days",
                            "2",
                            "-subj",
                            "/CN=localhost",
                            "-addext",
                            "subjectAltName=DNS:localhost",
                            "-keyout",
                            key_file,
                            "-out",
                            self->ca_file,
                            NULL };
  g_spawn_sync (NULL, (char **) command, NULL,
                G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL,
                NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_true (g_spawn_check_wait_status (status, &error));

  self->certificate =
    g_tls_certificate_new_from_files (self->ca_file, key_file, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_unlink (key_file), ==, 0);
}

/* The head, and as much of a body as it announces; NULL if the client went away. */
static char *
read_request (WebStandIn *self, GInputStream *stream)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char buffer[2048];

  for (;;)
    {
      const char *end = strstr (text->str, "\r\n\r\n");
      const char *announced = strstr (text->str, "Content-Length: ");
      gsize wanted = announced != NULL ? strtoul (announced + 16, NULL, 10) : 0;
      gssize n;

      if (end != NULL && strlen (end + 4) >= wanted)
        return g_string_free (g_steal_pointer (&text), FALSE);

      n = g_input_stream_read (stream, buffer, sizeof buffer, self->cancellable, NULL);
      if (n <= 0 || text->len > REQUEST_MAX_BYTES)
        return NULL;
      g_string_append_len (text, buffer, n);
    }
}

static gboolean
say (WebStandIn *self, GOutputStream *stream, const char *text)
{
  return g_output_stream_write_all (stream, text, strlen (text), NULL,
                                    self->cancellable, NULL);
}

/* These end when the client goes away. */
static void
wait_for_end (WebStandIn *self, GInputStream *stream)
{
  char byte;

  while (g_input_stream_read (stream, &byte, 1, self->cancellable, NULL) > 0)
    ;
}

static void
trickle (WebStandIn *self, GOutputStream *stream)
{
  while (say (self, stream, "1\r\n \r\n"))
    g_usleep (TRICKLE_US);
}

static void
pour (WebStandIn *self, GOutputStream *stream)
{
  g_autofree char *blanks = g_strnfill (4096, ' ');
  g_autofree char *chunk = g_strconcat ("1000\r\n", blanks, "\r\n", NULL);

  while (say (self, stream, chunk))
    ;
}

static void
answer (WebStandIn *self,
        GIOStream *stream,
        const char *head,
        const char *body,
        WebManner manner)
{
  GOutputStream *output = g_io_stream_get_output_stream (stream);
  g_autofree char *length = NULL;

  if (manner == WEB_SILENTLY)
    {
      wait_for_end (self, g_io_stream_get_input_stream (stream));
      return;
    }

  length = manner == WEB_PLAINLY
             ? g_strdup_printf ("Content-Length: %zu\r\n\r\n", strlen (body))
             : g_strdup ("Transfer-Encoding: chunked\r\n\r\n");
  if (!say (self, output, head) || !say (self, output, length))
    return;

  if (manner == WEB_PLAINLY)
    say (self, output, body);
  else if (manner == WEB_TRICKLE)
    trickle (self, output);
  else
    pour (self, output);
}

static char *
get_path (const char *request)
{
  const char *begin = strchr (request, ' ');
  gsize length = begin != NULL ? strcspn (begin + 1, " ?\r\n") : 0;

  return g_strndup (begin != NULL ? begin + 1 : "", length);
}

static gboolean
may_come_in (WebStandIn *self, const char *request)
{
  return self->key == NULL || g_str_has_prefix (request, "POST ") ||
         strstr (request, self->key) != NULL;
}

/* Of the request that came last. */
static char *
get_body (const Page *page)
{
  const char *line_end = strchr (page->request, '\n');
  const char *mark = strchr (page->request, '?');
  g_autofree char *query = mark != NULL && mark < line_end
                             ? g_strndup (mark + 1, strcspn (mark + 1, " \r\n"))
                             : g_strdup ("");

  return page->answer != NULL ? page->answer (query, page->answer_data)
                              : g_strdup (page->body);
}

static void
serve (WebStandIn *self, GIOStream *stream)
{
  g_autofree char *request = read_request (self, g_io_stream_get_input_stream (stream));
  g_autofree char *path = request != NULL ? get_path (request) : NULL;
  g_autofree char *head = NULL;
  g_autofree char *body = NULL;
  WebManner manner = WEB_PLAINLY;
  Page *page;

  if (request == NULL)
    return;

  g_mutex_lock (&self->mutex);
  page = g_hash_table_lookup (self->pages, path);
  if (page != NULL)
    {
      page->n_requests++;
      g_free (page->request);
      page->request = g_strdup (request);
      manner = page->manner;
    }
  head = g_strdup (page != NULL ? page->head : "HTTP/1.1 404 Not Found\r\n");
  body = page != NULL ? get_body (page) : g_strdup ("");
  if (body == NULL)
    {
      g_free (head);
      head = g_strdup ("HTTP/1.1 500 Internal Server Error\r\n");
      body = g_strdup ("");
    }
  if (!may_come_in (self, request))
    {
      g_free (head);
      head = g_strdup ("HTTP/1.1 401 Unauthorized\r\n");
    }
  g_mutex_unlock (&self->mutex);

  answer (self, stream, head, body, manner);
}

typedef struct
{
  WebStandIn *self;
  GIOStream *stream;
} Visit;

static gpointer
receive (gpointer data)
{
  g_autofree Visit *visit = data;
  g_autoptr (GIOStream) connection = visit->stream;
  g_autoptr (GIOStream) stream = NULL;

  if (visit->self->certificate != NULL)
    stream = g_tls_server_connection_new (connection, visit->self->certificate, NULL);
  else
    stream = g_object_ref (connection);

  serve (visit->self, stream);
  g_io_stream_close (stream, NULL, NULL);

  return NULL;
}

static void
join (gpointer thread)
{
  g_thread_join (thread);
}

static gpointer
listen (gpointer data)
{
  WebStandIn *self = data;
  g_autoptr (GPtrArray) threads = g_ptr_array_new_with_free_func (join);
  GSocketConnection *connection;

  while ((connection = g_socket_listener_accept (self->listener, NULL,
                                                 self->cancellable, NULL)) != NULL)
    {
      Visit *visit = g_new0 (Visit, 1);

      visit->self = self;
      visit->stream = G_IO_STREAM (connection);
      g_ptr_array_add (threads, g_thread_new ("visit", receive, visit));
    }

  return NULL;
}

WebStandIn *
web_stand_in_new (gboolean is_tls)
{
  WebStandIn *self = g_new0 (WebStandIn, 1);
  g_autoptr (GInetAddress) loopback =
    g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) address = g_inet_socket_address_new (loopback, 0);
  g_autoptr (GSocketAddress) effective = NULL;
  g_autoptr (GError) error = NULL;

  g_mutex_init (&self->mutex);
  self->pages = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, page_free);
  if (is_tls)
    make_certificate (self);

  self->cancellable = g_cancellable_new ();
  self->listener = g_socket_listener_new ();
  g_socket_listener_add_address (self->listener, address, G_SOCKET_TYPE_STREAM,
                                 G_SOCKET_PROTOCOL_TCP, NULL, &effective, &error);
  g_assert_no_error (error);
  self->url = g_strdup_printf ("%s://localhost:%u", is_tls ? "https" : "http",
                               g_inet_socket_address_get_port (
                                 G_INET_SOCKET_ADDRESS (effective)));
  self->thread = g_thread_new ("stand-in", listen, self);

  return self;
}

void
web_stand_in_free (WebStandIn *self)
{
  g_cancellable_cancel (self->cancellable);
  g_thread_join (self->thread);
  g_object_unref (self->listener);
  g_object_unref (self->cancellable);
  if (self->folder != NULL)
    {
      g_unlink (self->ca_file);
      g_rmdir (self->folder);
    }
  g_clear_object (&self->certificate);
  g_hash_table_unref (self->pages);
  g_mutex_clear (&self->mutex);
  g_free (self->key);
  g_free (self->folder);
  g_free (self->ca_file);
  g_free (self->url);
  g_free (self);
}

const char *
web_stand_in_get_url (WebStandIn *self)
{
  return self->url;
}

const char *
web_stand_in_get_ca_file (WebStandIn *self)
{
  return self->ca_file;
}

void
web_stand_in_set (WebStandIn *self,
                  const char *path,
                  const char *status,
                  const char *headers,
                  const char *body)
{
  Page *page = g_new0 (Page, 1);

  page->head = g_strdup_printf ("HTTP/1.1 %s\r\n%s", status, headers);
  page->body = g_strdup (body);

  g_mutex_lock (&self->mutex);
  g_hash_table_replace (self->pages, g_strdup (path), page);
  g_mutex_unlock (&self->mutex);
}

void
web_stand_in_set_answer (WebStandIn *self,
                         const char *path,
                         WebAnswer func,
                         gpointer data)
{
  Page *page;

  web_stand_in_set (self, path, "200 OK", "", "");
  g_mutex_lock (&self->mutex);
  page = g_hash_table_lookup (self->pages, path);
  page->answer = func;
  page->answer_data = data;
  g_mutex_unlock (&self->mutex);
}

void
web_stand_in_set_manner (WebStandIn *self, const char *path, WebManner manner)
{
  Page *page;

  g_mutex_lock (&self->mutex);
  page = g_hash_table_lookup (self->pages, path);
  g_assert_nonnull (page);
  page->manner = manner;
  g_mutex_unlock (&self->mutex);
}

void
web_stand_in_set_key (WebStandIn *self, const char *line)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  g_free (self->key);
  self->key = g_strdup (line);
}

guint
web_stand_in_count (WebStandIn *self, const char *path)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  Page *page = g_hash_table_lookup (self->pages, path);

  return page != NULL ? page->n_requests : 0;
}

char *
web_stand_in_get_request (WebStandIn *self, const char *path)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  Page *page = g_hash_table_lookup (self->pages, path);

  return g_strdup (page != NULL ? page->request : NULL);
}
