/* jme-ceems-usage.c: sums in CEEMS' words
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-server-routes.h"

#include "server/jme-ceems-field.h"
#include "server/jme-ceems-sums.h"

#define JOULES_OF_KWH 3.6e6
#define BYTES_OF_MIB 1048576.

/* --- fields --- */

static void
append_cluster (JmJsonWriter *json, const char *name, const JmeCeemsRow *row)
{
  jm_json_writer_add_known_text (json, name, jm_usage_get_cluster (row->usage));
}

static void
append_manager (JmJsonWriter *json, const char *name, const JmeCeemsRow *row)
{
  const char *cluster = jm_usage_get_cluster (row->usage);

  jm_json_writer_add_known_text (json, name,
                                 jme_ceems_site_find_manager (row->site, cluster));
}

static void
append_n_units (JmJsonWriter *json, const char *name, const JmeCeemsRow *row)
{
  jm_json_writer_add_double (json, name,
                             jm_usage_get_amount (row->usage, JM_USAGE_QUANTITY_RUNS));
}

static void
append_project (JmJsonWriter *json, const char *name, const JmeCeemsRow *row)
{
  jm_json_writer_add_known_text (json, name, jm_usage_get_account (row->usage));
}

/* Nobody knows it, and CEEMS' is always there. */
static void
append_group (JmJsonWriter *json, const char *name, const JmeCeemsRow *row)
{
  jm_json_writer_add_text (json, name, "");
}

static void
append_user (JmJsonWriter *json, const char *name, const JmeCeemsRow *row)
{
  jm_json_writer_add_known_text (json, name, jm_usage_get_user (row->usage));
}

/* A sum of 0 may be one of what nobody measured. */
static void
add_sum (JmJsonWriter *json,
         const char *name,
         const JmeCeemsRow *row,
         JmUsageQuantity quantity,
         double unit)
{
  double sum = jm_usage_get_amount (row->usage, quantity);

  if (sum > 0)
    jm_json_writer_add_double (json, name, sum / unit);
}

static void
append_times (JmJsonWriter *json, const char *name, const JmeCeemsRow *row)
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
append_cpu_usage (JmJsonWriter *json, const char *name, const JmeCeemsRow *row)
{
  double given = jm_usage_get_amount (row->usage, JM_USAGE_QUANTITY_CPUS);
  gsize length = json->out->len;

  jm_json_writer_begin_object (json, name);
  if (given > 0)
    add_sum (json, "global", row, JM_USAGE_QUANTITY_CPU_TIME, given / 100);
  jm_json_writer_end_filled_object (json, length);
}

static void
append_energy (JmJsonWriter *json, const char *name, const JmeCeemsRow *row)
{
  gsize length = json->out->len;

  jm_json_writer_begin_object (json, name);
  add_sum (json, "total", row, JM_USAGE_QUANTITY_ENERGY, JOULES_OF_KWH);
  jm_json_writer_end_filled_object (json, length);
}

static void
append_emissions (JmJsonWriter *json, const char *name, const JmeCeemsRow *row)
{
  gsize length = json->out->len;

  jm_json_writer_begin_object (json, name);
  add_sum (json, "total", row, JM_USAGE_QUANTITY_EMISSIONS, 1);
  jm_json_writer_end_filled_object (json, length);
}

/* In CEEMS' order. */
static const JmeCeemsField usage_fields[] = {
  { "cluster_id", append_cluster, TRUE, FALSE },
  { "resource_manager", append_manager, TRUE, FALSE },
  { "num_units", append_n_units, TRUE, FALSE },
  { "project", append_project, TRUE, FALSE },
  { "groupname", append_group, TRUE, FALSE },
  { "username", append_user, TRUE, FALSE },
  { "total_time_seconds", append_times, FALSE, FALSE },
  { "avg_cpu_usage", append_cpu_usage, FALSE, FALSE },
  { "avg_cpu_mem_usage", NULL, FALSE, FALSE },
  { "total_cpu_energy_usage_kwh", append_energy, FALSE, TRUE },
  { "total_cpu_emissions_gms", append_emissions, FALSE, TRUE },
  { "avg_gpu_usage", NULL, FALSE, FALSE },
  { "avg_gpu_mem_usage", NULL, FALSE, FALSE },
  { "total_gpu_energy_usage_kwh", NULL, FALSE, FALSE },
  { "total_gpu_emissions_gms", NULL, FALSE, FALSE },
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

/* --- sums --- */

static gboolean
has_gpu_energy (JmUsage *usage)
{
  return jm_usage_get_amount (usage, JM_USAGE_QUANTITY_GPUS) > 0 &&
         jm_usage_get_amount (usage, JM_USAGE_QUANTITY_ENERGY) > 0;
}

static gboolean
tell_sums (JmeCeemsAnswer *self, gboolean is_of_window, GError **error)
{
  g_auto (JmeCeemsFields) fields = { 0 };
  g_autoptr (JmRunFilter) filter = jme_ceems_answer_make_filter (self, FALSE);
  g_autoptr (GPtrArray) usages = NULL;
  gboolean has_gpus = FALSE;

  if (!jme_ceems_fields_init (&fields, usage_fields, self, error))
    return FALSE;
  usages = jme_ceems_list_sums (self, filter, is_of_window, error);
  for (guint i = 0; usages != NULL && i < usages->len; i++)
    {
      has_gpus |= has_gpu_energy (usages->pdata[i]);
      jme_ceems_fields_append (&fields, self->answer.text,
                               &(JmeCeemsRow){ self->site, self->query.zone, NULL, NULL,
                                               NULL, usages->pdata[i] });
    }
  if (has_gpus && fields.has_energy)
    jme_ceems_answer_warn (self, "sums do not separate accelerators: their energy and "
                                 "emissions are in total_cpu_...");

  return usages != NULL;
}

static gboolean
tell_sums_of_window (JmeCeemsAnswer *self, GError **error)
{
  return tell_sums (self, TRUE, error);
}

static gboolean
tell_whole_sums (JmeCeemsAnswer *self, GError **error)
{
  return tell_sums (self, FALSE, error);
}

static void
on_current (JmeRequest *request, gpointer site)
{
  jme_ceems_answer (request, site, &jme_ceems_form, tell_sums_of_window);
}

static void
on_global (JmeRequest *request, gpointer site)
{
  jme_ceems_answer (request, site, &jme_ceems_form, tell_whole_sums);
}

static void
on_current_of_all (JmeRequest *request, gpointer site)
{
  jme_ceems_answer_administrator (request, site, tell_sums_of_window);
}

static void
on_global_of_all (JmeRequest *request, gpointer site)
{
  jme_ceems_answer_administrator (request, site, tell_whole_sums);
}

const JmeRoute jme_ceems_usage_routes[] = {
  { .path = JME_CEEMS "usage/current", JME_CEEMS_ROUTE, .handler = on_current },
  { .path = JME_CEEMS "usage/global", JME_CEEMS_ROUTE, .handler = on_global },
  { .path = JME_CEEMS "usage/current/admin",
    JME_CEEMS_ROUTE,
    .handler = on_current_of_all },
  { .path = JME_CEEMS "usage/global/admin",
    JME_CEEMS_ROUTE,
    .handler = on_global_of_all },
  { NULL },
};
