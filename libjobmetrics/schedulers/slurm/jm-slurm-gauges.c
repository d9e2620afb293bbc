/* jm-slurm-gauges.c: what Slurm's own metrics endpoint has, put into records
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurm-gauges-private.h"

#include <math.h>
#include <string.h>

#include "schedulers/jm-scheduler-report-private.h"

/* Up to here a double distinguishes whole numbers. */
#define COUNT_MAX 9007199254740992.0
#define MEBIBYTE_SHIFT 20
#define MICROSECOND 1e-6

/* --- values --- */

static gboolean
take_count (double value, guint shift, gint64 *place)
{
  if (!(value >= 0 && value <= COUNT_MAX) || value != floor (value) ||
      (gint64) value > G_MAXINT64 >> shift)
    return FALSE;
  *place = (gint64) value << shift;

  return TRUE;
}

static gboolean
take_real (double value, double unit, double *place)
{
  if (!(value >= 0 && value <= COUNT_MAX))
    return FALSE;
  *place = value * unit;

  return TRUE;
}

static gboolean
take (const JmSlurmGauge *gauge, double value, gpointer record)
{
  gpointer place = G_STRUCT_MEMBER_P (record, gauge->offset);

  switch (gauge->kind)
    {
    case JM_SLURM_GAUGE_COUNT:
      return take_count (value, 0, place);
    case JM_SLURM_GAUGE_MEBIBYTES:
      return take_count (value, MEBIBYTE_SHIFT, place);
    case JM_SLURM_GAUGE_REAL:
      return take_real (value, 1, place);
    case JM_SLURM_GAUGE_MICROSECONDS:
      return take_real (value, MICROSECOND, place);
    default:
      g_return_val_if_reached (FALSE);
    }
}

void
jm_slurm_gauges_take (const JmSlurmGauge *gauges,
                      guint n_gauges,
                      const char *name,
                      const JmExpositionSample *sample,
                      JmSchedulerReport *report,
                      gpointer record)
{
  for (guint i = 0; i < n_gauges; i++)
    if (strcmp (gauges[i].name, name) == 0)
      {
        g_autofree char *complaint = NULL;

        if (take (&gauges[i], sample->value, record))
          return;
        complaint =
          g_strdup_printf ("%s: not such a value: %g", sample->name, sample->value);
        jm_scheduler_report_complain (report, complaint);
        return;
      }
}

guint
jm_slurm_gauges_read (JmSchedulerReport *report,
                      const char *path,
                      const char *text,
                      gsize length,
                      JmSlurmGaugesFunc func,
                      gpointer data)
{
  g_auto (JmExpositionReader) reader = { 0 };
  g_autoptr (GError) error = NULL;
  JmExpositionSample sample;
  guint n = 0;

  jm_exposition_reader_init (&reader, text, length);
  do
    {
      g_clear_error (&error);
      while (jm_exposition_reader_next (&reader, &sample, &error))
        if (g_str_has_prefix (sample.name, JM_SLURM_GAUGES_PREFIX))
          {
            func (&sample, data);
            n++;
          }
      if (error != NULL)
        {
          g_autofree char *complaint = g_strdup_printf ("%s: %s", path, error->message);

          jm_scheduler_report_complain (report, complaint);
        }
    }
  while (error != NULL);

  return n;
}

/* --- nodes and partitions --- */

typedef struct
{
  JmSchedulerNodeSums sums;
  gint64 all;
} NodeCounts;

typedef struct
{
  JmSchedulerReport *report;
  GHashTable *places; /* of names: their number, counted from 1 */
  NodeCounts *counts;
  GArray *partitions; /* of JmSchedulerPartition */
} Listing;

/* The part of a metric's name that is behind @prefix; NULL where it is not that. */
static const char *
skip_prefix (const char *name, const char *prefix)
{
  gsize length = strlen (prefix);

  return strncmp (name, prefix, length) == 0 ? name + length : NULL;
}

/* Finds the number of what a label names, counted from 1; a new one has the next. 0
 * where it has no name, or there is no room. */
static guint
find_place (Listing *self,
            const JmExpositionSample *sample,
            const char *label,
            gboolean *is_new)
{
  const char *name = jm_exposition_sample_get_label (sample, label);
  guint place;

  *is_new = FALSE;
  if (name == NULL || *name == '\0')
    return 0;
  place = GPOINTER_TO_UINT (g_hash_table_lookup (self->places, name));
  if (place > 0)
    return place;

  place = g_hash_table_size (self->places) + 1;
  if (place > JM_SLURM_GAUGES_NAMES_MAX)
    {
      jm_scheduler_report_pass_over (self->report, "too many names");
      return 0;
    }
  *is_new = TRUE;
  g_hash_table_insert (self->places, g_strdup (name), GUINT_TO_POINTER (place));

  return place;
}

static const JmSlurmGauge node_gauges[] = {
#define NODE(name, kind, member)                                                       \
 {                                                                                     \
  name, JM_SLURM_GAUGE_##kind, G_STRUCT_OFFSET (JmSchedulerNode, member)               \
 }
  NODE ("cpus_effective", COUNT, cpus),
  NODE ("cpus_alloc", COUNT, cpus_allocated),
  NODE ("cpus_idle", COUNT, cpus_idle),
  NODE ("gpus", COUNT, gpus),
  NODE ("gpus_alloc", COUNT, gpus_allocated),
  NODE ("memory_bytes", MEBIBYTES, memory_bytes),
  NODE ("memory_alloc_bytes", MEBIBYTES, memory_allocated_bytes),
  NODE ("memory_free_bytes", MEBIBYTES, memory_free_bytes),
#undef NODE
};

/* `drained` and `draining` are states that have the flag. */
static const JmSlurmGauge node_count_gauges[] = {
#define STATE(name, state)                                                             \
 {                                                                                     \
  name, JM_SLURM_GAUGE_COUNT,                                                          \
    G_STRUCT_OFFSET (NodeCounts, sums.states[JM_SCHEDULER_NODE_STATE_##state])         \
 }
#define FLAG(name, flag)                                                               \
 {                                                                                     \
  name, JM_SLURM_GAUGE_COUNT,                                                          \
    G_STRUCT_OFFSET (NodeCounts, sums.flags[JM_SCHEDULER_NODE_FLAG_##flag])            \
 }
  { "", JM_SLURM_GAUGE_COUNT, G_STRUCT_OFFSET (NodeCounts, all) },
  STATE ("_unknown", UNKNOWN),
  STATE ("_down", DOWN),
  STATE ("_idle", IDLE),
  STATE ("_alloc", ALLOCATED),
  STATE ("_mixed", MIXED),
  STATE ("_future", FUTURE),
  FLAG ("_blocked", BLOCKED),
  FLAG ("_cloud", CLOUD),
  FLAG ("_completing", COMPLETING),
  FLAG ("_drain", DRAIN),
  FLAG ("_dyn_future", DYNAMIC_FUTURE),
  FLAG ("_dyn_normal", DYNAMIC_NORM),
  FLAG ("_external", EXTERNAL),
  FLAG ("_fail", FAIL),
  FLAG ("_invalid_reg", INVALID_REG),
  FLAG ("_maint", MAINTENANCE),
  FLAG ("_noresp", NOT_RESPONDING),
  FLAG ("_planned", PLANNED),
  FLAG ("_power_down", POWER_DOWN),
  FLAG ("_power_up", POWER_UP),
  FLAG ("_powered_down", POWERED_DOWN),
  FLAG ("_powering_down", POWERING_DOWN),
  FLAG ("_powering_up", POWERING_UP),
  FLAG ("_reboot_issued", REBOOT_ISSUED),
  FLAG ("_reboot_req", REBOOT_REQUESTED),
  FLAG ("_resv", RESERVED),
#undef FLAG
#undef STATE
};

static void
on_node (const JmExpositionSample *sample, gpointer data)
{
  Listing *self = data;
  const char *rest = skip_prefix (sample->name, JM_SLURM_GAUGES_PREFIX "node_");
  const char *count = skip_prefix (sample->name, JM_SLURM_GAUGES_PREFIX "nodes");
  gboolean is_new;
  guint place;

  if (count != NULL)
    jm_slurm_gauges_take (node_count_gauges, G_N_ELEMENTS (node_count_gauges), count,
                          sample, self->report, self->counts);
  if (rest == NULL)
    return;
  place = find_place (self, sample, "node", &is_new);
  if (place == 0)
    return;

  if (is_new)
    jm_scheduler_report_append_node (self->report)->name =
      jm_scheduler_report_keep (self->report,
                                jm_exposition_sample_get_label (sample, "node"));
  jm_slurm_gauges_take (node_gauges, G_N_ELEMENTS (node_gauges), rest, sample,
                        self->report,
                        jm_scheduler_report_edit_node (self->report, place - 1));
}

static void
finish_node (JmSchedulerReport *report, JmSchedulerNode *node)
{
  JmSchedulerGpus gpus = { .gres = "gpu",
                           .total = node->gpus,
                           .allocated = node->gpus_allocated };

  /* of a node that has not said it yet */
  if (node->memory_free_bytes == 0)
    node->memory_free_bytes = -1;
  if (node->gpus <= 0)
    return;

  node->first_gpus = jm_scheduler_report_add_gpus (report, &gpus);
  node->n_gpus = 1;
}

/* Nodes beyond those of the states that Slurm counts are in one that it does not. */
static void
finish_node_counts (JmSchedulerReport *report, NodeCounts *counts)
{
  gint64 *unknown = &counts->sums.states[JM_SCHEDULER_NODE_STATE_UNKNOWN];
  gint64 rest = counts->all;

  for (guint i = 0; i < JM_N_SCHEDULER_NODE_STATES; i++)
    if (i != JM_SCHEDULER_NODE_STATE_UNKNOWN)
      rest -= MIN (MAX (counts->sums.states[i], 0), MAX (rest, 0));
  *unknown = MAX (*unknown, rest);
  jm_scheduler_report_set_node_sums (report, &counts->sums);
}

guint
jm_slurm_gauges_read_nodes (JmSchedulerReport *report,
                            const char *path,
                            const char *text,
                            gsize length)
{
  g_autoptr (GHashTable) places =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  NodeCounts counts;
  Listing listing = { .report = report, .places = places, .counts = &counts };
  guint n;

  /* each count is -1 then */
  memset (&counts, 0xff, sizeof counts);
  n = jm_slurm_gauges_read (report, path, text, length, on_node, &listing);
  finish_node_counts (report, &counts);
  for (guint i = 0; i < g_hash_table_size (places); i++)
    finish_node (report, jm_scheduler_report_edit_node (report, i));

  return n;
}

static const JmSlurmGauge partition_gauges[] = {
#define PARTITION(name, kind, member)                                                  \
 {                                                                                     \
  name, JM_SLURM_GAUGE_##kind, G_STRUCT_OFFSET (JmSchedulerPartition, member)          \
 }
  PARTITION ("nodes", COUNT, nodes),
  PARTITION ("cpus", COUNT, cpus),
  PARTITION ("gpus", COUNT, gpus),
  PARTITION ("nodes_mem_tot", MEBIBYTES, memory_bytes),
#undef PARTITION
};

static void
on_partition (const JmExpositionSample *sample, gpointer data)
{
  Listing *self = data;
  const char *rest = skip_prefix (sample->name, JM_SLURM_GAUGES_PREFIX "partition_");
  gboolean is_new;
  guint place;

  if (rest == NULL)
    return;
  place = find_place (self, sample, "partition", &is_new);
  if (place == 0)
    return;

  if (is_new)
    {
      JmSchedulerPartition partition;

      jm_scheduler_partition_init (&partition);
      partition.name =
        jm_scheduler_report_keep (self->report,
                                  jm_exposition_sample_get_label (sample, "partition"));
      g_array_append_val (self->partitions, partition);
    }
  jm_slurm_gauges_take (partition_gauges, G_N_ELEMENTS (partition_gauges), rest, sample,
                        self->report,
                        &g_array_index (self->partitions, JmSchedulerPartition,
                                        place - 1));
}

guint
jm_slurm_gauges_read_partitions (JmSchedulerReport *report,
                                 const char *path,
                                 const char *text,
                                 gsize length)
{
  g_autoptr (GHashTable) places =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GArray) partitions =
    g_array_new (FALSE, FALSE, sizeof (JmSchedulerPartition));
  Listing listing = { .report = report, .places = places, .partitions = partitions };
  guint n = jm_slurm_gauges_read (report, path, text, length, on_partition, &listing);

  for (guint i = 0; i < partitions->len; i++)
    jm_scheduler_report_add_partition (report,
                                       &g_array_index (partitions, JmSchedulerPartition,
                                                       i));

  return n;
}

/* --- the scheduler --- */

typedef struct
{
  JmSchedulerReport *report;
  JmSchedulerDiagnostics record;
} Diagnosis;

/* Slurm's manual has two of the names as sched_*. */
static const JmSlurmGauge scheduler_gauges[] = {
#define GAUGE(name, kind, member)                                                      \
 {                                                                                     \
  name, JM_SLURM_GAUGE_##kind, G_STRUCT_OFFSET (JmSchedulerDiagnostics, member)        \
 }
  GAUGE ("last_proc_req_start", COUNT, reset_time),
  GAUGE ("sched_stats_timestamp", COUNT, read_time),
  GAUGE ("server_thread_cnt", COUNT, server_threads),
  GAUGE ("agent_queue_size", COUNT, agent_queue),
  GAUGE ("agent_thread_cnt", COUNT, agent_threads),
  GAUGE ("slurmdbd_queue_size", COUNT, dbd_queue),
  GAUGE ("sdiag_jobs_submitted", COUNT, jobs_submitted),
  GAUGE ("sdiag_jobs_started", COUNT, jobs_started),
  GAUGE ("sdiag_jobs_completed", COUNT, jobs_completed),
  GAUGE ("sdiag_jobs_canceled", COUNT, jobs_cancelled),
  GAUGE ("sdiag_jobs_failed", COUNT, jobs_failed),
  GAUGE ("sdiag_jobs_pending", COUNT, jobs_pending),
  GAUGE ("sdiag_jobs_running", COUNT, jobs_running),
  GAUGE ("schedule_cycle_cnt", COUNT, cycles),
  GAUGE ("sched_cycle_cnt", COUNT, cycles),
  GAUGE ("schedule_queue_len", COUNT, queue_length),
  GAUGE ("schedule_cycle_last", MICROSECONDS, last_cycle_seconds),
  GAUGE ("sched_cycle_last", MICROSECONDS, last_cycle_seconds),
  GAUGE ("schedule_cycle_max", MICROSECONDS, max_cycle_seconds),
  GAUGE ("sched_mean_cycle", MICROSECONDS, mean_cycle_seconds),
  GAUGE ("backfilled_jobs", COUNT, backfilled_jobs),
  GAUGE ("last_backfilled_jobs", COUNT, backfilled_last_jobs),
  GAUGE ("backfilled_het_jobs", COUNT, backfilled_het_jobs),
  GAUGE ("bf_cycle_cnt", COUNT, backfill_cycles),
  GAUGE ("bf_queue_len", COUNT, backfill_queue_length),
  GAUGE ("bf_last_depth", COUNT, backfill_last_depth),
  GAUGE ("bf_last_depth_try", COUNT, backfill_last_depth_try),
  GAUGE ("bf_cycle_last", MICROSECONDS, backfill_last_cycle_seconds),
  GAUGE ("bf_cycle_max", MICROSECONDS, backfill_max_cycle_seconds),
  GAUGE ("bf_mean_cycle", MICROSECONDS, backfill_mean_cycle_seconds),
  GAUGE ("bf_depth_mean", REAL, backfill_mean_depth),
#undef GAUGE
};

static void
on_scheduler (const JmExpositionSample *sample, gpointer data)
{
  Diagnosis *self = data;
  const char *rest = skip_prefix (sample->name, JM_SLURM_GAUGES_PREFIX);

  if (rest != NULL)
    jm_slurm_gauges_take (scheduler_gauges, G_N_ELEMENTS (scheduler_gauges), rest,
                          sample, self->report, &self->record);
}

guint
jm_slurm_gauges_read_scheduler (JmSchedulerReport *report,
                                const char *path,
                                const char *text,
                                gsize length)
{
  Diagnosis diagnosis = { .report = report };
  guint n;

  jm_scheduler_diagnostics_init (&diagnosis.record);
  n = jm_slurm_gauges_read (report, path, text, length, on_scheduler, &diagnosis);
  jm_scheduler_report_set_diagnostics (report, &diagnosis.record);

  return n;
}
