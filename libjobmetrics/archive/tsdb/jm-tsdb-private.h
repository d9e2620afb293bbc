/* jm-tsdb-private.h: a time series database: runs in it, and its answers
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "core/jm-run.h"
#include "core/jm-tsdb-series-private.h"
#include "core/jm-tsdb-series.h"

G_BEGIN_DECLS

/* How many points of one series can be asked for at once, as Prometheus has it. */
#define JM_TSDB_MAX_POINTS 11000

#define JM_TYPE_TSDB (jm_tsdb_get_type ())

G_DECLARE_FINAL_TYPE (JmTsdb, jm_tsdb, JM, TSDB, GObject)

JmTsdb *jm_tsdb_new (const char *uri, GError **error);

gboolean jm_tsdb_set_login_file (JmTsdb *self, const char *path, GError **error);

void jm_tsdb_set_ca_file (JmTsdb *self, const char *path);

void jm_tsdb_set_timeout (JmTsdb *self, guint timeout_ms);

GPtrArray *jm_tsdb_query (JmTsdb *self,
                          const char *expression,
                          gint64 time,
                          GCancellable *cancellable,
                          GError **error);

GPtrArray *jm_tsdb_query_range (JmTsdb *self,
                                const char *expression,
                                gint64 start,
                                gint64 end,
                                guint step_seconds,
                                GCancellable *cancellable,
                                GError **error);

GPtrArray *jm_tsdb_list_run_series (JmTsdb *self,
                                    JmRun *run,
                                    guint max_points,
                                    GCancellable *cancellable,
                                    GError **error);

typedef struct
{
  guint series;
  guint points; /* of all series together */
} JmTsdbLimits;

/* Reads one answer of /api/v1/query or /api/v1/query_range as it comes. */
typedef struct _JmTsdbAnswer JmTsdbAnswer;

JmTsdbAnswer *jm_tsdb_answer_new (JmTsdbLimits limits);
void jm_tsdb_answer_free (JmTsdbAnswer *self);

/* Some of the text, wherever it was cut. FALSE once nothing more of it is wanted: then
 * jm_tsdb_answer_finish() says why. */
gboolean jm_tsdb_answer_feed (JmTsdbAnswer *self, const char *text, gsize length);

/* At the end of the text; @name is for messages. Errors:
 *
 * - MALFORMED: half an answer, or none of such a server;
 * - INVALID: more series or points than the limits, or the server refuses the query;
 * - UNAVAILABLE: the server was out of time, or knows that a part is missing.
 *
 * Returns: (element-type JmTsdbSeries): the series */
GPtrArray *jm_tsdb_answer_finish (JmTsdbAnswer *self, const char *name, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmTsdbAnswer, jm_tsdb_answer_free)

/* How long what was is still what is there, to the database. */
#define JM_TSDB_LOOKBACK_S 300

/* For tests: how much is read of one answer. */
JmTsdbLimits *jm_tsdb_get_limits (JmTsdb *self);

/* ` LABEL="VALUE"` without what would end the string. */
void jm_tsdb_append_matcher (GString *query, const char *label, const char *value);

/* `{jobid="..."}` of a run. */
void jm_tsdb_append_job (GString *query, JmRun *run);

/* The exporters that had the run as a job of its cluster, at the time; @range
 * stands behind the selector. */
void jm_tsdb_append_owner (GString *query, JmRun *run, const char *range);

G_END_DECLS
