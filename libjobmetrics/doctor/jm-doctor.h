/* jm-doctor.h: what is readable on a node, what is missing, and what mends it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "doctor/jm-finding.h"
#include "host/jm-host.h"

G_BEGIN_DECLS

JM_AVAILABLE_IN_ALL
char **jm_doctor_list_topics (void);

JM_AVAILABLE_IN_ALL
GPtrArray *
jm_doctor_examine (JmHost *host, const char *const *schedulers, const char *node_name);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_doctor_examine_full (JmHost *host,
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

G_END_DECLS
