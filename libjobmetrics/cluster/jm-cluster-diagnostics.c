/* jm-cluster-diagnostics.c: how a scheduler is doing
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "cluster/jm-cluster-teller-private.h"

#include <string.h>

#include "cluster/jm-cluster-tally-private.h"
#include "schedulers/jm-scheduler-report-private.h"

#define FIELD(id, kind, member)                                                        \
 {                                                                                     \
  JM_METRIC_SCHEDULER_##id, JM_CLUSTER_FIELD_##kind,                                   \
    G_STRUCT_OFFSET (JmSchedulerDiagnostics, member)                                   \
 }

static const JmClusterField fields[] = {
  FIELD (RESET_TIME, MOMENT, reset_time),
  FIELD (THREADS, COUNT, server_threads),
  FIELD (AGENT_THREADS, COUNT, agent_threads),
  FIELD (AGENT_QUEUE, COUNT, agent_queue),
  FIELD (ACCOUNTING_QUEUE, COUNT, dbd_queue),
  FIELD (JOBS_SUBMITTED, COUNT, jobs_submitted),
  FIELD (JOBS_STARTED, COUNT, jobs_started),
  FIELD (JOBS_COMPLETED, COUNT, jobs_completed),
  FIELD (JOBS_CANCELLED, COUNT, jobs_cancelled),
  FIELD (JOBS_FAILED, COUNT, jobs_failed),
  FIELD (CYCLES, COUNT, cycles),
  FIELD (CYCLES_PER_MINUTE, COUNT, cycles_per_minute),
  FIELD (QUEUE_LENGTH, COUNT, queue_length),
  FIELD (LAST_CYCLE, REAL, last_cycle_seconds),
  FIELD (MAX_CYCLE, REAL, max_cycle_seconds),
  FIELD (MEAN_CYCLE, REAL, mean_cycle_seconds),
  FIELD (BACKFILL_CYCLES, COUNT, backfill_cycles),
  FIELD (BACKFILL_QUEUE_LENGTH, COUNT, backfill_queue_length),
  FIELD (BACKFILL_LAST_CYCLE, REAL, backfill_last_cycle_seconds),
  FIELD (BACKFILL_MAX_CYCLE, REAL, backfill_max_cycle_seconds),
  FIELD (BACKFILL_MEAN_CYCLE, REAL, backfill_mean_cycle_seconds),
  FIELD (BACKFILL_LAST_DEPTH, COUNT, backfill_last_depth),
  FIELD (BACKFILL_LAST_DEPTH_TRIED, COUNT, backfill_last_depth_try),
  FIELD (BACKFILL_MEAN_DEPTH, REAL, backfill_mean_depth),
  FIELD (BACKFILLED_JOBS, COUNT, backfilled_jobs),
  FIELD (BACKFILLED_LAST_JOBS, COUNT, backfilled_last_jobs),
  FIELD (BACKFILLED_HET_COMPONENTS, COUNT, backfilled_het_jobs),
};

#define RPC_FIELD(id, kind, member)                                                    \
 {                                                                                     \
  JM_METRIC_SCHEDULER_##id, JM_CLUSTER_FIELD_##kind,                                   \
    G_STRUCT_OFFSET (JmSchedulerRpc, member)                                           \
 }

static const JmClusterField type_fields[] = {
  RPC_FIELD (RPCS, COUNT, count),
  RPC_FIELD (RPC_TIME, REAL, total_seconds),
};
static const JmClusterField user_fields[] = {
  RPC_FIELD (USER_RPCS, COUNT, count),
  RPC_FIELD (USER_RPC_TIME, REAL, total_seconds),
};

static void
unite (JmSchedulerRpc *sum, const JmSchedulerRpc *rpc)
{
  sum->count += CLAMP (rpc->count, 0, G_MAXINT64 - sum->count);
  /* NAN of one that does not report its time, and so of the sum */
  sum->total_seconds += rpc->total_seconds;
}

static JmSchedulerRpc *
take_rpc (GHashTable *rpcs, const char *name)
{
  JmSchedulerRpc *rpc = g_hash_table_lookup (rpcs, name);

  if (rpc == NULL)
    {
      rpc = g_new0 (JmSchedulerRpc, 1);
      g_hash_table_insert (rpcs, (gpointer) name, rpc);
    }

  return rpc;
}

/* In the order of their names: in that of their counts others would have a place of
 * their own each time, and what is left would rise and fall. */
static void
tell_rpcs (const JmClusterTeller *teller,
           GHashTable *rpcs,
           guint max,
           const JmClusterField rpc_fields[2])
{
  g_autoptr (GList) names =
    g_list_sort (g_hash_table_get_keys (rpcs), (GCompareFunc) strcmp);
  JmSchedulerRpc other = { 0 };
  guint n = 0;

  for (GList *i = names; i != NULL; i = i->next, n++)
    {
      const JmSchedulerRpc *rpc = g_hash_table_lookup (rpcs, i->data);
      g_autoptr (JmLabels) labels = jm_labels_of (i->data, NULL);

      if (n < max)
        jm_cluster_teller_tell (teller, rpc_fields, 2, rpc, labels);
      else
        unite (&other, rpc);
    }

  if (n > max)
    {
      g_autoptr (JmLabels) labels = jm_labels_of (JM_CLUSTER_OTHER, NULL);

      jm_cluster_teller_tell (teller, rpc_fields, 2, &other, labels);
    }
}

void
jm_cluster_tell_diagnostics (const JmClusterTeller *teller, JmSchedulerReport *report)
{
  const JmSchedulerDiagnostics *diagnostics =
    jm_scheduler_report_get_diagnostics (report);
  g_autoptr (GHashTable) types =
    g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (GHashTable) users =
    g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  guint n_rpcs = jm_scheduler_report_get_n_rpcs (report);

  jm_cluster_teller_begin (teller, JM_SUBJECT_KIND_SCHEDULER,
                           (const char *const[]){ NULL });
  jm_readings_begin (teller->readings, JM_COLLECTOR_SCHEDULER);
  if (diagnostics != NULL)
    jm_cluster_teller_tell (teller, fields, G_N_ELEMENTS (fields), diagnostics, NULL);

  for (guint i = 0; i < n_rpcs; i++)
    {
      const JmSchedulerRpc *rpc = jm_scheduler_report_get_rpc (report, i);

      if (rpc->type != NULL)
        unite (take_rpc (types, rpc->type), rpc);
      else if (rpc->user != NULL)
        unite (take_rpc (users, rpc->user), rpc);
    }
  tell_rpcs (teller, types, JM_CLUSTER_WORDS_MAX, type_fields);
  tell_rpcs (teller, users, teller->max_names, user_fields);
}
