/* test-node.c: jobs that come, are read, and go
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "core/jm-snapshot-private.h"
#include "core/jm-uuid-private.h"
#include "fake-sources.h"
#include "node/jm-node.h"

/* A node of made-up cgroups on a host that has nothing else. */
typedef struct
{
  FakeReader *cgroups;
  FakeJobs *jobs;
  JmNode *node;
} Fixture;

static void
fixture_open (Fixture *f, JmSubjectKind level, guint linger)
{
  const char *const no_schedulers[] = { NULL };
  g_autoptr (JmHost) host = jm_host_new ("/nonexistent");
  g_autoptr (GError) error = NULL;

  f->node = g_initable_new (JM_TYPE_NODE, NULL, &error, "host", host, "level", level,
                            "linger", linger, "schedulers", no_schedulers, NULL);
  g_assert_no_error (error);
  f->jobs = fake_jobs_new (host);
  f->cgroups = fake_reader_new (host);
  jm_node_add_source (f->node, JM_SOURCE (f->jobs));
  jm_node_add_source (f->node, JM_SOURCE (f->cgroups));
}

static void
set_up (Fixture *f, gconstpointer data)
{
  fixture_open (f, JM_SUBJECT_KIND_JOB, 120);
}

static void
set_up_with_tasks (Fixture *f, gconstpointer data)
{
  fixture_open (f, JM_SUBJECT_KIND_TASK, 120);
}

static void
set_up_without_linger (Fixture *f, gconstpointer data)
{
  fixture_open (f, JM_SUBJECT_KIND_JOB, 0);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_clear_object (&f->node);
  g_assert_cmpuint (fake_reader_count_open (f->cgroups), ==, 0);
  g_assert_finalize_object (f->cgroups);
  g_assert_finalize_object (f->jobs);
}

static JmSnapshot *
sample (Fixture *f)
{
  g_autoptr (GError) error = NULL;
  JmSnapshot *snapshot = jm_node_sample (f->node, NULL, &error);

  g_assert_no_error (error);

  return snapshot;
}

static guint
count_jobs (JmSnapshot *snapshot)
{
  g_autoptr (GPtrArray) jobs = jm_snapshot_get_jobs (snapshot);

  return jobs->len;
}

static double
cpu_seconds (JmSnapshot *snapshot, const char *id)
{
  guint subject;
  double seconds;

  g_assert_true (jm_snapshot_find_job (snapshot, id, &subject));
  g_assert_true (
    jm_snapshot_get_metric (snapshot, subject, JM_METRIC_CPU_TOTAL, &seconds));

  return seconds;
}

static gboolean
has_ended (JmSnapshot *snapshot, const char *id)
{
  guint subject;

  g_assert_true (jm_snapshot_find_job (snapshot, id, &subject));

  return jm_snapshot_get_end_time (snapshot, subject) != 0;
}

static void
test_one_id_of_two_schedulers_is_two_jobs (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  fake_reader_set_cpu (f->cgroups, "/root_a", 0);
  fake_reader_set_cpu (f->cgroups, "/root_a/job_7", 1);
  fake_reader_set_cpu (f->cgroups, "/root_b", 0);
  fake_reader_set_cpu (f->cgroups, "/root_b/job_7", 3);
  snapshot = sample (f);

  g_assert_cmpuint (count_jobs (snapshot), ==, 2);
  g_assert_cmpfloat (cpu_seconds (snapshot, "7"), ==, 3);
}

static void
test_two_who_claim_a_job_are_named_once (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSource) rival = JM_SOURCE (fake_jobs_new (NULL));
  g_autoptr (JmSnapshot) snapshot = NULL;

  jm_node_add_source (f->node, rival);
  fake_reader_set_cpu (f->cgroups, "/job_7", 1);
  fake_reader_set_cpu (f->cgroups, "/job_8", 1);
  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING,
                         "/job_7: a job by both FakeJobs and FakeJobs; it is counted "
                         "by the first");
  snapshot = sample (f);
  g_test_assert_expected_messages ();

  g_assert_cmpuint (count_jobs (snapshot), ==, 2);
}

static void
test_shows_a_job_from_the_sweep_after_its_birth (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = sample (f);
  g_autoptr (JmSnapshot) after = NULL;

  fake_reader_set_cpu (f->cgroups, "/slurm", 0);
  fake_reader_set_cpu (f->cgroups, "/slurm/job_7", 3);
  after = sample (f);

  g_assert_cmpuint (count_jobs (before), ==, 0);
  g_assert_cmpuint (count_jobs (after), ==, 1);
  g_assert_cmpfloat (cpu_seconds (after, "7"), ==, 3);
  g_assert_false (has_ended (after, "7"));
}

static void
test_keeps_the_last_figures_of_a_job_on_display (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) after = NULL;
  g_autoptr (JmSnapshot) later = NULL;

  fake_reader_set_cpu (f->cgroups, "/job_7", 3);
  before = sample (f);
  fake_reader_remove (f->cgroups, "/job_7");
  after = sample (f);
  later = sample (f);

  g_assert_true (has_ended (after, "7"));
  g_assert_cmpfloat (cpu_seconds (after, "7"), ==, 3);
  g_assert_cmpfloat (cpu_seconds (later, "7"), ==, 3);
}

static void
test_forgets_an_ended_job_when_its_time_is_over (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) after = NULL;
  g_autoptr (JmSnapshot) later = NULL;

  fake_reader_set_cpu (f->cgroups, "/job_7", 3);
  before = sample (f);
  fake_reader_remove (f->cgroups, "/job_7");
  after = sample (f);
  later = sample (f);

  g_assert_cmpuint (count_jobs (before), ==, 1);
  g_assert_cmpuint (count_jobs (later), ==, 0);
}

static void
test_reads_a_job_once_more_when_its_end_is_near (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) after = NULL;

  fake_reader_set_cpu (f->cgroups, "/job_7", 3);
  before = sample (f);

  fake_reader_set_cpu (f->cgroups, "/job_7", 5);
  fake_reader_announce (f->cgroups, "/job_7");
  jm_node_follow (f->node);
  fake_reader_remove (f->cgroups, "/job_7");
  jm_node_follow (f->node);
  after = sample (f);

  g_assert_cmpfloat (cpu_seconds (before, "7"), ==, 3);
  g_assert_cmpfloat (cpu_seconds (after, "7"), ==, 5);
  g_assert_true (has_ended (after, "7"));
}

static void
near_the_end_of_9 (FakeReader *cgroups)
{
  fake_reader_set_cpu (cgroups, "/job_9", 5);
  fake_reader_announce (cgroups, "/job_9");
}

static void
end_9 (FakeReader *cgroups)
{
  fake_reader_remove_unseen (cgroups, "/job_9");
}

/* Its last process ends while the first of three is read, and it goes while the second
 * is. */
static void
test_reads_a_job_before_its_turn_when_its_end_is_near (Fixture *f, gconstpointer data)
{
  int fd = eventfd (1, EFD_CLOEXEC);
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) after = NULL;

  fake_reader_set_event_fd (f->cgroups, fd);
  fake_reader_set_cpu (f->cgroups, "/job_7", 1);
  fake_reader_set_cpu (f->cgroups, "/job_8", 2);
  fake_reader_set_cpu (f->cgroups, "/job_9", 3);
  before = sample (f);
  fake_reader_watch_reading (f->cgroups, "/job_7", near_the_end_of_9);
  fake_reader_watch_reading (f->cgroups, "/job_8", end_9);
  after = sample (f);
  close (fd);

  g_assert_cmpfloat (cpu_seconds (before, "9"), ==, 3);
  g_assert_cmpfloat (cpu_seconds (after, "9"), ==, 5);
  g_assert_cmpfloat (cpu_seconds (after, "8"), ==, 2);
}

static void
test_reads_a_job_at_once_for_who_knows_that_it_ends (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) after = NULL;

  fake_reader_set_cpu (f->cgroups, "/job_7", 3);
  before = sample (f);

  fake_reader_set_cpu (f->cgroups, "/job_7", 5);
  g_assert_true (jm_node_attend (f->node, "7"));
  g_assert_false (jm_node_attend (f->node, "8"));
  fake_reader_remove (f->cgroups, "/job_7");
  after = sample (f);

  g_assert_cmpfloat (cpu_seconds (after, "7"), ==, 5);
}

static void
test_a_hook_before_its_first_process_ends_no_job (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) after = NULL;

  fake_reader_set_cpu (f->cgroups, "/job_7", 3);
  before = sample (f);
  g_assert_true (jm_node_attend (f->node, "7"));
  after = sample (f);

  g_assert_false (has_ended (after, "7"));
}

static void
test_sees_a_job_that_lived_between_two_sweeps (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = sample (f);
  g_autoptr (JmSnapshot) after = NULL;

  fake_reader_set_cpu (f->cgroups, "/job_8", 1);
  jm_node_follow (f->node);
  fake_reader_announce (f->cgroups, "/job_8");
  jm_node_follow (f->node);
  fake_reader_remove (f->cgroups, "/job_8");
  after = sample (f);

  g_assert_cmpuint (count_jobs (before), ==, 0);
  g_assert_cmpfloat (cpu_seconds (after, "8"), ==, 1);
}

static void
test_reads_a_job_at_its_birth (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = sample (f);
  g_autoptr (JmSnapshot) after = NULL;
  guint subject;

  fake_reader_set_cpu (f->cgroups, "/job_8", 1);
  jm_node_follow (f->node);
  fake_reader_remove_unseen (f->cgroups, "/job_8");
  after = sample (f);

  g_assert_cmpuint (count_jobs (before), ==, 0);
  g_assert_cmpfloat (cpu_seconds (after, "8"), ==, 1);
  g_assert_true (jm_snapshot_find_job (after, "8", &subject));
  g_assert_cmpstr (jm_job_get_user (jm_snapshot_get_job (after, subject)), ==, "alice");
}

/* Though none that has ended is kept on display. */
static void
test_reports_once_a_job_that_ended_between_two_sweeps (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = sample (f);
  g_autoptr (JmSnapshot) after = NULL;
  g_autoptr (JmSnapshot) later = NULL;
  gint64 ended_us;

  fake_reader_set_cpu (f->cgroups, "/job_8", 1);
  jm_node_follow (f->node);
  fake_reader_remove (f->cgroups, "/job_8");
  jm_node_follow (f->node);
  /* the clock moves on, or the sweep would be in the moment of the end */
  for (ended_us = g_get_real_time (); g_get_real_time () <= ended_us;)
    ;
  after = sample (f);
  later = sample (f);

  g_assert_cmpuint (count_jobs (before), ==, 0);
  g_assert_true (has_ended (after, "8"));
  g_assert_cmpfloat (cpu_seconds (after, "8"), ==, 1);
  g_assert_cmpuint (count_jobs (later), ==, 0);
}

static void
test_reports_a_job_that_went_before_anybody_could_list_it (Fixture *f,
                                                           gconstpointer data)
{
  g_autoptr (JmSnapshot) before = sample (f);
  g_autoptr (JmSnapshot) after = NULL;
  g_autoptr (JmSnapshot) later = NULL;
  guint subject;
  double seconds;

  /* as a kernel with several hierarchies reports it */
  for (guint i = 0; i < 2; i++)
    {
      fake_reader_announce (f->cgroups, "/");
      fake_reader_announce (f->cgroups, "/job_8");
      jm_node_follow (f->node);
    }
  after = sample (f);
  fake_reader_announce (f->cgroups, "/");
  later = sample (f);

  g_assert_cmpuint (count_jobs (before), ==, 0);
  g_assert_cmpuint (count_jobs (after), ==, 1);
  g_assert_true (has_ended (after, "8"));
  g_assert_true (jm_snapshot_find_job (after, "8", &subject));
  g_assert_false (
    jm_snapshot_get_metric (after, subject, JM_METRIC_CPU_TOTAL, &seconds));
  g_assert_cmpstr (jm_job_get_user (jm_snapshot_get_job (after, subject)), ==, "alice");
  g_assert_cmpuint (count_jobs (later), ==, 1);
}

static double
sum_cpu_seconds (JmSnapshot *snapshot)
{
  double sum = 0;

  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    {
      double seconds;

      if (jm_snapshot_get_job (snapshot, i) != NULL &&
          jm_snapshot_get_metric (snapshot, i, JM_METRIC_CPU_TOTAL, &seconds))
        sum += seconds;
    }

  return sum;
}

/* Three runs between two sweeps: of the first, death and the second's birth are
 * reported in one piece, and so are those of the second and the third. */
static void
test_takes_each_run_of_a_job_for_itself (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = sample (f);
  g_autoptr (JmSnapshot) after = NULL;

  for (guint i = 0; i < 3; i++)
    {
      fake_reader_set_cpu (f->cgroups, "/job_8", 0);
      jm_node_follow (f->node);
      fake_reader_set_cpu (f->cgroups, "/job_8", 10 + i);
      g_assert_true (jm_node_attend (f->node, "8"));
      fake_reader_remove (f->cgroups, "/job_8");
    }
  after = sample (f);

  g_assert_cmpuint (count_jobs (before), ==, 0);
  g_assert_cmpuint (count_jobs (after), ==, 3);
  g_assert_cmpfloat (sum_cpu_seconds (after), ==, 10 + 11 + 12);
}

/* Of a reader that knows nothing but paths, each death has to be reported before the
 * next birth. */
static void
test_takes_each_run_for_itself_without_inodes (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = sample (f);
  g_autoptr (JmSnapshot) after = NULL;
  g_autoptr (JmSnapshot) later = NULL;

  fake_reader_hide_inodes (f->cgroups, TRUE);
  for (guint i = 0; i < 3; i++)
    {
      fake_reader_set_cpu (f->cgroups, "/job_8", 10 + i);
      jm_node_follow (f->node);
      fake_reader_remove (f->cgroups, "/job_8");
      jm_node_follow (f->node);
    }
  fake_reader_set_cpu (f->cgroups, "/job_8", 4);
  after = sample (f);
  fake_reader_set_cpu (f->cgroups, "/job_8", 5);
  later = sample (f);

  g_assert_cmpuint (count_jobs (before), ==, 0);
  g_assert_cmpuint (count_jobs (after), ==, 4);
  g_assert_cmpfloat (sum_cpu_seconds (after), ==, 10 + 11 + 12 + 4);
  g_assert_false (has_ended (after, "8"));
  g_assert_cmpfloat (cpu_seconds (later, "8"), ==, 5);
}

static void
test_loses_no_other_job_to_one_that_vanishes (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) after = NULL;

  fake_reader_set_cpu (f->cgroups, "/job_1", 1);
  fake_reader_set_cpu (f->cgroups, "/job_2", 2);
  fake_reader_set_cpu (f->cgroups, "/job_3", 3);
  before = sample (f);
  fake_reader_remove_unseen (f->cgroups, "/job_2");
  fake_reader_set_cpu (f->cgroups, "/job_3", 4);
  after = sample (f);

  g_assert_cmpfloat (cpu_seconds (after, "1"), ==, 1);
  g_assert_cmpfloat (cpu_seconds (after, "2"), ==, 2);
  g_assert_cmpfloat (cpu_seconds (after, "3"), ==, 4);
}

/* A cpuset would say how many it may use. */
static void
test_a_job_without_cpuset_has_the_cpus_it_was_granted (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) without = NULL;
  g_autoptr (JmSnapshot) with = NULL;
  guint subject;
  double n_cpus;

  fake_reader_set_cpu (f->cgroups, "/job_6", 3);
  without = sample (f);
  g_assert_true (jm_snapshot_find_job (without, "6", &subject));
  g_assert_false (jm_snapshot_get_metric (without, subject, JM_METRIC_CPUS, &n_cpus));

  fake_jobs_tell (f->jobs, JM_JOB_FIELD_CPUS_GRANTED, "24");
  fake_reader_set_cpu (f->cgroups, "/job_7", 4);
  with = sample (f);
  g_assert_true (jm_snapshot_find_job (with, "7", &subject));
  g_assert_true (jm_snapshot_get_metric (with, subject, JM_METRIC_CPUS, &n_cpus));
  g_assert_cmpfloat (n_cpus, ==, 24);
}

static void
test_adds_up_the_cgroups_of_one_job (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;
  guint subject;
  double peak;

  fake_reader_set_cpu (f->cgroups, "/a", 0);
  fake_reader_set_cpu (f->cgroups, "/b", 0);
  fake_reader_set_cpu (f->cgroups, "/a/job_7", 3);
  fake_reader_set_cpu (f->cgroups, "/b/job_7", 4);
  fake_reader_set_peak (f->cgroups, "/a/job_7", 100);
  fake_reader_set_peak (f->cgroups, "/b/job_7", 200);
  snapshot = sample (f);

  g_assert_cmpuint (count_jobs (snapshot), ==, 1);
  g_assert_cmpfloat (cpu_seconds (snapshot, "7"), ==, 7);
  /* Two peaks at different times have no sum that anybody measured. */
  g_assert_true (jm_snapshot_find_job (snapshot, "7", &subject));
  g_assert_false (
    jm_snapshot_get_metric (snapshot, subject, JM_METRIC_MEMORY_PEAK, &peak));
}

static void
test_takes_a_requeued_job_for_a_new_one (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) between = NULL;
  g_autoptr (JmSnapshot) after = NULL;

  fake_reader_set_cpu (f->cgroups, "/job_7", 30);
  before = sample (f);
  fake_reader_remove (f->cgroups, "/job_7");
  between = sample (f);
  fake_reader_set_cpu (f->cgroups, "/job_7", 1);
  after = sample (f);

  g_assert_cmpuint (count_jobs (after), ==, 2);
  g_assert_cmpfloat (cpu_seconds (after, "7"), ==, 1);
  g_assert_false (has_ended (after, "7"));
}

/* A scheduler that tidies up may make a job's cgroup once more, for a moment. */
static void
test_takes_what_is_tidied_for_no_other_run (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) between = NULL;
  g_autoptr (JmSnapshot) after = NULL;

  fake_reader_set_cpu (f->cgroups, "/job_7", 30);
  before = sample (f);
  fake_reader_remove (f->cgroups, "/job_7");
  between = sample (f);
  g_clear_pointer (&between, jm_snapshot_unref);
  between = sample (f);
  fake_reader_announce (f->cgroups, "/");
  fake_reader_announce (f->cgroups, "/job_7");
  jm_node_follow (f->node);
  after = sample (f);

  g_assert_true (has_ended (between, "7"));
  g_assert_cmpuint (count_jobs (after), ==, 1);
  g_assert_cmpfloat (cpu_seconds (after, "7"), ==, 30);
}

/* The kernel reports what was in a cgroup behind its end, which a listing saw. */
static void
test_takes_late_news_for_no_other_run (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) between = NULL;
  g_autoptr (JmSnapshot) after = NULL;

  fake_reader_set_cpu (f->cgroups, "/job_7", 30);
  before = sample (f);
  fake_reader_remove (f->cgroups, "/job_7");
  for (guint i = 0; i < 3; i++)
    {
      g_clear_pointer (&between, jm_snapshot_unref);
      between = sample (f);
    }
  fake_reader_announce (f->cgroups, "/");
  fake_reader_announce (f->cgroups, "/job_7");
  jm_node_follow (f->node);
  after = sample (f);

  g_assert_cmpuint (count_jobs (before), ==, 1);
  g_assert_cmpuint (count_jobs (between), ==, 0);
  g_assert_cmpuint (count_jobs (after), ==, 0);
}

static void
test_finds_a_job_again_whose_cgroup_was_replaced (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) after = NULL;

  fake_reader_set_cpu (f->cgroups, "/job_7", 30);
  before = sample (f);
  fake_reader_replace_unseen (f->cgroups, "/job_7", 2);
  for (guint i = 0; i < 30; i++)
    {
      g_clear_pointer (&after, jm_snapshot_unref);
      after = sample (f);
      g_assert_cmpuint (count_jobs (after), >=, 1);
    }

  g_assert_cmpfloat (cpu_seconds (before, "7"), ==, 30);
  g_assert_cmpfloat (cpu_seconds (after, "7"), ==, 2);
  g_assert_cmpuint (count_jobs (after), ==, 2);
}

static void
test_finds_jobs_where_nothing_can_be_watched (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) after = NULL;

  fake_reader_stop_watching (f->cgroups);
  fake_reader_set_cpu (f->cgroups, "/job_1", 1);
  before = sample (f);
  fake_reader_remove_unseen (f->cgroups, "/job_1");
  fake_reader_set_cpu (f->cgroups, "/job_2", 2);
  after = sample (f);

  g_assert_cmpuint (count_jobs (before), ==, 1);
  g_assert_true (has_ended (after, "1"));
  g_assert_cmpfloat (cpu_seconds (after, "2"), ==, 2);
}

static void
test_keeps_a_jobs_uuid_when_more_becomes_known (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) after = NULL;
  JmJob *early;
  JmJob *late;
  guint subject;

  fake_jobs_set_identity (f->jobs, JM_ORIGIN_PATH, NULL);
  fake_reader_set_cpu (f->cgroups, "/job_7", 1);
  before = sample (f);
  fake_jobs_set_identity (f->jobs, JM_ORIGIN_ENVIRONMENT, "alice");
  after = sample (f);

  g_assert_true (jm_snapshot_find_job (before, "7", &subject));
  early = jm_snapshot_get_job (before, subject);
  g_assert_true (jm_snapshot_find_job (after, "7", &subject));
  late = jm_snapshot_get_job (after, subject);
  g_assert_null (jm_job_get_field (early, JM_JOB_FIELD_NAME));
  g_assert_cmpstr (jm_job_get_field (late, JM_JOB_FIELD_NAME), ==, "alice");
  g_assert_cmpstr (jm_job_get_uuid (late), ==, jm_job_get_uuid (early));
  g_assert_true (jm_job_is_uuid_weak (late));
}

static void
test_asks_all_of_a_job_before_it_names_it (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autofree char *expected = jm_uuid_for_job ("test", "7", 0);
  guint subject;

  fake_jobs_set_identity (f->jobs, JM_ORIGIN_HOOK, "alice");
  fake_jobs_know_only_in (f->jobs, "/step_batch");
  fake_reader_set_cpu (f->cgroups, "/job_7", 1);
  fake_reader_set_cpu (f->cgroups, "/job_7/step_batch", 1);
  fake_reader_set_cpu (f->cgroups, "/job_7/step_extern", 1);
  snapshot = sample (f);

  g_assert_true (jm_snapshot_find_job (snapshot, "7", &subject));
  g_assert_cmpstr (jm_job_get_uuid (jm_snapshot_get_job (snapshot, subject)), ==,
                   expected);
}

static void
test_shows_a_job_that_nobody_knows_by_its_path (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  fake_jobs_set_identity (f->jobs, JM_ORIGIN_NONE, NULL);
  fake_reader_set_cpu (f->cgroups, "/job_7", 1);
  for (guint i = 0; i < 10 && (snapshot == NULL || count_jobs (snapshot) == 0); i++)
    {
      g_clear_pointer (&snapshot, jm_snapshot_unref);
      snapshot = sample (f);
    }

  g_assert_cmpfloat (cpu_seconds (snapshot, "7"), ==, 1);
}

static void
test_knows_a_job_that_was_gone_before_it_could_be_opened (Fixture *f,
                                                          gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;
  guint subject;

  fake_reader_set_cpu (f->cgroups, "/job_7", 1);
  fake_reader_lose_on_open (f->cgroups, "/job_7");
  snapshot = sample (f);

  g_assert_true (has_ended (snapshot, "7"));
  g_assert_true (jm_snapshot_find_job (snapshot, "7", &subject));
  g_assert_cmpstr (jm_job_get_user (jm_snapshot_get_job (snapshot, subject)), ==,
                   "alice");
}

static void
test_shows_a_job_that_is_gone_and_of_which_the_path_alone_is_known (Fixture *f,
                                                                    gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;
  guint subject;
  double seconds;

  fake_jobs_set_identity (f->jobs, JM_ORIGIN_PATH, NULL);
  fake_reader_set_cpu (f->cgroups, "/job_7", 1);
  fake_reader_lose_on_open (f->cgroups, "/job_7");
  snapshot = sample (f);

  g_assert_cmpuint (count_jobs (snapshot), ==, 1);
  g_assert_true (has_ended (snapshot, "7"));
  g_assert_true (jm_snapshot_find_job (snapshot, "7", &subject));
  g_assert_false (
    jm_snapshot_get_metric (snapshot, subject, JM_METRIC_CPU_TOTAL, &seconds));
}

static JmJob *
find_job (JmSnapshot *snapshot, const char *id)
{
  guint subject;

  g_assert_true (jm_snapshot_find_job (snapshot, id, &subject));

  return jm_snapshot_get_job (snapshot, subject);
}

static void
test_no_field_changes_once_it_is_decided_who_a_job_is (Fixture *f, gconstpointer data)
{
  G_GNUC_UNUSED g_autoptr (JmSnapshot) empty = sample (f);
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) decided = NULL;
  g_autoptr (JmSnapshot) later = NULL;

  fake_jobs_set_identity (f->jobs, JM_ORIGIN_ENVIRONMENT, "first");
  fake_reader_set_cpu (f->cgroups, "/job_7", 1);
  before = sample (f);
  for (guint i = 0; i < 20; i++)
    {
      g_clear_pointer (&decided, jm_snapshot_unref);
      decided = sample (f);
    }
  fake_jobs_set_identity (f->jobs, JM_ORIGIN_HOOK, "late");
  later = sample (f);

  g_assert_false (jm_job_is_decided (find_job (before, "7")));
  g_assert_true (jm_job_is_decided (find_job (decided, "7")));
  g_assert_true (find_job (later, "7") == find_job (decided, "7"));
}

static void
test_decides_at_once_who_a_job_is_that_was_there_before (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  fake_reader_set_cpu (f->cgroups, "/job_7", 1);
  snapshot = sample (f);

  g_assert_true (jm_job_is_decided (find_job (snapshot, "7")));
}

static void
test_goes_on_asking_after_a_hook (Fixture *f, gconstpointer data)
{
  G_GNUC_UNUSED g_autoptr (JmSnapshot) empty = sample (f);
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) after = NULL;

  fake_jobs_set_identity (f->jobs, JM_ORIGIN_HOOK, NULL);
  fake_reader_set_cpu (f->cgroups, "/job_7", 1);
  before = sample (f);
  fake_jobs_set_identity (f->jobs, JM_ORIGIN_ENVIRONMENT, "burn");
  after = sample (f);

  g_assert_null (jm_job_get_field (find_job (before, "7"), JM_JOB_FIELD_NAME));
  g_assert_cmpstr (jm_job_get_field (find_job (after, "7"), JM_JOB_FIELD_NAME), ==,
                   "burn");
  g_assert_cmpint (jm_job_get_origin (find_job (after, "7"), JM_JOB_FIELD_ID), ==,
                   JM_ORIGIN_HOOK);
}

/* Be it that the job was there before the program, of which else all is asked once. */
static void
test_asks_again_who_could_not_be_asked (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) after = NULL;

  fake_jobs_set_identity (f->jobs, JM_ORIGIN_HOOK, NULL);
  fake_jobs_set_partial (f->jobs, TRUE);
  fake_reader_set_cpu (f->cgroups, "/job_7", 1);
  before = sample (f);
  fake_jobs_set_identity (f->jobs, JM_ORIGIN_ENVIRONMENT, "burn");
  fake_jobs_set_partial (f->jobs, FALSE);
  after = sample (f);

  g_assert_false (jm_job_is_decided (find_job (before, "7")));
  g_assert_cmpstr (jm_job_get_field (find_job (after, "7"), JM_JOB_FIELD_NAME), ==,
                   "burn");
  g_assert_true (jm_job_is_decided (find_job (after, "7")));
}

static void
test_does_not_ask_for_ever (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  fake_jobs_set_partial (f->jobs, TRUE);
  fake_reader_set_cpu (f->cgroups, "/job_7", 1);
  for (guint i = 0; i < 10; i++)
    {
      g_clear_pointer (&snapshot, jm_snapshot_unref);
      snapshot = sample (f);
    }

  g_assert_true (jm_job_is_decided (find_job (snapshot, "7")));
}

static void
test_asks_nobody_of_a_job_that_ended (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) after = NULL;

  fake_jobs_set_partial (f->jobs, TRUE);
  fake_reader_set_cpu (f->cgroups, "/job_7", 1);
  before = sample (f);
  fake_reader_remove (f->cgroups, "/job_7");
  after = sample (f);

  g_assert_false (jm_job_is_decided (find_job (before, "7")));
  g_assert_true (jm_job_is_decided (find_job (after, "7")));
}

static void
test_distinguishes_steps_and_tasks (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;
  double seconds;
  guint job;

  fake_reader_set_cpu (f->cgroups, "/job_7", 10);
  fake_reader_set_cpu (f->cgroups, "/job_7/step_0", 6);
  fake_reader_set_cpu (f->cgroups, "/job_7/step_0/helper", 1);
  fake_reader_set_cpu (f->cgroups, "/job_7/step_0/user", 5);
  fake_reader_set_cpu (f->cgroups, "/job_7/step_0/user/task_3", 5);
  snapshot = sample (f);

  g_assert_true (jm_snapshot_find_job (snapshot, "7", &job));
  g_assert_cmpuint (jm_snapshot_get_n_subjects (snapshot), ==, job + 3);
  g_assert_cmpint (jm_snapshot_get_kind (snapshot, job + 1), ==, JM_SUBJECT_KIND_STEP);
  g_assert_cmpstr (jm_snapshot_get_step (snapshot, job + 1), ==, "0");
  g_assert_cmpint (jm_snapshot_get_kind (snapshot, job + 2), ==, JM_SUBJECT_KIND_TASK);
  g_assert_cmpstr (jm_snapshot_get_step (snapshot, job + 2), ==, "0");
  g_assert_cmpstr (jm_snapshot_get_task (snapshot, job + 2), ==, "3");
  g_assert_true (
    jm_snapshot_get_metric (snapshot, job + 2, JM_METRIC_CPU_TOTAL, &seconds));
  g_assert_cmpfloat (seconds, ==, 5);
  g_assert_cmpfloat (cpu_seconds (snapshot, "7"), ==, 10);
}

static void
test_counts_no_processes_where_some_cannot_be_listed (Fixture *f, gconstpointer data)
{
  fake_reader_set_cpu (f->cgroups, "/job_7", 1);
  fake_reader_set_cpu (f->cgroups, "/job_7/step_0", 1);
  fake_reader_refuse_processes (f->cgroups, "/job_7");

  /* In each sweep, though an inner cgroup that is empty may be passed over. */
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (JmSnapshot) snapshot = sample (f);
      guint subject;
      double n;

      g_assert_true (jm_snapshot_find_job (snapshot, "7", &subject));
      g_assert_false (
        jm_snapshot_get_metric (snapshot, subject, JM_METRIC_PROCESSES, &n));
      g_assert_error (jm_snapshot_get_error (snapshot, JM_COLLECTOR_PROCESS), JM_ERROR,
                      JM_ERROR_DENIED);
    }
}

static void
test_says_what_a_host_lacks (Fixture *f, gconstpointer data)
{
  g_auto (GStrv) problems = jm_node_list_problems (f->node);
  g_autofree char *text = g_strjoinv ("\n", problems);

  g_assert_nonnull (strstr (text, "/nonexistent/proc/stat"));
  g_assert_nonnull (strstr (text, "cgroup"));
}

/* A reader of its own beside the fixture's, with the job @path. */
static FakeReader *
add_reader (Fixture *f, const char *path, int event_fd)
{
  FakeReader *reader = fake_reader_new (NULL);

  fake_reader_set_event_fd (reader, event_fd);
  fake_reader_set_cpu (reader, path, 3);
  jm_node_add_source (f->node, JM_SOURCE (reader));

  return reader;
}

static void
test_shows_the_jobs_of_all_readers (Fixture *f, gconstpointer data)
{
  G_GNUC_UNUSED g_autoptr (FakeReader) other = add_reader (f, "/job_8", -1);
  g_autoptr (JmSnapshot) snapshot = NULL;

  fake_reader_set_cpu (f->cgroups, "/job_7", 1);
  snapshot = sample (f);

  g_assert_cmpuint (count_jobs (snapshot), ==, 2);
  g_assert_cmpfloat (cpu_seconds (snapshot, "7"), ==, 1);
  g_assert_cmpfloat (cpu_seconds (snapshot, "8"), ==, 3);
}

static gboolean
is_readable (int fd)
{
  struct pollfd asked = { .fd = fd, .events = POLLIN };

  return poll (&asked, 1, 0) == 1;
}

static void
test_a_change_in_any_reader_wakes_who_follows (Fixture *f, gconstpointer data)
{
  int first = eventfd (0, EFD_CLOEXEC), second = eventfd (0, EFD_CLOEXEC);
  G_GNUC_UNUSED g_autoptr (FakeReader) blind = add_reader (f, "/job_8", -1);
  int before = jm_node_get_event_fd (f->node);
  G_GNUC_UNUSED g_autoptr (FakeReader) one = add_reader (f, "/job_9", first);
  G_GNUC_UNUSED g_autoptr (FakeReader) another = add_reader (f, "/job_10", second);
  int node = jm_node_get_event_fd (f->node);
  guint64 n;

  g_assert_cmpint (before, ==, -1);
  g_assert_cmpint (node, >=, 0);
  g_assert_false (is_readable (node));

  g_assert_cmpint (eventfd_write (second, 1), ==, 0);
  g_assert_true (is_readable (node));
  g_assert_cmpint (eventfd_read (second, &n), ==, 0);
  g_assert_false (is_readable (node));

  g_assert_cmpint (eventfd_write (first, 1), ==, 0);
  g_assert_true (is_readable (node));

  g_clear_object (&f->node);
  close (first);
  close (second);
}

static void
test_takes_what_was_waited_for_where_it_is_more (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;
  guint job;
  double user;

  fake_reader_set_cpu (f->cgroups, "/job_7", 0);
  fake_reader_set_waited (f->cgroups, "/job_7", 5);
  snapshot = sample (f);

  g_assert_cmpfloat (cpu_seconds (snapshot, "7"), ==, 5);
  g_assert_true (jm_snapshot_find_job (snapshot, "7", &job));
  g_assert_true (jm_snapshot_get_metric (snapshot, job, JM_METRIC_CPU_USER, &user));
  g_assert_cmpfloat (user, ==, 5);
}

static void
test_ends_when_cancelled (Fixture *f, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);

  g_assert_null (jm_node_sample (f->node, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_holds_nothing_when_closed (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (GError) error = NULL;

  fake_reader_set_cpu (f->cgroups, "/slurm", 0);
  fake_reader_set_cpu (f->cgroups, "/slurm/job_7", 3);
  before = sample (f);
  jm_node_close (f->node);
  jm_node_close (f->node);

  g_assert_cmpuint (fake_reader_count_open (f->cgroups), ==, 0);
  g_assert_null (jm_node_sample (f->node, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CLOSED);
  g_assert_cmpuint (count_jobs (before), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define TEST(path, set_up, test)                                                       \
 g_test_add ("/node/" path, Fixture, NULL, set_up, test, tear_down)
  TEST ("birth", set_up, test_shows_a_job_from_the_sweep_after_its_birth);
  TEST ("roots", set_up, test_one_id_of_two_schedulers_is_two_jobs);
  TEST ("rivals", set_up, test_two_who_claim_a_job_are_named_once);
  TEST ("display", set_up, test_keeps_the_last_figures_of_a_job_on_display);
  TEST ("oblivion", set_up_without_linger,
        test_forgets_an_ended_job_when_its_time_is_over);
  TEST ("late", set_up, test_reads_a_job_once_more_when_its_end_is_near);
  TEST ("late-in-round", set_up, test_reads_a_job_before_its_turn_when_its_end_is_near);
  TEST ("attend-early", set_up, test_a_hook_before_its_first_process_ends_no_job);
  TEST ("attend", set_up, test_reads_a_job_at_once_for_who_knows_that_it_ends);
  TEST ("short", set_up, test_sees_a_job_that_lived_between_two_sweeps);
  TEST ("first-reading", set_up, test_reads_a_job_at_its_birth);
  TEST ("reported-once", set_up_without_linger,
        test_reports_once_a_job_that_ended_between_two_sweeps);
  TEST ("fleeting", set_up, test_reports_a_job_that_went_before_anybody_could_list_it);
  TEST ("runs", set_up, test_takes_each_run_of_a_job_for_itself);
  TEST ("runs-without-inodes", set_up, test_takes_each_run_for_itself_without_inodes);
  TEST ("vanishing", set_up, test_loses_no_other_job_to_one_that_vanishes);
  TEST ("several-cgroups", set_up, test_adds_up_the_cgroups_of_one_job);
  TEST ("granted-cpus", set_up, test_a_job_without_cpuset_has_the_cpus_it_was_granted);
  TEST ("tidied", set_up, test_takes_what_is_tidied_for_no_other_run);
  TEST ("late-news", set_up_without_linger, test_takes_late_news_for_no_other_run);
  TEST ("requeue", set_up, test_takes_a_requeued_job_for_a_new_one);
  TEST ("replaced", set_up, test_finds_a_job_again_whose_cgroup_was_replaced);
  TEST ("blind", set_up, test_finds_jobs_where_nothing_can_be_watched);
  TEST ("uuid", set_up, test_keeps_a_jobs_uuid_when_more_becomes_known);
  TEST ("all-asked", set_up, test_asks_all_of_a_job_before_it_names_it);
  TEST ("unknown", set_up, test_shows_a_job_that_nobody_knows_by_its_path);
  TEST ("gone", set_up, test_knows_a_job_that_was_gone_before_it_could_be_opened);
  TEST ("rumour", set_up,
        test_shows_a_job_that_is_gone_and_of_which_the_path_alone_is_known);
  TEST ("decided", set_up, test_no_field_changes_once_it_is_decided_who_a_job_is);
  TEST ("decided-at-once", set_up,
        test_decides_at_once_who_a_job_is_that_was_there_before);
  TEST ("after-hook", set_up, test_goes_on_asking_after_a_hook);
  TEST ("partial", set_up, test_asks_again_who_could_not_be_asked);
  TEST ("partial-for-ever", set_up, test_does_not_ask_for_ever);
  TEST ("partial-ended", set_up, test_asks_nobody_of_a_job_that_ended);
  TEST ("levels", set_up_with_tasks, test_distinguishes_steps_and_tasks);
  TEST ("unlisted", set_up, test_counts_no_processes_where_some_cannot_be_listed);
  TEST ("no-cgroups", set_up, test_says_what_a_host_lacks);
  TEST ("readers", set_up, test_shows_the_jobs_of_all_readers);
  TEST ("readers-wake", set_up, test_a_change_in_any_reader_wakes_who_follows);
  TEST ("waited", set_up, test_takes_what_was_waited_for_where_it_is_more);
  TEST ("cancel", set_up, test_ends_when_cancelled);
  TEST ("close", set_up, test_holds_nothing_when_closed);

  return g_test_run ();
}
