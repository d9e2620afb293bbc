/* jme-hook-call.c: what a scheduler's hook says of a job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-hook-call.h"

#include <string.h>

#include "core/jm-error.h"
#include "web/jme-query.h"

#define JOB_CHARACTERS G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_.+-[]"
#define SCHEDULER_CHARACTERS G_CSET_a_2_z G_CSET_DIGITS "-"
#define JOB_MAX 128
#define SCHEDULER_MAX 32
#define QUOTED_MAX 64

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
