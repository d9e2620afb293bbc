/* jm-remote-writer.c: sends sweeps to a server by remote write or OTLP
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "deliver/jm-remote-writer-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "deliver/jm-delivery-private.h"
#include "deliver/jm-write-batch-private.h"
#include "expose/jm-dialect-private.h"

/* How long a server that failed is left alone. */
#define PAUSE_MIN_MS 1000
#define PAUSE_MAX_MS 60000

/* Belongs to the main context that is its thread's default one when it is made. */
typedef struct
{
  JmWriteBuffer *buffer;
  JmDelivery *delivery;
  const char *name; /* of the protocol, for messages */
  gboolean is_otlp;
  char **headers;
  char *url;
  GCancellable *cancellable;
  JmWriteEntry entry; /* under way; without a body, nothing is */
  JmBackOff back_off;
  GSource *pause;          /* until the next attempt */
  gboolean has_complained; /* of what went wrong since a request was taken last */
  gboolean has_lost;       /* and of samples that were lost */

  void (*done) (gpointer data);
  gpointer data;

  GMutex mutex;
  JmRemoteWriteFigures figures; /* under the mutex */
} Sender;

struct _JmRemoteWriter
{
  GMainContext *context;
  GMainLoop *loop;
  GThread *thread;
  JmWriteBatch *batch;
  Sender *sender;

  GMutex mutex;
  GCond changed;
  gboolean is_busy; /* with a text; under the mutex, as is the next one */
  gboolean has_ended;
};

typedef struct
{
  JmRemoteWriter *writer;
  GBytes *text;
  gint64 time_us;
} Sweep;

static void
sweep_free (gpointer data)
{
  Sweep *sweep = data;

  g_bytes_unref (sweep->text);
  g_free (sweep);
}

static GPtrArray *
make_requests (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) jm_write_request_free);
}

static const char *const remote_write_headers[] = {
  "Content-Type",
  "application/x-protobuf",
  "Content-Encoding",
  "snappy",
  "X-Prometheus-Remote-Write-Version",
  "0.1.0",
  NULL,
};
static const char *const otlp_headers[] = {
  "Content-Type", "application/x-protobuf", "Content-Encoding", "gzip", NULL,
};

static void send_next (Sender *self);

/* --- counting --- */

static void
count (Sender *self, guint64 n_sent, guint64 n_dropped)
{
  g_mutex_lock (&self->mutex);
  self->figures.n_sent += n_sent;
  self->figures.n_dropped += n_dropped;
  self->figures.n_pending_bytes = jm_write_buffer_get_bytes (self->buffer);
  g_mutex_unlock (&self->mutex);
}

static void
set_up (Sender *self, gboolean is_up)
{
  g_mutex_lock (&self->mutex);
  self->figures.is_up = is_up;
  g_mutex_unlock (&self->mutex);
}

static void
complain (Sender *self, const char *what, const char *message)
{
  if (!self->has_complained)
    g_warning ("%s: %s: %s", self->name, what, message);
  self->has_complained = TRUE;
}

static void
count_loss (Sender *self, const JmWriteLoss *loss)
{
  count (self, 0, loss->n_samples);
  if (loss->n_samples == 0 && loss->n_torn == 0)
    return;

  if (!self->has_lost)
    g_warning ("%s: %s: samples are lost, which is counted", self->name,
               loss->n_torn > 0 ? "a file in the buffer is torn"
                                : "the buffer is full");
  self->has_lost = TRUE;
}

static void
recover (Sender *self)
{
  if (self->has_complained)
    g_message ("%s: the server takes what it is sent again", self->name);
  self->has_complained = FALSE;
  self->has_lost = FALSE;
  jm_back_off_reset (&self->back_off);
}

/* --- sending --- */

static void
tell_done (Sender *self)
{
  void (*done) (gpointer data) = self->done;

  self->done = NULL;
  if (done != NULL)
    done (self->data);
}

static gboolean
on_pause_over (gpointer user_data)
{
  Sender *self = user_data;

  g_clear_pointer (&self->pause, g_source_unref);
  send_next (self);

  return G_SOURCE_REMOVE;
}

static void
wait (Sender *self, guint retry_after_ms)
{
  self->pause =
    g_timeout_source_new (jm_back_off_next_ms (&self->back_off, retry_after_ms));
  g_source_set_callback (self->pause, on_pause_over, self, NULL);
  g_source_attach (self->pause, g_main_context_get_thread_default ());
}

/* Keeps what may be taken later. */
static void
on_failed (Sender *self, guint retry_after_ms, const GError *error)
{
  complain (self, "what cannot be sent is kept", error->message);
  wait (self, retry_after_ms);
  tell_done (self);
}

/* @n_refused: samples of the request that the server did not take, with the reason. */
static void
on_decided (Sender *self, guint64 n_refused, const GError *reason)
{
  guint n_samples = self->entry.n_samples;

  n_refused = MIN (n_refused, n_samples);
  jm_write_buffer_remove (self->buffer, self->entry.number);
  count (self, n_samples - n_refused, n_refused);
  if (reason == NULL)
    recover (self);
  else
    complain (self, "what the server refuses is dropped", reason->message);
  send_next (self);
}

/* Of the statuses from 500 on, OTLP has only these tried again:
 * https://opentelemetry.io/docs/specs/otlp/#otlphttp-response */
static gboolean
is_final (const Sender *self, guint status)
{
  return self->is_otlp && status >= 500 && status != 502 && status != 503 &&
         status != 504;
}

/* What a server that took a request says of parts of it. */
static guint64
read_answer (const Sender *self, const JmDeliveryAnswer *answer, GError **error)
{
  guint64 n_refused = 0;
  g_autoptr (GError) reason = NULL;

  if (self->is_otlp &&
      !jm_otlp_read_answer (answer->text, answer->length, &n_refused, &reason))
    {
      if (reason->code == JM_ERROR_MALFORMED)
        n_refused = self->entry.n_samples;
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s", self->url,
                   reason->message);
    }

  return n_refused;
}

static void
on_delivered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Sender *self = user_data;
  g_autoptr (GError) error = NULL;
  guint retry_after_ms;
  JmDeliveryVerdict verdict = jm_delivery_send_finish (result, &retry_after_ms, &error);
  JmDeliveryAnswer answer = jm_delivery_get_answer (result);
  guint64 n_refused = self->entry.n_samples;

  g_clear_pointer (&self->entry.body, g_bytes_unref);
  if (g_cancellable_is_cancelled (self->cancellable))
    return;

  if (verdict == JM_DELIVERY_DONE)
    n_refused = read_answer (self, &answer, &error);
  set_up (self, error == NULL);
  if (verdict == JM_DELIVERY_RETRY && !is_final (self, answer.status))
    on_failed (self, retry_after_ms, error);
  else
    on_decided (self, n_refused, error);
}

static void
send_next (Sender *self)
{
  JmWriteLoss loss = { 0 };
  gboolean is_there;

  if (self->entry.body != NULL || self->pause != NULL)
    return;

  is_there = jm_write_buffer_peek (self->buffer, &self->entry, &loss);
  count_loss (self, &loss);
  if (is_there)
    jm_delivery_send_async (self->delivery, "POST", self->url,
                            (const char *const *) self->headers, self->entry.body,
                            self->cancellable, on_delivered, self);
  else
    tell_done (self);
}

/* --- the sender --- */

static JmDelivery *
make_delivery (const JmRemoteWritePlan *plan, GError **error)
{
  const JmDeliveryPlan how = {
    .username = plan->user,
    .password = plan->password,
    .ca_file = plan->ca_file,
  };

  return jm_delivery_check_url (plan->url, error) ? jm_delivery_new (&how, error)
                                                  : NULL;
}

/* Whether it is the name of a header, RFC 9110 section 5.6.2. */
static gboolean
is_header_name (const char *text)
{
  if (*text == '\0')
    return FALSE;
  for (; *text != '\0'; text++)
    if (!g_ascii_isalnum (*text) && strchr ("!#$%&'*+-.^_`|~", *text) == NULL)
      return FALSE;

  return TRUE;
}

/* `NAME=VALUE`, without either in messages. */
static gboolean
add_header (GStrvBuilder *headers, const char *text, GError **error)
{
  g_auto (GStrv) halves = g_strsplit (text, "=", 2);
  g_autofree char *value = NULL;

  if (g_strv_length (halves) == 2)
    value = g_uri_unescape_string (g_strstrip (halves[1]), NULL);
  if (value == NULL || !is_header_name (g_strstrip (halves[0])) ||
      strpbrk (value, "\r\n") != NULL)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                           "headers are not NAME=VALUE,...");
      return FALSE;
    }
  g_strv_builder_add_many (headers, halves[0], value, NULL);

  return TRUE;
}

/* Those of the protocol come last, so that no other stands in their place. */
static char **
make_headers (const JmRemoteWritePlan *plan, GError **error)
{
  g_autoptr (GStrvBuilder) headers = g_strv_builder_new ();
  g_auto (GStrv) texts =
    g_strsplit (plan->headers != NULL ? plan->headers : "", ",", -1);

  for (guint i = 0; texts[i] != NULL; i++)
    if (!add_header (headers, texts[i], error))
      return NULL;
  g_strv_builder_addv (headers, plan->otlp != NULL
                                  ? (const char **) otlp_headers
                                  : (const char **) remote_write_headers);

  return g_strv_builder_end (headers);
}

/* Takes over @buffer where it is made. Errors: `INVALID` for a URL or a file. */
static Sender *
sender_new (const JmRemoteWritePlan *plan, GError **error)
{
  g_autoptr (JmDelivery) delivery = make_delivery (plan, error);
  g_auto (GStrv) own = delivery != NULL ? make_headers (plan, error) : NULL;
  g_autoptr (JmWriteBuffer) buffer = NULL;
  Sender *self;

  if (own == NULL)
    return NULL;
  buffer = jm_write_buffer_open (plan->buffer, plan->max_bytes, error);
  if (buffer == NULL)
    return NULL;

  self = g_new0 (Sender, 1);
  g_mutex_init (&self->mutex);
  self->back_off = (JmBackOff){ .base_ms = PAUSE_MIN_MS, .max_ms = PAUSE_MAX_MS };
  self->cancellable = g_cancellable_new ();
  self->name = plan->otlp != NULL ? "OTLP" : "remote write";
  self->is_otlp = plan->otlp != NULL;
  self->headers = g_steal_pointer (&own);
  self->url = g_strdup (plan->url);
  self->delivery = g_steal_pointer (&delivery);
  self->buffer = g_steal_pointer (&buffer);
  count (self, 0, 0);

  return self;
}

/* Appends a request; begins to send unless it waits for a server that failed. */
static void
sender_add (Sender *self, GBytes *body, guint n_samples)
{
  g_autoptr (GError) error = NULL;
  JmWriteLoss loss = { 0 };

  if (!jm_write_buffer_append (self->buffer, body, n_samples, &loss, &error))
    {
      complain (self, "what cannot be kept is dropped", error->message);
      count (self, 0, n_samples);
    }
  count_loss (self, &loss);
  send_next (self);
}

/* Calls @done once: when nothing waits any more or the server fails. */
static void
sender_finish (Sender *self, void (*done) (gpointer), gpointer data)
{
  self->done = done;
  self->data = data;
  if (self->pause != NULL)
    tell_done (self);
  else
    send_next (self);
}

/* What is under way ends first, as it would come back to nobody. */
static void
give_up (Sender *self)
{
  g_cancellable_cancel (self->cancellable);
  while (self->entry.body != NULL)
    g_main_context_iteration (g_main_context_get_thread_default (), TRUE);
}

static void
sender_free (Sender *self)
{
  if (self->pause != NULL)
    g_source_destroy (self->pause);
  g_clear_pointer (&self->pause, g_source_unref);
  self->done = NULL;
  give_up (self);
  jm_delivery_free (self->delivery);
  jm_write_buffer_close (self->buffer);
  g_object_unref (self->cancellable);
  g_strfreev (self->headers);
  g_free (self->url);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

static void
send_all (JmRemoteWriter *self, GPtrArray *requests)
{
  for (guint i = 0; i < requests->len; i++)
    {
      const JmWriteRequest *request = g_ptr_array_index (requests, i);

      sender_add (self->sender, request->body, request->n_samples);
    }
}

/* --- in the thread --- */

static gboolean
on_sweep (gpointer user_data)
{
  Sweep *sweep = user_data;
  JmRemoteWriter *self = sweep->writer;
  g_autoptr (GPtrArray) requests = make_requests ();
  g_autoptr (GError) error = NULL;
  gsize length;
  const char *text = g_bytes_get_data (sweep->text, &length);

  if (!jm_write_batch_add (self->batch, text, length, sweep->time_us / 1000, requests,
                           &error))
    g_critical ("%s: %s", self->sender->name, error->message);
  send_all (self, requests);

  g_mutex_lock (&self->mutex);
  self->is_busy = FALSE;
  g_mutex_unlock (&self->mutex);

  return G_SOURCE_REMOVE;
}

static void
on_finished (gpointer user_data)
{
  JmRemoteWriter *self = user_data;

  g_main_loop_quit (self->loop);
}

static gboolean
on_stop (gpointer user_data)
{
  JmRemoteWriter *self = user_data;
  g_autoptr (GPtrArray) requests = make_requests ();

  jm_write_batch_end (self->batch, g_get_real_time () / 1000, requests);
  send_all (self, requests);
  sender_finish (self->sender, on_finished, self);

  return G_SOURCE_REMOVE;
}

static void
tell_ended (JmRemoteWriter *self)
{
  g_mutex_lock (&self->mutex);
  self->has_ended = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->mutex);
}

static gpointer
run (gpointer user_data)
{
  JmRemoteWriter *self = user_data;

  g_main_context_push_thread_default (self->context);
  send_next (self->sender);
  g_main_loop_run (self->loop);

  sender_free (self->sender);
  /* connections close by and by */
  while (g_main_context_iteration (self->context, FALSE))
    ;
  g_main_context_pop_thread_default (self->context);
  tell_ended (self);

  return NULL;
}

/* --- public --- */

static void
writer_free (JmRemoteWriter *self)
{
  g_clear_pointer (&self->batch, jm_write_batch_free);
  g_main_loop_unref (self->loop);
  g_main_context_unref (self->context);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

/* Its sources belong to the thread that is to come. */
static Sender *
make_sender (JmRemoteWriter *self, const JmRemoteWritePlan *plan, GError **error)
{
  Sender *sender;

  g_main_context_push_thread_default (self->context);
  sender = sender_new (plan, error);
  g_main_context_pop_thread_default (self->context);

  return sender;
}

static JmWriteFormat *
make_format (const JmRemoteWritePlan *plan, GError **error)
{
  g_autoptr (GPtrArray) dialects = NULL;

  if (plan->otlp == NULL)
    return jm_remote_write_format_new (plan->job, plan->instance, error);

  dialects = jm_text_encoder_list_dialects (plan->otlp);

  return jm_otlp_format_new (dialects, plan->job, plan->instance, error);
}

JmRemoteWriter *
jm_remote_writer_new (const JmRemoteWritePlan *plan, GError **error)
{
  JmWriteFormat *format = make_format (plan, error);
  g_autoptr (JmWriteBatch) batch = NULL;
  JmRemoteWriter *self;

  if (format == NULL)
    return NULL;
  batch = jm_write_batch_new (format);

  self = g_new0 (JmRemoteWriter, 1);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->context = g_main_context_new ();
  self->loop = g_main_loop_new (self->context, FALSE);
  self->batch = g_steal_pointer (&batch);
  self->sender = make_sender (self, plan, error);
  if (self->sender == NULL)
    {
      writer_free (self);
      return NULL;
    }
  self->thread = g_thread_new (plan->otlp != NULL ? "otlp" : "remote-write", run, self);

  return self;
}

static gboolean
become_busy (JmRemoteWriter *self)
{
  gboolean was_busy;

  g_mutex_lock (&self->mutex);
  was_busy = self->is_busy;
  self->is_busy = TRUE;
  g_mutex_unlock (&self->mutex);

  return !was_busy;
}

static void
call (JmRemoteWriter *self,
      GSourceFunc function,
      gpointer data,
      GDestroyNotify free_data)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, function, data, free_data);
  g_source_attach (source, self->context);
}

void
jm_remote_writer_add (JmRemoteWriter *self, GBytes *text, gint64 time_us)
{
  Sweep *sweep;

  if (!become_busy (self))
    return;

  sweep = g_new (Sweep, 1);
  *sweep = (Sweep){ self, g_bytes_ref (text), time_us };
  call (self, on_sweep, sweep, sweep_free);
}

void
jm_remote_writer_get_figures (JmRemoteWriter *self, JmRemoteWriteFigures *figures)
{
  Sender *sender = self->sender;

  g_mutex_lock (&sender->mutex);
  *figures = sender->figures;
  g_mutex_unlock (&sender->mutex);
}

static gboolean
wait_for_end (JmRemoteWriter *self, guint timeout_ms)
{
  gint64 until_us = g_get_monotonic_time () + (gint64) timeout_ms * 1000;
  gboolean has_ended;

  g_mutex_lock (&self->mutex);
  while (!self->has_ended && g_cond_wait_until (&self->changed, &self->mutex, until_us))
    ;
  has_ended = self->has_ended;
  g_mutex_unlock (&self->mutex);

  return has_ended;
}

void
jm_remote_writer_stop_within (JmRemoteWriter *self, guint timeout_ms)
{
  call (self, on_stop, self, NULL);
  if (!wait_for_end (self, timeout_ms))
    {
      /* a server that hangs is not waited for, a disk that does cannot be */
      g_main_loop_quit (self->loop);
      if (!wait_for_end (self, timeout_ms))
        {
          g_thread_unref (self->thread);
          return;
        }
    }

  g_thread_join (self->thread);
  writer_free (self);
}
