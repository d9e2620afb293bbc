/* jm-slurm-share.c: the shares that sshare prints
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/scheduler/jm-slurm-output-private.h"

#include "sources/scheduler/jm-slurm-field-private.h"

static const JmSlurmField fields[] = {
  { "Account", JM_SLURM_TEXT, G_STRUCT_OFFSET (JmSchedulerShare, account) },
  { "User", JM_SLURM_TEXT, G_STRUCT_OFFSET (JmSchedulerShare, user) },
  { "Partition", JM_SLURM_TEXT, G_STRUCT_OFFSET (JmSchedulerShare, partition) },
  { "RawShares", JM_SLURM_COUNT, G_STRUCT_OFFSET (JmSchedulerShare, raw_shares) },
  { "NormShares", JM_SLURM_REAL, G_STRUCT_OFFSET (JmSchedulerShare, norm_shares) },
  { "RawUsage", JM_SLURM_REAL, G_STRUCT_OFFSET (JmSchedulerShare, raw_usage) },
  { "NormUsage", JM_SLURM_REAL, G_STRUCT_OFFSET (JmSchedulerShare, norm_usage) },
  { "EffectvUsage", JM_SLURM_REAL,
    G_STRUCT_OFFSET (JmSchedulerShare, effective_usage) },
  { "FairShare", JM_SLURM_REAL, G_STRUCT_OFFSET (JmSchedulerShare, fair_share) },
  { "LevelFS", JM_SLURM_REAL, G_STRUCT_OFFSET (JmSchedulerShare, level_fair_share) },
};

/* An account stands as far to the right as it is deep in the tree. */
void
jm_slurm_read_share (JmSchedulerReport *report, JmSlice line)
{
  JmSchedulerShare share;

  jm_scheduler_share_init (&share);
  if (!jm_slurm_field_take_columns (fields, G_N_ELEMENTS (fields), report, &share, line,
                                    "sshare"))
    return;

  if (share.account != NULL)
    jm_scheduler_report_add_share (report, &share);
  else
    jm_scheduler_report_complain (report, "sshare: a line without an account");
}
