/* jm-perf-count.c: one group of perf's events, of a cgroup, on one CPU
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/counters/jm-perf-groups-private.h"

#include <errno.h>

/* As the kernel writes it, see PERF_FORMAT_GROUP in perf_event_open(2). */
enum
{
  WORD_N_EVENTS,
  WORD_WANTED,
  WORD_COUNTED,
  WORD_FIRST_EVENT,
  MAX_WORDS = WORD_FIRST_EVENT + JM_PERF_MAX_EVENTS
};

int
jm_perf_count_open (JmPerfCount *self,
                    const JmPerfKernel *kernel,
                    const JmPerfGroup *group,
                    int cgroup)
{
  for (guint i = 0; i < group->n_events; i++)
    {
      int fd = kernel->calls->open (kernel->user_data, group->events[i].type,
                                    group->events[i].config, cgroup, self->cpu,
                                    i > 0 ? self->fds[0] : -1);

      if (fd < 0)
        {
          jm_perf_count_close (self, kernel);
          return fd;
        }
      self->fds[self->n_events++] = fd;
    }

  return 0;
}

/* What the kernel counts never goes back, but a broken one is not to make 2^64 of it.
 */
static guint64
get_growth (guint64 now, guint64 before)
{
  return now > before ? now - before : 0;
}

static guint64
scale (guint64 count, guint64 wanted_ns, guint64 counted_ns)
{
  if (wanted_ns <= counted_ns)
    return count;

  return (guint64) ((double) count * (double) wanted_ns / (double) counted_ns + 0.5);
}

/* As long as it has not had its turn, nobody knows how much there was. */
static void
add_events (JmPerfCount *self, const guint64 *words, JmPerfTotal *total)
{
  guint64 wanted_ns = get_growth (words[WORD_WANTED], self->events_wanted_ns);
  guint64 counted_ns = get_growth (words[WORD_COUNTED], self->events_counted_ns);

  if (counted_ns == 0)
    return;

  for (guint i = 0; i < self->n_events; i++)
    {
      guint64 now = words[WORD_FIRST_EVENT + i];

      total->events[i] +=
        scale (get_growth (now, self->events[i]), wanted_ns, counted_ns);
      self->events[i] = now;
    }
  self->events_wanted_ns = words[WORD_WANTED];
  self->events_counted_ns = words[WORD_COUNTED];
}

int
jm_perf_count_read (JmPerfCount *self, const JmPerfKernel *kernel, JmPerfTotal *total)
{
  guint64 words[MAX_WORDS];
  gsize n_words = WORD_FIRST_EVENT + self->n_events;
  gssize n = kernel->calls->read (kernel->user_data, self->fds[0], words, n_words);

  if (n < 0)
    return (int) n;
  /* 0: an event that could never be put on the processor; less: its CPU went */
  if ((gsize) n != n_words * sizeof *words || words[WORD_N_EVENTS] != self->n_events)
    return -ENODEV;

  add_events (self, words, total);
  total->wanted_ns += get_growth (words[WORD_WANTED], self->wanted_ns);
  total->counted_ns += get_growth (words[WORD_COUNTED], self->counted_ns);
  self->wanted_ns = words[WORD_WANTED];
  self->counted_ns = words[WORD_COUNTED];

  return 0;
}

void
jm_perf_count_close (JmPerfCount *self, const JmPerfKernel *kernel)
{
  while (self->n_events > 0)
    kernel->calls->close (kernel->user_data, self->fds[--self->n_events]);
}
