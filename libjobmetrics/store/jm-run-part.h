/* jm-run-part.h: a step, node or accelerator of a run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job-record.h"

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
 * JmRunPartField:
 * @JM_RUN_PART_FIELD_NODE: text: name of the node
 * @JM_RUN_PART_FIELD_RUN_KEY: text: what the node's ledger calls the run
 * @JM_RUN_PART_FIELD_NAME: text: name of the step, device or domain
 * @JM_RUN_PART_FIELD_QUALITY: text: whether the energy was measured or estimated
 * @JM_RUN_PART_FIELD_PROVIDER: text: who told the emission factor
 * @JM_RUN_PART_FIELD_ZONE: text: of which zone it is
 * @JM_RUN_PART_FIELD_METHOD: text: whether it is average or marginal
 * @JM_RUN_PART_FIELD_SCOPE: text: what it counts in
 * @JM_RUN_PART_FIELD_FACTOR_QUALITY: text: how its provider came by it
 * @JM_RUN_PART_FIELD_STATE: text: how the step ended
 * @JM_RUN_PART_FIELD_UUID: text: uuid of the device
 * @JM_RUN_PART_FIELD_MODEL: text: model of the device
 * @JM_RUN_PART_FIELD_CONTENT: text: the record, packed
 * @JM_RUN_PART_FIELD_START_TIME: when it began, seconds since 1970
 * @JM_RUN_PART_FIELD_END_TIME: when it ended
 * @JM_RUN_PART_FIELD_EXIT_CODE: what the step ended with
 * @JM_RUN_PART_FIELD_SIGNAL: which signal ended it
 * @JM_RUN_PART_FIELD_NODES: how many nodes it has
 * @JM_RUN_PART_FIELD_TASKS: how many tasks
 * @JM_RUN_PART_FIELD_CPUS: how many CPUs
 * @JM_RUN_PART_FIELD_GPUS: how many accelerators
 * @JM_RUN_PART_FIELD_SHARE: how much of the device the run was given, millionths
 * @JM_RUN_PART_FIELD_COVERAGE: how much of its life was observed, millionths
 * @JM_RUN_PART_FIELD_CPU_TIME: CPU time, microseconds
 * @JM_RUN_PART_FIELD_CPU_USER_TIME: what of it was in user mode
 * @JM_RUN_PART_FIELD_CPU_SYSTEM_TIME: what of it was in kernel mode
 * @JM_RUN_PART_FIELD_MEMORY_PEAK: most memory it used at once, bytes
 * @JM_RUN_PART_FIELD_ENERGY: energy, microjoules
 * @JM_RUN_PART_FIELD_EMISSIONS: CO2 equivalent, micrograms
 * @JM_RUN_PART_FIELD_GPU_BUSY: utilization of the device by the run, added up over the
 *   time for which it was observed, microseconds
 * @JM_RUN_PART_FIELD_GPU_OBSERVED: that time: busy divided by it is the mean
 * @JM_RUN_PART_FIELD_GPU_MEMORY_PEAK: most of the device's memory that the run was seen
 *   to use, bytes
 * @JM_RUN_PART_FIELD_GPU_MEMORY_SIZE: memory of the device, bytes
 *
 * What is kept of a part. Each kind has some of these.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_RUN_PART_FIELD_NODE,
  JM_RUN_PART_FIELD_RUN_KEY,
  JM_RUN_PART_FIELD_NAME,
  JM_RUN_PART_FIELD_QUALITY,
  JM_RUN_PART_FIELD_PROVIDER,
  JM_RUN_PART_FIELD_ZONE,
  JM_RUN_PART_FIELD_METHOD,
  JM_RUN_PART_FIELD_SCOPE,
  JM_RUN_PART_FIELD_FACTOR_QUALITY,
  JM_RUN_PART_FIELD_STATE,
  JM_RUN_PART_FIELD_UUID,
  JM_RUN_PART_FIELD_MODEL,
  JM_RUN_PART_FIELD_CONTENT,
  JM_RUN_PART_FIELD_START_TIME,
  JM_RUN_PART_FIELD_END_TIME,
  JM_RUN_PART_FIELD_EXIT_CODE,
  JM_RUN_PART_FIELD_SIGNAL,
  JM_RUN_PART_FIELD_NODES,
  JM_RUN_PART_FIELD_TASKS,
  JM_RUN_PART_FIELD_CPUS,
  JM_RUN_PART_FIELD_GPUS,
  JM_RUN_PART_FIELD_SHARE,
  JM_RUN_PART_FIELD_COVERAGE,
  JM_RUN_PART_FIELD_CPU_TIME,
  JM_RUN_PART_FIELD_CPU_USER_TIME,
  JM_RUN_PART_FIELD_CPU_SYSTEM_TIME,
  JM_RUN_PART_FIELD_MEMORY_PEAK,
  JM_RUN_PART_FIELD_ENERGY,
  JM_RUN_PART_FIELD_EMISSIONS,
  JM_RUN_PART_FIELD_GPU_BUSY,
  JM_RUN_PART_FIELD_GPU_OBSERVED,
  JM_RUN_PART_FIELD_GPU_MEMORY_PEAK,
  JM_RUN_PART_FIELD_GPU_MEMORY_SIZE,
} JmRunPartField;

/**
 * JM_N_RUN_PART_FIELDS:
 *
 * How many #JmRunPartField there are.
 *
 * Since: 0.1
 */
#define JM_N_RUN_PART_FIELDS (JM_RUN_PART_FIELD_GPU_MEMORY_SIZE + 1)

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
