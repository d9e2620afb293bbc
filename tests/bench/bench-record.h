/* bench-record.h: what a steady sweep reads
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "node/jm-node.h"

#include "bench-accesses.h"

/* Ten seconds and more: for so long a cgroup's missing files are asked for again. */
#define BENCH_SETTLE_US 12000000

/* What one sweep reads. */
typedef struct
{
  GArray *accesses;   /* of BenchAccess */
  GPtrArray *missing; /* of char * */
} BenchRecord;

/* The node that BENCH_NODE names; states of threads are read in each sweep. */
JmNode *bench_record_open_node (JmSubjectKind level, gboolean uses_bpf);

/* Whether it was opened to use BPF, and the kernel lets it. */
gboolean bench_record_runs_bpf (JmNode *node);

/* A BenchFunc: sweeps once, or ends the program. */
void bench_record_sweep (gpointer node);

/* Who a job is, is asked in its first sweeps only, and files that its cgroups do not
 * have are looked for in its first seconds; what is read in all sweeps that follow is
 * what counts. Takes BENCH_SETTLE_US at least. */
BenchRecord bench_record_steady_sweep (JmNode *node);
void bench_record_clear (BenchRecord *self);
