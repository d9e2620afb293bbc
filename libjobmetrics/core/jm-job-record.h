/* jm-job-record.h: what a run of a job was, for good
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job-profile.h"
#include "core/jm-job.h"
#include "core/jm-snapshot.h"

G_BEGIN_DECLS

/**
 * JmRunState:
 * @JM_RUN_STATE_RUNNING: it ran when the record was made
 * @JM_RUN_STATE_ENDED: its end was seen
 * @JM_RUN_STATE_LOST: it ended while the program did not run, or with the node
 *
 * How far a record has come.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_RUN_STATE_RUNNING,
  JM_RUN_STATE_ENDED,
  JM_RUN_STATE_LOST,
} JmRunState;

/**
 * JM_N_RUN_STATES:
 *
 * How many #JmRunState there are.
 *
 * Since: 0.1
 */
#define JM_N_RUN_STATES (JM_RUN_STATE_LOST + 1)

/**
 * JmTotalMethod:
 * @JM_TOTAL_METHOD_UNKNOWN: nothing is known of it
 * @JM_TOTAL_METHOD_FINAL: read when the last process had gone and the counters were
 *   still there; CPU time also where the cgroup above had it
 * @JM_TOTAL_METHOD_LAST: as read last, before the end; the rest is lost
 * @JM_TOTAL_METHOD_CHECKPOINT: as stored last, before the program or the node ended
 *
 * How a total of a record was got.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_TOTAL_METHOD_UNKNOWN,
  JM_TOTAL_METHOD_FINAL,
  JM_TOTAL_METHOD_LAST,
  JM_TOTAL_METHOD_CHECKPOINT,
} JmTotalMethod;

/**
 * JM_N_TOTAL_METHODS:
 *
 * How many #JmTotalMethod there are.
 *
 * Since: 0.1
 */
#define JM_N_TOTAL_METHODS (JM_TOTAL_METHOD_CHECKPOINT + 1)

/**
 * JmJobRecord:
 *
 * One run of a job on one node: its identity, usage, usage over time, and how much of
 * it was observed. It is immutable.
 *
 * Since: 0.1
 */
typedef struct _JmJobRecord JmJobRecord;

#define JM_TYPE_JOB_RECORD (jm_job_record_get_type ())

JM_AVAILABLE_IN_ALL
const char *jm_run_state_get_name (JmRunState state);

JM_AVAILABLE_IN_ALL
gboolean jm_run_state_from_name (const char *name, JmRunState *state);

JM_AVAILABLE_IN_ALL
const char *jm_total_method_get_name (JmTotalMethod method);

/**
 * JM_RECORD_SUBJECT:
 *
 * The number of the job in the snapshot of a record.
 *
 * Since: 0.1
 */
#define JM_RECORD_SUBJECT 1

JM_AVAILABLE_IN_ALL
GType jm_job_record_get_type (void);

JM_AVAILABLE_IN_ALL
JmJobRecord *jm_job_record_ref (JmJobRecord *self);

JM_AVAILABLE_IN_ALL
void jm_job_record_unref (JmJobRecord *self);

JM_AVAILABLE_IN_ALL
JmJob *jm_job_record_get_job (JmJobRecord *self);

JM_AVAILABLE_IN_ALL
const char *jm_job_record_get_node (JmJobRecord *self);

JM_AVAILABLE_IN_ALL
const char *jm_job_record_get_key (JmJobRecord *self);

JM_AVAILABLE_IN_ALL
guint64 jm_job_record_get_position (JmJobRecord *self);

JM_AVAILABLE_IN_ALL
JmRunState jm_job_record_get_state (JmJobRecord *self);

JM_AVAILABLE_IN_ALL
gint64 jm_job_record_get_begin_time (JmJobRecord *self);

JM_AVAILABLE_IN_ALL
gint64 jm_job_record_get_end_time (JmJobRecord *self);

JM_AVAILABLE_IN_ALL
gint64 jm_job_record_get_seen_time (JmJobRecord *self);

JM_AVAILABLE_IN_ALL
JmSnapshot *jm_job_record_get_snapshot (JmJobRecord *self);

JM_AVAILABLE_IN_ALL
JmJobProfile *jm_job_record_get_profile (JmJobRecord *self);

JM_AVAILABLE_IN_ALL
char **jm_job_record_list_coverage (JmJobRecord *self);

JM_AVAILABLE_IN_ALL
double jm_job_record_get_coverage (JmJobRecord *self, const char *what);

JM_AVAILABLE_IN_ALL
JmTotalMethod jm_job_record_get_method (JmJobRecord *self, const char *what);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmJobRecord, jm_job_record_unref)

JM_AVAILABLE_IN_ALL
char *jm_record_json_format (JmJobRecord *record);

JM_AVAILABLE_IN_ALL
JmJobRecord *
jm_record_json_parse (const char *text, gsize length, const char *name, GError **error);

G_END_DECLS
