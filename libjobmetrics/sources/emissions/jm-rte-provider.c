/* jm-rte-provider.c: what electricity emits in France, as RTE says
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/emissions/jm-emission-types-private.h"

#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "sources/emissions/jm-emission-claim-private.h"
#include "sources/emissions/jm-emission-parsers-private.h"
#include "sources/emissions/jm-online-provider-private.h"

#define NAME "rte"
#define ZONE "FR"
#define INTERVAL_SECONDS 900
#define STEP_SECONDS 900

/* The table has rows of the whole day, which are empty until their time comes. It is
 * not asked for `today`, of which there may be none yet. */
#define PATH                                                                           \
 "/api/explore/v2.1/catalog/datasets/eco2mix-national-tr/records"                      \
 "?select=taux_co2%2Cdate_heure&where=taux_co2%20is%20not%20null"                      \
 "&order_by=date_heure%20desc&limit=4"

/* Asks RTE's éCO2mix, by way of ODRÉ, what a kilowatt-hour made in France emits. No
 * token is needed. The figure is of what leaves the power plants, by their metering,
 * completed by estimates; it is published hourly for each quarter of an hour. */
struct _JmRteProvider
{
  JmOnlineProvider parent_instance;
};

static void emission_provider_iface_init (JmEmissionProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmRteProvider,
                               jm_rte_provider,
                               JM_TYPE_ONLINE_PROVIDER,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_EMISSION_PROVIDER,
                                                      emission_provider_iface_init))

/* Of two rows, that of later. */
static JsonNode *
get_later (JsonNode *one, JsonNode *other)
{
  const char *one_time = jm_json_get_string (one, "date_heure");
  const char *other_time = jm_json_get_string (other, "date_heure");
  gint64 one_us;
  gint64 other_us;

  if (one_time == NULL || !jm_emission_parse_time (one_time, &one_us))
    return other;
  if (other_time == NULL || !jm_emission_parse_time (other_time, &other_us))
    return one;

  return other_us > one_us ? other : one;
}

/* The latest row with a figure, be it a wrong one. */
static JsonNode *
find_row (JsonNode *rows)
{
  JsonNode *found = NULL;

  for (guint i = 0; i < jm_json_get_length (rows); i++)
    {
      JsonNode *row = jm_json_get_element (rows, i);
      JsonNode *figure = jm_json_get (row, "taux_co2");

      if (figure != NULL && !JSON_NODE_HOLDS_NULL (figure))
        found = found != NULL ? get_later (found, row) : row;
    }

  return found;
}

JmEmissionFactor *
jm_rte_parse (JsonNode *answer, gint64 now_us, GError **error)
{
  JsonNode *rows = jm_json_get (answer, "results");
  JsonNode *row = find_row (rows);
  JmEmissionClaim claim = {
    .provider = NAME,
    .zone = ZONE,
    .method = JM_EMISSION_METHOD_AVERAGE,
    .scope = JM_EMISSION_SCOPE_DIRECT,
    .quality = JM_EMISSION_QUALITY_ESTIMATED,
    .from = jm_json_get_string (row, "date_heure"),
    .duration_s = STEP_SECONDS,
  };

  if (rows == NULL || !JSON_NODE_HOLDS_ARRAY (rows))
    {
      g_autofree char *quote = jm_json_quote_member (answer, "results");

      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                   NAME ": results are no list: %s", quote);
      return NULL;
    }
  if (row == NULL)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                           NAME ": no row has a figure yet");
      return NULL;
    }
  if (!jm_emission_claim_take_number (NAME, row, "taux_co2", &claim.grams_per_kwh,
                                      error))
    return NULL;

  return jm_emission_claim_check (&claim, now_us, error);
}

static JmEmissionFactor *
jm_rte_provider_fetch (JmEmissionProvider *provider,
                       GCancellable *cancellable,
                       GError **error)
{
  g_auto (JmHttpAnswer) answer = { 0 };
  const JmHttpRequest request = { 0 };

  if (!jm_online_provider_ask (JM_ONLINE_PROVIDER (provider), PATH, &request, &answer,
                               cancellable, error))
    return NULL;

  return jm_rte_parse (answer.json, g_get_real_time (), error);
}

static guint
jm_rte_provider_get_interval (JmEmissionProvider *provider)
{
  return INTERVAL_SECONDS;
}

static void
emission_provider_iface_init (JmEmissionProviderInterface *iface)
{
  iface->fetch = jm_rte_provider_fetch;
  iface->get_interval = jm_rte_provider_get_interval;
  iface->get_kind = jm_online_provider_get_kind;
}

static void
jm_rte_provider_class_init (JmRteProviderClass *klass)
{
  JM_ONLINE_PROVIDER_CLASS (klass)->default_url = "https://odre.opendatasoft.com";
  JM_ONLINE_PROVIDER_CLASS (klass)->method = JM_EMISSION_METHOD_AVERAGE;
  JM_ONLINE_PROVIDER_CLASS (klass)->scope = JM_EMISSION_SCOPE_DIRECT;
}

static void
jm_rte_provider_init (JmRteProvider *self)
{
}
