/* make-ledger.c: a ledger for tests of the command line
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * usage: make-ledger FILE [N]
 *
 * Three jobs, of which the last runs; with N, that many short ones instead.
 */

#include <stdlib.h>

#include "core/jm-job-profile-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-metric-private.h"
#include "jm-snapshot-builder.h"
#include "node/ledger/jm-ledger-private.h"

#define START_US G_GINT64_CONSTANT (1795341600000000) /* 2026-11-22 10:00 UTC */
#define HOUR_US (G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC)
#define NS_PER_S G_GUINT64_CONSTANT (1000000000)
#define PATIENCE_US (60 * G_USEC_PER_SEC)

typedef struct
{
  const char *id;
  const char *user;
  const char *uid;
  const char *account;
  const char *name;
  JmRunState state;
  gint64 begin_us;
  gint64 end_us;
} Run;

static const Run runs[] = {
  { "1", "alice", "1001", "physics", "train\033[2J", JM_RUN_STATE_ENDED, START_US,
    START_US + HOUR_US },
  { "2", "bob", "1002", "chemistry", "md", JM_RUN_STATE_LOST, START_US + HOUR_US,
    START_US + 2 * HOUR_US },
  { "3", "alice", "1001", "physics", "hello", JM_RUN_STATE_RUNNING,
    START_US + 2 * HOUR_US, 0 },
};

static JmSnapshot *
make_snapshot (JmJob *job, const Run *run)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmLabels) measured = jm_labels_of ("package", "measured", NULL);

  jm_snapshot_builder_set_time (builder, run->begin_us + HOUR_US);
  jm_snapshot_builder_add_job (builder, job);
  if (run->end_us > 0)
    jm_snapshot_builder_set_end_time (builder, run->end_us);
  jm_snapshot_builder_add (builder, JM_METRIC_CPUS, 2);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL, 3600 * NS_PER_S);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_PEAK, 512 << 20);
  jm_snapshot_builder_add_labels (builder, JM_METRIC_ENERGY, measured, 36000000000);

  return jm_snapshot_builder_end (builder);
}

/* A quarter of an hour of work, then a rest. */
static JmJobProfile *
make_profile (const Run *run)
{
  JmJobProfile *profile = jm_job_profile_new (run->begin_us);

  jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_CPU, run->begin_us,
                          run->begin_us + HOUR_US / 4, 900 * NS_PER_S);
  jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_CPU, run->begin_us + HOUR_US / 4,
                          run->begin_us + HOUR_US / 2, 0);
  jm_job_profile_add_level (profile, JM_PROFILE_SERIES_MEMORY, run->begin_us,
                            run->begin_us + HOUR_US / 2, 512 << 20);

  return profile;
}

static JmJobRecord *
make_record (const Run *run)
{
  static const JmCoverage coverage[] = { { "life", 0.99, JM_TOTAL_METHOD_FINAL },
                                         { "cpu", 1, JM_TOTAL_METHOD_FINAL } };
  g_autoptr (JmJob) job =
    jm_test_job_new (run->id, "user", run->user, "uid", run->uid, "account",
                     run->account, "name", run->name, NULL);
  g_autoptr (JmSnapshot) snapshot = make_snapshot (job, run);
  g_autoptr (JmJobProfile) profile = make_profile (run);
  const JmJobRecordContent content = { .job = job,
                                       .node = "n1",
                                       .state = run->state,
                                       .begin_us = run->begin_us,
                                       .end_us = run->end_us,
                                       .seen_us = run->begin_us + HOUR_US,
                                       .snapshot = snapshot,
                                       .profile = profile,
                                       .coverage = coverage,
                                       .n_coverage = G_N_ELEMENTS (coverage) };

  return jm_job_record_new (&content);
}

static void
add (JmLedgerBatch *batch, const Run *run)
{
  g_autoptr (JmJobRecord) record = make_record (run);

  if (run->state == JM_RUN_STATE_RUNNING)
    jm_ledger_batch_set_running (batch, record);
  else
    jm_ledger_batch_append (batch, record);
}

static void
add_short (JmLedgerBatch *batch, guint i)
{
  g_autofree char *id = g_strdup_printf ("%u", i + 1);
  const gint64 begin_us = START_US + (gint64) i * G_USEC_PER_SEC;
  const Run run = { id,        "alice",          "1001",
                    "physics", "hello",          JM_RUN_STATE_ENDED,
                    begin_us,  begin_us + 500000 };

  add (batch, &run);
}

int
main (int argc, char **argv)
{
  const JmLedgerPlan plan = { .path = argv[1] };
  const int n = argc > 2 ? atoi (argv[2]) : 0;
  g_autoptr (GError) error = NULL;
  g_autoptr (JmLedger) ledger = jm_ledger_open_for_writing (&plan, &error);
  JmLedgerBatch *batch = jm_ledger_batch_new ();

  g_assert_no_error (error);
  for (int i = 0; i < n; i++)
    add_short (batch, (guint) i);
  for (guint i = 0; n == 0 && i < G_N_ELEMENTS (runs); i++)
    add (batch, &runs[i]);
  if (!jm_ledger_await (ledger, jm_ledger_submit (ledger, batch), PATIENCE_US))
    g_error ("%s: not written", argv[1]);
  jm_ledger_close (ledger);

  return EXIT_SUCCESS;
}
