/* jm-metric.c: what can be measured
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-metric-private.h"

#include <string.h>

#define OF(kind) (1u << JM_SUBJECT_KIND_##kind)

static const JmMetricInfo metrics[JM_N_METRICS] = {
#include "core/jm-metrics.inc"
};

static const struct
{
  const char *name;
  const char *help;
  gboolean is_extra; /* off unless somebody turns it on */
} collectors[JM_N_COLLECTORS] = {
  [JM_COLLECTOR_JOBS] = { "jobs", "which jobs there are, and who they are" },
  [JM_COLLECTOR_CPU] = { "cpu", "CPU time, throttling and allocated CPUs of cgroups" },
  [JM_COLLECTOR_PERCPU] = { "percpu", "CPU time by CPU (on cgroup v2 by BPF alone)" },
  [JM_COLLECTOR_MEMORY] = { "memory",
                            "memory use, peak, limits and events of cgroups" },
  [JM_COLLECTOR_MEMORY_STAT] = { "memory.stat", "kinds of memory of a job" },
  [JM_COLLECTOR_PRESSURE] = { "pressure", "stall times (cgroup v2 only)" },
  [JM_COLLECTOR_IO] = { "io", "block IO of cgroups by device" },
  [JM_COLLECTOR_PIDS] = { "pids", "the pids controller" },
  [JM_COLLECTOR_RDMA] = { "rdma", "the rdma controller" },
  [JM_COLLECTOR_HUGETLB] = { "hugetlb", "the hugetlb controller" },
  [JM_COLLECTOR_PROCESS] = { "process", "processes, their IO and executables" },
  [JM_COLLECTOR_THREADS] = { "threads", "threads by state" },
  [JM_COLLECTOR_FILES] = { "files", "open files and use of file systems" },
  [JM_COLLECTOR_NODE] = { "node", "the node's own totals" },
  [JM_COLLECTOR_POWER] = { "power", "energy of the node and its jobs" },
  [JM_COLLECTOR_EMISSIONS] = { "emissions",
                               "emissions of the energy of jobs and nodes" },
  [JM_COLLECTOR_GPU] = { "gpu", "accelerators, their jobs and their use" },
  [JM_COLLECTOR_PERF] = { "perf", "processor counters of cgroups, by perf", TRUE },
  [JM_COLLECTOR_NETWORK] = { "network", "IP traffic of jobs", TRUE },
  [JM_COLLECTOR_FILESYSTEM] = { "filesystem", "reads and writes of jobs by file system",
                                TRUE },
  [JM_COLLECTOR_LEDGER] = { "ledger", "records of the jobs that have ended" },
  [JM_COLLECTOR_SCHEDULER] = { "scheduler",
                               "how schedulers answer, and how they are doing" },
  [JM_COLLECTOR_QUEUE] = { "queue", "the jobs that a scheduler knows" },
  [JM_COLLECTOR_CLUSTER_NODES] = { "cluster.nodes",
                                   "the nodes that a scheduler knows" },
  [JM_COLLECTOR_GRANTS] = { "grants", "partitions, reservations, licences, shares and "
                                      "limits of a scheduler" },
};

const JmMetricInfo *
jm_metric_get_info (JmMetric metric)
{
  g_return_val_if_fail ((guint) metric < JM_N_METRICS, NULL);

  return &metrics[metric];
}

JmMetric
jm_metric_from_info (const JmMetricInfo *info)
{
  return (JmMetric) (info - metrics);
}

/* Returns the name without the prefix of the subject's kind: `memory_used_bytes`. */
const char *
jm_metric_get_name (JmMetric metric)
{
  g_return_val_if_fail ((guint) metric < JM_N_METRICS, NULL);

  return metrics[metric].name;
}

gboolean
jm_metric_is_about (JmMetric metric, JmSubjectKind kind)
{
  g_return_val_if_fail ((guint) metric < JM_N_METRICS, FALSE);
  g_return_val_if_fail ((guint) kind < JM_N_SUBJECT_KINDS, FALSE);

  return (metrics[metric].kinds & (1u << kind)) != 0;
}

/* Whether a metric is what a job holds or does now, such as its CPUs: exported, its
 * series ends with the job, where totals and peaks stay for a while.
 *
 * Returns TRUE if it does. */
gboolean
jm_metric_ends_with_job (JmMetric metric)
{
  g_return_val_if_fail ((guint) metric < JM_N_METRICS, FALSE);

  return !metrics[metric].lasts;
}

/* Finds a metric by its name without the prefix of the subject's kind. Metrics of nodes
 * and of jobs share names.
 *
 * Returns whether there is one of that name. */
gboolean
jm_metric_from_name (const char *name, JmSubjectKind kind, JmMetric *metric)
{
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (metric != NULL, FALSE);

  for (guint i = 0; i < JM_N_METRICS; i++)
    if (jm_metric_is_about (i, kind) && g_str_equal (metrics[i].name, name))
      {
        *metric = i;
        return TRUE;
      }

  return FALSE;
}

/* Returns the value of the label of that name, or NULL if the metric has none. */
const char *
jm_metric_find_label (JmMetric metric, JmLabels *labels, const char *name)
{
  const JmMetricInfo *info = jm_metric_get_info (metric);

  g_return_val_if_fail (info != NULL, NULL);
  g_return_val_if_fail (labels != NULL, NULL);
  g_return_val_if_fail (jm_labels_get_size (labels) == info->n_labels, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; i < info->n_labels; i++)
    if (g_str_equal (info->labels[i], name))
      return jm_labels_get_value (labels, i);

  return NULL;
}

/* Returns whether the label `quality` marks the energy as estimated, not measured. */
gboolean
jm_metric_is_estimated (JmMetric metric, JmLabels *labels)
{
  return g_strcmp0 (jm_metric_find_label (metric, labels, "quality"),
                    JM_QUALITY_ESTIMATED) == 0;
}

/* Converts to the base unit in the metric's name: seconds, bytes, joules, watts, grams,
 * grams per joule, or a count.
 *
 * Returns the figure in base units. */
double
jm_metric_to_base_unit (JmMetric metric, guint64 value)
{
  g_return_val_if_fail ((guint) metric < JM_N_METRICS, 0);

  return jm_unit_to_base (metrics[metric].unit, value);
}

/**
 * jm_collector_get_name:
 * @collector: a collector
 *
 * Gets the name by which options and the collector's own series call it.
 *
 * Returns: the name
 * Since: 0.1
 */
const char *
jm_collector_get_name (JmCollector collector)
{
  g_return_val_if_fail ((guint) collector < JM_N_COLLECTORS, NULL);

  return collectors[collector].name;
}

/**
 * jm_collector_get_help:
 * @collector: a collector
 *
 * Gets what the collector reads, in a few words.
 *
 * Returns: the words
 * Since: 0.1
 */
const char *
jm_collector_get_help (JmCollector collector)
{
  g_return_val_if_fail ((guint) collector < JM_N_COLLECTORS, NULL);

  return collectors[collector].help;
}

/* Whether the collector works unless it is turned off. One that takes rights of its
 * own, or more of the machine than reading files does, waits to be turned on.
 *
 * Returns TRUE if it works unless turned off. */
gboolean
jm_collector_is_usual (JmCollector collector)
{
  g_return_val_if_fail ((guint) collector < JM_N_COLLECTORS, FALSE);

  return !collectors[collector].is_extra;
}

/**
 * jm_collector_from_name:
 * @name: a name, such as `memory.stat`
 * @collector: (out): the collector
 *
 * Finds a collector by its name.
 *
 * Returns: whether there is one of that name
 * Since: 0.1
 */
gboolean
jm_collector_from_name (const char *name, JmCollector *collector)
{
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (collector != NULL, FALSE);

  for (guint i = 0; i < JM_N_COLLECTORS; i++)
    if (g_str_equal (collectors[i].name, name))
      {
        *collector = i;
        return TRUE;
      }

  return FALSE;
}
