/* jm-gpu-columns.c: what people are shown of accelerators
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/jm-gpu-columns-private.h"

#include "core/jm-derived-private.h"

#define INSTANCE_MARGIN "  "

static char *
format_metric (JmSnapshot *snapshot, guint subject, JmMetric metric)
{
  return jm_figure_format (jm_figure_of_metric (snapshot, subject, metric),
                           jm_quantity_of_metric (metric)->format);
}

static const char *
get_field (JmSnapshot *snapshot, guint subject, JmGpuField field)
{
  return jm_snapshot_get_gpu_field (snapshot, subject, field);
}

/* An instance stands below its device. */
static char *
format_device (JmSnapshot *snapshot, guint subject)
{
  gboolean is_instance = get_field (snapshot, subject, JM_GPU_FIELD_PARENT) != NULL;

  return g_strconcat (is_instance ? INSTANCE_MARGIN : "",
                      jm_snapshot_get_gpu (snapshot, subject), NULL);
}

static char *
format_name (JmSnapshot *snapshot, guint subject)
{
  return g_strdup (jm_snapshot_get_gpu (snapshot, subject));
}

static char *
format_state (JmSnapshot *snapshot, guint subject)
{
  return g_strdup (
    jm_gpu_state_get_name (jm_derived_get_gpu_state (snapshot, subject)));
}

/* Whole, as drivers tell it; the title has the sign of per cent. */
static char *
format_utilization (JmSnapshot *snapshot, guint subject)
{
  JmFigure percent = jm_derived_get_gpu_utilization (snapshot, subject);

  return percent.is_known ? g_strdup_printf ("%.0f", percent.value) : NULL;
}

static char *
format_memory_used (JmSnapshot *snapshot, guint subject)
{
  return format_metric (snapshot, subject, JM_METRIC_GPU_MEMORY_USED);
}

static char *
format_memory_size (JmSnapshot *snapshot, guint subject)
{
  return format_metric (snapshot, subject, JM_METRIC_GPU_MEMORY_SIZE);
}

static char *
format_power (JmSnapshot *snapshot, guint subject)
{
  return format_metric (snapshot, subject, JM_METRIC_GPU_POWER);
}

static char *
format_energy (JmSnapshot *snapshot, guint subject)
{
  return format_metric (snapshot, subject, JM_METRIC_GPU_ENERGY);
}

static char *
format_temperature (JmSnapshot *snapshot, guint subject)
{
  JmFigure celsius = jm_derived_get_gpu_temperature (snapshot, subject);

  return celsius.is_known ? g_strdup_printf ("%.0fC", celsius.value) : NULL;
}

/* Of an instance its kind, for the device above it has the model. */
static char *
format_model (JmSnapshot *snapshot, guint subject)
{
  const char *profile = get_field (snapshot, subject, JM_GPU_FIELD_PROFILE);

  return g_strdup (profile != NULL ? profile
                                   : get_field (snapshot, subject, JM_GPU_FIELD_MODEL));
}

static char *
format_share (JmSnapshot *snapshot, guint subject)
{
  double share;

  if (!jm_snapshot_get_gpu_share (snapshot, subject, &share, NULL))
    return NULL;

  return share > 0 ? g_strdup_printf ("%.0f%%", share * 100) : g_strdup ("none");
}

static char *
format_origin (JmSnapshot *snapshot, guint subject)
{
  const char *origin = NULL;
  double share;

  jm_snapshot_get_gpu_share (snapshot, subject, &share, &origin);

  return g_strdup (origin);
}

#define USE                                                                            \
 { "GPU%", "part of the time in which it was busy", TRUE, format_utilization },        \
   { "MEM", "device memory in use", TRUE, format_memory_used },                        \
   { "SIZE", "device memory there is", TRUE, format_memory_size },                     \
 {                                                                                     \
  "WATTS", "power now", TRUE, format_power                                             \
 }
#define MODEL                                                                          \
 {                                                                                     \
  "MODEL", "its model; of an instance, its kind", FALSE, format_model                  \
 }

static const JmGpuColumn of_node[] = {
  { "GPU", "name of the device; below it, of its instances", FALSE, format_device },
  { "STATE", "whether it is given to a job, and works", FALSE, format_state },
  USE,
  { "TEMP", "temperature", TRUE, format_temperature },
  { "JOBS", "who has it, and by whose word", FALSE, jm_derived_format_gpu_jobs },
  MODEL,
};

static const JmGpuColumn of_job[] = {
  { "GPU", "name of the device", FALSE, format_name },
  USE,
  { "ENERGY", "energy that the job took of it", TRUE, format_energy },
  { "SHARE", "how much of it the job was given", TRUE, format_share },
  { "KNOWN FROM", "by whose word", FALSE, format_origin },
  MODEL,
};

const JmGpuColumn *
jm_gpu_columns_get (JmSubjectKind kind, guint *n_columns)
{
  const gboolean is_of_job = kind == JM_SUBJECT_KIND_JOB_GPU;

  *n_columns = is_of_job ? G_N_ELEMENTS (of_job) : G_N_ELEMENTS (of_node);

  return is_of_job ? of_job : of_node;
}
