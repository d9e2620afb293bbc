/* test-sparkline.c: a series as a line of small bars
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>

#include "base/jm-sparkline-private.h"

static void
check (const double *values,
       gsize n_values,
       guint width,
       gboolean is_ascii,
       const char *expected)
{
  g_autofree char *line = jm_sparkline_make (values, n_values, width, is_ascii);

  g_assert_cmpstr (line, ==, expected);
}

static void
test_the_largest_is_the_highest_bar (void)
{
  const double values[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

  check (values, G_N_ELEMENTS (values), 80, FALSE, "▁▂▃▄▅▆▇█");
  check (values, G_N_ELEMENTS (values), 80, TRUE, "_.-=+*%#");
}

static void
test_what_was_not_seen_is_blank_and_zero_is_not (void)
{
  const double values[] = { 0, NAN, 0.5, INFINITY, 1 };
  const double idle[] = { 0, 0 };
  const double unseen[] = { NAN };

  check (values, G_N_ELEMENTS (values), 80, TRUE, "_ + #");
  check (idle, G_N_ELEMENTS (idle), 80, TRUE, "__");
  check (unseen, G_N_ELEMENTS (unseen), 80, TRUE, " ");
  check (NULL, 0, 80, TRUE, "");
}

static void
test_a_peak_is_seen_however_narrow_the_line (void)
{
  double values[200] = { 0 };

  values[101] = 3;

  check (values, G_N_ELEMENTS (values), 4, TRUE, "__#_");
  check (values, G_N_ELEMENTS (values), 0, TRUE, "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/sparkline/the-largest-is-the-highest-bar",
                   test_the_largest_is_the_highest_bar);
  g_test_add_func ("/sparkline/what-was-not-seen-is-blank-and-zero-is-not",
                   test_what_was_not_seen_is_blank_and_zero_is_not);
  g_test_add_func ("/sparkline/a-peak-is-seen-however-narrow-the-line",
                   test_a_peak_is_seen_however_narrow_the_line);

  return g_test_run ();
}
