/* jm-queued-run-private.h: the run of a job in the queue
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-scheduler-report.h"
#include "store/jm-stored-run.h"

G_BEGIN_DECLS

/* Fills in what the queue tells of a job, as it was at @time_us since 1970: who it is,
 * what it does and why it waits, what it asks for and has. A job that waits has no
 * begin, whatever the scheduler expects, and one that is shown after its end has that.
 */
void jm_queued_run_fill (JmStoredRun *run, const JmSchedulerJob *job, gint64 time_us);

G_END_DECLS
