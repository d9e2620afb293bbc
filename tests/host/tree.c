/* tree.c: a machine made of files, for one test
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "tree.h"

#include <glib/gstdio.h>

static void
remove_recursively (const char *path)
{
  if (g_file_test (path, G_FILE_TEST_IS_DIR) &&
      !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    {
      g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
      const char *name;

      g_assert_nonnull (dir);
      while ((name = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *child = g_build_filename (path, name, NULL);

          remove_recursively (child);
        }
    }

  g_assert_cmpint (g_remove (path), ==, 0);
}

Tree *
tree_new (void)
{
  g_autoptr (GError) error = NULL;
  Tree *self = g_new0 (Tree, 1);

  self->root = g_dir_make_tmp ("jobmetrics-XXXXXX", &error);
  g_assert_no_error (error);
  return self;
}

void
tree_free (Tree *self)
{
  remove_recursively (self->root);
  g_free (self->root);
  g_free (self);
}

char *
tree_path (Tree *self, const char *path)
{
  return g_build_filename (self->root, path, NULL);
}

void
tree_write (Tree *self, const char *path, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *real = tree_path (self, path);
  g_autofree char *parent = g_path_get_dirname (real);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0755), ==, 0);
  g_file_set_contents_full (real, text, -1, G_FILE_SET_CONTENTS_NONE, 0644, &error);
  g_assert_no_error (error);
}

void
tree_rewrite (Tree *self, const char *path, const char *text)
{
  g_autofree char *real = tree_path (self, path);
  FILE *stream = g_fopen (real, "w");

  g_assert_nonnull (stream);
  g_assert_cmpint (fputs (text, stream), >=, 0);
  g_assert_cmpint (fclose (stream), ==, 0);
}

void
tree_make_dir (Tree *self, const char *path)
{
  g_autofree char *real = tree_path (self, path);

  g_assert_cmpint (g_mkdir_with_parents (real, 0755), ==, 0);
}

void
tree_remove (Tree *self, const char *path)
{
  g_autofree char *real = tree_path (self, path);

  remove_recursively (real);
}
