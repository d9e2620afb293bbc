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

#define REMOTE_UID 2000123456

/* A name service that knows one user, and does not answer before the gate is open. */
static struct
{
  GMutex mutex;
  GCond cond;
  gboolean is_shut;
  guint n_asked;
} gate;

int __wrap_getpwuid_r (uid_t uid,
                       struct passwd *entry,
                       char *buffer,
                       size_t size,
                       struct passwd **found);

int
__wrap_getpwuid_r (uid_t uid,
                   struct passwd *entry,
                   char *buffer,
                   size_t size,
                   struct passwd **found)
{
  g_mutex_lock (&gate.mutex);
  gate.n_asked++;
  while (gate.is_shut)
    g_cond_wait (&gate.cond, &gate.mutex);
  g_mutex_unlock (&gate.mutex);

  entry->pw_name = buffer;
  g_strlcpy (buffer, "remote", size);
  *found = uid == REMOTE_UID ? entry : NULL;

  return 0;
}

static void
set_gate (gboolean is_shut)
{
  g_mutex_lock (&gate.mutex);
  gate.is_shut = is_shut;
  g_cond_broadcast (&gate.cond);
  g_mutex_unlock (&gate.mutex);
}

static void
test_does_not_wait_for_a_service_that_hangs (void)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (JmUserNames) names = jm_user_names_new (host);
  gboolean is_late;

  gate.n_asked = 0;
  set_gate (TRUE);
  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING, "*name service*");
  g_assert_null (jm_user_names_get (names, REMOTE_UID, &is_late));
  g_test_assert_expected_messages ();
  g_assert_true (is_late);
  /* nobody else is asked for meanwhile, so that threads do not pile up */
  for (guint i = 0; i < 100; i++)
    {
      g_assert_null (jm_user_names_get (names, REMOTE_UID + i, &is_late));
      g_assert_true (is_late);
    }
  g_assert_cmpuint (gate.n_asked, ==, 1);
  /* such as who owns the scheduler's directories */
  g_assert_cmpstr (jm_user_names_get (names, 0, &is_late), ==, "root");
  g_assert_false (is_late);

  set_gate (FALSE);
  while (jm_user_names_get (names, REMOTE_UID, &is_late) == NULL)
    g_usleep (1000);
  g_assert_cmpstr (jm_user_names_get (names, REMOTE_UID, NULL), ==, "remote");
}

static void
test_keeps_an_old_name_while_the_service_hangs (void)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (JmUserNames) names = jm_user_names_new (host);
  gboolean is_late;

  g_assert_cmpstr (jm_user_names_get_at (names, REMOTE_UID, NULL, 0), ==, "remote");
  set_gate (TRUE);
  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING, "*name service*");
  g_assert_cmpstr (jm_user_names_get_at (names, REMOTE_UID, &is_late,
                                         JM_USER_NAMES_KEEP_US),
                   ==, "remote");
  g_test_assert_expected_messages ();
  g_assert_false (is_late);
  set_gate (FALSE);
}

static void
test_reads_the_names_of_a_copied_tree (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmUserNames) names = jm_user_names_new (tree->host);

  tree_put (tree, "etc/passwd", PASSWD);
  g_assert_cmpstr (jm_user_names_get (names, 0, NULL), ==, "root");
  g_assert_cmpstr (jm_user_names_get (names, 1000, NULL), ==, "alice");
  g_assert_cmpstr (jm_user_names_get (names, 1001, NULL), ==, "bob");
  g_assert_null (jm_user_names_get (names, 7, NULL));
  g_assert_null (jm_user_names_get (names, 10, NULL));
  g_assert_null (jm_user_names_get (names, 4242, NULL));
}

static void
test_a_tree_without_passwd_has_no_names (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmUserNames) names = jm_user_names_new (tree->host);

  g_assert_null (jm_user_names_get (names, 0, NULL));
}

static void
test_asks_the_system_for_the_names_of_this_machine (void)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (JmUserNames) names = jm_user_names_new (host);

  g_assert_cmpstr (jm_user_names_get (names, 0, NULL), ==, "root");
  g_assert_cmpstr (jm_user_names_get (names, REMOTE_UID, NULL), ==, "remote");
}

static void
test_asks_again_when_a_name_is_old (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmUserNames) names = jm_user_names_new (tree->host);

  tree_put (tree, "etc/passwd", "alice:x:1000:1000\n");
  g_assert_cmpstr (jm_user_names_get_at (names, 1000, NULL, 0), ==, "alice");
  tree_put (tree, "etc/passwd", "carol:x:1000:1000\n");
  g_assert_cmpstr (jm_user_names_get_at (names, 1000, NULL, JM_USER_NAMES_KEEP_US - 1),
                   ==, "alice");
  g_assert_cmpstr (jm_user_names_get_at (names, 1000, NULL, JM_USER_NAMES_KEEP_US), ==,
                   "carol");
}

static void
test_asks_sooner_for_a_user_that_had_no_name (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmUserNames) names = jm_user_names_new (tree->host);

  tree_put (tree, "etc/passwd", "alice:x:1000:1000\n");
  g_assert_null (jm_user_names_get_at (names, 1001, NULL, 0));
  tree_put (tree, "etc/passwd", "bob:x:1001:1001\n");
  g_assert_null (
    jm_user_names_get_at (names, 1001, NULL, JM_USER_NAMES_KEEP_NONE_US - 1));
  g_assert_cmpstr (jm_user_names_get_at (names, 1001, NULL, JM_USER_NAMES_KEEP_NONE_US),
                   ==, "bob");
}

static void
test_does_not_grow_without_end (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmUserNames) names = jm_user_names_new (tree->host);

  for (guint uid = 0; uid < 3 * JM_USER_NAMES_MAX; uid++)
    g_assert_null (jm_user_names_get_at (names, uid, NULL, 0));

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
  g_test_add_func ("/user-names/hanging", test_does_not_wait_for_a_service_that_hangs);
  g_test_add_func ("/user-names/hanging-old",
                   test_keeps_an_old_name_while_the_service_hangs);
  g_test_add_func ("/user-names/old", test_asks_again_when_a_name_is_old);
  g_test_add_func ("/user-names/none", test_asks_sooner_for_a_user_that_had_no_name);
  g_test_add_func ("/user-names/bounded", test_does_not_grow_without_end);

  return g_test_run ();
}
