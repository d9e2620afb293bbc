/* jm-run-evidence-private.h: the node, device, step or user behind an end or a delay
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-figure.h"
#include "judge/jm-run-report.h"

G_BEGIN_DECLS

/* Names that stand for a part of a sentence in texts of rules, such as `oom_victims`. A
 * name is replaced by what the record and the scheduler have of it, and never by a
 * guess. */
gboolean jm_run_evidence_from_name (const char *name, guint *evidence);

const char *jm_run_evidence_get_name (guint evidence);

/* NULL where nothing is known. */
char *jm_run_evidence_describe (JmRunReport *report, guint evidence);

/* How many accelerators reported errors while the run had them, as far as that was
 * recorded; absent where it was of none. */
JmFigure jm_run_evidence_count_failing_gpus (const JmRunReport *report);

/* For how much of the time in which it was observed the accelerator that was slowed
 * down most had its clocks held back by heat or by the hardware, percent. */
JmFigure jm_run_evidence_get_gpu_throttled (const JmRunReport *report);

/* How many nodes or accelerators did much less than the median of all of them; absent
 * where one of them is unknown, or there are fewer than three. */
JmFigure jm_run_evidence_count_lagging_nodes (const JmRunReport *report);
JmFigure jm_run_evidence_count_lagging_gpus (const JmRunReport *report);

G_END_DECLS
