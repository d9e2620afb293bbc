/* fuzz-trace.c: any bytes as the record that a wrapper reports
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/jm-safe-text-private.h"
#include "base/jm-trace-record-private.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
assert_is_plain (const char *text, gsize max)
{
  g_assert (strlen (text) <= max && g_utf8_validate (text, -1, NULL));
  for (; *text != '\0'; text = g_utf8_next_char (text))
    g_assert (jm_safe_text_has (g_utf8_get_char (text)));
}

static void
check (const JmTraceRecord *record)
{
  g_assert (record->job_id > 0 && record->job_id <= G_MAXINT64);
  g_assert (record->pid > 0 && record->pid <= G_MAXINT32);
  g_assert (isfinite (record->cpus) && record->cpus >= 0);
  g_assert (record->host[0] != '\0' && record->user[0] != '\0');
  assert_is_plain (record->host, 253);
  assert_is_plain (record->user, 256);
  assert_is_plain (record->cluster, 64);
  assert_is_plain (record->step, 64);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmTraceRecord) record =
    jm_trace_record_parse ((const char *) data, size, &error);
  g_autoptr (JmTraceRecord) again = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  g_assert ((record == NULL) == (error != NULL));
  if (record == NULL)
    return 0;

  check (record);
  jm_trace_record_append_json (record, text);
  again = jm_trace_record_parse (text->str, text->len, &error);
  g_assert_no_error (error);
  g_assert (again->job_id == record->job_id && strcmp (again->host, record->host) == 0);

  return 0;
}
