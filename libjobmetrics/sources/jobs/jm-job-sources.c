/* jm-job-sources.c: the schedulers that a program knows
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-job-sources-private.h"

#include "host/jm-data-private.h"
#include "sources/jobs/jm-scheduler-definition-private.h"

#define FOLDER "schedulers"
#define SUFFIX ".conf"

static JmCgroupJobSource *
load_source (JmHost *host,
             const JmDataFile *file,
             const char *node_name,
             const char *cluster,
             GError **error)
{
  g_autoptr (JmSchedulerDefinition) definition =
    jm_scheduler_definition_new_from_data (file, error);

  if (definition == NULL)
    return NULL;

  return g_initable_new (JM_TYPE_CGROUP_JOB_SOURCE, NULL, error, "host", host,
                         "definition", definition, "node-name", node_name, "cluster",
                         cluster, NULL);
}

/*
 * jm_job_sources_load:
 * @host: the host
 * @directories: (nullable) (array zero-terminated=1) (element-type filename): more
 *   directories with definitions. Where there are none in the array, nothing is loaded
 *   at all
 * @node_name: (nullable): see #JmCgroupJobSource:node-name
 * @cluster: (nullable): see #JmCgroupJobSource:cluster
 * @problems: (out) (optional) (transfer full) (element-type GLib.Error): what could not
 *   be loaded, and why
 *
 * Makes a source of each definition, a file whose name ends in `.conf`: those that are
 * compiled in, those of the host's `/etc/jobmetrics/schedulers`, and those of
 * @directories. Of files of the same name the last counts; an empty one hides those
 * before it. A broken file costs nothing but itself. A directory that does not exist is
 * empty.
 *
 * - Shape: one source for each sound file, by the file's name.
 * - Errors: of each broken file, as jm_scheduler_definition_new_from_file().
 *
 * Returns: (transfer full) (element-type JmCgroupJobSource): the sources
 * Since: 0.1
 */
GPtrArray *
jm_job_sources_load (JmHost *host,
                     const char *const *directories,
                     const char *node_name,
                     const char *cluster,
                     GPtrArray **problems)
{
  g_autoptr (GPtrArray) found =
    g_ptr_array_new_with_free_func ((GDestroyNotify) g_error_free);
  GPtrArray *sources = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) files = NULL;

  g_return_val_if_fail (JM_IS_HOST (host), sources);

  if (directories == NULL || directories[0] != NULL)
    files = jm_data_list (host, FOLDER, SUFFIX, directories, found);
  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      GError *error = NULL;
      JmCgroupJobSource *source =
        load_source (host, g_ptr_array_index (files, i), node_name, cluster, &error);

      if (source != NULL)
        g_ptr_array_add (sources, source);
      else
        g_ptr_array_add (found, error);
    }

  if (problems != NULL)
    *problems = g_steal_pointer (&found);

  return sources;
}
