/* jm-slurm-answer-past-private.h: runs and roles that slurmrestd answers
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-run-batch-private.h"
#include "schedulers/slurm/jm-sacct-rows-private.h"
#include "schedulers/slurm/jm-slurm-answer-private.h"

G_BEGIN_DECLS

/* Makes runs of them. */
typedef struct _JmSlurmRuns JmSlurmRuns;

/* Up to the version 0.0.38 a run that ended by itself is always listed with the code 0,
 * which is then believed of such as were successful only. @rows stays the caller's. */
JmSlurmRuns *jm_slurm_runs_new (JmSacctRows *rows, guint version);
void jm_slurm_runs_free (JmSlurmRuns *self);

/* Of the answer that @self takes. */
const JmSlurmShape *jm_slurm_runs_get_shape (JmSlurmRuns *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSlurmRuns, jm_slurm_runs_free)

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
