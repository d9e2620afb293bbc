/* left-ledger.c: what of a ledger a killed program leaves
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "left-ledger.h"

#include <glib/gstdio.h>

void
left_ledger_copy (const char *path, const char *left)
{
  static const char *const ends[] = { "", "-wal", "-lock" };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *source = g_strconcat (path, ends[i], NULL);
      g_autofree char *target = g_strconcat (left, ends[i], NULL);
      g_autofree char *content = NULL;
      gsize length;

      if (!g_file_get_contents (source, &content, &length, NULL))
        continue;

      g_assert_true (g_file_set_contents (target, content, (gssize) length, NULL));
      g_assert_cmpint (g_chmod (target, 0640), ==, 0);
    }
}
