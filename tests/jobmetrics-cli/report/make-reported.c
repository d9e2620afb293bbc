/* make-reported.c: a site's archive for tests of reports
 *
 * usage: make-reported FILE
 *
 * In them is job 7 of ada, twice: a run on n1 and n2, of which their ledgers have
 * records, and an older one, of which the accounting alone knows.
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jm-archive-database-private.h"
#include "core/jm-job-profile-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-metric-private.h"
#include "core/jm-run-field-private.h"
#include "jm-snapshot-builder.h"

#define BEGIN_S G_GINT64_CONSTANT (1772323200)
#define LIFE_S 3600
#define NS G_GUINT64_CONSTANT (1000000000)
#define GIB (G_GUINT64_CONSTANT (1) << 30)

/* Of four CPUs. */
static JmSnapshot *
make_snapshot (JmJob *job, guint64 busy_cpus)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmLabels) measured = jm_labels_of ("package", "measured", NULL);

  jm_snapshot_builder_set_time (builder, (BEGIN_S + LIFE_S) * G_USEC_PER_SEC);
  jm_snapshot_builder_add_job (builder, job);
  jm_snapshot_builder_set_end_time (builder, (BEGIN_S + LIFE_S) * G_USEC_PER_SEC);
  jm_snapshot_builder_add (builder, JM_METRIC_CPUS, 4);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL, busy_cpus * LIFE_S * NS);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_PEAK, 2 * GIB);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_RESIDENT_PEAK, GIB);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_LIMIT, 8 * GIB);
  jm_snapshot_builder_add_labels (builder, JM_METRIC_ENERGY, measured, 720000000000);

  return jm_snapshot_builder_end (builder);
}

static JmJobRecord *
make_record (const char *node, guint64 busy_cpus)
{
  static const JmCoverage coverage = { "life", 1, JM_TOTAL_METHOD_FINAL };
  g_autofree char *start = g_strdup_printf ("%" G_GINT64_FORMAT, BEGIN_S);
  g_autoptr (JmJob) job = jm_test_job_new ("7", "user", "ada", "uid", "1001", "cluster",
                                           "alps", "start_time", start, NULL);
  g_autoptr (JmSnapshot) snapshot = make_snapshot (job, busy_cpus);
  g_autoptr (JmJobProfile) profile = jm_job_profile_new (BEGIN_S * G_USEC_PER_SEC);
  const JmJobRecordContent content = {
    .job = job,
    .node = node,
    .state = JM_RUN_STATE_ENDED,
    .begin_us = BEGIN_S * G_USEC_PER_SEC,
    .end_us = (BEGIN_S + LIFE_S) * G_USEC_PER_SEC,
    .seen_us = (BEGIN_S + LIFE_S) * G_USEC_PER_SEC,
    .snapshot = snapshot,
    .profile = profile,
    .coverage = &coverage,
    .n_coverage = 1,
  };

  jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_CPU, BEGIN_S * G_USEC_PER_SEC,
                          (BEGIN_S + LIFE_S) * G_USEC_PER_SEC, busy_cpus * LIFE_S * NS);

  return jm_job_record_new (&content);
}

static void
add_run (JmRunBatch *batch, gint64 start, const char *name)
{
  g_autoptr (JmRun) run = jm_run_new ("alps", "7");

  jm_run_keep_text (run, JM_RUN_FIELD_USER, "ada");
  jm_run_keep_text (run, JM_RUN_FIELD_NAME, name);
  jm_run_keep_text (run, JM_RUN_FIELD_STATE, "COMPLETED");
  jm_run_keep_number (run, JM_RUN_FIELD_UID, 1001);
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, start);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, start + LIFE_S);
  jm_run_keep_number (run, JM_RUN_FIELD_TIME_LIMIT, 4 * LIFE_S);
  jm_run_keep_number (run, JM_RUN_FIELD_NODES, 2);
  jm_run_keep_number (run, JM_RUN_FIELD_CPUS, 8);
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
}

/* Accounting alone knows of it. */
static void
add_task (JmRunBatch *batch,
          guint array,
          guint task,
          const char *state,
          gint64 busy_cpus,
          gint64 hours)
{
  g_autofree char *raw_id = g_strdup_printf ("%u", array + task);
  g_autofree char *array_id = g_strdup_printf ("%u", array);
  g_autofree char *id = g_strdup_printf ("%u_%u", array, task);
  g_autoptr (JmRun) run = jm_run_new ("alps", raw_id);

  jm_run_keep_text (run, JM_RUN_FIELD_JOBID, id);
  jm_run_keep_text (run, JM_RUN_FIELD_ARRAY_JOBID, array_id);
  jm_run_keep_text (run, JM_RUN_FIELD_USER, "ben");
  jm_run_keep_text (run, JM_RUN_FIELD_NAME, "sweep");
  jm_run_keep_text (run, JM_RUN_FIELD_STATE, state);
  jm_run_keep_text (run, JM_RUN_FIELD_TRES, "cpu=4,mem=8G,node=1");
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, BEGIN_S + task);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, BEGIN_S + task + hours * LIFE_S);
  jm_run_keep_number (run, JM_RUN_FIELD_NODES, 1);
  jm_run_keep_number (run, JM_RUN_FIELD_CPUS, 4);
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL,
                      busy_cpus * hours * LIFE_S * G_USEC_PER_SEC);
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
}

int
main (int argc, char **argv)
{
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (JmJobRecord) first = make_record ("n1", 3);
  g_autoptr (JmJobRecord) second = make_record ("n2", 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmArchiveDatabase) store = jm_archive_database_open (argv[1], &error);

  add_run (batch, BEGIN_S - 100 * LIFE_S, "older");
  add_run (batch, BEGIN_S, "newer");
  add_task (batch, 12, 1, "COMPLETED", 4, 1);
  add_task (batch, 12, 2, "COMPLETED", 2, 1);
  add_task (batch, 12, 3, "FAILED", 3, 1);
  for (guint i = 1; i <= 25; i++)
    add_task (batch, 400, i, "FAILED", 4, 1);
  for (guint i = 26; i <= 39; i++)
    add_task (batch, 400, i, "COMPLETED", 4, 1);
  add_task (batch, 400, 40, "COMPLETED", 4, 5);
  jm_run_batch_add_record (batch, first, "alps");
  jm_run_batch_add_record (batch, second, "alps");
  if (store != NULL && jm_archive_database_merge (store, batch, &error))
    return 0;

  g_printerr ("%s\n", error->message);

  return 1;
}
