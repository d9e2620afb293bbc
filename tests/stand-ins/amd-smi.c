/* amd-smi.c: stands in for AMD SMI; README.md has its script
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdint.h>
#include <string.h>

#include "amd-script.h"

/* What follows is as the library's public description has it:
 * https://rocm.docs.amd.com/projects/amdsmi/en/latest/reference/amdsmi-c-api.html */
#define AMDSMI_STATUS_INVAL 1
#define AMDSMI_STATUS_NOT_SUPPORTED 2
#define AMDSMI_PROCESSOR_TYPE_AMD_GPU 1
#define AMDSMI_PROCESSOR_TYPE_AMD_CPU 2
#define AMDSMI_CLK_TYPE_MEM 4
#define COUNTER_RESOLUTION_UJ 15.3f

typedef void *amdsmi_socket_handle;
typedef void *amdsmi_processor_handle;

typedef struct
{
  uint32_t gfx_activity;
  uint32_t umc_activity;
  uint32_t mm_activity;
  uint32_t reserved[13];
} amdsmi_engine_usage_t;

typedef struct
{
  uint32_t clk;
  uint32_t min_clk;
  uint32_t max_clk;
  uint8_t clk_locked;
  uint8_t clk_deep_sleep;
  uint32_t reserved[4];
} amdsmi_clk_info_t;

static gboolean is_up;

/* A socket is a device's number and one, a processor the same and a bit. */
#define PROCESSOR_BIT 0x10000u

static guint
get_device (amdsmi_processor_handle processor)
{
  return GPOINTER_TO_UINT (processor) - PROCESSOR_BIT - 1;
}

static int
enter (amdsmi_processor_handle processor, const char *function)
{
  guint device = get_device (processor);

  if (!is_up || device >= amd_script_count ())
    return AMDSMI_STATUS_INVAL;

  return amd_script_enter (device, function);
}

/* Answers with one number of the script. */
static int
answer (amdsmi_processor_handle processor,
        const char *function,
        const char *key,
        uint64_t *value)
{
  int status = enter (processor, function);

  if (status != 0)
    return status;

  return amd_script_get (get_device (processor), key, value)
           ? 0
           : AMDSMI_STATUS_NOT_SUPPORTED;
}

int
amdsmi_init (uint64_t flags)
{
  int status = amd_script_enter (AMD_SCRIPT_LIBRARY, "amdsmi_init");

  if (flags != 2)
    return AMDSMI_STATUS_INVAL;
  is_up = status == 0;

  return status;
}

int
amdsmi_shut_down (void)
{
  is_up = FALSE;

  return amd_script_enter (AMD_SCRIPT_LIBRARY, "amdsmi_shut_down");
}

int
amdsmi_status_code_to_string (int status, const char **text)
{
  *text = status == 10 ? "AMDSMI_STATUS_NO_PERM: Permission Denied" : "AMDSMI_STATUS";

  return 0;
}

int
amdsmi_get_socket_handles (uint32_t *count, amdsmi_socket_handle *sockets)
{
  int status = amd_script_enter (AMD_SCRIPT_LIBRARY, "amdsmi_get_socket_handles");
  uint32_t n = amd_script_count ();

  if (status != 0 || !is_up)
    return status != 0 ? status : AMDSMI_STATUS_INVAL;
  for (uint32_t i = 0; sockets != NULL && i < n && i < *count; i++)
    sockets[i] = GUINT_TO_POINTER (i + 1);
  *count = n;

  return 0;
}

/* Each socket has one accelerator, and a processor that is none. */
int
amdsmi_get_processor_handles (amdsmi_socket_handle socket,
                              uint32_t *count,
                              amdsmi_processor_handle *processors)
{
  guint number = GPOINTER_TO_UINT (socket);
  int status = amd_script_enter (number - 1, "amdsmi_get_processor_handles");

  if (status != 0)
    return status;
  if (processors != NULL && *count >= 2)
    {
      processors[0] = GUINT_TO_POINTER (2 * PROCESSOR_BIT + number);
      processors[1] = GUINT_TO_POINTER (PROCESSOR_BIT + number);
    }
  *count = 2;

  return 0;
}

int
amdsmi_get_processor_type (amdsmi_processor_handle processor, int *type)
{
  *type = GPOINTER_TO_UINT (processor) >= 2 * PROCESSOR_BIT
            ? AMDSMI_PROCESSOR_TYPE_AMD_CPU
            : AMDSMI_PROCESSOR_TYPE_AMD_GPU;

  return 0;
}

int
amdsmi_get_gpu_bdf_id (amdsmi_processor_handle processor, uint64_t *bdf)
{
  return answer (processor, "amdsmi_get_gpu_bdf_id", "bdf", bdf);
}

int
amdsmi_get_energy_count (amdsmi_processor_handle processor,
                         uint64_t *count,
                         float *resolution,
                         uint64_t *timestamp)
{
  *resolution = COUNTER_RESOLUTION_UJ;
  *timestamp = 1;

  return answer (processor, "amdsmi_get_energy_count", "energy-count", count);
}

int
amdsmi_get_gpu_activity (amdsmi_processor_handle processor, amdsmi_engine_usage_t *info)
{
  int status = enter (processor, "amdsmi_get_gpu_activity");
  guint64 value;

  if (status != 0)
    return status;
  memset (info, 0xff, sizeof *info);
  if (amd_script_get (get_device (processor), "utilization", &value))
    info->gfx_activity = (uint32_t) value;
  if (amd_script_get (get_device (processor), "memory-utilization", &value))
    info->umc_activity = (uint32_t) value;

  return 0;
}

int
amdsmi_get_gpu_memory_total (amdsmi_processor_handle processor,
                             int type,
                             uint64_t *total)
{
  return type != 0
           ? AMDSMI_STATUS_INVAL
           : answer (processor, "amdsmi_get_gpu_memory_total", "memory-total", total);
}

int
amdsmi_get_gpu_memory_usage (amdsmi_processor_handle processor,
                             int type,
                             uint64_t *used)
{
  return type != 0
           ? AMDSMI_STATUS_INVAL
           : answer (processor, "amdsmi_get_gpu_memory_usage", "memory-used", used);
}

int
amdsmi_get_temp_metric (amdsmi_processor_handle processor,
                        int sensor,
                        int metric,
                        int64_t *temperature)
{
  static const char *const keys[] = { "temperature-edge", "temperature-junction",
                                      "temperature-memory" };
  uint64_t value = 0;
  int status;

  if (metric != 0 || sensor < 0 || sensor > 2)
    return AMDSMI_STATUS_INVAL;
  status = answer (processor, "amdsmi_get_temp_metric", keys[sensor], &value);
  *temperature = (int64_t) value;

  return status;
}

int
amdsmi_get_clock_info (amdsmi_processor_handle processor,
                       int type,
                       amdsmi_clk_info_t *info)
{
  uint64_t value = 0;
  int status =
    answer (processor, "amdsmi_get_clock_info",
            type == AMDSMI_CLK_TYPE_MEM ? "clock-memory" : "clock-graphics", &value);

  memset (info, 0, sizeof *info);
  info->clk = (uint32_t) value;
  info->max_clk = 2100;

  return status;
}

int
amdsmi_get_gpu_pci_replay_counter (amdsmi_processor_handle processor, uint64_t *counter)
{
  return answer (processor, "amdsmi_get_gpu_pci_replay_counter", "pcie-replays",
                 counter);
}
