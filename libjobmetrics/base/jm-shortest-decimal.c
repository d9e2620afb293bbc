/* jm-shortest-decimal.c: the fewest digits that say which double is meant
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * As Raffaello Giulietti describes it in "The Schubfach way to render doubles": a
 * double c * 2^q stands for all numbers that are nearer to it than to its neighbours.
 * With the greatest 10^k that is not wider than this interval, one or two multiples of
 * 10^k next to the double are in it, and at most one multiple of 10^(k+1): which has
 * fewer digits, so it is taken when it is there, and else the nearest of the others.
 */

#include "base/jm-shortest-decimal-private.h"

#include <math.h>
#include <string.h>

#define SIGNIFICAND_BITS 52
#define HIDDEN_BIT (G_GUINT64_CONSTANT (1) << SIGNIFICAND_BITS)
#define EXPONENT_MASK 0x7ff
#define EXPONENT_BIAS 1075

/* 10^-k for the k of every double; meson.build says so to the generator, too. */
#define FIRST_POWER (-292)
#define LAST_POWER 324

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

/* @power * @factor / 2^128, whose last bit is set as well when it is not whole: so it stays
 * on its side of every whole number that it is compared with. For the power was rounded
 * up, what is whole may leave 1 in the 64 bits after the point; of all doubles, none
 * that is not leaves less than 2. */
static guint64
multiply_to_odd (const Power *power, guint64 factor)
{
  unsigned __int128 low = (unsigned __int128) power->low * factor;
  unsigned __int128 high =
    (unsigned __int128) power->high * factor + (guint64) (low >> 64);

  return (guint64) (high >> 64) | ((guint64) high > 1);
}

static JmShortestDecimal
strip_zeros (guint64 digits, int exponent)
{
  while (digits % 10 == 0)
    {
      digits /= 10;
      exponent++;
    }

  return (JmShortestDecimal){ digits, exponent };
}

/* The decimals of @significand * 2^@exponent. */
static JmShortestDecimal
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

  return (JmShortestDecimal){ is_below_in ? below : below + 1, k };
}

/* @value: finite, and greater than 0. */
JmShortestDecimal
jm_shortest_decimal_from_double (double value)
{
  guint64 bits, significand;
  int exponent;

  g_return_val_if_fail (isfinite (value) && value > 0, ((JmShortestDecimal){ 0, 0 }));

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
