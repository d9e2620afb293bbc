/* jm-report-pdf.c: the report of a run as PDF
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/page/jm-report-pdf-private.h"

#include "report/page/jm-report-plots-private.h"

/**
 * jm_run_report_to_pdf:
 * @self: a report
 * @advice: (nullable) (element-type JmRunAdvice): what is said of it, or %NULL to leave
 *   that out
 * @error: return location for an error
 *
 * Makes of a report pages of A4, with plots of what it did over time. Names may be in
 * any script, and text can be searched and copied.
 *
 * - Errors: `ABSENT` where the library was built without the feature `plots`.
 *
 * Returns: (transfer full): the file
 * Since: 0.1
 */
GBytes *
jm_run_report_to_pdf (JmRunReport *self, GPtrArray *advice, GError **error)
{
  g_autoptr (JmReportContent) content = NULL;
  g_autoptr (GPtrArray) plots = NULL;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  content = jm_report_content_new (self, advice);
  plots = jm_report_plots_list (self);

  return jm_report_pdf_draw (content, plots, error);
}
