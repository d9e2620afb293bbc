/* jm-remote-writer.c: sends sweeps to a server by remote write
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-remote-writer-private.h"

#include "expose/jm-write-batch-private.h"
#include "expose/jm-write-sender-private.h"

struct _JmRemoteWriter
{
  GMainContext *context;
  GMainLoop *loop;
  GThread *thread;
  JmWriteBatch *batch;
  JmWriteSender *sender;

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

static void
send_all (JmRemoteWriter *self, GPtrArray *requests)
{
  for (guint i = 0; i < requests->len; i++)
    {
      const JmWriteRequest *request = g_ptr_array_index (requests, i);

      jm_write_sender_add (self->sender, request->body, request->n_samples);
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
    g_critical ("remote write: %s", error->message);
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
  jm_write_sender_finish (self->sender, on_finished, self);

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
  jm_write_sender_start (self->sender);
  g_main_loop_run (self->loop);

  jm_write_sender_free (self->sender);
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
static JmWriteSender *
make_sender (JmRemoteWriter *self, const JmRemoteWritePlan *plan, GError **error)
{
  JmWriteSender *sender;

  g_main_context_push_thread_default (self->context);
  sender = jm_write_sender_new (plan, error);
  g_main_context_pop_thread_default (self->context);

  return sender;
}

JmRemoteWriter *
jm_remote_writer_new (const JmRemoteWritePlan *plan, GError **error)
{
  g_autoptr (JmWriteBatch) batch =
    jm_write_batch_new (plan->job, plan->instance, error);
  JmRemoteWriter *self;

  if (batch == NULL)
    return NULL;

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
  self->thread = g_thread_new ("remote-write", run, self);

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
  jm_write_sender_get_figures (self->sender, figures);
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
