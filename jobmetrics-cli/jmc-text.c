/* jmc-text.c: how much room text takes on a terminal
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-text.h"

#include "base/jm-text-width-private.h"

/* How many cells of a terminal @text takes, which must be valid UTF-8. */
guint
jmc_text_get_width (const char *text)
{
  return jm_text_width_get (text);
}

/* Cuts @line down to at most @width cells. */
void
jmc_text_cut (GString *line, guint width)
{
  g_string_truncate (line, jm_text_width_fit (line->str, width));
}

void
jmc_text_append_wrapped (GString *text, const char *sentence, guint width)
{
  g_auto (GStrv) words = g_strsplit (sentence, " ", -1);
  guint used = 0;

  for (char **word = words; *word != NULL; word++)
    {
      const guint cells = jmc_text_get_width (*word);

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
