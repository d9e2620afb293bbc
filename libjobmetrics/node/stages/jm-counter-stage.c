/* jm-counter-stage.c: what is counted of each job besides its cgroups' files
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define G_LOG_DOMAIN "JobMetrics"

#include "base/jm-error.h"
#include "core/jm-readings-private.h"
#include "host/jm-source-private.h"
#include "node/jm-stage-private.h"
#include "sources/cgroup/jm-cgroup-kernel-reader-private.h"
#include "sources/cgroup/jm-cgroup-mounts-private.h"
#include "sources/counters/jm-counter-source-private.h"

typedef struct _Counting Counting;

/* One source counts what one cgroup does. */
struct _Counting
{
  JmCounterSource *source;
  gpointer cgroup; /* as the source opened it */
  Counting *next;  /* by another source */
};

typedef struct
{
  JmHost *host;
  JmCgroupMounts *mounts; /* NULL as long as nobody counts */
  GPtrArray *entries;     /* of JmSourceEntry, the set's own */
  JmReadings *work;       /* of the whole node */
  gboolean has_complained;
} CounterStage;

static gpointer
counter_open (const JmSweepPlan *plan, JmSourceSet *sources, GPtrArray *problems)
{
  CounterStage *self = g_new0 (CounterStage, 1);
  JmSource *processes = jm_source_set_find (sources, JM_SOURCE_KIND_PROCESSES);

  self->host = g_object_ref (jm_source_get_host (processes));
  self->entries = g_ptr_array_new ();
  self->work = jm_readings_new ();

  return self;
}

static void
counter_close (gpointer data)
{
  CounterStage *self = data;

  g_clear_pointer (&self->mounts, jm_cgroup_mounts_free);
  g_ptr_array_unref (self->entries);
  jm_readings_unref (self->work);
  g_object_unref (self->host);
  g_free (self);
}

static void
counter_add_source (gpointer data, const JmSourceEntry *entry)
{
  CounterStage *self = data;

  if (entry->kind != JM_SOURCE_KIND_COUNTERS)
    return;

  if (self->mounts == NULL)
    self->mounts = jm_cgroup_mounts_new (self->host);
  g_ptr_array_add (self->entries, (gpointer) entry);
}

static JmCollector
get_collector (const JmSourceEntry *entry)
{
  return jm_counter_source_get_collector (JM_COUNTER_SOURCE (entry->source));
}

/* What the system did is what is missing of the node's; it is guessed where that cannot
 * be counted. */
static void
count_node (CounterStage *self, const JmSourceEntry *entry, JmRound *round)
{
  JmCounterSource *source = JM_COUNTER_SOURCE (entry->source);
  g_autoptr (GError) error = NULL;

  if (round->energy == NULL || !jm_counter_source_can_read_node (source))
    return;

  jm_readings_reset (self->work, &round->plan->collectors);
  jm_readings_begin (self->work, get_collector (entry));
  if (jm_counter_source_read_node (source, self->work, &error))
    round->work = self->work;
  else if (!self->has_complained)
    g_message ("%s: what no job is counted doing is guessed: %s", entry->name,
               error->message);
  self->has_complained |= error != NULL;
}

static void
counter_begin (gpointer data, JmRound *round)
{
  CounterStage *self = data;

  for (guint i = 0; i < self->entries->len; i++)
    {
      const JmSourceEntry *entry = self->entries->pdata[i];
      const GError *error = jm_source_entry_get_error (entry);

      if (!jm_readings_begin (round->readings, get_collector (entry)))
        continue;
      if (jm_source_is_open (entry->source))
        {
          jm_counter_source_begin_round (JM_COUNTER_SOURCE (entry->source));
          count_node (self, entry, round);
        }
      else if (error != NULL)
        jm_readings_add_error (round->readings, error);
    }
}

/* --- one cgroup --- */

/* The logical path of the hierarchy; NULL where there is none. */
static const char *
find_mount (CounterStage *self, const char *controller)
{
  const char *v1 = NULL;

  if (g_strcmp0 (controller, "perf_event") == 0)
    v1 = self->mounts->perf_event;
  else if (g_strcmp0 (controller, "cpuacct") == 0)
    v1 = self->mounts->v1[JM_CGROUP_CPUACCT];

  return v1 != NULL ? v1 : self->mounts->unified;
}

/* A job may be no cgroup at all, or none in the hierarchy by which this is counted. */
static char *
find_directory (CounterStage *self,
                JmCounterSource *source,
                JmCgroupReader *reader,
                const char *path,
                GError **error)
{
  const char *controller = jm_counter_source_get_controller (source);
  const char *mount = find_mount (self, controller);
  g_autofree char *dir = NULL;

  if (!JM_IS_CGROUP_KERNEL_READER (reader))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                   "%s: not a cgroup, so that nothing can be counted of it", path);
      return NULL;
    }

  if (mount != NULL)
    dir = jm_cgroup_mounts_join (mount, path);
  if (dir != NULL && jm_host_exists (self->host, dir))
    return jm_host_resolve (self->host, dir);

  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
               "%s: no such cgroup %s%s, by which it would be counted",
               dir != NULL ? dir : path,
               controller != NULL ? "of the controller " : "of version 2",
               controller != NULL ? controller : "");

  return NULL;
}

/* All of a cgroup's. */
static void
countings_free (gpointer first)
{
  Counting *counting = first;

  while (counting != NULL)
    {
      Counting *next = counting->next;

      jm_counter_source_close_cgroup (counting->source, counting->cgroup);
      g_object_unref (counting->source);
      g_free (counting);
      counting = next;
    }
}

static Counting *
find_counting (JmTrackedCgroup *cgroup, JmCounterSource *source)
{
  Counting *counting = jm_tracked_cgroup_get_slot (cgroup)->state;

  while (counting != NULL && counting->source != source)
    counting = counting->next;

  return counting;
}

static Counting *
begin_to_count (CounterStage *self,
                JmCounterSource *source,
                JmCgroupReader *reader,
                JmTrackedCgroup *cgroup,
                GError **error)
{
  JmSlot *slot = jm_tracked_cgroup_get_slot (cgroup);
  g_autofree char *dir =
    find_directory (self, source, reader, jm_tracked_cgroup_get_path (cgroup), error);
  gpointer opened =
    dir != NULL ? jm_counter_source_open_cgroup (source, dir, error) : NULL;
  Counting *counting;

  if (opened == NULL)
    return NULL;

  counting = g_new0 (Counting, 1);
  *counting = (Counting){ g_object_ref (source), opened, slot->state };
  *slot = (JmSlot){ counting, countings_free };

  return counting;
}

static gboolean
read_cgroup (CounterStage *self,
             JmCounterSource *source,
             JmRound *round,
             JmTrackedCgroup *cgroup,
             GError **error)
{
  const Counting *counting = find_counting (cgroup, source);

  if (counting == NULL)
    counting = begin_to_count (self, source, round->reader, cgroup, error);

  return counting != NULL &&
         jm_counter_source_read (source, counting->cgroup, round->readings, error);
}

/* --- one job --- */

static gboolean
is_of_subject (const JmTrackedCgroup *cgroup, const JmTrackedSubject *subject)
{
  return jm_tracked_cgroup_get_subject (cgroup) == subject &&
         jm_tracked_cgroup_has_figures (cgroup);
}

/* A sum over some of its cgroups is none. */
static void
read_job (CounterStage *self, JmCounterSource *source, JmRound *round)
{
  const JmTrackedJob *job = jm_tracked_subject_get_job (round->subject);
  gboolean was_placed = jm_readings_get_placed (round->readings)->len > 0;
  JmTrackedCgroup *cgroup;
  guint from;
  guint n_read = 0;

  jm_readings_get_values (round->readings, &from);
  for (guint i = 0; (cgroup = jm_tracked_job_get_cgroup (job, i)) != NULL; i++)
    {
      g_autoptr (GError) error = NULL;

      if (!is_of_subject (cgroup, round->subject))
        continue;
      if (!read_cgroup (self, source, round, cgroup, &error))
        {
          jm_readings_add_error (round->readings, error);
          jm_readings_truncate (round->readings, from);
          if (!was_placed)
            jm_readings_clear_placed (round->readings);
          return;
        }
      n_read++;
    }
  if (n_read > 1)
    jm_readings_merge (round->readings, from);
  jm_readings_bound (round->readings, from, JM_METRIC_PERCPU, round->plan->max_cpus);
}

/* Counted is by job alone. Between two rounds there is a first chance to begin, and a
 * last one to read. */
static void
counter_visit (gpointer data, JmRound *round, guint subject)
{
  CounterStage *self = data;

  if (!round->is_read ||
      jm_tracked_subject_get_kind (round->subject) != JM_SUBJECT_KIND_JOB)
    return;

  for (guint i = 0; i < self->entries->len; i++)
    {
      const JmSourceEntry *entry = self->entries->pdata[i];

      if (jm_source_is_open (entry->source) &&
          jm_readings_begin (round->readings, get_collector (entry)))
        read_job (self, JM_COUNTER_SOURCE (entry->source), round);
    }
}

static gboolean
has_other (CounterStage *self, JmCollector collector)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const JmSourceEntry *entry = self->entries->pdata[i];

      if (jm_source_is_open (entry->source) && get_collector (entry) == collector)
        return TRUE;
    }

  return FALSE;
}

/* What this machine cannot have was reported when it was looked for. */
static void
counter_add_idle_collectors (gpointer data, JmCollectorSet *idle)
{
  CounterStage *self = data;

  for (guint i = 0; i < self->entries->len; i++)
    {
      const JmSourceEntry *entry = self->entries->pdata[i];

      if (g_error_matches (jm_source_entry_get_error (entry), JM_ERROR,
                           JM_ERROR_ABSENT) &&
          !has_other (self, get_collector (entry)))
        jm_collector_set_add (idle, get_collector (entry));
    }
}

const JmStageClass jm_counter_stage = {
  .name = "counters",
  .open = counter_open,
  .close = counter_close,
  .add_source = counter_add_source,
  .begin = counter_begin,
  .visit = counter_visit,
  .add_idle_collectors = counter_add_idle_collectors,
};
