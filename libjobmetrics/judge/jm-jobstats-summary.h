/* jm-jobstats-summary.h: a run as jobstats keeps it in Slurm's accounting
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "judge/jm-run-report.h"

G_BEGIN_DECLS

JM_AVAILABLE_IN_ALL
char *jm_jobstats_summary_format (JmRunReport *report);

JM_AVAILABLE_IN_ALL
JmRunReport *jm_jobstats_summary_parse (const char *text, JmRun *run, GError **error);

G_END_DECLS
