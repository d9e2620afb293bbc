/* jmc-comparison-form.h: a comparison of runs as text, CSV and JSON
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "report/advice/jm-run-verdict.h"
#include "report/run/jm-run-comparison.h"

G_BEGIN_DECLS

/* Of all three, @verdicts is of JmRunVerdict, one for each run; NULL where the rules
 * could not be read. */

/* Tables no wider than @width cells, 0 for any width: where not all runs fit beside the
 * first one, each table repeats the first run. */
char *jmc_comparison_form_text (JmRunComparison *comparison,
                                GPtrArray *verdicts,
                                guint width,
                                gboolean color);

char *jmc_comparison_form_csv (JmRunComparison *comparison, GPtrArray *verdicts);
char *jmc_comparison_form_json (JmRunComparison *comparison, GPtrArray *verdicts);

G_END_DECLS
