/* jm-snapshot.h: everything read in one sweep of a node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"
#include "core/jm-gpu.h"
#include "core/jm-job.h"
#include "core/jm-labels.h"
#include "core/jm-metric.h"
#include "core/jm-quantity.h"

G_BEGIN_DECLS

/**
 * JM_NODE_SUBJECT:
 *
 * The subject that is the node itself.
 *
 * Since: 0.1
 */
#define JM_NODE_SUBJECT 0

/**
 * JmSnapshot:
 *
 * Everything read in one sweep of a node: immutable, shared by reference.
 *
 * Figures belong to subjects, which are numbered: %JM_NODE_SUBJECT is the node; then
 * come its system, what is idle of it, and what feeds it, and its accelerators; then
 * the jobs, each followed by its steps, each step by its tasks, and among these what
 * the job has of accelerators.
 *
 * Since: 0.1
 */
typedef struct _JmSnapshot JmSnapshot;

#define JM_TYPE_SNAPSHOT (jm_snapshot_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_snapshot_get_type (void);

JM_AVAILABLE_IN_ALL
JmSnapshot *jm_snapshot_ref (JmSnapshot *self);

JM_AVAILABLE_IN_ALL
void jm_snapshot_unref (JmSnapshot *self);

JM_AVAILABLE_IN_ALL
gint64 jm_snapshot_get_time (JmSnapshot *self);

JM_AVAILABLE_IN_ALL
gint64 jm_snapshot_get_duration (JmSnapshot *self);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_snapshot_get_jobs (JmSnapshot *self);

JM_AVAILABLE_IN_ALL
gboolean jm_snapshot_find_job (JmSnapshot *self, const char *id, guint *subject);

JM_AVAILABLE_IN_ALL
gboolean
jm_snapshot_find_subject (JmSnapshot *self, JmSubjectKind kind, guint *subject);

JM_AVAILABLE_IN_ALL
guint jm_snapshot_get_n_subjects (JmSnapshot *self);

JM_AVAILABLE_IN_ALL
JmSubjectKind jm_snapshot_get_kind (JmSnapshot *self, guint subject);

JM_AVAILABLE_IN_ALL
JmJob *jm_snapshot_get_job (JmSnapshot *self, guint subject);

JM_AVAILABLE_IN_ALL
guint jm_snapshot_get_parent (JmSnapshot *self, guint subject);

JM_AVAILABLE_IN_ALL
JmLabels *jm_snapshot_get_subject_labels (JmSnapshot *self, guint subject);

JM_AVAILABLE_IN_ALL
const char *jm_snapshot_get_step (JmSnapshot *self, guint subject);

JM_AVAILABLE_IN_ALL
const char *jm_snapshot_get_task (JmSnapshot *self, guint subject);

JM_AVAILABLE_IN_ALL
gint64 jm_snapshot_get_start_time (JmSnapshot *self, guint subject);

JM_AVAILABLE_IN_ALL
gint64 jm_snapshot_get_end_time (JmSnapshot *self, guint subject);

JM_AVAILABLE_IN_ALL
GArray *jm_snapshot_list_gpus (JmSnapshot *self, guint subject);

JM_AVAILABLE_IN_ALL
gboolean jm_snapshot_find_gpu (JmSnapshot *self, const char *name, guint *subject);

JM_AVAILABLE_IN_ALL
const char *jm_snapshot_get_gpu (JmSnapshot *self, guint subject);

JM_AVAILABLE_IN_ALL
const char *
jm_snapshot_get_gpu_field (JmSnapshot *self, guint subject, JmGpuField field);

JM_AVAILABLE_IN_ALL
gboolean jm_snapshot_get_gpu_share (JmSnapshot *self,
                                    guint subject,
                                    double *share,
                                    const char **origin);

JM_AVAILABLE_IN_ALL
const JmQuantity *
jm_snapshot_find_quantity (JmSnapshot *self, guint subject, const char *name);

JM_AVAILABLE_IN_ALL
gboolean jm_snapshot_get_value (JmSnapshot *self,
                                guint subject,
                                const JmQuantity *quantity,
                                double *value);

JM_AVAILABLE_IN_ALL
gboolean jm_snapshot_get_labelled_value (JmSnapshot *self,
                                         guint subject,
                                         const JmQuantity *quantity,
                                         JmLabels *labels,
                                         double *value);

JM_AVAILABLE_IN_ALL
GPtrArray *
jm_snapshot_list_labels (JmSnapshot *self, guint subject, const JmQuantity *quantity);

JM_AVAILABLE_IN_ALL
gboolean jm_snapshot_is_collected (JmSnapshot *self, JmCollector collector);

JM_AVAILABLE_IN_ALL
guint jm_snapshot_get_n_errors (JmSnapshot *self, JmCollector collector);

JM_AVAILABLE_IN_ALL
guint jm_snapshot_get_n_denied (JmSnapshot *self, JmCollector collector);

JM_AVAILABLE_IN_ALL
gboolean jm_snapshot_has_failed (JmSnapshot *self, JmCollector collector);

JM_AVAILABLE_IN_ALL
const GError *jm_snapshot_get_error (JmSnapshot *self, JmCollector collector);

JM_AVAILABLE_IN_ALL
gint64 jm_snapshot_get_collector_duration (JmSnapshot *self, JmCollector collector);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSnapshot, jm_snapshot_unref)

G_END_DECLS
