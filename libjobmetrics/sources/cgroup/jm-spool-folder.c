/* jm-spool-folder.c: one job's folder in a spool directory
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define G_LOG_DOMAIN "JobMetrics"

#include "sources/cgroup/jm-spool-folder-private.h"

#include "core/jm-error.h"
#include "host/jm-path-error-private.h"
#include "sources/cgroup/jm-spool-file-private.h"

#define GROUP_FILE_MAX 64
#define USAGE_FILE_MAX (16 * 1024)
/* A line for each host of a job. */
#define SLOTS_FILE_MAX (1024 * 1024)

JmSpoolFolder *
jm_spool_folder_new (const char *path, guint admin)
{
  JmSpoolFolder *self = g_new0 (JmSpoolFolder, 1);

  self->path = g_strdup (path);
  self->admin = admin;
  self->watch = self->usage_watch = -1;
  self->pids = g_array_new (FALSE, FALSE, sizeof (guint));
  self->is_stale = TRUE;

  return self;
}

void
jm_spool_folder_free (JmSpoolFolder *self)
{
  g_array_unref (self->pids);
  g_free (self->path);
  g_free (self);
}

/* A fault costs this job alone, and is told once. */
static void
blame (JmSpoolFolder *self, const GError *error)
{
  if (error == NULL || self->is_blamed ||
      g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
    return;

  g_warning ("%s: the job is left out", error->message);
  self->is_blamed = TRUE;
}

/* An empty one is about to be written. */
static void
read_group (JmSpoolFolder *self, JmHost *host, const char *group_file)
{
  g_autofree char *path = g_build_filename (self->path, group_file, NULL);
  g_autoptr (GError) error = NULL;
  gsize length = 0;
  g_autofree char *text = jm_spool_read_file (host, path, self->admin, GROUP_FILE_MAX,
                                              &length, &self->moment, &error);

  if (length > 0 && !jm_spool_parse_group (text, length, &self->group))
    jm_path_error_set_malformed (&error, path, "not a group of a job's own", text,
                                 length);
  else if (length > 0)
    self->number = g_str_hash (self->path) ^ self->moment;
  blame (self, error);
}

static void
read_usage (JmSpoolFolder *self, JmHost *host)
{
  g_autofree char *path = g_build_filename (self->path, "usage", NULL);
  gsize length;
  g_autofree char *text =
    jm_spool_read_file (host, path, self->admin, USAGE_FILE_MAX, &length, NULL, NULL);

  if (text != NULL &&
      jm_spool_parse_usage (text, length, &self->user_ns, &self->system_ns))
    self->has_usage = TRUE;
}

static void
read_slots (JmSpoolFolder *self, JmHost *host, const char *node_name)
{
  g_autofree char *path = g_build_filename (self->path, "pe_hostfile", NULL);
  gsize length;
  g_autofree char *text =
    jm_spool_read_file (host, path, self->admin, SLOTS_FILE_MAX, &length, NULL, NULL);

  if (text != NULL)
    jm_spool_parse_slots (text, length, node_name, &self->n_slots);
}

void
jm_spool_folder_read (JmSpoolFolder *self,
                      JmHost *host,
                      const char *group_file,
                      const char *node_name)
{
  if (self->group == 0)
    {
      read_group (self, host, group_file);
      read_slots (self, host, node_name);
    }
  if (self->group != 0 && !self->has_usage)
    read_usage (self, host);

  /* what is there is not written again */
  self->is_stale = self->group == 0;
}

gboolean
jm_spool_folder_is_live (const JmSpoolFolder *self)
{
  if (self->group == 0 || self->is_foreign)
    return FALSE;
  if (self->pids->len > 0)
    return TRUE;

  return self->has_usage ? !self->is_told : self->was_joined;
}

gboolean
jm_spool_folder_is_awaited (const JmSpoolFolder *self)
{
  return self->group != 0 && !self->was_joined && !self->has_usage && !self->is_foreign;
}
