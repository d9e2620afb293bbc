/* jm-reading-buckets-private.h: the readings of a snapshot by what they are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-snapshot-private.h"

G_BEGIN_DECLS

/* One bucket for each metric of each kind of subject. */
#define JM_N_BUCKETS (JM_N_SUBJECT_KINDS * JM_N_METRICS)
#define JM_BUCKET(kind, metric) ((kind) *JM_N_METRICS + (metric))

/* The readings of bucket B are readings[order[i]] for i from first[B] on and below
 * first[B + 1], by subject; the subjects of kind K are subjects[i] likewise. It keeps
 * its memory from snapshot to snapshot. */
typedef struct
{
  guint first[JM_N_BUCKETS + 1];
  GArray *order; /* of guint */
  guint first_subject[JM_N_SUBJECT_KINDS + 1];
  GArray *subjects; /* of guint */
} JmReadingBuckets;

void jm_reading_buckets_init (JmReadingBuckets *self);
void jm_reading_buckets_clear (JmReadingBuckets *self);
void jm_reading_buckets_sort (JmReadingBuckets *self, JmSnapshot *snapshot);

G_END_DECLS
