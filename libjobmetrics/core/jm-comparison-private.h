/* jm-comparison-private.h: one comparison of an expression
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-figure.h"
#include "core/jm-format.h"

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

/* JmTerm:
 * @format: what it measures, or that it is text
 * @data: the vocabulary's
 * @number: the vocabulary's
 *
 * What a name in an expression stands for. */
typedef struct
{
  const char *name;
  JmFormat format;
  gconstpointer data;
  guint number;
} JmTerm;

/* JmVocabulary:
 * @noun: what messages call a name, such as "field"
 * @find: fills in the term; FALSE where there is none
 * @get_text: of a term of text; NULL where it is not known
 * @is_called: (nullable): whether text that is not the same means the same
 *
 * The names that an expression may have, and whose figures and words they are: @of is
 * what jm_expression_is_true() was given. */
typedef struct
{
  const char *noun;
  gboolean (*find) (const char *name, JmTerm *term);
  JmFigure (*get_figure) (const JmTerm *term, gconstpointer of);
  char *(*get_text) (const JmTerm *term, gconstpointer of);
  gboolean (*is_called) (const JmTerm *term, gconstpointer of, const char *text);
} JmVocabulary;

/* JmComparison:
 * @text: what words are compared with
 * @number: what a figure is compared with
 * @pattern: for the two relations that have one */
typedef struct
{
  JmTerm term;
  JmRelation relation;
  char *text;
  double number;
  GPatternSpec *pattern;
} JmComparison;

gboolean jm_comparison_init (JmComparison *self,
                             const JmTerm *term,
                             JmRelation relation,
                             const char *value,
                             GError **error);
void jm_comparison_clear (JmComparison *self);
JmTruth jm_comparison_judge (const JmComparison *self,
                             const JmVocabulary *vocabulary,
                             gconstpointer of);

G_END_DECLS
