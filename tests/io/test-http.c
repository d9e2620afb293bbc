/* test-http.c: asking a server that may do anything
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>
#include <string.h>

#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "io/jm-http-private.h"
#include "web-stand-in.h"

#define TOKEN "0123456789abcdef"
#define PATIENCE_MS 20000
#define SHORT_MS 300

/* A server without the cost of TLS, where that is not the question. */
static WebStandIn *
plain_server (void)
{
  return web_stand_in_new (FALSE);
}

/* Asks for @path with @request, which lacks only its URL. */
static gboolean
ask_with (WebStandIn *server,
          const char *path,
          const JmHttpRequest *request,
          JmHttpAnswer *answer,
          GError **error)
{
  g_autofree char *url = g_strconcat (web_stand_in_get_url (server), path, NULL);
  JmHttpRequest whole = *request;

  whole.url = url;
  if (whole.timeout_ms == 0)
    whole.timeout_ms = PATIENCE_MS;

  return jm_http_ask (&whole, answer, NULL, error);
}

static gboolean
ask (WebStandIn *server, const char *path, JmHttpAnswer *answer, GError **error)
{
  const JmHttpRequest request = { 0 };

  return ask_with (server, path, &request, answer, error);
}

static void
assert_refused (WebStandIn *server, const char *path, JmError code, const char *words)
{
  g_auto (JmHttpAnswer) answer = { 0 };
  g_autoptr (GError) error = NULL;

  g_assert_false (ask (server, path, &answer, &error));
  g_assert_error (error, JM_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_nonnull (strstr (error->message, path));
}

static void
test_an_answer_is_parsed (void)
{
  g_autoptr (WebStandIn) server = plain_server ();
  g_auto (JmHttpAnswer) answer = { 0 };
  g_autoptr (GError) error = NULL;
  double number = 0;

  web_stand_in_set (server, "/a", "200 OK", "X-Thing: one\r\n", "{\"n\": 4.5}");

  g_assert_true (ask (server, "/a?zone=FR", &answer, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (answer.status, ==, 200);
  g_assert_true (jm_json_get_number (answer.json, "n", &number));
  g_assert_cmpfloat (number, ==, 4.5);
  g_assert_cmpstr (g_hash_table_lookup (answer.headers, "x-thing"), ==, "one");
}

static void
test_a_question_carries_headers_login_and_body (void)
{
  g_autoptr (WebStandIn) server = plain_server ();
  g_auto (JmHttpAnswer) answer = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *sent = NULL;
  const char *headers[] = { "auth-token", TOKEN, NULL };
  const JmHttpRequest request = { .method = "POST",
                                  .headers = headers,
                                  .username = "ann",
                                  .password = "secret",
                                  .body = "{\"x\":1}" };

  web_stand_in_set (server, "/login", "201 Created", "", "{}");

  g_assert_true (ask_with (server, "/login", &request, &answer, &error));
  g_assert_no_error (error);
  sent = web_stand_in_get_request (server, "/login");
  g_assert_true (g_str_has_prefix (sent, "POST /login HTTP/1.1\r\n"));
  g_assert_nonnull (strstr (sent, "auth-token: " TOKEN "\r\n"));
  g_assert_nonnull (strstr (sent, "Authorization: Basic YW5uOnNlY3JldA==\r\n"));
  g_assert_nonnull (strstr (sent, "Content-Type: application/json\r\n"));
  g_assert_true (g_str_has_suffix (sent, "\r\n\r\n{\"x\":1}"));
}

static void
test_what_deletes_needs_no_answer (void)
{
  g_autoptr (WebStandIn) server = plain_server ();
  g_auto (JmHttpAnswer) answer = { 0 };
  g_autoptr (GError) error = NULL;
  const JmHttpRequest request = { .method = "DELETE" };

  web_stand_in_set (server, "/session", "200 OK", "", "");

  g_assert_true (ask_with (server, "/session", &request, &answer, &error));
  g_assert_no_error (error);
  g_assert_null (answer.json);
}

static void
test_each_status_says_what_to_do (void)
{
  g_autoptr (WebStandIn) server = plain_server ();

  web_stand_in_set (server, "/a", "401 Unauthorized", "", "");
  web_stand_in_set (server, "/b", "403 Forbidden", "", "{\"error\":\"no\"}");
  web_stand_in_set (server, "/c", "404 Not Found", "", "<html>");
  web_stand_in_set (server, "/d", "400 Bad Request", "", "{\"error\":\"zone\"}");
  web_stand_in_set (server, "/e", "503 Service Unavailable", "", "<html>");

  assert_refused (server, "/a", JM_ERROR_DENIED, "401");
  assert_refused (server, "/b", JM_ERROR_DENIED, "403 Forbidden: {\\\"error\\\"");
  assert_refused (server, "/c", JM_ERROR_ABSENT, "404");
  assert_refused (server, "/d", JM_ERROR_INVALID, "zone");
  assert_refused (server, "/e", JM_ERROR_UNAVAILABLE, "503");
}

static void
test_who_is_asked_too_often_says_how_long_to_wait (void)
{
  g_autoptr (WebStandIn) server = plain_server ();
  g_auto (JmHttpAnswer) answer = { 0 };
  g_autoptr (GError) error = NULL;

  web_stand_in_set (server, "/a", "429 Too Many Requests", "Retry-After: 120\r\n", "");

  g_assert_false (ask (server, "/a", &answer, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_assert_cmpuint (answer.retry_after_s, ==, 120);
  g_assert_nonnull (strstr (error->message, "wait 120 s"));
}

static void
test_a_page_for_people_is_malformed (void)
{
  g_autoptr (WebStandIn) server = plain_server ();

  web_stand_in_set (server, "/a", "200 OK", "", "<!DOCTYPE html>\n<title>Sign in");
  web_stand_in_set (server, "/b", "200 OK", "", "{\"n\": 4.");
  web_stand_in_set (server, "/c", "200 OK", "", "");
  web_stand_in_set (server, "/d", "200 OK", "", "{\"n\": NaN}");
  web_stand_in_set (server, "/e", "200 OK", "", "\xff\xfe");

  assert_refused (server, "/a", JM_ERROR_MALFORMED, "not JSON: <!DOCTYPE html>\\n");
  assert_refused (server, "/b", JM_ERROR_MALFORMED, "not JSON");
  assert_refused (server, "/c", JM_ERROR_MALFORMED, "empty");
  assert_refused (server, "/d", JM_ERROR_MALFORMED, "not JSON");
  assert_refused (server, "/e", JM_ERROR_MALFORMED, "not JSON: \\377");
}

static void
test_nesting_without_end_is_malformed (void)
{
  g_autofree char *deep = g_strnfill (500000, '[');
  g_autofree char *hidden = g_strconcat ("[\"", deep, "\"]", NULL);
  g_autoptr (JsonNode) text = NULL;

  g_assert_null (jm_json_parse (deep, strlen (deep)));
  text = jm_json_parse (hidden, strlen (hidden));
  g_assert_nonnull (text);
  g_assert_null (jm_json_parse ("{/* [ */}", 9));
}

static void
test_no_message_gives_away_what_was_sent (void)
{
  g_autoptr (WebStandIn) server = plain_server ();
  g_auto (JmHttpAnswer) answer = { 0 };
  g_autoptr (GError) error = NULL;
  const char *headers[] = { "Authorization", "Bearer " TOKEN, NULL };
  const JmHttpRequest request = { .headers = headers };

  web_stand_in_set (server, "/a", "403 Forbidden", "", "{\"wrong\": \"" TOKEN "\"}");

  g_assert_false (ask_with (server, "/a?key=" TOKEN, &request, &answer, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_DENIED);
  g_assert_null (strstr (error->message, TOKEN));
}

static void
test_no_message_gives_away_a_secret_answer (void)
{
  g_autoptr (WebStandIn) server = plain_server ();
  g_auto (JmHttpAnswer) answer = { 0 };
  g_autoptr (GError) error = NULL;
  const JmHttpRequest request = { .is_answer_secret = TRUE };

  web_stand_in_set (server, "/a", "200 OK", "", "{\"token\": \"" TOKEN);

  g_assert_false (ask_with (server, "/a", &request, &answer, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_null (strstr (error->message, TOKEN));
}

static void
test_a_slow_answer_is_given_up (void)
{
  g_autoptr (WebStandIn) server = plain_server ();
  const JmHttpRequest request = { .timeout_ms = SHORT_MS };
  const char *paths[] = { "/silent", "/trickle" };

  web_stand_in_set (server, "/silent", "200 OK", "", "");
  web_stand_in_set_manner (server, "/silent", WEB_SILENTLY);
  web_stand_in_set (server, "/trickle", "200 OK", "", "");
  web_stand_in_set_manner (server, "/trickle", WEB_TRICKLE);

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_auto (JmHttpAnswer) answer = { 0 };
      g_autoptr (GError) error = NULL;
      gint64 began_us = g_get_monotonic_time ();

      g_assert_false (ask_with (server, paths[i], &request, &answer, &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
      g_assert_nonnull (strstr (error->message, "in time"));
      g_assert_cmpint (g_get_monotonic_time () - began_us, <, PATIENCE_MS * 1000);
    }
}

static void
test_an_endless_answer_is_cut_off (void)
{
  g_autoptr (WebStandIn) server = plain_server ();

  web_stand_in_set (server, "/a", "200 OK", "", "");
  web_stand_in_set_manner (server, "/a", WEB_ENDLESS);

  assert_refused (server, "/a", JM_ERROR_TOO_LARGE, "longer than 1048576 bytes");
}

static gpointer
cancel_when_asked (gpointer data)
{
  gpointer *both = data;

  while (web_stand_in_count (both[0], "/a") == 0)
    g_usleep (1000);
  g_cancellable_cancel (both[1]);

  return NULL;
}

static void
test_the_caller_may_give_up (void)
{
  g_autoptr (WebStandIn) server = plain_server ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *url = g_strconcat (web_stand_in_get_url (server), "/a", NULL);
  g_auto (JmHttpAnswer) answer = { 0 };
  g_autoptr (GError) error = NULL;
  const JmHttpRequest request = { .url = url, .timeout_ms = PATIENCE_MS };
  gpointer both[] = { server, cancellable };
  GThread *thread;

  web_stand_in_set (server, "/a", "200 OK", "", "");
  web_stand_in_set_manner (server, "/a", WEB_SILENTLY);
  thread = g_thread_new ("canceller", cancel_when_asked, both);

  g_assert_false (jm_http_ask (&request, &answer, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
}

static void
test_a_redirect_within_the_server_is_followed (void)
{
  g_autoptr (WebStandIn) server = plain_server ();
  g_auto (JmHttpAnswer) answer = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *sent = NULL;
  const char *headers[] = { "auth-token", TOKEN, NULL };
  const JmHttpRequest request = { .headers = headers };

  web_stand_in_set (server, "/old", "301 Moved Permanently", "Location: /new\r\n", "");
  web_stand_in_set (server, "/new", "200 OK", "", "[]");

  g_assert_true (ask_with (server, "/old", &request, &answer, &error));
  g_assert_no_error (error);
  sent = web_stand_in_get_request (server, "/new");
  g_assert_nonnull (strstr (sent, TOKEN));
}

static void
test_a_redirect_elsewhere_is_not_followed (void)
{
  g_autoptr (WebStandIn) server = plain_server ();
  g_autoptr (WebStandIn) other = plain_server ();
  g_autofree char *location =
    g_strconcat ("Location: ", web_stand_in_get_url (other), "/a\r\n", NULL);

  web_stand_in_set (server, "/a", "302 Found", location, "");
  web_stand_in_set (other, "/a", "200 OK", "", "{}");

  assert_refused (server, "/a", JM_ERROR_UNAVAILABLE, "not followed");
  g_assert_cmpuint (web_stand_in_count (other, "/a"), ==, 0);
}

static void
test_a_redirect_to_itself_ends (void)
{
  g_autoptr (WebStandIn) server = plain_server ();

  web_stand_in_set (server, "/a", "302 Found", "Location: /a\r\n", "");

  assert_refused (server, "/a", JM_ERROR_UNAVAILABLE, "more than 5 times");
  g_assert_cmpuint (web_stand_in_count (server, "/a"), ==, 6);
}

static void
test_a_login_is_never_sent_twice_by_a_redirect (void)
{
  g_autoptr (WebStandIn) server = plain_server ();
  g_auto (JmHttpAnswer) answer = { 0 };
  g_autoptr (GError) error = NULL;
  const JmHttpRequest request = { .method = "POST", .body = "{}" };

  web_stand_in_set (server, "/a", "307 Temporary Redirect", "Location: /b\r\n", "");
  web_stand_in_set (server, "/b", "200 OK", "", "{}");

  g_assert_false (ask_with (server, "/a", &request, &answer, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_assert_cmpuint (web_stand_in_count (server, "/b"), ==, 0);
}

static void
test_a_certificate_must_be_trusted (void)
{
  g_autoptr (WebStandIn) server = web_stand_in_new (TRUE);
  const JmHttpRequest trusting = { .ca_file = web_stand_in_get_ca_file (server) };
  const JmHttpRequest careless = { .is_insecure = TRUE };
  g_auto (JmHttpAnswer) answer = { 0 };
  g_autoptr (GError) error = NULL;

  web_stand_in_set (server, "/a", "200 OK", "", "{}");

  assert_refused (server, "/a", JM_ERROR_UNAVAILABLE, "not trusted");
  g_assert_cmpuint (web_stand_in_count (server, "/a"), ==, 0);
  g_assert_true (ask_with (server, "/a", &trusting, &answer, &error));
  g_assert_no_error (error);
  jm_http_answer_clear (&answer);
  g_assert_true (ask_with (server, "/a", &careless, &answer, &error));
  g_assert_no_error (error);
}

static void
test_a_server_that_is_not_there_is_unavailable (void)
{
  g_autoptr (WebStandIn) server = plain_server ();
  g_autofree char *url = g_strconcat (web_stand_in_get_url (server), "/a", NULL);
  const JmHttpRequest request = { .url = url, .timeout_ms = PATIENCE_MS };
  g_auto (JmHttpAnswer) answer = { 0 };
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&server, web_stand_in_free);

  g_assert_false (jm_http_ask (&request, &answer, NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_assert_true (g_str_has_prefix (error->message, url));
}

static void
test_a_header_is_one_line (void)
{
  g_autoptr (WebStandIn) server = plain_server ();
  g_auto (JmHttpAnswer) answer = { 0 };
  g_autoptr (GError) error = NULL;
  const char *headers[] = { "auth-token", "a\r\nHost: b", NULL };
  const JmHttpRequest request = { .headers = headers };

  g_assert_false (ask_with (server, "/a", &request, &answer, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
}

static void
test_a_setting_keeps_to_https (void)
{
  const char *good[] = { "https://api.example.org", "https://api.example.org:8443/v3",
                         "http://127.0.0.1:8080", "http://localhost", "http://[::1]/" };
  const char *bad[] = { "http://api.example.org",
                        "https://ann:secret@example.org",
                        "ftp://example.org",
                        "example.org",
                        "https://",
                        "",
                        "http://localhost.example.org" };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    g_assert_true (jm_http_check_url (good[i], NULL));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (jm_http_check_url (bad[i], &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
      g_assert_null (strstr (error->message, "secret"));
    }
}

/* Takes what one client asks, and answers it. */
static gpointer
answer_once (gpointer data)
{
  static const char answer[] = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}";
  g_autoptr (GSocketConnection) connection =
    g_socket_listener_accept (data, NULL, NULL, NULL);
  GIOStream *stream = G_IO_STREAM (connection);
  g_autoptr (GDataInputStream) input =
    g_data_input_stream_new (g_io_stream_get_input_stream (stream));
  char *first;

  g_data_input_stream_set_newline_type (input, G_DATA_STREAM_NEWLINE_TYPE_CR_LF);
  first = g_data_input_stream_read_line (input, NULL, NULL, NULL);

  /* up to the blank line behind the head */
  for (gboolean is_head = TRUE; is_head;)
    {
      g_autofree char *next = g_data_input_stream_read_line (input, NULL, NULL, NULL);

      is_head = next != NULL && *next != '\0';
    }
  g_output_stream_write_all (g_io_stream_get_output_stream (stream), answer,
                             strlen (answer), NULL, NULL, NULL);

  return first;
}

static void
test_a_socket_of_this_machine_is_asked_whatever_the_url_names (void)
{
  g_autofree char *directory = g_dir_make_tmp ("jm-http-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "socket", NULL);
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  const JmHttpRequest request = { .url = "http://localhost/ledger?after=0",
                                  .socket = path,
                                  .timeout_ms = PATIENCE_MS };
  g_auto (JmHttpAnswer) answer = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *asked = NULL;
  GThread *thread;

  g_assert_true (g_socket_listener_add_address (listener, address, G_SOCKET_TYPE_STREAM,
                                                G_SOCKET_PROTOCOL_DEFAULT, NULL, NULL,
                                                NULL));
  thread = g_thread_new ("socket", answer_once, listener);
  g_assert_true (jm_http_ask (&request, &answer, NULL, &error));
  g_assert_no_error (error);
  asked = g_thread_join (thread);
  g_assert_true (g_str_has_prefix (asked, "GET /ledger?after=0 HTTP/1.1"));

  g_assert_cmpint (g_unlink (path), ==, 0);
  jm_http_answer_clear (&answer);
  g_assert_false (jm_http_ask (&request, &answer, NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_assert_true (g_str_has_prefix (error->message, path));
  g_assert_cmpuint (answer.status, ==, 0);
  g_assert_cmpint (g_rmdir (directory), ==, 0);
}

static gboolean
add_chunk (const char *text, gsize length, gpointer data)
{
  g_string_append_len (data, text, (gssize) length);

  return ((GString *) data)->len < 200000;
}

static void
test_a_long_answer_is_taken_as_it_comes (void)
{
  g_autoptr (WebStandIn) server = plain_server ();
  g_auto (JmHttpAnswer) answer = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) taken = g_string_new (NULL);
  g_autofree char *body = g_strnfill (150000, 'x');
  const JmHttpRequest request = { .take = add_chunk,
                                  .take_data = taken,
                                  .accept = "text/plain" };
  g_autofree char *head = NULL;

  web_stand_in_set (server, "/a", "200 OK", "", body);

  g_assert_true (ask_with (server, "/a", &request, &answer, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (taken->str, ==, body);
  g_assert_null (answer.json);
  head = web_stand_in_get_request (server, "/a");
  g_assert_nonnull (strstr (head, "Accept: text/plain"));
}

static void
test_what_is_not_wanted_ends_the_answer (void)
{
  g_autoptr (WebStandIn) server = plain_server ();
  g_auto (JmHttpAnswer) answer = { 0 };
  g_auto (JmHttpAnswer) longer = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) taken = g_string_new (NULL);
  const JmHttpRequest request = { .take = add_chunk,
                                  .take_data = taken,
                                  .max_bytes = 1 << 30 };
  const JmHttpRequest bounded = { .take = add_chunk,
                                  .take_data = taken,
                                  .max_bytes = 100000 };

  web_stand_in_set (server, "/a", "200 OK", "", "");
  web_stand_in_set_manner (server, "/a", WEB_ENDLESS);

  g_assert_false (ask_with (server, "/a", &request, &answer, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_cmpuint (taken->len, <, 300000);
  g_clear_error (&error);

  g_string_truncate (taken, 0);
  g_assert_false (ask_with (server, "/a", &bounded, &longer, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, "100000 bytes"));
}

static void
test_an_error_is_not_taken (void)
{
  g_autoptr (WebStandIn) server = plain_server ();
  g_auto (JmHttpAnswer) answer = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) taken = g_string_new (NULL);
  const JmHttpRequest request = { .take = add_chunk, .take_data = taken };

  web_stand_in_set (server, "/a", "500 Sorry", "", "{\"errors\": [\"no\"]}");

  g_assert_false (ask_with (server, "/a", &request, &answer, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "errors"));
  g_assert_cmpuint (taken->len, ==, 0);
}

static void
test_an_error_is_taken_where_it_is_wanted (void)
{
  g_autoptr (WebStandIn) server = plain_server ();
  g_auto (JmHttpAnswer) answer = { 0 };
  g_auto (JmHttpAnswer) moved = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) taken = g_string_new (NULL);
  g_autofree char *sent = NULL;
  const JmHttpRequest request = { .method = "POST",
                                  .body = "x=1",
                                  .body_type = "application/x-www-form-urlencoded",
                                  .take = add_chunk,
                                  .take_data = taken,
                                  .takes_refusals = TRUE };

  web_stand_in_set (server, "/a", "422 Wrong", "", "why");
  web_stand_in_set (server, "/b", "302 Moved", "Location: https://example.org/\r\n",
                    "");

  g_assert_true (ask_with (server, "/a", &request, &answer, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (answer.status, ==, 422);
  g_assert_cmpstr (taken->str, ==, "why");
  sent = web_stand_in_get_request (server, "/a");
  g_assert_nonnull (
    strstr (sent, "Content-Type: application/x-www-form-urlencoded\r\n"));
  g_assert_true (g_str_has_suffix (sent, "\r\n\r\nx=1"));
  g_assert_false (ask_with (server, "/b", &request, &moved, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* the stand-in is on this machine */
  g_setenv ("no_proxy", "localhost,127.0.0.1", TRUE);

  g_test_add_func ("/http/an-answer-is-parsed", test_an_answer_is_parsed);
  g_test_add_func ("/http/a-socket-of-this-machine-is-asked-whatever-the-url-names",
                   test_a_socket_of_this_machine_is_asked_whatever_the_url_names);
  g_test_add_func ("/http/a-question-carries-headers-login-and-body",
                   test_a_question_carries_headers_login_and_body);
  g_test_add_func ("/http/what-deletes-needs-no-answer",
                   test_what_deletes_needs_no_answer);
  g_test_add_func ("/http/each-status-says-what-to-do",
                   test_each_status_says_what_to_do);
  g_test_add_func ("/http/who-is-asked-too-often-says-how-long-to-wait",
                   test_who_is_asked_too_often_says_how_long_to_wait);
  g_test_add_func ("/http/a-page-for-people-is-malformed",
                   test_a_page_for_people_is_malformed);
  g_test_add_func ("/http/nesting-without-end-is-malformed",
                   test_nesting_without_end_is_malformed);
  g_test_add_func ("/http/no-message-gives-away-what-was-sent",
                   test_no_message_gives_away_what_was_sent);
  g_test_add_func ("/http/no-message-gives-away-a-secret-answer",
                   test_no_message_gives_away_a_secret_answer);
  g_test_add_func ("/http/a-slow-answer-is-given-up", test_a_slow_answer_is_given_up);
  g_test_add_func ("/http/an-endless-answer-is-cut-off",
                   test_an_endless_answer_is_cut_off);
  g_test_add_func ("/http/the-caller-may-give-up", test_the_caller_may_give_up);
  g_test_add_func ("/http/a-redirect-within-the-server-is-followed",
                   test_a_redirect_within_the_server_is_followed);
  g_test_add_func ("/http/a-redirect-elsewhere-is-not-followed",
                   test_a_redirect_elsewhere_is_not_followed);
  g_test_add_func ("/http/a-redirect-to-itself-ends", test_a_redirect_to_itself_ends);
  g_test_add_func ("/http/a-login-is-never-sent-twice-by-a-redirect",
                   test_a_login_is_never_sent_twice_by_a_redirect);
  g_test_add_func ("/http/a-certificate-must-be-trusted",
                   test_a_certificate_must_be_trusted);
  g_test_add_func ("/http/a-server-that-is-not-there-is-unavailable",
                   test_a_server_that_is_not_there_is_unavailable);
  g_test_add_func ("/http/a-header-is-one-line", test_a_header_is_one_line);
  g_test_add_func ("/http/a-setting-keeps-to-https", test_a_setting_keeps_to_https);

  g_test_add_func ("/http/taken-as-it-comes", test_a_long_answer_is_taken_as_it_comes);
  g_test_add_func ("/http/not-wanted", test_what_is_not_wanted_ends_the_answer);
  g_test_add_func ("/http/error-not-taken", test_an_error_is_not_taken);
  g_test_add_func ("/http/an-error-is-taken-where-it-is-wanted",
                   test_an_error_is_taken_where_it_is_wanted);

  return g_test_run ();
}
