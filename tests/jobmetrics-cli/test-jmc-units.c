/* test-jmc-units.c: figures as people read them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-units.h"

static void
check (char *text, const char *expected)
{
  g_assert_cmpstr (text, ==, expected);
  g_free (text);
}

static void
test_bytes_take_the_unit_that_fits (void)
{
  check (jmc_units_format_bytes (0), "0B");
  check (jmc_units_format_bytes (1023), "1023B");
  check (jmc_units_format_bytes (1024), "1.0KiB");
  check (jmc_units_format_bytes (1536), "1.5KiB");
  check (jmc_units_format_bytes (12 * 1024 * 1024), "12MiB");
  check (jmc_units_format_bytes (0x1p64), "16EiB");
}

static void
test_bytes_never_read_1024_of_a_unit (void)
{
  check (jmc_units_format_bytes (1024 * 1024 - 1), "1.0MiB");
  check (jmc_units_format_bytes (1023.4 * 1024), "1023KiB");
  check (jmc_units_format_bytes (9.96 * 1024), "10KiB");
}

static void
test_durations_take_the_units_that_fit (void)
{
  check (jmc_units_format_duration (0), "0.00s");
  check (jmc_units_format_duration (59.99), "59.99s");
  check (jmc_units_format_duration (59.999), "1m00s");
  check (jmc_units_format_duration (3599.6), "1h00m00s");
  check (jmc_units_format_duration (7987), "2h13m07s");
  check (jmc_units_format_duration (86399.7), "1d00h00m");
  check (jmc_units_format_duration (1e9), "11574d01h46m");
}

static void
test_energy_takes_the_unit_that_fits (void)
{
  check (jmc_units_format_joules (0), "0J");
  check (jmc_units_format_joules (0.25), "0.2J");
  check (jmc_units_format_joules (999.4), "999J");
  check (jmc_units_format_joules (999.9), "1.0kJ");
  check (jmc_units_format_joules (3.5e6), "3500kJ");
  check (jmc_units_format_joules (3.6e6), "1.0kWh");
  check (jmc_units_format_joules (5.4e9), "1.5MWh");
  check (jmc_units_format_watts (7.46), "7.5W");
  check (jmc_units_format_watts (312), "312W");
  check (jmc_units_format_watts (1234), "1.2kW");
}

static void
test_emissions_take_the_unit_that_fits (void)
{
  check (jmc_units_format_grams (0), "0g");
  check (jmc_units_format_grams (0.00025), "0.2mg");
  check (jmc_units_format_grams (0.015), "15mg");
  check (jmc_units_format_grams (0.9999), "1.0g");
  check (jmc_units_format_grams (12345), "12kg");
  check (jmc_units_format_grams (2e6), "2.0t");
}

static void
test_a_moment_beyond_the_calendar_is_a_number (void)
{
  check (jmc_units_format_time (0), "1970-01-01 00:00:00");
  check (jmc_units_format_time (G_MAXINT64), "9223372036854775807");
}

int
main (int argc, char **argv)
{
  g_setenv ("TZ", "UTC", TRUE);
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cli/units/bytes-take-the-unit-that-fits",
                   test_bytes_take_the_unit_that_fits);
  g_test_add_func ("/cli/units/bytes-never-read-1024-of-a-unit",
                   test_bytes_never_read_1024_of_a_unit);
  g_test_add_func ("/cli/units/durations-take-the-units-that-fit",
                   test_durations_take_the_units_that_fit);
  g_test_add_func ("/cli/units/energy-takes-the-unit-that-fits",
                   test_energy_takes_the_unit_that_fits);
  g_test_add_func ("/cli/units/emissions-take-the-unit-that-fits",
                   test_emissions_take_the_unit_that_fits);
  g_test_add_func ("/cli/units/a-moment-beyond-the-calendar-is-a-number",
                   test_a_moment_beyond_the_calendar_is_a_number);

  return g_test_run ();
}
