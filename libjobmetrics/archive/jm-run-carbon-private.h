/* jm-run-carbon-private.h: what runs emitted, in sums
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-figures-private.h"
#include "core/jm-run.h"
#include "judge/jm-site-carbon.h"

G_BEGIN_DECLS

/* Of which emissions a factor is; they are never added up. */
typedef enum
{
  JM_CARBON_DIRECT,
  JM_CARBON_LIFECYCLE,
  JM_CARBON_UNSCOPED,
  JM_N_CARBON_SCOPES
} JmCarbonScope;

/* JmCarbonBasis: runs of which all that a rate needs is known
 * @operational: grams of their energy, with the power usage effectiveness
 * @embodied: their share of making machines, grams */
typedef struct
{
  JmFigure operational;
  JmFigure embodied;
  JmFigure cpu_seconds;
  JmFigure runs;
} JmCarbonBasis;

/* JmRunCarbon: sums of runs, each of those of which it is known
 * @cpu_seconds: CPU time that was given
 * @cpu_seconds_seen: the same of runs whose energy is known
 * @energy_emitted: energy of runs whose emissions are known, joules
 * @energy_of: the same by the scope of their emissions
 * @emissions: grams, without the power usage effectiveness
 * @facility_energy: energy with it, joules
 * @facility_emissions: grams with it
 * @market_emissions: grams of @facility_energy by the contract for electricity
 * @pues: the least and the greatest power usage effectiveness
 * @lacks_pue: whether it is not known of some run; then no sum has it
 * @lacks_market: whether that or the contract's factor is not */
typedef struct
{
  JmFigure cpu_seconds;
  JmFigure cpu_seconds_seen;
  JmFigure energy;
  JmFigure measured;
  JmFigure estimated;
  JmFigure energy_emitted;
  JmFigure energy_of[JM_N_CARBON_SCOPES];
  JmFigure emissions[JM_N_CARBON_SCOPES];
  JmFigure facility_energy;
  JmFigure facility_emissions[JM_N_CARBON_SCOPES];
  JmFigure market_emissions;
  JmFigure pues[2];
  gboolean lacks_pue;
  gboolean lacks_market;
  JmFigure embodied;
  JmFigure unembodied_runs;
  JmCarbonBasis rates[JM_CARBON_UNSCOPED];
} JmRunCarbon;

/* JmRunCarbonPart: a part of a run, which has its parts of energy
 * @since, @until: the time of the part
 * @share: of all that the run had
 * @wall: how long the run took in all, seconds
 * @is_first: whether no part of the run came before */
typedef struct
{
  JmRun *run;
  gint64 since;
  gint64 until;
  double share;
  double wall;
  gboolean is_first;
} JmRunCarbonPart;

/* @site may be NULL. */
void
jm_run_carbon_add (JmRunCarbon *self, const JmRunCarbonPart *part, JmSiteCarbon *site);

/* Sets the figures that follow from the sums. */
void jm_run_carbon_settle (const JmRunCarbon *self, JmFigures *figures);

G_END_DECLS
