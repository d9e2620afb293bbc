/* test-web-config.c: web.yml, good and bad
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "base/jm-error.h"
#include "web/jme-web-config.h"

#define HASH "$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW"

static JmeWebConfig *
parse (const char *text, GError **error)
{
  return jme_web_config_parse ("/etc/web.yml", text, strlen (text), error);
}

static JmeWebConfig *
parse_good (const char *text)
{
  g_autoptr (GError) error = NULL;
  JmeWebConfig *config = parse (text, &error);

  g_assert_no_error (error);
  g_assert_nonnull (config);

  return config;
}

static void
test_an_empty_file_means_open_plain_http (void)
{
  g_autoptr (JmeWebConfig) empty = parse_good ("");
  g_autoptr (JmeWebConfig) comment = parse_good ("# nothing\n");
  g_autoptr (JmeWebConfig) nulls =
    parse_good ("tls_server_config:\nhttp_server_config:\nbasic_auth_users:\n");

  g_assert_cmpuint (empty->tls.line, ==, 0);
  g_assert_cmpuint (comment->tls.line, ==, 0);
  g_assert_cmpuint (nulls->tls.line, ==, 0);
  g_assert_cmpuint (g_hash_table_size (nulls->users), ==, 0);
}

static void
test_every_key_is_read (void)
{
  g_autoptr (JmeWebConfig) config =
    parse_good ("tls_server_config:\n"
                "  cert_file: server.crt\n"
                "  key_file: /keys/server.key\n"
                "  client_auth_type: RequireAndVerifyClientCert\n"
                "  client_ca_file: ca.crt\n"
                "  client_allowed_sans: [prometheus.example.org, 192.0.2.1]\n"
                "  min_version: TLS13\n"
                "  max_version: TLS13\n"
                "  cipher_suites: []\n"
                "  curve_preferences:\n"
                "    - X25519\n"
                "    - CurveP256\n"
                "  prefer_server_cipher_suites: false\n"
                "http_server_config:\n"
                "  http2: true\n"
                "  headers:\n"
                "    X-Frame-Options: deny\n"
                "    Strict-Transport-Security: max-age=31536000\n"
                "basic_auth_users:\n"
                "  alice: " HASH "\n"
                "rate_limit:\n"
                "  interval: 1m0.5s\n"
                "  burst: 20\n");
  g_autofree char *priority = jme_tls_config_get_priority (&config->tls);
  g_auto (GStrv) files = jme_web_config_list_files (config);

  g_assert_cmpuint (config->tls.line, ==, 2);
  g_assert_cmpstr (config->tls.cert_file.path, ==, "/etc/server.crt");
  g_assert_cmpuint (config->tls.cert_file.line, ==, 2);
  g_assert_cmpstr (config->tls.key_file.path, ==, "/keys/server.key");
  g_assert_cmpstr (config->tls.client_ca_file.path, ==, "/etc/ca.crt");
  g_assert_cmpint (config->tls.client_auth, ==, JME_CLIENT_AUTH_REQUIRE_AND_VERIFY);
  g_assert_cmpstr (config->tls.client_allowed_sans[1], ==, "192.0.2.1");
  g_assert_cmpstr (priority, ==,
                   "NORMAL:-VERS-ALL:+VERS-TLS1.3:-GROUP-ALL:+GROUP-X25519:"
                   "+GROUP-SECP256R1");
  g_assert_true (config->http2);
  g_assert_cmpstr (g_hash_table_lookup (config->headers, "X-Frame-Options"), ==,
                   "deny");
  g_assert_cmpstr (g_hash_table_lookup (config->users, "alice"), ==, HASH);
  g_assert_cmpint (config->rate_interval_us, ==, 60500000);
  g_assert_cmpuint (config->rate_burst, ==, 20);
  g_assert_cmpuint (g_strv_length (files), ==, 4);
}

static void
test_versions_from_1_2_on_hold_where_none_is_named (void)
{
  g_autoptr (JmeWebConfig) config =
    parse_good ("tls_server_config: {cert_file: a, key_file: b}");
  g_autofree char *priority = jme_tls_config_get_priority (&config->tls);

  g_assert_cmpstr (priority, ==,
                   "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:%SERVER_PRECEDENCE");
}

static const struct
{
  const char *text;
  const char *message;
} bad[] = {
  { "a: [", "/etc/web.yml:2: not YAML: did not find expected node content" },
  { "\xff\xfe\x01", "/etc/web.yml:1: not YAML: *" },
  { "tls_server_config: \"a\\x00b\"",
    "*:1: tls_server_config: must be keys with values" },
  { "- a\n", "/etc/web.yml:1: must be keys with values" },
  { "a\n", "/etc/web.yml:1: must be keys with values" },
  { "a: 1\n", "/etc/web.yml:1: a: unknown key" },
  { "---\nrate_limit:\n---\nb: 1\n", "/etc/web.yml: more than one YAML document" },
  { "http_server_config:\n  htp2: true\n",
    "/etc/web.yml:2: htp2: unknown key in http_server_config" },
  { "http_server_config:\n  http2: maybe\n",
    "/etc/web.yml:2: http2: neither true nor false: maybe" },
  { "http_server_config:\n  http2: [true]\n",
    "/etc/web.yml:2: http2: must be one value" },
  { "http_server_config:\n  http2: true\n  http2: true\n",
    "/etc/web.yml:3: http2: is there twice" },
  { "http_server_config:\n  headers:\n    Server: x\n",
    "/etc/web.yml:3: Server: not a header that can be set" },
  { "http_server_config: {headers: {X-Frame-Options: allow}}",
    "/etc/web.yml:1: X-Frame-Options: not a value of it: allow" },
  { "http_server_config: {headers: {Content-Security-Policy: \"a\\r\\nX: b\"}}",
    "/etc/web.yml:1: Content-Security-Policy: not a value of it: a\\r\\nX: b" },
  { "tls_server_config: 1\n",
    "/etc/web.yml:1: tls_server_config: must be keys with values" },
  { "tls_server_config: !!str {}\n",
    "/etc/web.yml:1: tls_server_config: must be keys with values" },
  { "tls_server_config:\n  cert_file: a\n",
    "/etc/web.yml:2: tls_server_config: key_file is missing" },
  { "tls_server_config:\n  min_version: TLS12\n",
    "/etc/web.yml:2: tls_server_config: cert_file is missing" },
  { "tls_server_config: {cert_file: a, cert: b, key_file: c}",
    "*: cert and cert_file exclude each other" },
  { "tls_server_config: {cert_file: a, key: b, key_file: c}",
    "*: key and key_file exclude each other" },
  { "tls_server_config: {cert_file: a, key_file: b, client_auth_type: Sometimes}",
    "/etc/web.yml:1: client_auth_type: none of NoClientCert, *: Sometimes" },
  { "tls_server_config: {cert_file: a, key_file: b, client_ca_file: c}",
    "*: client_ca_file needs a client_auth_type" },
  { "tls_server_config: {cert_file: a, key_file: b,"
    " client_auth_type: VerifyClientCertIfGiven}",
    "*: client_auth_type verifies clients: client_ca_file is missing" },
  { "tls_server_config: {cert_file: a, key_file: b, client_allowed_sans: [a]}",
    "*: client_allowed_sans needs client_auth_type *" },
  { "tls_server_config: {client_allowed_sans: [\"spiffe://a\"]}",
    "*: client_allowed_sans: only DNS names and IP addresses can be matched: *" },
  { "tls_server_config: {client_allowed_sans: {a: b}}",
    "*: client_allowed_sans: must be a list" },
  { "tls_server_config: {client_ca: x}", "*: client_ca: not possible here: *" },
  { "tls_server_config: {min_version: SSL3}",
    "*: min_version: none of TLS10, TLS11, TLS12, TLS13: SSL3" },
  { "tls_server_config: {cert_file: a, key_file: b, min_version: TLS13,"
    " max_version: TLS12}",
    "*: tls_server_config: min_version is above max_version" },
  { "tls_server_config: {cipher_suites: [TLS_AES_128_GCM_SHA256]}",
    "*: cipher_suites: not possible here: *" },
  { "tls_server_config: {curve_preferences: [P1]}",
    "*: curve_preferences: none of CurveP256, *: P1" },
  { "basic_auth_users:\n  alice: hunter2\n",
    "/etc/web.yml:2: alice: not a bcrypt hash" },
  { "basic_auth_users:\n  alice:\n", "/etc/web.yml:2: alice: not a bcrypt hash" },
  { "basic_auth_users: {alice: $2b$03$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFF"
    "P8WIrW}",
    "*: alice: bcrypt has no cost below 4" },
  { "basic_auth_users: {alice: $2b$31$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFF"
    "P8WIrW}",
    "*: alice: a bcrypt cost above 18 takes minutes" },
  { "basic_auth_users: {\"a:b\": " HASH "}", "*: a:b: not a user's name" },
  { "rate_limit: {interval: fast}", "*: interval: not a time *: fast" },
  { "rate_limit: {interval: 1.2.3s}", "*: interval: not a time *" },
  { "rate_limit: {interval: -1s}", "*: interval: not a time *" },
  { "rate_limit: {interval: 25h}", "*: interval: not a time *" },
  { "rate_limit: {burst: -1}", "*: burst: not a number of requests *: -1" },
  { "rate_limit: {interval: 1s}",
    "*: rate_limit: an interval without a burst lets no request through" },
  { "a: &x [*x]\n? *x\n: 1\n", "*" },
};

static void
test_each_mistake_has_its_message (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JmeWebConfig) config = parse (bad[i].text, &error);

      g_test_message ("%s", bad[i].text);
      g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
      g_assert_null (config);
      g_test_message ("%s", error->message);
      g_assert_true (g_pattern_match_simple (bad[i].message, error->message));
    }
}

static void
test_no_message_shows_a_secret (void)
{
  static const char *const texts[] = {
    "basic_auth_users:\n  alice: hunter2\n",
    "basic_auth_users:\n  alice: [hunter2]\n",
    "basic_auth_users:\n  alice: {a: hunter2}\n",
    "tls_server_config:\n  key: hunter2\n",
    "tls_server_config:\n  key: [hunter2]\n",
    "tls_server_config:\n  key: 'hunter2\n",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JmeWebConfig) config = parse (texts[i], &error);

      g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
      g_assert_null (config);
      g_assert_null (strstr (error->message, "hunter2"));
    }
}

/* The longest file there may be, of one pattern all over. */
static char *
repeat (const char *pattern)
{
  GString *text = g_string_new (NULL);

  while (text->len + strlen (pattern) <= 1024 * 1024)
    g_string_append (text, pattern);

  return g_string_free (text, FALSE);
}

static void
test_a_file_that_means_harm_takes_no_time (void)
{
  static const char *const patterns[] = {
    "[",       "{",         "{a: ",        "- ",    "? ",     "- &a\n",
    "- *a\n",  "a: &b c\n", "- \n",        "a:\n ", "'",      "\"\\u0041",
    "|\n a\n", "!a ",       "%YAML 1.1\n", "---\n", "a: b\n", "#\n"
  };

  for (gsize i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autofree char *text = repeat (patterns[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (JmeWebConfig) config = NULL;
      gint64 started_us = g_get_monotonic_time ();

      config = parse (text, &error);
      g_assert_cmpint (g_get_monotonic_time () - started_us, <, 10 * G_USEC_PER_SEC);
      g_assert_true (config != NULL || error->code == JM_ERROR_INVALID);
    }
}

static void
test_a_long_file_is_refused (void)
{
  g_autofree char *text = g_strnfill (1024 * 1024 + 1, ' ');
  g_autoptr (GError) error = NULL;

  g_assert_null (parse (text, &error));
  g_assert_cmpstr (error->message, ==, "/etc/web.yml: longer than 1 MiB");
}

static void
test_a_file_that_cannot_be_read_is_named (void)
{
  g_autoptr (GError) missing_error = NULL;
  g_autoptr (GError) folder_error = NULL;

  g_assert_null (jme_web_config_load ("/nowhere/web.yml", &missing_error));
  g_assert_cmpstr (missing_error->message, ==,
                   "/nowhere/web.yml: No such file or directory");
  g_assert_null (jme_web_config_load ("/", &folder_error));
  g_assert_cmpstr (folder_error->message, ==, "/: not an ordinary file");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/web-config/an-empty-file-means-open-plain-http",
                   test_an_empty_file_means_open_plain_http);
  g_test_add_func ("/web-config/every-key-is-read", test_every_key_is_read);
  g_test_add_func ("/web-config/versions-from-1.2-on-hold-where-none-is-named",
                   test_versions_from_1_2_on_hold_where_none_is_named);
  g_test_add_func ("/web-config/each-mistake-has-its-message",
                   test_each_mistake_has_its_message);
  g_test_add_func ("/web-config/no-message-shows-a-secret",
                   test_no_message_shows_a_secret);
  g_test_add_func ("/web-config/a-file-that-means-harm-takes-no-time",
                   test_a_file_that_means_harm_takes_no_time);
  g_test_add_func ("/web-config/a-long-file-is-refused", test_a_long_file_is_refused);
  g_test_add_func ("/web-config/a-file-that-cannot-be-read-is-named",
                   test_a_file_that_cannot_be_read_is_named);

  return g_test_run ();
}
