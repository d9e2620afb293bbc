/* jm-run-figures.c: how the figures of a report are calculated
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-run-figures-private.h"

#include <math.h>

#include "core/jm-derived.h"
#include "core/jm-figure-private.h"
#include "core/jm-job-profile-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-record-field-private.h"
#include "core/jm-run-derived-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-snapshot-private.h"

/* An accelerator that was observed for less of its time has no mean. */
#define GPU_OBSERVED_PERCENT 50
/* A point of a profile that uses less of what is given is one at rest. */
#define IDLE_RATIO 0.01
/* For how many seconds after it was seen last a node is as it was then. */
#define SEEN_SECONDS 900
/* A count that is so near to a whole number is one. */
#define LEAST_PART 1e-9

static const JmFigure absent = { 0, FALSE, FALSE };

/* --- nodes --- */

/* A figure that records have under the same name. */
static JmFigure
get_record_figure (JmJobRecord *record, const char *name)
{
  JmRecordField field;

  return jm_record_field_from_name (name, &field)
           ? jm_record_field_get_figure (&field, record)
           : absent;
}

/* CPU time of the CPU that did least, of the mean; absent where one CPU is unknown. */
static JmFigure
get_cpu_balance (JmSnapshot *snapshot, JmFigure cpus)
{
  g_autoptr (GPtrArray) all =
    jm_snapshot_list_metric_labels (snapshot, JM_RECORD_SUBJECT, JM_METRIC_PERCPU);
  JmFigure least = absent;
  JmFigure sum = absent;

  for (guint i = 0; i < all->len; i++)
    {
      JmFigure cpu = jm_figure_of_metric_label (snapshot, JM_RECORD_SUBJECT,
                                                JM_METRIC_PERCPU, all->pdata[i]);

      sum = jm_figure_add (sum, cpu);
      if (cpu.is_known && (!least.is_known || cpu.value < least.value))
        least = cpu;
    }
  if (!cpus.is_known || cpus.value < 2 || (double) all->len != cpus.value)
    return absent;

  return jm_figure_get_share (least, jm_figures_divide (sum, cpus));
}

/* --- profiles --- */

static double
get_interval (JmJobProfile *profile)
{
  return (double) jm_job_profile_get_interval (profile) / G_USEC_PER_SEC;
}

static JmFigure
get_cpus_used_peak (JmJobProfile *profile)
{
  gsize n;
  g_autofree double *values =
    jm_job_profile_list_values (profile, JM_PROFILE_SERIES_CPU, &n);
  double peak = NAN;

  /* the last one is seldom whole */
  for (gsize i = 0; values != NULL && i + 1 < n; i++)
    if (!isnan (values[i]) && !(values[i] <= peak))
      peak = values[i];

  return isnan (peak) ? absent : jm_figure_known (peak / get_interval (profile));
}

/* Below what a point of a series is one at rest; NAN where it is not known. */
static double
get_idle_threshold (const JmFigures *f, JmJobProfile *profile, JmProfileSeries series)
{
  const JmFigure cpus = jm_figures_get (f, JM_QUANTITY_CPUS);

  if (series != JM_PROFILE_SERIES_CPU)
    return IDLE_RATIO;

  return cpus.is_known ? cpus.value * get_interval (profile) * IDLE_RATIO : NAN;
}

/* For how long at its end the node was idle; absent where nobody saw. */
static JmFigure
get_rest_at_end (const JmFigures *f, JmJobProfile *profile, JmProfileSeries series)
{
  const JmFigure elapsed = jm_figures_get (f, JM_QUANTITY_ELAPSED);
  const double threshold = get_idle_threshold (f, profile, series);
  gsize n;
  g_autofree double *values = jm_job_profile_list_values (profile, series, &n);
  gsize n_idle = 0;
  double rest;

  if (values == NULL || n < 2 || isnan (threshold) || !elapsed.is_known)
    return absent;
  while (n_idle < n && values[n - 1 - n_idle] < threshold)
    n_idle++;
  if (n_idle < n && isnan (values[n - 1 - n_idle]))
    return absent;

  rest = elapsed.value - (double) (n - n_idle) * get_interval (profile);

  /* the last interval is seldom whole */
  return jm_figure_known (CLAMP (rest, 0, (double) n_idle * get_interval (profile)));
}

/* Whether a node was idle for a point of its profile that was seen for half of it at
 * least; the last one is over when the node was seen last. */
static gboolean
is_idle_point (const JmRunReportNode *node, JmProfileSeries series, guint point)
{
  JmJobProfile *profile = jm_job_record_get_profile (node->record);
  const gint64 interval_us = jm_job_profile_get_interval (profile);
  const gint64 begin_us = jm_job_profile_get_begin_time (profile) + point * interval_us;
  const gint64 length_us =
    MIN (jm_job_record_get_seen_time (node->record) - begin_us, interval_us);
  const double part = (double) length_us / (double) interval_us;
  guint n_points = 0;
  gsize n;
  const JmProfilePoint *points = jm_job_profile_get_points (profile, series, &n_points);
  g_autofree double *values = jm_job_profile_list_values (profile, series, &n);

  return points != NULL && values != NULL && point < n_points && point < n &&
         points[point].seen_us > 0 && points[point].seen_us * 2 >= length_us &&
         values[point] < get_idle_threshold (node->figures, profile, series) *
                           (jm_profile_series_is_sum (series) ? part : 1);
}

/* On one node. */
static gboolean
find_node_idle (const JmRunReportNode *node,
                JmProfileSeries series,
                gint64 at_us,
                gint64 *since_us)
{
  JmJobProfile *profile =
    node->record != NULL ? jm_job_record_get_profile (node->record) : NULL;
  gint64 seen_us;
  guint point, first;

  if (profile == NULL)
    return FALSE;

  seen_us = jm_job_record_get_seen_time (node->record);
  if (at_us > seen_us + SEEN_SECONDS * G_USEC_PER_SEC ||
      !jm_job_profile_find_point (profile, MIN (at_us, seen_us - 1), &point))
    return FALSE;

  for (first = point + 1; first > 0 && is_idle_point (node, series, first - 1);)
    first--;
  *since_us = jm_job_profile_get_begin_time (profile) +
              first * jm_job_profile_get_interval (profile);

  return first <= point;
}

/**
 * jm_run_report_find_idle:
 * @self: a report
 * @series: %JM_PROFILE_SERIES_CPU, or %JM_PROFILE_SERIES_GPU_UTILIZATION
 * @at: seconds since 1970
 * @since: (out): since when it was idle then, seconds since 1970
 *
 * Whether all nodes of a run were idle at a time: each used less than one in a hundred
 * of its CPUs, or of its accelerators. It is as exact as the profile's interval. A node
 * that was not observed within 15 minutes before is not idle, and neither is one during
 * an interval in which it was not observed.
 *
 * Returns: whether they were
 * Since: 0.1
 */
gboolean
jm_run_report_find_idle (JmRunReport *self,
                         JmProfileSeries series,
                         gint64 at,
                         gint64 *since)
{
  gint64 n_nodes;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (series == JM_PROFILE_SERIES_CPU ||
                          series == JM_PROFILE_SERIES_GPU_UTILIZATION,
                        FALSE);
  g_return_val_if_fail (since != NULL, FALSE);

  *since = 0;
  /* without their number nobody knows whether all were read */
  if (!jm_run_get_number (self->run, JM_RUN_FIELD_NODES, &n_nodes))
    return FALSE;
  for (guint i = 0; i < self->nodes->len; i++)
    {
      gint64 since_us;

      if (!find_node_idle (jm_run_report_peek_node (self, i), series,
                           at * G_USEC_PER_SEC, &since_us))
        return FALSE;
      *since = MAX (*since, since_us / G_USEC_PER_SEC);
    }

  return self->nodes->len > 0 && self->nodes->len >= (guint64) n_nodes;
}

static void
take_profile (JmFigures *f, JmJobProfile *profile)
{
  jm_figures_set (f, JM_QUANTITY_CPUS_USED_PEAK, get_cpus_used_peak (profile));
  jm_figures_set (f, JM_QUANTITY_IDLE_AT_END,
                  get_rest_at_end (f, profile, JM_PROFILE_SERIES_CPU));
  jm_figures_set (f, JM_QUANTITY_GPU_IDLE_AT_END,
                  get_rest_at_end (f, profile, JM_PROFILE_SERIES_GPU_UTILIZATION));
}

/* --- a node --- */

/* The scheduler grants each node the same. */
static void
take_granted_memory (JmFigures *f, JmRun *run)
{
  if (!jm_figures_get (f, JM_QUANTITY_MEMORY_ALLOCATED).is_known)
    jm_figures_set (
      f, JM_QUANTITY_MEMORY_ALLOCATED,
      jm_figures_divide (jm_run_derived_get_figure (run, JM_RUN_FIELD_MEMORY_ALLOCATED),
                         jm_run_derived_get_figure (run, JM_RUN_FIELD_NODES)));
}

static void
take_node_record (JmFigures *f, JmJobRecord *record)
{
  JmSnapshot *snapshot = jm_job_record_get_snapshot (record);

  jm_figures_set (f, JM_QUANTITY_ELAPSED,
                  get_record_figure (record, "elapsed_seconds"));
  jm_figures_set (f, JM_QUANTITY_OBSERVED,
                  get_record_figure (record, "life_observed_percent"));
  jm_figures_set (f, JM_QUANTITY_THREADS_PER_CORE,
                  jm_figures_divide (jm_figure_of_metric (snapshot, JM_NODE_SUBJECT,
                                                          JM_METRIC_NODE_CPUS),
                                     jm_figure_of_metric (snapshot, JM_NODE_SUBJECT,
                                                          JM_METRIC_NODE_CORES)));
  jm_figures_derive (f, snapshot, JM_RECORD_SUBJECT);
  jm_figures_set (f, JM_QUANTITY_CPU_BALANCE,
                  get_cpu_balance (snapshot, jm_figures_get (f, JM_QUANTITY_CPUS)));
  if (jm_job_record_get_profile (record) != NULL)
    take_profile (f, jm_job_record_get_profile (record));
}

void
jm_run_figures_take_node (JmRunReport *self, guint number)
{
  JmRunReportNode *node = jm_run_report_peek_node (self, number);

  take_node_record (node->figures, node->record);
}

/* --- an accelerator --- */

/* When it was read last. */
static JmFigure
get_tensor (JmSnapshot *snapshot, guint subject)
{
  g_autoptr (JmLabels) tensor = jm_labels_of ("tensor", NULL);

  return jm_figures_multiply (jm_figure_of_metric_label (snapshot, subject,
                                                         JM_METRIC_GPU_PIPE_ACTIVE,
                                                         tensor),
                              jm_figure_known (100));
}

void
jm_run_figures_take_gpu_use (JmFigures *f,
                             JmFigure busy,
                             JmFigure seen,
                             JmFigure elapsed)
{
  JmFigure observed = jm_figures_get_part (seen, elapsed);

  jm_figures_set (f, JM_QUANTITY_OBSERVED, observed);
  if (observed.value >= GPU_OBSERVED_PERCENT)
    jm_figures_set (f, JM_QUANTITY_GPU_UTILIZATION_SHARE,
                    jm_figures_get_part (busy, seen));
}

void
jm_run_figures_take_gpu_memory (JmFigures *f, JmFigure most, JmFigure size)
{
  jm_figures_set (f, JM_QUANTITY_GPU_MEMORY_MOST, most);
  jm_figures_set (f, JM_QUANTITY_GPU_MEMORY, size);
  jm_figures_set (f, JM_QUANTITY_GPU_MEMORY_SHARE, jm_figure_get_share (most, size));
}

void
jm_run_figures_take_gpu (JmFigures *f,
                         JmSnapshot *snapshot,
                         guint subject,
                         JmFigure elapsed)
{
  jm_run_figures_take_gpu_use (f,
                               jm_figure_of_metric (snapshot, subject,
                                                    JM_METRIC_GPU_BUSY),
                               jm_figure_of_metric (snapshot, subject,
                                                    JM_METRIC_GPU_OBSERVED),
                               elapsed);
  jm_figures_set (f, JM_QUANTITY_GPU_TENSOR, get_tensor (snapshot, subject));
  jm_run_figures_take_gpu_memory (f,
                                  jm_figure_of_metric (snapshot, subject,
                                                       JM_METRIC_GPU_MEMORY_PEAK),
                                  jm_figure_of_metric (snapshot, subject,
                                                       JM_METRIC_GPU_MEMORY_SIZE));
  jm_figures_set (f, JM_QUANTITY_ENERGY,
                  jm_figure_of_metric (snapshot, subject, JM_METRIC_GPU_ENERGY));
}

/* --- the whole --- */

static JmFigure
join_two (JmFigure a, JmFigure b, JmJoining joining)
{
  switch (joining)
    {
    case JM_JOINING_MOST:
      return b.value > a.value ? b : a;
    case JM_JOINING_LEAST:
      return b.value < a.value ? b : a;
    case JM_JOINING_SUM:
    case JM_JOINING_OWN:
    default:
      return jm_figure_add (a, b);
    }
}

/* Absent where one of them does not know it. */
static JmFigure
join (const JmRunReport *self,
      guint n,
      JmRunReportPeek peek,
      JmQuantityId quantity,
      JmJoining joining)
{
  JmFigure all = absent;

  for (guint i = 0; i < n; i++)
    {
      JmFigure one = jm_figures_get (peek (self, i), quantity);

      if (!one.is_known)
        return absent;
      all = i == 0 ? one : join_two (all, one, joining);
    }

  return all;
}

static JmFigure
join_nodes (const JmRunReport *self, JmQuantityId quantity, JmJoining joining)
{
  return join (self, self->nodes->len, jm_run_report_peek_node_figures, quantity,
               joining);
}

static JmFigure
join_gpus (const JmRunReport *self, JmQuantityId quantity, JmJoining joining)
{
  return join (self, self->gpus->len, jm_run_report_peek_gpu_figures, quantity,
               joining);
}

/* Those that did nothing; absent where one of them does not know. */
static JmFigure
count_unused (const JmRunReport *self, guint n, JmRunReportPeek peek, JmQuantityId use)
{
  guint n_unused = 0;

  for (guint i = 0; i < n; i++)
    {
      JmFigure used = jm_figures_get (peek (self, i), use);

      if (!used.is_known)
        return absent;
      n_unused += used.value < JM_RUN_UNUSED_PERCENT;
    }

  return jm_figure_known (n_unused);
}

static void
take_nodes (JmRunReport *self)
{
  guint n;
  const JmRunQuantity *quantities = jm_quantity_get_run_quantities (&n);

  for (guint i = 0; i < n; i++)
    if (quantities[i].joining != JM_JOINING_OWN)
      jm_figures_set (self->figures, quantities[i].id,
                      join_nodes (self, quantities[i].id, quantities[i].joining));
  jm_figures_set (self->figures, JM_QUANTITY_UNUSED_NODES,
                  count_unused (self, self->nodes->len, jm_run_report_peek_node_figures,
                                JM_QUANTITY_CPU_EFFICIENCY));
  /* of all nodes together, for peaks need not have been on one */
  jm_figures_set (self->figures, JM_QUANTITY_MEMORY_SHARE,
                  jm_figure_get_share (join_nodes (self, JM_QUANTITY_MEMORY_PEAK,
                                                   JM_JOINING_SUM),
                                       join_nodes (self, JM_QUANTITY_MEMORY_ALLOCATED,
                                                   JM_JOINING_SUM)));
  if (self->nodes->len > 1)
    jm_figures_set (self->figures, JM_QUANTITY_NODE_BALANCE,
                    jm_figure_get_share (join_nodes (self, JM_QUANTITY_CPU_EFFICIENCY,
                                                     JM_JOINING_LEAST),
                                         join_nodes (self, JM_QUANTITY_CPU_EFFICIENCY,
                                                     JM_JOINING_MOST)));
}

/* The accounting has what the run was given and used, also without any record. */
static void
take_accounted (JmRunReport *self)
{
  static const JmRunField fields[] = {
    JM_RUN_FIELD_TIME_LIMIT, JM_RUN_FIELD_NODES,          JM_RUN_FIELD_CPUS,
    JM_RUN_FIELD_CPU_TOTAL,  JM_RUN_FIELD_GPUS_ALLOCATED, JM_RUN_FIELD_ENERGY,
    JM_RUN_FIELD_EMISSIONS,  JM_RUN_FIELD_EXIT_CODE,      JM_RUN_FIELD_EXIT_SIGNAL,
  };
  g_autoptr (GHashTable) estimated = jm_run_figures_find_estimated (self->run);

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      JmFigure figure = jm_run_derived_get_figure (self->run, fields[i]);
      JmQuantityId quantity =
        jm_quantity_get_id (jm_run_field_get_quantity (fields[i]));

      if (jm_figures_get (self->figures, quantity).is_known)
        continue;
      figure.is_estimated =
        figure.is_known &&
        (quantity == JM_QUANTITY_ENERGY || quantity == JM_QUANTITY_EMISSIONS) &&
        g_hash_table_size (estimated) > 0;
      jm_figures_set (self->figures, quantity, figure);
    }
}

/* Until its end; of one that goes on until its nodes were last read, or until now where
 * none was yet. */
static JmFigure
get_elapsed (const JmRunReport *self)
{
  JmFigure elapsed = jm_run_derived_get (self->run, JM_QUANTITY_ELAPSED);
  JmFigure longest = absent;

  for (guint i = 0; i < self->nodes->len; i++)
    {
      JmFigure one =
        jm_figures_get (jm_run_report_peek_node_figures (self, i), JM_QUANTITY_ELAPSED);

      if (one.is_known && !(one.value <= longest.value && longest.is_known))
        longest = one;
    }

  if (elapsed.is_known || longest.is_known)
    return elapsed.is_known ? elapsed : longest;

  return jm_run_get_elapsed (self->run, g_get_real_time () / G_USEC_PER_SEC);
}

static void
take_time (JmRunReport *self)
{
  JmFigures *f = self->figures;

  jm_figures_set (f, JM_QUANTITY_ELAPSED, get_elapsed (self));
  jm_figures_set (f, JM_QUANTITY_WAIT,
                  jm_run_derived_get (self->run, JM_QUANTITY_WAIT));
  if (!jm_figures_get (f, JM_QUANTITY_NODES).is_known && self->nodes->len > 0)
    jm_figures_set (f, JM_QUANTITY_NODES, jm_figure_known (self->nodes->len));
}

/* As the archive has it, where a node's is not known. */
static void
take_accounted_memory (JmRunReport *self)
{
  JmFigures *f = self->figures;
  const JmFigure nodes = jm_figures_get (f, JM_QUANTITY_NODES);
  const JmFigure given =
    jm_run_derived_get_figure (self->run, JM_RUN_FIELD_MEMORY_ALLOCATED);

  if (jm_figures_get (f, JM_QUANTITY_MEMORY_PEAK).is_known)
    return;
  jm_figures_set (f, JM_QUANTITY_MEMORY_PEAK,
                  jm_run_derived_get_figure (self->run, JM_RUN_FIELD_MEMORY_PEAK));
  jm_figures_set (f, JM_QUANTITY_MEMORY_ALLOCATED, jm_figures_divide (given, nodes));
  jm_figures_set (f, JM_QUANTITY_MEMORY_SHARE,
                  jm_run_derived_get (self->run, JM_QUANTITY_MEMORY_SHARE));
  jm_figures_set (f, JM_QUANTITY_MEMORY_PER_CPU,
                  jm_figures_divide (jm_figures_multiply (jm_figures_divide (given,
                                                                             nodes),
                                                          nodes),
                                     jm_figures_get (f, JM_QUANTITY_CPUS)));
}

/* --- accelerators of the whole --- */

/* Of the one that was fullest. */
static void
take_gpu_memory (JmRunReport *self)
{
  static const JmQuantityId quantities[] = { JM_QUANTITY_GPU_MEMORY_MOST,
                                             JM_QUANTITY_GPU_MEMORY,
                                             JM_QUANTITY_GPU_MEMORY_SHARE };
  JmFigure fullest = join_gpus (self, JM_QUANTITY_GPU_MEMORY_SHARE, JM_JOINING_MOST);

  for (guint i = 0; i < self->gpus->len && fullest.is_known; i++)
    {
      const JmFigures *gpu = jm_run_report_peek_gpu_figures (self, i);

      if (jm_figures_get (gpu, JM_QUANTITY_GPU_MEMORY_SHARE).value == fullest.value)
        for (guint k = 0; k < G_N_ELEMENTS (quantities); k++)
          jm_figures_set (self->figures, quantities[k],
                          jm_figures_get (gpu, quantities[k]));
    }
}

static void
take_gpus (JmRunReport *self)
{
  JmFigures *f = self->figures;
  const JmFigure n_gpus = jm_figure_known (self->gpus->len);
  JmFigure use, unused;

  if (self->gpus->len == 0 || !jm_run_report_is_whole (self))
    return;
  use = jm_figures_divide (join_gpus (self, JM_QUANTITY_GPU_UTILIZATION_SHARE,
                                      JM_JOINING_SUM),
                           n_gpus);
  unused = use;
  unused.value = MAX (100 - use.value, 0) / 100;
  jm_figures_set (f, JM_QUANTITY_GPU_UTILIZATION_SHARE, use);
  jm_figures_set (
    f, JM_QUANTITY_GPU_UNUSED,
    jm_figures_multiply (jm_figures_multiply (jm_figures_get (f, JM_QUANTITY_ELAPSED),
                                              n_gpus),
                         unused));
  jm_figures_set (f, JM_QUANTITY_GPU_TENSOR,
                  join_gpus (self, JM_QUANTITY_GPU_TENSOR, JM_JOINING_MOST));
  jm_figures_set (f, JM_QUANTITY_UNUSED_GPUS,
                  count_unused (self, self->gpus->len, jm_run_report_peek_gpu_figures,
                                JM_QUANTITY_GPU_UTILIZATION_SHARE));
  take_gpu_memory (self);
}

/* As sums of the archive have it: what a run took that came to nothing. */
static void
take_lost_energy (JmRunReport *self)
{
  static const char *const states[] = { "FAILED", "TIMEOUT", "OUT_OF_MEMORY",
                                        "NODE_FAIL", NULL };
  const char *state = jm_run_peek_text (self->run, JM_RUN_FIELD_STATE);

  if (state != NULL && g_strv_contains (states, state))
    jm_figures_set (self->figures, JM_QUANTITY_ENERGY_LOST,
                    jm_figures_get (self->figures, JM_QUANTITY_ENERGY));
}

/* Where the scheduler knows of a kill that no node counted, the nodes did not see it.
 */
static void
doubt_oom_kills (JmRunReport *self)
{
  const JmFigure kills = jm_figures_get (self->figures, JM_QUANTITY_MEMORY_OOM_KILLS);
  const char *state = jm_run_peek_text (self->run, JM_RUN_FIELD_STATE);

  if (state == NULL || !g_str_has_prefix (state, "OUT_OF_ME") || kills.value > 0)
    return;

  jm_figures_set (self->figures, JM_QUANTITY_MEMORY_OOM_KILLS, absent);
  for (guint i = 0; i < self->nodes->len; i++)
    jm_figures_set (jm_run_report_peek_node (self, i)->figures,
                    JM_QUANTITY_MEMORY_OOM_KILLS, absent);
}

void
jm_run_figures_take_run (JmRunReport *self)
{
  for (guint i = 0; i < self->nodes->len; i++)
    {
      JmFigures *node = jm_run_report_peek_node (self, i)->figures;

      take_granted_memory (node, self->run);
      jm_figures_derive (node, NULL, 0);
    }
  if (jm_run_report_is_whole (self))
    take_nodes (self);
  take_accounted (self);
  take_time (self);
  take_accounted_memory (self);
  take_gpus (self);
  jm_figures_derive_run (self->figures);
  take_lost_energy (self);
  doubt_oom_kills (self);
}

/* --- for people --- */

char *
jm_run_figures_format (JmQuantityId quantity, JmFigure figure)
{
  const JmFormat format = jm_quantity_get (quantity)->format;

  if (!figure.is_known || format != JM_FORMAT_COUNT ||
      fabs (figure.value - round (figure.value)) < LEAST_PART)
    return jm_figure_format (figure, format);

  return g_strdup_printf ("%.1f", figure.value);
}
