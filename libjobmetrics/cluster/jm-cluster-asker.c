/* jm-cluster-asker.c: asks one scheduler in the background
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "cluster/jm-cluster-asker-private.h"

#include "base/jm-complaints-private.h"
#include "schedulers/jm-scheduler-report-private.h"

#define BACK_OFF_MAX 16
/* No more than this part of the time is spent asking. */
#define SHARE_OF_TIME 10

typedef struct
{
  gint64 due_us; /* monotonic, as all here */
  guint n_times; /* that it was asked for */
  guint n_failures_in_turn;
  guint64 n_failures;
  gint64 duration_us;
  gint64 answered_us;        /* when the question was asked that brought the answer */
  JmSchedulerReport *answer; /* NULL for none */
  GError *error;             /* of the last question */
} Topic;

struct _JmClusterAsker
{
  JmScheduler *scheduler;
  JmClusterPace pace;
  JmClusterJobsFunc jobs_func;
  gpointer user_data;

  JmComplaints *complaints; /* of the thread */
  GThread *thread;
  GCancellable *cancellable;
  GMutex mutex; /* guards what follows */
  GCond cond;
  gboolean is_ending;
  const char *cluster; /* the scheduler's; NULL until it is open */
  Topic topics[JM_N_SCHEDULER_TOPICS];
};

static guint
count_topics (const JmClusterPace *self)
{
  guint n = 0;

  for (JmSchedulerTopic i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    n += self->interval_ms[i] > 0;

  return n;
}

gint64
jm_cluster_pace_get_pause_us (const JmClusterPace *self,
                              JmSchedulerTopic topic,
                              gint64 duration_us,
                              guint n_failures,
                              double jitter)
{
  gint64 pause_us = (gint64) self->interval_ms[topic] * 1000;

  pause_us *= MIN (1 << MIN (n_failures, 10), BACK_OFF_MAX);
  /* there are others to ask for beside it */
  pause_us = MAX (pause_us, duration_us * SHARE_OF_TIME * count_topics (self));

  return MAX (pause_us + (gint64) ((double) pause_us * jitter / 10),
              duration_us + (gint64) self->minimum_ms * 1000);
}

/* --- the thread --- */

static gboolean
is_wanted (const JmClusterAsker *self, JmSchedulerTopic topic)
{
  return self->pace.interval_ms[topic] > 0;
}

/* The one that is due first. */
static JmSchedulerTopic
choose_topic (const JmClusterAsker *self)
{
  JmSchedulerTopic chosen = 0;

  for (JmSchedulerTopic i = 1; i < JM_N_SCHEDULER_TOPICS; i++)
    if (is_wanted (self, i) && (!is_wanted (self, chosen) ||
                                self->topics[i].due_us < self->topics[chosen].due_us))
      chosen = i;

  return chosen;
}

/* With the mutex locked; so it is afterwards. */
static void
pause_until (JmClusterAsker *self, gint64 end_us)
{
  while (!self->is_ending && g_cond_wait_until (&self->cond, &self->mutex, end_us))
    ;
}

/* Returns: what was kept before, to be freed without the lock */
static JmSchedulerReport *
keep (JmClusterAsker *self,
      JmSchedulerTopic number,
      JmSchedulerReport *answer,
      GError *error,
      gint64 us)
{
  Topic *topic = &self->topics[number];
  JmSchedulerReport *before = NULL;

  g_clear_error (&topic->error);
  topic->error = error;
  topic->n_times++;
  topic->duration_us = g_get_monotonic_time () - us;
  if (answer != NULL)
    {
      before = topic->answer;
      topic->answer = answer;
      topic->answered_us = us;
      topic->n_failures_in_turn = 0;
    }
  else
    {
      topic->n_failures_in_turn++;
      topic->n_failures++;
    }
  topic->due_us =
    us + jm_cluster_pace_get_pause_us (&self->pace, number, topic->duration_us,
                                       topic->n_failures_in_turn, g_random_double ());
  g_cond_broadcast (&self->cond);

  return before;
}

/* What it has no answer to is known when it is open. */
static void
leave_out_topics (JmClusterAsker *self)
{
  for (JmSchedulerTopic i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    if (!jm_scheduler_has_topic (self->scheduler, i))
      self->pace.interval_ms[i] = 0;
}

/* Tried at each question until it succeeds: a controller may come up later. */
static gboolean
open_scheduler (JmClusterAsker *self, GError **error)
{
  if (self->cluster != NULL)
    return TRUE;
  if (!g_initable_init (G_INITABLE (self->scheduler), self->cancellable, error))
    return FALSE;

  g_mutex_lock (&self->mutex);
  self->cluster = jm_scheduler_get_cluster (self->scheduler);
  leave_out_topics (self);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);

  return TRUE;
}

static JmSchedulerReport *
read_topic (JmClusterAsker *self, JmSchedulerTopic topic, GError **error)
{
  g_autoptr (JmSchedulerReport) report = jm_scheduler_report_new (topic);

  if (!jm_scheduler_read (self->scheduler, topic, report, self->cancellable, error))
    return NULL;

  return g_steal_pointer (&report);
}

/* Once for each topic: the metrics count, and the next answer has the same. */
static void
warn_of_unread (JmClusterAsker *self, JmSchedulerTopic topic, JmSchedulerReport *report)
{
  const char *name = jm_scheduler_topic_get_name (topic);
  guint n = jm_scheduler_report_get_n_complaints (report);
  g_autofree char *message = NULL;

  if (n == 0)
    return;

  message = g_strdup_printf ("scheduler of %s, %s: records or values passed over: %u, "
                             "the first: %s",
                             self->cluster, name, n,
                             jm_scheduler_report_get_complaint (report));
  jm_complaints_warn (self->complaints, name, message);
}

static void
ask (JmClusterAsker *self, JmSchedulerTopic topic)
{
  gint64 began_us = g_get_monotonic_time ();
  gint64 time_us = g_get_real_time ();
  GError *error = NULL;
  JmSchedulerReport *report = NULL;
  JmSchedulerReport *before;

  if (open_scheduler (self, &error))
    {
      if (!is_wanted (self, topic))
        return;
      report = read_topic (self, topic, &error);
    }
  if (report != NULL)
    warn_of_unread (self, topic, report);
  /* no other thread knows of it yet */
  if (report != NULL && topic == JM_SCHEDULER_TOPIC_JOBS && self->jobs_func != NULL)
    self->jobs_func (self->cluster, report, time_us, self->user_data);

  g_mutex_lock (&self->mutex);
  before = keep (self, topic, report, error, began_us);
  g_mutex_unlock (&self->mutex);
  g_clear_pointer (&before, jm_scheduler_report_unref);
}

static gboolean
was_asked (const JmClusterAsker *self, guint n_times)
{
  for (JmSchedulerTopic i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    if (is_wanted (self, i) && self->topics[i].n_times < n_times)
      return FALSE;

  return TRUE;
}

/* The first round is gone through at once, for somebody may wait for it. */
static void
rest (JmClusterAsker *self)
{
  gint64 end_us = g_get_monotonic_time () + (gint64) self->pace.minimum_ms * 1000;

  g_mutex_lock (&self->mutex);
  if (was_asked (self, 1))
    pause_until (self, end_us);
  g_mutex_unlock (&self->mutex);
}

static gpointer
run (gpointer user_data)
{
  JmClusterAsker *self = user_data;

  while (count_topics (&self->pace) > 0)
    {
      JmSchedulerTopic topic;
      gboolean is_ending;
      gint64 earliest_us;

      g_mutex_lock (&self->mutex);
      topic = choose_topic (self);
      earliest_us = self->topics[topic].due_us;
      pause_until (self, earliest_us);
      is_ending = self->is_ending;
      g_mutex_unlock (&self->mutex);
      if (is_ending)
        return NULL;

      ask (self, topic);
      rest (self);
    }

  return NULL;
}

JmClusterAsker *
jm_cluster_asker_new (JmScheduler *scheduler,
                      const JmClusterPace *pace,
                      JmClusterJobsFunc jobs_func,
                      gpointer user_data)
{
  JmClusterAsker *self = g_new0 (JmClusterAsker, 1);

  self->scheduler = g_object_ref (scheduler);
  self->pace = *pace;
  self->jobs_func = jobs_func;
  self->user_data = user_data;
  self->cancellable = g_cancellable_new ();
  self->complaints = jm_complaints_new ();
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  if (count_topics (&self->pace) > 0)
    self->thread = g_thread_new ("scheduler", run, self);

  return self;
}

void
jm_cluster_asker_free (JmClusterAsker *self)
{
  g_mutex_lock (&self->mutex);
  self->is_ending = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
  g_cancellable_cancel (self->cancellable);
  g_clear_pointer (&self->thread, g_thread_join);

  for (JmSchedulerTopic i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    {
      g_clear_pointer (&self->topics[i].answer, jm_scheduler_report_unref);
      g_clear_error (&self->topics[i].error);
    }
  g_object_unref (self->cancellable);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_object_unref (self->scheduler);
  jm_complaints_free (self->complaints);
  g_free (self);
}

gboolean
jm_cluster_asker_wait (JmClusterAsker *self, guint n_times, gint64 timeout_us)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  gint64 end_us = g_get_monotonic_time () + timeout_us;

  while (!was_asked (self, n_times) &&
         g_cond_wait_until (&self->cond, &self->mutex, end_us))
    ;

  return was_asked (self, n_times);
}

/* With the mutex locked. Returns: a reference of the report, or NULL */
static JmSchedulerReport *
copy_answer (const Topic *topic, gint64 now_us, JmClusterAnswer *answer)
{
  *answer = (JmClusterAnswer){ .is_asked = topic->n_times > 0,
                               .has_succeeded =
                                 topic->error == NULL && topic->n_failures_in_turn == 0,
                               .duration_us = (guint64) topic->duration_us,
                               .n_failures = topic->n_failures };
  if (topic->answer == NULL)
    return NULL;

  answer->report = topic->answer;
  answer->age_us = (guint64) (now_us - topic->answered_us);

  return jm_scheduler_report_ref (topic->answer);
}

void
jm_cluster_asker_tell (JmClusterAsker *self, JmClusterSums *sums)
{
  gint64 now_us = g_get_monotonic_time ();
  JmClusterAnswer answers[JM_N_SCHEDULER_TOPICS];
  JmSchedulerReport *held[JM_N_SCHEDULER_TOPICS];
  const char *cluster;

  g_mutex_lock (&self->mutex);
  cluster = self->cluster;
  for (JmSchedulerTopic i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    held[i] = copy_answer (&self->topics[i], now_us, &answers[i]);
  g_mutex_unlock (&self->mutex);

  if (cluster != NULL)
    jm_cluster_sums_add (sums, cluster, answers);
  for (JmSchedulerTopic i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    g_clear_pointer (&held[i], jm_scheduler_report_unref);
}

GError *
jm_cluster_asker_get_error (JmClusterAsker *self, JmSchedulerTopic topic)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  const GError *error = self->topics[topic].error;

  return error != NULL ? g_error_copy (error) : NULL;
}

char *
jm_cluster_asker_get_cluster (JmClusterAsker *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return g_strdup (self->cluster);
}

JmSchedulerReport *
jm_cluster_asker_get_report (JmClusterAsker *self,
                             JmSchedulerTopic topic,
                             gint64 *age_us)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  const Topic *asked = &self->topics[topic];

  if (asked->answer == NULL)
    return NULL;
  *age_us = g_get_monotonic_time () - asked->answered_us;

  return jm_scheduler_report_ref (asked->answer);
}
