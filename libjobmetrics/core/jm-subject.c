/* jm-subject.c: what figures are about
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-subject.h"

static const char *const prefixes[JM_N_SUBJECT_KINDS] = {
  [JM_SUBJECT_KIND_NODE] = "jobmetrics_node_",
  [JM_SUBJECT_KIND_SYSTEM] = "jobmetrics_system_",
  [JM_SUBJECT_KIND_IDLE] = "jobmetrics_idle_",
  /* its metrics say of themselves that they are about emissions */
  [JM_SUBJECT_KIND_GRID] = "jobmetrics_",
  [JM_SUBJECT_KIND_JOB] = "jobmetrics_job_",
  [JM_SUBJECT_KIND_STEP] = "jobmetrics_step_",
  [JM_SUBJECT_KIND_TASK] = "jobmetrics_task_",
};

/**
 * jm_subject_kind_get_prefix:
 * @kind: a kind of subject
 *
 * Gets what the names of the exported metrics of such subjects begin with.
 *
 * Returns: the prefix, such as `jobmetrics_job_`
 * Since: 0.1
 */
const char *
jm_subject_kind_get_prefix (JmSubjectKind kind)
{
  g_return_val_if_fail ((guint) kind < JM_N_SUBJECT_KINDS, NULL);

  return prefixes[kind];
}
