/* test-hooks.c: what Slurm's hooks write, and what is made of it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/jm-uuid-private.h"
#include "tree.h"

#define JOB "/system.slice/slurmstepd.scope/job_5"
#define SLUID "sEKNKTV3WPV500"
#define SLUID_JOB "/system.slice/slurmstepd.scope/" SLUID

#define VARIABLES(...) ((const char *const[]){ __VA_ARGS__, NULL })

static char *
jobs_directory (Tree *tree)
{
  return g_build_filename (tree->root, "run/jobmetrics/jobs", NULL);
}

static void
run_hook (const char *name, const char *directory, const char *const *environment)
{
  g_autofree char *folder = g_dir_make_tmp ("jobmetrics-hook-XXXXXX", NULL);
  g_autofree char *hook = g_build_filename (folder, name, NULL);
  char *argv[] = { hook, (char *) directory, NULL };
  g_autofree char *output = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  g_assert_cmpint (symlink (g_getenv ("JM_TEST_HOOK"), hook), ==, 0);
  g_spawn_sync (NULL, argv, (char **) environment, G_SPAWN_STDERR_TO_DEV_NULL, NULL,
                NULL, &output, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpstr (output, ==, "");
  g_unlink (hook);
  g_rmdir (folder);
}

static guint
count_files (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  guint n_files = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n_files++;

  return n_files;
}

static void
test_the_prolog_reports_who_a_job_is (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source = source_for (tree->host, "slurm.conf");
  g_autofree char *directory = jobs_directory (tree);
  g_autofree char *uuid_of_archive = jm_uuid_for_job ("lab", "5", 1795247950);
  g_autoptr (JmJob) job = NULL;

  run_hook ("jobmetrics-prolog", directory,
            VARIABLES ("SLURM_JOB_ID=5", "SLURM_JOB_USER=alice", "SLURM_JOB_UID=1000",
                       "SLURM_JOB_ACCOUNT=physics", "SLURM_JOB_PARTITION=batch",
                       "SLURM_CLUSTER_NAME=lab", "SLURM_JOB_GPUS=0,1",
                       "SLURM_JOB_START_TIME=1795247950"));
  job = identify (source, JOB, 0);

  assert_origin (job, "account", JM_ORIGIN_HOOK);
  assert_field (job, "user", "alice");
  assert_field (job, "uid", "1000");
  assert_field (job, "account", "physics");
  assert_field (job, "partition", "batch");
  assert_field (job, "cluster", "lab");
  assert_field (job, "gpus", "0,1");
  assert_field (job, "start_time", "1795247950");
  assert_field (job, "uuid", uuid_of_archive);
  assert_field (job, "name", NULL);
}

static void
test_the_prolog_writes_what_all_may_read_and_root_alone_write (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *directory = jobs_directory (tree);
  g_autofree char *path = g_build_filename (directory, "5", NULL);
  GStatBuf st;

  run_hook ("jobmetrics-prolog", directory, VARIABLES ("SLURM_JOB_ID=5"));

  g_assert_cmpint (g_stat (path, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 07777, ==, 0644);
  g_assert_cmpint (g_stat (directory, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 07777, ==, 0755);
  g_assert_cmpuint (count_files (directory), ==, 1);
}

static void
test_the_prolog_keeps_the_mode_that_a_site_gave_the_directory (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *directory = jobs_directory (tree);
  GStatBuf st;

  g_assert_cmpint (g_mkdir_with_parents (directory, 0750), ==, 0);
  run_hook ("jobmetrics-prolog", directory, VARIABLES ("SLURM_JOB_ID=5"));

  g_assert_cmpint (g_stat (directory, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 07777, ==, 0750);
}

static void
test_a_hostile_value_stays_on_its_line (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source = source_for (tree->host, "slurm.conf");
  g_autofree char *directory = jobs_directory (tree);
  g_autofree char *pwned = g_build_filename (tree->root, "pwned", NULL);
  g_autofree char *name =
    g_strdup_printf ("SLURM_JOB_NAME=$(touch %s)`touch %s`; touch %s; \\n%%s \"' *",
                     pwned, pwned, pwned);
  g_autoptr (JmJob) job = NULL;

  run_hook ("jobmetrics-prolog", directory,
            VARIABLES ("SLURM_JOB_ID=5", name, "SLURM_JOB_UID=1000",
                       "SLURM_JOB_ACCOUNT=x\nSLURM_JOB_UID=0\n\x1b[31m\x7f",
                       "SLURM_JOB_PARTITION=-n", "SLURM_JOB_QOS=M\xfc\xfc"));
  job = identify (source, JOB, 0);

  g_assert_false (g_file_test (pwned, G_FILE_TEST_EXISTS));
  assert_field (job, "uid", "1000");
  assert_field (job, "name", name + strlen ("SLURM_JOB_NAME="));
  assert_field (job, "account", "xSLURM_JOB_UID=0[31m");
  assert_field (job, "partition", "-n");
  assert_field (job, "qos", "M\xef\xbf\xbd\xef\xbf\xbd");
}

static void
test_the_prolog_writes_nothing_for_what_is_no_job (void)
{
  static const char *const ids[] = { "SLURM_JOB_ID=", "SLURM_JOB_ID=../../etc/x",
                                     "SLURM_JOB_ID=5 6", "SLURM_JOB_ID=-rf", "A=5" };
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *directory = jobs_directory (tree);

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    run_hook ("jobmetrics-prolog", directory, VARIABLES (ids[i]));

  g_assert_cmpuint (count_files (tree->root), ==, 0);
}

static void
test_the_hooks_fail_no_job_where_nothing_can_be_written (void)
{
  run_hook ("jobmetrics-prolog", "/proc/self/nowhere", VARIABLES ("SLURM_JOB_ID=5"));
  run_hook ("jobmetrics-epilog", "/proc/self/nowhere", VARIABLES ("SLURM_JOB_ID=5"));
  run_hook ("jobmetrics-prolog", "/dev/null", VARIABLES ("SLURM_JOB_ID=5"));
}

static void
test_the_prolog_writes_a_second_file_for_the_sluid (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source = source_for (tree->host, "slurm.conf");
  g_autofree char *directory = jobs_directory (tree);
  g_autoptr (JmJob) by_sluid = NULL;
  g_autoptr (JmJob) by_id = NULL;

  run_hook ("jobmetrics-prolog", directory,
            VARIABLES ("SLURM_JOB_ID=5", "SLURM_JOB_SLUID=" SLUID));
  by_sluid = identify (source, SLUID_JOB, 0);
  by_id = identify (source, JOB, 0);

  assert_field (by_sluid, "jobid", "5");
  assert_origin (by_sluid, "jobid", JM_ORIGIN_HOOK);
  assert_field (by_id, "sluid", SLUID);
  g_assert_cmpstr (jm_job_get_uuid (by_sluid), ==, jm_job_get_uuid (by_id));
}

static void
test_the_prolog_makes_no_file_of_what_is_no_sluid (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *directory = jobs_directory (tree);

  run_hook ("jobmetrics-prolog", directory,
            VARIABLES ("SLURM_JOB_ID=5", "SLURM_JOB_SLUID=s../../../../xx"));

  g_assert_cmpuint (count_files (directory), ==, 1);
}

static void
test_the_time_of_one_nodes_prolog_names_no_job (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source = source_for (tree->host, "slurm.conf");
  g_autofree char *directory = jobs_directory (tree);
  g_autofree char *path = g_build_filename (directory, "5", NULL);
  g_autofree char *text = NULL;
  g_autoptr (JmJob) job = NULL;

  run_hook ("jobmetrics-prolog", directory, VARIABLES ("SLURM_JOB_ID=5"));
  job = identify (source, JOB, 0);

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "JOBMETRICS_PROLOG_TIME="));
  assert_field (job, "start_time", NULL);
  g_assert_true (jm_job_is_uuid_weak (job));
}

static void
test_the_epilog_removes_what_the_prolog_wrote (void)
{
  const char *const *variables = VARIABLES ("SLURM_JOB_ID=5", "SLURM_JOB_SLUID=" SLUID);
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *directory = jobs_directory (tree);
  g_autofree char *other = tree_write (tree, "run/jobmetrics/jobs/6", "A=1\n");

  run_hook ("jobmetrics-prolog", directory, variables);
  g_assert_cmpuint (count_files (directory), ==, 3);
  run_hook ("jobmetrics-epilog", directory, variables);

  g_assert_cmpuint (count_files (directory), ==, 1);
  g_assert_true (g_file_test (other, G_FILE_TEST_EXISTS));
}

static void
test_the_epilog_removes_nothing_else (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *directory = jobs_directory (tree);
  g_autofree char *inside = tree_write (tree, "run/jobmetrics/jobs/6", "A=1\n");
  g_autofree char *outside = tree_write (tree, "run/jobmetrics/x", "A=1\n");

  run_hook ("jobmetrics-epilog", directory,
            VARIABLES ("SLURM_JOB_ID=../x", "SLURM_JOB_SLUID=*"));
  run_hook ("jobmetrics-epilog", directory, VARIABLES ("A=1"));

  g_assert_true (g_file_test (inside, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (outside, G_FILE_TEST_EXISTS));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/hooks/prolog", test_the_prolog_reports_who_a_job_is);
  g_test_add_func ("/hooks/prolog/mode",
                   test_the_prolog_writes_what_all_may_read_and_root_alone_write);
  g_test_add_func ("/hooks/prolog/directory",
                   test_the_prolog_keeps_the_mode_that_a_site_gave_the_directory);
  g_test_add_func ("/hooks/prolog/hostile", test_a_hostile_value_stays_on_its_line);
  g_test_add_func ("/hooks/prolog/no-job",
                   test_the_prolog_writes_nothing_for_what_is_no_job);
  g_test_add_func ("/hooks/prolog/sluid",
                   test_the_prolog_writes_a_second_file_for_the_sluid);
  g_test_add_func ("/hooks/prolog/no-sluid",
                   test_the_prolog_makes_no_file_of_what_is_no_sluid);
  g_test_add_func ("/hooks/prolog/time",
                   test_the_time_of_one_nodes_prolog_names_no_job);
  g_test_add_func ("/hooks/unwritable",
                   test_the_hooks_fail_no_job_where_nothing_can_be_written);
  g_test_add_func ("/hooks/epilog", test_the_epilog_removes_what_the_prolog_wrote);
  g_test_add_func ("/hooks/epilog/others", test_the_epilog_removes_nothing_else);

  return g_test_run ();
}
