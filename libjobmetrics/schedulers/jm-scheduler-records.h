/* jm-scheduler-records.h: what a scheduler reports of its jobs, nodes and accounts
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmSchedulerJobState:
 * @JM_SCHEDULER_JOB_STATE_UNKNOWN: not reported, or an unknown word; the flags may show
 *   more
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
 * @JM_SCHEDULER_NODE_STATE_UNKNOWN: not reported, or an unknown word
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
 * Flags of a job beside its state: the number of a bit.
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
 * Flags of a node beside its state: the number of a bit.
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
const char *jm_scheduler_node_state_get_name (JmSchedulerNodeState state);

/* In all of these, what was not reported is %NULL for a text, -1 for a count, 0 for a
 * time and NAN for a ratio. The texts belong to the report. */

/**
 * JmSchedulerGpus:
 * @type: the model, or %NULL where none is reported
 * @gres: `gpu`, `shard` or `mps`
 * @total: of a node, how many there are; of a job, how many it asked for; -1 where that
 *   is not reported
 * @allocated: how many are in use, or -1 where that is not reported
 *
 * GPUs, or shares of them, of one kind.
 *
 * Since: 0.1
 */
typedef struct
{
  const char *gres;
  const char *type;
  gint64 total;
  gint64 allocated;
} JmSchedulerGpus;

/**
 * JmSchedulerSum:
 * @JM_SCHEDULER_SUM_NONE: a job, or tasks of an array
 * @JM_SCHEDULER_SUM_CLUSTER: the jobs of the cluster
 * @JM_SCHEDULER_SUM_PARTITION: the jobs of a partition
 * @JM_SCHEDULER_SUM_ACCOUNT: the jobs of an account
 * @JM_SCHEDULER_SUM_USER: the jobs of a user
 *
 * What a record of the queue is. Where a scheduler reports sums, not jobs, it has
 * several records of each cluster, partition, account and user:
 *
 * - of each state one, with the jobs that are in it as #JmSchedulerJob.tasks, and with
 *   what all of them have;
 * - of each flag one, which counts those that have it, whatever else they do. Its state
 *   is unknown, and it does not count as jobs.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_SCHEDULER_SUM_NONE,
  JM_SCHEDULER_SUM_CLUSTER,
  JM_SCHEDULER_SUM_PARTITION,
  JM_SCHEDULER_SUM_ACCOUNT,
  JM_SCHEDULER_SUM_USER,
} JmSchedulerSum;

/**
 * JM_N_SCHEDULER_SUMS:
 *
 * How many #JmSchedulerSum there are.
 *
 * Since: 0.1
 */
#define JM_N_SCHEDULER_SUMS (JM_SCHEDULER_SUM_USER + 1)

/**
 * JmSchedulerJob:
 * @id: as users see it, such as `123_[1-1000%5]`
 * @raw_id: the scheduler's own number, where its accounting calls the job by it and by
 *   nothing else
 * @sluid: Slurm's unique id, or %NULL
 * @user: user name
 * @account: account that is charged
 * @partitions: with commas: a job may wait in several
 * @qos: quality of service
 * @name: the job's name
 * @reason: why it waits
 * @reservation: that it is in
 * @features: that it asks for
 * @licenses: that it asks for
 * @node_list: its nodes, in the scheduler's brackets
 * @other_flags: with commas, flags that are not in #JmSchedulerJobFlag
 * @sum_of: whose jobs it is a sum of, or that it is none
 * @state: what it does
 * @flags: a bit for each #JmSchedulerJobFlag
 * @uid: numeric user id
 * @array_job_id: of the array that it is of
 * @array_task_id: of one task of an array
 * @het_job_id: of the heterogeneous job that it is of
 * @het_job_offset: of one component of it
 * @tasks: how many jobs this record stands for: of a sum all of them; else tasks of an
 *   array that wait, and all else is that of one of them
 * @nodes: how many nodes it has or asks for
 * @cpus_requested: how many CPUs it asked for
 * @cpus_allocated: how many it has
 * @memory_requested_bytes: the memory that it asked for
 * @memory_allocated_bytes: the memory that it has
 * @gpus_requested: how many GPUs it asked for, of all types
 * @gpus_allocated: how many it has, of all types
 * @time_limit_seconds: how long it may run; -1 also where there is no limit
 * @priority: the scheduler's
 * @restarts: how often it was begun anew
 * @submit_time: seconds since 1970
 * @eligible_time: since when it might run, seconds since 1970
 * @start_time: of a job that waits, when it is expected to start
 * @end_time: of a job that runs, when it has to be over
 * @first_gpus: the place of its first #JmSchedulerGpus in the report
 * @n_gpus: how many of them it has, each of another type
 *
 * A job in the queue.
 *
 * Since: 0.1
 */
typedef struct
{
  const char *id;
  const char *sluid;
  const char *user;
  const char *account;
  const char *partitions;
  const char *qos;
  const char *name;
  const char *reason;
  const char *reservation;
  const char *features;
  const char *licenses;
  const char *node_list;
  const char *other_flags;
  JmSchedulerSum sum_of;
  JmSchedulerJobState state;
  guint flags;
  gint64 raw_id;
  gint64 uid;
  gint64 array_job_id;
  gint64 array_task_id;
  gint64 het_job_id;
  gint64 het_job_offset;
  gint64 tasks;
  gint64 nodes;
  gint64 cpus_requested;
  gint64 cpus_allocated;
  gint64 memory_requested_bytes;
  gint64 memory_allocated_bytes;
  gint64 gpus_requested;
  gint64 gpus_allocated;
  gint64 time_limit_seconds;
  gint64 priority;
  gint64 restarts;
  gint64 submit_time;
  gint64 eligible_time;
  gint64 start_time;
  gint64 end_time;
  guint first_gpus;
  guint n_gpus;
} JmSchedulerJob;

/**
 * JmSchedulerNode:
 * @name: the node's name
 * @partitions: with commas
 * @features: that are active now
 * @reservation: that it is in
 * @version: of the scheduler's daemon on it
 * @reason: why it is drained or down
 * @reason_user: the user who gave that reason
 * @other_flags: with commas, flags that are not in #JmSchedulerNodeFlag
 * @state: what it does
 * @flags: a bit for each #JmSchedulerNodeFlag
 * @cpus: that jobs may have
 * @cpus_allocated: that jobs have
 * @cpus_idle: that a job could have now
 * @cpus_other: neither: of a node that is drained or down
 * @memory_bytes: that jobs may have
 * @memory_allocated_bytes: that jobs have
 * @memory_free_bytes: that the node's kernel has left
 * @gpus: how many GPUs it has, of all types
 * @gpus_allocated: that jobs have, of all types
 * @weight: the scheduler's: the least is used first
 * @load: the node's load average, or NAN
 * @reason_time: since when, seconds since 1970
 * @boot_time: seconds since 1970
 * @first_gpus: the place of its first #JmSchedulerGpus in the report
 * @n_gpus: how many of them it has, each of another type
 *
 * A node of the cluster.
 *
 * Since: 0.1
 */
typedef struct
{
  const char *name;
  const char *partitions;
  const char *features;
  const char *reservation;
  const char *version;
  const char *reason;
  const char *reason_user;
  const char *other_flags;
  JmSchedulerNodeState state;
  guint flags;
  gint64 cpus;
  gint64 cpus_allocated;
  gint64 cpus_idle;
  gint64 cpus_other;
  gint64 memory_bytes;
  gint64 memory_allocated_bytes;
  gint64 memory_free_bytes;
  gint64 gpus;
  gint64 gpus_allocated;
  gint64 weight;
  double load;
  gint64 reason_time;
  gint64 boot_time;
  guint first_gpus;
  guint n_gpus;
} JmSchedulerNode;

/**
 * JmSchedulerPartition:
 * @name: the partition's name
 * @state: such as `UP`, `DOWN`, `DRAIN`, `INACTIVE`
 * @node_list: its nodes, in the scheduler's brackets
 * @qos: that limits it
 * @is_default: 1 of the partition of jobs that name none, else 0
 * @nodes: how many nodes it has
 * @cpus: how many CPUs it has
 * @memory_bytes: the memory of all its nodes
 * @gpus: how many GPUs it has
 * @max_nodes: that a job may have; -1 also where there is no limit
 * @max_time_seconds: that a job may run; -1 also where there is no limit
 * @default_time_seconds: of a job that asks for none
 * @priority_tier: jobs of a higher one come first
 *
 * A partition of the cluster.
 *
 * Since: 0.1
 */
typedef struct
{
  const char *name;
  const char *state;
  const char *node_list;
  const char *qos;
  gint64 is_default;
  gint64 nodes;
  gint64 cpus;
  gint64 memory_bytes;
  gint64 gpus;
  gint64 max_nodes;
  gint64 max_time_seconds;
  gint64 default_time_seconds;
  gint64 priority_tier;
} JmSchedulerPartition;

/**
 * JmSchedulerReservation:
 * @name: the reservation's name
 * @state: such as `ACTIVE`
 * @partition: that its nodes are of
 * @node_list: its nodes, in the scheduler's brackets
 * @users: who may use it, with commas
 * @accounts: that may use it, with commas
 * @flags: with commas
 * @start_time: seconds since 1970
 * @end_time: seconds since 1970
 * @nodes: how many nodes it has
 * @cores: how many cores it has
 * @cpus: how many CPUs it has
 *
 * What is kept for somebody.
 *
 * Since: 0.1
 */
typedef struct
{
  const char *name;
  const char *state;
  const char *partition;
  const char *node_list;
  const char *users;
  const char *accounts;
  const char *flags;
  gint64 start_time;
  gint64 end_time;
  gint64 nodes;
  gint64 cores;
  gint64 cpus;
} JmSchedulerReservation;

/**
 * JmSchedulerLicense:
 * @name: the licence's name
 * @is_remote: 1 where a server elsewhere counts it, else 0
 * @total: how many there are
 * @used: how many jobs have
 * @free: how many a job could have
 * @reserved: how many are kept for reservations
 * @last_consumed: how many a server elsewhere last reported as in use
 * @last_deficit: by how many that exceeds what this cluster may count on
 *
 * Licences that jobs may ask for.
 *
 * Since: 0.1
 */
typedef struct
{
  const char *name;
  gint64 is_remote;
  gint64 total;
  gint64 used;
  gint64 free;
  gint64 reserved;
  gint64 last_consumed;
  gint64 last_deficit;
} JmSchedulerLicense;

/**
 * JmSchedulerShare:
 * @account: the account
 * @user: the user, or %NULL of the account as a whole
 * @partition: that it is for, or %NULL for all
 * @raw_shares: as they were given out; -1 also of one that has its parent's
 * @norm_shares: the part of the whole that was given
 * @raw_usage: seconds of CPU, weighed and decayed
 * @norm_usage: the part of the whole that was used
 * @effective_usage: as the priority has it
 * @fair_share: 0 to 1
 * @level_fair_share: shares by usage among brothers; infinite where nothing was used
 *
 * What somebody was promised, and had.
 *
 * Since: 0.1
 */
typedef struct
{
  const char *account;
  const char *user;
  const char *partition;
  gint64 raw_shares;
  double norm_shares;
  double raw_usage;
  double norm_usage;
  double effective_usage;
  double fair_share;
  double level_fair_share;
} JmSchedulerShare;

/**
 * JmSchedulerLimit:
 * @account: the account, or %NULL of a quality of service
 * @user: the user, or %NULL of the account as a whole
 * @partition: that it is for, or %NULL for all
 * @qos: the quality of service that it is of, or %NULL of an association
 * @group_cpus: CPUs that all their jobs may have at once
 * @group_memory_bytes: memory that all their jobs may have at once
 * @group_nodes: nodes that all their jobs may have at once
 * @group_gpus: GPUs that all their jobs may have at once
 * @group_jobs: how many of their jobs may run
 * @group_submit: how many of their jobs may run or wait
 * @group_wall_seconds: how long their jobs may have run in all
 * @user_cpus: of a quality of service, CPUs that each user's jobs may have at once
 * @user_memory_bytes: the same of memory
 * @user_nodes: the same of nodes
 * @user_gpus: the same of GPUs
 * @max_jobs: how many jobs each may have running
 * @max_submit: how many jobs each may have running or waiting
 * @max_wall_seconds: how long a job may run
 *
 * What somebody may have at most; -1 where there is no limit.
 *
 * Since: 0.1
 */
typedef struct
{
  const char *account;
  const char *user;
  const char *partition;
  const char *qos;
  gint64 group_cpus;
  gint64 group_memory_bytes;
  gint64 group_nodes;
  gint64 group_gpus;
  gint64 group_jobs;
  gint64 group_submit;
  gint64 group_wall_seconds;
  gint64 user_cpus;
  gint64 user_memory_bytes;
  gint64 user_nodes;
  gint64 user_gpus;
  gint64 max_jobs;
  gint64 max_submit;
  gint64 max_wall_seconds;
} JmSchedulerLimit;

/**
 * JmSchedulerRpc:
 * @type: the kind of question, or %NULL of a user's record
 * @user: who asked, or %NULL of a kind's record
 * @count: how many there were
 * @total_seconds: that answering them took
 *
 * What a controller was asked.
 *
 * Since: 0.1
 */
typedef struct
{
  const char *type;
  const char *user;
  gint64 count;
  double total_seconds;
} JmSchedulerRpc;

/**
 * JmSchedulerDiagnostics:
 * @reset_time: since when is counted, seconds since 1970
 * @read_time: when it was reported, seconds since 1970
 * @server_threads: threads that answer now
 * @agent_queue: messages to nodes that wait
 * @agent_threads: threads that send them
 * @dbd_queue: messages to the accounting that wait
 * @jobs_submitted: since @reset_time, as the next four
 * @jobs_started: jobs that were started
 * @jobs_completed: jobs that ended well
 * @jobs_cancelled: jobs that were cancelled
 * @jobs_failed: jobs that failed
 * @jobs_pending: jobs that wait now
 * @jobs_running: jobs that run now
 * @cycles: how often the main scheduler went over the queue
 * @cycles_per_minute: mean number of its cycles in a minute
 * @queue_length: of the main scheduler
 * @last_cycle_seconds: how long its last cycle took
 * @max_cycle_seconds: how long its longest cycle took
 * @mean_cycle_seconds: how long a cycle takes
 * @backfilled_jobs: jobs that backfill started since the controller started
 * @backfilled_last_jobs: jobs that backfill started since @reset_time
 * @backfilled_het_jobs: of these, components of heterogeneous jobs
 * @backfill_cycles: how often backfill went over the queue
 * @backfill_queue_length: of backfill
 * @backfill_last_depth: how many jobs it looked at the last time
 * @backfill_last_depth_try: of these, how many it tried to start
 * @backfill_last_cycle_seconds: how long its last cycle took
 * @backfill_max_cycle_seconds: how long its longest cycle took
 * @backfill_mean_cycle_seconds: how long a cycle takes
 * @backfill_mean_depth: how many jobs it looks at
 *
 * How a controller is doing.
 *
 * Since: 0.1
 */
typedef struct
{
  gint64 reset_time;
  gint64 read_time;
  gint64 server_threads;
  gint64 agent_queue;
  gint64 agent_threads;
  gint64 dbd_queue;
  gint64 jobs_submitted;
  gint64 jobs_started;
  gint64 jobs_completed;
  gint64 jobs_cancelled;
  gint64 jobs_failed;
  gint64 jobs_pending;
  gint64 jobs_running;
  gint64 cycles;
  gint64 cycles_per_minute;
  gint64 queue_length;
  double last_cycle_seconds;
  double max_cycle_seconds;
  double mean_cycle_seconds;
  gint64 backfilled_jobs;
  gint64 backfilled_last_jobs;
  gint64 backfilled_het_jobs;
  gint64 backfill_cycles;
  gint64 backfill_queue_length;
  gint64 backfill_last_depth;
  gint64 backfill_last_depth_try;
  double backfill_last_cycle_seconds;
  double backfill_max_cycle_seconds;
  double backfill_mean_cycle_seconds;
  double backfill_mean_depth;
} JmSchedulerDiagnostics;

JM_AVAILABLE_IN_ALL
void jm_scheduler_job_init (JmSchedulerJob *job);

JM_AVAILABLE_IN_ALL
void jm_scheduler_node_init (JmSchedulerNode *node);

JM_AVAILABLE_IN_ALL
void jm_scheduler_partition_init (JmSchedulerPartition *partition);

JM_AVAILABLE_IN_ALL
void jm_scheduler_reservation_init (JmSchedulerReservation *reservation);

JM_AVAILABLE_IN_ALL
void jm_scheduler_license_init (JmSchedulerLicense *license);

JM_AVAILABLE_IN_ALL
void jm_scheduler_share_init (JmSchedulerShare *share);

JM_AVAILABLE_IN_ALL
void jm_scheduler_limit_init (JmSchedulerLimit *limit);

JM_AVAILABLE_IN_ALL
void jm_scheduler_rpc_init (JmSchedulerRpc *rpc);

JM_AVAILABLE_IN_ALL
void jm_scheduler_diagnostics_init (JmSchedulerDiagnostics *diagnostics);

G_END_DECLS
