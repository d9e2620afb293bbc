/* jm-dcgm-fields.c: from DCGM's fields to figures
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/gpu/jm-dcgm-engine-private.h"

#include <math.h>
#include <string.h>

#include "core/jm-gpu-report-private.h"

#define KIBI 1024.0
#define MEBI (KIBI * KIBI)
#define MILLI_TO_MICRO 1e3
#define MEGA 1e6
/* A ratio and a percentage, as parts per million. */
#define RATIO 1e6
#define PERCENT 1e4
#define TO_MICRO 1e6
#define TO_MILLI 1e3
/* From here on a double is no whole number any more. */
#define MAX_EXACT 9007199254740992.0

typedef struct
{
  guint16 id;
  guint16 kinds;
  JmMetric metric;
  const char *label; /* NULL where the metric has none */
  double scale;      /* from the field's unit to the metric's */
} Field;

#define NO_METRIC JM_N_METRICS

#define DEVICE JM_DCGM_FIELDS_DEVICE
#define BOTH (JM_DCGM_FIELDS_DEVICE | JM_DCGM_FIELDS_INSTANCE)
#define PROFILING JM_DCGM_FIELDS_PROFILING
#define LINKS JM_DCGM_FIELDS_LINKS

#define IDENTITY(id)                                                                   \
 {                                                                                     \
  id, JM_DCGM_FIELDS_IDENTITY, NO_METRIC, NULL, 0                                      \
 }

/* The numbers are those of dcgm_fields.h, where they never change their meaning. */
static const Field fields[] = {
  IDENTITY (JM_DCGM_FIELD_DRIVER_VERSION),
  IDENTITY (JM_DCGM_FIELD_NAME),
  IDENTITY (JM_DCGM_FIELD_NVML_INDEX),
  IDENTITY (JM_DCGM_FIELD_UUID),
  IDENTITY (JM_DCGM_FIELD_MINOR_NUMBER),
  IDENTITY (JM_DCGM_FIELD_PCI_ADDRESS),
  IDENTITY (JM_DCGM_FIELD_MAX_SLICES),

  { 203, DEVICE, JM_METRIC_GPU_UTILIZATION, NULL, PERCENT },
  { 204, DEVICE, JM_METRIC_GPU_MEMORY_UTILIZATION, NULL, PERCENT },
  { 206, DEVICE, JM_METRIC_GPU_ENGINE_UTILIZATION, "encoder", PERCENT },
  { 207, DEVICE, JM_METRIC_GPU_ENGINE_UTILIZATION, "decoder", PERCENT },
  { 250, BOTH, JM_METRIC_GPU_MEMORY_SIZE, NULL, MEBI },
  { 252, BOTH, JM_METRIC_GPU_MEMORY_USED, NULL, MEBI },
  { 155, DEVICE, JM_METRIC_GPU_POWER, NULL, TO_MICRO },
  { 164, DEVICE, JM_METRIC_GPU_POWER_LIMIT, NULL, TO_MICRO },
  { JM_DCGM_FIELD_ENERGY, DEVICE, JM_METRIC_GPU_ENERGY, NULL, MILLI_TO_MICRO },
  { 100, DEVICE, JM_METRIC_GPU_CLOCK, "sm", MEGA },
  { 101, DEVICE, JM_METRIC_GPU_CLOCK, "memory", MEGA },
  { 102, DEVICE, JM_METRIC_GPU_CLOCK, "video", MEGA },
  { 150, DEVICE, JM_METRIC_GPU_TEMPERATURE, "gpu", TO_MILLI },
  { 140, DEVICE, JM_METRIC_GPU_TEMPERATURE, "memory", TO_MILLI },
  { 202, DEVICE, JM_METRIC_GPU_PCIE_REPLAYS, NULL, 1 },
  { 310, DEVICE, JM_METRIC_GPU_ECC_ERRORS, "corrected", 1 },
  { 311, DEVICE, JM_METRIC_GPU_ECC_ERRORS, "uncorrected", 1 },
  { 390, DEVICE, JM_METRIC_GPU_RETIRED_PAGES, "single_bit", 1 },
  { 391, DEVICE, JM_METRIC_GPU_RETIRED_PAGES, "double_bit", 1 },
  { 393, DEVICE, JM_METRIC_GPU_REMAPPED_ROWS, "uncorrected", 1 },
  { 394, DEVICE, JM_METRIC_GPU_REMAPPED_ROWS, "corrected", 1 },
  { JM_DCGM_FIELD_CLOCK_REASONS, DEVICE, NO_METRIC, NULL, 1 },
  { JM_DCGM_FIELD_XID, JM_DCGM_FIELDS_EVENTS, NO_METRIC, NULL, 1 },

  { 1001, PROFILING, JM_METRIC_GPU_ENGINE_UTILIZATION, "graphics", RATIO },
  { 1002, PROFILING, JM_METRIC_GPU_SM_ACTIVE, NULL, RATIO },
  { 1003, PROFILING, JM_METRIC_GPU_SM_OCCUPANCY, NULL, RATIO },
  { 1004, PROFILING, JM_METRIC_GPU_PIPE_ACTIVE, "tensor", RATIO },
  { 1005, PROFILING, JM_METRIC_GPU_DRAM_ACTIVE, NULL, RATIO },
  { 1006, PROFILING, JM_METRIC_GPU_PIPE_ACTIVE, "fp64", RATIO },
  { 1007, PROFILING, JM_METRIC_GPU_PIPE_ACTIVE, "fp32", RATIO },
  { 1008, PROFILING, JM_METRIC_GPU_PIPE_ACTIVE, "fp16", RATIO },
  { 1009, LINKS, JM_METRIC_GPU_PCIE_TRAFFIC, "transmit", 1 },
  { 1010, LINKS, JM_METRIC_GPU_PCIE_TRAFFIC, "receive", 1 },
  { 1011, LINKS, JM_METRIC_GPU_NVLINK_TRAFFIC, "transmit", 1 },
  { 1012, LINKS, JM_METRIC_GPU_NVLINK_TRAFFIC, "receive", 1 },
};

G_STATIC_ASSERT (G_N_ELEMENTS (fields) <= JM_DCGM_MAX_FIELDS);

/* DCGM_CLOCKS_THROTTLE_REASON_, by bit. */
static const char *const reasons[] = {
  "idle",       "clocks_setting", "sw_power_cap",   "hw_slowdown",    "sync_boost",
  "sw_thermal", "hw_thermal",     "hw_power_brake", "display_clocks",
};

struct _JmDcgmLabels
{
  JmLabels *fields[G_N_ELEMENTS (fields)]; /* NULL for those without */
  JmLabels *reasons[G_N_ELEMENTS (reasons)];
};

guint
jm_dcgm_fields_list (guint kinds, guint16 *ids)
{
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if ((fields[i].kinds & kinds) != 0)
      ids[n++] = fields[i].id;

  return n;
}

guint
jm_dcgm_fields_find (guint16 id)
{
  guint i = 0;

  while (i < G_N_ELEMENTS (fields) && fields[i].id != id)
    i++;

  return i;
}

JmDcgmLabels *
jm_dcgm_labels_new (void)
{
  JmDcgmLabels *self = g_new0 (JmDcgmLabels, 1);

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (fields[i].label != NULL)
      self->fields[i] = jm_labels_of (fields[i].label, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    self->reasons[i] = jm_labels_of (reasons[i], NULL);

  return self;
}

void
jm_dcgm_labels_free (JmDcgmLabels *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    g_clear_pointer (&self->fields[i], jm_labels_unref);
  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    jm_labels_unref (self->reasons[i]);
  g_free (self);
}

/* --- values --- */

static gboolean
is_blank (gint64 value)
{
  return value >= JM_DCGM_BLANK_INT64 ||
         (value <= G_MAXUINT32 && (value & G_MAXINT32) >= JM_DCGM_BLANK_INT32);
}

/* A counter may be larger than a double can be exactly. */
static gboolean
scale_integer (gint64 value, double scale, guint64 *number)
{
  if (value < 0 || is_blank (value) || (guint64) value > G_MAXINT64 / (guint64) scale)
    return FALSE;
  *number = (guint64) value * (guint64) scale;

  return TRUE;
}

static gboolean
scale_real (double value, double scale, guint64 *number)
{
  if (!(value >= 0 && value < JM_DCGM_BLANK_DOUBLE && value * scale < MAX_EXACT))
    return FALSE;
  *number = (guint64) llround (value * scale);

  return TRUE;
}

gboolean
jm_dcgm_value_get_number (const JmDcgmValue *value, double scale, guint64 *number)
{
  if (value->status != JM_DCGM_OK)
    return FALSE;
  if (value->type == JM_DCGM_TYPE_INT64)
    return scale_integer (value->content.integer, scale, number);

  return value->type == JM_DCGM_TYPE_DOUBLE &&
         scale_real (value->content.real, scale, number);
}

char *
jm_dcgm_value_get_text (const JmDcgmValue *value)
{
  const char *text = value->content.text;
  gsize length;

  if (value->status != JM_DCGM_OK || value->type != JM_DCGM_TYPE_STRING)
    return NULL;

  length = strnlen (text, JM_DCGM_MAX_STRING);
  if (length == 0 || g_str_has_prefix (text, JM_DCGM_BLANK_STRING))
    return NULL;

  return g_utf8_make_valid (text, (gssize) length);
}

static void
tell_reasons (const JmDcgmLabels *labels, guint64 mask, JmGpuReport *report)
{
  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    jm_gpu_report_add_labelled (report, JM_METRIC_GPU_THROTTLE, labels->reasons[i],
                                mask >> i & 1);
}

static void
tell_field (const JmDcgmLabels *labels, guint i, guint64 number, JmGpuReport *report)
{
  if (fields[i].id == JM_DCGM_FIELD_CLOCK_REASONS)
    tell_reasons (labels, number, report);
  else if (labels->fields[i] != NULL)
    jm_gpu_report_add_labelled (report, fields[i].metric, labels->fields[i], number);
  else if (fields[i].metric != NO_METRIC)
    jm_gpu_report_add (report, fields[i].metric, number);
}

void
jm_dcgm_fields_tell (const JmDcgmLabels *labels,
                     const JmDcgmValue *value,
                     JmGpuReport *report)
{
  guint i = jm_dcgm_fields_find (value->field);
  guint64 number;

  if (i < G_N_ELEMENTS (fields) && fields[i].scale > 0 &&
      jm_dcgm_value_get_number (value, fields[i].scale, &number))
    tell_field (labels, i, number, report);
}
