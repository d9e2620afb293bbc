/* test-fixture-jobs.c: the jobs of nodes as they were found
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "tree.h"

#define SCOPE "/system.slice/slurmstepd.scope"

typedef struct
{
  const char *fixture;
  const char *definition;
  const char *path;
  guint pid;
  const char *expected; /* job id, user, account, name, and who told most of it */
} Case;

static char *
describe (JmJob *job)
{
  static const JmJobField fields[] = { JM_JOB_FIELD_ID, JM_JOB_FIELD_USER,
                                       JM_JOB_FIELD_ACCOUNT, JM_JOB_FIELD_NAME };
  static const JmOrigin origins[] = { JM_ORIGIN_HOOK, JM_ORIGIN_ENVIRONMENT,
                                      JM_ORIGIN_PATH };
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      const char *value = jm_job_get_field (job, fields[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                              value != NULL ? value : "-");
    }

  for (guint i = 0; i < G_N_ELEMENTS (origins); i++)
    if (jm_job_count_fields (job, origins[i]) > 0)
      {
        g_string_append_printf (text, " %s", jm_origin_get_name (origins[i]));
        break;
      }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
test_knows_the_jobs_of (gconstpointer data)
{
  const Case *c = data;
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", c->fixture, NULL);
  g_autoptr (JmHost) host = jm_host_new (root);
  g_autoptr (JmJobSource) source = source_for (host, c->definition);
  g_autoptr (JmJob) job = identify (source, c->path, c->pid);
  g_autofree char *text = NULL;

  g_assert_nonnull (job);
  text = describe (job);
  g_assert_cmpstr (text, ==, c->expected);
}

static const Case cases[] = {
  { "slurm-v2-plain", "slurm.conf", SCOPE "/job_2", 826,
    "2 alice physics burn environment" },
  { "slurm-v2-plain", "slurm.conf", SCOPE "/job_3", 854,
    "3 bob chemistry - environment" },
  /* the sleep of the extern step, which is root's */
  { "slurm-v2-plain", "slurm.conf", SCOPE "/job_2", 800, "2 - - - path" },
  { "slurm-v2-steps", "slurm.conf", "/system.slice/n3_slurmstepd.scope/job_15", 0,
    "15 - - - path" },
  { "slurm-v1-steps", "slurm.conf", "/slurm_n1/uid_1002/job_6", 31485,
    "6 bob chemistry steps environment" },
  /* srun's environment has the name of the step */
  { "slurm-v1-steps", "slurm.conf", "/slurm_n1/uid_1002/job_6/step_0/task_0", 31635,
    "6 bob chemistry - environment" },
  { "slurm-v2-sluid", "slurm.conf", SCOPE "/sEKNKTV3WPV500", 826,
    "sEKNKTV3WPV500 alice physics burn environment" },
  { "slurm-v2-sluid", "slurm.conf", SCOPE "/sEKNKTV3WQ2G00", 854,
    "3 bob chemistry gpu hook" },
  { "slurm-v2-hooks", "slurm.conf", SCOPE "/job_2", 0, "2 alice physics burn hook" },
  /* whose environment says root, uid 0 and another account */
  { "slurm-v2-hooks", "slurm.conf", SCOPE "/job_3", 854, "3 bob chemistry gpu hook" },
  { "local", "local.conf", "/jobmetrics/job_1", 8614, "1 alice - spin environment" },
};

static void
test_marks_the_parts_of_an_array (void)
{
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", "slurm-v1-steps", NULL);
  g_autoptr (JmHost) host = jm_host_new (root);
  g_autoptr (JmJobSource) source = source_for (host, "slurm.conf");
  g_autoptr (JmJob) job = identify (source, "/slurm_n2/uid_1001/job_18", 31500);

  assert_field (job, "array_jobid", "7");
  assert_field (job, "array_taskid", "2");
  g_assert_true (jm_job_is_called (job, "7_2"));
}

static void
test_survives_a_hostile_account (void)
{
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", "hostile", NULL);
  g_autoptr (JmHost) host = jm_host_new (root);
  g_autoptr (JmJobSource) source = source_for (host, "slurm.conf");
  g_autoptr (JmJob) job = identify (source, SCOPE "/job_3", 827);
  const char *account = jm_job_get_field (job, JM_JOB_FIELD_ACCOUNT);

  assert_origin (job, "account", JM_ORIGIN_ENVIRONMENT);
  g_assert_nonnull (account);
  g_assert_true (g_utf8_validate (account, -1, NULL));
  g_assert_nonnull (strchr (account, '"'));
  g_assert_nonnull (strchr (account, '\n'));
}

static void
test_takes_what_a_broken_hooks_file_still_says (void)
{
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", "hostile", NULL);
  g_autoptr (JmHost) host = jm_host_new (root);
  g_autoptr (JmJobSource) source = source_for (host, "slurm.conf");
  g_autoptr (JmJob) job = NULL;

  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING,
                         "*/jobs/2: not NAME=VALUE: no equals sign");
  job = identify (source, SCOPE "/job_2", 826);
  g_test_assert_expected_messages ();

  assert_origin (job, "account", JM_ORIGIN_HOOK);
  assert_field (job, "jobid", "2");
  assert_field (job, "start_time", NULL);
  assert_field (job, "uid", "1000");
  assert_field (job, "user", "alice");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path =
        g_strdup_printf ("/fixture-jobs/%s/%u", cases[i].fixture, i);

      g_test_add_data_func (path, &cases[i], test_knows_the_jobs_of);
    }
  g_test_add_func ("/fixture-jobs/array", test_marks_the_parts_of_an_array);
  g_test_add_func ("/fixture-jobs/hostile", test_survives_a_hostile_account);
  g_test_add_func ("/fixture-jobs/broken-hook",
                   test_takes_what_a_broken_hooks_file_still_says);

  return g_test_run ();
}
