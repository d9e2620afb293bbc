/* jm-rule-loader.c: the files of rules of advice, one after the other
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-rule-loader-private.h"

#include "base/jm-error-private.h"
#include "core/jm-key-file-private.h"
#include "judge/jm-run-rule-private.h"

#define MAX_RULES 1024
/* Is raised when judge/ comes to other verdicts by the same rules. */
#define JUDGE_VERSION "1"

struct _JmRuleLoader
{
  GPtrArray *drafts;           /* of JmRuleDraft, in the order in which they came */
  GHashTable *thresholds;      /* name to value */
  GHashTable *threshold_files; /* name to who said it last */
  GHashTable *mentioned;       /* names of thresholds that some rule has */
  GPtrArray *problems;         /* of char */
  GChecksum *texts;            /* of all files */
};

JmRuleLoader *
jm_rule_loader_new (void)
{
  JmRuleLoader *self = g_new0 (JmRuleLoader, 1);

  self->drafts = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_rule_draft_free);
  self->thresholds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->threshold_files =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->mentioned = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->problems = g_ptr_array_new_with_free_func (g_free);
  self->texts = g_checksum_new (G_CHECKSUM_SHA256);
  g_checksum_update (self->texts, (const guchar *) JUDGE_VERSION, -1);
  /* rules that have none of their own have this one */
  g_hash_table_add (self->mentioned, g_strdup (JM_RULE_OBSERVED));

  return self;
}

void
jm_rule_loader_free (JmRuleLoader *self)
{
  g_ptr_array_unref (self->drafts);
  g_hash_table_unref (self->thresholds);
  g_hash_table_unref (self->threshold_files);
  g_hash_table_unref (self->mentioned);
  g_ptr_array_unref (self->problems);
  g_checksum_free (self->texts);
  g_free (self);
}

GPtrArray *
jm_rule_loader_get_problems (JmRuleLoader *self)
{
  return self->problems;
}

/* Whatever stands in a file, the message can be printed. */
void
jm_rule_loader_add_problem (JmRuleLoader *self, const char *message)
{
  g_ptr_array_add (self->problems, g_utf8_make_valid (message, -1));
}

static JmRuleDraft *
find_draft (JmRuleLoader *self, const char *name)
{
  for (guint i = 0; i < self->drafts->len; i++)
    {
      JmRuleDraft *draft = self->drafts->pdata[i];

      if (g_str_equal (draft->name, name))
        return draft;
    }

  return NULL;
}

static gboolean
add_rule (JmRuleLoader *self,
          GKeyFile *key_file,
          const char *group,
          const char *file,
          GError **error)
{
  JmRuleDraft *draft = find_draft (self, group);
  g_autoptr (JmRuleDraft) fresh = NULL;

  if (draft == NULL && self->drafts->len == MAX_RULES)
    return jm_error_refuse (error, "too many rules, from here", group);
  if (draft == NULL)
    draft = fresh = jm_rule_draft_new (group);
  if (!jm_rule_draft_read (draft, key_file, file, error))
    return FALSE;

  for (guint i = 0; i < JM_N_RULE_KEYS; i++)
    if (draft->values[i] != NULL)
      jm_rule_thresholds_list (draft->values[i], self->mentioned);
  if (fresh != NULL)
    g_ptr_array_add (self->drafts, g_steal_pointer (&fresh));

  return TRUE;
}

static gboolean
add_thresholds (JmRuleLoader *self,
                GKeyFile *key_file,
                const char *file,
                GError **error)
{
  g_auto (GStrv) names = NULL;

  if (!jm_rule_thresholds_read (self->thresholds, key_file, error))
    return FALSE;

  names = g_key_file_get_keys (key_file, JM_RULE_THRESHOLDS, NULL, NULL);
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    g_hash_table_replace (self->threshold_files, g_strdup (names[i]), g_strdup (file));

  return TRUE;
}

static void
add_group (JmRuleLoader *self, GKeyFile *key_file, const char *group, const char *file)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;

  if (g_str_equal (group, JM_RULE_THRESHOLDS)
        ? add_thresholds (self, key_file, file, &error)
        : add_rule (self, key_file, group, file, &error))
    return;

  message = g_strdup_printf ("%s: %s: %s", file, group, error->message);
  jm_rule_loader_add_problem (self, message);
}

void
jm_rule_loader_add_text (JmRuleLoader *self,
                         const char *file,
                         const char *text,
                         gsize length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GKeyFile) key_file = jm_key_file_new_from_text (text, length, &error);
  g_auto (GStrv) groups = NULL;

  g_checksum_update (self->texts, (const guchar *) text, (gssize) length);
  if (key_file == NULL)
    {
      g_autofree char *message = g_strdup_printf ("%s: %s", file, error->message);

      jm_rule_loader_add_problem (self, message);
      return;
    }

  groups = g_key_file_get_groups (key_file, NULL);
  for (guint i = 0; groups[i] != NULL; i++)
    add_group (self, key_file, groups[i], file);
}

/* A rule that is taken away may still be superseded. */
static gboolean
check_superseded (JmRuleLoader *self,
                  JmRunRule *rule,
                  const JmRuleDraft *draft,
                  GError **error)
{
  const char *const *names = jm_run_rule_get_supersedes (rule);

  for (guint i = 0; names[i] != NULL; i++)
    if (find_draft (self, names[i]) == NULL)
      {
        g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s: %s: no such rule: %s",
                     draft->files[JM_RULE_KEY_SUPERSEDES], draft->name,
                     jm_rule_key_get_name (JM_RULE_KEY_SUPERSEDES), names[i]);
        return FALSE;
      }

  return TRUE;
}

/* What no rule mentions is most likely the name of another, spelled wrongly. */
static void
check_thresholds (JmRuleLoader *self)
{
  g_autoptr (GList) names = g_hash_table_get_keys (self->thresholds);

  names = g_list_sort (names, (GCompareFunc) g_strcmp0);
  for (GList *i = names; i != NULL; i = i->next)
    if (!g_hash_table_contains (self->mentioned, i->data))
      {
        g_autofree char *message =
          g_strdup_printf ("%s: %s: no rule has this threshold: %s",
                           (char *) g_hash_table_lookup (self->threshold_files,
                                                         i->data),
                           JM_RULE_THRESHOLDS, (char *) i->data);

        jm_rule_loader_add_problem (self, message);
      }
}

GPtrArray *
jm_rule_loader_end (JmRuleLoader *self)
{
  GPtrArray *rules =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_rule_unref);

  for (guint i = 0; i < self->drafts->len; i++)
    {
      const JmRuleDraft *draft = self->drafts->pdata[i];
      g_autoptr (GError) error = NULL;
      g_autoptr (JmRunRule) rule = NULL;

      if (jm_rule_draft_is_hidden (draft))
        continue;
      rule = jm_run_rule_new (draft, self->thresholds, &error);
      if (rule != NULL && check_superseded (self, rule, draft, &error))
        g_ptr_array_add (rules, g_steal_pointer (&rule));
      else
        jm_rule_loader_add_problem (self, error->message);
    }
  check_thresholds (self);

  return rules;
}

guint32
jm_rule_loader_get_version (JmRuleLoader *self)
{
  char digits[9];

  g_strlcpy (digits, g_checksum_get_string (self->texts), sizeof digits);

  return MAX ((guint32) g_ascii_strtoull (digits, NULL, 16), 1);
}
