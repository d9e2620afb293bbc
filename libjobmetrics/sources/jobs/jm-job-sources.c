/* jm-job-sources.c: the schedulers that a program knows
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-job-sources.h"

#include "host/jm-data-dir-private.h"
#include "sources/jobs/jm-job-sources-paths.h"

#define SUFFIX ".conf"

/**
 * jm_job_sources_list_directories:
 *
 * Tells where definitions of schedulers are: those that jobmetrics installed, or those
 * below the directory that the environment variable `JOBMETRICS_DATA_DIR` names, for
 * programs that run before they are installed; then those of the site.
 *
 * Returns: (transfer full) (array zero-terminated=1) (element-type filename): the
 *   directories
 * Since: 0.1
 */
char **
jm_job_sources_list_directories (void)
{
  g_autoptr (GStrvBuilder) directories = g_strv_builder_new ();
  g_autofree char *own = jm_data_dir_build_path ("schedulers");

  g_strv_builder_add (directories, own);
  g_strv_builder_add (directories, JM_SITE_SCHEDULERS_DIR);

  return g_strv_builder_end (directories);
}

static void
find_definitions (const char *directory, GHashTable *paths, GPtrArray *problems)
{
  GError *error = NULL;
  g_autoptr (GDir) dir = g_dir_open (directory, 0, &error);
  const char *name;

  if (dir == NULL)
    {
      /* most sites have no definitions of their own */
      if (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        g_error_free (error);
      else
        g_ptr_array_add (problems, error);
      return;
    }

  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, SUFFIX) && name[0] != '.')
      g_hash_table_replace (paths, g_strdup (name),
                            g_build_filename (directory, name, NULL));
}

static JmCgroupJobSource *
load_source (JmHost *host,
             const char *path,
             const char *node_name,
             const char *cluster,
             GError **error)
{
  g_autoptr (JmSchedulerDefinition) definition =
    jm_scheduler_definition_new_from_file (path, error);

  if (definition == NULL)
    return NULL;

  return g_initable_new (JM_TYPE_CGROUP_JOB_SOURCE, NULL, error, "host", host,
                         "definition", definition, "node-name", node_name, "cluster",
                         cluster, NULL);
}

/**
 * jm_job_sources_load:
 * @host: the host
 * @directories: (nullable) (array zero-terminated=1) (element-type filename): where
 *   definitions are; %NULL is jm_job_sources_list_directories()
 * @node_name: (nullable): see #JmCgroupJobSource:node-name
 * @cluster: (nullable): see #JmCgroupJobSource:cluster
 * @problems: (out) (optional) (transfer full) (element-type GLib.Error): what could not
 *   be loaded, and why
 *
 * Makes a source of each definition, a file whose name ends in `.conf`. Of files of the
 * same name, the one in the last of the directories counts. A broken file costs nothing
 * but itself. A directory that does not exist is empty.
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
  g_auto (GStrv) standard = jm_job_sources_list_directories ();
  g_autoptr (GHashTable) paths =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GPtrArray) found =
    g_ptr_array_new_with_free_func ((GDestroyNotify) g_error_free);
  GPtrArray *sources = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GList) names = NULL;

  g_return_val_if_fail (JM_IS_HOST (host), sources);

  if (directories == NULL)
    directories = (const char *const *) standard;
  for (guint i = 0; directories[i] != NULL; i++)
    find_definitions (directories[i], paths, found);

  names = g_list_sort (g_hash_table_get_keys (paths), (GCompareFunc) strcmp);
  for (GList *name = names; name != NULL; name = name->next)
    {
      GError *error = NULL;
      JmCgroupJobSource *source =
        load_source (host, g_hash_table_lookup (paths, name->data), node_name, cluster,
                     &error);

      if (source != NULL)
        g_ptr_array_add (sources, source);
      else
        g_ptr_array_add (found, error);
    }

  if (problems != NULL)
    *problems = g_steal_pointer (&found);

  return sources;
}
