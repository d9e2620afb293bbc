/* jm-slurm-rest.h: a Slurm that is asked through slurmrestd
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-scheduler.h"

G_BEGIN_DECLS

#define JM_TYPE_SLURM_REST (jm_slurm_rest_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmSlurmRest, jm_slurm_rest, JM, SLURM_REST, JmSource)

G_END_DECLS
