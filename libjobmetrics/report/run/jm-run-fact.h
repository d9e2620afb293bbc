/* jm-run-fact.h: what is known of a run, of one of its nodes or accelerators
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/jm-field.h"

G_BEGIN_DECLS

/**
 * JmRunFact:
 * @JM_RUN_FACT_ELAPSED: how long it ran, seconds
 * @JM_RUN_FACT_TIME_LIMIT: how long it might take, seconds
 * @JM_RUN_FACT_TIME_SHARE: what it ran, of what it might, per cent
 * @JM_RUN_FACT_WAIT: how long it waited to begin, seconds
 * @JM_RUN_FACT_OBSERVED: how much of its life was observed where least of it was, per
 *   cent; absent where the scheduler's accounting alone told of it
 * @JM_RUN_FACT_NODES: nodes that it was given
 * @JM_RUN_FACT_UNUSED_NODES: those of them that did nothing
 * @JM_RUN_FACT_NODE_BALANCE: CPU efficiency of the node that did least, of that which
 *   did most, per cent
 * @JM_RUN_FACT_CPUS: CPUs that it was given
 * @JM_RUN_FACT_CPU_TIME: CPU time that it used, seconds
 * @JM_RUN_FACT_CPU_AVAILABLE: CPU time that it was given, seconds
 * @JM_RUN_FACT_CPU_UNUSED: the difference
 * @JM_RUN_FACT_CPU_EFFICIENCY: CPU time that it used, of what it was given, per cent
 * @JM_RUN_FACT_CPUS_USED: CPUs that were busy, in the mean
 * @JM_RUN_FACT_CPUS_USED_PEAK: the most in any interval of its profile; of several nodes
 *   the sum of theirs
 * @JM_RUN_FACT_CPU_EVENNESS: mean of busy CPUs, of the most, per cent; of several nodes
 *   that of the least even one
 * @JM_RUN_FACT_CPU_BALANCE: CPU time of the CPU that did least, of the mean of all, per
 *   cent
 * @JM_RUN_FACT_CPU_SYSTEM_SHARE: what of the CPU time was the kernel's, per cent
 * @JM_RUN_FACT_IDLE_AT_END: for how long at its end it used no CPU, seconds
 * @JM_RUN_FACT_MEMORY_PEAK: the most memory on any one node, bytes
 * @JM_RUN_FACT_MEMORY_ALLOCATED: memory that it was given on each node, bytes
 * @JM_RUN_FACT_MEMORY_SHARE: the most memory, of what it was given: of all nodes
 *   together, per cent
 * @JM_RUN_FACT_MEMORY_FULLEST: the same of the node that was fullest
 * @JM_RUN_FACT_MEMORY_UNUSED: what was never used, bytes, of all nodes together
 * @JM_RUN_FACT_MEMORY_PER_CPU: memory that it was given for each CPU, bytes
 * @JM_RUN_FACT_MEMORY_FAILURES: times that its memory was about to pass the limit
 * @JM_RUN_FACT_OOM_KILLS: processes killed for want of memory
 * @JM_RUN_FACT_SWAP_USED: swap in use when it was last read, bytes
 * @JM_RUN_FACT_CPU_WAIT: part of its time in which some task waited for a CPU, per cent
 * @JM_RUN_FACT_MEMORY_WAIT: part of its time in which some task waited for memory
 * @JM_RUN_FACT_IO_WAIT: part of its time in which some task waited for input or output
 * @JM_RUN_FACT_PROCESSES_PEAK: most processes at once on any one node
 * @JM_RUN_FACT_THREADS_PEAK: most threads at once on any one node
 * @JM_RUN_FACT_THREADS_PER_CPU: most threads at once, for each CPU of that node
 * @JM_RUN_FACT_READ: bytes that its processes read, caches included
 * @JM_RUN_FACT_WRITTEN: bytes that its processes wrote, caches included
 * @JM_RUN_FACT_IO_CALLS: calls by which they did
 * @JM_RUN_FACT_BYTES_PER_CALL: bytes for each call
 * @JM_RUN_FACT_OPEN_FILES: files that were open when it was last read
 * @JM_RUN_FACT_SCRATCH_PROCESSES: processes that were on a file system that the site
 *   watches, such as scratch, when it was last read
 * @JM_RUN_FACT_GPUS: accelerators that it was given
 * @JM_RUN_FACT_UNUSED_GPUS: those of them that did nothing
 * @JM_RUN_FACT_GPU_UTILIZATION: how busy they were, in the mean, per cent
 * @JM_RUN_FACT_GPU_UNUSED: time for which they were given and idle, seconds, of all
 *   together
 * @JM_RUN_FACT_GPU_IDLE_AT_END: for how long at its end it used no accelerator, seconds
 * @JM_RUN_FACT_GPU_MEMORY_PEAK: the most memory on any one accelerator, bytes
 * @JM_RUN_FACT_GPU_MEMORY: memory of that accelerator, bytes
 * @JM_RUN_FACT_GPU_MEMORY_SHARE: the most memory, of what the accelerator has, per cent
 * @JM_RUN_FACT_GPU_TENSOR: how busy the tensor pipes were when they were last read, per
 *   cent
 * @JM_RUN_FACT_ENERGY: energy, joules
 * @JM_RUN_FACT_ENERGY_LOST: energy of a run that came to nothing: it failed, or was ended
 *   for its time, its memory or its node, joules
 * @JM_RUN_FACT_EMISSIONS: CO2 equivalent, grams
 *
 * A figure of a run, of one of its nodes, or of one of its accelerators. Advice is
 * given by these, and reports show them.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_RUN_FACT_ELAPSED,
  JM_RUN_FACT_TIME_LIMIT,
  JM_RUN_FACT_TIME_SHARE,
  JM_RUN_FACT_WAIT,
  JM_RUN_FACT_OBSERVED,
  JM_RUN_FACT_NODES,
  JM_RUN_FACT_UNUSED_NODES,
  JM_RUN_FACT_NODE_BALANCE,
  JM_RUN_FACT_CPUS,
  JM_RUN_FACT_CPU_TIME,
  JM_RUN_FACT_CPU_AVAILABLE,
  JM_RUN_FACT_CPU_UNUSED,
  JM_RUN_FACT_CPU_EFFICIENCY,
  JM_RUN_FACT_CPUS_USED,
  JM_RUN_FACT_CPUS_USED_PEAK,
  JM_RUN_FACT_CPU_EVENNESS,
  JM_RUN_FACT_CPU_BALANCE,
  JM_RUN_FACT_CPU_SYSTEM_SHARE,
  JM_RUN_FACT_IDLE_AT_END,
  JM_RUN_FACT_MEMORY_PEAK,
  JM_RUN_FACT_MEMORY_ALLOCATED,
  JM_RUN_FACT_MEMORY_SHARE,
  JM_RUN_FACT_MEMORY_FULLEST,
  JM_RUN_FACT_MEMORY_UNUSED,
  JM_RUN_FACT_MEMORY_PER_CPU,
  JM_RUN_FACT_MEMORY_FAILURES,
  JM_RUN_FACT_OOM_KILLS,
  JM_RUN_FACT_SWAP_USED,
  JM_RUN_FACT_CPU_WAIT,
  JM_RUN_FACT_MEMORY_WAIT,
  JM_RUN_FACT_IO_WAIT,
  JM_RUN_FACT_PROCESSES_PEAK,
  JM_RUN_FACT_THREADS_PEAK,
  JM_RUN_FACT_THREADS_PER_CPU,
  JM_RUN_FACT_READ,
  JM_RUN_FACT_WRITTEN,
  JM_RUN_FACT_IO_CALLS,
  JM_RUN_FACT_BYTES_PER_CALL,
  JM_RUN_FACT_OPEN_FILES,
  JM_RUN_FACT_SCRATCH_PROCESSES,
  JM_RUN_FACT_GPUS,
  JM_RUN_FACT_UNUSED_GPUS,
  JM_RUN_FACT_GPU_UTILIZATION,
  JM_RUN_FACT_GPU_UNUSED,
  JM_RUN_FACT_GPU_IDLE_AT_END,
  JM_RUN_FACT_GPU_MEMORY_PEAK,
  JM_RUN_FACT_GPU_MEMORY,
  JM_RUN_FACT_GPU_MEMORY_SHARE,
  JM_RUN_FACT_GPU_TENSOR,
  JM_RUN_FACT_ENERGY,
  JM_RUN_FACT_ENERGY_LOST,
  JM_RUN_FACT_EMISSIONS,
} JmRunFact;

/**
 * JM_N_RUN_FACTS:
 *
 * How many #JmRunFact there are.
 *
 * Since: 0.1
 */
#define JM_N_RUN_FACTS (JM_RUN_FACT_EMISSIONS + 1)

JM_AVAILABLE_IN_ALL
const JmQuantity *jm_run_fact_get_quantity (JmRunFact fact);

JM_AVAILABLE_IN_ALL
gboolean jm_run_fact_from_name (const char *name, JmRunFact *fact);

G_END_DECLS
