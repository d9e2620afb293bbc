/* test-data.c: the files that jobmetrics brings along, or a site's in their place
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-data-private.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/jm-bounded-read-private.h"
#include "base/jm-error.h"
#include "tree.h"

#define TABLE "power/estimates.ini"
#define SITE "etc/jobmetrics/"
#define MAX_BYTES (256 * 1024)
#define NOBODY 65534

static char *
read_text (const JmDataFile *file, GError **error)
{
  g_autoptr (GBytes) bytes = jm_data_file_read (file, MAX_BYTES, error);
  gsize length;
  const char *text;

  if (bytes == NULL)
    return NULL;
  text = g_bytes_get_data (bytes, &length);

  return g_strndup (text, length);
}

/* What is said of the table where the site has @text in its place. */
static void
assert_table_is (Tree *tree, const char *expected)
{
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmDataFile) file = jm_data_find (host, TABLE, &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  text = read_text (file, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, expected);
}

static void
assert_table_fails (Tree *tree, JmError code, const char *words)
{
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmDataFile) file = jm_data_find (host, TABLE, &error);

  if (file != NULL)
    g_assert_null (read_text (file, &error));
  g_assert_error (error, JM_ERROR, (int) code);
  g_assert_true (g_str_has_prefix (error->message, tree->root));
  g_assert_nonnull (strstr (error->message, SITE TABLE ": "));
  g_assert_nonnull (strstr (error->message, words));
}

/* Root may read everything. */
static void
become_nobody (Tree *tree)
{
  g_assert_cmpint (chmod (tree->root, 0755), ==, 0);
  if (getuid () == 0)
    g_assert_cmpint (seteuid (NOBODY), ==, 0);
}

static void
become_oneself (void)
{
  g_assert_cmpint (seteuid (getuid ()), ==, 0);
}

static void
test_is_built_in_where_the_site_has_none (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (JmDataFile) file = jm_data_find (host, TABLE, NULL);
  g_autofree char *name = jm_data_file_describe (file);
  g_autofree char *text = read_text (file, NULL);

  g_assert_cmpstr (name, ==, TABLE " (built in)");
  g_assert_nonnull (strstr (text, "[Generic]"));
}

static void
test_is_the_sites_where_it_has_one (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (JmDataFile) file = NULL;
  g_autofree char *name = NULL;
  g_autofree char *path = tree_path (tree, SITE TABLE);

  tree_write (tree, SITE TABLE, "ours\n");
  assert_table_is (tree, "ours\n");

  file = jm_data_find (host, TABLE, NULL);
  name = jm_data_file_describe (file);
  g_assert_cmpstr (name, ==, path);
}

static void
test_is_hidden_by_an_empty_file (void)
{
  g_autoptr (Tree) tree = tree_new ();

  tree_write (tree, SITE TABLE, "");
  assert_table_fails (tree, JM_ERROR_ABSENT, "hides");
}

static void
test_is_hidden_by_a_link_to_the_null_device (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *path = tree_path (tree, SITE TABLE);

  tree_make_dir (tree, SITE "power");
  g_assert_cmpint (symlink ("/dev/null", path), ==, 0);
  assert_table_fails (tree, JM_ERROR_ABSENT, "hides");
}

static void
test_is_missing_where_the_sites_link_leads_nowhere (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *path = tree_path (tree, SITE TABLE);

  tree_make_dir (tree, SITE "power");
  g_assert_cmpint (symlink ("/nowhere", path), ==, 0);
  assert_table_fails (tree, JM_ERROR_ABSENT, "No such file");
}

static void
test_is_bounded (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *fits = g_strnfill (MAX_BYTES, '#');
  g_autofree char *long_one = g_strnfill (MAX_BYTES + 1, '#');

  tree_write (tree, SITE TABLE, fits);
  assert_table_is (tree, fits);
  tree_write (tree, SITE TABLE, long_one);
  assert_table_fails (tree, JM_ERROR_INVALID, "longer than 256 KiB");
}

static void
test_waits_for_no_pipe (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *path = tree_path (tree, SITE TABLE);

  tree_make_dir (tree, SITE "power");
  g_assert_cmpint (mkfifo (path, 0644), ==, 0);
  assert_table_fails (tree, JM_ERROR_INVALID, "not an ordinary file");
}

static void
test_says_that_it_may_not_be_read (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *path = tree_path (tree, SITE TABLE);

  tree_write (tree, SITE TABLE, "ours\n");
  g_assert_cmpint (chmod (path, 0), ==, 0);

  become_nobody (tree);
  assert_table_fails (tree, JM_ERROR_DENIED, "Permission denied");
  become_oneself ();
}

/* --- a folder of them --- */

/* These tests name two of the files that are built in. */
static gboolean
is_one_of_many (const char *text)
{
  return g_str_has_suffix (text, " (built in)") &&
         !g_str_has_prefix (text, "local.conf") &&
         !g_str_has_prefix (text, "slurm.conf");
}

static char *
list_names (Tree *tree, const char *more, GPtrArray *problems)
{
  g_autofree char *directory = tree_path (tree, more != NULL ? more : "none");
  const char *const directories[] = { directory, NULL };
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GPtrArray) files =
    jm_data_list (host, "schedulers", ".conf", directories, problems);
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < files->len; i++)
    {
      const JmDataFile *file = g_ptr_array_index (files, i);
      g_autofree char *text = jm_data_file_describe (file);

      if (is_one_of_many (text))
        continue;
      g_string_append_printf (names, "%s%s", names->len > 0 ? "; " : "",
                              g_str_has_prefix (text, tree->root)
                                ? text + strlen (tree->root) + 1
                                : text);
    }

  return g_string_free (g_steal_pointer (&names), FALSE);
}

static void
assert_lists (Tree *tree, const char *more, const char *expected)
{
  g_autoptr (GPtrArray) problems =
    g_ptr_array_new_with_free_func ((GDestroyNotify) g_error_free);
  g_autofree char *names = list_names (tree, more, problems);

  g_assert_cmpstr (names, ==, expected);
  g_assert_cmpuint (problems->len, ==, 0);
}

static void
test_lists_what_is_built_in (void)
{
  g_autoptr (Tree) tree = tree_new ();

  assert_lists (tree, NULL,
                "local.conf (built in); "
                "slurm.conf (built in)");
}

static void
test_lists_the_sites_in_their_place_and_beside_them (void)
{
  g_autoptr (Tree) tree = tree_new ();

  tree_write (tree, SITE "schedulers/slurm.conf", "ours\n");
  tree_write (tree, SITE "schedulers/farm.conf", "ours\n");
  tree_write (tree, SITE "schedulers/README", "not one\n");
  tree_write (tree, SITE "schedulers/.farm.conf", "half written\n");

  assert_lists (tree, NULL,
                SITE "schedulers/farm.conf; "
                     "local.conf (built in); " SITE "schedulers/slurm.conf");
}

static void
test_lists_none_that_an_empty_file_hides (void)
{
  g_autoptr (Tree) tree = tree_new ();

  tree_write (tree, SITE "schedulers/slurm.conf", "");
  assert_lists (tree, NULL, "local.conf (built in)");
}

static void
test_lists_those_of_more_directories_before_the_sites (void)
{
  g_autoptr (Tree) tree = tree_new ();

  tree_write (tree, SITE "schedulers/slurm.conf", "");
  tree_write (tree, SITE "schedulers/farm.conf", "ours\n");
  tree_write (tree, "more/slurm.conf", "mine\n");
  tree_write (tree, "more/farm.conf", "");
  tree_write (tree, "more/local.conf", "mine\n");

  assert_lists (tree, "more", "more/local.conf; more/slurm.conf");
}

static void
test_lists_what_is_built_in_beside_a_directory_that_may_not_be_read (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (GPtrArray) problems =
    g_ptr_array_new_with_free_func ((GDestroyNotify) g_error_free);
  g_autofree char *path = tree_path (tree, SITE "schedulers");
  g_autofree char *names = NULL;

  tree_write (tree, SITE "schedulers/farm.conf", "ours\n");
  g_assert_cmpint (chmod (path, 0), ==, 0);
  become_nobody (tree);
  names = list_names (tree, NULL, problems);
  become_oneself ();
  g_assert_cmpint (chmod (path, 0755), ==, 0);

  g_assert_cmpstr (names, ==,
                   "local.conf (built in); "
                   "slurm.conf (built in)");
  g_assert_cmpuint (problems->len, ==, 1);
}

static void
test_what_somebody_named_is_read_in_the_same_way (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *fifo = tree_path (tree, "fifo");
  g_autofree char *path = tree_path (tree, "named.conf");
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  tree_write (tree, "named.conf", "text");
  bytes = jm_bounded_read_file (path, 4, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "text", 4);

  g_assert_null (jm_bounded_read_file (path, 3, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_clear_error (&error);

  g_assert_cmpint (mkfifo (fifo, 0644), ==, 0);
  g_assert_null (jm_bounded_read_file (fifo, 4, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/data/built-in", test_is_built_in_where_the_site_has_none);
  g_test_add_func ("/data/site", test_is_the_sites_where_it_has_one);
  g_test_add_func ("/data/empty", test_is_hidden_by_an_empty_file);
  g_test_add_func ("/data/null-device", test_is_hidden_by_a_link_to_the_null_device);
  g_test_add_func ("/data/dangling",
                   test_is_missing_where_the_sites_link_leads_nowhere);
  g_test_add_func ("/data/bounded", test_is_bounded);
  g_test_add_func ("/data/pipe", test_waits_for_no_pipe);
  g_test_add_func ("/data/denied", test_says_that_it_may_not_be_read);
  g_test_add_func ("/data/list/built-in", test_lists_what_is_built_in);
  g_test_add_func ("/data/list/site",
                   test_lists_the_sites_in_their_place_and_beside_them);
  g_test_add_func ("/data/list/hidden", test_lists_none_that_an_empty_file_hides);
  g_test_add_func ("/data/list/more",
                   test_lists_those_of_more_directories_before_the_sites);
  g_test_add_func ("/data/list/denied",
                   test_lists_what_is_built_in_beside_a_directory_that_may_not_be_read);
  g_test_add_func ("/data/what-somebody-named-is-read-in-the-same-way",
                   test_what_somebody_named_is_read_in_the_same_way);

  return g_test_run ();
}
