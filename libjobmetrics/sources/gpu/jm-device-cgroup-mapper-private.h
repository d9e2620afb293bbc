/* jm-device-cgroup-mapper-private.h: accelerators that the kernel lets a job at
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/gpu/jm-gpu-mapper.h"

G_BEGIN_DECLS

/**
 * JmDeviceCgroupMapper:
 *
 * Tells which devices the device controller of cgroup v1 lets a job at
 * (https://docs.kernel.org/admin-guide/cgroup-v1/devices.html). In cgroup v2 that is a
 * program of the kernel's, which says nothing to those who ask.
 */
#define JM_TYPE_DEVICE_CGROUP_MAPPER (jm_device_cgroup_mapper_get_type ())

G_DECLARE_FINAL_TYPE (JmDeviceCgroupMapper,
                      jm_device_cgroup_mapper,
                      JM,
                      DEVICE_CGROUP_MAPPER,
                      JmSource)

JmDeviceCgroupMapper *jm_device_cgroup_mapper_new (JmHost *host, GError **error);

/* Adds the devices of a devices.list, whose numbers stand as `MAJOR:MINOR`.
 *
 * Returns: whether it proves anything: not where all devices are allowed */
gboolean jm_device_list_take (const char *text, gsize length, JmGpuGrants *grants);

G_END_DECLS
