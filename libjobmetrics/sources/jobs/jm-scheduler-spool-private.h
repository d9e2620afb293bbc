/* jm-scheduler-spool-private.h: where a scheduler keeps a folder for each job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * JmSchedulerSpool:
 * @directories: patterns of the directories of folders; %NULL where there are none
 * @group: the file in a folder that has the group of the job's processes
 *
 * The group `Spool` of a definition: how jobs are known that have no cgroups.
 */
typedef struct
{
  char **directories;
  char *group;
} JmSchedulerSpool;

void jm_scheduler_spool_clear (JmSchedulerSpool *self);

gboolean jm_scheduler_spool_add (JmSchedulerSpool *self,
                                 GKeyFile *file,
                                 const char *key,
                                 GError **error);

/* Whether it is there as a whole, or not at all. */
gboolean jm_scheduler_spool_check (const JmSchedulerSpool *self, GError **error);

G_END_DECLS
