/* jm-slurm-limit-private.h: the limits that sacctmgr prints
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-scheduler-report-private.h"

G_BEGIN_DECLS

/* What sacctmgr is asked for: columns with `|` between them. */
#define JM_SLURM_LIMIT_FORMAT                                                          \
 "format=Cluster,Account,User,Partition,GrpTRES,GrpJobs,GrpSubmit,GrpWall,MaxJobs,"    \
 "MaxSubmit,MaxWall"

/* One line of that, without its end; that of another cluster than @cluster adds
 * nothing. One that cannot be read is told to @report and adds nothing either. */
void jm_slurm_read_limit (JmSchedulerReport *report, const char *cluster, JmSlice line);

/* The same of qualities of service, which all clusters of an accounting share. */
#define JM_SLURM_QOS_FORMAT                                                            \
 "format=Name,GrpTRES,GrpJobs,GrpSubmit,GrpWall,MaxTRESPU,MaxJobsPU,MaxSubmitPU,"      \
 "MaxWall"

void jm_slurm_read_qos (JmSchedulerReport *report, JmSlice line);

G_END_DECLS
