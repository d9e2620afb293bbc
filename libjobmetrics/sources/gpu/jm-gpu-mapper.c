/* jm-gpu-mapper.c: which accelerators a node has, and whose they are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/gpu/jm-gpu-mapper.h"

#include "sources/gpu/jm-gpu-types-private.h"

/**
 * JmGpuMapper:
 *
 * Reports which accelerators a node has and what they do, or which of them a job was
 * given, or both. One that asks a driver, which may be slow or hang, does so in the
 * background: reading never waits.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (JmGpuMapper, jm_gpu_mapper, JM_TYPE_SOURCE)

static void
jm_gpu_mapper_default_init (JmGpuMapperInterface *iface)
{
}

gboolean
jm_gpu_mapper_knows_devices (JmGpuMapper *self)
{
  g_return_val_if_fail (JM_IS_GPU_MAPPER (self), FALSE);

  return JM_GPU_MAPPER_GET_IFACE (self)->read_devices != NULL;
}

/**
 * jm_gpu_mapper_read_devices:
 * @self: a mapper
 * @report: where devices and figures go
 * @error: return location for an error
 *
 * Reports the devices, what each does, and which processes use it.
 *
 * - Shape: jm_gpu_report_add_device(), then the figures, processes and the error of
 *   that device; in the same order every time. What cannot be read is left out.
 * - Units: those of the metrics' rows.
 * - Errors: `UNAVAILABLE` when the driver gives no answer now, `ABSENT` when the
 *   devices went away. Nothing is then reported.
 *
 * Returns: whether the library answered; %FALSE without an error of a mapper that knows
 *   no devices
 * Since: 0.1
 */
gboolean
jm_gpu_mapper_read_devices (JmGpuMapper *self, JmGpuReport *report, GError **error)
{
  JmGpuMapperInterface *iface;
  g_autoptr (GError) unwanted = NULL;

  g_return_val_if_fail (JM_IS_GPU_MAPPER (self), FALSE);
  g_return_val_if_fail (report != NULL, FALSE);

  iface = JM_GPU_MAPPER_GET_IFACE (self);

  return iface->read_devices != NULL &&
         iface->read_devices (self, report, error != NULL ? error : &unwanted);
}

/**
 * jm_gpu_mapper_map_job:
 * @self: a mapper
 * @job: a job
 * @cgroups: (array zero-terminated=1): paths of the job's cgroups below the mount
 *   point, such as `/slurm/uid_1000/job_7`
 * @grants: where its devices go
 * @error: return location for an error
 *
 * Reports which devices a job was given.
 *
 * - Shape: jm_gpu_grants_add() or jm_gpu_grants_add_index() once for each device; none
 *   where the mapper knows nothing of that job.
 * - Errors: `DENIED`, `MALFORMED`: what was reported until then counts.
 *
 * Returns: whether all went well
 * Since: 0.1
 */
gboolean
jm_gpu_mapper_map_job (JmGpuMapper *self,
                       JmJob *job,
                       const char *const *cgroups,
                       JmGpuGrants *grants,
                       GError **error)
{
  JmGpuMapperInterface *iface;
  g_autoptr (GError) unwanted = NULL;

  g_return_val_if_fail (JM_IS_GPU_MAPPER (self), FALSE);
  g_return_val_if_fail (job != NULL, FALSE);
  g_return_val_if_fail (cgroups != NULL, FALSE);
  g_return_val_if_fail (grants != NULL, FALSE);

  iface = JM_GPU_MAPPER_GET_IFACE (self);

  return iface->map_job == NULL ||
         iface->map_job (self, job, cgroups, grants, error != NULL ? error : &unwanted);
}

/**
 * jm_gpu_mapper_wait:
 * @self: a mapper
 * @timeout_us: for how long at most, microseconds
 *
 * Waits for the first answer of one that asks in the background. For programs that read
 * it but once.
 *
 * Returns: whether it was asked by now, whatever came of it
 * Since: 0.1
 */
gboolean
jm_gpu_mapper_wait (JmGpuMapper *self, gint64 timeout_us)
{
  JmGpuMapperInterface *iface;

  g_return_val_if_fail (JM_IS_GPU_MAPPER (self), FALSE);

  iface = JM_GPU_MAPPER_GET_IFACE (self);

  return iface->wait == NULL || iface->wait (self, timeout_us);
}
