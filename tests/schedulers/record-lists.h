/* record-lists.h: records as lists of NAME=VALUE
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-run.h"
#include "schedulers/jm-scheduler-report-private.h"

/* Before a value of a run's step: `step 1 elapsed=3`. */
#define RECORD_STEP "step "

/* Each record of a list is a GStrv. */
GPtrArray *records_new (void);
GPtrArray *records_of_report (JmSchedulerReport *report);
/* Batches of runs, or NULL. */
GPtrArray *records_of_batches (GPtrArray *batches);
void records_add_run (GPtrArray *records, JmRun *run, GPtrArray *steps);
