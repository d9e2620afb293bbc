/* jm-process-source-private.h: what the processes of jobs do
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-place.h"
#include "core/jm-process.h"
#include "core/jm-readings.h"
#include "host/jm-source.h"

G_BEGIN_DECLS

#define JM_TYPE_PROCESS_SOURCE (jm_process_source_get_type ())

G_DECLARE_INTERFACE (JmProcessSource, jm_process_source, JM, PROCESS_SOURCE, JmSource)

/* @parent_iface: the parent interface
 * @set_filesystems: see jm_process_source_set_filesystems(); may be left out
 * @set_helpers: see jm_process_source_set_helpers(); may be left out
 * @set_max_executables: see jm_process_source_set_max_executables(); may be left out
 * @set_threads_interval: see jm_process_source_set_threads_interval(); may be left out
 * @add_group: see jm_process_source_add_group()
 * @remove_group: see jm_process_source_remove_group()
 * @begin_round: see jm_process_source_begin_round()
 * @add_cgroup: see jm_process_source_add_cgroup(); may be left out
 * @list_cgroup: see jm_process_source_list_cgroup(); may be left out
 * @add_process: see jm_process_source_add_process()
 * @add_sleeping: see jm_process_source_add_sleeping(); may be left out
 * @end_round: see jm_process_source_end_round()
 * @set_group_cpu: see jm_process_source_set_group_cpu(); may be left out
 * @read_group: see jm_process_source_read_group()
 * @describe: see jm_process_source_describe()
 *
 * What reads processes and threads. */
struct _JmProcessSourceInterface
{
  GTypeInterface parent_iface;

  void (*set_filesystems) (JmProcessSource *self, const char *const *mounts);
  void (*set_helpers) (JmProcessSource *self, const char *const *helpers);
  void (*set_max_executables) (JmProcessSource *self, guint max_executables);
  void (*set_threads_interval) (JmProcessSource *self, guint interval_ms);
  guint (*add_group) (JmProcessSource *self, guint parent);
  void (*remove_group) (JmProcessSource *self, guint group);
  void (*begin_round) (JmProcessSource *self, JmReadings *readings);
  void (*add_cgroup) (JmProcessSource *self, guint group, guint64 inode);
  gboolean (*list_cgroup) (JmProcessSource *self, guint64 inode, JmReadings *readings);
  void (*add_process) (JmProcessSource *self, guint group, guint pid);
  void (*add_sleeping) (JmProcessSource *self, guint group, guint pid);
  void (*end_round) (JmProcessSource *self);
  void (*set_group_cpu) (JmProcessSource *self, guint group, guint64 total_ns);
  void (*read_group) (JmProcessSource *self, guint group, JmReadings *readings);
  JmProcess *(*describe) (JmProcessSource *self, guint pid, JmPlace *place);
};

void jm_process_source_set_filesystems (JmProcessSource *self,
                                        const char *const *mounts);

void jm_process_source_set_helpers (JmProcessSource *self, const char *const *helpers);

void jm_process_source_set_max_executables (JmProcessSource *self,
                                            guint max_executables);

void jm_process_source_set_threads_interval (JmProcessSource *self, guint interval_ms);

guint jm_process_source_add_group (JmProcessSource *self, guint parent);

void jm_process_source_remove_group (JmProcessSource *self, guint group);

void jm_process_source_begin_round (JmProcessSource *self, JmReadings *readings);

gboolean jm_process_source_takes_cgroups (JmProcessSource *self);

void jm_process_source_add_cgroup (JmProcessSource *self, guint group, guint64 inode);

gboolean jm_process_source_list_cgroup (JmProcessSource *self,
                                        guint64 inode,
                                        JmReadings *readings);

void jm_process_source_add_process (JmProcessSource *self, guint group, guint pid);

void jm_process_source_add_sleeping (JmProcessSource *self, guint group, guint pid);

void jm_process_source_end_round (JmProcessSource *self);

void
jm_process_source_set_group_cpu (JmProcessSource *self, guint group, guint64 total_ns);

void
jm_process_source_read_group (JmProcessSource *self, guint group, JmReadings *readings);

JmProcess *
jm_process_source_describe (JmProcessSource *self, guint pid, JmPlace *place);

G_END_DECLS
