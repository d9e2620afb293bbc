/* jm-text-document-private.h: one document of figures
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-snapshot.h"
#include "expose/jm-metric-selection-private.h"
#include "expose/jm-series-set-private.h"
#include "expose/jm-subject-labels-private.h"
#include "expose/jm-text-writer-private.h"

G_BEGIN_DECLS

/* The snapshot's readings by level and metric: those of bucket B are readings[order[i]]
 * for i from first[B] on and below first[B + 1]. */
typedef struct
{
  guint first[JM_N_BUCKETS + 1];
  GArray *order; /* of guint */
} JmReadingBuckets;

/* What is kept from document to document, so that the next one allocates nothing. */
typedef struct
{
  JmMetricSelection *selection;
  JmSubjectLabelsTable table;
  JmSeriesSet series;
  JmReadingBuckets buckets;
  gboolean is_decided_only; /* who a job is is told only once it will not change */
} JmTextWorkspace;

void jm_text_workspace_init (JmTextWorkspace *self);
void jm_text_workspace_clear (JmTextWorkspace *self);

/* Writes the figures of those @collectors. The table was updated to @snapshot. */
void jm_text_document_write (JmTextWorkspace *workspace,
                             JmSnapshot *snapshot,
                             const JmCollectorSet *collectors,
                             JmTextWriter *writer);

G_END_DECLS
