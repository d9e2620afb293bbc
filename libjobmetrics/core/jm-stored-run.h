/* jm-stored-run.h: a run of a job, as an accounting database has it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-run-field.h"

G_BEGIN_DECLS

/**
 * JmStoredRun:
 *
 * One run of a job, on however many nodes: who and when it was, and what it used. What
 * is not known is absent. It belongs to one thread while it is written.
 *
 * Since: 0.1
 */
typedef struct _JmStoredRun JmStoredRun;

#define JM_TYPE_STORED_RUN (jm_stored_run_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_stored_run_get_type (void);

JM_AVAILABLE_IN_ALL
JmStoredRun *jm_stored_run_new (const char *cluster, const char *raw_id);

JM_AVAILABLE_IN_ALL
JmStoredRun *jm_stored_run_ref (JmStoredRun *self);

JM_AVAILABLE_IN_ALL
void jm_stored_run_unref (JmStoredRun *self);

JM_AVAILABLE_IN_ALL
const char *jm_stored_run_get_cluster (JmStoredRun *self);

JM_AVAILABLE_IN_ALL
const char *jm_stored_run_get_raw_id (JmStoredRun *self);

JM_AVAILABLE_IN_ALL
void jm_stored_run_set_scheduler (JmStoredRun *self, const char *scheduler);

JM_AVAILABLE_IN_ALL
const char *jm_stored_run_get_scheduler (JmStoredRun *self);

JM_AVAILABLE_IN_ALL
void jm_stored_run_set_text (JmStoredRun *self, JmRunField field, const char *text);

JM_AVAILABLE_IN_ALL
void jm_stored_run_set_number (JmStoredRun *self, JmRunField field, gint64 number);

JM_AVAILABLE_IN_ALL
const char *jm_stored_run_get_text (JmStoredRun *self, JmRunField field);

JM_AVAILABLE_IN_ALL
gboolean jm_stored_run_get_number (JmStoredRun *self, JmRunField field, gint64 *number);

JM_AVAILABLE_IN_ALL
JmRunSource jm_stored_run_get_source (JmStoredRun *self, JmRunField field);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmStoredRun, jm_stored_run_unref)

G_END_DECLS
