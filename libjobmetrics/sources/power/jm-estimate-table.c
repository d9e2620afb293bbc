/* jm-estimate-table.c: what processors take, by a table
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-estimate-parts-private.h"

#include <math.h>

#include "base/jm-error.h"

#define MEMORY "Memory"
#define GENERIC "Generic"
#define MAX_THREADS 16
#define MAX_BYTES (256 * 1024)

/* Turns GLib's error into ours. */
static gboolean
fail (const char *path, const char *group, const char *why, GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s: %s", path, group, why);

  return FALSE;
}

static gboolean
read_watts (GKeyFile *file,
            const char *path,
            const char *group,
            const char *key,
            double *watts,
            GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree char *text = NULL;
  double value = g_key_file_get_double (file, group, key, &problem);

  if (problem != NULL)
    return fail (path, group, problem->message, error);
  if (!isfinite (value) || value < 0 || value > JM_ESTIMATE_MAX_WATTS)
    {
      text = g_strdup_printf ("%s: not watts that can be", key);
      return fail (path, group, text, error);
    }

  *watts = value;

  return TRUE;
}

static gboolean
read_threads (GKeyFile *file,
              const char *path,
              const char *group,
              guint *threads,
              GError **error)
{
  g_autoptr (GError) problem = NULL;
  int value = g_key_file_get_integer (file, group, "ThreadsPerCore", &problem);

  if (problem != NULL)
    return fail (path, group, problem->message, error);
  if (value < 1 || value > MAX_THREADS)
    return fail (path, group, "ThreadsPerCore: not a number that can be", error);

  *threads = (guint) value;

  return TRUE;
}

static gboolean
read_row (GKeyFile *file,
          const char *path,
          const char *group,
          JmEstimateRow *row,
          GError **error)
{
  JmEstimateRow read = { 0 };

  if (!read_watts (file, path, MEMORY, "WattsPerGiB", &read.watts_per_gib, error) ||
      !read_watts (file, path, group, "IdleWattsPerCore", &read.idle_watts_per_core,
                   error) ||
      !read_watts (file, path, group, "BusyWattsPerCore", &read.busy_watts_per_core,
                   error) ||
      !read_threads (file, path, group, &read.threads_per_core, error))
    return FALSE;
  if (read.busy_watts_per_core < read.idle_watts_per_core)
    return fail (path, group, "BusyWattsPerCore is below IdleWattsPerCore", error);

  *row = read;

  return TRUE;
}

static gboolean
has_model (GKeyFile *file, const char *group, int model)
{
  gsize n_models;
  g_autofree int *models =
    g_key_file_get_integer_list (file, group, "Models", &n_models, NULL);

  for (gsize i = 0; models != NULL && i < n_models; i++)
    if (models[i] == model)
      return TRUE;

  return models == NULL;
}

static gboolean
is_of (GKeyFile *file, const char *group, const JmCpuModel *cpu)
{
  g_autofree char *vendor = g_key_file_get_string (file, group, "Vendor", NULL);

  if (vendor == NULL || !g_str_equal (vendor, cpu->vendor))
    return FALSE;
  if (g_key_file_has_key (file, group, "Family", NULL) &&
      g_key_file_get_integer (file, group, "Family", NULL) != cpu->family)
    return FALSE;

  return has_model (file, group, cpu->model);
}

static char *
find_group (GKeyFile *file, const JmCpuModel *cpu)
{
  g_auto (GStrv) groups = g_key_file_get_groups (file, NULL);

  for (char **group = groups; *group != NULL; group++)
    if (is_of (file, *group, cpu))
      return g_strdup (*group);

  return g_strdup (GENERIC);
}

gboolean
jm_estimate_table_find_in (const char *path,
                           const char *text,
                           gsize length,
                           const char *name,
                           const JmCpuModel *cpu,
                           JmEstimateRow *row,
                           GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) problem = NULL;
  g_autofree char *group = NULL;

  if (!g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, &problem))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s", path, problem->message);
      return FALSE;
    }
  if (name != NULL &&
      (!g_key_file_has_group (file, name) || g_str_equal (name, MEMORY)))
    return fail (path, name, "no such processor", error);

  group = name != NULL ? g_strdup (name) : find_group (file, cpu);

  return read_row (file, path, group, row, error);
}

gboolean
jm_estimate_table_find (const JmDataFile *table,
                        const char *name,
                        const JmCpuModel *cpu,
                        JmEstimateRow *row,
                        GError **error)
{
  g_autofree char *path = jm_data_file_describe (table);
  g_autoptr (GBytes) bytes = jm_data_file_read (table, MAX_BYTES, error);
  gsize length;
  const char *text;

  if (bytes == NULL)
    return FALSE;

  text = g_bytes_get_data (bytes, &length);

  return jm_estimate_table_find_in (path, length > 0 ? text : "", length, name, cpu,
                                    row, error);
}
