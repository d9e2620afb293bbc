/* jm-metric.h: the one table of everything that is measured
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "core/jm-labels.h"
#include "core/jm-subject.h"
#include "core/jm-unit.h"
#include "core/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmCollector:
 * @JM_COLLECTOR_JOBS: which jobs there are, and who they are
 * @JM_COLLECTOR_CPU: CPU time, throttling and allocated CPUs of cgroups
 * @JM_COLLECTOR_PERCPU: CPU time of cgroups by CPU, cgroup v1 only
 * @JM_COLLECTOR_MEMORY: memory use, peak, limits and events of cgroups
 * @JM_COLLECTOR_MEMORY_STAT: what a job's memory consists of (`memory.stat`)
 * @JM_COLLECTOR_PRESSURE: pressure stall information of cgroups, cgroup v2 only
 * @JM_COLLECTOR_IO: block IO of cgroups by device
 * @JM_COLLECTOR_PIDS: the pids controller of cgroups
 * @JM_COLLECTOR_RDMA: the rdma controller of cgroups
 * @JM_COLLECTOR_HUGETLB: the hugetlb controller of cgroups
 * @JM_COLLECTOR_PROCESS: a job's processes, their IO and CPU time by executable
 * @JM_COLLECTOR_THREADS: threads by state
 * @JM_COLLECTOR_FILES: open files and use of configured file systems
 * @JM_COLLECTOR_NODE: the node's own totals
 * @JM_COLLECTOR_POWER: energy of the node, and what of it each job has used
 * @JM_COLLECTOR_EMISSIONS: what that energy has emitted
 * @JM_COLLECTOR_GPU: accelerators, whose they are and what they do
 * @JM_COLLECTOR_LEDGER: records of the jobs that have ended
 * @JM_COLLECTOR_SCHEDULER: how schedulers answer, and how they are doing
 * @JM_COLLECTOR_QUEUE: the jobs that a scheduler knows
 * @JM_COLLECTOR_CLUSTER_NODES: the nodes that a scheduler knows
 *
 * A part of the work that can be turned on and off, succeed and fail by itself.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_COLLECTOR_JOBS,
  JM_COLLECTOR_CPU,
  JM_COLLECTOR_PERCPU,
  JM_COLLECTOR_MEMORY,
  JM_COLLECTOR_MEMORY_STAT,
  JM_COLLECTOR_PRESSURE,
  JM_COLLECTOR_IO,
  JM_COLLECTOR_PIDS,
  JM_COLLECTOR_RDMA,
  JM_COLLECTOR_HUGETLB,
  JM_COLLECTOR_PROCESS,
  JM_COLLECTOR_THREADS,
  JM_COLLECTOR_FILES,
  JM_COLLECTOR_NODE,
  JM_COLLECTOR_POWER,
  JM_COLLECTOR_EMISSIONS,
  JM_COLLECTOR_GPU,
  JM_COLLECTOR_LEDGER,
  JM_COLLECTOR_SCHEDULER,
  JM_COLLECTOR_QUEUE,
  JM_COLLECTOR_CLUSTER_NODES,
} JmCollector;

/**
 * JM_N_COLLECTORS:
 *
 * How many #JmCollector there are.
 *
 * Since: 0.1
 */
#define JM_N_COLLECTORS (JM_COLLECTOR_CLUSTER_NODES + 1)

/**
 * JM_N_NODE_COLLECTORS:
 *
 * How many of them are a node's; those behind are a cluster's.
 *
 * Since: 0.1
 */
#define JM_N_NODE_COLLECTORS (JM_COLLECTOR_LEDGER + 1)

/**
 * JmMetricKind:
 * @JM_METRIC_KIND_GAUGE: a value that goes up and down
 * @JM_METRIC_KIND_COUNTER: a value that only grows while the job lives
 *
 * How a metric moves.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_METRIC_KIND_GAUGE,
  JM_METRIC_KIND_COUNTER,
} JmMetricKind;

/**
 * JmMetric:
 *
 * Everything that is measured. jm_metric_get_info() has name, unit and meaning of
 * each; the manual's table of metrics is made from it.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_METRIC_CPU_USER,
  JM_METRIC_CPU_SYSTEM,
  JM_METRIC_CPU_TOTAL,
  JM_METRIC_CPUS,
  JM_METRIC_CPU_PERIODS,
  JM_METRIC_CPU_THROTTLED_PERIODS,
  JM_METRIC_CPU_THROTTLED,
  JM_METRIC_PERCPU,

  JM_METRIC_MEMORY_USED,
  JM_METRIC_MEMORY_PEAK,
  JM_METRIC_MEMORY_LIMIT,
  JM_METRIC_MEMORY_SWAP_USED,
  JM_METRIC_MEMORY_SWAP_LIMIT,
  JM_METRIC_MEMORY_SWAP_FAILURES,
  JM_METRIC_MEMORY_FAILURES,
  JM_METRIC_MEMORY_OOMS,
  JM_METRIC_MEMORY_OOM_KILLS,

  JM_METRIC_MEMORY_RSS,
  JM_METRIC_MEMORY_RSS_HUGE,
  JM_METRIC_MEMORY_CACHE,
  JM_METRIC_MEMORY_MAPPED,
  JM_METRIC_MEMORY_ACTIVE_FILE,
  JM_METRIC_MEMORY_INACTIVE_FILE,
  JM_METRIC_MEMORY_SHMEM,
  JM_METRIC_MEMORY_SLAB,
  JM_METRIC_MEMORY_UNEVICTABLE,

  JM_METRIC_CPU_PRESSURE_SOME,
  JM_METRIC_CPU_PRESSURE_FULL,
  JM_METRIC_MEMORY_PRESSURE_SOME,
  JM_METRIC_MEMORY_PRESSURE_FULL,
  JM_METRIC_IO_PRESSURE_SOME,
  JM_METRIC_IO_PRESSURE_FULL,

  JM_METRIC_IO_READ_BYTES,
  JM_METRIC_IO_WRITE_BYTES,
  JM_METRIC_IO_READS,
  JM_METRIC_IO_WRITES,

  JM_METRIC_PIDS,
  JM_METRIC_PIDS_LIMIT,

  JM_METRIC_RDMA_HANDLES,
  JM_METRIC_RDMA_OBJECTS,

  JM_METRIC_HUGETLB_USED,
  JM_METRIC_HUGETLB_PEAK,
  JM_METRIC_HUGETLB_LIMIT,
  JM_METRIC_HUGETLB_FAILURES,

  JM_METRIC_PROCESSES,
  JM_METRIC_PROCESSES_PEAK,
  JM_METRIC_PROCESSES_SPAWNED,
  JM_METRIC_PROCESS_FIRST_START,
  JM_METRIC_PROCESS_CPU_USER,
  JM_METRIC_PROCESS_CPU_SYSTEM,
  JM_METRIC_PROCESS_RSS,
  JM_METRIC_PROCESS_READ_BYTES,
  JM_METRIC_PROCESS_WRITE_BYTES,
  JM_METRIC_PROCESS_READ_CHARS,
  JM_METRIC_PROCESS_WRITE_CHARS,
  JM_METRIC_PROCESS_READ_CALLS,
  JM_METRIC_PROCESS_WRITE_CALLS,
  JM_METRIC_EXECUTABLE_CPU,

  JM_METRIC_THREADS,
  JM_METRIC_THREADS_PEAK,

  JM_METRIC_OPEN_FILES,
  JM_METRIC_FILESYSTEM_PROCESSES,

  JM_METRIC_ENERGY,
  JM_METRIC_POWER,
  JM_METRIC_ENERGY_COVERED,
  JM_METRIC_ENERGY_UNREAD,

  JM_METRIC_EMISSIONS,
  JM_METRIC_MARGINAL_EMISSIONS,
  JM_METRIC_EMISSIONS_BY_FACTOR,

  JM_METRIC_NODE_CPU,
  JM_METRIC_NODE_CPUS,
  JM_METRIC_NODE_CORES,
  JM_METRIC_NODE_SOCKETS,
  JM_METRIC_NODE_BOOT_TIME,
  JM_METRIC_NODE_MEMORY_SIZE,
  JM_METRIC_NODE_MEMORY_FREE,
  JM_METRIC_NODE_MEMORY_AVAILABLE,
  JM_METRIC_NODE_MEMORY_CACHE,
  JM_METRIC_NODE_SWAP_SIZE,
  JM_METRIC_NODE_SWAP_FREE,

  JM_METRIC_NODE_ENERGY,
  JM_METRIC_NODE_POWER,
  JM_METRIC_NODE_MEMORY_TRAFFIC,
  JM_METRIC_NODE_POWER_SOURCE_UP,
  JM_METRIC_NODE_POWER_SOURCE_AGE,
  JM_METRIC_NODE_POWER_DOMAIN_UP,
  JM_METRIC_NODE_POWER_STATISTIC,
  JM_METRIC_NODE_POWER_LIMIT,

  JM_METRIC_EMISSION_FACTOR,
  JM_METRIC_EMISSION_FACTOR_AGE,
  JM_METRIC_EMISSION_PROVIDER_UP,

  JM_METRIC_ALLOCATED_GPUS,
  JM_METRIC_NODE_GPU_LIBRARY_UP,
  JM_METRIC_NODE_GPU_LIBRARY_AGE,
  JM_METRIC_GPU_INFO,
  JM_METRIC_GPU_UP,
  JM_METRIC_GPU_JOBS,
  JM_METRIC_GPU_SHARE,
  JM_METRIC_GPU_UTILIZATION,
  JM_METRIC_GPU_MEMORY_UTILIZATION,
  JM_METRIC_GPU_ENGINE_UTILIZATION,
  JM_METRIC_GPU_MEMORY_SIZE,
  JM_METRIC_GPU_MEMORY_USED,
  JM_METRIC_GPU_MULTIPROCESSORS,
  JM_METRIC_GPU_PROCESSES,
  JM_METRIC_GPU_POWER,
  JM_METRIC_GPU_POWER_LIMIT,
  JM_METRIC_GPU_ENERGY,
  JM_METRIC_GPU_IDLE_ENERGY,
  JM_METRIC_GPU_CLOCK,
  JM_METRIC_GPU_TEMPERATURE,
  JM_METRIC_GPU_PCIE_TRAFFIC,
  JM_METRIC_GPU_NVLINK_TRAFFIC,
  JM_METRIC_GPU_PCIE_REPLAYS,
  JM_METRIC_GPU_ECC_ERRORS,
  JM_METRIC_GPU_RETIRED_PAGES,
  JM_METRIC_GPU_REMAPPED_ROWS,
  JM_METRIC_GPU_XID_ERRORS,
  JM_METRIC_GPU_THROTTLE,
  JM_METRIC_GPU_SM_ACTIVE,
  JM_METRIC_GPU_SM_OCCUPANCY,
  JM_METRIC_GPU_PIPE_ACTIVE,
  JM_METRIC_GPU_DRAM_ACTIVE,

  JM_METRIC_LEDGER_UP,
  JM_METRIC_LEDGER_RECORDS,
  JM_METRIC_LEDGER_SIZE,
  JM_METRIC_LEDGER_DROPPED,
  JM_METRIC_LEDGER_JOBS,
  JM_METRIC_LEDGER_CPU,
  JM_METRIC_LEDGER_ENERGY,
  JM_METRIC_LEDGER_EMISSIONS,

  JM_METRIC_SCHEDULER_SUCCESS,
  JM_METRIC_SCHEDULER_AGE,
  JM_METRIC_SCHEDULER_DURATION,
  JM_METRIC_SCHEDULER_FAILURES,
  JM_METRIC_SCHEDULER_UNREAD,

  JM_METRIC_QUEUE_JOBS,
  JM_METRIC_QUEUE_FLAGGED_JOBS,
  JM_METRIC_QUEUE_PENDING_JOBS,
  JM_METRIC_QUEUE_REQUESTED_CPUS,
  JM_METRIC_QUEUE_REQUESTED_MEMORY,
  JM_METRIC_QUEUE_REQUESTED_GPUS,
  JM_METRIC_QUEUE_ALLOCATED_CPUS,
  JM_METRIC_QUEUE_ALLOCATED_MEMORY,
  JM_METRIC_QUEUE_ALLOCATED_GPUS,
  JM_METRIC_QUEUE_OLDEST_PENDING,
  JM_METRIC_QUEUE_MEAN_PENDING,

  JM_METRIC_CLUSTER_NODES,
  JM_METRIC_CLUSTER_FLAGGED_NODES,
  JM_METRIC_CLUSTER_CPUS,
  JM_METRIC_CLUSTER_MEMORY,
  JM_METRIC_CLUSTER_ALLOCATED_MEMORY,
  JM_METRIC_CLUSTER_FREE_MEMORY,
  JM_METRIC_CLUSTER_GPUS,
  JM_METRIC_CLUSTER_NODE_INFO,
  JM_METRIC_CLUSTER_NODE_STATE,
  JM_METRIC_CLUSTER_NODE_FLAG,
  JM_METRIC_CLUSTER_NODE_LOAD,
  JM_METRIC_CLUSTER_NODE_REASON_TIME,

  JM_METRIC_SCHEDULER_THREADS,
  JM_METRIC_SCHEDULER_AGENT_THREADS,
  JM_METRIC_SCHEDULER_AGENT_QUEUE,
  JM_METRIC_SCHEDULER_ACCOUNTING_QUEUE,
  JM_METRIC_SCHEDULER_RESET_TIME,
  JM_METRIC_SCHEDULER_JOBS_SUBMITTED,
  JM_METRIC_SCHEDULER_JOBS_STARTED,
  JM_METRIC_SCHEDULER_JOBS_COMPLETED,
  JM_METRIC_SCHEDULER_JOBS_CANCELLED,
  JM_METRIC_SCHEDULER_JOBS_FAILED,
  JM_METRIC_SCHEDULER_CYCLES,
  JM_METRIC_SCHEDULER_QUEUE_LENGTH,
  JM_METRIC_SCHEDULER_LAST_CYCLE,
  JM_METRIC_SCHEDULER_MAX_CYCLE,
  JM_METRIC_SCHEDULER_MEAN_CYCLE,
  JM_METRIC_SCHEDULER_BACKFILL_CYCLES,
  JM_METRIC_SCHEDULER_BACKFILL_QUEUE_LENGTH,
  JM_METRIC_SCHEDULER_BACKFILL_LAST_CYCLE,
  JM_METRIC_SCHEDULER_BACKFILL_MAX_CYCLE,
  JM_METRIC_SCHEDULER_BACKFILL_MEAN_CYCLE,
  JM_METRIC_SCHEDULER_BACKFILL_LAST_DEPTH,
  JM_METRIC_SCHEDULER_BACKFILL_LAST_DEPTH_TRIED,
  JM_METRIC_SCHEDULER_BACKFILL_MEAN_DEPTH,
  JM_METRIC_SCHEDULER_BACKFILLED_JOBS,
  JM_METRIC_SCHEDULER_BACKFILLED_HET_COMPONENTS,
  JM_METRIC_SCHEDULER_RPCS,
  JM_METRIC_SCHEDULER_RPC_TIME,
  JM_METRIC_SCHEDULER_USER_RPCS,
  JM_METRIC_SCHEDULER_USER_RPC_TIME,
} JmMetric;

/**
 * JM_N_METRICS:
 *
 * How many #JmMetric there are.
 *
 * Since: 0.1
 */
#define JM_N_METRICS (JM_METRIC_SCHEDULER_USER_RPC_TIME + 1)

/**
 * JM_QUALITY_MEASURED:
 *
 * Value of the label `quality` where the energy was measured.
 *
 * Since: 0.1
 */
#define JM_QUALITY_MEASURED "measured"

/**
 * JM_QUALITY_ESTIMATED:
 *
 * Value of the label `quality` where the energy is what such parts usually take.
 *
 * Since: 0.1
 */
#define JM_QUALITY_ESTIMATED "estimated"

/**
 * JmMetricInfo:
 * @metric: the entry's own number
 * @collector: the collector that reads it
 * @kinds: what it may be about, a mask of bits by #JmSubjectKind; see
 *   jm_metric_is_about()
 * @kind: counter or gauge
 * @lasts: whether it still says something of a job that has ended, as totals and peaks do
 * @unit: unit of the integers in snapshots
 * @additive: whether the figures of two cgroups of one job may be added up
 * @name: name without the prefix of the subject's kind, in base units, such as `cpu_seconds_total`
 * @labels: (array zero-terminated=1): names of the labels that tell its values apart,
 *   in the order of the values in #JmLabels
 * @n_labels: how many there are; 0 for a metric that has but one value
 * @help: one sentence for people
 *
 * One entry of the metric table.
 *
 * Since: 0.1
 */
typedef struct
{
  JmMetric metric;
  JmCollector collector;
  guint kinds;
  JmMetricKind kind;
  gboolean lasts;
  JmUnit unit;
  gboolean additive;
  const char *name;
  const char *const *labels;
  guint n_labels;
  const char *help;
} JmMetricInfo;

JM_AVAILABLE_IN_ALL
const JmMetricInfo *jm_metric_get_info (JmMetric metric);

JM_AVAILABLE_IN_ALL
const char *jm_metric_get_name (JmMetric metric);

JM_AVAILABLE_IN_ALL
gboolean jm_metric_is_about (JmMetric metric, JmSubjectKind kind);

JM_AVAILABLE_IN_ALL
gboolean jm_metric_ends_with_job (JmMetric metric);

JM_AVAILABLE_IN_ALL
gboolean jm_metric_from_name (const char *name, JmSubjectKind kind, JmMetric *metric);

JM_AVAILABLE_IN_ALL
gboolean
jm_metric_from_exported_name (const char *name, JmSubjectKind *kind, JmMetric *metric);

JM_AVAILABLE_IN_ALL
const char *jm_metric_find_label (JmMetric metric, JmLabels *labels, const char *name);

JM_AVAILABLE_IN_ALL
gboolean jm_metric_is_estimated (JmMetric metric, JmLabels *labels);

JM_AVAILABLE_IN_ALL
double jm_metric_to_base_unit (JmMetric metric, guint64 value);

JM_AVAILABLE_IN_ALL
const char *jm_collector_get_name (JmCollector collector);

JM_AVAILABLE_IN_ALL
const char *jm_collector_get_help (JmCollector collector);

JM_AVAILABLE_IN_ALL
gboolean jm_collector_from_name (const char *name, JmCollector *collector);

G_END_DECLS
