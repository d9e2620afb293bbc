/* jm-slurm-resources-private.h: what jobs and nodes of Slurm have
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/slurm/jm-slurm-tres-private.h"

G_BEGIN_DECLS

/* Counts a list of @name with items that could not be read, and keeps the first. */
void jm_slurm_complain_of_tres (JmSchedulerReport *report,
                                const char *name,
                                const JmSlurmTres *tres);

/* `cpu=4,mem=16G,node=1,gres/gpu=2`, that a job asked for, or has; its GPUs by their
 * types only of what it asks for while it waits, and of what it has afterwards. Its
 * state has to be known. @name is that of the field. */
void jm_slurm_take_job_tres (JmSchedulerReport *report,
                             JmSchedulerJob *job,
                             const char *name,
                             JmSlice text,
                             gboolean is_requested);

/* The GPUs of a node, and what they are shared out as. */
void jm_slurm_set_node_gpus (JmSchedulerReport *report,
                             JmSchedulerNode *node,
                             const JmSlurmTres *total,
                             const JmSlurmTres *used);

G_END_DECLS
