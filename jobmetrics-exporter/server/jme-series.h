/* jme-series.h: what a run used over time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/jme-answer.h"

G_BEGIN_DECLS

/* Answers with the series of a run that may be seen: as the time series database knows
 * them, 404 where it knows none, and 503 where it does not answer. */
void jme_series_answer (JmeAnswer *self, JmRun *run, gboolean is_csv);

/* Those of a run that may be seen: of JmTsdbSeries, with at most @max_points each,
 * waited for no longer than @timeout_ms; 0 for as long as it takes.
 *
 * - Errors: `ABSENT` where there is none; those of the database. */
GPtrArray *jme_series_list (JmeAnswer *self,
                            JmRun *run,
                            guint max_points,
                            guint timeout_ms,
                            GError **error);

G_END_DECLS
