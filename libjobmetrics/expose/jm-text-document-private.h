/* jm-text-document-private.h: what text encoders write, in their words or a dialect
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-text-writer-private.h"
#include "core/jm-snapshot-private.h"
#include "core/jm-snapshot.h"
#include "expose/jm-dialect-family-private.h"
#include "expose/jm-dialect-private.h"
#include "expose/jm-metric-selection-private.h"
#include "expose/jm-reading-buckets-private.h"
#include "expose/jm-series-lines-private.h"
#include "expose/jm-subject-labels-private.h"

G_BEGIN_DECLS

/* What is kept from document to document, so that the next one allocates nothing. */
typedef struct
{
  JmMetricSelection *selection;
  JmSubjectLabelsTable table;
  JmReadingBuckets buckets;
  gboolean
    is_decided_only; /* a job's identity is written only once it will not change */
} JmTextWorkspace;

void jm_text_workspace_init (JmTextWorkspace *self);
void jm_text_workspace_clear (JmTextWorkspace *self);

/* Writes what is said of jobs, the sweep and those @collectors. The table was updated
 * to @snapshot. */
void jm_text_document_write_job (JmTextWorkspace *workspace,
                                 JmSnapshot *snapshot,
                                 JmJob *job,
                                 JmTextWriter *writer);

void jm_text_document_write (JmTextWorkspace *workspace,
                             JmSnapshot *snapshot,
                             const JmCollectorSet *collectors,
                             JmTextWriter *writer);

typedef struct
{
  JmSnapshot *snapshot;
  JmSnapshot *before;               /* for rates; NULL where there is none */
  const JmCollectorSet *collectors; /* whose figures are wanted */
} JmDialectFigures;

/* Whether the family has it, which is of that snapshot, among the figures of one of its
 * sources. */
gboolean jm_dialect_figures_is_wanted (const JmDialectFigures *self,
                                       const JmDialectFamily *family,
                                       guint source,
                                       JmSnapshot *snapshot,
                                       const JmReading *reading);

/* Of one metric of a subject, *n of them. */
const JmReading *jm_dialect_figures_find (JmSnapshot *snapshot,
                                          guint subject,
                                          JmMetric metric,
                                          guint *n);

JmFigureValue jm_dialect_figures_get_value (const JmReading *reading);

/* Has the sources behind the first make something of its @figure, which is that of
 * @reading. FALSE where they are not known. */
gboolean jm_dialect_figures_combine (const JmDialectFigures *self,
                                     const JmDialectFamily *family,
                                     const JmReading *reading,
                                     JmFigureValue *figure);

/* The family's one figure of a subject, from all sources. */
gboolean jm_dialect_figures_get (const JmDialectFigures *self,
                                 const JmDialectFamily *family,
                                 guint subject,
                                 JmFigureValue *figure);

/* A dialect, and what is kept of it from document to document: texts of labels, so that
 * what has not changed is not rendered anew, and the snapshot before. */
typedef struct _JmDialectDocument JmDialectDocument;

JmDialectDocument *jm_dialect_document_new (JmDialect *dialect);
void jm_dialect_document_free (JmDialectDocument *self);

JmDialect *jm_dialect_document_get_dialect (const JmDialectDocument *self);

/* The content. The table and the buckets were made from the snapshot; @node_name is
 * NULL where it is not known. */
typedef struct
{
  JmSnapshot *snapshot;
  const JmSubjectLabelsTable *table; /* which subjects are shown, and called what */
  const JmReadingBuckets *buckets;
  const char *node_name;
  const JmCollectorSet *collectors; /* whose figures are wanted */
  JmJob *only_job; /* the document is about this one alone; NULL for all */
} JmDialectContent;

void jm_dialect_document_write (JmDialectDocument *self,
                                const JmDialectContent *content,
                                JmTextWriter *writer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmDialectDocument, jm_dialect_document_free)

G_END_DECLS
