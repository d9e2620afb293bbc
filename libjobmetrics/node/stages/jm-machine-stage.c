/* jm-machine-stage.c: the node's own totals, in every round
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/jm-stage-private.h"
#include "sources/machine/jm-machine-private.h"

static gpointer
machine_open (const JmSweepPlan *plan, JmSourceSet *sources, GPtrArray *problems)
{
  JmMachine *machine = jm_source_set_find (sources, JM_SOURCE_KIND_MACHINE);

  return machine != NULL ? g_object_ref (machine) : NULL;
}

static void
machine_close (gpointer self)
{
  g_clear_object (&self);
}

static void
machine_begin (gpointer self, JmRound *round)
{
  if (self != NULL)
    jm_machine_read (self, round->readings);
}

const JmStageClass jm_machine_stage = {
  .name = "machine",
  .open = machine_open,
  .close = machine_close,
  .begin = machine_begin,
};
