/* test-natural-order.c: words and numbers in the order in which people count
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/jm-natural-order-private.h"

static void
test_numbers_in_words_count_as_numbers (void)
{
  g_assert_cmpint (jm_natural_order_compare ("9", "10"), <, 0);
  g_assert_cmpint (jm_natural_order_compare ("10_10", "10_2"), >, 0);
  g_assert_cmpint (jm_natural_order_compare ("task 2", "task 10"), <, 0);
  g_assert_cmpint (jm_natural_order_compare ("batch", "step 0"), <, 0);
  g_assert_cmpint (jm_natural_order_compare ("7", "7a"), <, 0);
  g_assert_cmpint (jm_natural_order_compare ("99999999999999999999998",
                                             "99999999999999999999999"),
                   <, 0);
}

static void
test_only_the_same_text_is_equal (void)
{
  g_assert_cmpint (jm_natural_order_compare ("7", "7"), ==, 0);
  g_assert_cmpint (jm_natural_order_compare ("007", "7"), <, 0);
  g_assert_cmpint (jm_natural_order_compare ("7", "007"), >, 0);
  g_assert_cmpint (jm_natural_order_compare ("", "0"), <, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/report/natural-order/numbers-in-words-count-as-numbers",
                   test_numbers_in_words_count_as_numbers);
  g_test_add_func ("/report/natural-order/only-the-same-text-is-equal",
                   test_only_the_same_text_is_equal);

  return g_test_run ();
}
