/* test-power-bound.c: which powers cannot be
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/power/jm-power-bound-private.h"

#define WATT_UW G_GUINT64_CONSTANT (1000000)

static void
test_what_machines_draw_may_be (void)
{
  g_assert_true (jm_power_is_possible ("node", 0));
  g_assert_true (jm_power_is_possible ("node", 312500000));
  g_assert_true (jm_power_is_possible ("node", 15000 * WATT_UW));
  g_assert_true (jm_power_is_possible ("package-1", 600 * WATT_UW));
  g_assert_true (jm_power_is_possible ("gpu-7", 1400 * WATT_UW));
  g_assert_true (jm_power_is_possible ("hwmon3-power1-fan", 40 * WATT_UW));
}

static void
test_more_than_a_domain_draws_may_not (void)
{
  g_assert_false (jm_power_is_possible ("node", 40000 * WATT_UW));
  g_assert_false (jm_power_is_possible ("psys", G_MAXUINT64));
  g_assert_false (jm_power_is_possible ("package-0", 4000 * WATT_UW));
  g_assert_false (jm_power_is_possible ("dram", 4000 * WATT_UW));
  g_assert_false (jm_power_is_possible ("gpu-0", 6000 * WATT_UW));
  g_assert_false (jm_power_is_possible ("sensor", 40000 * WATT_UW));
}

static void
test_a_register_of_ones_may_not (void)
{
  static const guint64 powers_uw[] = {
    65535000000,     /* 16 bits of watts */
    6553500000,      /* of tenths of them */
    65535000,        /* of milliwatts */
    4294967295,      /* 32 bits of microwatts */
    2147483647,      /* the same, signed */
    4294967295000,   /* of milliwatts */
    4294967295000000 /* of watts */
  };

  for (guint i = 0; i < G_N_ELEMENTS (powers_uw); i++)
    {
      g_assert_false (jm_power_is_possible ("node", powers_uw[i]));
      g_assert_false (jm_power_is_possible ("sensor", powers_uw[i]));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/power-bound/what-machines-draw-may-be",
                   test_what_machines_draw_may_be);
  g_test_add_func ("/power-bound/more-than-a-domain-draws-may-not",
                   test_more_than_a_domain_draws_may_not);
  g_test_add_func ("/power-bound/a-register-of-ones-may-not",
                   test_a_register_of_ones_may_not);

  return g_test_run ();
}
