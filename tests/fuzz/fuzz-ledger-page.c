/* fuzz-ledger-page.c: any bytes as what a node answers of its ledger
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "base/jm-error.h"
#include "core/jm-job-record.h"
#include "core/jm-record-json-private.h"
#include "io/jm-ledger-client-private.h"

#define AFTER 7

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* Records are in order, and none is behind the place where the next page begins. */
static void
check (const JmLedgerPage *page)
{
  guint64 before = 0;

  g_assert_cmpuint (page->records->len, <=, JM_LEDGER_PAGE_RECORDS);
  for (guint i = 0; i < page->records->len; i++)
    {
      guint64 position = jm_job_record_get_position (page->records->pdata[i]);

      g_assert_cmpuint (position, >, before);
      g_assert_cmpuint (position, <=, page->next);
      before = position;
    }
}

static void
read_page (const char *text, gsize length)
{
  g_auto (JmLedgerPage) page = { 0 };
  g_autoptr (GError) error = NULL;

  if (jm_ledger_page_read (&page, text, length, "n1", AFTER, &error))
    check (&page);
  else
    g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
}

static void
read_running (const char *text, gsize length)
{
  g_auto (JmLedgerPage) page = { 0 };
  g_autoptr (GError) error = NULL;

  if (!jm_ledger_page_read_running (&page, text, length, "n1", &error))
    {
      g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
      return;
    }
  g_assert_cmpuint (page.records->len, <=, JM_LEDGER_PAGE_RECORDS);
  for (guint i = 0; i < page.records->len; i++)
    g_assert_cmpint (jm_job_record_get_state (page.records->pdata[i]), ==,
                     JM_RUN_STATE_RUNNING);
}

static void
read_both (const char *text, gsize length)
{
  read_page (text, length);
  read_running (text, length);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *record = g_strndup ((const char *) data, size);
  g_autofree char *text =
    g_strdup_printf ("{\"records\": [%s], \"next\": 9, \"more\": false}", record);

  read_both ((const char *) data, size);
  read_both (text, strlen (text));

  return 0;
}
