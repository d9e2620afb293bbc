/* jm-tsdb-figures-private.h: what runs used, as a time series database has it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/jm-tsdb.h"
#include "store/jm-run-batch.h"

G_BEGIN_DECLS

/* Asks for the figures of runs that have ended, all at once, and adds those of which
 * something is known to the batch. What was scraped up to @grace_s after their end
 * counts. Where not all nodes of a run told a figure, it stays unknown.
 *
 * Returns: how many were added; -1 with the errors of jm_tsdb_query() */
int jm_tsdb_figures_read (JmTsdb *tsdb,
                          JmStoredRun *const *runs,
                          guint n_runs,
                          guint grace_s,
                          JmRunBatch *batch,
                          GCancellable *cancellable,
                          GError **error);

/* What a counter has grown by from its begin on, or from @base on, which was another
 * run's; a gauge (@is_sum is FALSE) is the greatest. @end is the run's end: what begins
 * anew behind it is the next run. FALSE where all that was told is another's. */
gboolean jm_tsdb_figures_reckon (JmTsdbSeries *series,
                                 const double *base,
                                 gint64 end,
                                 gboolean is_sum,
                                 double *amount);

G_END_DECLS
