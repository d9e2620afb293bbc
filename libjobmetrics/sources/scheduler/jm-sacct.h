/* jm-sacct.h: the runs that Slurm's accounting knows
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-history.h"

G_BEGIN_DECLS

#define JM_TYPE_SACCT (jm_sacct_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmSacct, jm_sacct, JM, SACCT, JmSource)

G_END_DECLS
