/* jm-comparison.c: one comparison of an expression
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-comparison-private.h"

#include "base/jm-error.h"
#include "base/jm-natural-order-private.h"

static gboolean
is_pattern (JmRelation relation)
{
  return relation == JM_RELATION_LIKE || relation == JM_RELATION_UNLIKE;
}

/* FALSE where the term cannot be compared so, or with this. */
gboolean
jm_comparison_init (JmComparison *self,
                    const JmTerm *term,
                    JmRelation relation,
                    const char *value,
                    GError **error)
{
  *self = (JmComparison){ .term = *term, .relation = relation };

  if (term->format == JM_FORMAT_TEXT)
    {
      self->text = g_strdup (value);
      if (is_pattern (relation))
        self->pattern = g_pattern_spec_new (value);
      return TRUE;
    }

  if (is_pattern (relation))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "%s is a figure, which no pattern matches", term->name);
      return FALSE;
    }

  return jm_format_parse (term->format, value, &self->number, error);
}

void
jm_comparison_clear (JmComparison *self)
{
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->pattern, g_pattern_spec_free);
}

static gboolean
judge_order (JmRelation relation, int order)
{
  switch (relation)
    {
    case JM_RELATION_EQUAL:
      return order == 0;
    case JM_RELATION_UNEQUAL:
      return order != 0;
    case JM_RELATION_LESS:
      return order < 0;
    case JM_RELATION_AT_MOST:
      return order <= 0;
    case JM_RELATION_GREATER:
      return order > 0;
    case JM_RELATION_AT_LEAST:
      return order >= 0;
    case JM_RELATION_LIKE:
    case JM_RELATION_UNLIKE:
    default:
      return FALSE;
    }
}

static gboolean
is_called (const JmComparison *self, const JmVocabulary *vocabulary, gconstpointer of)
{
  return vocabulary->is_called != NULL &&
         (self->relation == JM_RELATION_EQUAL ||
          self->relation == JM_RELATION_UNEQUAL) &&
         vocabulary->is_called (&self->term, of, self->text);
}

static JmTruth
judge_text (const JmComparison *self, const JmVocabulary *vocabulary, gconstpointer of)
{
  g_autofree char *text = vocabulary->get_text (&self->term, of);
  gboolean is_true;

  if (text == NULL)
    return JM_TRUTH_UNKNOWN;

  if (is_called (self, vocabulary, of))
    is_true = self->relation == JM_RELATION_EQUAL;
  else if (self->pattern != NULL)
    is_true = g_pattern_spec_match_string (self->pattern, text) ==
              (self->relation == JM_RELATION_LIKE);
  else
    is_true = judge_order (self->relation, jm_natural_order_compare (text, self->text));

  return is_true ? JM_TRUTH_TRUE : JM_TRUTH_FALSE;
}

static JmTruth
judge_figure (const JmComparison *self,
              const JmVocabulary *vocabulary,
              gconstpointer of)
{
  JmFigure figure = vocabulary->get_figure (&self->term, of);
  int order = (figure.value > self->number) - (figure.value < self->number);

  if (!figure.is_known)
    return JM_TRUTH_UNKNOWN;

  return judge_order (self->relation, order) ? JM_TRUTH_TRUE : JM_TRUTH_FALSE;
}

JmTruth
jm_comparison_judge (const JmComparison *self,
                     const JmVocabulary *vocabulary,
                     gconstpointer of)
{
  return self->term.format == JM_FORMAT_TEXT ? judge_text (self, vocabulary, of)
                                             : judge_figure (self, vocabulary, of);
}
