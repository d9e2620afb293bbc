/* jm-cgroup-detect.h: the reader that fits a host
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/cgroup/jm-cgroup-reader.h"

G_BEGIN_DECLS

JM_AVAILABLE_IN_ALL
JmCgroupReader *jm_cgroup_reader_new_for_host (JmHost *host, GError **error);

G_END_DECLS
