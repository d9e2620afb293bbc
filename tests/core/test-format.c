/* test-format.c: how a figure measures, as people read it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-figure-private.h"
#include "core/jm-format.h"

static void
check (char *text, const char *expected)
{
  g_assert_cmpstr (text, ==, expected);
  g_free (text);
}

static void
test_bytes_take_the_unit_that_fits (void)
{
  check (jm_format_to_string (JM_FORMAT_BYTES, 0), "0B");
  check (jm_format_to_string (JM_FORMAT_BYTES, 1023), "1023B");
  check (jm_format_to_string (JM_FORMAT_BYTES, 1024), "1.0KiB");
  check (jm_format_to_string (JM_FORMAT_BYTES, 1536), "1.5KiB");
  check (jm_format_to_string (JM_FORMAT_BYTES, 12 * 1024 * 1024), "12MiB");
  check (jm_format_to_string (JM_FORMAT_BYTES, 0x1p64), "16EiB");
}

static void
test_bytes_never_read_1024_of_a_unit (void)
{
  check (jm_format_to_string (JM_FORMAT_BYTES, 1024 * 1024 - 1), "1.0MiB");
  check (jm_format_to_string (JM_FORMAT_BYTES, 1023.4 * 1024), "1023KiB");
  check (jm_format_to_string (JM_FORMAT_BYTES, 9.96 * 1024), "10KiB");
}

static void
test_durations_take_the_units_that_fit (void)
{
  check (jm_format_to_string (JM_FORMAT_BYTE_SECONDS, 3600.0 * 0x1p31), "2.0GiBh");
  check (jm_format_to_string (JM_FORMAT_BYTE_SECONDS, 0), "0Bh");
  check (jm_format_to_string (JM_FORMAT_DURATION, 0), "0.00s");
  check (jm_format_to_string (JM_FORMAT_DURATION, 59.99), "59.99s");
  check (jm_format_to_string (JM_FORMAT_DURATION, 59.999), "1m00s");
  check (jm_format_to_string (JM_FORMAT_DURATION, 3599.6), "1h00m00s");
  check (jm_format_to_string (JM_FORMAT_DURATION, 7987), "2h13m07s");
  check (jm_format_to_string (JM_FORMAT_DURATION, 86399.7), "1d00h00m");
  check (jm_format_to_string (JM_FORMAT_DURATION, 1e9), "11574d01h46m");
}

static void
test_ratios_have_three_digits_and_no_exponent (void)
{
  check (jm_format_to_string (JM_FORMAT_RATIO, 0), "0");
  check (jm_format_to_string (JM_FORMAT_RATIO, 3.4e-6), "0.0000");
  check (jm_format_to_string (JM_FORMAT_RATIO, 0.0123), "0.0123");
  check (jm_format_to_string (JM_FORMAT_RATIO, 1.976), "1.98");
  check (jm_format_to_string (JM_FORMAT_RATIO, 127.6), "128");
}

static void
test_energy_takes_the_unit_that_fits (void)
{
  check (jm_format_to_string (JM_FORMAT_JOULES, 0), "0J");
  check (jm_format_to_string (JM_FORMAT_JOULES, 0.25), "0.2J");
  check (jm_format_to_string (JM_FORMAT_JOULES, 999.4), "999J");
  check (jm_format_to_string (JM_FORMAT_JOULES, 999.9), "1.0kJ");
  check (jm_format_to_string (JM_FORMAT_JOULES, 3.5e6), "3500kJ");
  check (jm_format_to_string (JM_FORMAT_JOULES, 3.6e6), "1.0kWh");
  check (jm_format_to_string (JM_FORMAT_JOULES, 5.4e9), "1.5MWh");
  check (jm_format_to_string (JM_FORMAT_WATTS, 7.46), "7.5W");
  check (jm_format_to_string (JM_FORMAT_WATTS, 312), "312W");
  check (jm_format_to_string (JM_FORMAT_WATTS, 1234), "1.2kW");
}

static void
test_emissions_take_the_unit_that_fits (void)
{
  check (jm_format_to_string (JM_FORMAT_GRAMS, 0), "0g");
  check (jm_format_to_string (JM_FORMAT_GRAMS, 0.00025), "0.2mg");
  check (jm_format_to_string (JM_FORMAT_GRAMS, 0.015), "15mg");
  check (jm_format_to_string (JM_FORMAT_GRAMS, 0.9999), "1.0g");
  check (jm_format_to_string (JM_FORMAT_GRAMS, 12345), "12kg");
  check (jm_format_to_string (JM_FORMAT_GRAMS, 2e6), "2.0t");
}

static void
test_a_column_has_one_unit (void)
{
  check (jm_format_to_string_beside (JM_FORMAT_JOULES, 1.06e6, 5e6), "0.29kWh");
  check (jm_format_to_string_beside (JM_FORMAT_JOULES, 5e6, 5e6), "1.4kWh");
  check (jm_format_to_string_beside (JM_FORMAT_JOULES, 254, 5e6), "0.000071kWh");
  check (jm_format_to_string_beside (JM_FORMAT_JOULES, 0.5, 5e6), "<0.000001kWh");
  check (jm_format_to_string_beside (JM_FORMAT_JOULES, 0, 5e6), "0kWh");
  check (jm_format_to_string_beside (JM_FORMAT_JOULES, 3.42e6, 5e6), "0.95kWh");
  check (jm_format_to_string_beside (JM_FORMAT_JOULES, 40e6, 400e6), "11kWh");
  check (jm_format_to_string_beside (JM_FORMAT_GRAMS, 389, 1400), "0.39kg");
  check (jm_format_to_string_beside (JM_FORMAT_WATTS, 312, 1234), "0.31kW");
  check (jm_format_to_string_beside (JM_FORMAT_BYTES, 1536, 1 << 30), "1.5KiB");
}

static void
test_what_energy_emits_is_of_a_kilowatt_hour (void)
{
  double factor;

  check (jm_format_to_string (JM_FORMAT_GRAMS_PER_JOULE, 44.2 / 3.6e6), "44.2g/kWh");
  g_assert_true (jm_format_parse (JM_FORMAT_GRAMS_PER_JOULE, "36g/kWh", &factor, NULL));
  g_assert_cmpfloat_with_epsilon (factor, 1e-5, 1e-12);
}

static void
test_a_moment_beyond_the_calendar_is_a_number (void)
{
  check (jm_format_to_string (JM_FORMAT_TIME, 0), "1970-01-01 00:00:00");
  check (jm_format_to_string (JM_FORMAT_TIME, 1e15), "1000000000000000");
  check (jm_format_to_string (JM_FORMAT_TIME, 0x1p63), "9223372036854775808");
  check (jm_format_to_string (JM_FORMAT_DURATION, 0x1p64), "11574074074074d01h46m");
}

int
main (int argc, char **argv)
{
  g_setenv ("TZ", "UTC", TRUE);
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/report/format/bytes-take-the-unit-that-fits",
                   test_bytes_take_the_unit_that_fits);
  g_test_add_func ("/report/format/ratios-have-three-digits-and-no-exponent",
                   test_ratios_have_three_digits_and_no_exponent);
  g_test_add_func ("/report/format/bytes-never-read-1024-of-a-unit",
                   test_bytes_never_read_1024_of_a_unit);
  g_test_add_func ("/report/format/durations-take-the-units-that-fit",
                   test_durations_take_the_units_that_fit);
  g_test_add_func ("/report/format/energy-takes-the-unit-that-fits",
                   test_energy_takes_the_unit_that_fits);
  g_test_add_func ("/report/format/emissions-take-the-unit-that-fits",
                   test_emissions_take_the_unit_that_fits);
  g_test_add_func ("/report/format/a-column-has-one-unit", test_a_column_has_one_unit);
  g_test_add_func ("/report/format/what-energy-emits-is-of-a-kilowatt-hour",
                   test_what_energy_emits_is_of_a_kilowatt_hour);
  g_test_add_func ("/report/format/a-moment-beyond-the-calendar-is-a-number",
                   test_a_moment_beyond_the_calendar_is_a_number);

  return g_test_run ();
}
