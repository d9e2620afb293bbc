/* jm-cgroup-types-private.h: the readers of the kernel's cgroups, one for each version
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/cgroup/jm-cgroup-kernel-reader-private.h"

G_BEGIN_DECLS

#define JM_TYPE_CGROUP_V1_READER (jm_cgroup_v1_reader_get_type ())

G_DECLARE_FINAL_TYPE (JmCgroupV1Reader,
                      jm_cgroup_v1_reader,
                      JM,
                      CGROUP_V1_READER,
                      JmCgroupKernelReader)

#define JM_TYPE_CGROUP_V2_READER (jm_cgroup_v2_reader_get_type ())

G_DECLARE_FINAL_TYPE (JmCgroupV2Reader,
                      jm_cgroup_v2_reader,
                      JM,
                      CGROUP_V2_READER,
                      JmCgroupKernelReader)

G_END_DECLS
