/* jm-energy-total-private.h: a device's own total, made one that never goes back
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* All zero before the first value. */
typedef struct
{
  guint64 total_uj; /* since the first value */
  guint64 first_uj; /* that one */
  gint64 first_us;
  guint64 raw_uj;
  gint64 raw_us; /* monotonic: when @raw_uj was read */
  guint64 suspect_uj;
  gint64 suspect_us;
  gboolean has_raw;
  gboolean has_suspect;
} JmEnergyTotal;

/* Takes what the device says now. FALSE, and nothing is counted, if it went back or
 * grew by more than a node can draw. A device that goes on from such a value has
 * started anew, and is followed from there. */
gboolean jm_energy_total_take (JmEnergyTotal *self, guint64 raw_uj, gint64 now_us);

/* Goes on from a new value without counting what lies between: the device says itself
 * that it has started anew. */
void jm_energy_total_restart (JmEnergyTotal *self, guint64 raw_uj, gint64 now_us);

G_END_DECLS
