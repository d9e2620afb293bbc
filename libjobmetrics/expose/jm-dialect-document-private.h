/* jm-dialect-document-private.h: a snapshot in the words of a dialect
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "expose/jm-dialect-private.h"
#include "expose/jm-reading-buckets-private.h"
#include "expose/jm-subject-labels-private.h"

G_BEGIN_DECLS

/* A dialect, and what is kept of it from document to document: texts of labels, so that
 * what has not changed is not rendered anew, and the snapshot before. */
typedef struct _JmDialectDocument JmDialectDocument;

JmDialectDocument *jm_dialect_document_new (JmDialect *dialect);
void jm_dialect_document_free (JmDialectDocument *self);

JmDialect *jm_dialect_document_get_dialect (const JmDialectDocument *self);

/* What is told. The table and the buckets were made from the snapshot; @node_name is
 * NULL where it is not known. */
typedef struct
{
  JmSnapshot *snapshot;
  const JmSubjectLabelsTable *table; /* which subjects are shown, and called what */
  const JmReadingBuckets *buckets;
  const char *node_name;
  const JmCollectorSet *collectors; /* whose figures are wanted */
  JmJob *only_job;                  /* of which nothing else is told; NULL for all */
} JmDialectContent;

void jm_dialect_document_write (JmDialectDocument *self,
                                const JmDialectContent *content,
                                JmTextWriter *writer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmDialectDocument, jm_dialect_document_free)

G_END_DECLS
