/* test-listen-address.c: addresses to listen on
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib.h>

#include "base/jm-error.h"
#include "web/jme-listen-address.h"

static void
test_hosts_and_ports_are_distinguished (void)
{
  static const struct
  {
    const char *text;
    const char *host;
    guint port;
  } good[] = {
    { ":9010", NULL, 9010 },
    { "0.0.0.0:9010", "0.0.0.0", 9010 },
    { "[::1]:9010", "::1", 9010 },
    { "[::]:0", "::", 0 },
    { "localhost:80", "localhost", 80 },
    { "node-1.example.org:65535", "node-1.example.org", 65535 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JmeListenAddress) address =
        jme_listen_address_parse (good[i].text, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (address->host, ==, good[i].host);
      g_assert_cmpuint (address->port, ==, good[i].port);
      g_assert_null (address->path);
    }
}

static void
test_a_unix_socket_has_a_path (void)
{
  g_autoptr (JmeListenAddress) address =
    jme_listen_address_parse ("unix:/run/a b:1.sock", NULL);

  g_assert_cmpstr (address->path, ==, "/run/a b:1.sock");
  g_assert_null (address->host);
}

static void
test_what_is_no_address_is_refused (void)
{
  g_autofree char *long_path = g_strnfill (200, 'a');
  g_autofree char *too_long = g_strconcat ("unix:/", long_path, NULL);
  g_autofree char *long_name = g_strnfill (300, 'a');
  g_autofree char *long_host = g_strconcat (long_name, ":1", NULL);
  const char *const bad[] = {
    "",        "9010",          "localhost",   "localhost:", "localhost:http",
    "h:65536", "h:-1",          "h: 1",        "h:1 ",       "::1:9010",
    "[::1]",   "[::1:9010",     "[1.2.3.4]:1", "[]:1",       "[localhost]:1",
    "unix:",   "unix:relative", "unix:@a",     too_long,     long_host,
  };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JmeListenAddress) address = jme_listen_address_parse (bad[i], &error);

      g_test_message ("%s", bad[i]);
      g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
      g_assert_null (address);
      g_assert_true (g_str_has_prefix (error->message, "--web.listen-address: "));
      g_assert_true (g_str_has_suffix (error->message, bad[i]));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/listen-address/hosts-and-ports-are-distinguished",
                   test_hosts_and_ports_are_distinguished);
  g_test_add_func ("/listen-address/a-unix-socket-has-a-path",
                   test_a_unix_socket_has_a_path);
  g_test_add_func ("/listen-address/what-is-no-address-is-refused",
                   test_what_is_no_address_is_refused);

  return g_test_run ();
}
