/* made-report.h: a run of which just so much is known
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "judge/jm-run-rules.h"

G_BEGIN_DECLS

/* Of words such as `cpus=8 elapsed_seconds=2h state=COMPLETED`: facts with their units,
 * and fields of runs. Of what is there twice, the last counts. The run has ended,
 * unless its state says otherwise. */
JmRunReport *made_report_new (const char *facts);

/* The rules that are built in, on a machine that has no others. */
JmRunRules *made_report_read_rules (void);

G_END_DECLS
