/* jm-scheduler-types-private.h: the schedulers and histories that are opened by name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "schedulers/jm-accounting-private.h"
#include "schedulers/jm-scheduler-commands-private.h"
#include "schedulers/jm-scheduler.h"

G_BEGIN_DECLS

#define JM_TYPE_GRID_ENGINE_COMMANDS (jm_grid_engine_commands_get_type ())

G_DECLARE_FINAL_TYPE (JmGridEngineCommands,
                      jm_grid_engine_commands,
                      JM,
                      GRID_ENGINE_COMMANDS,
                      JmSchedulerCommands)

#define JM_TYPE_GRID_ENGINE_LOG (jm_grid_engine_log_get_type ())

G_DECLARE_FINAL_TYPE (JmGridEngineLog,
                      jm_grid_engine_log,
                      JM,
                      GRID_ENGINE_LOG,
                      JmSource)

#define JM_TYPE_HTCONDOR_HISTORY (jm_htcondor_history_get_type ())

G_DECLARE_FINAL_TYPE (JmHtcondorHistory,
                      jm_htcondor_history,
                      JM,
                      HTCONDOR_HISTORY,
                      JmAccounting)

#define JM_TYPE_PBS_COMMANDS (jm_pbs_commands_get_type ())

G_DECLARE_FINAL_TYPE (JmPbsCommands,
                      jm_pbs_commands,
                      JM,
                      PBS_COMMANDS,
                      JmSchedulerCommands)

#define JM_TYPE_PBS_LOG (jm_pbs_log_get_type ())

G_DECLARE_FINAL_TYPE (JmPbsLog, jm_pbs_log, JM, PBS_LOG, JmSource)

#define JM_TYPE_SACCT (jm_sacct_get_type ())

G_DECLARE_FINAL_TYPE (JmSacct, jm_sacct, JM, SACCT, JmAccounting)

#define JM_TYPE_SLURM_COMMANDS (jm_slurm_commands_get_type ())

G_DECLARE_FINAL_TYPE (JmSlurmCommands,
                      jm_slurm_commands,
                      JM,
                      SLURM_COMMANDS,
                      JmSchedulerCommands)

#define JM_TYPE_SLURM_METRICS (jm_slurm_metrics_get_type ())

G_DECLARE_FINAL_TYPE (JmSlurmMetrics, jm_slurm_metrics, JM, SLURM_METRICS, JmSource)

#define JM_TYPE_SLURM_REST_HISTORY (jm_slurm_rest_history_get_type ())

G_DECLARE_FINAL_TYPE (JmSlurmRestHistory,
                      jm_slurm_rest_history,
                      JM,
                      SLURM_REST_HISTORY,
                      JmAccounting)

#define JM_TYPE_SLURMDBD (jm_slurmdbd_get_type ())

G_DECLARE_FINAL_TYPE (JmSlurmdbd, jm_slurmdbd, JM, SLURMDBD, JmAccounting)

G_END_DECLS
