/* test-emission-providers.c: providers, and servers that stand in for them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>

#include "base/jm-error.h"
#include "host/jm-data-private.h"
#include "sources/emissions/jm-emission-types-private.h"
#include "web-stand-in.h"

#define TOKEN "0123456789abcdef"
#define RTE_PATH "/api/explore/v2.1/catalog/datasets/eco2mix-national-tr/records"
#define MAPS_PATH "/v3/carbon-intensity/latest"

static WebStandIn *
start_server (void)
{
  return web_stand_in_new (g_getenv ("JOBMETRICS_TEST_WITHOUT_TLS") == NULL);
}

/* Half an hour ago, to the half hour. */
static char *
recently (void)
{
  gint64 now_s = g_get_real_time () / G_USEC_PER_SEC;
  g_autoptr (GDateTime) time =
    g_date_time_new_from_unix_utc (now_s - now_s % 1800 - 1800);

  return g_date_time_format (time, "%Y-%m-%dT%H:%M:%S+00:00");
}

static char *
write_secret (const char *text, int mode)
{
  g_autoptr (GError) error = NULL;
  char *path = NULL;
  int fd = g_file_open_tmp ("jobmetrics-secret-XXXXXX", &path, &error);

  g_assert_no_error (error);
  g_assert_true (g_close (fd, NULL));
  g_assert_true (g_file_set_contents (path, text, -1, &error));
  g_assert_cmpint (g_chmod (path, mode), ==, 0);

  return path;
}

static void
drop_secret (char *path)
{
  g_unlink (path);
  g_free (path);
}

static JmEmissionProvider *
make_rte (WebStandIn *server, GError **error)
{
  return g_initable_new (JM_TYPE_RTE_PROVIDER, NULL, error, "url",
                         web_stand_in_get_url (server), "ca-file",
                         web_stand_in_get_ca_file (server), NULL);
}

static JmEmissionProvider *
make_maps (WebStandIn *server, const char *token_file, GError **error)
{
  return g_initable_new (JM_TYPE_ELECTRICITY_MAPS_PROVIDER, NULL, error, "url",
                         web_stand_in_get_url (server), "ca-file",
                         web_stand_in_get_ca_file (server), "zone", "DE", "token-file",
                         token_file, NULL);
}

static JmEmissionProvider *
make_watt_time (WebStandIn *server, const char *credentials_file, GError **error)
{
  return g_initable_new (JM_TYPE_WATT_TIME_PROVIDER, NULL, error, "url",
                         web_stand_in_get_url (server), "ca-file",
                         web_stand_in_get_ca_file (server), "region", "CAISO_NORTH",
                         "credentials-file", credentials_file, NULL);
}

static double
fetch (JmEmissionProvider *provider)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmEmissionFactor) factor =
    jm_emission_provider_fetch (provider, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (factor);

  return jm_emission_factor_get_grams_per_kwh (factor);
}

static void
assert_no_fetch (JmEmissionProvider *provider, JmError code, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (jm_emission_provider_fetch (provider, NULL, &error));
  g_assert_error (error, JM_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_null (strstr (error->message, TOKEN));
}

static void
test_rte_is_asked_for_rows_with_a_figure (void)
{
  g_autoptr (WebStandIn) server = start_server ();
  g_autoptr (GError) error = NULL;
  g_autoptr (JmEmissionProvider) provider = make_rte (server, &error);
  g_autofree char *time = recently ();
  g_autofree char *body =
    g_strdup_printf ("{\"results\": [{\"taux_co2\": 23, \"date_heure\": \"%s\"}]}",
                     time);
  g_autofree char *sent = NULL;

  g_assert_no_error (error);
  web_stand_in_set (server, RTE_PATH, "200 OK", "", body);

  g_assert_cmpfloat (fetch (provider), ==, 23);
  sent = web_stand_in_get_request (server, RTE_PATH);
  g_assert_nonnull (strstr (sent, "where=taux_co2%20is%20not%20null"));
  g_assert_nonnull (strstr (sent, "order_by=date_heure%20desc"));
}

static void
test_a_page_for_people_is_no_factor (void)
{
  g_autoptr (WebStandIn) server = start_server ();
  g_autoptr (JmEmissionProvider) provider = make_rte (server, NULL);

  web_stand_in_set (server, RTE_PATH, "200 OK", "", "<html><title>Maintenance");

  assert_no_fetch (provider, JM_ERROR_MALFORMED, "<html>");
}

static void
test_a_service_is_left_alone_for_as_long_as_it_asks (void)
{
  g_autoptr (WebStandIn) server = start_server ();
  g_autoptr (JmEmissionProvider) provider = make_rte (server, NULL);

  web_stand_in_set (server, RTE_PATH, "429 Too Many Requests", "Retry-After: 600\r\n",
                    "{}");

  assert_no_fetch (provider, JM_ERROR_UNAVAILABLE, "429");
  assert_no_fetch (provider, JM_ERROR_UNAVAILABLE, "left alone");
  g_assert_cmpuint (web_stand_in_count (server, RTE_PATH), ==, 1);
}

static void
test_electricity_maps_is_given_the_token (void)
{
  g_autoptr (WebStandIn) server = start_server ();
  char *token_file = write_secret (TOKEN "\n", 0640);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmEmissionProvider) provider = make_maps (server, token_file, &error);
  g_autofree char *time = recently ();
  g_autofree char *body = g_strdup_printf (
    "{\"zone\": \"DE\", \"carbonIntensity\": 302, \"datetime\": \"%s\"}", time);
  g_autofree char *sent = NULL;

  g_assert_no_error (error);
  web_stand_in_set (server, MAPS_PATH, "200 OK", "", body);

  g_assert_cmpfloat (fetch (provider), ==, 302);
  sent = web_stand_in_get_request (server, MAPS_PATH);
  g_assert_nonnull (strstr (sent, "/latest?zone=DE "));
  g_assert_nonnull (strstr (sent, "auth-token: " TOKEN "\r\n"));
  drop_secret (token_file);
}

static void
test_a_wrong_token_is_denied_and_not_shown (void)
{
  g_autoptr (WebStandIn) server = start_server ();
  char *token_file = write_secret (TOKEN, 0600);
  g_autoptr (JmEmissionProvider) provider = make_maps (server, token_file, NULL);

  web_stand_in_set (server, MAPS_PATH, "401 Unauthorized", "",
                    "{\"message\": \"Invalid auth-token " TOKEN "\"}");

  assert_no_fetch (provider, JM_ERROR_DENIED, "401");
  drop_secret (token_file);
}

static void
test_a_token_never_follows_a_redirect (void)
{
  g_autoptr (WebStandIn) server = start_server ();
  g_autoptr (WebStandIn) other = start_server ();
  char *token_file = write_secret (TOKEN, 0600);
  g_autoptr (JmEmissionProvider) provider = make_maps (server, token_file, NULL);
  g_autofree char *location =
    g_strconcat ("Location: ", web_stand_in_get_url (other), MAPS_PATH "\r\n", NULL);

  web_stand_in_set (server, MAPS_PATH, "302 Found", location, "");
  web_stand_in_set (other, MAPS_PATH, "200 OK", "", "{}");

  assert_no_fetch (provider, JM_ERROR_UNAVAILABLE, "not followed");
  g_assert_cmpuint (web_stand_in_count (other, MAPS_PATH), ==, 0);
  drop_secret (token_file);
}

static void
test_a_token_that_others_can_read_is_none (void)
{
  g_autoptr (WebStandIn) server = start_server ();
  char *token_file = write_secret (TOKEN, 0644);
  g_autoptr (GError) error = NULL;

  g_assert_null (make_maps (server, token_file, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_DENIED);
  g_assert_nonnull (strstr (error->message, token_file));
  g_assert_null (strstr (error->message, TOKEN));
  drop_secret (token_file);
}

static void
test_a_token_may_be_in_the_environment (void)
{
  g_autoptr (WebStandIn) server = start_server ();
  g_autoptr (GError) error = NULL;
  g_autoptr (JmEmissionProvider) provider = NULL;

  g_assert_null (make_maps (server, NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);

  g_clear_error (&error);
  g_setenv ("EMAPS_API_TOKEN", TOKEN, TRUE);
  provider = make_maps (server, NULL, &error);
  g_unsetenv ("EMAPS_API_TOKEN");
  g_assert_no_error (error);
}

static void
set_watt_time (WebStandIn *server, const char *value)
{
  g_autofree char *time = recently ();
  g_autofree char *body = g_strdup_printf (
    "{\"data\": [{\"point_time\": \"%s\", \"value\": %s}], \"meta\": {\"region\": "
    "\"CAISO_NORTH\", \"signal_type\": \"co2_moer\", \"units\": \"lbs_co2_per_mwh\"}}",
    time, value);

  web_stand_in_set (server, "/v3/forecast", "200 OK", "", body);
}

static void
test_watt_time_logs_in_once (void)
{
  g_autoptr (WebStandIn) server = start_server ();
  char *file = write_secret ("# WattTime\nusername=ann\npassword=pass=word\n", 0600);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmEmissionProvider) provider = make_watt_time (server, file, &error);
  g_autofree char *login = NULL;
  g_autofree char *sent = NULL;

  g_assert_no_error (error);
  web_stand_in_set (server, "/login", "200 OK", "", "{\"token\": \"" TOKEN "\"}");
  set_watt_time (server, "1000");

  g_assert_cmpfloat_with_epsilon (fetch (provider), 453.59237, 1e-6);
  g_assert_cmpfloat_with_epsilon (fetch (provider), 453.59237, 1e-6);
  g_assert_cmpuint (web_stand_in_count (server, "/login"), ==, 1);
  login = web_stand_in_get_request (server, "/login");
  g_assert_nonnull (strstr (login, "Basic YW5uOnBhc3M9d29yZA==\r\n"));
  sent = web_stand_in_get_request (server, "/v3/forecast");
  g_assert_nonnull (strstr (sent, "Authorization: Bearer " TOKEN "\r\n"));
  drop_secret (file);
}

static void
test_watt_time_logs_in_anew_if_the_token_is_withdrawn (void)
{
  g_autoptr (WebStandIn) server = start_server ();
  char *file = write_secret ("username=ann\npassword=secret\n", 0600);
  g_autoptr (JmEmissionProvider) provider = make_watt_time (server, file, NULL);

  web_stand_in_set (server, "/login", "200 OK", "", "{\"token\": \"" TOKEN "\"}");
  web_stand_in_set (server, "/v3/forecast", "401 Unauthorized", "", "{}");

  assert_no_fetch (provider, JM_ERROR_DENIED, "/v3/forecast");
  g_assert_cmpuint (web_stand_in_count (server, "/v3/forecast"), ==, 2);
  g_assert_cmpuint (web_stand_in_count (server, "/login"), ==, 2);
  drop_secret (file);
}

static void
test_watt_time_that_refuses_the_login_is_denied (void)
{
  g_autoptr (WebStandIn) server = start_server ();
  char *file = write_secret ("username=ann\npassword=secret\n", 0600);
  g_autoptr (JmEmissionProvider) provider = make_watt_time (server, file, NULL);

  web_stand_in_set (server, "/login", "403 Forbidden", "", "{}");
  assert_no_fetch (provider, JM_ERROR_DENIED, "/login");

  web_stand_in_set (server, "/login", "200 OK", "", "{\"tok\": \"" TOKEN "\"}");
  assert_no_fetch (provider, JM_ERROR_MALFORMED, "no token");
  drop_secret (file);
}

static void
test_an_account_needs_a_name_and_a_password (void)
{
  g_autoptr (WebStandIn) server = start_server ();
  char *file = write_secret ("username=ann\n", 0600);
  g_autoptr (GError) error = NULL;

  g_assert_null (make_watt_time (server, file, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
  drop_secret (file);
}

static void
set_uk (WebStandIn *server, const char *path)
{
  g_autofree char *time = recently ();
  g_autoptr (GDateTime) from = g_date_time_new_from_iso8601 (time, NULL);
  g_autoptr (GDateTime) until = g_date_time_add_minutes (from, 30);
  g_autofree char *to = g_date_time_format (until, "%Y-%m-%dT%H:%MZ");
  g_autofree char *body = g_strdup_printf ("{\"data\":[{\"from\":\"%s\",\"to\":\"%s\","
                                           "\"intensity\":{\"forecast\":266,"
                                           "\"actual\":263,\"index\":\"moderate\"}}]}",
                                           time, to);

  web_stand_in_set (server, path, "200 OK", "", body);
}

static void
test_uk_is_asked_for_the_country_or_a_region (void)
{
  const struct
  {
    const char *postcode;
    guint region;
    const char *path;
    const char *zone;
  } places[] = { { NULL, 0, "/intensity", "GB" },
                 { "RG10", 0, "/regional/postcode/RG10", "GB-RG10" },
                 { NULL, 13, "/regional/regionid/13", "GB-13" } };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autoptr (WebStandIn) server = start_server ();
      g_autoptr (GError) error = NULL;
      g_autoptr (JmEmissionProvider) provider =
        g_initable_new (JM_TYPE_UK_CARBON_INTENSITY_PROVIDER, NULL, &error, "url",
                        web_stand_in_get_url (server), "ca-file",
                        web_stand_in_get_ca_file (server), "postcode",
                        places[i].postcode, "region", places[i].region, NULL);
      g_autoptr (JmEmissionFactor) factor = NULL;

      g_assert_no_error (error);
      set_uk (server, places[i].path);
      factor = jm_emission_provider_fetch (provider, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (jm_emission_factor_get_zone (factor), ==, places[i].zone);
      g_assert_cmpfloat (jm_emission_factor_get_grams_per_kwh (factor), ==, 263);
    }
}

static void
test_the_table_that_comes_along_knows_france (void)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmOwidProvider) provider =
    g_initable_new (JM_TYPE_OWID_PROVIDER, NULL, &error, "host", host, "zone", "FRA",
                    NULL);

  g_assert_no_error (error);
  g_assert_cmpfloat (fetch (JM_EMISSION_PROVIDER (provider)), ==, 44.18);
  g_assert_cmpuint (jm_emission_provider_get_interval (JM_EMISSION_PROVIDER (provider)),
                    ==, 0);
}

/* Every line of the table that comes along must be one. */
static void
test_the_table_that_comes_along_is_sound (void)
{
  g_autoptr (JmHost) host = jm_host_new ("/nowhere");
  g_autoptr (JmDataFile) table = jm_data_find (host, "emissions/owid.csv", NULL);
  g_autoptr (GBytes) bytes = jm_data_file_read (table, 0, NULL);
  g_auto (GStrv) lines = g_strsplit (g_bytes_get_data (bytes, NULL), "\n", -1);
  guint n_countries = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *code = g_strndup (lines[i], strcspn (lines[i], ","));
      g_autoptr (GError) error = NULL;
      g_autoptr (JmOwidProvider) provider = NULL;

      if (*lines[i] == '#' || *lines[i] == '\0')
        continue;
      provider = g_initable_new (JM_TYPE_OWID_PROVIDER, NULL, &error, "host", host,
                                 "zone", code, NULL);
      g_assert_no_error (error);
      n_countries++;
    }
  g_assert_cmpuint (n_countries, >=, 60);
}

static void
test_a_fixed_factor_is_what_the_site_says (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmEmissionProvider) provider =
    g_initable_new (JM_TYPE_FIXED_PROVIDER, NULL, &error, "factor", 12.5, "zone",
                    "hydro-contract", "method", "marginal", "scope", "direct", NULL);
  g_autoptr (JmEmissionFactor) factor = NULL;

  g_assert_no_error (error);
  factor = jm_emission_provider_fetch (provider, NULL, &error);
  g_assert_cmpfloat (jm_emission_factor_get_grams_per_kwh (factor), ==, 12.5);
  g_assert_cmpstr (jm_emission_factor_get_zone (factor), ==, "hydro-contract");
  g_assert_cmpint (jm_emission_factor_get_method (factor), ==,
                   JM_EMISSION_METHOD_MARGINAL);
  g_assert_cmpint (jm_emission_factor_get_scope (factor), ==, JM_EMISSION_SCOPE_DIRECT);
}

static void
test_the_world_is_a_statistic (void)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmGlobalProvider) provider =
    g_initable_new (JM_TYPE_GLOBAL_PROVIDER, NULL, &error, "host", host, NULL);
  g_autoptr (JmEmissionFactor) factor = NULL;

  g_assert_no_error (error);
  factor = jm_emission_provider_fetch (JM_EMISSION_PROVIDER (provider), NULL, &error);
  g_assert_cmpfloat (jm_emission_factor_get_grams_per_kwh (factor), ==, 473.01);
  g_assert_cmpint (jm_emission_factor_get_quality (factor), ==,
                   JM_EMISSION_QUALITY_STATISTIC);
}

/* @made is what could not be made; @error says why, and is cleared. */
static void
assert_invalid (gpointer made, GError **error)
{
  g_assert_null (made);
  g_assert_error (*error, JM_ERROR, JM_ERROR_INVALID);
  g_clear_error (error);
}

static void
test_settings_that_are_invalid_are_refused (void)
{
  g_autoptr (GError) error = NULL;

  assert_invalid (g_initable_new (JM_TYPE_FIXED_PROVIDER, NULL, &error, NULL), &error);
  assert_invalid (g_initable_new (JM_TYPE_FIXED_PROVIDER, NULL, &error, "factor", 5.0,
                                  "method", "mean", NULL),
                  &error);
  assert_invalid (g_initable_new (JM_TYPE_FIXED_PROVIDER, NULL, &error, "factor", 5.0,
                                  "scope", "all", NULL),
                  &error);
  assert_invalid (g_initable_new (JM_TYPE_OWID_PROVIDER, NULL, &error, NULL), &error);
  assert_invalid (g_initable_new (JM_TYPE_OWID_PROVIDER, NULL, &error, "zone", "../x",
                                  NULL),
                  &error);
  assert_invalid (g_initable_new (JM_TYPE_RTE_PROVIDER, NULL, &error, "url",
                                  "http://odre.opendatasoft.com", NULL),
                  &error);
  assert_invalid (g_initable_new (JM_TYPE_UK_CARBON_INTENSITY_PROVIDER, NULL, &error,
                                  "postcode", "RG10", "region", 13u, NULL),
                  &error);
  assert_invalid (g_initable_new (JM_TYPE_UK_CARBON_INTENSITY_PROVIDER, NULL, &error,
                                  "postcode", "RG10/..", NULL),
                  &error);
}

#define TEST(name)                                                                     \
 {                                                                                     \
  "/emission-providers/" #name, test_##name                                            \
 }

int
main (int argc, char **argv)
{
  const struct
  {
    const char *path;
    GTestFunc function;
  } tests[] = {
    TEST (rte_is_asked_for_rows_with_a_figure),
    TEST (a_page_for_people_is_no_factor),
    TEST (a_service_is_left_alone_for_as_long_as_it_asks),
    TEST (electricity_maps_is_given_the_token),
    TEST (a_wrong_token_is_denied_and_not_shown),
    TEST (a_token_never_follows_a_redirect),
    TEST (a_token_that_others_can_read_is_none),
    TEST (a_token_may_be_in_the_environment),
    TEST (watt_time_logs_in_once),
    TEST (watt_time_logs_in_anew_if_the_token_is_withdrawn),
    TEST (watt_time_that_refuses_the_login_is_denied),
    TEST (an_account_needs_a_name_and_a_password),
    TEST (uk_is_asked_for_the_country_or_a_region),
    TEST (the_table_that_comes_along_knows_france),
    TEST (the_table_that_comes_along_is_sound),
    TEST (a_fixed_factor_is_what_the_site_says),
    TEST (the_world_is_a_statistic),
    TEST (settings_that_are_invalid_are_refused),
  };

  g_test_init (&argc, &argv, NULL);
  /* the stand-in is on this machine, and the accounts are the tests' own */
  g_setenv ("no_proxy", "localhost,127.0.0.1", TRUE);
  g_unsetenv ("ELECTRICITY_MAPS_TOKEN");
  g_unsetenv ("EMAPS_API_TOKEN");
  g_unsetenv ("WT_USERNAME");
  g_unsetenv ("WT_PASSWORD");
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add_func (tests[i].path, tests[i].function);

  return g_test_run ();
}
