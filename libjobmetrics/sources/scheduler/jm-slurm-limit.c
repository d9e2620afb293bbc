/* jm-slurm-limit.c: the limits that sacctmgr prints
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/scheduler/jm-slurm-limit-private.h"

#include "sources/scheduler/jm-slurm-field-private.h"
#include "sources/scheduler/jm-slurm-value-private.h"

/* Behind the cluster. */
static const JmSlurmField fields[] = {
  { "Account", JM_SLURM_TEXT, G_STRUCT_OFFSET (JmSchedulerLimit, account) },
  { "User", JM_SLURM_TEXT, G_STRUCT_OFFSET (JmSchedulerLimit, user) },
  { "Partition", JM_SLURM_TEXT, G_STRUCT_OFFSET (JmSchedulerLimit, partition) },
  { "GrpTRES", JM_SLURM_TRES_CPUS, G_STRUCT_OFFSET (JmSchedulerLimit, group_cpus) },
  { "GrpTRES", JM_SLURM_TRES_MEMORY,
    G_STRUCT_OFFSET (JmSchedulerLimit, group_memory_bytes) },
  { "GrpTRES", JM_SLURM_TRES_NODES, G_STRUCT_OFFSET (JmSchedulerLimit, group_nodes) },
  { "GrpTRES", JM_SLURM_TRES_GPUS, G_STRUCT_OFFSET (JmSchedulerLimit, group_gpus) },
  { "GrpJobs", JM_SLURM_COUNT, G_STRUCT_OFFSET (JmSchedulerLimit, group_jobs) },
  { "GrpSubmit", JM_SLURM_COUNT, G_STRUCT_OFFSET (JmSchedulerLimit, group_submit) },
  { "GrpWall", JM_SLURM_DURATION,
    G_STRUCT_OFFSET (JmSchedulerLimit, group_wall_seconds) },
  { "MaxJobs", JM_SLURM_COUNT, G_STRUCT_OFFSET (JmSchedulerLimit, max_jobs) },
  { "MaxSubmit", JM_SLURM_COUNT, G_STRUCT_OFFSET (JmSchedulerLimit, max_submit) },
  { "MaxWall", JM_SLURM_DURATION,
    G_STRUCT_OFFSET (JmSchedulerLimit, max_wall_seconds) },
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
  if (!jm_slurm_take_word (&line, '|', &name))
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
    jm_scheduler_report_complain (report, "sacctmgr: a line without an account");
}
