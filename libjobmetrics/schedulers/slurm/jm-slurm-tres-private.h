/* jm-slurm-tres-private.h: what Slurm counts: CPUs, memory, GPUs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "schedulers/jm-scheduler-value-private.h"

G_BEGIN_DECLS

/* More kinds of GPUs than any job or node has. */
#define JM_SLURM_GPU_TYPES_MAX 16

/* Kinds of items that are read. Billing, licences and a site's own are left. */
typedef enum
{
  JM_SLURM_ITEM_CPU = 1 << 0,
  JM_SLURM_ITEM_MEM = 1 << 1,
  JM_SLURM_ITEM_NODE = 1 << 2,
  JM_SLURM_ITEM_GPU = 1 << 3,
  JM_SLURM_ITEM_SHARD = 1 << 4,
  JM_SLURM_ITEM_MPS = 1 << 5,
  JM_SLURM_ITEM_OTHER = 1 << 6, /* an item that is none of any kind */
} JmSlurmItem;

/* GPUs of one type. */
typedef struct
{
  JmSlice type; /* `a100`, `a100_1g.5gb`; empty: they have none */
  gint64 count; /* -1: unknown */
} JmSlurmGpus;

/* What a job or a node has, in the text that was parsed; -1: unknown. Counts that
 * belong together are summed up, to G_MAXINT64 at most. */
typedef struct
{
  gint64 cpus;
  gint64 memory_bytes;
  gint64 nodes;
  gint64 gpus; /* of all types */
  gint64 shards;
  gint64 mps;
  JmSlurmGpus types[JM_SLURM_GPU_TYPES_MAX];
  guint n_types;
  guint named;  /* an item of these is there */
  guint unread; /* an item of these could not be read */
  JmSlice bad;  /* the first of those items */
} JmSlurmTres;

/* Both are total. FALSE where an item could not be read, which costs that item: all
 * others are there. A text that is absent has none. */

/* `cpu=4,mem=16G,node=1,billing=4,gres/gpu=2,gres/gpu:a100=2`: the last two are the
 * same devices. Without an item of a kind its count is unknown. */
gboolean jm_slurm_parse_tres (JmSlice text, JmSlurmTres *tres);

/* `gpu:a100:4(S:0-1),gpu:a100_1g.5gb:7,gpu:2,shard:8`, as nodes have it: each stands
 * for devices of its own. Without an item of a kind there are 0. */
gboolean jm_slurm_parse_gres (JmSlice text, JmSlurmTres *tres);

/* The memory of a job, whose list of resources has @memory_bytes; -1: unknown. `mem=0`
 * (`--mem=0`) is all that the nodes have, and no amount. */
gint64 jm_slurm_get_job_memory (gint64 memory_bytes);

/* How many of @type there are; -1: unknown. */
gint64 jm_slurm_tres_count_type (const JmSlurmTres *tres, JmSlice type);

G_END_DECLS
