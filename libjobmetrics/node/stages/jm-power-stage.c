/* jm-power-stage.c: what the meters have measured, in every round
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-host-private.h"
#include "host/jm-source-private.h"
#include "node/energy/jm-energy-checkpoint-private.h"
#include "node/energy/jm-energy-parts-private.h"
#include "node/jm-stage-private.h"
#include "registry/jm-gpu-power-source-private.h"

/* What a ledger calls it. */
#define OF_METERS "meters"
#define ALL_METERS "all"

typedef struct
{
  JmPowerIntake *intake;
  char *boot_id; /* NULL where it is not known */
} PowerStage;

static gpointer
power_open (const JmSweepPlan *plan, JmSourceSet *sources, GPtrArray *problems)
{
  PowerStage *self = g_new0 (PowerStage, 1);
  JmSource *processes = jm_source_set_find (sources, JM_SOURCE_KIND_PROCESSES);

  self->intake = jm_power_intake_new ();
  self->boot_id = jm_host_read_boot_id (jm_source_get_host (processes));

  return self;
}

static void
power_close (gpointer data)
{
  PowerStage *self = data;

  jm_power_intake_free (self->intake);
  g_free (self->boot_id);
  g_free (self);
}

/* One that was asked for and could not be opened is tried again, see there. */
static void
power_add_source (gpointer data, const JmSourceEntry *entry)
{
  PowerStage *self = data;

  if (entry->kind == JM_SOURCE_KIND_POWER &&
      (entry->is_required || jm_source_is_open (entry->source)))
    jm_power_intake_add (self->intake, entry->name, JM_POWER_SOURCE (entry->source));
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
power_begin (gpointer data, JmRound *round)
{
  PowerStage *self = data;

  if (!jm_readings_begin (round->readings, JM_COLLECTOR_POWER))
    return;

  jm_power_intake_set_finder (self->intake, find_device, round->gpu_map);
  round->energy = jm_power_intake_read (self->intake, g_get_monotonic_time (),
                                        round->readings, &round->round_us);
  round->sockets = jm_power_intake_get_sockets (self->intake);
  jm_readings_end (round->readings);
}

static void
power_wait (gpointer data, gint64 timeout_us)
{
  PowerStage *self = data;

  jm_power_intake_wait (self->intake, timeout_us);
}

static void
power_restore (gpointer data, const JmCheckpoint *checkpoint, const GPtrArray *running)
{
  PowerStage *self = data;
  g_autoptr (GHashTable) kept = jm_checkpoint_load (checkpoint, OF_METERS);
  g_autoptr (GVariant) value = NULL;
  GBytes *bytes = g_hash_table_lookup (kept, ALL_METERS);

  if (bytes == NULL)
    return;

  value = jm_energy_checkpoint_unpack (bytes, JM_POWER_INTAKE_TYPE);
  if (value != NULL)
    jm_power_intake_restore (self->intake, value, self->boot_id,
                             g_get_monotonic_time ());
  else
    g_warning ("the ledger: what it has of the node's meters is broken: their sums "
               "begin anew");
}

static void
power_save (gpointer data, JmRound *round, JmLedgerBatch *batch)
{
  PowerStage *self = data;
  GVariant *value = jm_power_intake_save (self->intake, self->boot_id);
  g_autoptr (GBytes) bytes = NULL;

  if (value == NULL)
    return;

  bytes = jm_energy_checkpoint_pack (value);
  jm_ledger_batch_set (batch, OF_METERS, ALL_METERS, bytes);
}

const JmStageClass jm_power_stage = {
  .name = "power",
  .open = power_open,
  .close = power_close,
  .add_source = power_add_source,
  .begin = power_begin,
  .restore = power_restore,
  .save = power_save,
  .wait = power_wait,
};
