/* jm-spool-members-private.h: which processes are in which folder's group
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/cgroup/jm-spool-folder-private.h"

G_BEGIN_DECLS

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

G_END_DECLS
