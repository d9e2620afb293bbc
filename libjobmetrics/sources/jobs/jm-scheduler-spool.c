/* jm-scheduler-spool.c: where a scheduler keeps a folder for each job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-definition-groups-private.h"

#include <string.h>

#include "base/jm-error-private.h"
#include "sources/jobs/jm-variable-names-private.h"

#define GROUP "Spool"
#define DIRECTORIES_MAX 32

void
jm_scheduler_spool_clear (JmSchedulerSpool *self)
{
  g_clear_pointer (&self->directories, g_strfreev);
  g_clear_pointer (&self->group, g_free);
}

/* `%n` is the only placeholder: whatever else there is to know is not known yet. */
static gboolean
check_directory (const char *path, GError **error)
{
  if (!g_path_is_absolute (path))
    return jm_error_refuse (error, "not an absolute path", path);

  for (const char *percent = strchr (path, '%'); percent != NULL;
       percent = strchr (percent + 1, '%'))
    if (percent[1] != 'n')
      return jm_error_refuse (error, "an unknown placeholder", percent);

  return TRUE;
}

static gboolean
add_directories (JmSchedulerSpool *self, GKeyFile *file, GError **error)
{
  g_auto (GStrv) paths =
    g_key_file_get_string_list (file, GROUP, "Directory", NULL, error);

  if (paths == NULL)
    return FALSE;
  if (paths[0] == NULL)
    return jm_error_refuse (error, "an empty list", "");
  if (g_strv_length (paths) > DIRECTORIES_MAX)
    return jm_error_refuse (error, "too many directories, from here",
                            paths[DIRECTORIES_MAX]);
  for (guint i = 0; paths[i] != NULL; i++)
    if (!check_directory (paths[i], error))
      return FALSE;

  g_strfreev (self->directories);
  self->directories = g_steal_pointer (&paths);

  return TRUE;
}

static gboolean
add_group (JmSchedulerSpool *self, GKeyFile *file, GError **error)
{
  g_free (self->group);
  self->group = g_key_file_get_string (file, GROUP, "Group", error);
  if (self->group == NULL)
    return FALSE;

  return jm_is_word (self->group, "_.-") ||
         jm_error_refuse (error, "not a file name", self->group);
}

gboolean
jm_scheduler_spool_add (JmSchedulerSpool *self,
                        GKeyFile *file,
                        const char *key,
                        GError **error)
{
  if (g_str_equal (key, "Directory"))
    return add_directories (self, file, error);
  if (g_str_equal (key, "Group"))
    return add_group (self, file, error);

  return jm_error_refuse (error, "unknown key", key);
}

gboolean
jm_scheduler_spool_check (const JmSchedulerSpool *self, GError **error)
{
  if ((self->directories != NULL) != (self->group != NULL))
    return jm_error_refuse (error,
                            self->group != NULL ? "Spool: Directory" : "Spool: Group",
                            "missing");

  return TRUE;
}
