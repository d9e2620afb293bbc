/* jm-slurm-answer-objects.c: partitions, reservations and licences that slurmrestd
 * lists
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/slurm/jm-slurm-answer-private.h"

#include <string.h>

/* --- partitions --- */

typedef struct
{
  JmSchedulerPartition partition;
  const char *flags;
} PartitionDraft;

#define PARTITION(name, kind, member)                                                  \
 {                                                                                     \
  name, kind, G_STRUCT_OFFSET (PartitionDraft, partition.member)                       \
 }

/* Those with dots since 23.02. */
static const JmSlurmField partition_fields[] = {
  PARTITION ("name", JM_SLURM_TEXT, name),
  PARTITION ("state", JM_SLURM_TEXT, state),
  PARTITION ("partition.state", JM_SLURM_WORDS, state),
  PARTITION ("nodes", JM_SLURM_TEXT, node_list),
  PARTITION ("nodes.configured", JM_SLURM_TEXT, node_list),
  PARTITION ("qos", JM_SLURM_TEXT, qos),
  PARTITION ("qos.assigned", JM_SLURM_TEXT, qos),
  { "flags", JM_SLURM_WORDS, G_STRUCT_OFFSET (PartitionDraft, flags) },
  PARTITION ("total_nodes", JM_SLURM_COUNT, nodes),
  PARTITION ("nodes.total", JM_SLURM_COUNT, nodes),
  PARTITION ("total_cpus", JM_SLURM_COUNT, cpus),
  PARTITION ("cpus.total", JM_SLURM_COUNT, cpus),
  PARTITION ("tres", JM_SLURM_TRES_MEMORY, memory_bytes),
  PARTITION ("tres", JM_SLURM_TRES_GPUS, gpus),
  PARTITION ("tres.configured", JM_SLURM_TRES_MEMORY, memory_bytes),
  PARTITION ("tres.configured", JM_SLURM_TRES_GPUS, gpus),
  PARTITION ("maximum_nodes_per_job", JM_SLURM_COUNT, max_nodes),
  PARTITION ("maximums.nodes", JM_SLURM_COUNT, max_nodes),
  PARTITION ("max_time_limit", JM_SLURM_MINUTES, max_time_seconds),
  PARTITION ("maximums.time", JM_SLURM_MINUTES, max_time_seconds),
  PARTITION ("default_time_limit", JM_SLURM_MINUTES, default_time_seconds),
  PARTITION ("defaults.time", JM_SLURM_MINUTES, default_time_seconds),
  PARTITION ("priority_tier", JM_SLURM_COUNT, priority_tier),
  PARTITION ("priority.tier", JM_SLURM_COUNT, priority_tier),
};

static void
begin_partition (gpointer draft)
{
  jm_scheduler_partition_init (&((PartitionDraft *) draft)->partition);
}

static void
end_partition (JmSlurmAnswer *answer, gpointer data)
{
  PartitionDraft *self = data;
  JmSchedulerReport *report = jm_slurm_answer_get_report (answer);
  g_auto (GStrv) flags = g_strsplit (self->flags != NULL ? self->flags : "", ",", 0);

  if (self->partition.name == NULL)
    {
      jm_scheduler_report_pass_over (report, "a partition without a name");
      return;
    }
  /* later releases do not have it */
  if (g_strv_contains ((const char *const *) flags, "default"))
    self->partition.is_default = 1;
  jm_scheduler_report_add_partition (report, &self->partition);
}

const JmSlurmShape jm_slurm_partitions_shape = {
  .records = "partitions",
  .draft_size = sizeof (PartitionDraft),
  .fields = partition_fields,
  .n_fields = G_N_ELEMENTS (partition_fields),
  .begin = begin_partition,
  .end = end_partition,
};

/* --- reservations --- */

#define RESERVATION(name, kind, member)                                                \
 {                                                                                     \
  name, kind, G_STRUCT_OFFSET (JmSchedulerReservation, member)                         \
 }

static const JmSlurmField reservation_fields[] = {
  RESERVATION ("name", JM_SLURM_TEXT, name),
  RESERVATION ("start_time", JM_SLURM_TIME, start_time),
  RESERVATION ("end_time", JM_SLURM_TIME, end_time),
  RESERVATION ("node_list", JM_SLURM_TEXT, node_list),
  RESERVATION ("node_count", JM_SLURM_COUNT, nodes),
  RESERVATION ("core_count", JM_SLURM_COUNT, cores),
  RESERVATION ("partition", JM_SLURM_TEXT, partition),
  RESERVATION ("flags", JM_SLURM_WORDS, flags),
  RESERVATION ("users", JM_SLURM_TEXT, users),
  RESERVATION ("accounts", JM_SLURM_TEXT, accounts),
  RESERVATION ("tres", JM_SLURM_TRES_CPUS, cpus),
};

static void
begin_reservation (gpointer draft)
{
  jm_scheduler_reservation_init (draft);
}

/* scontrol says the same of a reservation whose time it is. */
static void
end_reservation (JmSlurmAnswer *answer, gpointer draft)
{
  JmSchedulerReservation *reservation = draft;
  JmSchedulerReport *report = jm_slurm_answer_get_report (answer);
  gint64 now_s = g_get_real_time () / G_USEC_PER_SEC;
  gboolean is_active = reservation->start_time <= now_s &&
                       (reservation->end_time <= 0 || now_s < reservation->end_time);

  if (reservation->name == NULL)
    {
      jm_scheduler_report_pass_over (report, "a reservation without a name");
      return;
    }
  reservation->state =
    jm_scheduler_report_keep (report, is_active ? "ACTIVE" : "INACTIVE");
  jm_scheduler_report_add_reservation (report, reservation);
}

const JmSlurmShape jm_slurm_reservations_shape = {
  .records = "reservations",
  .draft_size = sizeof (JmSchedulerReservation),
  .fields = reservation_fields,
  .n_fields = G_N_ELEMENTS (reservation_fields),
  .begin = begin_reservation,
  .end = end_reservation,
};

/* --- licences --- */

#define LICENSE(name, kind, member)                                                    \
 {                                                                                     \
  name, kind, G_STRUCT_OFFSET (JmSchedulerLicense, member)                             \
 }

static const JmSlurmField license_fields[] = {
  LICENSE ("LicenseName", JM_SLURM_TEXT, name),
  LICENSE ("Total", JM_SLURM_COUNT, total),
  LICENSE ("Used", JM_SLURM_COUNT, used),
  LICENSE ("Free", JM_SLURM_COUNT, free),
  LICENSE ("Reserved", JM_SLURM_COUNT, reserved),
  LICENSE ("Remote", JM_SLURM_YES, is_remote),
  LICENSE ("LastConsumed", JM_SLURM_COUNT, last_consumed),
  LICENSE ("LastDeficit", JM_SLURM_COUNT, last_deficit),
};

static void
begin_license (gpointer draft)
{
  jm_scheduler_license_init (draft);
}

static void
end_license (JmSlurmAnswer *answer, gpointer draft)
{
  JmSchedulerReport *report = jm_slurm_answer_get_report (answer);

  if (((JmSchedulerLicense *) draft)->name != NULL)
    jm_scheduler_report_add_license (report, draft);
  else
    jm_scheduler_report_pass_over (report, "a licence without a name");
}

const JmSlurmShape jm_slurm_licenses_shape = {
  .records = "licenses",
  .draft_size = sizeof (JmSchedulerLicense),
  .fields = license_fields,
  .n_fields = G_N_ELEMENTS (license_fields),
  .begin = begin_license,
  .end = end_license,
};
