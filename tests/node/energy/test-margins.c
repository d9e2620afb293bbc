/* test-margins.c: a table whose sums are known better than what is in it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/energy/jm-cpu-activity-private.h"

#define EPSILON 1e-3

static void
assert_cells (const double *cells, const double *expected, guint n)
{
  for (guint i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (cells[i], expected[i], EPSILON);
}

static void
test_what_fits_stays (void)
{
  double cells[] = { 1, 2, 3, 4 };
  const double expected[] = { 1, 2, 3, 4 };
  const double rows[] = { 3, 7 };
  const double columns[] = { 4, 6 };

  jm_margins_fit (cells, rows, 2, columns, 2);
  assert_cells (cells, expected, 4);
}

static void
test_rows_and_columns_come_to_their_sums (void)
{
  double cells[] = { 5, 5, 1, 1 };
  const double rows[] = { 6, 4 };
  const double columns[] = { 8, 2 };

  jm_margins_fit (cells, rows, 2, columns, 2);
  g_assert_cmpfloat_with_epsilon (cells[0] + cells[1], 6, EPSILON);
  g_assert_cmpfloat_with_epsilon (cells[2] + cells[3], 4, EPSILON);
  g_assert_cmpfloat_with_epsilon (cells[0] + cells[2], 8, EPSILON);
}

/* Rows are what counts where both cannot be. */
static void
test_what_is_nothing_stays_so (void)
{
  double cells[] = { 2, 0, 0, 0 };
  const double expected[] = { 3, 0, 0, 0 };
  const double rows[] = { 3, 5 };
  const double columns[] = { 1, 1 };

  jm_margins_fit (cells, rows, 2, columns, 2);
  assert_cells (cells, expected, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/margins/what-fits-stays", test_what_fits_stays);
  g_test_add_func ("/margins/rows-and-columns-come-to-their-sums",
                   test_rows_and_columns_come_to_their_sums);
  g_test_add_func ("/margins/what-is-nothing-stays-so", test_what_is_nothing_stays_so);

  return g_test_run ();
}
