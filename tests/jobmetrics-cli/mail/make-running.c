/* make-running.c: a site's archive with jobs that run
 *
 * usage: make-running FILE
 *
 * In them is run 7 of ada, which has used nothing for an hour, run 8 of bob, which
 * keeps its CPUs busy, and run 9 of carol, which used nothing and has ended.
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jm-archive-database-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-run-field-private.h"
#include "jm-snapshot-builder.h"

#define BEGIN_S G_GINT64_CONSTANT (1772323200)
#define LIFE_S 3600
#define NS G_GUINT64_CONSTANT (1000000000)
#define N_CPUS 4

static JmSnapshot *
make_snapshot (JmJob *job, guint64 busy_cpus)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());

  jm_snapshot_builder_set_time (builder, (BEGIN_S + LIFE_S) * G_USEC_PER_SEC);
  jm_snapshot_builder_add_job (builder, job);
  jm_snapshot_builder_add (builder, JM_METRIC_CPUS, N_CPUS);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL, busy_cpus * LIFE_S * NS);

  return jm_snapshot_builder_end (builder);
}

static JmJobRecord *
make_record (const char *id, const char *user, guint64 busy_cpus, gboolean is_ended)
{
  static const JmCoverage coverage = { "life", 1, JM_TOTAL_METHOD_FINAL };
  g_autofree char *start = g_strdup_printf ("%" G_GINT64_FORMAT, BEGIN_S);
  g_autoptr (JmJob) job =
    jm_test_job_new (id, "user", user, "cluster", "alps", "start_time", start, NULL);
  g_autoptr (JmSnapshot) snapshot = make_snapshot (job, busy_cpus);
  const JmJobRecordContent content = {
    .job = job,
    .node = "n1",
    .state = is_ended ? JM_RUN_STATE_ENDED : JM_RUN_STATE_RUNNING,
    .begin_us = BEGIN_S * G_USEC_PER_SEC,
    .end_us = is_ended ? (BEGIN_S + LIFE_S) * G_USEC_PER_SEC : 0,
    .seen_us = (BEGIN_S + LIFE_S) * G_USEC_PER_SEC,
    .snapshot = snapshot,
    .coverage = &coverage,
    .n_coverage = 1,
  };

  return jm_job_record_new (&content);
}

static void
add (JmRunBatch *batch,
     const char *id,
     const char *user,
     guint64 busy_cpus,
     gboolean is_ended)
{
  g_autoptr (JmRun) run = jm_run_new ("alps", id);
  g_autoptr (JmJobRecord) record = make_record (id, user, busy_cpus, is_ended);

  jm_run_keep_text (run, JM_RUN_FIELD_USER, user);
  jm_run_keep_text (run, JM_RUN_FIELD_STATE, is_ended ? "COMPLETED" : "RUNNING");
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, BEGIN_S);
  if (is_ended)
    jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, BEGIN_S + LIFE_S);
  else
    jm_run_keep_number (run, JM_RUN_FIELD_SEEN_TIME, BEGIN_S + LIFE_S);
  jm_run_keep_number (run, JM_RUN_FIELD_NODES, 1);
  jm_run_keep_number (run, JM_RUN_FIELD_CPUS, N_CPUS);
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
  jm_run_batch_add_record (batch, record, "alps");
}

int
main (int argc, char **argv)
{
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (JmArchiveDatabase) store = jm_archive_database_open (argv[1], &error);

  add (batch, "7", "ada", 0, FALSE);
  add (batch, "8", "bob", N_CPUS, FALSE);
  add (batch, "9", "carol", 0, TRUE);
  if (store != NULL && jm_archive_database_merge (store, batch, &error))
    return 0;

  g_printerr ("%s\n", error->message);

  return 1;
}
