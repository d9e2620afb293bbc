/* jm-tsdb-answer-private.h: what a Prometheus-compatible server answers
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

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

G_END_DECLS
