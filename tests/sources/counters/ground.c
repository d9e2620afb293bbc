/* ground.c: a cgroup of version 2 for a test, and a process in it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "ground.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sources/cgroup/jm-cgroup-mounts-private.h"

struct _Ground
{
  char *dir;
  char *below; /* NULL for none */
};

static char *
find_mount (void)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (JmCgroupMounts) mounts = jm_cgroup_mounts_new (host);

  return g_strdup (mounts->unified);
}

Ground *
ground_new (void)
{
  g_autofree char *mount = find_mount ();
  g_autofree char *dir = NULL;
  Ground *self;

  if (mount == NULL)
    {
      g_test_skip ("no cgroup can be made here: cgroup v2 is not mounted");
      return NULL;
    }

  dir = g_strdup_printf ("%s/jm-test-%d", mount, (int) getpid ());
  if (mkdir (dir, 0755) != 0)
    {
      g_autofree char *why =
        g_strdup_printf ("no cgroup can be made here: %s: %s", dir, g_strerror (errno));

      g_test_skip (why);
      return NULL;
    }

  self = g_new0 (Ground, 1);
  self->dir = g_steal_pointer (&dir);

  return self;
}

void
ground_remove_below (Ground *self)
{
  g_assert_cmpint (rmdir (self->below), ==, 0);
  g_clear_pointer (&self->below, g_free);
}

void
ground_free (Ground *self)
{
  if (self->below != NULL)
    ground_remove_below (self);
  g_assert_cmpint (rmdir (self->dir), ==, 0);
  g_free (self->dir);
  g_free (self);
}

const char *
ground_get_dir (Ground *self)
{
  return self->dir;
}

/* In a child, where nothing may be allocated. */
static gboolean
enter (const char *procs)
{
  int fd = open (procs, O_WRONLY | O_CLOEXEC);

  return fd >= 0 && write (fd, "0", 1) == 1;
}

void
ground_work (Ground *self, const char *below, GroundWork work, gconstpointer user_data)
{
  g_autofree char *procs = NULL;
  int status;
  pid_t pid;

  if (below != NULL && self->below == NULL)
    {
      self->below = g_strconcat (self->dir, "/", below, NULL);
      g_assert_cmpint (mkdir (self->below, 0755), ==, 0);
    }
  procs = g_strconcat (below != NULL ? self->below : self->dir, "/cgroup.procs", NULL);

  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      if (!enter (procs))
        _exit (1);
      work (user_data);
      _exit (0);
    }

  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
}
