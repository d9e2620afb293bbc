/* jm-promql-text.c: the words of PromQL
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "access/jm-promql-text-private.h"

#include <string.h>

#include "base/jm-error.h"

#define QUOTED_CHARACTERS 40

gboolean
jm_promql_refuse (const JmPromqlCursor *self, const char *reason, GError **error)
{
  g_autofree char *rest =
    g_utf8_substring (self->at, 0,
                      MIN (QUOTED_CHARACTERS, g_utf8_strlen (self->at, -1)));
  g_autofree char *shown = g_strescape (rest, NULL);

  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "query: byte %zu: %s: %s",
               (gsize) (self->at - self->text), reason,
               *shown == '\0' ? "the end" : shown);

  return FALSE;
}

/* Some servers end a comment at a carriage return, and some do not. */
static gboolean
skip_comment (JmPromqlCursor *self, GError **error)
{
  gsize length = strcspn (self->at, "\r\n");

  if (self->at[length] == '\r' && self->at[length + 1] != '\n')
    {
      self->at += length;
      return jm_promql_refuse (self, "a carriage return in a comment", error);
    }
  self->at += length;

  return TRUE;
}

gboolean
jm_promql_skip (JmPromqlCursor *self, GError **error)
{
  for (;;)
    {
      self->at += strspn (self->at, " \t\r\n");
      if (*self->at != '#')
        return TRUE;
      if (!skip_comment (self, error))
        return FALSE;
    }
}

gsize
jm_promql_measure_word (const JmPromqlCursor *self, gboolean has_colons)
{
  gsize length = 0;

  if (g_ascii_isdigit (*self->at))
    return 0;
  while (g_ascii_isalnum (self->at[length]) || self->at[length] == '_' ||
         (has_colons && self->at[length] == ':'))
    length++;

  return length;
}

gboolean
jm_promql_is_keyword (const char *word, gsize length, const char *keyword)
{
  return strlen (keyword) == length && g_ascii_strncasecmp (word, keyword, length) == 0;
}

gboolean
jm_promql_is_quote (char c)
{
  return c == '"' || c == '\'' || c == '`';
}

static gboolean
take_code (JmPromqlCursor *self, guint base, guint digits, gunichar *code)
{
  *code = 0;
  for (guint i = 0; i < digits; i++)
    {
      int digit = g_ascii_xdigit_value (self->at[i]);

      if (digit < 0 || (guint) digit >= base)
        return FALSE;
      *code = *code * base + (guint) digit;
    }
  self->at += digits;

  return *code != 0;
}

static gboolean
add_byte (JmPromqlCursor *self, guint base, guint digits, GString *value)
{
  gunichar code;

  if (!take_code (self, base, digits, &code) || code > 0xff)
    return FALSE;
  g_string_append_c (value, (char) code);

  return TRUE;
}

static gboolean
add_character (JmPromqlCursor *self, guint digits, GString *value)
{
  gunichar code;

  if (!take_code (self, 16, digits, &code) || !g_unichar_validate (code))
    return FALSE;
  g_string_append_unichar (value, code);

  return TRUE;
}

/* As Go has them: no others, and none that stands for NUL. */
static gboolean
add_escape (JmPromqlCursor *self, char quote, GString *value)
{
  static const char letters[] = "abfnrtv\\";
  static const char meanings[] = "\a\b\f\n\r\t\v\\";
  char c = *self->at;
  const char *letter = c == '\0' ? NULL : strchr (letters, c);

  if (c >= '0' && c <= '7')
    return add_byte (self, 8, 3, value);
  if (letter == NULL && c != quote && c != 'x' && c != 'u' && c != 'U')
    return FALSE;

  self->at++;
  if (c == 'x')
    return add_byte (self, 16, 2, value);
  if (c == 'u' || c == 'U')
    return add_character (self, c == 'u' ? 4 : 8, value);
  g_string_append_c (value, letter == NULL ? quote : meanings[letter - letters]);

  return TRUE;
}

static gboolean
take_quoted (JmPromqlCursor *self, char quote, GString *value)
{
  while (*self->at != quote)
    {
      char c = *self->at;

      if (c == '\0' || c == '\r' || (c == '\n' && quote != '`'))
        return FALSE;
      self->at++;
      if (c != '\\' || quote == '`')
        g_string_append_c (value, c);
      else if (!add_escape (self, quote, value))
        return FALSE;
    }
  self->at++;

  return g_utf8_validate (value->str, (gssize) value->len, NULL);
}

char *
jm_promql_take_string (JmPromqlCursor *self, GError **error)
{
  g_autoptr (GString) value = g_string_new (NULL);
  const char *begin = self->at;
  char quote = *begin;

  if (jm_promql_is_quote (quote))
    {
      self->at++;
      if (take_quoted (self, quote, value))
        return g_string_free (g_steal_pointer (&value), FALSE);
      self->at = begin;
    }
  jm_promql_refuse (self, "not a string", error);

  return NULL;
}

static gsize
count_digits (const char *text)
{
  return strspn (text, "0123456789");
}

static gsize
measure_decimal (const char *text)
{
  gsize whole = count_digits (text);
  gsize length = whole;
  gsize fraction = 0;
  gsize sign;

  if (text[length] == '.')
    {
      fraction = count_digits (text + length + 1);
      length += 1 + fraction;
    }
  if (whole + fraction == 0 || (text[length] != 'e' && text[length] != 'E'))
    return whole + fraction == 0 ? 0 : length;

  sign = text[length + 1] == '+' || text[length + 1] == '-' ? 1 : 0;
  fraction = count_digits (text + length + 1 + sign);

  return fraction == 0 ? 0 : length + 1 + sign + fraction;
}

static gsize
measure_number (const JmPromqlCursor *self)
{
  const char *text = self->at;
  gsize word = jm_promql_measure_word (self, TRUE);
  gsize digits;

  /* Prometheus reads 010 as an octal number, and 09 as a decimal one */
  if (text[0] == '0' && g_ascii_isdigit (text[1]))
    return 0;

  if (jm_promql_is_keyword (text, word, "inf") ||
      jm_promql_is_keyword (text, word, "nan"))
    return word;
  if (text[0] != '0' || (text[1] != 'x' && text[1] != 'X'))
    return measure_decimal (text);

  digits = strspn (text + 2, "0123456789abcdefABCDEF");

  return digits == 0 || digits > 15 ? 0 : 2 + digits;
}

gboolean
jm_promql_take_number (JmPromqlCursor *self, double *number, GError **error)
{
  gsize length = measure_number (self);

  if (length == 0 || g_ascii_isalnum (self->at[length]) ||
      strchr ("_.:", self->at[length] == '\0' ? ' ' : self->at[length]) != NULL)
    return jm_promql_refuse (self, "not a number", error);
  *number = g_ascii_strtod (self->at, NULL);
  self->at += length;

  return TRUE;
}

typedef struct
{
  const char *name;
  double seconds;
} Unit;

/* In the one order in which they may follow each other. */
static const Unit units[] = {
  { "y", 31536000 }, { "w", 604800 }, { "d", 86400 },  { "h", 3600 },
  { "m", 60 },       { "s", 1 },      { "ms", 0.001 },
};

/* What Go's durations hold, and a little less. */
#define MAX_SECONDS 9e9

static gsize
measure_unit (const char *text, guint *unit, double *seconds)
{
  gsize digits = count_digits (text);
  gsize letters = 0;
  guint64 number = g_ascii_strtoull (text, NULL, 10);

  while (g_ascii_isalnum (text[digits + letters]) &&
         !g_ascii_isdigit (text[digits + letters]))
    letters++;
  while (*unit < G_N_ELEMENTS (units) &&
         (strlen (units[*unit].name) != letters ||
          strncmp (units[*unit].name, text + digits, letters) != 0))
    (*unit)++;
  if (digits == 0 || digits > 12 || *unit == G_N_ELEMENTS (units))
    return 0;
  *seconds += (double) number * units[(*unit)++].seconds;

  return digits + letters;
}

gboolean
jm_promql_take_duration (JmPromqlCursor *self, double *seconds, GError **error)
{
  const char *at = self->at;
  guint unit = 0;

  *seconds = 0;
  do
    {
      gsize length = measure_unit (at, &unit, seconds);

      if (length == 0)
        return jm_promql_refuse (self, "not a duration", error);
      at += length;
    }
  while (g_ascii_isdigit (*at));

  if (*seconds <= 0 || *seconds > MAX_SECONDS || *at == '_' || *at == '.')
    return jm_promql_refuse (self, "not a duration", error);
  self->at = at;

  return TRUE;
}
