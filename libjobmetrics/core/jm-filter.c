/* jm-filter.c: which jobs are meant
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-filter-private.h"

#include "core/jm-expression-private.h"
#include "core/jm-field-table-private.h"
#include "core/jm-field.h"

struct _JmFilter
{
  JmExpression *expression;
};

G_DEFINE_BOXED_TYPE (JmFilter, jm_filter, jm_filter_ref, jm_filter_unref)

/* Whose fields are compared. */
typedef struct
{
  JmSnapshot *snapshot;
  guint subject;
} Candidate;

static gboolean
find_field (const char *name, JmTerm *term)
{
  const JmField *field = jm_field_from_name (name);

  if (field != NULL)
    *term =
      (JmTerm){ field->quantity->name, field->quantity->format, field, field->number };

  return field != NULL;
}

static JmFigure
get_figure (const JmTerm *term, gconstpointer of)
{
  const Candidate *candidate = of;

  return jm_field_get_figure (term->data, candidate->snapshot, candidate->subject);
}

static char *
get_text (const JmTerm *term, gconstpointer of)
{
  const Candidate *candidate = of;

  return jm_field_get_text (term->data, candidate->snapshot, candidate->subject);
}

/* A job goes by several ids. */
static gboolean
is_called (const JmTerm *term, gconstpointer of, const char *text)
{
  const Candidate *candidate = of;

  return term->data == jm_field_of_identity (JM_JOB_FIELD_ID) &&
         jm_job_is_called (jm_snapshot_get_job (candidate->snapshot,
                                                candidate->subject),
                           text);
}

static const JmVocabulary vocabulary = {
  .noun = "field",
  .find = find_field,
  .get_figure = get_figure,
  .get_text = get_text,
  .is_called = is_called,
};

/**
 * jm_filter_new:
 * @text: an expression
 * @error: return location for an error
 *
 * Compiles an expression, see #JmFilter.
 *
 * - Errors: %JM_ERROR_INVALID, quoting the text, and at which character of it, counted
 *   from 1, there is a mistake.
 *
 * Returns: (transfer full): the filter
 * Since: 0.1
 */
JmFilter *
jm_filter_new (const char *text, GError **error)
{
  g_autoptr (JmExpression) expression = NULL;
  JmFilter *self;

  g_return_val_if_fail (text != NULL, NULL);

  expression = jm_expression_new (text, &vocabulary, error);
  if (expression == NULL)
    return NULL;

  self = g_atomic_rc_box_new0 (JmFilter);
  self->expression = g_steal_pointer (&expression);

  return self;
}

JmFilter *
jm_filter_ref (JmFilter *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
clear (JmFilter *self)
{
  jm_expression_free (self->expression);
}

/**
 * jm_filter_unref:
 * @self: (transfer full): a filter
 *
 * Gives a reference back.
 *
 * Since: 0.1
 */
void
jm_filter_unref (JmFilter *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, (GDestroyNotify) clear);
}

/* Adds the collectors that must run for the filter to judge. */
void
jm_filter_add_collectors (JmFilter *self, JmCollectorSet *collectors)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (collectors != NULL);

  for (guint i = 0; i < jm_expression_get_n_terms (self->expression); i++)
    jm_field_add_collectors (jm_expression_get_term (self->expression, i)->data,
                             collectors);
}

void
jm_filter_add_fields (JmFilter *self, GPtrArray *fields)
{
  for (guint i = 0; i < jm_expression_get_n_terms (self->expression); i++)
    g_ptr_array_add (fields,
                     (gpointer) jm_expression_get_term (self->expression, i)->data);
}

/**
 * jm_filter_matches:
 * @self: a filter
 * @snapshot: a snapshot
 * @subject: a job, step or task
 *
 * Finds out whether the expression is true of a subject.
 *
 * Returns: whether it is; not where it hangs on what is not known
 * Since: 0.1
 */
gboolean
jm_filter_matches (JmFilter *self, JmSnapshot *snapshot, guint subject)
{
  const Candidate candidate = { snapshot, subject };

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (snapshot != NULL, FALSE);

  return jm_expression_is_true (self->expression, &candidate);
}
