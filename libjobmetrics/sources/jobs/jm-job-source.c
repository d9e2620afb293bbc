/* jm-job-source.c: which jobs the cgroups are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-job-source.h"

/**
 * JmJobSource:
 *
 * Maps cgroups to jobs, steps and tasks, and identifies the jobs.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (JmJobSource, jm_job_source, JM_TYPE_SOURCE)

static void
jm_job_source_default_init (JmJobSourceInterface *iface)
{
}

/**
 * jm_job_source_match:
 * @self: a job source
 * @path: path of a cgroup, from the root of its hierarchy
 *
 * Maps a cgroup to a job, step or task. Called once when the cgroup appears. The
 * processes of a cgroup that is none of these, below one that is, belong to the latter.
 *
 * Returns: (transfer full) (nullable): the place; %NULL if it is none of this source's
 * Since: 0.1
 */
JmPlace *
jm_job_source_match (JmJobSource *self, const char *path)
{
  g_return_val_if_fail (JM_IS_JOB_SOURCE (self), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  return JM_JOB_SOURCE_GET_IFACE (self)->match (self, path);
}

/**
 * jm_job_source_may_have_jobs:
 * @self: a job source
 * @path: path of a cgroup, from the root of its hierarchy
 *
 * Whether a cgroup, or one below it, may be a job. If no source returns %TRUE, the
 * cgroups below it are not read.
 *
 * Returns: whether there may be one; %TRUE where the source does not know
 * Since: 0.1
 */
gboolean
jm_job_source_may_have_jobs (JmJobSource *self, const char *path)
{
  JmJobSourceInterface *iface;

  g_return_val_if_fail (JM_IS_JOB_SOURCE (self), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  iface = JM_JOB_SOURCE_GET_IFACE (self);

  return iface->may_have_jobs == NULL || iface->may_have_jobs (self, path);
}

/**
 * jm_job_source_identify:
 * @self: a job source
 * @path: path of the cgroup in which @pid is, or of the job's cgroup
 * @place: what jm_job_source_match() made of @path
 * @pid: one of the job's processes, 0 when there is none yet
 *
 * Identifies a job. Called for each of the job's cgroups when the job appears, and
 * again for a while; the answers are merged field by field, by the rank of
 * jm_job_get_origin().
 *
 * Returns: (transfer full) (nullable): the job; %NULL when not even its id is known yet
 * Since: 0.1
 */
JmJob *
jm_job_source_identify (JmJobSource *self, const char *path, JmPlace *place, guint pid)
{
  g_return_val_if_fail (JM_IS_JOB_SOURCE (self), NULL);
  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (place != NULL, NULL);

  return JM_JOB_SOURCE_GET_IFACE (self)->identify (self, path, place, pid);
}
