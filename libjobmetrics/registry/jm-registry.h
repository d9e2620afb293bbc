/* jm-registry.h: sources by the names that administrators call them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"
#include "host/jm-source.h"

G_BEGIN_DECLS

/**
 * JmSourceKind:
 * @JM_SOURCE_KIND_JOBS: maps cgroups to jobs
 * @JM_SOURCE_KIND_CGROUPS: reads the counters of cgroups
 * @JM_SOURCE_KIND_MACHINE: reads the node's own totals
 * @JM_SOURCE_KIND_PROCESSES: reads processes and threads
 * @JM_SOURCE_KIND_POWER: measures energy or power
 * @JM_SOURCE_KIND_GPUS: reads accelerators, and maps them to jobs
 * @JM_SOURCE_KIND_EMISSIONS: provides emission factors of electricity
 * @JM_SOURCE_KIND_COUNTERS: counts of jobs what their cgroups' files do not
 * @JM_SOURCE_KIND_SCHEDULER: knows the queue and the nodes of a cluster: of no node
 * @JM_SOURCE_KIND_HISTORY: knows the runs of a cluster that were: of no node
 *
 * What a source is asked for.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_SOURCE_KIND_JOBS,
  JM_SOURCE_KIND_CGROUPS,
  JM_SOURCE_KIND_MACHINE,
  JM_SOURCE_KIND_PROCESSES,
  JM_SOURCE_KIND_POWER,
  JM_SOURCE_KIND_GPUS,
  JM_SOURCE_KIND_EMISSIONS,
  JM_SOURCE_KIND_COUNTERS,
  JM_SOURCE_KIND_SCHEDULER,
  JM_SOURCE_KIND_HISTORY,
} JmSourceKind;

/**
 * JM_N_SOURCE_KINDS:
 *
 * How many #JmSourceKind there are.
 *
 * Since: 0.1
 */
#define JM_N_SOURCE_KINDS (JM_SOURCE_KIND_HISTORY + 1)

#define JM_TYPE_SOURCE_KIND (jm_source_kind_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_source_kind_get_type (void);

/**
 * JmSourceState:
 * @JM_SOURCE_STATE_WORKING: it is open, and answered when it was asked last
 * @JM_SOURCE_STATE_ABSENT: its device or file is not on this host
 * @JM_SOURCE_STATE_FAILED: it could not be opened, or did not answer
 * @JM_SOURCE_STATE_SUPERSEDED: another working source reports the same
 *
 * The state of a source.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_SOURCE_STATE_WORKING,
  JM_SOURCE_STATE_ABSENT,
  JM_SOURCE_STATE_FAILED,
  JM_SOURCE_STATE_SUPERSEDED,
} JmSourceState;

/**
 * JM_N_SOURCE_STATES:
 *
 * How many #JmSourceState there are.
 *
 * Since: 0.1
 */
#define JM_N_SOURCE_STATES (JM_SOURCE_STATE_SUPERSEDED + 1)

#define JM_TYPE_SOURCE_STATE (jm_source_state_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_source_state_get_type (void);

/**
 * JmSourceInfo:
 *
 * One of a node's sources, and how it fared when it was asked last: an immutable
 * record, shared by reference.
 *
 * Since: 0.1
 */
typedef struct _JmSourceInfo JmSourceInfo;

#define JM_TYPE_SOURCE_INFO (jm_source_info_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_source_info_get_type (void);

JM_AVAILABLE_IN_ALL
void jm_source_info_unref (JmSourceInfo *self);

JM_AVAILABLE_IN_ALL
JmSourceKind jm_source_info_get_kind (JmSourceInfo *self);

JM_AVAILABLE_IN_ALL
const char *jm_source_info_get_name (JmSourceInfo *self);

JM_AVAILABLE_IN_ALL
JmSourceState jm_source_info_get_state (JmSourceInfo *self);

JM_AVAILABLE_IN_ALL
const GError *jm_source_info_get_error (JmSourceInfo *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSourceInfo, jm_source_info_unref)

JM_AVAILABLE_IN_ALL
JmSource *jm_registry_make (JmSourceKind kind,
                            const char *specification,
                            JmHost *host,
                            GError **error);

JM_AVAILABLE_IN_ALL
JmSource *jm_registry_open (JmSourceKind kind,
                            const char *specification,
                            JmHost *host,
                            GError **error);

JM_AVAILABLE_IN_ALL
char **jm_registry_list_names (JmSourceKind kind);

G_END_DECLS
