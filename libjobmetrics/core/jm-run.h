/* jm-run.h: a run of a job, as an accounting database has it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"
#include "core/jm-figure.h"
#include "core/jm-job-record.h"
#include "core/jm-quantity.h"

G_BEGIN_DECLS

/**
 * JmRunPartKind:
 * @JM_RUN_PART_KIND_STEP: a step: as the accounting has it, of no node; as a ledger has
 *   it, on each of its nodes
 * @JM_RUN_PART_KIND_NODE: what the run had on one node
 * @JM_RUN_PART_KIND_DEVICE: what it had of one accelerator
 * @JM_RUN_PART_KIND_ENERGY: its energy by domain and quality, or its emissions by the
 *   factor they were reckoned with
 * @JM_RUN_PART_KIND_RECORD: the record of one of its nodes, with its course over time;
 *   for some time only
 *
 * What of a run a part is.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_RUN_PART_KIND_STEP,
  JM_RUN_PART_KIND_NODE,
  JM_RUN_PART_KIND_DEVICE,
  JM_RUN_PART_KIND_ENERGY,
  JM_RUN_PART_KIND_RECORD,
} JmRunPartKind;

/**
 * JM_N_RUN_PART_KINDS:
 *
 * How many #JmRunPartKind there are.
 *
 * Since: 0.1
 */
#define JM_N_RUN_PART_KINDS (JM_RUN_PART_KIND_RECORD + 1)

JM_AVAILABLE_IN_ALL
GPtrArray *jm_run_part_kind_list_quantities (JmRunPartKind kind);

/**
 * JmRunPart:
 *
 * A part of a run, which is a subject of its own: a step, what the run had on a node or
 * of an accelerator, or its energy in detail. Its figures are found by their
 * quantities. It belongs to one thread while it is written.
 *
 * Since: 0.1
 */
typedef struct _JmRunPart JmRunPart;

#define JM_TYPE_RUN_PART (jm_run_part_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_run_part_get_type (void);

JM_AVAILABLE_IN_ALL
JmRunPart *jm_run_part_ref (JmRunPart *self);

JM_AVAILABLE_IN_ALL
void jm_run_part_unref (JmRunPart *self);

JM_AVAILABLE_IN_ALL
JmRunPartKind jm_run_part_get_kind (JmRunPart *self);

JM_AVAILABLE_IN_ALL
const char *jm_run_part_get_text (JmRunPart *self, const char *quantity);

JM_AVAILABLE_IN_ALL
gboolean jm_run_part_get_value (JmRunPart *self, const char *quantity, double *value);

JM_AVAILABLE_IN_ALL
JmFigure jm_run_part_get_figure (JmRunPart *self, const char *quantity);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_run_part_merge_steps (const GPtrArray *parts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRunPart, jm_run_part_unref)

/**
 * JmRun:
 *
 * One run of a job, on however many nodes: who and when it was, and what it used. What
 * is not known is absent. It belongs to one thread while it is written.
 *
 * Since: 0.1
 */
typedef struct _JmRun JmRun;

#define JM_TYPE_RUN (jm_run_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_run_get_type (void);

JM_AVAILABLE_IN_ALL
JmRun *jm_run_new (const char *cluster, const char *raw_id);

JM_AVAILABLE_IN_ALL
JmRun *jm_run_ref (JmRun *self);

JM_AVAILABLE_IN_ALL
void jm_run_unref (JmRun *self);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_run_list_quantities (void);

JM_AVAILABLE_IN_ALL
void jm_run_set_text (JmRun *self, const char *quantity, const char *text);

JM_AVAILABLE_IN_ALL
void jm_run_set_value (JmRun *self, const char *quantity, double value);

JM_AVAILABLE_IN_ALL
const char *jm_run_get_text (JmRun *self, const char *quantity);

JM_AVAILABLE_IN_ALL
gboolean jm_run_get_value (JmRun *self, const char *quantity, double *value);

JM_AVAILABLE_IN_ALL
JmFigure jm_run_get_figure (JmRun *self, const char *quantity);

JM_AVAILABLE_IN_ALL
JmFigure jm_run_get_elapsed (JmRun *self, gint64 now);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_run_get_parts (JmRun *self, JmRunPartKind kind);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRun, jm_run_unref)

G_END_DECLS
