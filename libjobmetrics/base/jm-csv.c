/* jm-csv.c: comma-separated values, as RFC 4180 has them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-csv-private.h"

#include <math.h>
#include <string.h>

#include "base/jm-safe-text-private.h"

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

static gboolean
is_number (const char *cell)
{
  char *end;

  return isfinite (g_ascii_strtod (cell, &end)) && end != cell && *end == '\0';
}

/* Spreadsheets run what begins like this, in full width too, and some behind spaces. */
static gboolean
is_formula (const char *cell)
{
  static const char *const begins[] = { "=",      "+",      "-",      "@",     "\n",
                                        "\uff1d", "\uff0b", "\uff0d", "\uff20" };

  while (*cell != '\n' && g_unichar_isspace (g_utf8_get_char (cell)))
    cell = g_utf8_next_char (cell);
  for (guint i = 0; i < G_N_ELEMENTS (begins); i++)
    if (g_str_has_prefix (cell, begins[i]))
      return !is_number (cell);

  return FALSE;
}

/* Appends the cell of a column, counted from 0: any bytes, which become valid UTF-8;
 * nothing for NULL. Names of users steer no terminal, and an apostrophe stands before
 * what a spreadsheet would run. */
void
jm_csv_append (GString *text, guint column, const char *cell)
{
  g_autoptr (GString) safe = g_string_new (cell);

  if (column > 0)
    g_string_append_c (text, ',');
  jm_safe_text_make_lines (safe);
  if (is_formula (safe->str))
    g_string_prepend_c (safe, '\'');

  /* some programs part cells by semicolons */
  if (safe->str[strcspn (safe->str, "\",;\r\n")] != '\0')
    append_quoted (text, safe->str);
  else
    g_string_append (text, safe->str);
}

void
jm_csv_end_line (GString *text)
{
  g_string_append (text, "\r\n");
}
