/* jm-tsdb.h: asks a Prometheus-compatible server
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "core/jm-run.h"
#include "core/jm-tsdb-series.h"

G_BEGIN_DECLS

/**
 * JM_TSDB_MAX_POINTS:
 *
 * How many points of one series can be asked for at once, as Prometheus has it.
 *
 * Since: 0.1
 */
#define JM_TSDB_MAX_POINTS 11000

#define JM_TYPE_TSDB (jm_tsdb_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmTsdb, jm_tsdb, JM, TSDB, GObject)

JM_AVAILABLE_IN_ALL
JmTsdb *jm_tsdb_new (const char *uri, GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_tsdb_set_login_file (JmTsdb *self, const char *path, GError **error);

JM_AVAILABLE_IN_ALL
void jm_tsdb_set_ca_file (JmTsdb *self, const char *path);

JM_AVAILABLE_IN_ALL
void jm_tsdb_set_timeout (JmTsdb *self, guint timeout_ms);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_tsdb_query (JmTsdb *self,
                          const char *expression,
                          gint64 time,
                          GCancellable *cancellable,
                          GError **error);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_tsdb_query_range (JmTsdb *self,
                                const char *expression,
                                gint64 start,
                                gint64 end,
                                guint step_seconds,
                                GCancellable *cancellable,
                                GError **error);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_tsdb_list_run_series (JmTsdb *self,
                                    JmRun *run,
                                    guint max_points,
                                    GCancellable *cancellable,
                                    GError **error);

G_END_DECLS
