/* jm-slurm-limit.c: the limits that sacctmgr prints, and the shares of sshare
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurm-output-private.h"

#include "schedulers/jm-scheduler-value-private.h"
#include "schedulers/slurm/jm-slurm-field-private.h"

#define FIELD(name, kind, member)                                                      \
 {                                                                                     \
  name, JM_SLURM_##kind, G_STRUCT_OFFSET (JmSchedulerLimit, member)                    \
 }
/* Of all jobs together; both commands have these in this order. */
#define GROUP_FIELDS                                                                   \
 FIELD ("GrpTRES", TRES_CPUS, group_cpus),                                             \
   FIELD ("GrpTRES", TRES_MEMORY, group_memory_bytes),                                 \
   FIELD ("GrpTRES", TRES_NODES, group_nodes),                                         \
   FIELD ("GrpTRES", TRES_GPUS, group_gpus), FIELD ("GrpJobs", COUNT, group_jobs),     \
   FIELD ("GrpSubmit", COUNT, group_submit),                                           \
   FIELD ("GrpWall", DURATION, group_wall_seconds)

/* Behind the cluster. */
static const JmSlurmField fields[] = {
  FIELD ("Account", TEXT, account),
  FIELD ("User", TEXT, user),
  FIELD ("Partition", TEXT, partition),
  GROUP_FIELDS,
  FIELD ("MaxJobs", COUNT, max_jobs),
  FIELD ("MaxSubmit", COUNT, max_submit),
  FIELD ("MaxWall", DURATION, max_wall_seconds),
};
static const JmSlurmField qos_fields[] = {
  FIELD ("Name", TEXT, qos),
  GROUP_FIELDS,
  FIELD ("MaxTRESPU", TRES_CPUS, user_cpus),
  FIELD ("MaxTRESPU", TRES_MEMORY, user_memory_bytes),
  FIELD ("MaxTRESPU", TRES_NODES, user_nodes),
  FIELD ("MaxTRESPU", TRES_GPUS, user_gpus),
  FIELD ("MaxJobsPU", COUNT, max_jobs),
  FIELD ("MaxSubmitPU", COUNT, max_submit),
  FIELD ("MaxWall", DURATION, max_wall_seconds),
};

/* Slurm keeps names of clusters in small letters, however they are written. */
static gboolean
is_of (JmSlice name, const char *cluster)
{
  return name.length == strlen (cluster) &&
         g_ascii_strncasecmp (name.text, cluster, name.length) == 0;
}

void
jm_slurm_read_limit (JmSchedulerReport *report, const char *cluster, JmSlice line)
{
  JmSchedulerLimit limit;
  JmSlice name;

  jm_scheduler_limit_init (&limit);
  if (!jm_slice_take_word (&line, '|', &name))
    return;
  /* of another one the rest is of no interest */
  if (line.text != NULL && !is_of (jm_slice_trim (name), cluster))
    return;

  if (!jm_slurm_field_take_columns (fields, G_N_ELEMENTS (fields), report, &limit, line,
                                    "sacctmgr"))
    return;
  if (limit.account != NULL)
    jm_scheduler_report_add_limit (report, &limit);
  else
    jm_scheduler_report_pass_over (report, "sacctmgr: a line without an account");
}

void
jm_slurm_read_qos (JmSchedulerReport *report, JmSlice line)
{
  JmSchedulerLimit limit;

  jm_scheduler_limit_init (&limit);
  if (line.length == 0 ||
      !jm_slurm_field_take_columns (qos_fields, G_N_ELEMENTS (qos_fields), report,
                                    &limit, line, "sacctmgr"))
    return;
  if (limit.qos != NULL)
    jm_scheduler_report_add_limit (report, &limit);
  else
    jm_scheduler_report_pass_over (report, "sacctmgr: a line without a name");
}

static const JmSlurmField share_fields[] = {
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
  if (!jm_slurm_field_take_columns (share_fields, G_N_ELEMENTS (share_fields), report,
                                    &share, line, "sshare"))
    return;

  if (share.account != NULL)
    jm_scheduler_report_add_share (report, &share);
  else
    jm_scheduler_report_pass_over (report, "sshare: a line without an account");
}
