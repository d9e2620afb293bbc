/* jmc-report-node.c: a job that runs on this node, as a run that is reported
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "report/jmc-report-node.h"

#include "collect/ledger/jm-record-cut-private.h"
#include "core/jm-error.h"
#include "core/jm-job-record-private.h"
#include "jmc-metering.h"

/* The collectors that a report has figures of. */
#define COLLECTORS                                                                     \
 JM_COLLECTOR_SET (JM_COLLECTOR_CPU, JM_COLLECTOR_MEMORY, JM_COLLECTOR_MEMORY_STAT,    \
                   JM_COLLECTOR_PRESSURE, JM_COLLECTOR_IO, JM_COLLECTOR_PROCESS,       \
                   JM_COLLECTOR_THREADS, JM_COLLECTOR_FILES, JM_COLLECTOR_POWER,       \
                   JM_COLLECTOR_EMISSIONS, JM_COLLECTOR_GPU)

/* Without a name: whether it is a job of the calling user. */
static gboolean
is_called (JmJob *job, const char *name)
{
  return name != NULL ? jm_job_is_called (job, name)
                      : g_strcmp0 (jm_job_get_field (job, JM_JOB_FIELD_USER),
                                   g_get_user_name ()) == 0;
}

static gboolean
is_meant (JmSnapshot *snapshot, guint subject, const JmcReportQuery *query)
{
  JmJob *job;

  if (jm_snapshot_get_kind (snapshot, subject) != JM_SUBJECT_KIND_JOB)
    return FALSE;

  job = jm_snapshot_get_job (snapshot, subject);

  return is_called (job, query->uuid != NULL ? query->uuid : query->job) &&
         (query->cluster == NULL ||
          g_strcmp0 (jm_job_get_field (job, JM_JOB_FIELD_CLUSTER), query->cluster) ==
            0);
}

/* An id that came back means the later run. */
static gboolean
find_job (JmSnapshot *snapshot, const JmcReportQuery *query, guint *subject)
{
  gboolean is_found = FALSE;

  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    if (is_meant (snapshot, i, query))
      {
        *subject = i;
        is_found = TRUE;
      }

  return is_found;
}

static JmRunReport *
make_report (JmSnapshot *snapshot, guint subject)
{
  g_autoptr (GPtrArray) records =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_job_record_unref);
  g_autoptr (JmSnapshot) cut = jm_record_cut (snapshot, subject);
  const gint64 now_us = jm_snapshot_get_time (snapshot);
  const gint64 begin_us = jm_snapshot_get_start_time (snapshot, subject);
  const gint64 end_us = jm_snapshot_get_end_time (snapshot, subject);
  const JmJobRecordContent content = {
    .job = jm_snapshot_get_job (snapshot, subject),
    .state = end_us > 0 ? JM_RUN_STATE_ENDED : JM_RUN_STATE_RUNNING,
    .begin_us = begin_us > 0 ? begin_us : now_us,
    .end_us = end_us,
    .seen_us = now_us,
    .snapshot = cut,
  };

  g_ptr_array_add (records, jm_job_record_new (&content));

  return jm_run_report_new (NULL, records, NULL);
}

static JmSnapshot *
sample (const JmcOptions *options, GError **error)
{
  g_autoptr (JmNode) node =
    jmc_options_make_node (options, JM_SUBJECT_KIND_STEP, COLLECTORS, error);
  g_autoptr (JmSnapshot) before = NULL;

  if (node == NULL)
    return NULL;
  jmc_metering_wait_for_gpus (node, COLLECTORS);
  before = jmc_metering_begin (&options->metering, node);

  return jm_node_sample (node, NULL, error);
}

JmRunReport *
jmc_report_node_find (const JmcOptions *options,
                      const JmcReportQuery *query,
                      GError **error)
{
  g_autoptr (JmSnapshot) snapshot = sample (options, error);
  guint subject;

  if (snapshot == NULL)
    return NULL;
  if (find_job (snapshot, query, &subject))
    return make_report (snapshot, subject);

  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "no such job runs on this node");

  return NULL;
}
