/* jm-cgroup-stage.c: the counters of each subject's cgroups, in every round
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <string.h>

#include "base/jm-parse-private.h"
#include "core/jm-readings-private.h"
#include "core/jm-snapshot-private.h"
#include "node/jm-stage-private.h"

/* %FALSE when one of them went away meanwhile. */
static gboolean
read_cgroups (JmRound *round)
{
  guint n_cgroups;
  const guint *cgroups = jm_tracked_subject_get_cgroups (round->subject, &n_cgroups);

  jm_readings_clear_cpus (round->readings);
  for (guint i = 0; i < n_cgroups; i++)
    {
      g_autoptr (GError) error = NULL;

      if (!jm_cgroup_reader_read (round->reader, cgroups[i], round->readings, &error))
        {
          if (error != NULL)
            jm_readings_add_error (round->readings, error);
          jm_readings_truncate (round->readings, round->from);
          return FALSE;
        }
    }
  if (n_cgroups > 1)
    jm_readings_merge (round->readings, round->from);
  jm_readings_bound (round->readings, round->from, JM_METRIC_PERCPU,
                     round->plan->max_cpus);

  return TRUE;
}

/* What is shown of a subject that cannot be read any more. */
static void
add_last_figures (JmRound *round)
{
  guint n_values;
  const JmReading *values =
    jm_tracked_subject_get_last_readings (round->subject, round->last, &n_values);

  for (guint i = 0; i < n_values; i++)
    if (!jm_reading_is_of_energy (&values[i]))
      jm_readings_add_copies (round->readings, &values[i], 1);
}

static gboolean
find_granted (JmRound *round, JmJob *job, guint64 *n_cpus)
{
  const char *text = jm_job_get_field (job, JM_JOB_FIELD_CPUS_GRANTED);
  const JmReading *all = jm_readings_find (round->readings, 0, JM_METRIC_NODE_CPUS);

  return text != NULL && jm_parse_uint64 (text, strlen (text), n_cpus) && *n_cpus > 0 &&
         (all == NULL || *n_cpus <= all->value);
}

/* Where no cpuset says how many CPUs a job may use, its scheduler may. */
static void
add_granted_cpus (JmRound *round)
{
  JmTrackedJob *tracked = jm_tracked_subject_get_job (round->subject);
  JmJob *job = jm_tracked_job_get_job (tracked);
  guint64 n_cpus;

  if (round->subject != jm_tracked_job_get_subject (tracked) || job == NULL ||
      jm_readings_find (round->readings, round->from, JM_METRIC_CPUS) != NULL)
    return;

  if (find_granted (round, job, &n_cpus) &&
      jm_readings_begin (round->readings, JM_COLLECTOR_CPU))
    {
      round->has_claimed_cpus =
        jm_job_get_origin (job, JM_JOB_FIELD_CPUS_GRANTED) == JM_ORIGIN_ENVIRONMENT;
      jm_readings_add (round->readings, JM_METRIC_CPUS, n_cpus);
      jm_readings_end (round->readings);
    }
}

static void
cgroup_visit (gpointer self, JmRound *round, guint subject)
{
  round->has_claimed_cpus = FALSE;
  round->is_read =
    jm_tracked_subject_get_end_time (round->subject) == 0 && read_cgroups (round);
  if (round->is_read)
    add_granted_cpus (round);
  else if (!round->is_late)
    add_last_figures (round);
}

const JmStageClass jm_cgroup_stage = {
  .name = "cgroups",
  .visit = cgroup_visit,
};
