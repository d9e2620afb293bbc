/* own-cgroup.c: a cgroup of a test's own, and what the kernel has counted for it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "own-cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REMOVE_TRIES 500
#define REMOVE_PAUSE_US 10000

struct _OwnCgroup
{
  GPtrArray *made; /* of char *: directories, parents first */
  char *path;
  gboolean is_v2;
};

/* The words of a mount that has @option among its last, such as `cpuacct`. */
static char *
find_mount (const char *type, const char *option)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents ("/proc/mounts", &text, NULL, NULL))
    return NULL;

  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    {
      g_auto (GStrv) words = g_strsplit (*line, " ", -1);
      g_auto (GStrv) options = NULL;

      if (g_strv_length (words) < 4 || !g_str_equal (words[2], type))
        continue;
      options = g_strsplit (words[3], ",", -1);
      if (option == NULL || g_strv_contains ((const char *const *) options, option))
        return g_strdup (words[1]);
    }

  return NULL;
}

/* Takes @path over. */
static gboolean
make_directory (OwnCgroup *self, char *path)
{
  g_free (self->path);
  self->path = path;
  if (g_mkdir (path, 0755) != 0)
    return FALSE;

  g_ptr_array_add (self->made, g_strdup (path));
  return TRUE;
}

static gboolean
make (OwnCgroup *self, const char *mount, const char *below)
{
  static guint n_made;
  g_auto (GStrv) names = g_strsplit (below, "/", -1);
  char *top =
    g_strdup_printf ("%s/jobmetrics-test-%d-%u", mount, (int) getpid (), n_made++);

  if (!make_directory (self, top))
    return FALSE;
  for (char **name = names; *name != NULL; name++)
    if (!make_directory (self, g_build_filename (self->path, *name, NULL)))
      return FALSE;

  return TRUE;
}

static OwnCgroup *
make_below (const char *below, char **reason)
{
  OwnCgroup *self = g_new0 (OwnCgroup, 1);
  g_autofree char *mount = find_mount ("cgroup", "cpuacct");

  self->made = g_ptr_array_new_with_free_func (g_free);
  if (mount == NULL)
    {
      mount = find_mount ("cgroup2", NULL);
      self->is_v2 = TRUE;
    }
  if (mount != NULL && make (self, mount, below))
    return self;

  *reason = g_strdup_printf ("no cgroup can be made here: %s", g_strerror (errno));
  own_cgroup_free (self);

  return NULL;
}

OwnCgroup *
own_cgroup_new (char **reason)
{
  return make_below ("", reason);
}

OwnCgroup *
own_cgroup_new_job (guint job, char **reason)
{
  g_autofree char *below = g_strdup_printf ("jobmetrics/job_%u", job);

  return make_below (below, reason);
}

/* The kernel lets go of a process that was waited for a moment later. */
static void
remove_directory (const char *path)
{
  for (guint i = 0; i < REMOVE_TRIES && g_rmdir (path) != 0 && errno == EBUSY; i++)
    g_usleep (REMOVE_PAUSE_US);

  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

void
own_cgroup_free (OwnCgroup *self)
{
  for (guint i = self->made->len; i > 0; i--)
    remove_directory (g_ptr_array_index (self->made, i - 1));

  g_ptr_array_unref (self->made);
  g_free (self->path);
  g_free (self);
}

guint64
own_cgroup_get_inode (const OwnCgroup *self)
{
  struct stat status;

  g_assert_cmpint (stat (self->path, &status), ==, 0);

  return status.st_ino;
}

guint64
own_cgroup_get_cpu_ns (const OwnCgroup *self)
{
  g_autofree char *path =
    g_build_filename (self->path, self->is_v2 ? "cpu.stat" : "cpuacct.usage", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  if (!self->is_v2)
    return g_ascii_strtoull (text, NULL, 10);

  g_assert_true (g_str_has_prefix (text, "usage_usec "));
  return g_ascii_strtoull (text + strlen ("usage_usec "), NULL, 10) * 1000;
}

char *
own_cgroup_list_processes (const OwnCgroup *self)
{
  g_autofree char *path = g_build_filename (self->path, "cgroup.procs", NULL);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);

  return text;
}

int
own_cgroup_add (const OwnCgroup *self, pid_t pid)
{
  g_autofree char *path = g_build_filename (self->path, "cgroup.procs", NULL);
  g_autofree char *text = g_strdup_printf ("%d", (int) pid);
  int fd = open (path, O_WRONLY | O_CLOEXEC);
  int result = 0;

  if (fd < 0 || write (fd, text, strlen (text)) != (gssize) strlen (text))
    result = errno;
  if (fd >= 0)
    close (fd);

  return result;
}

int
own_cgroup_enter (const OwnCgroup *self)
{
  return own_cgroup_add (self, 0);
}
