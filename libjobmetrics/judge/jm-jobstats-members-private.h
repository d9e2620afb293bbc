/* jm-jobstats-members-private.h: what jobstats calls figures of a run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-quantity-private.h"

G_BEGIN_DECLS

typedef struct
{
  const char *name;
  JmQuantityId quantity;
  int decimals;
} JmJobstatsMember;

#define JM_N_JOBSTATS_NODE_MEMBERS 4
#define JM_N_JOBSTATS_GPU_MEMBERS 3

/* What each node must have, and each of its accelerators. */
extern const JmJobstatsMember jm_jobstats_node_members[JM_N_JOBSTATS_NODE_MEMBERS];
extern const JmJobstatsMember jm_jobstats_gpu_members[JM_N_JOBSTATS_GPU_MEMBERS];

G_END_DECLS
