/* test-redfish-source.c: a node's power, from its BMC through the network
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/power/jm-power-types-private.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "answers.h"
#include "base/jm-error.h"
#include "sources/power/jm-redfish-parts-private.h"
#include "tree.h"
#include "web-stand-in.h"

#define SESSIONS "/redfish/v1/SessionService/Sessions"
#define CHASSIS "/redfish/v1/Chassis"
#define LENOVO_POWER "/redfish/v1/Chassis/1/Power"
#define PASSWORD "correct-horse-battery"
#define CREDENTIALS "# of the BMC\nusername=reader\npassword=" PASSWORD "\n"
#define UW 1000000ULL
#define PATIENCE_MS 20000
#define SHORT_MS 300

typedef struct
{
  WebStandIn *server;
  Tree *tree;
  JmHost *host;
  char *credentials;
  JmRedfishSettings settings;
  JmRedfishClient *client;
} Bmc;

static void
set_page (JsonObject *object, const char *path, JsonNode *resource, gpointer user_data)
{
  g_autofree char *body = json_to_string (resource, FALSE);

  web_stand_in_set (user_data, path, "200 OK", "Content-Type: application/json\r\n",
                    body);
}

static void
load_pages (WebStandIn *server, const char *maker)
{
  g_autofree char *name = g_strconcat (maker, ".json", NULL);
  g_autofree char *path =
    g_test_build_filename (G_TEST_BUILT, "fixtures", "power-redfish", "redfish", name,
                           NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;

  json_parser_load_from_file (parser, path, &error);
  g_assert_no_error (error);
  json_object_foreach_member (json_node_get_object (json_parser_get_root (parser)),
                              set_page, server);
}

static void
offer_session (Bmc *self, const char *token)
{
  g_autofree char *headers =
    g_strdup_printf ("X-Auth-Token: %s\r\nLocation: " SESSIONS "/%s\r\n", token, token);
  g_autofree char *path = g_strconcat (SESSIONS "/", token, NULL);
  g_autofree char *key = g_strconcat ("X-Auth-Token: ", token, "\r\n", NULL);

  web_stand_in_set (self->server, SESSIONS, "201 Created", headers, "{}");
  web_stand_in_set (self->server, path, "200 OK", "", "{}");
  web_stand_in_set_key (self->server, key);
}

static char *
write_credentials (Tree *tree, const char *text, int mode)
{
  char *path = tree_path (tree, "bmc.credentials");

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    tree_remove (tree, "bmc.credentials");
  tree_write (tree, "bmc.credentials", text);
  g_assert_cmpint (g_chmod (path, mode), ==, 0);

  return path;
}

static Bmc *
bmc_new_with (const char *maker, gboolean is_tls)
{
  Bmc *self = g_new0 (Bmc, 1);

  self->server = web_stand_in_new (is_tls);
  load_pages (self->server, maker);
  self->tree = tree_new ();
  self->credentials = write_credentials (self->tree, CREDENTIALS, 0600);
  self->host = jm_host_new (NULL);
  self->settings = (JmRedfishSettings){
    .url = web_stand_in_get_url (self->server),
    .credentials_file = self->credentials,
    .ca_file = is_tls ? web_stand_in_get_ca_file (self->server) : NULL,
    .timeout_ms = PATIENCE_MS,
  };
  offer_session (self, "token-one");

  return self;
}

static Bmc *
bmc_new (const char *maker)
{
  return bmc_new_with (maker, FALSE);
}

static void
bmc_free (Bmc *self)
{
  g_clear_pointer (&self->client, jm_redfish_client_free);
  web_stand_in_free (self->server);
  tree_free (self->tree);
  g_assert_finalize_object (self->host);
  g_free (self->credentials);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Bmc, bmc_free)

static gboolean
bmc_ask (Bmc *self, guint64 *power_uw, GError **error)
{
  if (self->client == NULL)
    self->client = jm_redfish_client_new (self->host, &self->settings);

  return jm_redfish_client_read_power (self->client, power_uw, NULL, error);
}

static void
assert_power_is (Bmc *bmc, guint64 expected_uw)
{
  g_autoptr (GError) error = NULL;
  guint64 power_uw = 0;

  bmc_ask (bmc, &power_uw, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (power_uw, ==, expected_uw);
}

static void
assert_refused (Bmc *bmc, JmError code, const char *words)
{
  g_autoptr (GError) error = NULL;
  guint64 power_uw;

  g_assert_false (bmc_ask (bmc, &power_uw, &error));
  assert_says (error, code, words);
  g_assert_null (strstr (error->message, PASSWORD));
  g_assert_null (strstr (error->message, "token-"));
}

static void
test_each_maker_reports_the_node_in_its_way (void)
{
  static const struct
  {
    const char *maker;
    guint64 power_uw;
  } cases[] = {
    { "dell", 238 * UW },        { "hpe", 319 * UW },      { "lenovo", 412 * UW },
    { "openbmc", 299750000ULL }, { "hgx", 4321500000ULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Bmc) bmc = bmc_new (cases[i].maker);

      assert_power_is (bmc, cases[i].power_uw);
    }
}

static void
test_what_was_found_out_is_not_asked_again (void)
{
  g_autoptr (Bmc) bmc = bmc_new ("dell");

  for (guint i = 0; i < 5; i++)
    assert_power_is (bmc, 238 * UW);

  g_assert_cmpuint (web_stand_in_count (bmc->server, SESSIONS), ==, 1);
  g_assert_cmpuint (web_stand_in_count (bmc->server, CHASSIS), ==, 1);
  g_assert_cmpuint (web_stand_in_count (bmc->server, CHASSIS
                                        "/System.Embedded.1/EnvironmentMetrics"),
                    ==, 1);
  g_assert_cmpuint (web_stand_in_count (bmc->server,
                                        CHASSIS "/System.Embedded.1/Power"),
                    ==, 5);
}

static void
test_one_of_several_nodes_must_be_named (void)
{
  g_autoptr (Bmc) bmc = bmc_new ("twin");

  assert_refused (bmc, JM_ERROR_INVALID, "the BMC knows several computers");
  g_clear_pointer (&bmc->client, jm_redfish_client_free);

  bmc->settings.chassis = "Node2";
  assert_power_is (bmc, 202 * UW);
}

static void
test_named_chassis_are_summed (void)
{
  g_autoptr (Bmc) bmc = bmc_new ("twin");

  bmc->settings.chassis = "Node1:Node2";
  assert_power_is (bmc, 403 * UW);
}

static void
test_a_chassis_of_no_such_name_is_reported (void)
{
  g_autoptr (Bmc) bmc = bmc_new ("twin");

  bmc->settings.chassis = "Node1:Node 3";
  assert_refused (bmc, JM_ERROR_ABSENT, CHASSIS "/Node%203: 404");
}

static void
test_a_certificate_is_checked (void)
{
  g_autoptr (Bmc) bmc = bmc_new_with ("dell", TRUE);

  bmc->settings.ca_file = NULL;
  assert_refused (bmc, JM_ERROR_UNAVAILABLE, "certificate");
  g_clear_pointer (&bmc->client, jm_redfish_client_free);

  bmc->settings.ca_file = web_stand_in_get_ca_file (bmc->server);
  assert_power_is (bmc, 238 * UW);
}

static void
test_any_certificate_will_do_if_configured_so (void)
{
  g_autoptr (Bmc) bmc = bmc_new_with ("dell", TRUE);

  bmc->settings.ca_file = NULL;
  bmc->settings.is_insecure = TRUE;
  assert_power_is (bmc, 238 * UW);
}

static void
test_a_session_is_begun_once_and_ended (void)
{
  g_autoptr (Bmc) bmc = bmc_new ("lenovo");
  g_autofree char *login = NULL;
  g_autofree char *last = NULL;

  assert_power_is (bmc, 412 * UW);
  login = web_stand_in_get_request (bmc->server, SESSIONS);
  g_assert_nonnull (
    strstr (login, "{\"UserName\":\"reader\",\"Password\":\"" PASSWORD "\"}"));
  g_assert_null (strstr (login, "Authorization"));

  g_clear_pointer (&bmc->client, jm_redfish_client_free);
  last = web_stand_in_get_request (bmc->server, SESSIONS "/token-one");
  g_assert_true (g_str_has_prefix (last, "DELETE "));
  g_assert_nonnull (strstr (last, "X-Auth-Token: token-one\r\n"));
}

static void
test_a_session_that_the_bmc_ended_is_begun_anew (void)
{
  g_autoptr (Bmc) bmc = bmc_new ("lenovo");

  assert_power_is (bmc, 412 * UW);
  offer_session (bmc, "token-two");
  assert_power_is (bmc, 412 * UW);

  g_assert_cmpuint (web_stand_in_count (bmc->server, SESSIONS), ==, 1);
  g_assert_cmpuint (web_stand_in_count (bmc->server, CHASSIS), ==, 1);
}

static void
test_a_bmc_that_refuses_each_session_is_not_pressed (void)
{
  g_autoptr (Bmc) bmc = bmc_new ("lenovo");

  web_stand_in_set_key (bmc->server, "X-Auth-Token: of-somebody-else");
  assert_refused (bmc, JM_ERROR_DENIED, CHASSIS ": 401");
  g_assert_cmpuint (web_stand_in_count (bmc->server, SESSIONS), ==, 2);
}

static void
test_a_wrong_password_is_said_once (void)
{
  g_autoptr (Bmc) bmc = bmc_new ("lenovo");

  web_stand_in_set (bmc->server, SESSIONS, "401 Unauthorized", "",
                    "{\"error\":{\"message\":\"" PASSWORD " is wrong\"}}");
  assert_refused (bmc, JM_ERROR_DENIED, SESSIONS ": 401");
  g_assert_cmpuint (web_stand_in_count (bmc->server, SESSIONS), ==, 1);
}

static void
test_a_bmc_without_sessions_is_asked_by_password (void)
{
  static const char *const refusals[] = { "404 Not Found", "405 Method Not Allowed" };

  for (guint i = 0; i < G_N_ELEMENTS (refusals); i++)
    {
      g_autoptr (Bmc) bmc = bmc_new ("hpe");

      web_stand_in_set (bmc->server, SESSIONS, refusals[i], "", "");
      web_stand_in_set_key (bmc->server,
                            "Authorization: Basic "
                            "cmVhZGVyOmNvcnJlY3QtaG9yc2UtYmF0dGVyeQ==\r\n");
      assert_power_is (bmc, 319 * UW);
      assert_power_is (bmc, 319 * UW);
      g_assert_cmpuint (web_stand_in_count (bmc->server, SESSIONS), ==, 1);
    }
}

static void
test_basic_begins_no_session (void)
{
  g_autoptr (Bmc) bmc = bmc_new ("hpe");

  bmc->settings.is_basic = TRUE;
  web_stand_in_set_key (bmc->server, "Authorization: Basic ");
  assert_power_is (bmc, 319 * UW);
  g_assert_cmpuint (web_stand_in_count (bmc->server, SESSIONS), ==, 0);
}

static void
test_a_new_password_serves_at_once (void)
{
  g_autoptr (Bmc) bmc = bmc_new ("hpe");
  g_autofree char *again = NULL;

  bmc->settings.is_basic = TRUE;
  web_stand_in_set_key (bmc->server, "Authorization: Basic cmVhZGVyOm5ldw==\r\n");
  assert_refused (bmc, JM_ERROR_DENIED, "401");

  again = write_credentials (bmc->tree, "username=reader\npassword=new\n", 0600);
  g_assert_cmpstr (again, ==, bmc->credentials);
  assert_power_is (bmc, 319 * UW);
}

static void
test_a_session_without_a_token_is_none (void)
{
  g_autoptr (Bmc) bmc = bmc_new ("lenovo");

  web_stand_in_set (bmc->server, SESSIONS, "201 Created", "", "{}");
  assert_refused (bmc, JM_ERROR_MALFORMED, "without a token");
}

static void
test_power_is_found_where_bmcs_have_it (void)
{
  static const struct
  {
    const char *body;
    double watts;
  } cases[] = {
    { "{\"PowerControl\":[],\"PowerSupplies\":["
      "{\"PowerInputWatts\":225,\"Status\":{\"State\":\"Enabled\"}},"
      "{\"PowerInputWatts\":220.5},{\"Status\":{\"State\":\"Absent\"}}]}",
      445.5 },
    { "{\"PowerControl\":[{\"Name\":\"System\",\"PowerConsumedWatts\":null}],"
      "\"PowerSupplies\":[{\"PowerInputWatts\":410},{\"PowerInputWatts\":0}]}",
      410 },
    { "{\"PowerControl\":[],\"Oem\":{\"ts_fujitsu\":{\"ChassisPowerConsumption\":"
      "{\"CurrentPowerConsumptionW\":150,\"PeakPowerW\":195}}}}",
      150 },
    { "{\"PowerConsumedWatts\":93,\"PowerControl\":[{\"PowerConsumedWatts\":94}],"
      "\"PowerSupplies\":[{\"PowerInputWatts\":95}]}",
      94 },
    { "{\"PowerControl\":[{\"Name\":\"Chassis Power Control\",\"PowerConsumedWatts\":"
      "700},{\"Name\":\"Node 1 Power\",\"PowerConsumedWatts\":330,\"RelatedItem\":"
      "[{\"@odata.id\":\"/redfish/v1/Systems/1\"}]}]}",
      330 },
    /* a twin's chassis: this node's is /redfish/v1/Systems/1 */
    { "{\"PowerControl\":[{\"PowerConsumedWatts\":200,\"RelatedItem\":"
      "[{\"@odata.id\":\"/redfish/v1/Systems/2\"}]},{\"PowerConsumedWatts\":310,"
      "\"RelatedItem\":[{\"@odata.id\":\"/redfish/v1/Systems/1/\"}]}]}",
      310 },
    { "{\"PowerControl\":[{\"PowerConsumedWatts\":200,\"RelatedItem\":"
      "[{\"@odata.id\":\"/redfish/v1/Systems/11\"}]},{\"PowerConsumedWatts\":20,"
      "\"RelatedItem\":[{\"@odata.id\":\"/redfish/v1/Systems/11\"}]}]}",
      220 },
  };
  g_autoptr (Bmc) bmc = bmc_new ("lenovo");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].body);
      web_stand_in_set (bmc->server, LENOVO_POWER, "200 OK", "", cases[i].body);
      assert_power_is (bmc, (guint64) (cases[i].watts * UW));
    }
}

static void
test_nonsense_is_no_reading (void)
{
  static const struct
  {
    const char *status;
    const char *body;
    JmError code;
    const char *words;
  } cases[] = {
    { "200 OK", "{\"PowerControl\":[{\"PowerConsumedWatts\":0}]}", JM_ERROR_UNAVAILABLE,
      "no reading" },
    { "200 OK", "{\"PowerControl\":[{\"PowerConsumedWatts\":null}]}",
      JM_ERROR_UNAVAILABLE, "no reading" },
    { "200 OK", "{\"PowerControl\":[{\"PowerConsumedWatts\":-5}]}",
      JM_ERROR_UNAVAILABLE, "no reading" },
    { "200 OK", "{\"PowerControl\":[{\"PowerConsumedWatts\":1e12}]}",
      JM_ERROR_UNAVAILABLE, "no reading" },
    { "200 OK", "{\"PowerControl\":[{\"PowerConsumedWatts\":65535}]}",
      JM_ERROR_UNAVAILABLE, "no reading" },
    { "200 OK", "{\"PowerControl\":[{\"PowerConsumedWatts\":\"412\"}]}",
      JM_ERROR_UNAVAILABLE, "no reading" },
    { "200 OK",
      "{\"PowerControl\":[{\"PowerConsumedWatts\":200},{\"PowerConsumedWatts\":null}]}",
      JM_ERROR_UNAVAILABLE, "no reading" },
    { "200 OK",
      "{\"PowerSupplies\":[{\"PowerInputWatts\":200},{\"PowerInputWatts\":null}]}",
      JM_ERROR_UNAVAILABLE, "no reading" },
    { "200 OK", "{\"PowerControl\":{}}", JM_ERROR_UNAVAILABLE, "no reading" },
    { "200 OK", "[]", JM_ERROR_UNAVAILABLE, "no reading" },
    { "200 OK", "<html><body>Please log in</body></html>", JM_ERROR_MALFORMED,
      "not JSON" },
    { "200 OK", "", JM_ERROR_MALFORMED, "empty" },
    { "404 Not Found", "", JM_ERROR_ABSENT, "404" },
    { "403 Forbidden", "", JM_ERROR_DENIED, "403" },
    { "500 Internal Server Error", "<html>", JM_ERROR_UNAVAILABLE, "500" },
    { "503 Service Unavailable", "", JM_ERROR_UNAVAILABLE, "503" },
  };
  g_autoptr (Bmc) bmc = bmc_new ("lenovo");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      web_stand_in_set (bmc->server, LENOVO_POWER, cases[i].status, "", cases[i].body);
      assert_refused (bmc, cases[i].code, cases[i].words);
    }
}

static void
test_a_bmc_recovers (void)
{
  g_autoptr (Bmc) bmc = bmc_new ("lenovo");

  assert_power_is (bmc, 412 * UW);
  web_stand_in_set (bmc->server, LENOVO_POWER, "503 Service Unavailable", "", "");
  assert_refused (bmc, JM_ERROR_UNAVAILABLE, "503");
  web_stand_in_set (bmc->server, LENOVO_POWER, "200 OK", "",
                    "{\"PowerControl\":[{\"PowerConsumedWatts\":99.5}]}");
  assert_power_is (bmc, 99500000);
}

static void
test_a_part_of_the_supplies_is_not_the_node (void)
{
  g_autoptr (Bmc) bmc = bmc_new ("openbmc");

  web_stand_in_set (bmc->server,
                    CHASSIS "/chassis/PowerSubsystem/PowerSupplies/psu1/Metrics",
                    "200 OK", "", "{\"InputPowerWatts\":{\"Reading\":null}}");
  assert_refused (bmc, JM_ERROR_UNAVAILABLE, "no reading in InputPowerWatts");
}

static void
test_redirects_stay_with_the_bmc (void)
{
  g_autoptr (Bmc) bmc = bmc_new ("lenovo");

  web_stand_in_set (bmc->server, "/moved", "200 OK", "",
                    "{\"PowerControl\":[{\"PowerConsumedWatts\":77}]}");
  web_stand_in_set (bmc->server, LENOVO_POWER, "308 Permanent Redirect",
                    "Location: /moved\r\n", "");
  assert_power_is (bmc, 77 * UW);

  web_stand_in_set (bmc->server, LENOVO_POWER, "302 Found",
                    "Location: https://other.example.org/\r\n", "");
  assert_refused (bmc, JM_ERROR_UNAVAILABLE, "not followed");
}

static void
test_links_stay_with_the_bmc (void)
{
  g_autoptr (Bmc) bmc = bmc_new ("lenovo");

  web_stand_in_set (bmc->server, CHASSIS "/1", "200 OK", "",
                    "{\"Power\":{\"@odata.id\":\"//other.example.org/Power\"}}");
  assert_refused (bmc, JM_ERROR_ABSENT, "has no");
}

static void
test_a_bmc_that_hangs_is_given_up (void)
{
  static const WebManner manners[] = { WEB_TRICKLE, WEB_SILENTLY };

  for (guint i = 0; i < G_N_ELEMENTS (manners); i++)
    {
      g_autoptr (Bmc) bmc = bmc_new ("lenovo");

      assert_power_is (bmc, 412 * UW);
      g_clear_pointer (&bmc->client, jm_redfish_client_free);
      bmc->settings.timeout_ms = SHORT_MS;
      web_stand_in_set_manner (bmc->server, LENOVO_POWER, manners[i]);
      assert_refused (bmc, JM_ERROR_UNAVAILABLE, "no whole answer in time");
    }
}

static void
test_an_answer_without_end_is_given_up (void)
{
  g_autoptr (Bmc) bmc = bmc_new ("lenovo");

  web_stand_in_set_manner (bmc->server, LENOVO_POWER, WEB_ENDLESS);
  assert_refused (bmc, JM_ERROR_TOO_LARGE, "longer than 1048576 bytes");
}

static JmRedfishSource *
open_source (Bmc *bmc, const char *url, const char *auth, GError **error)
{
  return g_initable_new (JM_TYPE_REDFISH_SOURCE, NULL, error, "host", bmc->host, "url",
                         url, "credentials-file", bmc->credentials, "auth", auth,
                         "ca-file", bmc->settings.ca_file, "interval", 3600.0, NULL);
}

static void
test_a_source_reports_the_last_answer_with_its_age (void)
{
  g_autoptr (Bmc) bmc = bmc_new_with ("dell", TRUE);
  g_autofree char *url =
    g_strconcat (web_stand_in_get_url (bmc->server), "/redfish/v1/", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRedfishSource) source = open_source (bmc, url, "session", &error);
  g_autoptr (JmReadings) readings = answers_new ();

  g_assert_no_error (error);
  g_assert_true (jm_power_source_wait (JM_POWER_SOURCE (source), ANSWERS_PATIENCE_US));
  g_assert_true (answers_read (readings, source, &error));
  assert_power (readings, "node", 238 * UW);
  g_assert_cmpuint (jm_readings_get_age (readings), <, (guint64) ANSWERS_PATIENCE_US);

  g_assert_finalize_object (g_steal_pointer (&source));
  g_assert_cmpuint (web_stand_in_count (bmc->server, SESSIONS "/token-one"), ==, 1);
}

static void
test_a_source_reports_why_there_is_no_answer (void)
{
  g_autoptr (Bmc) bmc = bmc_new ("dell");
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRedfishSource) source = NULL;
  g_autoptr (JmReadings) readings = answers_new ();

  web_stand_in_set (bmc->server, CHASSIS, "500 Internal Server Error", "", "");
  source = open_source (bmc, bmc->settings.url, "session", &error);
  g_assert_no_error (error);
  g_assert_true (jm_power_source_wait (JM_POWER_SOURCE (source), ANSWERS_PATIENCE_US));

  g_assert_false (answers_read (readings, source, &error));
  assert_says (error, JM_ERROR_UNAVAILABLE, CHASSIS ": 500");
}

static void
test_settings_that_are_invalid_are_reported (void)
{
  static const struct
  {
    const char *url;
    const char *auth;
    const char *words;
  } cases[] = {
    { NULL, "session", "redfish: url: must be set" },
    { "http://bmc.example.org", "session", "must begin with https" },
    { "https://user:word@bmc.example.org", "session", "belong into a file" },
    { "bmc.example.org", "session", "not a URL" },
    { "https://bmc.example.org", "digest", "redfish: auth: must be session or basic" },
  };
  g_autoptr (Bmc) bmc = bmc_new ("dell");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JmRedfishSource) source =
        open_source (bmc, cases[i].url, cases[i].auth, &error);

      assert_says (error, JM_ERROR_INVALID, cases[i].words);
      g_assert_null (source);
    }
}

static void
test_credentials_that_others_read_are_refused (void)
{
  g_autoptr (Bmc) bmc = bmc_new ("dell");
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRedfishSource) source = NULL;

  g_assert_cmpint (g_chmod (bmc->credentials, 0644), ==, 0);
  source =
    g_initable_new (JM_TYPE_REDFISH_SOURCE, NULL, &error, "host", bmc->host, "url",
                    bmc->settings.url, "credentials-file", bmc->credentials, NULL);

  assert_says (error, JM_ERROR_DENIED, "bmc.credentials");
  g_assert_null (source);
}

static void
test_a_copied_tree_has_no_bmc (void)
{
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", "power-redfish", NULL);
  g_autoptr (JmHost) host = jm_host_new (root);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRedfishSource) source =
    g_initable_new (JM_TYPE_REDFISH_SOURCE, NULL, &error, "host", host, "url",
                    "https://bmc.example.org", "credentials-file", "/credentials",
                    NULL);

  assert_says (error, JM_ERROR_ABSENT, "copied tree");
  g_assert_null (source);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, name) g_test_add_func ("/redfish/" path, name)
  ADD ("each-maker-reports-the-node-in-its-way",
       test_each_maker_reports_the_node_in_its_way);
  ADD ("what-was-found-out-is-not-asked-again",
       test_what_was_found_out_is_not_asked_again);
  ADD ("power-is-found-where-bmcs-have-it", test_power_is_found_where_bmcs_have_it);
  ADD ("one-of-several-nodes-must-be-named", test_one_of_several_nodes_must_be_named);
  ADD ("named-chassis-are-summed", test_named_chassis_are_summed);
  ADD ("a-chassis-of-no-such-name-is-reported",
       test_a_chassis_of_no_such_name_is_reported);
  ADD ("a-certificate-is-checked", test_a_certificate_is_checked);
  ADD ("any-certificate-will-do-if-configured-so",
       test_any_certificate_will_do_if_configured_so);
  ADD ("a-session-is-begun-once-and-ended", test_a_session_is_begun_once_and_ended);
  ADD ("a-session-that-the-bmc-ended-is-begun-anew",
       test_a_session_that_the_bmc_ended_is_begun_anew);
  ADD ("a-bmc-that-refuses-each-session-is-not-pressed",
       test_a_bmc_that_refuses_each_session_is_not_pressed);
  ADD ("a-wrong-password-is-said-once", test_a_wrong_password_is_said_once);
  ADD ("a-bmc-without-sessions-is-asked-by-password",
       test_a_bmc_without_sessions_is_asked_by_password);
  ADD ("basic-begins-no-session", test_basic_begins_no_session);
  ADD ("a-new-password-serves-at-once", test_a_new_password_serves_at_once);
  ADD ("a-session-without-a-token-is-none", test_a_session_without_a_token_is_none);
  ADD ("nonsense-is-no-reading", test_nonsense_is_no_reading);
  ADD ("a-bmc-recovers", test_a_bmc_recovers);
  ADD ("a-part-of-the-supplies-is-not-the-node",
       test_a_part_of_the_supplies_is_not_the_node);
  ADD ("redirects-stay-with-the-bmc", test_redirects_stay_with_the_bmc);
  ADD ("links-stay-with-the-bmc", test_links_stay_with_the_bmc);
  ADD ("a-bmc-that-hangs-is-given-up", test_a_bmc_that_hangs_is_given_up);
  ADD ("an-answer-without-end-is-given-up", test_an_answer_without_end_is_given_up);
  ADD ("a-source-reports-the-last-answer-with-its-age",
       test_a_source_reports_the_last_answer_with_its_age);
  ADD ("a-source-reports-why-there-is-no-answer",
       test_a_source_reports_why_there_is_no_answer);
  ADD ("settings-that-are-invalid-are-reported",
       test_settings_that_are_invalid_are_reported);
  ADD ("credentials-that-others-read-are-refused",
       test_credentials_that_others_read_are_refused);
  ADD ("a-copied-tree-has-no-bmc", test_a_copied_tree_has_no_bmc);

  return g_test_run ();
}
