/* jm-energy-trace-private.h: a device's own counter of energy, and how it was followed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-energy-counter-private.h"
#include "sources/power/jm-power-source.h"

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

/* A counter that goes on while nobody reads it: what one program has followed of it is
 * what the next one goes on from. */
typedef struct
{
  guint64 first_uj; /* what the device said when the source's total was 0 */
  gint64 first_us;  /* monotonic */
  guint64 last_uj;  /* what it said last */
  gint64 last_us;
  guint64 total_uj;   /* that the source has counted up to then */
  guint64 max_uj;     /* behind it comes 0; 0 where it never begins anew */
  guint64 ceiling_uw; /* of one that does: the power that is never passed for long */
  double peak_uw;     /* the highest power so far; 0 where it is not known */
  guint64 identity;   /* of the device, or of its start, where that is known */
} JmEnergyTrace;

/* FALSE where nothing can be gone on from. */
gboolean jm_energy_counter_trace (const JmEnergyCounter *self, JmEnergyTrace *trace);
gboolean jm_energy_total_trace (const JmEnergyTotal *self, JmEnergyTrace *trace);

/* Of what the source reports as energy of @domain; FALSE where it is not a device that
 * counts, or where its count does not outlive the program. */
gboolean
jm_power_source_trace (JmPowerSource *self, const char *domain, JmEnergyTrace *trace);

/* What a device has counted between the last reading of @before and the first of
 * @after. FALSE where that is not known: it is another device, it has started anew, or
 * may have gone around more than once. */
gboolean jm_energy_trace_span (const JmEnergyTrace *before,
                               const JmEnergyTrace *after,
                               guint64 *energy_uj);

/* An identity of a text, never 0. */
guint64 jm_energy_trace_identify (const char *text);

G_END_DECLS
