/* jm-rule-draft.c: a rule of advice as its files have it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-rule-draft-private.h"

#include <string.h>

#include "base/jm-error-private.h"
#include "core/jm-key-file-private.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyz"
#define NAME LETTERS "0123456789"
#define MAX_NAME 64
#define MAX_VALUE 64
#define MAX_TEXT 4096

static const char *const key_names[JM_N_RULE_KEYS] = {
  [JM_RULE_KEY_WHEN] = "When",         [JM_RULE_KEY_LEVEL] = "Level",
  [JM_RULE_KEY_OBSERVED] = "Observed", [JM_RULE_KEY_SUPERSEDES] = "Supersedes",
  [JM_RULE_KEY_VERDICT] = "Verdict",   [JM_RULE_KEY_WASTED] = "Wasted",
  [JM_RULE_KEY_TITLE] = "Title",       [JM_RULE_KEY_REASON] = "Reason",
  [JM_RULE_KEY_ACTION] = "Action",     [JM_RULE_KEY_CAUSE] = "Cause",
};

const char *
jm_rule_key_get_name (JmRuleKey key)
{
  return key_names[key];
}

JmRuleDraft *
jm_rule_draft_new (const char *name)
{
  JmRuleDraft *self = g_new0 (JmRuleDraft, 1);

  self->name = g_strdup (name);

  return self;
}

void
jm_rule_draft_free (JmRuleDraft *self)
{
  for (guint i = 0; i < JM_N_RULE_KEYS; i++)
    {
      g_free (self->values[i]);
      g_free (self->files[i]);
    }
  g_free (self->name);
  g_free (self->file);
  g_free (self);
}

/* Begins with a small letter, and has nothing in it but @allowed. */
static gboolean
is_name (const char *name, const char *allowed)
{
  const gsize length = strlen (name);

  return length > 0 && length <= MAX_NAME && strchr (LETTERS, *name) != NULL &&
         strspn (name, allowed) == length;
}

static gboolean
find_key (const char *name, JmRuleKey *key)
{
  for (guint i = 0; i < JM_N_RULE_KEYS; i++)
    if (g_str_equal (name, key_names[i]))
      {
        *key = i;
        return TRUE;
      }

  return FALSE;
}

static char *
read_value (GKeyFile *key_file, const char *group, const char *key, GError **error)
{
  g_autofree char *value = g_key_file_get_string (key_file, group, key, error);

  if (value != NULL && strlen (value) > MAX_TEXT)
    g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "longer than %d characters",
                 MAX_TEXT);
  else if (value != NULL)
    return g_steal_pointer (&value);

  g_prefix_error (error, "%s: ", key);

  return NULL;
}

static gboolean
read_keys (JmRuleDraft *self, GKeyFile *key_file, const char *file, GError **error)
{
  g_auto (GStrv) keys = jm_key_file_list_keys (key_file, self->name, error);

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      JmRuleKey key;

      if (!find_key (keys[i], &key))
        return jm_error_refuse (error, "unknown key", keys[i]);
      self->values[key] = read_value (key_file, self->name, keys[i], error);
      if (self->values[key] == NULL)
        return FALSE;
      self->files[key] = g_strdup (file);
    }

  return keys != NULL;
}

gboolean
jm_rule_draft_read (JmRuleDraft *self,
                    GKeyFile *key_file,
                    const char *file,
                    GError **error)
{
  g_autoptr (JmRuleDraft) fresh = jm_rule_draft_new (self->name);

  if (!is_name (self->name, NAME "-"))
    return jm_error_refuse (error, "a rule's name is of small letters, digits and -",
                            self->name);
  if (!read_keys (fresh, key_file, file, error))
    return FALSE;

  for (guint i = 0; i < JM_N_RULE_KEYS; i++)
    if (fresh->values[i] != NULL)
      {
        g_free (self->values[i]);
        self->values[i] = g_steal_pointer (&fresh->values[i]);
        g_free (self->files[i]);
        self->files[i] = g_steal_pointer (&fresh->files[i]);
      }
  g_free (self->file);
  self->file = g_strdup (file);

  return TRUE;
}

gboolean
jm_rule_draft_is_hidden (const JmRuleDraft *self)
{
  const char *when = self->values[JM_RULE_KEY_WHEN];

  return when != NULL && when[strspn (when, " \t")] == '\0';
}

/* --- thresholds --- */

/* It must fit into an expression, and not make another of it. */
static gboolean
check_threshold (const char *name, const char *value, GError **error)
{
  if (!is_name (name, NAME "_"))
    return jm_error_refuse (error,
                            "a threshold's name is of small letters, digits and _",
                            name);
  if (strchr ("0123456789", *value) == NULL || strlen (value) > MAX_VALUE ||
      strspn (value, NAME "ABCDEFGHIJKLMNOPQRSTUVWXYZ.%") != strlen (value))
    return jm_error_refuse (error, "not a figure", value);

  return TRUE;
}

gboolean
jm_rule_thresholds_read (GHashTable *thresholds, GKeyFile *key_file, GError **error)
{
  g_autoptr (GHashTable) fresh =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_auto (GStrv) names = jm_key_file_list_keys (key_file, JM_RULE_THRESHOLDS, error);
  GHashTableIter iter;
  gpointer name, value;

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      g_autofree char *text =
        read_value (key_file, JM_RULE_THRESHOLDS, names[i], error);

      if (text == NULL)
        return FALSE;
      if (!check_threshold (names[i], text, error))
        {
          g_prefix_error (error, "%s: ", names[i]);
          return FALSE;
        }
      g_hash_table_insert (fresh, g_strdup (names[i]), g_steal_pointer (&text));
    }

  g_hash_table_iter_init (&iter, fresh);
  while (g_hash_table_iter_next (&iter, &name, &value))
    {
      g_hash_table_iter_steal (&iter);
      g_hash_table_replace (thresholds, name, value);
    }

  return names != NULL;
}

/* The name of the threshold that begins here; NULL where none does. */
static char *
take_threshold (const char *text)
{
  if (*text != '$' || text[1] == '\0' || strchr (LETTERS, text[1]) == NULL)
    return NULL;

  return g_strndup (text + 1, strspn (text + 1, NAME "_"));
}

void
jm_rule_thresholds_list (const char *text, GHashTable *names)
{
  for (; *text != '\0'; text++)
    {
      char *name = take_threshold (text);

      if (name != NULL)
        g_hash_table_add (names, name);
    }
}

char *
jm_rule_thresholds_fill (GHashTable *thresholds, const char *text, GError **error)
{
  g_autoptr (GString) filled = g_string_new (NULL);

  while (*text != '\0')
    {
      g_autofree char *name = take_threshold (text);
      const char *value;

      if (name == NULL)
        {
          g_string_append_c (filled, *text++);
          continue;
        }

      value = g_hash_table_lookup (thresholds, name);
      if (value == NULL)
        {
          jm_error_refuse (error, "no such threshold", name);
          return NULL;
        }
      g_string_append (filled, value);
      text += strlen (name) + 1;
    }

  return g_string_free (g_steal_pointer (&filled), FALSE);
}
