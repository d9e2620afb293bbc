/* jm-comparison.c: one comparison of a filter
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/jm-comparison-private.h"

#include "core/jm-error.h"
#include "report/jm-natural-order.h"

static gboolean
is_pattern (JmRelation relation)
{
  return relation == JM_RELATION_LIKE || relation == JM_RELATION_UNLIKE;
}

/* FALSE where the field cannot be compared so, or with this. */
gboolean
jm_comparison_init (JmComparison *self,
                    const JmField *field,
                    JmRelation relation,
                    const char *value,
                    GError **error)
{
  *self = (JmComparison){ .field = field, .relation = relation };

  if (field->quantity == JM_QUANTITY_TEXT)
    {
      self->text = g_strdup (value);
      if (is_pattern (relation))
        self->pattern = g_pattern_spec_new (value);
      return TRUE;
    }

  if (is_pattern (relation))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "%s is a figure, which no pattern matches", field->name);
      return FALSE;
    }

  return jm_quantity_parse (field->quantity, value, &self->number, error);
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

/* A job goes by several ids. */
static gboolean
is_job_called (const JmComparison *self, JmSnapshot *snapshot, guint subject)
{
  return self->field == jm_field_of_identity (JM_JOB_FIELD_ID) &&
         (self->relation == JM_RELATION_EQUAL ||
          self->relation == JM_RELATION_UNEQUAL) &&
         jm_job_is_called (jm_snapshot_get_job (snapshot, subject), self->text);
}

static JmTruth
judge_text (const JmComparison *self, JmSnapshot *snapshot, guint subject)
{
  g_autofree char *text = jm_field_get_text (self->field, snapshot, subject);
  gboolean is_true;

  if (text == NULL)
    return JM_TRUTH_UNKNOWN;

  if (is_job_called (self, snapshot, subject))
    is_true = self->relation == JM_RELATION_EQUAL;
  else if (self->pattern != NULL)
    is_true = g_pattern_spec_match_string (self->pattern, text) ==
              (self->relation == JM_RELATION_LIKE);
  else
    is_true = judge_order (self->relation, jm_natural_order_compare (text, self->text));

  return is_true ? JM_TRUTH_TRUE : JM_TRUTH_FALSE;
}

static JmTruth
judge_figure (const JmComparison *self, JmSnapshot *snapshot, guint subject)
{
  JmFigure figure = jm_field_get_figure (self->field, snapshot, subject);
  int order = (figure.value > self->number) - (figure.value < self->number);

  if (!figure.is_known)
    return JM_TRUTH_UNKNOWN;

  return judge_order (self->relation, order) ? JM_TRUTH_TRUE : JM_TRUTH_FALSE;
}

JmTruth
jm_comparison_judge (const JmComparison *self, JmSnapshot *snapshot, guint subject)
{
  return self->field->quantity == JM_QUANTITY_TEXT
           ? judge_text (self, snapshot, subject)
           : judge_figure (self, snapshot, subject);
}
