/* script.c: what a library that stands in for a maker's shall say
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "script.h"

#include <string.h>

#define HANG_POLL_US 5000

static const char *
get_path (Script *self)
{
  const char *path = g_getenv (self->variable);

  if (path == NULL)
    g_error ("%s names no script", self->variable);

  return path;
}

static gboolean
has_changed (Script *self, const struct stat *now)
{
  return self->keys == NULL || now->st_ino != self->read.st_ino ||
         now->st_size != self->read.st_size ||
         now->st_mtim.tv_sec != self->read.st_mtim.tv_sec ||
         now->st_mtim.tv_nsec != self->read.st_mtim.tv_nsec;
}

/* One that is being written is read again. */
static void
refresh (Script *self)
{
  g_autoptr (GKeyFile) keys = g_key_file_new ();
  g_autoptr (GError) error = NULL;
  const char *path = get_path (self);
  struct stat now;

  if (stat (path, &now) < 0 && self->keys == NULL)
    g_error ("%s: no such script", path);
  if (!has_changed (self, &now))
    return;

  if (!g_key_file_load_from_file (keys, path, G_KEY_FILE_NONE, &error))
    {
      if (self->keys == NULL)
        g_error ("%s: %s", path, error->message);
      return;
    }
  g_clear_pointer (&self->keys, g_key_file_unref);
  self->keys = g_steal_pointer (&keys);
  self->read = now;
  self->read_us = g_get_monotonic_time ();
}

/* --- what it says --- */

gboolean
script_has_group (Script *self, const char *group)
{
  return g_key_file_has_group (self->keys, group);
}

char *
script_get_text (Script *self, const char *group, const char *key)
{
  return g_key_file_get_string (self->keys, group, key, NULL);
}

gboolean
script_get_number (Script *self, const char *group, const char *key, guint64 *value)
{
  g_autofree char *text = script_get_text (self, group, key);

  if (text == NULL)
    return FALSE;

  *value = g_ascii_strtoull (text, NULL, 0);
  return TRUE;
}

guint64
script_get_number_or (Script *self,
                      const char *group,
                      const char *key,
                      guint64 fallback)
{
  guint64 value = fallback;

  script_get_number (self, group, key, &value);
  return value;
}

char **
script_get_list (Script *self, const char *group, const char *key)
{
  return g_key_file_get_string_list (self->keys, group, key, NULL, NULL);
}

static gboolean
is_group_of (const char *group, const char *parent)
{
  gsize length = strcspn (group, ".");

  if (!g_ascii_isdigit (group[0]))
    return FALSE;
  if (parent == NULL)
    return group[length] == '\0';

  return group[length] == '.' && strlen (parent) == length &&
         strncmp (group, parent, length) == 0;
}

GPtrArray *
script_list_groups (Script *self, const char *parent)
{
  GPtrArray *groups = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) all = g_key_file_get_groups (self->keys, NULL);

  for (guint i = 0; all[i] != NULL; i++)
    if (is_group_of (all[i], parent))
      g_ptr_array_add (groups, g_strdup (all[i]));

  return groups;
}

/* --- every call --- */

static void
write_counts (Script *self)
{
  g_autofree char *path = script_get_text (self, SCRIPT_LIBRARY, "calls");
  g_autoptr (GString) text = g_string_new (NULL);
  GHashTableIter iter;
  gpointer name, n;

  if (path == NULL)
    return;

  g_hash_table_iter_init (&iter, self->calls);
  while (g_hash_table_iter_next (&iter, &name, &n))
    g_string_append_printf (text, "%s %u\n", (const char *) name, GPOINTER_TO_UINT (n));
  if (!g_file_set_contents (path, text->str, (gssize) text->len, NULL))
    g_error ("%s: cannot be written", path);
}

static void
count (Script *self, const char *function)
{
  guint n;

  if (self->calls == NULL)
    self->calls = g_hash_table_new (g_str_hash, g_str_equal);
  n = GPOINTER_TO_UINT (g_hash_table_lookup (self->calls, function));
  g_hash_table_insert (self->calls, (gpointer) function, GUINT_TO_POINTER (n + 1));
  write_counts (self);
}

static gboolean
does_hang (Script *self, const char *function, const char *group)
{
  g_auto (GStrv) names = script_get_list (self, group, "hang");

  return names != NULL && (g_strv_contains ((const char *const *) names, function) ||
                           g_strv_contains ((const char *const *) names, "all"));
}

int
script_check (Script *self, const char *function, const char *group)
{
  g_autofree char *key = g_strconcat ("error.", function, NULL);
  g_autofree char *text = NULL;

  while (does_hang (self, function, group))
    {
      g_mutex_unlock (&self->mutex);
      g_usleep (HANG_POLL_US);
      g_mutex_lock (&self->mutex);
      refresh (self);
    }
  text = script_get_text (self, group, key);

  return text != NULL ? (int) g_ascii_strtoll (text, NULL, 0) : 0;
}

int
script_begin (Script *self, const char *function)
{
  g_mutex_lock (&self->mutex);
  refresh (self);
  count (self, function);

  return script_check (self, function, SCRIPT_LIBRARY);
}

int
script_end (Script *self, int result)
{
  g_mutex_unlock (&self->mutex);

  return result;
}
