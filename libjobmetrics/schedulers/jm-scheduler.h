/* jm-scheduler.h: who knows the queue and the nodes of a cluster
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-source.h"
#include "schedulers/jm-scheduler-report.h"

G_BEGIN_DECLS

#define JM_TYPE_SCHEDULER (jm_scheduler_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_INTERFACE (JmScheduler, jm_scheduler, JM, SCHEDULER, JmSource)

/**
 * JmSchedulerInterface:
 * @parent_iface: the parent interface
 * @read: see jm_scheduler_read(); called in a thread of its own
 * @get_cluster: see jm_scheduler_get_cluster()
 * @has_topic: whether it knows that topic; may be left out of one that knows all
 *
 * Who knows the queue and the nodes of a cluster.
 *
 * Since: 0.1
 */
struct _JmSchedulerInterface
{
  GTypeInterface parent_iface;

  gboolean (*read) (JmScheduler *self,
                    JmSchedulerTopic topic,
                    JmSchedulerReport *report,
                    GCancellable *cancellable,
                    GError **error);
  const char *(*get_cluster) (JmScheduler *self);
  gboolean (*has_topic) (JmScheduler *self, JmSchedulerTopic topic);

  gpointer padding[5];
};

JM_AVAILABLE_IN_ALL
gboolean jm_scheduler_read (JmScheduler *self,
                            JmSchedulerTopic topic,
                            JmSchedulerReport *report,
                            GCancellable *cancellable,
                            GError **error);

JM_AVAILABLE_IN_ALL
const char *jm_scheduler_get_cluster (JmScheduler *self);

G_END_DECLS
