/* jmc-trace-sender.c: sends reports to an exporter; its caller never waits
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "trace/jmc-trace-parts.h"

#include "io/jm-http-private.h"
#include "jmc-output.h"

struct _JmcTraceSender
{
  char *url;
  char *socket;
  char *authorization; /* NULL without a token */
  guint timeout_ms;

  GCancellable *end;
  GThread *thread;
  GMutex mutex;
  GCond news;
  char *body;          /* to be sent next; guarded by the mutex */
  gboolean has_failed; /* the thread's own */
};

static void
post (JmcTraceSender *self, const char *body)
{
  const char *const headers[] = { "Authorization", self->authorization, NULL };
  const JmHttpRequest request = {
    .url = self->url,
    .socket = self->socket,
    .method = "POST",
    .headers = self->authorization != NULL ? headers : NULL,
    .body = body,
    .timeout_ms = self->timeout_ms,
  };
  g_auto (JmHttpAnswer) answer = { 0 };
  g_autoptr (GError) error = NULL;

  if (jm_http_ask (&request, &answer, self->end, &error) || self->has_failed ||
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  self->has_failed = TRUE;
  jmc_output_complain ("trace: %s; the command goes on", error->message);
}

/* NULL at the end. */
static char *
wait_for_body (JmcTraceSender *self)
{
  char *body;

  g_mutex_lock (&self->mutex);
  while (self->body == NULL && !g_cancellable_is_cancelled (self->end))
    g_cond_wait (&self->news, &self->mutex);
  body = g_steal_pointer (&self->body);
  g_mutex_unlock (&self->mutex);

  return body;
}

static gpointer
run (gpointer data)
{
  JmcTraceSender *self = data;

  while (!g_cancellable_is_cancelled (self->end))
    {
      g_autofree char *body = wait_for_body (self);

      if (body != NULL)
        post (self, body);
    }

  return NULL;
}

JmcTraceSender *
jmc_trace_sender_new (const JmcTraceTarget *target)
{
  JmcTraceSender *self = g_new0 (JmcTraceSender, 1);

  self->url = g_strdup (target->url);
  self->socket = g_strdup (target->socket);
  if (target->token != NULL)
    self->authorization = g_strconcat ("Bearer ", target->token, NULL);
  self->timeout_ms = target->timeout_ms;
  self->end = g_cancellable_new ();
  g_mutex_init (&self->mutex);
  g_cond_init (&self->news);
  self->thread = g_thread_new ("sender", run, self);

  return self;
}

void
jmc_trace_sender_free (JmcTraceSender *self)
{
  g_mutex_lock (&self->mutex);
  g_cancellable_cancel (self->end);
  g_cond_signal (&self->news);
  g_mutex_unlock (&self->mutex);
  g_thread_join (self->thread);

  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->news);
  g_object_unref (self->end);
  g_free (self->body);
  g_free (self->authorization);
  g_free (self->socket);
  g_free (self->url);
  g_free (self);
}

void
jmc_trace_sender_send (JmcTraceSender *self, const char *body)
{
  g_mutex_lock (&self->mutex);
  g_free (self->body);
  self->body = g_strdup (body);
  g_cond_signal (&self->news);
  g_mutex_unlock (&self->mutex);
}
