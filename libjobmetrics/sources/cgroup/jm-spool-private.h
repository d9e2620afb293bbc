/* jm-spool-private.h: the jobs of a scheduler that keeps a folder for each
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/cgroup/jm-spool-folder-private.h"
#include "sources/cgroup/jm-spool-members-private.h"

G_BEGIN_DECLS

/**
 * JmSpoolPlan:
 * @host: the host
 * @directories: patterns of the directories in which each job has a folder
 * @group_file: in the folder, the number of the additional group of its processes
 * @node_name: what the machine is called; %NULL for what it calls itself
 * @is_job: may be %NULL
 * @user_data: for @is_job
 *
 * What a spool is looked at for.
 */
typedef struct
{
  JmHost *host;
  const char *const *directories;
  const char *group_file;
  const char *node_name;
  JmSpoolIsJob is_job;
  gpointer user_data;
} JmSpoolPlan;

/**
 * JmSpool:
 *
 * The folders that a scheduler keeps for its running jobs, and the processes in the
 * group that each names. A folder in a job's folder is a task's, with a group of its
 * own. A job is there from its first process on.
 */
typedef struct _JmSpool JmSpool;

JmSpool *jm_spool_new (const JmSpoolPlan *plan);
void jm_spool_free (JmSpool *self);

int jm_spool_get_fd (JmSpool *self);

/* Learns what came and went. Adds to @changes (of char *, which it frees) "" where jobs
 * came or went, and then the names of jobs in which something did. */
void jm_spool_take (JmSpool *self, GPtrArray *changes);

/* The names of the jobs that are there; of the tasks of one, where @job is given. */
char **jm_spool_list (JmSpool *self, const char *job);

/* NULL where it is not there, or no more; @task may be NULL. */
JmSpoolFolder *jm_spool_find (JmSpool *self, const char *job, const char *task);

/* Its processes by now: all are looked for once after each jm_spool_take(). */
gboolean jm_spool_look_for_processes (JmSpool *self, GError **error);

/* What of the job and its tasks, or of one task, was waited for; it is then told.
 *
 * Returns: whether anything was */
gboolean jm_spool_tell_usage (JmSpool *self,
                              const char *job,
                              const char *task,
                              guint64 *user_ns,
                              guint64 *system_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSpool, jm_spool_free)

G_END_DECLS
