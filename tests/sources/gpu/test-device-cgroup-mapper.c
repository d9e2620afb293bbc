/* test-device-cgroup-mapper.c: accelerators that the kernel lets a job at
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/gpu/jm-gpu-types-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "core/jm-gpu-grants-private.h"
#include "core/jm-job-draft-private.h"
#include "tree.h"

#define JOB "/slurm/uid_1000/job_12"
#define PATH(cgroup) "sys/fs/cgroup/devices" cgroup "/devices.list"

typedef struct
{
  Tree *tree;
  JmHost *host;
  JmDeviceCgroupMapper *mapper;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  f->tree = tree_new ();
  f->host = jm_host_new (f->tree->root);
  tree_make_dir (f->tree, "sys/fs/cgroup/devices");
  f->mapper = jm_device_cgroup_mapper_new (f->host, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_object_unref (f->mapper);
  g_object_unref (f->host);
  tree_free (f->tree);
}

static char *
join (JmGpuGrants *grants)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  guint n_grants;
  const JmGpuGrant *grant = jm_gpu_grants_get (grants, &n_grants);

  for (guint i = 0; i < n_grants; i++)
    {
      g_assert_cmpint (grant[i].origin, ==, JM_GPU_ORIGIN_CGROUP);
      g_ptr_array_add (names, grant[i].device);
    }
  g_ptr_array_add (names, NULL);

  return g_strjoinv (" ", (char **) names->pdata);
}

static void
assert_list (const char *text, const char *expected)
{
  g_autoptr (JmGpuGrants) grants = jm_gpu_grants_new ();
  gboolean proves = jm_device_list_take (text, strlen (text), grants);
  g_autofree char *found = join (grants);

  g_assert_cmpstr (found, ==, expected);
  g_assert_cmpint (proves, ==, *expected != '\0');
}

static void
assert_job (Fixture *f, const char *expected)
{
  static const char *const cgroups[] = { JOB, JOB "/step_0", JOB "/step_1", NULL };
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();
  g_autoptr (JmGpuGrants) grants = jm_gpu_grants_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (JmJob) job = NULL;
  g_autofree char *found = NULL;

  jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, "12", -1);
  job = jm_job_draft_to_job (draft);
  jm_gpu_mapper_map_job (JM_GPU_MAPPER (f->mapper), job, cgroups, grants, &error);
  g_assert_no_error (error);
  found = join (grants);

  g_assert_cmpstr (found, ==, expected);
}

static void
test_a_line_with_numbers_is_a_device (void)
{
  assert_list ("c 1:3 rwm\nc 195:0 rw\nc 226:129 rw\n", "1:3 195:0 226:129");
}

static void
test_all_devices_prove_nothing (void)
{
  assert_list ("a *:* rwm\n", "");
  assert_list ("a *:* rwm\nc 195:0 rwm\n", "");
  assert_list ("c *:* rwm\nc 195:0 rwm\n", "");
}

static void
test_all_devices_of_a_kind_prove_nothing_of_that_kind (void)
{
  assert_list ("c 195:* rwm\n", "");
  assert_list ("c 195:0 rw\nc 195:* rwm\nc 226:128 rw\n", "226:128");
  assert_list ("c 19:* rwm\nc 195:1 rw\n", "195:1");
}

static void
test_what_may_not_be_opened_was_not_given (void)
{
  assert_list ("c 195:0 m\nb 195:1 rwm\nc 195:2 r\n", "195:2");
}

static void
test_nonsense_is_passed_over (void)
{
  assert_list ("", "");
  assert_list (
    "c\nc 195\nc 195:0\nc x:y rw\nc 195: rw\nc :* rw\nc * rw\n\n\nc 195:4 rw", "195:4");
}

static void
test_a_job_has_what_its_cgroup_allows (Fixture *f, gconstpointer data)
{
  tree_write (f->tree, PATH (JOB), "c 195:0 rw\nc 195:1 rw\n");
  tree_write (f->tree, PATH (JOB "/step_0"), "c 195:0 rw\n");

  assert_job (f, "195:0 195:1");
}

static void
test_where_the_job_s_own_says_nothing_its_steps_do (Fixture *f, gconstpointer data)
{
  tree_write (f->tree, PATH (JOB), "a *:* rwm\n");
  tree_write (f->tree, PATH (JOB "/step_0"), "c 195:2 rw\n");
  tree_write (f->tree, PATH (JOB "/step_1"), "c 195:3 rw\n");

  assert_job (f, "195:2 195:3");
}

static void
test_a_cgroup_that_is_not_in_this_hierarchy_says_nothing (Fixture *f,
                                                          gconstpointer data)
{
  assert_job (f, "");
}

static void
test_is_absent_where_there_is_no_such_hierarchy (void)
{
  g_autoptr (JmHost) host = jm_host_new ("/nonexistent");
  g_autoptr (GError) error = NULL;
  g_autoptr (JmDeviceCgroupMapper) mapper = jm_device_cgroup_mapper_new (host, &error);

  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
  g_assert_null (mapper);
}

#define ADD(path, function)                                                            \
 g_test_add ("/device-cgroup-mapper/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/device-cgroup-mapper/a-line-with-numbers-is-a-device",
                   test_a_line_with_numbers_is_a_device);
  g_test_add_func ("/device-cgroup-mapper/all-devices-prove-nothing",
                   test_all_devices_prove_nothing);
  g_test_add_func ("/device-cgroup-mapper/"
                   "all-devices-of-a-kind-prove-nothing-of-that-kind",
                   test_all_devices_of_a_kind_prove_nothing_of_that_kind);
  g_test_add_func ("/device-cgroup-mapper/what-may-not-be-opened-was-not-given",
                   test_what_may_not_be_opened_was_not_given);
  g_test_add_func ("/device-cgroup-mapper/nonsense-is-passed-over",
                   test_nonsense_is_passed_over);
  ADD ("a-job-has-what-its-cgroup-allows", test_a_job_has_what_its_cgroup_allows);
  ADD ("where-the-job-s-own-says-nothing-its-steps-do",
       test_where_the_job_s_own_says_nothing_its_steps_do);
  ADD ("a-cgroup-that-is-not-in-this-hierarchy-says-nothing",
       test_a_cgroup_that_is_not_in_this_hierarchy_says_nothing);
  g_test_add_func ("/device-cgroup-mapper/is-absent-where-there-is-no-such-hierarchy",
                   test_is_absent_where_there_is_no_such_hierarchy);

  return g_test_run ();
}
