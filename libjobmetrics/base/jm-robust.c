/* jm-robust.c: the median of numbers, which a few odd ones do not move
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-robust-private.h"

#include <math.h>
#include <stdlib.h>

#define DEVIATION_OF_MEDIAN 1.4826
#define LEAST_DEVIATION 0.05

static int
compare_values (gconstpointer a, gconstpointer b)
{
  const double one = *(const double *) a;
  const double other = *(const double *) b;

  return (one > other) - (one < other);
}

/* Sorts @values. */
static double
take_median (double *values, guint n)
{
  qsort (values, n, sizeof (double), compare_values);

  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

JmRobust
jm_robust_of (const double *values, guint n_values)
{
  g_autofree double *own = g_memdup2 (values, n_values * sizeof (double));
  JmRobust robust = { take_median (own, n_values), 0 };

  for (guint i = 0; i < n_values; i++)
    own[i] = fabs (own[i] - robust.median);
  robust.deviation = MAX (DEVIATION_OF_MEDIAN * take_median (own, n_values),
                          LEAST_DEVIATION * fabs (robust.median));

  return robust;
}
