/* jm-perf-cgroup.c: what perf counts of one cgroup, or of all
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/counters/jm-perf-groups-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "base/jm-parse-private.h"
#include "base/jm-path-error-private.h"
#include "core/jm-readings-private.h"
#include "host/jm-host-private.h"

/* What was counted of one group, on all CPUs together. */
typedef struct
{
  guint64 events[JM_PERF_MAX_EVENTS];
  guint64 wanted_ns;  /* while it was to count */
  guint64 counted_ns; /* ... and did */
} Total;

typedef struct
{
  guint cpu;
  guint group; /* its number among JmPerfGroups */
  guint n_events;
  int fds[JM_PERF_MAX_EVENTS]; /* the first is the leader */
  /* of when it was read last */
  guint64 wanted_ns;
  guint64 counted_ns;
  /* of when it was read last and had counted meanwhile */
  guint64 events[JM_PERF_MAX_EVENTS];
  guint64 events_wanted_ns;
  guint64 events_counted_ns;
} Counter;

/* As the kernel writes it, see PERF_FORMAT_GROUP in perf_event_open(2). */
enum
{
  WORD_N_EVENTS,
  WORD_WANTED,
  WORD_COUNTED,
  WORD_FIRST_EVENT,
  MAX_WORDS = WORD_FIRST_EVENT + JM_PERF_MAX_EVENTS
};

struct _JmPerfCgroup
{
  JmPerfContext *context;
  char *dir;
  int fd; /* -1 for all processes */
  gboolean is_wanted[JM_PERF_MAX_GROUPS];
  guint n_events;    /* of those groups */
  guint max_open;    /* of its own */
  GArray *counters;  /* of Counter */
  char *cpus;        /* that it was arranged for, */
  char *online;      /* of those; NULL before that */
  gboolean is_whole; /* all of them are counted on */
  Total totals[JM_PERF_MAX_GROUPS];
};

static JmPerfCgroup *
make (JmPerfContext *context, const char *dir, int fd, guint max_open)
{
  JmPerfCgroup *self = g_new0 (JmPerfCgroup, 1);

  self->context = context;
  self->dir = g_strdup (dir);
  self->fd = fd;
  self->max_open = max_open;
  self->counters = g_array_new (FALSE, TRUE, sizeof (Counter));

  return self;
}

static void
want_group (JmPerfCgroup *self, guint group)
{
  self->is_wanted[group] = TRUE;
  self->n_events += self->context->groups.groups[group].n_events;
}

JmPerfCgroup *
jm_perf_cgroup_new (JmPerfContext *context, const char *dir, GError **error)
{
  int fd = open (dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  JmPerfCgroup *self;

  if (fd < 0)
    {
      jm_path_error_set_errno (error, dir, errno);
      return NULL;
    }

  self = make (context, dir, fd, context->max_open);
  for (guint i = 0; i < context->groups.n_groups; i++)
    want_group (self, i);

  return self;
}

static gboolean
has_any (const JmPerfGroup *group, const JmMetric *metrics, guint n_metrics)
{
  for (guint i = 0; i < group->n_events; i++)
    for (guint k = 0; k < n_metrics; k++)
      if (group->events[i].metric == metrics[k])
        return TRUE;

  return FALSE;
}

JmPerfCgroup *
jm_perf_cgroup_new_for_node (JmPerfContext *context,
                             const JmMetric *metrics,
                             guint n_metrics,
                             guint max_open)
{
  JmPerfCgroup *self = make (context, "all processes", -1, max_open);

  for (guint i = 0; i < context->groups.n_groups; i++)
    if (has_any (&context->groups.groups[i], metrics, n_metrics))
      want_group (self, i);

  return self;
}

static Counter *
get_counter (JmPerfCgroup *self, guint i)
{
  return &g_array_index (self->counters, Counter, i);
}

/* --- descriptors --- */

static gboolean
take_descriptors (JmPerfContext *context, guint n)
{
  for (guint i = 0; i < n; i++)
    if (!jm_host_take_descriptor (context->host, JM_WORTH_MUCH))
      {
        while (i-- > 0)
          jm_host_give_descriptor (context->host);
        return FALSE;
      }
  context->n_open += n;

  return TRUE;
}

static void
give_descriptors (JmPerfContext *context, guint n)
{
  context->n_open -= n;
  while (n-- > 0)
    jm_host_give_descriptor (context->host);
}

static void
counter_close (Counter *self, const JmPerfKernel *kernel)
{
  while (self->n_events > 0)
    kernel->calls->close (kernel->user_data, self->fds[--self->n_events]);
}

/* Begins to count; @self has number and CPU already. All events or none.
 *
 * Returns: 0, or a negative errno */
static int
counter_open (Counter *self,
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
          counter_close (self, kernel);
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
add_events (Counter *self, const guint64 *words, Total *total)
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

/* Adds what was counted since the last reading. Where the group had to take turns with
 * others, that is scaled up to the time in which it was to count.
 *
 * Returns: 0, or a negative errno */
static int
counter_read (Counter *self, const JmPerfKernel *kernel, Total *total)
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

static void
remove_count (JmPerfCgroup *self, guint i)
{
  Counter *count = get_counter (self, i);

  give_descriptors (self->context, count->n_events);
  counter_close (count, &self->context->kernel);
  g_array_remove_index_fast (self->counters, i);
}

void
jm_perf_cgroup_free (JmPerfCgroup *self)
{
  while (self->counters->len > 0)
    remove_count (self, self->counters->len - 1);
  g_array_unref (self->counters);
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->dir);
  g_free (self->cpus);
  g_free (self->online);
  g_free (self);
}

/* --- on which CPUs --- */

enum
{
  CPU_IS_ONLINE = 1 << 0,
  CPU_IS_WANTED = 1 << 1,
  CPU_IS_COUNTED = 1 << 2,
};

static void
mark (guint8 *cpus, const char *list, guint8 flag)
{
  const char *cursor = list;
  const char *end = list + strlen (list);
  guint first, last;

  while (jm_parse_next_cpu_range (&cursor, end, &first, &last))
    for (guint cpu = first; cpu <= MIN (last, JM_CPUS_MAX - 1); cpu++)
      cpus[cpu] |= flag;
}

/* One that comes back is another to the kernel. */
static void
drop_offline (JmPerfCgroup *self, const guint8 *cpus)
{
  for (guint i = self->counters->len; i-- > 0;)
    if ((cpus[get_counter (self, i)->cpu] & CPU_IS_ONLINE) == 0)
      remove_count (self, i);
}

static GArray *
list_missing (JmPerfCgroup *self, guint8 *cpus)
{
  g_autoptr (GArray) missing = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < self->counters->len; i++)
    cpus[get_counter (self, i)->cpu] |= CPU_IS_COUNTED;
  for (guint cpu = 0; cpu < JM_CPUS_MAX; cpu++)
    if (cpus[cpu] == (CPU_IS_ONLINE | CPU_IS_WANTED))
      g_array_append_val (missing, cpu);

  return g_steal_pointer (&missing);
}

static guint
count_open (JmPerfCgroup *self)
{
  guint n = 0;

  for (guint i = 0; i < self->counters->len; i++)
    n += get_counter (self, i)->n_events;

  return n;
}

static gboolean
may_open (JmPerfCgroup *self, guint n, GError **error)
{
  JmPerfContext *context = self->context;
  gboolean is_full = context->n_open + n > context->max_open;
  guint n_own = count_open (self);

  if (is_full || n_own + n > self->max_open)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                   "%s: %u more counters of perf are wanted and %u are open, where "
                   "there may be %u (max-counters)",
                   self->dir, n, is_full ? context->n_open : n_own,
                   is_full ? context->max_open : self->max_open);
      return FALSE;
    }
  if (!take_descriptors (context, n))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                   "%s: %u more counters of perf are wanted, and the limit for open "
                   "files of %u is reached",
                   self->dir, n, jm_host_get_max_open_files (context->host));
      return FALSE;
    }

  return TRUE;
}

/* Returns: 0, or a negative errno: then nothing was added. */
static int
open_on_cpu (JmPerfCgroup *self, guint cpu)
{
  JmPerfContext *context = self->context;
  guint n_before = self->counters->len;
  int result = 0;

  for (guint i = 0; i < context->groups.n_groups && result == 0; i++)
    {
      Counter count = { .cpu = cpu, .group = i };

      if (!self->is_wanted[i])
        continue;

      result =
        counter_open (&count, &context->kernel, &context->groups.groups[i], self->fd);
      if (result == 0)
        g_array_append_val (self->counters, count);
    }
  while (result != 0 && self->counters->len > n_before)
    {
      counter_close (get_counter (self, self->counters->len - 1), &context->kernel);
      g_array_set_size (self->counters, self->counters->len - 1);
    }
  if (result != 0)
    give_descriptors (context, self->n_events);

  return result;
}

static void
set_open_error (JmPerfCgroup *self, guint cpu, int result, GError **error)
{
  int code = (int) jm_error_from_errno (-result);

  /* an event that was there when it was tried does not go */
  g_set_error (error, JM_ERROR, code == JM_ERROR_ABSENT ? JM_ERROR_UNAVAILABLE : code,
               "%s: perf_event_open on CPU %u: %s", self->dir, cpu,
               g_strerror (-result));
}

static gboolean
open_missing (JmPerfCgroup *self, const GArray *missing, GError **error)
{
  guint n_events = self->n_events;
  guint n_before = self->counters->len;

  if (!may_open (self, missing->len * n_events, error))
    return FALSE;

  for (guint i = 0; i < missing->len; i++)
    {
      guint cpu = g_array_index (missing, guint, i);
      int result = open_on_cpu (self, cpu);

      /* it went offline since it was listed */
      if (result == 0 || result == -ENODEV)
        continue;

      give_descriptors (self->context, (missing->len - i - 1) * n_events);
      while (self->counters->len > n_before)
        remove_count (self, self->counters->len - 1);
      set_open_error (self, cpu, result, error);
      return FALSE;
    }

  return TRUE;
}

static gboolean
is_arranged (const JmPerfCgroup *self, const char *cpus, const char *online)
{
  return self->is_whole && g_strcmp0 (self->cpus, cpus) == 0 &&
         g_strcmp0 (self->online, online) == 0;
}

gboolean
jm_perf_cgroup_arrange (JmPerfCgroup *self,
                        const char *cpus,
                        const char *online,
                        GError **error)
{
  g_autofree guint8 *marks = NULL;
  g_autoptr (GArray) missing = NULL;

  if (is_arranged (self, cpus, online))
    return TRUE;

  marks = g_new0 (guint8, JM_CPUS_MAX);
  mark (marks, online, CPU_IS_ONLINE);
  mark (marks, cpus[0] != '\0' ? cpus : online, CPU_IS_WANTED);
  drop_offline (self, marks);
  missing = list_missing (self, marks);

  g_free (self->cpus);
  g_free (self->online);
  self->cpus = g_strdup (cpus);
  self->online = g_strdup (online);
  self->is_whole = open_missing (self, missing, error);

  return self->is_whole;
}

/* --- reading --- */

static gboolean
read_counts (JmPerfCgroup *self, GError **error)
{
  for (guint i = 0; i < self->counters->len; i++)
    {
      Counter *count = get_counter (self, i);
      int result =
        counter_read (count, &self->context->kernel, &self->totals[count->group]);

      /* its CPU went offline since it was listed */
      if (result != 0 && result != -ENODEV)
        {
          jm_path_error_set_errno (error, self->dir, -result);
          return FALSE;
        }
    }

  return TRUE;
}

static void
add_group (JmPerfCgroup *self, guint group, JmReadings *readings)
{
  const JmPerfGroup *kind = &self->context->groups.groups[group];
  const Total *total = &self->totals[group];

  if (kind->is_hardware)
    {
      jm_readings_add_labelled (readings, JM_METRIC_PERF_WANTED,
                                self->context->labels[group], total->wanted_ns);
      jm_readings_add_labelled (readings, JM_METRIC_PERF_COUNTED,
                                self->context->labels[group], total->counted_ns);
    }

  /* a group that never had its turn has counted nothing, which is not zero */
  if (total->wanted_ns > 0 && total->counted_ns == 0)
    return;

  for (guint i = 0; i < kind->n_events; i++)
    jm_readings_add (readings, kind->events[i].metric, total->events[i]);
}

gboolean
jm_perf_cgroup_read (JmPerfCgroup *self, JmReadings *readings, GError **error)
{
  if (!read_counts (self, error))
    return FALSE;

  for (guint i = 0; i < self->context->groups.n_groups; i++)
    if (self->is_wanted[i])
      add_group (self, i, readings);

  return TRUE;
}
