/* jm-record-cut.c: one job out of a round
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/ledger/jm-record-cut-private.h"

#include "core/jm-job-record-private.h"
#include "node/ledger/jm-ledger.h"

/* What a job was given says how well it used it. */
static const JmMetric grants[] = {
  JM_METRIC_CPUS,           JM_METRIC_MEMORY_LIMIT, JM_METRIC_MEMORY_SWAP_LIMIT,
  JM_METRIC_ALLOCATED_GPUS, JM_METRIC_GPU_SHARE,
};

/* What the node has bounds what a job on it can have used, and says what its CPUs are.
 */
static gboolean
is_size (const JmReading *reading)
{
  return reading->metric == JM_METRIC_NODE_CPUS ||
         reading->metric == JM_METRIC_NODE_CORES ||
         reading->metric == JM_METRIC_NODE_MEMORY_SIZE ||
         reading->metric == JM_METRIC_NODE_SWAP_SIZE;
}

/* Of each CPU there would be as many figures as of all else together. */
static gboolean
is_kept (const JmReading *reading)
{
  const JmMetricInfo *info = jm_metric_get_info (reading->metric);

  if (info->lasts)
    return info->collector != JM_COLLECTOR_PERCPU;

  for (guint i = 0; i < G_N_ELEMENTS (grants); i++)
    if (grants[i] == reading->metric)
      return TRUE;

  return FALSE;
}

static void
copy_figures (JmSnapshot *snapshot,
              guint subject,
              gboolean (*is_copied) (const JmReading *reading),
              JmReadings *readings)
{
  guint n_figures;
  const JmReading *figures =
    jm_snapshot_get_readings_of (snapshot, subject, &n_figures);

  for (guint i = 0; i < n_figures; i++)
    if (is_copied (&figures[i]))
      jm_readings_add_copies (readings, &figures[i], 1);
}

JmSnapshot *
jm_record_cut (JmSnapshot *snapshot, guint subject)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  g_autoptr (GArray) cut = g_array_new (FALSE, FALSE, sizeof (JmSubject));
  guint n;
  const JmSubject *subjects = jm_snapshot_get_subjects (snapshot, &n);
  g_autofree guint *numbers = g_new0 (guint, n); /* in the cut, by number here */
  const JmSubject node = { .kind = JM_SUBJECT_KIND_NODE };

  g_array_append_val (cut, node);
  copy_figures (snapshot, JM_NODE_SUBJECT, is_size, readings);
  for (guint i = subject; i < n; i++)
    {
      JmSubject part = subjects[i];

      if (i != subject && numbers[part.parent] == 0)
        continue;

      numbers[i] = cut->len;
      part.parent = numbers[part.parent];
      jm_readings_set_subject (readings, cut->len);
      copy_figures (snapshot, i, is_kept, readings);
      g_array_append_val (cut, part);
    }

  return jm_snapshot_new (jm_snapshot_get_time (snapshot), 0,
                          jm_snapshot_get_collectors (snapshot),
                          (const JmSubject *) (gpointer) cut->data, cut->len, readings);
}

/**
 * jm_ledger_cut_record:
 * @snapshot: a snapshot of a node
 * @subject: number of a job in it
 *
 * Makes a record of a job as a snapshot has it, without a ledger: it lacks how much of
 * the job was observed.
 *
 * Returns: (transfer full): the record
 * Since: 0.1
 */
JmJobRecord *
jm_ledger_cut_record (JmSnapshot *snapshot, guint subject)
{
  g_autoptr (JmSnapshot) cut = NULL;
  JmJobRecordContent content = { 0 };
  gint64 begin_us;

  g_return_val_if_fail (snapshot != NULL, NULL);
  g_return_val_if_fail (jm_snapshot_get_job (snapshot, subject) != NULL, NULL);

  cut = jm_record_cut (snapshot, subject);
  begin_us = jm_snapshot_get_start_time (snapshot, subject);
  content.job = jm_snapshot_get_job (snapshot, subject);
  content.end_us = jm_snapshot_get_end_time (snapshot, subject);
  content.state = content.end_us > 0 ? JM_RUN_STATE_ENDED : JM_RUN_STATE_RUNNING;
  content.seen_us = jm_snapshot_get_time (snapshot);
  content.begin_us = begin_us > 0 ? begin_us : content.seen_us;
  content.snapshot = cut;

  return jm_job_record_new (&content);
}
