/* jm-spool-folder-private.h: one job's folder in a spool directory
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"

G_BEGIN_DECLS

/**
 * JmSpoolFolder:
 * @path: its logical path
 * @admin: who may have written it beside root
 * @watch: its births and deaths; or -1
 * @usage_watch: of the file that tells what was used; or -1
 * @group: of the processes; 0 where not known
 * @moment: when that was written; nanoseconds since 1970
 * @number: tells it from a later folder of its name; 0 where not known
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
 * @is_blamed: whether its fault was told
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

G_END_DECLS
