/* jm-sinfo-private.h: the nodes that sinfo lists
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-slurm-table-private.h"

G_BEGIN_DECLS

/* What sinfo is asked for with --Format, beside --Node: a line for each node and
 * partition, in fields that 21.08 and all later releases have. `scontrol show nodes`
 * has more, and prints a reason that anybody may write without a mark where it ends. */
extern const JmSlurmTable jm_sinfo_table;

/* Which nodes were named before: each stands there once for each of its partitions. */
typedef struct _JmSinfoReader JmSinfoReader;

/* Both must live longer. */
JmSinfoReader *jm_sinfo_reader_new (const char *separator, JmSchedulerReport *report);
void jm_sinfo_reader_free (JmSinfoReader *self);

/* One row of that, without its end: a node, or one more partition of a node. The report
 * counts what cannot be read. FALSE: the row is left out. */
gboolean jm_sinfo_reader_take (JmSinfoReader *self, JmSlice row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSinfoReader, jm_sinfo_reader_free)

G_END_DECLS
