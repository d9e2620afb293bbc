/* jm-snapshot-private.h: how a snapshot is made, and read in bulk
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings-private.h"
#include "core/jm-snapshot.h"
#include "core/jm-subject-private.h"

G_BEGIN_DECLS

/* Copies @subjects, each behind its parent, and the values of @readings, by subject. A
 * handful of allocations, however many there are. */
JmSnapshot *jm_snapshot_new (gint64 time_us,
                             gint64 duration_ns,
                             const JmCollectorSet *collectors,
                             const JmSubject *subjects,
                             guint n_subjects,
                             JmReadings *readings);

/* How fast a counter of a subject grew when the snapshot was taken, in the base unit
 * for each second. A snapshot of a sweep has none: two sweeps have. Only for who makes
 * the snapshot, before anybody else has it. */
void
jm_snapshot_set_rate (JmSnapshot *self, guint subject, JmMetric metric, double rate);
gboolean
jm_snapshot_get_rate (JmSnapshot *self, guint subject, JmMetric metric, double *rate);

const JmSubject *jm_snapshot_get_subjects (JmSnapshot *self, guint *n_subjects);
const JmReading *jm_snapshot_get_readings (JmSnapshot *self, guint *n_readings);

/* Whether there is a subject of that kind, and the number of the first. */
gboolean
jm_snapshot_look_up_kind (JmSnapshot *self, JmSubjectKind kind, guint *subject);

const JmCollectorSet *jm_snapshot_get_collectors (JmSnapshot *self);
const JmCollectorStatus *jm_snapshot_get_status (JmSnapshot *self,
                                                 JmCollector collector);

/* Does what jm_snapshot_find_job() does, and says how often it compared. */
gboolean jm_snapshot_look_up_job (JmSnapshot *self,
                                  const char *id,
                                  guint *subject,
                                  guint *n_compared);

/* As jm_snapshot_get_value(), jm_snapshot_get_labelled_value() and
 * jm_snapshot_list_labels() do. */
gboolean jm_snapshot_get_metric (JmSnapshot *self,
                                 guint subject,
                                 JmMetric metric,
                                 double *value);
gboolean jm_snapshot_get_labelled_metric (JmSnapshot *self,
                                          guint subject,
                                          JmMetric metric,
                                          JmLabels *labels,
                                          double *value);
GPtrArray *
jm_snapshot_list_metric_labels (JmSnapshot *self, guint subject, JmMetric metric);

/* The reading of those labels, which are NULL for a metric that has none, or NULL; and
 * how often it compared. */
const JmReading *jm_snapshot_look_up_reading (JmSnapshot *self,
                                              guint subject,
                                              JmMetric metric,
                                              JmLabels *labels,
                                              guint *n_compared);

/* The readings of one subject, by metric and as they were read: from the returned one
 * on, *n_readings of them. */
const JmReading *
jm_snapshot_get_readings_of (JmSnapshot *self, guint subject, guint *n_readings);

G_END_DECLS
