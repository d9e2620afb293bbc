/* test-job-sources.c: the schedulers that a program knows
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/jobs/jm-job-sources.h"

#include "core/jm-error.h"
#include "tree.h"

#define SOUND(name) "[Scheduler]\nName=" name "\n[Cgroup]\nJob=/" name "/%j\n"

static GPtrArray *
load (Tree *tree, GPtrArray **problems)
{
  g_autofree char *shipped = g_build_filename (tree->root, "shipped", NULL);
  g_autofree char *site = g_build_filename (tree->root, "site", NULL);
  const char *const directories[] = { shipped, site, NULL };

  return jm_job_sources_load (tree->host, directories, "n1", "lab", problems);
}

static const char *
name_of (GPtrArray *sources, guint i)
{
  return jm_scheduler_definition_get_name (
    jm_cgroup_job_source_get_definition (sources->pdata[i]));
}

static void
test_makes_a_source_of_each_definition (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GPtrArray) sources = NULL;

  tree_put (tree, "shipped/b.conf", SOUND ("b"));
  tree_put (tree, "shipped/a.conf", SOUND ("a"));
  tree_put (tree, "shipped/README", "no definition");
  tree_put (tree, "shipped/.c.conf", "half written");
  sources = load (tree, &problems);

  g_assert_cmpuint (problems->len, ==, 0);
  g_assert_cmpuint (sources->len, ==, 2);
  g_assert_cmpstr (name_of (sources, 0), ==, "a");
  g_assert_cmpstr (name_of (sources, 1), ==, "b");
  g_assert_cmpstr (jm_cgroup_job_source_get_node_name (sources->pdata[0]), ==, "n1");
  g_assert_cmpstr (jm_cgroup_job_source_get_cluster (sources->pdata[0]), ==, "lab");
}

static void
test_the_file_of_the_site_counts (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (GPtrArray) sources = NULL;

  tree_put (tree, "shipped/a.conf", SOUND ("a"));
  tree_put (tree, "site/a.conf", SOUND ("ours"));
  sources = load (tree, NULL);

  g_assert_cmpuint (sources->len, ==, 1);
  g_assert_cmpstr (name_of (sources, 0), ==, "ours");
}

static void
test_a_broken_file_costs_only_itself (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GPtrArray) sources = NULL;
  g_autofree char *broken = tree_write (tree, "site/broken.conf", "[Scheduler]\n");
  g_autofree char *message = g_strconcat (broken, ": Scheduler: Name: missing", NULL);

  tree_put (tree, "shipped/a.conf", SOUND ("a"));
  sources = load (tree, &problems);

  g_assert_cmpuint (sources->len, ==, 1);
  g_assert_cmpuint (problems->len, ==, 1);
  g_assert_error ((GError *) problems->pdata[0], JM_ERROR, JM_ERROR_INVALID);
  g_assert_cmpstr (((GError *) problems->pdata[0])->message, ==, message);
}

static void
test_directories_that_do_not_exist_are_empty (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GPtrArray) sources = load (tree, &problems);

  g_assert_cmpuint (sources->len, ==, 0);
  g_assert_cmpuint (problems->len, ==, 0);
}

static void
test_looks_first_where_jobmetrics_is_installed (void)
{
  g_auto (GStrv) directories = NULL;

  g_unsetenv ("JOBMETRICS_DATA_DIR");
  directories = jm_job_sources_list_directories ();

  g_assert_cmpuint (g_strv_length (directories), ==, 2);
  g_assert_true (g_str_has_suffix (directories[0], "/jobmetrics/schedulers"));
  g_assert_cmpstr (directories[1], ==, "/etc/jobmetrics/schedulers");
}

static void
test_looks_first_in_the_tree_that_is_named (void)
{
  g_auto (GStrv) directories = NULL;

  g_setenv ("JOBMETRICS_DATA_DIR", "/tree/data", TRUE);
  directories = jm_job_sources_list_directories ();

  g_assert_cmpstr (directories[0], ==, "/tree/data/schedulers");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/job-sources/each", test_makes_a_source_of_each_definition);
  g_test_add_func ("/job-sources/site", test_the_file_of_the_site_counts);
  g_test_add_func ("/job-sources/broken", test_a_broken_file_costs_only_itself);
  g_test_add_func ("/job-sources/absent", test_directories_that_do_not_exist_are_empty);
  g_test_add_func ("/job-sources/standard",
                   test_looks_first_where_jobmetrics_is_installed);
  g_test_add_func ("/job-sources/named", test_looks_first_in_the_tree_that_is_named);

  return g_test_run ();
}
