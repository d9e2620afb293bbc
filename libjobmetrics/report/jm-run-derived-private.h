/* jm-run-derived-private.h: what follows from what a site keeps of a run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-figure.h"
#include "store/jm-stored-run.h"

G_BEGIN_DECLS

/* A field that is a number, in its base unit. */
JmFigure jm_run_derived_get_figure (JmStoredRun *run, JmRunField field);

/* How long it ran, seconds: where nobody told it, from its begin to its end. */
JmFigure jm_run_derived_get_elapsed (JmStoredRun *run);

/* CPU time, of what its CPUs could have given meanwhile: per cent. */
JmFigure jm_run_derived_get_efficiency (JmStoredRun *run);

/* The most memory on one of its nodes, of what it was given on each: per cent. */
JmFigure jm_run_derived_get_memory_share (JmStoredRun *run);

/* Seconds that it waited for its begin. */
JmFigure jm_run_derived_get_wait (JmStoredRun *run);

G_END_DECLS
