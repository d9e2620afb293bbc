/* test-map-files-mapper.c: accelerators in files that are called like them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/gpu/jm-gpu-types-private.h"

#include <glib/gstdio.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "core/jm-gpu-grants-private.h"
#include "core/jm-job-draft-private.h"
#include "tree.h"

#define USUAL "/run/gpujobmap"

typedef struct
{
  Tree *tree;
  JmHost *host;
  JmMapFilesMapper *mapper;
} Fixture;

static void
open_mapper (Fixture *f, const char *directory)
{
  g_autoptr (GError) error = NULL;

  g_clear_object (&f->mapper);
  f->mapper = jm_map_files_mapper_new (f->host, directory, &error);
  g_assert_no_error (error);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  f->tree = tree_new ();
  f->host = jm_host_new (f->tree->root);
  tree_make_dir (f->tree, "run/gpujobmap");
  open_mapper (f, NULL);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_object_unref (f->mapper);
  g_object_unref (f->host);
  tree_free (f->tree);
}

static JmJob *
make_job (const char *id)
{
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();

  jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, id, -1);

  return jm_job_draft_to_job (draft);
}

/* The devices of a job, with blanks between. */
static char *
ask (Fixture *f, const char *id, GError **error)
{
  static const char *const none[] = { NULL };
  g_autoptr (JmGpuGrants) grants = jm_gpu_grants_new ();
  g_autoptr (JmJob) job = make_job (id);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  const JmGpuGrant *grant;
  guint n_grants;

  if (!jm_gpu_mapper_map_job (JM_GPU_MAPPER (f->mapper), job, none, grants, error))
    return NULL;

  grant = jm_gpu_grants_get (grants, &n_grants);
  for (guint i = 0; i < n_grants; i++)
    {
      g_assert_cmpint (grant[i].origin, ==, JM_GPU_ORIGIN_HOOK);
      g_ptr_array_add (names, grant[i].device);
    }
  g_ptr_array_add (names, NULL);

  return g_strjoinv (" ", (char **) names->pdata);
}

static void
assert_has (Fixture *f, const char *id, const char *devices)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *found = ask (f, id, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (found, ==, devices);
}

static void
test_a_file_names_the_job_of_its_device (Fixture *f, gconstpointer data)
{
  tree_write (f->tree, "run/gpujobmap/0", "12\n");
  tree_write (f->tree, "run/gpujobmap/1", "12");
  tree_write (f->tree, "run/gpujobmap/2", "7 1000 alice\n");
  tree_write (f->tree, "run/gpujobmap/3", "");

  assert_has (f, "12", "0 1");
  assert_has (f, "7", "2");
  assert_has (f, "1", "");
}

/* As in the mapping directory of DCGM's exporter. */
static void
test_several_jobs_may_have_one_device (Fixture *f, gconstpointer data)
{
  tree_write (f->tree, "srv/map/0.3", "12\n13\n");
  tree_write (f->tree, "srv/map/GPU-8f6d0a52-1111-2222-3333-444455556666", "13\n");
  open_mapper (f, "/srv/map");

  assert_has (f, "12", "0.3");
  assert_has (f, "13", "0.3 GPU-8f6d0a52-1111-2222-3333-444455556666");
}

static void
test_what_changed_is_read_again (Fixture *f, gconstpointer data)
{
  tree_write (f->tree, "run/gpujobmap/0", "12\n");
  assert_has (f, "12", "0");
  tree_rewrite (f->tree, "run/gpujobmap/0", "13 \n");
  tree_write (f->tree, "run/gpujobmap/1", "12\n");
  assert_has (f, "12", "1");
  assert_has (f, "13", "0");
  tree_remove (f->tree, "run/gpujobmap/1");
  assert_has (f, "12", "");
}

/* In one round all jobs get the same files. */
static void
test_files_are_looked_at_once_in_a_round (Fixture *f, gconstpointer data)
{
  tree_write (f->tree, "run/gpujobmap/0", "12\n");
  assert_has (f, "12", "0");
  tree_write (f->tree, "run/gpujobmap/1", "13\n");
  assert_has (f, "13", "");
  assert_has (f, "12", "0");
  assert_has (f, "13", "1");
}

static void
test_what_a_hook_has_not_finished_is_passed_over (Fixture *f, gconstpointer data)
{
  tree_write (f->tree, "run/gpujobmap/.new.x", "12\n");

  assert_has (f, "12", "");
}

static void
expect_once (Fixture *f, const char *pattern)
{
  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING, pattern);
  assert_has (f, "12", "1");
  assert_has (f, "12", "1");
  g_test_assert_expected_messages ();
}

static void
test_a_name_that_is_no_device_is_reported_once (Fixture *f, gconstpointer data)
{
  tree_write (f->tree, "run/gpujobmap/1", "12\n");
  tree_write (f->tree, "run/gpujobmap/gpu-zero", "12\n");

  expect_once (f, "*" USUAL "/gpu-zero: not called like a device*");
}

static void
test_a_line_that_is_no_job_is_reported_once (Fixture *f, gconstpointer data)
{
  tree_write (f->tree, "run/gpujobmap/1", "12\n");
  tree_write (f->tree, "run/gpujobmap/0", "$(reboot)\n");

  expect_once (f, "*" USUAL "/0: not a job id: $(reboot)");
}

static void
test_a_file_without_end_is_reported_once (Fixture *f, gconstpointer data)
{
  g_autofree char *text = g_strnfill (1 << 16, '1');

  tree_write (f->tree, "run/gpujobmap/1", "12\n");
  tree_write (f->tree, "run/gpujobmap/0", text);

  expect_once (f, "*" USUAL "/0: *");
}

static void
set_mode (Fixture *f, const char *path, int mode)
{
  g_autofree char *real = tree_path (f->tree, path);

  g_assert_cmpint (g_chmod (real, mode), ==, 0);
}

static void
test_what_others_may_write_does_not_count (Fixture *f, gconstpointer data)
{
  tree_write (f->tree, "run/gpujobmap/1", "12\n");
  tree_write (f->tree, "run/gpujobmap/0", "12\n");
  set_mode (f, "run/gpujobmap/0", 0666);

  expect_once (f, "*" USUAL "/0: not trusted: others may write it*");
}

static void
test_a_link_does_not_count (Fixture *f, gconstpointer data)
{
  g_autofree char *link = tree_path (f->tree, "run/gpujobmap/0");

  tree_write (f->tree, "run/gpujobmap/1", "12\n");
  g_assert_cmpint (symlink ("1", link), ==, 0);

  expect_once (f, "*" USUAL "/0: *");
}

static void
test_a_directory_that_others_may_write_is_an_error (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *found = NULL;

  tree_write (f->tree, "run/gpujobmap/0", "12\n");
  set_mode (f, "run/gpujobmap", 0777);
  found = ask (f, "12", &error);

  g_assert_error (error, JM_ERROR, JM_ERROR_DENIED);
  g_assert_null (found);
}

static void
test_a_job_that_ended_is_reported_once (Fixture *f, gconstpointer data)
{
  tree_write (f->tree, "run/gpujobmap/0", "11\n");
  tree_write (f->tree, "run/gpujobmap/1", "12\n");
  assert_has (f, "12", "1");
  assert_has (f, "12", "1");

  /* from here on whoever was not asked of by now is a stray */
  jm_map_files_mapper_set_patience (f->mapper, -G_USEC_PER_SEC);
  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING,
                         USUAL "/0: names a job that is not on this node: 11");
  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING,
                         USUAL "/1: names a job that is not on this node: 12");
  assert_has (f, "12", "1");
  assert_has (f, "12", "1");
  g_test_assert_expected_messages ();
}

static void
test_is_absent_where_nobody_made_the_directory (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmMapFilesMapper) mapper = NULL;

  tree_remove (f->tree, "run/gpujobmap");
  mapper = jm_map_files_mapper_new (f->host, NULL, &error);

  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
  g_assert_null (mapper);
}

static void
test_a_directory_that_is_named_may_come_later (Fixture *f, gconstpointer data)
{
  open_mapper (f, "/srv/map");
  assert_has (f, "12", "");
  tree_write (f->tree, "srv/map/0", "12\n");
  assert_has (f, "12", "0");
}

static void
test_a_directory_needs_an_absolute_path (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmMapFilesMapper) mapper =
    jm_map_files_mapper_new (f->host, "map", &error);

  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, "directory: an absolute one is needed: map");
  g_assert_null (mapper);
}

#define ADD(path, function)                                                            \
 g_test_add ("/map-files-mapper/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("a-file-names-the-job-of-its-device", test_a_file_names_the_job_of_its_device);
  ADD ("several-jobs-may-have-one-device", test_several_jobs_may_have_one_device);
  ADD ("what-changed-is-read-again", test_what_changed_is_read_again);
  ADD ("files-are-looked-at-once-in-a-round", test_files_are_looked_at_once_in_a_round);
  ADD ("what-a-hook-has-not-finished-is-passed-over",
       test_what_a_hook_has_not_finished_is_passed_over);
  ADD ("a-name-that-is-no-device-is-reported-once",
       test_a_name_that_is_no_device_is_reported_once);
  ADD ("a-line-that-is-no-job-is-reported-once",
       test_a_line_that_is_no_job_is_reported_once);
  ADD ("a-file-without-end-is-reported-once", test_a_file_without_end_is_reported_once);
  ADD ("what-others-may-write-does-not-count",
       test_what_others_may_write_does_not_count);
  ADD ("a-link-does-not-count", test_a_link_does_not_count);
  ADD ("a-directory-that-others-may-write-is-an-error",
       test_a_directory_that_others_may_write_is_an_error);
  ADD ("a-job-that-ended-is-reported-once", test_a_job_that_ended_is_reported_once);
  ADD ("is-absent-where-nobody-made-the-directory",
       test_is_absent_where_nobody_made_the_directory);
  ADD ("a-directory-that-is-named-may-come-later",
       test_a_directory_that_is_named_may_come_later);
  ADD ("a-directory-needs-an-absolute-path", test_a_directory_needs_an_absolute_path);

  return g_test_run ();
}
