/* jm-emission-stage.c: what the energy of a round has emitted
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-snapshot-private.h"
#include "host/jm-source-private.h"
#include "node/energy/jm-energy-parts-private.h"
#include "node/jm-stage-private.h"

static gpointer
emission_open (const JmSweepPlan *plan, JmSourceSet *sources, GPtrArray *problems)
{
  return jm_emission_chain_new ();
}

static void
emission_close (gpointer self)
{
  jm_emission_chain_free (self);
}

/* Who knows no factor when it is opened will not know one later. */
static void
emission_add_source (gpointer self, const JmSourceEntry *entry)
{
  if (entry->kind == JM_SOURCE_KIND_EMISSIONS && jm_source_is_open (entry->source))
    jm_emission_chain_add (self, entry->name, JM_EMISSION_PROVIDER (entry->source));
}

/* The factors are there when the energy of the round is given out. */
static void
emission_begin (gpointer self, JmRound *round)
{
  gint64 now_us = g_get_real_time ();

  if (round->energy == NULL)
    return;

  round->factors.average =
    jm_emission_chain_get (self, JM_EMISSION_METHOD_AVERAGE, now_us);
  round->factors.marginal =
    jm_emission_chain_get (self, JM_EMISSION_METHOD_MARGINAL, now_us);
}

static void
emission_end (gpointer self, JmRound *round)
{
  g_clear_pointer (&round->factors.average, jm_emission_factor_unref);
  g_clear_pointer (&round->factors.marginal, jm_emission_factor_unref);

  if (!jm_readings_begin (round->readings, JM_COLLECTOR_EMISSIONS))
    return;

  jm_readings_set_subject (round->readings, JM_GRID_SUBJECT);
  jm_emission_chain_tell (self, g_get_real_time (), round->readings);
  jm_readings_end (round->readings);
}

static void
emission_wait (gpointer self, gint64 timeout_us)
{
  jm_emission_chain_wait (self, timeout_us);
}

const JmStageClass jm_emission_stage = {
  .name = "emissions",
  .open = emission_open,
  .close = emission_close,
  .add_source = emission_add_source,
  .begin = emission_begin,
  .end = emission_end,
  .wait = emission_wait,
};
