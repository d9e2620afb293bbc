/* print-dialect.c: all that there can be of a node and a cluster, in the words of a
 * dialect
 *
 * usage: print-dialect [FILE [BASE]]
 *
 * BASE is the file of the dialect that FILE is like. Without a file in jobmetrics' own
 * words.
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdio.h>
#include <string.h>

#include "core/jm-metric-private.h"
#include "expose/jm-dialect-private.h"
#include "expose/jm-text-encoder.h"
#include "jm-snapshot-builder.h"

#define MAX_LABELS 8

/* Of labels that dialects choose by, in turn; every other one has its own name as its
 * value. */
static const struct
{
  const char *name;
  const char *values[32];
} choices[] = {
  { "state",
    { "running", "disk_sleep", "pending",   "suspended",  "cancelled", "completed",
      "failed",  "timeout",    "preempted", "node_fail",  "allocated", "idle",
      "other",   "mixed",      "down",      "completing", "drained",   "error",
      "failing", "maint",      "reserved",  "unusable" } },
  { "flag",
    { "completing", "configuring", "drain", "fail", "maintenance", "reserved" } },
  { "reason", { "Dependency", "Priority" } },
  { "topic", { "jobs", "nodes", "licenses", "limits", "diagnostics" } },
  { "direction", { "receive", "transmit" } },
  { "pipe", { "tensor", "fp64", "fp32", "fp16" } },
  { "sensor", { "gpu" } },
  { "filesystem", { "/scratch" } },
  { "source", { "rapl-powercap", "rapl-powercap", "ipmi", "redfish", "cray" } },
  { "domain", { "package-0", "dram-0", "node", "node", "node" } },
  { "statistic", { "max", "min", "avg" } },
  { "limit", { "long_term" } },
};

static guint
count_values (guint choice)
{
  guint n = 0;

  while (n < G_N_ELEMENTS (choices[choice].values) && choices[choice].values[n] != NULL)
    n++;

  return n;
}

static const char *
choose (const char *label, guint turn)
{
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    if (g_str_equal (choices[i].name, label))
      return choices[i].values[turn % count_values (i)];

  return label;
}

static void
add_metric (JmSnapshotBuilder *builder, JmMetric metric)
{
  const JmMetricInfo *info = jm_metric_get_info (metric);

  if (info->n_labels == 0)
    {
      jm_snapshot_builder_add (builder, metric, 1000000);
      return;
    }

  /* enough turns for each value of a label with each of another */
  for (guint turn = 0; turn < 30; turn++)
    {
      const char *values[MAX_LABELS + 1] = { NULL };
      g_autoptr (JmLabels) labels = NULL;

      for (guint i = 0; i < info->n_labels; i++)
        values[i] = choose (info->labels[i], turn);
      labels = jm_labels_new (values);
      jm_snapshot_builder_add_labels (builder, metric, labels, 1000000);
    }
}

/* What the builder adds by itself is left out. */
static void
add_all (JmSnapshotBuilder *builder, JmSubjectKind kind)
{
  for (JmMetric i = 0; i < JM_N_METRICS; i++)
    if (jm_metric_is_about (i, kind) && i != JM_METRIC_GPU_INFO &&
        i != JM_METRIC_GPU_SHARE)
      add_metric (builder, i);
}

static void
add_part (JmSnapshotBuilder *builder, JmSubjectKind kind, JmLabels *labels)
{
  jm_snapshot_builder_add_labelled_part (builder, kind, labels);
  add_all (builder, kind);
}

static void
add_cluster (JmSnapshotBuilder *builder)
{
  g_autoptr (JmLabels) cluster = jm_labels_of ("lab", NULL);
  g_autoptr (JmLabels) partition = jm_labels_of ("lab", "batch", NULL);
  g_autoptr (JmLabels) account = jm_labels_of ("lab", "physics", NULL);
  g_autoptr (JmLabels) user = jm_labels_of ("lab", "ada", NULL);
  g_autoptr (JmLabels) node = jm_labels_of ("lab", "n1", NULL);
  g_autoptr (JmLabels) share = jm_labels_of ("lab", "physics", "ada", "batch", NULL);
  g_autoptr (JmLabels) whole = jm_labels_of ("lab", "physics", "", "", NULL);

  add_part (builder, JM_SUBJECT_KIND_CLUSTER, cluster);
  add_part (builder, JM_SUBJECT_KIND_PARTITION, partition);
  add_part (builder, JM_SUBJECT_KIND_ACCOUNT, account);
  add_part (builder, JM_SUBJECT_KIND_USER, user);
  add_part (builder, JM_SUBJECT_KIND_CLUSTER_NODE, node);
  add_part (builder, JM_SUBJECT_KIND_SCHEDULER, cluster);
  add_part (builder, JM_SUBJECT_KIND_ASSOCIATION, share);
  add_part (builder, JM_SUBJECT_KIND_ASSOCIATION, whole);
}

static JmSnapshot *
make_snapshot (gint64 time_us)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  const char *const gpu[] = { "GPU-1", "A100", "nvidia", "", "", "", "", NULL };
  g_autoptr (JmJob) job =
    jm_test_job_new ("7", "scheduler", "slurm", "cluster", "lab", "user", "ada", "uid",
                     "1001", "account", "physics", "name", "relax", "start_time",
                     "1790000000", NULL);

  jm_snapshot_builder_set_time (builder, time_us);
  add_all (builder, JM_SUBJECT_KIND_NODE);
  jm_snapshot_builder_add_part (builder, JM_SUBJECT_KIND_GRID);
  add_all (builder, JM_SUBJECT_KIND_GRID);
  jm_snapshot_builder_add_gpu (builder, "0", gpu);
  add_all (builder, JM_SUBJECT_KIND_GPU);
  jm_snapshot_builder_add_job (builder, job);
  add_all (builder, JM_SUBJECT_KIND_JOB);
  jm_snapshot_builder_add_job_gpu (builder, "0", "hook", 100);
  add_all (builder, JM_SUBJECT_KIND_JOB_GPU);
  add_cluster (builder);

  return jm_snapshot_builder_end (builder);
}

static JmDialect *
read_dialect (const char *path, GError **error)
{
  g_autofree char *text = NULL;
  gsize length;

  return g_file_get_contents (path, &text, &length, error)
           ? jm_dialect_new_from_text (path, text, length, error)
           : NULL;
}

static JmTextEncoder *
make_encoder (const char *path, const char *base_path, GError **error)
{
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();
  g_autoptr (JmDialect) dialect = NULL;
  g_autoptr (JmDialect) base = NULL;

  g_object_set (encoder, "native", path == NULL, "node-name", "n1", NULL);
  if (path == NULL)
    return g_steal_pointer (&encoder);
  dialect = read_dialect (path, error);
  base = dialect != NULL && base_path != NULL ? read_dialect (base_path, error) : NULL;
  if (dialect == NULL || (base_path != NULL &&
                          (base == NULL || !jm_dialect_extend (dialect, base, error))))
    return NULL;

  return jm_text_encoder_add_dialect (encoder, dialect, error)
           ? g_steal_pointer (&encoder)
           : NULL;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmTextEncoder) encoder =
    argc <= 3 ? make_encoder (argv[1], argc > 2 ? argv[2] : NULL, &error) : NULL;
  g_autoptr (JmSnapshot) before = make_snapshot (JM_TEST_TIME_US);
  g_autoptr (JmSnapshot) now = make_snapshot (JM_TEST_TIME_US + G_USEC_PER_SEC);
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  if (encoder == NULL)
    {
      fprintf (stderr, "%s\n", error != NULL ? error->message : "usage: [FILE]");
      return 2;
    }

  /* rates are of the second */
  first = jm_text_encoder_to_string (encoder, before, JM_TEXT_FORMAT_PROMETHEUS);
  second = jm_text_encoder_to_string (encoder, now, JM_TEXT_FORMAT_PROMETHEUS);
  fputs (second, stdout);

  return 0;
}
