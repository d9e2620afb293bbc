/* jm-process-list.c: the processes of one job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/jm-sweep-private.h"

#include "base/jm-error.h"
#include "core/jm-process-private.h"
#include "core/jm-readings-private.h"

/* Of more only the numbers are listed: each takes several system calls. */
#define MAX_LOOKED_AT 20000

typedef struct
{
  JmCgroupReader *reader;
  JmProcessSource *table;
  JmReadings *readings; /* for the lists of cgroups */
  GCancellable *cancellable;
  GHashTable *seen; /* pids: one that moves may be met twice */
  GPtrArray *processes;
} Listing;

/* %FALSE where the cgroup could not be listed; one that went has no processes. */
static gboolean
list_pids (Listing *self, const JmTrackedCgroup *cgroup, GError **error)
{
  g_autoptr (GError) failure = NULL;

  jm_readings_reset (self->readings, jm_collector_set_get_all ());
  jm_readings_begin (self->readings, JM_COLLECTOR_PROCESS);
  jm_readings_clear_processes (self->readings);
  if (jm_cgroup_reader_list_processes (self->reader,
                                       jm_tracked_cgroup_get_number (cgroup),
                                       self->readings, &failure))
    return TRUE;

  jm_readings_clear_processes (self->readings);
  if (g_error_matches (failure, JM_ERROR, JM_ERROR_ABSENT))
    return TRUE;

  if (failure != NULL)
    g_propagate_error (error, g_steal_pointer (&failure));
  else
    g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                 "%s: its processes cannot be listed",
                 jm_tracked_cgroup_get_path (cgroup));

  return FALSE;
}

static void
add_process (Listing *self, const JmTrackedCgroup *cgroup, guint pid)
{
  JmPlace *place = jm_tracked_cgroup_get_place (cgroup);
  JmProcess *process;

  /* 0 is a process of an outer pid name space, which has no number in ours */
  if (pid == 0 || pid > G_MAXINT ||
      !g_hash_table_add (self->seen, GUINT_TO_POINTER (pid)))
    return;

  process = g_hash_table_size (self->seen) <= MAX_LOOKED_AT
              ? jm_process_source_describe (self->table, pid, place)
              : jm_process_new (pid, place, NULL);
  if (process != NULL)
    g_ptr_array_add (self->processes, process);
}

static gboolean
add_cgroup (Listing *self, const JmTrackedCgroup *cgroup, GError **error)
{
  const guint *pids;
  guint n_pids;

  if (!list_pids (self, cgroup, error))
    return FALSE;

  pids = jm_readings_get_processes (self->readings, &n_pids);
  for (guint i = 0; i < n_pids; i++)
    {
      if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
      add_process (self, cgroup, pids[i]);
    }

  return TRUE;
}

static int
compare_pids (gconstpointer a, gconstpointer b)
{
  guint first = jm_process_get_pid (*(JmProcess *const *) a);
  guint second = jm_process_get_pid (*(JmProcess *const *) b);

  return (first > second) - (first < second);
}

GPtrArray *
jm_process_list_read (JmTrackedJob *job,
                      JmCgroupReader *reader,
                      JmProcessSource *table,
                      GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) processes =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_process_unref);
  Listing self = { reader, table, readings, cancellable, seen, processes };
  const JmTrackedCgroup *cgroup;

  for (guint i = 0; (cgroup = jm_tracked_job_get_cgroup (job, i)) != NULL; i++)
    if (!add_cgroup (&self, cgroup, error))
      return NULL;

  g_ptr_array_sort (processes, compare_pids);

  return g_steal_pointer (&processes);
}
