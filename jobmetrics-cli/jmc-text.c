/* jmc-text.c: text that is fit for a terminal
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-text.h"

#include <string.h>

/* Beyond escape sequences: marks of writing direction can make a line read as another,
 * line separators can make one line look like two. */
static gboolean
is_harmless (gunichar c)
{
  switch (g_unichar_type (c))
    {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
    case G_UNICODE_PRIVATE_USE:
    case G_UNICODE_SURROGATE:
    case G_UNICODE_UNASSIGNED:
      return FALSE;
    default:
      return TRUE;
    }
}

/* A copy of @text, which may be any bytes, in which every character that could steer a
 * terminal is a question mark. */
char *
jmc_text_make_safe (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *safe = g_string_new (NULL);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      g_string_append_unichar (safe, is_harmless (c) ? c : '?');
    }

  return g_string_free (safe, FALSE);
}

/* The same in place for text of several lines, the ends of which stay. */
void
jmc_text_make_lines_safe (GString *text)
{
  g_autofree char *copy = g_utf8_make_valid (text->str, (gssize) text->len);

  g_string_truncate (text, 0);
  for (const char *p = copy; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);
      gboolean is_end = c == '\n' || (c == '\r' && p[1] == '\n');

      g_string_append_unichar (text, is_end || is_harmless (c) ? c : '?');
    }
}

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
