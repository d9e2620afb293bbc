/* jm-registry.c: sources by the names that administrators call them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "registry/jm-registry-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "host/jm-source-private.h"
#include "registry/jm-gpu-power-source-private.h"
#include "registry/jm-source-set-private.h"
#include "schedulers/jm-scheduler-types-private.h"
#include "schedulers/slurm/jm-slurm-rest-private.h"
#include "sources/cgroup/jm-cgroup-mounts-private.h"
#include "sources/cgroup/jm-cgroup-reader.h"
#include "sources/cgroup/jm-spool-reader-private.h"
#include "sources/counters/jm-counter-types-private.h"
#include "sources/emissions/jm-emission-types-private.h"
#include "sources/gpu/jm-gpu-types-private.h"
#include "sources/jobs/jm-cgroup-job-source-private.h"
#include "sources/jobs/jm-job-sources-private.h"
#include "sources/jobs/jm-scheduler-definition-private.h"
#include "sources/machine/jm-machine-private.h"
#include "sources/power/jm-power-types-private.h"
#include "sources/power/jm-rapl-perf-source-private.h"
#include "sources/power/jm-rapl-powercap-source-private.h"
#include "sources/process/jm-bpf-process-source-private.h"
#include "sources/process/jm-procfs-source-private.h"

#define NO_DEFINITIONS "no scheduler definition was found, so no job can be"

/* Each definition makes a source. */
static void
find_job_sources (const JmSourcePlan *plan, JmRegistryFound found, gpointer user_data)
{
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GPtrArray) sources =
    jm_job_sources_load (plan->host, plan->schedulers, plan->node_name, plan->cluster,
                         &problems);
  g_autoptr (GError) nothing =
    g_error_new_literal (JM_ERROR, JM_ERROR_ABSENT, NO_DEFINITIONS);

  for (guint i = 0; i < sources->len; i++)
    {
      JmSchedulerDefinition *definition =
        jm_cgroup_job_source_get_definition (sources->pdata[i]);

      found (jm_scheduler_definition_get_name (definition), sources->pdata[i], NULL,
             user_data);
    }
  for (guint i = 0; i < problems->len; i++)
    found (NULL, NULL, problems->pdata[i], user_data);
  if (sources->len == 0)
    found (NULL, NULL, nothing, user_data);
}

/* Of which version it is depends on what the host has mounted. */
static void
find_cgroups (const JmSourcePlan *plan, JmRegistryFound found, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmCgroupReader) reader =
    jm_cgroup_reader_new_for_host (plan->host, &error);

  if (reader != NULL)
    g_object_set (reader, "memory-stat-interval", plan->memory_stat_interval_ms, NULL);
  found (NULL, (JmSource *) reader, error, user_data);
}

static gboolean
is_jobs_path (GPtrArray *job_sources, const char *path)
{
  for (guint i = 0; i < job_sources->len; i++)
    {
      g_autoptr (JmPlace) place =
        jm_job_source_match (g_ptr_array_index (job_sources, i), path);

      if (place != NULL)
        return TRUE;
    }

  return FALSE;
}

/* Below a job all is its. */
static gboolean
is_in_job (const char *path, gpointer job_sources)
{
  g_autofree char *above = g_strdup (path);
  char *slash;

  while ((slash = strrchr (above, '/')) != NULL)
    {
      if (is_jobs_path (job_sources, above))
        return TRUE;
      *slash = '\0';
    }

  return FALSE;
}

static gboolean
has_member (const char *path, const char *status, gsize length, gpointer weak_reader)
{
  g_autoptr (JmSpoolReader) reader = g_weak_ref_get (weak_reader);

  return reader != NULL && jm_spool_reader_has_member (reader, path, status, length);
}

static char *
find_folder (const char *path, guint *owner, gpointer weak_reader)
{
  g_autoptr (JmSpoolReader) reader = g_weak_ref_get (weak_reader);

  return reader != NULL ? jm_spool_reader_find_folder (reader, path, owner) : NULL;
}

/* The reader asks the sources of jobs, and one of them the reader. */
static GWeakRef *
weak_ref_new (gpointer object)
{
  GWeakRef *ref = g_new0 (GWeakRef, 1);

  g_weak_ref_init (ref, object);

  return ref;
}

static void
weak_ref_free (gpointer ref)
{
  g_weak_ref_clear (ref);
  g_free (ref);
}

static void
find_spool (const JmSourcePlan *plan,
            JmCgroupJobSource *jobs,
            JmRegistryFound found,
            gpointer user_data)
{
  JmSchedulerDefinition *definition = jm_cgroup_job_source_get_definition (jobs);
  const JmSchedulerSpool *spool = jm_scheduler_definition_get_spool (definition);
  static const JmJobSpool asked = { has_member, find_folder };
  const char *name = jm_scheduler_definition_get_name (definition);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSpoolReader) reader = NULL;

  if (spool->directories == NULL)
    return;

  reader = g_object_new (JM_TYPE_SPOOL_READER, "host", plan->host, "name", name,
                         "directories", spool->directories, "group-file", spool->group,
                         "node-name", plan->node_name, NULL);
  jm_spool_reader_leave_out (reader, is_in_job, g_ptr_array_ref (plan->job_sources),
                             (GDestroyNotify) g_ptr_array_unref);
  g_initable_init (G_INITABLE (reader), NULL, &error);
  jm_cgroup_job_source_set_spool (jobs, &asked, weak_ref_new (reader), weak_ref_free);
  found (name, JM_SOURCE (reader), error, user_data);
}

/* A scheduler that makes no cgroups may have folders of its jobs. */
static void
find_spools (const JmSourcePlan *plan, JmRegistryFound found, gpointer user_data)
{
  for (guint i = 0; i < plan->job_sources->len; i++)
    find_spool (plan, plan->job_sources->pdata[i], found, user_data);
}

/* Programs are put into the kernel only where somebody asked for it. */
static void
find_bpf_processes (const JmSourcePlan *plan, JmRegistryFound found, gpointer user_data)
{
  g_autoptr (JmSource) source = NULL;

  if (!plan->uses_bpf)
    return;

  source = g_object_new (JM_TYPE_BPF_PROCESS_SOURCE, "host", plan->host, NULL);
  g_initable_init (G_INITABLE (source), NULL, NULL);
  found (NULL, source, NULL, user_data);
}

void
jm_registry_find_gpu_power (const char *name,
                            JmSource *library,
                            JmRegistryFound found,
                            gpointer user_data)
{
  g_autoptr (JmGpuPowerSource) source = NULL;

  if (!JM_IS_GPU_MAPPER (library) || !jm_source_is_open (library) ||
      !jm_gpu_mapper_knows_devices (JM_GPU_MAPPER (library)))
    return;

  source = jm_gpu_power_source_new (JM_GPU_MAPPER (library));
  found (name, JM_SOURCE (source), NULL, user_data);
}

/* Each library that knows accelerators knows what they take. */
static void
find_gpu_powers (const JmSourcePlan *plan, JmRegistryFound found, gpointer user_data)
{
  /* what is found is added to the same list */
  guint n_entries = plan->entries->len;

  for (guint i = 0; i < n_entries; i++)
    {
      const JmSourceEntry *entry = plan->entries->pdata[i];

      if (entry->kind == JM_SOURCE_KIND_GPUS)
        jm_registry_find_gpu_power (entry->name, entry->source, found, user_data);
    }
}

/* What counts takes rights or files of its own: it is not even tried where nobody wants
 * its figures. */
static void
find_perf (const JmSourcePlan *plan, JmRegistryFound found, gpointer user_data)
{
  g_autoptr (JmSource) source = NULL;
  g_autoptr (GError) error = NULL;

  if (!jm_collector_set_has (&plan->collectors, JM_COLLECTOR_PERF))
    return;

  source = g_object_new (JM_TYPE_PERF_SOURCE, "host", plan->host, "max-counters",
                         plan->max_counters, NULL);
  g_initable_init (G_INITABLE (source), NULL, &error);
  found (NULL, source, error, user_data);
}

static void
find_counters (const JmSourcePlan *plan,
               JmCollector collector,
               GType type,
               JmRegistryFound found,
               gpointer user_data)
{
  g_autoptr (JmSource) source = NULL;
  g_autoptr (GError) error = NULL;

  if (!jm_collector_set_has (&plan->collectors, collector))
    return;

  source = g_object_new (type, "host", plan->host, NULL);
  g_initable_init (G_INITABLE (source), NULL, &error);
  found (NULL, source, error, user_data);
}

static void
find_network (const JmSourcePlan *plan, JmRegistryFound found, gpointer user_data)
{
  find_counters (plan, JM_COLLECTOR_NETWORK, JM_TYPE_NETWORK_SOURCE, found, user_data);
}

/* In version 1 there are files for it. */
static void
find_percpu (const JmSourcePlan *plan, JmRegistryFound found, gpointer user_data)
{
  g_autoptr (JmCgroupMounts) mounts = NULL;
  g_autoptr (JmSource) source = NULL;
  g_autoptr (GError) error = NULL;

  if (!plan->uses_percpu_bpf ||
      !jm_collector_set_has (&plan->collectors, JM_COLLECTOR_PERCPU))
    return;

  mounts = jm_cgroup_mounts_new (plan->host);
  if (mounts->v1[JM_CGROUP_CPUACCT] != NULL || mounts->unified == NULL)
    return;

  source = g_object_new (JM_TYPE_PERCPU_SOURCE, "host", plan->host, "mount",
                         mounts->unified, NULL);
  g_initable_init (G_INITABLE (source), NULL, &error);
  found (NULL, source, error, user_data);
}

static void
find_filesystem (const JmSourcePlan *plan, JmRegistryFound found, gpointer user_data)
{
  find_counters (plan, JM_COLLECTOR_FILESYSTEM, JM_TYPE_FILESYSTEM_SOURCE, found,
                 user_data);
}

/* The best first: it is the one whose figures are attributed. A new source is a line.
 */
static const JmRegistryRow rows[] = {
  { JM_SOURCE_KIND_JOBS, "definitions", .is_found = TRUE, .find = find_job_sources },
  { JM_SOURCE_KIND_CGROUPS, "cgroup", .is_found = TRUE, .find = find_cgroups },
  { JM_SOURCE_KIND_CGROUPS, "spool", .is_found = TRUE, .find = find_spools },
  { JM_SOURCE_KIND_MACHINE, "machine", jm_machine_get_type, TRUE },
  { JM_SOURCE_KIND_PROCESSES, "bpf", .is_found = TRUE, .find = find_bpf_processes },
  { JM_SOURCE_KIND_PROCESSES, "procfs", jm_procfs_source_get_type, TRUE },
  { JM_SOURCE_KIND_COUNTERS, "perf", .is_found = TRUE, .find = find_perf },
  { JM_SOURCE_KIND_COUNTERS, "percpu", .is_found = TRUE, .find = find_percpu },
  { JM_SOURCE_KIND_COUNTERS, "network", .is_found = TRUE, .find = find_network },
  { JM_SOURCE_KIND_COUNTERS, "filesystem", .is_found = TRUE, .find = find_filesystem },
  { JM_SOURCE_KIND_GPUS, "nvml", jm_nvml_source_get_type, TRUE },
  { JM_SOURCE_KIND_GPUS, "dcgm", jm_dcgm_source_get_type, TRUE },
  { JM_SOURCE_KIND_GPUS, "amd-smi", jm_amd_smi_source_get_type, TRUE },
  { JM_SOURCE_KIND_GPUS, "amdgpu", jm_amdgpu_source_get_type, TRUE },
  { JM_SOURCE_KIND_GPUS, "intel", jm_intel_gpu_source_get_type, TRUE },
  { JM_SOURCE_KIND_GPUS, "map-files", jm_map_files_mapper_get_type, TRUE },
  { JM_SOURCE_KIND_GPUS, "device-cgroup", jm_device_cgroup_mapper_get_type, TRUE },
  { JM_SOURCE_KIND_POWER, "rapl-perf", jm_rapl_perf_source_get_type, TRUE },
  { JM_SOURCE_KIND_POWER, "rapl-powercap", jm_rapl_powercap_source_get_type, TRUE },
  { JM_SOURCE_KIND_POWER, "hsmp", jm_hsmp_source_get_type, TRUE },
  { JM_SOURCE_KIND_POWER, "gpu", .is_found = TRUE, .find = find_gpu_powers },
  { JM_SOURCE_KIND_POWER, "cray", jm_cray_pm_source_get_type, TRUE },
  { JM_SOURCE_KIND_POWER, "hwmon", jm_hwmon_source_get_type, TRUE },
  { JM_SOURCE_KIND_POWER, "ipmi", jm_ipmi_source_get_type, TRUE },
  { JM_SOURCE_KIND_POWER, "ipmi-command", jm_ipmi_command_source_get_type, FALSE },
  { JM_SOURCE_KIND_POWER, "redfish", jm_redfish_source_get_type, FALSE },
  { JM_SOURCE_KIND_POWER, "command", jm_command_source_get_type, FALSE },
  { JM_SOURCE_KIND_POWER, "file", jm_file_source_get_type, FALSE },
  { JM_SOURCE_KIND_POWER, "estimate", jm_estimate_source_get_type, FALSE },
  { JM_SOURCE_KIND_EMISSIONS, "owid", jm_owid_provider_get_type, FALSE },
  { JM_SOURCE_KIND_EMISSIONS, "global", jm_global_provider_get_type, FALSE },
  { JM_SOURCE_KIND_EMISSIONS, "fixed", jm_fixed_provider_get_type, FALSE },
  { JM_SOURCE_KIND_EMISSIONS, "rte", jm_rte_provider_get_type, FALSE },
  { JM_SOURCE_KIND_EMISSIONS, "electricity-maps", jm_electricity_maps_provider_get_type,
    FALSE },
  { JM_SOURCE_KIND_EMISSIONS, "watttime", jm_watt_time_provider_get_type, FALSE },
  { JM_SOURCE_KIND_EMISSIONS, "uk-carbon-intensity",
    jm_uk_carbon_intensity_provider_get_type, FALSE },
  { JM_SOURCE_KIND_SCHEDULER, "slurm", jm_slurm_commands_get_type, FALSE },
  { JM_SOURCE_KIND_SCHEDULER, "slurmrestd", jm_slurm_rest_get_type, FALSE },
  { JM_SOURCE_KIND_SCHEDULER, "slurm-metrics", jm_slurm_metrics_get_type, FALSE },
  { JM_SOURCE_KIND_SCHEDULER, "gridengine", jm_grid_engine_commands_get_type, FALSE },
  { JM_SOURCE_KIND_SCHEDULER, "pbs", jm_pbs_commands_get_type, FALSE },
  { JM_SOURCE_KIND_HISTORY, "sacct", jm_sacct_get_type, FALSE },
  { JM_SOURCE_KIND_HISTORY, "slurmrestd", jm_slurm_rest_history_get_type, FALSE },
  { JM_SOURCE_KIND_HISTORY, "slurmdbd", jm_slurmdbd_get_type, FALSE },
  { JM_SOURCE_KIND_HISTORY, "gridengine-log", jm_grid_engine_log_get_type, FALSE },
  { JM_SOURCE_KIND_HISTORY, "condor-history", jm_htcondor_history_get_type, FALSE },
  { JM_SOURCE_KIND_HISTORY, "pbs-log", jm_pbs_log_get_type, FALSE },
};

#define MAX_PROPERTIES 16

/* The properties that a specification gives. */
typedef struct
{
  guint n;
  const char *names[MAX_PROPERTIES];
  GValue values[MAX_PROPERTIES];
} Settings;

/* --- specifications --- */

static void
settings_clear (Settings *self)
{
  for (guint i = 0; i < self->n; i++)
    g_value_unset (&self->values[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Settings, settings_clear)

static gboolean
refuse (GError **error, const char *specification, const char *what, const char *value)
{
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s: %s", specification, what,
               value);

  return FALSE;
}

/* Takes a value up to the next comma; between quotes, up to the closing one. */
static char *
take_value (const char **cursor)
{
  g_autoptr (GString) value = g_string_new (NULL);
  gboolean is_quoted = FALSE;
  const char *p = *cursor;

  for (; *p != '\0' && (is_quoted || *p != ','); p++)
    if (*p == '"')
      is_quoted = !is_quoted;
    else if (*p == '\\' && is_quoted && p[1] != '\0')
      g_string_append_c (value, *++p);
    else
      g_string_append_c (value, *p);

  *cursor = p;
  if (is_quoted)
    return NULL;

  return g_string_free (g_steal_pointer (&value), FALSE);
}

static gboolean
parse_boolean (const char *text, gboolean *value)
{
  *value = g_str_equal (text, "true") || g_str_equal (text, "yes");

  return *value || g_str_equal (text, "false") || g_str_equal (text, "no");
}

/* Of the types that sources' properties have, and within the bounds of the property. */
static gboolean
parse_value (GParamSpec *pspec, const char *text, GValue *value)
{
  guint64 number;
  gboolean flag;
  char *end;

  g_value_init (value, pspec->value_type);
  switch (G_TYPE_FUNDAMENTAL (pspec->value_type))
    {
    case G_TYPE_STRING:
      g_value_set_string (value, text);
      return TRUE;
    case G_TYPE_UINT:
      if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT, &number, NULL))
        return FALSE;
      g_value_set_uint (value, (guint) number);
      break;
    case G_TYPE_BOOLEAN:
      if (!parse_boolean (text, &flag))
        return FALSE;
      g_value_set_boolean (value, flag);
      break;
    case G_TYPE_DOUBLE:
      g_value_set_double (value, g_ascii_strtod (text, &end));
      if (end == text || *end != '\0')
        return FALSE;
      break;
    default:
      return FALSE;
    }

  /* TRUE if it had to be changed */
  return !g_param_value_validate (pspec, value);
}

static char *
list_properties (GObjectClass *klass)
{
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree GParamSpec **pspecs = NULL;
  guint n;

  pspecs = g_object_class_list_properties (klass, &n);
  for (guint i = 0; i < n; i++)
    if (pspecs[i]->owner_type != JM_TYPE_SOURCE)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "",
                              pspecs[i]->name);

  return g_string_free (g_steal_pointer (&names), FALSE);
}

static gboolean
refuse_property (GError **error,
                 const char *specification,
                 const char *name,
                 GObjectClass *klass)
{
  g_autofree char *names = list_properties (klass);

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: no such property: %s%s%s",
               specification, name, names[0] != '\0' ? "; there is " : "", names);

  return FALSE;
}

static gboolean
settings_have (const Settings *self, const GParamSpec *pspec)
{
  for (guint i = 0; i < self->n; i++)
    if (g_str_equal (self->names[i], pspec->name))
      return TRUE;

  return FALSE;
}

static gboolean
add_setting (Settings *self,
             GObjectClass *klass,
             const char *specification,
             const char *name,
             const char *text,
             GError **error)
{
  GParamSpec *pspec = g_object_class_find_property (klass, name);

  if (pspec == NULL || pspec->owner_type == JM_TYPE_SOURCE)
    return refuse_property (error, specification, name, klass);
  if (settings_have (self, pspec))
    return refuse (error, specification, "given twice", name);
  if (self->n == MAX_PROPERTIES)
    return refuse (error, specification, "too many properties", name);

  self->names[self->n] = pspec->name;
  if (parse_value (pspec, text, &self->values[self->n++]))
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: not a value of %s: %s",
               specification, pspec->name, text);

  return FALSE;
}

/* Parses `,NAME=VALUE` as often as it comes. */
static gboolean
parse_settings (Settings *self,
                GObjectClass *klass,
                const char *specification,
                const char *cursor,
                GError **error)
{
  while (*cursor == ',')
    {
      const char *equals = strchr (++cursor, '=');
      g_autofree char *name = NULL;
      g_autofree char *value = NULL;

      if (equals == NULL)
        return refuse (error, specification, "not NAME=VALUE", cursor);

      name = g_strndup (cursor, (gsize) (equals - cursor));
      cursor = equals + 1;
      value = take_value (&cursor);
      if (value == NULL)
        return refuse (error, specification, "a quote that does not end", name);
      if (!add_setting (self, klass, specification, name, value, error))
        return FALSE;
    }

  return TRUE;
}

static const JmRegistryRow *
find_row (JmSourceKind kind, const char *name, gsize length)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].kind == kind && strlen (rows[i].name) == length &&
        memcmp (rows[i].name, name, length) == 0)
      return &rows[i];

  return NULL;
}

static gboolean
refuse_name (GError **error, JmSourceKind kind, const char *specification)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].kind == kind)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", rows[i].name);

  return refuse (error, specification, "not one of those that there are", names->str);
}

static JmSource *
make_source (const JmRegistryRow *row, JmHost *host, Settings *settings)
{
  g_autoptr (GObject) source = NULL;
  const char *names[MAX_PROPERTIES + 1] = { "host" };
  GValue values[MAX_PROPERTIES + 1] = { G_VALUE_INIT };

  g_value_init (&values[0], JM_TYPE_HOST);
  g_value_set_object (&values[0], host);
  for (guint i = 0; settings != NULL && i < settings->n; i++)
    {
      names[i + 1] = settings->names[i];
      values[i + 1] = settings->values[i];
    }

  source = g_object_new_with_properties (row->get_type (),
                                         settings != NULL ? settings->n + 1 : 1, names,
                                         values);
  g_value_unset (&values[0]);

  return JM_SOURCE (g_steal_pointer (&source));
}

guint
jm_registry_get_n_rows (void)
{
  return G_N_ELEMENTS (rows);
}

const JmRegistryRow *
jm_registry_get_row (guint row)
{
  return &rows[row];
}

JmSource *
jm_registry_make_row (const JmRegistryRow *row, JmHost *host)
{
  return make_source (row, host, NULL);
}

const JmRegistryRow *
jm_registry_get_finder (JmSourceKind kind, const char *specification)
{
  const JmRegistryRow *row = find_row (kind, specification, strlen (specification));

  return row != NULL && row->find != NULL ? row : NULL;
}

/**
 * jm_registry_make:
 * @kind: what the source is asked for
 * @specification: a name, perhaps with properties, such as `ipmi,interval=30` or
 *   `owid,zone=FR`
 * @host: the host
 * @error: return location for an error
 *
 * Makes a source without opening it, for a program that opens it again after a failure.
 * g_initable_init() opens it. A value with a comma in it stands between double quotes.
 *
 * - Errors: `INVALID` when there is no such source, a property or its value is invalid,
 *   or only a node can find it.
 *
 * Returns: (transfer full): the source
 * Since: 0.1
 */
JmSource *
jm_registry_make (JmSourceKind kind,
                  const char *specification,
                  JmHost *host,
                  GError **error)
{
  gsize length = strcspn (specification, ",");
  const JmRegistryRow *row = find_row (kind, specification, length);
  g_autoptr (GTypeClass) klass = NULL;
  g_auto (Settings) settings = { 0 };

  if (row == NULL)
    {
      refuse_name (error, kind, specification);
      return NULL;
    }

  if (row->find != NULL)
    {
      refuse (error, specification, "only a node finds it, and without properties",
              row->name);
      return NULL;
    }

  klass = g_type_class_ref (row->get_type ());
  if (!parse_settings (&settings, G_OBJECT_CLASS (klass), specification,
                       specification + length, error))
    return NULL;

  return make_source (row, host, &settings);
}

/**
 * jm_registry_open:
 * @kind: what the source is asked for
 * @specification: a name, perhaps with properties, such as `ipmi,interval=30` or
 *   `owid,zone=FR`
 * @host: the host
 * @error: return location for an error
 *
 * Opens a source by the name that #JmNode:power-sources and
 * #JmNode:emission-providers call it. The source implements the interface of its kind,
 * such as #JmPowerSource.
 *
 * - Errors: as jm_registry_make(); `ABSENT` or `DENIED` when what it needs, such as a
 *   meter, a table or a token, does not exist or cannot be read.
 *
 * Returns: (transfer full): the source
 * Since: 0.1
 */
JmSource *
jm_registry_open (JmSourceKind kind,
                  const char *specification,
                  JmHost *host,
                  GError **error)
{
  g_autoptr (JmSource) source = NULL;

  g_return_val_if_fail (specification != NULL, NULL);
  g_return_val_if_fail (JM_IS_HOST (host), NULL);

  source = jm_registry_make (kind, specification, host, error);
  if (source == NULL || !g_initable_init (G_INITABLE (source), NULL, error))
    return NULL;

  return g_steal_pointer (&source);
}

/**
 * jm_registry_list_names:
 * @kind: what a source is asked for
 *
 * Lists the names with which a specification can begin, the best first.
 *
 * Returns: (transfer full): the names
 * Since: 0.1
 */
char **
jm_registry_list_names (JmSourceKind kind)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].kind == kind)
      g_strv_builder_add (names, rows[i].name);

  return g_strv_builder_end (names);
}
