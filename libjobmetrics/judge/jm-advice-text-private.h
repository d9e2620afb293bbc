/* jm-advice-text-private.h: sentences with figures of a run in them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "judge/jm-run-report.h"

G_BEGIN_DECLS

/* JmAdviceText:
 *
 * Sentences in which `{NAME}` stands for a figure or word of a run, `{NAME:ONE/MORE}`
 * for the word that goes with that figure, and of which what is in square brackets is
 * left out where one in it is not known. */
typedef struct _JmAdviceText JmAdviceText;

/* - Errors: `INVALID`, with what is wrong and where it begins. */
JmAdviceText *jm_advice_text_new (const char *text, GError **error);
void jm_advice_text_free (JmAdviceText *self);

/* NULL where something outside of brackets is not known. */
char *jm_advice_text_fill (const JmAdviceText *self, JmRunReport *report);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmAdviceText, jm_advice_text_free)

G_END_DECLS
