/* jm-emission-claim.c: what a provider claims, before it is believed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/emissions/jm-emission-claim-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "base/jm-json-private.h"

#define TIME_MAX_BYTES 64
#define WORD_MAX 64
#define MINUTES_LENGTH (sizeof "2018-01-20T12:00" - 1)

/* GLib wants seconds, which ISO 8601 does not. */
static char *
add_seconds (const char *text)
{
  if (strlen (text) > MINUTES_LENGTH && text[10] == 'T' && text[13] == ':' &&
      text[MINUTES_LENGTH] != ':')
    return g_strdup_printf ("%.*s:00%s", (int) MINUTES_LENGTH, text,
                            text + MINUTES_LENGTH);

  return g_strdup (text);
}

gboolean
jm_emission_parse_time (const char *text, gint64 *time_us)
{
  g_autoptr (GDateTime) time = NULL;
  g_autofree char *whole = NULL;

  if (strlen (text) > TIME_MAX_BYTES)
    return FALSE;

  whole = add_seconds (text);
  time = g_date_time_new_from_iso8601 (whole, NULL);
  if (time == NULL)
    return FALSE;
  *time_us =
    g_date_time_to_unix (time) * G_USEC_PER_SEC + g_date_time_get_microsecond (time);

  return TRUE;
}

static gboolean
take_time (const JmEmissionClaim *self,
           const char *text,
           gint64 *time_us,
           GError **error)
{
  g_autofree char *quote = NULL;

  if (text != NULL && jm_emission_parse_time (text, time_us))
    return TRUE;

  quote = text != NULL ? jm_json_quote (text, strlen (text)) : g_strdup ("none");
  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: not a time: %s",
               self->provider, quote);

  return FALSE;
}

static gboolean
take_span (const JmEmissionClaim *self,
           gint64 now_us,
           gint64 *from_us,
           gint64 *until_us,
           GError **error)
{
  const char *problem = NULL;

  if (!take_time (self, self->from, from_us, error))
    return FALSE;
  *until_us = *from_us + (gint64) self->duration_s * G_USEC_PER_SEC;
  if (self->until != NULL && !take_time (self, self->until, until_us, error))
    return FALSE;

  if (*until_us <= *from_us)
    problem = "ends before it begins";
  else if (now_us == JM_EMISSION_ANY_TIME)
    return TRUE;
  else if (*from_us > now_us + JM_EMISSION_EARLY_US)
    problem = "lies in the future";
  else if (*until_us < now_us - JM_EMISSION_LATE_US)
    problem = "is long past";
  if (problem != NULL)
    g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                 "%s: the time of the factor %s: %s", self->provider, problem,
                 self->from);

  return problem == NULL;
}

JmEmissionFactor *
jm_emission_claim_check (const JmEmissionClaim *self, gint64 now_us, GError **error)
{
  JmEmissionFactor *factor;
  gint64 from_us;
  gint64 until_us;

  if (!take_span (self, now_us, &from_us, &until_us, error))
    return NULL;

  factor = jm_emission_factor_new (self->provider, self->zone, self->grams_per_kwh,
                                   self->method, self->scope, self->quality, from_us,
                                   until_us);
  if (factor == NULL)
    g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                 "%s: no electricity emits so many grams per kilowatt-hour: %g",
                 self->provider, self->grams_per_kwh);

  return factor;
}

static int
compare_begins (gconstpointer a, gconstpointer b)
{
  const gint64 one = jm_emission_factor_get_valid_from (*(JmEmissionFactor *const *) a);
  const gint64 other =
    jm_emission_factor_get_valid_from (*(JmEmissionFactor *const *) b);

  return (one > other) - (one < other);
}

GPtrArray *
jm_emission_claim_list (const char *provider,
                        JsonNode *list,
                        JmEmissionPointFunc read,
                        gconstpointer data,
                        GError **error)
{
  g_autoptr (GPtrArray) forecast =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_emission_factor_unref);
  g_autoptr (GError) problem = NULL;
  const guint n =
    list != NULL && JSON_NODE_HOLDS_ARRAY (list) ? jm_json_get_length (list) : 0;

  for (guint i = 0; i < n; i++)
    {
      JmEmissionFactor *factor =
        read (jm_json_get_element (list, i), data, problem == NULL ? &problem : NULL);

      if (factor != NULL)
        g_ptr_array_add (forecast, factor);
    }
  g_ptr_array_sort (forecast, compare_begins);
  if (forecast->len > 0)
    return g_steal_pointer (&forecast);

  if (problem != NULL)
    g_propagate_error (error, g_steal_pointer (&problem));
  else
    g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: the answer has no forecast",
                 provider);

  return NULL;
}

gboolean
jm_emission_claim_take_number (const char *provider,
                               JsonNode *object,
                               const char *member,
                               double *number,
                               GError **error)
{
  g_autofree char *quote = NULL;

  if (jm_json_get_number (object, member, number))
    return TRUE;

  quote = jm_json_quote_member (object, member);
  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: %s is not a number: %s",
               provider, member, quote);

  return FALSE;
}

gboolean
jm_emission_check_word (const char *provider,
                        const char *property,
                        const char *word,
                        GError **error)
{
  const char *c = word;

  if (word == NULL || *word == '\0')
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s must be given", provider,
                   property);
      return FALSE;
    }

  while (g_ascii_isalnum (*c) || *c == '-' || *c == '_')
    c++;
  if (*c == '\0' && c - word <= WORD_MAX)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s is none: %s", provider,
               property, word);

  return FALSE;
}
