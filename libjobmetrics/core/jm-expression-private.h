/* jm-expression-private.h: whether something is true of whatever has figures and words
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-comparison-private.h"

G_BEGIN_DECLS

/**
 * JmExpression:
 *
 * Comparisons that are joined by `!`, `&&`, `||` and parentheses, see #JmFilter. Whose
 * figures and words they are a vocabulary knows: jobs of a snapshot have one, runs
 * another.
 */
typedef struct _JmExpression JmExpression;

/**
 * jm_expression_new: (skip)
 * @text: an expression
 * @vocabulary: what the names in it are; it must outlive the expression
 * @error: return location for an error
 *
 * - Errors: `INVALID`, quoting the text, and at which character of it, counted from 1,
 *   there is a mistake.
 *
 * Returns: (transfer full): the expression
 */
JmExpression *
jm_expression_new (const char *text, const JmVocabulary *vocabulary, GError **error);

void jm_expression_free (JmExpression *self);

/* The names that are compared, as often as they are. */
guint jm_expression_get_n_terms (const JmExpression *self);
const JmTerm *jm_expression_get_term (const JmExpression *self, guint i);

/* Not where it hangs on what is not known; @of is the vocabulary's. */
gboolean jm_expression_is_true (const JmExpression *self, gconstpointer of);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmExpression, jm_expression_free)

G_END_DECLS
