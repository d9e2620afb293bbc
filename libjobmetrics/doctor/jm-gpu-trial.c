/* jm-gpu-trial.c: a library of accelerators that is tried once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "doctor/jm-gpu-trial-private.h"

#include "core/jm-error.h"
#include "core/jm-gpu-report-private.h"
#include "doctor/jm-examination-private.h"
#include "sources/gpu/jm-gpu-library-private.h"

/* How long a driver may take that has to wake its devices up. */
#define PATIENCE_US (6 * G_USEC_PER_SEC)

static void
take_error (JmGpuTrial *self, const GError *error)
{
  if (error != NULL)
    g_ptr_array_add (self->errors, g_error_copy (error));
}

static void
read_once (JmGpuTrial *self, JmGpuMapper *mapper)
{
  g_autoptr (GError) error = NULL;

  jm_gpu_mapper_wait (mapper, PATIENCE_US);
  jm_gpu_mapper_read_devices (mapper, self->report, &error);
  take_error (self, error);
  take_error (self, jm_gpu_report_get_own_error (self->report));
  for (guint i = 0; i < jm_gpu_report_get_n_devices (self->report); i++)
    take_error (self, jm_gpu_report_get_error (self->report, i));
}

JmGpuTrial *
jm_gpu_trial_new (const char *name, JmSource *source)
{
  JmGpuTrial *self = g_new0 (JmGpuTrial, 1);
  g_autoptr (GError) error = NULL;

  self->name = g_strdup (name);
  self->source = g_object_ref (source);
  self->is_map = !jm_gpu_mapper_knows_devices (JM_GPU_MAPPER (source));
  self->report = jm_gpu_report_new ();
  self->errors = g_ptr_array_new_with_free_func ((GDestroyNotify) g_error_free);

  if (!g_initable_init (G_INITABLE (source), NULL, &error))
    take_error (self, error);
  else if (!self->is_map)
    read_once (self, JM_GPU_MAPPER (source));

  return self;
}

void
jm_gpu_trial_free (JmGpuTrial *self)
{
  g_free (self->name);
  g_object_unref (self->source);
  jm_gpu_report_unref (self->report);
  g_ptr_array_unref (self->errors);
  g_free (self);
}

gboolean
jm_gpu_trial_is_absent (const JmGpuTrial *self)
{
  return self->errors->len > 0 &&
         g_error_matches (self->errors->pdata[0], JM_ERROR, JM_ERROR_ABSENT);
}

/* Adds what is known of a device unless another has it too. */
static void
add_once (GPtrArray *words, const char *prefix, const char *text)
{
  g_autofree char *word = g_strconcat (prefix, text, NULL);

  if (text != NULL &&
      !g_ptr_array_find_with_equal_func (words, word, g_str_equal, NULL))
    g_ptr_array_add (words, g_steal_pointer (&word));
}

static char *
count (guint n, const char *noun)
{
  return g_strdup_printf ("%u %s%s", n, noun, n == 1 ? "" : "s");
}

char *
jm_gpu_trial_describe (const JmGpuTrial *self)
{
  const guint n = jm_gpu_report_get_n_devices (self->report);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *devices = NULL;
  g_autofree char *instances = NULL;
  g_autofree char *list = NULL;
  g_auto (GStrv) facts = NULL;
  g_autofree char *more = NULL;
  guint n_instances = 0;

  for (guint i = 0; i < n; i++)
    {
      JmGpu *gpu = jm_gpu_report_get_device (self->report, i);

      if (jm_gpu_get_field (gpu, JM_GPU_FIELD_PARENT) != NULL)
        {
          n_instances++;
          continue;
        }
      add_once (words, "", jm_gpu_get_field (gpu, JM_GPU_FIELD_MODEL));
      add_once (words, "driver ", jm_gpu_get_field (gpu, JM_GPU_FIELD_DRIVER_VERSION));
    }

  devices = count (n - n_instances, "device");
  instances = count (n_instances, "instance");
  list = jm_examination_join (words);

  facts = JM_IS_GPU_LIBRARY (self->source)
            ? jm_gpu_library_list_facts (JM_GPU_LIBRARY (self->source))
            : g_new0 (char *, 1);
  more = g_strjoinv ("; ", facts);

  return g_strconcat (devices, n_instances > 0 ? ", " : "",
                      n_instances > 0 ? instances : "", words->len > 0 ? ": " : "",
                      list, *more != '\0' ? "; " : "", more, NULL);
}
