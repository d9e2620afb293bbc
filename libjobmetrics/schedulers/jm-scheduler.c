/* jm-scheduler.c: who knows the queue and the nodes of a cluster
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-report-private.h"

/**
 * JmScheduler:
 *
 * Knows the queue, the nodes and the accounts of one cluster. Each question costs the
 * cluster's controller something, so who asks keeps the answer and waits between two.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (JmScheduler, jm_scheduler, JM_TYPE_SOURCE)

static void
jm_scheduler_default_init (JmSchedulerInterface *iface)
{
}

/**
 * jm_scheduler_read:
 * @self: a scheduler
 * @topic: what is asked for
 * @report: a new report, to be filled with what is reported
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Asks once, and waits for the answer.
 *
 * - Shape: records of @topic only; none where the cluster has none.
 * - Errors: `UNAVAILABLE` when there is no answer now; `DENIED` when the scheduler
 *   refuses; `ABSENT` when it knows no such topic. A record that cannot be read is no
 *   error: @report counts it.
 *
 * Returns: whether @report is filled; of a failure it is to be thrown away
 * Since: 0.1
 */
gboolean
jm_scheduler_read (JmScheduler *self,
                   JmSchedulerTopic topic,
                   JmSchedulerReport *report,
                   GCancellable *cancellable,
                   GError **error)
{
  g_autoptr (GError) unwanted = NULL;

  g_return_val_if_fail (JM_IS_SCHEDULER (self), FALSE);
  g_return_val_if_fail (jm_scheduler_report_get_topic (report) == topic, FALSE);

  /* A binding that cannot hand on what an implementation raised prints it instead. */
  return JM_SCHEDULER_GET_IFACE (self)->read (self, topic, report, cancellable,
                                              error != NULL ? error : &unwanted);
}

/**
 * jm_scheduler_get_cluster:
 * @self: a scheduler
 *
 * Gets the name of the cluster.
 *
 * Returns: the name, the same as long as @self lives
 * Since: 0.1
 */
const char *
jm_scheduler_get_cluster (JmScheduler *self)
{
  g_return_val_if_fail (JM_IS_SCHEDULER (self), NULL);

  return JM_SCHEDULER_GET_IFACE (self)->get_cluster (self);
}

/* Whether it is of any use to ask for that.
 *
 * Returns whether the scheduler knows of it. */
gboolean
jm_scheduler_has_topic (JmScheduler *self, JmSchedulerTopic topic)
{
  JmSchedulerInterface *iface;

  g_return_val_if_fail (JM_IS_SCHEDULER (self), FALSE);

  iface = JM_SCHEDULER_GET_IFACE (self);

  return iface->has_topic == NULL || iface->has_topic (self, topic);
}
