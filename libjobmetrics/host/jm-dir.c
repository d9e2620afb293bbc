/* jm-dir.c: a directory that files are opened in, again and again
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-dir-private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/jm-host-private.h"

#define DIR_FLAGS (O_RDONLY | O_DIRECTORY)

/* Without O_NONBLOCK a pipe in a copied tree, or in a user's hands, would hang us. */
#define COMMON_FLAGS (O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

/* A descriptor that only stands for a place takes no other flags. */
static int
add_common_flags (int flags)
{
  return flags | ((flags & O_PATH) != 0 ? O_CLOEXEC : COMMON_FLAGS);
}

static int
open_path (const JmDir *self, const char *path, int flags)
{
  return jm_host_open_real (self->host, path, add_common_flags (flags));
}

static void
keep_if_allowed (JmDir *self, int fd)
{
  if (jm_host_take_descriptor (self->host, JM_WORTH_SOME))
    self->fd = fd;
  else
    close (fd);
}

/**
 * jm_dir_init: (skip)
 * @self: a directory
 *
 * Makes @self fit to be opened or closed.
 */
void
jm_dir_init (JmDir *self)
{
  *self = (JmDir) JM_DIR_INIT;
}

/**
 * jm_dir_open: (skip)
 * @self: a closed directory
 * @host: the host
 * @path: its logical path
 *
 * Opens a directory; jm_dir_close() is due where that worked.
 *
 * Returns: 0, or a negative `errno`
 */
int
jm_dir_open (JmDir *self, JmHost *host, const char *path)
{
  char real[PATH_MAX];
  int result = jm_host_map_path (host, path, real);

  if (result < 0)
    return result;

  return jm_dir_open_at (self, jm_host_get_base (host), real);
}

/**
 * jm_dir_open_at: (skip)
 * @self: a closed directory
 * @parent: the directory it is in; need not stay open
 * @name: its name there
 *
 * Opens a directory of a directory; jm_dir_close() is due where that worked.
 *
 * Returns: 0, or a negative `errno`
 */
int
jm_dir_open_at (JmDir *self, const JmDir *parent, const char *name)
{
  int fd = jm_dir_open_child (parent, name, DIR_FLAGS);

  if (fd < 0)
    return fd;

  *self = (JmDir){ parent->host, jm_dir_get_child_path (parent, name), -1 };
  keep_if_allowed (self, fd);
  return 0;
}

/**
 * jm_dir_forget_descriptor: (skip)
 * @self: an open directory
 *
 * Gives the descriptor back to the budget: worth it for a directory in which nothing
 * more will be opened. @self stays of use, by its path.
 */
void
jm_dir_forget_descriptor (JmDir *self)
{
  if (self->fd < 0)
    return;

  close (self->fd);
  self->fd = -1;
  jm_host_give_descriptor (self->host);
}

/**
 * jm_dir_spare: (skip)
 * @self: an open directory
 * @worth: of its descriptor
 *
 * Gives the descriptor back where the budget runs short of what is worth more, as
 * jm_dir_forget_descriptor() does.
 */
void
jm_dir_spare (JmDir *self, JmWorth worth)
{
  if (self->fd >= 0 && !jm_host_has_room (self->host, worth))
    jm_dir_forget_descriptor (self);
}

/**
 * jm_dir_regain: (skip)
 * @self: an open directory, which is of use in each round
 *
 * Keeps the descriptor again where there is room for it by now. What is at the path may
 * be another directory: ask only while it is known to be the same.
 */
void
jm_dir_regain (JmDir *self)
{
  int fd;

  if (self->fd >= 0 || !jm_host_take_descriptor (self->host, JM_WORTH_SOME))
    return;

  fd = open_path (self, self->path, DIR_FLAGS);
  if (fd >= 0)
    self->fd = fd;
  else
    jm_host_give_descriptor (self->host);
}

/**
 * jm_dir_close: (skip)
 * @self: a directory, open or not
 *
 * Closes a directory. Files opened in it and kept can still be read, but no longer name
 * themselves in an error: close them first.
 */
void
jm_dir_close (JmDir *self)
{
  jm_dir_forget_descriptor (self);
  g_free (self->path);
  jm_dir_init (self);
}

/**
 * jm_dir_get_child_path: (skip)
 * @self: an open directory
 * @name: a name in it, or an absolute path, which stays as it is
 *
 * Returns: (transfer full): the real path
 */
char *
jm_dir_get_child_path (const JmDir *self, const char *name)
{
  if (name[0] == '/')
    return g_strdup (name);

  return g_strconcat (self->path, "/", name, NULL);
}

/**
 * jm_dir_open_child: (skip)
 * @self: an open directory
 * @name: a name in it, or an absolute path
 * @flags: as for open(2)
 *
 * Opens what is in a directory, for whoever then closes it.
 *
 * Returns: a descriptor, or a negative `errno`
 */
int
jm_dir_open_child (const JmDir *self, const char *name, int flags)
{
  char path[PATH_MAX];
  int fd = -EXDEV;

  if (name[0] == '/')
    return open_path (self, name, flags);
  if (self->fd >= 0)
    fd = jm_host_open_in (self->host, self->fd, name, add_common_flags (flags));
  if (fd != -EXDEV)
    return fd;
  if (g_snprintf (path, sizeof path, "%s/%s", self->path, name) >= (int) sizeof path)
    return -ENAMETOOLONG;

  return open_path (self, path, flags);
}

static gssize
end_target (char *target, gsize size, gssize n)
{
  if (n >= 0 && (gsize) n == size)
    n = -ENAMETOOLONG;

  target[MAX (n, 0)] = '\0';
  return n;
}

/**
 * jm_dir_read_link: (skip)
 * @self: an open directory
 * @name: a symbolic link in it
 * @target: (array length=size): filled, and ended with a NUL in any case
 * @size: of @target
 *
 * Reads where a symbolic link points. A target that fills the whole buffer may have
 * been cut short and is refused with `-ENAMETOOLONG`.
 *
 * Returns: the length of the target, or a negative `errno`
 */
gssize
jm_dir_read_link (const JmDir *self, const char *name, char *target, gsize size)
{
  gssize n;
  int fd;

  target[0] = '\0';
  if (self->fd >= 0 && strchr (name, '/') == NULL)
    {
      n = readlinkat (self->fd, name, target, size);
      return end_target (target, size, n < 0 ? -errno : n);
    }

  fd = jm_dir_open_child (self, name, O_PATH | O_NOFOLLOW);
  if (fd < 0)
    return fd;

  n = readlinkat (fd, "", target, size);
  n = end_target (target, size, n < 0 ? -errno : n);
  close (fd);

  return n;
}

static int
acquire_rewound (const JmDir *self)
{
  if (self->fd < 0)
    return open_path (self, self->path, DIR_FLAGS);

  return lseek (self->fd, 0, SEEK_SET) < 0 ? -errno : self->fd;
}

static void
release (const JmDir *self, int fd)
{
  if (fd != self->fd)
    close (fd);
}

static gsize
report_entries (const char *buffer, gsize length, JmDirFunc func, gpointer user_data)
{
  gsize n_entries = 0;
  gsize offset = 0;

  while (offset < length)
    {
      const struct dirent64 *entry = (const void *) (buffer + offset);

      offset += entry->d_reclen;
      if (strcmp (entry->d_name, ".") == 0 || strcmp (entry->d_name, "..") == 0)
        continue;

      n_entries++;
      if (func != NULL)
        func (entry->d_name, entry->d_type, entry->d_ino, user_data);
    }

  return n_entries;
}

/**
 * jm_dir_is_leaf: (skip)
 * @self: an open directory of a file system that counts a directory's directories as
 *   its links, as the kernel's own do
 *
 * Finds out without listing the directory.
 *
 * Returns: whether there is no directory in it
 */
gboolean
jm_dir_is_leaf (const JmDir *self)
{
  struct stat status;
  int fd = self->fd >= 0 ? self->fd : open_path (self, self->path, DIR_FLAGS);
  gboolean is_leaf = fd >= 0 && fstat (fd, &status) == 0 && status.st_nlink == 2;

  if (fd >= 0)
    release (self, fd);

  return is_leaf;
}

/**
 * jm_dir_foreach: (skip)
 * @self: an open directory
 * @func: (nullable): called for each entry
 * @user_data: for @func
 *
 * Lists a directory, in no order and without an allocation. @func must not list the
 * same directory. Entries that come or go meanwhile may be listed or not.
 *
 * Returns: how many entries, or a negative `errno`
 */
gssize
jm_dir_foreach (const JmDir *self, JmDirFunc func, gpointer user_data)
{
  _Alignas(struct dirent64) char buffer[16 * 1024];
  gssize n_entries = 0;
  gssize length;
  int fd = acquire_rewound (self);

  if (fd < 0)
    return fd;

  while ((length = getdents64 (fd, buffer, sizeof buffer)) > 0)
    n_entries += report_entries (buffer, length, func, user_data);
  if (length < 0)
    n_entries = -errno;

  release (self, fd);
  return n_entries;
}

/**
 * jm_dir_count_entries: (skip)
 * @self: an open directory
 *
 * Counts the entries of a directory.
 *
 * Returns: how many, or a negative `errno`
 */
gssize
jm_dir_count_entries (const JmDir *self)
{
  return jm_dir_foreach (self, NULL, NULL);
}

/**
 * jm_dir_count_open_files: (skip)
 * @self: an open `/proc/PID/fd`
 *
 * Counts the open files of a process. Since Linux 6.2 that is the size of the directory
 * (https://docs.kernel.org/filesystems/proc.html#proc-pid-fd-list-of-symlinks-to-open-files);
 * elsewhere the entries are counted.
 *
 * Returns: how many, or a negative `errno`
 */
gssize
jm_dir_count_open_files (const JmDir *self)
{
  struct stat st;
  int result;

  if (!jm_host_has_sized_fd_dirs (self->host))
    return jm_dir_count_entries (self);

  result = self->fd >= 0 ? fstat (self->fd, &st) : stat (self->path, &st);
  return result == 0 ? (gssize) st.st_size : -errno;
}
