/* jm-subject.h: what figures are about
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "core/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmSubjectKind:
 * @JM_SUBJECT_KIND_NODE: the whole node
 * @JM_SUBJECT_KIND_SYSTEM: what runs on the node and is no job's
 * @JM_SUBJECT_KIND_IDLE: what of the node nobody uses
 * @JM_SUBJECT_KIND_GRID: the electricity that feeds the node
 * @JM_SUBJECT_KIND_JOB: a job, all of its steps together
 * @JM_SUBJECT_KIND_STEP: one step of a job
 * @JM_SUBJECT_KIND_TASK: one task of a step
 * @JM_SUBJECT_KIND_GPU: one of the node's accelerators, or an instance of one, whoever
 *   uses it
 * @JM_SUBJECT_KIND_JOB_GPU: what one job has of one accelerator
 * @JM_SUBJECT_KIND_LEDGER: the records of jobs that have ended
 * @JM_SUBJECT_KIND_CLUSTER: all that one scheduler looks after
 * @JM_SUBJECT_KIND_PARTITION: a part of a cluster's nodes with a queue of its own
 * @JM_SUBJECT_KIND_ACCOUNT: on whose behalf a cluster's jobs run
 * @JM_SUBJECT_KIND_USER: whose a cluster's jobs are
 * @JM_SUBJECT_KIND_CLUSTER_NODE: a node, as its scheduler sees it
 * @JM_SUBJECT_KIND_SCHEDULER: who looks after a cluster
 * @JM_SUBJECT_KIND_ASSOCIATION: an account, or a user of an account, in one partition or
 *   in all
 *
 * What a figure is about.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_SUBJECT_KIND_NODE,
  JM_SUBJECT_KIND_SYSTEM,
  JM_SUBJECT_KIND_IDLE,
  JM_SUBJECT_KIND_GRID,
  JM_SUBJECT_KIND_JOB,
  JM_SUBJECT_KIND_STEP,
  JM_SUBJECT_KIND_TASK,
  JM_SUBJECT_KIND_GPU,
  JM_SUBJECT_KIND_JOB_GPU,
  JM_SUBJECT_KIND_LEDGER,
  JM_SUBJECT_KIND_CLUSTER,
  JM_SUBJECT_KIND_PARTITION,
  JM_SUBJECT_KIND_ACCOUNT,
  JM_SUBJECT_KIND_USER,
  JM_SUBJECT_KIND_CLUSTER_NODE,
  JM_SUBJECT_KIND_SCHEDULER,
  JM_SUBJECT_KIND_ASSOCIATION,
} JmSubjectKind;

/**
 * JM_N_SUBJECT_KINDS:
 *
 * How many #JmSubjectKind there are.
 *
 * Since: 0.1
 */
#define JM_N_SUBJECT_KINDS (JM_SUBJECT_KIND_ASSOCIATION + 1)

JM_AVAILABLE_IN_ALL
const char *jm_subject_kind_get_prefix (JmSubjectKind kind);

JM_AVAILABLE_IN_ALL
const char *const *jm_subject_kind_get_label_names (JmSubjectKind kind);

G_END_DECLS
