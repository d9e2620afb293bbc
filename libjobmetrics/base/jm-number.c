/* jm-number.c: numbers to text, exactly and in no locale
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-number-private.h"

#include <math.h>
#include <string.h>

/* 18446744073709551615, and a leading "0." with as many decimals at most. */
#define MAX_DIGITS 20

/* Beyond this a double has no room for every whole number. */
#define MAX_WHOLE 0x1p53

/* A point stands among the digits when the first one is for 10^-4 or more, and when
 * zeros would fill up to 15 places at most: as %.15g has it, or one with more digits.
 */
#define MIN_PLAIN_EXPONENT (-4)
#define MAX_FILLED_DIGITS 15

/* --- the fewest digits that identify a double ---
 *
 * As Raffaello Giulietti describes it in "The Schubfach way to render doubles": a
 * double c * 2^q stands for all numbers that are nearer to it than to its neighbours.
 * With the greatest 10^k that is not wider than this interval, one or two multiples of
 * 10^k next to the double are in it, and at most one multiple of 10^(k+1): which has
 * fewer digits, so it is taken when it is there, and else the nearest of the others.
 */

#define SIGNIFICAND_BITS 52
#define HIDDEN_BIT (G_GUINT64_CONSTANT (1) << SIGNIFICAND_BITS)
#define EXPONENT_MASK 0x7ff
#define EXPONENT_BIAS 1075

/* 10^-k for the k of every double; meson.build says so to the generator, too. */
#define FIRST_POWER (-292)
#define LAST_POWER 324

/* @digits * 10^@exponent; the last digit is not 0. */
typedef struct
{
  guint64 digits;
  int exponent;
} Decimal;

/* The first 128 bits of a power of ten. */
typedef struct
{
  guint64 high;
  guint64 low;
} Power;

static const Power powers[] = {
#include "base/jm-powers-of-ten.inc"
};

G_STATIC_ASSERT (G_N_ELEMENTS (powers) == LAST_POWER - FIRST_POWER + 1);

/* The three are exact for every exponent that a double can have. */

static int
floor_log10_pow2 (int exponent)
{
  return (exponent * 1262611) >> 22;
}

static int
floor_log10_three_quarters_pow2 (int exponent)
{
  return (exponent * 1262611 - 524031) >> 22;
}

static int
floor_log2_pow10 (int exponent)
{
  return (exponent * 1741647) >> 19;
}

/* @power * @factor / 2^128, whose last bit is set as well when it is not whole: so it
 * stays on its side of every whole number that it is compared with. For the power was
 * rounded up, what is whole may leave 1 in the 64 bits after the point; of all doubles,
 * none that is not leaves less than 2. */
static guint64
multiply_to_odd (const Power *power, guint64 factor)
{
  unsigned __int128 low = (unsigned __int128) power->low * factor;
  unsigned __int128 high =
    (unsigned __int128) power->high * factor + (guint64) (low >> 64);

  return (guint64) (high >> 64) | ((guint64) high > 1);
}

static Decimal
strip_zeros (guint64 digits, int exponent)
{
  while (digits % 10 == 0)
    {
      digits /= 10;
      exponent++;
    }

  return (Decimal){ digits, exponent };
}

/* The decimals of @significand * 2^@exponent. */
static Decimal
find_shortest (guint64 significand, int exponent, gboolean is_regular)
{
  int k = is_regular ? floor_log10_pow2 (exponent)
                     : floor_log10_three_quarters_pow2 (exponent);
  const Power *power = &powers[-k - FIRST_POWER];
  int shift = exponent + floor_log2_pow10 (-k) + 1;
  /* All in quarters of 10^k, for the midpoints to the neighbours are half an ulp away,
   * and a quarter below a power of two. */
  guint64 lower =
    multiply_to_odd (power, (4 * significand - (is_regular ? 2 : 1)) << shift);
  guint64 value = multiply_to_odd (power, (4 * significand) << shift);
  guint64 upper = multiply_to_odd (power, (4 * significand + 2) << shift);
  guint64 below = value / 4;
  guint64 tens_below = below / 10 * 10;
  gboolean is_below_in, is_above_in;

  /* Readers round a midpoint to the even neighbour, which has it as its own. */
  lower += significand & 1;
  upper -= significand & 1;

  is_below_in = tens_below > 0 && lower <= 4 * tens_below;
  is_above_in = 4 * (tens_below + 10) <= upper;
  if (is_below_in || is_above_in)
    return strip_zeros (is_below_in ? tens_below : tens_below + 10, k);

  is_below_in = lower <= 4 * below;
  is_above_in = 4 * (below + 1) <= upper;
  if (is_below_in && is_above_in)
    is_below_in = value < 4 * below + 2 || (value == 4 * below + 2 && below % 2 == 0);

  return (Decimal){ is_below_in ? below : below + 1, k };
}

/* @value: finite, and greater than 0. */
static Decimal
get_shortest_decimal (double value)
{
  guint64 bits, significand;
  int exponent;

  g_return_val_if_fail (isfinite (value) && value > 0, ((Decimal){ 0, 0 }));

  memcpy (&bits, &value, sizeof bits);
  significand = bits & (HIDDEN_BIT - 1);
  exponent = (int) (bits >> SIGNIFICAND_BITS) & EXPONENT_MASK;

  if (exponent == 0)
    return find_shortest (significand, 1 - EXPONENT_BIAS, TRUE);

  /* The neighbour below a power of two is nearer, unless both have the least exponent.
   */
  return find_shortest (significand | HIDDEN_BIT, exponent - EXPONENT_BIAS,
                        significand != 0 || exponent == 1);
}

/* --- text --- */

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
  Decimal decimal = get_shortest_decimal (value);
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
