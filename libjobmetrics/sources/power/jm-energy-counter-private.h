/* jm-energy-counter-private.h: a counter of energy that begins anew at its end
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings.h"

G_BEGIN_DECLS

/* What came of one more reading of a counter. */
typedef enum
{
  JM_ENERGY_STEP_COUNTED,
  JM_ENERGY_STEP_IMPOSSIBLE, /* more than can be: it was reset, or never said that */
  JM_ENERGY_STEP_LOST,       /* read too late: it may have begun anew more than once */
} JmEnergyStep;

/* A hardware counter, unfolded: what it counted since the first reading. One of its
 * units is @factor / 2^@shift microjoules. */
typedef struct
{
  guint64 max; /* behind it comes 0 */
  guint64 factor;
  guint shift;
  guint64 ceiling_uw; /* the power that is never passed for long */

  guint64 raw;
  gint64 read_us;
  gboolean is_begun;
  gboolean has_first;
  guint64 first_raw; /* the first reading, of which @total goes on */
  gint64 first_us;
  gboolean has_peak;
  double peak_uw;          /* the highest power of an interval so far */
  unsigned __int128 total; /* in 2^-@shift microjoules: nothing is rounded away */
} JmEnergyCounter;

/* How far a counter of 0 to @max went from @before to @now, if at most once around. */
guint64 jm_energy_delta (guint64 before, guint64 now, guint64 max);

/* What a domain never draws for long, where nothing on the host says so. */
guint64 jm_energy_get_ceiling_uw (JmPowerDomain domain);

/* How long the counter takes at its ceiling to go around once. */
gint64 jm_energy_counter_get_wrap_us (const JmEnergyCounter *self);

/* Takes a reading at @now_us of a monotonic clock. Where it does not count, the time
 * since the last one is lost, and counting begins anew from here. */
JmEnergyStep jm_energy_counter_step (JmEnergyCounter *self, guint64 raw, gint64 now_us);

/* The next reading has nothing before it: the counter was out of sight. */
void jm_energy_counter_pause (JmEnergyCounter *self);

guint64 jm_energy_counter_get_uj (const JmEnergyCounter *self);

/* Sets @error for a step that did not count. @path leads to the counter, which went
 * from @before to @now. */
void jm_energy_step_set_error (JmEnergyStep step,
                               const char *path,
                               guint64 before,
                               guint64 now,
                               GError **error);

G_END_DECLS
