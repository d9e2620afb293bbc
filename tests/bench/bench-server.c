/* bench-server.c: a server of a site's archive, asked over its local socket
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "bench-server.h"

#include <gio/gio.h>
#include <gio/gunixsocketaddress.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define WAIT_US (60 * G_USEC_PER_SEC)
#define LENGTH "Content-Length:"

struct _BenchServer
{
  GPid pid;
  GSocketAddress *address;
  GSocketClient *client;
};

static void
end_with_parent (gpointer data)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

static GPid
launch (const char *program, const char *store, const char *socket)
{
  g_autofree char *store_option = g_strconcat ("--server.store=", store, NULL);
  g_autofree char *socket_option = g_strconcat ("--web.local-socket=", socket, NULL);
  const char *argv[] = {
    program,      "server",      "--web.listen-address=127.0.0.1:0",
    store_option, socket_option, NULL
  };
  g_autoptr (GError) error = NULL;
  GPid pid;

  g_spawn_async (NULL, (char **) argv, NULL,
                 G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDERR_TO_DEV_NULL,
                 end_with_parent, NULL, &pid, &error);
  g_assert_no_error (error);

  return pid;
}

static GSocketConnection *
try_to_connect (BenchServer *self)
{
  return g_socket_client_connect (self->client, G_SOCKET_CONNECTABLE (self->address),
                                  NULL, NULL);
}

static void
await_server (BenchServer *self)
{
  gint64 end_us = g_get_monotonic_time () + WAIT_US;
  g_autoptr (GSocketConnection) connection = try_to_connect (self);

  while (connection == NULL)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_usleep (20000);
      connection = try_to_connect (self);
    }
}

BenchServer *
bench_server_new (const char *program, const char *store, const char *directory)
{
  BenchServer *self = g_new0 (BenchServer, 1);
  g_autofree char *socket = g_build_filename (directory, "socket", NULL);

  self->pid = launch (program, store, socket);
  self->address = g_unix_socket_address_new (socket);
  self->client = g_socket_client_new ();
  await_server (self);

  return self;
}

void
bench_server_free (BenchServer *self)
{
  kill (self->pid, SIGTERM);
  waitpid (self->pid, NULL, 0);
  g_object_unref (self->address);
  g_object_unref (self->client);
  g_free (self);
}

/* The length of the body behind the header. */
static gsize
read_header (GDataInputStream *input)
{
  gsize length = 0;
  gboolean is_first = TRUE;

  for (;;)
    {
      g_autofree char *line = g_data_input_stream_read_line (input, NULL, NULL, NULL);

      g_assert_nonnull (line);
      if (is_first && !g_str_has_prefix (line, "HTTP/1.1 200"))
        g_error ("the server answers: %s", line);
      is_first = FALSE;
      if (g_ascii_strncasecmp (line, LENGTH, sizeof LENGTH - 1) == 0)
        length = g_ascii_strtoull (line + sizeof LENGTH, NULL, 10);
      if (*line == '\0')
        return length;
    }
}

gsize
bench_server_ask (BenchServer *self, const char *path)
{
  g_autofree char *request =
    g_strdup_printf ("GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
  g_autoptr (GSocketConnection) connection = try_to_connect (self);
  GIOStream *stream = G_IO_STREAM (connection);
  g_autoptr (GDataInputStream) input = NULL;
  g_autofree char *body = NULL;
  gsize length;

  g_assert_nonnull (connection);
  g_assert_true (g_output_stream_write_all (g_io_stream_get_output_stream (stream),
                                            request, strlen (request), NULL, NULL,
                                            NULL));
  input = g_data_input_stream_new (g_io_stream_get_input_stream (stream));
  g_data_input_stream_set_newline_type (input, G_DATA_STREAM_NEWLINE_TYPE_CR_LF);
  length = read_header (input);
  g_assert_cmpuint (length, >, 0);
  body = g_malloc (length);
  g_assert_true (g_input_stream_read_all (G_INPUT_STREAM (input), body, length, &length,
                                          NULL, NULL));

  return length;
}
