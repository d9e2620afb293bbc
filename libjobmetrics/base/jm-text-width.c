/* jm-text-width.c: how much room text takes on a terminal
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-text-width-private.h"

static guint
width_of (gunichar c)
{
  if (g_unichar_iszerowidth (c))
    return 0;

  return g_unichar_iswide (c) ? 2 : 1;
}

guint
jm_text_width_get (const char *text)
{
  guint width = 0;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    width += width_of (g_utf8_get_char (p));

  return width;
}

gsize
jm_text_width_fit (const char *text, guint width)
{
  const char *p = text;
  guint used = 0;

  for (; *p != '\0'; p = g_utf8_next_char (p))
    {
      used += width_of (g_utf8_get_char (p));
      if (used > width)
        break;
    }

  return (gsize) (p - text);
}

void
jm_text_width_cut (GString *line, guint width)
{
  g_string_truncate (line, jm_text_width_fit (line->str, width));
}

void
jm_text_width_append_wrapped (GString *text, const char *sentence, guint width)
{
  g_auto (GStrv) words = g_strsplit (sentence, " ", -1);
  guint used = 0;

  for (char **word = words; *word != NULL; word++)
    {
      const guint cells = jm_text_width_get (*word);

      if (used > 0 && used + 1 + cells > width)
        {
          g_string_append_c (text, '\n');
          used = 0;
        }
      g_string_append_printf (text, "%s%s", used > 0 ? " " : "", *word);
      used += cells + (used > 0 ? 1 : 0);
    }
  g_string_append_c (text, '\n');
}
