/* jm-scheduler-state.c: states of jobs and nodes, as a scheduler has them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-records.h"

#include "schedulers/jm-scheduler-report-private.h"

static const char *const job_state_names[JM_N_SCHEDULER_JOB_STATES] = {
  [JM_SCHEDULER_JOB_STATE_UNKNOWN] = "unknown",
  [JM_SCHEDULER_JOB_STATE_PENDING] = "pending",
  [JM_SCHEDULER_JOB_STATE_RUNNING] = "running",
  [JM_SCHEDULER_JOB_STATE_SUSPENDED] = "suspended",
  [JM_SCHEDULER_JOB_STATE_COMPLETED] = "completed",
  [JM_SCHEDULER_JOB_STATE_CANCELLED] = "cancelled",
  [JM_SCHEDULER_JOB_STATE_FAILED] = "failed",
  [JM_SCHEDULER_JOB_STATE_TIMEOUT] = "timeout",
  [JM_SCHEDULER_JOB_STATE_NODE_FAIL] = "node_fail",
  [JM_SCHEDULER_JOB_STATE_PREEMPTED] = "preempted",
  [JM_SCHEDULER_JOB_STATE_BOOT_FAIL] = "boot_fail",
  [JM_SCHEDULER_JOB_STATE_DEADLINE] = "deadline",
  [JM_SCHEDULER_JOB_STATE_OUT_OF_MEMORY] = "out_of_memory",
};

static const char *const job_flag_names[JM_N_SCHEDULER_JOB_FLAGS] = {
  [JM_SCHEDULER_JOB_FLAG_LAUNCH_FAILED] = "launch_failed",
  [JM_SCHEDULER_JOB_FLAG_REQUEUED] = "requeued",
  [JM_SCHEDULER_JOB_FLAG_REQUEUE_HOLD] = "requeue_hold",
  [JM_SCHEDULER_JOB_FLAG_SPECIAL_EXIT] = "special_exit",
  [JM_SCHEDULER_JOB_FLAG_RESIZING] = "resizing",
  [JM_SCHEDULER_JOB_FLAG_CONFIGURING] = "configuring",
  [JM_SCHEDULER_JOB_FLAG_COMPLETING] = "completing",
  [JM_SCHEDULER_JOB_FLAG_STOPPED] = "stopped",
  [JM_SCHEDULER_JOB_FLAG_RECONFIG_FAIL] = "reconfig_fail",
  [JM_SCHEDULER_JOB_FLAG_POWER_UP_NODE] = "power_up_node",
  [JM_SCHEDULER_JOB_FLAG_REVOKED] = "revoked",
  [JM_SCHEDULER_JOB_FLAG_REQUEUE_FED] = "requeue_fed",
  [JM_SCHEDULER_JOB_FLAG_RESV_DEL_HOLD] = "resv_del_hold",
  [JM_SCHEDULER_JOB_FLAG_SIGNALING] = "signaling",
  [JM_SCHEDULER_JOB_FLAG_STAGE_OUT] = "stage_out",
  [JM_SCHEDULER_JOB_FLAG_EXPEDITING] = "expediting",
};

static const char *const node_state_names[JM_N_SCHEDULER_NODE_STATES] = {
  [JM_SCHEDULER_NODE_STATE_UNKNOWN] = "unknown",
  [JM_SCHEDULER_NODE_STATE_DOWN] = "down",
  [JM_SCHEDULER_NODE_STATE_IDLE] = "idle",
  [JM_SCHEDULER_NODE_STATE_ALLOCATED] = "allocated",
  [JM_SCHEDULER_NODE_STATE_ERROR] = "error",
  [JM_SCHEDULER_NODE_STATE_MIXED] = "mixed",
  [JM_SCHEDULER_NODE_STATE_FUTURE] = "future",
};

static const char *const node_flag_names[JM_N_SCHEDULER_NODE_FLAGS] = {
  [JM_SCHEDULER_NODE_FLAG_RESERVED] = "reserved",
  [JM_SCHEDULER_NODE_FLAG_CLOUD] = "cloud",
  [JM_SCHEDULER_NODE_FLAG_DRAIN] = "drain",
  [JM_SCHEDULER_NODE_FLAG_COMPLETING] = "completing",
  [JM_SCHEDULER_NODE_FLAG_NOT_RESPONDING] = "not_responding",
  [JM_SCHEDULER_NODE_FLAG_POWERED_DOWN] = "powered_down",
  [JM_SCHEDULER_NODE_FLAG_FAIL] = "fail",
  [JM_SCHEDULER_NODE_FLAG_POWERING_UP] = "powering_up",
  [JM_SCHEDULER_NODE_FLAG_MAINTENANCE] = "maintenance",
  [JM_SCHEDULER_NODE_FLAG_REBOOT_REQUESTED] = "reboot_requested",
  [JM_SCHEDULER_NODE_FLAG_REBOOT_ISSUED] = "reboot_issued",
  [JM_SCHEDULER_NODE_FLAG_PLANNED] = "planned",
  [JM_SCHEDULER_NODE_FLAG_INVALID_REG] = "invalid_reg",
  [JM_SCHEDULER_NODE_FLAG_POWER_DOWN] = "power_down",
  [JM_SCHEDULER_NODE_FLAG_POWER_UP] = "power_up",
  [JM_SCHEDULER_NODE_FLAG_POWERING_DOWN] = "powering_down",
  [JM_SCHEDULER_NODE_FLAG_DYNAMIC_FUTURE] = "dynamic_future",
  [JM_SCHEDULER_NODE_FLAG_DYNAMIC_NORM] = "dynamic_norm",
  [JM_SCHEDULER_NODE_FLAG_BLOCKED] = "blocked",
  [JM_SCHEDULER_NODE_FLAG_EXTERNAL] = "external",
};

/**
 * jm_scheduler_job_state_get_name:
 * @state: a state
 *
 * Gets the value of the label.
 *
 * Returns: the name, in small letters
 * Since: 0.1
 */
const char *
jm_scheduler_job_state_get_name (JmSchedulerJobState state)
{
  g_return_val_if_fail ((guint) state < JM_N_SCHEDULER_JOB_STATES, NULL);

  return job_state_names[state];
}

/**
 * jm_scheduler_job_state_has_ended:
 * @state: a state
 *
 * Looks whether a job of this state will not run any more.
 *
 * Returns: whether the job has ended
 * Since: 0.1
 */
gboolean
jm_scheduler_job_state_has_ended (JmSchedulerJobState state)
{
  return state > JM_SCHEDULER_JOB_STATE_SUSPENDED;
}

const char *
jm_scheduler_job_flag_get_name (JmSchedulerJobFlag flag)
{
  g_return_val_if_fail ((guint) flag < JM_N_SCHEDULER_JOB_FLAGS, NULL);

  return job_flag_names[flag];
}

/**
 * jm_scheduler_node_state_get_name:
 * @state: a state
 *
 * Gets the value of the label.
 *
 * Returns: the name, in small letters
 * Since: 0.1
 */
const char *
jm_scheduler_node_state_get_name (JmSchedulerNodeState state)
{
  g_return_val_if_fail ((guint) state < JM_N_SCHEDULER_NODE_STATES, NULL);

  return node_state_names[state];
}

const char *
jm_scheduler_node_flag_get_name (JmSchedulerNodeFlag flag)
{
  g_return_val_if_fail ((guint) flag < JM_N_SCHEDULER_NODE_FLAGS, NULL);

  return node_flag_names[flag];
}
