/* jm-report.h: the report of a run, as text, JSON, HTML and PDF
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "judge/jm-run-report.h"

G_BEGIN_DECLS

JM_AVAILABLE_IN_ALL
char *jm_run_report_to_text (JmRunReport *self,
                             GPtrArray *advice,
                             guint width,
                             gboolean color);

JM_AVAILABLE_IN_ALL
char *jm_run_report_to_brief (JmRunReport *self,
                              GPtrArray *advice,
                              const char *more,
                              guint width,
                              gboolean color);

JM_AVAILABLE_IN_ALL
char *jm_run_report_to_seff (JmRunReport *self);

JM_AVAILABLE_IN_ALL
char *jm_run_report_to_json (JmRunReport *self, GPtrArray *advice);

JM_AVAILABLE_IN_ALL
char *jm_run_report_to_html (JmRunReport *self, GPtrArray *advice);

JM_AVAILABLE_IN_ALL
GBytes *jm_run_report_to_pdf (JmRunReport *self, GPtrArray *advice, GError **error);

G_END_DECLS
