/* jm-electricity-maps-provider.c: what electricity emits, as Electricity Maps says
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/emissions/jm-emission-types-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "host/jm-secret-file-private.h"
#include "host/jm-source-private.h"
#include "sources/emissions/jm-emission-claim-private.h"
#include "sources/emissions/jm-emission-parsers-private.h"
#include "sources/emissions/jm-online-provider-private.h"

#define NAME "electricity-maps"
#define INTERVAL_SECONDS 900
#define STEP_SECONDS 3600
#define LATEST_PATH "/v3/carbon-intensity/latest?zone="
/* It is named, since an answer may not say it. */
#define FORECAST_TYPE "lifecycle"
#define FORECAST_PATH                                                                  \
 "/v3/carbon-intensity/forecast?horizonHours=72&emissionFactorType=" FORECAST_TYPE     \
 "&zone="
#define TOKEN_VARIABLE "ELECTRICITY_MAPS_TOKEN"
#define OTHER_TOKEN_VARIABLE "EMAPS_API_TOKEN"

/* Asks Electricity Maps (API version 3) what a kilowatt-hour emits that is consumed in
 * a zone, imports included, by default over the life cycle. A token is needed.
 *
 * - Errors: `INVALID` where JmElectricityMapsProvider:zone is none or there is no
 *   token; `ABSENT`, `DENIED` and `MALFORMED` of the token's file. */
struct _JmElectricityMapsProvider
{
  JmOnlineProvider parent_instance;
  char *zone;
  char *token_file;
};

static void emission_provider_iface_init (JmEmissionProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmElectricityMapsProvider,
                               jm_electricity_maps_provider,
                               JM_TYPE_ONLINE_PROVIDER,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_EMISSION_PROVIDER,
                                                      emission_provider_iface_init))

/* @type: NULL for none */
static JmEmissionScope
get_scope (const char *type)
{
  if (g_strcmp0 (type, "lifecycle") == 0)
    return JM_EMISSION_SCOPE_LIFECYCLE;
  if (g_strcmp0 (type, "direct") == 0)
    return JM_EMISSION_SCOPE_DIRECT;

  return JM_EMISSION_SCOPE_UNKNOWN;
}

/* What does not say that it was measured is taken for estimated. */
static JmEmissionQuality
get_quality (JsonNode *answer)
{
  gboolean is_estimated = TRUE;

  jm_json_get_boolean (answer, "isEstimated", &is_estimated);

  return is_estimated ? JM_EMISSION_QUALITY_ESTIMATED : JM_EMISSION_QUALITY_MEASURED;
}

static gboolean
check_zone (JsonNode *answer, const char *zone, GError **error)
{
  g_autofree char *quote = NULL;

  if (g_strcmp0 (jm_json_get_string (answer, "zone"), zone) == 0)
    return TRUE;

  quote = jm_json_quote_member (answer, "zone");
  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
               NAME ": asked about the zone %s, it answers about %s", zone, quote);

  return FALSE;
}

static JmEmissionFactor *
check (JmEmissionClaim *claim, JsonNode *object, gint64 now_us, GError **error)
{
  claim->provider = NAME;
  claim->method = JM_EMISSION_METHOD_AVERAGE;
  claim->from = jm_json_get_string (object, "datetime");

  return jm_emission_claim_take_number (NAME, object, "carbonIntensity",
                                        &claim->grams_per_kwh, error)
           ? jm_emission_claim_check (claim, now_us, error)
           : NULL;
}

JmEmissionFactor *
jm_electricity_maps_parse (JsonNode *answer,
                           const char *zone,
                           gint64 now_us,
                           GError **error)
{
  JmEmissionClaim claim = {
    .zone = zone,
    .scope = get_scope (jm_json_get_string (answer, "emissionFactorType")),
    .quality = get_quality (answer),
    .duration_s = STEP_SECONDS,
  };

  return check_zone (answer, zone, error) ? check (&claim, answer, now_us, error)
                                          : NULL;
}

/* Returns 0 for a length that is not known. */
static guint
get_step (JsonNode *answer)
{
  static const struct
  {
    const char *name;
    guint seconds;
  } steps[] = { { "hourly", STEP_SECONDS },
                { "15_minutes", 900 },
                { "5_minutes", 300 } };
  const char *name = jm_json_get_string (answer, "temporalGranularity");

  if (name == NULL)
    return STEP_SECONDS;
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    if (g_str_equal (steps[i].name, name))
      return steps[i].seconds;

  return 0;
}

static JmEmissionFactor *
read_point (JsonNode *point, gconstpointer data, GError **error)
{
  JmEmissionClaim claim = *(const JmEmissionClaim *) data;

  return check (&claim, point, JM_EMISSION_ANY_TIME, error);
}

GPtrArray *
jm_electricity_maps_parse_forecast (JsonNode *answer, const char *zone, GError **error)
{
  const char *type = jm_json_get_string (answer, "emissionFactorType");
  const JmEmissionClaim common = {
    .zone = zone,
    .scope = get_scope (type != NULL ? type : FORECAST_TYPE),
    .quality = JM_EMISSION_QUALITY_ESTIMATED,
    .duration_s = get_step (answer),
  };

  return check_zone (answer, zone, error)
           ? jm_emission_claim_list (NAME, jm_json_get (answer, "forecast"), read_point,
                                     &common, error)
           : NULL;
}

/* Read anew each time: a token may be changed while the daemon runs. */
static char *
take_token (JmElectricityMapsProvider *self, GError **error)
{
  const char *token = g_getenv (TOKEN_VARIABLE);

  if (self->token_file != NULL)
    return jm_secret_file_read_token (jm_source_get_host (JM_SOURCE (self)),
                                      self->token_file, error);

  if (token == NULL)
    token = g_getenv (OTHER_TOKEN_VARIABLE);
  if (token != NULL && *token != '\0')
    return g_strdup (token);

  g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                       NAME ": needs a token: token-file, or " TOKEN_VARIABLE
                            " in the environment");

  return NULL;
}

static gboolean
jm_electricity_maps_provider_open (JmSource *source, GError **error)
{
  JmElectricityMapsProvider *self = JM_ELECTRICITY_MAPS_PROVIDER (source);
  g_autofree char *token = NULL;

  if (!JM_SOURCE_CLASS (jm_electricity_maps_provider_parent_class)
         ->open (source, error) ||
      !jm_emission_check_word (NAME, "zone", self->zone, error))
    return FALSE;

  token = take_token (self, error);

  return token != NULL;
}

static gboolean
ask (JmElectricityMapsProvider *self,
     const char *path,
     JmHttpAnswer *answer,
     GCancellable *cancellable,
     GError **error)
{
  g_autofree char *whole = g_strconcat (path, self->zone, NULL);
  g_autofree char *token = take_token (self, error);
  const char *headers[] = { "auth-token", token, NULL };
  const JmHttpRequest request = { .headers = headers };

  return token != NULL && jm_online_provider_ask (JM_ONLINE_PROVIDER (self), whole,
                                                  &request, answer, cancellable, error);
}

static JmEmissionFactor *
jm_electricity_maps_provider_fetch (JmEmissionProvider *provider,
                                    GCancellable *cancellable,
                                    GError **error)
{
  JmElectricityMapsProvider *self = JM_ELECTRICITY_MAPS_PROVIDER (provider);
  g_auto (JmHttpAnswer) answer = { 0 };

  return ask (self, LATEST_PATH, &answer, cancellable, error)
           ? jm_electricity_maps_parse (answer.json, self->zone, g_get_real_time (),
                                        error)
           : NULL;
}

static GPtrArray *
jm_electricity_maps_provider_forecast (JmEmissionProvider *provider,
                                       GCancellable *cancellable,
                                       GError **error)
{
  JmElectricityMapsProvider *self = JM_ELECTRICITY_MAPS_PROVIDER (provider);
  g_auto (JmHttpAnswer) answer = { 0 };

  return ask (self, FORECAST_PATH, &answer, cancellable, error)
           ? jm_electricity_maps_parse_forecast (answer.json, self->zone, error)
           : NULL;
}

static guint
jm_electricity_maps_provider_get_interval (JmEmissionProvider *provider)
{
  return INTERVAL_SECONDS;
}

static void
emission_provider_iface_init (JmEmissionProviderInterface *iface)
{
  iface->fetch = jm_electricity_maps_provider_fetch;
  iface->get_interval = jm_electricity_maps_provider_get_interval;
  iface->get_kind = jm_online_provider_get_kind;
  iface->forecast = jm_electricity_maps_provider_forecast;
}

static void
jm_electricity_maps_provider_class_init (JmElectricityMapsProviderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  JM_SOURCE_CLASS (klass)->open = jm_electricity_maps_provider_open;
  JM_ONLINE_PROVIDER_CLASS (klass)->default_url = "https://api.electricitymaps.com";
  JM_ONLINE_PROVIDER_CLASS (klass)->method = JM_EMISSION_METHOD_AVERAGE;
  JM_ONLINE_PROVIDER_CLASS (klass)->scope = JM_EMISSION_SCOPE_LIFECYCLE;

  /* The zone, as Electricity Maps calls it, such as `DE` or `US-CAL-CISO`. */
  jm_source_class_add_text (object_class, "zone",
                            G_STRUCT_OFFSET (JmElectricityMapsProvider, zone), NULL);

  /* A file with the token, which others must not be able to read. By default the token
   * is taken from `ELECTRICITY_MAPS_TOKEN` or `EMAPS_API_TOKEN` in the environment. */
  jm_source_class_add_text (object_class, "token-file",
                            G_STRUCT_OFFSET (JmElectricityMapsProvider, token_file),
                            NULL);
}

static void
jm_electricity_maps_provider_init (JmElectricityMapsProvider *self)
{
}
