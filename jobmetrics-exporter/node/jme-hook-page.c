/* jme-hook-page.c: what is done when a job begins or ends
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-node-answers.h"

#include <string.h>

#include "base/jm-error.h"
#include "web/jme-query.h"

#define JOB_CHARACTERS G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_.+-[]"
#define SCHEDULER_CHARACTERS G_CSET_a_2_z G_CSET_DIGITS "-"
#define JOB_MAX 128
#define SCHEDULER_MAX 32
#define QUOTED_MAX 64

#define JSON "application/json"

/* A hook that waits. Its job is read even where it waits no longer. */
typedef struct
{
  JmeRequest *request;
  char *job;
  guint patience;
} Attendance;

static gboolean
is_made_of (const char *text, const char *characters, gsize max_bytes)
{
  gsize length = strlen (text);

  return length > 0 && length <= max_bytes && strspn (text, characters) == length;
}

/* The one value of a name; NULL where there is none, or several. */
static char *
take_value (const JmeQuery *query, const char *name)
{
  g_auto (GStrv) values = jme_query_get_values (query, name);

  return g_strv_length (values) == 1 ? g_strdup (values[0]) : NULL;
}

static void
refuse (const char *name, const char *value, GError **error)
{
  g_autofree char *begin =
    g_strndup (value != NULL ? value : "missing, or there several times", QUOTED_MAX);
  g_autofree char *quoted = g_strescape (begin, NULL);

  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: %s", name, quoted);
}

JmeHookCall *
jme_hook_call_parse (GBytes *body, GError **error)
{
  g_autoptr (JmeHookCall) self = g_new0 (JmeHookCall, 1);
  gsize length;
  const char *data = g_bytes_get_data (body, &length);
  g_autofree char *text = length > 0 ? g_strndup (data, length) : g_strdup ("");
  g_autoptr (JmeQuery) query = NULL;

  if (length <= JME_HOOK_CALL_MAX_BYTES && strlen (text) == length)
    query = jme_query_parse (text);
  if (query == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "not a form: job=JOB");
      return NULL;
    }

  self->job = take_value (query, "job");
  if (self->job == NULL || !is_made_of (self->job, JOB_CHARACTERS, JOB_MAX))
    {
      refuse ("job", self->job, error);
      return NULL;
    }
  self->scheduler = take_value (query, "scheduler");
  if (self->scheduler != NULL &&
      !is_made_of (self->scheduler, SCHEDULER_CHARACTERS, SCHEDULER_MAX))
    {
      refuse ("scheduler", self->scheduler, error);
      return NULL;
    }

  return g_steal_pointer (&self);
}

void
jme_hook_call_free (JmeHookCall *self)
{
  g_free (self->job);
  g_free (self->scheduler);
  g_free (self);
}

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
