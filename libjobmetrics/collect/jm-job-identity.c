/* jm-job-identity.c: who a tracked job is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/jm-job-identity-private.h"

#include "core/jm-readings-private.h"

/* For how many sweeps after its newest cgroup more is asked of a job of which the path
 * alone is known: its processes may come late on a busy node, or may never be readable.
 */
#define SWEEPS_WHILE_UNKNOWN 60
/* ... of one of which more is known; the batch step's processes know most, and come
 * after the extern step's. */
#define SWEEPS_WHILE_KNOWN 3
/* ... and after its first, since a job may begin a step each second. */
#define SWEEPS_AT_MOST 8
/* After how many a job is shown by what its path calls it. */
#define SWEEPS_BEFORE_PATH 2
/* Each of a job's cgroups is asked; a job array of tasks has thousands. */
#define MAX_CGROUPS 16

/* --- asking --- */

static gboolean
learn_from (JmTrackedJob *job, const char *path, JmPlace *place, guint pid)
{
  g_autoptr (JmJob) answer = jm_job_source_identify (job->source, path, place, pid);

  return answer != NULL && jm_job_draft_merge (job->draft, answer);
}

static gboolean
ask_cgroup (JmTrackedJob *job,
            const JmTrackedCgroup *cgroup,
            JmCgroupReader *reader,
            JmReadings *readings)
{
  const guint *pids;
  guint n_pids;

  jm_readings_clear_processes (readings);
  jm_cgroup_reader_list_processes (reader, cgroup->cgroup, readings, NULL);
  pids = jm_readings_get_processes (readings, &n_pids);

  return learn_from (job, cgroup->path, cgroup->place, n_pids > 0 ? pids[0] : 0);
}

/* All are asked, for each may know what the others do not: the extern step's processes,
 * which come first, know next to nothing. Of a job that was gone before a cgroup of it
 * could be opened, a hook's file may still tell.
 *
 * Returns: whether anything new was told */
static gboolean
ask (JmTrackedJob *job, JmCgroupReader *reader, JmReadings *readings)
{
  gboolean has_changed = FALSE;

  if (job->cgroups->len == 0 && job->path != NULL)
    return learn_from (job, job->path, job->place, 0);

  for (guint i = 0; i < MIN (job->cgroups->len, MAX_CGROUPS); i++)
    has_changed |=
      ask_cgroup (job, g_ptr_array_index (job->cgroups, i), reader, readings);

  return has_changed;
}

/* --- deciding --- */

/* The cluster may be told by a file that knows no job. */
static gboolean
is_known_by_path_alone (const JmTrackedJob *job)
{
  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    if (i != JM_JOB_FIELD_CLUSTER &&
        jm_job_draft_get_origin (job->draft, i) > JM_ORIGIN_PATH)
      return FALSE;

  return TRUE;
}

static gboolean
is_decided (const JmTrackedJob *job)
{
  if (job->subject->end_us != 0)
    return TRUE;
  if (is_known_by_path_alone (job))
    return job->n_asked >= SWEEPS_WHILE_UNKNOWN;

  return job->is_older || job->n_asked >= SWEEPS_WHILE_KNOWN ||
         job->n_sweeps >= SWEEPS_AT_MOST;
}

/* Of a job that was gone before a cgroup of it could be opened there is nothing to show
 * but who it was, if anybody tells. */
static gboolean
is_rumour (const JmTrackedJob *job)
{
  return job->job == NULL && job->cgroups->len == 0 && is_known_by_path_alone (job);
}

/* A series never changes its name: the first uuid stays for the job's life. */
static void
show (JmTrackedJob *job, JmRunDirectory *runs)
{
  g_clear_pointer (&job->job, jm_job_unref);
  job->job = jm_job_draft_to_job (job->draft);
  jm_job_draft_keep_uuid (job->draft, job->job);
  jm_run_directory_write (runs, job->job);
}

/* What is told of the run under one of its cgroup's numbers. In cgroup v1 another job
 * may have that number in another hierarchy. */
static JmJob *
find_published (const JmTrackedJob *job,
                JmCgroupReader *reader,
                JmRunDirectory *runs,
                guint hierarchy)
{
  g_autofree char *key =
    jm_run_directory_make_key (runs, jm_cgroup_reader_get_inode (reader, job->path,
                                                                 hierarchy));
  g_autoptr (JmJob) known = key != NULL ? jm_run_directory_read (runs, key) : NULL;

  return known != NULL && jm_job_is_called (known, job->word) ? g_steal_pointer (&known)
                                                              : NULL;
}

/* Takes what the exporter has told of the job, or what an exporter that ran before this
 * one had decided. Whoever saw the job in fewer hierarchies took the number of one that
 * is no longer the first. */
static gboolean
adopt (JmTrackedJob *job, JmCgroupReader *reader, JmRunDirectory *runs)
{
  JmJob *known = NULL;

  if (job->run_key == NULL || (jm_run_directory_is_writing (runs) && job->job != NULL))
    return FALSE;

  for (guint i = 0; i < JM_MAX_HIERARCHIES && known == NULL; i++)
    known = find_published (job, reader, runs, i);
  if (known == NULL)
    return FALSE;

  g_clear_pointer (&job->job, jm_job_unref);
  job->job = known;
  g_free (job->run_key);
  job->run_key = g_strdup (jm_job_get_run_key (known));

  return TRUE;
}

static void
begin (JmTrackedJob *job)
{
  job->draft = jm_job_draft_new ();
  jm_job_draft_set_run_key (job->draft, job->run_key);
}

void
jm_job_identity_learn (JmTrackedJob *job,
                       JmCgroupReader *reader,
                       JmRunDirectory *runs,
                       JmReadings *readings)
{
  gboolean has_changed;

  if (job->job != NULL && jm_job_is_decided (job->job))
    return;

  if (job->draft == NULL)
    begin (job);
  if (adopt (job, reader, runs))
    {
      if (!jm_run_directory_is_writing (runs))
        return;
      jm_job_draft_merge (job->draft, job->job);
      jm_job_draft_keep_uuid (job->draft, job->job);
      jm_job_draft_set_run_key (job->draft, job->run_key);
      jm_run_directory_write (runs, job->job);
      if (jm_job_is_decided (job->job))
        return;
    }
  has_changed = ask (job, reader, readings);
  if (is_rumour (job))
    return;

  /* Nobody tells its id: what the path calls it has to do. */
  if (job->n_asked > SWEEPS_BEFORE_PATH)
    has_changed |=
      jm_job_draft_set (job->draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, job->word, -1);
  if (jm_job_draft_get (job->draft, JM_JOB_FIELD_ID) == NULL)
    return;

  if (is_decided (job))
    jm_job_draft_set_decided (job->draft);
  else if (!has_changed && job->job != NULL)
    return;

  show (job, runs);
}
