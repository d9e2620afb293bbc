/* jm-number.c: numbers to text, exactly and in no locale
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-number.h"

#include <math.h>
#include <string.h>

#include "core/jm-number-private.h"

/* 18446744073709551615, and a leading "0." with as many decimals at most. */
#define MAX_DIGITS 20

/* Beyond this a double has no room for every whole number. */
#define MAX_WHOLE 0x1p53

/* Writes @value so that it ends before @end, with @n_digits digits at least. */
static char *
write_digits (char *end, guint64 value, guint n_digits)
{
  char *begin = end;

  while (value > 0 || (guint) (end - begin) < n_digits)
    {
      *--begin = (char) ('0' + value % 10);
      value /= 10;
    }

  return begin;
}

/* Appends a whole number; doubles would round beyond 2^53. */
void
jm_number_append_uint64 (GString *out, guint64 value)
{
  char digits[MAX_DIGITS];
  char *end = digits + sizeof digits;
  char *begin = write_digits (end, value, 1);

  g_string_append_len (out, begin, end - begin);
}

/* Appends @value / 10^@n_decimals, every digit of it, without trailing zeros. */
void
jm_number_append_decimal (GString *out, guint64 value, guint n_decimals)
{
  char digits[MAX_DIGITS];
  char *end = digits + sizeof digits;
  char *begin, *point;

  g_return_if_fail (n_decimals <= JM_NUMBER_MAX_DECIMALS);

  begin = write_digits (end, value, n_decimals + 1);
  point = end - n_decimals;
  while (end > point && end[-1] == '0')
    end--;

  g_string_append_len (out, begin, point - begin);
  if (end > point)
    {
      g_string_append_c (out, '.');
      g_string_append_len (out, point, end - point);
    }
}

/* Appends the fewest digits that read back as the same number; a whole one in full. */
void
jm_number_append_double (GString *out, double value)
{
  static const char *const formats[] = { "%.15g", "%.16g", "%.17g" };
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan (value))
    {
      g_string_append (out, "NaN");
      return;
    }
  if (isinf (value))
    {
      g_string_append (out, value > 0 ? "+Inf" : "-Inf");
      return;
    }

  if (value >= 0 && value < MAX_WHOLE && value == (double) (guint64) value)
    {
      jm_number_append_uint64 (out, (guint64) value);
      return;
    }

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_ascii_formatd (text, sizeof text, formats[i], value);
      if (g_ascii_strtod (text, NULL) == value)
        break;
    }

  g_string_append (out, text);
}

/**
 * jm_number_to_string:
 * @value: a number
 *
 * Writes a number for programs: in no locale, with the fewest digits that read back as
 * the same number, as all text and JSON of this library has it.
 *
 * Returns: (transfer full): the text
 * Since: 0.1
 */
char *
jm_number_to_string (double value)
{
  GString *text = g_string_new (NULL);

  jm_number_append_double (text, value);

  return g_string_free (text, FALSE);
}
