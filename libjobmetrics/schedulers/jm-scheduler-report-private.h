/* jm-scheduler-report-private.h: how readers of this folder fill a report
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"
#include "schedulers/jm-scheduler-report.h"
#include "schedulers/jm-scheduler.h"

G_BEGIN_DECLS

/* As jm_scheduler_report_keep(), of a part of a text; bytes that are no UTF-8 are
 * replaced. */
const char *jm_scheduler_report_keep_slice (JmSchedulerReport *self, JmSlice text);

/* Keeps what hardly ever comes twice, such as a job's name; NULL of an empty text. */
const char *jm_scheduler_report_keep_once (JmSchedulerReport *self, JmSlice text);

/* Has the records of another that was handed on already, and is left as it is. */
void jm_scheduler_report_repeat (JmSchedulerReport *self, JmSchedulerReport *other);

/* Of a scheduler that lists no jobs that have ended: that it has none is not known. */
void jm_scheduler_report_set_lacks_ended_jobs (JmSchedulerReport *self);
gboolean jm_scheduler_report_lacks_ended_jobs (JmSchedulerReport *self);

/* How many nodes are in each state, and have each flag; -1 where that is unknown. */
typedef struct
{
  gint64 states[JM_N_SCHEDULER_NODE_STATES];
  gint64 flags[JM_N_SCHEDULER_NODE_FLAGS];
} JmSchedulerNodeSums;

/* Of a scheduler that counts nodes, and does not report the state of any one of them.
 * NULL: each node of the report has its own. */
void jm_scheduler_report_set_node_sums (JmSchedulerReport *self,
                                        const JmSchedulerNodeSums *sums);
const JmSchedulerNodeSums *jm_scheduler_report_get_node_sums (JmSchedulerReport *self);

/* Records of which nothing is known yet; they stay where they are until the next is
 * added. Texts of them are to be kept by the report. The last can be taken back. */
JmSchedulerJob *jm_scheduler_report_append_job (JmSchedulerReport *self);
void jm_scheduler_report_drop_job (JmSchedulerReport *self);
JmSchedulerNode *jm_scheduler_report_append_node (JmSchedulerReport *self);
void jm_scheduler_report_drop_node (JmSchedulerReport *self);
JmSchedulerNode *jm_scheduler_report_edit_node (JmSchedulerReport *self, guint i);

gboolean jm_scheduler_has_topic (JmScheduler *self, JmSchedulerTopic topic);

gint64 jm_scheduler_report_get_time (JmSchedulerReport *self);

/* What can be wrong with an answer. */
typedef enum
{
  JM_SCHEDULER_FAULT_VALUE, /* one value of a record is unknown */
  JM_SCHEDULER_FAULT_RECORD,
  JM_N_SCHEDULER_FAULTS
} JmSchedulerFault;

const char *jm_scheduler_fault_get_name (JmSchedulerFault fault);

/* As jm_scheduler_report_complain(), of a record that is in no figure. */
void jm_scheduler_report_pass_over (JmSchedulerReport *self, const char *complaint);

guint jm_scheduler_report_get_n_faults (JmSchedulerReport *self,
                                        JmSchedulerFault fault);

guint jm_scheduler_report_get_n_complaints (JmSchedulerReport *self);

const char *jm_scheduler_report_get_complaint (JmSchedulerReport *self);

guint jm_scheduler_report_get_n_licenses (JmSchedulerReport *self);

const JmSchedulerLicense *jm_scheduler_report_get_license (JmSchedulerReport *self,
                                                           guint i);

guint jm_scheduler_report_get_n_limits (JmSchedulerReport *self);

const JmSchedulerLimit *jm_scheduler_report_get_limit (JmSchedulerReport *self,
                                                       guint i);

guint jm_scheduler_report_get_n_rpcs (JmSchedulerReport *self);

const JmSchedulerRpc *jm_scheduler_report_get_rpc (JmSchedulerReport *self, guint i);

guint jm_scheduler_report_get_n_gpus (JmSchedulerReport *self);

const JmSchedulerGpus *jm_scheduler_report_get_gpus (JmSchedulerReport *self, guint i);

const JmSchedulerDiagnostics *
jm_scheduler_report_get_diagnostics (JmSchedulerReport *self);

const char *jm_scheduler_report_keep (JmSchedulerReport *self, const char *text);

JmSchedulerTopic jm_scheduler_report_get_topic (JmSchedulerReport *self);

JmSchedulerReport *jm_scheduler_report_ref (JmSchedulerReport *self);

/* What pages and tables call a flag. */
const char *jm_scheduler_job_flag_get_name (JmSchedulerJobFlag flag);
const char *jm_scheduler_node_flag_get_name (JmSchedulerNodeFlag flag);

G_END_DECLS
