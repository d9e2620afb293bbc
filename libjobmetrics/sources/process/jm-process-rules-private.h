/* jm-process-rules-private.h: which processes are a scheduler's own helpers
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-dir-private.h"

G_BEGIN_DECLS

/**
 * JmProcessRules:
 *
 * What the helpers of schedulers look like. All user ids of a helper are root's,
 * whatever a rule says: each of the rest a user can put on.
 */
typedef struct _JmProcessRules JmProcessRules;

JmProcessRules *jm_process_rules_new (void);
void jm_process_rules_free (JmProcessRules *self);

void jm_process_rules_set (JmProcessRules *self, const char *const *helpers);
int jm_process_rules_match (const JmProcessRules *self,
                            const JmDir *process,
                            const char *comm,
                            int is_root);
gboolean jm_process_rules_name (const JmProcessRules *self, const char *comm);
int jm_process_ask_root (const JmDir *process);

G_END_DECLS
