/* test-identity.c: a stranger is nobody else
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "web/jme-identity.h"
#include "web/jme-web-client.h"
#include "web/jme-web-server.h"

/* Of "secret". */
#define HASH "$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW"
#define ALICE_LOGS_IN "Authorization: Basic YWxpY2U6c2VjcmV0\r\n"
#define SECRET "X-Jobmetrics-Secret: open sesame\r\n"
#define NEAR_PROXY "server.proxy-addresses = 10.0.0.0/8;127.0.0.0/8\n"
#define FAR_PROXY "server.proxy-addresses = 10.0.0.0/8\n"

typedef struct
{
  char *directory;
  char *web_path;
  char *secret_path;
  char *socket_path;
  JmeIdentityConfig *config;
  JmeWebServer *server;
} Site;

static void
on_who (JmeRequest *request, gpointer user_data)
{
  Site *site = user_data;
  g_autoptr (GError) error = NULL;
  guint status = 0;
  g_autofree char *name = jme_identity_find (site->config, request, &status, &error);

  g_assert_true ((name == NULL) == (error != NULL));
  jme_request_reply_text (request, name != NULL ? 200 : status,
                          name != NULL ? name : error->message);
}

static const JmeRoute routes[] = {
  { .path = "/who", .handler = on_who },
  { NULL },
};

static JmeIdentityConfig *
make_config (const char *text, GError **error)
{
  g_autoptr (JmSettings) settings = jm_settings_new ();
  g_autofree char *file = g_strconcat ("[server]\n", text, NULL);
  JmeIdentityConfig *config = NULL;

  jme_identity_config_add_settings (settings);
  if (jm_settings_read_text (settings, "test.conf", file, strlen (file), "server",
                             error))
    config = jme_identity_config_new (settings, error);

  return config;
}

static void
write_file (const char *path, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_NONE, 0600, &error);
  g_assert_no_error (error);
}

static void
site_open (Site *self, const char *addresses, gboolean has_users)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  self->directory = g_dir_make_tmp ("jm-identity-XXXXXX", &error);
  g_assert_no_error (error);
  self->web_path = g_build_filename (self->directory, "web.yml", NULL);
  self->secret_path = g_build_filename (self->directory, "secret", NULL);
  self->socket_path = g_build_filename (self->directory, "socket", NULL);
  write_file (self->web_path, has_users ? "basic_auth_users: {alice: " HASH "}\n" : "");
  write_file (self->secret_path, "open sesame\n");

  text = addresses == NULL
           ? g_strdup ("")
           : g_strconcat (addresses, "server.proxy-secret-file = ", self->secret_path,
                          "\n", NULL);
  self->config = make_config (text, &error);
  g_assert_no_error (error);
  self->server = jme_web_server_new (self->web_path, &error);
  g_assert_no_error (error);
  jme_web_server_add_routes (self->server, routes, self);
  jme_web_server_listen (self->server, "127.0.0.1:0", &error);
  g_assert_no_error (error);
  jme_web_server_listen_locally (self->server, self->socket_path, &error);
  g_assert_no_error (error);
}

static void
site_close (Site *self)
{
  jme_web_server_close (self->server);
  g_object_unref (self->server);
  jme_identity_config_free (self->config);
  g_unlink (self->web_path);
  g_unlink (self->secret_path);
  g_unlink (self->socket_path);
  g_rmdir (self->directory);
  g_free (self->web_path);
  g_free (self->secret_path);
  g_free (self->socket_path);
  g_free (self->directory);
}

typedef struct
{
  GSocketConnectable *address;
  char *request;
  GString *answer;
  gboolean is_over;
} Question;

/* Reads until the server hangs up. */
static gpointer
ask_in_thread (gpointer data)
{
  Question *question = data;
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketConnection) connection = NULL;
  g_autoptr (GError) error = NULL;
  GInputStream *input;
  char buffer[4096];
  gssize n;

  connection = g_socket_client_connect (client, question->address, NULL, &error);
  g_assert_no_error (error);
  g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (connection)),
                             question->request, strlen (question->request), NULL, NULL,
                             &error);
  g_assert_no_error (error);
  input = g_io_stream_get_input_stream (G_IO_STREAM (connection));
  while ((n = g_input_stream_read (input, buffer, sizeof buffer, NULL, NULL)) > 0)
    g_string_append_len (question->answer, buffer, n);
  g_atomic_int_set (&question->is_over, TRUE);
  g_main_context_wakeup (NULL);

  return NULL;
}

static GSocketConnectable *
find_address (const Site *site, gboolean is_local)
{
  g_auto (GStrv) addresses = jme_web_server_list_addresses (site->server);
  g_autoptr (GError) error = NULL;
  GSocketConnectable *found;

  if (is_local)
    return G_SOCKET_CONNECTABLE (g_unix_socket_address_new (site->socket_path));
  found = g_network_address_parse (addresses[0], 0, &error);
  g_assert_no_error (error);

  return found;
}

/* Status and text of the answer. */
static char *
ask (const Site *site, gboolean is_local, const char *headers)
{
  g_autoptr (GSocketConnectable) address = find_address (site, is_local);
  g_autofree char *request =
    g_strconcat ("GET /who HTTP/1.1\r\nHost: x\r\nConnection: close\r\n", headers,
                 "\r\n", NULL);
  g_autoptr (GString) answer = g_string_new (NULL);
  Question question = { address, request, answer, FALSE };
  GThread *thread = g_thread_new ("client", ask_in_thread, &question);
  const char *body;

  while (!g_atomic_int_get (&question.is_over))
    g_main_context_iteration (NULL, TRUE);
  g_thread_join (thread);
  g_assert_true (g_str_has_prefix (answer->str, "HTTP/1.1 "));
  body = strstr (answer->str, "\r\n\r\n");
  g_assert_nonnull (body);

  return g_strdup_printf ("%.3s %s", answer->str + strlen ("HTTP/1.1 "), body + 4);
}

static void
assert_answer (const Site *site,
               gboolean is_local,
               const char *headers,
               const char *expected)
{
  g_autofree char *answer = ask (site, is_local, headers);

  g_test_message ("%s", headers);
  g_assert_cmpstr (answer, ==, expected);
}

#define FORGED "403 a user is named by somebody who is no trusted proxy"
#define TWICE "400 a header of identity is there twice"
#define BAD_NAME "400 the proxy names no good user"
#define NOBODY "401 the request names no user"
#define TWO_USERS "403 you are two different users"

static void
test_a_trusted_proxy_names_the_user (void)
{
  Site site;

  site_open (&site, NEAR_PROXY, FALSE);
  assert_answer (&site, FALSE, "X-Remote-User: bob\r\n" SECRET, "200 bob");
  assert_answer (&site, FALSE, "x-remote-USER: bob@site\r\n" SECRET, "200 bob@site");
  assert_answer (&site, FALSE, "", NOBODY);
  assert_answer (&site, FALSE, SECRET, "403 the proxy names no user");
  assert_answer (&site, FALSE, "X-Remote-User:\r\n" SECRET, BAD_NAME);
  assert_answer (&site, FALSE, "X-Remote-User: a,b\r\n" SECRET, BAD_NAME);
  assert_answer (&site, FALSE, "X-Remote-User: a b\r\n" SECRET, BAD_NAME);
  assert_answer (&site, FALSE, "X-Remote-User: \xc3\xa9\r\n" SECRET, BAD_NAME);
  site_close (&site);
}

static void
test_others_name_nobody (void)
{
  Site site;

  site_open (&site, NEAR_PROXY, FALSE);
  assert_answer (&site, FALSE, "X-Remote-User: bob\r\n", FORGED);
  assert_answer (&site, FALSE,
                 "X-Remote-User: bob\r\nX-Jobmetrics-Secret: open sesam\r\n", FORGED);
  assert_answer (&site, FALSE,
                 "X-Remote-User: bob\r\nX-Jobmetrics-Secret: open sesame!\r\n", FORGED);
  assert_answer (&site, FALSE, "X-Remote-User: bob\r\nX-Jobmetrics-Secret:\r\n",
                 FORGED);
  assert_answer (&site, FALSE,
                 "X-Remote-User: bob\r\nX-Jobmetrics-Secret: open sesameopen "
                 "sesame\r\n",
                 FORGED);
  assert_answer (&site, TRUE, "X-Remote-User: bob\r\n" SECRET, FORGED);
  site_close (&site);

  site_open (&site, FAR_PROXY, FALSE);
  assert_answer (&site, FALSE, "X-Remote-User: bob\r\n" SECRET, FORGED);
  site_close (&site);

  site_open (&site, NULL, FALSE);
  assert_answer (&site, FALSE, "X-Remote-User: bob\r\n" SECRET, FORGED);
  assert_answer (&site, FALSE, "X-Remote-User: bob\r\n", FORGED);
  site_close (&site);
}

static void
test_headers_are_there_once (void)
{
  Site site;

  site_open (&site, NEAR_PROXY, FALSE);
  assert_answer (&site, FALSE, "X-Remote-User: bob\r\nX-Remote-User: bob\r\n" SECRET,
                 TWICE);
  assert_answer (&site, FALSE, "X-Remote-User: bob\r\nx-remote-user: eve\r\n" SECRET,
                 TWICE);
  assert_answer (&site, FALSE, "X-Remote-User: bob\r\n" SECRET SECRET, TWICE);
  site_close (&site);
}

static void
test_a_password_names_its_user (void)
{
  Site site;

  site_open (&site, NEAR_PROXY, TRUE);
  assert_answer (&site, FALSE, ALICE_LOGS_IN, "200 alice");
  assert_answer (&site, FALSE, "", "401 401: unauthorized\n");
  assert_answer (&site, FALSE, ALICE_LOGS_IN "X-Remote-User: bob\r\n", FORGED);
  assert_answer (&site, FALSE, ALICE_LOGS_IN "X-Remote-User: alice\r\n", FORGED);
  assert_answer (&site, FALSE, ALICE_LOGS_IN "X-Remote-User: bob\r\n" SECRET,
                 TWO_USERS);
  assert_answer (&site, FALSE, ALICE_LOGS_IN "X-Remote-User: alice\r\n" SECRET,
                 "200 alice");
  site_close (&site);
}

static void
test_a_password_that_nobody_looked_at_names_nobody (void)
{
  Site site;

  site_open (&site, NULL, FALSE);
  assert_answer (&site, FALSE, ALICE_LOGS_IN, NOBODY);
  site_close (&site);
}

static void
test_the_kernel_names_who_is_here (void)
{
  const struct passwd *me = getpwuid (geteuid ());
  g_autofree char *expected = NULL;
  Site site;

  if (me == NULL)
    {
      g_test_skip ("who runs this has no name");
      return;
    }
  expected = g_strdup_printf ("200 %s", me->pw_name);
  site_open (&site, NULL, TRUE);
  assert_answer (&site, TRUE, "", expected);
  assert_answer (&site, TRUE, ALICE_LOGS_IN, expected);
  assert_answer (&site, TRUE, "X-Remote-User: bob\r\n", FORGED);
  site_close (&site);
}

static void
test_settings_that_trust_too_much_are_refused (void)
{
  static const char *const texts[] = {
    "server.proxy-addresses = 127.0.0.1\n",
    "server.proxy-addresses = here\n",
    "server.proxy-addresses = 127.0.0.1/33\n",
    "server.proxy-secret-file = /nonexistent\n",
    "server.proxy-header = X User\n",
    "server.proxy-header = x-jobmetrics-secret\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", texts[i]);
      g_assert_null (make_config (texts[i], &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, "server.proxy-"));
    }
}

/* A worker may look at it when its connection is over, and the descriptor another's. */
static void
test_who_has_gone_keeps_the_address (void)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  g_autoptr (GSocketClient) connector = g_socket_client_new ();
  g_autoptr (GError) error = NULL;
  guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, &error);
  g_autoptr (GSocketConnection) connection =
    g_socket_client_connect_to_host (connector, "127.0.0.1", port, NULL, NULL);
  g_autoptr (GSocket) socket =
    g_socket_listener_accept_socket (listener, NULL, NULL, &error);
  g_autoptr (JmeWebClient) client = NULL;
  g_autoptr (GInetAddress) address = NULL;
  g_autofree char *peer = NULL;

  g_assert_no_error (error);
  g_assert_nonnull (connection);
  client = jme_web_client_new (G_OBJECT (listener), socket, 1000, 1000);
  g_assert_true (g_socket_close (socket, NULL));

  address = jme_web_client_get_remote_address (client);
  peer = jme_web_client_describe_peer (client);
  g_assert_nonnull (address);
  g_assert_true (g_inet_address_get_is_loopback (address));
  g_assert_false (g_str_equal (peer, "local"));
  g_assert_cmpuint (jme_web_client_get_local_port (client), ==, port);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/identity/proxy", test_a_trusted_proxy_names_the_user);
  g_test_add_func ("/identity/forged", test_others_name_nobody);
  g_test_add_func ("/identity/twice", test_headers_are_there_once);
  g_test_add_func ("/identity/password", test_a_password_names_its_user);
  g_test_add_func ("/identity/unchecked",
                   test_a_password_that_nobody_looked_at_names_nobody);
  g_test_add_func ("/identity/local", test_the_kernel_names_who_is_here);
  g_test_add_func ("/identity/gone", test_who_has_gone_keeps_the_address);
  g_test_add_func ("/identity/settings", test_settings_that_trust_too_much_are_refused);

  return g_test_run ();
}
