/* make-running.c: a site's archive with jobs that run
 *
 * usage: make-running FILE [NOW]
 *
 * In them is run 7 of ada, which has used nothing for an hour, run 8 of bob, which
 * keeps its CPUs busy, and run 9 of carol, which used nothing and has ended. With NOW,
 * in seconds since 1970, the runs in the table below as well, which began six hours
 * before.
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdlib.h>

#include "archive/jm-archive-database-private.h"
#include "core/jm-job-profile-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-metric-private.h"
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

/* --- runs with a course over time --- */

#define COURSE_S (6 * 3600)
#define INTERVAL_S 256
#define N_POINTS (COURSE_S / INTERVAL_S + 1)

/* For how many hours each was busy before it was idle; its nodes were seen last
 * @unseen_s ago. A run of two nodes has a busy one. */
typedef struct
{
  const char *id;
  const char *user;
  const char *qos;
  const char *name;
  guint n_gpus;
  guint busy_hours;
  guint n_nodes;
  gint64 unseen_s;
} Course;

static const Course courses[] = {
  { "20", "ada", "normal", "train", 4, 2, 1, 0 },
  { "21", "bob", "normal", "train", 4, 6, 1, 0 },
  { "22", "carol", "long", "train", 4, 2, 1, 0 },
  { "23", "dave", "normal", "train", 4, 2, 1, 3600 },
  { "24", "eve", "normal", "interactive", 0, 1, 1, 0 },
  { "25", "frank", "normal", "train", 4, 2, 2, 0 },
  { "26", "gina", NULL, "train", 4, 2, 1, 0 },
};

static JmJobProfile *
make_profile (const Course *course, gint64 begin_s, gboolean is_busy)
{
  JmProfilePoint cpu[N_POINTS] = { 0 };
  JmProfilePoint gpu[N_POINTS] = { 0 };
  const JmProfilePoint *points[JM_N_PROFILE_SERIES] = { NULL };

  for (guint i = 0; i < N_POINTS - course->unseen_s / INTERVAL_S; i++)
    {
      const gboolean works = is_busy || i * INTERVAL_S < course->busy_hours * 3600;

      cpu[i].seen_us = gpu[i].seen_us = INTERVAL_S * G_USEC_PER_SEC;
      cpu[i].sum = works ? N_CPUS * INTERVAL_S * NS : 0;
      gpu[i].area = works ? 1e6 * INTERVAL_S * G_USEC_PER_SEC : 0;
    }
  points[JM_PROFILE_SERIES_CPU] = cpu;
  points[JM_PROFILE_SERIES_GPU_UTILIZATION] = course->n_gpus > 0 ? gpu : NULL;

  return jm_job_profile_restore (begin_s * G_USEC_PER_SEC, INTERVAL_S * G_USEC_PER_SEC,
                                 N_POINTS, points);
}

static void
add_course (JmRunBatch *batch, const Course *course, gint64 now)
{
  static const JmCoverage coverage = { "life", 1, JM_TOTAL_METHOD_FINAL };
  const gint64 begin = now - COURSE_S;
  g_autofree char *start = g_strdup_printf ("%" G_GINT64_FORMAT, begin);
  g_autoptr (JmJob) job = jm_test_job_new (course->id, "user", course->user, "cluster",
                                           "alps", "start_time", start, NULL);
  g_autoptr (JmSnapshot) snapshot = make_snapshot (job, 1);
  g_autoptr (JmRun) run = jm_run_new ("alps", course->id);

  jm_run_keep_text (run, JM_RUN_FIELD_USER, course->user);
  jm_run_keep_text (run, JM_RUN_FIELD_QOS, course->qos);
  jm_run_keep_text (run, JM_RUN_FIELD_NAME, course->name);
  jm_run_keep_text (run, JM_RUN_FIELD_STATE, "RUNNING");
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, begin);
  jm_run_keep_number (run, JM_RUN_FIELD_SEEN_TIME, now);
  jm_run_keep_number (run, JM_RUN_FIELD_NODES, course->n_nodes);
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
  for (guint i = 0; i < course->n_nodes; i++)
    {
      g_autofree char *node = g_strdup_printf ("n%u", i);
      g_autoptr (JmJobProfile) profile = make_profile (course, begin, i > 0);
      const JmJobRecordContent content = {
        .job = job,
        .node = node,
        .state = JM_RUN_STATE_RUNNING,
        .begin_us = begin * G_USEC_PER_SEC,
        .seen_us = (now - course->unseen_s) * G_USEC_PER_SEC,
        .snapshot = snapshot,
        .profile = profile,
        .coverage = &coverage,
        .n_coverage = 1,
      };
      g_autoptr (JmJobRecord) record = jm_job_record_new (&content);

      jm_run_batch_add_record (batch, record, "alps");
    }
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
  for (guint i = 0; argc > 2 && i < G_N_ELEMENTS (courses); i++)
    add_course (batch, &courses[i], atoll (argv[2]));
  if (store != NULL && jm_archive_database_merge (store, batch, &error))
    return 0;

  g_printerr ("%s\n", error->message);

  return 1;
}
