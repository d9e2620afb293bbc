/* jm-run-goodput-private.h: productive, idle and lost time of runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-figures-private.h"
#include "core/jm-run.h"

G_BEGIN_DECLS

/* The quantities, with shares, in two groups of the same order: of CPUs and of
 * accelerators. */
extern const JmQuantityId jm_run_goodput_quantities[];
extern const guint jm_run_goodput_n_quantities;

/* Time before the first process of a run and after its last one, microseconds; -1 if
 * the scheduler or a node did not report the times. */
gint64 jm_run_goodput_find_prolog_epilog (JmRun *run);

/* Adds the CPU and GPU time of a part of a run to just one of productive, idle, in
 * prolog or epilog, lost or not observed, each; @wall is in seconds, and @share that of
 * the part. */
void jm_run_goodput_add (JmFigures *sums, JmRun *run, double wall, double share);

/* Sets the shares, once all is added. */
void jm_run_goodput_settle (JmFigures *sums);

G_END_DECLS
