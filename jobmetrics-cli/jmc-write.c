/* jmc-write.c: bytes written to the last, and files that are whole
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-write.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MODE 0666 /* less what the umask takes away */

gboolean
jmc_write_all (int fd, const char *data, gsize length)
{
  while (length > 0)
    {
      const gssize n = write (fd, data, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return FALSE;
      data += n;
      length -= (gsize) n;
    }

  return TRUE;
}

static gboolean
fail (const char *path, int code, GError **error)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", path,
               g_strerror (code));

  return FALSE;
}

/* A device or a pipe stays what it is. */
static gboolean
write_into (const char *path, const char *data, gsize length, GError **error)
{
  const int fd = open (path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  gboolean is_written;
  int code;

  if (fd < 0)
    return fail (path, errno, error);

  is_written = jmc_write_all (fd, data, length);
  code = errno;
  if (close (fd) != 0 && is_written)
    return fail (path, errno, error);

  return is_written || fail (path, code, error);
}

gboolean
jmc_write_file (const char *path, GBytes *content, GError **error)
{
  /* a link stays one: what it leads to is replaced */
  g_autofree char *real = realpath (path, NULL);
  const char *target = real != NULL ? real : path;
  g_autoptr (GError) reason = NULL;
  gsize length;
  const char *data = g_bytes_get_data (content, &length);
  struct stat info;

  if (stat (path, &info) == 0 && !S_ISREG (info.st_mode))
    return S_ISDIR (info.st_mode) ? fail (path, EISDIR, error)
                                  : write_into (path, data, length, error);
  if (g_file_set_contents_full (target, data, (gssize) length,
                                G_FILE_SET_CONTENTS_CONSISTENT, MODE, &reason))
    return TRUE;

  g_set_error (error, reason->domain, reason->code, "%s: %s", path, reason->message);

  return FALSE;
}
