/* jm-metric.h: what can be measured
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "core/jm-labels.h"
#include "core/jm-metric-id.h"
#include "core/jm-subject.h"
#include "core/jm-unit.h"
#include "core/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmCollector:
 * @JM_COLLECTOR_JOBS: which jobs there are, and who they are
 * @JM_COLLECTOR_CPU: CPU time, throttling and allocated CPUs of cgroups
 * @JM_COLLECTOR_PERCPU: CPU time of cgroups by CPU; of version 2 by BPF alone
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
 * @JM_COLLECTOR_PERF: what perf counts of cgroups; only where it was turned on
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
gboolean jm_collector_is_usual (JmCollector collector);

JM_AVAILABLE_IN_ALL
gboolean jm_collector_from_name (const char *name, JmCollector *collector);

G_END_DECLS
