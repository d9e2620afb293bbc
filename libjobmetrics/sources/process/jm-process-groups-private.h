/* jm-process-groups-private.h: sums over the processes of jobs, steps and tasks
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-proc-private.h"
#include "core/jm-collector-set.h"
#include "core/jm-metric-private.h"
#include "core/jm-readings.h"

G_BEGIN_DECLS

/**
 * JmProcessPart:
 * @JM_PROCESS_PART_STAT: CPU time, resident set: `/proc/PID/stat`
 * @JM_PROCESS_PART_IO: `/proc/PID/io`
 * @JM_PROCESS_PART_THREADS: states of threads
 * @JM_PROCESS_PART_FILES: number of open files
 * @JM_PROCESS_PART_FILESYSTEMS: file systems in use
 *
 * What may be readable of a process while the rest is not.
 */
typedef enum
{
  JM_PROCESS_PART_STAT,
  JM_PROCESS_PART_IO,
  JM_PROCESS_PART_THREADS,
  JM_PROCESS_PART_FILES,
  JM_PROCESS_PART_FILESYSTEMS,
} JmProcessPart;

#define JM_N_PROCESS_PARTS (JM_PROCESS_PART_FILESYSTEMS + 1)
#define JM_PROCESS_PART_BIT(part) (1u << (part))
#define JM_PROCESS_ALL_PARTS (JM_PROCESS_PART_BIT (JM_N_PROCESS_PARTS) - 1)

/**
 * JmThreadState:
 *
 * What a thread is at, as `/proc/PID/task/TID/stat` reports in one letter.
 */
typedef enum
{
  JM_THREAD_STATE_RUNNING,
  JM_THREAD_STATE_SLEEPING,
  JM_THREAD_STATE_DISK_SLEEP,
  JM_THREAD_STATE_STOPPED,
  JM_THREAD_STATE_ZOMBIE,
  JM_THREAD_STATE_TRACING_STOP,
  JM_THREAD_STATE_DEAD,
  JM_THREAD_STATE_IDLE,
  JM_THREAD_STATE_OTHER,
} JmThreadState;

#define JM_N_THREAD_STATES (JM_THREAD_STATE_OTHER + 1)

/* As the label of JM_METRIC_THREADS has it. */
const char *jm_thread_state_get_name (JmThreadState state);

/* The figures of /proc/PID/io, in the order of their metrics. */
#define JM_N_PROCESS_IO                                                                \
 (JM_METRIC_PROCESS_WRITE_CALLS - JM_METRIC_PROCESS_READ_BYTES + 1)

/* One bit for each file system that is looked for. */
#define JM_PROCESS_FILESYSTEMS_MAX 64

/**
 * JmProcessGroups:
 *
 * The groups of a process table: a tree, in which what is added to a group is added to
 * all those above it. Group 0 is none.
 */
typedef struct _JmProcessGroups JmProcessGroups;

JmProcessGroups *jm_process_groups_new (void);
void jm_process_groups_free (JmProcessGroups *self);

void jm_process_groups_set_boot_ns (JmProcessGroups *self, guint64 boot_ns);
guint64 jm_process_groups_get_boot_ns (JmProcessGroups *self); /* 0 if not known */
void jm_process_groups_set_max_executables (JmProcessGroups *self, guint max);
void jm_process_groups_set_filesystems (JmProcessGroups *self,
                                        const char *const *paths,
                                        guint n_paths);

guint jm_process_groups_add (JmProcessGroups *self, guint parent);
guint jm_process_groups_remove (JmProcessGroups *self, guint id);
gboolean jm_process_groups_has (JmProcessGroups *self, guint id);

void jm_process_groups_begin_round (JmProcessGroups *self);
void jm_process_groups_add_spawned (JmProcessGroups *self,
                                    guint id,
                                    guint known_in,
                                    guint64 starttime_ticks,
                                    guint n_processes);
void jm_process_groups_set_ends (JmProcessGroups *self, guint id);
gboolean jm_process_groups_has_ends (JmProcessGroups *self, guint id);
void jm_process_groups_add_living (JmProcessGroups *self,
                                   guint id,
                                   JmLabels *executable,
                                   guint n_threads,
                                   guint64 rss_pages);
/* @executable is NULL where nobody saw which it was. */
void jm_process_groups_add_cpu (JmProcessGroups *self,
                                guint id,
                                JmLabels *executable,
                                guint64 user_ns,
                                guint64 system_ns);
void jm_process_groups_place (JmProcessGroups *self, guint id, guint cpu, guint64 ns);
void jm_process_groups_add_io (JmProcessGroups *self,
                               guint id,
                               const guint64 deltas[JM_N_PROCESS_IO]);
void jm_process_groups_add_threads (JmProcessGroups *self,
                                    guint id,
                                    const guint counts[JM_N_THREAD_STATES]);
void jm_process_groups_add_open_files (JmProcessGroups *self, guint id, guint n_files);
void jm_process_groups_add_filesystems (JmProcessGroups *self, guint id, guint64 mask);
void jm_process_groups_add_gap (JmProcessGroups *self, guint id, guint parts);
void jm_process_groups_add_loss (JmProcessGroups *self, guint id, guint parts);

/* Says what the kernel has counted for the group as a whole. */
void jm_process_groups_set_cpu (JmProcessGroups *self, guint id, guint64 total_ns);

void jm_process_groups_read (JmProcessGroups *self,
                             guint id,
                             const JmCollectorSet *collectors,
                             JmReadings *readings);

G_END_DECLS
