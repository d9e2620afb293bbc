/* jm-energy-stage.c: whose the energy of a round was
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/energy/jm-energy-accounts-private.h"
#include "collect/jm-stage-private.h"
#include "core/jm-readings-private.h"

#define OF_ENERGY JM_COLLECTOR_SET (JM_COLLECTOR_POWER, JM_COLLECTOR_EMISSIONS)

typedef struct
{
  JmEnergyAccounts *accounts;
  gboolean is_wanted;
  const GPtrArray *trackers; /* of the last round; they outlive the stage */
} EnergyStage;

static gpointer
energy_open (const JmSweepPlan *plan, JmSourceSet *sources, GPtrArray *problems)
{
  EnergyStage *self = g_new0 (EnergyStage, 1);

  self->is_wanted = jm_collector_set_has (&plan->collectors, JM_COLLECTOR_POWER);
  self->accounts =
    jm_energy_accounts_new (jm_source_set_find (sources, JM_SOURCE_KIND_MACHINE),
                            plan->share_idle);
  if (plan->energy_files != NULL)
    jm_energy_accounts_set_files (self->accounts, plan->energy_files,
                                  plan->keeps_energy, problems);

  return self;
}

static void
add_accounts (GHashTable *accounts, JmJobTracker *tracker)
{
  GPtrArray *jobs = jm_job_tracker_get_jobs (tracker);

  for (guint i = 0; i < jobs->len; i++)
    {
      JmTrackedJob *tracked = g_ptr_array_index (jobs, i);
      JmJob *job = jm_tracked_job_get_job (tracked);
      JmEnergyAccount *account = *jm_tracked_job_get_energy (tracked);
      const char *uuid = job != NULL ? jm_job_get_field (job, JM_JOB_FIELD_UUID) : NULL;

      if (uuid != NULL && account != NULL)
        g_hash_table_insert (accounts, (gpointer) uuid, account);
    }
}

static void
save (EnergyStage *self)
{
  g_autoptr (GHashTable) accounts = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; self->trackers != NULL && i < self->trackers->len; i++)
    add_accounts (accounts, g_ptr_array_index (self->trackers, i));

  jm_energy_accounts_save (self->accounts, accounts);
}

static void
energy_close (gpointer data)
{
  EnergyStage *self = data;

  /* Before the first round nothing is known that the files do not have. */
  if (self->trackers != NULL)
    save (self);
  jm_energy_accounts_free (self->accounts);
  g_free (self);
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
}

static void
energy_visit (gpointer data, JmRound *round, guint subject)
{
  EnergyStage *self = data;
  JmTrackedJob *job = jm_tracked_subject_get_job (round->subject);

  if (jm_tracked_subject_get_kind (round->subject) != JM_SUBJECT_KIND_JOB ||
      round->is_late)
    return;

  const JmEnergyClaim claim = { subject,
                                round->from,
                                jm_tracked_job_get_job (job),
                                jm_readings_get_cpus (round->readings),
                                jm_readings_get_placed (round->readings),
                                jm_tracked_subject_get_end_time (round->subject) != 0 };

  jm_energy_accounts_claim (self->accounts, jm_tracked_job_get_energy (job), &claim,
                            round->readings);
}

static void
energy_end (gpointer data, JmRound *round)
{
  EnergyStage *self = data;

  jm_energy_accounts_end_round (self->accounts, &round->factors, round->readings);
  if (jm_energy_accounts_is_save_due (self->accounts))
    save (self);
}

/* Without a meter there is nothing that could succeed or fail. */
static void
energy_add_idle_collectors (gpointer data, JmCollectorSet *idle)
{
  EnergyStage *self = data;

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
};
