/* jm-slurm-commands.h: a Slurm that is asked by its commands
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-scheduler-commands.h"

G_BEGIN_DECLS

#define JM_TYPE_SLURM_COMMANDS (jm_slurm_commands_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmSlurmCommands,
                      jm_slurm_commands,
                      JM,
                      SLURM_COMMANDS,
                      JmSchedulerCommands)

G_END_DECLS
