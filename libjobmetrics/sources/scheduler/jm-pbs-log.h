/* jm-pbs-log.h: the runs in PBS's accounting logs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-history.h"

G_BEGIN_DECLS

#define JM_TYPE_PBS_LOG (jm_pbs_log_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmPbsLog, jm_pbs_log, JM, PBS_LOG, JmSource)

G_END_DECLS
