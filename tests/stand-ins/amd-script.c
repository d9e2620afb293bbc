/* amd-script.c: the script of the stand-ins for AMD's libraries; README.md explains it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "amd-script.h"

#include <string.h>

#define SCRIPT "AMD_SMI_STAND_IN"
#define LIBRARY "library"
#define HANG_POLL_US 5000

/* A stand-in for one library of one process. */
static struct
{
  GMutex mutex;
  GHashTable *calls; /* how often, by function */
} here;

/* As it is now: it is small, and a test changes it while somebody asks. */
static GKeyFile *
read_script (void)
{
  const char *path = g_getenv (SCRIPT);
  GKeyFile *script = g_key_file_new ();
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    g_error (SCRIPT " names no script");
  if (!g_key_file_load_from_file (script, path, G_KEY_FILE_NONE, &error))
    g_error ("%s: %s", path, error->message);

  return script;
}

static char *
get_text (guint device, const char *key)
{
  g_autoptr (GKeyFile) script = read_script ();
  g_autofree char *group =
    device == AMD_SCRIPT_LIBRARY ? g_strdup (LIBRARY) : g_strdup_printf ("%u", device);

  return g_key_file_get_string (script, group, key, NULL);
}

guint
amd_script_count (void)
{
  g_autoptr (GKeyFile) script = read_script ();
  guint n = 0;

  for (;; n++)
    {
      g_autofree char *group = g_strdup_printf ("%u", n);

      if (!g_key_file_has_group (script, group))
        return n;
    }
}

gboolean
amd_script_get (guint device, const char *key, guint64 *value)
{
  g_autofree char *text = get_text (device, key);

  if (text == NULL)
    return FALSE;
  *value = g_ascii_strtoull (text, NULL, 0);

  return TRUE;
}

static void
note_call (const char *function)
{
  g_autofree char *path = get_text (AMD_SCRIPT_LIBRARY, "calls");
  g_autoptr (GString) text = g_string_new (NULL);
  GHashTableIter iter;
  gpointer name, count;

  g_mutex_lock (&here.mutex);
  if (here.calls == NULL)
    here.calls = g_hash_table_new (g_str_hash, g_str_equal);
  count = g_hash_table_lookup (here.calls, function);
  g_hash_table_insert (here.calls, (gpointer) function,
                       GUINT_TO_POINTER (GPOINTER_TO_UINT (count) + 1));

  g_hash_table_iter_init (&iter, here.calls);
  while (g_hash_table_iter_next (&iter, &name, &count))
    g_string_append_printf (text, "%s %u\n", (const char *) name,
                            GPOINTER_TO_UINT (count));
  if (path != NULL)
    g_file_set_contents (path, text->str, -1, NULL);
  g_mutex_unlock (&here.mutex);
}

static gboolean
hangs (guint device, const char *function)
{
  g_autofree char *text = get_text (device, "hang");
  g_auto (GStrv) functions = text != NULL ? g_strsplit (text, ";", -1) : NULL;

  return functions != NULL &&
         (g_strv_contains ((const char *const *) functions, function) ||
          g_strv_contains ((const char *const *) functions, "all"));
}

int
amd_script_enter (guint device, const char *function)
{
  g_autofree char *key = g_strconcat ("error.", function, NULL);
  guint64 error = 0;

  note_call (function);
  while (hangs (device, function))
    g_usleep (HANG_POLL_US);
  if (!amd_script_get (device, key, &error))
    amd_script_get (AMD_SCRIPT_LIBRARY, key, &error);

  return (int) error;
}
