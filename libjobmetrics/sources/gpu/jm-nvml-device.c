/* jm-nvml-device.c: one device of NVIDIA's management library
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/gpu/jm-nvml-device-private.h"

#include "core/jm-gpu-private.h"
#include "core/jm-gpu-report-private.h"
#include "sources/gpu/jm-nvml-records-private.h"

#define PPM_PER_PERCENT 10000
#define UW_PER_MW 1000
#define UJ_PER_MJ 1000
#define HZ_PER_MHZ 1000000
#define MILLI 1000
#define BYTES_PER_KB 1000
#define BYTES_PER_KIB 1024
#define ALL_LINKS G_MAXUINT
#define VOLATILE 0

/* --- calls that give one number --- */

typedef enum
{
  PLAIN,  /* JmNvmlGet */
  LONG,   /* JmNvmlGetLong */
  TYPED,  /* JmNvmlGetTyped */
  ENGINE, /* JmNvmlGetEngine */
} Shape;

typedef struct
{
  const char *function;
  gsize offset;
  Shape shape;
  guint type; /* of TYPED */
  JmMetric metric;
  const char *label;
  guint64 factor;
} NumberRow;

#define NUMBER(name, member, shape, type, metric, label, factor)                       \
 {                                                                                     \
  name, G_STRUCT_OFFSET (JmNvmlApi, member), shape, type, JM_METRIC_GPU_##metric,      \
    label, factor                                                                      \
 }

/* clang-format off */
static const NumberRow numbers[] = {
  NUMBER ("nvmlDeviceGetEnforcedPowerLimit", get_power_limit, PLAIN, 0, POWER_LIMIT, NULL, UW_PER_MW),
  NUMBER ("nvmlDeviceGetTotalEnergyConsumption", get_energy, LONG, 0, ENERGY, NULL, UJ_PER_MJ),
  NUMBER ("nvmlDeviceGetPcieReplayCounter", get_pcie_replays, PLAIN, 0, PCIE_REPLAYS, NULL, 1),
  NUMBER ("nvmlDeviceGetClockInfo", get_clock, TYPED, 0, CLOCK, "graphics", HZ_PER_MHZ),
  NUMBER ("nvmlDeviceGetClockInfo", get_clock, TYPED, 1, CLOCK, "sm", HZ_PER_MHZ),
  NUMBER ("nvmlDeviceGetClockInfo", get_clock, TYPED, 2, CLOCK, "memory", HZ_PER_MHZ),
  NUMBER ("nvmlDeviceGetClockInfo", get_clock, TYPED, 3, CLOCK, "video", HZ_PER_MHZ),
  NUMBER ("nvmlDeviceGetTemperature", get_temperature, TYPED, 0, TEMPERATURE, "gpu", MILLI),
  NUMBER ("nvmlDeviceGetEncoderUtilization", get_encoder, ENGINE, 0, ENGINE_UTILIZATION, "encoder", PPM_PER_PERCENT),
  NUMBER ("nvmlDeviceGetDecoderUtilization", get_decoder, ENGINE, 0, ENGINE_UTILIZATION, "decoder", PPM_PER_PERCENT),
  NUMBER ("nvmlDeviceGetPcieThroughput", get_pcie_traffic, TYPED, 0, PCIE_TRAFFIC, "transmit", BYTES_PER_KB),
  NUMBER ("nvmlDeviceGetPcieThroughput", get_pcie_traffic, TYPED, 1, PCIE_TRAFFIC, "receive", BYTES_PER_KB),
};

/* --- numbers that one call gives together --- */

typedef struct
{
  guint id;
  guint scope;
  JmMetric metric;
  const char *label;
  guint64 factor;
  gboolean is_rate; /* of a counter */
} FieldRow;

static const FieldRow fields[] = {
  { 3, 0, JM_METRIC_GPU_ECC_ERRORS, "corrected", 1, FALSE },
  { 4, 0, JM_METRIC_GPU_ECC_ERRORS, "uncorrected", 1, FALSE },
  { 29, 0, JM_METRIC_GPU_RETIRED_PAGES, "single_bit", 1, FALSE },
  { 30, 0, JM_METRIC_GPU_RETIRED_PAGES, "double_bit", 1, FALSE },
  { 82, 0, JM_METRIC_GPU_TEMPERATURE, "memory", MILLI, FALSE },
  { 138, ALL_LINKS, JM_METRIC_GPU_NVLINK_TRAFFIC, "transmit", BYTES_PER_KIB, TRUE },
  { 139, ALL_LINKS, JM_METRIC_GPU_NVLINK_TRAFFIC, "receive", BYTES_PER_KIB, TRUE },
};
/* clang-format on */

#define N_NUMBERS G_N_ELEMENTS (numbers)
#define N_FIELDS G_N_ELEMENTS (fields)

/* What may turn out not to be supported, behind the numbers. */
enum
{
  FIELDS = N_NUMBERS,
  POWER,
  POWER_SAMPLES,
  UTILIZATION,
  UTILIZATION_SAMPLES,
  MEMORY,
  MEMORY_2,
  THROTTLE,
  CORRECTED_ERRORS,
  UNCORRECTED_ERRORS,
  REMAPPED_ROWS,
  COMPUTE_PROCESSES,
  GRAPHICS_PROCESSES,
  SAMPLES,
  EVENTS,
  GPM,
  N_CALLS,
};

#define BIT(call) (1u << (call))

G_STATIC_ASSERT (N_CALLS <= 32);

/* What an instance is asked. */
#define OF_INSTANCES                                                                   \
 (BIT (MEMORY) | BIT (MEMORY_2) | BIT (COMPUTE_PROCESSES) | BIT (GRAPHICS_PROCESSES))
/* What a device with instances leaves to them. */
#define LEFT_TO_INSTANCES                                                              \
 (BIT (COMPUTE_PROCESSES) | BIT (GRAPHICS_PROCESSES) | BIT (SAMPLES))

typedef struct
{
  guint64 value;
  gint64 time_us;
} Counter;

struct _JmNvmlDevice
{
  const JmNvmlApi *api;
  JmGpu *gpu;
  guint n_multiprocessors;
  JmNvmlHandle *handle; /* atomic: a list may be made while it is read */
  int result;           /* where there is none */
  gint has_instances;   /* atomic */
  gint had_instances;

  guint unsupported;        /* BIT of each call */
  guint unsupported_fields; /* the same, by row */
  Counter counters[N_FIELDS];
  JmNvmlProcesses processes;
  JmNvmlEvents events;
  JmNvmlMean power;
  JmNvmlMean utilization;
  JmNvmlGpm gpm;
  gboolean is_gpm_wanted;
  gboolean has_power_mean;
  gboolean has_utilization_mean;
};

/* One reading of a device. */
typedef struct
{
  JmNvmlDevice *device;
  const JmNvmlApi *api;
  JmNvmlHandle *handle;
  JmGpuReport *report;
  guint n_figures;
  guint measured; /* by GPM */
  gboolean is_lost;
  GError *error; /* the first */
} Reading;

JmNvmlDevice *
jm_nvml_device_new (const JmNvmlApi *api, JmGpu *gpu, guint n_multiprocessors)
{
  JmNvmlDevice *self = g_atomic_rc_box_new0 (JmNvmlDevice);

  self->api = api;
  self->gpu = jm_gpu_ref (gpu);
  self->n_multiprocessors = n_multiprocessors;
  jm_nvml_processes_init (&self->processes);
  jm_nvml_events_init (&self->events);
  jm_nvml_mean_init (&self->power);
  jm_nvml_mean_init (&self->utilization);
  if (jm_gpu_get_field (gpu, JM_GPU_FIELD_PARENT) != NULL)
    self->unsupported = ~OF_INSTANCES;

  return self;
}

JmNvmlDevice *
jm_nvml_device_ref (JmNvmlDevice *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
device_clear (gpointer data)
{
  JmNvmlDevice *self = data;

  jm_gpu_unref (self->gpu);
  jm_nvml_processes_clear (&self->processes);
  jm_nvml_events_clear (&self->events);
  jm_nvml_mean_clear (&self->power);
  jm_nvml_mean_clear (&self->utilization);
  g_free (self->gpm.metrics);
}

void
jm_nvml_device_unref (JmNvmlDevice *self)
{
  g_atomic_rc_box_release_full (self, device_clear);
}

JmGpu *
jm_nvml_device_get_gpu (JmNvmlDevice *self)
{
  return self->gpu;
}

void
jm_nvml_device_set_handle (JmNvmlDevice *self, JmNvmlHandle *handle, int result)
{
  g_atomic_int_set (&self->result, result);
  g_atomic_pointer_set (&self->handle, handle);
}

void
jm_nvml_device_listen (JmNvmlDevice *self)
{
  jm_nvml_events_listen (&self->events, self->api, self->handle);
}

void
jm_nvml_device_stop (JmNvmlDevice *self)
{
  jm_nvml_events_stop (&self->events, self->api);
  jm_nvml_gpm_stop (&self->gpm, self->api);
}

void
jm_nvml_device_set_gpm (JmNvmlDevice *self, gboolean is_wanted)
{
  self->is_gpm_wanted = is_wanted;
}

void
jm_nvml_device_set_mig (JmNvmlDevice *self, gboolean has_instances)
{
  g_atomic_int_set (&self->has_instances, has_instances);
}

/* --- asking --- */

static gboolean
may_ask (const Reading *reading, guint call, gboolean is_there)
{
  return is_there && !reading->is_lost &&
         (reading->device->unsupported & BIT (call)) == 0;
}

static void
note_error (Reading *reading, int result, const char *function)
{
  if (reading->error == NULL)
    jm_nvml_set_error (reading->api, result, jm_gpu_get_name (reading->device->gpu),
                       function, &reading->error);
}

/* Whether a call gave its figure; if it never will, it is not made again. */
static gboolean
is_told (Reading *reading, guint call, int result, const char *function)
{
  if (jm_nvml_result_is_unsupported (result))
    reading->device->unsupported |= BIT (call);
  else if (result != JM_NVML_SUCCESS && !jm_nvml_result_is_empty (result))
    note_error (reading, result, function);
  if (result == JM_NVML_GPU_IS_LOST || result == JM_NVML_RESET_REQUIRED)
    reading->is_lost = TRUE;

  return result == JM_NVML_SUCCESS;
}

static void
tell (Reading *reading, JmMetric metric, const char *label, guint64 value)
{
  g_autoptr (JmLabels) labels = label != NULL ? jm_labels_of (label, NULL) : NULL;

  jm_gpu_report_add_labelled (reading->report, metric, labels, value);
  reading->n_figures++;
}

/* --- numbers --- */

static int
ask_number (Reading *reading, const NumberRow *row, guint64 *value)
{
  gconstpointer function = (const char *) reading->api + row->offset;
  guint number = 0;
  guint period_us;
  int result;

  switch (row->shape)
    {
    case PLAIN:
      result = (*(const JmNvmlGet *) function) (reading->handle, &number);
      break;
    case TYPED:
      result =
        (*(const JmNvmlGetTyped *) function) (reading->handle, row->type, &number);
      break;
    case ENGINE:
      result =
        (*(const JmNvmlGetEngine *) function) (reading->handle, &number, &period_us);
      break;
    default:
      return (*(const JmNvmlGetLong *) function) (reading->handle, value);
    }
  *value = number;

  return result;
}

static void
read_numbers (Reading *reading)
{
  for (guint i = 0; i < N_NUMBERS; i++)
    {
      const NumberRow *row = &numbers[i];
      gconstpointer function = (const char *) reading->api + row->offset;
      guint64 value = 0;

      if (!jm_nvml_gpm_has (reading->measured, row->metric, row->label) &&
          may_ask (reading, i, *(const JmNvmlGet *) function != NULL) &&
          is_told (reading, i, ask_number (reading, row, &value), row->function) &&
          value <= G_MAXINT64 / row->factor)
        tell (reading, row->metric, row->label, value * row->factor);
    }
}

/* --- fields --- */

static void
tell_rate (Reading *reading, guint row, guint64 value, gint64 time_us)
{
  Counter *before = &reading->device->counters[row];
  gint64 passed_us = time_us - before->time_us;

  if (before->time_us > 0 && passed_us > 0 && value >= before->value &&
      !jm_nvml_gpm_has (reading->measured, fields[row].metric, fields[row].label))
    tell (reading, fields[row].metric, fields[row].label,
          (guint64) ((double) (value - before->value) * (double) fields[row].factor *
                     G_USEC_PER_SEC / (double) passed_us));
  if (before->time_us == 0 || passed_us > 0)
    *before = (Counter){ value, time_us };
}

static void
take_field (Reading *reading, guint row, const JmNvmlField *field)
{
  guint64 value;

  if (jm_nvml_result_is_unsupported (field->result))
    reading->device->unsupported_fields |= BIT (row);
  else if (field->result == JM_NVML_GPU_IS_LOST)
    is_told (reading, FIELDS, field->result, "nvmlDeviceGetFieldValues");
  else if (!jm_nvml_field_get (field, &value) ||
           value > G_MAXINT64 / fields[row].factor)
    return;
  else if (fields[row].is_rate)
    tell_rate (reading, row, value, field->time_us);
  else
    tell (reading, fields[row].metric, fields[row].label, value * fields[row].factor);
}

static void
read_fields (Reading *reading)
{
  JmNvmlField asked[N_FIELDS] = { 0 };
  guint rows[N_FIELDS];
  guint n = 0;

  for (guint i = 0; i < N_FIELDS; i++)
    if ((reading->device->unsupported_fields & BIT (i)) == 0)
      {
        asked[n] = (JmNvmlField){ .id = fields[i].id, .scope = fields[i].scope };
        rows[n++] = i;
      }

  if (n == 0 || !may_ask (reading, FIELDS, reading->api->get_fields != NULL) ||
      !is_told (reading, FIELDS,
                reading->api->get_fields (reading->handle, (int) n, asked),
                "nvmlDeviceGetFieldValues"))
    return;

  for (guint i = 0; i < n; i++)
    take_field (reading, rows[i], &asked[i]);
}

/* Of a driver that knows no fields. */
static void
read_ecc_errors (Reading *reading)
{
  static const char *const types[] = { "corrected", "uncorrected" };
  gboolean is_there =
    reading->api->get_fields == NULL && reading->api->get_ecc_errors != NULL;

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      guint64 n = 0;

      if (may_ask (reading, CORRECTED_ERRORS + i, is_there) &&
          is_told (reading, CORRECTED_ERRORS + i,
                   reading->api->get_ecc_errors (reading->handle, i, VOLATILE, &n),
                   "nvmlDeviceGetTotalEccErrors"))
        tell (reading, JM_METRIC_GPU_ECC_ERRORS, types[i], n);
    }
}

/* --- levels that the driver samples --- */

/* Since the last reading, where the driver keeps what it sampled. */
static gboolean
read_mean (Reading *reading,
           guint call,
           JmNvmlMean *state,
           guint kind,
           double *mean,
           gint64 *covered_us)
{
  return may_ask (reading, call, reading->api->get_timed_values != NULL) &&
         is_told (reading, call,
                  jm_nvml_mean_take (state, reading->api, reading->handle, kind, mean,
                                     covered_us),
                  "nvmlDeviceGetSamples");
}

static void
read_power_now (Reading *reading)
{
  const JmNvmlApi *api = reading->api;
  guint power_mw = 0;

  if (may_ask (reading, POWER, api->get_power != NULL) &&
      is_told (reading, POWER, api->get_power (reading->handle, &power_mw),
               "nvmlDeviceGetPowerUsage"))
    tell (reading, JM_METRIC_GPU_POWER, NULL, (guint64) power_mw * UW_PER_MW);
}

static void
read_power (Reading *reading)
{
  JmNvmlDevice *device = reading->device;
  double mean_mw;
  gint64 covered_us;

  device->has_power_mean = read_mean (reading, POWER_SAMPLES, &device->power,
                                      JM_NVML_POWER_SAMPLES, &mean_mw, &covered_us) &&
                           mean_mw <= G_MAXUINT;
  if (device->has_power_mean)
    tell (reading, JM_METRIC_GPU_POWER, NULL, (guint64) (mean_mw * UW_PER_MW));
  else
    read_power_now (reading);
}

/* --- performance counters --- */

/* Nothing is kept while they are not wanted: a profiler has the counters alone. */
static void
read_gpm (Reading *reading)
{
  const JmNvmlApi *api = reading->api;
  JmNvmlDevice *device = reading->device;
  const char *function;
  int result;

  if (!device->is_gpm_wanted)
    {
      jm_nvml_gpm_stop (&device->gpm, api);
      return;
    }
  if (!may_ask (reading, GPM,
                api->get_gpm_support != NULL && api->make_gpm_sample != NULL &&
                  api->free_gpm_sample != NULL && api->get_gpm_sample != NULL &&
                  api->get_gpm_metrics != NULL))
    return;

  result = jm_nvml_gpm_take (&device->gpm, api, reading->handle, &function);
  if (is_told (reading, GPM, result, function))
    reading->measured = jm_nvml_gpm_report (&device->gpm, reading->report);
}

/* --- calls that give several numbers --- */

static gboolean
ask_utilization (Reading *reading, JmNvmlUtilization *percent)
{
  const JmNvmlApi *api = reading->api;

  return may_ask (reading, UTILIZATION, api->get_utilization != NULL) &&
         is_told (reading, UTILIZATION, api->get_utilization (reading->handle, percent),
                  "nvmlDeviceGetUtilizationRates");
}

static void
tell_utilization (Reading *reading, JmMetric metric, double percent)
{
  if (percent <= 100)
    tell (reading, metric, NULL, (guint64) (percent * PPM_PER_PERCENT));
}

static void
read_utilization (Reading *reading)
{
  JmNvmlDevice *device = reading->device;
  JmNvmlUtilization percent = { 0 };
  double mean;
  gint64 covered_us;

  device->has_utilization_mean =
    read_mean (reading, UTILIZATION_SAMPLES, &device->utilization,
               JM_NVML_UTILIZATION_SAMPLES, &mean, &covered_us) &&
    mean <= 100;
  if (device->has_utilization_mean)
    jm_gpu_report_set_covered (reading->report, covered_us);
  if (device->has_utilization_mean)
    tell_utilization (reading, JM_METRIC_GPU_UTILIZATION, mean);
  if (!ask_utilization (reading, &percent))
    return;

  if (!device->has_utilization_mean)
    tell_utilization (reading, JM_METRIC_GPU_UTILIZATION, percent.gpu);
  tell_utilization (reading, JM_METRIC_GPU_MEMORY_UTILIZATION, percent.memory);
}

static void
tell_memory (Reading *reading, guint64 size, guint64 used)
{
  tell (reading, JM_METRIC_GPU_MEMORY_SIZE, NULL, size);
  if (used <= size)
    tell (reading, JM_METRIC_GPU_MEMORY_USED, NULL, used);
}

/* The older form counts what the driver keeps for itself as used. */
static void
read_memory (Reading *reading)
{
  const JmNvmlApi *api = reading->api;
  JmNvmlMemory2 newer = { .version = JM_NVML_MEMORY_2 };
  JmNvmlMemory older = { 0 };

  if (may_ask (reading, MEMORY_2, api->get_memory_2 != NULL) &&
      is_told (reading, MEMORY_2, api->get_memory_2 (reading->handle, &newer),
               "nvmlDeviceGetMemoryInfo_v2"))
    tell_memory (reading, newer.total, newer.used);
  else if ((api->get_memory_2 == NULL ||
            (reading->device->unsupported & BIT (MEMORY_2)) != 0) &&
           may_ask (reading, MEMORY, api->get_memory != NULL) &&
           is_told (reading, MEMORY, api->get_memory (reading->handle, &older),
                    "nvmlDeviceGetMemoryInfo"))
    tell_memory (reading, older.total, older.used);
}

static void
read_throttle (Reading *reading)
{
  const JmNvmlApi *api = reading->api;
  JmNvmlGetLong get =
    api->get_event_reasons != NULL ? api->get_event_reasons : api->get_throttle_reasons;
  guint64 reasons = 0;

  if (!may_ask (reading, THROTTLE, get != NULL) ||
      !is_told (reading, THROTTLE, get (reading->handle, &reasons),
                "nvmlDeviceGetCurrentClocksEventReasons"))
    return;

  for (guint bit = 0; bit < JM_NVML_N_REASONS; bit++)
    tell (reading, JM_METRIC_GPU_THROTTLE, jm_nvml_get_reason (bit),
          reasons >> bit & 1);
}

static void
read_remapped_rows (Reading *reading)
{
  const JmNvmlApi *api = reading->api;
  guint corrected = 0, uncorrected = 0, is_pending, has_failed;

  if (!may_ask (reading, REMAPPED_ROWS, api->get_remapped_rows != NULL) ||
      !is_told (reading, REMAPPED_ROWS,
                api->get_remapped_rows (reading->handle, &corrected, &uncorrected,
                                        &is_pending, &has_failed),
                "nvmlDeviceGetRemappedRows"))
    return;

  tell (reading, JM_METRIC_GPU_REMAPPED_ROWS, "corrected", corrected);
  tell (reading, JM_METRIC_GPU_REMAPPED_ROWS, "uncorrected", uncorrected);
}

/* --- processes --- */

static gboolean
read_process_list (Reading *reading,
                   guint call,
                   const JmNvmlGetProcesses *versions,
                   const char *name)
{
  return may_ask (reading, call, jm_nvml_processes_can_list (versions)) &&
         is_told (reading, call,
                  jm_nvml_processes_list (&reading->device->processes, versions,
                                          reading->handle),
                  name);
}

static void
read_processes (Reading *reading)
{
  const JmNvmlApi *api = reading->api;
  JmNvmlProcesses *processes = &reading->device->processes;
  gboolean is_any = FALSE;

  jm_nvml_processes_begin (processes);
  is_any |= read_process_list (reading, COMPUTE_PROCESSES, api->get_compute_processes,
                               "nvmlDeviceGetComputeRunningProcesses");
  is_any |= read_process_list (reading, GRAPHICS_PROCESSES, api->get_graphics_processes,
                               "nvmlDeviceGetGraphicsRunningProcesses");
  if (!is_any)
    return;

  if (may_ask (reading, SAMPLES, api->get_samples != NULL))
    is_told (reading, SAMPLES,
             jm_nvml_processes_sample (processes, api, reading->handle),
             "nvmlDeviceGetProcessUtilization");
  jm_nvml_processes_tell (processes, reading->report);
  tell (reading, JM_METRIC_GPU_PROCESSES, NULL, processes->found->len);
}

/* --- events --- */

static void
read_events (Reading *reading)
{
  JmNvmlEvents *events = &reading->device->events;
  GHashTableIter iter;
  gpointer xid;
  gpointer n;

  if (may_ask (reading, EVENTS, jm_nvml_events_can_take (events, reading->api)))
    is_told (reading, EVENTS, jm_nvml_events_take (events, reading->api),
             "nvmlEventSetWait");

  g_hash_table_iter_init (&iter, events->xids);
  while (g_hash_table_iter_next (&iter, &xid, &n))
    {
      g_autofree char *label = g_strdup_printf ("%u", GPOINTER_TO_UINT (xid));

      tell (reading, JM_METRIC_GPU_XID_ERRORS, label, GPOINTER_TO_UINT (n));
    }
}

/* --- a reading --- */

/* With instances, and without, it supports different things. */
static void
follow_mode (JmNvmlDevice *self)
{
  gint has_instances = g_atomic_int_get (&self->has_instances);

  if (has_instances == self->had_instances)
    return;

  self->had_instances = has_instances;
  self->unsupported = has_instances ? LEFT_TO_INSTANCES : 0;
  self->unsupported_fields = 0;
}

/* The events of a lost device show why. */
static void
read_all (Reading *reading)
{
  read_events (reading);
  read_utilization (reading);
  read_memory (reading);
  read_power (reading);
  read_gpm (reading);
  read_numbers (reading);
  read_fields (reading);
  read_ecc_errors (reading);
  read_throttle (reading);
  read_remapped_rows (reading);
  read_processes (reading);
  if (reading->device->n_multiprocessors > 0 && !reading->is_lost)
    tell (reading, JM_METRIC_GPU_MULTIPROCESSORS, NULL,
          reading->device->n_multiprocessors);
}

void
jm_nvml_device_look (JmNvmlDevice *self, JmGpuReport *report)
{
  Reading reading = { .device = self, .api = self->api, .report = report };
  JmNvmlUtilization percent = { 0 };

  reading.handle = g_atomic_pointer_get (&self->handle);
  if (reading.handle == NULL)
    return;

  if (!self->has_utilization_mean && ask_utilization (&reading, &percent))
    tell_utilization (&reading, JM_METRIC_GPU_UTILIZATION, percent.gpu);
  if (!self->has_power_mean)
    read_power_now (&reading);
  /* the next reading has it, too */
  g_clear_error (&reading.error);
}

gboolean
jm_nvml_device_read (JmNvmlDevice *self, JmGpuReport *report, GError **error)
{
  Reading reading = { .device = self, .api = self->api, .report = report };

  follow_mode (self);
  reading.handle = g_atomic_pointer_get (&self->handle);
  if (reading.handle == NULL)
    note_error (&reading, g_atomic_int_get (&self->result),
                "nvmlDeviceGetHandleByIndex_v2");
  else
    read_all (&reading);

  if (reading.error == NULL)
    return TRUE;

  if (reading.is_lost || reading.n_figures == 0)
    {
      g_propagate_error (error, reading.error);
      return FALSE;
    }
  jm_gpu_report_add_error (report, reading.error);
  g_error_free (reading.error);

  return TRUE;
}
