/* jm-doctor.h: what is readable on a node, what is missing, and what mends it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"
#include "host/jm-host.h"

G_BEGIN_DECLS

/**
 * JmSeverity:
 * @JM_SEVERITY_GOOD: as it should be
 * @JM_SEVERITY_NOTE: some optional figures are missing
 * @JM_SEVERITY_PROBLEM: essential figures are missing or cannot be trusted
 *
 * How much a finding matters.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_SEVERITY_GOOD,
  JM_SEVERITY_NOTE,
  JM_SEVERITY_PROBLEM,
} JmSeverity;

/**
 * JM_N_SEVERITIES:
 *
 * How many #JmSeverity there are.
 *
 * Since: 0.1
 */
#define JM_N_SEVERITIES (JM_SEVERITY_PROBLEM + 1)

#define JM_TYPE_SEVERITY (jm_severity_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_severity_get_type (void);

JM_AVAILABLE_IN_ALL
const char *jm_severity_get_name (JmSeverity severity);

/**
 * JmFinding:
 *
 * Something that was found out about a node: an immutable record, shared by reference.
 *
 * Since: 0.1
 */
typedef struct _JmFinding JmFinding;

#define JM_TYPE_FINDING (jm_finding_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_finding_get_type (void);

JM_AVAILABLE_IN_ALL
JmFinding *jm_finding_ref (JmFinding *self);

JM_AVAILABLE_IN_ALL
void jm_finding_unref (JmFinding *self);

JM_AVAILABLE_IN_ALL
JmSeverity jm_finding_get_severity (JmFinding *self);

JM_AVAILABLE_IN_ALL
const char *jm_finding_get_topic (JmFinding *self);

JM_AVAILABLE_IN_ALL
const char *jm_finding_get_seen (JmFinding *self);

JM_AVAILABLE_IN_ALL
const char *jm_finding_get_remedy (JmFinding *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmFinding, jm_finding_unref)

JM_AVAILABLE_IN_ALL
GPtrArray *jm_doctor_examine (JmHost *host,
                              const char *const *schedulers,
                              const char *node_name,
                              const char *const *power_sources,
                              const char *const *gpu_sources,
                              const char *const *emission_providers);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_doctor_examine_scheduler (JmHost *host,
                                        const char *definition,
                                        const char *const *schedulers,
                                        const char *node_name,
                                        const char *const *paths);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_doctor_examine_ledger (JmHost *host, const char *path, guint64 max_bytes);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_doctor_examine_exporters (const char *node, const char *server);

G_END_DECLS
