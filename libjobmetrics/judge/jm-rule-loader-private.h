/* jm-rule-loader-private.h: the files of rules of advice, one after the other
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* JmRuleLoader:
 *
 * What the files say that were read so far. What cannot be understood costs the rule
 * that it is in, or the threshold, and is a problem. */
typedef struct _JmRuleLoader JmRuleLoader;

JmRuleLoader *jm_rule_loader_new (void);
void jm_rule_loader_free (JmRuleLoader *self);

/* What a later file says replaces what an earlier one did, key by key. */
void jm_rule_loader_add_text (JmRuleLoader *self,
                              const char *file,
                              const char *text,
                              gsize length);
void jm_rule_loader_add_problem (JmRuleLoader *self, const char *message);

/* The rules (JmRunRule) that all files together make, in their order. */
GPtrArray *jm_rule_loader_end (JmRuleLoader *self);

/* Sentences (char), of the files that have been read and of the rules. */
GPtrArray *jm_rule_loader_get_problems (JmRuleLoader *self);

/* Of all files that were read, by what stands in them: the first digits of a SHA-256,
 * never 0. */
guint32 jm_rule_loader_get_version (JmRuleLoader *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRuleLoader, jm_rule_loader_free)

G_END_DECLS
