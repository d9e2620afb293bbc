/* jm-tsdb-fill-private.h: with which figures runs are filled, and when
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "archive/jm-archive-database-private.h"
#include "archive/tsdb/jm-tsdb-private.h"
#include "core/jm-run-batch-private.h"

G_BEGIN_DECLS

#define JM_TYPE_TSDB_FILL (jm_tsdb_fill_get_type ())

G_DECLARE_FINAL_TYPE (JmTsdbFill, jm_tsdb_fill, JM, TSDB_FILL, GObject)

JmTsdbFill *jm_tsdb_fill_new (JmArchiveDatabase *store, JmTsdb *tsdb);

void jm_tsdb_fill_set_delay (JmTsdbFill *self, guint seconds);

gboolean
jm_tsdb_fill_run_round (JmTsdbFill *self, GCancellable *cancellable, GError **error);

guint64 jm_tsdb_fill_get_n_filled (JmTsdbFill *self);

guint64 jm_tsdb_fill_get_n_lacking (JmTsdbFill *self);

guint64 jm_tsdb_fill_get_n_failed (JmTsdbFill *self);

typedef gboolean (*JmTsdbMergeFunc) (JmArchiveDatabase *store,
                                     JmRunBatch *batch,
                                     gpointer data,
                                     GError **error);

typedef struct
{
  gint64 (*get_time) (void); /* microseconds since 1970 */
  JmTsdbMergeFunc merge;
  gpointer merge_data;
  guint batch_runs; /* that are asked for at once */
} JmTsdbFillPlan;

JmTsdbFillPlan *jm_tsdb_fill_get_plan (JmTsdbFill *self);

/* A run that has ended, and until when what was scraped is of it: some time after its
 * end, but not when the next run of its id goes on. */
typedef struct
{
  JmRun *run;
  gint64 until; /* seconds since 1970 */
} JmTsdbRun;

/* Asks for the figures of runs, all at once, and adds those of which something is known
 * to the batch. Where not all nodes of a run have a figure, it stays unknown.
 *
 * Returns: how many were added; -1 with the errors of jm_tsdb_query() */
int jm_tsdb_figures_read (JmTsdb *tsdb,
                          const JmTsdbRun *runs,
                          guint n_runs,
                          JmRunBatch *batch,
                          GCancellable *cancellable,
                          GError **error);

/* What a counter has grown by from nothing, also where it began anew; of a gauge
 * (@is_sum is FALSE) the greatest. With @base, what it was before the run, all before
 * its first fall is another run's; what falls behind the run's end is the next one's.
 * FALSE where all that was found is another's, or with NaN where it is no number. */
gboolean jm_tsdb_figures_reckon (JmTsdbSeries *series,
                                 const double *base,
                                 gint64 end,
                                 gboolean is_sum,
                                 double *amount);

G_END_DECLS
