/* jm-slurm-pairs.c: records that scontrol prints on a line each
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurm-output-private.h"

#include "schedulers/slurm/jm-slurm-field-private.h"

static const JmSlurmField reservation_fields[] = {
  { "ReservationName", JM_SLURM_TEXT, G_STRUCT_OFFSET (JmSchedulerReservation, name) },
  { "StartTime", JM_SLURM_TIME, G_STRUCT_OFFSET (JmSchedulerReservation, start_time) },
  { "EndTime", JM_SLURM_TIME, G_STRUCT_OFFSET (JmSchedulerReservation, end_time) },
  { "Nodes", JM_SLURM_TEXT, G_STRUCT_OFFSET (JmSchedulerReservation, node_list) },
  { "NodeCnt", JM_SLURM_COUNT, G_STRUCT_OFFSET (JmSchedulerReservation, nodes) },
  { "CoreCnt", JM_SLURM_COUNT, G_STRUCT_OFFSET (JmSchedulerReservation, cores) },
  { "PartitionName", JM_SLURM_TEXT,
    G_STRUCT_OFFSET (JmSchedulerReservation, partition) },
  { "Flags", JM_SLURM_TEXT, G_STRUCT_OFFSET (JmSchedulerReservation, flags) },
  { "Users", JM_SLURM_TEXT, G_STRUCT_OFFSET (JmSchedulerReservation, users) },
  { "Accounts", JM_SLURM_TEXT, G_STRUCT_OFFSET (JmSchedulerReservation, accounts) },
  { "State", JM_SLURM_TEXT, G_STRUCT_OFFSET (JmSchedulerReservation, state) },
  { "TRES", JM_SLURM_TRES_CPUS, G_STRUCT_OFFSET (JmSchedulerReservation, cpus) },
};

static const JmSlurmField partition_fields[] = {
  { "PartitionName", JM_SLURM_TEXT, G_STRUCT_OFFSET (JmSchedulerPartition, name) },
  { "State", JM_SLURM_TEXT, G_STRUCT_OFFSET (JmSchedulerPartition, state) },
  { "Nodes", JM_SLURM_TEXT, G_STRUCT_OFFSET (JmSchedulerPartition, node_list) },
  { "QoS", JM_SLURM_TEXT, G_STRUCT_OFFSET (JmSchedulerPartition, qos) },
  { "Default", JM_SLURM_YES, G_STRUCT_OFFSET (JmSchedulerPartition, is_default) },
  { "TotalNodes", JM_SLURM_COUNT, G_STRUCT_OFFSET (JmSchedulerPartition, nodes) },
  { "TotalCPUs", JM_SLURM_COUNT, G_STRUCT_OFFSET (JmSchedulerPartition, cpus) },
  { "TRES", JM_SLURM_TRES_MEMORY,
    G_STRUCT_OFFSET (JmSchedulerPartition, memory_bytes) },
  { "TRES", JM_SLURM_TRES_GPUS, G_STRUCT_OFFSET (JmSchedulerPartition, gpus) },
  { "MaxNodes", JM_SLURM_COUNT, G_STRUCT_OFFSET (JmSchedulerPartition, max_nodes) },
  { "MaxTime", JM_SLURM_DURATION,
    G_STRUCT_OFFSET (JmSchedulerPartition, max_time_seconds) },
  { "DefaultTime", JM_SLURM_DURATION,
    G_STRUCT_OFFSET (JmSchedulerPartition, default_time_seconds) },
  { "PriorityTier", JM_SLURM_COUNT,
    G_STRUCT_OFFSET (JmSchedulerPartition, priority_tier) },
};

static const JmSlurmField license_fields[] = {
  { "LicenseName", JM_SLURM_TEXT, G_STRUCT_OFFSET (JmSchedulerLicense, name) },
  { "Total", JM_SLURM_COUNT, G_STRUCT_OFFSET (JmSchedulerLicense, total) },
  { "Used", JM_SLURM_COUNT, G_STRUCT_OFFSET (JmSchedulerLicense, used) },
  { "Free", JM_SLURM_COUNT, G_STRUCT_OFFSET (JmSchedulerLicense, free) },
  { "Reserved", JM_SLURM_COUNT, G_STRUCT_OFFSET (JmSchedulerLicense, reserved) },
  { "Remote", JM_SLURM_YES, G_STRUCT_OFFSET (JmSchedulerLicense, is_remote) },
  { "LastConsumed", JM_SLURM_COUNT,
    G_STRUCT_OFFSET (JmSchedulerLicense, last_consumed) },
  { "LastDeficit", JM_SLURM_COUNT, G_STRUCT_OFFSET (JmSchedulerLicense, last_deficit) },
};

/* The first of a name is taken: texts that people write stand behind the others, and
 * may have the looks of a pair. */
static void
read_pairs (JmSchedulerReport *report,
            JmSlice line,
            const JmSlurmField *fields,
            guint n_fields,
            gpointer record)
{
  const char *cursor = line.text;
  const char *end = line.text + line.length;
  guint64 seen = 0;
  JmSlice word;

  while (jm_parse_next_word (&cursor, end, &word))
    {
      const char *equals = memchr (word.text, '=', word.length);
      JmSlice name = { word.text, equals != NULL ? (gsize) (equals - word.text) : 0 };

      for (guint i = 0; name.length > 0 && i < n_fields; i++)
        {
          JmSlice value = { equals + 1, word.length - name.length - 1 };

          if ((seen >> i & 1) != 0 || !jm_slice_equal (name, fields[i].name))
            continue;
          seen |= (guint64) 1 << i;
          jm_slurm_field_take (&fields[i], report, record, value);
        }
    }
}

/* The first field is the name, without which there is no record. */
static gboolean
read_record (JmSchedulerReport *report,
             JmSlice line,
             const JmSlurmField *fields,
             guint n_fields,
             gpointer record)
{
  gsize length = strlen (fields[0].name);
  g_autofree char *complaint = NULL;

  if (line.length > length + 1 && line.text[length] == '=' &&
      memcmp (line.text, fields[0].name, length) == 0)
    {
      read_pairs (report, line, fields, n_fields, record);
      return TRUE;
    }

  /* `No reservations in the system`, `No licenses configured in Slurm.` */
  if (line.length == 0 || (line.length > 3 && memcmp (line.text, "No ", 3) == 0))
    return FALSE;

  complaint = g_strdup_printf ("no %s: %.*s", fields[0].name,
                               (int) MIN (line.length, 128), line.text);
  jm_scheduler_report_pass_over (report, complaint);

  return FALSE;
}

void
jm_slurm_read_reservation (JmSchedulerReport *report, JmSlice line)
{
  JmSchedulerReservation record;

  jm_scheduler_reservation_init (&record);
  if (read_record (report, line, reservation_fields, G_N_ELEMENTS (reservation_fields),
                   &record))
    jm_scheduler_report_add_reservation (report, &record);
}

void
jm_slurm_read_partition (JmSchedulerReport *report, JmSlice line)
{
  JmSchedulerPartition record;

  jm_scheduler_partition_init (&record);
  if (read_record (report, line, partition_fields, G_N_ELEMENTS (partition_fields),
                   &record) &&
      record.name != NULL)
    jm_scheduler_report_add_partition (report, &record);
}

void
jm_slurm_read_license (JmSchedulerReport *report, JmSlice line)
{
  JmSchedulerLicense record;

  jm_scheduler_license_init (&record);
  if (read_record (report, line, license_fields, G_N_ELEMENTS (license_fields),
                   &record))
    jm_scheduler_report_add_license (report, &record);
}
