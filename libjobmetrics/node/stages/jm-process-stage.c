/* jm-process-stage.c: what each subject's processes do, in every round
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-error.h"
#include "core/jm-readings-private.h"
#include "node/jm-stage-private.h"
#include "sources/cgroup/jm-cgroup-kernel-reader-private.h"

static gpointer
process_open (const JmSweepPlan *plan, JmSourceSet *sources, GPtrArray *problems)
{
  return g_object_ref (jm_source_set_find (sources, JM_SOURCE_KIND_PROCESSES));
}

static void
process_close (gpointer self)
{
  g_object_unref (self);
}

/* What a reader makes up has numbers that are no cgroup's of the kernel. */
static gboolean
takes_cgroups (JmProcessSource *self, JmCgroupReader *reader)
{
  return JM_IS_CGROUP_KERNEL_READER (reader) && jm_process_source_takes_cgroups (self);
}

/* By the source itself where it has read of all processes where they are. */
static gboolean
list_processes (JmProcessSource *self,
                JmReadings *readings,
                JmCgroupReader *reader,
                JmTrackedCgroup *cgroup,
                GError **error)
{
  guint number = jm_tracked_cgroup_get_number (cgroup);

  jm_readings_clear_processes (readings);
  if (number != 0 && takes_cgroups (self, reader) &&
      jm_process_source_list_cgroup (self, jm_tracked_cgroup_get_inode (cgroup, reader),
                                     readings))
    {
      jm_cgroup_reader_note_processes (reader, number, readings);
      return TRUE;
    }

  return jm_cgroup_reader_list_processes (reader, number, readings, error);
}

static void
read_cgroup (JmProcessSource *self,
             JmReadings *readings,
             JmCgroupReader *reader,
             JmTrackedCgroup *cgroup)
{
  JmTrackedSubject *subject = jm_tracked_cgroup_get_subject (cgroup);
  void (*add_process) (JmProcessSource *, guint, guint) = jm_process_source_add_process;
  g_autoptr (GError) error = NULL;
  const guint *pids;
  guint n_pids;
  gboolean is_listed;

  if (!jm_tracked_cgroup_is_due (cgroup))
    return;

  /* before they are read, so that the next round knows of what they do meanwhile */
  if (!takes_cgroups (self, reader) &&
      jm_cgroup_kernel_reader_has_slept (reader, jm_tracked_cgroup_get_number (cgroup)))
    add_process = jm_process_source_add_sleeping;

  jm_readings_begin (readings, JM_COLLECTOR_PROCESS);
  is_listed = list_processes (self, readings, reader, cgroup, &error);
  if (!is_listed && !g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
    {
      if (error != NULL)
        jm_readings_add_error (readings, error);
      jm_tracked_subject_mark_unlisted (subject);
    }

  pids = jm_readings_get_processes (readings, &n_pids);
  jm_tracked_cgroup_set_empty (cgroup, is_listed && n_pids == 0);
  for (guint i = 0; i < n_pids; i++)
    add_process (self, jm_tracked_subject_get_group (subject), pids[i]);
}

/* All of them, since one that is empty now had processes a moment ago. */
static void
add_cgroups (JmProcessSource *self, JmCgroupReader *reader, const JmTrackedJob *job)
{
  JmTrackedCgroup *cgroup;

  for (guint k = 0; (cgroup = jm_tracked_job_get_cgroup (job, k)) != NULL; k++)
    {
      guint64 inode = jm_tracked_cgroup_get_inode (cgroup, reader);

      if (inode != 0)
        jm_process_source_add_cgroup (self,
                                      jm_tracked_subject_get_group (
                                        jm_tracked_cgroup_get_subject (cgroup)),
                                      inode);
    }
}

/* Before any is asked for its processes. */
static void
name_cgroups (JmProcessSource *self, JmJobTracker *tracker)
{
  JmCgroupReader *reader = jm_job_tracker_get_reader (tracker);
  GPtrArray *jobs = jm_job_tracker_get_jobs (tracker);

  if (!takes_cgroups (self, reader))
    return;

  for (guint i = 0; i < jobs->len; i++)
    add_cgroups (self, reader, jobs->pdata[i]);
}

static void
read_tracker (JmProcessSource *self, JmReadings *readings, JmJobTracker *tracker)
{
  GPtrArray *jobs = jm_job_tracker_get_jobs (tracker);

  for (guint i = 0; i < jobs->len; i++)
    jm_tracked_subject_clear_unlisted (jm_tracked_job_get_subject (jobs->pdata[i]));
  jm_job_tracker_mark_unlisted (tracker);

  for (guint i = 0; i < jobs->len; i++)
    {
      const JmTrackedJob *job = g_ptr_array_index (jobs, i);
      JmTrackedCgroup *cgroup;

      for (guint k = 0; (cgroup = jm_tracked_job_get_cgroup (job, k)) != NULL; k++)
        read_cgroup (self, readings, jm_job_tracker_get_reader (tracker), cgroup);
    }
}

static void
process_begin (gpointer self, JmRound *round)
{
  const JmCollectorSet *wanted = &round->plan->collectors;

  if (!jm_collector_set_has (wanted, JM_COLLECTOR_PROCESS) &&
      !jm_collector_set_has (wanted, JM_COLLECTOR_THREADS) &&
      !jm_collector_set_has (wanted, JM_COLLECTOR_FILES))
    return;

  jm_process_source_begin_round (self, round->readings);
  for (guint i = 0; i < round->trackers->len; i++)
    name_cgroups (self, g_ptr_array_index (round->trackers, i));
  for (guint i = 0; i < round->trackers->len; i++)
    read_tracker (self, round->readings, g_ptr_array_index (round->trackers, i));
  jm_process_source_end_round (self);
}

/* Where they do account for it and it could not be read now, a sum over processes is
 * another counter. */
static gboolean
may_sum_cpu (JmRound *round)
{
  const JmCollectorStatus *cpu =
    jm_readings_get_status (round->readings, JM_COLLECTOR_CPU);

  if (jm_readings_find (round->readings, round->from, JM_METRIC_CPU_TOTAL) != NULL ||
      jm_readings_find (round->readings, round->from, JM_METRIC_CPU_USER) != NULL)
    jm_tracked_subject_note_own_cpu (round->subject);

  return !jm_tracked_subject_has_own_cpu (round->subject) &&
         cpu->n_errors == cpu->n_denied;
}

/* A job whose cgroups do not account for CPU time, such as one that only its processes
 * make up, still has the sum over its processes. */
static void
add_cpu (JmReadings *readings, guint from)
{
  const JmReading *user = jm_readings_find (readings, from, JM_METRIC_PROCESS_CPU_USER);
  const JmReading *system =
    jm_readings_find (readings, from, JM_METRIC_PROCESS_CPU_SYSTEM);
  guint64 user_ns, system_ns;

  if (user == NULL || system == NULL || !jm_readings_begin (readings, JM_COLLECTOR_CPU))
    return;

  /* what is added may move what was found */
  user_ns = user->value;
  system_ns = system->value;
  jm_readings_add (readings, JM_METRIC_CPU_USER, user_ns);
  jm_readings_add (readings, JM_METRIC_CPU_SYSTEM, system_ns);
  jm_readings_add (readings, JM_METRIC_CPU_TOTAL, user_ns + system_ns);
}

static void
read_group (JmProcessSource *self, JmRound *round)
{
  guint group = jm_tracked_subject_get_group (round->subject);
  const JmReading *total =
    jm_readings_find (round->readings, round->from, JM_METRIC_CPU_TOTAL);

  /* between rounds no process was read that might show it */
  if (total != NULL && !round->is_late)
    jm_process_source_set_group_cpu (self, group, total->value);
  jm_process_source_read_group (self, group, round->readings);

  /* a reader that knows what was waited for may have reported the same processes */
  jm_readings_keep_largest (round->readings, round->from, JM_METRIC_PROCESS_CPU_USER);
  jm_readings_keep_largest (round->readings, round->from, JM_METRIC_PROCESS_CPU_SYSTEM);
}

static void
process_visit (gpointer self, JmRound *round, guint subject)
{
  if (!round->is_read)
    return;

  if (!jm_tracked_subject_has_unlisted (round->subject))
    read_group (self, round);
  if (may_sum_cpu (round))
    add_cpu (round->readings, round->from);
}

const JmStageClass jm_process_stage = {
  .name = "processes",
  .open = process_open,
  .close = process_close,
  .begin = process_begin,
  .visit = process_visit,
};
