/* jm-power-stage.c: what the meters have measured, in every round
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/energy/jm-power-intake-private.h"
#include "collect/gpu/jm-gpu-power-source-private.h"
#include "collect/jm-stage-private.h"

static gpointer
power_open (const JmSweepPlan *plan, JmSourceSet *sources, GPtrArray *problems)
{
  return jm_power_intake_new ();
}

static void
power_close (gpointer self)
{
  jm_power_intake_free (self);
}

/* One that was asked for and could not be opened is tried again, see there. */
static void
power_add_source (gpointer self, const JmSourceEntry *entry)
{
  if (entry->kind == JM_SOURCE_KIND_POWER &&
      (entry->is_required || jm_source_is_open (entry->source)))
    jm_power_intake_add (self, entry->name, JM_POWER_SOURCE (entry->source));
}

/* A library's number of a device is its own: it is the roll that knows which one that
 * is. */
static gboolean
find_device (JmPowerSource *source, guint number, guint *device, gpointer gpu_map)
{
  if (gpu_map == NULL || !JM_IS_GPU_POWER_SOURCE (source))
    return FALSE;

  *device = jm_gpu_roll_find_of_library (jm_gpu_map_get_roll (gpu_map),
                                         jm_gpu_power_source_get_library (
                                           JM_GPU_POWER_SOURCE (source)),
                                         number);

  return TRUE;
}

static void
power_begin (gpointer self, JmRound *round)
{
  if (!jm_readings_begin (round->readings, JM_COLLECTOR_POWER))
    return;

  jm_power_intake_set_finder (self, find_device, round->gpu_map);
  round->energy = jm_power_intake_read (self, round->readings, &round->round_us);
  jm_readings_end (round->readings);
}

static void
power_wait (gpointer self, gint64 timeout_us)
{
  jm_power_intake_wait (self, timeout_us);
}

const JmStageClass jm_power_stage = {
  .name = "power",
  .open = power_open,
  .close = power_close,
  .add_source = power_add_source,
  .begin = power_begin,
  .wait = power_wait,
};
