/* test-number.c: numbers to text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-format.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/jm-number-private.h"

static void
assert_decimal (guint64 value, guint n_decimals, const char *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);

  jm_number_append_decimal (out, value, n_decimals);
  g_assert_cmpstr (out->str, ==, expected);
}

static void
assert_double (double value, const char *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);

  jm_number_append_double (out, value);
  g_assert_cmpstr (out->str, ==, expected);
}

static void
assert_uint64 (guint64 value, const char *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);

  jm_number_append_uint64 (out, value);
  g_assert_cmpstr (out->str, ==, expected);
}

static void
test_counts_keep_every_digit (void)
{
  assert_uint64 (0, "0");
  assert_uint64 (7, "7");
  assert_uint64 (10, "10");
  assert_uint64 (G_GUINT64_CONSTANT (9007199254740993), "9007199254740993");
  assert_uint64 (G_MAXUINT64, "18446744073709551615");
}

static void
test_times_keep_every_digit_but_trailing_zeros (void)
{
  assert_decimal (0, 9, "0");
  assert_decimal (1, 9, "0.000000001");
  assert_decimal (999999999, 9, "0.999999999");
  assert_decimal (1000000000, 9, "1");
  assert_decimal (10000000000, 9, "10");
  assert_decimal (12345678901, 9, "12.345678901");
  assert_decimal (12500000000, 9, "12.5");
  assert_decimal (G_MAXUINT64, 9, "18446744073.709551615");
  assert_decimal (1500000, 6, "1.5");
  assert_decimal (100, 0, "100");
}

static void
test_doubles_read_back_as_the_same (void)
{
  assert_double (0.1, "0.1");
  assert_double (1.0 / 3, "0.3333333333333333");
  assert_double (5e-324, "5e-324");
  assert_double (0.1 + 0.2, "0.30000000000000004");
  assert_double (4831.23, "4831.23");
  assert_double (1795263264.580071, "1795263264.580071");
  assert_double (1e15, "1000000000000000");
  assert_double (0, "0");
  assert_double (-12, "-12");
  assert_double (NAN, "NaN");
  assert_double (INFINITY, "+Inf");
  assert_double (-INFINITY, "-Inf");
}

static void
test_seconds_read_as_the_kernel_counted_them (void)
{
  for (guint64 ns = 1; ns < G_GUINT64_CONSTANT (1000000000000000); ns = ns * 7 + 3)
    {
      g_autofree char *text = jm_number_to_string ((double) ns / 1e9);
      g_autoptr (GString) exact = g_string_new (NULL);

      jm_number_append_decimal (exact, ns, 9);
      if (strchr (text, 'e') == NULL)
        g_assert_cmpstr (text, ==, exact->str);
      g_assert_cmpfloat (g_ascii_strtod (text, NULL), ==, (double) ns / 1e9);
    }
}

/* As printf has it, with as many digits as it takes. */
static void
print_with_as_many_as_needed (char *text, double value)
{
  static const char *const formats[] = { "%.15g", "%.16g", "%.17g" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_ascii_formatd (text, G_ASCII_DTOSTR_BUF_SIZE, formats[i], value);
      if (g_ascii_strtod (text, NULL) == value)
        return;
    }
}

/* These have as many digits as they have, where printf goes over to exponents. */
static gboolean
is_counted_in_full (double value)
{
  return value >= 1e15 && value < 0x1p53;
}

/* Of two texts of the same length the one of printf is right, for it is nearest; printf
 * takes more digits only for what has less than 15, and for powers of two. */
static void
assert_shortest (double value)
{
  g_autofree char *text = jm_number_to_string (value);
  char printed[G_ASCII_DTOSTR_BUF_SIZE];
  int exponent;

  g_assert_cmpfloat (g_ascii_strtod (text, NULL), ==, value);
  if (is_counted_in_full (value))
    return;

  print_with_as_many_as_needed (printed, value);
  g_assert_cmpuint (strlen (text), <=, strlen (printed));
  if (fabs (value) >= DBL_MIN && fabs (frexp (value, &exponent)) != 0.5)
    g_assert_cmpstr (text, ==, printed);
}

static void
assert_shortest_around (double value)
{
  assert_shortest (value);
  assert_shortest (-value);
  assert_shortest (nextafter (value, INFINITY));
  if (nextafter (value, 0) > 0)
    assert_shortest (nextafter (value, 0));
}

static void
test_random_bits_are_shortest (void)
{
  guint n = g_test_thorough () ? 2000000 : 200000;

  for (guint i = 0; i < n; i++)
    {
      guint64 bits = (guint64) (guint32) g_test_rand_int () << 32;
      double value;

      bits |= (guint32) g_test_rand_int ();
      memcpy (&value, &bits, sizeof value);
      if (isfinite (value) && value != 0)
        assert_shortest (value);
    }
}

static void
test_everyday_figures_are_shortest (void)
{
  for (guint i = 0; i < 100000; i++)
    {
      double value = (double) g_test_rand_int_range (1, G_MAXINT32);

      assert_shortest (value / 1e3);
      assert_shortest (value / 3.6e6);
      assert_shortest (value * G_PI * 0x1p24);
    }
}

static void
test_powers_are_shortest (void)
{
  for (int i = -1074; i < 1024; i++)
    assert_shortest_around (ldexp (1, i));

  for (int i = -323; i <= 308; i++)
    {
      g_autofree char *text = g_strdup_printf ("1e%d", i);

      assert_shortest_around (g_ascii_strtod (text, NULL));
    }
}

static void
test_ends_of_the_range_are_shortest (void)
{
  assert_double (DBL_MAX, "1.7976931348623157e+308");
  assert_double (-DBL_MAX, "-1.7976931348623157e+308");
  assert_double (DBL_MIN, "2.2250738585072014e-308");
  assert_double (nextafter (DBL_MIN, 0), "2.225073858507201e-308");
  assert_double (1e-323, "1e-323");
  assert_double (-5e-324, "-5e-324");
}

static void
test_exponents_stand_where_they_stood (void)
{
  assert_double (0.0001, "0.0001");
  assert_double (0.00012345678901234567, "0.00012345678901234567");
  assert_double (0.00001, "1e-05");
  assert_double (1.5e-7, "1.5e-07");
  assert_double (-123456789012345, "-123456789012345");
  assert_double (-1e14, "-100000000000000");
  assert_double (-1e15, "-1e+15");
  assert_double (-1234567890123456, "-1234567890123456");
  assert_double (1234567.125, "1234567.125");
  assert_double (-0.0, "0");
}

static void
test_whole_numbers_that_doubles_cannot_all_hold (void)
{
  assert_double (0x1p53, "9007199254740992");
  assert_double (0x1p53 + 2, "9007199254740994");
  assert_double (1e16, "1e+16");
  assert_double (12345678901234568, "12345678901234568");
  assert_double (18446744073709551615.0, "1.8446744073709552e+19");
  assert_double (1e22, "1e+22");
  assert_double (1e23, "1e+23");
  assert_double (9.5367431640625e+95, "9.5367431640625e+95");
}

static void
test_one_thing_is_written_in_the_singular (void)
{
  static const char *const texts[] = { "0 jobs", "1 job", "2 jobs", "11 jobs" };
  static const guint64 numbers[] = { 0, 1, 2, 11 };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autofree char *text = jm_number_count (numbers[i], "job");

      g_assert_cmpstr (text, ==, texts[i]);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/number/counts-keep-every-digit", test_counts_keep_every_digit);
  g_test_add_func ("/number/times-keep-every-digit-but-trailing-zeros",
                   test_times_keep_every_digit_but_trailing_zeros);
  g_test_add_func ("/number/doubles-read-back-as-the-same",
                   test_doubles_read_back_as_the_same);
  g_test_add_func ("/number/seconds-read-as-the-kernel-counted-them",
                   test_seconds_read_as_the_kernel_counted_them);
  g_test_add_func ("/number/random-bits-are-shortest", test_random_bits_are_shortest);
  g_test_add_func ("/number/everyday-figures-are-shortest",
                   test_everyday_figures_are_shortest);
  g_test_add_func ("/number/powers-are-shortest", test_powers_are_shortest);
  g_test_add_func ("/number/ends-of-the-range-are-shortest",
                   test_ends_of_the_range_are_shortest);
  g_test_add_func ("/number/exponents-stand-where-they-stood",
                   test_exponents_stand_where_they_stood);
  g_test_add_func ("/number/whole-numbers-that-doubles-cannot-all-hold",
                   test_whole_numbers_that_doubles_cannot_all_hold);

  g_test_add_func ("/number/one-thing-is-written-in-the-singular",
                   test_one_thing_is_written_in_the_singular);

  return g_test_run ();
}
