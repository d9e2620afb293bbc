/* jm-run-report.h: all that is known of a run, from all sources
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job-profile.h"
#include "core/jm-job-record.h"
#include "core/jm-run.h"

G_BEGIN_DECLS

/**
 * JmRunReport:
 *
 * A run of a job on all of its nodes: its identity, times, and figures, of the whole
 * and of each node and accelerator. What is not known is absent. It is immutable.
 *
 * Since: 0.1
 */
typedef struct _JmRunReport JmRunReport;

#define JM_TYPE_RUN_REPORT (jm_run_report_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_run_report_get_type (void);

JM_AVAILABLE_IN_ALL
JmRunReport *jm_run_report_new (JmRun *run, GPtrArray *records);

JM_AVAILABLE_IN_ALL
JmRunReport *jm_run_report_ref (JmRunReport *self);

JM_AVAILABLE_IN_ALL
void jm_run_report_unref (JmRunReport *self);

JM_AVAILABLE_IN_ALL
JmRun *jm_run_report_get_run (JmRunReport *self);

JM_AVAILABLE_IN_ALL
gboolean jm_run_report_is_running (JmRunReport *self);

JM_AVAILABLE_IN_ALL
gboolean jm_run_report_is_whole (JmRunReport *self);

JM_AVAILABLE_IN_ALL
gboolean
jm_run_report_get_value (JmRunReport *self, const JmQuantity *quantity, double *value);

JM_AVAILABLE_IN_ALL
gboolean jm_run_report_find_idle (JmRunReport *self,
                                  JmProfileSeries series,
                                  gint64 at,
                                  gint64 *since);

JM_AVAILABLE_IN_ALL
void jm_run_report_set_origin (JmRunReport *self, const char *origin);

JM_AVAILABLE_IN_ALL
char *jm_jobstats_summary_format (JmRunReport *report);

JM_AVAILABLE_IN_ALL
JmRunReport *jm_jobstats_summary_parse (const char *text, JmRun *run, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRunReport, jm_run_report_unref)

G_END_DECLS
