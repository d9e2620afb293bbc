/* jm-comparison-private.h: one comparison of a filter
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/jm-field.h"

G_BEGIN_DECLS

/* JmTruth:
 *
 * Ordered, so that "and" is the least of two and "or" the greatest. */
typedef enum
{
  JM_TRUTH_FALSE,
  JM_TRUTH_UNKNOWN,
  JM_TRUTH_TRUE,
} JmTruth;

typedef enum
{
  JM_RELATION_EQUAL,
  JM_RELATION_UNEQUAL,
  JM_RELATION_LESS,
  JM_RELATION_AT_MOST,
  JM_RELATION_GREATER,
  JM_RELATION_AT_LEAST,
  JM_RELATION_LIKE,
  JM_RELATION_UNLIKE,
} JmRelation;

/* JmComparison:
 * @text: what a field of text is compared with
 * @number: what a figure is compared with
 * @pattern: for the two relations that have one */
typedef struct
{
  const JmField *field;
  JmRelation relation;
  char *text;
  double number;
  GPatternSpec *pattern;
} JmComparison;

gboolean jm_comparison_init (JmComparison *self,
                             const JmField *field,
                             JmRelation relation,
                             const char *value,
                             GError **error);
void jm_comparison_clear (JmComparison *self);
JmTruth
jm_comparison_judge (const JmComparison *self, JmSnapshot *snapshot, guint subject);

G_END_DECLS
