/* test-number.c: numbers to text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-number.h"

#include <math.h>
#include <string.h>

#include "core/jm-number-private.h"

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
  assert_double (5e-324, "4.94065645841247e-324");
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

  return g_test_run ();
}
