/* jm-gridengine-commands.h: a Grid Engine that is asked by its commands
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-scheduler-commands.h"

G_BEGIN_DECLS

#define JM_TYPE_GRID_ENGINE_COMMANDS (jm_grid_engine_commands_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmGridEngineCommands,
                      jm_grid_engine_commands,
                      JM,
                      GRID_ENGINE_COMMANDS,
                      JmSchedulerCommands)

G_END_DECLS
