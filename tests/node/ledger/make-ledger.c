/* make-ledger.c: a ledger of so many jobs, for tests of what reads one
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdlib.h>

#include "made-ledger.h"

int
main (int argc, char *argv[])
{
  g_autoptr (JmLedger) ledger = NULL;
  g_autoptr (GError) error = NULL;
  JmLedgerBatch *batch;
  gint64 since_us = BEGIN_US;

  if (argc < 3 || argc > 4)
    {
      g_printerr ("usage: make-ledger PATH COUNT [now]\n");
      return 2;
    }
  if (argc == 4)
    since_us = g_get_real_time () - atoi (argv[2]) * SECOND_US;

  ledger = jm_ledger_open_for_writing (&(JmLedgerPlan){ .path = argv[1] }, &error);
  if (ledger == NULL)
    {
      g_printerr ("%s\n", error->message);
      return 1;
    }
  batch = jm_ledger_batch_new ();
  for (int i = 0; i < atoi (argv[2]); i++)
    {
      g_autoptr (JmJobRecord) record = made_record_new_since (since_us, (guint) i);

      jm_ledger_batch_append (batch, record);
    }
  made_ledger_finish (ledger, jm_ledger_submit (ledger, batch));

  return 0;
}
