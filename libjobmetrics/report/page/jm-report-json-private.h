/* jm-report-json-private.h: the report of a run as JSON
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-json-writer-private.h"
#include "judge/jm-run-verdict.h"
#include "report/page/jm-report.h"

G_BEGIN_DECLS

/* The member `verdict`: an object. */
void jm_report_json_add_verdict (JmJsonWriter *json, JmRunVerdict *verdict);

G_END_DECLS
