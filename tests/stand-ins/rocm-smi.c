/* rocm-smi.c: stands in for ROCm SMI; README.md has its script
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdint.h>

#include "amd-script.h"

/* What follows is as the library's public description has it:
 * https://rocm.docs.amd.com/projects/rocm_smi_lib/en/latest/ */
#define RSMI_STATUS_INVALID_ARGS 1
#define RSMI_STATUS_NOT_SUPPORTED 2
#define COUNTER_RESOLUTION_UJ 15.3f

static int
answer (uint32_t device, const char *function, const char *key, uint64_t *value)
{
  int status;

  if (device >= amd_script_count ())
    return RSMI_STATUS_INVALID_ARGS;
  status = amd_script_enter (device, function);
  if (status != 0)
    return status;

  return amd_script_get (device, key, value) ? 0 : RSMI_STATUS_NOT_SUPPORTED;
}

static int
answer_short (uint32_t device, const char *function, const char *key, uint32_t *value)
{
  uint64_t number = 0;
  int status = answer (device, function, key, &number);

  *value = (uint32_t) number;

  return status;
}

int
rsmi_init (uint64_t flags)
{
  return amd_script_enter (AMD_SCRIPT_LIBRARY, "rsmi_init");
}

int
rsmi_shut_down (void)
{
  return amd_script_enter (AMD_SCRIPT_LIBRARY, "rsmi_shut_down");
}

int
rsmi_num_monitor_devices (uint32_t *count)
{
  *count = amd_script_count ();

  return amd_script_enter (AMD_SCRIPT_LIBRARY, "rsmi_num_monitor_devices");
}

int
rsmi_dev_pci_id_get (uint32_t device, uint64_t *bdf)
{
  return answer (device, "rsmi_dev_pci_id_get", "bdf", bdf);
}

int
rsmi_dev_energy_count_get (uint32_t device,
                           uint64_t *count,
                           float *resolution,
                           uint64_t *timestamp)
{
  *resolution = COUNTER_RESOLUTION_UJ;
  *timestamp = 1;

  return answer (device, "rsmi_dev_energy_count_get", "energy-count", count);
}

int
rsmi_dev_busy_percent_get (uint32_t device, uint32_t *percent)
{
  return answer_short (device, "rsmi_dev_busy_percent_get", "utilization", percent);
}

int
rsmi_dev_memory_busy_percent_get (uint32_t device, uint32_t *percent)
{
  return answer_short (device, "rsmi_dev_memory_busy_percent_get", "memory-utilization",
                       percent);
}

int
rsmi_dev_memory_total_get (uint32_t device, int type, uint64_t *total)
{
  return type != 0
           ? RSMI_STATUS_INVALID_ARGS
           : answer (device, "rsmi_dev_memory_total_get", "memory-total", total);
}

int
rsmi_dev_memory_usage_get (uint32_t device, int type, uint64_t *used)
{
  return type != 0 ? RSMI_STATUS_INVALID_ARGS
                   : answer (device, "rsmi_dev_memory_usage_get", "memory-used", used);
}

/* Thousandths, where the newer library has whole degrees. */
int
rsmi_dev_temp_metric_get (uint32_t device, uint32_t sensor, int metric, int64_t *milli)
{
  static const char *const keys[] = { "temperature-edge", "temperature-junction",
                                      "temperature-memory" };
  uint64_t degrees = 0;
  int status;

  if (metric != 0 || sensor > 2)
    return RSMI_STATUS_INVALID_ARGS;
  status = answer (device, "rsmi_dev_temp_metric_get", keys[sensor], &degrees);
  *milli = (int64_t) degrees * 1000;

  return status;
}

int
rsmi_dev_power_ave_get (uint32_t device, uint32_t sensor, uint64_t *power)
{
  return sensor != 0 ? RSMI_STATUS_INVALID_ARGS
                     : answer (device, "rsmi_dev_power_ave_get", "power", power);
}

int
rsmi_dev_power_cap_get (uint32_t device, uint32_t sensor, uint64_t *cap)
{
  return sensor != 0 ? RSMI_STATUS_INVALID_ARGS
                     : answer (device, "rsmi_dev_power_cap_get", "power-limit", cap);
}
