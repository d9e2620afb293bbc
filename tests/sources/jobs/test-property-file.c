/* test-property-file.c: what a hook left about a job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/jobs/jm-property-file-private.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "tree.h"

#define DIRECTORY "/run/jobmetrics/jobs"
#define NOBODY 65534

static void
assert_finds (const char *text, const char *name, const char *expected)
{
  JmSlice value;

  if (expected == NULL)
    g_assert_false (jm_properties_find (text, strlen (text), name, &value));
  else
    {
      g_assert_true (jm_properties_find (text, strlen (text), name, &value));
      g_assert_true (jm_slice_equal (value, expected));
    }
}

static void
assert_is_refused (Tree *tree, JmError code, const char *pattern)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (jm_property_file_read (tree->host, DIRECTORY, "5", &error));
  g_assert_error (error, JM_ERROR, (int) code);
  if (!g_pattern_match_simple (pattern, error->message))
    g_error ("%s is not %s", error->message, pattern);
}

static void
test_finds_whole_lines_only (void)
{
  assert_finds ("A=1\nAB=2\n", "A", "1");
  assert_finds ("A=1\nAB=2\n", "AB", "2");
  assert_finds ("A=1\nA=2\n", "A", "1");
  assert_finds ("A=a=b\n", "A", "a=b");
  assert_finds ("A=\n", "A", "");
  assert_finds ("A\n=1\n", "A", NULL);
  assert_finds ("", "A", NULL);
  assert_finds ("A=12", "A", NULL);
}

static void
test_reads_what_only_root_could_write (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *path = tree_write (tree, "run/jobmetrics/jobs/5", "A=1\n");
  g_autoptr (GError) error = NULL;
  g_autoptr (JmPropertyFile) file =
    jm_property_file_read (tree->host, DIRECTORY, "5", &error);

  g_assert_no_error (error);
  g_assert_cmpstr (jm_property_file_get_path (file), ==, path);
  g_assert_true (jm_property_file_check (file, &error));
}

static void
test_says_that_there_is_none (void)
{
  g_autoptr (Tree) tree = tree_new ();

  assert_is_refused (tree, JM_ERROR_ABSENT, "*");
  tree_put (tree, "run/jobmetrics/jobs/6", "A=1\n");
  assert_is_refused (tree, JM_ERROR_ABSENT, "*/jobs/5: *");
}

static void
test_refuses_a_file_that_others_may_write (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *path = tree_write (tree, "run/jobmetrics/jobs/5", "A=1\n");

  g_assert_cmpint (g_chmod (path, 0666), ==, 0);
  assert_is_refused (tree, JM_ERROR_DENIED,
                     "*/jobs/5: not trusted: others may write it: mode 0666");
}

static void
test_refuses_a_directory_that_others_may_write (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *path = tree_write (tree, "run/jobmetrics/jobs/5", "A=1\n");
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_chmod (folder, 0777), ==, 0);
  assert_is_refused (tree, JM_ERROR_DENIED,
                     "*/jobs: not trusted: others may write it: mode 0777");
}

static void
test_refuses_a_file_of_a_user (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *path = tree_write (tree, "run/jobmetrics/jobs/5", "A=1\n");

  if (geteuid () != 0)
    {
      g_test_skip ("only root can give a file away");
      return;
    }
  g_assert_cmpint (chown (path, NOBODY, NOBODY), ==, 0);
  assert_is_refused (tree, JM_ERROR_DENIED,
                     "*/jobs/5: not trusted: owned by uid 65534");
}

static void
test_follows_no_link (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *path = tree_write (tree, "run/jobmetrics/jobs/6", "A=1\n");
  g_autofree char *name = g_build_filename (tree->root, DIRECTORY, "5", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (symlink (path, name), ==, 0);
  g_assert_null (jm_property_file_read (tree->host, DIRECTORY, "5", &error));
  g_assert_nonnull (error);
}

static void
test_follows_no_link_to_its_directory (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *name = g_build_filename (tree->root, DIRECTORY, NULL);
  g_autofree char *above = g_path_get_dirname (name);

  tree_put (tree, "etc/others/5", "A=1\n");
  g_assert_cmpint (g_mkdir_with_parents (above, 0755), ==, 0);
  g_assert_cmpint (symlink ("../../etc/others", name), ==, 0);
  assert_is_refused (tree, JM_ERROR_DENIED, "*/jobs: not trusted: a link*");
}

static void
test_does_not_wait_for_a_pipe (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *name = g_build_filename (tree->root, DIRECTORY, "5", NULL);

  tree_put (tree, "run/jobmetrics/jobs/6", "A=1\n");
  g_assert_cmpint (mkfifo (name, 0600), ==, 0);
  assert_is_refused (tree, JM_ERROR_DENIED, "*/jobs/5: not an ordinary file: *");
}

static void
test_refuses_a_file_that_is_too_long (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *text = g_strnfill (70000, 'A');

  tree_put (tree, "run/jobmetrics/jobs/5", text);
  assert_is_refused (tree, JM_ERROR_MALFORMED, "*/jobs/5: longer than expected");
}

static void
assert_is_faulty (const char *text, const char *pattern)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (JmPropertyFile) file = NULL;

  tree_put (tree, "run/jobmetrics/jobs/5", text);
  file = jm_property_file_read (tree->host, DIRECTORY, "5", &error);
  g_assert_no_error (error);
  g_assert_false (jm_property_file_check (file, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
  if (!g_pattern_match_simple (pattern, error->message))
    g_error ("%s is not %s", error->message, pattern);
}

static void
test_quotes_the_first_line_that_says_nothing (void)
{
  assert_is_faulty ("A=1\nno sign\n=2\n", "*/jobs/5: not NAME=VALUE: no sign");
  assert_is_faulty ("=no name\n", "*/jobs/5: not NAME=VALUE: =no name");
  assert_is_faulty ("A=1\nUID=10", "*/jobs/5: a line cut short: UID=10");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/property-file/find", test_finds_whole_lines_only);
  g_test_add_func ("/property-file/read", test_reads_what_only_root_could_write);
  g_test_add_func ("/property-file/absent", test_says_that_there_is_none);
  g_test_add_func ("/property-file/writable",
                   test_refuses_a_file_that_others_may_write);
  g_test_add_func ("/property-file/writable-directory",
                   test_refuses_a_directory_that_others_may_write);
  g_test_add_func ("/property-file/owner", test_refuses_a_file_of_a_user);
  g_test_add_func ("/property-file/link", test_follows_no_link);
  g_test_add_func ("/property-file/link-to-directory",
                   test_follows_no_link_to_its_directory);
  g_test_add_func ("/property-file/pipe", test_does_not_wait_for_a_pipe);
  g_test_add_func ("/property-file/too-long", test_refuses_a_file_that_is_too_long);
  g_test_add_func ("/property-file/malformed",
                   test_quotes_the_first_line_that_says_nothing);

  return g_test_run ();
}
