/* jme-config-file.c: options from a file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "daemon/jme-config-file.h"

#include "core/jm-error.h"

static void
add_key (GStrvBuilder *arguments, GKeyFile *file, const char *group, const char *key)
{
  g_auto (GStrv) values = g_key_file_get_string_list (file, group, key, NULL, NULL);

  for (char **value = values; value != NULL && *value != NULL; value++)
    {
      g_autofree char *argument = NULL;

      if (g_str_equal (*value, "true"))
        argument = g_strconcat ("--", key, NULL);
      else if (g_str_equal (*value, "false"))
        argument = g_strconcat ("--no-", key, NULL);
      else
        argument = g_strconcat ("--", key, "=", *value, NULL);
      g_strv_builder_add (arguments, argument);
    }
}

char **
jme_config_file_read (const char *path, const char *group, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GStrvBuilder) arguments = g_strv_builder_new ();
  g_autoptr (GError) reason = NULL;
  g_auto (GStrv) keys = NULL;

  if (!g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, &reason))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "--config.file: %s: %s", path,
                   reason->message);
      return NULL;
    }

  g_strv_builder_add (arguments, path);
  keys = g_key_file_get_keys (file, group, NULL, NULL);
  for (char **key = keys; key != NULL && *key != NULL; key++)
    add_key (arguments, file, group, *key);

  return g_strv_builder_end (arguments);
}
