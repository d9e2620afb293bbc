/* test-cluster-sums.c: what is reported of the jobs and the nodes of a cluster
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "cluster/jm-cluster-asker-private.h"
#include "cluster/jm-cluster-tally-private.h"
#include "expose/jm-text-encoder.h"
#include "schedulers/jm-scheduler-report-private.h"

#define NOW_S G_GINT64_CONSTANT (1795412400)
#define NOW_US ((gint64) (NOW_S * G_USEC_PER_SEC))
#define GIB (G_GUINT64_CONSTANT (1) << 30)
#define N_RANDOM 2000

typedef struct
{
  JmSchedulerReport *jobs;
  JmSchedulerReport *nodes;
  JmSchedulerReport *reservations; /* NULL for none */
  guint max_names;
  JmSnapshot *snapshot;
} Fixture;

static void
fixture_set_up (Fixture *f, gconstpointer data)
{
  f->jobs = jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  f->nodes = jm_scheduler_report_new (JM_SCHEDULER_TOPIC_NODES);
  f->max_names = 1000;
}

static void
fixture_tear_down (Fixture *f, gconstpointer data)
{
  g_clear_pointer (&f->snapshot, jm_snapshot_unref);
  jm_scheduler_report_unref (f->jobs);
  jm_scheduler_report_unref (f->nodes);
  g_clear_pointer (&f->reservations, jm_scheduler_report_unref);
}

static JmSchedulerJob
make_job (JmSchedulerJobState state, const char *partitions, const char *user)
{
  JmSchedulerJob job;

  jm_scheduler_job_init (&job);
  job.state = state;
  job.tasks = 1;
  job.partitions = partitions;
  job.account = "physics";
  job.user = user;
  job.cpus_requested = job.cpus_allocated = 4;
  job.memory_requested_bytes = GIB;

  return job;
}

static void
add_job (Fixture *f,
         JmSchedulerJobState state,
         const char *partitions,
         const char *user)
{
  JmSchedulerJob job = make_job (state, partitions, user);

  jm_scheduler_report_add_job (f->jobs, &job);
}

static void
add_waiting (Fixture *f,
             JmSchedulerJobState state,
             const char *user,
             gint64 eligible_time)
{
  JmSchedulerJob job = make_job (state, "batch", user);

  job.eligible_time = eligible_time;
  jm_scheduler_report_add_job (f->jobs, &job);
}

/* Of each of its tasks; what is left has no type. */
static void
add_typed (Fixture *f,
           JmSchedulerJob job,
           const char *type,
           gint64 of_the_type,
           gint64 of_all)
{
  const gboolean is_pending = job.state == JM_SCHEDULER_JOB_STATE_PENDING;
  const JmSchedulerGpus gpus = { .gres = "gpu",
                                 .type = type,
                                 .total = is_pending ? of_the_type : -1,
                                 .allocated = is_pending ? -1 : of_the_type };

  *(is_pending ? &job.gpus_requested : &job.gpus_allocated) = of_all;
  job.first_gpus = jm_scheduler_report_add_gpus (f->jobs, &gpus);
  job.n_gpus = 1;
  jm_scheduler_report_add_job (f->jobs, &job);
}

static JmSchedulerNode
make_node (const char *name, JmSchedulerNodeState state, const char *partitions)
{
  JmSchedulerNode node;

  jm_scheduler_node_init (&node);
  node.name = name;
  node.state = state;
  node.partitions = partitions;
  node.cpus = 8;
  node.cpus_idle = 8;

  return node;
}

static void
add_gpus (Fixture *f, JmSchedulerNode *node, gint64 total, gint64 allocated)
{
  const JmSchedulerGpus gpus = { .gres = "gpu",
                                 .type = "a100",
                                 .total = total,
                                 .allocated = allocated };

  node->first_gpus = jm_scheduler_report_add_gpus (f->nodes, &gpus);
  node->n_gpus = 1;
}

static void
sum_up (Fixture *f)
{
  g_autoptr (JmClusterSums) sums = jm_cluster_sums_new (f->max_names, NOW_US);
  const JmClusterAnswer answers[JM_N_SCHEDULER_TOPICS] = {
    [JM_SCHEDULER_TOPIC_JOBS] = { .report = f->jobs,
                                  .is_asked = TRUE,
                                  .has_succeeded = TRUE },
    [JM_SCHEDULER_TOPIC_NODES] = { .report = f->nodes,
                                   .is_asked = TRUE,
                                   .age_us = 7000000,
                                   .n_failures = 2 },
    [JM_SCHEDULER_TOPIC_RESERVATIONS] = { .report = f->reservations },
  };

  jm_cluster_sums_add (sums, "alpha", answers);
  f->snapshot = jm_cluster_sums_make_snapshot (sums, 0);
}

/* The subject of that kind and name, or none. */
static gboolean
find (Fixture *f, JmSubjectKind kind, const char *name, guint *number)
{
  guint n;
  const JmSubject *subjects = jm_snapshot_get_subjects (f->snapshot, &n);

  for (guint i = 0; i < n; i++)
    if (subjects[i].kind == kind &&
        g_str_equal (jm_labels_get_value (subjects[i].labels,
                                          jm_labels_get_size (subjects[i].labels) - 1),
                     name))
      {
        *number = i;
        g_assert_cmpstr (jm_labels_get_value (subjects[i].labels, 0), ==, "alpha");
        return TRUE;
      }

  return FALSE;
}

static double
get (Fixture *f,
     JmSubjectKind kind,
     const char *name,
     JmMetric metric,
     const char *word)
{
  g_autoptr (JmLabels) labels = word != NULL ? jm_labels_of (word, NULL) : NULL;
  double value = -1;
  guint subject;

  g_assert_true (find (f, kind, name, &subject));
  jm_snapshot_get_labelled_metric (f->snapshot, subject, metric, labels, &value);

  return value;
}

#define CLUSTER(metric, word)                                                          \
 get (f, JM_SUBJECT_KIND_CLUSTER, "alpha", JM_METRIC_##metric, word)
#define PARTITION(name, metric, word)                                                  \
 get (f, JM_SUBJECT_KIND_PARTITION, name, JM_METRIC_##metric, word)
#define USER(name, metric, word)                                                       \
 get (f, JM_SUBJECT_KIND_USER, name, JM_METRIC_##metric, word)

#define NODE(name, metric, word)                                                       \
 get (f, JM_SUBJECT_KIND_CLUSTER_NODE, name, JM_METRIC_##metric, word)

/* A scheduler that counts nodes, and reports no state of any one of them. */
static void
test_nodes_that_are_counted_have_no_state (Fixture *f, gconstpointer data)
{
  const JmSchedulerNode node =
    make_node ("n1", JM_SCHEDULER_NODE_STATE_UNKNOWN, "batch");
  JmSchedulerNodeSums sums = { .states = { [JM_SCHEDULER_NODE_STATE_MIXED] = 5,
                                           [JM_SCHEDULER_NODE_STATE_ERROR] = -1 },
                               .flags = { [JM_SCHEDULER_NODE_FLAG_PLANNED] = 3,
                                          [JM_SCHEDULER_NODE_FLAG_FAIL] = -1 } };

  jm_scheduler_report_add_node (f->nodes, &node);
  jm_scheduler_report_set_node_sums (f->nodes, &sums);
  sum_up (f);

  g_assert_cmpfloat (CLUSTER (CLUSTER_NODES, "mixed"), ==, 5);
  g_assert_cmpfloat (CLUSTER (CLUSTER_NODES, "unknown"), ==, 0);
  g_assert_cmpfloat (CLUSTER (CLUSTER_NODES, "error"), ==, -1);
  g_assert_cmpfloat (CLUSTER (CLUSTER_FLAGGED_NODES, "planned"), ==, 3);
  g_assert_cmpfloat (CLUSTER (CLUSTER_FLAGGED_NODES, "fail"), ==, -1);
  g_assert_cmpfloat (CLUSTER (CLUSTER_SINFO_NODES, "mixed"), ==, -1);
  g_assert_cmpfloat (NODE ("n1", CLUSTER_CPUS, "idle"), ==, 8);
  g_assert_cmpfloat (NODE ("n1", CLUSTER_NODE_STATE, "unknown"), ==, -1);
  g_assert_cmpfloat (NODE ("n1", CLUSTER_NODE_SINFO_STATE, "unknown"), ==, -1);
}

static void
test_a_job_of_two_partitions_is_once_in_the_cluster (Fixture *f, gconstpointer data)
{
  add_job (f, JM_SCHEDULER_JOB_STATE_PENDING, "batch,short", "ann");
  add_job (f, JM_SCHEDULER_JOB_STATE_PENDING, "short,short", "ann");
  sum_up (f);

  g_assert_cmpfloat (CLUSTER (QUEUE_JOBS, "pending"), ==, 2);
  g_assert_cmpfloat (PARTITION ("batch", QUEUE_JOBS, "pending"), ==, 1);
  g_assert_cmpfloat (PARTITION ("short", QUEUE_JOBS, "pending"), ==, 2);
  g_assert_cmpfloat (USER ("ann", QUEUE_JOBS, "pending"), ==, 2);
  g_assert_cmpfloat (CLUSTER (QUEUE_JOBS, "out_of_memory"), ==, 0);
  g_assert_cmpfloat (CLUSTER (QUEUE_REQUESTED_CPUS, NULL), ==, 8);
  g_assert_cmpfloat (CLUSTER (QUEUE_ALLOCATED_CPUS, NULL), ==, 0);
}

static void
test_ended_jobs_are_not_zero_where_nobody_asked_for_them (Fixture *f,
                                                          gconstpointer data)
{
  add_job (f, JM_SCHEDULER_JOB_STATE_PENDING, "batch", "ann");
  jm_scheduler_report_set_lacks_ended_jobs (f->jobs);
  sum_up (f);

  g_assert_cmpfloat (CLUSTER (QUEUE_JOBS, "pending"), ==, 1);
  g_assert_cmpfloat (CLUSTER (QUEUE_JOBS, "running"), ==, 0);
  g_assert_cmpfloat (CLUSTER (QUEUE_JOBS, "completed"), ==, -1);
  g_assert_cmpfloat (USER ("ann", QUEUE_JOBS, "out_of_memory"), ==, -1);
}

static void
add_reason (Fixture *f, const char *reason)
{
  JmSchedulerJob job = make_job (JM_SCHEDULER_JOB_STATE_PENDING, "batch", "ann");

  job.reason = reason;
  jm_scheduler_report_add_job (f->jobs, &job);
}

static void
test_reasons_lose_the_names_of_nodes_alone (Fixture *f, gconstpointer data)
{
  add_reason (f, "ReqNodeNotAvail, UnavailableNodes:n[1-3]");
  add_reason (f, "ReqNodeNotAvail,_UnavailableNodes:n7");
  add_reason (f, "UnavailableNodes:n7");
  add_reason (f, "Nodes required for job are DOWN, DRAINED or reserved: see sinfo");
  sum_up (f);

  g_assert_cmpfloat (CLUSTER (QUEUE_PENDING_JOBS, "ReqNodeNotAvail"), ==, 2);
  g_assert_cmpfloat (CLUSTER (QUEUE_PENDING_JOBS, "UnavailableNodes"), ==, 1);
  g_assert_cmpfloat (CLUSTER (QUEUE_PENDING_JOBS, "Nodes required for job are DOWN, "
                                                  "DRAINED or reserved: see sinfo"),
                     ==, 1);
}

static void
test_arrays_are_counted_by_task (Fixture *f, gconstpointer data)
{
  JmSchedulerJob job = make_job (JM_SCHEDULER_JOB_STATE_PENDING, "batch", "ann");

  job.tasks = 197;
  job.gpus_requested = 2;
  job.reason = "ReqNodeNotAvail, UnavailableNodes:n1";
  jm_scheduler_report_add_job (f->jobs, &job);
  sum_up (f);

  g_assert_cmpfloat (CLUSTER (QUEUE_JOBS, "pending"), ==, 197);
  g_assert_cmpfloat (CLUSTER (QUEUE_REQUESTED_GPUS, NULL), ==, 2 * 197);
  g_assert_cmpfloat (CLUSTER (QUEUE_REQUESTED_MEMORY, NULL), ==, (double) (197 * GIB));
  g_assert_cmpfloat (CLUSTER (QUEUE_PENDING_JOBS, "ReqNodeNotAvail"), ==, 197);
}

static void
test_gpus_of_jobs_have_their_types (Fixture *f, gconstpointer data)
{
  JmSchedulerJob array = make_job (JM_SCHEDULER_JOB_STATE_PENDING, "batch", "ann");
  JmSchedulerJob running = make_job (JM_SCHEDULER_JOB_STATE_RUNNING, "batch", "ann");
  JmSchedulerJob mixed = make_job (JM_SCHEDULER_JOB_STATE_RUNNING, "short", "ben");
  JmSchedulerJob untyped = make_job (JM_SCHEDULER_JOB_STATE_RUNNING, "short", "ben");

  array.tasks = 10;
  untyped.gpus_allocated = 3;
  add_typed (f, array, "a100", 2, 2);
  add_typed (f, running, "a100", 4, 4);
  add_typed (f, mixed, "v100", 1, 3);
  jm_scheduler_report_add_job (f->jobs, &untyped);
  sum_up (f);

  g_assert_cmpfloat (CLUSTER (QUEUE_REQUESTED_GPUS_BY_TYPE, "a100"), ==, 20);
  g_assert_cmpfloat (CLUSTER (QUEUE_ALLOCATED_GPUS_BY_TYPE, "a100"), ==, 4);
  g_assert_cmpfloat (CLUSTER (QUEUE_ALLOCATED_GPUS_BY_TYPE, "v100"), ==, 1);
  g_assert_cmpfloat (CLUSTER (QUEUE_ALLOCATED_GPUS_BY_TYPE, "(none)"), ==, 5);
  g_assert_cmpfloat (CLUSTER (QUEUE_ALLOCATED_GPUS, NULL), ==, 10);
  g_assert_cmpfloat (USER ("ben", QUEUE_ALLOCATED_GPUS_BY_TYPE, "v100"), ==, 1);
  g_assert_cmpfloat (USER ("ben", QUEUE_ALLOCATED_GPUS_BY_TYPE, "a100"), ==, -1);
  g_assert_cmpfloat (PARTITION ("short", QUEUE_ALLOCATED_GPUS_BY_TYPE, "(none)"), ==,
                     5);
  g_assert_cmpfloat (get (f, JM_SUBJECT_KIND_ACCOUNT, "physics",
                          JM_METRIC_QUEUE_REQUESTED_GPUS_BY_TYPE, "v100"),
                     ==, 0);
}

static void
test_types_are_kept_where_users_are_reported_as_one (Fixture *f, gconstpointer data)
{
  f->max_names = 0;
  add_typed (f, make_job (JM_SCHEDULER_JOB_STATE_RUNNING, "batch", "ann"), "a100", 1,
             1);
  add_typed (f, make_job (JM_SCHEDULER_JOB_STATE_RUNNING, "batch", "ben"), "a100", 2,
             2);
  sum_up (f);

  g_assert_cmpfloat (USER (JM_CLUSTER_OTHER, QUEUE_ALLOCATED_GPUS_BY_TYPE, "a100"), ==,
                     3);
}

static void
test_types_that_are_too_many_are_reported_as_one (Fixture *f, gconstpointer data)
{
  for (guint i = 0; i < JM_CLUSTER_WORDS_MAX + 7; i++)
    {
      g_autofree char *type = g_strdup_printf ("type%03u", i);

      add_typed (f, make_job (JM_SCHEDULER_JOB_STATE_PENDING, "batch", "ann"), type, 1,
                 1);
    }
  sum_up (f);

  g_assert_cmpfloat (USER ("ann", QUEUE_REQUESTED_GPUS_BY_TYPE, "type000"), ==, 1);
  g_assert_cmpfloat (USER ("ann", QUEUE_REQUESTED_GPUS_BY_TYPE, JM_CLUSTER_OTHER), ==,
                     7);
}

static void
test_waits_are_those_of_jobs_that_could_have_begun (Fixture *f, gconstpointer data)
{
  add_waiting (f, JM_SCHEDULER_JOB_STATE_PENDING, "ann", NOW_S - 100);
  add_waiting (f, JM_SCHEDULER_JOB_STATE_PENDING, "ann", NOW_S - 300);
  add_waiting (f, JM_SCHEDULER_JOB_STATE_PENDING, "ann", NOW_S + 100);
  add_job (f, JM_SCHEDULER_JOB_STATE_PENDING, "batch", "ben");
  add_waiting (f, JM_SCHEDULER_JOB_STATE_RUNNING, "ben", NOW_S - 900);
  sum_up (f);

  g_assert_cmpfloat (CLUSTER (QUEUE_OLDEST_PENDING, NULL), ==, 300);
  g_assert_cmpfloat (CLUSTER (QUEUE_MEAN_PENDING, NULL), ==, 200);
  g_assert_cmpfloat (USER ("ben", QUEUE_OLDEST_PENDING, NULL), ==, -1);
}

static void
test_long_waits_are_counted_in_all_that_are_shorter (Fixture *f, gconstpointer data)
{
  add_waiting (f, JM_SCHEDULER_JOB_STATE_PENDING, "ann", NOW_S);
  add_waiting (f, JM_SCHEDULER_JOB_STATE_PENDING, "ann", NOW_S - 60);
  add_waiting (f, JM_SCHEDULER_JOB_STATE_PENDING, "ann", NOW_S - 3599);
  add_waiting (f, JM_SCHEDULER_JOB_STATE_PENDING, "ann", NOW_S - 700000);
  sum_up (f);

  g_assert_cmpfloat (CLUSTER (QUEUE_WAITING_JOBS, "0"), ==, 4);
  g_assert_cmpfloat (CLUSTER (QUEUE_WAITING_JOBS, "60"), ==, 3);
  g_assert_cmpfloat (CLUSTER (QUEUE_WAITING_JOBS, "600"), ==, 2);
  g_assert_cmpfloat (CLUSTER (QUEUE_WAITING_JOBS, "3600"), ==, 1);
  g_assert_cmpfloat (PARTITION ("batch", QUEUE_WAITING_JOBS, "604800"), ==, 1);
  g_assert_cmpfloat (PARTITION ("batch", QUEUE_WAITING_JOBS, "2592000"), ==, 0);
}

static void
test_suspended_jobs_are_not_among_those_that_run (Fixture *f, gconstpointer data)
{
  JmSchedulerJob job = make_job (JM_SCHEDULER_JOB_STATE_SUSPENDED, "batch", "ann");

  job.memory_allocated_bytes = GIB;
  jm_scheduler_report_add_job (f->jobs, &job);
  add_job (f, JM_SCHEDULER_JOB_STATE_RUNNING, "batch", "ann");
  sum_up (f);

  g_assert_cmpfloat (CLUSTER (QUEUE_ALLOCATED_CPUS, NULL), ==, 4);
  g_assert_cmpfloat (CLUSTER (QUEUE_SUSPENDED_CPUS, NULL), ==, 4);
  g_assert_cmpfloat (USER ("ann", QUEUE_SUSPENDED_MEMORY, NULL), ==, (double) GIB);
  g_assert_cmpfloat (CLUSTER (QUEUE_SUSPENDED_GPUS, NULL), ==, 0);
}

static void
test_what_names_are_too_many_for_is_reported_as_one (Fixture *f, gconstpointer data)
{
  guint subject;

  f->max_names = 2;
  add_job (f, JM_SCHEDULER_JOB_STATE_RUNNING, "batch", "dora");
  add_job (f, JM_SCHEDULER_JOB_STATE_RUNNING, "batch", "ben");
  add_job (f, JM_SCHEDULER_JOB_STATE_PENDING, "batch", "carl");
  add_job (f, JM_SCHEDULER_JOB_STATE_RUNNING, "batch", "ann");
  sum_up (f);

  g_assert_cmpfloat (USER ("ann", QUEUE_JOBS, "running"), ==, 1);
  g_assert_cmpfloat (USER (JM_CLUSTER_OTHER, QUEUE_JOBS, "running"), ==, 1);
  g_assert_cmpfloat (USER (JM_CLUSTER_OTHER, QUEUE_JOBS, "pending"), ==, 1);
  g_assert_false (find (f, JM_SUBJECT_KIND_USER, "dora", &subject));
  g_assert_false (find (f, JM_SUBJECT_KIND_ACCOUNT, JM_CLUSTER_OTHER, &subject));
}

static void
test_a_node_is_once_in_each_of_its_partitions (Fixture *f, gconstpointer data)
{
  JmSchedulerNode first = make_node ("n1", JM_SCHEDULER_NODE_STATE_IDLE, "batch,short");
  JmSchedulerNode second = make_node ("n2", JM_SCHEDULER_NODE_STATE_DOWN, "batch");

  second.flags = 1u << JM_SCHEDULER_NODE_FLAG_DRAIN;
  second.other_flags = "NEWEST_FLAG";
  jm_scheduler_report_add_node (f->nodes, &first);
  jm_scheduler_report_add_node (f->nodes, &second);
  sum_up (f);

  g_assert_cmpfloat (CLUSTER (CLUSTER_NODES, "idle"), ==, 1);
  g_assert_cmpfloat (CLUSTER (CLUSTER_NODES, "mixed"), ==, 0);
  g_assert_cmpfloat (PARTITION ("batch", CLUSTER_NODES, "down"), ==, 1);
  g_assert_cmpfloat (PARTITION ("short", CLUSTER_CPUS, "idle"), ==, 8);
  g_assert_cmpfloat (CLUSTER (CLUSTER_CPUS, "idle"), ==, 16);
  g_assert_cmpfloat (CLUSTER (CLUSTER_FLAGGED_NODES, "newest_flag"), ==, 1);
  g_assert_cmpfloat (get (f, JM_SUBJECT_KIND_CLUSTER_NODE, "n2",
                          JM_METRIC_CLUSTER_NODE_FLAG, "drain"),
                     ==, 1);
  g_assert_cmpfloat (get (f, JM_SUBJECT_KIND_CLUSTER_NODE, "n2",
                          JM_METRIC_CLUSTER_NODE_STATE, "down"),
                     ==, 1);
  /* what nobody reported is not zero */
  g_assert_cmpfloat (CLUSTER (CLUSTER_MEMORY, NULL), ==, -1);
}

static void
add_job_of_features (Fixture *f, JmSchedulerJobState state, const char *features)
{
  JmSchedulerJob job = make_job (state, "batch", "ann");

  job.features = features;
  job.memory_allocated_bytes = GIB;
  jm_scheduler_report_add_job (f->jobs, &job);
}

static void
test_a_job_is_in_each_of_its_features (Fixture *f, gconstpointer data)
{
  add_job_of_features (f, JM_SCHEDULER_JOB_STATE_RUNNING, "icelake&ib");
  add_job_of_features (f, JM_SCHEDULER_JOB_STATE_SUSPENDED, "ib");
  add_job_of_features (f, JM_SCHEDULER_JOB_STATE_PENDING, "ib|opa");
  add_job_of_features (f, JM_SCHEDULER_JOB_STATE_PENDING, "ib");
  add_job_of_features (f, JM_SCHEDULER_JOB_STATE_FAILED, "ib");
  add_job_of_features (f, JM_SCHEDULER_JOB_STATE_RUNNING, NULL);
  sum_up (f);

  g_assert_cmpfloat (CLUSTER (QUEUE_FEATURE_JOBS, "ib"), ==, 3);
  g_assert_cmpfloat (CLUSTER (QUEUE_FEATURE_JOBS, "icelake"), ==, 1);
  g_assert_cmpfloat (CLUSTER (QUEUE_FEATURE_JOBS, "ib|opa"), ==, 1);
  g_assert_cmpfloat (CLUSTER (QUEUE_FEATURE_JOBS, "(none)"), ==, 1);
  g_assert_cmpfloat (CLUSTER (QUEUE_FEATURE_CPUS, "ib"), ==, 8);
  g_assert_cmpfloat (CLUSTER (QUEUE_FEATURE_CPUS, "ib|opa"), ==, 0);
  g_assert_cmpfloat (PARTITION ("batch", QUEUE_FEATURE_MEMORY, "ib"), ==, 2 * GIB);
}

static void
test_loads_weights_and_what_is_allocated_add_up (Fixture *f, gconstpointer data)
{
  JmSchedulerNode busy = make_node ("n1", JM_SCHEDULER_NODE_STATE_MIXED, "batch,short");
  JmSchedulerNode idle = make_node ("n2", JM_SCHEDULER_NODE_STATE_IDLE, "batch");
  JmSchedulerNode silent = make_node ("n3", JM_SCHEDULER_NODE_STATE_DOWN, "spare");

  busy.load = 7.25;
  busy.weight = 10;
  busy.cpus_allocated = 6;
  busy.memory_allocated_bytes = GIB;
  idle.load = 0.5;
  idle.weight = 1;
  idle.cpus_allocated = 0;
  idle.memory_allocated_bytes = 0;
  jm_scheduler_report_add_node (f->nodes, &busy);
  jm_scheduler_report_add_node (f->nodes, &idle);
  jm_scheduler_report_add_node (f->nodes, &silent);
  sum_up (f);

  g_assert_cmpfloat (CLUSTER (CLUSTER_LOAD, NULL), ==, 7.75);
  g_assert_cmpfloat (PARTITION ("short", CLUSTER_LOAD, NULL), ==, 7.25);
  g_assert_cmpfloat (PARTITION ("batch", CLUSTER_WEIGHT, NULL), ==, 11);
  g_assert_cmpfloat (CLUSTER (CLUSTER_SINFO_CPUS, "mixed"), ==, 8);
  g_assert_cmpfloat (CLUSTER (CLUSTER_SINFO_ALLOCATED_CPUS, "mixed"), ==, 6);
  g_assert_cmpfloat (PARTITION ("batch", CLUSTER_SINFO_ALLOCATED_MEMORY, "mixed"), ==,
                     GIB);
  g_assert_cmpfloat (PARTITION ("batch", CLUSTER_SINFO_ALLOCATED_CPUS, "idle"), ==, 0);
  g_assert_cmpfloat (PARTITION ("spare", CLUSTER_LOAD, NULL), ==, -1);
  g_assert_cmpfloat (PARTITION ("spare", CLUSTER_WEIGHT, NULL), ==, -1);
  g_assert_cmpfloat (PARTITION ("spare", CLUSTER_SINFO_ALLOCATED_CPUS, "down"), ==, -1);
}

static void
test_a_node_is_in_one_word_as_in_sinfo (Fixture *f, gconstpointer data)
{
  JmSchedulerNode drained = make_node ("n1", JM_SCHEDULER_NODE_STATE_IDLE, "batch");
  JmSchedulerNode idle = make_node ("n2", JM_SCHEDULER_NODE_STATE_IDLE, "batch");
  JmSchedulerNode newest = make_node ("n3", JM_SCHEDULER_NODE_STATE_UNKNOWN, "short");

  drained.flags = 1u << JM_SCHEDULER_NODE_FLAG_DRAIN;
  newest.other_flags = "NEWEST";
  jm_scheduler_report_add_node (f->nodes, &drained);
  jm_scheduler_report_add_node (f->nodes, &idle);
  jm_scheduler_report_add_node (f->nodes, &newest);
  sum_up (f);

  g_assert_cmpfloat (CLUSTER (CLUSTER_NODES, "idle"), ==, 2);
  g_assert_cmpfloat (CLUSTER (CLUSTER_SINFO_NODES, "idle"), ==, 1);
  g_assert_cmpfloat (CLUSTER (CLUSTER_SINFO_NODES, "drained"), ==, 1);
  g_assert_cmpfloat (CLUSTER (CLUSTER_SINFO_NODES, "draining"), ==, 0);
  g_assert_cmpfloat (CLUSTER (CLUSTER_SINFO_NODES, "newest"), ==, 1);
  g_assert_cmpfloat (PARTITION ("short", CLUSTER_SINFO_NODES, "drained"), ==, 0);
  g_assert_cmpfloat (PARTITION ("short", CLUSTER_SINFO_NODES, "newest"), ==, 1);
  g_assert_cmpfloat (get (f, JM_SUBJECT_KIND_CLUSTER_NODE, "n1",
                          JM_METRIC_CLUSTER_NODE_SINFO_STATE, "drained"),
                     ==, 1);
}

static double
get_gpus (Fixture *f, const char *state)
{
  g_autoptr (JmLabels) labels = jm_labels_of ("a100", state, NULL);
  double value = -1;

  jm_snapshot_get_labelled_metric (f->snapshot, 0, JM_METRIC_CLUSTER_GPUS, labels,
                                   &value);

  return value;
}

static void
test_gpus_that_cannot_be_had_are_not_idle (Fixture *f, gconstpointer data)
{
  JmSchedulerNode free_one = make_node ("n1", JM_SCHEDULER_NODE_STATE_MIXED, "batch");
  JmSchedulerNode full = make_node ("n2", JM_SCHEDULER_NODE_STATE_ALLOCATED, "batch");
  JmSchedulerNode drained = make_node ("n3", JM_SCHEDULER_NODE_STATE_IDLE, "batch");

  add_gpus (f, &free_one, 4, 1);
  add_gpus (f, &full, 4, 3);
  add_gpus (f, &drained, 8, 0);
  full.cpus_idle = 0;
  drained.flags = 1u << JM_SCHEDULER_NODE_FLAG_DRAIN;
  jm_scheduler_report_add_node (f->nodes, &free_one);
  jm_scheduler_report_add_node (f->nodes, &full);
  jm_scheduler_report_add_node (f->nodes, &drained);
  sum_up (f);

  g_assert_cmpfloat (get_gpus (f, "allocated"), ==, 4);
  g_assert_cmpfloat (get_gpus (f, "idle"), ==, 3);
  g_assert_cmpfloat (get_gpus (f, "unusable"), ==, 9);
}

static void
add_reservation (Fixture *f,
                 const char *name,
                 const char *nodes,
                 gint64 start_time,
                 gint64 end_time)
{
  JmSchedulerReservation reservation;

  if (f->reservations == NULL)
    f->reservations = jm_scheduler_report_new (JM_SCHEDULER_TOPIC_RESERVATIONS);
  jm_scheduler_reservation_init (&reservation);
  reservation.name = name;
  reservation.node_list = nodes;
  reservation.start_time = start_time;
  reservation.end_time = end_time;
  jm_scheduler_report_add_reservation (f->reservations, &reservation);
}

/* n1 to n6, each with 8 CPUs and 4 GPUs. */
static void
add_reserved_nodes (Fixture *f, const char *own_reservation_of_n6)
{
  const char *const names[] = { "n1", "n2", "n3", "n4", "n5", "n6" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      JmSchedulerNode node =
        make_node (names[i], JM_SCHEDULER_NODE_STATE_IDLE, "batch");

      add_gpus (f, &node, 4, 1);
      if (i == 5)
        node.reservation = own_reservation_of_n6;
      if (i == 1)
        node.flags = 1u << JM_SCHEDULER_NODE_FLAG_DRAIN;
      jm_scheduler_report_add_node (f->nodes, &node);
    }
}

static double
get_reserved (Fixture *f, JmMetric metric, const char *const *words)
{
  g_autoptr (JmLabels) labels = jm_labels_new (words);
  double value = -1;

  jm_snapshot_get_labelled_metric (f->snapshot, 0, metric, labels, &value);

  return value;
}

#define RESERVED(metric, ...)                                                          \
 get_reserved (f, JM_METRIC_CLUSTER_##metric##_BY_RESERVATION,                         \
               (const char *const[]){ __VA_ARGS__, NULL })

static void
test_nodes_are_in_the_reservation_of_now (Fixture *f, gconstpointer data)
{
  add_reserved_nodes (f, "own");
  add_reservation (f, "over", "n[1-6]", NOW_S - 200, NOW_S);
  add_reservation (f, "to-come", "n[1-6]", NOW_S + 1, NOW_S + 100);
  add_reservation (f, "course", "n[1-2],n4", NOW_S, NOW_S + 100);
  add_reservation (f, "for-ever", "n[2-3]", NOW_S - 200, 0);
  add_reservation (f, "broken", "n[5", NOW_S - 200, 0);
  sum_up (f);

  g_assert_cmpfloat (RESERVED (CPUS, "course", "idle"), ==, 24);
  g_assert_cmpfloat (RESERVED (CPUS, "for-ever", "idle"), ==, 8);
  g_assert_cmpfloat (RESERVED (CPUS, "own", "idle"), ==, 8);
  g_assert_cmpfloat (RESERVED (CPUS, "(none)", "idle"), ==, 8);
  g_assert_cmpfloat (RESERVED (CPUS, "over", "idle"), ==, -1);
  g_assert_cmpfloat (RESERVED (CPUS, "to-come", "idle"), ==, -1);
  g_assert_cmpfloat (RESERVED (GPUS, "course", "a100", "allocated"), ==, 3);
  g_assert_cmpfloat (RESERVED (GPUS, "course", "a100", "idle"), ==, 6);
  g_assert_cmpfloat (RESERVED (GPUS, "course", "a100", "unusable"), ==, 3);
  g_assert_cmpfloat (RESERVED (NODES, "course", "idle"), ==, 2);
  g_assert_cmpfloat (RESERVED (NODES, "course", "drained"), ==, 1);
  g_assert_cmpfloat (RESERVED (NODES, "(none)", "idle"), ==, 1);
}

static void
test_reservations_are_not_zero_where_nobody_reports_them (Fixture *f,
                                                          gconstpointer data)
{
  add_reserved_nodes (f, NULL);
  sum_up (f);

  g_assert_cmpfloat (RESERVED (NODES, "(none)", "idle"), ==, -1);
}

static void
test_without_a_reservation_all_nodes_are_in_none (Fixture *f, gconstpointer data)
{
  add_reserved_nodes (f, NULL);
  f->reservations = jm_scheduler_report_new (JM_SCHEDULER_TOPIC_RESERVATIONS);
  sum_up (f);

  g_assert_cmpfloat (RESERVED (CPUS, "(none)", "idle"), ==, 48);
}

static void
test_reservations_that_are_too_many_are_reported_as_one (Fixture *f, gconstpointer data)
{
  f->max_names = 1;
  add_reserved_nodes (f, NULL);
  add_reservation (f, "a", "n1", NOW_S - 200, 0);
  add_reservation (f, "b", "n2", NOW_S - 200, 0);
  add_reservation (f, "c", "n3", NOW_S - 200, 0);
  sum_up (f);

  g_assert_cmpfloat (RESERVED (CPUS, "a", "idle"), ==, 8);
  g_assert_cmpfloat (RESERVED (CPUS, "b", "idle"), ==, -1);
  g_assert_cmpfloat (RESERVED (CPUS, JM_CLUSTER_OTHER, "idle"), ==, 16);
  g_assert_cmpfloat (RESERVED (CPUS, "(none)", "idle"), ==, 24);
}

static void
test_shares_of_gpus_are_no_gpus (Fixture *f, gconstpointer data)
{
  JmSchedulerNode node = make_node ("n1", JM_SCHEDULER_NODE_STATE_MIXED, "batch");
  const JmSchedulerGpus shards = { .gres = "shard", .total = 8, .allocated = 3 };
  g_autoptr (JmLabels) labels = jm_labels_of ("shard", "idle", NULL);
  double value = -1;

  add_gpus (f, &node, 2, 1);
  jm_scheduler_report_add_gpus (f->nodes, &shards);
  node.n_gpus++;
  jm_scheduler_report_add_node (f->nodes, &node);
  sum_up (f);

  g_assert_cmpfloat (get_gpus (f, "allocated"), ==, 1);
  g_assert_cmpfloat (get_gpus (f, "idle"), ==, 1);
  g_assert_true (jm_snapshot_get_labelled_metric (f->snapshot, 0,
                                                  JM_METRIC_CLUSTER_GPU_SHARES, labels,
                                                  &value));
  g_assert_cmpfloat (value, ==, 5);
}

static void
test_a_reason_has_its_time_and_its_source (Fixture *f, gconstpointer data)
{
  JmSchedulerNode node = make_node ("n1", JM_SCHEDULER_NODE_STATE_DOWN, "batch");
  g_autoptr (JmLabels) labels = jm_labels_of ("disk, \"again\"", "root", NULL);
  double value;
  guint subject;

  node.reason = "disk, \"again\"";
  node.reason_user = "root";
  node.reason_time = NOW_S - 5;
  jm_scheduler_report_add_node (f->nodes, &node);
  sum_up (f);

  g_assert_true (find (f, JM_SUBJECT_KIND_CLUSTER_NODE, "n1", &subject));
  g_assert_true (jm_snapshot_get_labelled_metric (f->snapshot, subject,
                                                  JM_METRIC_CLUSTER_NODE_REASON_TIME,
                                                  labels, &value));
  g_assert_cmpfloat (value, ==, (double) (NOW_S - 5));
}

static void
test_answers_report_their_age_and_success (Fixture *f, gconstpointer data)
{
  sum_up (f);

  g_assert_cmpfloat (CLUSTER (SCHEDULER_SUCCESS, "jobs"), ==, 1);
  g_assert_cmpfloat (CLUSTER (SCHEDULER_SUCCESS, "nodes"), ==, 0);
  g_assert_cmpfloat (CLUSTER (SCHEDULER_AGE, "nodes"), ==, 7);
  g_assert_cmpfloat (CLUSTER (SCHEDULER_FAILURES, "nodes"), ==, 2);
}

static void
test_nothing_is_reported_of_what_nobody_answered_for (Fixture *f, gconstpointer data)
{
  g_autoptr (JmClusterSums) sums = jm_cluster_sums_new (1, NOW_US);
  const JmClusterAnswer answers[JM_N_SCHEDULER_TOPICS] = {
    [JM_SCHEDULER_TOPIC_JOBS] = { .is_asked = TRUE, .n_failures = 1 },
  };

  g_assert_null (jm_cluster_sums_make_snapshot (sums, 0));
  jm_cluster_sums_add (sums, "alpha", answers);
  f->snapshot = jm_cluster_sums_make_snapshot (sums, 0);

  g_assert_cmpfloat (CLUSTER (QUEUE_JOBS, "pending"), ==, -1);
  g_assert_cmpfloat (CLUSTER (SCHEDULER_SUCCESS, "jobs"), ==, 0);
  g_assert_cmpfloat (CLUSTER (SCHEDULER_SUCCESS, "nodes"), ==, -1);
}

static void
add_sum (Fixture *f,
         JmSchedulerSum sum_of,
         const char *name,
         JmSchedulerJobState state,
         gint64 n,
         gint64 cpus)
{
  JmSchedulerJob job;

  jm_scheduler_job_init (&job);
  job.sum_of = sum_of;
  job.state = state;
  job.tasks = n;
  job.cpus_allocated = cpus;
  if (sum_of == JM_SCHEDULER_SUM_PARTITION)
    job.partitions = name;
  if (sum_of == JM_SCHEDULER_SUM_USER)
    job.user = name;
  jm_scheduler_report_add_job (f->jobs, &job);
}

static void
test_a_sum_counts_where_it_was_made (Fixture *f, gconstpointer data)
{
  add_sum (f, JM_SCHEDULER_SUM_CLUSTER, NULL, JM_SCHEDULER_JOB_STATE_RUNNING, 30, 900);
  add_sum (f, JM_SCHEDULER_SUM_CLUSTER, NULL, JM_SCHEDULER_JOB_STATE_PENDING, 7, 0);
  add_sum (f, JM_SCHEDULER_SUM_PARTITION, "batch", JM_SCHEDULER_JOB_STATE_RUNNING, 20,
           -1);
  add_sum (f, JM_SCHEDULER_SUM_USER, "ann", JM_SCHEDULER_JOB_STATE_RUNNING, 10, 300);
  sum_up (f);

  g_assert_cmpfloat (CLUSTER (QUEUE_JOBS, "running"), ==, 30);
  g_assert_cmpfloat (CLUSTER (QUEUE_JOBS, "pending"), ==, 7);
  g_assert_cmpfloat (CLUSTER (QUEUE_ALLOCATED_CPUS, NULL), ==, 900);
  g_assert_cmpfloat (PARTITION ("batch", QUEUE_JOBS, "running"), ==, 20);
  g_assert_cmpfloat (USER ("ann", QUEUE_JOBS, "running"), ==, 10);
  g_assert_cmpfloat (USER ("ann", QUEUE_ALLOCATED_CPUS, NULL), ==, 300);
  g_assert_false (find (f, JM_SUBJECT_KIND_PARTITION, JM_CLUSTER_NONE, &(guint){ 0 }));
  g_assert_false (find (f, JM_SUBJECT_KIND_ACCOUNT, JM_CLUSTER_NONE, &(guint){ 0 }));
}

static void
test_what_nobody_reported_of_sums_is_not_zero (Fixture *f, gconstpointer data)
{
  add_sum (f, JM_SCHEDULER_SUM_CLUSTER, NULL, JM_SCHEDULER_JOB_STATE_RUNNING, 30, -1);
  add_sum (f, JM_SCHEDULER_SUM_CLUSTER, NULL, JM_SCHEDULER_JOB_STATE_PENDING, 7, -1);
  sum_up (f);

  g_assert_cmpfloat (CLUSTER (QUEUE_ALLOCATED_CPUS, NULL), ==, -1);
  g_assert_cmpfloat (CLUSTER (QUEUE_ALLOCATED_GPUS, NULL), ==, -1);
  g_assert_cmpfloat (CLUSTER (QUEUE_REQUESTED_CPUS, NULL), ==, -1);
  g_assert_cmpfloat (CLUSTER (QUEUE_SUSPENDED_CPUS, NULL), ==, -1);
  g_assert_cmpfloat (CLUSTER (QUEUE_WAITING_JOBS, "60"), ==, -1);
}

static void
test_a_sum_with_a_flag_is_in_no_state (Fixture *f, gconstpointer data)
{
  JmSchedulerJob job;

  jm_scheduler_job_init (&job);
  job.sum_of = JM_SCHEDULER_SUM_CLUSTER;
  job.tasks = 3;
  job.flags = 1u << JM_SCHEDULER_JOB_FLAG_COMPLETING;
  jm_scheduler_report_add_job (f->jobs, &job);
  job.tasks = 2;
  job.flags = 0;
  job.other_flags = "hold";
  jm_scheduler_report_add_job (f->jobs, &job);
  add_sum (f, JM_SCHEDULER_SUM_CLUSTER, NULL, JM_SCHEDULER_JOB_STATE_UNKNOWN, 1, 0);
  sum_up (f);

  g_assert_cmpfloat (CLUSTER (QUEUE_FLAGGED_JOBS, "completing"), ==, 3);
  g_assert_cmpfloat (CLUSTER (QUEUE_FLAGGED_JOBS, "hold"), ==, 2);
  g_assert_cmpfloat (CLUSTER (QUEUE_JOBS, "unknown"), ==, 1);
}

static void
test_a_node_of_which_no_partition_is_reported_is_in_none (Fixture *f,
                                                          gconstpointer data)
{
  JmSchedulerNode node = make_node ("n1", JM_SCHEDULER_NODE_STATE_UNKNOWN, NULL);

  jm_scheduler_report_add_node (f->nodes, &node);
  add_job (f, JM_SCHEDULER_JOB_STATE_RUNNING, "batch", "ann");
  sum_up (f);

  g_assert_cmpfloat (CLUSTER (CLUSTER_NODES, "unknown"), ==, 1);
  g_assert_cmpfloat (PARTITION ("batch", CLUSTER_NODES, "unknown"), ==, -1);
  g_assert_false (find (f, JM_SUBJECT_KIND_PARTITION, JM_CLUSTER_NONE, &(guint){ 0 }));
}

/* Counts by the text of who and what, as one would with a list on paper. */
static void
count (GHashTable *truth, const char *format, const char *name, const char *state)
{
  char *key = g_strdup_printf ("%s %s %s", format, name, state);
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (truth, key));

  g_hash_table_insert (truth, key, GUINT_TO_POINTER (n + 1));
}

static void
test_many_jobs_agree_with_a_list_on_paper (Fixture *f, gconstpointer data)
{
  const char *const partitions[] = { "a", "b", "a,b", "b,c,a" };
  const char *const users[] = { "ann", "ben", "carl", "dora", "eve" };
  g_autoptr (GHashTable) truth =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GHashTableIter iter;
  gpointer key, n;

  for (guint i = 0; i < N_RANDOM; i++)
    {
      JmSchedulerJobState state = g_test_rand_int_range (0, JM_N_SCHEDULER_JOB_STATES);
      const char *list =
        partitions[g_test_rand_int_range (0, G_N_ELEMENTS (partitions))];
      const char *user = users[g_test_rand_int_range (0, G_N_ELEMENTS (users))];
      g_autofree char *word =
        g_ascii_strdown (jm_scheduler_job_state_get_name (state), -1);
      g_auto (GStrv) names = g_strsplit (list, ",", -1);

      add_job (f, state, list, user);
      count (truth, "0", "alpha", word);
      count (truth, "2", user, word);
      for (char **name = names; *name != NULL; name++)
        count (truth, "1", *name, word);
    }
  sum_up (f);

  g_hash_table_iter_init (&iter, truth);
  while (g_hash_table_iter_next (&iter, &key, &n))
    {
      const JmSubjectKind kinds[] = { JM_SUBJECT_KIND_CLUSTER,
                                      JM_SUBJECT_KIND_PARTITION, JM_SUBJECT_KIND_USER };
      g_auto (GStrv) words = g_strsplit (key, " ", -1);

      g_assert_cmpfloat (get (f, kinds[words[0][0] - '0'], words[1],
                              JM_METRIC_QUEUE_JOBS, words[2]),
                         ==, GPOINTER_TO_UINT (n));
    }
}

static void
test_every_series_names_its_cluster (Fixture *f, gconstpointer data)
{
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  JmSchedulerNode node = make_node ("n1", JM_SCHEDULER_NODE_STATE_MIXED, "batch");
  g_auto (GStrv) lines = NULL;

  add_job (f, JM_SCHEDULER_JOB_STATE_RUNNING, "batch,short", "o\"hara");
  add_gpus (f, &node, 4, 1);
  jm_scheduler_report_add_node (f->nodes, &node);
  sum_up (f);
  jm_text_encoder_encode (encoder, f->snapshot, JM_TEXT_FORMAT_PROMETHEUS, NULL, text);
  lines = g_strsplit (text->str, "\n", -1);

  g_assert_nonnull (
    strstr (text->str,
            "\njobmetrics_cluster_jobs{cluster=\"alpha\",state=\"running\"} 1\n"));
  g_assert_nonnull (strstr (text->str,
                            "\njobmetrics_cluster_node_state{cluster=\"alpha\","
                            "node=\"n1\",state=\"mixed\"} 1\n"));
  g_assert_nonnull (strstr (text->str, "user=\"o\\\"hara\""));
  /* those are a node's */
  g_assert_null (strstr (text->str, "jobmetrics_jobs{"));
  for (char **line = lines; *line != NULL; line++)
    {
      char *space = strrchr (*line, ' ');

      if (space == NULL || **line == '#' ||
          g_str_has_prefix (*line, "jobmetrics_sweep") ||
          g_str_has_prefix (*line, "jobmetrics_collector") ||
          g_str_has_prefix (*line, "jobmetrics_exporter"))
        continue;
      *space = '\0';
      g_test_message ("%s", *line);
      g_assert_nonnull (strstr (*line, "{cluster=\"alpha\""));
      g_assert_true (g_hash_table_add (seen, *line));
    }
}

static void
test_a_large_cluster_costs_little (Fixture *f, gconstpointer data)
{
  const guint n_jobs = g_test_perf () ? 100000 : 1000;
  gint64 began_us;

  for (guint i = 0; i < n_jobs; i++)
    {
      g_autofree char *user = g_strdup_printf ("user%u", i % 500);
      JmSchedulerJob job = make_job (i % 10 == 0 ? JM_SCHEDULER_JOB_STATE_RUNNING
                                                 : JM_SCHEDULER_JOB_STATE_PENDING,
                                     i % 2 == 0 ? "batch" : "batch,short", user);

      job.reason = "Priority";
      jm_scheduler_report_add_job (f->jobs, &job);
    }
  began_us = g_get_monotonic_time ();
  sum_up (f);
  g_test_message ("%u jobs: %.3f s", n_jobs,
                  (double) (g_get_monotonic_time () - began_us) / 1e6);

  g_assert_cmpfloat (CLUSTER (QUEUE_JOBS, "pending"), ==, n_jobs * 9 / 10);
}

#define ADD(path, func)                                                                \
 g_test_add ("/cluster-sums/" path, Fixture, NULL, fixture_set_up, func,               \
             fixture_tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("nodes-that-are-counted-have-no-state",
       test_nodes_that_are_counted_have_no_state);

  ADD ("a-job-of-two-partitions-is-once-in-the-cluster",
       test_a_job_of_two_partitions_is_once_in_the_cluster);
  ADD ("ended-jobs-are-not-zero-where-nobody-asked-for-them",
       test_ended_jobs_are_not_zero_where_nobody_asked_for_them);
  ADD ("reasons-lose-the-names-of-nodes-alone",
       test_reasons_lose_the_names_of_nodes_alone);
  ADD ("arrays-are-counted-by-task", test_arrays_are_counted_by_task);
  ADD ("gpus-of-jobs-have-their-types", test_gpus_of_jobs_have_their_types);
  ADD ("types-are-kept-where-users-are-reported-as-one",
       test_types_are_kept_where_users_are_reported_as_one);
  ADD ("types-that-are-too-many-are-reported-as-one",
       test_types_that_are_too_many_are_reported_as_one);
  ADD ("waits-are-those-of-jobs-that-could-have-begun",
       test_waits_are_those_of_jobs_that_could_have_begun);
  ADD ("long-waits-are-counted-in-all-that-are-shorter",
       test_long_waits_are_counted_in_all_that_are_shorter);
  ADD ("suspended-jobs-are-not-among-those-that-run",
       test_suspended_jobs_are_not_among_those_that_run);
  ADD ("shares-of-gpus-are-no-gpus", test_shares_of_gpus_are_no_gpus);
  ADD ("what-names-are-too-many-for-is-reported-as-one",
       test_what_names_are_too_many_for_is_reported_as_one);
  ADD ("a-node-is-once-in-each-of-its-partitions",
       test_a_node_is_once_in_each_of_its_partitions);
  ADD ("a-node-is-in-one-word-as-in-sinfo", test_a_node_is_in_one_word_as_in_sinfo);
  ADD ("a-job-is-in-each-of-its-features", test_a_job_is_in_each_of_its_features);
  ADD ("loads-weights-and-what-is-allocated-add-up",
       test_loads_weights_and_what_is_allocated_add_up);
  ADD ("gpus-that-cannot-be-had-are-not-idle",
       test_gpus_that_cannot_be_had_are_not_idle);
  ADD ("nodes-are-in-the-reservation-of-now", test_nodes_are_in_the_reservation_of_now);
  ADD ("reservations-are-not-zero-where-nobody-reports-them",
       test_reservations_are_not_zero_where_nobody_reports_them);
  ADD ("without-a-reservation-all-nodes-are-in-none",
       test_without_a_reservation_all_nodes_are_in_none);
  ADD ("reservations-that-are-too-many-are-reported-as-one",
       test_reservations_that_are_too_many_are_reported_as_one);
  ADD ("a-reason-has-its-time-and-its-source",
       test_a_reason_has_its_time_and_its_source);
  ADD ("answers-report-their-age-and-success",
       test_answers_report_their_age_and_success);
  ADD ("nothing-is-reported-of-what-nobody-answered-for",
       test_nothing_is_reported_of_what_nobody_answered_for);
  ADD ("a-sum-counts-where-it-was-made", test_a_sum_counts_where_it_was_made);
  ADD ("what-nobody-reported-of-sums-is-not-zero",
       test_what_nobody_reported_of_sums_is_not_zero);
  ADD ("a-sum-with-a-flag-is-in-no-state", test_a_sum_with_a_flag_is_in_no_state);
  ADD ("a-node-of-which-no-partition-is-reported-is-in-none",
       test_a_node_of_which_no_partition_is_reported_is_in_none);
  ADD ("many-jobs-agree-with-a-list-on-paper",
       test_many_jobs_agree_with_a_list_on_paper);
  ADD ("every-series-names-its-cluster", test_every_series_names_its_cluster);
  ADD ("a-large-cluster-costs-little", test_a_large_cluster_costs_little);

  return g_test_run ();
}
