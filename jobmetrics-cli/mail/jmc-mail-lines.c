/* jmc-mail-lines.c: the lines of a file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-mail-lines.h"

#include "base/jm-bounded-read-private.h"

GStrv
jmc_mail_lines_read (const char *path, gsize max_bytes, GError **error)
{
  g_autoptr (GBytes) bytes = jm_bounded_read_file (path, max_bytes, error);
  g_autofree char *text = NULL;

  if (bytes == NULL)
    return NULL;

  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));

  return g_strsplit (text, "\n", -1);
}
