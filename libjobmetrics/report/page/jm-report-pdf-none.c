/* jm-report-pdf-none.c: no PDF, without cairo
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-error.h"
#include "report/page/jm-report-pdf-private.h"

GBytes *
jm_report_pdf_draw (JmReportContent *content, GPtrArray *plots, GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
               "this build of jobmetrics makes no PDF: it lacks the feature `plots`, "
               "which needs cairo and pango");

  return NULL;
}
