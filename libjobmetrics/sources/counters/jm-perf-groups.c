/* jm-perf-groups.c: the events that perf counts, and which are counted at once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/counters/jm-perf-groups-private.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SOFTWARE(metric, event)                                                        \
 {                                                                                     \
  JM_METRIC_PERF_##metric, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##event                   \
 }
#define HARDWARE(metric, event)                                                        \
 {                                                                                     \
  JM_METRIC_PERF_##metric, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##event                   \
 }

/* Pairs of which the ratio is what people ask for: more at once might not fit.
 * Reference cycles have a counter of their own where processors know them. */
static const JmPerfGroup all[JM_PERF_MAX_GROUPS] = {
  { "software",
    FALSE,
    5,
    { SOFTWARE (TASK_CLOCK, TASK_CLOCK), SOFTWARE (CONTEXT_SWITCHES, CONTEXT_SWITCHES),
      SOFTWARE (CPU_MIGRATIONS, CPU_MIGRATIONS),
      SOFTWARE (MINOR_PAGE_FAULTS, PAGE_FAULTS_MIN),
      SOFTWARE (MAJOR_PAGE_FAULTS, PAGE_FAULTS_MAJ) } },
  { "cycles",
    TRUE,
    3,
    { HARDWARE (CYCLES, CPU_CYCLES), HARDWARE (INSTRUCTIONS, INSTRUCTIONS),
      HARDWARE (REFERENCE_CYCLES, REF_CPU_CYCLES) } },
  { "cache",
    TRUE,
    2,
    { HARDWARE (CACHE_REFERENCES, CACHE_REFERENCES),
      HARDWARE (CACHE_MISSES, CACHE_MISSES) } },
  { "branches",
    TRUE,
    2,
    { HARDWARE (BRANCHES, BRANCH_INSTRUCTIONS),
      HARDWARE (BRANCH_MISSES, BRANCH_MISSES) } },
};

static int
system_open (gpointer user_data,
             guint32 type,
             guint64 config,
             int cgroup,
             guint cpu,
             int leader)
{
  struct perf_event_attr attr = { .type = type,
                                  .size = sizeof attr,
                                  .config = config,
                                  .read_format = PERF_FORMAT_GROUP |
                                                 PERF_FORMAT_TOTAL_TIME_ENABLED |
                                                 PERF_FORMAT_TOTAL_TIME_RUNNING };
  unsigned long flags = PERF_FLAG_FD_CLOEXEC | (cgroup >= 0 ? PERF_FLAG_PID_CGROUP : 0);
  long fd = syscall (SYS_perf_event_open, &attr, cgroup, (int) cpu, leader, flags);

  return fd >= 0 ? (int) fd : -errno;
}

static gssize
system_read (gpointer user_data, int fd, guint64 *words, gsize n_words)
{
  gssize n = TEMP_FAILURE_RETRY (read (fd, words, n_words * sizeof *words));

  return n >= 0 ? n : -errno;
}

static void
system_close (gpointer user_data, int fd)
{
  close (fd);
}

const JmPerfSyscalls jm_perf_system_calls = { system_open, system_read, system_close };

/* A machine that is virtual may have some of them. */
static gboolean
is_unknown (int result)
{
  return result == -ENOENT || result == -EOPNOTSUPP || result == -ENODEV ||
         result == -EINVAL || result == -ENOSYS;
}

/* Returns: whether to go on */
static gboolean
probe_event (JmPerfGroup *group,
             const JmPerfEventKind *event,
             const JmPerfKernel *kernel,
             guint cpu,
             int *result)
{
  *result =
    kernel->calls->open (kernel->user_data, event->type, event->config, -1, cpu, -1);
  if (*result < 0)
    return is_unknown (*result);

  kernel->calls->close (kernel->user_data, *result);
  group->events[group->n_events++] = *event;

  return TRUE;
}

int
jm_perf_groups_probe (JmPerfGroups *self, const JmPerfKernel *kernel, guint cpu)
{
  int result = 0;

  *self = (JmPerfGroups){ 0 };
  for (guint i = 0; i < JM_PERF_MAX_GROUPS; i++)
    {
      JmPerfGroup *group = &self->groups[self->n_groups];

      *group = (JmPerfGroup){ all[i].name, all[i].is_hardware, 0, { { 0 } } };
      for (guint k = 0; k < all[i].n_events; k++)
        if (!probe_event (group, &all[i].events[k], kernel, cpu, &result))
          return result;

      self->n_events += group->n_events;
      self->n_groups += group->n_events > 0 ? 1 : 0;
    }

  return self->n_groups > 0 ? 0 : result;
}

gboolean
jm_perf_groups_have_hardware (const JmPerfGroups *self)
{
  for (guint i = 0; i < self->n_groups; i++)
    if (self->groups[i].is_hardware)
      return TRUE;

  return FALSE;
}
