/* jm-slurm-answer-roles-private.h: who slurmrestd says may see what
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-slurm-answer-private.h"
#include "store/jm-run-batch.h"

G_BEGIN_DECLS

/* All are taken by a #JmSlurmRoles. */
extern const JmSlurmShape jm_slurm_accounts_shape;
extern const JmSlurmShape jm_slurm_users_shape;
extern const JmSlurmShape jm_slurm_clusters_shape;

typedef struct
{
  const char *cluster;
  JmRunBatch *batch;    /* gets the coordinators */
  GStrvBuilder *admins; /* gets administrators and operators */
  gboolean has_cluster;
} JmSlurmRoles;

G_END_DECLS
