/* jme-job-plots.c: what a run used over time, drawn
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-job-plots.h"

#include "core/jm-error.h"
#include "report/page/jm-report-plots-private.h"
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
  GPtrArray *plots = jm_report_plots_list (report);
  g_autoptr (GPtrArray) series = NULL;
  g_autoptr (GError) error = NULL;

  *is_broken = FALSE;
  if (plots->len > 0)
    return plots;

  series = jme_series_list (answer, run, MAX_POINTS, TSDB_TIMEOUT_MS, &error);
  if (series != NULL)
    {
      g_ptr_array_unref (plots);
      return jm_report_plots_list_of_series (report, series);
    }
  *is_broken = !g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT);
  if (*is_broken)
    g_warning ("the time series database cannot be read: %s", error->message);

  return plots;
}
