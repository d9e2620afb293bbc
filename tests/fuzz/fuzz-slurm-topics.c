/* fuzz-slurm-topics.c: any bytes as small answers of Slurm
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stddef.h>
#include <stdint.h>

#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/slurm/jm-slurm-output-private.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_text (const char *text)
{
  g_assert_true (text == NULL || (text[0] != '\0' && g_utf8_validate (text, -1, NULL)));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_DIAGNOSTICS);
  const char *cursor = (const char *) data;
  const char *end = cursor + size;
  JmSlurmSdiag sdiag;
  JmSlice line;

  jm_slurm_sdiag_init (&sdiag);
  while (jm_parse_next_line (&cursor, end, &line))
    {
      jm_slurm_sdiag_read (&sdiag, report, line);
      jm_slurm_read_share (report, line);
      jm_slurm_read_reservation (report, line);
      jm_slurm_read_license (report, line);
      jm_slurm_read_partition (report, line);
      jm_slurm_read_limit (report, "recorded", line);
      jm_slurm_read_qos (report, line);
    }
  jm_slurm_sdiag_finish (&sdiag, report);

  for (guint i = 0; i < jm_scheduler_report_get_n_shares (report); i++)
    {
      g_assert_nonnull (jm_scheduler_report_get_share (report, i)->account);
      check_text (jm_scheduler_report_get_share (report, i)->user);
    }
  for (guint i = 0; i < jm_scheduler_report_get_n_licenses (report); i++)
    g_assert_cmpint (jm_scheduler_report_get_license (report, i)->total, >=, -1);
  for (guint i = 0; i < jm_scheduler_report_get_n_reservations (report); i++)
    check_text (jm_scheduler_report_get_reservation (report, i)->users);
  for (guint i = 0; i < jm_scheduler_report_get_n_partitions (report); i++)
    {
      g_assert_nonnull (jm_scheduler_report_get_partition (report, i)->name);
      g_assert_cmpint (jm_scheduler_report_get_partition (report, i)->gpus, >=, -1);
    }
  for (guint i = 0; i < jm_scheduler_report_get_n_limits (report); i++)
    {
      const JmSchedulerLimit *limit = jm_scheduler_report_get_limit (report, i);

      g_assert_true ((limit->account == NULL) != (limit->qos == NULL));
      g_assert_cmpint (limit->max_wall_seconds, >=, -1);
    }
  g_assert_true ((jm_scheduler_report_get_n_complaints (report) == 0) ==
                 (jm_scheduler_report_get_complaint (report) == NULL));

  return 0;
}
