/* jm-dialect-lines-private.h: the series of one family, as they are from time to time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "expose/jm-dialect-family-private.h"

G_BEGIN_DECLS

/* Lines of one family. The labels of one that is about the same as in the document
 * before are not rendered anew. */
typedef struct _JmDialectLines JmDialectLines;

JmDialectLines *jm_dialect_lines_new (void);
void jm_dialect_lines_free (JmDialectLines *self);

/* One document: each figure, then all at once. Figures whose labels are the same are
 * one series: their sum, or the first of them. */
void jm_dialect_lines_begin (JmDialectLines *self);
void jm_dialect_lines_add (JmDialectLines *self,
                           const JmDialectFamily *family,
                           const JmTemplateValues *values,
                           double value);
void jm_dialect_lines_write (JmDialectLines *self,
                             const JmDialectFamily *family,
                             JmTextWriter *writer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmDialectLines, jm_dialect_lines_free)

G_END_DECLS
