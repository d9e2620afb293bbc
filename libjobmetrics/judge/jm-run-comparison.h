/* jm-run-comparison.h: the figures of several runs side by side
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "judge/jm-run-report.h"

G_BEGIN_DECLS

/**
 * JM_RUN_COMPARISON_MAX_RUNS:
 *
 * How many runs are compared at most.
 *
 * Since: 0.1
 */
#define JM_RUN_COMPARISON_MAX_RUNS 6

/**
 * JmRunComparison:
 *
 * The figures of two to six runs side by side, and their differences to the first run:
 * an immutable record, shared by reference.
 *
 * Since: 0.1
 */
typedef struct _JmRunComparison JmRunComparison;

#define JM_TYPE_RUN_COMPARISON (jm_run_comparison_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_run_comparison_get_type (void);

JM_AVAILABLE_IN_ALL
JmRunComparison *jm_run_comparison_new (GPtrArray *reports);

JM_AVAILABLE_IN_ALL
void jm_run_comparison_unref (JmRunComparison *self);

JM_AVAILABLE_IN_ALL
guint jm_run_comparison_get_n_runs (JmRunComparison *self);

JM_AVAILABLE_IN_ALL
JmRunReport *jm_run_comparison_get_report (JmRunComparison *self, guint run);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_run_comparison_list_quantities (JmRunComparison *self);

JM_AVAILABLE_IN_ALL
gboolean jm_run_comparison_get_difference (JmRunComparison *self,
                                           const JmQuantity *quantity,
                                           guint run,
                                           double *difference);

JM_AVAILABLE_IN_ALL
char *jm_run_comparison_format_value (JmRunComparison *self,
                                      const JmQuantity *quantity,
                                      guint run);

JM_AVAILABLE_IN_ALL
char *jm_run_comparison_format_difference (JmRunComparison *self,
                                           const JmQuantity *quantity,
                                           guint run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRunComparison, jm_run_comparison_unref)

G_END_DECLS
