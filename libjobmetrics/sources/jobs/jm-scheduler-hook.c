/* jm-scheduler-hook.c: where a scheduler's hooks leave files about jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-definition-groups-private.h"

#include "base/jm-error-private.h"

#define GROUP "Hook"
#define FIELDS                                                                         \
 (JM_PATH_BIT (JOB) | JM_PATH_BIT (KEY) | JM_PATH_BIT (SLUID) | JM_PATH_BIT (USER))

struct _JmSchedulerHook
{
  char *directory;  /* NULL: there is no hook */
  GPtrArray *files; /* of JmPathPattern */
};

/**
 * jm_scheduler_hook_new: (skip)
 *
 * Returns: (transfer full): no hook
 */
JmSchedulerHook *
jm_scheduler_hook_new (void)
{
  JmSchedulerHook *self = g_new0 (JmSchedulerHook, 1);

  self->files = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_path_pattern_free);

  return self;
}

/**
 * jm_scheduler_hook_free: (skip)
 * @self: (transfer full): a hook
 */
void
jm_scheduler_hook_free (JmSchedulerHook *self)
{
  g_ptr_array_unref (self->files);
  g_free (self->directory);
  g_free (self);
}

static gboolean
add_file (JmSchedulerHook *self, const char *text, GError **error)
{
  g_autoptr (JmPathPattern) pattern = jm_path_pattern_new (text, FIELDS, error);

  if (pattern == NULL)
    return FALSE;
  if (strchr (text, '/') != NULL)
    return jm_error_refuse (error, "a file name with a slash", text);
  if (jm_path_pattern_get_fields (pattern) == 0)
    return jm_error_refuse (error, "one file for all jobs", text);

  g_ptr_array_add (self->files, g_steal_pointer (&pattern));

  return TRUE;
}

static gboolean
add_files (JmSchedulerHook *self, GKeyFile *file, const char *key, GError **error)
{
  g_auto (GStrv) texts = g_key_file_get_string_list (file, GROUP, key, NULL, error);

  if (texts == NULL)
    return FALSE;
  if (texts[0] == NULL)
    return jm_error_refuse (error, "an empty list", "");

  for (guint i = 0; texts[i] != NULL; i++)
    if (!add_file (self, texts[i], error))
      return FALSE;

  return TRUE;
}

static gboolean
set_directory (JmSchedulerHook *self, GKeyFile *file, const char *key, GError **error)
{
  g_free (self->directory);
  self->directory = g_key_file_get_string (file, GROUP, key, error);
  if (self->directory == NULL)
    return FALSE;

  return g_path_is_absolute (self->directory) ||
         jm_error_refuse (error, "not an absolute path", self->directory);
}

/**
 * jm_scheduler_hook_add: (skip)
 * @self: a hook
 * @file: a definition
 * @key: a key in its group `Hook`
 * @error: return location for an error
 *
 * Understands a key of a definition.
 *
 * - Errors: `INVALID`: what is wrong, and the value.
 *
 * Returns: whether it could be understood
 */
gboolean
jm_scheduler_hook_add (JmSchedulerHook *self,
                       GKeyFile *file,
                       const char *key,
                       GError **error)
{
  if (g_str_equal (key, "Directory"))
    return set_directory (self, file, key, error);
  if (g_str_equal (key, "File"))
    return add_files (self, file, key, error);

  return jm_error_refuse (error, "unknown key", key);
}

/**
 * jm_scheduler_hook_check: (skip)
 * @self: a whole hook
 * @error: return location for an error
 *
 * - Errors: `INVALID`: what is missing.
 *
 * Returns: whether it has both keys or none
 */
gboolean
jm_scheduler_hook_check (const JmSchedulerHook *self, GError **error)
{
  if ((self->directory != NULL) == (self->files->len > 0))
    return TRUE;

  return jm_error_refuse (error,
                          self->directory == NULL ? "Hook: Directory" : "Hook: File",
                          "missing");
}

/**
 * jm_scheduler_hook_get_directory: (skip)
 * @self: a hook
 *
 * Returns: (nullable): the logical path where hooks leave files
 */
const char *
jm_scheduler_hook_get_directory (const JmSchedulerHook *self)
{
  return self->directory;
}

/**
 * jm_scheduler_hook_list_files: (skip)
 * @self: a hook
 * @match: what a path reported
 *
 * Returns: (transfer full): the names that a hook's file about the job may have
 */
char **
jm_scheduler_hook_list_files (const JmSchedulerHook *self, const JmPathMatch *match)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; i < self->files->len; i++)
    {
      g_autofree char *name = jm_path_pattern_fill (self->files->pdata[i], match);

      if (name != NULL)
        g_strv_builder_add (names, name);
    }

  return g_strv_builder_end (names);
}
