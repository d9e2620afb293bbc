/* jm-number.c: numbers to text, exactly and in no locale
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-number-private.h"

#include <math.h>
#include <string.h>

/* 18446744073709551615, and a leading "0." with as many decimals at most. */
#define MAX_DIGITS 20
#define MAX_DECIMALS 9

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

  g_return_if_fail (n_decimals <= MAX_DECIMALS);

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

/* Appends the shortest text that reads back as the same number. */
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

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_ascii_formatd (text, sizeof text, formats[i], value);
      if (g_ascii_strtod (text, NULL) == value)
        break;
    }

  g_string_append (out, text);
}
