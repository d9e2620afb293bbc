/* jm-number.c: numbers to text, exactly and in no locale
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-number-private.h"

#include <math.h>
#include <string.h>

#include "base/jm-shortest-decimal-private.h"

/* 18446744073709551615, and a leading "0." with as many decimals at most. */
#define MAX_DIGITS 20

/* Beyond this a double has no room for every whole number. */
#define MAX_WHOLE 0x1p53

/* A point stands among the digits when the first one is for 10^-4 or more, and when
 * zeros would fill up to 15 places at most: as %.15g has it, or one with more digits.
 */
#define MIN_PLAIN_EXPONENT (-4)
#define MAX_FILLED_DIGITS 15

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

/* Writes @value / 10^@n_decimals, every digit of it, without trailing zeros. There must
 * be room for JM_NUMBER_DECIMAL_SIZE bytes. Returns: where it ends */
char *
jm_number_write_decimal (char *at, guint64 value, guint n_decimals)
{
  char digits[MAX_DIGITS];
  char *end = digits + sizeof digits;
  char *begin, *point;
  gsize n_whole, n_behind;

  g_return_val_if_fail (n_decimals <= JM_NUMBER_MAX_DECIMALS, at);

  begin = write_digits (end, value, n_decimals + 1);
  point = end - n_decimals;
  while (end > point && end[-1] == '0')
    end--;

  n_whole = (gsize) (point - begin);
  n_behind = (gsize) (end - point);
  memcpy (at, begin, n_whole);
  at += n_whole;
  if (n_behind > 0)
    {
      *at++ = '.';
      memcpy (at, point, n_behind);
    }

  return at + n_behind;
}

/* Appends what jm_number_write_decimal() writes. */
void
jm_number_append_decimal (GString *out, guint64 value, guint n_decimals)
{
  char text[JM_NUMBER_DECIMAL_SIZE];
  char *end = jm_number_write_decimal (text, value, n_decimals);

  g_string_append_len (out, text, end - text);
}

static void
append_zeros (GString *out, int n)
{
  for (int i = 0; i < n; i++)
    g_string_append_c (out, '0');
}

/* @exponent is that of the first digit. */
static void
append_plain (GString *out, const char *digits, int n_digits, int exponent)
{
  int n_whole = CLAMP (exponent + 1, 0, n_digits);

  if (n_whole > 0)
    g_string_append_len (out, digits, n_whole);
  else
    g_string_append_c (out, '0');
  append_zeros (out, exponent + 1 - n_digits);

  if (n_digits > n_whole)
    {
      g_string_append_c (out, '.');
      append_zeros (out, -exponent - 1);
      g_string_append_len (out, digits + n_whole, n_digits - n_whole);
    }
}

static void
append_with_exponent (GString *out, const char *digits, int n_digits, int exponent)
{
  char text[MAX_DIGITS];
  char *end = text + sizeof text;
  char *begin = write_digits (end, (guint64) ABS (exponent), 2);

  g_string_append_c (out, digits[0]);
  if (n_digits > 1)
    {
      g_string_append_c (out, '.');
      g_string_append_len (out, digits + 1, n_digits - 1);
    }

  g_string_append (out, exponent < 0 ? "e-" : "e+");
  g_string_append_len (out, begin, end - begin);
}

static void
append_positive (GString *out, double value)
{
  JmShortestDecimal decimal = jm_shortest_decimal_from_double (value);
  char text[MAX_DIGITS];
  char *end = text + sizeof text;
  char *digits = write_digits (end, decimal.digits, 1);
  int n_digits = (int) (end - digits);
  int exponent = decimal.exponent + n_digits - 1;

  if (exponent >= MIN_PLAIN_EXPONENT && exponent < MAX (MAX_FILLED_DIGITS, n_digits))
    append_plain (out, digits, n_digits, exponent);
  else
    append_with_exponent (out, digits, n_digits, exponent);
}

char *
jm_number_count (guint64 n, const char *noun)
{
  return g_strdup_printf ("%" G_GUINT64_FORMAT " %s%s", n, noun, n == 1 ? "" : "s");
}

/* Appends the fewest digits that read back as the same number; a whole one in full. */
void
jm_number_append_double (GString *out, double value)
{
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

  if (value < 0)
    g_string_append_c (out, '-');
  append_positive (out, fabs (value));
}
