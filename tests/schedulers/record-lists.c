/* record-lists.c: records as lists of NAME=VALUE
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "record-lists.h"
#include "core/jm-run-field-private.h"

#include "core/jm-run-batch-private.h"
#include "core/jm-run-part-private.h"
#include "schedulers/jm-scheduler-report-private.h"

typedef enum
{
  TYPE_TEXT,
  TYPE_NUMBER,
  TYPE_COUNT, /* unsigned, of 32 bits */
  TYPE_DOUBLE,
} Type;

typedef struct
{
  const char *name;
  gsize offset;
  Type type;
} Member;

/* clang-format off */
#define MEMBER(record, name, type) { #name, G_STRUCT_OFFSET (record, name), type }
#define TEXT(record, name) MEMBER (record, name, TYPE_TEXT)
#define NUMBER(record, name) MEMBER (record, name, TYPE_NUMBER)
#define COUNT(record, name) MEMBER (record, name, TYPE_COUNT)
#define DOUBLE(record, name) MEMBER (record, name, TYPE_DOUBLE)

#define J JmSchedulerJob
static const Member job_members[] = {
  TEXT (J, id), TEXT (J, user), TEXT (J, account), TEXT (J, partitions), TEXT (J, qos),
  TEXT (J, name), TEXT (J, reason), TEXT (J, reservation), TEXT (J, features),
  TEXT (J, licenses), TEXT (J, node_list), TEXT (J, other_flags), COUNT (J, state),
  COUNT (J, flags), NUMBER (J, raw_id), NUMBER (J, uid), NUMBER (J, array_job_id),
  NUMBER (J, array_task_id), NUMBER (J, het_job_id), NUMBER (J, het_job_offset),
  NUMBER (J, tasks), NUMBER (J, nodes), NUMBER (J, cpus_requested),
  NUMBER (J, cpus_allocated), NUMBER (J, memory_requested_bytes),
  NUMBER (J, memory_allocated_bytes), NUMBER (J, gpus_requested),
  NUMBER (J, gpus_allocated), NUMBER (J, time_limit_seconds), NUMBER (J, priority),
  NUMBER (J, restarts), NUMBER (J, submit_time), NUMBER (J, eligible_time),
  NUMBER (J, start_time), NUMBER (J, end_time), COUNT (J, n_gpus), { NULL, 0, 0 }
};
#define N JmSchedulerNode
static const Member node_members[] = {
  TEXT (N, name), TEXT (N, partitions), TEXT (N, features), TEXT (N, reservation),
  TEXT (N, version), TEXT (N, reason), TEXT (N, reason_user), TEXT (N, other_flags),
  COUNT (N, state), COUNT (N, flags), NUMBER (N, cpus), NUMBER (N, cpus_allocated),
  NUMBER (N, cpus_idle), NUMBER (N, cpus_other), NUMBER (N, memory_bytes),
  NUMBER (N, memory_allocated_bytes), NUMBER (N, memory_free_bytes), NUMBER (N, gpus),
  NUMBER (N, gpus_allocated), NUMBER (N, weight), DOUBLE (N, load),
  NUMBER (N, reason_time), NUMBER (N, boot_time), COUNT (N, n_gpus), { NULL, 0, 0 }
};
#define P JmSchedulerPartition
static const Member partition_members[] = {
  TEXT (P, name), TEXT (P, state), TEXT (P, node_list), TEXT (P, qos),
  NUMBER (P, is_default), NUMBER (P, nodes), NUMBER (P, cpus), NUMBER (P, memory_bytes),
  NUMBER (P, gpus), NUMBER (P, max_nodes), NUMBER (P, max_time_seconds),
  NUMBER (P, default_time_seconds), NUMBER (P, priority_tier), { NULL, 0, 0 }
};
#define D JmSchedulerDiagnostics
static const Member diagnostics_members[] = {
  NUMBER (D, reset_time), NUMBER (D, read_time), NUMBER (D, server_threads),
  NUMBER (D, agent_queue), NUMBER (D, agent_threads), NUMBER (D, dbd_queue),
  NUMBER (D, jobs_submitted), NUMBER (D, jobs_started), NUMBER (D, jobs_completed),
  NUMBER (D, jobs_cancelled), NUMBER (D, jobs_failed), NUMBER (D, jobs_pending),
  NUMBER (D, jobs_running), NUMBER (D, cycles), NUMBER (D, cycles_per_minute),
  NUMBER (D, queue_length),
  DOUBLE (D, last_cycle_seconds), DOUBLE (D, max_cycle_seconds),
  DOUBLE (D, mean_cycle_seconds), NUMBER (D, backfilled_jobs),
  NUMBER (D, backfilled_last_jobs), NUMBER (D, backfilled_het_jobs),
  NUMBER (D, backfill_cycles), NUMBER (D, backfill_queue_length),
  NUMBER (D, backfill_last_depth), NUMBER (D, backfill_last_depth_try),
  DOUBLE (D, backfill_last_cycle_seconds), DOUBLE (D, backfill_max_cycle_seconds),
  DOUBLE (D, backfill_mean_cycle_seconds), DOUBLE (D, backfill_mean_depth),
  { NULL, 0, 0 }
};
#define C JmSchedulerRpc
static const Member rpc_members[] = {
  TEXT (C, type), TEXT (C, user), NUMBER (C, count), DOUBLE (C, total_seconds),
  { NULL, 0, 0 }
};
#define R JmSchedulerReservation
static const Member reservation_members[] = {
  TEXT (R, name), TEXT (R, state), TEXT (R, partition), TEXT (R, node_list),
  TEXT (R, users), TEXT (R, accounts), TEXT (R, flags), NUMBER (R, start_time),
  NUMBER (R, end_time), NUMBER (R, nodes), NUMBER (R, cores), NUMBER (R, cpus),
  { NULL, 0, 0 }
};
#define L JmSchedulerLicense
static const Member license_members[] = {
  TEXT (L, name), NUMBER (L, is_remote), NUMBER (L, total), NUMBER (L, used),
  NUMBER (L, free), NUMBER (L, reserved), NUMBER (L, last_consumed),
  NUMBER (L, last_deficit), { NULL, 0, 0 }
};
#define S JmSchedulerShare
static const Member share_members[] = {
  TEXT (S, account), TEXT (S, user), TEXT (S, partition), NUMBER (S, raw_shares),
  DOUBLE (S, norm_shares), DOUBLE (S, raw_usage), DOUBLE (S, norm_usage),
  DOUBLE (S, effective_usage), DOUBLE (S, fair_share), DOUBLE (S, level_fair_share),
  { NULL, 0, 0 }
};
#define M JmSchedulerLimit
static const Member limit_members[] = {
  TEXT (M, account), TEXT (M, user), TEXT (M, partition), TEXT (M, qos),
  NUMBER (M, group_cpus), NUMBER (M, group_memory_bytes), NUMBER (M, group_nodes),
  NUMBER (M, group_gpus), NUMBER (M, group_jobs), NUMBER (M, group_submit),
  NUMBER (M, group_wall_seconds), NUMBER (M, user_cpus), NUMBER (M, user_memory_bytes),
  NUMBER (M, user_nodes), NUMBER (M, user_gpus), NUMBER (M, max_jobs),
  NUMBER (M, max_submit), NUMBER (M, max_wall_seconds), { NULL, 0, 0 }
};
/* clang-format on */

static char *
format_member (const Member *member, gconstpointer record)
{
  const char *value = (const char *) record + member->offset;

  switch (member->type)
    {
    case TYPE_TEXT:
      return g_strdup_printf ("%s=%s", member->name, *(char *const *) (gpointer) value);
    case TYPE_NUMBER:
      return g_strdup_printf ("%s=%" G_GINT64_FORMAT, member->name,
                              *(const gint64 *) (gpointer) value);
    case TYPE_COUNT:
      return g_strdup_printf ("%s=%u", member->name, *(const guint *) (gpointer) value);
    default:
      return g_strdup_printf ("%s=%.17g", member->name,
                              *(const double *) (gpointer) value);
    }
}

static void
add_record (GPtrArray *records, const Member *members, gconstpointer record)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (const Member *member = members; member->name != NULL; member++)
    {
      g_autofree char *text = format_member (member, record);

      g_strv_builder_add (builder, text);
    }
  g_ptr_array_add (records, g_strv_builder_end (builder));
}

GPtrArray *
records_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
}

GPtrArray *
records_of_report (JmSchedulerReport *report)
{
  const JmSchedulerDiagnostics *diagnostics =
    jm_scheduler_report_get_diagnostics (report);
  GPtrArray *records = records_new ();

#define ADD_ALL(noun)                                                                  \
 for (guint i = 0; i < jm_scheduler_report_get_n_##noun##s (report); i++)              \
 add_record (records, noun##_members, jm_scheduler_report_get_##noun (report, i))
  ADD_ALL (job);
  ADD_ALL (node);
  ADD_ALL (partition);
  ADD_ALL (reservation);
  ADD_ALL (license);
  ADD_ALL (share);
  ADD_ALL (limit);
  ADD_ALL (rpc);
#undef ADD_ALL
  if (diagnostics != NULL)
    add_record (records, diagnostics_members, diagnostics);

  return records;
}

static void
add_step (GStrvBuilder *builder, guint number, JmRunPart *step)
{
  guint n;
  const JmRunPartColumn *columns = jm_run_part_kind_get_columns (step->kind, &n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = NULL;

      if (columns[i].is_text)
        text = g_strdup (step->values[i].text);
      else if (step->values[i].number != JM_RUN_PART_UNKNOWN)
        text = g_strdup_printf ("%" G_GINT64_FORMAT, step->values[i].number);
      if (text != NULL)
        {
          g_autofree char *line =
            g_strdup_printf (RECORD_STEP "%u %s=%s", number, columns[i].name, text);

          g_strv_builder_add (builder, line);
        }
    }
}

void
records_add_run (GPtrArray *records, JmRun *run, GPtrArray *steps)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (JmRunField field = 0; field < JM_N_RUN_FIELDS; field++)
    {
      g_autofree char *line = NULL;
      gint64 value = -1;

      if (jm_run_field_holds_text (field))
        line = g_strdup_printf ("%s=%s", jm_run_field_get_name (field),
                                jm_run_peek_text (run, field));
      else if (jm_run_get_number (run, field, &value))
        line = g_strdup_printf ("%s=%" G_GINT64_FORMAT, jm_run_field_get_name (field),
                                value);
      if (line != NULL)
        g_strv_builder_add (builder, line);
    }
  for (guint i = 0; steps != NULL && i < steps->len; i++)
    add_step (builder, i, steps->pdata[i]);
  g_ptr_array_add (records, g_strv_builder_end (builder));
}

GPtrArray *
records_of_batches (GPtrArray *batches)
{
  GPtrArray *records = records_new ();

  for (guint i = 0; batches != NULL && i < batches->len; i++)
    {
      GArray *items = ((JmRunBatch *) batches->pdata[i])->items;

      for (guint k = 0; k < items->len; k++)
        {
          const JmRunItem *item = &g_array_index (items, JmRunItem, k);

          records_add_run (records, item->run, item->parts);
        }
    }

  return records;
}
