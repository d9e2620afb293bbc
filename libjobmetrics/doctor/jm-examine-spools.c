/* jm-examine-spools.c: where schedulers keep folders of their jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "doctor/jm-examination-private.h"

#include "sources/cgroup/jm-spool-file-private.h"
#include "sources/cgroup/jm-spool-private.h"
#include "sources/jobs/jm-scheduler-definition-private.h"

static void
examine_directory (JmExamination *self, JmCgroupJobSource *source, const char *path)
{
  const char *scheduler = jm_examination_get_scheduler (source);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;
  guint admin;

  if (jm_spool_check_directory (self->host, path, &admin, &error))
    names = jm_host_list_dir (self->host, path, &error);
  if (names == NULL)
    jm_examination_add (self, JM_TOPIC_SPOOL_DIRECTORY, JM_SEVERITY_PROBLEM,
                        "The exporter must be able to list it, and only root and the "
                        "scheduler's own user to write it and the directories above",
                        "%s: %s: none of its jobs is shown", scheduler, error->message);
  else
    jm_examination_add (self, JM_TOPIC_SPOOL_DIRECTORY, JM_SEVERITY_GOOD, NULL,
                        "%s: %s is there, and can be trusted", scheduler, path);
}

/* A machine without the scheduler has none, and lacks nothing. */
static void
examine_spool (JmExamination *self, JmCgroupJobSource *source)
{
  const JmSchedulerSpool *spool =
    jm_scheduler_definition_get_spool (jm_cgroup_job_source_get_definition (source));
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) awaited = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (JmSpoolPlaces) places = NULL;

  if (spool->directories == NULL)
    return;

  places = jm_spool_places_new (self->host, (const char *const *) spool->directories,
                                self->node_name);
  jm_spool_places_find (places, found, awaited);
  for (guint i = 0; i < found->len; i++)
    examine_directory (self, source, g_ptr_array_index (found, i));
}

void
jm_examine_spools (JmExamination *self)
{
  for (guint i = 0; i < self->sources->len; i++)
    examine_spool (self, g_ptr_array_index (self->sources, i));
}
