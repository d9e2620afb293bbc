/* jm-cgroup-v2-reader.h: what a cgroup of version 2 has used
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/cgroup/jm-cgroup-kernel-reader.h"

G_BEGIN_DECLS

#define JM_TYPE_CGROUP_V2_READER (jm_cgroup_v2_reader_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmCgroupV2Reader,
                      jm_cgroup_v2_reader,
                      JM,
                      CGROUP_V2_READER,
                      JmCgroupKernelReader)

G_END_DECLS
