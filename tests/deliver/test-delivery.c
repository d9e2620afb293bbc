/* test-delivery.c: servers that take what is sent, later, or never
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <libsoup/soup.h>
#include <string.h>

#include "base/jm-error.h"
#include "deliver/jm-delivery-private.h"

#define SHORT_MS 300

typedef struct
{
  SoupServer *server;
  char *url;
  guint status;
  const char *answer;
  gsize answer_length;
  const char *retry_after;
  gboolean is_silent;
  char *got; /* method, path, credentials and body of the last request */
} Gateway;

typedef struct
{
  gboolean is_done;
  JmDeliveryVerdict verdict;
  guint retry_after_ms;
  GError *error;
} Outcome;

static void
on_request (SoupServer *server,
            SoupServerMessage *message,
            const char *path,
            GHashTable *query,
            gpointer user_data)
{
  Gateway *self = user_data;
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);
  const char *credentials = soup_message_headers_get_one (headers, "Authorization");

  g_free (self->got);
  self->got = g_strdup_printf ("%s %s %s %s", soup_server_message_get_method (message),
                               path, credentials != NULL ? credentials : "-",
                               soup_server_message_get_request_body (message)->data);
  if (self->is_silent)
    {
      soup_server_message_pause (message);
      return;
    }

  soup_server_message_set_status (message, self->status, NULL);
  if (self->retry_after != NULL)
    soup_message_headers_append (soup_server_message_get_response_headers (message),
                                 "Retry-After", self->retry_after);
  if (self->answer != NULL)
    soup_server_message_set_response (message, "text/plain", SOUP_MEMORY_COPY,
                                      self->answer, self->answer_length);
}

static void
gateway_open (Gateway *self, guint status, const char *answer)
{
  g_autoptr (GError) error = NULL;
  GSList *uris;

  *self = (Gateway){ .status = status, .answer = answer };
  self->answer_length = answer != NULL ? strlen (answer) : 0;
  self->server = soup_server_new (NULL, NULL);
  soup_server_add_handler (self->server, NULL, on_request, self, NULL);
  soup_server_listen_local (self->server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, &error);
  g_assert_no_error (error);
  uris = soup_server_get_uris (self->server);
  self->url = g_strdup_printf ("http://127.0.0.1:%d/a", g_uri_get_port (uris->data));
  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
}

static void
gateway_close (Gateway *self)
{
  soup_server_disconnect (self->server);
  g_object_unref (self->server);
  g_free (self->url);
  g_free (self->got);
}

static void
on_outcome (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Outcome *outcome = user_data;

  outcome->verdict =
    jm_delivery_send_finish (result, &outcome->retry_after_ms, &outcome->error);
  outcome->is_done = TRUE;
}

static void
send (const char *url,
      const JmDeliveryPlan *plan,
      GCancellable *cancellable,
      Outcome *outcome)
{
  const char *const headers[] = { "Content-Type", "text/plain", NULL };
  g_autoptr (GBytes) body = g_bytes_new_static ("a 1\n", 4);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmDelivery) delivery = jm_delivery_new (plan, &error);

  g_assert_no_error (error);
  *outcome = (Outcome){ 0 };
  jm_delivery_send_async (delivery, "PUT", url, headers, body, cancellable, on_outcome,
                          outcome);
  while (!outcome->is_done)
    g_main_context_iteration (NULL, TRUE);
}

static void
assert_verdict (guint status,
                const char *answer,
                JmDeliveryVerdict verdict,
                const char *words)
{
  const JmDeliveryPlan plan = { 0 };
  Gateway gateway;
  Outcome outcome;

  gateway_open (&gateway, status, answer);
  send (gateway.url, &plan, NULL, &outcome);
  g_assert_cmpint (outcome.verdict, ==, verdict);
  if (words == NULL)
    g_assert_no_error (outcome.error);
  else
    g_assert_nonnull (strstr (outcome.error->message, words));
  g_clear_error (&outcome.error);
  gateway_close (&gateway);
}

static void
test_what_a_server_says_decides (void)
{
  assert_verdict (200, NULL, JM_DELIVERY_DONE, NULL);
  assert_verdict (202, NULL, JM_DELIVERY_DONE, NULL);
  assert_verdict (301, NULL, JM_DELIVERY_REFUSED, "301");
  assert_verdict (400, "no such\nlabel", JM_DELIVERY_REFUSED,
                  "400 Bad Request: no such");
  assert_verdict (401, "\x1b[1m\xff", JM_DELIVERY_RETRY, "401 Unauthorized:  [1m");
  assert_verdict (403, NULL, JM_DELIVERY_RETRY, "403");
  assert_verdict (407, NULL, JM_DELIVERY_RETRY, "407");
  assert_verdict (429, NULL, JM_DELIVERY_RETRY, "429");
  assert_verdict (503, "busy", JM_DELIVERY_RETRY, "503 Service Unavailable: busy");
}

static void
test_credentials_go_with_it (void)
{
  const JmDeliveryPlan plan = { .username = "alice", .password = "secret" };
  Gateway gateway;
  Outcome outcome;

  gateway_open (&gateway, 200, NULL);
  send (gateway.url, &plan, NULL, &outcome);
  g_assert_no_error (outcome.error);
  g_assert_cmpstr (gateway.got, ==, "PUT /a Basic YWxpY2U6c2VjcmV0 a 1\n");
  gateway_close (&gateway);
}

static void
test_a_server_may_ask_for_time (void)
{
  const JmDeliveryPlan plan = { 0 };
  Gateway gateway;
  Outcome outcome;

  gateway_open (&gateway, 429, NULL);
  gateway.retry_after = "7";
  send (gateway.url, &plan, NULL, &outcome);
  g_assert_cmpuint (outcome.retry_after_ms, ==, 7000);
  g_clear_error (&outcome.error);
  gateway_close (&gateway);
}

static void
test_a_long_answer_is_not_kept (void)
{
  const JmDeliveryPlan plan = { 0 };
  g_autofree char *answer = g_strnfill (16 * 1024 * 1024, 'x');
  Gateway gateway;
  Outcome outcome;

  gateway_open (&gateway, 400, answer);
  send (gateway.url, &plan, NULL, &outcome);
  g_assert_cmpint (outcome.verdict, ==, JM_DELIVERY_REFUSED);
  g_assert_cmpuint (strlen (outcome.error->message), <, 400);
  g_clear_error (&outcome.error);
  gateway_close (&gateway);
}

static void
test_a_silent_server_is_given_up (void)
{
  const JmDeliveryPlan plan = { .timeout_ms = SHORT_MS };
  Gateway gateway;
  Outcome outcome;

  gateway_open (&gateway, 200, NULL);
  gateway.is_silent = TRUE;
  send (gateway.url, &plan, NULL, &outcome);
  g_assert_cmpint (outcome.verdict, ==, JM_DELIVERY_RETRY);
  g_assert_error (outcome.error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_clear_error (&outcome.error);
  gateway_close (&gateway);
}

static void
test_nobody_there_is_tried_again (void)
{
  const JmDeliveryPlan plan = { 0 };
  g_autofree char *url = NULL;
  Gateway gateway;
  Outcome outcome;

  gateway_open (&gateway, 200, NULL);
  url = g_strdup (gateway.url);
  gateway_close (&gateway);
  send (url, &plan, NULL, &outcome);
  g_assert_cmpint (outcome.verdict, ==, JM_DELIVERY_RETRY);
  g_clear_error (&outcome.error);
}

static void
test_a_caller_may_give_up (void)
{
  const JmDeliveryPlan plan = { 0 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Gateway gateway;
  Outcome outcome;

  gateway_open (&gateway, 200, NULL);
  g_cancellable_cancel (cancellable);
  send (gateway.url, &plan, cancellable, &outcome);
  g_assert_error (outcome.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&outcome.error);
  gateway_close (&gateway);
}

static void
test_urls_with_secrets_are_refused (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (jm_delivery_check_url ("http://gateway:9091", NULL));
  g_assert_true (jm_delivery_check_url ("https://gateway/prefix/", NULL));
  g_assert_false (jm_delivery_check_url ("https://a:b@gateway/", &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_false (jm_delivery_check_url ("ftp://gateway/", NULL));
  g_assert_false (jm_delivery_check_url ("http://gateway/?a", NULL));
  g_assert_false (jm_delivery_check_url ("gateway:9091", NULL));
}

static void
test_waits_grow_up_to_a_bound (void)
{
  JmBackOff back_off = { .base_ms = 100, .max_ms = 1000 };

  for (guint i = 0; i < 100; i++)
    {
      guint whole_ms = i < 4 ? 100u << i : 1000;
      guint wait_ms = jm_back_off_next_ms (&back_off, 0);

      g_assert_cmpuint (wait_ms, >=, whole_ms / 2);
      g_assert_cmpuint (wait_ms, <=, whole_ms);
    }
  g_assert_cmpuint (jm_back_off_next_ms (&back_off, 5000), ==, 5000);
  jm_back_off_reset (&back_off);
  g_assert_cmpuint (jm_back_off_next_ms (&back_off, 0), <=, 100);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/delivery/what-a-server-says-decides",
                   test_what_a_server_says_decides);
  g_test_add_func ("/delivery/credentials-go-with-it", test_credentials_go_with_it);
  g_test_add_func ("/delivery/a-server-may-ask-for-time",
                   test_a_server_may_ask_for_time);
  g_test_add_func ("/delivery/a-long-answer-is-not-kept",
                   test_a_long_answer_is_not_kept);
  g_test_add_func ("/delivery/a-silent-server-is-given-up",
                   test_a_silent_server_is_given_up);
  g_test_add_func ("/delivery/nobody-there-is-tried-again",
                   test_nobody_there_is_tried_again);
  g_test_add_func ("/delivery/a-caller-may-give-up", test_a_caller_may_give_up);
  g_test_add_func ("/delivery/urls-with-secrets-are-refused",
                   test_urls_with_secrets_are_refused);
  g_test_add_func ("/delivery/waits-grow-up-to-a-bound", test_waits_grow_up_to_a_bound);

  return g_test_run ();
}
