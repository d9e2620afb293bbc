/* fake-gpus.c: accelerators that a test makes up
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "fake-gpus.h"

#include "base/jm-error.h"
#include "core/jm-gpu-grants-private.h"
#include "core/jm-gpu-report-private.h"

typedef struct
{
  JmGpu *gpu;
  GArray *figures;   /* of JmReading */
  GArray *processes; /* of JmGpuProcess */
} Device;

typedef struct
{
  char *job_id;
  JmGpuOrigin origin;
  char *device;
  double share;
} Grant;

struct _FakeGpus
{
  JmSource parent_instance;

  GPtrArray *devices; /* of Device */
  GPtrArray *grants;  /* of Grant */
  GPtrArray *labels;  /* of figures, of JmLabels */
  char *message;
  guint64 age_us;
  const char *refusal;
  guint n_questions;
  char *cgroup;
};

static void gpu_mapper_iface_init (JmGpuMapperInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FakeGpus,
                               fake_gpus,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_GPU_MAPPER,
                                                      gpu_mapper_iface_init))

static void
device_free (gpointer data)
{
  Device *self = data;

  jm_gpu_unref (self->gpu);
  g_array_unref (self->figures);
  g_array_unref (self->processes);
  g_free (self);
}

static void
grant_free (gpointer data)
{
  Grant *self = data;

  g_free (self->job_id);
  g_free (self->device);
  g_free (self);
}

static void
tell (const Device *device, JmGpuReport *report)
{
  jm_gpu_report_add_device (report, device->gpu);
  for (guint i = 0; i < device->figures->len; i++)
    {
      const JmReading *figure = &g_array_index (device->figures, JmReading, i);

      if (figure->labels != NULL)
        jm_gpu_report_add_labelled (report, figure->metric, figure->labels,
                                    figure->value);
      else
        jm_gpu_report_add (report, figure->metric, figure->value);
    }
  for (guint i = 0; i < device->processes->len; i++)
    {
      const JmGpuProcess *process = &g_array_index (device->processes, JmGpuProcess, i);

      jm_gpu_report_add_process (report, process->pid, process->memory_bytes,
                                 process->utilization_ppm);
    }
}

static gboolean
fake_gpus_read_devices (JmGpuMapper *mapper, JmGpuReport *report, GError **error)
{
  FakeGpus *self = FAKE_GPUS (mapper);

  if (self->message != NULL)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_UNAVAILABLE, self->message);
      return FALSE;
    }

  for (guint i = 0; i < self->devices->len; i++)
    tell (self->devices->pdata[i], report);
  jm_gpu_report_set_age (report, self->age_us);

  return TRUE;
}

static gboolean
fake_gpus_map_job (JmGpuMapper *mapper,
                   JmJob *job,
                   const char *const *cgroups,
                   JmGpuGrants *grants,
                   GError **error)
{
  FakeGpus *self = FAKE_GPUS (mapper);

  self->n_questions++;
  g_free (self->cgroup);
  self->cgroup = g_strdup (cgroups[0]);
  if (self->refusal != NULL)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_UNAVAILABLE, self->refusal);
      return FALSE;
    }

  for (guint i = 0; i < self->grants->len; i++)
    {
      const Grant *grant = self->grants->pdata[i];

      if (jm_job_is_called (job, grant->job_id))
        jm_gpu_grants_add (grants, grant->origin, grant->device, grant->share);
    }

  return TRUE;
}

static void
gpu_mapper_iface_init (JmGpuMapperInterface *iface)
{
  iface->read_devices = fake_gpus_read_devices;
  iface->map_job = fake_gpus_map_job;
}

static void
fake_gpus_finalize (GObject *object)
{
  FakeGpus *self = FAKE_GPUS (object);

  g_ptr_array_unref (self->devices);
  g_ptr_array_unref (self->grants);
  g_ptr_array_unref (self->labels);
  g_free (self->message);
  g_free (self->cgroup);

  G_OBJECT_CLASS (fake_gpus_parent_class)->finalize (object);
}

static void
fake_gpus_class_init (FakeGpusClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fake_gpus_finalize;
}

static void
fake_gpus_init (FakeGpus *self)
{
  self->devices = g_ptr_array_new_with_free_func (device_free);
  self->grants = g_ptr_array_new_with_free_func (grant_free);
  self->labels = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_labels_unref);
}

FakeGpus *
fake_gpus_new (JmHost *host)
{
  return g_initable_new (FAKE_TYPE_GPUS, NULL, NULL, "host", host, NULL);
}

static guint
find_device (FakeGpus *self, const char *name)
{
  guint i = 0;

  while (
    i < self->devices->len &&
    !g_str_equal (jm_gpu_get_name (((Device *) self->devices->pdata[i])->gpu), name))
    i++;

  return i;
}

static Device *
get_device (FakeGpus *self, const char *name)
{
  guint i = find_device (self, name);

  g_assert_cmpuint (i, <, self->devices->len);

  return self->devices->pdata[i];
}

JmGpu *
fake_gpus_add (FakeGpus *self,
               const char *name,
               const char *uuid,
               const char *pci_address,
               const char *parent)
{
  guint i = find_device (self, name);
  Device *device;

  if (i < self->devices->len)
    {
      device = self->devices->pdata[i];
      jm_gpu_unref (device->gpu);
    }
  else
    {
      device = g_new0 (Device, 1);
      device->figures = g_array_new (FALSE, FALSE, sizeof (JmReading));
      device->processes = g_array_new (FALSE, FALSE, sizeof (JmGpuProcess));
      g_ptr_array_add (self->devices, device);
    }

  device->gpu =
    jm_gpu_new (name,
                (guint) g_ascii_strtoull (parent != NULL ? parent : name, NULL, 10));
  jm_gpu_set_field (device->gpu, JM_GPU_FIELD_UUID, uuid);
  jm_gpu_set_field (device->gpu, JM_GPU_FIELD_PCI_ADDRESS, pci_address);
  jm_gpu_set_field (device->gpu, JM_GPU_FIELD_PARENT, parent);

  return device->gpu;
}

void
fake_gpus_remove (FakeGpus *self, const char *name)
{
  g_ptr_array_remove_index (self->devices, find_device (self, name));
}

void
fake_gpus_set (FakeGpus *self, const char *name, JmMetric metric, gint64 value)
{
  Device *device = get_device (self, name);
  JmReading figure = { .metric = metric, .value = (guint64) value };

  for (guint i = 0; i < device->figures->len; i++)
    if (g_array_index (device->figures, JmReading, i).metric == metric)
      g_array_remove_index (device->figures, i--);
  if (value >= 0)
    g_array_append_val (device->figures, figure);
}

void
fake_gpus_add_labelled (FakeGpus *self,
                        const char *name,
                        JmMetric metric,
                        const char *label,
                        guint64 value)
{
  JmReading figure = { .metric = metric,
                       .value = value,
                       .labels = jm_labels_of (label, NULL) };

  g_array_append_val (get_device (self, name)->figures, figure);
  g_ptr_array_add (self->labels, figure.labels);
}

void
fake_gpus_add_process (FakeGpus *self,
                       const char *name,
                       guint pid,
                       gint64 memory_bytes,
                       gint64 utilization_ppm)
{
  JmGpuProcess process = { pid, memory_bytes, utilization_ppm };

  g_array_append_val (get_device (self, name)->processes, process);
}

void
fake_gpus_set_age (FakeGpus *self, guint64 age_us)
{
  self->age_us = age_us;
}

void
fake_gpus_fail (FakeGpus *self, const char *message)
{
  g_free (self->message);
  self->message = g_strdup (message);
}

void
fake_gpus_grant (FakeGpus *self,
                 const char *job_id,
                 JmGpuOrigin origin,
                 const char *device,
                 double share)
{
  Grant *grant = g_new0 (Grant, 1);

  grant->job_id = g_strdup (job_id);
  grant->origin = origin;
  grant->device = g_strdup (device);
  grant->share = share;
  g_ptr_array_add (self->grants, grant);
}

void
fake_gpus_take_away (FakeGpus *self, const char *job_id)
{
  for (guint i = self->grants->len; i-- > 0;)
    if (g_str_equal (((const Grant *) self->grants->pdata[i])->job_id, job_id))
      g_ptr_array_remove_index (self->grants, i);
}

guint
fake_gpus_count_questions (FakeGpus *self)
{
  return self->n_questions;
}

const char *
fake_gpus_get_cgroup (FakeGpus *self)
{
  return self->cgroup;
}

void
fake_gpus_refuse (FakeGpus *self, const char *message)
{
  self->refusal = message;
}
