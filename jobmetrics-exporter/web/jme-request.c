/* jme-request.c: one request and its reply
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-request.h"

#include <string.h>

#include "web/jme-body-limit.h"
#include "web/jme-query.h"
#include "web/jme-request-private.h"

#define MAX_CODINGS 32

#define STATUS_TOO_MANY_REQUESTS 429

typedef struct
{
  char *name;
  char *value;
} Pair;

/* What a worker answers, which may not touch libsoup from its thread. */
typedef struct
{
  GArray *headers; /* of Pair */
  guint status;    /* 0 before there is an answer */
  char *content_type;
  JmeBody *body;
  GCancellable *stop;
  GMainContext *context; /* of the server */

  /* of a reply in parts, in place of @status and @body */
  GMutex lock;
  GCond taken;
  GBytes *part;          /* that the server has to take over; NULL for none */
  gboolean is_going_out; /* the client does not have all of the last part */
  gboolean has_parts;
  gboolean is_whole; /* there is no further part */
} Answer;

struct _JmeRequest
{
  GObject parent_instance;

  SoupServerMessage *message; /* NULL once it is over */
  SoupMessageHeaders *headers;
  JmeWebClient *client;
  GBytes *body;
  char *path;
  char *method;
  char *login_name; /* NULL where no password was asked for */
  JmeQuery *query;  /* NULL where it is none */
  gboolean has_long_body;
  gboolean is_answered;
  gboolean is_in_parts; /* its reply goes out, and is not complete */
  gboolean is_old;      /* of HTTP/1.0 */
  Answer *kept;         /* NULL unless a worker has the request */
  gulong stopper;       /* a handler of the client that has gone */
};

G_DEFINE_FINAL_TYPE (JmeRequest, jme_request, G_TYPE_OBJECT)

/* Reads a quality such as `0.75` into thousandths, 1000 where it is none at all. */
static int
parse_quality (const char *text)
{
  int scale = 100;
  int quality;

  if (*text != '0' && *text != '1')
    return 1000;

  quality = (*text - '0') * 1000;
  if (text[1] != '.')
    return quality;

  for (text += 2; g_ascii_isdigit (*text) && scale > 0; text++, scale /= 10)
    quality += (*text - '0') * scale;

  return MIN (quality, 1000);
}

/* Cuts the parameters off a coding such as ` gzip ; q=0.5` and returns its quality. */
static int
take_quality (char *coding)
{
  char *parameter = strchr (coding, ';');

  if (parameter == NULL)
    return 1000;

  *parameter++ = '\0';
  g_strstrip (parameter);
  if (g_ascii_strncasecmp (parameter, "q=", 2) != 0)
    return 1000;

  return parse_quality (parameter + 2);
}

/**
 * jme_encoding_takes_gzip:
 * @accept_encoding: (nullable): the request's `Accept-Encoding`
 *
 * - Source: RFC 9110, section 12.5.3.
 *
 * Returns: whether the client takes gzip and does not like plain text better
 */
gboolean
jme_encoding_takes_gzip (const char *accept_encoding)
{
  g_auto (GStrv) codings = NULL;
  int gzip = -1;
  int any = -1;
  int identity = -1;

  if (accept_encoding == NULL)
    return FALSE;

  codings = g_strsplit (accept_encoding, ",", MAX_CODINGS);
  for (gsize i = 0; codings[i] != NULL; i++)
    {
      int quality = take_quality (codings[i]);
      const char *name = g_strstrip (codings[i]);

      if (g_ascii_strcasecmp (name, "gzip") == 0 ||
          g_ascii_strcasecmp (name, "x-gzip") == 0)
        gzip = MAX (gzip, quality);
      else if (g_ascii_strcasecmp (name, "identity") == 0)
        identity = quality;
      else if (g_str_equal (name, "*"))
        any = quality;
    }

  if (gzip < 0)
    gzip = any;

  return gzip > 0 && gzip >= identity;
}

static void
pair_clear (gpointer data)
{
  Pair *pair = data;

  g_free (pair->name);
  g_free (pair->value);
}

static Answer *
answer_new (void)
{
  Answer *self = g_new0 (Answer, 1);

  self->stop = g_cancellable_new ();
  self->context = g_main_context_ref_thread_default ();
  g_mutex_init (&self->lock);
  g_cond_init (&self->taken);
  self->headers = g_array_new (FALSE, FALSE, sizeof (Pair));
  g_array_set_clear_func (self->headers, pair_clear);

  return self;
}

static void
answer_free (Answer *self)
{
  g_object_unref (self->stop);
  g_main_context_unref (self->context);
  g_clear_pointer (&self->part, g_bytes_unref);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->taken);
  g_array_unref (self->headers);
  g_free (self->content_type);
  g_clear_pointer (&self->body, jme_body_unref);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Answer, answer_free)

/* Nothing follows: what has been appended goes out, and then the end. */
static void
finish_parts (JmeRequest *self)
{
  if (!self->is_in_parts)
    return;
  self->is_in_parts = FALSE;
  soup_message_body_complete (soup_server_message_get_response_body (self->message));
  jme_web_client_set_state (self->client, JME_WEB_CLIENT_READING);
  soup_server_message_unpause (self->message);
}

/* A client may have gone while a part went out to it. */
static void
on_over (JmeRequest *self)
{
  g_clear_object (&self->message);
  if (self->kept != NULL)
    jme_request_stop_work (self);
}

/* What libsoup still writes then fails at once, which is how it learns of the end. */
static void
on_gone (JmeRequest *self)
{
  if (self->is_in_parts && self->message != NULL)
    {
      finish_parts (self);
      return;
    }
  if (self->is_answered || self->message == NULL)
    return;

  self->is_answered = TRUE;
  soup_server_message_set_status (self->message, SOUP_STATUS_SERVICE_UNAVAILABLE, NULL);
  soup_server_message_unpause (self->message);
}

static void
jme_request_dispose (GObject *object)
{
  JmeRequest *self = JME_REQUEST (object);

  /* A handler that forgot to answer must not leave its client waiting. */
  if (!self->is_answered && self->message != NULL)
    jme_request_reply_text (self, SOUP_STATUS_INTERNAL_SERVER_ERROR, "no answer\n");
  g_clear_object (&self->message);
  g_clear_object (&self->client);

  G_OBJECT_CLASS (jme_request_parent_class)->dispose (object);
}

static void
jme_request_finalize (GObject *object)
{
  JmeRequest *self = JME_REQUEST (object);

  g_clear_pointer (&self->query, jme_query_free);
  g_bytes_unref (self->body);
  soup_message_headers_unref (self->headers);
  g_free (self->path);
  g_free (self->method);
  g_free (self->login_name);

  G_OBJECT_CLASS (jme_request_parent_class)->finalize (object);
}

static void
jme_request_class_init (JmeRequestClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = jme_request_dispose;
  G_OBJECT_CLASS (klass)->finalize = jme_request_finalize;
}

static void
jme_request_init (JmeRequest *self)
{
}

static GBytes *
take_body (SoupServerMessage *message, gboolean is_too_long)
{
  SoupMessageBody *body = soup_server_message_get_request_body (message);

  return is_too_long || !soup_message_body_get_accumulate (body)
           ? g_bytes_new (NULL, 0)
           : soup_message_body_flatten (body);
}

/* Made of a message whose body has arrived; it stands still until it is answered. */
JmeRequest *
jme_request_new (SoupServerMessage *message, JmeWebClient *client)
{
  JmeRequest *self = g_object_new (JME_TYPE_REQUEST, NULL);
  GUri *uri = soup_server_message_get_uri (message);

  self->message = g_object_ref (message);
  self->headers =
    soup_message_headers_ref (soup_server_message_get_request_headers (message));
  self->has_long_body = jme_body_limit_is_exceeded (message);
  self->body = take_body (message, self->has_long_body);
  self->client = g_object_ref (client);
  self->path = g_strdup (g_uri_get_path (uri));
  self->method = g_strdup (soup_server_message_get_method (message));
  self->is_old = soup_server_message_get_http_version (message) == SOUP_HTTP_1_0;
  self->query = jme_query_parse (g_uri_get_query (uri));

  g_signal_connect_object (message, "finished", G_CALLBACK (on_over), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (message, "disconnected", G_CALLBACK (on_over), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (jme_web_client_get_gone (client), "cancelled",
                           G_CALLBACK (on_gone), self, G_CONNECT_SWAPPED);
  soup_server_message_pause (message);
  jme_web_client_set_state (client, JME_WEB_CLIENT_WAITING);

  return self;
}

JmeWebClient *
jme_request_get_client (JmeRequest *self)
{
  return self->client;
}

gboolean
jme_request_has_good_query (JmeRequest *self)
{
  return self->query != NULL;
}

gboolean
jme_request_has_long_body (JmeRequest *self)
{
  return self->has_long_body;
}

const char *
jme_request_get_method (JmeRequest *self)
{
  return self->method;
}

/**
 * jme_request_is_head:
 * @self: a request
 *
 * Returns: whether the headers of the reply are all that is sent
 */
gboolean
jme_request_is_head (JmeRequest *self)
{
  return g_str_equal (self->method, "HEAD");
}

/**
 * jme_request_takes_parts:
 * @self: a request
 *
 * Returns: whether jme_request_send_part() may be used: not for HTTP/1.0, which has no
 *   chunks, so that a reply that was cut would look whole
 */
gboolean
jme_request_takes_parts (JmeRequest *self)
{
  return !self->is_old;
}

/**
 * jme_request_get_path:
 * @self: a request
 *
 * Returns: the path, without its percent signs
 */
const char *
jme_request_get_path (JmeRequest *self)
{
  return self->path;
}

/**
 * jme_request_get_body:
 * @self: a request
 *
 * Returns: (transfer none): its body; empty where its route wants none
 */
GBytes *
jme_request_get_body (JmeRequest *self)
{
  return self->body;
}

/**
 * jme_request_get_header:
 * @self: a request
 * @name: a header
 *
 * Returns: (nullable): its value; several are joined by commas
 */
const char *
jme_request_get_header (JmeRequest *self, const char *name)
{
  return soup_message_headers_get_list (self->headers, name);
}

guint
jme_request_count_header (JmeRequest *self, const char *name)
{
  SoupMessageHeadersIter iter;
  const char *header, *value;
  guint n = 0;

  soup_message_headers_iter_init (&iter, self->headers);
  while (soup_message_headers_iter_next (&iter, &header, &value))
    if (g_ascii_strcasecmp (header, name) == 0)
      n++;

  return n;
}

/**
 * jme_request_get_values:
 * @self: a request
 * @name: a key of its query, such as `collect[]`
 *
 * Returns: (transfer full): the values in their order; empty where there is none
 */
GStrv
jme_request_get_values (JmeRequest *self, const char *name)
{
  return jme_query_get_values (self->query, name);
}

/**
 * jme_request_list_pairs:
 * @self: a request
 *
 * Returns: (transfer full): the keys and values of its query by turns, in their order
 */
GStrv
jme_request_list_pairs (JmeRequest *self)
{
  return jme_query_list_pairs (self->query);
}

/**
 * jme_request_get_cancellable:
 * @self: a request
 *
 * Returns: (transfer none): cancelled when the client has gone, so that nobody need
 *   work for it any more, and when a worker shall make room for others
 */
GCancellable *
jme_request_get_cancellable (JmeRequest *self)
{
  return self->kept != NULL ? self->kept->stop : jme_web_client_get_gone (self->client);
}

guint
jme_request_get_local_port (JmeRequest *self)
{
  return jme_web_client_get_local_port (self->client);
}

char *
jme_request_describe_peer (JmeRequest *self)
{
  return jme_web_client_describe_peer (self->client);
}

GInetAddress *
jme_request_get_remote_address (JmeRequest *self)
{
  return jme_web_client_get_remote_address (self->client);
}

const char *
jme_request_get_login_name (JmeRequest *self)
{
  return self->login_name;
}

GTlsCertificate *
jme_request_get_certificate (JmeRequest *self)
{
  return jme_web_client_get_certificate (self->client);
}

void
jme_request_set_login_name (JmeRequest *self, const char *name)
{
  g_free (self->login_name);
  self->login_name = g_strdup (name);
}

/**
 * jme_request_get_peer:
 * @self: a request
 * @uid: (out) (optional): as whom the client connected
 * @pid: (out) (optional): its process; 0 where it is not seen from here
 *
 * Returns: whether it came over the local socket, where the kernel says who connects
 */
gboolean
jme_request_get_peer (JmeRequest *self, guint *uid, int *pid)
{
  const JmePeer *peer = jme_web_client_get_peer (self->client);

  if (peer == NULL)
    return FALSE;

  if (uid != NULL)
    *uid = peer->uid;
  if (pid != NULL)
    *pid = peer->pid;

  return TRUE;
}

/**
 * jme_request_set_header:
 * @self: a request that is not answered yet
 * @name: a header
 * @value: its value in the reply
 */
void
jme_request_set_header (JmeRequest *self, const char *name, const char *value)
{
  if (self->kept != NULL && self->kept->has_parts)
    return; /* they may be on their way */
  if (self->kept != NULL)
    {
      Pair pair = { g_strdup (name), g_strdup (value) };

      g_array_append_val (self->kept->headers, pair);
    }
  else if (self->message != NULL)
    soup_message_headers_replace (soup_server_message_get_response_headers (
                                    self->message),
                                  name, value);
}

static GBytes *
choose_encoding (JmeRequest *self, JmeBody *body)
{
  GBytes *packed = NULL;

  if (jme_encoding_takes_gzip (jme_request_get_header (self, "Accept-Encoding")))
    packed = jme_body_get_packed (body);
  if (packed == NULL)
    return jme_body_get_plain (body);
  jme_request_set_header (self, "Content-Encoding", "gzip");

  return packed;
}

static void
keep (Answer *answer, guint status, const char *content_type, JmeBody *body)
{
  if (answer->status != 0 || answer->has_parts)
    return;

  answer->status = status;
  answer->content_type = g_strdup (content_type);
  answer->body = jme_body_ref (body);
}

void
jme_request_begin_work (JmeRequest *self)
{
  GCancellable *gone = jme_web_client_get_gone (self->client);

  self->kept = answer_new ();
  self->stopper = g_signal_connect_swapped (gone, "cancelled",
                                            G_CALLBACK (jme_request_stop_work), self);
  if (g_cancellable_is_cancelled (gone))
    jme_request_stop_work (self);
}

void
jme_request_stop_work (JmeRequest *self)
{
  g_cancellable_cancel (self->kept->stop);
  g_mutex_lock (&self->kept->lock);
  g_cond_signal (&self->kept->taken);
  g_mutex_unlock (&self->kept->lock);
}

gboolean
jme_request_has_parts (JmeRequest *self)
{
  gboolean has_parts;

  g_mutex_lock (&self->kept->lock);
  has_parts = self->kept->has_parts;
  g_mutex_unlock (&self->kept->lock);

  return has_parts;
}

static void
set_kept_headers (JmeRequest *self, const Answer *answer)
{
  SoupMessageHeaders *headers =
    soup_server_message_get_response_headers (self->message);

  for (guint i = 0; i < answer->headers->len; i++)
    {
      const Pair *pair = &g_array_index (answer->headers, Pair, i);

      soup_message_headers_replace (headers, pair->name, pair->value);
    }
}

/* The client has taken a part: its time for the next begins when that is there. */
static void
on_taken (JmeRequest *self)
{
  if (self->kept == NULL || !self->is_in_parts)
    return;
  jme_web_client_set_state (self->client, JME_WEB_CLIENT_WAITING);
  g_mutex_lock (&self->kept->lock);
  self->kept->is_going_out = FALSE;
  g_cond_signal (&self->kept->taken);
  g_mutex_unlock (&self->kept->lock);
}

static void
begin_parts (JmeRequest *self)
{
  SoupMessageHeaders *headers =
    soup_server_message_get_response_headers (self->message);

  self->is_answered = TRUE;
  self->is_in_parts = TRUE;
  set_kept_headers (self, self->kept);
  soup_message_headers_replace (headers, "Content-Type", self->kept->content_type);
  soup_message_headers_set_encoding (headers, SOUP_ENCODING_CHUNKED);
  soup_message_body_set_accumulate (soup_server_message_get_response_body (
                                      self->message),
                                    FALSE);
  soup_server_message_set_status (self->message, SOUP_STATUS_OK, NULL);
  g_signal_connect_object (self->message, "wrote-chunk", G_CALLBACK (on_taken), self,
                           G_CONNECT_SWAPPED);
}

/* In the server's thread. The work may have ended since, or the client. */
static gboolean
on_part (gpointer user_data)
{
  JmeRequest *self = user_data;
  g_autoptr (GBytes) part = NULL;

  if (self->kept == NULL)
    return G_SOURCE_REMOVE;
  g_mutex_lock (&self->kept->lock);
  part = g_steal_pointer (&self->kept->part);
  g_mutex_unlock (&self->kept->lock);
  if (part == NULL || self->message == NULL || self->is_answered != self->is_in_parts)
    return G_SOURCE_REMOVE;

  if (!self->is_in_parts)
    begin_parts (self);
  if (jme_request_is_head (self))
    {
      on_taken (self);
      return G_SOURCE_REMOVE;
    }
  soup_message_body_append_bytes (soup_server_message_get_response_body (self->message),
                                  part);
  jme_web_client_set_state (self->client, JME_WEB_CLIENT_READING);
  soup_server_message_unpause (self->message);

  return G_SOURCE_REMOVE;
}

/* A part that its client has not got whole makes the next one wait. */
static gboolean
wait_for_client (Answer *answer)
{
  while (answer->is_going_out && !g_cancellable_is_cancelled (answer->stop))
    g_cond_wait (&answer->taken, &answer->lock);

  return !g_cancellable_is_cancelled (answer->stop);
}

/**
 * jme_request_send_part:
 * @self: a request that a worker has
 * @content_type: the type of the whole reply
 * @part: some bytes of it, at least one
 *
 * Sends a reply of status 200 while it is made, in chunks, to a client that takes them
 * (jme_request_takes_parts()). Waits until the client has read the part before: no more
 * than one goes out while the next one is made. A client that needs longer for one part
 * than a whole reply may need is disconnected, and so is one whose reply does not come
 * to jme_request_end_parts(): it cannot mistake half of a reply for the whole.
 *
 * Returns: whether it makes sense to go on: not once the request's cancellable is
 *   cancelled
 */
gboolean
jme_request_send_part (JmeRequest *self, const char *content_type, GBytes *part)
{
  Answer *answer = self->kept;
  g_autoptr (GSource) source = NULL;
  gboolean goes_on;

  g_return_val_if_fail (answer != NULL && g_bytes_get_size (part) > 0, FALSE);

  g_mutex_lock (&answer->lock);
  goes_on = wait_for_client (answer);
  if (goes_on)
    {
      answer->part = g_bytes_ref (part);
      answer->is_going_out = TRUE;
      if (!answer->has_parts)
        answer->content_type = g_strdup (content_type);
      answer->has_parts = TRUE;
    }
  g_mutex_unlock (&answer->lock);
  if (!goes_on)
    return FALSE;

  source = g_idle_source_new ();
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, on_part, g_object_ref (self), g_object_unref);
  g_source_attach (source, answer->context);

  return TRUE;
}

/**
 * jme_request_end_parts:
 * @self: a request that a worker has, of which parts were sent
 *
 * Waits until the client has taken the last part, and ends the reply.
 */
void
jme_request_end_parts (JmeRequest *self)
{
  Answer *answer = self->kept;

  g_mutex_lock (&answer->lock);
  answer->is_whole = wait_for_client (answer);
  g_mutex_unlock (&answer->lock);
}

void
jme_request_end_work (JmeRequest *self)
{
  g_autoptr (Answer) answer = g_steal_pointer (&self->kept);

  g_clear_signal_handler (&self->stopper, jme_web_client_get_gone (self->client));
  if (answer->has_parts)
    {
      if (!answer->is_whole)
        jme_web_client_cut (self->client);
      else if (self->message != NULL)
        finish_parts (self);
      return;
    }
  if (self->message != NULL)
    set_kept_headers (self, answer);
  if (answer->status != 0)
    jme_request_reply_body (self, answer->status, answer->content_type, answer->body);
}

/**
 * jme_request_reply_body:
 * @self: a request
 * @status: an HTTP status
 * @content_type: the body's type
 * @body: the body, which others may be sent too; as gzip where the client takes it
 *
 * Answers, at once or whenever the answer is known. A second answer, or one to a
 * client that has gone, goes nowhere.
 */
void
jme_request_reply_body (JmeRequest *self,
                        guint status,
                        const char *content_type,
                        JmeBody *body)
{
  GBytes *sent;

  if (self->kept != NULL)
    {
      keep (self->kept, status, content_type, body);
      return;
    }
  if (self->is_answered || self->message == NULL)
    return;

  self->is_answered = TRUE;
  jme_request_set_header (self, "Content-Type", content_type);
  jme_request_set_header (self, "Vary", "Accept-Encoding, Accept");

  /* The one status of ours that libsoup has no phrase for. */
  soup_server_message_set_status (self->message, status,
                                  status == STATUS_TOO_MANY_REQUESTS
                                    ? "Too Many Requests"
                                    : NULL);
  sent = choose_encoding (self, body);
  if (g_bytes_get_size (sent) > 0)
    soup_message_body_append_bytes (soup_server_message_get_response_body (
                                      self->message),
                                    sent);
  jme_web_client_set_state (self->client, JME_WEB_CLIENT_READING);
  soup_server_message_unpause (self->message);
}

/**
 * jme_request_reply:
 * @self: a request
 * @status: an HTTP status
 * @content_type: the body's type
 * @body: a body that nobody else is sent
 *
 * Answers as jme_request_reply_body() does.
 */
void
jme_request_reply (JmeRequest *self,
                   guint status,
                   const char *content_type,
                   GBytes *body)
{
  g_autoptr (JmeBody) own = jme_body_new (body);

  /* A worker packs what it answers, so that others need not wait for it. */
  if (self->kept != NULL &&
      jme_encoding_takes_gzip (jme_request_get_header (self, "Accept-Encoding")))
    jme_body_get_packed (own);

  jme_request_reply_body (self, status, content_type, own);
}

/**
 * jme_request_reply_text:
 * @self: a request
 * @status: an HTTP status
 * @text: a short text for people
 */
void
jme_request_reply_text (JmeRequest *self, guint status, const char *text)
{
  g_autoptr (GBytes) body = g_bytes_new (text, strlen (text));

  jme_request_reply (self, status, "text/plain; charset=utf-8", body);
}
