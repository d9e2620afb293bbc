/* jme-job-plots.c: what a run used over time, drawn
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-job-plots.h"

#include "core/jm-error.h"
#include "report/page/jm-report-plots-private.h"
#include "report/run/jm-run-report-private.h"
#include "server/jme-series.h"

/* Points of a series of the time series database. */
#define MAX_POINTS 300
/* It shall not keep a page from coming. */
#define TSDB_TIMEOUT_MS 3000

GPtrArray *
jme_job_plots_list (JmeAnswer *answer,
                    JmStoredRun *run,
                    JmRunReport *report,
                    gboolean *is_broken)
{
  g_autoptr (GPtrArray) series = NULL;
  g_autoptr (GError) error = NULL;

  *is_broken = FALSE;
  if (!jm_run_report_wants_series (report))
    return jm_report_plots_list (report);

  series = jme_series_list (answer, run, MAX_POINTS, TSDB_TIMEOUT_MS, &error);
  if (series != NULL)
    jm_run_report_set_series (report, series);
  *is_broken = series == NULL && !g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT);
  if (*is_broken)
    g_warning ("the time series database cannot be read: %s", error->message);

  return jm_report_plots_list (report);
}
