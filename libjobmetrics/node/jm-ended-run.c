/* jm-ended-run.c: what a job had used when it ended, as a file has it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/jm-ended-run-private.h"

#include "base/jm-json-private.h"
#include "base/jm-json-writer-private.h"
#include "core/jm-collector-set-private.h"
#include "core/jm-figures-json-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-record-json-private.h"
#include "core/jm-snapshot-private.h"

#define UNTIL "until"
#define RECORD "record"

/* --- writing --- */

static JmSnapshot *
make_snapshot (JmJob *job, gint64 end_us, const JmReading *readings, guint n_readings)
{
  g_autoptr (JmReadings) copies = jm_readings_new ();
  const JmSubject subjects[] = {
    { .kind = JM_SUBJECT_KIND_NODE },
    { .kind = JM_SUBJECT_KIND_JOB, .job = job, .end_time = end_us },
  };

  jm_readings_set_subject (copies, JM_RECORD_SUBJECT);
  jm_readings_add_copies (copies, readings, n_readings);

  return jm_snapshot_new (end_us, 0, jm_collector_set_get_of_node (), subjects,
                          G_N_ELEMENTS (subjects), copies);
}

static JmJobRecord *
make_record (JmJob *job, gint64 end_us, const JmReading *readings, guint n_readings)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot (job, end_us, readings, n_readings);
  gint64 begin_us = jm_snapshot_get_start_time (snapshot, JM_RECORD_SUBJECT);
  const JmJobRecordContent content = { .job = job,
                                       .state = JM_RUN_STATE_ENDED,
                                       .begin_us = begin_us > 0 ? begin_us : end_us,
                                       .end_us = end_us,
                                       .seen_us = end_us,
                                       .snapshot = snapshot };

  return jm_job_record_new (&content);
}

char *
jm_ended_run_format (JmJob *job,
                     gint64 end_us,
                     gint64 until_us,
                     const JmReading *readings,
                     guint n_readings)
{
  g_autoptr (JmJobRecord) record = make_record (job, end_us, readings, n_readings);
  g_autofree char *text = jm_record_json_format (record);
  JmJsonWriter json = { .out = g_string_new (NULL) };

  jm_json_writer_begin_object (&json, NULL);
  jm_json_writer_add_double (&json, UNTIL, (double) until_us / 1e6);
  jm_json_writer_add_json (&json, RECORD, text);
  jm_json_writer_end_object (&json);

  return g_string_free (json.out, FALSE);
}

/* --- reading --- */

static void
take_figures (JmSnapshot *snapshot, JmReadings *readings)
{
  guint n;
  const JmReading *figures =
    jm_snapshot_get_readings_of (snapshot, JM_RECORD_SUBJECT, &n);

  for (guint i = 0; i < n; i++)
    if (jm_readings_begin (readings, jm_metric_get_info (figures[i].metric)->collector))
      jm_readings_add_copies (readings, &figures[i], 1);
}

gboolean
jm_ended_run_parse (JmEndedRun *self,
                    const char *text,
                    gsize length,
                    const char *run_key,
                    JmReadings *readings)
{
  g_autoptr (JsonNode) node = jm_json_parse (text, length);
  g_autoptr (JmJobRecord) record =
    jm_record_json_read (jm_json_get (node, RECORD), run_key, NULL);
  JmEndedRun run = { 0 };

  if (record == NULL || !jm_figures_json_get_time (node, UNTIL, &run.until_us) ||
      run.until_us == 0 || jm_job_record_get_end_time (record) == 0 ||
      !g_str_equal (jm_job_record_get_key (record), run_key))
    return FALSE;

  run.job = jm_job_ref (jm_job_record_get_job (record));
  run.end_us = jm_job_record_get_end_time (record);
  take_figures (jm_job_record_get_snapshot (record), readings);
  *self = run;

  return TRUE;
}

void
jm_ended_run_clear (JmEndedRun *self)
{
  g_clear_pointer (&self->job, jm_job_unref);
}
