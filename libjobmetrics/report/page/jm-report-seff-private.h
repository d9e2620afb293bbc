/* jm-report-seff-private.h: the report of a run as Slurm's seff prints it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "judge/jm-run-report.h"

G_BEGIN_DECLS

/* Lines for scripts that read seff. A missing figure has no line, where seff prints
 * zero. The group of the user is not kept: there is a dash. */
char *jm_report_seff_format (JmRunReport *report);

G_END_DECLS
