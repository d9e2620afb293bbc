/* jm-pbs-commands.h: a PBS that is asked by its commands
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-scheduler-commands.h"

G_BEGIN_DECLS

#define JM_TYPE_PBS_COMMANDS (jm_pbs_commands_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmPbsCommands,
                      jm_pbs_commands,
                      JM,
                      PBS_COMMANDS,
                      JmSchedulerCommands)

G_END_DECLS
