/* jm-run-facts.c: how the facts of a report are reckoned
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/run/jm-run-facts-private.h"

#include <math.h>

#include "core/jm-job-record-private.h"
#include "report/jm-derived.h"
#include "report/jm-record-field-private.h"
#include "report/jm-run-derived-private.h"

/* Less of its time tells nothing of how busy an accelerator was in the mean. */
#define GPU_OBSERVED_PERCENT 50
/* A point of a profile that uses less of what is given is one at rest. */
#define IDLE_RATIO 0.01

static const JmFigure absent = { 0, FALSE, FALSE };

/* --- calculations --- */

static JmFigure
multiply (JmFigure a, JmFigure b)
{
  if (!a.is_known || !b.is_known)
    return absent;

  return (JmFigure){ a.value * b.value, TRUE, a.is_estimated || b.is_estimated };
}

static JmFigure
divide (JmFigure a, JmFigure b)
{
  if (!a.is_known || !b.is_known || b.value <= 0)
    return absent;

  return (JmFigure){ a.value / b.value, TRUE, a.is_estimated || b.is_estimated };
}

/* What is left of @whole, and nothing where there was more. */
static JmFigure
subtract (JmFigure whole, JmFigure part)
{
  if (!whole.is_known || !part.is_known)
    return absent;

  return (JmFigure){ MAX (whole.value - part.value, 0), TRUE,
                     whole.is_estimated || part.is_estimated };
}

/* The sum of two that are both known. */
static JmFigure
add (JmFigure a, JmFigure b)
{
  return a.is_known && b.is_known ? jm_figure_add (a, b) : absent;
}

/* A part of the time, which two clocks may make a little more than all of it. */
static JmFigure
get_time_share (JmFigure part, JmFigure whole)
{
  JmFigure share = jm_figure_get_share (part, whole);

  share.value = MIN (share.value, 100);

  return share;
}

/* --- what follows from the other facts, of whatever they are about --- */

static void
take_derived_cpu (JmFigure *f)
{
  f[JM_RUN_FACT_CPU_UNUSED] =
    subtract (f[JM_RUN_FACT_CPU_AVAILABLE], f[JM_RUN_FACT_CPU_TIME]);
  f[JM_RUN_FACT_CPU_EFFICIENCY] =
    jm_figure_get_share (f[JM_RUN_FACT_CPU_TIME], f[JM_RUN_FACT_CPU_AVAILABLE]);
  f[JM_RUN_FACT_CPUS_USED] = divide (f[JM_RUN_FACT_CPU_TIME], f[JM_RUN_FACT_ELAPSED]);
  f[JM_RUN_FACT_CPU_EVENNESS] =
    get_time_share (f[JM_RUN_FACT_CPUS_USED], f[JM_RUN_FACT_CPUS_USED_PEAK]);
}

static void
take_derived_io (JmFigure *f)
{
  f[JM_RUN_FACT_BYTES_PER_CALL] =
    divide (add (f[JM_RUN_FACT_READ], f[JM_RUN_FACT_WRITTEN]), f[JM_RUN_FACT_IO_CALLS]);
}

/* --- nodes --- */

typedef struct
{
  JmRunFact fact;
  JmMetric metric;
} FactOfMetric;

static const FactOfMetric node_metrics[] = {
  { JM_RUN_FACT_CPUS, JM_METRIC_CPUS },
  { JM_RUN_FACT_CPU_TIME, JM_METRIC_CPU_TOTAL },
  { JM_RUN_FACT_MEMORY_PEAK, JM_METRIC_MEMORY_PEAK },
  { JM_RUN_FACT_MEMORY_ALLOCATED, JM_METRIC_MEMORY_LIMIT },
  { JM_RUN_FACT_MEMORY_FAILURES, JM_METRIC_MEMORY_FAILURES },
  { JM_RUN_FACT_OOM_KILLS, JM_METRIC_MEMORY_OOM_KILLS },
  { JM_RUN_FACT_SWAP_USED, JM_METRIC_MEMORY_SWAP_USED },
  { JM_RUN_FACT_PROCESSES_PEAK, JM_METRIC_PROCESSES_PEAK },
  { JM_RUN_FACT_THREADS_PEAK, JM_METRIC_THREADS_PEAK },
  { JM_RUN_FACT_READ, JM_METRIC_PROCESS_READ_CHARS },
  { JM_RUN_FACT_WRITTEN, JM_METRIC_PROCESS_WRITE_CHARS },
  { JM_RUN_FACT_OPEN_FILES, JM_METRIC_OPEN_FILES },
  { JM_RUN_FACT_SCRATCH_PROCESSES, JM_METRIC_FILESYSTEM_PROCESSES },
  { JM_RUN_FACT_GPUS, JM_METRIC_ALLOCATED_GPUS },
  { JM_RUN_FACT_ENERGY, JM_METRIC_ENERGY },
  { JM_RUN_FACT_EMISSIONS, JM_METRIC_EMISSIONS },
};

/* Parts of its time on the node. */
static const FactOfMetric node_waits[] = {
  { JM_RUN_FACT_CPU_WAIT, JM_METRIC_CPU_PRESSURE_SOME },
  { JM_RUN_FACT_MEMORY_WAIT, JM_METRIC_MEMORY_PRESSURE_SOME },
  { JM_RUN_FACT_IO_WAIT, JM_METRIC_IO_PRESSURE_SOME },
};

static JmFigure
get_metric (JmSnapshot *snapshot, JmMetric metric)
{
  return jm_figure_of_metric (snapshot, JM_RECORD_SUBJECT, metric);
}

/* A fact that records have under the same name. */
static JmFigure
get_record_fact (JmJobRecord *record, const char *name)
{
  JmRecordField field;

  return jm_record_field_from_name (name, &field)
           ? jm_record_field_get_figure (&field, record)
           : absent;
}

/* The CPU that did least, of the mean; absent where not each CPU is told of. */
static JmFigure
get_cpu_balance (JmSnapshot *snapshot, JmFigure cpus)
{
  g_autoptr (GPtrArray) all =
    jm_snapshot_list_labels (snapshot, JM_RECORD_SUBJECT, JM_METRIC_PERCPU);
  JmFigure least = absent;
  JmFigure sum = absent;

  for (guint i = 0; i < all->len; i++)
    {
      JmFigure cpu = jm_figure_of_label (snapshot, JM_RECORD_SUBJECT, JM_METRIC_PERCPU,
                                         all->pdata[i]);

      sum = jm_figure_add (sum, cpu);
      if (cpu.is_known && (!least.is_known || cpu.value < least.value))
        least = cpu;
    }
  if (!cpus.is_known || cpus.value < 2 || (double) all->len != cpus.value)
    return absent;

  return jm_figure_get_share (least, divide (sum, cpus));
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

/* For how long at the end a series was below @threshold; absent where nobody saw. */
static JmFigure
get_rest_at_end (JmJobProfile *profile,
                 JmProfileSeries series,
                 double threshold,
                 JmFigure elapsed)
{
  gsize n;
  g_autofree double *values = jm_job_profile_list_values (profile, series, &n);
  gsize n_idle = 0;
  double rest;

  if (values == NULL || n < 2 || !elapsed.is_known)
    return absent;
  while (n_idle < n && values[n - 1 - n_idle] < threshold)
    n_idle++;
  if (n_idle < n && isnan (values[n - 1 - n_idle]))
    return absent;

  rest = elapsed.value - (double) (n - n_idle) * get_interval (profile);

  /* the last interval is seldom whole */
  return jm_figure_known (CLAMP (rest, 0, (double) n_idle * get_interval (profile)));
}

static void
take_profile (JmFigure *f, JmJobProfile *profile)
{
  gsize n;
  g_autofree double *gpu =
    jm_job_profile_list_values (profile, JM_PROFILE_SERIES_GPU_UTILIZATION, &n);

  f[JM_RUN_FACT_CPUS_USED_PEAK] = get_cpus_used_peak (profile);
  if (f[JM_RUN_FACT_CPUS].is_known)
    f[JM_RUN_FACT_IDLE_AT_END] =
      get_rest_at_end (profile, JM_PROFILE_SERIES_CPU,
                       f[JM_RUN_FACT_CPUS].value * get_interval (profile) * IDLE_RATIO,
                       f[JM_RUN_FACT_ELAPSED]);
  if (gpu != NULL)
    f[JM_RUN_FACT_GPU_IDLE_AT_END] =
      get_rest_at_end (profile, JM_PROFILE_SERIES_GPU_UTILIZATION, IDLE_RATIO,
                       f[JM_RUN_FACT_ELAPSED]);
}

/* --- a node --- */

static void
take_node_memory (JmFigure *f, JmStoredRun *run)
{
  JmFigure given = jm_run_derived_get_figure (run, JM_RUN_FIELD_MEMORY_ALLOCATED);
  JmFigure nodes = jm_run_derived_get_figure (run, JM_RUN_FIELD_NODES);

  if (!f[JM_RUN_FACT_MEMORY_ALLOCATED].is_known)
    f[JM_RUN_FACT_MEMORY_ALLOCATED] = divide (given, nodes);
  f[JM_RUN_FACT_MEMORY_SHARE] =
    jm_figure_get_share (f[JM_RUN_FACT_MEMORY_PEAK], f[JM_RUN_FACT_MEMORY_ALLOCATED]);
  f[JM_RUN_FACT_MEMORY_FULLEST] = f[JM_RUN_FACT_MEMORY_SHARE];
  f[JM_RUN_FACT_MEMORY_UNUSED] =
    subtract (f[JM_RUN_FACT_MEMORY_ALLOCATED], f[JM_RUN_FACT_MEMORY_PEAK]);
  f[JM_RUN_FACT_MEMORY_PER_CPU] =
    divide (f[JM_RUN_FACT_MEMORY_ALLOCATED], f[JM_RUN_FACT_CPUS]);
}

static void
take_node_derived (JmFigure *f, JmStoredRun *run)
{
  f[JM_RUN_FACT_CPU_AVAILABLE] = multiply (f[JM_RUN_FACT_CPUS], f[JM_RUN_FACT_ELAPSED]);
  take_derived_cpu (f);
  take_node_memory (f, run);
  take_derived_io (f);
  f[JM_RUN_FACT_THREADS_PER_CPU] =
    divide (f[JM_RUN_FACT_THREADS_PEAK], f[JM_RUN_FACT_CPUS]);
}

static void
take_node_record (JmFigure *f, JmJobRecord *record)
{
  JmSnapshot *snapshot = jm_job_record_get_snapshot (record);

  f[JM_RUN_FACT_ELAPSED] = get_record_fact (record, "elapsed_seconds");
  f[JM_RUN_FACT_OBSERVED] = get_record_fact (record, "life_observed_percent");
  for (guint i = 0; i < G_N_ELEMENTS (node_metrics); i++)
    f[node_metrics[i].fact] = get_metric (snapshot, node_metrics[i].metric);
  for (guint i = 0; i < G_N_ELEMENTS (node_waits); i++)
    f[node_waits[i].fact] = get_time_share (get_metric (snapshot, node_waits[i].metric),
                                            f[JM_RUN_FACT_ELAPSED]);
  f[JM_RUN_FACT_IO_CALLS] =
    jm_figure_add (get_metric (snapshot, JM_METRIC_PROCESS_READ_CALLS),
                   get_metric (snapshot, JM_METRIC_PROCESS_WRITE_CALLS));
  f[JM_RUN_FACT_CPU_SYSTEM_SHARE] =
    jm_figure_get_share (get_metric (snapshot, JM_METRIC_CPU_SYSTEM),
                         f[JM_RUN_FACT_CPU_TIME]);
  f[JM_RUN_FACT_CPU_BALANCE] = get_cpu_balance (snapshot, f[JM_RUN_FACT_CPUS]);
  if (jm_job_record_get_profile (record) != NULL)
    take_profile (f, jm_job_record_get_profile (record));
}

void
jm_run_facts_take_node (JmRunReport *self, guint number)
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

  return multiply (jm_figure_of_label (snapshot, subject, JM_METRIC_GPU_PIPE_ACTIVE,
                                       tensor),
                   jm_figure_known (100));
}

static void
take_gpu_use (JmFigure *f, JmSnapshot *snapshot, guint subject, JmFigure elapsed)
{
  JmFigure busy = jm_figure_of_metric (snapshot, subject, JM_METRIC_GPU_BUSY);
  JmFigure seen = jm_figure_of_metric (snapshot, subject, JM_METRIC_GPU_OBSERVED);

  f[JM_RUN_FACT_OBSERVED] = get_time_share (seen, elapsed);
  if (f[JM_RUN_FACT_OBSERVED].value >= GPU_OBSERVED_PERCENT)
    f[JM_RUN_FACT_GPU_UTILIZATION] = get_time_share (busy, seen);
}

void
jm_run_facts_take_gpu (JmFigure *f,
                       JmSnapshot *snapshot,
                       guint subject,
                       JmFigure elapsed)
{
  take_gpu_use (f, snapshot, subject, elapsed);
  f[JM_RUN_FACT_GPU_TENSOR] = get_tensor (snapshot, subject);
  f[JM_RUN_FACT_GPU_MEMORY_PEAK] =
    jm_figure_of_metric (snapshot, subject, JM_METRIC_GPU_MEMORY_PEAK);
  f[JM_RUN_FACT_GPU_MEMORY] =
    jm_figure_of_metric (snapshot, subject, JM_METRIC_GPU_MEMORY_SIZE);
  f[JM_RUN_FACT_GPU_MEMORY_SHARE] =
    jm_figure_get_share (f[JM_RUN_FACT_GPU_MEMORY_PEAK], f[JM_RUN_FACT_GPU_MEMORY]);
  f[JM_RUN_FACT_ENERGY] = jm_figure_of_metric (snapshot, subject, JM_METRIC_GPU_ENERGY);
}

/* --- the whole --- */

/* How what is known of each node makes what is known of all. */
typedef enum
{
  SUM,
  MOST,
  LEAST,
} Joining;

static const struct
{
  JmRunFact fact;
  Joining joining;
} joined[] = {
  { JM_RUN_FACT_OBSERVED, LEAST },
  { JM_RUN_FACT_CPUS, SUM },
  { JM_RUN_FACT_CPU_TIME, SUM },
  { JM_RUN_FACT_CPU_AVAILABLE, SUM },
  { JM_RUN_FACT_CPUS_USED_PEAK, SUM },
  { JM_RUN_FACT_CPU_BALANCE, LEAST },
  { JM_RUN_FACT_CPU_SYSTEM_SHARE, MOST },
  { JM_RUN_FACT_IDLE_AT_END, LEAST },
  { JM_RUN_FACT_MEMORY_PEAK, MOST },
  { JM_RUN_FACT_MEMORY_ALLOCATED, MOST },
  { JM_RUN_FACT_MEMORY_FULLEST, MOST },
  { JM_RUN_FACT_MEMORY_UNUSED, SUM },
  { JM_RUN_FACT_MEMORY_PER_CPU, MOST },
  { JM_RUN_FACT_MEMORY_FAILURES, SUM },
  { JM_RUN_FACT_OOM_KILLS, SUM },
  { JM_RUN_FACT_SWAP_USED, SUM },
  { JM_RUN_FACT_CPU_WAIT, MOST },
  { JM_RUN_FACT_MEMORY_WAIT, MOST },
  { JM_RUN_FACT_IO_WAIT, MOST },
  { JM_RUN_FACT_PROCESSES_PEAK, MOST },
  { JM_RUN_FACT_THREADS_PEAK, MOST },
  { JM_RUN_FACT_THREADS_PER_CPU, MOST },
  { JM_RUN_FACT_READ, SUM },
  { JM_RUN_FACT_WRITTEN, SUM },
  { JM_RUN_FACT_IO_CALLS, SUM },
  { JM_RUN_FACT_OPEN_FILES, SUM },
  { JM_RUN_FACT_SCRATCH_PROCESSES, SUM },
  { JM_RUN_FACT_GPUS, SUM },
  { JM_RUN_FACT_GPU_IDLE_AT_END, LEAST },
  { JM_RUN_FACT_ENERGY, SUM },
  { JM_RUN_FACT_EMISSIONS, SUM },
};

static JmFigure
join (JmFigure a, JmFigure b, Joining joining)
{
  switch (joining)
    {
    case MOST:
      return b.value > a.value ? b : a;
    case LEAST:
      return b.value < a.value ? b : a;
    case SUM:
    default:
      return add (a, b);
    }
}

/* Absent where one node does not know it. */
static JmFigure
join_nodes (const JmRunReport *self, JmRunFact fact, Joining joining)
{
  JmFigure all = absent;

  for (guint i = 0; i < self->nodes->len; i++)
    {
      JmFigure one = jm_run_report_peek_node (self, i)->figures[fact];

      if (!one.is_known)
        return absent;
      all = i == 0 ? one : join (all, one, joining);
    }

  return all;
}

static void
take_sums (JmRunReport *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (joined); i++)
    self->figures[joined[i].fact] =
      join_nodes (self, joined[i].fact, joined[i].joining);
}

static JmFigure
count_unused_nodes (const JmRunReport *self)
{
  guint n = 0;

  for (guint i = 0; i < self->nodes->len; i++)
    {
      JmFigure used =
        jm_run_report_peek_node (self, i)->figures[JM_RUN_FACT_CPU_EFFICIENCY];

      if (!used.is_known)
        return absent;
      n += used.value < JM_RUN_UNUSED_PERCENT;
    }

  return jm_figure_known (n);
}

/* Accounts know what the whole was given and used, also where no ledger told. */
static void
take_accounted (JmRunReport *self)
{
  static const struct
  {
    JmRunFact fact;
    JmRunField field;
  } fields[] = {
    { JM_RUN_FACT_TIME_LIMIT, JM_RUN_FIELD_TIME_LIMIT },
    { JM_RUN_FACT_NODES, JM_RUN_FIELD_NODES },
    { JM_RUN_FACT_CPUS, JM_RUN_FIELD_CPUS },
    { JM_RUN_FACT_CPU_TIME, JM_RUN_FIELD_CPU_TIME },
    { JM_RUN_FACT_GPUS, JM_RUN_FIELD_GPUS_ALLOCATED },
    { JM_RUN_FACT_ENERGY, JM_RUN_FIELD_ENERGY },
    { JM_RUN_FACT_EMISSIONS, JM_RUN_FIELD_EMISSIONS },
  };
  g_autoptr (GHashTable) estimated =
    jm_run_facts_find_estimated (self->parts[JM_RUN_PART_KIND_ENERGY]);

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      JmFigure figure = jm_run_derived_get_figure (self->run, fields[i].field);

      if (!figure.is_known || self->figures[fields[i].fact].is_known)
        continue;
      figure.is_estimated = (fields[i].fact == JM_RUN_FACT_ENERGY ||
                             fields[i].fact == JM_RUN_FACT_EMISSIONS) &&
                            g_hash_table_size (estimated) > 0;
      self->figures[fields[i].fact] = figure;
    }
}

/* From its begin until now of one that runs, else until its end. */
static JmFigure
get_elapsed (const JmRunReport *self)
{
  JmFigure elapsed = jm_run_derived_get_elapsed (self->run);
  JmFigure longest = absent;

  for (guint i = 0; i < self->nodes->len; i++)
    {
      JmFigure one = jm_run_report_peek_node (self, i)->figures[JM_RUN_FACT_ELAPSED];

      if (one.is_known && !(one.value <= longest.value && longest.is_known))
        longest = one;
    }
  if (elapsed.is_known &&
      !(jm_run_report_is_running ((JmRunReport *) self) && longest.is_known))
    return elapsed;

  return longest;
}

static void
take_time (JmRunReport *self)
{
  JmFigure *f = self->figures;

  f[JM_RUN_FACT_WAIT] = jm_run_derived_get_wait (self->run);
  f[JM_RUN_FACT_TIME_SHARE] =
    jm_figure_get_share (f[JM_RUN_FACT_ELAPSED], f[JM_RUN_FACT_TIME_LIMIT]);
  if (!f[JM_RUN_FACT_NODES].is_known && self->nodes->len > 0)
    f[JM_RUN_FACT_NODES] = jm_figure_known (self->nodes->len);
}

static void
take_memory (JmRunReport *self)
{
  JmFigure *f = self->figures;
  JmFigure peaks = join_nodes (self, JM_RUN_FACT_MEMORY_PEAK, SUM);
  JmFigure given = join_nodes (self, JM_RUN_FACT_MEMORY_ALLOCATED, SUM);

  if (jm_run_report_is_whole (self))
    f[JM_RUN_FACT_MEMORY_SHARE] = jm_figure_get_share (peaks, given);
  if (f[JM_RUN_FACT_MEMORY_PEAK].is_known)
    return;
  f[JM_RUN_FACT_MEMORY_PEAK] =
    jm_run_derived_get_figure (self->run, JM_RUN_FIELD_MEMORY_PEAK);
  f[JM_RUN_FACT_MEMORY_ALLOCATED] =
    divide (jm_run_derived_get_figure (self->run, JM_RUN_FIELD_MEMORY_ALLOCATED),
            f[JM_RUN_FACT_NODES]);
  f[JM_RUN_FACT_MEMORY_SHARE] = jm_run_derived_get_memory_share (self->run);
  f[JM_RUN_FACT_MEMORY_PER_CPU] =
    divide (multiply (f[JM_RUN_FACT_MEMORY_ALLOCATED], f[JM_RUN_FACT_NODES]),
            f[JM_RUN_FACT_CPUS]);
}

/* --- accelerators of the whole --- */

static JmFigure
join_gpus (const JmRunReport *self, JmRunFact fact, Joining joining)
{
  JmFigure all = absent;

  for (guint i = 0; i < self->gpus->len; i++)
    {
      JmFigure one = jm_run_report_peek_gpu (self, i)->figures[fact];

      if (!one.is_known)
        return absent;
      all = i == 0 ? one : join (all, one, joining);
    }

  return all;
}

static JmFigure
count_unused_gpus (const JmRunReport *self)
{
  guint n = 0;

  for (guint i = 0; i < self->gpus->len; i++)
    {
      JmFigure used =
        jm_run_report_peek_gpu (self, i)->figures[JM_RUN_FACT_GPU_UTILIZATION];

      if (!used.is_known)
        return absent;
      n += used.value < JM_RUN_UNUSED_PERCENT;
    }

  return jm_figure_known (n);
}

/* Of the one that was fullest. */
static void
take_gpu_memory (JmRunReport *self)
{
  static const JmRunFact facts[] = { JM_RUN_FACT_GPU_MEMORY_PEAK,
                                     JM_RUN_FACT_GPU_MEMORY,
                                     JM_RUN_FACT_GPU_MEMORY_SHARE };
  JmFigure fullest = join_gpus (self, JM_RUN_FACT_GPU_MEMORY_SHARE, MOST);

  for (guint i = 0; i < self->gpus->len && fullest.is_known; i++)
    {
      const JmFigure *gpu = jm_run_report_peek_gpu (self, i)->figures;

      if (gpu[JM_RUN_FACT_GPU_MEMORY_SHARE].value == fullest.value)
        for (guint k = 0; k < G_N_ELEMENTS (facts); k++)
          self->figures[facts[k]] = gpu[facts[k]];
    }
}

static void
take_gpus (JmRunReport *self)
{
  JmFigure *f = self->figures;
  const JmFigure n_gpus = jm_figure_known (self->gpus->len);

  if (self->gpus->len == 0 || !jm_run_report_is_whole (self))
    return;
  f[JM_RUN_FACT_GPU_UTILIZATION] =
    divide (join_gpus (self, JM_RUN_FACT_GPU_UTILIZATION, SUM), n_gpus);
  f[JM_RUN_FACT_GPU_TENSOR] = join_gpus (self, JM_RUN_FACT_GPU_TENSOR, MOST);
  f[JM_RUN_FACT_UNUSED_GPUS] = count_unused_gpus (self);
  f[JM_RUN_FACT_GPU_UNUSED] =
    multiply (multiply (f[JM_RUN_FACT_ELAPSED], n_gpus),
              divide (subtract (jm_figure_known (100), f[JM_RUN_FACT_GPU_UTILIZATION]),
                      jm_figure_known (100)));
  take_gpu_memory (self);
}

/* As sums of the accounts have it: what a run took that came to nothing. */
static void
take_lost_energy (JmRunReport *self)
{
  static const char *const states[] = { "FAILED", "TIMEOUT", "OUT_OF_MEMORY",
                                        "NODE_FAIL", NULL };
  const char *state = jm_stored_run_get_text (self->run, JM_RUN_FIELD_STATE);

  if (state != NULL && g_strv_contains (states, state))
    self->figures[JM_RUN_FACT_ENERGY_LOST] = self->figures[JM_RUN_FACT_ENERGY];
}

/* Where the scheduler knows of a kill that no node counted, the nodes did not see it.
 */
static void
doubt_oom_kills (JmRunReport *self)
{
  const char *state = jm_stored_run_get_text (self->run, JM_RUN_FIELD_STATE);

  if (state == NULL || !g_str_has_prefix (state, "OUT_OF_ME") ||
      self->figures[JM_RUN_FACT_OOM_KILLS].value > 0)
    return;

  self->figures[JM_RUN_FACT_OOM_KILLS] = absent;
  for (guint i = 0; i < self->nodes->len; i++)
    jm_run_report_peek_node (self, i)->figures[JM_RUN_FACT_OOM_KILLS] = absent;
}

/* Peaks of several nodes need not have been at one moment: each is uneven by itself. */
static void
take_evenness (JmRunReport *self)
{
  if (self->nodes->len > 1)
    self->figures[JM_RUN_FACT_CPU_EVENNESS] =
      jm_run_report_is_whole (self) ? join_nodes (self, JM_RUN_FACT_CPU_EVENNESS, LEAST)
                                    : absent;
}

void
jm_run_facts_take_run (JmRunReport *self)
{
  JmFigure *f = self->figures;

  for (guint i = 0; i < self->nodes->len; i++)
    take_node_derived (jm_run_report_peek_node (self, i)->figures, self->run);
  if (jm_run_report_is_whole (self))
    {
      take_sums (self);
      f[JM_RUN_FACT_UNUSED_NODES] = count_unused_nodes (self);
      if (self->nodes->len > 1)
        f[JM_RUN_FACT_NODE_BALANCE] =
          jm_figure_get_share (join_nodes (self, JM_RUN_FACT_CPU_EFFICIENCY, LEAST),
                               join_nodes (self, JM_RUN_FACT_CPU_EFFICIENCY, MOST));
    }
  take_accounted (self);
  f[JM_RUN_FACT_ELAPSED] = get_elapsed (self);
  take_time (self);
  f[JM_RUN_FACT_CPU_AVAILABLE] = multiply (f[JM_RUN_FACT_CPUS], f[JM_RUN_FACT_ELAPSED]);
  take_derived_cpu (f);
  take_evenness (self);
  take_derived_io (f);
  take_memory (self);
  take_gpus (self);
  take_lost_energy (self);
  doubt_oom_kills (self);
}
