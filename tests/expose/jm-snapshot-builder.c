/* jm-snapshot-builder.c: snapshots made by hand
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jm-snapshot-builder.h"
#include "core/jm-job-private.h"

#include "../add-labelled.h"
#include "base/jm-error.h"
#include "core/jm-job-draft-private.h"

struct _JmSnapshotBuilder
{
  gint64 time_us;
  JmCollectorSet collectors;
  GArray *subjects; /* of JmSubject, with references of its own */
  JmReadings *readings;
};

JmSnapshotBuilder *
jm_snapshot_builder_new (const JmCollectorSet *collectors)
{
  JmSnapshotBuilder *self = g_new0 (JmSnapshotBuilder, 1);
  JmSubject node = { JM_SUBJECT_KIND_NODE };

  self->time_us = JM_TEST_TIME_US;
  self->collectors = *collectors;
  self->subjects = g_array_new (FALSE, FALSE, sizeof (JmSubject));
  g_array_set_clear_func (self->subjects, (GDestroyNotify) jm_subject_clear);
  g_array_append_val (self->subjects, node);
  self->readings = jm_readings_new ();

  return self;
}

void
jm_snapshot_builder_free (JmSnapshotBuilder *self)
{
  g_array_unref (self->subjects);
  jm_readings_unref (self->readings);
  g_free (self);
}

static JmSubject *
get_last (JmSnapshotBuilder *self)
{
  return &g_array_index (self->subjects, JmSubject, self->subjects->len - 1);
}

static guint
find_last (JmSnapshotBuilder *self, JmSubjectKind kind)
{
  guint i = self->subjects->len - 1;

  while (g_array_index (self->subjects, JmSubject, i).kind != kind)
    i--;

  return i;
}

static void
add_subject (JmSnapshotBuilder *self, JmSubject subject)
{
  jm_readings_set_subject (self->readings, self->subjects->len);
  g_array_append_val (self->subjects, subject);
}

/* A part of the node that is no job's. */
void
jm_snapshot_builder_add_part (JmSnapshotBuilder *self, JmSubjectKind kind)
{
  add_subject (self, (JmSubject){ kind });
}

/* Of a cluster, or within one. */
void
jm_snapshot_builder_add_labelled_part (JmSnapshotBuilder *self,
                                       JmSubjectKind kind,
                                       JmLabels *labels)
{
  add_subject (self, (JmSubject){ .kind = kind, .labels = jm_labels_ref (labels) });
}

void
jm_snapshot_builder_add_job (JmSnapshotBuilder *self, JmJob *job)
{
  add_subject (self,
               (JmSubject){ .kind = JM_SUBJECT_KIND_JOB, .job = jm_job_ref (job) });
}

void
jm_snapshot_builder_add_step (JmSnapshotBuilder *self, const char *step)
{
  const JmSubject *last = get_last (self);

  add_subject (self, (JmSubject){ .kind = JM_SUBJECT_KIND_STEP,
                                  .parent = find_last (self, JM_SUBJECT_KIND_JOB),
                                  .job = jm_job_ref (last->job),
                                  .labels = jm_labels_of (step, NULL),
                                  .end_time = last->end_time });
}

void
jm_snapshot_builder_add_task (JmSnapshotBuilder *self, const char *task)
{
  const JmSubject *last = get_last (self);
  const char *step = jm_labels_get_value (last->labels, 0);

  add_subject (self, (JmSubject){ .kind = JM_SUBJECT_KIND_TASK,
                                  .parent = find_last (self, JM_SUBJECT_KIND_STEP),
                                  .job = jm_job_ref (last->job),
                                  .labels = jm_labels_of (step, task, NULL),
                                  .end_time = last->end_time });
}

/* @fields by #JmGpuField, "" for what is not known. */
void
jm_snapshot_builder_add_gpu (JmSnapshotBuilder *self,
                             const char *name,
                             const char *const *fields)
{
  g_autoptr (JmLabels) info = jm_labels_new (fields);

  add_subject (self, (JmSubject){ .kind = JM_SUBJECT_KIND_GPU,
                                  .labels = jm_labels_of (name, NULL) });
  jm_readings_add_labelled (self->readings, JM_METRIC_GPU_INFO, info, 1);
}

/* Without an @origin nobody says now that the job has it. */
void
jm_snapshot_builder_add_job_gpu (JmSnapshotBuilder *self,
                                 const char *name,
                                 const char *origin,
                                 guint share_percent)
{
  const JmSubject *last = get_last (self);

  add_subject (self, (JmSubject){ .kind = JM_SUBJECT_KIND_JOB_GPU,
                                  .parent = find_last (self, JM_SUBJECT_KIND_JOB),
                                  .job = jm_job_ref (last->job),
                                  .labels = jm_labels_of (name, NULL),
                                  .end_time = last->end_time });
  if (origin != NULL)
    jm_snapshot_builder_add_labelled (self, JM_METRIC_GPU_SHARE, origin,
                                      share_percent * 10000);
}

void
jm_snapshot_builder_set_end_time (JmSnapshotBuilder *self, gint64 end_time_us)
{
  get_last (self)->end_time = end_time_us;
}

void
jm_snapshot_builder_add (JmSnapshotBuilder *self, JmMetric metric, guint64 value)
{
  jm_readings_add (self->readings, metric, value);
}

void
jm_snapshot_builder_add_labelled (JmSnapshotBuilder *self,
                                  JmMetric metric,
                                  const char *label,
                                  guint64 value)
{
  add_labelled (self->readings, metric, label, value);
}

/* Of a metric that has several. */
void
jm_snapshot_builder_add_labels (JmSnapshotBuilder *self,
                                JmMetric metric,
                                JmLabels *labels,
                                guint64 value)
{
  jm_readings_add_labelled (self->readings, metric, labels, value);
}

static void
add_error (JmSnapshotBuilder *self,
           JmCollector collector,
           JmError code,
           const char *message)
{
  g_autoptr (GError) error = g_error_new_literal (JM_ERROR, code, message);

  jm_readings_begin (self->readings, collector);
  jm_readings_add_error (self->readings, error);
  jm_readings_end (self->readings);
}

void
jm_snapshot_builder_add_error (JmSnapshotBuilder *self,
                               JmCollector collector,
                               const char *message)
{
  add_error (self, collector, JM_ERROR_MALFORMED, message);
}

void
jm_snapshot_builder_add_denial (JmSnapshotBuilder *self,
                                JmCollector collector,
                                const char *message)
{
  add_error (self, collector, JM_ERROR_DENIED, message);
}

void
jm_snapshot_builder_set_time (JmSnapshotBuilder *self, gint64 time_us)
{
  self->time_us = time_us;
}

JmSnapshot *
jm_snapshot_builder_end (JmSnapshotBuilder *self)
{
  return jm_snapshot_new (self->time_us, JM_TEST_DURATION_NS, &self->collectors,
                          (const JmSubject *) (gpointer) self->subjects->data,
                          self->subjects->len, self->readings);
}

JmJob *
jm_test_job_new (const char *id, ...)
{
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();
  const char *name;
  va_list arguments;

  va_start (arguments, id);
  while ((name = va_arg (arguments, const char *)) != NULL)
    {
      JmJobField field;

      g_assert_true (jm_job_field_from_name (name, &field));
      jm_job_draft_set (draft, field, JM_ORIGIN_HOOK, va_arg (arguments, const char *),
                        -1);
    }
  va_end (arguments);

  jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_HOOK, id, -1);

  return jm_job_draft_to_job (draft);
}

static void
add_running_job (JmSnapshotBuilder *builder)
{
  g_autoptr (JmJob) job =
    jm_test_job_new ("101", "cluster", "lab", "scheduler", "slurm", "user", "alice",
                     "uid", "1001", "account", "physics", "partition", "cpu", "qos",
                     "normal", "name", "relax", "start_time", "1700000000", NULL);

  jm_snapshot_builder_add_job (builder, job);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL, 12345678901);
  jm_snapshot_builder_add (builder, JM_METRIC_CPUS, 2);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_USED, G_MAXUINT64);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_PRESSURE_SOME, 1500000);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_IO_READ_BYTES, "8:0", 4096);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_IO_READ_BYTES, "8:16", 0);

  jm_snapshot_builder_add_step (builder, "batch");
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL, 12000000000);
  jm_snapshot_builder_add_task (builder, "0");
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL, 500000000);
}

static void
add_ended_job (JmSnapshotBuilder *builder)
{
  g_autoptr (JmJob) job =
    jm_test_job_new ("100", "cluster", "lab", "scheduler", "slurm", NULL);

  jm_snapshot_builder_add_job (builder, job);
  jm_snapshot_builder_set_end_time (builder, 1700000005500000);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL, 1);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_USED, 0);
}

JmSnapshot *
jm_test_snapshot_of_a_small_node (void)
{
  g_autoptr (JmSnapshotBuilder) builder = jm_snapshot_builder_new (
    JM_COLLECTOR_SET (JM_COLLECTOR_CPU, JM_COLLECTOR_MEMORY, JM_COLLECTOR_PRESSURE,
                      JM_COLLECTOR_IO, JM_COLLECTOR_NODE));

  jm_snapshot_builder_add (builder, JM_METRIC_NODE_CPUS, 4);
  jm_snapshot_builder_add (builder, JM_METRIC_NODE_BOOT_TIME,
                           G_GUINT64_CONSTANT (1699990000123456789));
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_NODE_CPU, "user", 90000000000);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_NODE_CPU, "idle", 120000000);
  add_running_job (builder);
  add_ended_job (builder);

  return jm_snapshot_builder_end (builder);
}

static void
add_figures_of_gpu (JmSnapshotBuilder *builder, guint percent, guint64 used)
{
  jm_snapshot_builder_add (builder, JM_METRIC_GPU_UTILIZATION, percent * 10000);
  jm_snapshot_builder_add (builder, JM_METRIC_GPU_MEMORY_SIZE,
                           G_GUINT64_CONSTANT (80) << 30);
  jm_snapshot_builder_add (builder, JM_METRIC_GPU_MEMORY_USED, used);
}

static void
add_gpus (JmSnapshotBuilder *builder)
{
  static const char *const first[] = { "GPU-aaaa", "NVIDIA H100 80GB HBM3",
                                       "nvidia",   "0000:3b:00.0",
                                       "",         "",
                                       "550.54",   NULL };
  static const char *const second[] = { "GPU-bbbb", "NVIDIA H100 80GB HBM3",
                                        "nvidia",   "0000:5e:00.0",
                                        "",         "",
                                        "550.54",   NULL };
  static const char *const instance[] = {
    "MIG-cccc", "NVIDIA H100 80GB HBM3 MIG 3g.40gb",
    "nvidia",   "",
    "1",        "3g.40gb",
    "550.54",   NULL
  };

  jm_snapshot_builder_add_gpu (builder, "0", first);
  add_figures_of_gpu (builder, 93, G_GUINT64_CONSTANT (40) << 30);
  jm_snapshot_builder_add (builder, JM_METRIC_GPU_POWER, 612500000);
  jm_snapshot_builder_add (builder, JM_METRIC_GPU_POWER_LIMIT, 700000000);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_GPU_TEMPERATURE, "gpu", 63000);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_GPU_TEMPERATURE, "memory",
                                    71000);
  jm_snapshot_builder_add_gpu (builder, "1", second);
  add_figures_of_gpu (builder, 0, 0);
  jm_snapshot_builder_add_gpu (builder, "1.7", instance);
  jm_snapshot_builder_add (builder, JM_METRIC_GPU_MEMORY_SIZE,
                           G_GUINT64_CONSTANT (40) << 30);
}

static void
add_jobs_of_gpus (JmSnapshotBuilder *builder)
{
  g_autoptr (JmJob) running = jm_test_job_new ("101", "user", "alice", NULL);
  g_autoptr (JmJob) ended = jm_test_job_new ("100", "user", "bob", NULL);
  g_autoptr (JmJob) user = jm_test_job_new ("102", "user", "carol", NULL);

  jm_snapshot_builder_add_job (builder, running);
  jm_snapshot_builder_add (builder, JM_METRIC_ALLOCATED_GPUS, 2);
  jm_snapshot_builder_add_job_gpu (builder, "0", "cgroup", 100);
  add_figures_of_gpu (builder, 90, G_GUINT64_CONSTANT (30) << 30);
  jm_snapshot_builder_add (builder, JM_METRIC_GPU_ENERGY, 5000000);
  jm_snapshot_builder_add_job_gpu (builder, "1.7", "hook", 100);
  jm_snapshot_builder_add_step (builder, "batch");

  jm_snapshot_builder_add_job (builder, ended);
  jm_snapshot_builder_set_end_time (builder, 1700000005500000);
  jm_snapshot_builder_add_job_gpu (builder, "1", NULL, 0);
  jm_snapshot_builder_add (builder, JM_METRIC_GPU_ENERGY, 7250000);

  jm_snapshot_builder_add_job (builder, user);
  jm_snapshot_builder_add_job_gpu (builder, "0", "driver", 0);
  jm_snapshot_builder_add (builder, JM_METRIC_GPU_MEMORY_USED,
                           G_GUINT64_CONSTANT (10) << 30);
}

JmSnapshot *
jm_test_snapshot_of_a_gpu_node (void)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (JM_COLLECTOR_SET (JM_COLLECTOR_GPU));

  add_gpus (builder);
  add_jobs_of_gpus (builder);

  return jm_snapshot_builder_end (builder);
}

static void
add_hostile_labels (JmSnapshotBuilder *builder)
{
  static const char *const labels[] = {
    "",
    "plain",
    "plain",
    "a \"quoted\" \\ line\nbreak",
    "tab\tcarriage\rbell\x07",
    "\xff",
    "\xfe",               /* is the same as the one before once it is made valid */
    "\xef\xbf\xbd",       /* and so is this */
    "cut short \xf0\x9f", /* of a character of four bytes */
    "\xf0\x9f\x90\x8d",   /* a character of four bytes */
    "\xed\xa0\x80",       /* a surrogate, which is no character */
    "\xc0\x80",           /* an overlong NUL */
    "{a=\"b\"} 1 # EOF\n# EOF",
    "ends in a backslash\\",
  };

  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    jm_snapshot_builder_add_labelled (builder, JM_METRIC_EXECUTABLE_CPU, labels[i],
                                      1000000000 + i);
}

static void
add_hostile_value (JmSnapshotBuilder *builder, JmMetric metric)
{
  static const char *const values[] = { "a/b", "c,d\xff", "", "\"", "\\", "\n", "}" };
  const char *some[G_N_ELEMENTS (values) + 1] = { NULL };
  g_autoptr (JmLabels) labels = NULL;
  guint n_labels = jm_metric_get_info (metric)->n_labels;

  if (n_labels == 0)
    {
      jm_snapshot_builder_add (builder, metric, metric);
      return;
    }

  g_assert_cmpuint (n_labels, <=, G_N_ELEMENTS (values));
  for (guint i = 0; i < n_labels; i++)
    some[i] = values[i];
  labels = jm_labels_new (some);
  jm_readings_add_labelled (builder->readings, metric, labels, metric);
}

/* The last two look alike once they are made valid. */
static const char *const hostile_gpus[] = { "", "0\"\n\\", "0\xff", "0\xfe" };

static void
add_hostile_gpus (JmSnapshotBuilder *builder)
{
  static const char *const fields[] = {
    "", "\xff", "}", "\"", "\\", "\n", "a,b", NULL
  };

  for (guint i = 0; i < G_N_ELEMENTS (hostile_gpus); i++)
    {
      jm_snapshot_builder_add_gpu (builder, hostile_gpus[i], fields);
      for (JmMetric metric = 0; metric < JM_N_METRICS; metric++)
        if (metric != JM_METRIC_GPU_INFO)
          add_hostile_value (builder, metric);
    }
}

static void
add_hostile_gpus_of_job (JmSnapshotBuilder *builder)
{
  for (guint i = 0; i < G_N_ELEMENTS (hostile_gpus); i++)
    {
      jm_snapshot_builder_add_job_gpu (builder, hostile_gpus[i], "\xff", 50);
      for (JmMetric metric = 0; metric < JM_N_METRICS; metric++)
        add_hostile_value (builder, metric);
    }
}

JmSnapshot *
jm_test_snapshot_of_a_hostile_node (void)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmJob) job = jm_test_job_new ("1\"2", "name", "\\\"\n\xff\xf0\x9f\x90\x8d",
                                           "user", "}", "start_time", "-5", NULL);

  for (JmMetric i = JM_METRIC_NODE_CPU; i < JM_N_METRICS; i++)
    add_hostile_value (builder, i);
  add_hostile_gpus (builder);
  for (guint twice = 0; twice < 2; twice++)
    {
      jm_snapshot_builder_add_job (builder, job);
      for (JmMetric i = 0; i < JM_N_METRICS; i++)
        add_hostile_value (builder, i);
      add_hostile_labels (builder);
      add_hostile_gpus_of_job (builder);
      jm_snapshot_builder_add_step (builder, "a\"\n\\\xff");
      add_hostile_labels (builder);
      jm_snapshot_builder_add_step (builder, "a\"\n\\\xff");
      add_hostile_labels (builder);
      jm_snapshot_builder_add_task (builder, "\xff");
      add_hostile_labels (builder);
    }
  jm_snapshot_builder_add_error (builder, JM_COLLECTOR_IO, "io.stat: \xff\n\"");

  return jm_snapshot_builder_end (builder);
}
