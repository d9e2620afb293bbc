/* jm-field-table.c: the fields that there are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/jm-field-table-private.h"

#define MAX_FIELDS (JM_N_JOB_FIELDS + JM_N_DERIVED_FIELDS + JM_N_METRICS)

typedef struct
{
  JmField fields[MAX_FIELDS];
  guint n_fields;
} Table;

/* By #JmDerivedField. */
static const JmField derived[JM_N_DERIVED_FIELDS] = {
  [JM_DERIVED_FIELD_STATE] = { .name = "state",
                               .title = "STATE",
                               .help = "running or ended",
                               .quantity = JM_FORMAT_TEXT },
  [JM_DERIVED_FIELD_STEP] = { .name = "step",
                              .title = "STEP",
                              .help = "Name of the step, in a line of one.",
                              .quantity = JM_FORMAT_TEXT },
  [JM_DERIVED_FIELD_AGE] = { .name = "age_seconds",
                             .short_name = "age",
                             .title = "AGE",
                             .help = "Time since the job began, up to its end.",
                             .quantity = JM_FORMAT_DURATION },
  [JM_DERIVED_FIELD_EFFICIENCY] = { .name = "efficiency_percent",
                                    .short_name = "eff",
                                    .title = "EFF%",
                                    .help = "CPU time as a share of what could have "
                                            "been spent.",
                                    .quantity = JM_FORMAT_PERCENT },
  [JM_DERIVED_FIELD_MEMORY_SHARE] = { .name = "memory_percent",
                                      .title = "MEM%",
                                      .help = "Memory in use as a share of the limit.",
                                      .quantity = JM_FORMAT_PERCENT },
  [JM_DERIVED_FIELD_END_TIME] = { .name = "end_time",
                                  .title = "ENDED",
                                  .help = "When the job was seen to have ended.",
                                  .quantity = JM_FORMAT_TIME },
  [JM_DERIVED_FIELD_TIME] = { .name = "time",
                              .title = "TIME",
                              .help = "When the figures were read.",
                              .quantity = JM_FORMAT_TIME },
  [JM_DERIVED_FIELD_GPU_DEVICES] = { .name = "gpu_devices",
                                     .short_name = "devices",
                                     .title = "DEVICES",
                                     .help = "Accelerators that the job has or uses.",
                                     .quantity = JM_FORMAT_TEXT },
  [JM_DERIVED_FIELD_GPU_UTILIZATION] = { .name = "gpu_utilization_percent",
                                         .short_name = "gpu",
                                         .title = "GPU%",
                                         .help = "Part of the time in which the job's "
                                                 "accelerators are busy, on average.",
                                         .quantity = JM_FORMAT_PERCENT },
  [JM_DERIVED_FIELD_GPU_MEMORY_USED] = { .name = "gpu_memory_used_bytes",
                                         .short_name = "gpu_mem",
                                         .title = "GPU-MEM",
                                         .help = "Device memory in use, of all of the "
                                                 "job's accelerators.",
                                         .quantity = JM_FORMAT_BYTES },
};

static const char *const identity_helps[JM_N_JOB_FIELDS] = {
  [JM_JOB_FIELD_CLUSTER] = "Name of the cluster.",
  [JM_JOB_FIELD_SCHEDULER] = "Name of the scheduler definition.",
  [JM_JOB_FIELD_ID] = "The scheduler's job id.",
  [JM_JOB_FIELD_UUID] = "Unique for ever.",
  [JM_JOB_FIELD_SLUID] = "Slurm's own unique id.",
  [JM_JOB_FIELD_USER] = "Name of the user.",
  [JM_JOB_FIELD_UID] = "Number of the user.",
  [JM_JOB_FIELD_ACCOUNT] = "Account that is charged.",
  [JM_JOB_FIELD_PARTITION] = "Partition or queue.",
  [JM_JOB_FIELD_QOS] = "Quality of service.",
  [JM_JOB_FIELD_NAME] = "Name of the job.",
  [JM_JOB_FIELD_ARRAY_JOB_ID] = "Id of the job array.",
  [JM_JOB_FIELD_ARRAY_TASK_ID] = "Index in the job array.",
  [JM_JOB_FIELD_HET_JOB_ID] = "Id of the heterogeneous job.",
  [JM_JOB_FIELD_HET_JOB_OFFSET] = "Component of the heterogeneous job.",
  [JM_JOB_FIELD_NODES] = "How many nodes the job has.",
  [JM_JOB_FIELD_GPUS] = "Devices given to the job on this node.",
  [JM_JOB_FIELD_VISIBLE_GPUS] = "Devices that the job's processes are told to see.",
  [JM_JOB_FIELD_GPU_PERCENTAGE] = "How much of each device the job was given (MPS).",
  [JM_JOB_FIELD_GPU_SHARDS] = "Shards of devices given to the job on this node.",
  [JM_JOB_FIELD_SUBMIT_TIME] = "When the job was submitted.",
  [JM_JOB_FIELD_START_TIME] = "When the job began.",
};

/* What the most usual metrics are called in a hurry. */
static const struct
{
  JmMetric metric;
  const char *short_name;
  const char *title;
} short_metrics[] = {
  { JM_METRIC_CPU_TOTAL, "cpu_time", "CPU-TIME" },
  { JM_METRIC_MEMORY_USED, "mem", "MEM" },
  { JM_METRIC_MEMORY_PEAK, "peak", "PEAK" },
  { JM_METRIC_MEMORY_LIMIT, "limit", "LIMIT" },
  { JM_METRIC_PROCESSES, "procs", "PROCS" },
  { JM_METRIC_PROCESSES_PEAK, "procs_peak", "PROCS-PEAK" },
  { JM_METRIC_THREADS_PEAK, NULL, "THREADS-PEAK" },
  { JM_METRIC_ENERGY, "energy", "ENERGY" },
  { JM_METRIC_POWER, "watts", "WATTS" },
  { JM_METRIC_EMISSIONS, "co2", "CO2" },
  { JM_METRIC_ALLOCATED_GPUS, "ngpus", "NGPUS" },
};

static const char *
make_title (const char *name)
{
  g_autofree char *title = g_ascii_strup (name, -1);

  return g_intern_string (title);
}

static void
add_identity (Table *self, JmJobField number)
{
  const char *name = jm_job_field_get_name (number);
  gboolean is_time =
    number == JM_JOB_FIELD_START_TIME || number == JM_JOB_FIELD_SUBMIT_TIME;

  self->fields[self->n_fields++] =
    (JmField){ .name = name,
               .title = make_title (name),
               .help = identity_helps[number],
               .quantity = is_time ? JM_FORMAT_TIME : JM_FORMAT_TEXT,
               .source = JM_FIELD_SOURCE_IDENTITY,
               .number = number };
}

static void
add_derived (Table *self, JmDerivedField number)
{
  JmField *field = &self->fields[self->n_fields++];

  *field = derived[number];
  field->source = JM_FIELD_SOURCE_DERIVED;
  field->number = number;
}

static void
add_metric (Table *self, JmMetric number)
{
  const JmMetricInfo *info = jm_metric_get_info (number);
  JmField *field = &self->fields[self->n_fields++];

  *field = (JmField){ .name = info->name,
                      .title = make_title (info->name),
                      .help = info->help,
                      .quantity = jm_format_of_metric (number),
                      .source = JM_FIELD_SOURCE_METRIC,
                      .number = number };

  for (guint i = 0; i < G_N_ELEMENTS (short_metrics); i++)
    if (short_metrics[i].metric == number)
      {
        field->short_name = short_metrics[i].short_name;
        field->title = short_metrics[i].title;
      }
}

static void
fill (Table *self)
{
  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    add_identity (self, i);
  for (guint i = 0; i < JM_N_DERIVED_FIELDS; i++)
    add_derived (self, i);
  for (guint i = 0; i < JM_N_METRICS; i++)
    if (jm_metric_is_about (i, JM_SUBJECT_KIND_JOB))
      add_metric (self, i);
}

const JmField *
jm_field_table_get (guint *n_fields)
{
  static Table table;
  static gsize is_filled;

  if (g_once_init_enter (&is_filled))
    {
      fill (&table);
      g_once_init_leave (&is_filled, 1);
    }

  *n_fields = table.n_fields;

  return table.fields;
}
