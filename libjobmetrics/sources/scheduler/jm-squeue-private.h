/* jm-squeue-private.h: the jobs that squeue lists
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-slurm-table-private.h"

G_BEGIN_DECLS

/* What squeue is asked for with --Format: fields that 20.11 and all later releases
 * have. Nothing is cut, whatever its length. */
extern const JmSlurmTable jm_squeue_table;

/* One row of that, without its end. @report counts what cannot be read. FALSE: the row
 * is left out. */
gboolean
jm_squeue_take_row (const char *separator, JmSlice row, JmSchedulerReport *report);

G_END_DECLS
