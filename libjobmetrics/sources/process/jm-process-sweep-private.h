/* jm-process-sweep-private.h: rounds over the processes of groups
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings.h"
#include "host/jm-host.h"
#include "sources/process/jm-process-feed-private.h"
#include "sources/process/jm-process-groups-private.h"
#include "sources/process/jm-process-rules-private.h"

G_BEGIN_DECLS

/**
 * JmProcessSweep:
 *
 * All processes that are known, and the round over them. What is read of a process is
 * added to its group.
 */
typedef struct _JmProcessSweep JmProcessSweep;

JmProcessSweep *jm_process_sweep_new (JmHost *host,
                                      JmProcessGroups *groups,
                                      const JmProcessRules *rules);
void jm_process_sweep_free (JmProcessSweep *self);

void jm_process_sweep_take_filesystems (JmProcessSweep *self, char **paths);
void jm_process_sweep_set_threads_interval (JmProcessSweep *self, guint interval_ms);
void jm_process_sweep_move_group (JmProcessSweep *self, guint group, guint parent);
void jm_process_sweep_take_feed (JmProcessSweep *self, JmProcessFeed *feed);
gboolean jm_process_sweep_is_running (JmProcessSweep *self);
const JmCollectorSet *jm_process_sweep_get_collectors (JmProcessSweep *self);

void jm_process_sweep_begin (JmProcessSweep *self, JmReadings *readings);
void jm_process_sweep_add_cgroup (JmProcessSweep *self, guint group, guint64 inode);
gboolean jm_process_sweep_list_cgroup (JmProcessSweep *self,
                                       guint64 inode,
                                       JmReadings *readings);
void jm_process_sweep_add (JmProcessSweep *self,
                           guint group,
                           guint pid,
                           gboolean is_sleeping);
void jm_process_sweep_end (JmProcessSweep *self);

G_END_DECLS
