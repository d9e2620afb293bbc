/* jm-key-file.c: key files that say nothing twice
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-key-file-private.h"

#include "base/jm-error-private.h"

static gboolean
check_groups (const char *text, gsize length, GError **error)
{
  g_autofree char *copy = g_strndup (text, length);
  g_auto (GStrv) lines = g_strsplit (copy, "\n", -1);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] == '[' && !g_hash_table_add (seen, g_strchomp (lines[i])))
      return jm_error_refuse (error, "a group twice", lines[i]);

  return TRUE;
}

GKeyFile *
jm_key_file_new_from_text (const char *text, gsize length, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();

  return check_groups (text, length, error) &&
             g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, error)
           ? g_steal_pointer (&file)
           : NULL;
}

char **
jm_key_file_list_keys (GKeyFile *file, const char *group, GError **error)
{
  g_auto (GStrv) keys = g_key_file_get_keys (file, group, NULL, error);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    if (!g_hash_table_add (seen, keys[i]))
      {
        jm_error_refuse (error, "a key twice", keys[i]);
        return NULL;
      }

  return g_steal_pointer (&keys);
}
