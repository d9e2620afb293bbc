/* jm-run-rule-private.h: what is said of which runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "judge/jm-rule-draft-private.h"
#include "judge/jm-run-report.h"
#include "judge/jm-run-rules.h"

G_BEGIN_DECLS

/* A rule of advice: of which runs it is true, and what it says then. An immutable
 * record, shared by reference. */
typedef struct _JmRunRule JmRunRule;

#define JM_TYPE_RUN_RULE (jm_run_rule_get_type ())

GType jm_run_rule_get_type (void);

JmRunRule *jm_run_rule_ref (JmRunRule *self);

void jm_run_rule_unref (JmRunRule *self);

const char *jm_run_rule_get_name (JmRunRule *self);

JmAdviceLevel jm_run_rule_get_level (JmRunRule *self);

const char *jm_run_rule_get_when (JmRunRule *self);

double jm_run_rule_get_observed (JmRunRule *self);

const char *jm_run_rule_get_title (JmRunRule *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRunRule, jm_run_rule_unref)

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

GPtrArray *jm_run_rules_list (JmRunRules *self);
guint32 jm_run_rules_get_version (JmRunRules *self);

G_END_DECLS
