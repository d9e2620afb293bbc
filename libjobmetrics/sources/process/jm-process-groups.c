/* jm-process-groups.c: sums over the processes of jobs, steps and tasks
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/process/jm-process-groups-private.h"

#include <string.h>
#include <unistd.h>

#include "core/jm-readings-private.h"

/* The kernel has no more. */
#define MAX_CPU 65535

typedef struct
{
  JmLabels *labels; /* its name */
  guint64 amount;
} Executable;

/* What processes use, by what they run. */
typedef struct
{
  GArray *executables; /* of Executable, NULL before the first */
  guint64 other;       /* of those that there is no room for */
} Split;

/* Sums of all processes that ever were, and those of the ones that live. */
typedef struct
{
  guint parent;
  gboolean is_listed; /* it was there when this round began: its processes were named */
  gboolean has_ends;  /* the feed reports each process that ends in it, in this round */
  guint gaps;         /* parts that could not be read in this round, of some process */
  guint lost;         /* parts that were never read of a process that is no more */

  guint64 spawned;
  guint64 first_ticks; /* when the oldest one began, since boot */
  guint64 user_ns;
  guint64 system_ns;
  guint64 io[JM_N_PROCESS_IO];
  Split cpu;
  GArray *placed_ns; /* of guint64, by CPU; NULL before the first */
  guint64 cpu_ns;    /* what the kernel counted for it as a whole; 0 is not known */
  guint64 rest_ns;   /* what of it is no process's that was seen */

  guint processes;
  Split alive; /* threads */
  guint64 rss_pages;
  guint threads[JM_N_THREAD_STATES];
  guint64 open_files;
  guint *filesystems;
} Group;

struct _JmProcessGroups
{
  GPtrArray *groups; /* of Group, NULL where an id is free; 0 is never taken */
  guint max_executables;
  guint64 page_size;
  guint64 boot_ns; /* since 1970; 0 is not known */
  JmLabels *other; /* of executables */
  JmLabels *states[JM_N_THREAD_STATES];
  GPtrArray *filesystems; /* of JmLabels */
};

static const char *const state_names[JM_N_THREAD_STATES] = {
  [JM_THREAD_STATE_RUNNING] = "running",
  [JM_THREAD_STATE_SLEEPING] = "sleeping",
  [JM_THREAD_STATE_DISK_SLEEP] = "disk_sleep",
  [JM_THREAD_STATE_STOPPED] = "stopped",
  [JM_THREAD_STATE_ZOMBIE] = "zombie",
  [JM_THREAD_STATE_TRACING_STOP] = "tracing_stop",
  [JM_THREAD_STATE_DEAD] = "dead",
  [JM_THREAD_STATE_IDLE] = "idle",
  [JM_THREAD_STATE_OTHER] = "other",
};

const char *
jm_thread_state_get_name (JmThreadState state)
{
  return state_names[state];
}

static void
executable_clear (gpointer executable)
{
  jm_labels_unref (((Executable *) executable)->labels);
}

static void
group_free (gpointer data)
{
  Group *group = data;

  if (group == NULL)
    return;

  g_clear_pointer (&group->cpu.executables, g_array_unref);
  g_clear_pointer (&group->alive.executables, g_array_unref);
  g_clear_pointer (&group->placed_ns, g_array_unref);
  g_free (group->filesystems);
  g_free (group);
}

static inline Group *
get_group (JmProcessGroups *self, guint id)
{
  return id < self->groups->len ? g_ptr_array_index (self->groups, id) : NULL;
}

static inline Group *
get_parent (JmProcessGroups *self, const Group *group)
{
  return get_group (self, group->parent);
}

JmProcessGroups *
jm_process_groups_new (void)
{
  JmProcessGroups *self = g_new0 (JmProcessGroups, 1);

  self->groups = g_ptr_array_new_with_free_func (group_free);
  g_ptr_array_add (self->groups, NULL);
  self->page_size = (guint64) sysconf (_SC_PAGESIZE);
  self->other = jm_labels_of ("other", NULL);
  for (guint i = 0; i < JM_N_THREAD_STATES; i++)
    self->states[i] = jm_labels_of (state_names[i], NULL);
  self->filesystems = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_labels_unref);

  return self;
}

void
jm_process_groups_free (JmProcessGroups *self)
{
  g_ptr_array_unref (self->groups);
  g_ptr_array_unref (self->filesystems);
  for (guint i = 0; i < JM_N_THREAD_STATES; i++)
    jm_labels_unref (self->states[i]);
  jm_labels_unref (self->other);
  g_free (self);
}

void
jm_process_groups_set_boot_ns (JmProcessGroups *self, guint64 boot_ns)
{
  self->boot_ns = boot_ns;
}

guint64
jm_process_groups_get_boot_ns (JmProcessGroups *self)
{
  return self->boot_ns;
}

void
jm_process_groups_set_max_executables (JmProcessGroups *self, guint max)
{
  self->max_executables = max;
}

static void
group_reset_filesystems (Group *group, guint n_filesystems)
{
  g_free (group->filesystems);
  group->filesystems = g_new0 (guint, n_filesystems);
}

void
jm_process_groups_set_filesystems (JmProcessGroups *self,
                                   const char *const *paths,
                                   guint n_paths)
{
  g_ptr_array_set_size (self->filesystems, 0);
  for (guint i = 0; i < n_paths; i++)
    g_ptr_array_add (self->filesystems, jm_labels_of (paths[i], NULL));

  for (guint i = 1; i < self->groups->len; i++)
    if (get_group (self, i) != NULL)
      group_reset_filesystems (get_group (self, i), n_paths);
}

static guint
find_free_id (JmProcessGroups *self)
{
  for (guint i = 1; i < self->groups->len; i++)
    if (get_group (self, i) == NULL)
      return i;

  g_ptr_array_add (self->groups, NULL);
  return self->groups->len - 1;
}

guint
jm_process_groups_add (JmProcessGroups *self, guint parent)
{
  Group *group = g_new0 (Group, 1);
  guint id = find_free_id (self);

  group->parent = parent;
  group_reset_filesystems (group, self->filesystems->len);
  self->groups->pdata[id] = group;

  return id;
}

/* Removes a group. What it counted stays in those above it, and its children become
 * theirs. Returns the group that was above it. */
guint
jm_process_groups_remove (JmProcessGroups *self, guint id)
{
  Group *group = get_group (self, id);
  guint parent;

  g_assert (group != NULL);
  parent = group->parent;
  for (guint i = 1; i < self->groups->len; i++)
    {
      Group *other = get_group (self, i);

      if (other != NULL && other->parent == id)
        other->parent = parent;
    }

  group_free (group);
  self->groups->pdata[id] = NULL;
  return parent;
}

gboolean
jm_process_groups_has (JmProcessGroups *self, guint id)
{
  return get_group (self, id) != NULL;
}

static void
split_clear (Split *self)
{
  if (self->executables != NULL)
    g_array_set_size (self->executables, 0);
  self->other = 0;
}

/* Forgets the figures of the living, which are read anew in each round. */
void
jm_process_groups_begin_round (JmProcessGroups *self)
{
  for (guint i = 1; i < self->groups->len; i++)
    {
      Group *group = get_group (self, i);

      if (group == NULL)
        continue;

      group->is_listed = TRUE;
      group->gaps = 0;
      group->has_ends = FALSE;
      group->processes = 0;
      group->rss_pages = 0;
      group->open_files = 0;
      memset (group->threads, 0, sizeof group->threads);
      split_clear (&group->alive);
      for (guint f = 0; f < self->filesystems->len; f++)
        group->filesystems[f] = 0;
    }
}

/* Says that each process that ends in @id is reported, though it was not seen alive. */
void
jm_process_groups_set_ends (JmProcessGroups *self, guint id)
{
  Group *group = get_group (self, id);

  if (group != NULL)
    group->has_ends = TRUE;
}

gboolean
jm_process_groups_has_ends (JmProcessGroups *self, guint id)
{
  const Group *group = get_group (self, id);

  return group != NULL && group->has_ends;
}

static gboolean
is_at_or_above (JmProcessGroups *self, const Group *above, guint id)
{
  for (Group *group = get_group (self, id); group != NULL;
       group = get_parent (self, group))
    if (group == above)
      return TRUE;

  return FALSE;
}

/* Counts processes in @id and above, but not where one is known because it was in
 * @known_in before it moved. */
void
jm_process_groups_add_spawned (JmProcessGroups *self,
                               guint id,
                               guint known_in,
                               guint64 starttime_ticks,
                               guint n_processes)
{
  for (Group *group = get_group (self, id); group != NULL;
       group = get_parent (self, group))
    if (!is_at_or_above (self, group, known_in))
      {
        if (group->spawned == 0 || starttime_ticks < group->first_ticks)
          group->first_ticks = starttime_ticks;
        group->spawned += n_processes;
      }
}

static guint64 *
split_add (Split *self, JmLabels *labels)
{
  Executable executable = { jm_labels_ref (labels), 0 };

  if (self->executables == NULL)
    {
      self->executables = g_array_new (FALSE, FALSE, sizeof (Executable));
      g_array_set_clear_func (self->executables, executable_clear);
    }
  g_array_append_val (self->executables, executable);

  return &g_array_index (self->executables, Executable, self->executables->len - 1)
            .amount;
}

static guint64 *
find_executable (JmProcessGroups *self, Split *split, JmLabels *labels)
{
  guint n = split->executables != NULL ? split->executables->len : 0;

  if (labels == NULL || labels == self->other)
    return &split->other;

  for (guint i = 0; i < n; i++)
    {
      Executable *executable = &g_array_index (split->executables, Executable, i);

      if (executable->labels == labels)
        return &executable->amount;
    }

  return n < self->max_executables ? split_add (split, labels) : &split->other;
}

void
jm_process_groups_add_living (JmProcessGroups *self,
                              guint id,
                              JmLabels *executable,
                              guint n_threads,
                              guint64 rss_pages)
{
  for (Group *group = get_group (self, id); group != NULL;
       group = get_parent (self, group))
    {
      group->processes++;
      group->rss_pages += rss_pages;
      *find_executable (self, &group->alive, executable) += n_threads;
    }
}

void
jm_process_groups_add_cpu (JmProcessGroups *self,
                           guint id,
                           JmLabels *executable,
                           guint64 user_ns,
                           guint64 system_ns)
{
  for (Group *group = get_group (self, id); group != NULL;
       group = get_parent (self, group))
    {
      group->user_ns += user_ns;
      group->system_ns += system_ns;
      *find_executable (self, &group->cpu, executable) += user_ns + system_ns;
    }
}

static void
group_place (Group *group, guint cpu, guint64 ns)
{
  if (group->placed_ns == NULL)
    group->placed_ns = g_array_new (FALSE, TRUE, sizeof (guint64));
  if (cpu >= group->placed_ns->len)
    g_array_set_size (group->placed_ns, cpu + 1);

  g_array_index (group->placed_ns, guint64, cpu) += ns;
}

/* Says on which CPU a process of @id, or a thread of one, ran for so long, as far as is
 * known. Of whole jobs alone it is asked. */
void
jm_process_groups_place (JmProcessGroups *self, guint id, guint cpu, guint64 ns)
{
  Group *group = get_group (self, id);

  if (cpu > MAX_CPU || ns == 0)
    return;

  while (group != NULL && get_parent (self, group) != NULL)
    group = get_parent (self, group);
  if (group != NULL)
    group_place (group, cpu, ns);
}

void
jm_process_groups_add_io (JmProcessGroups *self,
                          guint id,
                          const guint64 deltas[JM_N_PROCESS_IO])
{
  for (Group *group = get_group (self, id); group != NULL;
       group = get_parent (self, group))
    for (guint i = 0; i < JM_N_PROCESS_IO; i++)
      group->io[i] += deltas[i];
}

void
jm_process_groups_add_threads (JmProcessGroups *self,
                               guint id,
                               const guint counts[JM_N_THREAD_STATES])
{
  for (Group *group = get_group (self, id); group != NULL;
       group = get_parent (self, group))
    for (guint i = 0; i < JM_N_THREAD_STATES; i++)
      group->threads[i] += counts[i];
}

void
jm_process_groups_add_open_files (JmProcessGroups *self, guint id, guint n_files)
{
  for (Group *group = get_group (self, id); group != NULL;
       group = get_parent (self, group))
    group->open_files += n_files;
}

void
jm_process_groups_add_filesystems (JmProcessGroups *self, guint id, guint64 mask)
{
  for (Group *group = get_group (self, id); group != NULL;
       group = get_parent (self, group))
    for (guint i = 0; i < self->filesystems->len; i++)
      group->filesystems[i] += (mask >> i) & 1;
}

/* Says that @parts, a mask of bits, could not be read in this round. */
void
jm_process_groups_add_gap (JmProcessGroups *self, guint id, guint parts)
{
  for (Group *group = get_group (self, id); group != NULL;
       group = get_parent (self, group))
    group->gaps |= parts;
}

/* Says that @parts, a mask of bits, will never be whole again. */
void
jm_process_groups_add_loss (JmProcessGroups *self, guint id, guint parts)
{
  for (Group *group = get_group (self, id); group != NULL;
       group = get_parent (self, group))
    group->lost |= parts;
}

static gboolean
is_whole (const Group *group, JmProcessPart part)
{
  return (group->gaps & JM_PROCESS_PART_BIT (part)) == 0;
}

static gboolean
is_whole_since_ever (const Group *group, JmProcessPart part)
{
  return ((group->gaps | group->lost) & JM_PROCESS_PART_BIT (part)) == 0;
}

static guint64
sum_executables (const Split *split)
{
  guint64 sum = split->other;

  for (guint i = 0; split->executables != NULL && i < split->executables->len; i++)
    sum += g_array_index (split->executables, Executable, i).amount;

  return sum;
}

/* What is missing of the last round's total has had a round's time to be shown by the
 * processes that used it, or by who waited for them; later than that nobody will. A
 * counter never goes back, so neither does this. */
void
jm_process_groups_set_cpu (JmProcessGroups *self, guint id, guint64 total_ns)
{
  Group *group = get_group (self, id);
  guint64 sum_ns;
  guint64 due_ns;

  g_assert (group != NULL);
  sum_ns = sum_executables (&group->cpu);
  due_ns = group->cpu_ns != 0 ? group->cpu_ns : total_ns;
  if (due_ns > sum_ns)
    group->rest_ns = MAX (group->rest_ns, due_ns - sum_ns);
  group->cpu_ns = total_ns;
}

static void
read_executables (JmProcessGroups *self,
                  const Split *split,
                  JmMetric metric,
                  guint64 rest,
                  JmReadings *readings)
{
  guint n = split->executables != NULL ? split->executables->len : 0;

  for (guint i = 0; i < n; i++)
    {
      Executable *executable = &g_array_index (split->executables, Executable, i);

      jm_readings_add_labelled (readings, metric, executable->labels,
                                executable->amount);
    }

  if (split->other + rest > 0)
    jm_readings_add_labelled (readings, metric, self->other, split->other + rest);
}

static void
read_counters (JmProcessGroups *self, const Group *group, JmReadings *readings)
{
  jm_readings_add (readings, JM_METRIC_PROCESSES_SPAWNED, group->spawned);

  /* where no process was seen there is nothing that was read */
  if (group->spawned == 0)
    return;

  if (self->boot_ns != 0)
    jm_readings_add (readings, JM_METRIC_PROCESS_FIRST_START,
                     self->boot_ns + group->first_ticks * JM_NS_PER_TICK);
  jm_readings_add (readings, JM_METRIC_PROCESS_CPU_USER, group->user_ns);
  jm_readings_add (readings, JM_METRIC_PROCESS_CPU_SYSTEM, group->system_ns);
  read_executables (self, &group->cpu, JM_METRIC_EXECUTABLE_CPU, group->rest_ns,
                    readings);

  if (is_whole_since_ever (group, JM_PROCESS_PART_IO))
    for (guint i = 0; i < JM_N_PROCESS_IO; i++)
      jm_readings_add (readings, JM_METRIC_PROCESS_READ_BYTES + i, group->io[i]);
}

static void
read_processes (JmProcessGroups *self, const Group *group, JmReadings *readings)
{
  if (is_whole (group, JM_PROCESS_PART_STAT))
    {
      jm_readings_add (readings, JM_METRIC_PROCESSES, group->processes);
      jm_readings_add (readings, JM_METRIC_PROCESS_RSS,
                       group->rss_pages * self->page_size);
      read_executables (self, &group->alive, JM_METRIC_EXECUTABLE_THREADS, 0, readings);
    }

  if (is_whole_since_ever (group, JM_PROCESS_PART_STAT))
    read_counters (self, group, readings);
}

static void
read_threads (JmProcessGroups *self, const Group *group, JmReadings *readings)
{
  if (!is_whole (group, JM_PROCESS_PART_THREADS))
    return;

  /* the common states are there always, so that series do not come and go */
  for (guint i = 0; i < JM_N_THREAD_STATES; i++)
    if (i <= JM_THREAD_STATE_ZOMBIE || group->threads[i] > 0)
      jm_readings_add_labelled (readings, JM_METRIC_THREADS, self->states[i],
                                group->threads[i]);
}

static void
read_files (JmProcessGroups *self, const Group *group, JmReadings *readings)
{
  if (is_whole (group, JM_PROCESS_PART_FILES))
    jm_readings_add (readings, JM_METRIC_OPEN_FILES, group->open_files);

  if (!is_whole (group, JM_PROCESS_PART_FILESYSTEMS))
    return;

  for (guint i = 0; i < self->filesystems->len; i++)
    jm_readings_add_labelled (readings, JM_METRIC_FILESYSTEM_PROCESSES,
                              g_ptr_array_index (self->filesystems, i),
                              group->filesystems[i]);
}

/* Where a cgroup counts by CPU, that is what counts. */
static void
read_placed (const Group *group, JmReadings *readings)
{
  if (group->placed_ns == NULL || jm_readings_get_placed (readings)->len > 0)
    return;

  for (guint cpu = 0; cpu < group->placed_ns->len; cpu++)
    jm_readings_place (readings, cpu, g_array_index (group->placed_ns, guint64, cpu));
}

/* Adds the group's figures of @collectors to @readings; none of a group that was added
 * since the round began. */
void
jm_process_groups_read (JmProcessGroups *self,
                        guint id,
                        const JmCollectorSet *collectors,
                        JmReadings *readings)
{
  const Group *group = get_group (self, id);

  g_assert (group != NULL);
  if (!group->is_listed)
    return;

  if (jm_collector_set_has (collectors, JM_COLLECTOR_PROCESS))
    read_processes (self, group, readings);
  read_placed (group, readings);
  if (jm_collector_set_has (collectors, JM_COLLECTOR_THREADS))
    read_threads (self, group, readings);
  if (jm_collector_set_has (collectors, JM_COLLECTOR_FILES))
    read_files (self, group, readings);
}
