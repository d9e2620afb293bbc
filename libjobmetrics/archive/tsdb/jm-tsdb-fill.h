/* jm-tsdb-fill.h: what no ledger told, from a time series database
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "archive/jm-archive-database.h"
#include "archive/tsdb/jm-tsdb.h"

G_BEGIN_DECLS

#define JM_TYPE_TSDB_FILL (jm_tsdb_fill_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmTsdbFill, jm_tsdb_fill, JM, TSDB_FILL, GObject)

JM_AVAILABLE_IN_ALL
JmTsdbFill *jm_tsdb_fill_new (JmArchiveDatabase *store, JmTsdb *tsdb);

JM_AVAILABLE_IN_ALL
void jm_tsdb_fill_set_delay (JmTsdbFill *self, guint seconds);

JM_AVAILABLE_IN_ALL
gboolean
jm_tsdb_fill_run_round (JmTsdbFill *self, GCancellable *cancellable, GError **error);

JM_AVAILABLE_IN_ALL
guint64 jm_tsdb_fill_get_n_filled (JmTsdbFill *self);

JM_AVAILABLE_IN_ALL
guint64 jm_tsdb_fill_get_n_lacking (JmTsdbFill *self);

JM_AVAILABLE_IN_ALL
guint64 jm_tsdb_fill_get_n_failed (JmTsdbFill *self);

G_END_DECLS
