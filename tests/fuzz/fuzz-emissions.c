/* fuzz-emissions.c: any bytes as the answer of an emission provider
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stddef.h>
#include <stdint.h>

#include "base/jm-json-private.h"
#include "sources/emissions/jm-emission-claim-private.h"
#include "sources/emissions/jm-emission-parsers-private.h"

#define NOW_US ((gint64) 1773138000 * G_USEC_PER_SEC) /* 2026-03-10T10:20:00Z */

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* Takes both. A factor is whole, and what is none says why. */
static void
check (JmEmissionFactor *factor, GError *error)
{
  g_assert_true ((factor == NULL) == (error != NULL));
  if (factor != NULL)
    {
      double grams = jm_emission_factor_get_grams_per_kwh (factor);

      g_assert_true (grams >= 0 && grams <= 5000);
      g_assert_cmpint (jm_emission_factor_get_valid_from (factor), <,
                       jm_emission_factor_get_valid_until (factor));
      jm_emission_factor_unref (factor);
    }
  else
    {
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      g_error_free (error);
    }
}

static void
check_forecast (GPtrArray *(*parse) (JsonNode *, const char *, GError **),
                JsonNode *answer,
                const char *zone)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) forecast = parse (answer, zone, &error);

  g_assert_true ((forecast == NULL) == (error != NULL));
  g_assert_true (forecast == NULL || forecast->len > 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const char *text = (const char *) data;
  g_autoptr (JsonNode) answer = jm_json_parse (text, size);
  JmEmissionFactor *factor;
  GError *error = NULL;

  factor = jm_rte_parse (answer, NOW_US, &error);
  check (factor, g_steal_pointer (&error));
  factor = jm_electricity_maps_parse (answer, "DE", NOW_US, &error);
  check (factor, g_steal_pointer (&error));
  factor = jm_watt_time_parse (answer, "CAISO_NORTH", NOW_US, &error);
  check (factor, g_steal_pointer (&error));
  factor = jm_uk_carbon_intensity_parse (answer, "GB", NOW_US, &error);
  check (factor, g_steal_pointer (&error));
  factor = jm_owid_parse (text, size, "FR", &error);
  check (factor, g_steal_pointer (&error));
  check_forecast (jm_uk_carbon_intensity_parse_forecast, answer, "GB");
  check_forecast (jm_electricity_maps_parse_forecast, answer, "DE");
  check_forecast (jm_watt_time_parse_forecast, answer, "CAISO_NORTH");

  return 0;
}
