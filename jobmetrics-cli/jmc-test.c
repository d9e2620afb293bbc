/* jmc-test.c: one comparison of a filter
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-test.h"

#include "core/jm-error.h"
#include "jmc-quantity.h"
#include "jmc-text.h"

static gboolean
is_pattern (JmcRelation relation)
{
  return relation == JMC_RELATION_LIKE || relation == JMC_RELATION_UNLIKE;
}

/* FALSE where the field cannot be compared so, or with this. */
gboolean
jmc_test_init (JmcTest *self,
               JmcField field,
               JmcRelation relation,
               const char *value,
               GError **error)
{
  JmcFieldKind kind = jmc_field_get_kind (field);

  *self = (JmcTest){ .field = field, .relation = relation };

  if (kind == JMC_FIELD_TEXT)
    {
      self->text = g_strdup (value);
      if (is_pattern (relation))
        self->pattern = g_pattern_spec_new (value);
      return TRUE;
    }

  if (is_pattern (relation))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "%s is a figure, which no pattern matches",
                   jmc_field_get_name (field));
      return FALSE;
    }

  return jmc_quantity_parse (value, kind, &self->number, error);
}

void
jmc_test_clear (JmcTest *self)
{
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->pattern, g_pattern_spec_free);
}

static gboolean
judge_order (JmcRelation relation, int order)
{
  switch (relation)
    {
    case JMC_RELATION_EQUAL:
      return order == 0;
    case JMC_RELATION_UNEQUAL:
      return order != 0;
    case JMC_RELATION_LESS:
      return order < 0;
    case JMC_RELATION_AT_MOST:
      return order <= 0;
    case JMC_RELATION_GREATER:
      return order > 0;
    case JMC_RELATION_AT_LEAST:
      return order >= 0;
    case JMC_RELATION_LIKE:
    case JMC_RELATION_UNLIKE:
    default:
      return FALSE;
    }
}

/* A job goes by several ids. */
static gboolean
is_job_called (const JmcTest *self, JmSnapshot *snapshot, guint subject)
{
  return self->field == JM_JOB_FIELD_ID &&
         (self->relation == JMC_RELATION_EQUAL ||
          self->relation == JMC_RELATION_UNEQUAL) &&
         jm_job_is_called (jm_snapshot_get_job (snapshot, subject), self->text);
}

static JmcTruth
judge_text (const JmcTest *self, JmSnapshot *snapshot, guint subject)
{
  g_autofree char *text = jmc_field_get_text (self->field, snapshot, subject);
  gboolean is_true;

  if (text == NULL)
    return JMC_UNKNOWN;

  if (is_job_called (self, snapshot, subject))
    is_true = self->relation == JMC_RELATION_EQUAL;
  else if (self->pattern != NULL)
    is_true = g_pattern_spec_match_string (self->pattern, text) ==
              (self->relation == JMC_RELATION_LIKE);
  else
    is_true = judge_order (self->relation, jmc_text_compare (text, self->text));

  return is_true ? JMC_TRUE : JMC_FALSE;
}

static JmcTruth
judge_figure (const JmcTest *self, JmSnapshot *snapshot, guint subject)
{
  JmcFigure figure = jmc_field_get_figure (self->field, snapshot, subject);
  int order = (figure.value > self->number) - (figure.value < self->number);

  if (!figure.is_known)
    return JMC_UNKNOWN;

  return judge_order (self->relation, order) ? JMC_TRUE : JMC_FALSE;
}

JmcTruth
jmc_test_judge (const JmcTest *self, JmSnapshot *snapshot, guint subject)
{
  return jmc_field_get_kind (self->field) == JMC_FIELD_TEXT
           ? judge_text (self, snapshot, subject)
           : judge_figure (self, snapshot, subject);
}
