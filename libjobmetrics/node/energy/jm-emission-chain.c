/* jm-emission-chain.c: providers, each a fallback of the one before
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define G_LOG_DOMAIN "JobMetrics"

#include "node/energy/jm-energy-parts-private.h"

#include "base/jm-error.h"
#include "core/jm-emission-factor-private.h"
#include "core/jm-readings-private.h"
#include "host/jm-source-private.h"
#include "io/jm-follower-private.h"

/* A provider in the chain. */
typedef struct
{
  char *name;
  JmLabels *labels; /* provider and zone of the last factor, or the name and no zone */
  JmEmissionProvider *provider;
  JmFollower *follower;
  gboolean is_warned; /* of a scope that is not the chain's */
} Link;

struct _JmEmissionChain
{
  GPtrArray *links; /* of Link */
  guint scopes[2];  /* by method: one more than that of all its factors; 0 before any */
};

static void
link_free (gpointer data)
{
  Link *self = data;

  jm_follower_free (self->follower);
  g_object_unref (self->provider);
  jm_labels_unref (self->labels);
  g_free (self->name);
  g_free (self);
}

/* In the thread of the link's follower. */
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
  const JmFollowerPace pace =
    jm_follower_pace_of_interval (MIN (interval_s, G_MAXUINT / 1000) * 1000);

  added->name = g_strdup (name);
  added->labels = jm_labels_of (name, "", NULL);
  added->provider = g_object_ref (provider);
  added->follower =
    jm_follower_new (name, &pace, poll_link, added, ref_factor, unref_factor);
  g_ptr_array_add (self->links, added);
}

static gboolean
is_fresh (JmEmissionFactor *factor, gint64 now_us)
{
  return jm_emission_factor_get_quality (factor) == JM_EMISSION_QUALITY_STATISTIC ||
         jm_emission_factor_get_age (factor, now_us) <= JM_EMISSION_GRACE_US;
}

static JmEmissionFactor *
get_latest (Link *self)
{
  gint64 age_us;

  return jm_follower_get_latest (self->follower, &age_us, NULL);
}

/* Factors of another scope count other things, and never take the place of a factor. */
static gboolean
is_of_scope (JmEmissionChain *self, JmEmissionFactor *factor)
{
  guint scope = self->scopes[jm_emission_factor_get_method (factor)];

  return scope == (guint) jm_emission_factor_get_scope (factor) + 1;
}

/* Before it has answered as well, where the provider says so. */
static gboolean
get_kind (Link *self, JmEmissionMethod *method, JmEmissionScope *scope)
{
  g_autoptr (JmEmissionFactor) factor = NULL;

  if (jm_emission_provider_get_kind (self->provider, method, scope))
    return TRUE;

  factor = get_latest (self);
  if (factor == NULL)
    return FALSE;

  *method = jm_emission_factor_get_method (factor);
  *scope = jm_emission_factor_get_scope (factor);

  return TRUE;
}

/* The scope of a method's factors is that of its first provider, be that one silent: it
 * follows from the settings alone, so that all nodes with the same settings count the
 * same, and sums go on after a restart. FALSE as long as it is not known. */
static gboolean
settle_scope (JmEmissionChain *self, JmEmissionMethod method)
{
  for (guint i = 0; self->scopes[method] == 0 && i < self->links->len; i++)
    {
      JmEmissionMethod its_method;
      JmEmissionScope scope;

      if (!get_kind (self->links->pdata[i], &its_method, &scope))
        return FALSE;
      if (its_method == method)
        self->scopes[method] = (guint) scope + 1;
    }

  return self->scopes[method] != 0;
}

static void
warn_of_scope (Link *self, JmEmissionFactor *factor)
{
  if (!self->is_warned)
    g_warning ("emission provider %s: not used, since the scope of its factors is %s "
               "and "
               "that of the first provider's is another",
               self->name,
               jm_emission_scope_get_name (jm_emission_factor_get_scope (factor)));
  self->is_warned = TRUE;
}

JmEmissionFactor *
jm_emission_chain_get (JmEmissionChain *self, JmEmissionMethod method, gint64 now_us)
{
  g_autoptr (JmEmissionFactor) stale = NULL;

  if (!settle_scope (self, method))
    return NULL;

  for (guint i = 0; i < self->links->len; i++)
    {
      g_autoptr (JmEmissionFactor) factor = get_latest (self->links->pdata[i]);

      if (factor == NULL || jm_emission_factor_get_method (factor) != method)
        continue;
      if (!is_of_scope (self, factor))
        {
          warn_of_scope (self->links->pdata[i], factor);
          continue;
        }
      if (is_fresh (factor, now_us))
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

static void
tell_factor (JmEmissionFactor *factor, gint64 now_us, JmReadings *readings)
{
  jm_readings_add_labelled (readings, JM_METRIC_EMISSION_FACTOR,
                            jm_emission_factor_get_labels (factor),
                            jm_emission_factor_get_ug_per_kwh (factor));
  jm_readings_add_labelled (readings, JM_METRIC_EMISSION_FACTOR_AGE,
                            jm_emission_factor_get_zone_labels (factor),
                            (guint64) jm_emission_factor_get_age (factor, now_us));
}

static void
keep_labels (Link *self, JmEmissionFactor *factor)
{
  JmLabels *labels = jm_labels_ref (jm_emission_factor_get_zone_labels (factor));

  jm_labels_unref (self->labels);
  self->labels = labels;
}

/* A series may be there but once, if a site names the same zone twice. */
static gboolean
is_told (JmEmissionChain *self, guint i)
{
  const Link *link = self->links->pdata[i];

  for (guint j = 0; j < i; j++)
    {
      const Link *earlier = self->links->pdata[j];

      if (earlier->labels == link->labels)
        return TRUE;
    }

  return FALSE;
}

/* Readings pass over what is absent; a zone that the provider does not know is
 * reported. */
static void
tell_failure (GError *error, JmReadings *readings)
{
  if (g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
    error->code = JM_ERROR_UNAVAILABLE;
  jm_readings_add_error (readings, error);
}

static void
tell_link (JmEmissionChain *self, guint i, gint64 now_us, JmReadings *readings)
{
  Link *told = self->links->pdata[i];
  g_autoptr (GError) error = NULL;
  g_autoptr (JmEmissionFactor) factor = NULL;
  gint64 age_us;

  factor = jm_follower_get_latest (told->follower, &age_us, &error);
  jm_source_set_error (JM_SOURCE (told->provider), error);
  if (error != NULL)
    tell_failure (error, readings);
  if (factor != NULL)
    keep_labels (told, factor);
  if ((factor == NULL && error == NULL) || is_told (self, i))
    return;

  if (factor != NULL)
    tell_factor (factor, now_us, readings);
  jm_readings_add_labelled (readings, JM_METRIC_EMISSION_PROVIDER_UP, told->labels,
                            error == NULL);
}

void
jm_emission_chain_tell (JmEmissionChain *self, gint64 now_us, JmReadings *readings)
{
  for (guint i = 0; i < self->links->len; i++)
    tell_link (self, i, now_us, readings);
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

      are_asked =
        jm_follower_wait_for_rounds (asked->follower, 1, left_us) && are_asked;
    }

  return are_asked;
}
