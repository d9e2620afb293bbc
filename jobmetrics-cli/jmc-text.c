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

/* The digits at the head of @text without leading zeros. */
static const char *
take_number (const char **text, gsize *n_digits)
{
  const char *digits;

  while (**text == '0')
    (*text)++;
  digits = *text;
  while (g_ascii_isdigit (**text))
    (*text)++;
  *n_digits = (gsize) (*text - digits);

  return digits;
}

static int
compare_numbers (const char **a, const char **b)
{
  gsize n_a, n_b;
  const char *digits_a = take_number (a, &n_a);
  const char *digits_b = take_number (b, &n_b);

  if (n_a != n_b)
    return n_a < n_b ? -1 : 1;

  return strncmp (digits_a, digits_b, n_a);
}

/* As people sort: numbers in the text by their value, however long they are. */
int
jmc_text_compare (const char *a, const char *b)
{
  const char *rest_a = a;
  const char *rest_b = b;
  int order = 0;

  while (order == 0 && *rest_a != '\0' && *rest_b != '\0')
    {
      if (g_ascii_isdigit (*rest_a) && g_ascii_isdigit (*rest_b))
        order = compare_numbers (&rest_a, &rest_b);
      else
        order = (guchar) *rest_a++ - (guchar) *rest_b++;
    }

  if (order == 0)
    order = (guchar) *rest_a - (guchar) *rest_b;

  return order != 0 ? order : strcmp (a, b);
}
