/* jm-slurm-tres-private.h: what Slurm counts: CPUs, memory, GPUs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-slurm-value-private.h"

G_BEGIN_DECLS

/* More kinds of GPUs than any job or node has. */
#define JM_SLURM_GPU_TYPES_MAX 16

/* GPUs of one kind; of which kind it is does not stand there where @type is empty. */
typedef struct
{
  JmSlice type; /* `a100`, `a100_1g.5gb` */
  guint64 count;
} JmSlurmGpus;

/* What a job or a node has, in the text that was parsed. */
typedef struct
{
  guint64 cpus;
  guint64 memory_bytes;
  guint64 nodes;
  guint64 gpus; /* of all kinds */
  guint64 shards;
  guint64 mps;
  gboolean has_cpus;
  gboolean has_memory;
  gboolean has_nodes;
  gboolean has_gpus;
  JmSlurmGpus types[JM_SLURM_GPU_TYPES_MAX];
  guint n_types;
} JmSlurmTres;

/* `cpu=4,mem=16G,node=1,billing=4,gres/gpu=2,gres/gpu:a100=2`: the last two are the
 * same devices. FALSE where it breaks its format; what is absent has nothing. */
gboolean jm_slurm_parse_tres (JmSlice text, JmSlurmTres *tres);

/* `gpu:a100:4(S:0-1),gpu:a100_1g.5gb:7,gpu:2,shard:8`, as nodes have it: each stands
 * for devices of its own. */
gboolean jm_slurm_parse_gres (JmSlice text, JmSlurmTres *tres);

G_END_DECLS
