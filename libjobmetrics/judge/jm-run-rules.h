/* jm-run-rules.h: rules by which runs are judged, and their advice
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"
#include "judge/jm-run-report.h"

G_BEGIN_DECLS

/**
 * JmAdviceLevel:
 * @JM_ADVICE_LEVEL_NOTE: worth knowing
 * @JM_ADVICE_LEVEL_WARNING: part of what the run was given was wasted, or it was slower
 *   than it might have been
 * @JM_ADVICE_LEVEL_ACT: it failed, or most of what it was given was wasted: to be
 *   changed before it runs again
 *
 * How much a piece of advice matters.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_ADVICE_LEVEL_NOTE,
  JM_ADVICE_LEVEL_WARNING,
  JM_ADVICE_LEVEL_ACT,
} JmAdviceLevel;

/**
 * JM_N_ADVICE_LEVELS:
 *
 * How many #JmAdviceLevel there are.
 *
 * Since: 0.1
 */
#define JM_N_ADVICE_LEVELS (JM_ADVICE_LEVEL_ACT + 1)

#define JM_TYPE_ADVICE_LEVEL (jm_advice_level_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_advice_level_get_type (void);

/**
 * JmRunAdvice:
 *
 * The advice of a rule about a run: an immutable record, shared by reference.
 *
 * Since: 0.1
 */
typedef struct _JmRunAdvice JmRunAdvice;

#define JM_TYPE_RUN_ADVICE (jm_run_advice_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_run_advice_get_type (void);

JM_AVAILABLE_IN_ALL
void jm_run_advice_unref (JmRunAdvice *self);

JM_AVAILABLE_IN_ALL
const char *jm_run_advice_get_rule (JmRunAdvice *self);

JM_AVAILABLE_IN_ALL
JmAdviceLevel jm_run_advice_get_level (JmRunAdvice *self);

JM_AVAILABLE_IN_ALL
const char *jm_run_advice_get_title (JmRunAdvice *self);

JM_AVAILABLE_IN_ALL
const char *jm_run_advice_get_reason (JmRunAdvice *self);

JM_AVAILABLE_IN_ALL
const char *jm_run_advice_get_action (JmRunAdvice *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRunAdvice, jm_run_advice_unref)

/**
 * JmRunRules:
 *
 * Rules by which runs are judged: those that are built in, and a site's own. They
 * never change once they are read.
 *
 * Since: 0.1
 */
typedef struct _JmRunRules JmRunRules;

#define JM_TYPE_RUN_RULES (jm_run_rules_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_run_rules_get_type (void);

JM_AVAILABLE_IN_ALL
JmRunRules *jm_run_rules_new (JmHost *host, GError **error);

JM_AVAILABLE_IN_ALL
JmRunRules *jm_run_rules_new_from_text (const char *path,
                                        const char *text,
                                        gsize length,
                                        GError **error);

JM_AVAILABLE_IN_ALL
JmRunRules *jm_run_rules_ref (JmRunRules *self);

JM_AVAILABLE_IN_ALL
void jm_run_rules_unref (JmRunRules *self);

JM_AVAILABLE_IN_ALL
char **jm_run_rules_list_problems (JmRunRules *self);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_run_rules_judge (JmRunRules *self, JmRunReport *report);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRunRules, jm_run_rules_unref)

G_END_DECLS
