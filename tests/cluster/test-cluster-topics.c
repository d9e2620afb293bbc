/* test-cluster-topics.c: what is reported of a scheduler and of what it grants
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>

#include "cluster/jm-cluster-asker-private.h"
#include "cluster/jm-cluster-tally-private.h"

#define NOW_S G_GINT64_CONSTANT (1795412400)

typedef struct
{
  JmSchedulerReport *reports[JM_N_SCHEDULER_TOPICS];
  guint max_names;
  JmSnapshot *snapshot;
} Fixture;

static void
fixture_set_up (Fixture *f, gconstpointer data)
{
  for (JmSchedulerTopic i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    f->reports[i] = jm_scheduler_report_new (i);
  f->max_names = 1000;
}

static void
fixture_tear_down (Fixture *f, gconstpointer data)
{
  g_clear_pointer (&f->snapshot, jm_snapshot_unref);
  for (JmSchedulerTopic i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    jm_scheduler_report_unref (f->reports[i]);
}

static void
sum_up (Fixture *f)
{
  g_autoptr (JmClusterSums) sums =
    jm_cluster_sums_new (f->max_names, NOW_S * G_USEC_PER_SEC);
  JmClusterAnswer answers[JM_N_SCHEDULER_TOPICS] = { 0 };

  for (JmSchedulerTopic i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    answers[i] = (JmClusterAnswer){ .report = f->reports[i],
                                    .is_asked = TRUE,
                                    .has_succeeded = TRUE };
  jm_cluster_sums_add (sums, "alpha", answers);
  f->snapshot = jm_cluster_sums_make_snapshot (sums, 0);
}

/* Of the subject with @names behind the cluster's, with commas between; -1 for none. */
static double
get (Fixture *f,
     JmSubjectKind kind,
     const char *names,
     JmMetric metric,
     const char *words)
{
  g_auto (GStrv) values = words != NULL ? g_strsplit (words, "|", -1) : NULL;
  g_autoptr (JmLabels) labels =
    values != NULL ? jm_labels_new ((const char *const *) values) : NULL;
  guint n;
  const JmSubject *subjects = jm_snapshot_get_subjects (f->snapshot, &n);
  double value = -1;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *all =
        g_strjoinv (",", (char **) jm_labels_get_values (subjects[i].labels));
      g_autofree char *wanted =
        names != NULL ? g_strconcat ("alpha,", names, NULL) : g_strdup ("alpha");

      if (subjects[i].kind == kind && g_str_equal (all, wanted))
        jm_snapshot_get_labelled_metric (f->snapshot, i, metric, labels, &value);
    }

  return value;
}

#define SCHEDULER(metric, word)                                                        \
 get (f, JM_SUBJECT_KIND_SCHEDULER, NULL, JM_METRIC_SCHEDULER_##metric, word)

static void
test_a_controller_reports_how_it_is_doing (Fixture *f, gconstpointer data)
{
  JmSchedulerDiagnostics told;

  jm_scheduler_diagnostics_init (&told);
  told.reset_time = NOW_S - 400;
  told.server_threads = 3;
  told.dbd_queue = 0;
  told.jobs_submitted = 11;
  told.last_cycle_seconds = 35e-6;
  told.cycles_per_minute = 18;
  told.backfilled_last_jobs = 4;
  told.backfill_max_cycle_seconds = 2.5;
  told.backfill_last_depth_try = 2;
  told.backfill_mean_depth = 2.5;
  jm_scheduler_report_set_diagnostics (f->reports[JM_SCHEDULER_TOPIC_DIAGNOSTICS],
                                       &told);
  sum_up (f);

  g_assert_cmpfloat (SCHEDULER (RESET_TIME, NULL), ==, (double) (NOW_S - 400));
  g_assert_cmpfloat (SCHEDULER (THREADS, NULL), ==, 3);
  g_assert_cmpfloat (SCHEDULER (ACCOUNTING_QUEUE, NULL), ==, 0);
  g_assert_cmpfloat (SCHEDULER (JOBS_SUBMITTED, NULL), ==, 11);
  g_assert_cmpfloat (SCHEDULER (LAST_CYCLE, NULL), ==, 35e-6);
  g_assert_cmpfloat (SCHEDULER (CYCLES_PER_MINUTE, NULL), ==, 18);
  g_assert_cmpfloat (SCHEDULER (BACKFILLED_LAST_JOBS, NULL), ==, 4);
  g_assert_cmpfloat (SCHEDULER (BACKFILL_MAX_CYCLE, NULL), ==, 2.5);
  g_assert_cmpfloat (SCHEDULER (BACKFILL_LAST_DEPTH_TRIED, NULL), ==, 2);
  g_assert_cmpfloat (SCHEDULER (BACKFILL_MEAN_DEPTH, NULL), ==, 3);
  /* what nobody reported is not zero */
  g_assert_cmpfloat (SCHEDULER (AGENT_QUEUE, NULL), ==, -1);
  g_assert_cmpfloat (SCHEDULER (MEAN_CYCLE, NULL), ==, -1);
}

static void
add_rpc (Fixture *f,
         const char *type,
         const char *user,
         gint64 count,
         double total_seconds)
{
  const JmSchedulerRpc rpc = { type, user, count, total_seconds };

  jm_scheduler_report_add_rpc (f->reports[JM_SCHEDULER_TOPIC_DIAGNOSTICS], &rpc);
}

static void
test_questions_are_reported_by_type_and_by_user (Fixture *f, gconstpointer data)
{
  f->max_names = 2;
  add_rpc (f, "REQUEST_PING", NULL, 4, 0.25);
  add_rpc (f, "REQUEST_NODE_INFO", NULL, 1, NAN);
  add_rpc (f, NULL, "dora", 2, 0.5);
  add_rpc (f, NULL, "ben", 3, 1);
  add_rpc (f, NULL, "carl", 5, 0.125);
  add_rpc (f, NULL, "ann", 7, 2);
  sum_up (f);

  g_assert_cmpfloat (SCHEDULER (RPCS, "REQUEST_PING"), ==, 4);
  g_assert_cmpfloat (SCHEDULER (RPC_TIME, "REQUEST_PING"), ==, 0.25);
  g_assert_cmpfloat (SCHEDULER (RPCS, "REQUEST_NODE_INFO"), ==, 1);
  g_assert_cmpfloat (SCHEDULER (RPC_TIME, "REQUEST_NODE_INFO"), ==, -1);
  g_assert_cmpfloat (SCHEDULER (USER_RPCS, "ann"), ==, 7);
  g_assert_cmpfloat (SCHEDULER (USER_RPC_TIME, "ben"), ==, 1);
  g_assert_cmpfloat (SCHEDULER (USER_RPCS, "carl"), ==, -1);
  g_assert_cmpfloat (SCHEDULER (USER_RPCS, JM_CLUSTER_OTHER), ==, 7);
  g_assert_cmpfloat (SCHEDULER (USER_RPC_TIME, JM_CLUSTER_OTHER), ==, 0.625);
}

#define CLUSTER(metric, word)                                                          \
 get (f, JM_SUBJECT_KIND_CLUSTER, NULL, JM_METRIC_##metric, word)
#define PARTITION(name, metric, word)                                                  \
 get (f, JM_SUBJECT_KIND_PARTITION, name, JM_METRIC_##metric, word)
#define ASSOCIATION(names, metric)                                                     \
 get (f, JM_SUBJECT_KIND_ASSOCIATION, names, JM_METRIC_##metric, NULL)

static void
test_licences_are_reported_by_name (Fixture *f, gconstpointer data)
{
  const JmSchedulerLicense told = { "matlab@flex", 1, 5, 2, 3, -1, 7, 0 };

  jm_scheduler_report_add_license (f->reports[JM_SCHEDULER_TOPIC_LICENSES], &told);
  sum_up (f);

  g_assert_cmpfloat (CLUSTER (CLUSTER_LICENSES, "matlab@flex"), ==, 5);
  g_assert_cmpfloat (CLUSTER (CLUSTER_LICENSES_USED, "matlab@flex"), ==, 2);
  g_assert_cmpfloat (CLUSTER (CLUSTER_LICENSES_FREE, "matlab@flex"), ==, 3);
  g_assert_cmpfloat (CLUSTER (CLUSTER_LICENSES_RESERVED, "matlab@flex"), ==, -1);
  g_assert_cmpfloat (CLUSTER (CLUSTER_LICENSES_LAST_CONSUMED, "matlab@flex"), ==, 7);
  g_assert_cmpfloat (CLUSTER (CLUSTER_LICENSES_LAST_DEFICIT, "matlab@flex"), ==, 0);
}

static void
test_a_reservation_has_its_time_and_its_size (Fixture *f, gconstpointer data)
{
  JmSchedulerReservation told;

  jm_scheduler_reservation_init (&told);
  told.name = "maint1";
  told.state = "INACTIVE";
  told.flags = "IGNORE_JOBS,SPEC_NODES,PURGE_COMP=00:05:00,SPEC_NODES";
  told.start_time = NOW_S + 60;
  told.end_time = NOW_S + 3660;
  told.nodes = 1;
  told.cores = 8;
  jm_scheduler_report_add_reservation (f->reports[JM_SCHEDULER_TOPIC_RESERVATIONS],
                                       &told);
  sum_up (f);

  g_assert_cmpfloat (CLUSTER (CLUSTER_RESERVATION_INFO, "maint1|inactive|"), ==, 1);
  g_assert_cmpfloat (CLUSTER (CLUSTER_RESERVATION_FLAG, "maint1|spec_nodes"), ==, 1);
  g_assert_cmpfloat (CLUSTER (CLUSTER_RESERVATION_FLAG, "maint1|purge_comp"), ==, 1);
  g_assert_cmpfloat (CLUSTER (CLUSTER_RESERVATION_START, "maint1"), ==,
                     (double) (NOW_S + 60));
  g_assert_cmpfloat (CLUSTER (CLUSTER_RESERVATION_END, "maint1"), ==,
                     (double) (NOW_S + 3660));
  g_assert_cmpfloat (CLUSTER (CLUSTER_RESERVATION_NODES, "maint1"), ==, 1);
  g_assert_cmpfloat (CLUSTER (CLUSTER_RESERVATION_CORES, "maint1"), ==, 8);
  g_assert_cmpfloat (CLUSTER (CLUSTER_RESERVATION_CPUS, "maint1"), ==, -1);
}

static void
add_share (Fixture *f, const char *account, const char *user, double level)
{
  JmSchedulerShare told;

  jm_scheduler_share_init (&told);
  told.account = account;
  told.user = user;
  told.raw_shares = 40;
  told.norm_shares = 0.392157;
  told.raw_usage = 12e9;
  told.level_fair_share = level;
  jm_scheduler_report_add_share (f->reports[JM_SCHEDULER_TOPIC_SHARES], &told);
}

static void
test_shares_and_limits_are_of_an_account_or_its_user (Fixture *f, gconstpointer data)
{
  JmSchedulerLimit limit;

  add_share (f, "physics", NULL, INFINITY);
  add_share (f, "physics", "ann", 2.5);
  add_share (f, "physics", "ann", 7);
  jm_scheduler_limit_init (&limit);
  limit.account = "physics";
  limit.group_cpus = 64;
  limit.group_memory_bytes = 1 << 30;
  limit.group_wall_seconds = 172800;
  jm_scheduler_report_add_limit (f->reports[JM_SCHEDULER_TOPIC_LIMITS], &limit);
  limit.user = "ann";
  limit.partition = "debug";
  limit.group_cpus = 4;
  jm_scheduler_report_add_limit (f->reports[JM_SCHEDULER_TOPIC_LIMITS], &limit);
  sum_up (f);

  g_assert_cmpfloat (ASSOCIATION ("physics,,", SHARES), ==, 40);
  g_assert_cmpfloat (ASSOCIATION ("physics,,", SHARES_NORM), ==, 0.392157);
  g_assert_cmpfloat (ASSOCIATION ("physics,,", USAGE), ==, 12e9);
  g_assert_cmpfloat (ASSOCIATION ("physics,,", FAIRSHARE), ==, -1);
  g_assert_cmpfloat (ASSOCIATION ("physics,,", FAIRSHARE_LEVEL), ==, -1);
  g_assert_cmpfloat (ASSOCIATION ("physics,,", LIMIT_CPUS), ==, 64);
  g_assert_cmpfloat (ASSOCIATION ("physics,,", LIMIT_MEMORY), ==, 1 << 30);
  g_assert_cmpfloat (ASSOCIATION ("physics,,", LIMIT_WALL), ==, 172800);
  g_assert_cmpfloat (ASSOCIATION ("physics,,", LIMIT_GPUS), ==, -1);
  /* the first of two that cannot be distinguished */
  g_assert_cmpfloat (ASSOCIATION ("physics,ann,", FAIRSHARE_LEVEL), ==, 2.5);
  g_assert_cmpfloat (ASSOCIATION ("physics,ann,debug", LIMIT_CPUS), ==, 4);
  g_assert_cmpfloat (CLUSTER (ASSOCIATIONS_UNTOLD, NULL), ==, 0);
}

static void
test_qualities_of_service_have_limits_of_their_own (Fixture *f, gconstpointer data)
{
  JmSchedulerLimit limit;

  jm_scheduler_limit_init (&limit);
  limit.qos = "high";
  limit.group_gpus = 4;
  limit.user_memory_bytes = 1 << 30;
  limit.max_jobs = 0;
  limit.max_wall_seconds = 43200;
  jm_scheduler_report_add_limit (f->reports[JM_SCHEDULER_TOPIC_LIMITS], &limit);
  limit.group_gpus = 5;
  jm_scheduler_report_add_limit (f->reports[JM_SCHEDULER_TOPIC_LIMITS], &limit);
  sum_up (f);

  /* the first of two that cannot be distinguished */
  g_assert_cmpfloat (CLUSTER (QOS_LIMIT_GPUS, "high"), ==, 4);
  g_assert_cmpfloat (CLUSTER (QOS_USER_MEMORY, "high"), ==, 1 << 30);
  g_assert_cmpfloat (CLUSTER (QOS_USER_JOBS, "high"), ==, 0);
  g_assert_cmpfloat (CLUSTER (QOS_JOB_TIME, "high"), ==, 43200);
  g_assert_cmpfloat (CLUSTER (QOS_LIMIT_CPUS, "high"), ==, -1);
  g_assert_cmpfloat (CLUSTER (ASSOCIATIONS_UNTOLD, NULL), ==, 0);
}

static void
test_of_too_many_associations_some_are_untold (Fixture *f, gconstpointer data)
{
  f->max_names = 2;
  add_share (f, "c", NULL, 1);
  add_share (f, "b", NULL, 1);
  add_share (f, "a", NULL, 1);
  add_share (f, "c", "ann", 1);
  add_share (f, "c", "ben", 1);
  sum_up (f);

  g_assert_cmpfloat (ASSOCIATION ("a,,", SHARES), ==, 40);
  g_assert_cmpfloat (ASSOCIATION ("b,,", SHARES), ==, 40);
  g_assert_cmpfloat (ASSOCIATION ("c,,", SHARES), ==, -1);
  g_assert_cmpfloat (ASSOCIATION ("c,ben,", SHARES), ==, 40);
  g_assert_cmpfloat (CLUSTER (ASSOCIATIONS_UNTOLD, NULL), ==, 1);
}

static void
test_a_partition_without_jobs_has_its_limits (Fixture *f, gconstpointer data)
{
  JmSchedulerPartition told;

  jm_scheduler_partition_init (&told);
  told.name = "debug";
  told.state = "DRAIN";
  told.is_default = 0;
  told.nodes = 4;
  told.memory_bytes = 1 << 30;
  told.max_time_seconds = 600;
  told.priority_tier = 10;
  jm_scheduler_report_add_partition (f->reports[JM_SCHEDULER_TOPIC_PARTITIONS], &told);
  sum_up (f);

  g_assert_cmpfloat (PARTITION ("debug", PARTITION_INFO, "drain|no"), ==, 1);
  g_assert_cmpfloat (PARTITION ("debug", PARTITION_NODES, NULL), ==, 4);
  g_assert_cmpfloat (PARTITION ("debug", PARTITION_MEMORY, NULL), ==, 1 << 30);
  g_assert_cmpfloat (PARTITION ("debug", PARTITION_MAX_TIME, NULL), ==, 600);
  g_assert_cmpfloat (PARTITION ("debug", PARTITION_PRIORITY_TIER, NULL), ==, 10);
  g_assert_cmpfloat (PARTITION ("debug", PARTITION_MAX_NODES, NULL), ==, -1);
  g_assert_cmpfloat (PARTITION ("debug", QUEUE_JOBS, "pending"), ==, 0);
}

#define ADD(path, func)                                                                \
 g_test_add ("/cluster-topics/" path, Fixture, NULL, fixture_set_up, func,             \
             fixture_tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("a-controller-reports-how-it-is-doing",
       test_a_controller_reports_how_it_is_doing);
  ADD ("questions-are-reported-by-type-and-by-user",
       test_questions_are_reported_by_type_and_by_user);
  ADD ("licences-are-reported-by-name", test_licences_are_reported_by_name);
  ADD ("a-reservation-has-its-time-and-its-size",
       test_a_reservation_has_its_time_and_its_size);
  ADD ("shares-and-limits-are-of-an-account-or-its-user",
       test_shares_and_limits_are_of_an_account_or_its_user);
  ADD ("qualities-of-service-have-limits-of-their-own",
       test_qualities_of_service_have_limits_of_their_own);
  ADD ("of-too-many-associations-some-are-untold",
       test_of_too_many_associations_some_are_untold);
  ADD ("a-partition-without-jobs-has-its-limits",
       test_a_partition_without_jobs_has_its_limits);

  return g_test_run ();
}
