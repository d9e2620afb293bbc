/* jm-bounded-read.c: a whole file that somebody else writes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-bounded-read-private.h"

#include <errno.h>
#include <unistd.h>

#include "host/jm-path-error-private.h"

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
