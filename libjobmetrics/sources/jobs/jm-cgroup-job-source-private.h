/* jm-cgroup-job-source-private.h: what only our own files ask of a job source
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/jobs/jm-cgroup-job-source.h"

G_BEGIN_DECLS

/**
 * JmJobSpool:
 * @has_member: whether a process is in the job of a path, by its `/proc/PID/status`
 * @find_folder: the logical path of the folder that the scheduler keeps for the job of
 *   a path, or %NULL; and who may have written what is in it, beside root
 *
 * Who knows the jobs that have no cgroup of the kernel's.
 */
typedef struct
{
  gboolean (*has_member) (const char *path,
                          const char *status,
                          gsize length,
                          gpointer user_data);
  char *(*find_folder) (const char *path, guint *owner, gpointer user_data);
} JmJobSpool;

/* @spool is asked from here on; @destroy frees @user_data. */
void jm_cgroup_job_source_set_spool (JmCgroupJobSource *self,
                                     const JmJobSpool *spool,
                                     gpointer user_data,
                                     GDestroyNotify destroy);

G_END_DECLS
