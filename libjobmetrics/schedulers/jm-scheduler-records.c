/* jm-scheduler-records.c: records of which nothing is known yet
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-records.h"

#include <math.h>

/**
 * jm_scheduler_job_init:
 * @job: a record
 *
 * Initializes it with all values unknown.
 *
 * Since: 0.1
 */
void
jm_scheduler_job_init (JmSchedulerJob *job)
{
  *job = (JmSchedulerJob){
    .raw_id = -1,
    .uid = -1,
    .array_job_id = -1,
    .array_task_id = -1,
    .het_job_id = -1,
    .het_job_offset = -1,
    .tasks = 1,
    .nodes = -1,
    .cpus_requested = -1,
    .cpus_allocated = -1,
    .memory_requested_bytes = -1,
    .memory_allocated_bytes = -1,
    .gpus_requested = -1,
    .gpus_allocated = -1,
    .time_limit_seconds = -1,
    .priority = -1,
    .restarts = -1,
  };
}

/**
 * jm_scheduler_node_init:
 * @node: a record
 *
 * Initializes it with all values unknown.
 *
 * Since: 0.1
 */
void
jm_scheduler_node_init (JmSchedulerNode *node)
{
  *node = (JmSchedulerNode){
    .cpus = -1,
    .cpus_allocated = -1,
    .cpus_idle = -1,
    .cpus_other = -1,
    .memory_bytes = -1,
    .memory_allocated_bytes = -1,
    .memory_free_bytes = -1,
    .gpus = -1,
    .gpus_allocated = -1,
    .weight = -1,
    .load = NAN,
  };
}

/**
 * jm_scheduler_partition_init:
 * @partition: a record
 *
 * Initializes it with all values unknown.
 *
 * Since: 0.1
 */
void
jm_scheduler_partition_init (JmSchedulerPartition *partition)
{
  *partition = (JmSchedulerPartition){
    .is_default = -1,
    .nodes = -1,
    .cpus = -1,
    .memory_bytes = -1,
    .gpus = -1,
    .max_nodes = -1,
    .max_time_seconds = -1,
    .default_time_seconds = -1,
    .priority_tier = -1,
  };
}

/**
 * jm_scheduler_reservation_init:
 * @reservation: a record
 *
 * Initializes it with all values unknown.
 *
 * Since: 0.1
 */
void
jm_scheduler_reservation_init (JmSchedulerReservation *reservation)
{
  *reservation = (JmSchedulerReservation){
    .nodes = -1,
    .cores = -1,
    .cpus = -1,
  };
}

/**
 * jm_scheduler_license_init:
 * @license: a record
 *
 * Initializes it with all values unknown.
 *
 * Since: 0.1
 */
void
jm_scheduler_license_init (JmSchedulerLicense *license)
{
  *license = (JmSchedulerLicense){
    .is_remote = -1,
    .total = -1,
    .used = -1,
    .free = -1,
    .reserved = -1,
    .last_consumed = -1,
    .last_deficit = -1,
  };
}

/**
 * jm_scheduler_share_init:
 * @share: a record
 *
 * Initializes it with all values unknown.
 *
 * Since: 0.1
 */
void
jm_scheduler_share_init (JmSchedulerShare *share)
{
  *share = (JmSchedulerShare){
    .raw_shares = -1,
    .norm_shares = NAN,
    .raw_usage = NAN,
    .norm_usage = NAN,
    .effective_usage = NAN,
    .fair_share = NAN,
    .level_fair_share = NAN,
  };
}

/**
 * jm_scheduler_limit_init:
 * @limit: a record
 *
 * Initializes it with all values unknown.
 *
 * Since: 0.1
 */
void
jm_scheduler_limit_init (JmSchedulerLimit *limit)
{
  *limit = (JmSchedulerLimit){
    .group_cpus = -1,
    .group_memory_bytes = -1,
    .group_nodes = -1,
    .group_gpus = -1,
    .group_jobs = -1,
    .group_submit = -1,
    .group_wall_seconds = -1,
    .user_cpus = -1,
    .user_memory_bytes = -1,
    .user_nodes = -1,
    .user_gpus = -1,
    .max_jobs = -1,
    .max_submit = -1,
    .max_wall_seconds = -1,
  };
}

/**
 * jm_scheduler_rpc_init:
 * @rpc: a record
 *
 * Initializes it with all values unknown.
 *
 * Since: 0.1
 */
void
jm_scheduler_rpc_init (JmSchedulerRpc *rpc)
{
  *rpc = (JmSchedulerRpc){
    .count = -1,
    .total_seconds = NAN,
  };
}

/**
 * jm_scheduler_diagnostics_init:
 * @diagnostics: a record
 *
 * Initializes it with all values unknown.
 *
 * Since: 0.1
 */
void
jm_scheduler_diagnostics_init (JmSchedulerDiagnostics *diagnostics)
{
  *diagnostics = (JmSchedulerDiagnostics){
    .server_threads = -1,
    .agent_queue = -1,
    .agent_threads = -1,
    .dbd_queue = -1,
    .jobs_submitted = -1,
    .jobs_started = -1,
    .jobs_completed = -1,
    .jobs_cancelled = -1,
    .jobs_failed = -1,
    .jobs_pending = -1,
    .jobs_running = -1,
    .cycles = -1,
    .cycles_per_minute = -1,
    .queue_length = -1,
    .backfilled_jobs = -1,
    .backfilled_last_jobs = -1,
    .backfilled_het_jobs = -1,
    .backfill_cycles = -1,
    .backfill_queue_length = -1,
    .backfill_last_depth = -1,
    .backfill_last_depth_try = -1,
    .last_cycle_seconds = NAN,
    .max_cycle_seconds = NAN,
    .mean_cycle_seconds = NAN,
    .backfill_last_cycle_seconds = NAN,
    .backfill_max_cycle_seconds = NAN,
    .backfill_mean_cycle_seconds = NAN,
    .backfill_mean_depth = NAN,
  };
}
