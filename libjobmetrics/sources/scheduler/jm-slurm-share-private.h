/* jm-slurm-share-private.h: the shares that sshare prints
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-scheduler-report-private.h"

G_BEGIN_DECLS

/* What sshare is asked for with `-o`: columns with `|` between them. */
#define JM_SLURM_SHARE_FORMAT                                                          \
 "Account,User,Partition,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,"        \
 "FairShare,LevelFS"

/* One line of that, without its end. One that cannot be read is told to @report and adds
 * nothing. */
void jm_slurm_read_share (JmSchedulerReport *report, JmSlice line);

G_END_DECLS
