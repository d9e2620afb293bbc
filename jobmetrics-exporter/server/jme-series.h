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
void jme_series_answer (JmeAnswer *self, JmStoredRun *run, gboolean is_csv);

G_END_DECLS
