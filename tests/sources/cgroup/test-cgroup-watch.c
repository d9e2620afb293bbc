/* test-cgroup-watch.c: births and deaths of cgroups
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/cgroup/jm-cgroup-watch-private.h"

#include <glib/gstdio.h>

/* A watch of directories that nobody but the test changes. */
typedef struct
{
  char *root;
  JmHost *host;
  JmCgroupWatch *watch;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  self->root = g_dir_make_tmp ("watch-XXXXXX", &error);
  g_assert_no_error (error);
  self->host = jm_host_new (self->root);
  self->watch = jm_cgroup_watch_new (self->host, TRUE);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  jm_cgroup_watch_free (self->watch);
  g_object_unref (self->host);
  g_assert_cmpint (g_rmdir (self->root), ==, 0);
  g_free (self->root);
}

static void
come_and_go (Fixture *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->root, name, NULL);

  g_assert_cmpint (g_mkdir (path, 0755), ==, 0);
  g_assert_cmpint (g_rmdir (path), ==, 0);
}

static void
test_reports_what_was_heard_though_some_may_be_missed (Fixture *self,
                                                       gconstpointer data)
{
  g_auto (GStrv) first = NULL;
  g_auto (GStrv) second = NULL;
  g_auto (GStrv) third = NULL;

  if (jm_cgroup_watch_get_fd (self->watch) < 0)
    {
      g_test_skip ("nothing can be watched here");
      return;
    }

  jm_cgroup_watch_add_directory (self->watch, "/", "/");
  come_and_go (self, "job_1");
  first = jm_cgroup_watch_take (self->watch);
  come_and_go (self, "job_2");
  second = jm_cgroup_watch_take (self->watch);
  third = jm_cgroup_watch_take (self->watch);

  g_assert_null (first);
  g_assert_nonnull (second);
  g_assert_true (g_strv_contains ((const char *const *) second, "/job_1"));
  g_assert_true (g_strv_contains ((const char *const *) second, "/job_2"));
  g_assert_cmpuint (g_strv_length (third), ==, 0);
}

static void
take (Fixture *self)
{
  g_auto (GStrv) paths = jm_cgroup_watch_take (self->watch);

  g_assert_nonnull (paths);
}

/* The end of a directory is heard of once the thread that was about to watch it has let
 * go of it. */
static void
find_life (Fixture *self, const char *path, gint64 *born_us, gint64 *died_us)
{
  const gint64 until_us = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  do
    {
      take (self);
      jm_cgroup_watch_find_times (self->watch, path, born_us, died_us);
      g_assert_cmpint (g_get_monotonic_time (), <, until_us);
    }
  while (*died_us == 0);
}

/* Whether the kernel has a watch of this process on it. */
static gboolean
is_watched (const char *path)
{
  g_autoptr (GDir) files = g_dir_open ("/proc/self/fdinfo", 0, NULL);
  g_autofree char *inode = NULL;
  gboolean is_found = FALSE;
  const char *name;
  GStatBuf status;

  g_assert_cmpint (g_stat (path, &status), ==, 0);
  inode = g_strdup_printf ("ino:%lx ", (gulong) status.st_ino);
  while (!is_found && (name = g_dir_read_name (files)) != NULL)
    {
      g_autofree char *file = g_build_filename ("/proc/self/fdinfo", name, NULL);
      g_autofree char *text = NULL;

      is_found = g_file_get_contents (file, &text, NULL, NULL) &&
                 strstr (text, "inotify wd:") != NULL && strstr (text, inode) != NULL;
    }

  return is_found;
}

static void
test_knows_when_a_cgroup_came_and_went (Fixture *self, gconstpointer data)
{
  g_autofree char *job = g_build_filename (self->root, "job_1", NULL);
  g_auto (GStrv) first = NULL;
  gint64 before_us, born_us, died_us, again_us;

  if (jm_cgroup_watch_get_fd (self->watch) < 0)
    {
      g_test_skip ("nothing can be watched here");
      return;
    }

  jm_cgroup_watch_add_directory (self->watch, "/", "/");
  first = jm_cgroup_watch_take (self->watch);
  before_us = g_get_real_time ();
  come_and_go (self, "job_1");
  find_life (self, "/job_1", &born_us, &died_us);
  g_assert_cmpint (born_us, >=, before_us);
  g_assert_cmpint (died_us, >=, born_us);
  g_assert_cmpint (died_us, <=, g_get_real_time ());

  g_assert_cmpint (g_mkdir (job, 0755), ==, 0);
  take (self);
  jm_cgroup_watch_find_times (self->watch, "/job_1", &again_us, &died_us);
  g_assert_cmpint (again_us, >=, born_us);
  g_assert_cmpint (died_us, ==, 0);
  jm_cgroup_watch_find_times (self->watch, "/job_2", &born_us, &died_us);
  g_assert_cmpint (born_us, ==, 0);
  g_assert_cmpint (g_rmdir (job), ==, 0);
}

/* Where the directory of a job was new while nobody asked, as that of a user's first
 * job is in cgroup v1. */
static void
test_knows_what_came_and_went_in_a_new_directory (Fixture *self, gconstpointer data)
{
  const gint64 until_us = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
  g_autofree char *parent = g_build_filename (self->root, "uid_1000", NULL);
  g_autofree char *job = g_build_filename (parent, "job_2", NULL);
  g_auto (GStrv) first = NULL;
  gint64 born_us = 0, died_us = 0;

  if (jm_cgroup_watch_get_fd (self->watch) < 0)
    {
      g_test_skip ("nothing can be watched here");
      return;
    }

  jm_cgroup_watch_add_directory (self->watch, "/", "/");
  first = jm_cgroup_watch_take (self->watch);
  g_assert_cmpint (g_mkdir (parent, 0755), ==, 0);
  while (!is_watched (parent))
    g_assert_cmpint (g_get_monotonic_time (), <, until_us);
  come_and_go (self, "uid_1000/job_1");
  g_assert_cmpint (g_mkdir (job, 0755), ==, 0);
  while (!is_watched (job))
    g_assert_cmpint (g_get_monotonic_time (), <, until_us);
  g_assert_cmpint (g_rmdir (job), ==, 0);
  find_life (self, "/uid_1000/job_2", &born_us, &died_us);
  g_assert_cmpint (born_us, >, 0);
  g_assert_cmpint (died_us, >=, born_us);
  find_life (self, "/uid_1000/job_1", &born_us, &died_us);
  g_assert_cmpint (born_us, >, 0);
  g_assert_cmpint (died_us, >=, born_us);

  /* what is watched already is not watched anew, and its end is heard of */
  g_assert_false (jm_cgroup_watch_add_directory (self->watch, "/", "/uid_1000"));
  g_assert_cmpint (g_rmdir (parent), ==, 0);
  find_life (self, "/uid_1000", &born_us, &died_us);
  g_assert_cmpint (died_us, >=, born_us);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/cgroup-watch/times", Fixture, NULL, set_up,
              test_knows_when_a_cgroup_came_and_went, tear_down);

  g_test_add ("/cgroup-watch/new-directory", Fixture, NULL, set_up,
              test_knows_what_came_and_went_in_a_new_directory, tear_down);

  g_test_add ("/cgroup-watch/untold", Fixture, NULL, set_up,
              test_reports_what_was_heard_though_some_may_be_missed, tear_down);

  return g_test_run ();
}
