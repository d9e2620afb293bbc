/* jm-frequency-trend-private.h: what a busy second counts, by how many cores are awake
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How what a busy second counts goes with the part of the cores that are awake, from
 * what was read of late: turbo gives less to each, the more there are. Frequencies are
 * those of one moment, and the cores that were awake then are not known; so one reading
 * says little of an interval, but many do. All zero before the first. */
typedef struct
{
  double n, x, xx, y, xy; /* sums, of which the older count for less */
} JmFrequencyTrend;

void jm_frequency_trend_add (JmFrequencyTrend *self, double awake, double weight);

/* 1 where nothing was read. */
double jm_frequency_trend_get (const JmFrequencyTrend *self, double awake);

/* What a busy second of that frequency counts, to the nominal one. */
double jm_frequency_weigh (double frequency);
gboolean jm_frequency_is_possible (double frequency);

G_END_DECLS
