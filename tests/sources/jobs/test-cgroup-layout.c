/* test-cgroup-layout.c: where schedulers keep their jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-place-private.h"
#include "tree.h"

typedef struct
{
  const char *path;
  const char *place; /* job/step/task, with a + for a helper; NULL: none */
} Case;

#define V2 "/system.slice/slurmstepd.scope"
#define V2_NODE "/system.slice/n1_slurmstepd.scope"
#define SCOPE "slurmstepd.scope/"
#define SLUID "sEKNKTV3WPV500"

static char *
describe (JmPlace *place)
{
  const char *step = jm_place_get_step (place);
  const char *task = jm_place_get_task (place);

  return g_strconcat (jm_place_get_job (place), step != NULL ? "/" : "",
                      step != NULL ? step : "", task != NULL ? "/" : "",
                      task != NULL ? task : "", jm_place_is_helper (place) ? "+" : "",
                      NULL);
}

static void
assert_places (JmJobSource *source, const Case *cases, guint n_cases)
{
  for (guint i = 0; i < n_cases; i++)
    {
      g_autoptr (JmPlace) place = jm_job_source_match (source, cases[i].path);
      g_autofree char *text = place != NULL ? describe (place) : NULL;

      if (g_strcmp0 (text, cases[i].place) != 0)
        g_error ("%s: %s, not %s", cases[i].path, text, cases[i].place);
    }
}

static void
test_knows_every_layout_of_slurm (void)
{
  static const Case cases[] = {
    { "/slurm/uid_1000/job_5", "5" },
    { "/slurm/uid_1000/job_5/step_0", "5/0" },
    { "/slurm/uid_1000/job_5/step_extern/task_0", "5/extern/0" },
    { "/slurm_n1/uid_1000/job_5", "5" },
    { "/slurm_n1/uid_1000/job_5/step_batch", "5/batch" },
    { "/slurm_n1/uid_1000/job_5/step_12/task_3", "5/12/3" },
    { V2 "/job_5", "5" },
    { V2 "/job_5/step_batch", "5/batch" },
    { V2 "/job_5/step_interactive", "5/interactive" },
    { V2 "/job_5/step_0/user/task_1", "5/0/1" },
    { V2 "/job_5/step_0/slurm", "5/0+" },
    { V2_NODE "/job_5/step_0/user/task_1", "5/0/1" },
    { "/hpc.slice/hpc-jobs.slice/slurmstepd.scope/job_5/step_0", "5/0" },
    { "/slurmstepd.scope/job_5", "5" },
    { V2 "/" SLUID, SLUID },
    { V2 "/" SLUID "/step_0/user/task_0", SLUID "/0/0" },
    { V2 "/" SLUID "/step_0/slurm", SLUID "/0+" },
    { V2_NODE "/" SLUID "/step_extern", SLUID "/extern" },
    /* these belong to what is above them */
    { V2 "/job_5/step_0/user", NULL },
    { V2 "/job_5/step_0/user/task_special", NULL },
    { V2 "/job_5/step_0/user/task_1/container", NULL },
  };
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source = source_for (tree->host, "slurm.conf");

  assert_places (source, cases, G_N_ELEMENTS (cases));
}

static void
test_leaves_alone_what_is_no_job (void)
{
  static const Case cases[] = {
    { "/", NULL },
    { "", NULL },
    { "/system.slice", NULL },
    { V2, NULL },
    { V2 "/system", NULL },
    { "/system.slice/sshd.service", NULL },
    { "/slurm", NULL },
    { "/slurm/uid_1000", NULL },
    { "/slurm/system", NULL },
    { V2 "/job_", NULL },
    { V2 "/job_x7", NULL },
    { V2 "/job_-3", NULL },
    { V2 "/job_99999999999999999999", NULL },
    { V2 "/job_7 8", NULL },
    { V2 "/sEKNKTV3WPV50", NULL },
    { V2 "/sEKNKTV3WPV50U", NULL },
    { "/system.slice/xslurmstepd.scope/job_5", NULL },
  };
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source = source_for (tree->host, "slurm.conf");

  assert_places (source, cases, G_N_ELEMENTS (cases));
}

static void
test_users_cannot_make_jobs_by_making_directories (void)
{
  static const Case cases[] = {
    { "/user.slice/user-1000.slice/user@1000.service/slurmstepd.scope/job_5", NULL },
    { V2 "/job_5/step_0/user/task_0/slurmstepd.scope/job_6", NULL },
    { V2 "/job_5/step_0/user/task_0/n2_slurmstepd.scope/" SLUID, NULL },
    { "/slurm/uid_1000/job_5/step_0/slurmstepd.scope/job_6/step_0", NULL },
    /* a container's own, whose root is not the machine's */
    { "/docker/0123/system.slice/slurmstepd.scope/job_5", NULL },
    { "/machine.slice/libpod-0123.scope/system.slice/slurmstepd.scope/job_5", NULL },
    { "/kubepods.slice/pod1.slice/cri-2.scope/slurmstepd.scope/" SLUID, NULL },
  };
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source = source_for (tree->host, "slurm.conf");

  assert_places (source, cases, G_N_ELEMENTS (cases));
}

static void
test_takes_the_jobs_of_one_node_where_a_machine_plays_several (void)
{
  static const Case cases[] = {
    { V2_NODE "/job_5", "5" },
    { "/slurm_n1/uid_1000/job_5", "5" },
    { "/system.slice/n2_slurmstepd.scope/job_5", NULL },
    { "/slurm_n2/uid_1000/job_5", NULL },
    /* where the path names no node, it is this one */
    { V2 "/job_5", "5" },
    { "/slurm/uid_1000/job_5", "5" },
  };
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmSchedulerDefinition) definition = shipped_definition ("slurm.conf");
  g_autoptr (JmJobSource) source =
    g_initable_new (JM_TYPE_CGROUP_JOB_SOURCE, NULL, NULL, "host", tree->host,
                    "definition", definition, "node-name", "n1", NULL);

  assert_places (source, cases, G_N_ELEMENTS (cases));
}

static void
test_leads_only_where_jobs_may_be (void)
{
  static const struct
  {
    const char *path;
    gboolean is_of_slurm;
    gboolean is_of_run;
  } cases[] = {
    { "/", TRUE, TRUE },
    { "/system.slice", TRUE, TRUE },
    { "/hpc.slice/hpc-jobs.slice", TRUE, TRUE },
    { V2, TRUE, FALSE },
    { V2_NODE, TRUE, FALSE },
    { V2 "/job_5/step_0", TRUE, FALSE },
    { V2 "/system", FALSE, FALSE },
    { "/slurm", TRUE, FALSE },
    { "/slurm_n1/uid_1000", TRUE, FALSE },
    { "/slurm/other", FALSE, FALSE },
    { "/user.slice", FALSE, TRUE },
    { "/user.slice/user-1000.slice", FALSE, TRUE },
    { "/system.slice/sshd.service", FALSE, TRUE },
    { "/docker", FALSE, TRUE },
    { "/docker/0123/system.slice", FALSE, TRUE },
    { "//", TRUE, TRUE },
  };
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) slurm = source_for (tree->host, "slurm.conf");
  g_autoptr (JmJobSource) run = source_for (tree->host, "local.conf");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].path);
      g_assert_cmpint (jm_job_source_may_have_jobs (slurm, cases[i].path), ==,
                       cases[i].is_of_slurm);
      g_assert_cmpint (jm_job_source_may_have_jobs (run, cases[i].path), ==,
                       cases[i].is_of_run);
    }
}

static void
test_reports_the_root_of_a_scheduler (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) slurm = source_for (tree->host, "slurm.conf");
  g_autoptr (JmPlace) job =
    jm_job_source_match (slurm, "/a.slice/b.slice/" SCOPE "job_5");
  g_autoptr (JmPlace) step =
    jm_job_source_match (slurm, "/a.slice/b.slice/" SCOPE "job_5/step_0");
  g_autoptr (JmPlace) v1 = jm_job_source_match (slurm, "/slurm/uid_1000/job_5");

  g_assert_cmpstr (jm_place_get_root (job), ==, "a.slice/b.slice");
  g_assert_cmpstr (jm_place_get_root (step), ==, "a.slice/b.slice");
  g_assert_null (jm_place_get_root (v1));
}

static void
test_knows_what_the_run_command_starts (void)
{
  static const Case cases[] = {
    { "/jobmetrics/job_1", "1" },
    { "/user.slice/user-1000.slice/session-2.scope/jobmetrics/job_7", "7" },
    { "/jobmetrics", NULL },
    { "/jobmetrics/job_run-123456", "run-123456" },
    { "/jobmetrics/job_", NULL },
    { "/jobmetrics/job_..", NULL },
    { V2 "/job_5/step_0/user/task_0/jobmetrics/job_1", NULL },
    { "/slurm_n1/uid_1000/job_5/jobmetrics/job_1", NULL },
  };
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source = source_for (tree->host, "local.conf");

  assert_places (source, cases, G_N_ELEMENTS (cases));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cgroup-layout/slurm", test_knows_every_layout_of_slurm);
  g_test_add_func ("/cgroup-layout/foreign", test_leaves_alone_what_is_no_job);
  g_test_add_func ("/cgroup-layout/forged",
                   test_users_cannot_make_jobs_by_making_directories);
  g_test_add_func ("/cgroup-layout/one-node",
                   test_takes_the_jobs_of_one_node_where_a_machine_plays_several);
  g_test_add_func ("/cgroup-layout/way", test_leads_only_where_jobs_may_be);
  g_test_add_func ("/cgroup-layout/roots", test_reports_the_root_of_a_scheduler);
  g_test_add_func ("/cgroup-layout/local", test_knows_what_the_run_command_starts);

  return g_test_run ();
}
