/* fuzz-record.c: records of jobs, in any shape
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-record-json-private.h"
#include "node/jm-ended-run-private.h"
#include "node/jm-run-directory-private.h"

/* of the fixtures */
#define RUN "0f6a2d1e-7c70-4d2a-9d8e-3f0f5c1b2a34/4711"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static char *
write_anew (const char *text)
{
  g_autoptr (JsonNode) node = jm_json_parse (text, strlen (text));
  g_autoptr (JmJobRecord) record = jm_record_json_read (node, "it", NULL);

  g_assert_nonnull (record);

  return jm_record_json_format (record);
}

/* What was understood once is passed on as it is, and written as itself from then on.
 */
static void
check (JmJobRecord *record)
{
  g_autofree char *text = jm_record_json_format (record);
  g_autoptr (JmJobRecord) same = jm_record_json_parse (text, strlen (text), "it", NULL);
  g_autofree char *passed_on = NULL;
  g_autofree char *written = write_anew (text);
  g_autofree char *again = write_anew (written);

  g_assert_true (jm_json_may_be_passed_on (text, strlen (text)));
  g_assert_nonnull (same);
  passed_on = jm_record_json_format (same);
  g_assert_cmpstr (passed_on, ==, text);
  g_assert_cmpstr (again, ==, written);
}

/* What the exporter leaves for other programs of the node. */
static void
read_as_files_of_runs (const char *text, gsize length)
{
  g_autoptr (JmJob) job = jm_run_record_parse (text, length, RUN);
  g_autoptr (JmReadings) readings = jm_readings_new ();
  JmEndedRun run;

  if (job != NULL)
    {
      g_autofree char *again = jm_run_record_format (job);
      g_autoptr (JmJob) same = jm_run_record_parse (again, strlen (again), RUN);

      g_assert_nonnull (same);
      g_assert_cmpstr (jm_job_get_id (same), ==, jm_job_get_id (job));
    }
  if (jm_ended_run_parse (&run, text, length, RUN, readings))
    jm_ended_run_clear (&run);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  /* of its own, so that a read past its end is seen */
  g_autofree char *text = g_memdup2 (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmJobRecord) record = NULL;

  if (size == 0)
    return 0;

  read_as_files_of_runs (text, size);
  record = jm_record_json_parse (text, size, "it", &error);
  if (record != NULL)
    check (record);
  else
    g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);

  return 0;
}
