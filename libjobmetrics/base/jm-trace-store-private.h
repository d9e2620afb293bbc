/* jm-trace-store-private.h: what wrappers reported last, for a short while
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-trace-record-private.h"

G_BEGIN_DECLS

/* JmTraceLimits:
 * @max_age_ms: how long a record is kept that is not sent anew
 * @max_records: kept at once
 * @max_per_job: of these, of one job
 * @rate: records a second that one sender may send for long
 * @burst: records that it may send at once
 *
 * All are above 0. */
typedef struct
{
  guint max_age_ms;
  guint max_records;
  guint max_per_job;
  guint rate;
  guint burst;
} JmTraceLimits;

/* JmTraceVerdict:
 * @JM_TRACE_TAKEN: it is kept
 * @JM_TRACE_JOB_FULL: its job has as many as it may have
 * @JM_TRACE_FULL: so has the store */
typedef enum
{
  JM_TRACE_TAKEN,
  JM_TRACE_JOB_FULL,
  JM_TRACE_FULL,
} JmTraceVerdict;

/* One record for each cluster, job, step, host, process and user: those of a job's
 * nodes and steps stand beside each other. For one thread. The caller gives the time:
 * all microseconds are of one clock that never goes back. */
typedef struct _JmTraceStore JmTraceStore;

JmTraceStore *jm_trace_store_new (const JmTraceLimits *limits);
void jm_trace_store_free (JmTraceStore *self);

/* Whether @sender, such as an address, may send one more record; that counts as one. */
gboolean
jm_trace_store_take_turn (JmTraceStore *self, const char *sender, gint64 now_us);

/* Takes over @record; one of the same key is replaced. */
JmTraceVerdict
jm_trace_store_add (JmTraceStore *self, JmTraceRecord *record, gint64 now_us);

/* Those that are not too old, by job, host, step and process. They are the store's, and
 * hold until it is used again. */
GPtrArray *jm_trace_store_list (JmTraceStore *self, gint64 now_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmTraceStore, jm_trace_store_free)

G_END_DECLS
