/* jm-rule-draft-private.h: a rule of advice as its files have it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  JM_RULE_KEY_WHEN,
  JM_RULE_KEY_LEVEL,
  JM_RULE_KEY_OBSERVED,
  JM_RULE_KEY_SUPERSEDES,
  JM_RULE_KEY_VERDICT,
  JM_RULE_KEY_WASTED,
  JM_RULE_KEY_TITLE,
  JM_RULE_KEY_REASON,
  JM_RULE_KEY_ACTION,
  JM_RULE_KEY_CAUSE,
} JmRuleKey;

#define JM_N_RULE_KEYS (JM_RULE_KEY_CAUSE + 1)

/* JmRuleDraft:
 * @file: what messages call the last file that has it
 * @values: NULL of what no file says
 * @files: who said it
 *
 * What a later file says of a rule replaces what an earlier one did, key by key. */
typedef struct
{
  char *name;
  char *file;
  char *values[JM_N_RULE_KEYS];
  char *files[JM_N_RULE_KEYS];
} JmRuleDraft;

const char *jm_rule_key_get_name (JmRuleKey key);

JmRuleDraft *jm_rule_draft_new (const char *name);
void jm_rule_draft_free (JmRuleDraft *self);

/* Takes over what a group of a file says: all of it, or nothing. */
gboolean jm_rule_draft_read (JmRuleDraft *self,
                             GKeyFile *key_file,
                             const char *file,
                             GError **error);

/* An expression of nothing is how a site takes a rule away. */
gboolean jm_rule_draft_is_hidden (const JmRuleDraft *self);

/* A text with the thresholds in it; NULL with an error where there is no such one.
 * Names of thresholds are small letters, so that `$SLURM_TMPDIR` is none. */
char *
jm_rule_thresholds_fill (GHashTable *thresholds, const char *text, GError **error);

/* Adds the names of those that a text has. */
void jm_rule_thresholds_list (const char *text, GHashTable *names);

/* What a file says of thresholds: all of it, or nothing. */
gboolean
jm_rule_thresholds_read (GHashTable *thresholds, GKeyFile *key_file, GError **error);

#define JM_RULE_THRESHOLDS "Thresholds"

/* The threshold that counts where a rule does not say how much of a run must have been
 * observed. */
#define JM_RULE_OBSERVED "observed"

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRuleDraft, jm_rule_draft_free)

G_END_DECLS
