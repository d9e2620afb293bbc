/* jm-nvml-api.c: what is used of NVIDIA's management library
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/gpu/jm-nvml-api-private.h"

#include "base/jm-error.h"

G_STATIC_ASSERT (sizeof (JmNvmlPci) == 68);
G_STATIC_ASSERT (sizeof (JmNvmlMemory2) == 40);
G_STATIC_ASSERT (sizeof (JmNvmlAttributes) == 40);
G_STATIC_ASSERT (sizeof (JmNvmlSample) == 32);
G_STATIC_ASSERT (sizeof (JmNvmlEvent) == 24 + sizeof (gpointer));
G_STATIC_ASSERT (sizeof (JmNvmlField) == 40);
G_STATIC_ASSERT (sizeof (JmNvmlGpmMetric) == 16 + 3 * sizeof (gpointer));
G_STATIC_ASSERT (sizeof (JmNvmlTimedValue) == 16);

#define REQUIRED(member, name) JM_SYMBOL (JmNvmlApi, member, name, TRUE)
#define OPTIONAL(member, name) JM_SYMBOL (JmNvmlApi, member, name, FALSE)

static const char *const sonames[] = { "libnvidia-ml.so.1", NULL };

static const JmDynamicSymbol symbols[] = {
  REQUIRED (init, "nvmlInit_v2"),
  REQUIRED (shutdown, "nvmlShutdown"),
  REQUIRED (error_string, "nvmlErrorString"),
  REQUIRED (get_driver_version, "nvmlSystemGetDriverVersion"),
  REQUIRED (get_count, "nvmlDeviceGetCount_v2"),
  REQUIRED (get_handle, "nvmlDeviceGetHandleByIndex_v2"),
  REQUIRED (get_name, "nvmlDeviceGetName"),
  REQUIRED (get_uuid, "nvmlDeviceGetUUID"),
  OPTIONAL (get_minor_number, "nvmlDeviceGetMinorNumber"),
  OPTIONAL (get_pci, "nvmlDeviceGetPciInfo_v3"),
  OPTIONAL (get_power, "nvmlDeviceGetPowerUsage"),
  OPTIONAL (get_power_limit, "nvmlDeviceGetEnforcedPowerLimit"),
  OPTIONAL (get_energy, "nvmlDeviceGetTotalEnergyConsumption"),
  OPTIONAL (get_pcie_replays, "nvmlDeviceGetPcieReplayCounter"),
  OPTIONAL (get_clock, "nvmlDeviceGetClockInfo"),
  OPTIONAL (get_temperature, "nvmlDeviceGetTemperature"),
  OPTIONAL (get_pcie_traffic, "nvmlDeviceGetPcieThroughput"),
  OPTIONAL (get_encoder, "nvmlDeviceGetEncoderUtilization"),
  OPTIONAL (get_decoder, "nvmlDeviceGetDecoderUtilization"),
  OPTIONAL (get_utilization, "nvmlDeviceGetUtilizationRates"),
  OPTIONAL (get_memory, "nvmlDeviceGetMemoryInfo"),
  OPTIONAL (get_memory_2, "nvmlDeviceGetMemoryInfo_v2"),
  OPTIONAL (get_throttle_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons"),
  OPTIONAL (get_event_reasons, "nvmlDeviceGetCurrentClocksEventReasons"),
  OPTIONAL (get_ecc_errors, "nvmlDeviceGetTotalEccErrors"),
  OPTIONAL (get_remapped_rows, "nvmlDeviceGetRemappedRows"),
  OPTIONAL (get_fields, "nvmlDeviceGetFieldValues"),
  OPTIONAL (get_compute_processes[0], "nvmlDeviceGetComputeRunningProcesses"),
  OPTIONAL (get_compute_processes[1], "nvmlDeviceGetComputeRunningProcesses_v2"),
  OPTIONAL (get_compute_processes[2], "nvmlDeviceGetComputeRunningProcesses_v3"),
  OPTIONAL (get_graphics_processes[0], "nvmlDeviceGetGraphicsRunningProcesses"),
  OPTIONAL (get_graphics_processes[1], "nvmlDeviceGetGraphicsRunningProcesses_v2"),
  OPTIONAL (get_graphics_processes[2], "nvmlDeviceGetGraphicsRunningProcesses_v3"),
  OPTIONAL (get_samples, "nvmlDeviceGetProcessUtilization"),
  OPTIONAL (get_timed_values, "nvmlDeviceGetSamples"),
  OPTIONAL (get_mig_mode, "nvmlDeviceGetMigMode"),
  OPTIONAL (get_accounting_mode, "nvmlDeviceGetAccountingMode"),
  OPTIONAL (get_max_instances, "nvmlDeviceGetMaxMigDeviceCount"),
  OPTIONAL (get_instance, "nvmlDeviceGetMigDeviceHandleByIndex"),
  OPTIONAL (get_gpu_instance, "nvmlDeviceGetGpuInstanceId"),
  OPTIONAL (get_compute_instance, "nvmlDeviceGetComputeInstanceId"),
  OPTIONAL (get_attributes, "nvmlDeviceGetAttributes_v2"),
  OPTIONAL (get_gpm_support, "nvmlGpmQueryDeviceSupport"),
  OPTIONAL (make_gpm_sample, "nvmlGpmSampleAlloc"),
  OPTIONAL (free_gpm_sample, "nvmlGpmSampleFree"),
  OPTIONAL (get_gpm_sample, "nvmlGpmSampleGet"),
  OPTIONAL (get_gpm_metrics, "nvmlGpmMetricsGet"),
  OPTIONAL (make_event_set, "nvmlEventSetCreate"),
  OPTIONAL (free_event_set, "nvmlEventSetFree"),
  OPTIONAL (register_events, "nvmlDeviceRegisterEvents"),
  OPTIONAL (wait_for_event, "nvmlEventSetWait"),
  OPTIONAL (wait_for_event_2, "nvmlEventSetWait_v2"),
};

JmDynamicLibrary *
jm_nvml_api_load (JmNvmlApi *self, JmGpuLibrary *source, GError **error)
{
  return jm_gpu_library_load (source, sonames, symbols, G_N_ELEMENTS (symbols), self,
                              error);
}

JmError
jm_nvml_result_to_error (int result)
{
  switch (result)
    {
    case JM_NVML_NO_PERMISSION:
      return JM_ERROR_DENIED;
    case JM_NVML_DRIVER_NOT_LOADED:
    case JM_NVML_GPU_NOT_FOUND:
      return JM_ERROR_ABSENT;
    default:
      return JM_ERROR_UNAVAILABLE;
    }
}

gboolean
jm_nvml_result_is_unsupported (int result)
{
  return result == JM_NVML_NOT_SUPPORTED || result == JM_NVML_INVALID_ARGUMENT ||
         result == JM_NVML_FUNCTION_NOT_FOUND || result == JM_NVML_DEPRECATED ||
         result == JM_NVML_ARGUMENT_VERSION_MISMATCH;
}

gboolean
jm_nvml_result_is_empty (int result)
{
  return result == JM_NVML_NOT_FOUND || result == JM_NVML_NO_DATA ||
         result == JM_NVML_NOT_READY || result == JM_NVML_TIMEOUT;
}

void
jm_nvml_set_error (const JmNvmlApi *self,
                   int result,
                   const char *where,
                   const char *function,
                   GError **error)
{
  g_autofree char *words = g_utf8_make_valid (self->error_string (result), -1);

  g_set_error (error, JM_ERROR, (int) jm_nvml_result_to_error (result), "%s: %s: %s",
               where, function, words);
}
