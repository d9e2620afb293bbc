/* test-unit.c: the integer units of figures, and how they become base units
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-metric-private.h"

static void
test_every_unit_has_its_row (void)
{
  for (JmUnit i = 0; i < JM_N_UNITS; i++)
    {
      const JmUnitInfo *info = jm_unit_get_info (i);

      g_assert_cmpint (info->unit, ==, i);
      g_assert_cmpuint (info->divisor, >, 0);
      g_assert_cmpint (info->base == NULL, ==, i == JM_UNIT_COUNT);
    }
}

static void
test_decimals_and_divisor_say_the_same (void)
{
  for (JmUnit i = 0; i < JM_N_UNITS; i++)
    {
      const JmUnitInfo *info = jm_unit_get_info (i);
      guint64 power = 1;

      if (info->n_decimals < 0)
        continue;
      for (gint j = 0; j < info->n_decimals; j++)
        power *= 10;
      g_assert_cmpuint (info->divisor, ==, power);
    }
}

static void
test_base_units_are_reached_without_a_second_rounding (void)
{
  g_assert_cmpfloat (jm_unit_to_base (JM_UNIT_NANOSECONDS, 1100000000), ==, 1.1);
  g_assert_cmpfloat (jm_unit_to_base (JM_UNIT_MICROSECONDS, 3), ==, 0.000003);
  g_assert_cmpfloat (jm_unit_to_base (JM_UNIT_MICROJOULES, 1500000), ==, 1.5);
  g_assert_cmpfloat (jm_unit_to_base (JM_UNIT_BYTES, 4096), ==, 4096);
  g_assert_cmpfloat (jm_unit_to_base (JM_UNIT_COUNT, 7), ==, 7);
}

static void
test_a_kilowatt_hour_is_three_million_six_hundred_thousand_joules (void)
{
  /* 400 g/kWh */
  g_assert_cmpfloat (jm_unit_to_base (JM_UNIT_MICROGRAMS_PER_KWH, 400000000), ==,
                     400 / 3.6e6);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/unit/every-unit-has-its-row", test_every_unit_has_its_row);
  g_test_add_func ("/unit/decimals-and-divisor-say-the-same",
                   test_decimals_and_divisor_say_the_same);
  g_test_add_func ("/unit/base-units-are-reached-without-a-second-rounding",
                   test_base_units_are_reached_without_a_second_rounding);
  g_test_add_func ("/unit/a-kilowatt-hour-is-three-million-six-hundred-thousand-joules",
                   test_a_kilowatt_hour_is_three_million_six_hundred_thousand_joules);

  return g_test_run ();
}
