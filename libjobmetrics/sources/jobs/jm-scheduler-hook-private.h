/* jm-scheduler-hook-private.h: where a scheduler's hooks leave files about jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/jobs/jm-path-pattern-private.h"

G_BEGIN_DECLS

/**
 * JmSchedulerHook:
 *
 * What the group `Hook` of a definition says.
 */
typedef struct _JmSchedulerHook JmSchedulerHook;

JmSchedulerHook *jm_scheduler_hook_new (void);
void jm_scheduler_hook_free (JmSchedulerHook *self);

gboolean jm_scheduler_hook_add (JmSchedulerHook *self,
                                GKeyFile *file,
                                const char *key,
                                GError **error);
gboolean jm_scheduler_hook_check (const JmSchedulerHook *self, GError **error);

const char *jm_scheduler_hook_get_directory (const JmSchedulerHook *self);
char **jm_scheduler_hook_list_files (const JmSchedulerHook *self,
                                     const JmPathMatch *match);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSchedulerHook, jm_scheduler_hook_free)

G_END_DECLS
