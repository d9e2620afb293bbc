/* jm-emission-factor.h: what a kilowatt-hour emits, and who says so
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmEmissionMethod:
 * @JM_EMISSION_METHOD_AVERAGE: of all electricity that was made at the time
 * @JM_EMISSION_METHOD_MARGINAL: of the power plants that follow a change of demand
 *
 * Of which electricity a factor is. The two answer different questions and are never
 * added up.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_EMISSION_METHOD_AVERAGE,
  JM_EMISSION_METHOD_MARGINAL,
} JmEmissionMethod;

/**
 * JmEmissionScope:
 * @JM_EMISSION_SCOPE_UNKNOWN: the provider does not say
 * @JM_EMISSION_SCOPE_DIRECT: what leaves the power plants
 * @JM_EMISSION_SCOPE_LIFECYCLE: building them and bringing the fuel, too
 *
 * What is counted in.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_EMISSION_SCOPE_UNKNOWN,
  JM_EMISSION_SCOPE_DIRECT,
  JM_EMISSION_SCOPE_LIFECYCLE,
} JmEmissionScope;

/**
 * JmEmissionQuality:
 * @JM_EMISSION_QUALITY_MEASURED: from what power plants reported
 * @JM_EMISSION_QUALITY_ESTIMATED: modelled or forecast by the provider
 * @JM_EMISSION_QUALITY_STATISTIC: an average over a year or so, or a fixed number
 *
 * How the provider came by it.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_EMISSION_QUALITY_MEASURED,
  JM_EMISSION_QUALITY_ESTIMATED,
  JM_EMISSION_QUALITY_STATISTIC,
} JmEmissionQuality;

/**
 * JmEmissionFactor:
 *
 * What a kilowatt-hour emits, with where that comes from. Immutable, shared by
 * reference.
 *
 * Since: 0.1
 */
typedef struct _JmEmissionFactor JmEmissionFactor;

#define JM_TYPE_EMISSION_FACTOR (jm_emission_factor_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_emission_factor_get_type (void);

JM_AVAILABLE_IN_ALL
JmEmissionFactor *jm_emission_factor_new (const char *provider,
                                          const char *zone,
                                          double grams_per_kwh,
                                          JmEmissionMethod method,
                                          JmEmissionScope scope,
                                          JmEmissionQuality quality,
                                          gint64 valid_from_us,
                                          gint64 valid_until_us);

JM_AVAILABLE_IN_ALL
JmEmissionFactor *jm_emission_factor_ref (JmEmissionFactor *self);

JM_AVAILABLE_IN_ALL
void jm_emission_factor_unref (JmEmissionFactor *self);

JM_AVAILABLE_IN_ALL
const char *jm_emission_factor_get_provider (JmEmissionFactor *self);

JM_AVAILABLE_IN_ALL
const char *jm_emission_factor_get_zone (JmEmissionFactor *self);

JM_AVAILABLE_IN_ALL
double jm_emission_factor_get_grams_per_kwh (JmEmissionFactor *self);

JM_AVAILABLE_IN_ALL
JmEmissionMethod jm_emission_factor_get_method (JmEmissionFactor *self);

JM_AVAILABLE_IN_ALL
JmEmissionScope jm_emission_factor_get_scope (JmEmissionFactor *self);

JM_AVAILABLE_IN_ALL
JmEmissionQuality jm_emission_factor_get_quality (JmEmissionFactor *self);

JM_AVAILABLE_IN_ALL
gint64 jm_emission_factor_get_valid_from (JmEmissionFactor *self);

JM_AVAILABLE_IN_ALL
gint64 jm_emission_factor_get_valid_until (JmEmissionFactor *self);

JM_AVAILABLE_IN_ALL
gint64 jm_emission_factor_get_age (JmEmissionFactor *self, gint64 now_us);

JM_AVAILABLE_IN_ALL
gboolean jm_emission_factor_find_start (GPtrArray *forecast,
                                        gint64 now_us,
                                        gint64 by_us,
                                        gint64 length_us,
                                        gint64 *start_us,
                                        double *grams_per_kwh,
                                        double *now_grams_per_kwh);

JM_AVAILABLE_IN_ALL
const char *jm_emission_method_get_name (JmEmissionMethod method);

JM_AVAILABLE_IN_ALL
const char *jm_emission_scope_get_name (JmEmissionScope scope);

JM_AVAILABLE_IN_ALL
const char *jm_emission_quality_get_name (JmEmissionQuality quality);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmEmissionFactor, jm_emission_factor_unref)

G_END_DECLS
