/* jm-run-figures-private.h: how the figures of a report are calculated
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "judge/jm-run-report-private.h"

G_BEGIN_DECLS

/* Of what is given, a node, CPU or accelerator that uses less is one that does nothing:
 * what a shell that waits for others takes. */
#define JM_RUN_UNUSED_PERCENT 0.1

/* What the archive kept of a node, where its record is gone. */
void jm_run_figures_take_node_part (JmFigures *figures, JmRunPart *part);

/* The names of nodes of whose energy some was estimated, as @parts have it, whose they
 * are. */
GHashTable *jm_run_figures_find_estimated (JmRun *run);

/* What the archive kept of an accelerator, whose node had the run so long. */
void
jm_run_figures_take_device_part (JmFigures *figures, JmRunPart *part, JmFigure elapsed);

/* For how long it was busy, of the time for which it was observed: known where that is
 * enough of the run. */
void jm_run_figures_take_gpu_use (JmFigures *figures,
                                  JmFigure busy,
                                  JmFigure seen,
                                  JmFigure elapsed);
void jm_run_figures_take_gpu_memory (JmFigures *figures, JmFigure most, JmFigure size);

/* An accelerator of a record's snapshot, of which the node had the run so long. */
void jm_run_figures_take_gpu (JmFigures *figures,
                              JmSnapshot *snapshot,
                              guint subject,
                              JmFigure elapsed);

/* A node, of its record. */
void jm_run_figures_take_node (JmRunReport *self, guint node);

/* The whole, once its nodes and accelerators have theirs. */
void jm_run_figures_take_run (JmRunReport *self);

/* A figure of a run for people; NULL where it is absent. CPUs and the like are counted
 * by parts, too. */
char *jm_run_figures_format (JmQuantityId quantity, JmFigure figure);

G_END_DECLS
