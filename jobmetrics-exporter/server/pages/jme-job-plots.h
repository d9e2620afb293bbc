/* jme-job-plots.h: what a run used over time, drawn
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "report/run/jm-run-report.h"
#include "server/jme-answer.h"

G_BEGIN_DECLS

/* Of JmPlot, as its nodes' records tell it, else as the time series database does; none
 * where neither knows it. @is_broken is set where the database did not answer. */
GPtrArray *jme_job_plots_list (JmeAnswer *answer,
                               JmStoredRun *run,
                               JmRunReport *report,
                               gboolean *is_broken);

G_END_DECLS
