/* jmc-hook-directory.c: a folder of small files, each of which is seen whole or not at
 * all
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "hook/jmc-hook-directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#define DIRECTORY_MODE 0755
#define FILE_MODE 0644
#define NEW_NAME_BYTES 64
/* Names that end in the clock and the process are taken by nobody else. */
#define ATTEMPTS 10

static gboolean
fail (const JmcHookDirectory *self, const char *name, GError **error)
{
  int number = errno;

  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (number), "%s%s%s: %s",
               self->path, name != NULL ? "/" : "", name != NULL ? name : "",
               g_strerror (number));

  return FALSE;
}

gboolean
jmc_hook_directory_open (JmcHookDirectory *self,
                         const char *path,
                         gboolean is_made,
                         GError **error)
{
  self->path = path;
  self->fd = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (self->fd < 0 && errno == ENOENT && is_made &&
      g_mkdir_with_parents (path, DIRECTORY_MODE) == 0)
    self->fd = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  return self->fd >= 0 || fail (self, NULL, error);
}

/* Whoever lists the folder passes over what begins with a dot. */
static int
open_new (const JmcHookDirectory *self, char *name)
{
  int fd = -1;

  errno = EEXIST;
  for (guint i = 0; i < ATTEMPTS && fd < 0 && errno == EEXIST; i++)
    {
      g_snprintf (name, NEW_NAME_BYTES, ".new.%d.%" G_GINT64_FORMAT, (int) getpid (),
                  g_get_monotonic_time ());
      fd = openat (self->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                   0600);
    }

  return fd;
}

static gboolean
write_all (int fd, const GString *text)
{
  gsize n_written = 0;

  while (n_written < text->len)
    {
      gssize n = write (fd, text->str + n_written, text->len - n_written);

      if (n < 0 && errno != EINTR)
        return FALSE;
      n_written += n > 0 ? (gsize) n : 0;
    }

  return TRUE;
}

gboolean
jmc_hook_directory_write (const JmcHookDirectory *self,
                          const char *name,
                          const GString *text,
                          GError **error)
{
  char new_name[NEW_NAME_BYTES];
  int fd = open_new (self, new_name);
  gboolean ok;

  if (fd < 0)
    return fail (self, name, error);

  ok = write_all (fd, text) && fchmod (fd, FILE_MODE) == 0;
  ok = close (fd) == 0 && ok;
  ok = ok && renameat (self->fd, new_name, self->fd, name) == 0;
  if (ok)
    return TRUE;

  fail (self, name, error);
  unlinkat (self->fd, new_name, 0);

  return FALSE;
}

gboolean
jmc_hook_directory_remove (const JmcHookDirectory *self,
                           const char *name,
                           GError **error)
{
  return unlinkat (self->fd, name, 0) == 0 || errno == ENOENT ||
         fail (self, name, error);
}

void
jmc_hook_directory_close (JmcHookDirectory *self)
{
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
}
