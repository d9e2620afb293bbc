/* jm-run-field.h: what an accounting database keeps of a run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "core/jm-quantity.h"
#include "core/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmRunSource:
 * @JM_RUN_SOURCE_NONE: nobody: it is not known
 * @JM_RUN_SOURCE_ACCOUNTING: the scheduler's accounting, such as `sacct`
 * @JM_RUN_SOURCE_TIME_SERIES: a time series database
 * @JM_RUN_SOURCE_LEDGER: the ledgers of the nodes
 *
 * Who told something of a run. Of what a run has used the later of these is believed
 * before the earlier ones; of who and when it was the scheduler's accounting first,
 * then the ledger, then the time series.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_RUN_SOURCE_NONE,
  JM_RUN_SOURCE_ACCOUNTING,
  JM_RUN_SOURCE_TIME_SERIES,
  JM_RUN_SOURCE_LEDGER,
} JmRunSource;

/**
 * JM_N_RUN_SOURCES:
 *
 * How many #JmRunSource there are.
 *
 * Since: 0.1
 */
#define JM_N_RUN_SOURCES (JM_RUN_SOURCE_LEDGER + 1)

/**
 * JmRunField:
 * @JM_RUN_FIELD_UUID: text: the run's uuid, by the scheduler's own unique id where there
 *   is one
 * @JM_RUN_FIELD_JOB_ID: text: the job as its user sees it, such as `12_3` or `12+1`
 * @JM_RUN_FIELD_ARRAY_JOB: text: id of the job array
 * @JM_RUN_FIELD_ARRAY_TASK: text: index in it
 * @JM_RUN_FIELD_HET_JOB: text: id of the heterogeneous job
 * @JM_RUN_FIELD_HET_OFFSET: text: component of it
 * @JM_RUN_FIELD_USER: text: user name
 * @JM_RUN_FIELD_ACCOUNT: text: account that is charged
 * @JM_RUN_FIELD_PARTITION: text: partition or queue
 * @JM_RUN_FIELD_QOS: text: quality of service
 * @JM_RUN_FIELD_NAME: text: the job's name
 * @JM_RUN_FIELD_STATE: text: as the scheduler says it, such as `COMPLETED`
 * @JM_RUN_FIELD_NODE_LIST: text: its nodes, as the scheduler writes them
 * @JM_RUN_FIELD_TRES: text: what it was given, as the scheduler writes it
 * @JM_RUN_FIELD_WORK_DIR: text: its working directory, where a site wants that kept
 * @JM_RUN_FIELD_UID: number of the user
 * @JM_RUN_FIELD_SUBMIT_TIME: when it was submitted, seconds since 1970
 * @JM_RUN_FIELD_ELIGIBLE_TIME: when nothing but the queue held it back
 * @JM_RUN_FIELD_START_TIME: when it began
 * @JM_RUN_FIELD_END_TIME: when it ended
 * @JM_RUN_FIELD_SEEN_TIME: of one that goes on, until when what is told of it is true
 * @JM_RUN_FIELD_TIME_LIMIT: how long it may take, seconds
 * @JM_RUN_FIELD_ELAPSED: how long it ran, seconds, without what it was suspended; where
 *   it is not known, from its begin to its end
 * @JM_RUN_FIELD_EXIT_CODE: what it ended with
 * @JM_RUN_FIELD_SIGNAL: which signal ended it
 * @JM_RUN_FIELD_NODES: how many nodes it was given
 * @JM_RUN_FIELD_CPUS: how many CPUs it was given
 * @JM_RUN_FIELD_MEMORY_REQUESTED: bytes it asked for
 * @JM_RUN_FIELD_MEMORY_ALLOCATED: bytes it was given
 * @JM_RUN_FIELD_GPUS_REQUESTED: accelerators it asked for
 * @JM_RUN_FIELD_GPUS_ALLOCATED: accelerators it was given
 * @JM_RUN_FIELD_CPU_TIME: CPU time it used, microseconds
 * @JM_RUN_FIELD_CPU_USER_TIME: what of it was in user mode
 * @JM_RUN_FIELD_CPU_SYSTEM_TIME: what of it was in kernel mode
 * @JM_RUN_FIELD_MEMORY_PEAK: most memory it used at once on any one of its nodes, bytes
 * @JM_RUN_FIELD_ENERGY: energy, microjoules
 * @JM_RUN_FIELD_EMISSIONS: CO2 equivalent by average factors, micrograms
 *
 * What an accounting database keeps of a run. From %JM_RUN_FIELD_CPU_TIME on these are
 * figures, of what it used.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_RUN_FIELD_UUID,
  JM_RUN_FIELD_JOB_ID,
  JM_RUN_FIELD_ARRAY_JOB,
  JM_RUN_FIELD_ARRAY_TASK,
  JM_RUN_FIELD_HET_JOB,
  JM_RUN_FIELD_HET_OFFSET,
  JM_RUN_FIELD_USER,
  JM_RUN_FIELD_ACCOUNT,
  JM_RUN_FIELD_PARTITION,
  JM_RUN_FIELD_QOS,
  JM_RUN_FIELD_NAME,
  JM_RUN_FIELD_STATE,
  JM_RUN_FIELD_NODE_LIST,
  JM_RUN_FIELD_TRES,
  JM_RUN_FIELD_WORK_DIR,
  JM_RUN_FIELD_UID,
  JM_RUN_FIELD_SUBMIT_TIME,
  JM_RUN_FIELD_ELIGIBLE_TIME,
  JM_RUN_FIELD_START_TIME,
  JM_RUN_FIELD_END_TIME,
  JM_RUN_FIELD_SEEN_TIME,
  JM_RUN_FIELD_TIME_LIMIT,
  JM_RUN_FIELD_ELAPSED,
  JM_RUN_FIELD_EXIT_CODE,
  JM_RUN_FIELD_SIGNAL,
  JM_RUN_FIELD_NODES,
  JM_RUN_FIELD_CPUS,
  JM_RUN_FIELD_MEMORY_REQUESTED,
  JM_RUN_FIELD_MEMORY_ALLOCATED,
  JM_RUN_FIELD_GPUS_REQUESTED,
  JM_RUN_FIELD_GPUS_ALLOCATED,
  JM_RUN_FIELD_CPU_TIME,
  JM_RUN_FIELD_CPU_USER_TIME,
  JM_RUN_FIELD_CPU_SYSTEM_TIME,
  JM_RUN_FIELD_MEMORY_PEAK,
  JM_RUN_FIELD_ENERGY,
  JM_RUN_FIELD_EMISSIONS,
} JmRunField;

/**
 * JM_N_RUN_FIELDS:
 *
 * How many #JmRunField there are.
 *
 * Since: 0.1
 */
#define JM_N_RUN_FIELDS (JM_RUN_FIELD_EMISSIONS + 1)

JM_AVAILABLE_IN_ALL
const JmQuantity *jm_run_field_get_quantity (JmRunField field);

JM_AVAILABLE_IN_ALL
const char *jm_run_field_get_name (JmRunField field);

JM_AVAILABLE_IN_ALL
gboolean jm_run_field_from_name (const char *name, JmRunField *field);

JM_AVAILABLE_IN_ALL
gboolean jm_run_field_is_text (JmRunField field);

JM_AVAILABLE_IN_ALL
gboolean jm_run_field_is_figure (JmRunField field);

JM_AVAILABLE_IN_ALL
const char *jm_run_source_get_name (JmRunSource source);

G_END_DECLS
