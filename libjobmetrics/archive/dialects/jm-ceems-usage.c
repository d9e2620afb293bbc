/* jm-ceems-usage.c: sums in CEEMS' words
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/dialects/jm-ceems-field-private.h"
#include "archive/dialects/jm-ceems-figures-private.h"
#include "archive/dialects/jm-ceems-means-private.h"
#include "archive/dialects/jm-ceems-runs-private.h"
#include "core/jm-usage-private.h"

#define GROUPS                                                                         \
 (JM_USAGE_GROUPS_CLUSTER | JM_USAGE_GROUPS_USER | JM_USAGE_GROUPS_ACCOUNT)
/* Of one answer. */
#define MAX_SUMS 100000
#define DAY_SECONDS 86400
#define JOULES_OF_KWH 3.6e6
#define BYTES_OF_MIB 1048576.

/* --- sums --- */

static int
compare (gconstpointer a, gconstpointer b)
{
  JmUsage *one = *(JmUsage *const *) a;
  JmUsage *other = *(JmUsage *const *) b;
  int order = g_strcmp0 (jm_usage_get_cluster (one), jm_usage_get_cluster (other));

  if (order == 0)
    order = g_strcmp0 (jm_usage_get_user (one), jm_usage_get_user (other));

  return order != 0
           ? order
           : g_strcmp0 (jm_usage_get_account (one), jm_usage_get_account (other));
}

static void
drop_others (GPtrArray *usages, GStrv clusters)
{
  for (guint i = usages->len; i > 0; i--)
    if (!jm_ceems_query_wants (clusters, jm_usage_get_cluster (usages->pdata[i - 1])))
      g_ptr_array_remove_index_fast (usages, i - 1);
}

static GPtrArray *
list_parts_of_day (JmCeemsAnswer *self, JmRunFilter *filter, GError **error)
{
  gboolean is_whole = TRUE;
  GPtrArray *usages =
    jm_archive_database_list_usage_between (self->view.database, filter,
                                            self->view.viewer, self->query.from,
                                            self->query.to, &is_whole, error);

  if (!is_whole)
    jm_ceems_answer_warn (self, "not all jobs were read, ask for less time");

  return usages;
}

GPtrArray *
jm_ceems_list_sums (JmCeemsAnswer *self,
                    JmRunFilter *filter,
                    gboolean is_of_window,
                    GError **error)
{
  const JmCeemsQuery *query = &self->query;
  GPtrArray *usages;

  if (is_of_window)
    jm_run_filter_set_period (filter, query->from, query->to + 1);
  if (is_of_window && query->to - query->from < DAY_SECONDS)
    usages = list_parts_of_day (self, filter, error);
  else
    usages = jm_archive_database_list_usage (self->view.database, filter, GROUPS,
                                             self->view.viewer, error);
  if (usages == NULL)
    return NULL;

  drop_others (usages, query->clusters);
  g_ptr_array_sort (usages, compare);
  if (usages->len > MAX_SUMS)
    {
      g_ptr_array_set_size (usages, MAX_SUMS);
      jm_ceems_answer_warn (self, "not all: the first %u alone, ask for one cluster",
                            MAX_SUMS);
    }

  return usages;
}

/* --- fields --- */

static void
append_cluster (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  jm_json_writer_add_known_text (json, name, jm_usage_get_cluster (row->usage));
}

static void
append_manager (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  const char *cluster = jm_usage_get_cluster (row->usage);

  jm_json_writer_add_known_text (json, name,
                                 jm_ceems_find_manager (row->site, cluster));
}

static void
append_n_units (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  jm_json_writer_add_double (json, name,
                             jm_usage_get_amount (row->usage, JM_USAGE_QUANTITY_RUNS));
}

static void
append_project (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  jm_json_writer_add_known_text (json, name, jm_usage_get_account (row->usage));
}

/* Nobody knows it, and CEEMS' is always there. */
static void
append_group (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  jm_json_writer_add_text (json, name, "");
}

static void
append_user (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  jm_json_writer_add_known_text (json, name, jm_usage_get_user (row->usage));
}

/* A sum of 0 may be one of what nobody measured. */
static void
add_sum (JmJsonWriter *json,
         const char *name,
         const JmCeemsRow *row,
         JmUsageQuantity quantity,
         double unit)
{
  double sum = jm_usage_get_amount (row->usage, quantity);

  if (sum > 0)
    jm_json_writer_add_double (json, name, sum / unit);
}

static void
append_times (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  gsize length = json->out->len;

  jm_json_writer_begin_object (json, name);
  add_sum (json, "alloc_cpumemtime", row, JM_USAGE_QUANTITY_MEMORY, BYTES_OF_MIB);
  add_sum (json, "alloc_cputime", row, JM_USAGE_QUANTITY_CPUS, 1);
  add_sum (json, "alloc_gputime", row, JM_USAGE_QUANTITY_GPUS, 1);
  add_sum (json, "walltime", row, JM_USAGE_QUANTITY_WALL, 1);
  jm_json_writer_end_filled_object (json, length);
}

static void
add_mean (JmJsonWriter *json, const char *name, const JmCeemsMean *mean)
{
  const double percent = jm_ceems_mean_get (mean);

  if (percent < 0)
    return;
  jm_json_writer_begin_object (json, name);
  jm_json_writer_add_double (json, "global", percent);
  jm_json_writer_end_object (json);
}

/* Of the window those jobs of which it is known, for what others were given is none
 * that was not used. */
static void
append_cpu_usage (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  const double given = jm_usage_get_amount (row->usage, JM_USAGE_QUANTITY_CPUS);
  gsize length = json->out->len;

  if (row->means != NULL)
    {
      add_mean (json, name, &row->means->cpus);
      return;
    }
  jm_json_writer_begin_object (json, name);
  if (given > 0)
    add_sum (json, "global", row, JM_USAGE_QUANTITY_CPU_TIME, given / 100);
  jm_json_writer_end_filled_object (json, length);
}

static void
append_memory_usage (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  if (row->means != NULL)
    add_mean (json, name, &row->means->memory);
}

static void
append_gpu_usage (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  if (row->means != NULL)
    add_mean (json, name, &row->means->gpus);
}

static void
append_gpu_memory_usage (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  if (row->means != NULL)
    add_mean (json, name, &row->means->gpu_memory);
}

/* Sums have no domains: they are in the proportion of what the jobs that ended took. */
static void
add_share (JmJsonWriter *json,
           const char *name,
           const JmCeemsRow *row,
           JmUsageQuantity quantity,
           double unit,
           double share)
{
  gsize length = json->out->len;

  jm_json_writer_begin_object (json, name);
  if (share > 0)
    add_sum (json, "total", row, quantity, unit / share);
  jm_json_writer_end_filled_object (json, length);
}

static double
get_rest_share (const JmCeemsRow *row)
{
  return row->is_mixed ? 0 : 1 - MAX (jm_ceems_means_get_gpu_share (row->means), 0);
}

static void
append_energy (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  add_share (json, name, row, JM_USAGE_QUANTITY_ENERGY, JOULES_OF_KWH,
             get_rest_share (row));
}

static void
append_emissions (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  add_share (json, name, row, JM_USAGE_QUANTITY_EMISSIONS, 1, get_rest_share (row));
}

static void
append_gpu_energy (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  add_share (json, name, row, JM_USAGE_QUANTITY_ENERGY, JOULES_OF_KWH,
             jm_ceems_means_get_gpu_share (row->means));
}

static void
append_gpu_emissions (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  add_share (json, name, row, JM_USAGE_QUANTITY_EMISSIONS, 1,
             jm_ceems_means_get_gpu_share (row->means));
}

/* In CEEMS' order. */
static const JmCeemsField usage_fields[] = {
  { "cluster_id", append_cluster, TRUE, FALSE },
  { "resource_manager", append_manager, TRUE, FALSE },
  { "num_units", append_n_units, TRUE, FALSE },
  { "project", append_project, TRUE, FALSE },
  { "groupname", append_group, TRUE, FALSE },
  { "username", append_user, TRUE, FALSE },
  { "total_time_seconds", append_times, FALSE, FALSE },
  { "avg_cpu_usage", append_cpu_usage, .is_of_nodes = TRUE },
  { "avg_cpu_mem_usage", append_memory_usage, .is_of_nodes = TRUE },
  { "total_cpu_energy_usage_kwh", append_energy, FALSE, TRUE, .is_of_nodes = TRUE },
  { "total_cpu_emissions_gms", append_emissions, FALSE, TRUE, .is_of_nodes = TRUE },
  { "avg_gpu_usage", append_gpu_usage, .is_of_nodes = TRUE },
  { "avg_gpu_mem_usage", append_gpu_memory_usage, .is_of_nodes = TRUE },
  { "total_gpu_energy_usage_kwh", append_gpu_energy, FALSE, TRUE, .is_of_nodes = TRUE },
  { "total_gpu_emissions_gms", append_gpu_emissions, FALSE, TRUE, .is_of_nodes = TRUE },
  { "total_io_write_stats", NULL, FALSE, FALSE },
  { "total_io_read_stats", NULL, FALSE, FALSE },
  { "total_ingress_stats", NULL, FALSE, FALSE },
  { "total_egress_stats", NULL, FALSE, FALSE },
  { "total_custom_stats", NULL, FALSE, FALSE },
  { "avg_custom_stats", NULL, FALSE, FALSE },
  { "min_custom_stats", NULL, FALSE, FALSE },
  { "max_custom_stats", NULL, FALSE, FALSE },
  { NULL, NULL, FALSE, FALSE },
};

/* --- usage --- */

static gboolean
has_gpu_energy (JmUsage *usage, const JmCeemsMeans *means)
{
  return jm_usage_get_amount (usage, JM_USAGE_QUANTITY_GPUS) > 0 &&
         jm_usage_get_amount (usage, JM_USAGE_QUANTITY_ENERGY) > 0 &&
         jm_ceems_means_get_gpu_share (means) < 0;
}

static gboolean
append_sums (JmCeemsAnswer *self, gboolean is_of_window, GError **error)
{
  g_auto (JmCeemsFields) fields = { 0 };
  g_autoptr (JmRunFilter) filter = jm_ceems_answer_make_filter (self, FALSE);
  g_autoptr (GPtrArray) usages = NULL;
  g_autoptr (GHashTable) groups = NULL;
  gboolean has_gpus = FALSE;
  gboolean is_whole = TRUE;

  if (!jm_ceems_fields_init (&fields, usage_fields, self, error))
    return FALSE;
  if (is_of_window && fields.has_nodes)
    {
      groups = jm_ceems_list_means (self, &is_whole, error);
      if (groups == NULL)
        return FALSE;
    }
  usages = jm_ceems_list_sums (self, filter, is_of_window, error);
  for (guint i = 0; usages != NULL && i < usages->len; i++)
    {
      const JmCeemsMeans *means = jm_ceems_find_means (groups, usages->pdata[i]);

      const gboolean is_joint = has_gpu_energy (usages->pdata[i], means);

      has_gpus |= is_joint && is_whole;
      jm_ceems_fields_append (&fields, self->text,
                              &(JmCeemsRow){ .site = self->view.site,
                                             .zone = self->query.zone,
                                             .usage = usages->pdata[i],
                                             .means = means,
                                             .is_mixed = is_joint && !is_whole });
    }
  if (has_gpus && fields.has_energy)
    jm_ceems_answer_warn (self, "sums do not separate accelerators: their energy and "
                                "emissions are in total_cpu_...");

  return usages != NULL;
}

gboolean
jm_ceems_append_sums_of_window (JmCeemsAnswer *self, GError **error)
{
  return append_sums (self, TRUE, error);
}

gboolean
jm_ceems_append_all_sums (JmCeemsAnswer *self, GError **error)
{
  return append_sums (self, FALSE, error);
}
