/* jme-hook-page.c: what is done when a job begins or ends
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-hook-page.h"

#include <string.h>

#define JSON "application/json"

/* A hook that waits. Its job is read even where it waits no longer. */
typedef struct
{
  JmeRequest *request;
  char *job;
  guint patience;
} Attendance;

static void
attendance_free (Attendance *self)
{
  g_clear_handle_id (&self->patience, g_source_remove);
  g_object_unref (self->request);
  g_free (self->job);
  g_free (self);
}

/* What a job may be called needs no escapes. */
static void
reply (const Attendance *self, guint status, const char *found)
{
  g_autofree char *text =
    g_strdup_printf ("{\"job\": \"%s\", \"found\": %s}\n", self->job, found);
  g_autoptr (GBytes) body = g_bytes_new (text, strlen (text));

  jme_request_reply (self->request, status, JSON, body);
}

static gboolean
on_patience_gone (gpointer user_data)
{
  Attendance *self = user_data;

  self->patience = 0;
  reply (self, 202, "null");

  return G_SOURCE_REMOVE;
}

/* The second answer, of one whose patience had gone, goes nowhere. */
static void
on_attended (GObject *sampler, GAsyncResult *result, gpointer user_data)
{
  Attendance *self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean is_found = jm_sampler_attend_finish (JM_SAMPLER (sampler), result, &error);

  if (error != NULL)
    jme_request_reply_text (self->request, 503, "503: the daemon ends\n");
  else
    reply (self, 200, is_found ? "true" : "false");

  attendance_free (self);
}

void
jme_hook_page_answer (JmSampler *sampler, JmeRequest *request, guint patience_ms)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmeHookCall) call =
    jme_hook_call_parse (jme_request_get_body (request), &error);
  Attendance *self;

  if (call == NULL)
    {
      g_autofree char *text = g_strdup_printf ("400: %s\n", error->message);

      jme_request_reply_text (request, 400, text);
      return;
    }

  g_debug ("%s of job %s (%s)", jme_request_get_path (request), call->job,
           call->scheduler != NULL ? call->scheduler : "no scheduler given");
  self = g_new0 (Attendance, 1);
  self->request = g_object_ref (request);
  self->job = g_steal_pointer (&call->job);
  self->patience = g_timeout_add (patience_ms, on_patience_gone, self);
  jm_sampler_attend_async (sampler, self->job, NULL, on_attended, self);
}
