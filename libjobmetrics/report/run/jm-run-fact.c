/* jm-run-fact.c: what is known of a run, of one of its nodes or accelerators
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/run/jm-run-fact.h"

/* Names end in the unit, but for counts. */
static const struct
{
  const char *name;
  const char *title;
  JmFormat format;
} facts[JM_N_RUN_FACTS] = {
  [JM_RUN_FACT_ELAPSED] = { "elapsed_seconds", "Run time", JM_FORMAT_DURATION },
  [JM_RUN_FACT_TIME_LIMIT] = { "time_limit_seconds", "Time limit", JM_FORMAT_DURATION },
  [JM_RUN_FACT_TIME_SHARE] = { "time_share_percent", "Time", JM_FORMAT_PERCENT },
  [JM_RUN_FACT_WAIT] = { "wait_seconds", "Waited", JM_FORMAT_DURATION },
  [JM_RUN_FACT_OBSERVED] = { "observed_percent", "Observed", JM_FORMAT_PERCENT },
  [JM_RUN_FACT_NODES] = { "nodes", "Nodes", JM_FORMAT_COUNT },
  [JM_RUN_FACT_UNUSED_NODES] = { "unused_nodes", "Unused nodes", JM_FORMAT_COUNT },
  [JM_RUN_FACT_NODE_BALANCE] = { "node_balance_percent", "Balance of nodes",
                                 JM_FORMAT_PERCENT },
  [JM_RUN_FACT_CPUS] = { "cpus", "CPUs", JM_FORMAT_COUNT },
  [JM_RUN_FACT_CPU_TIME] = { "cpu_seconds", "CPU time", JM_FORMAT_DURATION },
  [JM_RUN_FACT_CPU_AVAILABLE] = { "cpu_available_seconds", "CPU time available",
                                  JM_FORMAT_DURATION },
  [JM_RUN_FACT_CPU_UNUSED] = { "cpu_unused_seconds", "CPU time unused",
                               JM_FORMAT_DURATION },
  [JM_RUN_FACT_CPU_EFFICIENCY] = { "cpu_efficiency_percent", "CPU", JM_FORMAT_PERCENT },
  [JM_RUN_FACT_CPUS_USED] = { "cpus_used", "Busy CPUs", JM_FORMAT_COUNT },
  [JM_RUN_FACT_CPUS_USED_PEAK] = { "cpus_used_peak", "Most busy CPUs",
                                   JM_FORMAT_COUNT },
  [JM_RUN_FACT_CPU_EVENNESS] = { "cpu_evenness_percent", "Evenness over time",
                                 JM_FORMAT_PERCENT },
  [JM_RUN_FACT_CPU_BALANCE] = { "cpu_balance_percent", "Balance of CPUs",
                                JM_FORMAT_PERCENT },
  [JM_RUN_FACT_CPU_SYSTEM_SHARE] = { "cpu_system_percent", "CPU time of the kernel",
                                     JM_FORMAT_PERCENT },
  [JM_RUN_FACT_IDLE_AT_END] = { "idle_at_end_seconds", "Idle at its end",
                                JM_FORMAT_DURATION },
  [JM_RUN_FACT_MEMORY_PEAK] = { "memory_peak_bytes", "Memory peak", JM_FORMAT_BYTES },
  [JM_RUN_FACT_MEMORY_ALLOCATED] = { "memory_allocated_bytes", "Memory given",
                                     JM_FORMAT_BYTES },
  [JM_RUN_FACT_MEMORY_SHARE] = { "memory_share_percent", "Memory", JM_FORMAT_PERCENT },
  [JM_RUN_FACT_MEMORY_FULLEST] = { "memory_fullest_percent", "Memory of fullest node",
                                   JM_FORMAT_PERCENT },
  [JM_RUN_FACT_MEMORY_UNUSED] = { "memory_unused_bytes", "Memory unused",
                                  JM_FORMAT_BYTES },
  [JM_RUN_FACT_MEMORY_PER_CPU] = { "memory_per_cpu_bytes", "Memory for each CPU",
                                   JM_FORMAT_BYTES },
  [JM_RUN_FACT_MEMORY_FAILURES] = { "memory_failures", "Times at the memory limit",
                                    JM_FORMAT_COUNT },
  [JM_RUN_FACT_OOM_KILLS] = { "oom_kills", "Killed for lack of memory",
                              JM_FORMAT_COUNT },
  [JM_RUN_FACT_SWAP_USED] = { "swap_used_bytes", "Swap", JM_FORMAT_BYTES },
  [JM_RUN_FACT_CPU_WAIT] = { "cpu_wait_percent", "Waiting for CPUs",
                             JM_FORMAT_PERCENT },
  [JM_RUN_FACT_MEMORY_WAIT] = { "memory_wait_percent", "Waiting for memory",
                                JM_FORMAT_PERCENT },
  [JM_RUN_FACT_IO_WAIT] = { "io_wait_percent", "Waiting for IO", JM_FORMAT_PERCENT },
  [JM_RUN_FACT_PROCESSES_PEAK] = { "processes_peak", "Most processes",
                                   JM_FORMAT_COUNT },
  [JM_RUN_FACT_THREADS_PEAK] = { "threads_peak", "Most threads", JM_FORMAT_COUNT },
  [JM_RUN_FACT_THREADS_PER_CPU] = { "threads_per_cpu", "Most threads for each CPU",
                                    JM_FORMAT_COUNT },
  [JM_RUN_FACT_READ] = { "read_bytes", "Read", JM_FORMAT_BYTES },
  [JM_RUN_FACT_WRITTEN] = { "written_bytes", "Written", JM_FORMAT_BYTES },
  [JM_RUN_FACT_IO_CALLS] = { "io_calls", "Reads and writes", JM_FORMAT_COUNT },
  [JM_RUN_FACT_BYTES_PER_CALL] = { "bytes_per_call", "Bytes for each",
                                   JM_FORMAT_BYTES },
  [JM_RUN_FACT_OPEN_FILES] = { "open_files", "Open files", JM_FORMAT_COUNT },
  [JM_RUN_FACT_SCRATCH_PROCESSES] = { "scratch_processes", "Processes on scratch",
                                      JM_FORMAT_COUNT },
  [JM_RUN_FACT_GPUS] = { "gpus", "GPUs", JM_FORMAT_COUNT },
  [JM_RUN_FACT_UNUSED_GPUS] = { "unused_gpus", "Unused GPUs", JM_FORMAT_COUNT },
  [JM_RUN_FACT_GPU_UTILIZATION] = { "gpu_utilization_percent", "GPU",
                                    JM_FORMAT_PERCENT },
  [JM_RUN_FACT_GPU_UNUSED] = { "gpu_unused_seconds", "GPU time unused",
                               JM_FORMAT_DURATION },
  [JM_RUN_FACT_GPU_IDLE_AT_END] = { "gpu_idle_at_end_seconds", "GPUs idle at its end",
                                    JM_FORMAT_DURATION },
  [JM_RUN_FACT_GPU_MEMORY_PEAK] = { "gpu_memory_peak_bytes", "GPU memory peak",
                                    JM_FORMAT_BYTES },
  [JM_RUN_FACT_GPU_MEMORY] = { "gpu_memory_bytes", "Memory of a GPU", JM_FORMAT_BYTES },
  [JM_RUN_FACT_GPU_MEMORY_SHARE] = { "gpu_memory_share_percent", "GPU memory",
                                     JM_FORMAT_PERCENT },
  [JM_RUN_FACT_GPU_TENSOR] = { "gpu_tensor_percent", "Tensor cores",
                               JM_FORMAT_PERCENT },
  [JM_RUN_FACT_ENERGY] = { "energy_joules", "Energy", JM_FORMAT_JOULES },
  [JM_RUN_FACT_ENERGY_LOST] = { "energy_lost_joules", "Energy for nothing",
                                JM_FORMAT_JOULES },
  [JM_RUN_FACT_EMISSIONS] = { "emissions_grams", "CO2 equivalent", JM_FORMAT_GRAMS },
};

/**
 * jm_run_fact_get_name:
 * @fact: a fact
 *
 * Gets the name of a fact in rules and documents, with its unit.
 *
 * Returns: the name, such as `cpu_efficiency_percent`
 * Since: 0.1
 */
const char *
jm_run_fact_get_name (JmRunFact fact)
{
  g_return_val_if_fail ((guint) fact < JM_N_RUN_FACTS, NULL);

  return facts[fact].name;
}

/**
 * jm_run_fact_get_title:
 * @fact: a fact
 *
 * Gets what people are told that a fact is.
 *
 * Returns: a few words
 * Since: 0.1
 */
const char *
jm_run_fact_get_title (JmRunFact fact)
{
  g_return_val_if_fail ((guint) fact < JM_N_RUN_FACTS, NULL);

  return facts[fact].title;
}

/**
 * jm_run_fact_get_format:
 * @fact: a fact
 *
 * Gets what a fact measures, and so how people are told it.
 *
 * Returns: the format
 * Since: 0.1
 */
JmFormat
jm_run_fact_get_format (JmRunFact fact)
{
  g_return_val_if_fail ((guint) fact < JM_N_RUN_FACTS, JM_FORMAT_TEXT);

  return facts[fact].format;
}

/**
 * jm_run_fact_from_name:
 * @name: a name
 * @fact: (out): return location for the fact
 *
 * Finds a fact by its name.
 *
 * Returns: whether there is one that is called so
 * Since: 0.1
 */
gboolean
jm_run_fact_from_name (const char *name, JmRunFact *fact)
{
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (fact != NULL, FALSE);

  for (JmRunFact i = 0; i < JM_N_RUN_FACTS; i++)
    if (g_str_equal (facts[i].name, name))
      {
        *fact = i;
        return TRUE;
      }

  return FALSE;
}
