/* jm-spool-private.h: a scheduler's spool, and the processes of its jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"

G_BEGIN_DECLS

/**
 * JmSpoolPlaces:
 *
 * Absolute patterns of directories: `*` in a name stands for any text, `%n` for what
 * this machine is called, with and without its domain.
 */
typedef struct _JmSpoolPlaces JmSpoolPlaces;

/* @node_name is what the machine is called; NULL for what it calls itself. */
JmSpoolPlaces *
jm_spool_places_new (JmHost *host, const char *const *patterns, const char *node_name);
void jm_spool_places_free (JmSpoolPlaces *self);

/* What the machine is called; NULL where that is not known. */
const char *jm_spool_places_get_node_name (const JmSpoolPlaces *self);

/* Adds to @found the directories that there are, and to @awaited those in which one
 * that leads to more may yet come; strings that the arrays free. */
void jm_spool_places_find (JmSpoolPlaces *self, GPtrArray *found, GPtrArray *awaited);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSpoolPlaces, jm_spool_places_free)

/**
 * JmSpoolFolder:
 * @path: its logical path
 * @admin: who may have written it beside root
 * @watch: its births and deaths; or -1
 * @usage_watch: of the file that reports what was used; or -1
 * @group: of the processes; 0 where not known
 * @moment: when that was written; nanoseconds since 1970
 * @number: distinguishes it from a later folder of its name; 0 where not known
 * @pids: of guint: its processes, as they were seen last
 * @n_slots: what the scheduler granted the job on this host; 0 where not known
 * @has_usage: whether a process was waited for
 * @user_ns: what that had used
 * @system_ns: what that had used
 * @is_seen: whether the last listing named it
 * @is_stale: whether its files are to be read again
 * @was_joined: whether any process was ever seen
 * @is_told: whether somebody has read what it used in the end
 * @is_checked: whether @is_foreign is known
 * @is_foreign: whether its processes are a job of the kernel's cgroups
 * @is_blamed: whether its fault was reported
 *
 * The folder of a job, or of a task of one that has a group of its own.
 */
typedef struct
{
  char *path;
  guint admin;
  int watch;
  int usage_watch;
  guint group;
  guint64 moment;
  guint64 number;
  GArray *pids;
  guint n_slots;
  gboolean has_usage;
  guint64 user_ns;
  guint64 system_ns;
  gboolean is_seen;
  gboolean is_stale;
  gboolean was_joined;
  gboolean is_told;
  gboolean is_checked;
  gboolean is_foreign;
  gboolean is_blamed;
} JmSpoolFolder;

JmSpoolFolder *jm_spool_folder_new (const char *path, guint admin);
void jm_spool_folder_free (JmSpoolFolder *self);

/* Reads what its files say by now. */
void jm_spool_folder_read (JmSpoolFolder *self,
                           JmHost *host,
                           const char *group_file,
                           const char *node_name);

/* Whether it has processes, or had some whose last figures nobody has read yet. */
gboolean jm_spool_folder_is_live (const JmSpoolFolder *self);

/* Whether it is not yet known if it has processes. */
gboolean jm_spool_folder_is_awaited (const JmSpoolFolder *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSpoolFolder, jm_spool_folder_free)

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

/* What was waited for, of all that there is or was; it is then reported. */
gboolean
jm_spool_job_tell_usage (JmSpoolJob *self, guint64 *user_ns, guint64 *system_ns);

/* Whether a cgroup of the kernel's is a job's, or in one. */
typedef gboolean (*JmSpoolIsJob) (const char *path, gpointer user_data);

/**
 * JmSpoolMembers:
 *
 * Finds the processes in the groups of folders.
 */
typedef struct _JmSpoolMembers JmSpoolMembers;

/* @is_job may be NULL. */
JmSpoolMembers *
jm_spool_members_new (JmHost *host, JmSpoolIsJob is_job, gpointer user_data);
void jm_spool_members_free (JmSpoolMembers *self);

/* The next look begins: no folder has processes. */
void jm_spool_members_clear (JmSpoolMembers *self);
void jm_spool_members_add (JmSpoolMembers *self, JmSpoolFolder *folder);

/* Looks at all processes, if there is any group to look for. */
gboolean jm_spool_members_find (JmSpoolMembers *self, GError **error);

/* Whether a process of the folder is a job's by its cgroup: asked once. */
void jm_spool_members_check (JmSpoolMembers *self, JmSpoolFolder *folder);

/* Before the folder goes. */
void jm_spool_members_forget (JmSpoolMembers *self, const JmSpoolFolder *folder);

/**
 * JmGroupWalk:
 *
 * The processes of a machine and their additional groups, which root alone can give. A
 * process is looked at when it is new, and for some seconds more: whoever starts a job
 * forks first and changes the groups then. After that only its name in `/proc` is read.
 */
typedef struct _JmGroupWalk JmGroupWalk;

JmGroupWalk *jm_group_walk_new (JmHost *host);
void jm_group_walk_free (JmGroupWalk *self);

/* Looks at the processes that there are now. FALSE where they cannot be listed. */
gboolean jm_group_walk_run (JmGroupWalk *self, gint64 now_us, GError **error);

typedef void (*JmGroupWalkFunc) (guint pid,
                                 const guint *groups,
                                 guint n_groups,
                                 gpointer user_data);

/* Calls @func for each process that is in any additional group, in the order of their
 * numbers in `/proc`. */
void
jm_group_walk_foreach (JmGroupWalk *self, JmGroupWalkFunc func, gpointer user_data);

/* How often a file of a process was read so far. */
guint64 jm_group_walk_get_n_read (JmGroupWalk *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGroupWalk, jm_group_walk_free)

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

/* What of the job and its tasks, or of one task, was waited for; it is then reported.
 *
 * Returns: whether anything was */
gboolean jm_spool_tell_usage (JmSpool *self,
                              const char *job,
                              const char *task,
                              guint64 *user_ns,
                              guint64 *system_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSpool, jm_spool_free)

G_END_DECLS
