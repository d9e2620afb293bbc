/* jm-gridengine-log.h: the runs in Grid Engine's accounting file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-history.h"

G_BEGIN_DECLS

#define JM_TYPE_GRID_ENGINE_LOG (jm_grid_engine_log_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmGridEngineLog,
                      jm_grid_engine_log,
                      JM,
                      GRID_ENGINE_LOG,
                      JmSource)

G_END_DECLS
