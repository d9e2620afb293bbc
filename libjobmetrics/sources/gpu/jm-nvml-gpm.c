/* jm-nvml-gpm.c: performance counters of a device, by NVML's GPM
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/gpu/jm-nvml-device-private.h"

#include "core/jm-gpu-report-private.h"

/* From percent, and from MiB/s. */
#define PPM 1e4
#define BYTES 1048576.0
/* A share that is not below it is none; 100.01 is 100 that was rounded. */
#define END_OF_PERCENT 101
/* No link is that fast, in MiB/s. */
#define MAX_RATE 1e9

typedef struct
{
  guint id; /* nvmlGpmMetricId_t */
  JmMetric metric;
  const char *label;
  double factor;
} Row;

/* In the driver's words these are what DCGM's profiling fields 1001 to 1012 are. */
static const Row rows[] = {
  { 1, JM_METRIC_GPU_ENGINE_UTILIZATION, "graphics", PPM },
  { 2, JM_METRIC_GPU_SM_ACTIVE, NULL, PPM },
  { 3, JM_METRIC_GPU_SM_OCCUPANCY, NULL, PPM },
  { 5, JM_METRIC_GPU_PIPE_ACTIVE, "tensor", PPM },
  { 10, JM_METRIC_GPU_DRAM_ACTIVE, NULL, PPM },
  { 11, JM_METRIC_GPU_PIPE_ACTIVE, "fp64", PPM },
  { 12, JM_METRIC_GPU_PIPE_ACTIVE, "fp32", PPM },
  { 13, JM_METRIC_GPU_PIPE_ACTIVE, "fp16", PPM },
  { 20, JM_METRIC_GPU_PCIE_TRAFFIC, "transmit", BYTES },
  { 21, JM_METRIC_GPU_PCIE_TRAFFIC, "receive", BYTES },
  { 60, JM_METRIC_GPU_NVLINK_TRAFFIC, "receive", BYTES },
  { 61, JM_METRIC_GPU_NVLINK_TRAFFIC, "transmit", BYTES },
};

G_STATIC_ASSERT (G_N_ELEMENTS (rows) <= 32);

static int
start (JmNvmlGpm *self,
       const JmNvmlApi *api,
       JmNvmlHandle *handle,
       const char **function)
{
  JmNvmlGpmSupport support = { .version = JM_NVML_GPM_VERSION };
  int result = api->get_gpm_support (handle, &support);

  *function =
    result == JM_NVML_SUCCESS ? "nvmlGpmSampleAlloc" : "nvmlGpmQueryDeviceSupport";
  if (result == JM_NVML_SUCCESS && !support.is_supported)
    result = JM_NVML_NOT_SUPPORTED;
  for (guint i = 0; i < G_N_ELEMENTS (self->samples) && result == JM_NVML_SUCCESS; i++)
    result = api->make_gpm_sample (&self->samples[i]);
  if (result == JM_NVML_SUCCESS)
    self->metrics = g_new0 (JmNvmlGpmMetrics, 1);
  else
    jm_nvml_gpm_stop (self, api);

  return result;
}

void
jm_nvml_gpm_stop (JmNvmlGpm *self, const JmNvmlApi *api)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->samples); i++)
    {
      if (self->samples[i] != NULL)
        api->free_gpm_sample (self->samples[i]);
      self->samples[i] = NULL;
    }
  self->is_begun = FALSE;
  g_clear_pointer (&self->metrics, g_free);
}

/* Since the older sample. */
static int
compute (JmNvmlGpm *self, const JmNvmlApi *api)
{
  JmNvmlGpmMetrics *metrics = self->metrics;

  *metrics = (JmNvmlGpmMetrics){ .version = JM_NVML_GPM_VERSION,
                                 .n_metrics = G_N_ELEMENTS (rows),
                                 .older = self->samples[0],
                                 .newer = self->samples[1] };
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    metrics->metrics[i].id = rows[i].id;

  return api->get_gpm_metrics (metrics);
}

int
jm_nvml_gpm_take (JmNvmlGpm *self,
                  const JmNvmlApi *api,
                  JmNvmlHandle *handle,
                  const char **function)
{
  const gboolean was_begun = self->is_begun;
  JmNvmlGpmSample *newer;
  int result =
    self->metrics != NULL ? JM_NVML_SUCCESS : start (self, api, handle, function);

  if (result == JM_NVML_SUCCESS)
    {
      *function = "nvmlGpmSampleGet";
      result = api->get_gpm_sample (handle, self->samples[1]);
    }
  self->is_begun = result == JM_NVML_SUCCESS;
  if (result != JM_NVML_SUCCESS)
    return result;

  *function = "nvmlGpmMetricsGet";
  result = was_begun ? compute (self, api) : JM_NVML_NO_DATA;
  newer = self->samples[1];
  self->samples[1] = self->samples[0];
  self->samples[0] = newer;

  return result;
}

guint
jm_nvml_gpm_report (const JmNvmlGpm *self, JmGpuReport *report)
{
  guint measured = 0;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const JmNvmlGpmMetric *metric = &self->metrics->metrics[i];
      const gboolean is_share = rows[i].factor == PPM;
      const double value = is_share ? MIN (metric->value, 100) : metric->value;
      g_autoptr (JmLabels) labels =
        rows[i].label != NULL ? jm_labels_of (rows[i].label, NULL) : NULL;

      if (metric->result != JM_NVML_SUCCESS ||
          !(metric->value >= 0 &&
            metric->value < (is_share ? END_OF_PERCENT : MAX_RATE)))
        continue;
      jm_gpu_report_add_labelled (report, rows[i].metric, labels,
                                  (guint64) (value * rows[i].factor + 0.5));
      measured |= 1u << i;
    }

  return measured;
}

gboolean
jm_nvml_gpm_has (guint measured, JmMetric metric, const char *label)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if ((measured & 1u << i) != 0 && rows[i].metric == metric &&
        g_strcmp0 (rows[i].label, label) == 0)
      return TRUE;

  return FALSE;
}
