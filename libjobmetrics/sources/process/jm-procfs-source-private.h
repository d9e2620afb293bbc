/* jm-procfs-source-private.h: for sources that are derived from it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/process/jm-process-sweep-private.h"
#include "sources/process/jm-procfs-source.h"

G_BEGIN_DECLS

JmProcessSweep *jm_procfs_source_get_sweep (JmProcfsSource *source);

G_END_DECLS
