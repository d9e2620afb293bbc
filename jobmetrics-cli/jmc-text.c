/* jmc-text.c: how much room text takes on a terminal
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-text.h"

static guint
width_of (gunichar c)
{
  if (g_unichar_iszerowidth (c))
    return 0;

  return g_unichar_iswide (c) ? 2 : 1;
}

/* How many cells of a terminal @text takes, which must be valid UTF-8. */
guint
jmc_text_get_width (const char *text)
{
  guint width = 0;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    width += width_of (g_utf8_get_char (p));

  return width;
}

/* Cuts @line down to at most @width cells. */
void
jmc_text_cut (GString *line, guint width)
{
  guint used = 0;

  for (const char *p = line->str; *p != '\0'; p = g_utf8_next_char (p))
    {
      used += width_of (g_utf8_get_char (p));
      if (used > width)
        {
          g_string_truncate (line, (gsize) (p - line->str));
          return;
        }
    }
}
