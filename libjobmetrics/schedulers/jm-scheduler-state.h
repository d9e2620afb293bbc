/* jm-scheduler-state.h: states of jobs and nodes, as a scheduler has them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "core/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmSchedulerJobState:
 * @JM_SCHEDULER_JOB_STATE_UNKNOWN: not told, or a word that is not known; where flags
 *   stand in place of it, they are told
 * @JM_SCHEDULER_JOB_STATE_PENDING: it waits
 * @JM_SCHEDULER_JOB_STATE_RUNNING: it runs
 * @JM_SCHEDULER_JOB_STATE_SUSPENDED: it has its nodes, and does not run
 * @JM_SCHEDULER_JOB_STATE_COMPLETED: it ended well
 * @JM_SCHEDULER_JOB_STATE_CANCELLED: somebody ended it
 * @JM_SCHEDULER_JOB_STATE_FAILED: it ended with an error
 * @JM_SCHEDULER_JOB_STATE_TIMEOUT: it reached its time limit
 * @JM_SCHEDULER_JOB_STATE_NODE_FAIL: a node of it failed
 * @JM_SCHEDULER_JOB_STATE_PREEMPTED: it made room for another
 * @JM_SCHEDULER_JOB_STATE_BOOT_FAIL: its nodes did not boot
 * @JM_SCHEDULER_JOB_STATE_DEADLINE: it could not end before its deadline
 * @JM_SCHEDULER_JOB_STATE_OUT_OF_MEMORY: it was killed for its memory
 *
 * What a job does. It has one of these, and any number of #JmSchedulerJobFlag.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_SCHEDULER_JOB_STATE_UNKNOWN,
  JM_SCHEDULER_JOB_STATE_PENDING,
  JM_SCHEDULER_JOB_STATE_RUNNING,
  JM_SCHEDULER_JOB_STATE_SUSPENDED,
  JM_SCHEDULER_JOB_STATE_COMPLETED,
  JM_SCHEDULER_JOB_STATE_CANCELLED,
  JM_SCHEDULER_JOB_STATE_FAILED,
  JM_SCHEDULER_JOB_STATE_TIMEOUT,
  JM_SCHEDULER_JOB_STATE_NODE_FAIL,
  JM_SCHEDULER_JOB_STATE_PREEMPTED,
  JM_SCHEDULER_JOB_STATE_BOOT_FAIL,
  JM_SCHEDULER_JOB_STATE_DEADLINE,
  JM_SCHEDULER_JOB_STATE_OUT_OF_MEMORY,
} JmSchedulerJobState;

/**
 * JM_N_SCHEDULER_JOB_STATES:
 *
 * How many #JmSchedulerJobState there are.
 *
 * Since: 0.1
 */
#define JM_N_SCHEDULER_JOB_STATES (JM_SCHEDULER_JOB_STATE_OUT_OF_MEMORY + 1)

/**
 * JmSchedulerNodeState:
 * @JM_SCHEDULER_NODE_STATE_UNKNOWN: not told, or a word that is not known
 * @JM_SCHEDULER_NODE_STATE_DOWN: out of service
 * @JM_SCHEDULER_NODE_STATE_IDLE: no job is on it
 * @JM_SCHEDULER_NODE_STATE_ALLOCATED: jobs have all of it
 * @JM_SCHEDULER_NODE_STATE_ERROR: in error
 * @JM_SCHEDULER_NODE_STATE_MIXED: jobs have a part of it
 * @JM_SCHEDULER_NODE_STATE_FUTURE: to come
 *
 * What a node does. It has one of these, and any number of #JmSchedulerNodeFlag.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_SCHEDULER_NODE_STATE_UNKNOWN,
  JM_SCHEDULER_NODE_STATE_DOWN,
  JM_SCHEDULER_NODE_STATE_IDLE,
  JM_SCHEDULER_NODE_STATE_ALLOCATED,
  JM_SCHEDULER_NODE_STATE_ERROR,
  JM_SCHEDULER_NODE_STATE_MIXED,
  JM_SCHEDULER_NODE_STATE_FUTURE,
} JmSchedulerNodeState;

/**
 * JM_N_SCHEDULER_NODE_STATES:
 *
 * How many #JmSchedulerNodeState there are.
 *
 * Since: 0.1
 */
#define JM_N_SCHEDULER_NODE_STATES (JM_SCHEDULER_NODE_STATE_FUTURE + 1)

/**
 * JmSchedulerJobFlag:
 * @JM_SCHEDULER_JOB_FLAG_LAUNCH_FAILED: it could not be started
 * @JM_SCHEDULER_JOB_FLAG_REQUEUED: it goes back to the queue
 * @JM_SCHEDULER_JOB_FLAG_REQUEUE_HOLD: it went back to the queue, and is held there
 * @JM_SCHEDULER_JOB_FLAG_SPECIAL_EXIT: it ended in a way that is looked out for
 * @JM_SCHEDULER_JOB_FLAG_RESIZING: its size is about to change
 * @JM_SCHEDULER_JOB_FLAG_CONFIGURING: its nodes are made ready
 * @JM_SCHEDULER_JOB_FLAG_COMPLETING: it is being cleaned up
 * @JM_SCHEDULER_JOB_FLAG_STOPPED: it has its nodes and CPUs, and is stopped
 * @JM_SCHEDULER_JOB_FLAG_RECONFIG_FAIL: its nodes could not be made ready
 * @JM_SCHEDULER_JOB_FLAG_POWER_UP_NODE: its nodes are powered up
 * @JM_SCHEDULER_JOB_FLAG_REVOKED: it runs in another cluster
 * @JM_SCHEDULER_JOB_FLAG_REQUEUE_FED: its federation puts it back to the queue
 * @JM_SCHEDULER_JOB_FLAG_RESV_DEL_HOLD: held, since its reservation was deleted
 * @JM_SCHEDULER_JOB_FLAG_SIGNALING: it is sent a signal
 * @JM_SCHEDULER_JOB_FLAG_STAGE_OUT: its data are written back
 * @JM_SCHEDULER_JOB_FLAG_EXPEDITING: it is started again before others
 *
 * What is told of a job beside its state: the number of a bit.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_SCHEDULER_JOB_FLAG_LAUNCH_FAILED,
  JM_SCHEDULER_JOB_FLAG_REQUEUED,
  JM_SCHEDULER_JOB_FLAG_REQUEUE_HOLD,
  JM_SCHEDULER_JOB_FLAG_SPECIAL_EXIT,
  JM_SCHEDULER_JOB_FLAG_RESIZING,
  JM_SCHEDULER_JOB_FLAG_CONFIGURING,
  JM_SCHEDULER_JOB_FLAG_COMPLETING,
  JM_SCHEDULER_JOB_FLAG_STOPPED,
  JM_SCHEDULER_JOB_FLAG_RECONFIG_FAIL,
  JM_SCHEDULER_JOB_FLAG_POWER_UP_NODE,
  JM_SCHEDULER_JOB_FLAG_REVOKED,
  JM_SCHEDULER_JOB_FLAG_REQUEUE_FED,
  JM_SCHEDULER_JOB_FLAG_RESV_DEL_HOLD,
  JM_SCHEDULER_JOB_FLAG_SIGNALING,
  JM_SCHEDULER_JOB_FLAG_STAGE_OUT,
  JM_SCHEDULER_JOB_FLAG_EXPEDITING,
} JmSchedulerJobFlag;

/**
 * JM_N_SCHEDULER_JOB_FLAGS:
 *
 * How many #JmSchedulerJobFlag there are.
 *
 * Since: 0.1
 */
#define JM_N_SCHEDULER_JOB_FLAGS (JM_SCHEDULER_JOB_FLAG_EXPEDITING + 1)

/**
 * JmSchedulerNodeFlag:
 * @JM_SCHEDULER_NODE_FLAG_RESERVED: in a reservation
 * @JM_SCHEDULER_NODE_FLAG_CLOUD: of a cloud
 * @JM_SCHEDULER_NODE_FLAG_DRAIN: it gets no new jobs
 * @JM_SCHEDULER_NODE_FLAG_COMPLETING: a job on it is being cleaned up
 * @JM_SCHEDULER_NODE_FLAG_NOT_RESPONDING: it does not answer
 * @JM_SCHEDULER_NODE_FLAG_POWERED_DOWN: without power
 * @JM_SCHEDULER_NODE_FLAG_FAIL: about to fail
 * @JM_SCHEDULER_NODE_FLAG_POWERING_UP: it boots
 * @JM_SCHEDULER_NODE_FLAG_MAINTENANCE: in a reservation for maintenance
 * @JM_SCHEDULER_NODE_FLAG_REBOOT_REQUESTED: to be booted once it is free
 * @JM_SCHEDULER_NODE_FLAG_REBOOT_ISSUED: it boots again
 * @JM_SCHEDULER_NODE_FLAG_PLANNED: kept free for a larger job
 * @JM_SCHEDULER_NODE_FLAG_INVALID_REG: what it has is not what it should have
 * @JM_SCHEDULER_NODE_FLAG_POWER_DOWN: to lose its power once it is free
 * @JM_SCHEDULER_NODE_FLAG_POWER_UP: to get power
 * @JM_SCHEDULER_NODE_FLAG_POWERING_DOWN: it is losing its power
 * @JM_SCHEDULER_NODE_FLAG_DYNAMIC_FUTURE: came of a node to come
 * @JM_SCHEDULER_NODE_FLAG_DYNAMIC_NORM: came by itself
 * @JM_SCHEDULER_NODE_FLAG_BLOCKED: another job has it for itself
 * @JM_SCHEDULER_NODE_FLAG_EXTERNAL: not run by the scheduler
 *
 * What is told of a node beside its state: the number of a bit.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_SCHEDULER_NODE_FLAG_RESERVED,
  JM_SCHEDULER_NODE_FLAG_CLOUD,
  JM_SCHEDULER_NODE_FLAG_DRAIN,
  JM_SCHEDULER_NODE_FLAG_COMPLETING,
  JM_SCHEDULER_NODE_FLAG_NOT_RESPONDING,
  JM_SCHEDULER_NODE_FLAG_POWERED_DOWN,
  JM_SCHEDULER_NODE_FLAG_FAIL,
  JM_SCHEDULER_NODE_FLAG_POWERING_UP,
  JM_SCHEDULER_NODE_FLAG_MAINTENANCE,
  JM_SCHEDULER_NODE_FLAG_REBOOT_REQUESTED,
  JM_SCHEDULER_NODE_FLAG_REBOOT_ISSUED,
  JM_SCHEDULER_NODE_FLAG_PLANNED,
  JM_SCHEDULER_NODE_FLAG_INVALID_REG,
  JM_SCHEDULER_NODE_FLAG_POWER_DOWN,
  JM_SCHEDULER_NODE_FLAG_POWER_UP,
  JM_SCHEDULER_NODE_FLAG_POWERING_DOWN,
  JM_SCHEDULER_NODE_FLAG_DYNAMIC_FUTURE,
  JM_SCHEDULER_NODE_FLAG_DYNAMIC_NORM,
  JM_SCHEDULER_NODE_FLAG_BLOCKED,
  JM_SCHEDULER_NODE_FLAG_EXTERNAL,
} JmSchedulerNodeFlag;

/**
 * JM_N_SCHEDULER_NODE_FLAGS:
 *
 * How many #JmSchedulerNodeFlag there are.
 *
 * Since: 0.1
 */
#define JM_N_SCHEDULER_NODE_FLAGS (JM_SCHEDULER_NODE_FLAG_EXTERNAL + 1)

JM_AVAILABLE_IN_ALL
const char *jm_scheduler_job_state_get_name (JmSchedulerJobState state);

JM_AVAILABLE_IN_ALL
gboolean jm_scheduler_job_state_has_ended (JmSchedulerJobState state);

JM_AVAILABLE_IN_ALL
const char *jm_scheduler_job_flag_get_name (JmSchedulerJobFlag flag);

JM_AVAILABLE_IN_ALL
const char *jm_scheduler_node_state_get_name (JmSchedulerNodeState state);

JM_AVAILABLE_IN_ALL
const char *jm_scheduler_node_flag_get_name (JmSchedulerNodeFlag flag);

G_END_DECLS
