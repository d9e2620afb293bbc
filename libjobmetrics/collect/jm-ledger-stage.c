/* jm-ledger-stage.c: the record of each job, in every round
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/jm-stage-private.h"

/* Without a ledger there is nothing that could succeed or fail. */
static void
ledger_add_idle_collectors (gpointer self, JmCollectorSet *idle)
{
  jm_collector_set_add (idle, JM_COLLECTOR_LEDGER);
}

const JmStageClass jm_ledger_stage = {
  .name = "ledger",
  .add_idle_collectors = ledger_add_idle_collectors,
};
