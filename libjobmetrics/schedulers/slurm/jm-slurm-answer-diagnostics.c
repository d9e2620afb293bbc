/* jm-slurm-answer-diagnostics.c: how a controller is doing, as slurmrestd has it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurm-answer-private.h"

#include <string.h>

typedef struct
{
  JmSchedulerDiagnostics diagnostics;
  JmSchedulerRpc rpc;
} Draft;

#define BY_TYPE "rpcs_by_message_type"
#define BY_USER "rpcs_by_user"
#define FIELD(name, kind, member)                                                      \
 {                                                                                     \
  name, kind, G_STRUCT_OFFSET (Draft, diagnostics.member)                              \
 }
#define RPC(name, kind, member)                                                        \
 {                                                                                     \
  name, kind, G_STRUCT_OFFSET (Draft, rpc.member)                                      \
 }

static const JmSlurmField fields[] = {
  FIELD ("req_time", JM_SLURM_TIME, read_time),
  FIELD ("req_time_start", JM_SLURM_TIME, reset_time),
  FIELD ("server_thread_count", JM_SLURM_COUNT, server_threads),
  FIELD ("agent_queue_size", JM_SLURM_COUNT, agent_queue),
  FIELD ("agent_thread_count", JM_SLURM_COUNT, agent_threads),
  FIELD ("dbd_agent_queue_size", JM_SLURM_COUNT, dbd_queue),
  FIELD ("jobs_submitted", JM_SLURM_COUNT, jobs_submitted),
  FIELD ("jobs_started", JM_SLURM_COUNT, jobs_started),
  FIELD ("jobs_completed", JM_SLURM_COUNT, jobs_completed),
  FIELD ("jobs_canceled", JM_SLURM_COUNT, jobs_cancelled),
  FIELD ("jobs_failed", JM_SLURM_COUNT, jobs_failed),
  FIELD ("jobs_pending", JM_SLURM_COUNT, jobs_pending),
  FIELD ("jobs_running", JM_SLURM_COUNT, jobs_running),
  FIELD ("schedule_cycle_last", JM_SLURM_MICROSECONDS, last_cycle_seconds),
  FIELD ("schedule_cycle_max", JM_SLURM_MICROSECONDS, max_cycle_seconds),
  FIELD ("schedule_cycle_mean", JM_SLURM_MICROSECONDS, mean_cycle_seconds),
  FIELD ("schedule_cycle_total", JM_SLURM_COUNT, cycles),
  FIELD ("schedule_cycle_per_minute", JM_SLURM_COUNT, cycles_per_minute),
  FIELD ("schedule_queue_length", JM_SLURM_COUNT, queue_length),
  FIELD ("bf_backfilled_jobs", JM_SLURM_COUNT, backfilled_jobs),
  FIELD ("bf_last_backfilled_jobs", JM_SLURM_COUNT, backfilled_last_jobs),
  FIELD ("bf_backfilled_het_jobs", JM_SLURM_COUNT, backfilled_het_jobs),
  FIELD ("bf_cycle_counter", JM_SLURM_COUNT, backfill_cycles),
  FIELD ("bf_cycle_last", JM_SLURM_MICROSECONDS, backfill_last_cycle_seconds),
  FIELD ("bf_cycle_max", JM_SLURM_MICROSECONDS, backfill_max_cycle_seconds),
  FIELD ("bf_cycle_mean", JM_SLURM_MICROSECONDS, backfill_mean_cycle_seconds),
  FIELD ("bf_last_depth", JM_SLURM_COUNT, backfill_last_depth),
  FIELD ("bf_last_depth_try", JM_SLURM_COUNT, backfill_last_depth_try),
  FIELD ("bf_depth_mean", JM_SLURM_REAL, backfill_mean_depth),
  FIELD ("bf_queue_len", JM_SLURM_COUNT, backfill_queue_length),
  RPC (BY_TYPE ".message_type", JM_SLURM_TEXT, type),
  RPC (BY_TYPE ".count", JM_SLURM_COUNT, count),
  RPC (BY_TYPE ".total_time", JM_SLURM_MICROSECONDS, total_seconds),
  RPC (BY_USER ".user", JM_SLURM_TEXT, user),
  RPC (BY_USER ".count", JM_SLURM_COUNT, count),
  RPC (BY_USER ".total_time", JM_SLURM_MICROSECONDS, total_seconds),
};

static void
begin (gpointer draft)
{
  jm_scheduler_diagnostics_init (&((Draft *) draft)->diagnostics);
  jm_scheduler_rpc_init (&((Draft *) draft)->rpc);
}

static void
end_rpc (JmSlurmAnswer *answer, gpointer draft, const char *name)
{
  JmSchedulerRpc *rpc = &((Draft *) draft)->rpc;

  if (rpc->count >= 0 && (rpc->type != NULL || rpc->user != NULL))
    jm_scheduler_report_add_rpc (jm_slurm_answer_get_report (answer), rpc);
  jm_scheduler_rpc_init (rpc);
}

static void
end (JmSlurmAnswer *answer, gpointer draft)
{
  jm_scheduler_report_set_diagnostics (jm_slurm_answer_get_report (answer),
                                       &((Draft *) draft)->diagnostics);
}

const JmSlurmShape jm_slurm_diagnostics_shape = {
  .records = "statistics",
  .draft_size = sizeof (Draft),
  .fields = fields,
  .n_fields = G_N_ELEMENTS (fields),
  .begin = begin,
  .end = end,
  .end_element = end_rpc,
};
