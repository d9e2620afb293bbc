/* jm-emission-factor.c: what a kilowatt-hour emits, and who says so
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-emission-factor-private.h"

#include <math.h>

#include "core/jm-metric.h"

/* Burning nothing but lignite emits some 1200; more is no electricity. */
#define MAX_GRAMS_PER_KWH 5000

struct _JmEmissionFactor
{
  char *provider;
  char *zone;
  guint64 ug_per_kwh;
  JmEmissionMethod method;
  JmEmissionScope scope;
  JmEmissionQuality quality;
  gint64 valid_from_us;
  gint64 valid_until_us;
  JmLabels *labels;
  JmLabels *zone_labels;
  JmLabels *grams_labels[2]; /* of measured and of estimated energy */
};

G_DEFINE_BOXED_TYPE (JmEmissionFactor,
                     jm_emission_factor,
                     jm_emission_factor_ref,
                     jm_emission_factor_unref)

static const char *const methods[] = { "average", "marginal" };
static const char *const scopes[] = { "unknown", "direct", "lifecycle" };
static const char *const qualities[] = { "measured", "estimated", "statistic" };

/* In the order of the metric table's rows. */
static void
make_labels (JmEmissionFactor *self)
{
  const char *const values[] = {
    self->provider,
    self->zone,
    jm_emission_method_get_name (self->method),
    jm_emission_scope_get_name (self->scope),
    jm_emission_quality_get_name (self->quality),
    NULL,
  };
  const char *const energy[] = { JM_QUALITY_MEASURED, JM_QUALITY_ESTIMATED };

  self->labels = jm_labels_new (values);
  self->zone_labels = jm_labels_of (self->provider, self->zone, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (energy); i++)
    self->grams_labels[i] = jm_labels_of (values[0], values[1], values[2], values[3],
                                          values[4], energy[i], NULL);
}

/**
 * jm_emission_factor_new:
 * @provider: its provider, such as `rte`
 * @zone: of which grid, as the provider calls it, such as `FR`
 * @grams_per_kwh: grams of CO2 equivalent per kilowatt-hour
 * @method: average or marginal
 * @scope: direct or life cycle
 * @quality: measured, estimated or a statistic
 * @valid_from_us: from when on it is valid, microseconds since 1970; 0 if always
 * @valid_until_us: until when, microseconds since 1970; 0 if always
 *
 * Makes a factor.
 *
 * Returns: (transfer full) (nullable): the factor; %NULL if no grid can emit that:
 *   less than nothing, not a number, or more than 5000
 * Since: 0.1
 */
JmEmissionFactor *
jm_emission_factor_new (const char *provider,
                        const char *zone,
                        double grams_per_kwh,
                        JmEmissionMethod method,
                        JmEmissionScope scope,
                        JmEmissionQuality quality,
                        gint64 valid_from_us,
                        gint64 valid_until_us)
{
  JmEmissionFactor *self;

  g_return_val_if_fail (provider != NULL, NULL);
  g_return_val_if_fail (zone != NULL, NULL);
  g_return_val_if_fail ((guint) method < G_N_ELEMENTS (methods), NULL);
  g_return_val_if_fail ((guint) scope < G_N_ELEMENTS (scopes), NULL);
  g_return_val_if_fail ((guint) quality < G_N_ELEMENTS (qualities), NULL);

  if (!isfinite (grams_per_kwh) || grams_per_kwh < 0 ||
      grams_per_kwh > MAX_GRAMS_PER_KWH)
    return NULL;

  self = g_atomic_rc_box_new0 (JmEmissionFactor);
  self->provider = g_utf8_make_valid (provider, -1);
  self->zone = g_utf8_make_valid (zone, -1);
  self->ug_per_kwh = (guint64) llround (grams_per_kwh * 1e6);
  self->method = method;
  self->scope = scope;
  self->quality = quality;
  self->valid_from_us = valid_from_us;
  self->valid_until_us = valid_until_us;
  make_labels (self);

  return self;
}

/**
 * jm_emission_factor_ref:
 * @self: a factor
 *
 * Takes a reference; another thread may do so too.
 *
 * Returns: (transfer full): the same factor
 * Since: 0.1
 */
JmEmissionFactor *
jm_emission_factor_ref (JmEmissionFactor *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
factor_clear (JmEmissionFactor *self)
{
  g_free (self->provider);
  g_free (self->zone);
  jm_labels_unref (self->labels);
  jm_labels_unref (self->zone_labels);
  for (guint i = 0; i < G_N_ELEMENTS (self->grams_labels); i++)
    jm_labels_unref (self->grams_labels[i]);
}

/**
 * jm_emission_factor_unref:
 * @self: (transfer full): a factor
 *
 * Gives a reference back.
 *
 * Since: 0.1
 */
void
jm_emission_factor_unref (JmEmissionFactor *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) factor_clear);
}

/**
 * jm_emission_factor_get_provider:
 * @self: a factor
 *
 * Gets its provider.
 *
 * Returns: the provider's name
 * Since: 0.1
 */
const char *
jm_emission_factor_get_provider (JmEmissionFactor *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->provider;
}

/**
 * jm_emission_factor_get_zone:
 * @self: a factor
 *
 * Gets of which grid the factor is.
 *
 * Returns: the zone as the provider calls it
 * Since: 0.1
 */
const char *
jm_emission_factor_get_zone (JmEmissionFactor *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->zone;
}

/**
 * jm_emission_factor_get_grams_per_kwh:
 * @self: a factor
 *
 * Gets the factor itself.
 *
 * Returns: grams of CO2 equivalent per kilowatt-hour
 * Since: 0.1
 */
double
jm_emission_factor_get_grams_per_kwh (JmEmissionFactor *self)
{
  g_return_val_if_fail (self != NULL, NAN);

  return (double) self->ug_per_kwh / 1e6;
}

/**
 * jm_emission_factor_get_method:
 * @self: a factor
 *
 * Gets of which electricity the factor is.
 *
 * Returns: average or marginal
 * Since: 0.1
 */
JmEmissionMethod
jm_emission_factor_get_method (JmEmissionFactor *self)
{
  g_return_val_if_fail (self != NULL, JM_EMISSION_METHOD_AVERAGE);

  return self->method;
}

/**
 * jm_emission_factor_get_scope:
 * @self: a factor
 *
 * Gets what is counted in.
 *
 * Returns: direct, life cycle or unknown
 * Since: 0.1
 */
JmEmissionScope
jm_emission_factor_get_scope (JmEmissionFactor *self)
{
  g_return_val_if_fail (self != NULL, JM_EMISSION_SCOPE_UNKNOWN);

  return self->scope;
}

/**
 * jm_emission_factor_get_quality:
 * @self: a factor
 *
 * Gets how the provider came by it.
 *
 * Returns: measured, estimated or a statistic
 * Since: 0.1
 */
JmEmissionQuality
jm_emission_factor_get_quality (JmEmissionFactor *self)
{
  g_return_val_if_fail (self != NULL, JM_EMISSION_QUALITY_STATISTIC);

  return self->quality;
}

/**
 * jm_emission_factor_get_valid_from:
 * @self: a factor
 *
 * Gets from when on the factor is valid.
 *
 * Returns: microseconds since 1970; 0 if always
 * Since: 0.1
 */
gint64
jm_emission_factor_get_valid_from (JmEmissionFactor *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->valid_from_us;
}

/**
 * jm_emission_factor_get_valid_until:
 * @self: a factor
 *
 * Gets until when the factor is valid.
 *
 * Returns: microseconds since 1970; 0 if always
 * Since: 0.1
 */
gint64
jm_emission_factor_get_valid_until (JmEmissionFactor *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->valid_until_us;
}

/**
 * jm_emission_factor_get_age:
 * @self: a factor
 * @now_us: the time now, microseconds since 1970
 *
 * Gets since when the factor is no longer that of the moment.
 *
 * Returns: microseconds since it ceased to be valid; 0 while it is
 * Since: 0.1
 */
gint64
jm_emission_factor_get_age (JmEmissionFactor *self, gint64 now_us)
{
  g_return_val_if_fail (self != NULL, 0);

  if (self->valid_until_us == 0)
    return 0;

  return MAX (now_us - self->valid_until_us, 0);
}

guint64
jm_emission_factor_get_ug_per_kwh (JmEmissionFactor *self)
{
  return self->ug_per_kwh;
}

JmLabels *
jm_emission_factor_get_labels (JmEmissionFactor *self)
{
  return self->labels;
}

JmLabels *
jm_emission_factor_get_zone_labels (JmEmissionFactor *self)
{
  return self->zone_labels;
}

JmLabels *
jm_emission_factor_get_grams_labels (JmEmissionFactor *self, gboolean is_estimated)
{
  return self->grams_labels[is_estimated ? 1 : 0];
}

/**
 * jm_emission_method_get_name:
 * @method: a method
 *
 * Gets the name that labels call it by.
 *
 * Returns: `average` or `marginal`
 * Since: 0.1
 */
const char *
jm_emission_method_get_name (JmEmissionMethod method)
{
  g_return_val_if_fail ((guint) method < G_N_ELEMENTS (methods), NULL);

  return methods[method];
}

/**
 * jm_emission_scope_get_name:
 * @scope: a scope
 *
 * Gets the name that labels call it by.
 *
 * Returns: `unknown`, `direct` or `lifecycle`
 * Since: 0.1
 */
const char *
jm_emission_scope_get_name (JmEmissionScope scope)
{
  g_return_val_if_fail ((guint) scope < G_N_ELEMENTS (scopes), NULL);

  return scopes[scope];
}

/**
 * jm_emission_quality_get_name:
 * @quality: a quality
 *
 * Gets the name that labels call it by.
 *
 * Returns: `measured`, `estimated` or `statistic`
 * Since: 0.1
 */
const char *
jm_emission_quality_get_name (JmEmissionQuality quality)
{
  g_return_val_if_fail ((guint) quality < G_N_ELEMENTS (qualities), NULL);

  return qualities[quality];
}
