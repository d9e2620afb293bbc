/* jmc-test.h: one comparison of a filter
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-field.h"

G_BEGIN_DECLS

/* JmcTruth:
 *
 * Ordered, so that "and" is the least of two and "or" the greatest. */
typedef enum
{
  JMC_FALSE,
  JMC_UNKNOWN,
  JMC_TRUE,
} JmcTruth;

typedef enum
{
  JMC_RELATION_EQUAL,
  JMC_RELATION_UNEQUAL,
  JMC_RELATION_LESS,
  JMC_RELATION_AT_MOST,
  JMC_RELATION_GREATER,
  JMC_RELATION_AT_LEAST,
  JMC_RELATION_LIKE,
  JMC_RELATION_UNLIKE,
} JmcRelation;

/* JmcTest:
 * @text: what a field of text is compared with
 * @number: what a figure is compared with
 * @pattern: for the two relations that have one */
typedef struct
{
  JmcField field;
  JmcRelation relation;
  char *text;
  double number;
  GPatternSpec *pattern;
} JmcTest;

gboolean jmc_test_init (JmcTest *self,
                        JmcField field,
                        JmcRelation relation,
                        const char *value,
                        GError **error);
void jmc_test_clear (JmcTest *self);
JmcTruth jmc_test_judge (const JmcTest *self, JmSnapshot *snapshot, guint subject);

G_END_DECLS
