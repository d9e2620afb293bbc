/* tree.c: a made-up machine for a test
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "tree.h"
#include "core/jm-job-private.h"

#include <glib/gstdio.h>
#include <string.h>

Tree *
tree_new (void)
{
  Tree *self = g_new0 (Tree, 1);
  g_autoptr (GError) error = NULL;

  self->root = g_dir_make_tmp ("jobs-XXXXXX", &error);
  g_assert_no_error (error);
  self->host = jm_host_new (self->root);

  return self;
}

static void
remove_below (const char *path)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (!g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    dir = g_dir_open (path, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_below (child);
    }

  g_remove (path);
}

void
tree_free (Tree *self)
{
  remove_below (self->root);
  g_object_unref (self->host);
  g_free (self->root);
  g_free (self);
}

static char *
write_bytes (Tree *self, const char *path, const char *bytes, gsize length)
{
  g_autofree char *real = g_build_filename (self->root, path, NULL);
  g_autofree char *folder = g_path_get_dirname (real);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  g_file_set_contents (real, bytes, (gssize) length, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_chmod (real, 0644), ==, 0);

  return g_steal_pointer (&real);
}

char *
tree_write (Tree *self, const char *path, const char *text)
{
  return write_bytes (self, path, text, strlen (text));
}

void
tree_put (Tree *self, const char *path, const char *text)
{
  g_free (tree_write (self, path, text));
}

static void
write_of_process (Tree *self, guint pid, const char *name, GString *content)
{
  g_autofree char *path = g_strdup_printf ("proc/%u/%s", pid, name);

  g_free (write_bytes (self, path, content->str, content->len));
  g_string_free (content, TRUE);
}

void
tree_add_process (Tree *self,
                  guint pid,
                  guint uid,
                  const char *cgroup,
                  const char *const *variables)
{
  GString *status = g_string_new ("Name:\tload\n");
  GString *lines = g_string_new (NULL);
  GString *environment = g_string_new (NULL);

  g_string_append_printf (status, "Pid:\t%u\nUid:\t%u\t0\t0\t0\n", pid, uid);
  g_string_append_printf (lines, "0::%s\n", cgroup);
  for (guint i = 0; variables != NULL && variables[i] != NULL; i++)
    g_string_append_len (environment, variables[i], (gssize) strlen (variables[i]) + 1);

  write_of_process (self, pid, "status", status);
  write_of_process (self, pid, "cgroup", lines);
  write_of_process (self, pid, "environ", environment);
}

JmSchedulerDefinition *
shipped_definition (const char *name)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "..", "data", "schedulers", name, NULL);
  g_autoptr (GError) error = NULL;
  JmSchedulerDefinition *definition =
    jm_scheduler_definition_new_from_file (path, &error);

  g_assert_no_error (error);

  return definition;
}

JmJobSource *
source_for (JmHost *host, const char *name)
{
  g_autoptr (JmSchedulerDefinition) definition = shipped_definition (name);
  g_autoptr (GError) error = NULL;
  JmCgroupJobSource *source =
    g_initable_new (JM_TYPE_CGROUP_JOB_SOURCE, NULL, &error, "host", host, "definition",
                    definition, NULL);

  g_assert_no_error (error);

  return JM_JOB_SOURCE (source);
}

JmJobSource *
source_of (Tree *tree, const char *definition_text)
{
  g_autofree char *path = tree_write (tree, "etc/site.conf", definition_text);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSchedulerDefinition) definition =
    jm_scheduler_definition_new_from_file (path, &error);
  JmCgroupJobSource *source;

  g_assert_no_error (error);
  source = g_initable_new (JM_TYPE_CGROUP_JOB_SOURCE, NULL, &error, "host", tree->host,
                           "definition", definition, NULL);
  g_assert_no_error (error);

  return JM_JOB_SOURCE (source);
}

JmJob *
identify (JmJobSource *source, const char *path, guint pid)
{
  g_autoptr (JmPlace) place = jm_job_source_match (source, path);

  g_assert_nonnull (place);

  return jm_job_source_identify (source, path, place, pid);
}

void
assert_origin (JmJob *job, const char *name, JmOrigin expected)
{
  JmJobField field;

  g_assert_nonnull (job);
  g_assert_true (jm_job_field_from_name (name, &field));
  g_assert_cmpint (jm_job_get_origin (job, field), ==, expected);
}

void
assert_field (JmJob *job, const char *name, const char *expected)
{
  JmJobField field;

  g_assert_nonnull (job);
  g_assert_true (jm_job_field_from_name (name, &field));
  g_assert_cmpstr (jm_job_get_field (job, field), ==, expected);
}
