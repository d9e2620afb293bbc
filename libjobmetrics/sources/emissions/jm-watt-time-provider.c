/* jm-watt-time-provider.c: what more electricity emits, as WattTime says
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

#define NAME "watttime"
#define SIGNAL "co2_moer"
#define UNITS "lbs_co2_per_mwh"
/* The pound is defined as so many kilograms. */
#define GRAMS_PER_KWH_OF_UNIT 0.45359237
#define INTERVAL_SECONDS 300
#define STEP_SECONDS 300
#define STEP_SECONDS_MAX 3600
#define FORECAST_HOURS 72
/* It is good for 30 minutes, and must not end under way. */
#define TOKEN_US ((gint64) 25 * 60 * G_USEC_PER_SEC)

/* Asks WattTime (API version 3) for the marginal operating emissions rate of a region:
 * what leaves those power plants that would follow a change of demand now. It is not to
 * be compared with an average. An account is needed.
 *
 * - Errors: `INVALID` where JmWattTimeProvider:region is none or there is no account;
 *   `ABSENT`, `DENIED` and `MALFORMED` of the credentials' file. */
struct _JmWattTimeProvider
{
  JmOnlineProvider parent_instance;
  char *region;
  char *credentials_file;

  GMutex mutex; /* guards what follows */
  char *bearer; /* the value of the header */
  gint64 bearer_end_us;
};

static void emission_provider_iface_init (JmEmissionProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmWattTimeProvider,
                               jm_watt_time_provider,
                               JM_TYPE_ONLINE_PROVIDER,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_EMISSION_PROVIDER,
                                                      emission_provider_iface_init))

static gboolean
check_meta (JsonNode *meta, const char *name, const char *wanted, GError **error)
{
  g_autofree char *quote = NULL;

  if (g_strcmp0 (jm_json_get_string (meta, name), wanted) == 0)
    return TRUE;

  quote = jm_json_quote_member (meta, name);
  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
               NAME ": the %s of the answer is not %s: %s", name, wanted, quote);

  return FALSE;
}

/* The last point that has begun, or else the first. */
static JsonNode *
find_point (JsonNode *points, gint64 now_us)
{
  JsonNode *found = jm_json_get_element (points, 0);

  for (guint i = 1; i < jm_json_get_length (points); i++)
    {
      JsonNode *point = jm_json_get_element (points, i);
      const char *time = jm_json_get_string (point, "point_time");
      gint64 time_us;

      if (time != NULL && jm_emission_parse_time (time, &time_us) && time_us <= now_us)
        found = point;
    }

  return found;
}

static guint
get_step (JsonNode *meta)
{
  double seconds;

  if (jm_json_get_number (meta, "data_point_period_seconds", &seconds) &&
      seconds >= 1 && seconds <= STEP_SECONDS_MAX)
    return (guint) seconds;

  return STEP_SECONDS;
}

/* Point: what points of an answer have in common */
typedef struct
{
  const char *region;
  guint step_s;
  gint64 now_us;
} Point;

static JmEmissionFactor *
read_point (JsonNode *point, gconstpointer data, GError **error)
{
  const Point *common = data;
  double pounds;
  JmEmissionClaim claim = {
    .provider = NAME,
    .zone = common->region,
    .method = JM_EMISSION_METHOD_MARGINAL,
    .scope = JM_EMISSION_SCOPE_DIRECT,
    .quality = JM_EMISSION_QUALITY_ESTIMATED,
    .from = jm_json_get_string (point, "point_time"),
    .duration_s = common->step_s,
  };

  if (!jm_emission_claim_take_number (NAME, point, "value", &pounds, error))
    return NULL;
  claim.grams_per_kwh = pounds * GRAMS_PER_KWH_OF_UNIT;

  return jm_emission_claim_check (&claim, common->now_us, error);
}

static gboolean
check_answer (JsonNode *meta, const char *region, GError **error)
{
  return check_meta (meta, "region", region, error) &&
         check_meta (meta, "signal_type", SIGNAL, error) &&
         check_meta (meta, "units", UNITS, error);
}

JmEmissionFactor *
jm_watt_time_parse (JsonNode *answer, const char *region, gint64 now_us, GError **error)
{
  JsonNode *meta = jm_json_get (answer, "meta");
  JsonNode *point = find_point (jm_json_get (answer, "data"), now_us);
  const Point common = { region, get_step (meta), now_us };

  return check_answer (meta, region, error) ? read_point (point, &common, error) : NULL;
}

GPtrArray *
jm_watt_time_parse_forecast (JsonNode *answer, const char *region, GError **error)
{
  JsonNode *meta = jm_json_get (answer, "meta");
  const Point common = { region, get_step (meta), JM_EMISSION_ANY_TIME };

  return check_answer (meta, region, error)
           ? jm_emission_claim_list (NAME, jm_json_get (answer, "data"), read_point,
                                     &common, error)
           : NULL;
}

/* Read anew for each login: a password may be changed while the daemon runs. */
static gboolean
take_login (JmWattTimeProvider *self, char **username, char **password, GError **error)
{
  if (self->credentials_file != NULL)
    return jm_secret_file_read_login (jm_source_get_host (JM_SOURCE (self)),
                                      self->credentials_file, username, password,
                                      error);

  *username = g_strdup (g_getenv ("WT_USERNAME"));
  *password = g_strdup (g_getenv ("WT_PASSWORD"));
  if (*username != NULL && *password != NULL)
    return TRUE;

  g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                       NAME ": needs an account: credentials-file, or WT_USERNAME and "
                            "WT_PASSWORD in the environment");

  return FALSE;
}

static gboolean
log_in (JmWattTimeProvider *self, GCancellable *cancellable, GError **error)
{
  g_autofree char *username = NULL;
  g_autofree char *password = NULL;
  g_auto (JmHttpAnswer) answer = { 0 };
  JmHttpRequest request = { .is_answer_secret = TRUE };
  const char *token;

  if (!take_login (self, &username, &password, error))
    return FALSE;

  request.username = username;
  request.password = password;
  if (!jm_online_provider_ask (JM_ONLINE_PROVIDER (self), "/login", &request, &answer,
                               cancellable, error))
    return FALSE;

  token = jm_json_get_string (answer.json, "token");
  if (token == NULL || *token == '\0')
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_MALFORMED,
                           NAME ": the answer to the login has no token");
      return FALSE;
    }

  self->bearer = g_strconcat ("Bearer ", token, NULL);
  self->bearer_end_us = g_get_monotonic_time () + TOKEN_US;

  return TRUE;
}

static char *
take_bearer (JmWattTimeProvider *self, GCancellable *cancellable, GError **error)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  if (self->bearer != NULL && g_get_monotonic_time () >= self->bearer_end_us)
    g_clear_pointer (&self->bearer, g_free);
  if (self->bearer == NULL && !log_in (self, cancellable, error))
    return NULL;

  return g_strdup (self->bearer);
}

static void
forget_bearer (JmWattTimeProvider *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  g_clear_pointer (&self->bearer, g_free);
}

static gboolean
ask_once (JmWattTimeProvider *self,
          const char *path,
          JmHttpAnswer *answer,
          GCancellable *cancellable,
          GError **error)
{
  g_autofree char *bearer = take_bearer (self, cancellable, error);
  const char *headers[] = { "Authorization", bearer, NULL };
  const JmHttpRequest request = { .headers = headers };

  return bearer != NULL &&
         jm_online_provider_ask (JM_ONLINE_PROVIDER (self), path, &request, answer,
                                 cancellable, error);
}

static gboolean
ask (JmWattTimeProvider *self,
     guint hours,
     JmHttpAnswer *answer,
     GCancellable *cancellable,
     GError **error)
{
  g_autofree char *path =
    g_strdup_printf ("/v3/forecast?region=%s&signal_type=" SIGNAL "&horizon_hours=%u",
                     self->region, hours);
  g_autoptr (GError) refusal = NULL;

  if (ask_once (self, path, answer, cancellable, &refusal))
    return TRUE;
  if (answer->status != 401)
    {
      g_propagate_error (error, g_steal_pointer (&refusal));
      return FALSE;
    }

  /* the token may have been withdrawn before its time */
  forget_bearer (self);

  return ask_once (self, path, answer, cancellable, error);
}

static JmEmissionFactor *
jm_watt_time_provider_fetch (JmEmissionProvider *provider,
                             GCancellable *cancellable,
                             GError **error)
{
  JmWattTimeProvider *self = JM_WATT_TIME_PROVIDER (provider);
  g_auto (JmHttpAnswer) answer = { 0 };

  /* a horizon of no hours is the point of now */
  return ask (self, 0, &answer, cancellable, error)
           ? jm_watt_time_parse (answer.json, self->region, g_get_real_time (), error)
           : NULL;
}

static GPtrArray *
jm_watt_time_provider_forecast (JmEmissionProvider *provider,
                                GCancellable *cancellable,
                                GError **error)
{
  JmWattTimeProvider *self = JM_WATT_TIME_PROVIDER (provider);
  g_auto (JmHttpAnswer) answer = { 0 };

  return ask (self, FORECAST_HOURS, &answer, cancellable, error)
           ? jm_watt_time_parse_forecast (answer.json, self->region, error)
           : NULL;
}

static guint
jm_watt_time_provider_get_interval (JmEmissionProvider *provider)
{
  return INTERVAL_SECONDS;
}

static void
emission_provider_iface_init (JmEmissionProviderInterface *iface)
{
  iface->fetch = jm_watt_time_provider_fetch;
  iface->get_interval = jm_watt_time_provider_get_interval;
  iface->get_kind = jm_online_provider_get_kind;
  iface->forecast = jm_watt_time_provider_forecast;
}

static gboolean
jm_watt_time_provider_open (JmSource *source, GError **error)
{
  JmWattTimeProvider *self = JM_WATT_TIME_PROVIDER (source);
  g_autofree char *username = NULL;
  g_autofree char *password = NULL;

  return JM_SOURCE_CLASS (jm_watt_time_provider_parent_class)->open (source, error) &&
         jm_emission_check_word (NAME, "region", self->region, error) &&
         take_login (self, &username, &password, error);
}

static void
jm_watt_time_provider_finalize (GObject *object)
{
  JmWattTimeProvider *self = JM_WATT_TIME_PROVIDER (object);

  g_free (self->bearer);
  g_mutex_clear (&self->mutex);

  G_OBJECT_CLASS (jm_watt_time_provider_parent_class)->finalize (object);
}

static void
jm_watt_time_provider_class_init (JmWattTimeProviderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = jm_watt_time_provider_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_watt_time_provider_open;
  JM_ONLINE_PROVIDER_CLASS (klass)->default_url = "https://api.watttime.org";
  JM_ONLINE_PROVIDER_CLASS (klass)->method = JM_EMISSION_METHOD_MARGINAL;
  JM_ONLINE_PROVIDER_CLASS (klass)->scope = JM_EMISSION_SCOPE_DIRECT;

  /* The region, as WattTime calls it, such as `CAISO_NORTH`. */
  jm_source_class_add_text (object_class, "region",
                            G_STRUCT_OFFSET (JmWattTimeProvider, region), NULL);

  /* A file with the lines `username=NAME` and `password=TEXT`, which others must not be
   * able to read. By default the account is taken from `WT_USERNAME` and `WT_PASSWORD`
   * in the environment. */
  jm_source_class_add_text (object_class, "credentials-file",
                            G_STRUCT_OFFSET (JmWattTimeProvider, credentials_file),
                            NULL);
}

static void
jm_watt_time_provider_init (JmWattTimeProvider *self)
{
  g_mutex_init (&self->mutex);
}
