/* test-cluster-asker.c: how often a scheduler is asked, and what is kept
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "base/jm-error.h"
#include "cluster/jm-cluster-settings-private.h"
#include "schedulers/jm-scheduler-report-private.h"

#define PATIENCE_US (30 * G_USEC_PER_SEC)
#define SECOND_US ((gint64) G_USEC_PER_SEC)

#define JOBS JM_SCHEDULER_TOPIC_JOBS
#define NODES JM_SCHEDULER_TOPIC_NODES

static const JmClusterPace fast = { { [JOBS] = 1, [NODES] = 1 }, 0 };
static const JmClusterPace slow = { { [JOBS] = 30000, [NODES] = 60000 }, 1000 };

/* A scheduler that a test makes up; the thread that asks it looks on. */
typedef struct
{
  gint n_jobs;        /* in its next answers */
  gint is_failing;    /* all questions */
  gint is_odd;        /* a job in each answer, which cannot be read */
  gint n_at_once;     /* questions under way */
  gint n_at_once_max; /* and the most of them */
  gint is_hanging;    /* until it is cancelled */
  gint n_handed;      /* jobs in all lists that were handed on */
} Scheduler;

#define FAKE_TYPE_SCHEDULER (fake_scheduler_get_type ())
G_DECLARE_FINAL_TYPE (FakeScheduler, fake_scheduler, FAKE, SCHEDULER, JmSource)

struct _FakeScheduler
{
  JmSource parent_instance;
  Scheduler *told;
  const char *cluster;
};

static void fake_scheduler_iface_init (JmSchedulerInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FakeScheduler,
                               fake_scheduler,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_SCHEDULER,
                                                      fake_scheduler_iface_init))

static gboolean
answer (Scheduler *self, JmSchedulerReport *report, GError **error)
{
  JmSchedulerJob job;

  if (g_atomic_int_get (&self->is_failing))
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "no controller");
      return FALSE;
    }

  jm_scheduler_job_init (&job);
  job.state = JM_SCHEDULER_JOB_STATE_PENDING;
  if (jm_scheduler_report_get_topic (report) == JOBS &&
      g_atomic_int_get (&self->is_odd))
    jm_scheduler_report_complain (report, "cpus: not understood: many");
  if (jm_scheduler_report_get_topic (report) == JOBS)
    for (gint i = 0; i < g_atomic_int_get (&self->n_jobs); i++)
      jm_scheduler_report_add_job (report, &job);

  return TRUE;
}

static gboolean
fake_scheduler_read (JmScheduler *scheduler,
                     JmSchedulerTopic topic,
                     JmSchedulerReport *report,
                     GCancellable *cancellable,
                     GError **error)
{
  Scheduler *self = FAKE_SCHEDULER (scheduler)->told;
  gint n = g_atomic_int_add (&self->n_at_once, 1) + 1;
  gboolean has_answered = FALSE;

  if (n > g_atomic_int_get (&self->n_at_once_max))
    g_atomic_int_set (&self->n_at_once_max, n);
  while (g_atomic_int_get (&self->is_hanging) &&
         !g_cancellable_is_cancelled (cancellable))
    g_thread_yield ();
  if (!g_cancellable_set_error_if_cancelled (cancellable, error))
    has_answered = answer (self, report, error);
  g_atomic_int_add (&self->n_at_once, -1);

  return has_answered;
}

static const char *
fake_scheduler_get_cluster (JmScheduler *scheduler)
{
  return FAKE_SCHEDULER (scheduler)->cluster;
}

static gboolean
fake_scheduler_has_topic (JmScheduler *scheduler, JmSchedulerTopic topic)
{
  return topic == JOBS || topic == NODES;
}

static void
fake_scheduler_iface_init (JmSchedulerInterface *iface)
{
  iface->read = fake_scheduler_read;
  iface->get_cluster = fake_scheduler_get_cluster;
  iface->has_topic = fake_scheduler_has_topic;
}

static void
fake_scheduler_class_init (FakeSchedulerClass *klass)
{
}

static void
fake_scheduler_init (FakeScheduler *self)
{
}

static void
on_jobs (const char *cluster,
         JmSchedulerReport *jobs,
         gint64 time_us,
         gpointer user_data)
{
  Scheduler *self = user_data;
  guint n = jm_scheduler_report_get_n_jobs (jobs);

  g_assert_cmpstr (cluster, ==, "alpha");
  g_assert_cmpint (time_us, >, 0);
  g_atomic_int_add (&self->n_handed, (gint) n);
}

static FakeScheduler *
fake_scheduler_new (Scheduler *told, const char *cluster)
{
  FakeScheduler *self = g_object_new (FAKE_TYPE_SCHEDULER, NULL);

  self->told = told;
  self->cluster = cluster;

  return self;
}

static JmClusterAsker *
asker_new (Scheduler *scheduler, const JmClusterPace *pace)
{
  g_autoptr (FakeScheduler) fake = fake_scheduler_new (scheduler, "alpha");

  return jm_cluster_asker_new (JM_SCHEDULER (fake), pace, on_jobs, scheduler);
}

static double
get_of (JmClusterAsker *asker, JmMetric metric, const char *word, const char *second)
{
  g_autoptr (JmClusterSums) sums = jm_cluster_sums_new (10, g_get_real_time ());
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autoptr (JmLabels) labels = jm_labels_of (word, second, NULL);
  double value = -1;

  jm_cluster_asker_tell (asker, sums);
  snapshot = jm_cluster_sums_make_snapshot (sums, 0);
  if (snapshot == NULL)
    return -1;
  jm_snapshot_get_labelled_metric (snapshot, 0, metric, labels, &value);

  return value;
}

static double
get (JmClusterAsker *asker, JmMetric metric, const char *word)
{
  return get_of (asker, metric, word, NULL);
}

static void
test_answers_are_kept_and_handed_on (void)
{
  Scheduler scheduler = { .n_jobs = 7 };
  g_autoptr (JmClusterAsker) asker = asker_new (&scheduler, &fast);

  g_assert_true (jm_cluster_asker_wait (asker, 1, PATIENCE_US));
  g_assert_cmpfloat (get (asker, JM_METRIC_QUEUE_JOBS, "pending"), ==, 7);
  g_assert_cmpfloat (get (asker, JM_METRIC_SCHEDULER_SUCCESS, "jobs"), ==, 1);
  g_assert_cmpfloat (get (asker, JM_METRIC_CLUSTER_NODES, "idle"), ==, 0);
  g_assert_cmpint (g_atomic_int_get (&scheduler.n_handed), >=, 7);
}

/* A second warning would end the test. */
static void
test_what_cannot_be_read_is_logged_once (void)
{
  Scheduler scheduler = { .n_jobs = 2, .is_odd = TRUE };
  g_autoptr (JmClusterAsker) asker = NULL;

  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING,
                         "*jobs: records or values passed over: 1*cpus: not "
                         "understood: many*");
  asker = asker_new (&scheduler, &fast);

  g_assert_true (jm_cluster_asker_wait (asker, 5, PATIENCE_US));
  g_assert_cmpfloat (get_of (asker, JM_METRIC_SCHEDULER_UNREAD, "jobs", "value"), ==,
                     1);
  g_assert_cmpfloat (get_of (asker, JM_METRIC_SCHEDULER_UNREAD, "jobs", "record"), ==,
                     0);
  g_assert_cmpfloat (get (asker, JM_METRIC_QUEUE_JOBS, "pending"), ==, 2);
  g_test_assert_expected_messages ();
}

static void
test_one_question_at_a_time (void)
{
  Scheduler scheduler = { .n_jobs = 1 };
  g_autoptr (JmClusterAsker) asker = asker_new (&scheduler, &fast);

  g_assert_true (jm_cluster_asker_wait (asker, 5, PATIENCE_US));
  g_assert_cmpint (g_atomic_int_get (&scheduler.n_at_once_max), ==, 1);
}

static void
test_the_last_good_answer_outlives_failures (void)
{
  Scheduler scheduler = { .n_jobs = 3 };
  g_autoptr (JmClusterAsker) asker = asker_new (&scheduler, &fast);
  g_autoptr (GError) error = NULL;

  g_assert_true (jm_cluster_asker_wait (asker, 1, PATIENCE_US));
  g_atomic_int_set (&scheduler.is_failing, TRUE);
  while (get (asker, JM_METRIC_SCHEDULER_FAILURES, "jobs") < 2)
    g_thread_yield ();

  g_assert_cmpfloat (get (asker, JM_METRIC_QUEUE_JOBS, "pending"), ==, 3);
  g_assert_cmpfloat (get (asker, JM_METRIC_SCHEDULER_SUCCESS, "jobs"), ==, 0);
  error = jm_cluster_asker_get_error (asker, JOBS);
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
}

static void
test_an_empty_answer_is_one (void)
{
  Scheduler scheduler = { 0 };
  g_autoptr (JmClusterAsker) asker = asker_new (&scheduler, &fast);

  g_assert_true (jm_cluster_asker_wait (asker, 1, PATIENCE_US));
  g_assert_cmpfloat (get (asker, JM_METRIC_QUEUE_JOBS, "pending"), ==, 0);
  g_assert_cmpfloat (get (asker, JM_METRIC_SCHEDULER_SUCCESS, "jobs"), ==, 1);
}

static void
test_a_scheduler_that_hangs_keeps_nobody_waiting (void)
{
  Scheduler scheduler = { .is_hanging = TRUE };
  JmClusterAsker *asker = asker_new (&scheduler, &fast);

  while (g_atomic_int_get (&scheduler.n_at_once) == 0)
    g_thread_yield ();
  g_assert_cmpfloat (get (asker, JM_METRIC_SCHEDULER_SUCCESS, "jobs"), ==, -1);
  jm_cluster_asker_free (asker);
  g_assert_cmpint (g_atomic_int_get (&scheduler.n_at_once), ==, 0);
}

static void
test_a_topic_that_is_off_is_not_asked_for (void)
{
  const JmClusterPace only_nodes = { { [NODES] = 1 }, 0 };
  const JmClusterPace nothing = { { 0 }, 0 };
  Scheduler scheduler = { .n_jobs = 1 };
  g_autoptr (JmClusterAsker) asker = asker_new (&scheduler, &only_nodes);
  g_autoptr (JmClusterAsker) idle = asker_new (&scheduler, &nothing);

  g_assert_true (jm_cluster_asker_wait (asker, 2, PATIENCE_US));
  g_assert_cmpfloat (get (asker, JM_METRIC_SCHEDULER_SUCCESS, "jobs"), ==, -1);
  g_assert_cmpfloat (get (asker, JM_METRIC_SCHEDULER_SUCCESS, "nodes"), ==, 1);
  g_assert_cmpfloat (get (idle, JM_METRIC_SCHEDULER_SUCCESS, "nodes"), ==, -1);
}

static gint64
get_pause (JmSchedulerTopic topic, gint64 duration_us, guint n_failures, double jitter)
{
  const JmFollowerPace pace = jm_cluster_pace_get (&slow, topic);

  return jm_follower_pace_get_pause_us (&pace, duration_us, 2, n_failures, jitter);
}

static void
test_pauses_grow_with_failures_and_with_slowness (void)
{
  g_assert_cmpint (get_pause (JOBS, 0, 0, 0), ==, 30 * SECOND_US);
  g_assert_cmpint (get_pause (NODES, 0, 0, 1), ==, 60 * SECOND_US);
  g_assert_cmpint (get_pause (JOBS, 0, 1, 0), ==, 60 * SECOND_US);
  g_assert_cmpint (get_pause (JOBS, 0, 1, 1), ==, 75 * SECOND_US);
  g_assert_cmpint (get_pause (JOBS, 0, 4, 0), ==, 480 * SECOND_US);
  g_assert_cmpint (get_pause (JOBS, 0, 99, 0), ==, 480 * SECOND_US);
}

static void
test_no_more_than_a_tenth_of_the_time_is_spent_asking (void)
{
  const gint64 duration_us = 20 * SECOND_US;
  double share = 0;

  for (JmSchedulerTopic i = 0; i <= NODES; i++)
    share += (double) duration_us / (double) get_pause (i, duration_us, 0, 0);
  g_assert_cmpfloat (share, <=, 0.1);
}

static JmCluster *
cluster_new (void)
{
  static const char *const nobody[] = { NULL };

  return g_initable_new (JM_TYPE_CLUSTER, NULL, NULL, "schedulers", nobody, "interval",
                         1, "max-names", 10, NULL);
}

static void
add_scheduler (JmCluster *cluster, Scheduler *told, const char *name)
{
  g_autoptr (FakeScheduler) fake = fake_scheduler_new (told, name);

  jm_cluster_add_scheduler (cluster, JM_SCHEDULER (fake));
}

static gboolean
has_nodes (JmSnapshot *snapshot, guint subject)
{
  g_autoptr (JmLabels) labels = jm_labels_of ("idle", NULL);
  double value;

  return jm_snapshot_get_labelled_metric (snapshot, subject, JM_METRIC_CLUSTER_NODES,
                                          labels, &value);
}

static guint
count_clusters (JmSnapshot *snapshot)
{
  return snapshot != NULL ? jm_snapshot_get_n_subjects (snapshot) : 0;
}

static void
test_one_cluster_that_hangs_leaves_the_other_alone (void)
{
  Scheduler good = { 0 };
  Scheduler hanging = { .is_hanging = TRUE };
  g_autoptr (JmCluster) cluster = cluster_new ();
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_scheduler (cluster, &hanging, "alpha");
  add_scheduler (cluster, &good, "beta");
  jm_cluster_start (cluster);
  do
    {
      g_clear_pointer (&snapshot, jm_snapshot_unref);
      snapshot = jm_cluster_sample (cluster, NULL);
    }
  while (count_clusters (snapshot) < 2 || !has_nodes (snapshot, 1));

  g_assert_false (has_nodes (snapshot, 0));
}

static void
test_a_cluster_of_nobody_says_why_there_is_nothing (void)
{
  g_autoptr (JmCluster) cluster = cluster_new ();
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;

  jm_cluster_start (cluster);
  g_assert_true (jm_cluster_wait_for_answers (cluster, 0));
  snapshot = jm_cluster_sample (cluster, &error);
  g_assert_null (snapshot);
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
}

static void
test_a_scheduler_that_is_invalid_is_refused (void)
{
  static const char *const unknown[] = { "slrum", NULL };
  static const char *const wrong[] = { "slurm,colour=red", NULL };
  g_autoptr (GError) error = NULL;

  g_assert_null (
    g_initable_new (JM_TYPE_CLUSTER, NULL, &error, "schedulers", unknown, NULL));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "slrum"));
  g_clear_error (&error);
  g_assert_null (
    g_initable_new (JM_TYPE_CLUSTER, NULL, &error, "schedulers", wrong, NULL));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "colour"));
}

static void
test_questions_at_once_are_answered_at_once (void)
{
  Scheduler scheduler = { .n_jobs = 4 };
  g_autoptr (JmCluster) cluster = cluster_new ();
  g_autoptr (JmSchedulerReport) jobs = NULL;
  g_autoptr (GError) error = NULL;

  add_scheduler (cluster, &scheduler, "alpha");
  jobs = jm_cluster_read (cluster, 0, JOBS, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (jobs), ==, 4);

  scheduler.is_failing = TRUE;
  g_assert_null (jm_cluster_read (cluster, 0, JOBS, NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cluster-asker/answers-are-kept-and-handed-on",
                   test_answers_are_kept_and_handed_on);
  g_test_add_func ("/cluster-asker/one-question-at-a-time",
                   test_one_question_at_a_time);
  g_test_add_func ("/cluster-asker/what-cannot-be-read-is-logged-once",
                   test_what_cannot_be_read_is_logged_once);
  g_test_add_func ("/cluster-asker/the-last-good-answer-outlives-failures",
                   test_the_last_good_answer_outlives_failures);
  g_test_add_func ("/cluster-asker/an-empty-answer-is-one",
                   test_an_empty_answer_is_one);
  g_test_add_func ("/cluster-asker/a-scheduler-that-hangs-keeps-nobody-waiting",
                   test_a_scheduler_that_hangs_keeps_nobody_waiting);
  g_test_add_func ("/cluster-asker/a-topic-that-is-off-is-not-asked-for",
                   test_a_topic_that_is_off_is_not_asked_for);
  g_test_add_func ("/cluster-asker/pauses-grow-with-failures-and-with-slowness",
                   test_pauses_grow_with_failures_and_with_slowness);
  g_test_add_func ("/cluster-asker/no-more-than-a-tenth-of-the-time-is-spent-asking",
                   test_no_more_than_a_tenth_of_the_time_is_spent_asking);
  g_test_add_func ("/cluster/one-that-hangs-leaves-the-other-alone",
                   test_one_cluster_that_hangs_leaves_the_other_alone);
  g_test_add_func ("/cluster/of-nobody-says-why-there-is-nothing",
                   test_a_cluster_of_nobody_says_why_there_is_nothing);
  g_test_add_func ("/cluster/a-scheduler-that-is-invalid-is-refused",
                   test_a_scheduler_that_is_invalid_is_refused);
  g_test_add_func ("/cluster/questions-at-once-are-answered-at-once",
                   test_questions_at_once_are_answered_at_once);

  return g_test_run ();
}
