/* jm-run-part.h: a step, node or accelerator of a run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job-record.h"
#include "core/jm-run-field-id.h"

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
 *   for some time only, see jm_run_part_get_record()
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

/**
 * JmRunPart:
 *
 * A part of a run: a step, what it had on a node or of an accelerator, or its energy in
 * detail. It belongs to one thread while it is written.
 *
 * Since: 0.1
 */
typedef struct _JmRunPart JmRunPart;

#define JM_TYPE_RUN_PART (jm_run_part_get_type ())

JM_AVAILABLE_IN_ALL
const char *jm_run_part_field_get_name (JmRunPartField field);

JM_AVAILABLE_IN_ALL
GType jm_run_part_get_type (void);

JM_AVAILABLE_IN_ALL
JmRunPart *jm_run_part_new (JmRunPartKind kind);

JM_AVAILABLE_IN_ALL
JmRunPart *jm_run_part_ref (JmRunPart *self);

JM_AVAILABLE_IN_ALL
void jm_run_part_unref (JmRunPart *self);

JM_AVAILABLE_IN_ALL
JmRunPartKind jm_run_part_get_kind (JmRunPart *self);

JM_AVAILABLE_IN_ALL
void jm_run_part_set_text (JmRunPart *self, JmRunPartField field, const char *text);

JM_AVAILABLE_IN_ALL
void jm_run_part_set_number (JmRunPart *self, JmRunPartField field, gint64 number);

JM_AVAILABLE_IN_ALL
const char *jm_run_part_get_text (JmRunPart *self, JmRunPartField field);

JM_AVAILABLE_IN_ALL
gboolean jm_run_part_get_number (JmRunPart *self, JmRunPartField field, gint64 *number);

JM_AVAILABLE_IN_ALL
JmJobRecord *jm_run_part_get_record (JmRunPart *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRunPart, jm_run_part_unref)

G_END_DECLS
