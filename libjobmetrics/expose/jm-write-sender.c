/* jm-write-sender.c: sends what waits on disk, in order
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-write-sender-private.h"

#include "core/jm-error.h"
#include "expose/jm-delivery-private.h"

/* How long a server that failed is left alone. */
#define PAUSE_MIN_MS 1000
#define PAUSE_MAX_MS 60000

struct _JmWriteSender
{
  JmWriteBuffer *buffer;
  JmDelivery *delivery;
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
};

static const char *const headers[] = { "Content-Type",
                                       "application/x-protobuf",
                                       "Content-Encoding",
                                       "snappy",
                                       "X-Prometheus-Remote-Write-Version",
                                       "0.1.0",
                                       NULL };

static void send_next (JmWriteSender *self);

/* --- counting --- */

static void
count (JmWriteSender *self, guint64 n_sent, guint64 n_dropped)
{
  g_mutex_lock (&self->mutex);
  self->figures.n_sent += n_sent;
  self->figures.n_dropped += n_dropped;
  self->figures.n_pending_bytes = jm_write_buffer_get_bytes (self->buffer);
  g_mutex_unlock (&self->mutex);
}

static void
set_up (JmWriteSender *self, gboolean is_up)
{
  g_mutex_lock (&self->mutex);
  self->figures.is_up = is_up;
  g_mutex_unlock (&self->mutex);
}

static void
complain (JmWriteSender *self, const char *what, const char *message)
{
  if (!self->has_complained)
    g_warning ("remote write: %s: %s", what, message);
  self->has_complained = TRUE;
}

static void
count_loss (JmWriteSender *self, const JmWriteLoss *loss)
{
  count (self, 0, loss->n_samples);
  if (loss->n_samples == 0 && loss->n_torn == 0)
    return;

  if (!self->has_lost)
    g_warning ("remote write: %s: samples are lost, which is counted",
               loss->n_torn > 0 ? "a file in the buffer is torn"
                                : "the buffer is full");
  self->has_lost = TRUE;
}

static void
recover (JmWriteSender *self)
{
  if (self->has_complained)
    g_message ("remote write: the server takes what it is sent again");
  self->has_complained = FALSE;
  self->has_lost = FALSE;
  jm_back_off_reset (&self->back_off);
}

/* --- sending --- */

static void
tell_done (JmWriteSender *self)
{
  void (*done) (gpointer data) = self->done;

  self->done = NULL;
  if (done != NULL)
    done (self->data);
}

static gboolean
on_pause_over (gpointer user_data)
{
  JmWriteSender *self = user_data;

  g_clear_pointer (&self->pause, g_source_unref);
  send_next (self);

  return G_SOURCE_REMOVE;
}

static void
wait (JmWriteSender *self, guint retry_after_ms)
{
  self->pause =
    g_timeout_source_new (jm_back_off_next_ms (&self->back_off, retry_after_ms));
  g_source_set_callback (self->pause, on_pause_over, self, NULL);
  g_source_attach (self->pause, g_main_context_get_thread_default ());
}

/* Keeps what may be taken later. */
static void
on_failed (JmWriteSender *self, guint retry_after_ms, const GError *error)
{
  complain (self, "what cannot be sent is kept", error->message);
  wait (self, retry_after_ms);
  tell_done (self);
}

static void
on_decided (JmWriteSender *self, const GError *refusal)
{
  guint n_samples = self->entry.n_samples;

  jm_write_buffer_remove (self->buffer, self->entry.number);
  count (self, refusal == NULL ? n_samples : 0, refusal != NULL ? n_samples : 0);
  if (refusal == NULL)
    recover (self);
  else
    complain (self, "what the server refuses is dropped", refusal->message);
  send_next (self);
}

static void
on_delivered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  JmWriteSender *self = user_data;
  g_autoptr (GError) error = NULL;
  guint retry_after_ms;
  JmDeliveryVerdict verdict = jm_delivery_send_finish (result, &retry_after_ms, &error);

  g_clear_pointer (&self->entry.body, g_bytes_unref);
  if (g_cancellable_is_cancelled (self->cancellable))
    return;

  set_up (self, verdict == JM_DELIVERY_DONE);
  if (verdict == JM_DELIVERY_RETRY)
    on_failed (self, retry_after_ms, error);
  else
    on_decided (self, error);
}

static void
send_next (JmWriteSender *self)
{
  JmWriteLoss loss = { 0 };
  gboolean is_there;

  if (self->entry.body != NULL || self->pause != NULL)
    return;

  is_there = jm_write_buffer_peek (self->buffer, &self->entry, &loss);
  count_loss (self, &loss);
  if (is_there)
    jm_delivery_send_async (self->delivery, "POST", self->url, headers,
                            self->entry.body, self->cancellable, on_delivered, self);
  else
    tell_done (self);
}

/* --- public --- */

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

JmWriteSender *
jm_write_sender_new (const JmRemoteWritePlan *plan, GError **error)
{
  g_autoptr (JmDelivery) delivery = make_delivery (plan, error);
  g_autoptr (JmWriteBuffer) buffer = NULL;
  JmWriteSender *self;

  if (delivery == NULL)
    return NULL;
  buffer = jm_write_buffer_open (plan->buffer, plan->max_bytes, error);
  if (buffer == NULL)
    return NULL;

  self = g_new0 (JmWriteSender, 1);
  g_mutex_init (&self->mutex);
  self->back_off = (JmBackOff){ .base_ms = PAUSE_MIN_MS, .max_ms = PAUSE_MAX_MS };
  self->cancellable = g_cancellable_new ();
  self->url = g_strdup (plan->url);
  self->delivery = g_steal_pointer (&delivery);
  self->buffer = g_steal_pointer (&buffer);
  count (self, 0, 0);

  return self;
}

void
jm_write_sender_start (JmWriteSender *self)
{
  send_next (self);
}

void
jm_write_sender_add (JmWriteSender *self, GBytes *body, guint n_samples)
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

void
jm_write_sender_finish (JmWriteSender *self, void (*done) (gpointer), gpointer data)
{
  self->done = done;
  self->data = data;
  if (self->pause != NULL)
    tell_done (self);
  else
    send_next (self);
}

void
jm_write_sender_get_figures (JmWriteSender *self, JmRemoteWriteFigures *figures)
{
  g_mutex_lock (&self->mutex);
  *figures = self->figures;
  g_mutex_unlock (&self->mutex);
}

/* What is under way ends first, as it would come back to nobody. */
static void
give_up (JmWriteSender *self)
{
  g_cancellable_cancel (self->cancellable);
  while (self->entry.body != NULL)
    g_main_context_iteration (g_main_context_get_thread_default (), TRUE);
}

void
jm_write_sender_free (JmWriteSender *self)
{
  if (self->pause != NULL)
    g_source_destroy (self->pause);
  g_clear_pointer (&self->pause, g_source_unref);
  self->done = NULL;
  give_up (self);
  jm_delivery_free (self->delivery);
  jm_write_buffer_close (self->buffer);
  g_object_unref (self->cancellable);
  g_free (self->url);
  g_mutex_clear (&self->mutex);
  g_free (self);
}
