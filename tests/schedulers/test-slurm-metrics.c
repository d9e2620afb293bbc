/* test-slurm-metrics.c: a Slurm that is asked for its own metrics
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/jm-scheduler-types-private.h"

#include <glib/gstdio.h>
#include <string.h>

#include "base/jm-error.h"
#include "web-stand-in.h"

#define TOKEN "eyJhbGciOiJIUzI1NiJ9"
#define MIB (G_GINT64_CONSTANT (1) << 20)

static const char *const names[] = { "jobs", "jobs-users-accts", "nodes", "partitions",
                                     "scheduler" };

typedef struct
{
  WebStandIn *server;
  JmHost *host;
  JmScheduler *scheduler;
  JmSchedulerReport *report;
} Fixture;

/* From now on the controller answers so when it is asked for a path of that name. */
static void
put (Fixture *f, const char *name, const char *status, const char *text)
{
  g_autofree char *path = g_strconcat ("/metrics/", name, NULL);

  web_stand_in_set (f->server, path, status, "Content-Type: text/plain\r\n", text);
}

static void
fixture_set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  f->server = web_stand_in_new (FALSE);
  f->host = jm_host_new (NULL);
  f->scheduler = JM_SCHEDULER (
    g_initable_new (JM_TYPE_SLURM_METRICS, NULL, &error, "host", f->host, "cluster",
                    "alpha", "url", web_stand_in_get_url (f->server), NULL));
  g_assert_no_error (error);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *file = g_strconcat (names[i], ".txt", NULL);
      g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures",
                                                     "slurm-metrics-25.11", file, NULL);
      g_autofree char *text = NULL;

      g_file_get_contents (path, &text, NULL, &error);
      g_assert_no_error (error);
      put (f, names[i], "200 OK", text);
    }
}

static void
fixture_tear_down (Fixture *f, gconstpointer data)
{
  g_clear_pointer (&f->report, jm_scheduler_report_unref);
  g_object_unref (f->scheduler);
  g_object_unref (f->host);
  web_stand_in_free (f->server);
}

static gboolean
read_topic (Fixture *f, JmSchedulerTopic topic, GError **error)
{
  g_clear_pointer (&f->report, jm_scheduler_report_unref);
  f->report = jm_scheduler_report_new (topic);

  return jm_scheduler_read (f->scheduler, topic, f->report, NULL, error);
}

static void
read_well (Fixture *f, JmSchedulerTopic topic)
{
  g_autoptr (GError) error = NULL;
  gboolean is_read = read_topic (f, topic, &error);

  g_assert_no_error (error);
  g_assert_true (is_read);
}

/* --- nodes, partitions, the controller --- */

static const JmSchedulerNode *
get_node (Fixture *f, const char *name)
{
  for (guint i = 0; i < jm_scheduler_report_get_n_nodes (f->report); i++)
    if (g_str_equal (jm_scheduler_report_get_node (f->report, i)->name, name))
      return jm_scheduler_report_get_node (f->report, i);
  g_assert_not_reached ();
}

static void
test_reports_what_nodes_have (Fixture *f, gconstpointer data)
{
  const JmSchedulerNode *node;

  read_well (f, JM_SCHEDULER_TOPIC_NODES);

  g_assert_cmpuint (jm_scheduler_report_get_n_nodes (f->report), ==, 3);
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (f->report), ==, 0);
  node = get_node (f, "n2");
  g_assert_cmpint (node->state, ==, JM_SCHEDULER_NODE_STATE_UNKNOWN);
  g_assert_cmpint (node->cpus, ==, 62);
  g_assert_cmpint (node->cpus_allocated, ==, 6);
  g_assert_cmpint (node->cpus_idle, ==, 56);
  g_assert_cmpint (node->memory_bytes, ==, 257024 * MIB);
  g_assert_cmpint (node->memory_allocated_bytes, ==, 73728 * MIB);
  g_assert_cmpint (node->memory_free_bytes, ==, 180000 * MIB);
  g_assert_cmpint (node->gpus, ==, -1);
  g_assert_cmpint (get_node (f, "n3")->memory_free_bytes, ==, -1);
}

/* The ERROR state is none of those that Slurm counts. */
static void
test_counts_nodes_by_state (Fixture *f, gconstpointer data)
{
  const JmSchedulerNodeSums *sums;

  read_well (f, JM_SCHEDULER_TOPIC_NODES);

  sums = jm_scheduler_report_get_node_sums (f->report);
  g_assert_nonnull (sums);
  g_assert_cmpint (sums->states[JM_SCHEDULER_NODE_STATE_ALLOCATED], ==, 1);
  g_assert_cmpint (sums->states[JM_SCHEDULER_NODE_STATE_MIXED], ==, 1);
  g_assert_cmpint (sums->states[JM_SCHEDULER_NODE_STATE_IDLE], ==, 1);
  g_assert_cmpint (sums->states[JM_SCHEDULER_NODE_STATE_DOWN], ==, 0);
  g_assert_cmpint (sums->states[JM_SCHEDULER_NODE_STATE_UNKNOWN], ==, 0);
  g_assert_cmpint (sums->states[JM_SCHEDULER_NODE_STATE_ERROR], ==, -1);
  g_assert_cmpint (sums->flags[JM_SCHEDULER_NODE_FLAG_DRAIN], ==, 1);
  g_assert_cmpint (sums->flags[JM_SCHEDULER_NODE_FLAG_PLANNED], ==, 0);
  g_assert_cmpint (sums->flags[JM_SCHEDULER_NODE_FLAG_POWERING_DOWN], ==, -1);
}

static void
test_a_node_of_an_uncounted_state_is_unknown (Fixture *f, gconstpointer data)
{
  put (f, "nodes", "200 OK",
       "slurm_nodes 7\nslurm_nodes_idle 4\nslurm_nodes_down 1\nslurm_nodes_unknown "
       "0\n");
  read_well (f, JM_SCHEDULER_TOPIC_NODES);

  g_assert_cmpint (jm_scheduler_report_get_node_sums (f->report)
                     ->states[JM_SCHEDULER_NODE_STATE_UNKNOWN],
                   ==, 2);
}

/* As of 26.05. */
static void
test_reports_gpus_where_slurm_does (Fixture *f, gconstpointer data)
{
  const JmSchedulerGpus *gpus;
  const JmSchedulerNode *node;

  put (f, "nodes", "200 OK",
       "slurm_node_gpus_alloc{node=\"g1\"} 3\nslurm_node_gpus{node=\"g1\"} 4\n"
       "slurm_node_gpus_alloc{node=\"n1\"} 0\nslurm_node_gpus{node=\"n1\"} 0\n");
  read_well (f, JM_SCHEDULER_TOPIC_NODES);

  g_assert_cmpuint (jm_scheduler_report_get_n_gpus (f->report), ==, 1);
  node = get_node (f, "g1");
  g_assert_cmpuint (node->n_gpus, ==, 1);
  gpus = jm_scheduler_report_get_gpus (f->report, node->first_gpus);
  g_assert_cmpstr (gpus->gres, ==, "gpu");
  g_assert_null (gpus->type);
  g_assert_cmpint (gpus->total, ==, 4);
  g_assert_cmpint (gpus->allocated, ==, 3);
  g_assert_cmpint (get_node (f, "n1")->gpus, ==, 0);
  g_assert_cmpuint (get_node (f, "n1")->n_gpus, ==, 0);
}

static void
test_reports_what_partitions_have (Fixture *f, gconstpointer data)
{
  const JmSchedulerPartition *partition;

  read_well (f, JM_SCHEDULER_TOPIC_PARTITIONS);

  g_assert_cmpuint (jm_scheduler_report_get_n_partitions (f->report), ==, 2);
  partition = jm_scheduler_report_get_partition (f->report, 0);
  g_assert_cmpstr (partition->name, ==, "batch");
  g_assert_cmpint (partition->nodes, ==, 3);
  g_assert_cmpint (partition->cpus, ==, 160);
  g_assert_cmpint (partition->memory_bytes, ==, 1029120 * MIB);
  g_assert_cmpint (partition->gpus, ==, -1);
  g_assert_null (partition->state);
  partition = jm_scheduler_report_get_partition (f->report, 1);
  g_assert_cmpstr (partition->name, ==, "gpu");
  g_assert_cmpint (partition->nodes, ==, 1);
}

static void
test_reports_how_the_controller_does (Fixture *f, gconstpointer data)
{
  const JmSchedulerDiagnostics *record;

  read_well (f, JM_SCHEDULER_TOPIC_DIAGNOSTICS);

  record = jm_scheduler_report_get_diagnostics (f->report);
  g_assert_cmpint (record->server_threads, ==, 7);
  g_assert_cmpint (record->agent_queue, ==, 5);
  g_assert_cmpint (record->agent_threads, ==, 2);
  g_assert_cmpint (record->dbd_queue, ==, 1);
  g_assert_cmpint (record->jobs_submitted, ==, 900);
  g_assert_cmpint (record->jobs_cancelled, ==, 17);
  g_assert_cmpint (record->cycles, ==, 440);
  g_assert_cmpint (record->queue_length, ==, 12);
  g_assert_cmpfloat_with_epsilon (record->last_cycle_seconds, 0.00031, 1e-9);
  g_assert_cmpfloat_with_epsilon (record->max_cycle_seconds, 0.088, 1e-9);
  g_assert_cmpfloat_with_epsilon (record->mean_cycle_seconds, 0.0004, 1e-9);
  g_assert_cmpint (record->backfilled_jobs, ==, 321);
  g_assert_cmpint (record->backfilled_last_jobs, ==, 21);
  g_assert_cmpfloat_with_epsilon (record->backfill_max_cycle_seconds, 1.5, 1e-9);
  g_assert_cmpfloat (record->backfill_mean_depth, ==, 14);
  g_assert_cmpint (record->reset_time, ==, 1795392000);
  g_assert_cmpint (record->read_time, ==, 1795412400);
}

/* --- jobs --- */

static const char *
get_name (const JmSchedulerJob *job)
{
  switch (job->sum_of)
    {
    case JM_SCHEDULER_SUM_PARTITION:
      g_assert_null (job->user);
      return job->partitions;
    case JM_SCHEDULER_SUM_ACCOUNT:
      return job->account;
    case JM_SCHEDULER_SUM_USER:
      g_assert_null (job->partitions);
      return job->user;
    default:
      g_assert_cmpint (job->sum_of, ==, JM_SCHEDULER_SUM_CLUSTER);
      g_assert_null (job->partitions);
      return NULL;
    }
}

/* The record of these jobs; NULL where there is none. */
static const JmSchedulerJob *
find_jobs (Fixture *f,
           JmSchedulerSum sum_of,
           const char *name,
           JmSchedulerJobState state,
           guint flags,
           const char *other_flags)
{
  const JmSchedulerJob *found = NULL;

  for (guint i = 0; i < jm_scheduler_report_get_n_jobs (f->report); i++)
    {
      const JmSchedulerJob *job = jm_scheduler_report_get_job (f->report, i);

      if (job->sum_of != sum_of || g_strcmp0 (get_name (job), name) != 0 ||
          job->state != state || job->flags != flags ||
          g_strcmp0 (job->other_flags, other_flags) != 0)
        continue;
      g_assert_null (found);
      found = job;
    }

  return found;
}

static gint64
count (Fixture *f, JmSchedulerSum sum_of, const char *name, JmSchedulerJobState state)
{
  const JmSchedulerJob *job = find_jobs (f, sum_of, name, state, 0, NULL);

  return job != NULL ? job->tasks : 0;
}

static gint64
count_flagged (Fixture *f, JmSchedulerSum sum_of, const char *name, guint flag)
{
  const JmSchedulerJob *job =
    find_jobs (f, sum_of, name, JM_SCHEDULER_JOB_STATE_UNKNOWN, 1u << flag, NULL);

  return job != NULL ? job->tasks : 0;
}

#define CLUSTER(state)                                                                 \
 count (f, JM_SCHEDULER_SUM_CLUSTER, NULL, JM_SCHEDULER_JOB_STATE_##state)
#define PARTITION(name, state)                                                         \
 count (f, JM_SCHEDULER_SUM_PARTITION, name, JM_SCHEDULER_JOB_STATE_##state)
#define USER(name, state)                                                              \
 count (f, JM_SCHEDULER_SUM_USER, name, JM_SCHEDULER_JOB_STATE_##state)
#define RUNNING(sum, name)                                                             \
 find_jobs (f, JM_SCHEDULER_SUM_##sum, name, JM_SCHEDULER_JOB_STATE_RUNNING, 0, NULL)

static void
test_counts_a_job_in_one_state (Fixture *f, gconstpointer data)
{
  gint64 all = 0;

  read_well (f, JM_SCHEDULER_TOPIC_JOBS);

  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (f->report), ==, 0);
  for (guint i = 0; i < JM_N_SCHEDULER_JOB_STATES; i++)
    all += count (f, JM_SCHEDULER_SUM_CLUSTER, NULL, i);
  g_assert_cmpint (all, ==, 25);
  g_assert_cmpint (CLUSTER (PENDING), ==, 12);
  g_assert_cmpint (CLUSTER (RUNNING), ==, 3);
  g_assert_cmpint (CLUSTER (SUSPENDED), ==, 1);
  g_assert_cmpint (CLUSTER (COMPLETED), ==, 4);
  g_assert_cmpint (CLUSTER (CANCELLED), ==, 1);
  g_assert_cmpint (CLUSTER (FAILED), ==, 2);
  g_assert_cmpint (CLUSTER (TIMEOUT), ==, 1);
  g_assert_cmpint (CLUSTER (UNKNOWN), ==, 1);
  g_assert_cmpint (PARTITION ("batch", PENDING), ==, 11);
  g_assert_cmpint (PARTITION ("gpu", RUNNING), ==, 1);
  g_assert_cmpint (PARTITION ("gpu", UNKNOWN), ==, 0);
  g_assert_cmpint (USER ("ada", PENDING), ==, 12);
  g_assert_cmpint (USER ("ada", UNKNOWN), ==, 0);
  g_assert_cmpint (USER ("bob", PENDING), ==, 0);
}

static void
test_counts_flags_beside_states (Fixture *f, gconstpointer data)
{
  const JmSchedulerJob *held;

  read_well (f, JM_SCHEDULER_TOPIC_JOBS);

  g_assert_cmpint (count_flagged (f, JM_SCHEDULER_SUM_CLUSTER, NULL,
                                  JM_SCHEDULER_JOB_FLAG_COMPLETING),
                   ==, 1);
  g_assert_cmpint (count_flagged (f, JM_SCHEDULER_SUM_PARTITION, "batch",
                                  JM_SCHEDULER_JOB_FLAG_CONFIGURING),
                   ==, 1);
  g_assert_cmpint (count_flagged (f, JM_SCHEDULER_SUM_USER, "ada",
                                  JM_SCHEDULER_JOB_FLAG_COMPLETING),
                   ==, 0);
  held = find_jobs (f, JM_SCHEDULER_SUM_CLUSTER, NULL, JM_SCHEDULER_JOB_STATE_UNKNOWN,
                    0, "hold");
  g_assert_cmpint (held->tasks, ==, 2);
}

static void
test_reports_what_jobs_have (Fixture *f, gconstpointer data)
{
  read_well (f, JM_SCHEDULER_TOPIC_JOBS);

  g_assert_cmpint (RUNNING (CLUSTER, NULL)->cpus_allocated, ==, 68);
  g_assert_cmpint (RUNNING (CLUSTER, NULL)->memory_allocated_bytes, ==, 204800 * MIB);
  g_assert_cmpint (RUNNING (CLUSTER, NULL)->nodes, ==, 2);
  g_assert_cmpint (RUNNING (CLUSTER, NULL)->gpus_allocated, ==, -1);
  g_assert_cmpint (RUNNING (CLUSTER, NULL)->cpus_requested, ==, -1);
  g_assert_cmpint (RUNNING (PARTITION, "gpu")->cpus_allocated, ==, 8);
  g_assert_cmpint (RUNNING (ACCOUNT, "physics")->cpus_allocated, ==, 68);
  g_assert_cmpint (RUNNING (USER, "bob")->cpus_allocated, ==, 60);
  g_assert_cmpint (find_jobs (f, JM_SCHEDULER_SUM_USER, "ada",
                              JM_SCHEDULER_JOB_STATE_PENDING, 0, NULL)
                     ->cpus_allocated,
                   ==, 0);
}

/* 140,000 CPUs are in use, of which a count of 16 bits has 8,928 left. */
static void
test_mends_cpus_that_were_counted_in_16_bits (Fixture *f, gconstpointer data)
{
  put (f, "jobs", "200 OK",
       "slurm_jobs 30\nslurm_jobs_running 30\nslurm_jobs_cpus_alloc 8928\n");
  put (f, "nodes", "200 OK",
       "slurm_node_cpus_alloc{node=\"a\"} 60000\nslurm_node_cpus_alloc{node=\"b\"} "
       "60000\n"
       "slurm_node_cpus_alloc{node=\"c\"} 20000\n");
  put (f, "partitions", "200 OK",
       "slurm_partition_jobs_running{partition=\"big\"} 20\n"
       "slurm_partition_jobs_cpus_alloc{partition=\"big\"} 7928\n"
       "slurm_partition_jobs_running{partition=\"small\"} 10\n"
       "slurm_partition_jobs_cpus_alloc{partition=\"small\"} 1000\n");
  put (f, "jobs-users-accts", "200 OK",
       "slurm_user_jobs_running{username=\"ada\"} 15\n"
       "slurm_user_jobs_cpus_alloc{username=\"ada\"} 65000\n"
       "slurm_user_jobs_running{username=\"bob\"} 15\n"
       "slurm_user_jobs_cpus_alloc{username=\"bob\"} 65000\n");
  read_well (f, JM_SCHEDULER_TOPIC_JOBS);

  g_assert_cmpint (RUNNING (CLUSTER, NULL)->cpus_allocated, ==, 140000);
  /* one of them has 131,072 more: which, nobody knows */
  g_assert_cmpint (RUNNING (PARTITION, "big")->cpus_allocated, ==, -1);
  g_assert_cmpint (RUNNING (PARTITION, "small")->cpus_allocated, ==, -1);
  g_assert_cmpint (RUNNING (USER, "ada")->cpus_allocated, ==, 65000);
}

static void
test_mends_what_the_first_releases_had_as_zero (Fixture *f, gconstpointer data)
{
  put (f, "jobs", "200 OK",
       "slurm_jobs 3\nslurm_jobs_running 3\nslurm_jobs_cpus_alloc 0\n"
       "slurm_jobs_memory_alloc 0\n");
  read_well (f, JM_SCHEDULER_TOPIC_JOBS);

  g_assert_cmpint (RUNNING (CLUSTER, NULL)->cpus_allocated, ==, 68);
  g_assert_cmpint (RUNNING (CLUSTER, NULL)->memory_allocated_bytes, ==, 204800 * MIB);
}

static void
test_what_is_suspended_alone_has_what_was_reported (Fixture *f, gconstpointer data)
{
  put (f, "jobs-users-accts", "200 OK",
       "slurm_user_jobs_suspended{username=\"eve\"} 2\n"
       "slurm_user_jobs_cpus_alloc{username=\"eve\"} 16\n"
       "slurm_user_jobs_running{username=\"eve\"} 0\n");
  read_well (f, JM_SCHEDULER_TOPIC_JOBS);

  g_assert_cmpint (find_jobs (f, JM_SCHEDULER_SUM_USER, "eve",
                              JM_SCHEDULER_JOB_STATE_SUSPENDED, 0, NULL)
                     ->cpus_allocated,
                   ==, 16);
}

static void
test_a_cluster_without_jobs_is_no_failure (Fixture *f, gconstpointer data)
{
  put (f, "jobs", "200 OK", "slurm_jobs 0\nslurm_jobs_running 0\n");
  put (f, "jobs-users-accts", "200 OK", "");
  put (f, "partitions", "200 OK", "slurm_partition_jobs{partition=\"batch\"} 0\n");
  read_well (f, JM_SCHEDULER_TOPIC_JOBS);

  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (f->report), ==, 0);
}

/* Slurm leaves the label out of a job without an account, and escapes nothing. */
static void
test_counts_lines_that_it_cannot_read (Fixture *f, gconstpointer data)
{
  put (f, "jobs-users-accts", "200 OK",
       "slurm_account_jobs_running 2\n"
       "slurm_account_jobs_running{account=\"a\"b\"} 2\n"
       "slurm_account_jobs_running{account=\"c\"} -1\n"
       "slurm_account_jobs_running{account=\"d\"} NaN\n"
       "slurm_account_jobs_running{account=\"e\"} 1.5\n"
       "slurm_account_jobs_running{account=\"f\"} 6\n"
       "slurm_account_jobs_dreaming{account=\"f\"} 7\n");
  read_well (f, JM_SCHEDULER_TOPIC_JOBS);

  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (f->report), ==, 4);
  g_assert_nonnull (strstr (jm_scheduler_report_get_complaint (f->report),
                            "/metrics/jobs-users-accts: line 2: "));
  g_assert_cmpint (RUNNING (ACCOUNT, NULL)->tasks, ==, 2);
  g_assert_cmpint (RUNNING (ACCOUNT, "f")->tasks, ==, 6);
  g_assert_null (RUNNING (ACCOUNT, "c"));
  g_assert_null (RUNNING (ACCOUNT, "d"));
  g_assert_null (RUNNING (ACCOUNT, "e"));
}

/* --- what goes wrong --- */

static void
assert_fails (Fixture *f, JmError code, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (read_topic (f, JM_SCHEDULER_TOPIC_NODES, &error));
  g_assert_error (error, JM_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, "/metrics/nodes: "));
  if (strstr (error->message, words) == NULL)
    g_error ("%s: not %s", error->message, words);
}

static void
test_says_why_there_is_no_answer (Fixture *f, gconstpointer data)
{
  put (f, "nodes", "503 Service Unavailable", "no controller is in charge\n");
  assert_fails (f, JM_ERROR_UNAVAILABLE, "503");
  put (f, "nodes", "403 Forbidden", "Failed: Operation not permitted\n");
  assert_fails (f, JM_ERROR_DENIED, "403");
  put (f, "nodes", "401 Unauthorized", "Failed: Authentication failure\n");
  assert_fails (f, JM_ERROR_DENIED, "401");
  put (f, "nodes", "404 Not Found", "");
  assert_fails (f, JM_ERROR_ABSENT, "404");
  web_stand_in_set (f->server, "/metrics/nodes", "303 See Other",
                    "Location: http://ctl1.invalid:6817/metrics/nodes\r\n", "");
  assert_fails (f, JM_ERROR_UNAVAILABLE, "redirects to http://ctl1.invalid:6817/");
}

static void
test_says_that_there_are_no_metrics (Fixture *f, gconstpointer data)
{
  put (f, "nodes", "200 OK", "");
  assert_fails (f, JM_ERROR_UNAVAILABLE, "no metrics of Slurm's");
  put (f, "nodes", "200 OK", "<html><body>a page</body></html>\n");
  assert_fails (f, JM_ERROR_UNAVAILABLE, "no metrics of Slurm's");
  put (f, "nodes", "200 OK", "node_load1 3\n");
  assert_fails (f, JM_ERROR_UNAVAILABLE, "no metrics of Slurm's");
}

static void
test_one_failure_is_that_of_all_jobs (Fixture *f, gconstpointer data)
{
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (GError) error = NULL;

      put (f, names[i], "503 Service Unavailable", "");
      g_assert_false (read_topic (f, JM_SCHEDULER_TOPIC_JOBS, &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
      put (f, names[i], "200 OK", "slurm_jobs 0\n");
    }
}

static void
test_is_not_asked_for_other_topics (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (jm_scheduler_has_topic (f->scheduler, JM_SCHEDULER_TOPIC_JOBS));
  g_assert_false (jm_scheduler_has_topic (f->scheduler, JM_SCHEDULER_TOPIC_LICENSES));
  g_assert_false (read_topic (f, JM_SCHEDULER_TOPIC_LICENSES, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

static void
assert_refused (Fixture *f, const char *cluster, const char *url, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (g_initable_new (JM_TYPE_SLURM_METRICS, NULL, &error, "host", f->host,
                                 "cluster", cluster, "url", url, NULL));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_needs_a_name_and_a_url_that_can_be_trusted (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSlurmMetrics) plain =
    g_initable_new (JM_TYPE_SLURM_METRICS, NULL, &error, "host", f->host, "cluster",
                    "alpha", NULL);
  g_autofree char *url = NULL;

  g_assert_no_error (error);
  g_object_get (plain, "url", &url, NULL);
  g_assert_cmpstr (url, ==, "http://localhost:6817");
  g_assert_cmpstr (jm_scheduler_get_cluster (JM_SCHEDULER (plain)), ==, "alpha");
  assert_refused (f, NULL, NULL, "cluster: must be set");
  assert_refused (f, "", NULL, "cluster: must be set");
  assert_refused (f, "alpha", "http://example.org:6817", "must begin with https");
  assert_refused (f, "alpha", "controller", "not a URL");
}

/* --- tokens --- */

static JmScheduler *
open_with_token (Fixture *f, const char *file, GError **error)
{
  g_autofree char *url = g_strconcat (web_stand_in_get_url (f->server), "//", NULL);

  return g_initable_new (JM_TYPE_SLURM_METRICS, NULL, error, "host", f->host, "cluster",
                         "alpha", "url", url, "token-file", file, NULL);
}

static void
test_shows_a_token_that_others_cannot_read (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) refusal = NULL;
  g_autofree char *folder = g_dir_make_tmp ("jm-slurm-metrics-XXXXXX", &error);
  g_autofree char *file = g_build_filename (folder, "token", NULL);
  g_autofree char *request = NULL;

  g_file_set_contents_full (file, TOKEN "\n", -1, G_FILE_SET_CONTENTS_NONE, 0600,
                            &error);
  g_assert_no_error (error);
  web_stand_in_set_key (f->server, "Authorization: Bearer " TOKEN);
  assert_fails (f, JM_ERROR_DENIED, "401");

  g_object_unref (f->scheduler);
  f->scheduler = open_with_token (f, file, &error);
  g_assert_no_error (error);
  read_well (f, JM_SCHEDULER_TOPIC_NODES);
  request = web_stand_in_get_request (f->server, "/metrics/nodes");
  g_assert_nonnull (strstr (request, "Accept: text/plain"));

  g_assert_cmpint (g_chmod (file, 0644), ==, 0);
  g_assert_false (read_topic (f, JM_SCHEDULER_TOPIC_NODES, &refusal));
  g_assert_error (refusal, JM_ERROR, JM_ERROR_DENIED);
  g_assert_null (strstr (refusal->message, TOKEN));
  g_assert_null (open_with_token (f, file, NULL));

  g_unlink (file);
  g_rmdir (folder);
}

static void
assert_advises (Fixture *f, JmError code, const char *words)
{
  g_autoptr (GError) error = g_error_new_literal (JM_ERROR, (int) code, "no");
  g_autoptr (JmAdvice) advice = jm_advice_new ();
  g_autofree char *text = NULL;

  jm_source_advise (JM_SOURCE (f->scheduler), error, advice);
  text = jm_advice_get_text (advice);
  g_assert_nonnull (strstr (text, words));
}

static void
test_advises_what_slurm_needs (Fixture *f, gconstpointer data)
{
  assert_advises (f, JM_ERROR_UNAVAILABLE, "MetricsType=metrics/openmetrics");
  assert_advises (f, JM_ERROR_DENIED, "MetricsAuthUsers");
}

#define ADD(name, function)                                                            \
 g_test_add ("/slurm-metrics/" name, Fixture, NULL, fixture_set_up, function,          \
             fixture_tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("reports-what-nodes-have", test_reports_what_nodes_have);
  ADD ("counts-nodes-by-state", test_counts_nodes_by_state);
  ADD ("a-node-of-an-uncounted-state-is-unknown",
       test_a_node_of_an_uncounted_state_is_unknown);
  ADD ("reports-gpus-where-slurm-does", test_reports_gpus_where_slurm_does);
  ADD ("reports-what-partitions-have", test_reports_what_partitions_have);
  ADD ("reports-how-the-controller-does", test_reports_how_the_controller_does);
  ADD ("counts-a-job-in-one-state", test_counts_a_job_in_one_state);
  ADD ("counts-flags-beside-states", test_counts_flags_beside_states);
  ADD ("reports-what-jobs-have", test_reports_what_jobs_have);
  ADD ("mends-cpus-that-were-counted-in-16-bits",
       test_mends_cpus_that_were_counted_in_16_bits);
  ADD ("mends-what-the-first-releases-had-as-zero",
       test_mends_what_the_first_releases_had_as_zero);
  ADD ("what-is-suspended-alone-has-what-was-reported",
       test_what_is_suspended_alone_has_what_was_reported);
  ADD ("a-cluster-without-jobs-is-no-failure",
       test_a_cluster_without_jobs_is_no_failure);
  ADD ("counts-lines-that-it-cannot-read", test_counts_lines_that_it_cannot_read);
  ADD ("says-why-there-is-no-answer", test_says_why_there_is_no_answer);
  ADD ("says-that-there-are-no-metrics", test_says_that_there_are_no_metrics);
  ADD ("one-failure-is-that-of-all-jobs", test_one_failure_is_that_of_all_jobs);
  ADD ("is-not-asked-for-other-topics", test_is_not_asked_for_other_topics);
  ADD ("needs-a-name-and-a-url-that-can-be-trusted",
       test_needs_a_name_and_a_url_that_can_be_trusted);
  ADD ("shows-a-token-that-others-cannot-read",
       test_shows_a_token_that_others_cannot_read);
  ADD ("advises-what-slurm-needs", test_advises_what_slurm_needs);

  return g_test_run ();
}
