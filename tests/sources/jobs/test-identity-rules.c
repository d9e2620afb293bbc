/* test-identity-rules.c: what definitions say of ids, users and uuids
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/jobs/jm-definition-groups-private.h"

#include "base/jm-error.h"
#include "core/jm-uuid-private.h"
#include "tree.h"

#define HEAD "[Scheduler]\nName=site\n[Cgroup]\nJob=/site/%J\n"
#define HOOK "[Hook]\nDirectory=/run/site\nFile=%J\n"
#define POD "0f3a9d2e-11aa-4bcd-8eff-0123456789ab"

static void
test_an_id_says_of_which_array_the_job_is (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source =
    source_of (tree, HEAD "[Array]\nId=%j[%i].%x;%j[%i]\n");
  g_autoptr (JmJob) pbs = identify (source, "/site/12[3].server.site", 0);
  g_autoptr (JmJob) lsf = identify (source, "/site/12[4]", 0);
  g_autoptr (JmJob) plain = identify (source, "/site/12.server.site", 0);

  assert_field (pbs, "jobid", "12[3].server.site");
  assert_field (pbs, "array_jobid", "12");
  assert_field (pbs, "array_taskid", "3");
  assert_origin (pbs, "array_taskid", JM_ORIGIN_PATH);
  assert_field (lsf, "array_taskid", "4");
  assert_field (plain, "array_jobid", NULL);
}

static void
test_a_job_without_a_variable_of_its_id_is_known_by_its_cgroup (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source =
    source_of (tree, HEAD "[Environment]\naccount=PROJECT\n");
  g_autoptr (JmJob) job = NULL;
  g_autoptr (JmJob) other = NULL;

  tree_add_process (tree, 10, 1000, "/site/a",
                    (const char *const[]){ "PROJECT=physics", NULL });
  job = identify (source, "/site/a", 10);
  other = identify (source, "/site/b", 10);

  assert_field (job, "account", "physics");
  assert_origin (job, "account", JM_ORIGIN_ENVIRONMENT);
  assert_field (other, "account", NULL);
}

static void
test_whom_a_container_runs_as_is_nobody_here (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) usual = source_of (tree, HEAD);
  g_autoptr (JmJobSource) pods = source_of (tree, HEAD "[User]\nFromProcess=no\n");
  g_autoptr (JmJob) job = NULL;
  g_autoptr (JmJob) pod = NULL;

  tree_put (tree, "etc/passwd", "alice:x:1000:1000\n");
  tree_add_process (tree, 10, 1000, "/site/a", NULL);
  job = identify (usual, "/site/a", 10);
  pod = identify (pods, "/site/a", 10);

  assert_field (job, "user", "alice");
  assert_field (pod, "user", NULL);
  assert_field (pod, "uid", NULL);
}

static void
test_a_job_whose_id_is_a_uuid_is_that_job_everywhere (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source = source_of (tree, HEAD);
  g_autoptr (JmJob) pod = identify (source, "/site/" POD, 0);
  g_autoptr (JmJob) job = identify (source, "/site/12", 0);
  g_autofree char *uuid = jm_uuid_for_unique_id ("site", POD);

  g_assert_cmpstr (jm_job_get_uuid (pod), ==, uuid);
  g_assert_false (jm_job_is_uuid_weak (pod));
  g_assert_true (jm_job_is_uuid_weak (job));
}

static void
test_the_uuid_is_made_of_the_time_that_the_definition_names (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source =
    source_of (tree, HEAD HOOK "[Environment]\nsubmit_time=QTIME\nstart_time=STIME\n"
                               "[Uuid]\nMoment=submit_time\n");
  g_autofree char *uuid = jm_uuid_for_job (NULL, "12", 1795247000);
  g_autoptr (JmJob) job = NULL;

  tree_put (tree, "run/site/12", "QTIME=1795247000\nSTIME=1795247950\n");
  job = identify (source, "/site/12", 0);

  g_assert_cmpstr (jm_job_get_uuid (job), ==, uuid);
  g_assert_false (jm_job_is_uuid_weak (job));
}

static void
test_a_path_may_name_user_and_cluster (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmJobSource) source =
    source_of (tree, "[Scheduler]\nName=site\n[Cgroup]\nJob=/site/%c/%U_%j\n");
  g_autoptr (JmJob) job = identify (source, "/site/west/a_b_12", 0);

  assert_field (job, "jobid", "12");
  assert_field (job, "user", "a_b");
  assert_field (job, "cluster", "west");
  assert_origin (job, "cluster", JM_ORIGIN_PATH);
}

static void
test_says_what_is_wrong (void)
{
  static const struct
  {
    const char *group;
    const char *key;
    const char *value;
    const char *message;
  } cases[] = {
    { "Array", "Id", "%j", "without both %j and %i: %j" },
    { "Array", "Id", "%j/%i", "an id with a slash: %j/%i" },
    { "Array", "Id", "%j[%i];%u", "placeholder without a meaning here: %u" },
    { "Array", "Form", "x", "unknown key: Form" },
    { "User", "FromProcess", "maybe", "neither yes nor no: maybe" },
    { "Uuid", "Moment", "jobid", "neither start_time nor submit_time: jobid" },
    { "Uuid", "Moment", "end", "neither start_time nor submit_time: end" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (JmIdentityRules) rules = jm_identity_rules_new ();
      g_autoptr (GError) error = NULL;

      g_assert_true (jm_identity_rules_has_group (cases[i].group));
      g_assert_false (jm_identity_rules_add (rules, cases[i].group, cases[i].key,
                                             cases[i].value, &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/identity-rules/array", test_an_id_says_of_which_array_the_job_is);
  g_test_add_func ("/identity-rules/no-id",
                   test_a_job_without_a_variable_of_its_id_is_known_by_its_cgroup);
  g_test_add_func ("/identity-rules/user",
                   test_whom_a_container_runs_as_is_nobody_here);
  g_test_add_func ("/identity-rules/unique",
                   test_a_job_whose_id_is_a_uuid_is_that_job_everywhere);
  g_test_add_func ("/identity-rules/moment",
                   test_the_uuid_is_made_of_the_time_that_the_definition_names);
  g_test_add_func ("/identity-rules/path", test_a_path_may_name_user_and_cluster);
  g_test_add_func ("/identity-rules/errors", test_says_what_is_wrong);

  return g_test_run ();
}
