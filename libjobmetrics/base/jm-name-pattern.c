/* jm-name-pattern.c: patterns of names that people type, such as align-*
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-name-pattern-private.h"

#include <string.h>

#define SPECIAL "*?\\"

/* Whether the character at @text is special. A terminator is not. */
static gboolean
is_special (const char *text)
{
  return *text != '\0' && strchr (SPECIAL, *text) != NULL;
}

char *
jm_name_pattern_from_name (const char *name)
{
  GString *pattern = g_string_new (NULL);

  for (; *name != '\0'; name++)
    {
      if (is_special (name))
        g_string_append_c (pattern, '\\');
      g_string_append_c (pattern, *name);
    }

  return g_string_free (pattern, FALSE);
}

char *
jm_name_pattern_to_name (const char *pattern)
{
  g_autoptr (GString) name = g_string_new (NULL);

  for (; *pattern != '\0'; pattern++)
    {
      if (*pattern == '\\' && is_special (pattern + 1))
        pattern++;
      else if (*pattern == '*' || *pattern == '?')
        return NULL;
      g_string_append_c (name, *pattern);
    }

  return g_string_free (g_steal_pointer (&name), FALSE);
}

static void
append_literal (GString *like, char c)
{
  if (strchr ("%_!", c) != NULL)
    g_string_append_c (like, '!');
  g_string_append_c (like, c);
}

char *
jm_name_pattern_to_like (const char *pattern)
{
  GString *like = g_string_new (NULL);

  for (; *pattern != '\0'; pattern++)
    if (*pattern == '*')
      g_string_append_c (like, '%');
    else if (*pattern == '?')
      g_string_append_c (like, '_');
    else
      {
        if (*pattern == '\\' && is_special (pattern + 1))
          pattern++;
        append_literal (like, *pattern);
      }

  return g_string_free (like, FALSE);
}
