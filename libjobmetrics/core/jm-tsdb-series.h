/* jm-tsdb-series.h: values over time, as a time series database has them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmTsdbSeries:
 *
 * One series of an answer: its name, its labels and its points in the order of time. It
 * does not change.
 *
 * Since: 0.1
 */
typedef struct _JmTsdbSeries JmTsdbSeries;

#define JM_TYPE_TSDB_SERIES (jm_tsdb_series_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_tsdb_series_get_type (void);

JM_AVAILABLE_IN_ALL
void jm_tsdb_series_unref (JmTsdbSeries *self);

JM_AVAILABLE_IN_ALL
const char *jm_tsdb_series_get_name (JmTsdbSeries *self);

JM_AVAILABLE_IN_ALL
const char *jm_tsdb_series_get_unit (JmTsdbSeries *self);

JM_AVAILABLE_IN_ALL
const char *jm_tsdb_series_get_label (JmTsdbSeries *self, const char *label);

JM_AVAILABLE_IN_ALL
char **jm_tsdb_series_list_labels (JmTsdbSeries *self);

JM_AVAILABLE_IN_ALL
guint jm_tsdb_series_get_n_points (JmTsdbSeries *self);

JM_AVAILABLE_IN_ALL
void
jm_tsdb_series_get_point (JmTsdbSeries *self, guint i, double *time, double *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmTsdbSeries, jm_tsdb_series_unref)

G_END_DECLS
