/* jm-gpu-users.c: whose a process is that the driver lists
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/jm-gpu-map-private.h"

#include "base/jm-parse-proc-private.h"
#include "core/jm-readings-private.h"
#include "sources/cgroup/jm-cgroup-kernel-reader-private.h"

/* More processes than this on a node's devices are not looked at. */
#define MAX_PIDS 4096
/* cgroup v1 has a line for each of a dozen hierarchies. */
#define TEXT_MAX 16384

struct _JmGpuUsers
{
  JmHost *host;
  GHashTable *known; /* of this round: pid to JmTrackedJob, or to NULL for no job's */
  const GPtrArray *trackers;
  JmReadings *readings;
  gboolean has_listed; /* cgroups of which the kernel knows nothing */
};

/* A process whose job is looked for. */
typedef struct
{
  const GPtrArray *trackers;
  JmTrackedJob *found;
} Search;

JmGpuUsers *
jm_gpu_users_new (JmHost *host)
{
  JmGpuUsers *self = g_new0 (JmGpuUsers, 1);

  self->host = g_object_ref (host);
  self->known = g_hash_table_new (NULL, NULL);

  return self;
}

void
jm_gpu_users_free (JmGpuUsers *self)
{
  g_hash_table_unref (self->known);
  g_object_unref (self->host);
  g_free (self);
}

void
jm_gpu_users_begin_round (JmGpuUsers *self,
                          const GPtrArray *trackers,
                          JmReadings *readings)
{
  g_hash_table_remove_all (self->known);
  self->trackers = trackers;
  self->readings = readings;
  self->has_listed = FALSE;
}

/* --- those in cgroups of the kernel --- */

static gboolean
is_at_or_below (JmSlice path, const char *above)
{
  gsize length = strlen (above);

  return path.length >= length && memcmp (path.text, above, length) == 0 &&
         (path.length == length || path.text[length] == '/');
}

static gboolean
has_path (const JmTrackedJob *job, JmSlice path)
{
  const JmTrackedCgroup *cgroup;

  for (guint i = 0; (cgroup = jm_tracked_job_get_cgroup (job, i)) != NULL; i++)
    if (is_at_or_below (path, jm_tracked_cgroup_get_path (cgroup)))
      return TRUE;

  return FALSE;
}

static void
look_up_path (const JmProcCgroup *cgroup, gpointer user_data)
{
  Search *search = user_data;

  for (guint t = 0; search->found == NULL && t < search->trackers->len; t++)
    {
      JmJobTracker *tracker = g_ptr_array_index (search->trackers, t);
      GPtrArray *jobs = jm_job_tracker_get_jobs (tracker);

      if (!JM_IS_CGROUP_KERNEL_READER (jm_job_tracker_get_reader (tracker)))
        continue;
      for (guint i = 0; search->found == NULL && i < jobs->len; i++)
        if (has_path (g_ptr_array_index (jobs, i), cgroup->path))
          search->found = g_ptr_array_index (jobs, i);
    }
}

static JmTrackedJob *
ask_kernel (JmGpuUsers *self, guint pid)
{
  Search search = { self->trackers, NULL };
  char text[TEXT_MAX];
  char path[64];
  gssize length;

  g_snprintf (path, sizeof path, "/proc/%u/cgroup", pid);
  length = jm_host_read (self->host, path, text, sizeof text, NULL);
  if (length > 0)
    jm_parse_proc_cgroup (text, (gsize) length, look_up_path, &search);

  return search.found;
}

/* --- those in others, as of a scheduler that makes none --- */

static void
list_cgroup (JmGpuUsers *self,
             JmCgroupReader *reader,
             JmTrackedJob *job,
             const JmTrackedCgroup *cgroup)
{
  const guint *pids;
  guint n_pids;

  jm_readings_clear_processes (self->readings);
  jm_cgroup_reader_list_processes (reader, jm_tracked_cgroup_get_number (cgroup),
                                   self->readings, NULL);
  pids = jm_readings_get_processes (self->readings, &n_pids);
  for (guint i = 0; i < n_pids; i++)
    g_hash_table_insert (self->known, GUINT_TO_POINTER (pids[i]), job);
}

static void
list_job (JmGpuUsers *self, JmCgroupReader *reader, JmTrackedJob *job)
{
  const JmTrackedCgroup *cgroup;

  for (guint i = 0; (cgroup = jm_tracked_job_get_cgroup (job, i)) != NULL; i++)
    list_cgroup (self, reader, job, cgroup);
}

static void
list_others (JmGpuUsers *self)
{
  if (self->has_listed)
    return;
  self->has_listed = TRUE;

  for (guint t = 0; t < self->trackers->len; t++)
    {
      JmJobTracker *tracker = g_ptr_array_index (self->trackers, t);
      JmCgroupReader *reader = jm_job_tracker_get_reader (tracker);
      GPtrArray *jobs = jm_job_tracker_get_jobs (tracker);

      for (guint i = 0; !JM_IS_CGROUP_KERNEL_READER (reader) && i < jobs->len; i++)
        list_job (self, reader, g_ptr_array_index (jobs, i));
    }
}

/* --- all --- */

JmTrackedJob *
jm_gpu_users_find (JmGpuUsers *self, guint pid)
{
  gpointer key = GUINT_TO_POINTER (pid);
  gpointer job;

  /* 0 is a process of an outer pid name space, which has no number in ours */
  if (pid == 0)
    return NULL;
  if (g_hash_table_lookup_extended (self->known, key, NULL, &job))
    return job;
  if (g_hash_table_size (self->known) >= MAX_PIDS)
    return NULL;

  job = ask_kernel (self, pid);
  if (job == NULL)
    {
      list_others (self);
      job = g_hash_table_lookup (self->known, key);
    }
  g_hash_table_insert (self->known, key, job);

  return job;
}
