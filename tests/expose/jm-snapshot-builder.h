/* jm-snapshot-builder.h: snapshots made by hand
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot-private.h"

G_BEGIN_DECLS

#define JM_TEST_TIME_US G_GINT64_CONSTANT (1700000010250000)
#define JM_TEST_DURATION_NS 1500000

typedef struct _JmSnapshotBuilder JmSnapshotBuilder;

JmSnapshotBuilder *jm_snapshot_builder_new (const JmCollectorSet *collectors);
void jm_snapshot_builder_free (JmSnapshotBuilder *self);

/* What is added after one of these is about it. */
void jm_snapshot_builder_add_part (JmSnapshotBuilder *self, JmSubjectKind kind);
void jm_snapshot_builder_add_labelled_part (JmSnapshotBuilder *self,
                                            JmSubjectKind kind,
                                            JmLabels *labels);
void jm_snapshot_builder_add_job (JmSnapshotBuilder *self, JmJob *job);
void jm_snapshot_builder_add_step (JmSnapshotBuilder *self, const char *step);
void jm_snapshot_builder_add_task (JmSnapshotBuilder *self, const char *task);
void jm_snapshot_builder_add_gpu (JmSnapshotBuilder *self,
                                  const char *name,
                                  const char *const *fields);
void jm_snapshot_builder_add_job_gpu (JmSnapshotBuilder *self,
                                      const char *name,
                                      const char *origin,
                                      guint share_percent);

/* The job at hand has ended. */
void jm_snapshot_builder_set_end_time (JmSnapshotBuilder *self, gint64 end_time_us);
void jm_snapshot_builder_add (JmSnapshotBuilder *self, JmMetric metric, guint64 value);
void jm_snapshot_builder_add_labelled (JmSnapshotBuilder *self,
                                       JmMetric metric,
                                       const char *label,
                                       guint64 value);
void jm_snapshot_builder_add_labels (JmSnapshotBuilder *self,
                                     JmMetric metric,
                                     JmLabels *labels,
                                     guint64 value);
void jm_snapshot_builder_add_error (JmSnapshotBuilder *self,
                                    JmCollector collector,
                                    const char *message);
void jm_snapshot_builder_add_denial (JmSnapshotBuilder *self,
                                     JmCollector collector,
                                     const char *message);

/* Of a sweep at another time than JM_TEST_TIME_US. */
void jm_snapshot_builder_set_time (JmSnapshotBuilder *self, gint64 time_us);
JmSnapshot *jm_snapshot_builder_end (JmSnapshotBuilder *self);

/* A job with the fields that are named and reported in turn, up to NULL. */
JmJob *jm_test_job_new (const char *id, ...) G_GNUC_NULL_TERMINATED;

/* A node with a running and an ended job. */
JmSnapshot *jm_test_snapshot_of_a_small_node (void);

/* A node with two devices, the second of which has an instance; a job has the first and
 * the instance, one that ended had the second, and another uses the first. */
JmSnapshot *jm_test_snapshot_of_a_gpu_node (void);

/* A node whose job has the worst labels that there can be, and some of them twice. */
JmSnapshot *jm_test_snapshot_of_a_hostile_node (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSnapshotBuilder, jm_snapshot_builder_free)

G_END_DECLS
