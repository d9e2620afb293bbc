/* jm-ceems-units.c: jobs in CEEMS' words, and whose they are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <string.h>

#include "archive/dialects/jm-ceems-field-private.h"
#include "archive/dialects/jm-ceems-figures-private.h"
#include "archive/dialects/jm-ceems-runs-private.h"
#include "base/jm-error.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"

#define ISO_TIME "%Y-%m-%dT%H:%M:%S%z"
#define BILLING "billing="
#define UJ_OF_KWH 3.6e12
#define MIB_SHIFT 20

/* Of one answer. */
#define MAX_BYTES (64 * 1024 * 1024)

/* --- who and when --- */

static void
append_cluster (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  jm_json_writer_add_known_text (json, name, jm_run_get_cluster (row->run));
}

static void
append_manager (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  const char *cluster = jm_run_get_cluster (row->run);
  const char *manager = jm_ceems_find_manager (row->site, cluster);

  jm_json_writer_add_known_text (json, name, *manager != '\0' ? manager : NULL);
}

static void
append_id (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  jm_json_writer_add_known_text (json, name, jm_run_get_raw_id (row->run));
}

#define TEXT(function, field)                                                          \
 static void function (JmJsonWriter *json, const char *name, const JmCeemsRow *row)    \
 {                                                                                     \
  jm_json_writer_add_known_text (json, name, jm_run_peek_text (row->run, field));      \
 }

TEXT (append_name, JM_RUN_FIELD_NAME)
TEXT (append_project, JM_RUN_FIELD_ACCOUNT)
TEXT (append_user, JM_RUN_FIELD_USER)

/* As Slurm's accounting writes it: `CANCELLED by 1001`. */
static void
append_state (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  const char *state = jm_run_peek_text (row->run, JM_RUN_FIELD_STATE);
  const char *by = jm_run_peek_text (row->run, JM_RUN_FIELD_CANCELLED_BY);
  g_autofree char *text = by != NULL && g_strcmp0 (state, "CANCELLED") == 0
                            ? g_strconcat (state, " by ", by, NULL)
                            : g_strdup (state);

  jm_json_writer_add_known_text (json, name, text);
}

/* What has not come yet is `Unknown` as text, and absent as a number. */
static void
add_time (JmJsonWriter *json, const char *name, const JmCeemsRow *row, JmRunField field)
{
  gint64 seconds = jm_ceems_get_number (row->run, field);
  g_autofree char *text = jm_ceems_format_time (seconds, row->zone, ISO_TIME);

  jm_json_writer_add_known_text (json, name, text);
}

static void
add_milliseconds (JmJsonWriter *json,
                  const char *name,
                  const JmCeemsRow *row,
                  JmRunField field)
{
  gint64 seconds = jm_ceems_get_number (row->run, field);

  if (seconds > 0)
    jm_json_writer_add_int (json, name, seconds * 1000);
}

#define TIME(text, number, field)                                                      \
 static void text (JmJsonWriter *json, const char *name, const JmCeemsRow *row)        \
 {                                                                                     \
  add_time (json, name, row, field);                                                   \
 }                                                                                     \
 static void number (JmJsonWriter *json, const char *name, const JmCeemsRow *row)      \
 {                                                                                     \
  add_milliseconds (json, name, row, field);                                           \
 }

TIME (append_creation, append_creation_ms, JM_RUN_FIELD_SUBMIT_TIME)
TIME (append_start, append_start_ms, JM_RUN_FIELD_START_TIME)
TIME (append_end, append_end_ms, JM_RUN_FIELD_END_TIME)

static void
append_elapsed (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  gint64 length = jm_ceems_get_length (row->run);
  g_autofree char *text = length >= 0 ? jm_ceems_format_length (length) : NULL;

  jm_json_writer_add_known_text (json, name, text);
}

/* --- what it was given --- */

static void
add_number (JmJsonWriter *json, const char *name, JmRun *run, JmRunField field)
{
  gint64 number = jm_ceems_get_number (run, field);

  if (number >= 0)
    jm_json_writer_add_int (json, name, number);
}

/* As Slurm writes it among the rest: `billing=160,cpu=16`. */
static void
add_billing (JmJsonWriter *json, const char *tres)
{
  g_auto (GStrv) words = g_strsplit (tres != NULL ? tres : "", ",", -1);
  gint64 billing;

  for (guint i = 0; words[i] != NULL; i++)
    if (g_str_has_prefix (words[i], BILLING) &&
        g_ascii_string_to_signed (words[i] + strlen (BILLING), 10, 0, G_MAXINT64,
                                  &billing, NULL))
      {
        jm_json_writer_add_int (json, "billing", billing);
        return;
      }
}

/* Slurm lists all that it allocated: what is not in it is none. */
static gint64
get_gpus (JmRun *run)
{
  gint64 n_gpus = jm_ceems_get_number (run, JM_RUN_FIELD_GPUS_ALLOCATED);

  return n_gpus < 0 && jm_run_peek_text (run, JM_RUN_FIELD_TRES) != NULL ? 0 : n_gpus;
}

static void
append_allocation (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  gsize length = json->out->len;

  jm_json_writer_begin_object (json, name);
  add_billing (json, jm_run_peek_text (row->run, JM_RUN_FIELD_TRES));
  add_number (json, "cpus", row->run, JM_RUN_FIELD_CPUS);
  if (get_gpus (row->run) >= 0)
    jm_json_writer_add_int (json, "gpus", get_gpus (row->run));
  add_number (json, "mem", row->run, JM_RUN_FIELD_MEMORY_ALLOCATED);
  add_number (json, "nodes", row->run, JM_RUN_FIELD_NODES);
  jm_json_writer_end_filled_object (json, length);
}

static void
add_length_of (JmJsonWriter *json, const char *name, gint64 length, gint64 amount)
{
  if (length >= 0 && amount >= 0)
    jm_json_writer_add_double (json, name, (double) length * (double) amount);
}

static void
append_times (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  gint64 length = jm_ceems_get_length (row->run);
  gint64 memory = jm_ceems_get_number (row->run, JM_RUN_FIELD_MEMORY_ALLOCATED);
  gsize before = json->out->len;

  jm_json_writer_begin_object (json, name);
  add_length_of (json, "alloc_cpumemtime", length,
                 memory >= 0 ? memory >> MIB_SHIFT : -1);
  add_length_of (json, "alloc_cputime", length,
                 jm_ceems_get_number (row->run, JM_RUN_FIELD_CPUS));
  /* as CEEMS reckons it, of all memory of accelerators that a job has */
  add_length_of (json, "alloc_gpumemtime", length, MIN (get_gpus (row->run), 1));
  add_length_of (json, "alloc_gputime", length, get_gpus (row->run));
  add_length_of (json, "walltime", length, 1);
  jm_json_writer_end_filled_object (json, before);
}

/* --- what it used --- */

static void
add_percent (JmJsonWriter *json, const char *name, double percent)
{
  if (percent < 0)
    return;
  jm_json_writer_begin_object (json, name);
  jm_json_writer_add_double (json, "global", percent);
  jm_json_writer_end_object (json);
}

static void
append_cpu_usage (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  add_percent (json, name, jm_ceems_get_cpu_usage (row->run));
}

static void
append_gpu_usage (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  add_percent (json, name, jm_ceems_get_gpu_usage (row->run, row->devices));
}

static void
append_memory_usage (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  add_percent (json, name, jm_ceems_get_memory_usage (row->run, row->nodes));
}

static void
append_gpu_memory_usage (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  add_percent (json, name,
               jm_ceems_get_gpu_memory_usage (row->run, row->nodes, row->devices));
}

static void
add_energy (JmJsonWriter *json, const char *name, gint64 energy_uj)
{
  if (energy_uj < 0)
    return;
  jm_json_writer_begin_object (json, name);
  jm_json_writer_add_double (json, "total", (double) energy_uj / UJ_OF_KWH);
  jm_json_writer_end_object (json);
}

static void
append_cpu_energy (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  add_energy (json, name, jm_ceems_split_energy (row->run, row->energies).rest_uj);
}

static void
append_gpu_energy (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  add_energy (json, name, jm_ceems_split_energy (row->run, row->energies).gpu_uj);
}

static void
add_emissions (JmJsonWriter *json,
               const char *name,
               const JmCeemsRow *row,
               double share)
{
  gsize length = json->out->len;

  jm_json_writer_begin_object (json, name);
  jm_ceems_append_emissions (json, row->run, row->energies, share);
  jm_json_writer_end_filled_object (json, length);
}

/* Nobody knows them apart: they are in the proportion of the energies. */
static double
get_gpu_share (const JmCeemsRow *row)
{
  JmCeemsEnergy energy = jm_ceems_split_energy (row->run, row->energies);
  double whole = (double) energy.rest_uj + (double) energy.gpu_uj;

  return energy.gpu_uj >= 0 && whole > 0 ? (double) energy.gpu_uj / whole : -1;
}

static void
append_cpu_emissions (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  add_emissions (json, name, row, 1 - MAX (get_gpu_share (row), 0));
}

static void
append_gpu_emissions (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  double share = get_gpu_share (row);

  if (share >= 0)
    add_emissions (json, name, row, share);
}

/* --- tags --- */

static void
append_tags (JmJsonWriter *json, const char *name, const JmCeemsRow *row)
{
  g_autofree char *exit_code = jm_ceems_format_exit (row->run);
  g_autofree char *nodes = jm_ceems_expand_nodes (row->run);
  gsize length = json->out->len;

  jm_json_writer_begin_object (json, name);
  jm_json_writer_add_known_text (json, "exit_code", exit_code);
  jm_json_writer_add_known_text (json, "nodelist",
                                 jm_run_peek_text (row->run, JM_RUN_FIELD_NODE_LIST));
  jm_json_writer_add_known_text (json, "nodelistexp", nodes);
  jm_json_writer_add_known_text (json, "partition",
                                 jm_run_peek_text (row->run, JM_RUN_FIELD_PARTITION));
  jm_json_writer_add_known_text (json, "qos",
                                 jm_run_peek_text (row->run, JM_RUN_FIELD_QOS));
  add_number (json, "uid", row->run, JM_RUN_FIELD_UID);
  jm_json_writer_add_known_text (json, "workdir",
                                 jm_run_peek_text (row->run, JM_RUN_FIELD_WORK_DIR));
  jm_json_writer_end_filled_object (json, length);
}

/* In CEEMS' order, up to one without a name. */
static const JmCeemsField unit_fields[] = {
  { "cluster_id", append_cluster, FALSE, FALSE },
  { "resource_manager", append_manager, FALSE, FALSE },
  { "uuid", append_id, TRUE, FALSE },
  { "name", append_name, FALSE, FALSE },
  { "project", append_project, FALSE, FALSE },
  { "groupname", NULL, FALSE, FALSE },
  { "username", append_user, FALSE, FALSE },
  { "created_at", append_creation, FALSE, FALSE },
  { "started_at", append_start, FALSE, FALSE },
  { "ended_at", append_end, FALSE, FALSE },
  { "created_at_ts", append_creation_ms, FALSE, FALSE },
  { "started_at_ts", append_start_ms, FALSE, FALSE },
  { "ended_at_ts", append_end_ms, FALSE, FALSE },
  { "elapsed", append_elapsed, FALSE, FALSE },
  { "state", append_state, FALSE, FALSE },
  { "allocation", append_allocation, FALSE, FALSE },
  { "total_time_seconds", append_times, FALSE, FALSE },
  { "avg_cpu_usage", append_cpu_usage, FALSE, FALSE },
  { "avg_cpu_mem_usage", append_memory_usage, .is_of_nodes = TRUE },
  { "total_cpu_energy_usage_kwh", append_cpu_energy, FALSE, TRUE },
  { "total_cpu_emissions_gms", append_cpu_emissions, FALSE, TRUE },
  { "avg_gpu_usage", append_gpu_usage, FALSE, FALSE, TRUE },
  { "avg_gpu_mem_usage", append_gpu_memory_usage, .is_of_devices = TRUE,
    .is_of_nodes = TRUE },
  { "total_gpu_energy_usage_kwh", append_gpu_energy, FALSE, TRUE },
  { "total_gpu_emissions_gms", append_gpu_emissions, FALSE, TRUE },
  { "total_io_write_stats", NULL, FALSE, FALSE },
  { "total_io_read_stats", NULL, FALSE, FALSE },
  { "total_ingress_stats", NULL, FALSE, FALSE },
  { "total_egress_stats", NULL, FALSE, FALSE },
  { "total_custom_stats", NULL, FALSE, FALSE },
  { "avg_custom_stats", NULL, FALSE, FALSE },
  { "min_custom_stats", NULL, FALSE, FALSE },
  { "max_custom_stats", NULL, FALSE, FALSE },
  { "tags", append_tags, FALSE, FALSE },
  { NULL, NULL, FALSE, FALSE },
};

/* --- units --- */

static GPtrArray *
list_parts (JmCeemsAnswer *self, JmRun *run, JmRunPartKind kind, GError **error)
{
  return jm_archive_database_list_parts (self->view.database, run, kind,
                                         self->view.viewer, error);
}

static gboolean
append_unit (JmCeemsAnswer *self,
             const JmCeemsFields *fields,
             JmRun *run,
             GError **error)
{
  const gboolean has_energy = fields->has_energy && jm_ceems_has_energy_by_domain (run);
  g_autoptr (GPtrArray) energies = NULL;
  g_autoptr (GPtrArray) devices = NULL;
  g_autoptr (GPtrArray) nodes = NULL;

  if (has_energy)
    energies = list_parts (self, run, JM_RUN_PART_KIND_ENERGY, error);
  if (has_energy && energies == NULL)
    return FALSE;
  if (fields->has_devices)
    devices = list_parts (self, run, JM_RUN_PART_KIND_DEVICE, error);
  if (fields->has_devices && devices == NULL)
    return FALSE;
  if (fields->has_nodes)
    nodes = list_parts (self, run, JM_RUN_PART_KIND_NODE, error);
  if (fields->has_nodes && nodes == NULL)
    return FALSE;

  jm_ceems_fields_append (fields, self->text,
                          &(JmCeemsRow){ .site = self->view.site,
                                         .zone = self->query.zone,
                                         .run = run,
                                         .energies = energies,
                                         .devices = devices,
                                         .nodes = nodes });

  return TRUE;
}

gboolean
jm_ceems_append_units (JmCeemsAnswer *self, GError **error)
{
  g_auto (JmCeemsFields) fields = { 0 };
  g_autoptr (JmRunFilter) filter = jm_ceems_answer_make_filter (self, TRUE);
  g_autoptr (GPtrArray) runs = NULL;

  if (!jm_ceems_fields_init (&fields, unit_fields, self, error))
    return FALSE;
  runs = jm_ceems_list_runs (self, filter, error);
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    {
      if (!append_unit (self, &fields, runs->pdata[i], error))
        return FALSE;
      if (self->text->len > MAX_BYTES && i + 1 < runs->len)
        {
          jm_ceems_answer_warn (self,
                                "not all: the first %u alone, ask for fewer fields",
                                i + 1);
          break;
        }
    }

  return runs != NULL;
}

/* --- whose they are --- */

/* A job that is not there is refused as somebody else's is. */
gboolean
jm_ceems_check_owner (JmCeemsAnswer *self, GError **error)
{
  g_autoptr (JmViewer) viewer = jm_viewer_copy (self->view.viewer);
  gboolean owns = TRUE;

  self->has_no_data = TRUE;
  if (self->query.uuids == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "uuid: none is given");
      return FALSE;
    }
  if (self->view.site != NULL)
    jm_archive_site_share_accounts (self->view.site, viewer);
  for (GStrv uuid = self->query.uuids; *uuid != NULL && owns; uuid++)
    if (!jm_ceems_owns (self, *uuid, viewer, &owns, error))
      return FALSE;
  if (!owns)
    g_set_error (error, JM_ERROR, JM_ERROR_DENIED, "not all of these jobs are yours");

  return owns;
}
