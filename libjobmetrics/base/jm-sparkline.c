/* jm-sparkline.c: a series as a line of small bars
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-sparkline-private.h"

#include <math.h>

#define N_BARS 8

/* The lowest is a line on the ground, lest zero looks like what was not seen. */
static const char *const bars[2][N_BARS] = {
  { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" },
  { "_", ".", "-", "=", "+", "*", "%", "#" },
};

/* The largest that was seen; NAN where none was. */
static double
find_largest (const double *values, gsize n_values)
{
  double largest = NAN;

  for (gsize i = 0; i < n_values; i++)
    if (isfinite (values[i]) && (isnan (largest) || values[i] > largest))
      largest = values[i];

  return largest;
}

static const char *
get_bar (double value, double most, gboolean is_ascii)
{
  double height;

  if (isnan (value))
    return " ";

  height = most > 0 && value > 0 ? value / most : 0;

  return bars[is_ascii ? 1 : 0][(int) (height * (N_BARS - 1) + 0.5)];
}

char *
jm_sparkline_make (const double *values, gsize n_values, guint width, gboolean is_ascii)
{
  const double most = find_largest (values, n_values);
  const gsize n_bars = MIN (n_values, width);
  GString *line = g_string_new (NULL);

  for (gsize i = 0; i < n_bars; i++)
    {
      const gsize from = i * n_values / n_bars;
      const gsize to = (i + 1) * n_values / n_bars;

      g_string_append (line, get_bar (find_largest (values + from, to - from), most,
                                      is_ascii));
    }

  return g_string_free (line, FALSE);
}
