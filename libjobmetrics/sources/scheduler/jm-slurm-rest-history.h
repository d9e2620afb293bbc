/* jm-slurm-rest-history.h: the runs of Slurm's accounting, as slurmrestd tells them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-history.h"

G_BEGIN_DECLS

#define JM_TYPE_SLURM_REST_HISTORY (jm_slurm_rest_history_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmSlurmRestHistory,
                      jm_slurm_rest_history,
                      JM,
                      SLURM_REST_HISTORY,
                      JmSource)

G_END_DECLS
