/* test-router.c: what is served at which path
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-router.h"

static const JmeRoute routes[] = {
  { .path = "/metrics" },
  { .path = "/api/", .is_prefix = TRUE, .methods = JME_METHOD_GET | JME_METHOD_DELETE },
  { .path = "/api/jobs/", .is_prefix = TRUE },
  { .path = "/api/jobs/all", .methods = JME_METHOD_POST },
  { NULL },
};

static const char *
find (const char *path)
{
  g_autoptr (JmeRouter) router = jme_router_new ();
  const JmeDestination *destination;

  jme_router_add (router, routes, NULL);
  destination = jme_router_find (router, path);

  return destination != NULL ? destination->route->path : NULL;
}

static void
test_a_path_is_exact_unless_it_is_a_prefix (void)
{
  g_assert_cmpstr (find ("/metrics"), ==, "/metrics");
  g_assert_null (find ("/metrics/"));
  g_assert_null (find ("/"));
  g_assert_null (find ("/api"));
  g_assert_cmpstr (find ("/api/"), ==, "/api/");
  g_assert_cmpstr (find ("/api/users"), ==, "/api/");
}

static void
test_the_exact_path_comes_before_the_longest_prefix (void)
{
  g_assert_cmpstr (find ("/api/jobs/7"), ==, "/api/jobs/");
  g_assert_cmpstr (find ("/api/jobs/all"), ==, "/api/jobs/all");
}

static void
test_no_prefix_is_left_by_dots (void)
{
  g_assert_null (find ("/api/../metrics"));
  g_assert_null (find ("/api/jobs/./7"));
  g_assert_cmpstr (find ("/api/jobs/..7"), ==, "/api/jobs/");
}

static void
test_a_route_takes_its_methods (void)
{
  g_autofree char *of_metrics = jme_route_list_methods (&routes[0]);
  g_autofree char *of_api = jme_route_list_methods (&routes[1]);

  g_assert_cmpstr (of_metrics, ==, "GET, HEAD");
  g_assert_cmpstr (of_api, ==, "GET, HEAD, DELETE");
  g_assert_true (jme_route_allows (&routes[0], "HEAD"));
  g_assert_false (jme_route_allows (&routes[0], "POST"));
  g_assert_true (jme_route_allows (&routes[3], "POST"));
  g_assert_false (jme_route_allows (&routes[3], "GET"));
  g_assert_false (jme_route_allows (&routes[1], "PATCH"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/router/a-path-is-exact-unless-it-is-a-prefix",
                   test_a_path_is_exact_unless_it_is_a_prefix);
  g_test_add_func ("/router/the-exact-path-comes-before-the-longest-prefix",
                   test_the_exact_path_comes_before_the_longest_prefix);
  g_test_add_func ("/router/no-prefix-is-left-by-dots", test_no_prefix_is_left_by_dots);
  g_test_add_func ("/router/a-route-takes-its-methods", test_a_route_takes_its_methods);

  return g_test_run ();
}
