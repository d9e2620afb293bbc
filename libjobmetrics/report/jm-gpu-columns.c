/* jm-gpu-columns.c: what people are shown of accelerators
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/jm-gpu-columns-private.h"

#include "core/jm-derived-private.h"
#include "core/jm-figure-private.h"

#define INSTANCE_MARGIN "  "

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

/* Whole, as drivers have it; the title has the sign of per cent. */
static char *
format_utilization (JmSnapshot *snapshot, guint subject)
{
  JmFigure percent = jm_derived_get_gpu_utilization (snapshot, subject);

  return percent.is_known ? g_strdup_printf ("%.0f", percent.value) : NULL;
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

static const JmGpuColumn columns[] = {
  { JM_QUANTITY_GPU_NAME, FALSE, TRUE, FALSE, format_device },
  { JM_QUANTITY_GPU_NAME, FALSE, FALSE, TRUE, format_name },
  { JM_QUANTITY_GPU_STATE, FALSE, TRUE, FALSE, format_state },
  { JM_QUANTITY_GPU_UTILIZATION, TRUE, TRUE, TRUE, format_utilization },
  { JM_QUANTITY_GPU_MEMORY_USED, TRUE, TRUE, TRUE },
  { JM_QUANTITY_GPU_MEMORY_SIZE, TRUE, TRUE, TRUE },
  { JM_QUANTITY_GPU_POWER, TRUE, TRUE, TRUE },
  { JM_QUANTITY_GPU_TEMPERATURE, TRUE, TRUE, FALSE, format_temperature },
  { JM_QUANTITY_GPU_JOBS, FALSE, TRUE, FALSE, jm_derived_format_gpu_jobs },
  { JM_QUANTITY_GPU_ENERGY, TRUE, FALSE, TRUE },
  { JM_QUANTITY_GPU_SHARE, TRUE, FALSE, TRUE, format_share },
  { JM_QUANTITY_GPU_SHARE_ORIGIN, FALSE, FALSE, TRUE, format_origin },
  { JM_QUANTITY_GPU_MODEL, FALSE, TRUE, TRUE, format_model },
};

const JmGpuColumn *
jm_gpu_columns_get (JmSubjectKind kind, guint i)
{
  for (guint k = 0; k < G_N_ELEMENTS (columns); k++)
    {
      gboolean is_there =
        kind == JM_SUBJECT_KIND_JOB_GPU ? columns[k].of_job : columns[k].of_node;

      if (is_there && i-- == 0)
        return &columns[k];
    }

  return NULL;
}

char *
jm_gpu_column_format (const JmGpuColumn *self, JmSnapshot *snapshot, guint subject)
{
  if (self->format != NULL)
    return self->format (snapshot, subject);

  return jm_figure_format (jm_figure_of_metric (snapshot, subject,
                                                (JmMetric) self->quantity),
                           jm_quantity_get (self->quantity)->format);
}
