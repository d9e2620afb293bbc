/* jm-tsdb-series-private.h: what a series is made of
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-tsdb-series.h"

G_BEGIN_DECLS

typedef struct
{
  double time; /* seconds since 1970 */
  double value;
} JmTsdbPoint;

struct _JmTsdbSeries
{
  char *name;         /* NULL where a function has taken it away */
  const char *unit;   /* a constant, or NULL */
  GHashTable *labels; /* of label to value */
  GArray *points;     /* of JmTsdbPoint */
};

JmTsdbSeries *jm_tsdb_series_new (void);

static inline const JmTsdbPoint *
jm_tsdb_series_peek (const JmTsdbSeries *self, guint i)
{
  return &g_array_index (self->points, JmTsdbPoint, i);
}

JmTsdbSeries *jm_tsdb_series_ref (JmTsdbSeries *self);

G_END_DECLS
