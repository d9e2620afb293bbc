/* jm-run-rule.h: what is said of which runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "judge/jm-run-advice.h"

G_BEGIN_DECLS

/**
 * JmRunRule:
 *
 * A rule of advice: of which runs it is true, and what it says then. An immutable
 * record, shared by reference.
 *
 * Since: 0.1
 */
typedef struct _JmRunRule JmRunRule;

#define JM_TYPE_RUN_RULE (jm_run_rule_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_run_rule_get_type (void);

JM_AVAILABLE_IN_ALL
JmRunRule *jm_run_rule_ref (JmRunRule *self);

JM_AVAILABLE_IN_ALL
void jm_run_rule_unref (JmRunRule *self);

JM_AVAILABLE_IN_ALL
const char *jm_run_rule_get_name (JmRunRule *self);

JM_AVAILABLE_IN_ALL
JmAdviceLevel jm_run_rule_get_level (JmRunRule *self);

JM_AVAILABLE_IN_ALL
const char *jm_run_rule_get_when (JmRunRule *self);

JM_AVAILABLE_IN_ALL
double jm_run_rule_get_observed (JmRunRule *self);

JM_AVAILABLE_IN_ALL
const char *jm_run_rule_get_title (JmRunRule *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRunRule, jm_run_rule_unref)

G_END_DECLS
