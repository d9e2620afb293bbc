/* jm-cluster-asker-private.h: asks one scheduler in the background
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "core/jm-snapshot-private.h"
#include "io/jm-follower-private.h"
#include "schedulers/jm-scheduler-report.h"
#include "schedulers/jm-scheduler.h"

G_BEGIN_DECLS

/* How it went to ask a scheduler for a topic. */
typedef struct
{
  JmSchedulerReport *report; /* the last good one, or NULL */
  gboolean is_asked;         /* once at least; else the rest says nothing */
  gboolean has_succeeded;    /* the last time */
  guint64 age_us;            /* of the report: since it was asked for */
  guint64 duration_us;       /* of the last question */
  guint64 n_failures;
} JmClusterAnswer;

/* Puts what schedulers reported into one snapshot, cluster by cluster. Belongs to one
 * thread. */
typedef struct _JmClusterSums JmClusterSums;

/* Of more than @max_names accounts or users of a cluster, those behind by the order of
 * their names are one: JM_CLUSTER_OTHER. */
JmClusterSums *jm_cluster_sums_new (guint max_names, gint64 now_us);
void jm_cluster_sums_free (JmClusterSums *self);

/* Of JmClusterTarget, exported with each cluster that is added after; they must outlive
 * @self. */
void jm_cluster_sums_set_targets (JmClusterSums *self, const GPtrArray *targets);

void jm_cluster_sums_add (JmClusterSums *self,
                          const char *cluster,
                          const JmClusterAnswer answers[JM_N_SCHEDULER_TOPICS]);

/* Once; of no cluster at all there is none: NULL. */
JmSnapshot *jm_cluster_sums_make_snapshot (JmClusterSums *self, gint64 duration_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmClusterSums, jm_cluster_sums_free)

/* Is handed each new list of jobs, in the asker's thread. */
typedef void (*JmClusterJobsFunc) (const char *cluster,
                                   JmSchedulerReport *jobs,
                                   gint64 time_us,
                                   gpointer user_data);

/* How often a scheduler is asked, whoever wants to know. */
typedef struct
{
  guint interval_ms[JM_N_SCHEDULER_TOPICS]; /* 0 for never */
  guint minimum_ms; /* between the end of a question and the next for that topic */
} JmClusterPace;

/* When to ask for a topic: the pause is at least ten times as long as all questions
 * take. Each failure doubles it, up to 16 times. */
JmFollowerPace jm_cluster_pace_get (const JmClusterPace *self, JmSchedulerTopic topic);

/* A thread that asks for one topic at a time, and keeps the last good answer of each.
 */
typedef struct _JmClusterAsker JmClusterAsker;

/* Takes a reference of @scheduler, and opens it; @user_data must outlive the asker;
 * @jobs_func may be NULL. Topics that the scheduler does not have are not asked for. */
JmClusterAsker *jm_cluster_asker_new (JmScheduler *scheduler,
                                      const JmClusterPace *pace,
                                      JmClusterJobsFunc jobs_func,
                                      gpointer user_data);

/* Cancels a question that is under way, and waits for its end. */
void jm_cluster_asker_free (JmClusterAsker *self);

/* Waits until each topic was asked for @n_times, whatever came of it; FALSE if that
 * took longer. */
gboolean jm_cluster_asker_wait (JmClusterAsker *self, guint n_times, gint64 timeout_us);

/* Adds the last answers, and asks nobody. Of a scheduler that could not be opened yet
 * there is nothing. */
void jm_cluster_asker_tell (JmClusterAsker *self, JmClusterSums *sums);

/* Why the last question for a topic failed, or NULL. */
GError *jm_cluster_asker_get_error (JmClusterAsker *self, JmSchedulerTopic topic);

/* How a topic was answered; FALSE where it is never asked for. */
gboolean jm_cluster_asker_get_state (JmClusterAsker *self,
                                     JmSchedulerTopic topic,
                                     JmFollowerState *state);

/* What the scheduler's cluster is called; NULL until it could be opened. */
char *jm_cluster_asker_get_cluster (JmClusterAsker *self);

/* The last good answer about a topic, which nobody changes any more, and how old it is;
 * NULL where there is none. */
JmSchedulerReport *jm_cluster_asker_get_report (JmClusterAsker *self,
                                                JmSchedulerTopic topic,
                                                gint64 *age_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmClusterAsker, jm_cluster_asker_free)

G_END_DECLS
