/* jm-tsdb-fill-private.h: when runs are filled, for tests
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/jm-tsdb-fill.h"

G_BEGIN_DECLS

typedef gboolean (*JmTsdbMergeFunc) (JmJobStore *store,
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

G_END_DECLS
