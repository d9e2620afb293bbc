/* web-server.c: a server without jobs, for test-web-server.py
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib-unix.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/jme-log.h"
#include "daemon/jme-systemd.h"
#include "web/jme-web-server.h"

#define BIG_BYTES (32 * 1024 * 1024)
#define TEXT_LINES 2000
#define MAX_ECHO_BYTES 10000

typedef struct
{
  GMainLoop *loop;
  JmeRequest *held; /* a request that waits for /release */
  int n_sending;    /* atomic: handlers of /slow/parts */
  int n_parts;      /* atomic: what they have made */
} Site;

static void
on_text (JmeRequest *request, gpointer user_data)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GBytes) body = NULL;

  for (guint i = 0; i < TEXT_LINES; i++)
    g_string_append_printf (text, "line %u\n", i);
  body = g_string_free_to_bytes (g_steal_pointer (&text));
  jme_request_reply (request, 200, "text/plain; version=0.0.4; charset=utf-8", body);
}

static void
on_small (JmeRequest *request, gpointer user_data)
{
  jme_request_reply_text (request, 200, "small\n");
}

static void
on_query (JmeRequest *request, gpointer user_data)
{
  g_auto (GStrv) values = jme_request_get_values (request, "collect[]");
  g_autofree char *joined = g_strjoinv ("|", values);
  const char *agent = jme_request_get_header (request, "User-Agent");
  g_autofree char *text = g_strdup_printf ("%s %s\n", joined, agent);

  jme_request_reply_text (request, 200, text);
}

static void
on_big (JmeRequest *request, gpointer user_data)
{
  g_autoptr (GBytes) body = g_bytes_new_take (g_malloc0 (BIG_BYTES), BIG_BYTES);

  jme_request_reply (request, 200, "application/octet-stream", body);
}

static void
on_hold (JmeRequest *request, gpointer user_data)
{
  Site *site = user_data;

  g_set_object (&site->held, request);
}

static void
on_release (JmeRequest *request, gpointer user_data)
{
  Site *site = user_data;

  if (site->held != NULL)
    jme_request_reply_text (site->held, 200, "released\n");
  g_clear_object (&site->held);
  jme_request_reply_text (request, 200, "done\n");
}

static void
on_forget (JmeRequest *request, gpointer user_data)
{
}

static gboolean
on_terminate (gpointer user_data)
{
  Site *site = user_data;

  g_main_loop_quit (site->loop);
  return G_SOURCE_CONTINUE;
}

static gboolean
listen_everywhere (JmeWebServer *server,
                   char **addresses,
                   gboolean use_systemd,
                   GError **error)
{
  g_autoptr (GArray) fds = g_array_new (FALSE, FALSE, sizeof (int));

  if (use_systemd && !jme_systemd_take_sockets (fds, error))
    return FALSE;

  for (guint i = 0; i < fds->len; i++)
    if (!jme_web_server_adopt (server, g_array_index (fds, int, i), error))
      return FALSE;
  for (guint i = 0; addresses != NULL && addresses[i] != NULL; i++)
    if (!jme_web_server_listen (server, addresses[i], error))
      return FALSE;

  return TRUE;
}

static void
on_echo (JmeRequest *request, gpointer user_data)
{
  g_autofree char *method = g_strconcat (jme_request_get_method (request), " ", NULL);

  jme_request_set_header (request, "X-Method", method);
  jme_request_reply (request, 200, "application/octet-stream",
                     jme_request_get_body (request));
}

static void
on_path (JmeRequest *request, gpointer user_data)
{
  jme_request_reply_text (request, 200, jme_request_get_path (request));
}

static void
on_peer (JmeRequest *request, gpointer user_data)
{
  g_autofree char *text = NULL;
  guint uid;
  int pid;

  if (jme_request_get_peer (request, &uid, &pid))
    text = g_strdup_printf ("%u %d\n", uid, pid);
  jme_request_reply_text (request, 200, text != NULL ? text : "nobody\n");
}

static void
on_deep_path (JmeRequest *request, gpointer user_data)
{
  jme_request_reply_text (request, 200, "deep\n");
}

/* Takes the time that it is asked to take, and all that a request has. */
static void
on_slow (JmeRequest *request, gpointer user_data)
{
  g_auto (GStrv) values = jme_request_get_values (request, "ms");
  GBytes *body = jme_request_get_body (request);
  g_autofree char *text =
    g_strdup_printf ("%s %" G_GSIZE_FORMAT "\n",
                     jme_request_get_header (request, "User-Agent"),
                     g_bytes_get_size (body));

  g_usleep (values[0] != NULL ? (gulong) atoi (values[0]) * 1000 : 0);
  jme_request_set_header (request, "X-Slow", "yes");
  jme_request_reply_text (request, 200, text);
}

/* Goes on until it is stopped. */
static void
on_endless (JmeRequest *request, gpointer user_data)
{
  GCancellable *stop = jme_request_get_cancellable (request);
  GPollFD fd;

  g_assert_true (g_cancellable_make_pollfd (stop, &fd));
  while (!g_cancellable_is_cancelled (stop))
    g_poll (&fd, 1, -1);
  g_cancellable_release_fd (stop);
  jme_request_reply_text (request, 503, "stopped\n");
}

static guint
get_number (JmeRequest *request, const char *key)
{
  g_auto (GStrv) values = jme_request_get_values (request, key);

  return values[0] != NULL ? (guint) atoi (values[0]) : 0;
}

/* Sends `n` parts of so many `kib`, each of which takes some `ms`. With `half` there is
 * no end. */
static void
on_parts (JmeRequest *request, gpointer user_data)
{
  Site *site = user_data;
  const guint n = get_number (request, "n");
  const gsize size = (gsize) get_number (request, "kib") * 1024;
  gboolean goes_on = TRUE;

  if (!jme_request_takes_parts (request))
    {
      jme_request_reply_text (request, 505, "no chunks\n");
      return;
    }
  g_atomic_int_inc (&site->n_sending);
  jme_request_set_header (request, "X-Slow", "yes");
  for (guint i = 0; i < n && goes_on; i++)
    {
      g_autofree char *text = g_strnfill (size, (char) ('a' + i % 26));
      g_autoptr (GBytes) part = g_bytes_new (text, size);

      g_usleep (get_number (request, "ms") * 1000);
      g_atomic_int_inc (&site->n_parts);
      goes_on = jme_request_send_part (request, "text/plain", part);
    }
  if (goes_on && get_number (request, "half") == 0)
    jme_request_end_parts (request);
  g_atomic_int_add (&site->n_sending, -1);
}

static void
on_count (JmeRequest *request, gpointer user_data)
{
  Site *site = user_data;
  g_autofree char *text =
    g_strdup_printf ("%d %d\n", g_atomic_int_get (&site->n_sending),
                     g_atomic_int_get (&site->n_parts));

  jme_request_reply_text (request, 200, text);
}

static const JmeRoute routes[] = {
  { .path = "/echo",
    .methods = JME_METHOD_POST | JME_METHOD_PUT,
    .max_body_bytes = MAX_ECHO_BYTES,
    .handler = on_echo },
  { .path = "/api/", .is_prefix = TRUE, .handler = on_path },
  { .path = "/api/deep/", .is_prefix = TRUE, .handler = on_deep_path },
  { .path = "/open", .access = JME_ACCESS_OPEN, .handler = on_small },
  { .path = "/root", .access = JME_ACCESS_LOCAL_ROOT, .handler = on_peer },
  { .path = "/known", .access = JME_ACCESS_KNOWN, .handler = on_peer },
  { .path = "/known/hold", .access = JME_ACCESS_KNOWN, .handler = on_hold },
  { .path = "/slow",
    .methods = JME_METHOD_GET | JME_METHOD_POST,
    .max_body_bytes = MAX_ECHO_BYTES,
    .is_slow = TRUE,
    .handler = on_slow },
  { .path = "/slow/endless", .is_slow = TRUE, .handler = on_endless },
  { .path = "/slow/parts", .is_slow = TRUE, .handler = on_parts },
  { .path = "/count", .handler = on_count },
  { .path = "/slow/forget", .is_slow = TRUE, .handler = on_forget },
  { .path = "/text", .handler = on_text },
  { .path = "/small", .handler = on_small },
  { .path = "/query", .handler = on_query },
  { .path = "/big", .handler = on_big },
  { .path = "/hold", .handler = on_hold },
  { .path = "/release", .handler = on_release },
  { .path = "/forget", .handler = on_forget },
  { NULL },
};

static void
serve (JmeWebServer *server)
{
  g_auto (GStrv) addresses = jme_web_server_list_addresses (server);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GSource) watchdog = jme_systemd_watchdog_source_new (NULL, NULL);
  Site site = { .loop = loop };

  jme_web_server_add_routes (server, routes, &site);
  g_unix_signal_add (SIGTERM, on_terminate, &site);
  if (watchdog != NULL)
    g_source_attach (watchdog, NULL);

  for (guint i = 0; addresses[i] != NULL; i++)
    g_print ("listening %s\n", addresses[i]);
  g_print ("ready\n");
  fflush (stdout);
  jme_systemd_notify ("READY=1");
  g_main_loop_run (loop);

  jme_systemd_notify ("STOPPING=1");
  if (watchdog != NULL)
    g_source_destroy (watchdog);
  g_clear_object (&site.held);
  jme_web_server_finish_work (server);
  jme_web_server_close (server);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

int
main (int argc, char **argv)
{
  g_auto (GStrv) addresses = NULL;
  g_autofree char *config = NULL;
  g_autofree char *local = NULL;
  gboolean use_systemd = FALSE;
  int clients = 256, requests = 40, ask_ms = 10000, read_ms = 30000, idle_ms = 60000,
      work_ms = 60000;
  const GOptionEntry entries[] = {
    { "listen", 0, 0, G_OPTION_ARG_STRING_ARRAY, &addresses, NULL, NULL },
    { "config", 0, 0, G_OPTION_ARG_FILENAME, &config, NULL, NULL },
    { "local", 0, 0, G_OPTION_ARG_FILENAME, &local, NULL, NULL },
    { "systemd", 0, 0, G_OPTION_ARG_NONE, &use_systemd, NULL, NULL },
    { "clients", 0, 0, G_OPTION_ARG_INT, &clients, NULL, NULL },
    { "requests", 0, 0, G_OPTION_ARG_INT, &requests, NULL, NULL },
    { "ask-ms", 0, 0, G_OPTION_ARG_INT, &ask_ms, NULL, NULL },
    { "read-ms", 0, 0, G_OPTION_ARG_INT, &read_ms, NULL, NULL },
    { "idle-ms", 0, 0, G_OPTION_ARG_INT, &idle_ms, NULL, NULL },
    { "work-ms", 0, 0, G_OPTION_ARG_INT, &work_ms, NULL, NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (JmeWebServer) server = NULL;
  g_autoptr (GError) error = NULL;
  JmeWebLimits limits;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    g_error ("%s", error->message);
  jme_log_install (G_LOG_LEVEL_INFO, JME_LOG_LOGFMT);

  limits = (JmeWebLimits){ .clients = (guint) clients,
                           .handshakes = 32,
                           .requests = (guint) requests,
                           .workers = 2,
                           .work_ms = (guint) work_ms,
                           .ask_ms = (guint) ask_ms,
                           .read_ms = (guint) read_ms,
                           .idle_ms = (guint) idle_ms,
                           .per_user = 2 };
  server = jme_web_server_new (config, &error);
  if (server != NULL)
    jme_web_server_set_limits (server, &limits);
  if (server == NULL || !listen_everywhere (server, addresses, use_systemd, &error) ||
      (local != NULL && !jme_web_server_listen_locally (server, local, &error)))
    {
      g_critical ("%s", error->message);
      return 1;
    }
  serve (server);

  return 0;
}
