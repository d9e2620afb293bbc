/* test-plot-ticks.c: where an axis has its marks, and what stands there
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>
#include <string.h>

#include "report/plot/jm-plot-ticks-private.h"

#define N_RANGES 3000

/* Whatever a quotient of doubles may miss. */
#define NEARLY 1e-6

/* Takes the ticks. */
static void
check (JmPlotTicks *ticks, const char *expected)
{
  g_autoptr (GString) labels = g_string_new (NULL);

  for (guint i = 0; i < ticks->ticks->len; i++)
    g_string_append_printf (labels, "%s%s", i > 0 ? " " : "",
                            jm_plot_ticks_get (ticks, i)->label);
  g_assert_cmpstr (labels->str, ==, expected);
  jm_plot_ticks_free (ticks);
}

static void
test_bytes_go_by_powers_of_two (void)
{
  check (jm_plot_ticks_new_values (JM_FORMAT_BYTES, 0, 0x1p30 * 37, 8),
         "0 8GiB 16GiB 24GiB 32GiB 40GiB");
  check (jm_plot_ticks_new_values (JM_FORMAT_BYTES, 0, 700, 8),
         "0 128B 256B 384B 512B 640B 768B");
}

static void
test_no_axis_ends_with_1024_of_a_unit (void)
{
  check (jm_plot_ticks_new_values (JM_FORMAT_BYTES, 0, 0x1p20 * 1000, 6),
         "0 0.25GiB 0.50GiB 0.75GiB 1.00GiB");
  check (jm_plot_ticks_new_values (JM_FORMAT_WATTS, 0, 950, 6),
         "0 0.2kW 0.4kW 0.6kW 0.8kW 1.0kW");
}

static void
test_other_quantities_go_by_1_2_and_5 (void)
{
  check (jm_plot_ticks_new_values (JM_FORMAT_WATTS, 0, 430, 6),
         "0 100W 200W 300W 400W 500W");
  check (jm_plot_ticks_new_values (JM_FORMAT_PERCENT, 0, 100, 8),
         "0 20% 40% 60% 80% 100%");
  check (jm_plot_ticks_new_values (JM_FORMAT_COUNT, 0, 48000, 6),
         "0 10K 20K 30K 40K 50K");
  check (jm_plot_ticks_new_values (JM_FORMAT_JOULES, 0, 9e6, 6),
         "0 0.5kWh 1.0kWh 1.5kWh 2.0kWh 2.5kWh");
  check (jm_plot_ticks_new_values (JM_FORMAT_GRAMS_PER_JOULE, 0, 420 / 3.6e6, 6),
         "0 100g/kWh 200g/kWh 300g/kWh 400g/kWh 500g/kWh");
}

static void
test_what_takes_time_is_reported_by_the_clock (void)
{
  check (jm_plot_ticks_new_values (JM_FORMAT_DURATION, 0, 7000, 6),
         "0 30m 1h 1h30m 2h");
}

static void
test_figures_below_zero_have_ticks_too (void)
{
  check (jm_plot_ticks_new_values (JM_FORMAT_WATTS, -15, 20, 6), "-20W -10W 0 10W 20W");
}

static void
test_nothing_at_all_has_an_axis (void)
{
  check (jm_plot_ticks_new_values (JM_FORMAT_COUNT, 0, 0, 6), "0 0.2 0.4 0.6 0.8 1.0");
  check (jm_plot_ticks_new_values (JM_FORMAT_COUNT, NAN, INFINITY, 6),
         "0 0.2 0.4 0.6 0.8 1.0");
}

static void
test_time_goes_in_the_steps_of_clocks (void)
{
  check (jm_plot_ticks_new_elapsed (0, 0.5, 6), "0 0.1s 0.2s 0.3s 0.4s 0.5s");
  check (jm_plot_ticks_new_elapsed (0, 100, 6), "0 30s 1m 1m30s");
  check (jm_plot_ticks_new_elapsed (0, 3600, 5), "0 15m 30m 45m 1h");
  check (jm_plot_ticks_new_elapsed (0, 86400, 5), "0 6h 12h 18h 1d");
  check (jm_plot_ticks_new_elapsed (0, 2.2 * 86400, 6), "0 12h 1d 1d12h 2d");
  check (jm_plot_ticks_new_elapsed (0, 40 * 86400, 6), "0 10d 20d 30d 40d");
}

static void
assert_sensible (const JmPlotTicks *ticks)
{
  g_autoptr (GHashTable) labels = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < ticks->ticks->len; i++)
    {
      const JmPlotTick *tick = jm_plot_ticks_get (ticks, i);

      g_assert_true (isfinite (tick->at));
      g_assert_false (tick->at == 0 && signbit (tick->at));
      g_assert_false (g_str_has_prefix (tick->label, "-0") && tick->at == 0);
      if (i > 0)
        g_assert_cmpfloat (tick->at, >, jm_plot_ticks_get (ticks, i - 1)->at);
      g_assert_true (g_hash_table_add (labels, tick->label));
      g_assert_cmpuint (strlen (tick->label), <, 34);
    }
}

static double
random_figure (void)
{
  double size = pow (10, g_test_rand_double_range (-6, 18));

  return g_test_rand_double_range (-1, 3) * size;
}

static void
test_awkward_ranges_have_from_3_to_10_ticks_around_them (void)
{
  for (guint i = 0; i < N_RANGES; i++)
    {
      double a = g_test_rand_bit () ? random_figure () : 0;
      double b = random_figure ();
      JmFormat format = g_test_rand_int_range (0, JM_N_FORMATS);
      guint max_ticks = (guint) g_test_rand_int_range (5, 11);
      g_autoptr (JmPlotTicks) ticks =
        jm_plot_ticks_new_values (format, fmin (a, b), fmax (a, b), max_ticks);
      double slack = NEARLY * (ticks->to - ticks->from);

      g_assert_cmpuint (ticks->ticks->len, >=, 3);
      g_assert_cmpuint (ticks->ticks->len, <=, max_ticks);
      g_assert_cmpfloat (ticks->from, <=, fmin (a, b) + slack);
      g_assert_cmpfloat (ticks->to, >=, fmax (a, b) - slack);
      assert_sensible (ticks);
    }
}

static void
test_awkward_times_have_from_3_to_10_ticks_within (void)
{
  for (guint i = 0; i < N_RANGES; i++)
    {
      double span = pow (10, g_test_rand_double_range (-3, 9));
      double from = g_test_rand_bit () ? 0 : g_test_rand_double_range (0, 1e5);
      g_autoptr (JmPlotTicks) ticks = jm_plot_ticks_new_elapsed (from, from + span, 10);

      g_assert_cmpuint (ticks->ticks->len, >=, 3);
      g_assert_cmpuint (ticks->ticks->len, <=, 10);
      g_assert_cmpfloat (jm_plot_ticks_get (ticks, 0)->at, >=, from - NEARLY * span);
      g_assert_cmpfloat (jm_plot_ticks_get (ticks, ticks->ticks->len - 1)->at, <=,
                         from + span * (1 + NEARLY));
      assert_sensible (ticks);
    }
}

int
main (int argc, char **argv)
{
  g_setenv ("LC_ALL", "C", TRUE);
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/plot-ticks/bytes-go-by-powers-of-two",
                   test_bytes_go_by_powers_of_two);
  g_test_add_func ("/plot-ticks/no-axis-ends-with-1024-of-a-unit",
                   test_no_axis_ends_with_1024_of_a_unit);
  g_test_add_func ("/plot-ticks/other-quantities-go-by-1-2-and-5",
                   test_other_quantities_go_by_1_2_and_5);
  g_test_add_func ("/plot-ticks/what-takes-time-is-reported-by-the-clock",
                   test_what_takes_time_is_reported_by_the_clock);
  g_test_add_func ("/plot-ticks/figures-below-zero-have-ticks-too",
                   test_figures_below_zero_have_ticks_too);
  g_test_add_func ("/plot-ticks/nothing-at-all-has-an-axis",
                   test_nothing_at_all_has_an_axis);
  g_test_add_func ("/plot-ticks/time-goes-in-the-steps-of-clocks",
                   test_time_goes_in_the_steps_of_clocks);
  g_test_add_func ("/plot-ticks/awkward-ranges-have-from-3-to-10-ticks-around-them",
                   test_awkward_ranges_have_from_3_to_10_ticks_around_them);
  g_test_add_func ("/plot-ticks/awkward-times-have-from-3-to-10-ticks-within",
                   test_awkward_times_have_from_3_to_10_ticks_within);

  return g_test_run ();
}
