/* jm-http.c: asks a server, within bounds
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "io/jm-http-private.h"

#include <gio/gunixsocketaddress.h>
#include <libsoup/soup.h>
#include <string.h>

#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "core/jm-certificate-private.h"
#include "core/jm-version.h"

#define DEFAULT_TIMEOUT_MS 30000
#define DEFAULT_MAX_BYTES (1024 * 1024)
#define REDIRECTS_MAX 5
#define RETRY_AFTER_MAX_S (24 * 3600)
#define CHUNK_BYTES (64 * 1024)
/* A word so short stands in many a text without being the secret. */
#define SECRET_MIN 4

/* One call of jm_http_ask(). Its thread waits in each step: libsoup 3.6.5 uses memory
 * after it freed it where soup_session_send_async() fails before an answer came
 * (https://gitlab.gnome.org/GNOME/libsoup/-/commit/9ba1243a). A second thread gives up
 * a server that sends a byte now and then. */
typedef struct
{
  const JmHttpRequest *request;
  const char *method;
  char *shown;           /* the URL as messages name it */
  GMainContext *context; /* for connections that close */
  SoupSession *session;
  GCancellable *cancellable; /* the timer's and the caller's at once */
  GThread *timer;
  GMutex mutex; /* of what follows */
  GCond has_ended;
  gboolean is_over;
  gboolean is_out_of_time;
} Exchange;

char *
jm_http_get_shown_url (const char *url)
{
  g_autoptr (GUri) uri = g_uri_parse (url, SOUP_HTTP_URI_FLAGS, NULL);

  if (uri == NULL)
    return g_strdup ("URL");

  return g_uri_to_string_partial (uri, G_URI_HIDE_USERINFO | G_URI_HIDE_QUERY |
                                         G_URI_HIDE_FRAGMENT);
}

static gboolean
is_this_machine (const char *host)
{
  g_autoptr (GInetAddress) address = g_inet_address_new_from_string (host);

  if (address != NULL)
    return g_inet_address_get_is_loopback (address);

  return g_ascii_strcasecmp (host, "localhost") == 0;
}

gboolean
jm_http_check_url (const char *url, GError **error)
{
  g_autoptr (GUri) uri = g_uri_parse (url, SOUP_HTTP_URI_FLAGS, NULL);
  g_autofree char *shown = jm_http_get_shown_url (url);
  const char *host = uri != NULL ? g_uri_get_host (uri) : NULL;
  const char *scheme = uri != NULL ? g_uri_get_scheme (uri) : "";
  const char *problem = NULL;

  if (host == NULL || *host == '\0')
    problem = "not a URL with a host, such as https://example.org/";
  else if (g_uri_get_userinfo (uri) != NULL)
    problem = "a user and a password belong into a file, not a URL";
  else if (strcmp (scheme, "https") != 0 &&
           (strcmp (scheme, "http") != 0 || !is_this_machine (host)))
    problem = "must begin with https, except on this very machine";

  if (problem != NULL)
    g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s", shown, problem);

  return problem == NULL;
}

static GUri *
parse_url (const char *url, GError **error)
{
  g_autoptr (GUri) uri = g_uri_parse (url, SOUP_HTTP_URI_FLAGS, NULL);
  g_autofree char *shown = jm_http_get_shown_url (url);
  const char *scheme = uri != NULL ? g_uri_get_scheme (uri) : "";

  if ((strcmp (scheme, "https") == 0 || strcmp (scheme, "http") == 0) &&
      g_uri_get_host (uri) != NULL && *g_uri_get_host (uri) != '\0')
    return g_steal_pointer (&uri);

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: not of a web server", shown);

  return NULL;
}

static gpointer
watch_time (gpointer user_data)
{
  Exchange *self = user_data;
  guint timeout_ms = self->request->timeout_ms;
  gint64 end_us =
    g_get_monotonic_time () +
    (timeout_ms > 0 ? timeout_ms : DEFAULT_TIMEOUT_MS) * G_GINT64_CONSTANT (1000);
  gboolean is_out_of_time;

  g_mutex_lock (&self->mutex);
  while (!self->is_over && !self->is_out_of_time)
    self->is_out_of_time = !g_cond_wait_until (&self->has_ended, &self->mutex, end_us);
  is_out_of_time = self->is_out_of_time;
  g_mutex_unlock (&self->mutex);

  if (is_out_of_time)
    g_cancellable_cancel (self->cancellable);

  return NULL;
}

static void
on_given_up (GCancellable *cancellable, gpointer user_data)
{
  g_cancellable_cancel (user_data);
}

static gboolean
trust (Exchange *self, GError **error)
{
  g_autoptr (GTlsDatabase) database = NULL;
  g_autoptr (GError) reason = NULL;

  if (self->request->ca_file == NULL)
    return TRUE;

  database = g_tls_file_database_new (self->request->ca_file, &reason);
  if (database == NULL)
    g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s", self->request->ca_file,
                 reason->message);
  else
    soup_session_set_tls_database (self->session, database);

  return database != NULL;
}

static SoupSession *
make_session (const JmHttpRequest *request)
{
  g_autoptr (GSocketAddress) address =
    request->socket != NULL ? g_unix_socket_address_new (request->socket) : NULL;

  return SOUP_SESSION (
    g_object_new (SOUP_TYPE_SESSION, "remote-connectable", address, NULL));
}

static void
exchange_begin (Exchange *self, const JmHttpRequest *request)
{
  self->request = request;
  self->method = request->method != NULL ? request->method : "GET";
  self->shown = request->socket != NULL ? g_strdup (request->socket)
                                        : jm_http_get_shown_url (request->url);
  self->cancellable = g_cancellable_new ();
  self->context = g_main_context_new ();
  g_main_context_push_thread_default (self->context);

  self->session = make_session (request);
  soup_session_set_user_agent (self->session, "jobmetrics/" JM_VERSION_S);
  soup_session_set_timeout (self->session, 0);
  /* it would ask again, with what it found in a URL */
  soup_session_remove_feature_by_type (self->session, SOUP_TYPE_AUTH_MANAGER);

  g_mutex_init (&self->mutex);
  g_cond_init (&self->has_ended);
  self->timer = g_thread_new ("http-timer", watch_time, self);
}

static void
end_timer (Exchange *self)
{
  g_mutex_lock (&self->mutex);
  self->is_over = TRUE;
  g_cond_signal (&self->has_ended);
  g_mutex_unlock (&self->mutex);

  g_thread_join (self->timer);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->has_ended);
}

static gboolean
is_out_of_time (Exchange *self)
{
  gboolean is_out_of_time;

  g_mutex_lock (&self->mutex);
  is_out_of_time = self->is_out_of_time;
  g_mutex_unlock (&self->mutex);

  return is_out_of_time;
}

static void
exchange_end (Exchange *self)
{
  end_timer (self);
  soup_session_abort (self->session);
  g_clear_object (&self->session);

  /* connections close by and by */
  while (g_main_context_iteration (self->context, FALSE))
    ;
  g_main_context_pop_thread_default (self->context);
  g_main_context_unref (self->context);
  g_object_unref (self->cancellable);
  g_free (self->shown);
}

/* A server may send back what it was sent. */
static gboolean
holds_word_of (const char *body, const char *value)
{
  const char *blank = value != NULL ? strrchr (value, ' ') : NULL;
  const char *word = blank != NULL ? blank + 1 : value;

  return word != NULL && strlen (word) >= SECRET_MIN && strstr (body, word) != NULL;
}

static gboolean
holds_secret (Exchange *self, const char *body)
{
  const JmHttpRequest *request = self->request;

  if (request->is_answer_secret || holds_word_of (body, request->username) ||
      holds_word_of (body, request->password))
    return TRUE;

  for (guint i = 0; request->headers != NULL && request->headers[i] != NULL; i += 2)
    {
      if (holds_word_of (body, request->headers[i + 1]))
        return TRUE;
    }

  return FALSE;
}

/* With the colon before it; nothing where it must not be shown. */
static char *
quote_body (Exchange *self, GBytes *body)
{
  gsize length = 0;
  const char *data = g_bytes_get_data (body, &length);
  g_autofree char *text = g_strndup (length > 0 ? data : "", length);
  g_autofree char *quote = NULL;

  if (length == 0 || holds_secret (self, text))
    return g_strdup ("");

  quote = jm_json_quote (text, strlen (text));

  return g_strconcat (": ", quote, NULL);
}

/* Takes @reason, which a step ended with. */
static void
set_failure (Exchange *self, SoupMessage *message, GError *reason, GError **error)
{
  g_autoptr (GError) owned = reason;
  const char *distrust = jm_certificate_get_distrust (
    soup_message_get_tls_peer_certificate_errors (message));

  if (is_out_of_time (self))
    g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: no whole answer in time",
                 self->shown);
  else if (g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_propagate_error (error, g_steal_pointer (&owned));
  else
    g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: %s", self->shown,
                 distrust != NULL ? distrust : reason->message);
}

static JmError
get_code (guint status)
{
  switch (status)
    {
    case SOUP_STATUS_UNAUTHORIZED:
    case SOUP_STATUS_FORBIDDEN:
    case SOUP_STATUS_PROXY_AUTHENTICATION_REQUIRED:
      return JM_ERROR_DENIED;
    case SOUP_STATUS_NOT_FOUND:
    case SOUP_STATUS_GONE:
      return JM_ERROR_ABSENT;
    case SOUP_STATUS_REQUEST_TIMEOUT:
    case 425: /* too early */
    case 429: /* too many */
      return JM_ERROR_UNAVAILABLE;
    default:
      return status >= 400 && status < 500 ? JM_ERROR_INVALID : JM_ERROR_UNAVAILABLE;
    }
}

static void
set_refusal (Exchange *self, JmHttpAnswer *answer, GBytes *body, GError **error)
{
  g_autofree char *quote = quote_body (self, body);
  g_autofree char *wait = NULL;

  /* a page for people says nothing in its first words */
  if (!g_str_has_prefix (quote, ": {"))
    *quote = '\0';
  if (answer->retry_after_s > 0)
    wait = g_strdup_printf ("; it asks to wait %u s", answer->retry_after_s);

  g_set_error (error, JM_ERROR, (int) get_code (answer->status), "%s: %u %s%s%s",
               self->shown, answer->status, soup_status_get_phrase (answer->status),
               wait != NULL ? wait : "", quote);
}

static guint
parse_retry_after (const char *text)
{
  g_autoptr (GDateTime) now = NULL;
  g_autoptr (GDateTime) date = NULL;
  guint64 seconds;
  gint64 delay_s;

  if (text == NULL)
    return 0;
  if (g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, &seconds, NULL))
    return (guint) MIN (seconds, RETRY_AFTER_MAX_S);

  date = soup_date_time_new_from_http_string (text);
  if (date == NULL)
    return 0;
  now = g_date_time_new_now_utc ();
  delay_s = g_date_time_difference (date, now) / G_USEC_PER_SEC;

  return (guint) CLAMP (delay_s, 0, RETRY_AFTER_MAX_S);
}

static void
keep_header (const char *name, const char *value, gpointer user_data)
{
  GHashTable *headers = user_data;
  g_autofree char *key = g_ascii_strdown (name, -1);

  if (!g_hash_table_contains (headers, key))
    g_hash_table_insert (headers, g_steal_pointer (&key), g_strdup (value));
}

static void
keep_head (JmHttpAnswer *answer, SoupMessage *message)
{
  SoupMessageHeaders *headers = soup_message_get_response_headers (message);

  jm_http_answer_clear (answer);
  answer->status = soup_message_get_status (message);
  answer->retry_after_s =
    parse_retry_after (soup_message_headers_get_one (headers, "Retry-After"));
  answer->headers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  soup_message_headers_foreach (headers, keep_header, answer->headers);
}

static gboolean
is_fit_for_header (const char *value)
{
  for (; *value != '\0'; value++)
    {
      if (g_ascii_iscntrl (*value))
        return FALSE;
    }

  return TRUE;
}

static gboolean
add_headers (Exchange *self, SoupMessageHeaders *headers, GError **error)
{
  const char *const *pairs = self->request->headers;

  soup_message_headers_replace (headers, "Accept",
                                self->request->accept != NULL ? self->request->accept
                                                              : "application/json");

  for (guint i = 0; pairs != NULL && pairs[i] != NULL; i += 2)
    {
      if (!is_fit_for_header (pairs[i + 1]))
        {
          g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                       "%s: what should be sent as %s is not one line of text",
                       self->shown, pairs[i]);
          return FALSE;
        }
      soup_message_headers_replace (headers, pairs[i], pairs[i + 1]);
    }

  return TRUE;
}

static void
add_credentials (Exchange *self, SoupMessageHeaders *headers)
{
  const JmHttpRequest *request = self->request;
  g_autofree char *pair = NULL;
  g_autofree char *encoded = NULL;
  g_autofree char *value = NULL;

  if (request->username == NULL || request->password == NULL)
    return;

  pair = g_strconcat (request->username, ":", request->password, NULL);
  encoded = g_base64_encode ((const guchar *) pair, strlen (pair));
  value = g_strconcat ("Basic ", encoded, NULL);
  soup_message_headers_replace (headers, "Authorization", value);
}

static gboolean
accept_any (SoupMessage *message,
            GTlsCertificate *certificate,
            GTlsCertificateFlags errors,
            gpointer user_data)
{
  return TRUE;
}

static SoupMessage *
make_message (Exchange *self, GUri *uri, GError **error)
{
  g_autoptr (SoupMessage) message = soup_message_new_from_uri (self->method, uri);
  SoupMessageHeaders *headers = soup_message_get_request_headers (message);
  const char *body = self->request->body;
  g_autoptr (GBytes) bytes = body != NULL ? g_bytes_new (body, strlen (body)) : NULL;

  soup_message_add_flags (message, SOUP_MESSAGE_NO_REDIRECT);
  if (self->request->is_insecure)
    g_signal_connect (message, "accept-certificate", G_CALLBACK (accept_any), NULL);
  if (bytes != NULL)
    soup_message_set_request_body_from_bytes (message,
                                              self->request->body_type != NULL
                                                ? self->request->body_type
                                                : "application/json",
                                              bytes);
  add_credentials (self, headers);

  return add_headers (self, headers, error) ? g_steal_pointer (&message) : NULL;
}

static gboolean
is_redirect (guint status)
{
  return status == 301 || status == 302 || status == 303 || status == 307 ||
         status == 308;
}

static gboolean
is_good (const Exchange *self, guint status)
{
  return SOUP_STATUS_IS_SUCCESSFUL (status) ||
         (self->request->takes_refusals && !is_redirect (status));
}

static gsize
get_max_bytes (const Exchange *self)
{
  return self->request->max_bytes > 0 ? self->request->max_bytes : DEFAULT_MAX_BYTES;
}

static gboolean
refuse_length (const Exchange *self, GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_TOO_LARGE,
               "%s: the answer is longer than %" G_GSIZE_FORMAT " bytes", self->shown,
               get_max_bytes (self));

  return FALSE;
}

/* An empty one is the end. */
static GBytes *
read_chunk (Exchange *self,
            SoupMessage *message,
            GInputStream *stream,
            gsize max,
            GError **error)
{
  GError *reason = NULL;
  GBytes *chunk = g_input_stream_read_bytes (stream, MIN (CHUNK_BYTES, max),
                                             self->cancellable, &reason);

  if (chunk == NULL)
    set_failure (self, message, reason, error);

  return chunk;
}

/* More than is allowed is read up to the first byte too many. */
static GBytes *
read_body (Exchange *self, SoupMessage *message, GInputStream *stream, GError **error)
{
  gsize max = get_max_bytes (self);
  g_autoptr (GByteArray) body = g_byte_array_new ();

  while (body->len <= max)
    {
      g_autoptr (GBytes) chunk =
        read_chunk (self, message, stream, max + 1 - body->len, error);

      if (chunk == NULL)
        return NULL;
      if (g_bytes_get_size (chunk) == 0)
        break;
      g_byte_array_append (body, g_bytes_get_data (chunk, NULL),
                           (guint) g_bytes_get_size (chunk));
    }

  return g_byte_array_free_to_bytes (g_steal_pointer (&body));
}

static gboolean
hand_on_body (Exchange *self,
              SoupMessage *message,
              GInputStream *stream,
              GError **error)
{
  const JmHttpRequest *request = self->request;
  gsize left = get_max_bytes (self);

  while (TRUE)
    {
      g_autoptr (GBytes) chunk = read_chunk (self, message, stream, CHUNK_BYTES, error);
      const char *text;
      gsize length;

      if (chunk == NULL)
        return FALSE;

      text = g_bytes_get_data (chunk, &length);
      if (length == 0)
        return TRUE;
      if (length > left)
        return refuse_length (self, error);
      left -= length;
      if (!request->take (text, length, request->take_data))
        {
          g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                       "%s: the answer is not understood", self->shown);
          return FALSE;
        }
    }
}

static gboolean
parse_body (Exchange *self, JmHttpAnswer *answer, GBytes *body, GError **error)
{
  g_autofree char *quote = NULL;
  gsize length;
  const char *text = g_bytes_get_data (body, &length);

  if (self->request->take != NULL)
    return TRUE;
  if (length == 0 &&
      (answer->status == SOUP_STATUS_NO_CONTENT || strcmp (self->method, "GET") != 0))
    return TRUE;

  if (length > get_max_bytes (self))
    return refuse_length (self, error);

  answer->json = length > 0 ? jm_json_parse (text, length) : NULL;
  if (answer->json != NULL)
    return TRUE;

  quote = quote_body (self, body);
  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: %s%s", self->shown,
               length > 0 ? "the answer is not JSON" : "the answer is empty", quote);

  return FALSE;
}

/* One question with its answer; a redirect is an answer. */
static GBytes *
ask_once (Exchange *self, GUri *uri, JmHttpAnswer *answer, GError **error)
{
  g_autoptr (SoupMessage) message = make_message (self, uri, error);
  g_autoptr (GInputStream) stream = NULL;
  GError *reason = NULL;

  if (message == NULL)
    return NULL;

  stream = soup_session_send (self->session, message, self->cancellable, &reason);
  if (stream == NULL)
    {
      set_failure (self, message, reason, error);
      return NULL;
    }
  keep_head (answer, message);
  if (self->request->take != NULL && is_good (self, answer->status))
    return hand_on_body (self, message, stream, error) ? g_bytes_new (NULL, 0) : NULL;

  return read_body (self, message, stream, error);
}

static gboolean
is_same_origin (GUri *one, GUri *other)
{
  return g_uri_get_host (other) != NULL &&
         strcmp (g_uri_get_scheme (one), g_uri_get_scheme (other)) == 0 &&
         g_ascii_strcasecmp (g_uri_get_host (one), g_uri_get_host (other)) == 0 &&
         g_uri_get_port (one) == g_uri_get_port (other);
}

/* Where a redirect leads; NULL if it is not followed. */
static GUri *
get_next (Exchange *self, GUri *uri, JmHttpAnswer *answer, GError **error)
{
  const char *location = g_hash_table_lookup (answer->headers, "location");
  g_autoptr (GUri) next = NULL;
  g_autofree char *shown = NULL;

  if (location != NULL)
    next = g_uri_parse_relative (uri, location, SOUP_HTTP_URI_FLAGS, NULL);
  if (next != NULL && strcmp (self->method, "GET") == 0 && is_same_origin (uri, next))
    return g_steal_pointer (&next);

  if (next != NULL)
    shown = g_uri_to_string_partial (next, G_URI_HIDE_USERINFO | G_URI_HIDE_QUERY |
                                             G_URI_HIDE_FRAGMENT);
  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
               "%s: %u redirects to %s, which is not followed", self->shown,
               answer->status, shown != NULL ? shown : "nowhere");

  return NULL;
}

static gboolean
ask_and_follow (Exchange *self, GUri *first, JmHttpAnswer *answer, GError **error)
{
  g_autoptr (GUri) uri = g_uri_ref (first);

  for (guint i = 0; i <= REDIRECTS_MAX; i++)
    {
      g_autoptr (GBytes) body = ask_once (self, uri, answer, error);
      GUri *next;

      if (body == NULL)
        return FALSE;
      if (is_good (self, answer->status))
        return parse_body (self, answer, body, error);
      if (!is_redirect (answer->status))
        {
          set_refusal (self, answer, body, error);
          return FALSE;
        }

      next = get_next (self, uri, answer, error);
      if (next == NULL)
        return FALSE;
      g_uri_unref (uri);
      uri = next;
    }

  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
               "%s: redirects more than %u times", self->shown, REDIRECTS_MAX);

  return FALSE;
}

gboolean
jm_http_ask (const JmHttpRequest *request,
             JmHttpAnswer *answer,
             GCancellable *cancellable,
             GError **error)
{
  g_autoptr (GUri) uri = parse_url (request->url, error);
  Exchange self = { 0 };
  gulong handler = 0;
  gboolean is_answered;

  if (uri == NULL)
    return FALSE;

  exchange_begin (&self, request);
  if (cancellable != NULL)
    handler = g_cancellable_connect (cancellable, G_CALLBACK (on_given_up),
                                     self.cancellable, NULL);
  is_answered = trust (&self, error) && ask_and_follow (&self, uri, answer, error);
  g_cancellable_disconnect (cancellable, handler);
  exchange_end (&self);

  return is_answered;
}

gboolean
jm_http_take_text (const char *text, gsize length, gpointer string)
{
  g_string_append_len (string, text, (gssize) length);

  return TRUE;
}

void
jm_http_answer_clear (JmHttpAnswer *answer)
{
  g_clear_pointer (&answer->json, json_node_unref);
  g_clear_pointer (&answer->headers, g_hash_table_unref);
  answer->status = 0;
  answer->retry_after_s = 0;
}
