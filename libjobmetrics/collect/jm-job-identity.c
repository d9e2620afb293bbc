/* jm-job-identity.c: who a tracked job is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/jm-job-identity-private.h"

#include "core/jm-job-private.h"
#include "core/jm-readings-private.h"

/* For how many sweeps after its newest cgroup more is asked of a job: its processes may
 * come late on a busy node, or may never be readable. */
#define SWEEPS_WHILE_UNKNOWN 60
/* ... of one whose processes have told already; the batch step's know most, and come
 * after the extern step's. */
#define SWEEPS_WHILE_KNOWN 5
/* After how many a job is shown by what its path calls it. */
#define SWEEPS_BEFORE_PATH 2
/* Each of a job's cgroups is asked; a job array of tasks has thousands. */
#define MAX_CGROUPS 16

static gboolean
is_from (JmJob *job, const char *identity)
{
  return g_strcmp0 (jm_job_get_field (job, JM_JOB_FIELD_IDENTITY), identity) == 0;
}

static guint
count_fields (JmJob *job)
{
  guint n = 0;

  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    n += jm_job_get_field (job, i) != NULL;

  return n;
}

/* A hook file beats the environment, which beats the path; among equals the one that
 * knows more is better. */
static gboolean
is_better (JmJob *candidate, JmJob *than)
{
  static const char *const ranks[] = { JM_IDENTITY_HOOK, JM_IDENTITY_ENVIRONMENT };

  if (than == NULL)
    return TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (ranks); i++)
    if (is_from (candidate, ranks[i]) != is_from (than, ranks[i]))
      return is_from (candidate, ranks[i]);

  return count_fields (candidate) > count_fields (than);
}

/* A series never changes its name: the first uuid stays for the job's life. */
static void
take (JmTrackedJob *job, JmJob *candidate)
{
  if (job->job == NULL)
    job->job = candidate;
  else
    {
      g_autoptr (JmJob) previous = job->job;

      job->job = jm_job_new_renamed (candidate, previous);
      jm_job_unref (candidate);
    }
}

/* What one of the job's cgroups tells of it; NULL if nothing. */
static JmJob *
ask_cgroup (const JmTrackedJob *job,
            const JmTrackedCgroup *cgroup,
            JmCgroupReader *reader,
            JmReadings *readings)
{
  const guint *pids;
  guint n_pids;

  jm_readings_clear_processes (readings);
  jm_cgroup_reader_list_processes (reader, cgroup->cgroup, readings, NULL);
  pids = jm_readings_get_processes (readings, &n_pids);

  return jm_job_source_identify (job->source, cgroup->path, cgroup->place,
                                 n_pids > 0 ? pids[0] : 0);
}

/* All are asked before one is believed: the first uuid stays, and the extern step's
 * processes, which come first, know no cluster. */
static JmJob *
ask_cgroups (const JmTrackedJob *job, JmCgroupReader *reader, JmReadings *readings)
{
  JmJob *best = NULL;

  for (guint i = 0; i < MIN (job->cgroups->len, MAX_CGROUPS); i++)
    {
      g_autoptr (JmJob) candidate =
        ask_cgroup (job, g_ptr_array_index (job->cgroups, i), reader, readings);

      if (candidate != NULL && is_better (candidate, best))
        {
          g_clear_pointer (&best, jm_job_unref);
          best = g_steal_pointer (&candidate);
        }
    }

  return best;
}

/* Nobody tells its id: what the path calls it has to do. */
static JmJob *
job_from_path (JmTrackedJob *job)
{
  const char *fields[JM_N_JOB_FIELDS] = {
    [JM_JOB_FIELD_ID] = job->word,
    [JM_JOB_FIELD_IDENTITY] = JM_IDENTITY_PATH,
  };

  return jm_job_new_from_array (fields);
}

static gboolean
has_more_to_tell (const JmTrackedJob *job)
{
  if (job->job == NULL || is_from (job->job, JM_IDENTITY_PATH))
    return job->n_asked < SWEEPS_WHILE_UNKNOWN;

  return !is_from (job->job, JM_IDENTITY_HOOK) && job->n_asked < SWEEPS_WHILE_KNOWN;
}

void
jm_job_identity_learn (JmTrackedJob *job, JmCgroupReader *reader, JmReadings *readings)
{
  g_autoptr (JmJob) candidate = NULL;

  if (!has_more_to_tell (job))
    return;

  candidate = ask_cgroups (job, reader, readings);
  if (candidate != NULL && is_better (candidate, job->job))
    take (job, g_steal_pointer (&candidate));

  if (job->job == NULL && job->n_asked > SWEEPS_BEFORE_PATH)
    job->job = job_from_path (job);
}
