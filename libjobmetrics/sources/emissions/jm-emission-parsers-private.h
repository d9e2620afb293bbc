/* jm-emission-parsers-private.h: from what providers answer to factors
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "core/jm-emission-factor.h"

G_BEGIN_DECLS

/* All are total: any JSON may come in, NULL too. Errors as jm_emission_claim_check(),
 * and ABSENT or UNAVAILABLE where the answer says so. */

JmEmissionFactor *jm_rte_parse (JsonNode *answer, gint64 now_us, GError **error);

/* The answer must be about @zone: the service else answers for where the caller is. */
JmEmissionFactor *jm_electricity_maps_parse (JsonNode *answer,
                                             const char *zone,
                                             gint64 now_us,
                                             GError **error);

JmEmissionFactor *jm_watt_time_parse (JsonNode *answer,
                                      const char *region,
                                      gint64 now_us,
                                      GError **error);

/* @zone is only for the factor. */
JmEmissionFactor *jm_uk_carbon_intensity_parse (JsonNode *answer,
                                                const char *zone,
                                                gint64 now_us,
                                                GError **error);

/* Forecasts are in the order of time; points that cannot be read are left out.
 * MALFORMED where none can. */
GPtrArray *
jm_electricity_maps_parse_forecast (JsonNode *answer, const char *zone, GError **error);
GPtrArray *
jm_watt_time_parse_forecast (JsonNode *answer, const char *region, GError **error);
GPtrArray *jm_uk_carbon_intensity_parse_forecast (JsonNode *answer,
                                                  const char *zone,
                                                  GError **error);

/* Out of the whole text of a table, the line of @zone, a code of two or three letters;
 * ABSENT if it has none. */
JmEmissionFactor *
jm_owid_parse (const char *table, gsize length, const char *zone, GError **error);

G_END_DECLS
