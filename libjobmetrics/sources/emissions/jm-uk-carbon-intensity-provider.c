/* jm-uk-carbon-intensity-provider.c: what electricity emits in Great Britain
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/emissions/jm-emission-types-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "host/jm-source-private.h"
#include "sources/emissions/jm-emission-claim-private.h"
#include "sources/emissions/jm-emission-parsers-private.h"
#include "sources/emissions/jm-online-provider-private.h"

#define NAME "uk-carbon-intensity"
#define NATION "GB"
#define INTERVAL_SECONDS 900
#define REGION_MAX 17

/* Asks the Carbon Intensity API of Great Britain's system operator what a kilowatt-hour
 * emits, in the whole country or one of its regions. No token is needed. Of a half hour
 * that is not yet known, and of regions, it gives forecasts, which are called
 * estimated. */
struct _JmUkCarbonIntensityProvider
{
  JmOnlineProvider parent_instance;
  char *postcode;
  guint region;
};

static void emission_provider_iface_init (JmEmissionProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmUkCarbonIntensityProvider,
                               jm_uk_carbon_intensity_provider,
                               JM_TYPE_ONLINE_PROVIDER,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_EMISSION_PROVIDER,
                                                      emission_provider_iface_init))

/* What `data` holds: one thing, which may stand in a list. */
static JsonNode *
get_data (JsonNode *object)
{
  JsonNode *data = jm_json_get (object, "data");

  return data != NULL && JSON_NODE_HOLDS_ARRAY (data) ? jm_json_get_element (data, 0)
                                                      : data;
}

static JmEmissionFactor *
parse_half_hour (JsonNode *half_hour, const char *zone, gint64 now_us, GError **error)
{
  JsonNode *intensity = jm_json_get (half_hour, "intensity");
  JsonNode *actual = jm_json_get (intensity, "actual");
  gboolean is_known = actual != NULL && !JSON_NODE_HOLDS_NULL (actual);
  JmEmissionClaim claim = {
    .provider = NAME,
    .zone = zone,
    .method = JM_EMISSION_METHOD_AVERAGE,
    .scope = JM_EMISSION_SCOPE_DIRECT,
    .quality = is_known ? JM_EMISSION_QUALITY_MEASURED : JM_EMISSION_QUALITY_ESTIMATED,
    .from = jm_json_get_string (half_hour, "from"),
    .until = jm_json_get_string (half_hour, "to"),
  };

  if (!jm_emission_claim_take_number (NAME, intensity, is_known ? "actual" : "forecast",
                                      &claim.grams_per_kwh, error))
    return NULL;

  return jm_emission_claim_check (&claim, now_us, error);
}

JmEmissionFactor *
jm_uk_carbon_intensity_parse (JsonNode *answer,
                              const char *zone,
                              gint64 now_us,
                              GError **error)
{
  JsonNode *outer = get_data (answer);
  /* a region's half hours are within the region */
  JsonNode *half_hour =
    jm_json_get (outer, "intensity") != NULL ? outer : get_data (outer);

  return parse_half_hour (half_hour, zone, now_us, error);
}

static JmEmissionFactor *
read_forecast (JsonNode *half_hour, gconstpointer zone, GError **error)
{
  return parse_half_hour (half_hour, zone, JM_EMISSION_ANY_TIME, error);
}

GPtrArray *
jm_uk_carbon_intensity_parse_forecast (JsonNode *answer,
                                       const char *zone,
                                       GError **error)
{
  JsonNode *data = jm_json_get (answer, "data");
  JsonNode *first = get_data (answer);
  JsonNode *inner = jm_json_get (first, "data");

  return jm_emission_claim_list (NAME, inner != NULL ? inner : data, read_forecast,
                                 zone, error);
}

static gboolean
jm_uk_carbon_intensity_provider_open (JmSource *source, GError **error)
{
  JmUkCarbonIntensityProvider *self = JM_UK_CARBON_INTENSITY_PROVIDER (source);

  if (self->postcode != NULL && self->region != 0)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                           NAME ": postcode or region, not both");
      return FALSE;
    }

  return JM_SOURCE_CLASS (jm_uk_carbon_intensity_provider_parent_class)
           ->open (source, error) &&
         (self->postcode == NULL ||
          jm_emission_check_word (NAME, "postcode", self->postcode, error));
}

static char *
get_path (JmUkCarbonIntensityProvider *self)
{
  if (self->postcode != NULL)
    return g_strconcat ("/regional/postcode/", self->postcode, NULL);
  if (self->region != 0)
    return g_strdup_printf ("/regional/regionid/%u", self->region);

  return g_strdup ("/intensity");
}

static char *
get_zone (JmUkCarbonIntensityProvider *self)
{
  if (self->postcode != NULL)
    return g_strconcat (NATION "-", self->postcode, NULL);
  if (self->region != 0)
    return g_strdup_printf (NATION "-%u", self->region);

  return g_strdup (NATION);
}

static JmEmissionFactor *
jm_uk_carbon_intensity_provider_fetch (JmEmissionProvider *provider,
                                       GCancellable *cancellable,
                                       GError **error)
{
  JmUkCarbonIntensityProvider *self = JM_UK_CARBON_INTENSITY_PROVIDER (provider);
  g_autofree char *path = get_path (self);
  g_autofree char *zone = get_zone (self);
  g_auto (JmHttpAnswer) answer = { 0 };
  const JmHttpRequest request = { 0 };

  if (!jm_online_provider_ask (JM_ONLINE_PROVIDER (self), path, &request, &answer,
                               cancellable, error))
    return NULL;

  return jm_uk_carbon_intensity_parse (answer.json, zone, g_get_real_time (), error);
}

/* Of 48 hours, from the half hour on that it is. */
static char *
get_forecast_path (JmUkCarbonIntensityProvider *self)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *from = g_date_time_format (now, "%Y-%m-%dT%H:%MZ");

  if (self->postcode != NULL)
    return g_strconcat ("/regional/intensity/", from, "/fw48h/postcode/",
                        self->postcode, NULL);
  if (self->region != 0)
    return g_strdup_printf ("/regional/intensity/%s/fw48h/regionid/%u", from,
                            self->region);

  return g_strconcat ("/intensity/", from, "/fw48h", NULL);
}

static GPtrArray *
jm_uk_carbon_intensity_provider_forecast (JmEmissionProvider *provider,
                                          GCancellable *cancellable,
                                          GError **error)
{
  JmUkCarbonIntensityProvider *self = JM_UK_CARBON_INTENSITY_PROVIDER (provider);
  g_autofree char *path = get_forecast_path (self);
  g_autofree char *zone = get_zone (self);
  g_auto (JmHttpAnswer) answer = { 0 };
  const JmHttpRequest request = { 0 };

  if (!jm_online_provider_ask (JM_ONLINE_PROVIDER (self), path, &request, &answer,
                               cancellable, error))
    return NULL;

  return jm_uk_carbon_intensity_parse_forecast (answer.json, zone, error);
}

static guint
jm_uk_carbon_intensity_provider_get_interval (JmEmissionProvider *provider)
{
  return INTERVAL_SECONDS;
}

static void
emission_provider_iface_init (JmEmissionProviderInterface *iface)
{
  iface->fetch = jm_uk_carbon_intensity_provider_fetch;
  iface->get_interval = jm_uk_carbon_intensity_provider_get_interval;
  iface->get_kind = jm_online_provider_get_kind;
  iface->forecast = jm_uk_carbon_intensity_provider_forecast;
}

static void
jm_uk_carbon_intensity_provider_class_init (JmUkCarbonIntensityProviderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  JM_SOURCE_CLASS (klass)->open = jm_uk_carbon_intensity_provider_open;
  JM_ONLINE_PROVIDER_CLASS (klass)->default_url = "https://api.carbonintensity.org.uk";
  JM_ONLINE_PROVIDER_CLASS (klass)->method = JM_EMISSION_METHOD_AVERAGE;
  JM_ONLINE_PROVIDER_CLASS (klass)->scope = JM_EMISSION_SCOPE_DIRECT;

  /* The outward part of a postcode of the region, such as `RG10`. */
  jm_source_class_add_text (object_class, "postcode",
                            G_STRUCT_OFFSET (JmUkCarbonIntensityProvider, postcode),
                            NULL);

  /* The number of the region, 1 to 17; 0 for the whole country. */
  jm_source_class_add_uint (object_class, "region",
                            G_STRUCT_OFFSET (JmUkCarbonIntensityProvider, region), 0,
                            REGION_MAX, 0);
}

static void
jm_uk_carbon_intensity_provider_init (JmUkCarbonIntensityProvider *self)
{
}
