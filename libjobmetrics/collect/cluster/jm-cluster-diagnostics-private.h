/* jm-cluster-diagnostics-private.h: how a scheduler is doing
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/cluster/jm-cluster-teller-private.h"
#include "sources/scheduler/jm-scheduler-report.h"

G_BEGIN_DECLS

void jm_cluster_tell_diagnostics (const JmClusterTeller *teller,
                                  JmSchedulerReport *report);

G_END_DECLS
