/* jm-energy-stage.c: whose the energy of a round was
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <math.h>

#include "core/jm-collector-set-private.h"
#include "core/jm-gpu-private.h"
#include "core/jm-readings-private.h"
#include "host/jm-host-private.h"
#include "host/jm-source-private.h"
#include "node/energy/jm-energy-memory-private.h"
#include "node/energy/jm-energy-parts-private.h"
#include "node/jm-stage-private.h"

#define PPM 1e6
#define OF_ENERGY JM_COLLECTOR_SET (JM_COLLECTOR_POWER, JM_COLLECTOR_EMISSIONS)

typedef struct
{
  JmEnergyAccounts *accounts;
  JmEnergyBulletin *bulletin;
  gboolean is_wanted;
  gboolean is_published;     /* as of the last round */
  const GPtrArray *trackers; /* of the last round; they outlive the stage */
} EnergyStage;

static gpointer
energy_open (const JmSweepPlan *plan, JmSourceSet *sources, GPtrArray *problems)
{
  EnergyStage *self = g_new0 (EnergyStage, 1);
  JmSource *processes = jm_source_set_find (sources, JM_SOURCE_KIND_PROCESSES);
  g_autofree char *boot_id = jm_host_read_boot_id (jm_source_get_host (processes));

  self->is_wanted = jm_collector_set_has (&plan->collectors, JM_COLLECTOR_POWER);
  self->bulletin = jm_energy_bulletin_new (jm_source_get_host (processes));
  self->accounts =
    jm_energy_accounts_new (jm_source_set_find (sources, JM_SOURCE_KIND_MACHINE),
                            plan->share_idle, boot_id);
  if (plan->energy_files != NULL)
    jm_energy_accounts_set_files (self->accounts, plan->energy_files, problems);

  return self;
}

/* NULL until it had a share in a round. */
static JmEnergyAccount *
get_account (JmTrackedJob *job)
{
  return jm_tracked_job_get_slot (job, JM_JOB_SLOT_ENERGY)->state;
}

static void
add_accounts (GHashTable *accounts, JmJobTracker *tracker)
{
  GPtrArray *jobs = jm_job_tracker_get_jobs (tracker);

  for (guint i = 0; i < jobs->len; i++)
    {
      JmTrackedJob *tracked = g_ptr_array_index (jobs, i);
      JmJob *job = jm_tracked_job_get_job (tracked);
      JmEnergyAccount *account = get_account (tracked);
      const char *uuid = job != NULL ? jm_job_get_field (job, JM_JOB_FIELD_UUID) : NULL;

      if (uuid != NULL && account != NULL)
        g_hash_table_insert (accounts, (gpointer) uuid, account);
    }
}

/* What was read of the file of another program is not that of this one. */
static void
publish (EnergyStage *self)
{
  g_autoptr (GHashTable) accounts = NULL;

  if (!self->is_published || !jm_energy_accounts_has_meters (self->accounts))
    return;

  accounts = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < self->trackers->len; i++)
    add_accounts (accounts, g_ptr_array_index (self->trackers, i));
  jm_energy_accounts_list (self->accounts, accounts);
  jm_energy_bulletin_publish (self->bulletin, accounts);
}

static void
energy_close (gpointer data)
{
  EnergyStage *self = data;

  publish (self);
  jm_energy_bulletin_free (self->bulletin);
  jm_energy_accounts_free (self->accounts);
  g_free (self);
}

static void
energy_restore (gpointer data, const JmCheckpoint *checkpoint, const GPtrArray *running)
{
  EnergyStage *self = data;
  g_autoptr (GHashTable) node =
    jm_checkpoint_load (checkpoint, JM_ENERGY_MEMORY_OF_NODE);
  g_autoptr (GHashTable) jobs =
    jm_checkpoint_load (checkpoint, JM_ENERGY_MEMORY_OF_JOBS);

  jm_energy_accounts_restore (self->accounts, node, jobs);
}

static void
energy_save (gpointer data, JmRound *round, JmLedgerBatch *batch)
{
  EnergyStage *self = data;

  jm_energy_accounts_save (self->accounts, batch);
}

static void
energy_add_source (gpointer data, const JmSourceEntry *entry)
{
  EnergyStage *self = data;

  if (entry->kind == JM_SOURCE_KIND_POWER &&
      (entry->is_required || jm_source_is_open (entry->source)))
    jm_energy_accounts_expect_meters (self->accounts);
}

static void
energy_begin (gpointer data, JmRound *round)
{
  EnergyStage *self = data;

  self->trackers = round->trackers;
  jm_energy_accounts_begin_round (self->accounts, round->energy, round->round_us,
                                  round->readings);
  jm_energy_accounts_read_sockets (self->accounts, round->sockets);
  jm_energy_accounts_count_node (self->accounts, round->work);
}

static void
energy_account_free (gpointer account)
{
  jm_energy_account_free (account);
}

static void
energy_visit (gpointer data, JmRound *round, guint subject)
{
  EnergyStage *self = data;
  JmTrackedJob *job = jm_tracked_subject_get_job (round->subject);
  JmEnergyAccount *account;
  JmSlot *slot;

  if (jm_tracked_subject_get_kind (round->subject) != JM_SUBJECT_KIND_JOB ||
      round->is_late)
    return;

  const JmEnergyClaim claim = { subject,
                                round->from,
                                jm_tracked_job_get_job (job),
                                jm_readings_get_cpus (round->readings),
                                jm_readings_get_placed (round->readings),
                                jm_tracked_subject_get_end_time (round->subject) != 0,
                                round->has_claimed_cpus };

  slot = jm_tracked_job_get_slot (job, JM_JOB_SLOT_ENERGY);
  account = slot->state;
  jm_energy_accounts_claim (self->accounts, &account, &claim, round->readings);
  *slot = (JmSlot){ account, energy_account_free };
}

/* --- accelerators --- */

/* An instance whose size is not known is as large as any other. */
static double
get_size (JmGpu *gpu)
{
  guint n_slices, n_parent_slices;

  return jm_gpu_get_slices (gpu, &n_slices, &n_parent_slices)
           ? (double) n_slices / n_parent_slices
           : 1;
}

static double
get_ratio (gint64 value_ppm)
{
  return value_ppm >= 0 ? fmin ((double) value_ppm / PPM, 1) : NAN;
}

/* How busy it was, by what its library samples, else by its multiprocessors. */
static double
get_use (JmGpuRoll *gpus, guint gpu)
{
  gint64 covered_us;
  double use = get_ratio (jm_gpu_roll_get_use (gpus, gpu, &covered_us));

  return isnan (use)
           ? get_ratio (jm_gpu_roll_get_value (gpus, gpu, JM_METRIC_GPU_SM_ACTIVE))
           : use;
}

static double
sum_processes (JmGpuRoll *gpus, guint gpu)
{
  guint n_processes;
  const JmGpuProcess *processes = jm_gpu_roll_get_processes (gpus, gpu, &n_processes);
  double sum = 0;

  for (guint i = 0; i < n_processes; i++)
    sum += get_ratio (processes[i].utilization_ppm);

  return sum;
}

static void
add_gpu (EnergyStage *self, JmGpuRoll *gpus, guint gpu)
{
  guint parent = jm_gpu_roll_get_parent (gpus, gpu);
  const JmGpuDevice device = {
    .seat = { .device = gpu,
              .is_instance = parent != JM_NO_GPU,
              .parent = parent,
              .size = get_size (jm_gpu_roll_get_gpu (gpus, gpu)),
              .use = get_use (gpus, gpu),
              .power_uw =
                (guint64) MAX (jm_gpu_roll_get_value (gpus, gpu, JM_METRIC_GPU_POWER),
                               0) },
    .name = jm_gpu_roll_get_key (gpus, gpu),
    .subject = jm_gpu_roll_get_subject (gpus, gpu),
    .busy = sum_processes (gpus, gpu),
  };

  jm_energy_accounts_add_gpu (self->accounts, &device);
}

/* Who has no process on a device whose processes are known does nothing with it; of one
 * that has ended it is not known what it did before. */
static double
get_use_of_job (JmGpuRoll *gpus, const JmGpuHold *hold, gboolean has_ended)
{
  if (hold->is_used)
    return get_ratio (hold->utilization_ppm);

  return !has_ended &&
             jm_gpu_roll_get_value (gpus, hold->gpu, JM_METRIC_GPU_PROCESSES) >= 0
           ? 0
           : NAN;
}

static void
add_gpu_users (EnergyStage *self, JmGpuRoll *gpus, JmTrackedJob *job)
{
  gboolean has_ended =
    jm_tracked_subject_get_end_time (jm_tracked_job_get_subject (job)) != 0;
  guint n_holds;
  const JmGpuHold *holds = jm_gpu_map_get_holds (job, &n_holds);

  for (guint i = 0; i < n_holds; i++)
    {
      const JmGpuUser user = { .device = holds[i].gpu,
                               .share = holds[i].share,
                               .use = get_use_of_job (gpus, &holds[i], has_ended) };

      jm_energy_accounts_add_gpu_user (self->accounts, get_account (job), &user,
                                       holds[i].subject);
    }
}

static void
take_gpus (EnergyStage *self, JmRound *round)
{
  JmGpuRoll *gpus = jm_gpu_map_get_roll (round->gpu_map);

  for (guint i = 0; i < jm_gpu_roll_get_size (gpus); i++)
    if (jm_gpu_roll_is_present (gpus, i))
      add_gpu (self, gpus, i);

  for (guint t = 0; t < round->trackers->len; t++)
    {
      GPtrArray *jobs = jm_job_tracker_get_jobs (round->trackers->pdata[t]);

      for (guint i = 0; i < jobs->len; i++)
        add_gpu_users (self, gpus, jobs->pdata[i]);
    }
}

static void
energy_end (gpointer data, JmRound *round)
{
  EnergyStage *self = data;

  if (round->gpu_map != NULL)
    take_gpus (self, round);
  jm_energy_accounts_end_round (self->accounts, &round->factors, round->readings);
  self->is_published = round->is_published;
  if (jm_energy_bulletin_is_due (self->bulletin))
    publish (self);
}

/* Without a meter there is nothing that could succeed or fail, unless another program
 * reports it by now. */
static void
energy_add_idle_collectors (gpointer data, JmCollectorSet *idle)
{
  EnergyStage *self = data;

  jm_energy_accounts_follow_files (self->accounts);
  if (!self->is_wanted || jm_energy_accounts_is_empty (self->accounts))
    jm_collector_set_unite (idle, OF_ENERGY);
}

const JmStageClass jm_energy_stage = {
  .name = "energy",
  .open = energy_open,
  .close = energy_close,
  .add_source = energy_add_source,
  .begin = energy_begin,
  .visit = energy_visit,
  .end = energy_end,
  .add_idle_collectors = energy_add_idle_collectors,
  .restore = energy_restore,
  .save = energy_save,
};
