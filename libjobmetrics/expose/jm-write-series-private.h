/* jm-write-series-private.h: one series as remote write sends it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "expose/jm-exposition-reader-private.h"
#include "expose/remote-write.pb-c.h"

G_BEGIN_DECLS

/**
 * JmWriteSeries:
 * @message: what is packed: sorted labels and one sample
 * @round: of the text that had it last
 *
 * A series, kept from text to text so that only its value is written anew.
 */
typedef struct
{
  RemoteWrite__TimeSeries message;
  RemoteWrite__Sample sample;
  RemoteWrite__Sample *samples[1];
  RemoteWrite__Label *labels;
  guint round;
} JmWriteSeries;

/* @external: labels that it gets where it has none of that name. */
JmWriteSeries *jm_write_series_new (const JmExpositionSample *sample,
                                    const JmExpositionLabel *external,
                                    guint n_external);

void jm_write_series_set (JmWriteSeries *self, double value, gint64 time_ms);

/* https://prometheus.io/docs/specs/prw/remote_write_spec/#stale-markers */
void jm_write_series_set_stale (JmWriteSeries *self, gint64 time_ms);

void jm_write_series_free (JmWriteSeries *self);

G_END_DECLS
