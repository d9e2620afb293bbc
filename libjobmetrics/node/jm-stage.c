/* jm-stage.c: the parts of every round over a node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/jm-stage-private.h"

#include "core/jm-readings-private.h"

/* A new stage is a line. Meters are read early, next to the node's CPU time, which
 * their energy is split by; a subject's counters come before the claims made of them.
 */
static const JmStageClass *const classes[] = {
  &jm_machine_stage,  &jm_gpu_stage,     &jm_power_stage,   &jm_cgroup_stage,
  &jm_counter_stage,  &jm_process_stage, &jm_gpu_job_stage, &jm_energy_stage,
  &jm_emission_stage, &jm_ledger_stage,
};

#define N_STAGES G_N_ELEMENTS (classes)

struct _JmStages
{
  gpointer stages[N_STAGES];
};

guint
jm_round_add_subject (JmRound *self, const JmSubject *subject)
{
  guint number = self->subjects->len;

  g_array_append_vals (self->subjects, subject, 1);
  jm_readings_set_subject (self->readings, number);

  return number;
}

JmStages *
jm_stages_open (const JmSweepPlan *plan, JmSourceSet *sources, GPtrArray *problems)
{
  JmStages *self = g_new0 (JmStages, 1);

  for (guint i = 0; i < N_STAGES; i++)
    if (classes[i]->open != NULL)
      self->stages[i] = classes[i]->open (plan, sources, problems);

  return self;
}

void
jm_stages_free (JmStages *self)
{
  for (guint i = N_STAGES; i-- > 0;)
    if (classes[i]->close != NULL)
      classes[i]->close (self->stages[i]);
  g_free (self);
}

void
jm_stages_add_source (JmStages *self, const JmSourceEntry *entry)
{
  for (guint i = 0; i < N_STAGES; i++)
    if (classes[i]->add_source != NULL)
      classes[i]->add_source (self->stages[i], entry);
}

void
jm_stages_begin (JmStages *self, JmRound *round)
{
  for (guint i = 0; i < N_STAGES; i++)
    if (classes[i]->begin != NULL)
      classes[i]->begin (self->stages[i], round);
}

void
jm_stages_visit (JmStages *self, JmRound *round, guint subject)
{
  for (guint i = 0; i < N_STAGES; i++)
    if (classes[i]->visit != NULL)
      classes[i]->visit (self->stages[i], round, subject);
}

void
jm_stages_end (JmStages *self, JmRound *round)
{
  for (guint i = 0; i < N_STAGES; i++)
    if (classes[i]->end != NULL)
      classes[i]->end (self->stages[i], round);
}

void
jm_stages_add_idle_collectors (JmStages *self, JmCollectorSet *idle)
{
  for (guint i = 0; i < N_STAGES; i++)
    if (classes[i]->add_idle_collectors != NULL)
      classes[i]->add_idle_collectors (self->stages[i], idle);
}

void
jm_stages_restore (JmStages *self,
                   const JmCheckpoint *checkpoint,
                   const GPtrArray *running)
{
  for (guint i = 0; i < N_STAGES; i++)
    if (classes[i]->restore != NULL)
      classes[i]->restore (self->stages[i], checkpoint, running);
}

void
jm_stages_save (JmStages *self, JmRound *round, JmLedgerBatch *batch)
{
  for (guint i = 0; i < N_STAGES; i++)
    if (classes[i]->save != NULL)
      classes[i]->save (self->stages[i], round, batch);
}

void
jm_stages_job_ended (JmStages *self,
                     JmRound *round,
                     JmTrackedJob *job,
                     JmLedgerBatch *batch)
{
  for (guint i = 0; i < N_STAGES; i++)
    if (classes[i]->ended != NULL)
      classes[i]->ended (self->stages[i], round, job, batch);
}

void
jm_stages_wait (JmStages *self, gint64 timeout_us)
{
  gint64 end_us = g_get_monotonic_time () + timeout_us;

  for (guint i = 0; i < N_STAGES; i++)
    if (classes[i]->wait != NULL)
      classes[i]->wait (self->stages[i], MAX (end_us - g_get_monotonic_time (), 0));
}
