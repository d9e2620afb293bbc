/* jm-slurm-pairs-private.h: records that scontrol prints on a line each
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-scheduler-report-private.h"

G_BEGIN_DECLS

/* A line of `scontrol show reservation -o`, of partitions and of licences, without its
 * end. One that cannot be read is told to @report and adds nothing. */
void jm_slurm_read_reservation (JmSchedulerReport *report, JmSlice line);
void jm_slurm_read_partition (JmSchedulerReport *report, JmSlice line);
void jm_slurm_read_license (JmSchedulerReport *report, JmSlice line);

G_END_DECLS
