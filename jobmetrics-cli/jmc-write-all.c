/* jmc-write-all.c: bytes written to the last
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-write-all.h"

#include <errno.h>
#include <unistd.h>

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
