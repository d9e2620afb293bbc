/* jm-text-document-private.h: what is said of a node besides its figures
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-snapshot.h"
#include "expose/jm-metric-selection-private.h"
#include "expose/jm-reading-buckets-private.h"
#include "expose/jm-subject-labels-private.h"
#include "expose/jm-text-writer-private.h"

G_BEGIN_DECLS

/* What is kept from document to document, so that the next one allocates nothing. */
typedef struct
{
  JmMetricSelection *selection;
  JmSubjectLabelsTable table;
  JmReadingBuckets buckets;
  gboolean is_decided_only; /* who a job is is told only once it will not change */
} JmTextWorkspace;

void jm_text_workspace_init (JmTextWorkspace *self);
void jm_text_workspace_clear (JmTextWorkspace *self);

/* Writes what is said of jobs, the sweep and those @collectors. The table was updated to
 * @snapshot. */
void jm_text_document_write_job (JmTextWorkspace *workspace,
                                 JmSnapshot *snapshot,
                                 JmJob *job,
                                 JmTextWriter *writer);

void jm_text_document_write (JmTextWorkspace *workspace,
                             JmSnapshot *snapshot,
                             const JmCollectorSet *collectors,
                             JmTextWriter *writer);

G_END_DECLS
