/* jm-csv.c: comma-separated values, as RFC 4180 has them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/jm-csv-private.h"

#include <string.h>

static void
append_quoted (GString *text, const char *cell)
{
  g_string_append_c (text, '"');
  for (const char *p = cell; *p != '\0'; p++)
    {
      if (*p == '"')
        g_string_append_c (text, '"');
      g_string_append_c (text, *p);
    }
  g_string_append_c (text, '"');
}

/* Appends the cell of a column, counted from 0: any bytes, which become valid UTF-8;
 * nothing for NULL. */
void
jm_csv_append (GString *text, guint column, const char *cell)
{
  g_autofree char *valid = cell != NULL ? g_utf8_make_valid (cell, -1) : NULL;

  if (column > 0)
    g_string_append_c (text, ',');
  if (valid == NULL)
    return;

  if (valid[strcspn (valid, "\",\r\n")] != '\0')
    append_quoted (text, valid);
  else
    g_string_append (text, valid);
}

void
jm_csv_end_line (GString *text)
{
  g_string_append (text, "\r\n");
}
