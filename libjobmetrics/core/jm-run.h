/* jm-run.h: a run of a job, as an accounting database has it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-run-field.h"
#include "core/jm-run-part.h"

G_BEGIN_DECLS

/**
 * JmRun:
 *
 * One run of a job, on however many nodes: who and when it was, and what it used. What
 * is not known is absent. It belongs to one thread while it is written.
 *
 * Since: 0.1
 */
typedef struct _JmRun JmRun;

#define JM_TYPE_RUN (jm_run_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_run_get_type (void);

JM_AVAILABLE_IN_ALL
JmRun *jm_run_new (const char *cluster, const char *raw_id);

JM_AVAILABLE_IN_ALL
JmRun *jm_run_ref (JmRun *self);

JM_AVAILABLE_IN_ALL
void jm_run_unref (JmRun *self);

JM_AVAILABLE_IN_ALL
const char *jm_run_get_cluster (JmRun *self);

JM_AVAILABLE_IN_ALL
const char *jm_run_get_raw_id (JmRun *self);

JM_AVAILABLE_IN_ALL
void jm_run_set_scheduler (JmRun *self, const char *scheduler);

JM_AVAILABLE_IN_ALL
const char *jm_run_get_scheduler (JmRun *self);

JM_AVAILABLE_IN_ALL
void jm_run_set_text (JmRun *self, JmRunField field, const char *text);

JM_AVAILABLE_IN_ALL
void jm_run_set_number (JmRun *self, JmRunField field, gint64 number);

JM_AVAILABLE_IN_ALL
const char *jm_run_get_text (JmRun *self, JmRunField field);

JM_AVAILABLE_IN_ALL
gboolean jm_run_get_number (JmRun *self, JmRunField field, gint64 *number);

JM_AVAILABLE_IN_ALL
JmRunSource jm_run_get_source (JmRun *self, JmRunField field);

JM_AVAILABLE_IN_ALL
void jm_run_add_part (JmRun *self, JmRunPart *part);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_run_get_parts (JmRun *self, JmRunPartKind kind);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRun, jm_run_unref)

G_END_DECLS
