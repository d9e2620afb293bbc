/* jm-spool-job-private.h: a job in a spool, and its tasks
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/cgroup/jm-spool-folder-private.h"

G_BEGIN_DECLS

/**
 * JmSpoolJob:
 * @folder: its own
 * @tasks: of JmSpoolFolder, by name
 * @past_user_ns: what tasks used that are no more
 * @past_system_ns: the same
 * @is_listed: whether it was there when somebody looked last
 *
 * A job: one folder, and one below it for each task that was started from elsewhere.
 */
typedef struct
{
  JmSpoolFolder *folder;
  GHashTable *tasks;
  guint64 past_user_ns;
  guint64 past_system_ns;
  gboolean is_listed;
} JmSpoolJob;

typedef void (*JmSpoolFolderFunc) (JmSpoolFolder *folder, gpointer user_data);

JmSpoolJob *jm_spool_job_new (const char *path, guint admin);
void jm_spool_job_free (JmSpoolJob *self);

void
jm_spool_job_foreach (JmSpoolJob *self, JmSpoolFolderFunc func, gpointer user_data);

/* Takes away the tasks that the last listing did not name. What they used stays the
 * job's. @func is called for each before. */
void
jm_spool_job_drop_unseen (JmSpoolJob *self, JmSpoolFolderFunc func, gpointer user_data);

/* Reads what is stale.
 *
 * Returns: whether a group became known, or anything was waited for */
gboolean jm_spool_job_read (JmSpoolJob *self,
                            JmHost *host,
                            const char *group_file,
                            const char *node_name);

/* Whether it has processes, or its last figures are still to be read. */
gboolean jm_spool_job_is_live (JmSpoolJob *self);

/* The names of the tasks whose processes are known. */
char **jm_spool_job_list_tasks (JmSpoolJob *self);

/* What was waited for, of all that there is or was; it is then told. */
gboolean
jm_spool_job_tell_usage (JmSpoolJob *self, guint64 *user_ns, guint64 *system_ns);

G_END_DECLS
