/* fuzz-filter.c: any bytes as a filter of jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../add-labelled.h"
#include "../core/made-job.h"
#include "base/jm-error.h"
#include "core/jm-filter-private.h"
#include "core/jm-readings-private.h"
#include "core/jm-snapshot-private.h"

/* A byte below their number stands for one of these: chance alone finds few names. */
static const char *const tokens[] = {
  "cpus",   "mem",   "user", "jobid", "state", "age",   "threads", "start_time",
  " == ",   " != ",  " < ",  " <= ",  " > ",   " >= ",  " ~ ",     " !~ ",
  " && ",   " || ",  "!",    "(",     ")",     "alice", "\"",      "*",
  "1.5GiB", "1h30m", "4",    "50%",   "'",     "\\",    "e308",    "running",
};

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static JmSnapshot *
make_snapshot (void)
{
  const char *fields
    [JM_N_JOB_FIELDS] = { [JM_JOB_FIELD_ID] = "5", [JM_JOB_FIELD_USER] = "alice" };
  g_autoptr (JmJob) job = made_job_new (fields, JM_ORIGIN_HOOK);
  g_autoptr (JmReadings) readings = jm_readings_new ();
  JmSubject subjects[] = { { JM_SUBJECT_KIND_NODE },
                           { .kind = JM_SUBJECT_KIND_JOB, .job = job } };

  jm_readings_set_subject (readings, 1);
  jm_readings_add (readings, JM_METRIC_CPUS, 4);
  add_labelled (readings, JM_METRIC_THREADS, "running", 2);

  return jm_snapshot_new (0, 0, jm_collector_set_get_all (), subjects,
                          G_N_ELEMENTS (subjects), readings);
}

static char *
make_text (const uint8_t *data, size_t size)
{
  GString *text = g_string_new (NULL);

  for (size_t i = 0; i < size; i++)
    if (data[i] < G_N_ELEMENTS (tokens))
      g_string_append (text, tokens[data[i]]);
    else
      g_string_append_c (text, (char) data[i]);

  return g_string_free (text, FALSE);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  JmCollectorSet collectors = { { 0 } };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = make_text (data, size);
  g_autoptr (JmFilter) filter = jm_filter_new (text, &error);
  g_autoptr (JmSnapshot) snapshot = NULL;

  g_assert_true ((filter == NULL) == (error != NULL));
  if (filter == NULL)
    {
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      return 0;
    }

  snapshot = make_snapshot ();
  jm_filter_matches (filter, snapshot, 1);
  jm_filter_add_collectors (filter, &collectors);
  jm_collector_set_subtract (&collectors, jm_collector_set_get_all ());
  g_assert_true (jm_collector_set_is_empty (&collectors));

  return 0;
}
