/* jm-run-advice-private.h: what the user of a run had better do
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "judge/jm-run-rules.h"
#include "judge/jm-run-verdict.h"

G_BEGIN_DECLS

gboolean jm_advice_level_from_name (const char *name, JmAdviceLevel *level);

/* Takes the three texts. */
JmRunAdvice *jm_run_advice_new_take (const char *rule,
                                     JmAdviceLevel level,
                                     char *title,
                                     char *reason,
                                     char *action);

gboolean jm_verdict_kind_from_name (const char *name, JmVerdictKind *kind);

/* What it means for the verdict on the run, and the quantity that was wasted, or NULL;
 * to be called before anybody else has it. `GOOD` where the advice leaves the verdict
 * alone. Without the call, all but a note is trouble. */
void jm_run_advice_set_verdict (JmRunAdvice *self,
                                JmVerdictKind verdict,
                                const JmQuantity *wasted);
JmVerdictKind jm_run_advice_get_verdict (JmRunAdvice *self);
const JmQuantity *jm_run_advice_get_wasted (JmRunAdvice *self);

/* A sentence of what ended the run or slowed it down, with its evidence; NULL where the
 * advice names none. To be called before anybody else has it. */
void jm_run_advice_take_cause (JmRunAdvice *self, char *cause);
const char *jm_run_advice_get_cause (JmRunAdvice *self);

JmVerdictKind jm_advice_level_get_verdict (JmAdviceLevel level);

const char *jm_advice_level_get_name (JmAdviceLevel level);

const JmQuantity *jm_run_verdict_get_wasted (JmRunVerdict *self, double *amount);

/* The rule that names the cause; NULL where none does. */
const char *jm_run_verdict_get_cause_rule (JmRunVerdict *self);

/* Whether the cause is that of the rule which made the verdict. */
gboolean jm_run_verdict_names_cause (JmRunVerdict *self);

JmRunAdvice *jm_run_advice_ref (JmRunAdvice *self);

G_END_DECLS
