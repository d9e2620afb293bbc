/* jm-slurm-metrics.h: a Slurm that is asked for its own metrics
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-scheduler.h"

G_BEGIN_DECLS

#define JM_TYPE_SLURM_METRICS (jm_slurm_metrics_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmSlurmMetrics, jm_slurm_metrics, JM, SLURM_METRICS, JmSource)

G_END_DECLS
