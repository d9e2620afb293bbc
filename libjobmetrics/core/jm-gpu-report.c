/* jm-gpu-report.c: what accelerators do
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-gpu-report-private.h"

#include "base/jm-error.h"
#include "core/jm-gpu-private.h"
#include "core/jm-quantity-private.h"

/* Processes of one device: a driver that lists more is not believed. */
#define MAX_PROCESSES 65536
#define MAX_DEVICES 1024
#define MAX_READINGS 1024

#define MAX_RATIO_PPM G_GUINT64_CONSTANT (1000000)
#define MAX_MEMORY_BYTES (G_GUINT64_CONSTANT (1) << 50)
#define MAX_BYTES_PER_SECOND G_GUINT64_CONSTANT (100000000000000)

/* The report of one device. */
typedef struct
{
  JmGpu *gpu;
  GArray *readings;  /* of JmReading */
  GArray *processes; /* of JmGpuProcess */
  gint64 covered_us; /* by its utilization */
  gboolean has_sums;
  JmGpuSums sums;
  GError *error;
} Device;

struct _JmGpuReport
{
  GPtrArray *devices; /* of Device, shared between reports */
  GError *error;
  guint64 age_us;
};

G_DEFINE_BOXED_TYPE (JmGpuReport, jm_gpu_report, jm_gpu_report_ref, jm_gpu_report_unref)

static void
reading_clear (gpointer data)
{
  JmReading *reading = data;

  g_clear_pointer (&reading->labels, jm_labels_unref);
}

static Device *
device_new (JmGpu *gpu)
{
  Device *self = g_atomic_rc_box_new0 (Device);

  self->gpu = jm_gpu_ref (gpu);
  self->readings = g_array_new (FALSE, FALSE, sizeof (JmReading));
  g_array_set_clear_func (self->readings, reading_clear);
  self->processes = g_array_new (FALSE, FALSE, sizeof (JmGpuProcess));
  self->covered_us = G_MAXINT64;

  return self;
}

static void
device_clear (gpointer data)
{
  Device *self = data;

  jm_gpu_unref (self->gpu);
  g_array_unref (self->readings);
  g_array_unref (self->processes);
  g_clear_error (&self->error);
}

static void
device_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, device_clear);
}

/**
 * jm_gpu_report_new:
 *
 * Makes a report without a device.
 *
 * Returns: (transfer full): the report
 * Since: 0.1
 */
JmGpuReport *
jm_gpu_report_new (void)
{
  JmGpuReport *self = g_atomic_rc_box_new0 (JmGpuReport);

  self->devices = g_ptr_array_new_with_free_func (device_unref);

  return self;
}

JmGpuReport *
jm_gpu_report_ref (JmGpuReport *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
report_clear (gpointer data)
{
  JmGpuReport *self = data;

  g_ptr_array_unref (self->devices);
  g_clear_error (&self->error);
}

/**
 * jm_gpu_report_unref:
 * @self: (transfer full): a report
 *
 * Gives a reference back.
 *
 * Since: 0.1
 */
void
jm_gpu_report_unref (JmGpuReport *self)
{
  g_atomic_rc_box_release_full (self, report_clear);
}

static Device *
get_device (JmGpuReport *self, guint i)
{
  return g_ptr_array_index (self->devices, i);
}

/* The device that was added last; NULL before the first. */
static Device *
get_last (JmGpuReport *self)
{
  return self->devices->len > 0 ? get_device (self, self->devices->len - 1) : NULL;
}

/**
 * jm_gpu_report_add_device:
 * @self: a report
 * @gpu: a device
 *
 * Adds a device; what is added from here on is about it. An instance comes behind its
 * parent.
 *
 * Since: 0.1
 */
void
jm_gpu_report_add_device (JmGpuReport *self, JmGpu *gpu)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (gpu != NULL);

  if (self->devices->len < MAX_DEVICES)
    g_ptr_array_add (self->devices, device_new (gpu));
}

void
jm_gpu_report_add (JmGpuReport *self, JmMetric metric, guint64 value)
{
  jm_gpu_report_add_labelled (self, metric, NULL, value);
}

static guint64
get_bound (JmMetric metric)
{
  if (metric == JM_METRIC_GPU_PCIE_TRAFFIC || metric == JM_METRIC_GPU_NVLINK_TRAFFIC)
    return MAX_BYTES_PER_SECOND;

  switch (jm_metric_get_info (metric)->unit)
    {
    case JM_UNIT_PARTS_PER_MILLION:
      return MAX_RATIO_PPM;
    case JM_UNIT_BYTES:
      return MAX_MEMORY_BYTES;
    case JM_UNIT_MICROWATTS:
      return JM_GPU_MAX_POWER_UW;
    case JM_UNIT_MILLICELSIUS:
      return JM_GPU_MAX_TEMPERATURE_MC;
    case JM_UNIT_HERTZ:
      return JM_GPU_MAX_CLOCK_HZ;
    default:
      return G_MAXUINT64;
    }
}

/* Whichever library it comes from. */
static gboolean
is_possible (Device *device, JmMetric metric, guint64 value)
{
  if (value <= get_bound (metric))
    return TRUE;

  if (device->error == NULL)
    device->error =
      g_error_new (JM_ERROR, JM_ERROR_MALFORMED, "GPU %s: %s cannot be %g",
                   jm_gpu_get_name (device->gpu), jm_metric_get_info (metric)->name,
                   jm_metric_to_base_unit (metric, value));

  return FALSE;
}

void
jm_gpu_report_add_labelled (JmGpuReport *self,
                            JmMetric metric,
                            JmLabels *labels,
                            guint64 value)
{
  JmReading reading = { .metric = metric, .value = value, .labels = labels };
  Device *device;

  g_return_if_fail (self != NULL);
  g_return_if_fail (jm_metric_is_about (metric, JM_SUBJECT_KIND_GPU));
  g_return_if_fail (jm_metric_get_info (metric)->n_labels ==
                    (labels != NULL ? jm_labels_get_size (labels) : 0));

  device = get_last (self);
  g_return_if_fail (device != NULL);

  if (device->readings->len == MAX_READINGS || !is_possible (device, metric, value))
    return;
  if (labels != NULL)
    jm_labels_ref (labels);
  g_array_append_val (device->readings, reading);
}

/**
 * jm_gpu_report_add_labelled_value:
 * @self: a report
 * @quantity: what was read
 * @labels: (nullable): the values of the labels that the quantity's row names
 * @value: the figure, in the quantity's own integer unit
 *
 * Adds a figure of the device that was added last. A ratio above 1, and what else no
 * device reaches, is passed over, and is an error of the device.
 *
 * Since: 0.1
 */
void
jm_gpu_report_add_labelled_value (JmGpuReport *self,
                                  const JmQuantity *quantity,
                                  JmLabels *labels,
                                  guint64 value)
{
  JmMetric metric = jm_quantity_get_metric (quantity);

  g_return_if_fail (self != NULL);
  g_return_if_fail (metric < JM_N_METRICS);

  jm_gpu_report_add_labelled (self, metric, labels, value);
}

/**
 * jm_gpu_report_add_value:
 * @self: a report
 * @quantity: what was read, of those of a GPU that have no labels: see
 *   jm_quantity_of_subject()
 * @value: the figure, in the quantity's own integer unit
 *
 * Adds a figure of the last device added.
 *
 * Since: 0.1
 */
void
jm_gpu_report_add_value (JmGpuReport *self, const JmQuantity *quantity, guint64 value)
{
  jm_gpu_report_add_labelled_value (self, quantity, NULL, value);
}

/**
 * jm_gpu_report_add_process:
 * @self: a report
 * @pid: number of a process
 * @memory_bytes: device memory that it has allocated; -1 where that is not known
 * @utilization_ppm: part of the time in which one of its kernels ran, in millionths; -1
 *   where that is not known
 *
 * Adds a process that has a context on the last device added. Two entries of one
 * process are summed.
 *
 * Since: 0.1
 */
void
jm_gpu_report_add_process (JmGpuReport *self,
                           guint pid,
                           gint64 memory_bytes,
                           gint64 utilization_ppm)
{
  JmGpuProcess process = { pid, memory_bytes, utilization_ppm };
  Device *device;

  g_return_if_fail (self != NULL);

  device = get_last (self);
  g_return_if_fail (device != NULL);

  if (device->processes->len < MAX_PROCESSES)
    g_array_append_val (device->processes, process);
}

/**
 * jm_gpu_report_add_error:
 * @self: a report
 * @error: what is in the way
 *
 * Reports why a figure of the last device added is missing; before the first device,
 * why there is none. The first error of a device is kept.
 *
 * Since: 0.1
 */
void
jm_gpu_report_add_error (JmGpuReport *self, const GError *error)
{
  Device *device;
  GError **place;

  g_return_if_fail (self != NULL);
  g_return_if_fail (error != NULL);

  device = get_last (self);
  place = device != NULL ? &device->error : &self->error;
  if (*place == NULL)
    *place = g_error_copy (error);
}

/**
 * jm_gpu_report_set_age:
 * @self: a report
 * @age_us: microseconds
 *
 * Says how old the figures are.
 *
 * Since: 0.1
 */
void
jm_gpu_report_set_age (JmGpuReport *self, guint64 age_us)
{
  g_return_if_fail (self != NULL);

  self->age_us = age_us;
}

/**
 * jm_gpu_report_get_n_devices:
 * @self: a report
 *
 * Counts the devices.
 *
 * Returns: how many there are
 * Since: 0.1
 */
guint
jm_gpu_report_get_n_devices (JmGpuReport *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->devices->len;
}

/**
 * jm_gpu_report_get_device:
 * @self: a report
 * @i: which device
 *
 * Gets who a device is.
 *
 * Returns: (transfer none): the device
 * Since: 0.1
 */
JmGpu *
jm_gpu_report_get_device (JmGpuReport *self, guint i)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (i < self->devices->len, NULL);

  return get_device (self, i)->gpu;
}

const JmReading *
jm_gpu_report_get_readings (JmGpuReport *self, guint i, guint *n_readings)
{
  const Device *device = get_device (self, i);

  *n_readings = device->readings->len;

  return (const JmReading *) (gpointer) device->readings->data;
}

const JmReading *
jm_gpu_report_find (JmGpuReport *self, guint i, JmMetric metric)
{
  guint n_readings;
  const JmReading *readings = jm_gpu_report_get_readings (self, i, &n_readings);

  for (guint j = 0; j < n_readings; j++)
    if (readings[j].metric == metric)
      return &readings[j];

  return NULL;
}

void
jm_gpu_report_replace (JmGpuReport *self, guint i, JmMetric metric, guint64 value)
{
  GArray *readings = get_device (self, i)->readings;

  for (guint k = 0; k < readings->len; k++)
    if (g_array_index (readings, JmReading, k).metric == metric)
      g_array_index (readings, JmReading, k).value = value;
}

void
jm_gpu_report_set_covered (JmGpuReport *self, gint64 covered_us)
{
  Device *device = get_last (self);

  g_return_if_fail (device != NULL);

  device->covered_us = covered_us;
}

void
jm_gpu_report_set_sums (JmGpuReport *self, const JmGpuSums *sums)
{
  Device *device = get_last (self);

  g_return_if_fail (device != NULL);

  device->sums = *sums;
  device->has_sums = TRUE;
}

const JmGpuSums *
jm_gpu_report_get_sums (JmGpuReport *self, guint i)
{
  const Device *device = get_device (self, i);

  return device->has_sums ? &device->sums : NULL;
}

gint64
jm_gpu_report_get_covered (JmGpuReport *self, guint i)
{
  return get_device (self, i)->covered_us;
}

const JmGpuProcess *
jm_gpu_report_get_processes (JmGpuReport *self, guint i, guint *n_processes)
{
  const Device *device = get_device (self, i);

  *n_processes = device->processes->len;

  return (const JmGpuProcess *) (gpointer) device->processes->data;
}

const GError *
jm_gpu_report_get_error (JmGpuReport *self, guint i)
{
  return get_device (self, i)->error;
}

const GError *
jm_gpu_report_get_own_error (JmGpuReport *self)
{
  return self->error;
}

guint64
jm_gpu_report_get_age (JmGpuReport *self)
{
  return self->age_us;
}

void
jm_gpu_report_append (JmGpuReport *self, JmGpuReport *other)
{
  for (guint i = 0; i < other->devices->len; i++)
    if (self->devices->len < MAX_DEVICES)
      g_ptr_array_add (self->devices, g_atomic_rc_box_acquire (get_device (other, i)));
  if (self->error == NULL && other->error != NULL)
    self->error = g_error_copy (other->error);
}

void
jm_gpu_report_reset (JmGpuReport *self)
{
  g_ptr_array_set_size (self->devices, 0);
  g_clear_error (&self->error);
  self->age_us = 0;
}
