/* jm-redfish-client.c: a BMC that is asked for its node's power
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-redfish-parts-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "base/jm-json-writer-private.h"
#include "host/jm-secret-file-private.h"
#include "io/jm-http-private.h"

#define CHASSIS_PATH "/redfish/v1/Chassis"
#define SESSIONS_PATH "/redfish/v1/SessionService/Sessions"
#define TOKEN_HEADER "X-Auth-Token"
#define LOG_OUT_TIMEOUT_MS 2000
#define HTTP_UNAUTHORIZED 401
#define HTTP_NOT_FOUND 404
#define HTTP_NOT_ALLOWED 405
#define UW_PER_WATT 1e6

/* Which of a chassis' resources has its power. */
typedef enum
{
  WAY_UNKNOWN,
  WAY_ENVIRONMENT,
  WAY_SUPPLIES,
  WAY_POWER,
} Way;

typedef struct
{
  JsonNode *resource;
  Way way;
} Chassis;

struct _JmRedfishClient
{
  JmHost *host;
  JmRedfishSettings settings;

  gboolean is_reached; /* the last question had an answer, whatever it was */
  gboolean has_no_sessions;
  char *username;
  char *password;
  char *token;
  char *session;   /* its path, to end it */
  GArray *chassis; /* of Chassis: the node's; empty while not known */
};

typedef gboolean (*ReadFunc) (JmRedfishClient *self,
                              JsonNode *chassis,
                              double *watts,
                              GCancellable *cancellable,
                              GError **error);

static void
chassis_clear (gpointer data)
{
  Chassis *self = data;

  json_node_unref (self->resource);
}

JmRedfishClient *
jm_redfish_client_new (JmHost *host, const JmRedfishSettings *settings)
{
  JmRedfishClient *self = g_new0 (JmRedfishClient, 1);

  self->host = g_object_ref (host);
  self->settings = *settings;
  self->chassis = g_array_new (FALSE, FALSE, sizeof (Chassis));
  g_array_set_clear_func (self->chassis, chassis_clear);

  return self;
}

static gboolean
is_basic (JmRedfishClient *self)
{
  return self->settings.is_basic || self->has_no_sessions;
}

static void
forget_login (JmRedfishClient *self)
{
  g_clear_pointer (&self->token, g_free);
  g_clear_pointer (&self->session, g_free);
  g_clear_pointer (&self->username, g_free);
  g_clear_pointer (&self->password, g_free);
}

/* A question with all that is common to all questions. */
static gboolean
ask (JmRedfishClient *self,
     const char *method,
     const char *path,
     const char *body,
     JmHttpAnswer *answer,
     GCancellable *cancellable,
     GError **error)
{
  const JmRedfishSettings *settings = &self->settings;
  g_autofree char *url = g_strconcat (settings->url, path, NULL);
  const char *token[] = { TOKEN_HEADER, self->token, "OData-Version", "4.0", NULL };
  gboolean is_login = body != NULL;
  gboolean is_delete = g_str_equal (method, "DELETE");
  const JmHttpRequest request = {
    .url = url,
    .method = method,
    .headers = self->token != NULL ? token : token + 2,
    .username = is_basic (self) ? self->username : NULL,
    .password = is_basic (self) ? self->password : NULL,
    .body = body,
    .ca_file = settings->ca_file,
    .timeout_ms =
      is_delete ? MIN (settings->timeout_ms, LOG_OUT_TIMEOUT_MS) : settings->timeout_ms,
    .is_insecure = settings->is_insecure,
    .is_answer_secret = is_login,
  };

  gboolean is_answered = jm_http_ask (&request, answer, cancellable, error);

  self->is_reached = answer->status != 0;

  return is_answered;
}

static char *
make_login (JmRedfishClient *self)
{
  JmJsonWriter json = { .out = g_string_new (NULL) };

  jm_json_writer_begin_object (&json, NULL);
  jm_json_writer_add_text (&json, "UserName", self->username);
  jm_json_writer_add_text (&json, "Password", self->password);
  jm_json_writer_end_object (&json);

  return g_string_free (json.out, FALSE);
}

/* Of a whole URL its path: the session is ended where it was begun. */
static char *
get_session_path (JmHttpAnswer *answer)
{
  const char *location = g_hash_table_lookup (answer->headers, "location");
  g_autoptr (GUri) uri = NULL;

  if (location != NULL && location[0] != '/')
    uri = g_uri_parse (location, G_URI_FLAGS_NONE, NULL);
  if (uri != NULL)
    location = g_uri_get_path (uri);
  if (location == NULL || location[0] != '/')
    location = jm_json_get_string (answer->json, "@odata.id");

  return location != NULL && location[0] == '/' ? g_strdup (location) : NULL;
}

static gboolean
begin_session (JmRedfishClient *self, GCancellable *cancellable, GError **error)
{
  g_autofree char *body = make_login (self);
  g_auto (JmHttpAnswer) answer = { 0 };
  g_autoptr (GError) problem = NULL;
  const char *token;

  if (!ask (self, "POST", SESSIONS_PATH, body, &answer, cancellable, &problem))
    {
      self->has_no_sessions =
        answer.status == HTTP_NOT_FOUND || answer.status == HTTP_NOT_ALLOWED;
      if (!self->has_no_sessions)
        g_propagate_error (error, g_steal_pointer (&problem));

      return self->has_no_sessions;
    }

  token = g_hash_table_lookup (answer.headers, "x-auth-token");
  if (token == NULL || token[0] == '\0')
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                   "%s%s: began a session without a token", self->settings.url,
                   SESSIONS_PATH);
      return FALSE;
    }

  self->token = g_strdup (token);
  self->session = get_session_path (&answer);

  return TRUE;
}

/* The file is read anew for each, so that a new password serves without a restart. */
static gboolean
log_in (JmRedfishClient *self, GCancellable *cancellable, GError **error)
{
  if (self->username != NULL && (is_basic (self) || self->token != NULL))
    return TRUE;

  forget_login (self);
  if (!jm_secret_file_read_login (self->host, self->settings.credentials_file,
                                  &self->username, &self->password, error))
    return FALSE;

  return is_basic (self) || begin_session (self, cancellable, error);
}

static void
log_out (JmRedfishClient *self)
{
  g_auto (JmHttpAnswer) answer = { 0 };

  /* a BMC that cannot be asked ends the session by itself after some time */
  if (self->session != NULL)
    ask (self, "DELETE", self->session, NULL, &answer, NULL, NULL);
  forget_login (self);
}

/* Reads a resource. A session that the BMC has ended is begun anew, once. */
static JsonNode *
get (JmRedfishClient *self, const char *path, GCancellable *cancellable, GError **error)
{
  for (gboolean is_again = FALSE;; is_again = TRUE)
    {
      g_auto (JmHttpAnswer) answer = { 0 };
      g_autoptr (GError) problem = NULL;

      if (!log_in (self, cancellable, error))
        return NULL;
      if (ask (self, "GET", path, NULL, &answer, cancellable, &problem) &&
          answer.json != NULL)
        return g_steal_pointer (&answer.json);

      if (answer.status == HTTP_UNAUTHORIZED)
        forget_login (self);
      if (answer.status != HTTP_UNAUTHORIZED || is_again || is_basic (self))
        {
          if (problem == NULL)
            g_set_error (&problem, JM_ERROR, JM_ERROR_MALFORMED,
                         "%s%s: an empty answer", self->settings.url, path);
          g_propagate_error (error, g_steal_pointer (&problem));
          return NULL;
        }
    }
}

static JsonNode *
get_linked (JmRedfishClient *self,
            JsonNode *resource,
            const char *name,
            GCancellable *cancellable,
            GError **error)
{
  const char *path = jm_redfish_get_link (resource, name);
  const char *where = jm_json_get_string (resource, "@odata.id");

  if (path != NULL)
    return get (self, path, cancellable, error);

  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s%s: has no %s", self->settings.url,
               where != NULL ? where : "", name);

  return NULL;
}

static gboolean
set_no_reading (JmRedfishClient *self,
                JsonNode *resource,
                const char *what,
                GError **error)
{
  const char *where = jm_json_get_string (resource, "@odata.id");

  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s%s: no reading in %s",
               self->settings.url, where != NULL ? where : "", what);

  return FALSE;
}

static gboolean
read_environment (JmRedfishClient *self,
                  JsonNode *chassis,
                  double *watts,
                  GCancellable *cancellable,
                  GError **error)
{
  g_autoptr (JsonNode) metrics =
    get_linked (self, chassis, "EnvironmentMetrics", cancellable, error);

  if (metrics == NULL)
    return FALSE;

  return jm_redfish_read_environment (metrics, watts) ||
         set_no_reading (self, metrics, "PowerWatts", error);
}

static gboolean
add_supply (JmRedfishClient *self,
            const char *path,
            double *sum,
            GCancellable *cancellable,
            GError **error)
{
  g_autoptr (JsonNode) supply = get (self, path, cancellable, error);
  g_autoptr (JsonNode) metrics = NULL;
  double watts;

  if (supply == NULL)
    return FALSE;
  if (!jm_redfish_is_at_work (supply))
    return TRUE;

  metrics = get_linked (self, supply, "Metrics", cancellable, error);
  if (metrics == NULL)
    return FALSE;
  if (!jm_redfish_read_supply (metrics, &watts))
    return set_no_reading (self, metrics, "InputPowerWatts", error);

  *sum += watts;

  return TRUE;
}

static gboolean
read_supplies (JmRedfishClient *self,
               JsonNode *chassis,
               double *watts,
               GCancellable *cancellable,
               GError **error)
{
  g_autoptr (JsonNode) subsystem =
    get_linked (self, chassis, "PowerSubsystem", cancellable, error);
  g_autoptr (JsonNode) collection = NULL;
  g_autoptr (GPtrArray) supplies = NULL;

  if (subsystem != NULL)
    collection = get_linked (self, subsystem, "PowerSupplies", cancellable, error);
  if (collection == NULL)
    return FALSE;

  *watts = 0;
  supplies = jm_redfish_list_members (collection);
  for (guint i = 0; i < supplies->len; i++)
    if (!add_supply (self, supplies->pdata[i], watts, cancellable, error))
      return FALSE;

  return jm_redfish_is_possible (*watts) ||
         set_no_reading (self, collection, "any power supply", error);
}

static gboolean
read_power (JmRedfishClient *self,
            JsonNode *chassis,
            double *watts,
            GCancellable *cancellable,
            GError **error)
{
  g_autoptr (JsonNode) power = get_linked (self, chassis, "Power", cancellable, error);

  if (power == NULL)
    return FALSE;

  return jm_redfish_read_power (power, chassis, watts) ||
         set_no_reading (self, power, "PowerControl", error);
}

static const ReadFunc ways[] = {
  [WAY_ENVIRONMENT] = read_environment,
  [WAY_SUPPLIES] = read_supplies,
  [WAY_POWER] = read_power,
};

/* Another way may do where a resource lacks, or has no reading, or is wrong; not where
 * the BMC does not answer, or not to us. */
static gboolean
may_try_on (JmRedfishClient *self, const GError *error)
{
  return self->is_reached && !g_error_matches (error, JM_ERROR, JM_ERROR_DENIED) &&
         !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static gboolean
find_way (JmRedfishClient *self,
          Chassis *chassis,
          double *watts,
          GCancellable *cancellable,
          GError **error)
{
  g_autoptr (GError) told = NULL;

  for (Way way = WAY_ENVIRONMENT; way <= WAY_POWER; way++)
    {
      g_autoptr (GError) problem = NULL;

      if (ways[way](self, chassis->resource, watts, cancellable, &problem))
        {
          chassis->way = way;
          return TRUE;
        }
      /* the last thing that is there says more than that something is not */
      if (told == NULL || g_error_matches (told, JM_ERROR, JM_ERROR_ABSENT) ||
          !g_error_matches (problem, JM_ERROR, JM_ERROR_ABSENT))
        {
          g_clear_error (&told);
          told = g_error_copy (problem);
        }
      if (!may_try_on (self, problem))
        break;
    }

  g_propagate_error (error, g_steal_pointer (&told));

  return FALSE;
}

static gboolean
read_chassis (JmRedfishClient *self,
              Chassis *chassis,
              double *watts,
              GCancellable *cancellable,
              GError **error)
{
  if (chassis->way == WAY_UNKNOWN)
    return find_way (self, chassis, watts, cancellable, error);

  return ways[chassis->way](self, chassis->resource, watts, cancellable, error);
}

static void
take_chassis (JmRedfishClient *self, GPtrArray *all, guint64 mask)
{
  for (guint i = 0; i < all->len; i++)
    if ((mask >> i & 1) != 0)
      {
        Chassis chassis = { json_node_ref (all->pdata[i]), WAY_UNKNOWN };

        g_array_append_val (self->chassis, chassis);
      }
}

static gboolean
find_named_chassis (JmRedfishClient *self, GCancellable *cancellable, GError **error)
{
  g_auto (GStrv) names = g_strsplit (self->settings.chassis, ":", -1);

  for (char **name = names; *name != NULL; name++)
    {
      g_autofree char *escaped = g_uri_escape_string (*name, NULL, FALSE);
      g_autofree char *path = g_strconcat (CHASSIS_PATH "/", escaped, NULL);
      Chassis chassis = { get (self, path, cancellable, error), WAY_UNKNOWN };

      if (chassis.resource == NULL)
        {
          g_array_set_size (self->chassis, 0);
          return FALSE;
        }
      g_array_append_val (self->chassis, chassis);
    }

  return TRUE;
}

static GPtrArray *
get_all_chassis (JmRedfishClient *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (JsonNode) collection = get (self, CHASSIS_PATH, cancellable, error);
  g_autoptr (GPtrArray) paths = NULL;
  g_autoptr (GPtrArray) all =
    g_ptr_array_new_with_free_func ((GDestroyNotify) json_node_unref);

  if (collection == NULL)
    return NULL;

  paths = jm_redfish_list_members (collection);
  for (guint i = 0; i < paths->len; i++)
    {
      JsonNode *chassis = get (self, paths->pdata[i], cancellable, error);

      if (chassis == NULL)
        return NULL;
      g_ptr_array_add (all, chassis);
    }

  return g_steal_pointer (&all);
}

static gboolean
find_chassis (JmRedfishClient *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) all = NULL;
  guint64 mask;

  if (self->chassis->len > 0)
    return TRUE;
  if (self->settings.chassis != NULL)
    return find_named_chassis (self, cancellable, error);

  all = get_all_chassis (self, cancellable, error);
  if (all == NULL)
    return FALSE;
  if (!jm_redfish_choose_chassis (all, &mask, error))
    {
      g_prefix_error (error, "%s%s: ", self->settings.url, CHASSIS_PATH);
      return FALSE;
    }

  take_chassis (self, all, mask);

  return TRUE;
}

gboolean
jm_redfish_client_read_power (JmRedfishClient *self,
                              guint64 *power_uw,
                              GCancellable *cancellable,
                              GError **error)
{
  double sum = 0;

  if (!find_chassis (self, cancellable, error))
    return FALSE;

  for (guint i = 0; i < self->chassis->len; i++)
    {
      Chassis *chassis = &g_array_index (self->chassis, Chassis, i);
      double watts;

      if (!read_chassis (self, chassis, &watts, cancellable, error))
        {
          /* an answer that will not do may be of a BMC that has changed */
          if (self->is_reached)
            g_array_set_size (self->chassis, 0);
          return FALSE;
        }
      sum += watts;
    }

  *power_uw = (guint64) (sum * UW_PER_WATT);

  return TRUE;
}

void
jm_redfish_client_free (JmRedfishClient *self)
{
  log_out (self);
  g_array_unref (self->chassis);
  g_object_unref (self->host);
  g_free (self);
}
