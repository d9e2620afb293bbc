/* jm-ceems-figures.c: figures of a job that CEEMS has names for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/dialects/jm-ceems-figures-private.h"

#include "base/jm-node-list-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"

#define UG_OF_GRAM 1e6
#define US_OF_SECOND 1e6
/* Of a run's time, as reports have it. */
#define LEAST_OBSERVED 0.5
#define GPU_DOMAIN "gpu"
/* Nodes that are written out. */
#define MAX_NODES 1024
#define DAY_SECONDS 86400

const char *
jm_ceems_find_manager (const JmArchiveSite *site, const char *cluster)
{
  const char *manager;

  if (site == NULL)
    return "";
  manager = g_hash_table_lookup (site->managers, cluster);
  if (manager == NULL)
    manager = g_hash_table_lookup (site->managers, "");

  return manager != NULL ? manager : "";
}

gint64
jm_ceems_get_number (JmRun *run, JmRunField field)
{
  gint64 number;

  return jm_run_get_number (run, field, &number) ? number : -1;
}

gint64
jm_ceems_get_length (JmRun *run)
{
  gint64 elapsed = jm_ceems_get_number (run, JM_RUN_FIELD_ELAPSED);
  gint64 start = jm_ceems_get_number (run, JM_RUN_FIELD_START_TIME);
  gint64 end = jm_ceems_get_number (run, JM_RUN_FIELD_END_TIME);

  if (elapsed >= 0)
    return elapsed;
  if (end < 0)
    end = jm_ceems_get_number (run, JM_RUN_FIELD_SEEN_TIME);

  return start > 0 && end >= start ? end - start : -1;
}

char *
jm_ceems_format_exit (JmRun *run)
{
  gint64 code = jm_ceems_get_number (run, JM_RUN_FIELD_EXIT_CODE);
  gint64 signal = jm_ceems_get_number (run, JM_RUN_FIELD_EXIT_SIGNAL);

  return code < 0 && signal < 0
           ? NULL
           : g_strdup_printf ("%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, MAX (code, 0),
                              MAX (signal, 0));
}

char *
jm_ceems_expand_nodes (JmRun *run)
{
  const char *list = jm_run_peek_text (run, JM_RUN_FIELD_NODE_LIST);
  g_auto (GStrv) nodes = list != NULL ? jm_node_list_expand (list, MAX_NODES) : NULL;

  return nodes != NULL ? g_strjoinv ("|", nodes) : NULL;
}

/* --- as schedulers write them --- */

char *
jm_ceems_format_time (gint64 seconds, GTimeZone *zone, const char *format)
{
  g_autoptr (GDateTime) utc =
    seconds > 0 ? g_date_time_new_from_unix_utc (seconds) : NULL;
  g_autoptr (GDateTime) time = utc != NULL ? g_date_time_to_timezone (utc, zone) : NULL;

  return time != NULL ? g_date_time_format (time, format) : g_strdup ("Unknown");
}

char *
jm_ceems_format_length (gint64 seconds)
{
  gint64 days = seconds / DAY_SECONDS;
  guint rest = (guint) (seconds % DAY_SECONDS);
  g_autofree char *clock =
    g_strdup_printf ("%02u:%02u:%02u", rest / 3600, rest / 60 % 60, rest % 60);

  return days > 0 ? g_strdup_printf ("%" G_GINT64_FORMAT "-%s", days, clock)
                  : g_steal_pointer (&clock);
}

/* --- energy --- */

/* Those of a device are called by it, such as `gpu-3`. */
static gint64
sum_gpus (GPtrArray *energies)
{
  gint64 sum = -1;

  for (guint i = 0; energies != NULL && i < energies->len; i++)
    {
      JmRunPart *part = energies->pdata[i];
      const char *domain = jm_run_part_peek_text (part, JM_QUANTITY_NAME);
      const gint64 energy = jm_run_part_peek (part, JM_QUANTITY_ENERGY);

      if (domain != NULL && g_str_has_prefix (domain, GPU_DOMAIN) &&
          energy != JM_RUN_PART_UNKNOWN)
        sum = MAX (sum, 0) + MIN (energy, G_MAXINT64 - MAX (sum, 0));
    }

  return sum;
}

gboolean
jm_ceems_has_energy_by_domain (JmRun *run)
{
  const JmRunSource source = jm_run_peek_source (run, JM_RUN_FIELD_ENERGY);

  return source == JM_RUN_SOURCE_LEDGER || source == JM_RUN_SOURCE_TIME_SERIES;
}

JmCeemsEnergy
jm_ceems_split_energy (JmRun *run, GPtrArray *energies)
{
  gint64 whole = jm_ceems_get_number (run, JM_RUN_FIELD_ENERGY);
  gint64 gpus = sum_gpus (energies);

  return gpus >= 0 && gpus <= whole ? (JmCeemsEnergy){ whole - gpus, gpus }
                                    : (JmCeemsEnergy){ whole, -1 };
}

/* --- accelerators --- */

double
jm_ceems_get_gpu_usage (JmRun *run, GPtrArray *devices)
{
  const double length_us = (double) jm_ceems_get_length (run) * US_OF_SECOND;
  double busy_us = 0, observed_us = 0;

  for (guint i = 0; i < devices->len; i++)
    {
      const gint64 busy = jm_run_part_peek (devices->pdata[i], JM_QUANTITY_GPU_BUSY);
      const gint64 observed =
        jm_run_part_peek (devices->pdata[i], JM_QUANTITY_GPU_OBSERVED);

      if (busy == JM_RUN_PART_UNKNOWN || observed == JM_RUN_PART_UNKNOWN ||
          (double) observed < length_us * LEAST_OBSERVED)
        return -1;
      busy_us += (double) busy;
      observed_us += (double) observed;
    }

  return observed_us > 0 ? MIN (100 * busy_us / observed_us, 100) : -1;
}

/* --- CPUs and memory --- */

double
jm_ceems_get_cpu_usage (JmRun *run)
{
  const gint64 length = jm_ceems_get_length (run);
  const gint64 cpus = jm_ceems_get_number (run, JM_RUN_FIELD_CPUS);
  const gint64 used = jm_ceems_get_number (run, JM_RUN_FIELD_CPU_TOTAL);

  return length > 0 && cpus > 0 && used >= 0
           ? 100 * (double) used / US_OF_SECOND / ((double) length * (double) cpus)
           : -1;
}

/* -1 where a part does not know it, or there is none. */
static double
sum_parts (GPtrArray *parts, JmQuantityId quantity)
{
  double sum = 0;

  for (guint i = 0; i < parts->len; i++)
    {
      const gint64 value = jm_run_part_peek (parts->pdata[i], quantity);

      if (value == JM_RUN_PART_UNKNOWN)
        return -1;
      sum += (double) value;
    }

  return parts->len > 0 ? sum : -1;
}

/* A node that is missing would make the mean of the others that of all. */
static double
get_mean (JmRun *run, GPtrArray *nodes, JmQuantityId quantity)
{
  const gint64 n_nodes = jm_ceems_get_number (run, JM_RUN_FIELD_NODES);

  return n_nodes < 0 || n_nodes == nodes->len ? sum_parts (nodes, quantity) : -1;
}

double
jm_ceems_get_memory_usage (JmRun *run, GPtrArray *nodes)
{
  const double mean = get_mean (run, nodes, JM_QUANTITY_MEMORY_MEAN);
  const gint64 given = jm_ceems_get_number (run, JM_RUN_FIELD_MEMORY_ALLOCATED);

  return mean >= 0 && given > 0 ? 100 * mean / (double) given : -1;
}

double
jm_ceems_get_gpu_memory_usage (JmRun *run, GPtrArray *nodes, GPtrArray *devices)
{
  const double mean = get_mean (run, nodes, JM_QUANTITY_GPU_MEMORY_MEAN);
  const double size = sum_parts (devices, JM_QUANTITY_GPU_MEMORY_SIZE);

  return mean >= 0 && size > 0 ? 100 * mean / size : -1;
}

/* --- emissions --- */

static char *
name_provider (const char *provider)
{
  static const struct
  {
    const char *ours;
    const char *theirs;
  } names[] = { { "electricity-maps", "emaps" }, { "watttime", "wt" } };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (provider, names[i].ours))
      provider = names[i].theirs;

  return g_strconcat (provider, "_total", NULL);
}

static gboolean
has_provider (GPtrArray *energies, guint n, const char *provider)
{
  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (jm_run_part_peek_text (energies->pdata[i],
                                          JM_QUANTITY_EMISSION_PROVIDER),
                   provider) == 0)
      return TRUE;

  return FALSE;
}

static double
sum_grams (GPtrArray *energies, const char *provider)
{
  double sum = 0;

  for (guint i = 0; i < energies->len; i++)
    {
      JmRunPart *part = energies->pdata[i];

      if (g_strcmp0 (jm_run_part_peek_text (part, JM_QUANTITY_EMISSION_PROVIDER),
                     provider) == 0)
        sum += jm_run_part_peek_figure (part, JM_QUANTITY_EMISSIONS).value;
    }

  return sum;
}

/* TRUE where some provider is known. */
static gboolean
append_providers (JmJsonWriter *json, GPtrArray *energies, double share)
{
  gboolean has_any = FALSE;

  for (guint i = 0; energies != NULL && i < energies->len; i++)
    {
      const char *provider =
        jm_run_part_peek_text (energies->pdata[i], JM_QUANTITY_EMISSION_PROVIDER);
      g_autofree char *name = provider != NULL ? name_provider (provider) : NULL;

      if (name == NULL || has_provider (energies, i, provider))
        continue;
      jm_json_writer_add_double (json, name, sum_grams (energies, provider) * share);
      has_any = TRUE;
    }

  return has_any;
}

void
jm_ceems_append_emissions (JmJsonWriter *json,
                           JmRun *run,
                           GPtrArray *energies,
                           double share)
{
  gint64 whole = jm_ceems_get_number (run, JM_RUN_FIELD_EMISSIONS);

  if (append_providers (json, energies, share))
    return;
  if (whole >= 0)
    jm_json_writer_add_double (json, "total", (double) whole / UG_OF_GRAM * share);
}
