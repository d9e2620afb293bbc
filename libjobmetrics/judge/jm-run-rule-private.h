/* jm-run-rule-private.h: what is said of which runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "judge/jm-rule-draft-private.h"
#include "judge/jm-run-report.h"
#include "judge/jm-run-rule.h"

G_BEGIN_DECLS

/**
 * jm_run_rule_new: (skip)
 * @draft: as its files have it
 * @thresholds: (element-type utf8 utf8): by name
 * @error: return location for an error
 *
 * - Errors: `INVALID`, with file, rule, key and value.
 *
 * Returns: (transfer full): the rule
 */
JmRunRule *
jm_run_rule_new (const JmRuleDraft *draft, GHashTable *thresholds, GError **error);

/* Names of rules that need not be said where this one is. */
const char *const *jm_run_rule_get_supersedes (JmRunRule *self);

/* NULL where the rule is not true of the run, or too little is known of it. */
JmRunAdvice *jm_run_rule_judge (JmRunRule *self, JmRunReport *report);

G_END_DECLS
