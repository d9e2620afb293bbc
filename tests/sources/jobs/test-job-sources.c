/* test-job-sources.c: the schedulers that a program knows
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/jobs/jm-job-sources-private.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "tree.h"

#define SITE "etc/jobmetrics/schedulers/"
#define SOUND(name) "[Scheduler]\nName=" name "\n[Cgroup]\nJob=/" name "/%j\n"

static GPtrArray *
load (Tree *tree, GPtrArray **problems)
{
  g_autofree char *more = g_build_filename (tree->root, "more", NULL);
  const char *const directories[] = { more, NULL };

  return jm_job_sources_load (tree->host, directories, "n1", "lab", problems);
}

static const char *
name_of (GPtrArray *sources, guint i)
{
  return jm_scheduler_definition_get_name (
    jm_cgroup_job_source_get_definition (sources->pdata[i]));
}

/* Of these alone; what else is built in is there besides. */
static void
assert_names (GPtrArray *sources, const char *expected)
{
  static const char *const known[] = { "a", "b", "local", "ours", "slurm", NULL };
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < sources->len; i++)
    if (g_strv_contains (known, name_of (sources, i)))
      g_string_append_printf (names, "%s%s", names->len > 0 ? " " : "",
                              name_of (sources, i));

  g_assert_cmpstr (names->str, ==, expected);
}

static void
test_makes_a_source_of_each_definition (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GPtrArray) sources = NULL;
  g_autofree char *node_name = NULL;
  g_autofree char *cluster = NULL;

  tree_put (tree, SITE "b.conf", SOUND ("b"));
  tree_put (tree, "more/a.conf", SOUND ("a"));
  sources = load (tree, &problems);

  g_assert_cmpuint (problems->len, ==, 0);
  assert_names (sources, "a b local slurm");
  g_object_get (sources->pdata[0], "node-name", &node_name, "cluster", &cluster, NULL);
  g_assert_cmpstr (node_name, ==, "n1");
  g_assert_cmpstr (cluster, ==, "lab");
}

static void
test_the_file_of_the_site_counts (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (GPtrArray) sources = NULL;

  tree_put (tree, SITE "slurm.conf", SOUND ("ours"));
  tree_put (tree, SITE "local.conf", "");
  sources = load (tree, NULL);

  assert_names (sources, "ours");
}

static void
test_a_broken_file_costs_only_itself (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GPtrArray) sources = NULL;
  g_autofree char *broken = tree_write (tree, SITE "slurm.conf", "[Scheduler]\n");
  g_autofree char *message = g_strconcat (broken, ": Scheduler: Name: missing", NULL);

  sources = load (tree, &problems);

  assert_names (sources, "local");
  g_assert_cmpuint (problems->len, ==, 1);
  g_assert_error ((GError *) problems->pdata[0], JM_ERROR, JM_ERROR_INVALID);
  g_assert_cmpstr (((GError *) problems->pdata[0])->message, ==, message);
}

static void
test_a_pipe_among_them_holds_nobody_up (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *pipe = tree_write (tree, SITE "slurm.conf", "");
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GPtrArray) sources = NULL;

  g_assert_cmpint (unlink (pipe), ==, 0);
  g_assert_cmpint (mkfifo (pipe, 0644), ==, 0);
  sources = load (tree, &problems);

  assert_names (sources, "local");
  g_assert_cmpuint (problems->len, ==, 1);
}

static guint
count_shipped (void)
{
  g_autofree char *folder =
    g_test_build_filename (G_TEST_DIST, "..", "data", "schedulers", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    n += g_str_has_suffix (name, ".conf");

  return n;
}

static void
test_the_built_in_ones_need_no_directory (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GPtrArray) sources =
    jm_job_sources_load (tree->host, NULL, NULL, NULL, &problems);

  assert_names (sources, "local slurm");
  g_assert_cmpuint (problems->len, ==, 0);
  g_assert_cmpuint (sources->len, ==, count_shipped ());
  for (guint i = 0; i < sources->len; i++)
    g_assert_true (
      g_str_has_suffix (jm_scheduler_definition_get_path (
                          jm_cgroup_job_source_get_definition (sources->pdata[i])),
                        ".conf (built in)"));
}

static void
test_there_are_none_for_an_empty_array (void)
{
  static const char *const none[] = { NULL };
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (GPtrArray) sources =
    jm_job_sources_load (tree->host, none, NULL, NULL, NULL);

  assert_names (sources, "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/job-sources/each", test_makes_a_source_of_each_definition);
  g_test_add_func ("/job-sources/site", test_the_file_of_the_site_counts);
  g_test_add_func ("/job-sources/broken", test_a_broken_file_costs_only_itself);
  g_test_add_func ("/job-sources/pipe", test_a_pipe_among_them_holds_nobody_up);
  g_test_add_func ("/job-sources/built-in", test_the_built_in_ones_need_no_directory);
  g_test_add_func ("/job-sources/none", test_there_are_none_for_an_empty_array);

  return g_test_run ();
}
