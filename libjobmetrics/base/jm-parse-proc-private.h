/* jm-parse-proc-private.h: what procfs has of one process
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <limits.h>

#include "base/jm-parse-private.h"

G_BEGIN_DECLS

/* procfs counts in hundredths of a second whatever the kernel's own clock does
 * (USER_HZ): https://docs.kernel.org/filesystems/proc.html */
#define JM_NS_PER_TICK G_GUINT64_CONSTANT (10000000)

/* /proc/stat has a line for each CPU, and a number for each interrupt. */
#define JM_PROC_STAT_MAX (4 * 1024 * 1024)

/* See jm-parse-private.h for what holds of all parsers. */

/**
 * JM_COMM_MAX:
 *
 * The most bytes of a command name that are kept. The kernel's own names (of its
 * threads) may have up to 63, a program's 15.
 */
#define JM_COMM_MAX 64

/**
 * JM_PROC_FLAG_KTHREAD:
 *
 * The bit of #JmProcStat.flags that a thread of the kernel has (`PF_KTHREAD`).
 */
#define JM_PROC_FLAG_KTHREAD 0x00200000u

/**
 * JM_PROC_NO_PROCESSOR:
 *
 * No CPU.
 */
#define JM_PROC_NO_PROCESSOR G_MAXUINT

/**
 * JmProcStat:
 * @comm: the command name, cut to %JM_COMM_MAX bytes; any bytes, UTF-8 or not
 * @state: one letter: R, S, D, T, Z and others
 * @flags: the kernel's `PF_` flags
 * @pid: of the process or thread
 * @ppid: of its parent
 * @session: its session
 * @n_threads: threads of the process
 * @child_faults: minor page faults of the children that were waited for; as no process
 *   goes without, it changes with each of them
 * @utime_ticks: time in user mode, clock ticks
 * @stime_ticks: time in the kernel, clock ticks
 * @cutime_ticks: user time of the children that were waited for, clock ticks
 * @cstime_ticks: kernel time of the children that were waited for, clock ticks
 * @starttime_ticks: when it began, clock ticks after boot
 * @rss_pages: resident set, pages
 * @processor: the CPU on which it ran last; %JM_PROC_NO_PROCESSOR where that is not known
 *
 * What `/proc/PID/stat` reports.
 */
typedef struct
{
  char comm[JM_COMM_MAX + 1];
  char state;
  guint32 flags;
  guint pid;
  guint ppid;
  guint session;
  guint n_threads;
  guint64 child_faults;
  guint64 utime_ticks;
  guint64 stime_ticks;
  guint64 cutime_ticks;
  guint64 cstime_ticks;
  guint64 starttime_ticks;
  guint64 rss_pages;
  guint processor;
} JmProcStat;

/* Whether it ended and was waited for while it was read: all that is left of it is its
 * name. A zombie has a parent. */
static inline gboolean
jm_proc_stat_is_over (const JmProcStat *self)
{
  return self->state == 'X' && self->ppid == 0;
}

/**
 * JmProcIo:
 * @read_chars: bytes that read calls returned, from caches and pipes too
 * @write_chars: bytes that write calls took
 * @read_calls: read calls
 * @write_calls: write calls
 * @read_bytes: bytes fetched from storage
 * @write_bytes: bytes sent to storage
 *
 * What `/proc/PID/io` reports.
 */
typedef struct
{
  guint64 read_chars;
  guint64 write_chars;
  guint64 read_calls;
  guint64 write_calls;
  guint64 read_bytes;
  guint64 write_bytes;
} JmProcIo;

/**
 * JmProcCgroup:
 * @hierarchy: 0 for v2, else the number of a v1 hierarchy
 * @controllers: those of the hierarchy, comma separated; empty for v2; `name=systemd`
 * @path: within the hierarchy, with its slash and without the kernel's mark for a
 *   removed cgroup
 * @removed: whether the cgroup is already removed
 *
 * One line of `/proc/PID/cgroup`.
 */
typedef struct
{
  guint hierarchy;
  JmSlice controllers;
  JmSlice path;
  gboolean removed;
} JmProcCgroup;

/**
 * JmMount:
 * @major: of the device
 * @minor: of the device
 * @root: which directory of the file system is mounted
 * @mount_point: where it is mounted
 * @options: of the mount, comma separated
 * @type: of the file system, such as `cgroup2`
 * @source: what is mounted, escapes as they stand
 * @super_options: of the file system, comma separated: names the controllers of v1
 *
 * One line of `/proc/self/mountinfo`; its strings live as long as the callback.
 */
typedef struct
{
  guint major;
  guint minor;
  char root[PATH_MAX];
  char mount_point[PATH_MAX];
  JmSlice options;
  JmSlice type;
  JmSlice source;
  JmSlice super_options;
} JmMount;

typedef void (*JmProcCgroupFunc) (const JmProcCgroup *cgroup, gpointer user_data);
typedef void (*JmMountFunc) (const JmMount *mount, gpointer user_data);

gboolean jm_parse_proc_stat (const char *text, gsize length, JmProcStat *stat);
gboolean jm_parse_boot_time (const char *text, gsize length, guint64 *seconds);
gboolean jm_parse_proc_io (const char *text, gsize length, JmProcIo *io);
gboolean jm_parse_proc_groups (const char *text, gsize length, GArray *groups);
gboolean jm_parse_proc_cgroup (const char *text,
                               gsize length,
                               JmProcCgroupFunc func,
                               gpointer user_data);
gboolean jm_parse_mountinfo (const char *text,
                             gsize length,
                             JmMountFunc func,
                             gpointer user_data);
gboolean jm_parse_option (JmSlice options, const char *name, JmSlice *value);
gboolean
jm_parse_environ (const char *text, gsize length, const char *name, JmSlice *value);

G_END_DECLS
