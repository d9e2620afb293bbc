/* jm-slurm-share.c: the shares that sshare prints
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/scheduler/jm-slurm-share-private.h"

#include "sources/scheduler/jm-slurm-field-private.h"

static const JmSlurmField fields[] = {
  { "Account", JM_SLURM_TEXT, G_STRUCT_OFFSET (JmSchedulerShare, account) },
  { "User", JM_SLURM_TEXT, G_STRUCT_OFFSET (JmSchedulerShare, user) },
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
static gboolean
read_columns (JmSchedulerReport *report, JmSlice line, JmSchedulerShare *share)
{
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      const char *bar = line.length > 0 ? memchr (line.text, '|', line.length) : NULL;
      gboolean is_last = i == G_N_ELEMENTS (fields) - 1;
      JmSlice column = line;

      if ((bar == NULL) != is_last)
        {
          jm_scheduler_report_complain (report, "sshare: another number of columns");
          return FALSE;
        }
      if (!is_last)
        column.length = (gsize) (bar - line.text);
      if (!jm_slurm_field_take (&fields[i], report, share, jm_slice_trim (column)))
        return FALSE;
      if (!is_last)
        line = (JmSlice){ bar + 1, line.length - column.length - 1 };
    }

  return TRUE;
}

void
jm_slurm_read_share (JmSchedulerReport *report, JmSlice line)
{
  JmSchedulerShare share;

  jm_scheduler_share_init (&share);
  if (!read_columns (report, line, &share))
    return;

  if (share.account != NULL)
    jm_scheduler_report_add_share (report, &share);
  else
    jm_scheduler_report_complain (report, "sshare: a line without an account");
}
