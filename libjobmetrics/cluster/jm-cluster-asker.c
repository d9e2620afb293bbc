/* jm-cluster-asker.c: asks one scheduler in the background
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "cluster/jm-cluster-asker-private.h"

#include "base/jm-complaints-private.h"
#include "base/jm-error.h"
#include "io/jm-follower-private.h"
#include "schedulers/jm-scheduler-report-private.h"

/* After a failure twice as late, and no more than 16 times. */
#define RETRY 2
#define BACK_OFF_MAX 8
/* No more than this part of the time is spent asking. */
#define SHARE_OF_TIME 10

typedef struct
{
  JmClusterAsker *asker;
  JmSchedulerTopic number;
  JmFollower *follower; /* NULL where it is never asked for */
} Topic;

struct _JmClusterAsker
{
  JmScheduler *scheduler;
  JmClusterJobsFunc jobs_func;
  gpointer user_data;
  JmComplaints *complaints; /* of the thread */

  GMutex mutex;        /* guards what follows */
  const char *cluster; /* the scheduler's; NULL until it is open */
  Topic topics[JM_N_SCHEDULER_TOPICS];
};

/* --- the thread --- */

/* What it has no answer to is known when it is open. */
static void
leave_out_topics (JmClusterAsker *self)
{
  for (JmSchedulerTopic i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    if (self->topics[i].follower != NULL &&
        !jm_scheduler_has_topic (self->scheduler, i))
      jm_follower_retire (self->topics[i].follower);
}

/* Tried at each question until it succeeds: a controller may come up later. */
static gboolean
open_scheduler (JmClusterAsker *self, GCancellable *cancellable, GError **error)
{
  if (self->cluster != NULL)
    return TRUE;
  if (!g_initable_init (G_INITABLE (self->scheduler), cancellable, error))
    return FALSE;

  g_mutex_lock (&self->mutex);
  self->cluster = jm_scheduler_get_cluster (self->scheduler);
  leave_out_topics (self);
  g_mutex_unlock (&self->mutex);

  return TRUE;
}

static JmSchedulerReport *
read_topic (JmClusterAsker *self,
            JmSchedulerTopic topic,
            GCancellable *cancellable,
            GError **error)
{
  g_autoptr (JmSchedulerReport) report = jm_scheduler_report_new (topic);
  g_autoptr (GError) reason = NULL;

  if (jm_scheduler_read (self->scheduler, topic, report, cancellable, &reason))
    return g_steal_pointer (&report);
  if (reason == NULL)
    g_set_error_literal (&reason, JM_ERROR, JM_ERROR_UNAVAILABLE, "no answer");
  g_propagate_error (error, g_steal_pointer (&reason));

  return NULL;
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

/* The first topic that opens the scheduler may be one that it does not have. */
static gpointer
ask (gpointer user_data, GCancellable *cancellable, GError **error)
{
  const Topic *topic = user_data;
  JmClusterAsker *self = topic->asker;
  gint64 time_us = g_get_real_time ();
  JmSchedulerReport *report;

  if (!open_scheduler (self, cancellable, error) ||
      !jm_scheduler_has_topic (self->scheduler, topic->number))
    return NULL;
  report = read_topic (self, topic->number, cancellable, error);
  if (report == NULL)
    return NULL;

  warn_of_unread (self, topic->number, report);
  /* no other thread knows of it yet */
  if (topic->number == JM_SCHEDULER_TOPIC_JOBS && self->jobs_func != NULL)
    self->jobs_func (self->cluster, report, time_us, self->user_data);

  return report;
}

/* --- other threads --- */

static gpointer
ref_report (gpointer report)
{
  return jm_scheduler_report_ref (report);
}

static void
unref_report (gpointer report)
{
  jm_scheduler_report_unref (report);
}

JmFollowerPace
jm_cluster_pace_get (const JmClusterPace *self, JmSchedulerTopic topic)
{
  const gint64 period_us = (gint64) self->interval_ms[topic] * 1000;

  return (JmFollowerPace){ .period_us = period_us,
                           .retry_us = RETRY * period_us,
                           .pause_us = (gint64) self->minimum_ms * 1000,
                           .back_off = BACK_OFF_MAX,
                           .share = SHARE_OF_TIME };
}

JmClusterAsker *
jm_cluster_asker_new (JmScheduler *scheduler,
                      const JmClusterPace *pace,
                      JmClusterJobsFunc jobs_func,
                      gpointer user_data)
{
  JmClusterAsker *self = g_new0 (JmClusterAsker, 1);
  JmFollower *first = NULL;

  self->scheduler = g_object_ref (scheduler);
  self->jobs_func = jobs_func;
  self->user_data = user_data;
  self->complaints = jm_complaints_new ();
  g_mutex_init (&self->mutex);
  g_mutex_lock (&self->mutex);
  for (JmSchedulerTopic i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    {
      Topic *topic = &self->topics[i];
      const JmFollowerPace followed = jm_cluster_pace_get (pace, i);

      topic->asker = self;
      topic->number = i;
      if (pace->interval_ms[i] == 0)
        continue;
      topic->follower = first == NULL
                          ? jm_follower_new ("scheduler", &followed, ask, topic,
                                             ref_report, unref_report)
                          : jm_follower_new_beside (first, &followed, ask, topic,
                                                    ref_report, unref_report);
      if (first == NULL)
        first = topic->follower;
    }
  g_mutex_unlock (&self->mutex);

  return self;
}

void
jm_cluster_asker_free (JmClusterAsker *self)
{
  /* the thread may open the scheduler meanwhile, and look which topics there are */
  for (JmSchedulerTopic i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    {
      JmFollower *follower;

      g_mutex_lock (&self->mutex);
      follower = g_steal_pointer (&self->topics[i].follower);
      g_mutex_unlock (&self->mutex);
      g_clear_pointer (&follower, jm_follower_free);
    }
  g_mutex_clear (&self->mutex);
  g_object_unref (self->scheduler);
  jm_complaints_free (self->complaints);
  g_free (self);
}

gboolean
jm_cluster_asker_wait (JmClusterAsker *self, guint n_times, gint64 timeout_us)
{
  gint64 end_us = g_get_monotonic_time () + timeout_us;

  for (JmSchedulerTopic i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    if (self->topics[i].follower != NULL &&
        !jm_follower_wait_for_rounds (self->topics[i].follower, n_times,
                                      end_us - g_get_monotonic_time ()))
      return FALSE;

  return TRUE;
}

gboolean
jm_cluster_asker_get_state (JmClusterAsker *self,
                            JmSchedulerTopic topic,
                            JmFollowerState *state)
{
  if (self->topics[topic].follower == NULL)
    return FALSE;
  jm_follower_get_state (self->topics[topic].follower, state);

  return !state->is_retired;
}

static void
get_answer (JmClusterAsker *self, JmSchedulerTopic topic, JmClusterAnswer *answer)
{
  g_auto (JmFollowerState) state = { 0 };
  gint64 age_us = 0;

  if (!jm_cluster_asker_get_state (self, topic, &state))
    return;
  answer->is_asked = state.n_rounds > 0;
  answer->has_succeeded = answer->is_asked && state.problem == NULL;
  answer->duration_us = (guint64) state.took_us;
  answer->n_failures = state.n_failures;
  answer->report = jm_cluster_asker_get_report (self, topic, &age_us);
  answer->age_us = (guint64) age_us;
}

void
jm_cluster_asker_tell (JmClusterAsker *self, JmClusterSums *sums)
{
  JmClusterAnswer answers[JM_N_SCHEDULER_TOPICS] = { { NULL } };
  g_autofree char *cluster = jm_cluster_asker_get_cluster (self);

  if (cluster == NULL)
    return;
  for (JmSchedulerTopic i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    get_answer (self, i, &answers[i]);
  jm_cluster_sums_add (sums, cluster, answers);
  for (JmSchedulerTopic i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    g_clear_pointer (&answers[i].report, jm_scheduler_report_unref);
}

GError *
jm_cluster_asker_get_error (JmClusterAsker *self, JmSchedulerTopic topic)
{
  g_autoptr (JmSchedulerReport) report = NULL;
  GError *error = NULL;
  gint64 age_us;

  if (self->topics[topic].follower != NULL)
    report = jm_follower_get_latest (self->topics[topic].follower, &age_us, &error);

  return error;
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
  g_auto (JmFollowerState) state = { 0 };
  JmSchedulerReport *report;
  gint64 ended_us_ago;

  if (!jm_cluster_asker_get_state (self, topic, &state) || state.asked_us == 0)
    return NULL;
  /* the state is the older of the two: no answer seems newer than it is */
  report = jm_follower_get_latest (self->topics[topic].follower, &ended_us_ago, NULL);
  *age_us = g_get_monotonic_time () - state.asked_us;

  return report;
}
