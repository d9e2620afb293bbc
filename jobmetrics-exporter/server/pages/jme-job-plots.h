/* jme-job-plots.h: what a run used over time, drawn
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "report/run/jm-run-report.h"
#include "server/jme-answer.h"

G_BEGIN_DECLS

/* What the records of its nodes tell, of a run on not too many of them; NULL with an
 * error of the store. */
JmRunReport *
jme_job_plots_make_report (JmeAnswer *answer, JmStoredRun *run, GError **error);

/* As its nodes' records tell it, else as the time series database does; nothing where
 * neither knows it. */
void jme_job_plots_append (JmeAnswer *answer, JmStoredRun *run, JmRunReport *report);

G_END_DECLS
