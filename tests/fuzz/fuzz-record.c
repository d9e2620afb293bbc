/* fuzz-record.c: records of jobs, in any shape
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "core/jm-error.h"
#include "core/jm-job-record-private.h"
#include "store/jm-record-json-private.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* What was understood once is written as itself from then on. */
static void
check (JmJobRecord *record)
{
  g_autofree char *text = jm_record_json_format (record);
  g_autoptr (JmJobRecord) same = jm_record_json_parse (text, strlen (text), "it", NULL);
  g_autofree char *again = NULL;

  g_assert_nonnull (same);
  again = jm_record_json_format (same);
  g_assert_cmpstr (again, ==, text);
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

  record = jm_record_json_parse (text, size, "it", &error);
  if (record != NULL)
    check (record);
  else
    g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);

  return 0;
}
