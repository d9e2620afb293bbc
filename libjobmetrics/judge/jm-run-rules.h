/* jm-run-rules.h: rules by which runs are judged
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"
#include "judge/jm-run-advice.h"
#include "judge/jm-run-report.h"

G_BEGIN_DECLS

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
