/* jm-tsdb-private.h: how a run is named in a time series database
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/jm-tsdb-answer-private.h"
#include "sources/jm-tsdb-series-private.h"
#include "sources/jm-tsdb.h"

G_BEGIN_DECLS

/* How long what was is still what is there, to the database. */
#define JM_TSDB_LOOKBACK_S 300

/* For tests: how much is read of one answer. */
JmTsdbLimits *jm_tsdb_get_limits (JmTsdb *self);

/* ` LABEL="VALUE"` without what would end the string. */
void jm_tsdb_append_matcher (GString *query, const char *label, const char *value);

/* `{jobid="..."}` of a run. */
void jm_tsdb_append_job (GString *query, JmStoredRun *run);

/* The exporters that told that the run's job was one of its cluster, at the time; @range
 * stands behind the selector. */
void jm_tsdb_append_owner (GString *query, JmStoredRun *run, const char *range);

G_END_DECLS
