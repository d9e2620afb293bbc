/* jm-bounded-read.c: a whole file that somebody else writes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-bounded-read-private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "base/jm-path-error-private.h"

gboolean
jm_bounded_read (int fd, gsize max, GString *text, const char *path, GError **error)
{
  char buffer[4096];
  gssize n;

  while ((n = TEMP_FAILURE_RETRY (read (fd, buffer, sizeof buffer))) > 0)
    {
      if (text->len + (gsize) n > max)
        {
          jm_path_error_set_errno (error, path, EMSGSIZE);
          return FALSE;
        }
      g_string_append_len (text, buffer, n);
    }

  if (n < 0)
    jm_path_error_set_errno (error, path, errno);

  return n == 0;
}

static gboolean
check_ordinary (int fd, const char *path, GError **error)
{
  struct stat st;

  if (fstat (fd, &st) != 0)
    jm_path_error_set_errno (error, path, errno);
  else if (!S_ISREG (st.st_mode))
    g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: not an ordinary file", path);
  else
    return TRUE;

  return FALSE;
}

GBytes *
jm_bounded_read_ordinary (int fd, gsize max, const char *path, GError **error)
{
  GError *reason = NULL;
  GString *text;

  if (!check_ordinary (fd, path, error))
    return NULL;

  text = g_string_new (NULL);
  if (jm_bounded_read (fd, max, text, path, &reason))
    return g_string_free_to_bytes (text);

  g_string_free (text, TRUE);
  if (g_error_matches (reason, JM_ERROR, JM_ERROR_MALFORMED))
    {
      g_clear_error (&reason);
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "%s: longer than %" G_GSIZE_FORMAT " KiB", path, max / 1024);
    }
  else
    g_propagate_error (error, reason);

  return NULL;
}

GBytes *
jm_bounded_read_file (const char *path, gsize max, GError **error)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *name = g_filename_display_name (absolute);
  int fd = open (absolute, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  GBytes *bytes;

  if (fd < 0)
    {
      jm_path_error_set_errno (error, name, errno);
      return NULL;
    }

  bytes = jm_bounded_read_ordinary (fd, max, name, error);
  close (fd);

  return bytes;
}
