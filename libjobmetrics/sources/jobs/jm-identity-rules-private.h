/* jm-identity-rules-private.h: how a scheduler's ids and users are to be understood
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job-draft-private.h"

G_BEGIN_DECLS

/**
 * JmIdentityRules:
 *
 * What the groups `Array`, `User` and `Uuid` of a definition say.
 */
typedef struct _JmIdentityRules JmIdentityRules;

JmIdentityRules *jm_identity_rules_new (void);
void jm_identity_rules_free (JmIdentityRules *self);

gboolean jm_identity_rules_has_group (const char *group);
gboolean jm_identity_rules_add (JmIdentityRules *self,
                                const char *group,
                                const char *key,
                                const char *value,
                                GError **error);

gboolean jm_identity_rules_believe_process (const JmIdentityRules *self);
void jm_identity_rules_complete (const JmIdentityRules *self, JmJobDraft *draft);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmIdentityRules, jm_identity_rules_free)

G_END_DECLS
