/* test-fixture-jobs.c: the jobs of nodes as they were found
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "tree.h"

#define MACHINE "5fb5a6d7-8e0c-4b5e-9d6e-6a1d8b9f0c21"
#define SCOPE "/system.slice/slurmstepd.scope"
#define SCOPE_OF_C1 "/system.slice/c1_slurmstepd.scope"
#define CONDOR "/system.slice/htcondor/condor_var_lib_condor_execute_"
#define CONDOR_23 "/system.slice/condor.service/htcondor/condor_var_lib_condor_execute_"
#define FLUX "/user.slice/user-500.slice/user@500.service/app.slice/"

typedef struct
{
  const char *fixture;
  const char *definition;
  const char *path;
  guint pid;
  const char *expected; /* job id, user, account, name, and who reported most of it */
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
  /* the slurmstepd of each step has the id in its command line */
  { "slurm-v2-sluid", "slurm.conf",
    SCOPE_OF_C1 "/s8NHM8FRE7DC00/step_batch/user/task_0", 2901,
    "14 alice physics burn hook" },
  { "slurm-v2-sluid", "slurm.conf", SCOPE_OF_C1 "/s8NHM8FRRQSF00/step_1", 0,
    "24 - - - hook" },
  { "slurm-v2-sluid", "slurm.conf", SCOPE_OF_C1 "/s8NHM8FRRQSF00", 0,
    "s8NHM8FRRQSF00 - - - hook" },
  { "slurm-v2-containers", "slurm.conf", SCOPE "/job_12", 861,
    "12 alice physics boxed environment" },
  { "slurm-v2-containers", "slurm.conf", SCOPE "/job_13", 854,
    "13 bob physics boxed environment" },
  { "slurm-v2-hooks", "slurm.conf", SCOPE "/job_2", 0, "2 alice physics burn hook" },
  /* whose environment says root, uid 0 and another account */
  { "slurm-v2-hooks", "slurm.conf", SCOPE "/job_3", 854, "3 bob chemistry gpu hook" },
  { "local", "local.conf", "/jobmetrics/job_1", 8614, "1 alice - spin environment" },
  /* a hook reported the first; the cluster stands in files of the schedulers' own */
  { "pbs-v1", "pbs.conf", "/pbs_jobs.service/jobid/1234.pbs01", 0,
    "1234.pbs01 alice physics relax hook" },
  { "pbs-v1", "pbs.conf", "/pbs_jobs.service/jobid/1236.pbs01", 31636,
    "1236.pbs01 bob - x y\tz=\"$(id)\" \303\274 hook" },
  { "pbs-v2", "pbs.conf", "/pbs_jobs.service/jobs/1235[7].pbs01", 854,
    "1235[7].pbs01 bob - sweep hook" },
  { "torque", "torque.conf", "/torque/79.head.example.org/R0.t0", 31636,
    "79.head.example.org bob - a=b c hook" },
  { "lsf-v1", "lsf.conf", "/lsf/Cluster-1/job.1009249.27179.1775318460", 31503,
    "1009249 alice physics relax environment" },
  { "lsf-v2", "lsf.conf", "/lsf/Cluster-1/job.1009250[5].27301.1775318470", 854,
    "1009250[5] bob physics sweep[5] environment" },
  { "htcondor-v1", "htcondor.conf",
    "/htcondor/condor_var_lib_condor_execute_slot1_1@ep1", 31503,
    "12.0 alice group_physics relax hook" },
  { "htcondor-v2", "htcondor.conf", CONDOR "slot1_3@ep1.example.org", 826,
    "1_3 alice - - path" },
  /* the ad's word on the account, before the startd's */
  { "htcondor-v2", "htcondor.conf", CONDOR "slot1_2@ep1.example.org", 854,
    "13.4 bob group_chemistry x \"y\" $(id) hook" },
  { "htcondor-23", "htcondor.conf", CONDOR_23 "slot1_1@c1", 3037,
    "6.0 alice physics.hep burn hook" },
  { "htcondor-23", "htcondor.conf", CONDOR_23 "slot1_2@c1", 3245,
    "7.1 bob - two words hook" },
  { "flux", "flux.conf", FLUX "imp-shell-3-fxyzzy.service", 826,
    "fxyzzy alice - - hook" },
  { "oar", "oar.conf", "/oar/alice_1", 0, "1 alice chem md-run hook" },
  { "oar", "oar.conf", "/oar/eve_9_2", 0, "2 eve_9 default - hook" },
  { "libvirt-v1", "libvirt.conf", "/machine/qemu-1-instance-00000001.libvirt-qemu", 0,
    MACHINE " carol climate fluid-dynamics hook" },
  { "libvirt-v2", "libvirt.conf",
    "/machine.slice/machine-qemu\\x2d1\\x2dinstance\\x2d00000001.scope", 0,
    MACHINE " carol climate fluid-dynamics hook" },
  { "kubernetes-v1", "kubernetes.conf",
    "/kubepods/pod6d06282c-0377-4527-9a0f-9968bc9c4102", 31503,
    "6d06282c-0377-4527-9a0f-9968bc9c4102 - physics relax-0 hook" },
  { "kubernetes-v2", "kubernetes.conf",
    "/kubepods.slice/kubepods-besteffort.slice/"
    "kubepods-besteffort-pod3a61e77f_1538_476b_8231_5af9eed40fdc.slice",
    826, "3a61e77f-1538-476b-8231-5af9eed40fdc - - - path" },
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
test_marks_the_parts_of_an_array_by_the_id_of_its_path (void)
{
  static const struct
  {
    const char *fixture;
    const char *definition;
    const char *path;
    const char *array;
    const char *index;
  } parts[] = {
    { "pbs-v1", "pbs.conf", "/pbs_jobs.service/jobid/1235[7].pbs01", "1235", "7" },
    { "torque", "torque.conf", "/torque/78[3].head.example.org", "78", "3" },
    { "lsf-v1", "lsf.conf", "/lsf/Cluster-1/job.1009250[5].27301.1775318470", "1009250",
      "5" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *root =
        g_test_build_filename (G_TEST_BUILT, "fixtures", parts[i].fixture, NULL);
      g_autoptr (JmHost) host = jm_host_new (root);
      g_autoptr (JmJobSource) source = source_for (host, parts[i].definition);
      g_autoptr (JmJob) job = identify (source, parts[i].path, 0);

      assert_field (job, "array_jobid", parts[i].array);
      assert_field (job, "array_taskid", parts[i].index);
    }
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
  g_test_add_func ("/fixture-jobs/array-in-path",
                   test_marks_the_parts_of_an_array_by_the_id_of_its_path);
  g_test_add_func ("/fixture-jobs/hostile", test_survives_a_hostile_account);
  g_test_add_func ("/fixture-jobs/broken-hook",
                   test_takes_what_a_broken_hooks_file_still_says);

  return g_test_run ();
}
