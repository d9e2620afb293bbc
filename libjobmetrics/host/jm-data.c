/* jm-data.c: the files that jobmetrics brings along, or a site's in their place
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-data-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/jm-bounded-read-private.h"
#include "base/jm-error.h"
#include "base/jm-path-error-private.h"
#include "host/jm-data-resource.h"
#include "host/jm-host-private.h"

#define RESOURCES "/org/jobmetrics"

void
jm_data_file_free (JmDataFile *self)
{
  g_free (self->name);
  g_free (self->path);
  g_clear_object (&self->host);
  g_free (self);
}

static JmDataFile *
data_file_new (JmHost *host, const char *name, char *path)
{
  JmDataFile *self = g_new0 (JmDataFile, 1);

  self->name = g_strdup (name);
  self->host = host != NULL ? g_object_ref (host) : NULL;
  self->path = path;

  return self;
}

/**
 * jm_data_file_new: (skip)
 * @host: whose path it is
 * @path: a logical path
 *
 * Returns: (transfer full): a file of the caller's own
 */
JmDataFile *
jm_data_file_new (JmHost *host, const char *path)
{
  return data_file_new (host, path, g_strdup (path));
}

/**
 * jm_data_file_new_built_in: (skip)
 * @name: a path among the data, such as `emissions/owid.csv`
 *
 * Returns: (transfer full): the file that is compiled into the library, or would be
 */
JmDataFile *
jm_data_file_new_built_in (const char *name)
{
  return data_file_new (NULL, name, g_build_filename (RESOURCES, name, NULL));
}

/**
 * jm_data_file_describe: (skip)
 * @self: a file
 *
 * Returns: (transfer full): its real path, or its name and that it is built in, as
 * UTF-8
 */
char *
jm_data_file_describe (const JmDataFile *self)
{
  g_autofree char *real = NULL;

  if (self->host == NULL)
    return g_strdup_printf ("%s (built in)", self->name);

  real = jm_host_resolve (self->host, self->path);

  return g_filename_display_name (real != NULL ? real : self->path);
}

/* Without O_NONBLOCK a pipe in the place of the file would hang us. */
static int
open_file (JmHost *host, const char *path, int flags)
{
  char real[PATH_MAX];
  int result = jm_host_map_path (host, path, real);

  return result < 0 ? result : jm_host_open_real (host, real, flags | O_CLOEXEC);
}

static int
stat_file (JmHost *host, const char *path, struct stat *st)
{
  int fd = open_file (host, path, O_PATH);
  int result = 0;

  if (fd < 0)
    return fd;
  if (fstat (fd, st) != 0)
    result = -errno;
  close (fd);

  return result;
}

/**
 * jm_data_file_read: (skip)
 * @self: a file
 * @max_bytes: the most that it may hold
 * @error: return location for an error
 *
 * - Errors: `ABSENT`, `DENIED`, `UNAVAILABLE` as the system says; `INVALID` where it is
 *   longer, or no ordinary file.
 *
 * Returns: (transfer full): what it holds
 */
GBytes *
jm_data_file_read (const JmDataFile *self, gsize max_bytes, GError **error)
{
  g_autofree char *real = NULL;
  GBytes *bytes;
  int fd;

  if (self->host == NULL)
    return g_resource_lookup_data (jm_data_get_resource (), self->path,
                                   G_RESOURCE_LOOKUP_FLAGS_NONE, error);

  real = jm_data_file_describe (self);
  fd = open_file (self->host, self->path, O_RDONLY | O_NOCTTY | O_NONBLOCK);
  if (fd < 0)
    {
      jm_path_error_set_errno (error, real, -fd);
      return NULL;
    }

  bytes = jm_bounded_read_ordinary (fd, max_bytes, real, error);
  close (fd);

  return bytes;
}

/* --- which copy counts --- */

/* 0 where the site's file counts or hides, -ENOENT where there is none. */
static int
look_at_site (JmHost *host, const char *path, gboolean *hides)
{
  g_autofree char *target = jm_host_read_link (host, path, NULL);
  struct stat st;
  int result = stat_file (host, path, &st);

  /* as systemd has it: a link to the null device hides, wherever the tree lies */
  *hides = (result == 0 && S_ISREG (st.st_mode) && st.st_size == 0) ||
           g_strcmp0 (target, "/dev/null") == 0;
  /* a link that leads nowhere is meant to count; who reads it will say so */
  if (target != NULL)
    return 0;

  return result == -ENOTDIR ? -ENOENT : result;
}

/**
 * jm_data_find: (skip)
 * @host: the host, whose site may have a file of its own
 * @name: a path among the data, such as `emissions/owid.csv`
 * @error: return location for an error
 *
 * - Errors: `ABSENT` where there is none, or the site's is empty; `DENIED` where that
 *   cannot be found out.
 * - Source: `/etc/jobmetrics/NAME`, else what is compiled into the library.
 *
 * Returns: (transfer full): the copy that counts
 */
JmDataFile *
jm_data_find (JmHost *host, const char *name, GError **error)
{
  g_autofree char *site = g_build_filename (JM_SITE_DIR, name, NULL);
  g_autoptr (JmDataFile) file = jm_data_file_new (host, site);
  g_autofree char *real = jm_data_file_describe (file);
  gboolean hides;
  int result = look_at_site (host, site, &hides);

  if (result == -ENOENT)
    return jm_data_file_new_built_in (name);
  if (result == 0 && !hides)
    return g_steal_pointer (&file);

  if (hides)
    g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
                 "%s: is empty, and so hides the one that is built in", real);
  else
    jm_path_error_set_errno (error, real, -result);

  return NULL;
}

static void
add_built_in (GHashTable *files, const char *folder)
{
  g_autofree char *path = g_build_filename (RESOURCES, folder, NULL);
  g_auto (GStrv) names =
    g_resource_enumerate_children (jm_data_get_resource (), path,
                                   G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      JmDataFile *file =
        data_file_new (NULL, names[i], g_build_filename (path, names[i], NULL));

      g_hash_table_replace (files, file->name, file);
    }
}

static void
add_file (GHashTable *files, JmHost *host, const char *directory, const char *name)
{
  char *path = g_build_filename (directory, name, NULL);
  JmDataFile *file = data_file_new (host, name, path);
  gboolean hides;

  /* what cannot be looked at counts: reading it will say why it cannot be read */
  look_at_site (host, path, &hides);
  g_hash_table_replace (files, file->name, file);
  if (hides)
    g_hash_table_remove (files, name);
}

static void
add_directory (GHashTable *files,
               JmHost *host,
               const char *directory,
               const char *suffix,
               GPtrArray *problems)
{
  GError *error = NULL;
  g_auto (GStrv) names = jm_host_list_dir (host, directory, &error);

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    if (g_str_has_suffix (names[i], suffix) && names[i][0] != '.')
      add_file (files, host, directory, names[i]);

  /* most sites have none of their own */
  if (g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
    g_clear_error (&error);
  if (error != NULL)
    g_ptr_array_add (problems, error);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  const JmDataFile *const *first = a;
  const JmDataFile *const *second = b;

  return strcmp ((*first)->name, (*second)->name);
}

/**
 * jm_data_list: (skip)
 * @host: the host, whose site may have files of its own
 * @folder: a folder of the data, such as `schedulers`
 * @suffix: that of the files that are meant
 * @directories: (nullable): more directories, of the system that the program runs on
 * @problems: (element-type GLib.Error): errors of directories are added to it
 *
 * Lists what is built in, what is below `/etc/jobmetrics` and what is in @directories.
 * Of files of one name the last counts; where it is empty, none does.
 *
 * Returns: (transfer full) (element-type JmDataFile): by name
 */
GPtrArray *
jm_data_list (JmHost *host,
              const char *folder,
              const char *suffix,
              const char *const *directories,
              GPtrArray *problems)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_data_file_free);
  g_autoptr (GHashTable) files =
    g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                           (GDestroyNotify) jm_data_file_free);
  g_autofree char *site = g_build_filename (JM_SITE_DIR, folder, NULL);
  g_autoptr (JmHost) here = jm_host_new (NULL);
  GHashTableIter iter;
  gpointer file;

  add_built_in (files, folder);
  add_directory (files, host, site, suffix, problems);
  for (guint i = 0; directories != NULL && directories[i] != NULL; i++)
    add_directory (files, here, directories[i], suffix, problems);

  g_hash_table_iter_init (&iter, files);
  while (g_hash_table_iter_next (&iter, NULL, &file))
    {
      g_ptr_array_add (list, file);
      g_hash_table_iter_steal (&iter);
    }
  g_ptr_array_sort (list, compare_names);

  return list;
}
