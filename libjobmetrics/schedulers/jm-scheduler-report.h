/* jm-scheduler-report.h: what one question to a scheduler brought
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "schedulers/jm-scheduler-records.h"

G_BEGIN_DECLS

/**
 * JmSchedulerTopic:
 * @JM_SCHEDULER_TOPIC_JOBS: the queue
 * @JM_SCHEDULER_TOPIC_NODES: the nodes
 * @JM_SCHEDULER_TOPIC_PARTITIONS: the partitions
 * @JM_SCHEDULER_TOPIC_RESERVATIONS: the reservations
 * @JM_SCHEDULER_TOPIC_LICENSES: the licences
 * @JM_SCHEDULER_TOPIC_SHARES: what accounts and users were promised, and had
 * @JM_SCHEDULER_TOPIC_LIMITS: what accounts and users may have at most
 * @JM_SCHEDULER_TOPIC_DIAGNOSTICS: how the controller is doing
 *
 * What a scheduler can be asked for.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_SCHEDULER_TOPIC_JOBS,
  JM_SCHEDULER_TOPIC_NODES,
  JM_SCHEDULER_TOPIC_PARTITIONS,
  JM_SCHEDULER_TOPIC_RESERVATIONS,
  JM_SCHEDULER_TOPIC_LICENSES,
  JM_SCHEDULER_TOPIC_SHARES,
  JM_SCHEDULER_TOPIC_LIMITS,
  JM_SCHEDULER_TOPIC_DIAGNOSTICS,
} JmSchedulerTopic;

/**
 * JM_N_SCHEDULER_TOPICS:
 *
 * How many #JmSchedulerTopic there are.
 *
 * Since: 0.1
 */
#define JM_N_SCHEDULER_TOPICS (JM_SCHEDULER_TOPIC_DIAGNOSTICS + 1)

JM_AVAILABLE_IN_ALL
const char *jm_scheduler_topic_get_name (JmSchedulerTopic topic);

/**
 * JmSchedulerReport:
 *
 * What one question to a scheduler brought: records of one topic, which share their
 * texts. Immutable once it is published, and shared by reference.
 *
 * Since: 0.1
 */
typedef struct _JmSchedulerReport JmSchedulerReport;

#define JM_TYPE_SCHEDULER_REPORT (jm_scheduler_report_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_scheduler_report_get_type (void);

JM_AVAILABLE_IN_ALL
JmSchedulerReport *jm_scheduler_report_new (JmSchedulerTopic topic);

JM_AVAILABLE_IN_ALL
void jm_scheduler_report_unref (JmSchedulerReport *self);

JM_AVAILABLE_IN_ALL
void jm_scheduler_report_set_time (JmSchedulerReport *self, gint64 time_us);

JM_AVAILABLE_IN_ALL
void jm_scheduler_report_complain (JmSchedulerReport *self, const char *complaint);

JM_AVAILABLE_IN_ALL
char **jm_scheduler_report_list_complaints (JmSchedulerReport *self);

JM_AVAILABLE_IN_ALL
void jm_scheduler_report_add_job (JmSchedulerReport *self, const JmSchedulerJob *job);

JM_AVAILABLE_IN_ALL
guint jm_scheduler_report_get_n_jobs (JmSchedulerReport *self);

JM_AVAILABLE_IN_ALL
const JmSchedulerJob *jm_scheduler_report_get_job (JmSchedulerReport *self, guint i);

JM_AVAILABLE_IN_ALL
void jm_scheduler_report_add_node (JmSchedulerReport *self,
                                   const JmSchedulerNode *node);

JM_AVAILABLE_IN_ALL
guint jm_scheduler_report_get_n_nodes (JmSchedulerReport *self);

JM_AVAILABLE_IN_ALL
const JmSchedulerNode *jm_scheduler_report_get_node (JmSchedulerReport *self, guint i);

JM_AVAILABLE_IN_ALL
void jm_scheduler_report_add_partition (JmSchedulerReport *self,
                                        const JmSchedulerPartition *partition);

JM_AVAILABLE_IN_ALL
guint jm_scheduler_report_get_n_partitions (JmSchedulerReport *self);

JM_AVAILABLE_IN_ALL
const JmSchedulerPartition *jm_scheduler_report_get_partition (JmSchedulerReport *self,
                                                               guint i);

JM_AVAILABLE_IN_ALL
void jm_scheduler_report_add_reservation (JmSchedulerReport *self,
                                          const JmSchedulerReservation *reservation);

JM_AVAILABLE_IN_ALL
guint jm_scheduler_report_get_n_reservations (JmSchedulerReport *self);

JM_AVAILABLE_IN_ALL
const JmSchedulerReservation *
jm_scheduler_report_get_reservation (JmSchedulerReport *self, guint i);

JM_AVAILABLE_IN_ALL
void jm_scheduler_report_add_license (JmSchedulerReport *self,
                                      const JmSchedulerLicense *license);

JM_AVAILABLE_IN_ALL
void jm_scheduler_report_add_share (JmSchedulerReport *self,
                                    const JmSchedulerShare *share);

JM_AVAILABLE_IN_ALL
guint jm_scheduler_report_get_n_shares (JmSchedulerReport *self);

JM_AVAILABLE_IN_ALL
const JmSchedulerShare *jm_scheduler_report_get_share (JmSchedulerReport *self,
                                                       guint i);

JM_AVAILABLE_IN_ALL
void jm_scheduler_report_add_limit (JmSchedulerReport *self,
                                    const JmSchedulerLimit *limit);

JM_AVAILABLE_IN_ALL
void jm_scheduler_report_add_rpc (JmSchedulerReport *self, const JmSchedulerRpc *rpc);

JM_AVAILABLE_IN_ALL
guint jm_scheduler_report_add_gpus (JmSchedulerReport *self,
                                    const JmSchedulerGpus *gpus);

JM_AVAILABLE_IN_ALL
void jm_scheduler_report_set_diagnostics (JmSchedulerReport *self,
                                          const JmSchedulerDiagnostics *diagnostics);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSchedulerReport, jm_scheduler_report_unref)

G_END_DECLS
