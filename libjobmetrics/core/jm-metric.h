/* jm-metric.h: what can be measured
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"
#include "core/jm-labels.h"

G_BEGIN_DECLS

/**
 * JmUnit:
 * @JM_UNIT_COUNT: things, as they are counted
 * @JM_UNIT_NANOSECONDS: exported as seconds
 * @JM_UNIT_MICROSECONDS: exported as seconds
 * @JM_UNIT_BYTES: bytes
 * @JM_UNIT_MICROJOULES: exported as joules
 * @JM_UNIT_MICROWATTS: exported as watts
 * @JM_UNIT_MICROGRAMS: exported as grams
 * @JM_UNIT_MICROGRAMS_PER_KWH: exported as grams per joule
 * @JM_UNIT_PARTS_PER_MILLION: exported as a ratio, 0 to 1
 * @JM_UNIT_MILLICELSIUS: exported as degrees Celsius
 * @JM_UNIT_HERTZ: hertz
 *
 * The integer unit in which the library keeps a metric.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_UNIT_COUNT,
  JM_UNIT_NANOSECONDS,
  JM_UNIT_MICROSECONDS,
  JM_UNIT_BYTES,
  JM_UNIT_MICROJOULES,
  JM_UNIT_MICROWATTS,
  JM_UNIT_MICROGRAMS,
  JM_UNIT_MICROGRAMS_PER_KWH,
  JM_UNIT_PARTS_PER_MILLION,
  JM_UNIT_MILLICELSIUS,
  JM_UNIT_HERTZ,
} JmUnit;

/**
 * JM_N_UNITS:
 *
 * How many #JmUnit there are.
 *
 * Since: 0.1
 */
#define JM_N_UNITS (JM_UNIT_HERTZ + 1)

/**
 * JmUnitInfo:
 * @unit: the unit
 * @base: (nullable): the base unit as it stands in metrics' names, such as `seconds`;
 *   %NULL for what is but counted
 * @divisor: how many of the unit make one of the base unit
 * @n_decimals: how many decimals of the base unit are one of the unit, where @divisor
 *   is a power of ten; -1 where it is none
 *
 * An entry of the table of units.
 *
 * Since: 0.1
 */
typedef struct
{
  JmUnit unit;
  const char *base;
  guint64 divisor;
  gint n_decimals;
} JmUnitInfo;

JM_AVAILABLE_IN_ALL
const JmUnitInfo *jm_unit_get_info (JmUnit unit);

/**
 * JmSubjectKind:
 * @JM_SUBJECT_KIND_NODE: the whole node
 * @JM_SUBJECT_KIND_SYSTEM: what runs on the node and is no job's
 * @JM_SUBJECT_KIND_IDLE: the unused part of the node
 * @JM_SUBJECT_KIND_GRID: the electricity that feeds the node
 * @JM_SUBJECT_KIND_JOB: a job, all of its steps together
 * @JM_SUBJECT_KIND_STEP: one step of a job
 * @JM_SUBJECT_KIND_TASK: one task of a step
 * @JM_SUBJECT_KIND_GPU: one of the node's accelerators, or an instance of one, used or
 *   not
 * @JM_SUBJECT_KIND_JOB_GPU: what one job has of one accelerator
 * @JM_SUBJECT_KIND_LEDGER: the records of jobs that have ended
 * @JM_SUBJECT_KIND_CLUSTER: all that one scheduler looks after
 * @JM_SUBJECT_KIND_PARTITION: a part of a cluster's nodes with a queue of its own
 * @JM_SUBJECT_KIND_ACCOUNT: on whose behalf a cluster's jobs run
 * @JM_SUBJECT_KIND_USER: whose a cluster's jobs are
 * @JM_SUBJECT_KIND_CLUSTER_NODE: a node, as its scheduler sees it
 * @JM_SUBJECT_KIND_SCHEDULER: who looks after a cluster
 * @JM_SUBJECT_KIND_ASSOCIATION: an account, or a user of an account, in one partition or
 *   in all
 *
 * What a figure is about.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_SUBJECT_KIND_NODE,
  JM_SUBJECT_KIND_SYSTEM,
  JM_SUBJECT_KIND_IDLE,
  JM_SUBJECT_KIND_GRID,
  JM_SUBJECT_KIND_JOB,
  JM_SUBJECT_KIND_STEP,
  JM_SUBJECT_KIND_TASK,
  JM_SUBJECT_KIND_GPU,
  JM_SUBJECT_KIND_JOB_GPU,
  JM_SUBJECT_KIND_LEDGER,
  JM_SUBJECT_KIND_CLUSTER,
  JM_SUBJECT_KIND_PARTITION,
  JM_SUBJECT_KIND_ACCOUNT,
  JM_SUBJECT_KIND_USER,
  JM_SUBJECT_KIND_CLUSTER_NODE,
  JM_SUBJECT_KIND_SCHEDULER,
  JM_SUBJECT_KIND_ASSOCIATION,
} JmSubjectKind;

/**
 * JM_N_SUBJECT_KINDS:
 *
 * How many #JmSubjectKind there are.
 *
 * Since: 0.1
 */
#define JM_N_SUBJECT_KINDS (JM_SUBJECT_KIND_ASSOCIATION + 1)

/**
 * JmCollector:
 * @JM_COLLECTOR_JOBS: which jobs there are, and who they are
 * @JM_COLLECTOR_CPU: CPU time, throttling and allocated CPUs of cgroups
 * @JM_COLLECTOR_PERCPU: CPU time of cgroups by CPU; of version 2 by BPF alone
 * @JM_COLLECTOR_MEMORY: memory use, peak, limits and events of cgroups
 * @JM_COLLECTOR_MEMORY_STAT: kinds of memory of a job (`memory.stat`)
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
 * @JM_COLLECTOR_EMISSIONS: emissions of the energy of jobs and nodes
 * @JM_COLLECTOR_GPU: accelerators, their jobs and their use
 * @JM_COLLECTOR_PERF: processor counters of cgroups, by perf; only where it was turned on
 * @JM_COLLECTOR_NETWORK: what the sockets of cgroups send and receive; only where it
 *   was turned on
 * @JM_COLLECTOR_FILESYSTEM: what cgroups do to the files of each file system; only
 *   where it was turned on
 * @JM_COLLECTOR_LEDGER: records of the jobs that have ended
 * @JM_COLLECTOR_SCHEDULER: how schedulers answer, and how they are doing
 * @JM_COLLECTOR_QUEUE: the jobs that a scheduler knows
 * @JM_COLLECTOR_CLUSTER_NODES: the nodes that a scheduler knows
 * @JM_COLLECTOR_GRANTS: what a scheduler grants: partitions, reservations, licences,
 *   shares and limits
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
  JM_COLLECTOR_PERF,
  JM_COLLECTOR_NETWORK,
  JM_COLLECTOR_FILESYSTEM,
  JM_COLLECTOR_LEDGER,
  JM_COLLECTOR_SCHEDULER,
  JM_COLLECTOR_QUEUE,
  JM_COLLECTOR_CLUSTER_NODES,
  JM_COLLECTOR_GRANTS,
} JmCollector;

/**
 * JM_N_COLLECTORS:
 *
 * How many #JmCollector there are.
 *
 * Since: 0.1
 */
#define JM_N_COLLECTORS (JM_COLLECTOR_GRANTS + 1)

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
 * @collector: the collector that reads it
 * @kinds: what it may be about, a mask of bits by #JmSubjectKind
 * @kind: counter or gauge
 * @lasts: whether it stays after the job's end, as totals and peaks do
 * @unit: unit of the integers in snapshots
 * @additive: whether the figures of two cgroups of one job may be added up
 * @name: name without the prefix of the subject's kind, in base units, such as `cpu_seconds_total`
 * @labels: (array zero-terminated=1): names of the labels that distinguish its values,
 *   in the order of the values in #JmLabels
 * @n_labels: how many there are; 0 for a metric that has but one value
 * @help: one sentence for people
 *
 * How a quantity that is measured stands on /metrics: see
 * jm_quantity_get_metric_info().
 *
 * Since: 0.1
 */
typedef struct
{
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
const char *jm_collector_get_name (JmCollector collector);

JM_AVAILABLE_IN_ALL
const char *jm_collector_get_help (JmCollector collector);

JM_AVAILABLE_IN_ALL
gboolean jm_collector_from_name (const char *name, JmCollector *collector);

G_END_DECLS
