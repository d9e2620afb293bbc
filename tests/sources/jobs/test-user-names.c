/* test-user-names.c: what users are called
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/jobs/jm-user-names-private.h"

#include <pwd.h>

#include "tree.h"

#define PASSWD                                                                         \
 "root:x:0:0:root:/root:/bin/sh\n"                                                     \
 "# a remark\n"                                                                        \
 ":x:7:7::/:/bin/sh\n"                                                                 \
 "short:x\n"                                                                           \
 "odd:x:10x:0:::\n"                                                                    \
 "alice:x:1000:1000::/home/alice:/bin/sh\n"                                            \
 "alice2:x:1000:1000::/home/alice:/bin/sh\n"                                           \
 "bob:x:1001"

static void
test_reads_the_names_of_a_copied_tree (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmUserNames) names = jm_user_names_new (tree->host);

  tree_put (tree, "etc/passwd", PASSWD);
  g_assert_cmpstr (jm_user_names_get (names, 0), ==, "root");
  g_assert_cmpstr (jm_user_names_get (names, 1000), ==, "alice");
  g_assert_cmpstr (jm_user_names_get (names, 1001), ==, "bob");
  g_assert_null (jm_user_names_get (names, 7));
  g_assert_null (jm_user_names_get (names, 10));
  g_assert_null (jm_user_names_get (names, 4242));
}

static void
test_a_tree_without_passwd_has_no_names (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmUserNames) names = jm_user_names_new (tree->host);

  g_assert_null (jm_user_names_get (names, 0));
}

static void
test_asks_the_system_for_the_names_of_this_machine (void)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (JmUserNames) names = jm_user_names_new (host);
  struct passwd *root = getpwuid (0);

  g_assert_nonnull (root);
  g_assert_cmpstr (jm_user_names_get (names, 0), ==, root->pw_name);
}

static void
test_asks_again_when_a_name_is_old (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmUserNames) names = jm_user_names_new (tree->host);

  tree_put (tree, "etc/passwd", "alice:x:1000:1000\n");
  g_assert_cmpstr (jm_user_names_get_at (names, 1000, 0), ==, "alice");
  tree_put (tree, "etc/passwd", "carol:x:1000:1000\n");
  g_assert_cmpstr (jm_user_names_get_at (names, 1000, JM_USER_NAMES_KEEP_US - 1), ==,
                   "alice");
  g_assert_cmpstr (jm_user_names_get_at (names, 1000, JM_USER_NAMES_KEEP_US), ==,
                   "carol");
}

static void
test_asks_sooner_for_a_user_that_had_no_name (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmUserNames) names = jm_user_names_new (tree->host);

  tree_put (tree, "etc/passwd", "alice:x:1000:1000\n");
  g_assert_null (jm_user_names_get_at (names, 1001, 0));
  tree_put (tree, "etc/passwd", "bob:x:1001:1001\n");
  g_assert_null (jm_user_names_get_at (names, 1001, JM_USER_NAMES_KEEP_NONE_US - 1));
  g_assert_cmpstr (jm_user_names_get_at (names, 1001, JM_USER_NAMES_KEEP_NONE_US), ==,
                   "bob");
}

static void
test_does_not_grow_without_end (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmUserNames) names = jm_user_names_new (tree->host);

  for (guint uid = 0; uid < 3 * JM_USER_NAMES_MAX; uid++)
    g_assert_null (jm_user_names_get_at (names, uid, 0));

  g_assert_cmpuint (jm_user_names_get_size (names), <=, JM_USER_NAMES_MAX);
  g_assert_cmpuint (jm_user_names_get_size (names), >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/user-names/copied-tree", test_reads_the_names_of_a_copied_tree);
  g_test_add_func ("/user-names/no-passwd", test_a_tree_without_passwd_has_no_names);
  g_test_add_func ("/user-names/this-machine",
                   test_asks_the_system_for_the_names_of_this_machine);
  g_test_add_func ("/user-names/old", test_asks_again_when_a_name_is_old);
  g_test_add_func ("/user-names/none", test_asks_sooner_for_a_user_that_had_no_name);
  g_test_add_func ("/user-names/bounded", test_does_not_grow_without_end);

  return g_test_run ();
}
