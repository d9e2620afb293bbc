/* jmc-top-processes.h: the processes of a job as top shows them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-process.h"
#include "top/jmc-top-row.h"

G_BEGIN_DECLS

void jmc_top_processes_add (JmcTopRow *job,
                            GPtrArray *processes,
                            gint64 now_us,
                            gint64 time_us);

G_END_DECLS
