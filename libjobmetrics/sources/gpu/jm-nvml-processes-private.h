/* jm-nvml-processes-private.h: who uses a device of NVIDIA's management library
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-gpu-report.h"
#include "sources/gpu/jm-nvml-api-private.h"

G_BEGIN_DECLS

/* The processes of one device, and room for what the library writes, which stays. */
typedef struct
{
  GArray *room;       /* for records, of bytes */
  GArray *samples;    /* of JmNvmlSample */
  GArray *found;      /* of JmNvmlProcess */
  guint64 since_us;   /* samples are asked for since then, by the library's clock */
  guint64 newest_us;  /* since when they will be next, once it is old enough */
  gint64 found_at_us; /* when that one was found, by the monotonic clock */
} JmNvmlProcesses;

void jm_nvml_processes_init (JmNvmlProcesses *self);
void jm_nvml_processes_clear (JmNvmlProcesses *self);

/* Forgets those that were found. */
void jm_nvml_processes_begin (JmNvmlProcesses *self);

/* Whether the library has any version of a function. */
gboolean jm_nvml_processes_can_list (const JmNvmlGetProcesses *versions);

/* Adds those that the newest version of a function tells of. Returns its result. */
int jm_nvml_processes_list (JmNvmlProcesses *self,
                            const JmNvmlGetProcesses *versions,
                            JmNvmlHandle *handle);

/* Asks how much of the time each of them ran. Returns the result. */
int jm_nvml_processes_sample (JmNvmlProcesses *self,
                              const JmNvmlApi *api,
                              JmNvmlHandle *handle);

void jm_nvml_processes_tell (const JmNvmlProcesses *self, JmGpuReport *report);

G_END_DECLS
