/* jm-emission-chain.c: providers, one for want of the other
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/jm-emission-chain-private.h"

#include "core/jm-emission-factor-private.h"
#include "core/jm-error.h"
#include "core/jm-readings-private.h"
#include "sources/jm-poller-private.h"

/* A provider in the chain. */
typedef struct
{
  char *name;
  JmEmissionProvider *provider;
  JmPoller *poller;
} Link;

struct _JmEmissionChain
{
  GPtrArray *links; /* of Link */
};

static void
link_free (gpointer data)
{
  Link *self = data;

  jm_poller_free (self->poller);
  g_object_unref (self->provider);
  g_free (self->name);
  g_free (self);
}

/* In the thread of the link's poller. */
static gpointer
poll_link (gpointer user_data, GCancellable *cancellable, GError **error)
{
  Link *self = user_data;
  g_autoptr (GError) reason = NULL;
  JmEmissionFactor *factor =
    jm_emission_provider_fetch (self->provider, cancellable, &reason);

  if (factor != NULL)
    return factor;

  if (reason != NULL)
    g_propagate_error (error, g_steal_pointer (&reason));
  else
    g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                 "%s: gave neither a factor nor a reason", self->name);

  return NULL;
}

static gpointer
ref_factor (gpointer factor)
{
  return jm_emission_factor_ref (factor);
}

static void
unref_factor (gpointer factor)
{
  jm_emission_factor_unref (factor);
}

JmEmissionChain *
jm_emission_chain_new (void)
{
  JmEmissionChain *self = g_new0 (JmEmissionChain, 1);

  self->links = g_ptr_array_new_with_free_func (link_free);

  return self;
}

void
jm_emission_chain_free (JmEmissionChain *self)
{
  g_ptr_array_unref (self->links);
  g_free (self);
}

void
jm_emission_chain_add (JmEmissionChain *self,
                       const char *name,
                       JmEmissionProvider *provider)
{
  Link *added = g_new0 (Link, 1);
  guint interval_s = jm_emission_provider_get_interval (provider);

  added->name = g_strdup (name);
  added->provider = g_object_ref (provider);
  added->poller = jm_poller_new (name, MIN (interval_s, G_MAXUINT / 1000) * 1000,
                                 poll_link, added, ref_factor, unref_factor);
  g_ptr_array_add (self->links, added);
}

gboolean
jm_emission_chain_is_fresh (JmEmissionFactor *factor, gint64 now_us)
{
  return jm_emission_factor_get_quality (factor) == JM_EMISSION_QUALITY_STATISTIC ||
         jm_emission_factor_get_age (factor, now_us) <= JM_EMISSION_GRACE_US;
}

static JmEmissionFactor *
get_latest (Link *self)
{
  gint64 age_us;

  return jm_poller_get_latest (self->poller, &age_us, NULL);
}

JmEmissionFactor *
jm_emission_chain_get (JmEmissionChain *self, JmEmissionMethod method, gint64 now_us)
{
  g_autoptr (JmEmissionFactor) stale = NULL;

  for (guint i = 0; i < self->links->len; i++)
    {
      g_autoptr (JmEmissionFactor) factor = get_latest (self->links->pdata[i]);

      if (factor == NULL || jm_emission_factor_get_method (factor) != method)
        continue;
      if (jm_emission_chain_is_fresh (factor, now_us))
        return g_steal_pointer (&factor);

      if (stale == NULL || jm_emission_factor_get_age (factor, now_us) <
                             jm_emission_factor_get_age (stale, now_us))
        {
          g_clear_pointer (&stale, jm_emission_factor_unref);
          stale = g_steal_pointer (&factor);
        }
    }

  return g_steal_pointer (&stale);
}

guint
jm_emission_chain_get_length (JmEmissionChain *self)
{
  return self->links->len;
}

void
jm_emission_chain_look (JmEmissionChain *self, guint i, JmEmissionState *state)
{
  Link *seen = self->links->pdata[i];
  g_autoptr (GError) error = NULL;
  gint64 age_us;

  state->name = seen->name;
  state->factor = jm_poller_get_latest (seen->poller, &age_us, &error);
  state->is_asked = state->factor != NULL || error != NULL;
  state->is_up = state->factor != NULL && error == NULL;
}

void
jm_emission_state_clear (JmEmissionState *state)
{
  g_clear_pointer (&state->factor, jm_emission_factor_unref);
}

void
jm_emission_chain_add_errors (JmEmissionChain *self, JmReadings *readings)
{
  for (guint i = 0; i < self->links->len; i++)
    {
      Link *seen = self->links->pdata[i];
      g_autoptr (GError) error = NULL;
      g_autoptr (JmEmissionFactor) factor = NULL;
      gint64 age_us;

      factor = jm_poller_get_latest (seen->poller, &age_us, &error);
      if (error != NULL)
        jm_readings_add_error (readings, error);
    }
}

gboolean
jm_emission_chain_wait (JmEmissionChain *self, gint64 timeout_us)
{
  gint64 end_us = g_get_monotonic_time () + timeout_us;
  gboolean are_asked = TRUE;

  for (guint i = 0; i < self->links->len; i++)
    {
      Link *asked = self->links->pdata[i];
      gint64 left_us = MAX (end_us - g_get_monotonic_time (), 0);

      are_asked = jm_poller_wait (asked->poller, left_us) && are_asked;
    }

  return are_asked;
}

static void
tell_factor (JmEmissionFactor *factor,
             gboolean is_up,
             gint64 now_us,
             JmReadings *readings)
{
  char *zone = jm_emission_factor_get_zone_label (factor);

  jm_readings_add_ref_label (readings, JM_METRIC_EMISSION_FACTOR,
                             jm_emission_factor_get_label (factor),
                             jm_emission_factor_get_ug_per_kwh (factor));
  jm_readings_add_ref_label (readings, JM_METRIC_EMISSION_FACTOR_AGE, zone,
                             (guint64) jm_emission_factor_get_age (factor, now_us));
  jm_readings_add_ref_label (readings, JM_METRIC_EMISSION_PROVIDER_UP, zone, is_up);
}

void
jm_emission_chain_tell (JmEmissionChain *self, gint64 now_us, JmReadings *readings)
{
  for (guint i = 0; i < jm_emission_chain_get_length (self); i++)
    {
      g_auto (JmEmissionState) state = { 0 };

      jm_emission_chain_look (self, i, &state);
      if (state.factor != NULL)
        tell_factor (state.factor, state.is_up, now_us, readings);
      else if (state.is_asked)
        jm_readings_add_labelled (readings, JM_METRIC_EMISSION_PROVIDER_UP, state.name,
                                  FALSE);
    }

  jm_emission_chain_add_errors (self, readings);
}
