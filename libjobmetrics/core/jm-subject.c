/* jm-subject.c: what figures are about
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-subject-private.h"

#define MAX_LABELS 4

typedef struct
{
  const char *prefix;
  const char *label_names[MAX_LABELS + 1]; /* NULL-terminated */
} Kind;

static const Kind kinds[JM_N_SUBJECT_KINDS] = {
  [JM_SUBJECT_KIND_NODE] = { "jobmetrics_node_" },
  [JM_SUBJECT_KIND_SYSTEM] = { "jobmetrics_system_" },
  [JM_SUBJECT_KIND_IDLE] = { "jobmetrics_idle_" },
  /* its metrics say of themselves that they are about emissions */
  [JM_SUBJECT_KIND_GRID] = { "jobmetrics_" },
  [JM_SUBJECT_KIND_JOB] = { "jobmetrics_job_" },
  [JM_SUBJECT_KIND_STEP] = { "jobmetrics_step_", { "step" } },
  [JM_SUBJECT_KIND_TASK] = { "jobmetrics_task_", { "step", "task" } },
  [JM_SUBJECT_KIND_GPU] = { "jobmetrics_node_gpu_", { "gpu" } },
  [JM_SUBJECT_KIND_JOB_GPU] = { "jobmetrics_job_gpu_", { "gpu" } },
  [JM_SUBJECT_KIND_LEDGER] = { "jobmetrics_ledger_", { NULL } },
  [JM_SUBJECT_KIND_CLUSTER] = { "jobmetrics_cluster_", { "cluster" } },
  [JM_SUBJECT_KIND_PARTITION] = { "jobmetrics_partition_", { "cluster", "partition" } },
  [JM_SUBJECT_KIND_ACCOUNT] = { "jobmetrics_account_", { "cluster", "account" } },
  [JM_SUBJECT_KIND_USER] = { "jobmetrics_user_", { "cluster", "user" } },
  [JM_SUBJECT_KIND_CLUSTER_NODE] = { "jobmetrics_cluster_node_",
                                     { "cluster", "node" } },
  [JM_SUBJECT_KIND_SCHEDULER] = { "jobmetrics_scheduler_", { "cluster" } },
  [JM_SUBJECT_KIND_ASSOCIATION] = { "jobmetrics_association_",
                                    { "cluster", "account", "user", "partition" } },
};

/* Gets what the names of the exported metrics of such subjects begin with.
 *
 * Returns the prefix, such as `jobmetrics_job_`. */
const char *
jm_subject_kind_get_prefix (JmSubjectKind kind)
{
  g_return_val_if_fail ((guint) kind < JM_N_SUBJECT_KINDS, NULL);

  return kinds[kind].prefix;
}

/* Gets the names of the labels that distinguish such subjects of one job, in the order
 * of jm_snapshot_get_subject_labels().
 *
 * Returns the names, such as `step`; none for the node and for jobs. */
const char *const *
jm_subject_kind_get_label_names (JmSubjectKind kind)
{
  g_return_val_if_fail ((guint) kind < JM_N_SUBJECT_KINDS, NULL);

  return kinds[kind].label_names;
}

void
jm_subject_hold (JmSubject *self)
{
  if (self->job != NULL)
    jm_job_ref (self->job);
  if (self->labels != NULL)
    jm_labels_ref (self->labels);
}

void
jm_subject_clear (JmSubject *self)
{
  g_clear_pointer (&self->job, jm_job_unref);
  g_clear_pointer (&self->labels, jm_labels_unref);
}
