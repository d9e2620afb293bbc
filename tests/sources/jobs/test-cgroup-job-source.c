/* test-cgroup-job-source.c: who the jobs in cgroups are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/jobs/jm-cgroup-job-source-private.h"

#include <glib/gstdio.h>

#include "core/jm-job-private.h"
#include "core/jm-uuid-private.h"
#include "tree.h"

#define JOB "/system.slice/slurmstepd.scope/job_5"
#define OTHER_JOB "/system.slice/slurmstepd.scope/job_6"
#define TASK JOB "/step_batch/user/task_0"
#define SLUID "sEKNKTV3WPV500"
#define SLUID_JOB "/system.slice/slurmstepd.scope/" SLUID
#define V1_JOB "/slurm/uid_1000/job_5"
#define PASSWD "root:x:0:0\nalice:x:1000:1000\nbob:x:1001:1001\n"
#define HOOK_5 "run/jobmetrics/jobs/5"

#define VARIABLES(...) ((const char *const[]){ __VA_ARGS__, NULL })

typedef struct
{
  Tree *tree;
  JmJobSource *source;
} Fixture;

static void
fixture_set_up (Fixture *self, gconstpointer data)
{
  self->tree = tree_new ();
  self->source = source_for (self->tree->host, "slurm.conf");
  tree_put (self->tree, "etc/passwd", PASSWD);
}

static void
fixture_tear_down (Fixture *self, gconstpointer data)
{
  g_object_unref (self->source);
  tree_free (self->tree);
}

static void
expect_warning (const char *pattern)
{
  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING, pattern);
}

static void
add_honest_process (Fixture *self)
{
  tree_add_process (self->tree, 10, 1000, TASK,
                    VARIABLES ("HOME=/home/alice", "SLURM_JOB_ID=5",
                               "SLURM_JOB_USER=alice", "SLURM_JOB_UID=1000",
                               "SLURM_CLUSTER_NAME=lab", "SLURM_JOB_ACCOUNT=physics",
                               "SLURM_JOB_PARTITION=batch", "SLURM_JOB_QOS=normal",
                               "SLURM_JOB_NAME=burn", "SLURM_ARRAY_JOB_ID=4",
                               "SLURM_ARRAY_TASK_ID=2", "SLURM_JOB_NUM_NODES=1",
                               "SLURM_JOB_CPUS_PER_NODE=4", "SLURM_JOB_GPUS=0,3",
                               "SLURM_JOB_START_TIME=1795247950"));
}

static void
test_believes_the_environment_where_there_is_no_better (Fixture *self,
                                                        gconstpointer data)
{
  g_autoptr (JmJob) job = NULL;

  add_honest_process (self);
  job = identify (self->source, TASK, 10);

  assert_field (job, "scheduler", "slurm");
  assert_field (job, "jobid", "5");
  assert_origin (job, "jobid", JM_ORIGIN_PATH);
  assert_field (job, "user", "alice");
  assert_field (job, "uid", "1000");
  assert_origin (job, "uid", JM_ORIGIN_KERNEL);
  assert_origin (job, "account", JM_ORIGIN_ENVIRONMENT);
  assert_field (job, "account", "physics");
  assert_field (job, "partition", "batch");
  assert_field (job, "qos", "normal");
  assert_field (job, "name", "burn");
  assert_field (job, "array_jobid", "4");
  assert_field (job, "array_taskid", "2");
  assert_field (job, "nodes", "1");
  assert_field (job, "cpus_granted", "4");
  assert_field (job, "gpus", "0,3");
}

/* Of a step without a batch script only the second variable is set. */
static void
test_the_first_variable_that_is_there_reports_a_field (Fixture *self,
                                                       gconstpointer data)
{
  g_autoptr (JmJob) of_step = NULL;
  g_autoptr (JmJob) of_both = NULL;

  tree_add_process (self->tree, 10, 1000, TASK,
                    VARIABLES ("SLURM_JOB_ID=5", "SLURM_JOB_GPUS=", "SLURM_STEP_GPUS=1",
                               "CUDA_VISIBLE_DEVICES=0"));
  tree_add_process (self->tree, 11, 1000, TASK,
                    VARIABLES ("SLURM_JOB_ID=5", "SLURM_STEP_GPUS=1",
                               "SLURM_JOB_GPUS=0,1"));
  of_step = identify (self->source, TASK, 10);
  of_both = identify (self->source, TASK, 11);

  assert_field (of_step, "gpus", "1");
  assert_field (of_step, "visible_gpus", "0");
  assert_origin (of_step, "visible_gpus", JM_ORIGIN_ENVIRONMENT);
  assert_field (of_both, "gpus", "0,1");
}

/* So HTCondor and others write that a job has no device. */
static void
test_a_word_for_no_device_is_none (Fixture *self, gconstpointer data)
{
  static const char *const words[] = { "10000", "-1", "NoDevFiles", "none", "void" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autofree char *cuda = g_strconcat ("CUDA_VISIBLE_DEVICES=", words[i], NULL);
      g_autoptr (JmJob) job = NULL;
      g_autoptr (JmJob) other = NULL;

      tree_add_process (self->tree, 10, 1000, TASK, VARIABLES ("SLURM_JOB_ID=5", cuda));
      tree_add_process (self->tree, 11, 1000, TASK,
                        VARIABLES ("SLURM_JOB_ID=5", cuda,
                                   "ROCR_VISIBLE_DEVICES=10001"));
      job = identify (self->source, TASK, 10);
      other = identify (self->source, TASK, 11);

      assert_field (job, "visible_gpus", NULL);
      assert_field (other, "visible_gpus", "10001");
    }
}

static void
test_takes_no_time_from_an_environment (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) job = NULL;

  add_honest_process (self);
  job = identify (self->source, TASK, 10);

  assert_field (job, "start_time", NULL);
  g_assert_true (jm_job_is_uuid_weak (job));
}

static void
test_says_what_the_path_says_where_nothing_else_does (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) v2 = identify (self->source, JOB, 0);
  g_autoptr (JmJob) v1 = identify (self->source, V1_JOB, 0);

  assert_field (v2, "jobid", "5");
  assert_field (v2, "uid", NULL);
  assert_field (v2, "user", NULL);
  assert_field (v1, "uid", "1000");
  assert_field (v1, "user", "alice");
}

static void
test_ignores_an_environment_that_claims_another_job (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) job = NULL;

  tree_add_process (self->tree, 10, 1001, TASK,
                    VARIABLES ("SLURM_JOB_ID=6", "SLURM_JOB_ACCOUNT=rich"));
  job = identify (self->source, TASK, 10);

  g_assert_cmpuint (jm_job_count_fields (job, JM_ORIGIN_ENVIRONMENT), ==, 0);
  assert_field (job, "jobid", "5");
  assert_field (job, "account", NULL);
  assert_field (job, "user", "bob");
}

static void
test_an_environment_cannot_make_a_user_another (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) job = NULL;

  tree_add_process (self->tree, 10, 1001, TASK,
                    VARIABLES ("SLURM_JOB_ID=5", "SLURM_JOB_USER=root",
                               "SLURM_JOB_UID=0", "SLURM_JOB_SLUID=" SLUID));
  job = identify (self->source, TASK, 10);

  assert_field (job, "uid", "1001");
  assert_field (job, "user", "bob");
  assert_field (job, "sluid", NULL);
}

static void
test_the_directory_of_v1_knows_the_user_best (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) job = NULL;

  tree_add_process (self->tree, 10, 1001, V1_JOB "/step_0",
                    VARIABLES ("SLURM_JOB_ID=5"));
  job = identify (self->source, V1_JOB, 10);

  assert_field (job, "user", "alice");
  assert_origin (job, "user", JM_ORIGIN_PATH);
}

static void
test_believes_no_process_of_another_job (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) job = NULL;

  tree_add_process (self->tree, 10, 1001, "/system.slice/slurmstepd.scope/job_6",
                    VARIABLES ("SLURM_JOB_ID=5", "SLURM_JOB_ACCOUNT=rich"));
  job = identify (self->source, TASK, 10);

  g_assert_cmpuint (jm_job_count_fields (job, JM_ORIGIN_ENVIRONMENT), ==, 0);
  assert_field (job, "account", NULL);
  assert_field (job, "uid", NULL);
}

static void
test_goes_on_without_a_process_that_has_ended (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) job = identify (self->source, TASK, 4711);

  g_assert_cmpuint (jm_job_count_fields (job, JM_ORIGIN_ENVIRONMENT), ==, 0);
  assert_field (job, "jobid", "5");
}

static void
test_a_helper_of_the_scheduler_does_not_make_the_job_roots (Fixture *self,
                                                            gconstpointer data)
{
  g_autoptr (JmJob) job = NULL;

  tree_add_process (self->tree, 10, 0, JOB "/step_extern/user/task_0",
                    VARIABLES ("SLURMD_NODENAME=n1"));
  job = identify (self->source, JOB, 10);

  assert_field (job, "uid", NULL);
  assert_field (job, "user", NULL);
}

static void
test_the_name_of_a_step_is_not_that_of_the_job (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) job = NULL;

  tree_add_process (self->tree, 10, 1000, JOB "/step_0/user/task_0",
                    VARIABLES ("SLURM_JOB_ID=5", "SLURM_STEP_ID=0",
                               "SLURM_JOB_NAME=first", "SLURM_JOB_QOS=high"));
  job = identify (self->source, JOB, 10);

  assert_field (job, "name", NULL);
  assert_field (job, "qos", "high");
}

/* Of a batch script, as Slurm 26.05 starts it. */
static void
test_a_step_below_zero_is_none (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) job = NULL;

  tree_add_process (self->tree, 10, 1000, JOB "/step_batch/user/task_0",
                    VARIABLES ("SLURM_JOB_ID=5", "SLURM_STEP_ID=-5", "SLURM_STEPID=-5",
                               "SLURM_JOB_NAME=burn"));
  job = identify (self->source, JOB, 10);

  assert_field (job, "name", "burn");
}

static void
test_a_user_without_a_name_stays_a_number (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) job = NULL;

  tree_add_process (self->tree, 10, 4242, TASK, VARIABLES ("SLURM_JOB_ID=5"));
  job = identify (self->source, TASK, 10);

  assert_field (job, "uid", "4242");
  assert_field (job, "user", NULL);
}

static void
test_leaves_out_what_an_environment_says_wrongly (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) job = NULL;

  tree_add_process (self->tree, 10, 1000, TASK,
                    VARIABLES ("SLURM_JOB_ID=5", "SLURM_ARRAY_TASK_ID=many",
                               "SLURM_JOB_NUM_NODES=-1", "SLURM_JOB_QOS=(null)",
                               "SLURM_JOB_PARTITION=",
                               "SLURM_JOB_ACCOUNT=a\"b\\c\nd\xff"));
  job = identify (self->source, TASK, 10);

  assert_field (job, "array_taskid", NULL);
  assert_field (job, "nodes", NULL);
  assert_field (job, "qos", NULL);
  assert_field (job, "partition", NULL);
  assert_field (job, "account", "a\"b\\c\nd\xef\xbf\xbd");
}

/* Which of several counts is this node's is not known. */
static void
test_counts_the_cpus_of_this_node (Fixture *self, gconstpointer data)
{
  static const struct
  {
    const char *text;
    const char *n_cpus;
  } values[] = {
    { "24", "24" },         { "2(x3)", "2" },    { "128(x10000)", "128" },
    { "2(x3),1", NULL },    { "1,2(x3)", NULL }, { "(null)", NULL },
    { "", NULL },           { "(x3)", NULL },    { "-4", NULL },
    { "4294967294", NULL }, { "4(", NULL },      { "0x4", NULL },
    { "0", NULL },          { "many", NULL },
  };

  /* once of a file */
  expect_warning ("*: SLURM_JOB_CPUS_PER_NODE: -4*");
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autofree char *line =
        g_strdup_printf ("SLURM_JOB_ID=5\nSLURM_JOB_CPUS_PER_NODE=%s\n",
                         values[i].text);
      g_autoptr (JmJob) job = NULL;

      g_test_message ("%s", values[i].text);
      tree_put (self->tree, HOOK_5, line);
      job = identify (self->source, TASK, 0);
      assert_field (job, "cpus_granted", values[i].n_cpus);
    }
  g_test_assert_expected_messages ();
}

static void
test_believes_the_hook_before_the_environment (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) job = NULL;

  tree_put (self->tree, HOOK_5,
            "SLURM_JOB_ID=5\nSLURM_JOB_USER=alice\nSLURM_JOB_UID=1000\n"
            "SLURM_JOB_ACCOUNT=physics\nSLURM_JOB_START_TIME=1795247950\n"
            "SLURM_JOB_SLUID=" SLUID "\nSLURM_CLUSTER_NAME=lab\n");
  tree_add_process (self->tree, 10, 1001, TASK,
                    VARIABLES ("SLURM_JOB_ID=5", "SLURM_JOB_ACCOUNT=rich",
                               "SLURM_JOB_NAME=burn"));
  job = identify (self->source, TASK, 10);

  assert_field (job, "user", "alice");
  assert_field (job, "uid", "1000");
  assert_field (job, "account", "physics");
  assert_origin (job, "account", JM_ORIGIN_HOOK);
  /* which the hook was not given */
  assert_field (job, "name", "burn");
  assert_origin (job, "name", JM_ORIGIN_ENVIRONMENT);
  assert_field (job, "sluid", SLUID);
  assert_field (job, "start_time", "1795247950");
  g_assert_false (jm_job_is_uuid_weak (job));
}

static void
test_says_once_that_a_hooks_file_is_not_to_be_trusted (Fixture *self,
                                                       gconstpointer data)
{
  g_autofree char *path =
    tree_write (self->tree, HOOK_5, "SLURM_JOB_ID=5\nSLURM_JOB_ACCOUNT=rich\n");
  g_autoptr (JmJob) first = NULL;
  g_autoptr (JmJob) second = NULL;

  g_assert_cmpint (g_chmod (path, 0666), ==, 0);
  expect_warning ("*/jobs/5: not trusted: others may write it: mode 0666");
  first = identify (self->source, JOB, 0);
  second = identify (self->source, JOB, 0);
  g_test_assert_expected_messages ();

  assert_field (first, "account", NULL);
  assert_field (second, "account", NULL);
}

static void
test_refuses_a_hooks_file_of_another_job (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) job = NULL;

  tree_put (self->tree, HOOK_5, "SLURM_JOB_ID=6\nSLURM_JOB_ACCOUNT=x\n");
  expect_warning ("*/jobs/5: speaks of another job");
  job = identify (self->source, JOB, 0);
  g_test_assert_expected_messages ();

  g_assert_cmpuint (jm_job_count_fields (job, JM_ORIGIN_ENVIRONMENT), ==, 0);
  assert_field (job, "account", NULL);
}

static void
test_refuses_a_hooks_file_that_an_older_job_left (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) job = NULL;

  tree_put (self->tree, HOOK_5, "SLURM_JOB_ID=5\nSLURM_JOB_UID=1001\n");
  expect_warning ("*/jobs/5: speaks of another job");
  job = identify (self->source, V1_JOB, 0);
  g_test_assert_expected_messages ();

  assert_field (job, "user", "alice");
}

static void
test_a_wrong_line_of_a_hook_costs_only_itself (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) job = NULL;

  tree_put (self->tree, HOOK_5,
            "SLURM_JOB_ID=5\nSLURM_JOB_UID=-1\nSLURM_JOB_START_TIME=today\n"
            "SLURM_JOB_ACCOUNT=physics\n");
  tree_add_process (self->tree, 10, 1001, TASK, VARIABLES ("A=1"));
  expect_warning ("*/jobs/5: SLURM_JOB_UID: -1");
  job = identify (self->source, JOB, 10);
  g_test_assert_expected_messages ();

  assert_field (job, "account", "physics");
  assert_origin (job, "account", JM_ORIGIN_HOOK);
  assert_field (job, "start_time", NULL);
  assert_field (job, "user", "bob");
}

static void
test_calls_a_job_by_its_sluid_where_nothing_reports_its_id (Fixture *self,
                                                            gconstpointer data)
{
  g_autoptr (JmJob) job = identify (self->source, SLUID_JOB, 0);

  assert_field (job, "jobid", SLUID);
  assert_origin (job, "jobid", JM_ORIGIN_PATH);
  g_assert_false (jm_job_is_uuid_weak (job));
}

static void
test_no_environment_reports_the_id_of_a_sluid (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) job = NULL;

  tree_add_process (self->tree, 10, 1000, SLUID_JOB "/step_0/user/task_0",
                    VARIABLES ("SLURM_JOB_ID=5", "SLURM_JOB_SLUID=" SLUID,
                               "SLURM_JOB_NAME=burn"));
  job = identify (self->source, SLUID_JOB, 10);

  assert_field (job, "jobid", SLUID);
  assert_field (job, "name", "burn");
  assert_field (job, "sluid", SLUID);
  assert_origin (job, "sluid", JM_ORIGIN_PATH);
  g_assert_false (jm_job_is_uuid_weak (job));
}

static void
test_an_environment_must_name_the_sluid_of_its_path (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) other = NULL;
  g_autoptr (JmJob) none = NULL;

  tree_add_process (self->tree, 10, 1000, SLUID_JOB,
                    VARIABLES ("SLURM_JOB_ID=6", "SLURM_JOB_SLUID=sEKNKTV3WQ2G00",
                               "SLURM_JOB_NAME=other"));
  tree_add_process (self->tree, 11, 1000, SLUID_JOB,
                    VARIABLES ("SLURM_JOB_ID=6", "SLURM_JOB_NAME=none"));
  other = identify (self->source, SLUID_JOB, 10);
  none = identify (self->source, SLUID_JOB, 11);

  assert_field (other, "name", NULL);
  assert_field (none, "name", NULL);
}

static void
test_learns_the_id_of_a_sluid_from_the_hook (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) job = NULL;

  tree_put (self->tree, "run/jobmetrics/jobs/" SLUID,
            "SLURM_JOB_ID=5\nSLURM_JOB_SLUID=" SLUID "\nSLURM_JOB_UID=1000\n");
  job = identify (self->source, SLUID_JOB, 0);

  assert_origin (job, "jobid", JM_ORIGIN_HOOK);
  assert_field (job, "jobid", "5");
  assert_field (job, "user", "alice");
}

#define STEPD SLUID_JOB "/step_batch/slurm"
#define SCRIPT SLUID_JOB "/step_batch/user/task_0"

/* What is known from a script of alice's, process 11, beside process 10 of the step. */
static JmJob *
identify_beside (Fixture *self, guint uid, const char *cgroup, const char *command)
{
  g_autofree char *status = g_strdup_printf ("Name:\tx\nUid:\t0\t0\t%u\t0\n", uid);

  tree_put (self->tree, "sys/fs/cgroup" STEPD "/cgroup.procs", "10\n12\n");
  tree_add_process (self->tree, 10, 0, cgroup, NULL);
  tree_put (self->tree, "proc/10/status", status);
  tree_put (self->tree, "proc/10/cmdline", command);
  tree_add_process (self->tree, 11, 1000, SCRIPT,
                    VARIABLES ("SLURM_JOB_ID=7", "SLURM_JOB_SLUID=" SLUID,
                               "SLURM_JOB_ID_HET_GROUP_0=7",
                               "SLURM_JOB_ID_HET_GROUP_1=8", "SLURM_JOB_NUM_NODES=2",
                               "SLURM_JOB_NUM_NODES_HET_GROUP_1=1"));

  return identify (self->source, SCRIPT, 11);
}

static void
test_learns_the_id_of_a_sluid_from_slurmstepd (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) job = identify_beside (self, 0, STEPD, "slurmstepd: [8.batch]");
  g_autoptr (JmJob) idle = identify (self->source, SLUID_JOB "/step_batch", 0);

  assert_origin (job, "jobid", JM_ORIGIN_KERNEL);
  assert_field (job, "jobid", "8");
  assert_field (job, "sluid", SLUID);
  assert_field (job, "user", "alice");
  /* of the component of that number */
  assert_field (job, "nodes", "1");
  assert_field (job, "het_offset", "1");
  /* a step without a process of its own */
  assert_field (idle, "jobid", "8");
  assert_field (idle, "user", NULL);
}

/* Any user may run a program as root by the name of slurmstepd, but not there. */
static void
test_believes_no_other_process_that_is_called_slurmstepd (Fixture *self,
                                                          gconstpointer data)
{
  static const struct
  {
    guint uid;
    const char *cgroup;
    const char *command;
  } others[] = {
    { 1000, STEPD, "slurmstepd: [5.batch]" },
    { 0, SCRIPT, "slurmstepd: [5.batch]" },
    { 0, SCRIPT "/slurm", "slurmstepd: [5.batch]" },
    { 0, "/system.slice/slurmstepd.scope/sEKNKTV3WQ2G00/step_batch/slurm",
      "slurmstepd: [5.batch]" },
    { 0, STEPD, "/usr/sbin/slurmstepd" },
    { 0, STEPD, "slurmstepd: [0.batch]" },
    { 0, STEPD, "slurmstepd: [5.batch] more" },
    { 0, STEPD, "slurmstepd: [4294967294.batch]" },
    { 0, STEPD, "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (JmJob) job =
        identify_beside (self, others[i].uid, others[i].cgroup, others[i].command);

      assert_field (job, "jobid", SLUID);
    }
}

static void
test_the_configured_cluster_counts (Fixture *self, gconstpointer data)
{
  g_autoptr (JmSchedulerDefinition) definition = shipped_definition ("slurm.conf");
  g_autoptr (JmJobSource) source =
    g_initable_new (JM_TYPE_CGROUP_JOB_SOURCE, NULL, NULL, "host", self->tree->host,
                    "definition", definition, "cluster", "ours", NULL);
  g_autoptr (JmJob) job = NULL;

  add_honest_process (self);
  job = identify (source, TASK, 10);

  assert_field (job, "cluster", "ours");
}

static void
test_no_environment_chooses_the_cluster (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) job = NULL;
  g_autofree char *expected = jm_uuid_for_job (NULL, "5", 0);

  add_honest_process (self);
  job = identify (self->source, TASK, 10);

  assert_field (job, "cluster", NULL);
  g_assert_cmpstr (jm_job_get_uuid (job), ==, expected);
}

static void
test_the_schedulers_own_file_names_the_cluster (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) job = NULL;

  tree_put (self->tree, "etc/slurm/slurm.conf",
            "# ClusterName=no\nSlurmctldHost=ctl\n clustername = \"Lab\" # ours\n");
  add_honest_process (self);
  job = identify (self->source, TASK, 10);

  assert_field (job, "cluster", "lab");
  assert_origin (job, "cluster", JM_ORIGIN_HOOK);
}

static void
test_the_hook_knows_the_cluster_better_than_a_file (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) job = NULL;

  tree_put (self->tree, "etc/slurm/slurm.conf", "ClusterName=stale\n");
  tree_put (self->tree, HOOK_5, "SLURM_JOB_ID=5\nSLURM_CLUSTER_NAME=lab\n");
  job = identify (self->source, JOB, 0);

  assert_field (job, "cluster", "lab");
}

/* As Slurm 22.05 was seen to set it for `srun --het-group=0,1`. */
static void
add_process_of_a_heterogeneous_job (Fixture *self, guint pid, const char *path)
{
  tree_add_process (self->tree, pid, 1000, path,
                    VARIABLES ("SLURM_JOB_ID=5", "SLURM_HET_SIZE=2", "SLURM_STEP_ID=0",
                               "SLURM_JOB_NAME=step", "SLURM_JOB_QOS=normal",
                               "SLURM_JOB_ID_HET_GROUP_0=5",
                               "SLURM_JOB_ID_HET_GROUP_1=6",
                               "SLURM_JOB_NAME_HET_GROUP_0=first",
                               "SLURM_JOB_NAME_HET_GROUP_1=second",
                               "SLURM_JOB_PARTITION_HET_GROUP_0=cpu",
                               "SLURM_JOB_PARTITION_HET_GROUP_1=gpu"));
}

static void
test_a_component_keeps_its_own_identity (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJob) leader = NULL;
  g_autoptr (JmJob) component = NULL;

  add_process_of_a_heterogeneous_job (self, 10, JOB "/step_0/user/task_0");
  add_process_of_a_heterogeneous_job (self, 11, OTHER_JOB "/step_0/user/task_1");
  leader = identify (self->source, JOB, 10);
  component = identify (self->source, OTHER_JOB, 11);

  assert_field (leader, "jobid", "5");
  assert_field (leader, "het_jobid", "5");
  assert_field (leader, "het_offset", "0");
  assert_field (leader, "partition", "cpu");
  assert_field (leader, "name", "first");
  assert_field (leader, "qos", "normal");
  assert_field (component, "jobid", "6");
  assert_field (component, "het_jobid", "5");
  assert_field (component, "het_offset", "1");
  assert_field (component, "partition", "gpu");
  assert_field (component, "name", "second");
  /* the plain variable may be the leader's */
  assert_field (component, "qos", NULL);
  g_assert_cmpstr (jm_job_get_uuid (leader), !=, jm_job_get_uuid (component));
  g_assert_true (jm_job_is_called (component, "5+1"));
}

static void
test_knows_who_ran_a_command (Fixture *self, gconstpointer data)
{
  g_autoptr (JmJobSource) source = source_for (self->tree->host, "local.conf");
  g_autoptr (JmJob) job = NULL;

  tree_add_process (self->tree, 10, 1000, "/jobmetrics/job_7",
                    VARIABLES ("JOBMETRICS_JOB_ID=7", "JOBMETRICS_JOB_NAME=spin"));
  job = identify (source, "/jobmetrics/job_7", 10);

  assert_field (job, "scheduler", "local");
  assert_field (job, "jobid", "7");
  assert_field (job, "name", "spin");
  assert_field (job, "user", "alice");
}

static void
test_says_that_a_process_could_not_be_asked (Fixture *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->tree->root, "proc/10/environ", NULL);
  g_autoptr (JmJob) whole = NULL;
  g_autoptr (JmJob) part = NULL;
  g_autoptr (JmJob) none = NULL;

  add_honest_process (self);
  whole = identify (self->source, TASK, 10);
  none = identify (self->source, TASK, 11);
  /* a directory can be opened, and not be read */
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_mkdir (path, 0755), ==, 0);
  part = identify (self->source, TASK, 10);

  g_assert_false (whole->is_partial);
  g_assert_false (none->is_partial);
  g_assert_true (part->is_partial);
  assert_field (part, "user", "alice");
  assert_field (part, "name", NULL);
}

static void
add (const char *path, void (*test) (Fixture *, gconstpointer))
{
  g_test_add (path, Fixture, NULL, fixture_set_up, test, fixture_tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("/job/environment", test_believes_the_environment_where_there_is_no_better);
  add ("/job/environment/no-device", test_a_word_for_no_device_is_none);
  add ("/job/environment/several-variables",
       test_the_first_variable_that_is_there_reports_a_field);
  add ("/job/environment/time", test_takes_no_time_from_an_environment);
  add ("/job/environment/other-job",
       test_ignores_an_environment_that_claims_another_job);
  add ("/job/environment/other-user", test_an_environment_cannot_make_a_user_another);
  add ("/job/environment/wrong", test_leaves_out_what_an_environment_says_wrongly);
  add ("/job/cpus", test_counts_the_cpus_of_this_node);
  add ("/job/environment/step", test_the_name_of_a_step_is_not_that_of_the_job);
  add ("/job/environment/step-below-zero", test_a_step_below_zero_is_none);
  add ("/job/path", test_says_what_the_path_says_where_nothing_else_does);
  add ("/job/path/uid", test_the_directory_of_v1_knows_the_user_best);
  add ("/job/process/stranger", test_believes_no_process_of_another_job);
  add ("/job/process/ended", test_goes_on_without_a_process_that_has_ended);
  add ("/job/process/unreadable", test_says_that_a_process_could_not_be_asked);
  add ("/job/process/helper",
       test_a_helper_of_the_scheduler_does_not_make_the_job_roots);
  add ("/job/user/no-name", test_a_user_without_a_name_stays_a_number);
  add ("/job/hook", test_believes_the_hook_before_the_environment);
  add ("/job/hook/writable", test_says_once_that_a_hooks_file_is_not_to_be_trusted);
  add ("/job/hook/other-job", test_refuses_a_hooks_file_of_another_job);
  add ("/job/hook/older-job", test_refuses_a_hooks_file_that_an_older_job_left);
  add ("/job/hook/wrong", test_a_wrong_line_of_a_hook_costs_only_itself);
  add ("/job/sluid/alone", test_calls_a_job_by_its_sluid_where_nothing_reports_its_id);
  add ("/job/sluid/environment", test_no_environment_reports_the_id_of_a_sluid);
  add ("/job/sluid/other", test_an_environment_must_name_the_sluid_of_its_path);
  add ("/job/sluid/hook", test_learns_the_id_of_a_sluid_from_the_hook);
  add ("/job/sluid/slurmstepd", test_learns_the_id_of_a_sluid_from_slurmstepd);
  add ("/job/sluid/others", test_believes_no_other_process_that_is_called_slurmstepd);
  add ("/job/cluster", test_the_configured_cluster_counts);
  add ("/job/cluster/environment", test_no_environment_chooses_the_cluster);
  add ("/job/cluster/file", test_the_schedulers_own_file_names_the_cluster);
  add ("/job/cluster/hook", test_the_hook_knows_the_cluster_better_than_a_file);
  add ("/job/component", test_a_component_keeps_its_own_identity);
  add ("/job/local", test_knows_who_ran_a_command);

  return g_test_run ();
}
