/* jm-delivery.c: hands texts and batches over to a server
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "deliver/jm-delivery-private.h"

#include <libsoup/soup.h>
#include <string.h>

#include "base/jm-error.h"
#include "core/jm-certificate-private.h"
#include "core/jm-version.h"

#define DEFAULT_TIMEOUT_MS 30000
#define ANSWER_MAX_BYTES 4096
#define LINE_MAX_BYTES 200
#define RETRY_AFTER_MAX_S 3600

struct _JmDelivery
{
  SoupSession *session;
  char *authorization; /* NULL for none */
  guint timeout_ms;
};

/* One delivery under way; belongs to its task. */
typedef struct
{
  SoupSession *session;
  SoupMessage *message;
  char *url;
  GCancellable *cancellable; /* the timer's and the caller's at once */
  GCancellable *given_up;    /* the caller's */
  gulong handler;
  GSource *timer;
  gboolean is_out_of_time;
  GInputStream *stream;
  char answer[ANSWER_MAX_BYTES + 1];
  gsize length; /* of the answer */
  JmDeliveryVerdict verdict;
  guint retry_after_ms;
} Exchange;

static void
exchange_free (gpointer data)
{
  Exchange *self = data;

  g_cancellable_disconnect (self->given_up, self->handler);
  g_source_destroy (self->timer);
  g_source_unref (self->timer);
  g_clear_object (&self->stream);
  g_object_unref (self->cancellable);
  g_clear_object (&self->given_up);
  g_object_unref (self->message);
  g_object_unref (self->session);
  g_free (self->url);
  g_free (self);
}

/* --- what the server said --- */

static char *
get_first_line (const char *answer)
{
  gsize length = strcspn (answer, "\r\n");
  g_autofree char *line = g_strndup (answer, MIN (length, LINE_MAX_BYTES));
  g_autofree char *text = g_utf8_make_valid (line, -1);

  for (char *c = text; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      *c = ' ';

  return g_steal_pointer (&text);
}

/* A password that is wrong says nothing of what was sent with it. */
static gboolean
may_change (guint status)
{
  return status == 401 || status == 403 || status == 407 || status == 408 ||
         status == 425 || status == 429 || status >= 500;
}

static JmDeliveryVerdict
judge (guint status)
{
  if (SOUP_STATUS_IS_SUCCESSFUL (status))
    return JM_DELIVERY_DONE;
  if (may_change (status))
    return JM_DELIVERY_RETRY;

  return JM_DELIVERY_REFUSED;
}

static guint
get_retry_after_ms (SoupMessage *message)
{
  SoupMessageHeaders *headers = soup_message_get_response_headers (message);
  const char *text = soup_message_headers_get_one (headers, "Retry-After");
  g_autoptr (GDateTime) now = NULL;
  g_autoptr (GDateTime) date = NULL;
  guint64 seconds;

  if (text == NULL)
    return 0;
  if (g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, &seconds, NULL))
    return (guint) MIN (seconds, RETRY_AFTER_MAX_S) * 1000;

  date = soup_date_time_new_from_http_string (text);
  if (date == NULL)
    return 0;
  now = g_date_time_new_now_utc ();

  return (guint) CLAMP (g_date_time_difference (date, now) / 1000, 0,
                        RETRY_AFTER_MAX_S * 1000);
}

static void
return_failure (GTask *task, const GError *reason)
{
  Exchange *exchange = g_task_get_task_data (task);
  const char *distrust = jm_certificate_get_distrust (
    soup_message_get_tls_peer_certificate_errors (exchange->message));

  exchange->verdict = JM_DELIVERY_RETRY;
  if (exchange->is_out_of_time)
    g_task_return_new_error (task, JM_ERROR, JM_ERROR_UNAVAILABLE,
                             "%s: no whole answer in time", exchange->url);
  else if (g_cancellable_is_cancelled (exchange->cancellable))
    g_task_return_error (task, g_error_copy (reason));
  else
    g_task_return_new_error (task, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: %s",
                             exchange->url,
                             distrust != NULL ? distrust : reason->message);
}

static void
return_verdict (GTask *task)
{
  Exchange *exchange = g_task_get_task_data (task);
  guint status = soup_message_get_status (exchange->message);
  g_autofree char *line = get_first_line (exchange->answer);

  exchange->verdict = judge (status);
  exchange->retry_after_ms = get_retry_after_ms (exchange->message);
  if (exchange->verdict == JM_DELIVERY_DONE)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_new_error (task, JM_ERROR,
                             exchange->verdict == JM_DELIVERY_RETRY
                               ? JM_ERROR_UNAVAILABLE
                               : JM_ERROR_INVALID,
                             "%s: %u %s%s%s", exchange->url, status,
                             soup_status_get_phrase (status), *line != '\0' ? ": " : "",
                             line);
}

/* --- the steps --- */

static void
on_read (GObject *stream, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Exchange *exchange = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  gsize length = 0;

  if (!g_input_stream_read_all_finish (G_INPUT_STREAM (stream), result, &length,
                                       &error))
    {
      return_failure (task, error);
      return;
    }

  exchange->answer[length] = '\0';
  exchange->length = length;
  return_verdict (task);
  /* an answer that goes on is not waited for, nor is its connection used again */
  if (length == ANSWER_MAX_BYTES)
    g_cancellable_cancel (exchange->cancellable);
}

static void
on_sent (GObject *session, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Exchange *exchange = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  exchange->stream = soup_session_send_finish (SOUP_SESSION (session), result, &error);
  if (exchange->stream == NULL)
    {
      return_failure (task, error);
      return;
    }

  g_input_stream_read_all_async (exchange->stream, exchange->answer, ANSWER_MAX_BYTES,
                                 G_PRIORITY_DEFAULT, exchange->cancellable, on_read,
                                 g_steal_pointer (&task));
}

static gboolean
on_out_of_time (gpointer user_data)
{
  Exchange *exchange = user_data;

  exchange->is_out_of_time = TRUE;
  g_cancellable_cancel (exchange->cancellable);

  return G_SOURCE_REMOVE;
}

static void
on_given_up (GCancellable *cancellable, gpointer user_data)
{
  g_cancellable_cancel (user_data);
}

static Exchange *
exchange_new (JmDelivery *self, SoupMessage *message, const char *url)
{
  Exchange *exchange = g_new0 (Exchange, 1);

  exchange->session = g_object_ref (self->session);
  exchange->message = message;
  exchange->url = g_strdup (url);
  exchange->cancellable = g_cancellable_new ();
  exchange->timer = g_timeout_source_new (self->timeout_ms);
  g_source_set_callback (exchange->timer, on_out_of_time, exchange, NULL);
  g_source_attach (exchange->timer, g_main_context_get_thread_default ());

  return exchange;
}

static SoupMessage *
make_message (JmDelivery *self,
              const char *method,
              const char *url,
              const char *const *headers,
              GBytes *body)
{
  SoupMessage *message = soup_message_new (method, url);
  SoupMessageHeaders *sent;

  if (message == NULL)
    return NULL;

  soup_message_add_flags (message, SOUP_MESSAGE_NO_REDIRECT);
  if (body != NULL)
    soup_message_set_request_body_from_bytes (message, NULL, body);
  sent = soup_message_get_request_headers (message);
  if (self->authorization != NULL)
    soup_message_headers_replace (sent, "Authorization", self->authorization);
  for (guint i = 0; headers != NULL && headers[i] != NULL; i += 2)
    soup_message_headers_replace (sent, headers[i], headers[i + 1]);

  return message;
}

void
jm_delivery_send_async (JmDelivery *self,
                        const char *method,
                        const char *url,
                        const char *const *headers,
                        GBytes *body,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  SoupMessage *message = make_message (self, method, url, headers, body);
  Exchange *exchange;

  g_task_set_source_tag (task, jm_delivery_send_async);
  if (message == NULL)
    {
      g_task_return_new_error (task, JM_ERROR, JM_ERROR_INVALID, "%s: not a URL", url);
      return;
    }

  exchange = exchange_new (self, message, url);
  g_task_set_task_data (task, exchange, exchange_free);
  if (cancellable != NULL)
    {
      exchange->given_up = g_object_ref (cancellable);
      exchange->handler = g_cancellable_connect (cancellable, G_CALLBACK (on_given_up),
                                                 exchange->cancellable, NULL);
    }
  soup_session_send_async (self->session, message, G_PRIORITY_DEFAULT,
                           exchange->cancellable, on_sent, g_steal_pointer (&task));
}

JmDeliveryVerdict
jm_delivery_send_finish (GAsyncResult *result, guint *retry_after_ms, GError **error)
{
  Exchange *exchange = g_task_get_task_data (G_TASK (result));

  if (retry_after_ms != NULL)
    *retry_after_ms = exchange != NULL ? exchange->retry_after_ms : 0;
  if (g_task_propagate_boolean (G_TASK (result), error))
    return JM_DELIVERY_DONE;

  return exchange != NULL ? exchange->verdict : JM_DELIVERY_REFUSED;
}

JmDeliveryAnswer
jm_delivery_get_answer (GAsyncResult *result)
{
  Exchange *exchange = g_task_get_task_data (G_TASK (result));

  if (exchange == NULL)
    return (JmDeliveryAnswer){ 0, "", 0 };

  return (JmDeliveryAnswer){ soup_message_get_status (exchange->message),
                             exchange->answer, exchange->length };
}

/* --- the whole --- */

gboolean
jm_delivery_check_url (const char *url, GError **error)
{
  g_autoptr (GUri) uri = g_uri_parse (url, SOUP_HTTP_URI_FLAGS, NULL);
  const char *host = uri != NULL ? g_uri_get_host (uri) : NULL;
  const char *scheme = uri != NULL ? g_uri_get_scheme (uri) : "";
  const char *problem = NULL;

  if (host == NULL || *host == '\0')
    problem = "not a URL with a host, such as https://example.org/";
  else if (strcmp (scheme, "https") != 0 && strcmp (scheme, "http") != 0)
    problem = "must begin with https or http";
  else if (g_uri_get_userinfo (uri) != NULL)
    problem = "a user and a password belong into settings and a file, not a URL";
  else if (g_uri_get_query (uri) != NULL || g_uri_get_fragment (uri) != NULL)
    problem = "must have neither ? nor #";

  if (problem != NULL)
    g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID, problem);

  return problem == NULL;
}

static char *
make_authorization (const JmDeliveryPlan *plan)
{
  g_autofree char *pair = NULL;
  g_autofree char *encoded = NULL;

  if (plan->username == NULL || plan->password == NULL)
    return NULL;

  pair = g_strconcat (plan->username, ":", plan->password, NULL);
  encoded = g_base64_encode ((const guchar *) pair, strlen (pair));

  return g_strconcat ("Basic ", encoded, NULL);
}

static gboolean
trust (JmDelivery *self, const char *ca_file, GError **error)
{
  g_autoptr (GTlsDatabase) database = NULL;
  g_autoptr (GError) reason = NULL;

  if (ca_file == NULL)
    return TRUE;

  database = g_tls_file_database_new (ca_file, &reason);
  if (database == NULL)
    g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s", ca_file, reason->message);
  else
    soup_session_set_tls_database (self->session, database);

  return database != NULL;
}

JmDelivery *
jm_delivery_new (const JmDeliveryPlan *plan, GError **error)
{
  g_autoptr (JmDelivery) self = g_new0 (JmDelivery, 1);

  self->session = soup_session_new ();
  self->authorization = make_authorization (plan);
  self->timeout_ms = plan->timeout_ms > 0 ? plan->timeout_ms : DEFAULT_TIMEOUT_MS;
  soup_session_set_user_agent (self->session, "jobmetrics/" JM_VERSION_S);
  /* it would ask again, with what it found in a URL */
  soup_session_remove_feature_by_type (self->session, SOUP_TYPE_AUTH_MANAGER);

  return trust (self, plan->ca_file, error) ? g_steal_pointer (&self) : NULL;
}

void
jm_delivery_free (JmDelivery *self)
{
  soup_session_abort (self->session);
  g_object_unref (self->session);
  g_free (self->authorization);
  g_free (self);
}

guint
jm_back_off_next_ms (JmBackOff *self, guint retry_after_ms)
{
  guint64 whole_ms = (guint64) self->base_ms << MIN (self->n_failures, 20);
  guint wait_ms = (guint) MIN (whole_ms, self->max_ms);

  self->n_failures++;
  wait_ms -= (guint) g_random_int_range (0, (gint32) (wait_ms / 2 + 1));

  return MAX (wait_ms, retry_after_ms);
}

void
jm_back_off_reset (JmBackOff *self)
{
  self->n_failures = 0;
}
