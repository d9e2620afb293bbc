/* jme-push-groups.h: which groups of a gateway are this exporter's
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The URL of a job's group, `BASE/metrics/job/JOB/instance/INSTANCE/jobid/ID`; what a
 * path cannot hold is in base 64, as the gateway takes it. */
char *jme_push_make_url (const char *base,
                         const char *job,
                         const char *instance,
                         const char *id);

/* Ids of jobs that have a group, kept in a file, so that the groups of a program that
 * was killed go, too. */
typedef struct _JmePushGroups JmePushGroups;

/* @path is NULL where nothing is kept. A file that is no list is begun anew. */
JmePushGroups *jme_push_groups_open (const char *path);
void jme_push_groups_free (JmePushGroups *self);

gboolean jme_push_groups_has (JmePushGroups *self, const char *id);
GPtrArray *jme_push_groups_list (JmePushGroups *self); /* of char */

/* Both say whether it is kept; a group is added before it is made. */
gboolean jme_push_groups_add (JmePushGroups *self, const char *id, GError **error);
gboolean jme_push_groups_remove (JmePushGroups *self, const char *id, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmePushGroups, jme_push_groups_free)

G_END_DECLS
