/* jm-record-bounds.c: which records of nodes cannot be true
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/pull/jm-record-bounds-private.h"

#include "core/jm-snapshot-private.h"
#include "sources/power/jm-power-bound-private.h"

#define SLACK_US G_TIME_SPAN_DAY
/* As many as Linux can be built for, where the record does not have the number of the
 * node's. A job may use more CPUs than it was given. */
#define MAX_CPUS 8192
#define NS_PER_US 1000
/* Of 52 bits, the longest physical address of x86-64 and of arm64. */
#define MAX_MEMORY_BYTES (G_GUINT64_CONSTANT (1) << 52)

/* What a job on the node of a record can use at most. */
typedef struct
{
  double elapsed_us;
  double cpus;
  double memory_bytes;
} Bounds;

static double
get_elapsed_us (JmJobRecord *record)
{
  gint64 end_us = jm_job_record_get_state (record) == JM_RUN_STATE_RUNNING
                    ? jm_job_record_get_seen_time (record)
                    : jm_job_record_get_end_time (record);

  return (double) end_us - (double) jm_job_record_get_begin_time (record);
}

static double
get_size (JmSnapshot *snapshot, JmMetric metric, double unknown)
{
  double size;

  return jm_snapshot_get_value (snapshot, JM_NODE_SUBJECT, metric, &size) && size > 0
           ? size
           : unknown;
}

static Bounds
get_bounds (JmSnapshot *snapshot, double elapsed_us)
{
  return (Bounds){
    .elapsed_us = elapsed_us,
    .cpus = MIN (get_size (snapshot, JM_METRIC_NODE_CPUS, MAX_CPUS), MAX_CPUS),
    .memory_bytes =
      MIN (get_size (snapshot, JM_METRIC_NODE_MEMORY_SIZE, (double) MAX_MEMORY_BYTES) +
             get_size (snapshot, JM_METRIC_NODE_SWAP_SIZE, 0),
           (double) MAX_MEMORY_BYTES),
  };
}

/* The record splits a counter of a node by labels, such as energy by domain: each part
 * of it has the bound of the whole. */
static double
get_bound (JmMetric metric, const Bounds *bounds)
{
  const double seconds = bounds->elapsed_us / G_USEC_PER_SEC;

  switch (metric)
    {
    case JM_METRIC_CPU_TOTAL:
    case JM_METRIC_CPU_USER:
    case JM_METRIC_CPU_SYSTEM:
      return bounds->elapsed_us * NS_PER_US * bounds->cpus;
    case JM_METRIC_MEMORY_PEAK:
    case JM_METRIC_MEMORY_USED:
      return bounds->memory_bytes;
    case JM_METRIC_ENERGY:
      return seconds * (double) jm_power_get_bound_uw (JM_POWER_DOMAIN_NODE);
    case JM_METRIC_GPU_ENERGY:
      return seconds * (double) jm_power_get_bound_uw (JM_POWER_DOMAIN_GPU);
    default:
      return G_MAXDOUBLE;
    }
}

static char *
find_figure (JmJobRecord *record, double elapsed_us)
{
  JmSnapshot *snapshot = jm_job_record_get_snapshot (record);
  const Bounds bounds = get_bounds (snapshot, elapsed_us);
  guint n_subjects;

  jm_snapshot_get_subjects (snapshot, &n_subjects);
  for (guint subject = 0; subject < n_subjects; subject++)
    {
      guint n_readings;
      const JmReading *readings =
        jm_snapshot_get_readings_of (snapshot, subject, &n_readings);

      for (guint i = 0; i < n_readings; i++)
        if ((double) readings[i].value > get_bound (readings[i].metric, &bounds))
          return g_strdup_printf ("%s is beyond what a node can have in %.0f s",
                                  jm_metric_get_info (readings[i].metric)->name,
                                  (elapsed_us - SLACK_US) / G_USEC_PER_SEC);
    }

  return NULL;
}

static char *
find_future (JmJobRecord *record, gint64 now_us)
{
  static const JmJobField fields[] = { JM_JOB_FIELD_SUBMIT_TIME,
                                       JM_JOB_FIELD_START_TIME };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      const char *text = jm_job_get_field (jm_job_record_get_job (record), fields[i]);
      gint64 seconds;

      if (text != NULL &&
          g_ascii_string_to_signed (text, 10, 0, G_MAXINT64, &seconds, NULL) &&
          seconds > (now_us + SLACK_US) / G_USEC_PER_SEC)
        return g_strdup_printf ("%s %s is in the future",
                                jm_job_field_get_name (fields[i]), text);
    }

  return NULL;
}

char *
jm_record_bounds_find_fault (JmJobRecord *record, gint64 now_us)
{
  double elapsed_us = get_elapsed_us (record) + SLACK_US;
  char *fault;

  if (elapsed_us < 0)
    return g_strdup ("it ends before it begins");
  fault = find_future (record, now_us);

  return fault != NULL ? fault : find_figure (record, elapsed_us);
}
