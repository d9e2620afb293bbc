/* jm-rooted-open.c: opens files of a copied tree, whose links stay in it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-rooted-open-private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* cyphar/filepath-securejoin 0.5.1 measured: a machine whose CPUs did nothing but
 * rename refused 128 attempts in a row in a thousandth of all cases. */
#define ATTEMPTS 128

/* The kernel gives up with EAGAIN where it meets ".." while anything on the machine is
 * renamed or mounted, and leaves it to its callers to try again. */
static int
open_resolved (int dir_fd, const char *path, int flags, guint64 resolve)
{
  struct open_how how = { .flags = (guint64) (unsigned) flags, .resolve = resolve };
  long fd = -1;

  for (guint i = 0; i < ATTEMPTS; i++)
    {
      fd = syscall (SYS_openat2, dir_fd, path, &how, sizeof how);
      if (fd >= 0 || errno != EAGAIN)
        break;
    }

  return fd >= 0 ? (int) fd : -errno;
}

/* Linux before 5.6 has no openat2(), some sandboxes forbid it, and it may give up. */
static gboolean
is_unknown (int result)
{
  return result == -ENOSYS || result == -EPERM || result == -EAGAIN;
}

static gboolean
is_inside (int fd, const char *root)
{
  g_autofree char *link = g_strdup_printf ("/proc/self/fd/%d", fd);
  char real_root[PATH_MAX];
  char target[PATH_MAX];
  gssize n = readlink (link, target, sizeof target - 1);
  gsize length;

  if (n < 0 || realpath (root, real_root) == NULL)
    return FALSE;

  target[n] = '\0';
  length = strlen (real_root);

  return strncmp (target, real_root, length) == 0 &&
         (target[length] == '/' || target[length] == '\0');
}

/* Follows links as the system does, and refuses what they led out to. */
static int
open_and_check (const char *root, int dir_fd, const char *path, int flags)
{
  int fd = openat (dir_fd, path, flags);

  if (fd < 0)
    return -errno;
  if (is_inside (fd, root))
    return fd;

  close (fd);
  return -EXDEV;
}

/**
 * jm_rooted_open: (skip)
 * @root: the real path of the tree's root
 * @path: a path in the tree
 * @flags: as for open(2)
 *
 * Opens a file of a tree that may hold anything, such as one that a user sent: an
 * absolute symbolic link begins at @root, and `..` never leads above it.
 *
 * - Source: openat2(2), `RESOLVE_IN_ROOT`. Where the kernel lacks that, or gives up, a
 *   link that leads out is refused with `-EXDEV`.
 *
 * Returns: a descriptor, or a negative `errno`
 */
int
jm_rooted_open (const char *root, const char *path, int flags)
{
  int root_fd = open (root, O_PATH | O_DIRECTORY | O_CLOEXEC);
  int result;

  if (root_fd < 0)
    return -errno;

  path += strspn (path, "/");
  if (*path == '\0')
    path = ".";
  result = open_resolved (root_fd, path, flags, RESOLVE_IN_ROOT);
  if (is_unknown (result))
    result = open_and_check (root, root_fd, path, flags);

  close (root_fd);
  return result;
}

/**
 * jm_rooted_open_beneath: (skip)
 * @dir_fd: a directory of a tree
 * @name: a path below it
 * @flags: as for open(2)
 *
 * Opens a file of that very directory, even where another took its name meanwhile.
 *
 * Returns: a descriptor; `-EXDEV` where a link leads out of the directory, and where
 *   the kernel cannot find that out: to be opened by its path; or a negative `errno`
 */
int
jm_rooted_open_beneath (int dir_fd, const char *name, int flags)
{
  int result = open_resolved (dir_fd, name, flags, RESOLVE_BENEATH);

  return is_unknown (result) ? -EXDEV : result;
}
