/* jm-robust-private.h: the median of numbers, which a few odd ones do not move
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A distance from the median of more deviations is more than chance. */
#define JM_ROBUST_UNUSUAL 3.5

/* JmRobust:
 * @deviation: 1.4826 times the median absolute deviation, which is the standard
 *   deviation of a normal distribution; at least 5 % of the median, as all being the
 *   same is chance, too */
typedef struct
{
  double median;
  double deviation;
} JmRobust;

/* Of one number at least. */
JmRobust jm_robust_of (const double *values, guint n_values);

G_END_DECLS
