/* nvml-lab.c: a machine with NVIDIA's accelerators, as a script has it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "nvml-lab.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#define PATIENCE_US (30 * G_USEC_PER_SEC)
#define PAUSE_US 2000

NvmlLab *
nvml_lab_new (const char *script)
{
  NvmlLab *self = g_new0 (NvmlLab, 1);

  self->folder = g_dir_make_tmp ("nvml-XXXXXX", NULL);
  g_assert_nonnull (self->folder);
  self->script = g_build_filename (self->folder, "script", NULL);
  self->calls = g_build_filename (self->folder, "calls", NULL);
  self->timeout_s = PATIENCE_US / G_USEC_PER_SEC;
  self->host = jm_host_new (self->folder);
  setenv ("NVML_STAND_IN", self->script, TRUE);
  nvml_lab_play (self, script);

  return self;
}

void
nvml_lab_free (NvmlLab *self)
{
  g_clear_object (&self->source);
  g_object_unref (self->host);
  g_remove (self->script);
  g_remove (self->calls);
  g_rmdir (self->folder);
  g_free (self->folder);
  g_free (self->script);
  g_free (self->calls);
  g_free (self);
}

void
nvml_lab_play (NvmlLab *self, const char *script)
{
  nvml_lab_play_with (self, script, "[library]", "[library]");
}

static char *
replace (const char *text, const char *part, const char *other)
{
  g_auto (GStrv) parts = g_strsplit (text, part, -1);

  g_assert_cmpuint (g_strv_length (parts), >, 1);

  return g_strjoinv (other, parts);
}

/* Renamed over the first, as the library may read it at any time. */
void
nvml_lab_play_with (NvmlLab *self,
                    const char *script,
                    const char *text,
                    const char *other)
{
  g_autofree char *line = g_strdup_printf ("[library]\nsamples-kept=%u\ncalls=%s",
                                           self->n_samples_kept, self->calls);
  g_autofree char *counted = replace (script, "[library]", line);
  g_autofree char *changed = replace (counted, text, other);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (self->script, changed, -1, &error);
  g_assert_no_error (error);
}

gboolean
nvml_lab_open_build (NvmlLab *self, const char *build, GError **error)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_BUILT, "stand-ins", build != NULL ? build : ".",
                           "libnvidia-ml.so.1", NULL);

  g_assert_null (self->source);
  self->source = g_initable_new (JM_TYPE_NVML_SOURCE, NULL, error, "host", self->host,
                                 "library", path, "interval", 0.01, "timeout",
                                 self->timeout_s, "gpm", self->gpm, NULL);

  return self->source != NULL;
}

void
nvml_lab_open (NvmlLab *self)
{
  g_autoptr (GError) error = NULL;

  nvml_lab_open_build (self, NULL, &error);
  g_assert_no_error (error);
}

JmGpuReport *
nvml_lab_read (NvmlLab *self)
{
  JmGpuReport *report = jm_gpu_report_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (jm_gpu_mapper_wait (JM_GPU_MAPPER (self->source), PATIENCE_US));
  jm_gpu_mapper_read_devices (JM_GPU_MAPPER (self->source), report, &error);
  g_assert_no_error (error);

  return report;
}

JmGpuReport *
nvml_lab_await (NvmlLab *self,
                guint device,
                JmMetric metric,
                const char *label,
                guint64 value)
{
  gint64 end_us = g_get_monotonic_time () + PATIENCE_US;

  for (;;)
    {
      g_autoptr (JmGpuReport) report = jm_gpu_report_new ();
      guint64 now;

      jm_gpu_mapper_read_devices (JM_GPU_MAPPER (self->source), report, NULL);
      if (device < jm_gpu_report_get_n_devices (report) &&
          nvml_find (report, device, metric, label, &now) && now == value)
        return g_steal_pointer (&report);

      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_usleep (PAUSE_US);
    }
}

guint
nvml_lab_count (NvmlLab *self, const char *function)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint64 sum = 0;

  if (!g_file_get_contents (self->calls, &text, NULL, NULL))
    return 0;

  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *space = strchr (lines[i], ' ');

      if (space != NULL &&
          (function == NULL || strlen (function) == (gsize) (space - lines[i])) &&
          (function == NULL || g_str_has_prefix (lines[i], function)))
        sum += g_ascii_strtoull (space, NULL, 10);
    }

  return (guint) sum;
}

void
nvml_lab_await_calls (NvmlLab *self, const char *function, guint n)
{
  gint64 end_us = g_get_monotonic_time () + PATIENCE_US;

  while (nvml_lab_count (self, function) < n)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_usleep (PAUSE_US);
    }
}

gboolean
nvml_find (JmGpuReport *report,
           guint device,
           JmMetric metric,
           const char *label,
           guint64 *value)
{
  guint n;
  const JmReading *readings = jm_gpu_report_get_readings (report, device, &n);

  for (guint i = 0; i < n; i++)
    if (readings[i].metric == metric &&
        g_strcmp0 (readings[i].labels != NULL
                     ? jm_labels_get_value (readings[i].labels, 0)
                     : NULL,
                   label) == 0)
      {
        *value = readings[i].value;
        return TRUE;
      }

  return FALSE;
}

void
nvml_assert (JmGpuReport *report,
             guint device,
             JmMetric metric,
             const char *label,
             guint64 expected)
{
  guint64 value = 0;

  g_assert_true (nvml_find (report, device, metric, label, &value));
  g_assert_cmpuint (value, ==, expected);
}

void
nvml_assert_none (JmGpuReport *report, guint device, JmMetric metric, const char *label)
{
  guint64 value;

  g_assert_false (nvml_find (report, device, metric, label, &value));
}
