/* jm-safe-text.c: text that steers no terminal
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-safe-text-private.h"

gboolean
jm_safe_text_has (gunichar c)
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

char *
jm_safe_text_make (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *safe = g_string_new (NULL);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      g_string_append_unichar (safe, jm_safe_text_has (c) ? c : '?');
    }

  return g_string_free (safe, FALSE);
}

void
jm_safe_text_make_lines (GString *text)
{
  g_autofree char *copy = g_utf8_make_valid (text->str, (gssize) text->len);

  g_string_truncate (text, 0);
  for (const char *p = copy; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);
      gboolean is_end = c == '\n' || (c == '\r' && p[1] == '\n');

      g_string_append_unichar (text, is_end || jm_safe_text_has (c) ? c : '?');
    }
}
