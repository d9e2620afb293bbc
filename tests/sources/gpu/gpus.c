/* gpus.c: what a source of accelerators reports, in a test
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "gpus.h"
#include "host/jm-host-private.h"

#include <stdlib.h>
#include <string.h>

#define STEP_US 1000

Gpus *
gpus_open_library (GType type, const char *root, const char *library)
{
  g_autoptr (GError) error = NULL;
  Gpus *self = g_new0 (Gpus, 1);

  self->host = jm_host_new (root);
  self->source = g_initable_new (type, NULL, &error, "host", self->host, "interval",
                                 GPUS_INTERVAL_S, "library", library, NULL);
  g_assert_no_error (error);
  self->report = jm_gpu_report_new ();
  g_assert_true (jm_gpu_mapper_wait (JM_GPU_MAPPER (self->source), GPUS_PATIENCE_US));
  gpus_read (self);

  return self;
}

Gpus *
gpus_open (GType type, const char *root)
{
  return gpus_open_library (type, root, NULL);
}

Gpus *
gpus_open_fixture (GType type, const char *name)
{
  g_autofree char *root = g_test_build_filename (G_TEST_BUILT, "fixtures", name, NULL);

  return gpus_open (type, root);
}

Gpus *
gpus_open_tree (GType type, Tree *tree)
{
  Gpus *self = gpus_open (type, tree->root);

  self->tree = tree;

  return self;
}

void
gpus_free (Gpus *self)
{
  g_object_unref (self->source);
  /* Where a library takes long to stop, its thread has the source until then. */
  for (guint i = 0;
       i < 3000 && g_atomic_int_get (&G_OBJECT (self->host)->ref_count) > 1; i++)
    g_usleep (10000);
  g_assert_cmpuint (jm_host_get_open_files (self->host), ==, 0);
  g_assert_finalize_object (self->host);
  jm_gpu_report_unref (self->report);
  g_clear_pointer (&self->tree, tree_free);
  g_free (self);
}

void
gpus_assert_closed (GType type, const char *root, JmError code, const char *part)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmHost) host = jm_host_new (root);

  g_assert_null (g_initable_new (type, NULL, &error, "host", host, NULL));
  g_assert_error (error, JM_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, part));
}

static gboolean
try_read (Gpus *self, GError **error)
{
  jm_gpu_report_reset (self->report);

  return jm_gpu_mapper_read_devices (JM_GPU_MAPPER (self->source), self->report, error);
}

void
gpus_read (Gpus *self)
{
  g_autoptr (GError) error = NULL;

  try_read (self, &error);
  g_assert_no_error (error);
}

static gint64
find (Gpus *self, guint device, JmMetric metric)
{
  const JmReading *reading;

  if (device >= jm_gpu_report_get_n_devices (self->report))
    return -1;
  reading = jm_gpu_report_find (self->report, device, metric);

  return reading != NULL ? (gint64) reading->value : -1;
}

void
gpus_await (Gpus *self, guint device, JmMetric metric, gint64 value)
{
  gint64 end_us = g_get_monotonic_time () + GPUS_PATIENCE_US;

  for (try_read (self, NULL); find (self, device, metric) != value;
       try_read (self, NULL))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_usleep (STEP_US);
    }
}

void
gpus_await_devices (Gpus *self, guint n_devices)
{
  gint64 end_us = g_get_monotonic_time () + GPUS_PATIENCE_US;

  for (try_read (self, NULL); jm_gpu_report_get_n_devices (self->report) != n_devices;
       try_read (self, NULL))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_usleep (STEP_US);
    }
}

const char *
gpus_get_field (Gpus *self, guint device, JmGpuField field)
{
  return jm_gpu_get_field (jm_gpu_report_get_device (self->report, device), field);
}

gint64
gpus_get (Gpus *self, guint device, JmMetric metric, const char *label)
{
  g_autoptr (JmLabels) labels = label != NULL ? jm_labels_of (label, NULL) : NULL;
  guint n_readings;
  const JmReading *readings =
    jm_gpu_report_get_readings (self->report, device, &n_readings);

  for (guint i = 0; i < n_readings; i++)
    if (readings[i].metric == metric && readings[i].labels == labels)
      return (gint64) readings[i].value;

  return -1;
}

static int
compare_processes (gconstpointer a, gconstpointer b)
{
  const JmGpuProcess *one = a;
  const JmGpuProcess *other = b;

  if (one->pid != other->pid)
    return one->pid < other->pid ? -1 : 1;

  return (one->memory_bytes > other->memory_bytes) -
         (one->memory_bytes < other->memory_bytes);
}

char *
gpus_list_processes (Gpus *self, guint device)
{
  GString *list = g_string_new (NULL);
  g_autofree JmGpuProcess *sorted = NULL;
  guint n_processes;
  const JmGpuProcess *processes =
    jm_gpu_report_get_processes (self->report, device, &n_processes);

  sorted = g_memdup2 (processes, n_processes * sizeof *processes);
  if (sorted != NULL)
    qsort (sorted, n_processes, sizeof *sorted, compare_processes);
  for (guint i = 0; i < n_processes; i++)
    g_string_append_printf (list, "%s%u:%" G_GINT64_FORMAT, i > 0 ? " " : "",
                            sorted[i].pid, sorted[i].memory_bytes);

  return g_string_free (list, FALSE);
}

const char *
gpus_get_problem (Gpus *self, guint device)
{
  const GError *error = jm_gpu_report_get_error (self->report, device);

  return error != NULL ? error->message : "";
}
