/* jm-run-carbon.c: what runs emitted, in sums
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-run-carbon-private.h"

#include "core/jm-emission-factor.h"
#include "core/jm-figure-private.h"
#include "core/jm-run-derived-private.h"
#include "core/jm-run-part-private.h"

#define HOUR_SECONDS 3600.0
#define KWH_JOULES 3.6e6

/* --- one run --- */

/* Detail: of the run as a whole; what no part of it says is not known
 * @emissions: grams */
typedef struct
{
  JmFigure measured;
  JmFigure estimated;
  JmFigure emissions[JM_N_CARBON_SCOPES];
} Detail;

static JmCarbonScope
get_scope (JmRunPart *part)
{
  const char *scope = jm_run_part_peek_text (part, JM_QUANTITY_EMISSION_SCOPE);

  if (g_strcmp0 (scope, jm_emission_scope_get_name (JM_EMISSION_SCOPE_DIRECT)) == 0)
    return JM_CARBON_DIRECT;
  if (g_strcmp0 (scope, jm_emission_scope_get_name (JM_EMISSION_SCOPE_LIFECYCLE)) == 0)
    return JM_CARBON_LIFECYCLE;

  return JM_CARBON_UNSCOPED;
}

/* Emissions by marginal factors answer another question. */
static gboolean
is_marginal (JmRunPart *part)
{
  return g_strcmp0 (jm_run_part_peek_text (part, JM_QUANTITY_EMISSION_METHOD),
                    jm_emission_method_get_name (JM_EMISSION_METHOD_MARGINAL)) == 0;
}

/* Energy of which no quality is known is neither measured nor estimated. */
static gboolean
is_estimated (JmRunPart *part)
{
  const char *quality = jm_run_part_peek_text (part, JM_QUANTITY_ENERGY_QUALITY);

  return quality != NULL && !g_str_equal (quality, JM_QUALITY_MEASURED);
}

static void
add_energy_of_part (Detail *self, JmRunPart *part, JmFigure energy)
{
  JmFigure *sum = is_estimated (part) ? &self->estimated : &self->measured;

  if (!energy.is_known ||
      jm_run_part_peek_text (part, JM_QUANTITY_ENERGY_QUALITY) == NULL)
    return;
  *sum = jm_figure_add (*sum, energy);
}

/* Where one of both is known, the other is, too. */
static void
complete_energy (Detail *self)
{
  if (self->measured.is_known == self->estimated.is_known)
    return;
  if (self->measured.is_known)
    self->estimated = jm_figure_known (0);
  else
    self->measured = jm_figure_known (0);
}

static gboolean
has_emissions (const Detail *self)
{
  for (JmCarbonScope i = 0; i < JM_N_CARBON_SCOPES; i++)
    if (self->emissions[i].is_known)
      return TRUE;

  return FALSE;
}

/* Emissions without any factor are of an unknown scope, and those of a run of which any
 * energy was estimated are estimates. */
static Detail
read_detail (JmRun *run)
{
  const JmFigure energy = jm_run_derived_get_figure (run, JM_RUN_FIELD_ENERGY);
  GPtrArray *parts = jm_run_get_parts (run, JM_RUN_PART_KIND_ENERGY);
  Detail self = { 0 };

  for (guint i = 0; i < parts->len; i++)
    {
      JmRunPart *part = parts->pdata[i];
      const JmCarbonScope scope = get_scope (part);
      JmFigure grams = jm_run_part_peek_figure (part, JM_QUANTITY_EMISSIONS);

      grams.is_estimated = energy.is_estimated || is_estimated (part);
      add_energy_of_part (&self, part,
                          jm_run_part_peek_figure (part, JM_QUANTITY_ENERGY));
      if (grams.is_known && !is_marginal (part))
        self.emissions[scope] = jm_figure_add (self.emissions[scope], grams);
    }
  complete_energy (&self);
  if (!has_emissions (&self))
    self.emissions[JM_CARBON_UNSCOPED] =
      jm_run_derived_get_figure (run, JM_RUN_FIELD_EMISSIONS);

  return self;
}

/* --- sums --- */

static void
add (JmFigure *sum, JmFigure amount, double share)
{
  *sum = jm_figure_add (*sum, jm_figures_multiply (amount, jm_figure_known (share)));
}

/* Whether all emissions of the run are of this scope. */
static gboolean
is_alone (const Detail *self, JmCarbonScope scope)
{
  for (JmCarbonScope i = 0; i < JM_N_CARBON_SCOPES; i++)
    if (self->emissions[i].is_known != (i == scope))
      return FALSE;

  return TRUE;
}

static JmFigure
get_pue (const JmRunCarbonPart *part, JmSiteCarbon *site)
{
  double pue;

  return site != NULL && jm_site_carbon_get_pue (site, part->since, part->until, &pue)
           ? jm_figure_known (pue)
           : (JmFigure){ 0 };
}

/* Grams for a joule. */
static JmFigure
get_market_factor (const JmRunCarbonPart *part, JmSiteCarbon *site)
{
  double grams_per_kwh;

  return site != NULL && jm_site_carbon_get_market_factor (site, part->since,
                                                           part->until, &grams_per_kwh)
           ? jm_figure_known (grams_per_kwh / KWH_JOULES)
           : (JmFigure){ 0 };
}

/* What the site has beyond its machines. */
static void
add_facility (JmRunCarbon *self,
              const JmRunCarbonPart *part,
              const Detail *detail,
              JmFigure energy,
              JmSiteCarbon *site,
              JmFigure pue)
{
  const JmFigure factor = jm_figures_multiply (pue, get_market_factor (part, site));

  if (!pue.is_known)
    self->lacks_pue = TRUE;
  else if (!self->pues[0].is_known)
    self->pues[0] = self->pues[1] = pue;
  self->pues[0].value = MIN (self->pues[0].value, pue.value);
  self->pues[1].value = MAX (self->pues[1].value, pue.value);
  add (&self->facility_energy, jm_figures_multiply (energy, pue), part->share);
  for (JmCarbonScope i = 0; i < JM_N_CARBON_SCOPES; i++)
    add (&self->facility_emissions[i], jm_figures_multiply (detail->emissions[i], pue),
         part->share);
  if (!factor.is_known)
    self->lacks_market = TRUE;
  add (&self->market_emissions, jm_figures_multiply (energy, factor), part->share);
}

/* A rate includes the power usage effectiveness, as the standard has it.
 * @embodied: of the part alone. */
static void
add_rates (JmRunCarbon *self,
           const JmRunCarbonPart *part,
           const Detail *detail,
           JmFigure pue,
           JmFigure cpu_seconds,
           JmFigure embodied)
{
  for (JmCarbonScope i = 0; i < G_N_ELEMENTS (self->rates); i++)
    {
      JmCarbonBasis *basis = &self->rates[i];

      if (!is_alone (detail, i) || !cpu_seconds.is_known)
        continue;
      add (&basis->operational, jm_figures_multiply (detail->emissions[i], pue),
           part->share);
      add (&basis->embodied, embodied, 1);
      add (&basis->cpu_seconds, cpu_seconds, part->share);
      add (&basis->runs, jm_figure_known (part->is_first ? 1 : 0), 1);
    }
}

/* Returns the share of making machines, where it is known as a whole. */
static JmFigure
add_embodied (JmRunCarbon *self, const JmRunCarbonPart *part, JmSiteCarbon *site)
{
  double grams;
  gboolean is_whole;

  if (site == NULL)
    return (JmFigure){ 0 };
  is_whole =
    jm_site_carbon_get_embodied (site, part->run, part->since, part->until, &grams);
  if (is_whole || grams > 0)
    add (&self->embodied, jm_figure_known (grams), 1);
  if (part->is_first)
    add (&self->unembodied_runs, jm_figure_known (is_whole ? 0 : 1), 1);

  return is_whole ? jm_figure_known (grams) : (JmFigure){ 0 };
}

void
jm_run_carbon_add (JmRunCarbon *self, const JmRunCarbonPart *part, JmSiteCarbon *site)
{
  const Detail detail = read_detail (part->run);
  const JmFigure energy = jm_run_derived_get_figure (part->run, JM_RUN_FIELD_ENERGY);
  const JmFigure cpu_seconds =
    jm_figures_multiply (jm_run_derived_get_figure (part->run, JM_RUN_FIELD_CPUS),
                         jm_figure_known (part->wall));
  const JmFigure embodied = add_embodied (self, part, site);
  const JmFigure pue = get_pue (part, site);

  add (&self->cpu_seconds, cpu_seconds, part->share);
  add (&self->energy, energy, part->share);
  add (&self->measured, detail.measured, part->share);
  add (&self->estimated, detail.estimated, part->share);
  for (JmCarbonScope i = 0; i < JM_N_CARBON_SCOPES; i++)
    {
      add (&self->emissions[i], detail.emissions[i], part->share);
      if (detail.emissions[i].is_known)
        add (&self->energy_of[i], energy, part->share);
    }
  if (energy.is_known)
    add (&self->cpu_seconds_seen, cpu_seconds, part->share);
  if (has_emissions (&detail))
    add (&self->energy_emitted, energy, part->share);
  add_facility (self, part, &detail, energy, site, pue);
  if (energy.is_known && embodied.is_known && pue.is_known)
    add_rates (self, part, &detail, pue, cpu_seconds, embodied);
}

/* --- what follows --- */

/* One that changed in the time is the mean by energy. */
static JmFigure
get_mean_pue (const JmRunCarbon *self)
{
  if (self->lacks_pue)
    return (JmFigure){ 0 };
  if (self->pues[0].value >= self->pues[1].value)
    return self->pues[0];
  if (!(self->energy.value > 0))
    return (JmFigure){ 0 };

  return jm_figure_known (self->facility_energy.value / self->energy.value);
}

/* A share of something is known where the whole is: none of it is 0 per cent. How much
 * of energy was measured is no estimate. */
static JmFigure
get_share (JmFigure part, JmFigure whole)
{
  JmFigure share =
    jm_figures_get_part (part.is_known ? part : jm_figure_known (0), whole);

  share.is_estimated = FALSE;

  return share;
}

static void
settle_rate (const JmCarbonBasis *basis,
             JmFigures *figures,
             JmQuantityId by_hour,
             JmQuantityId by_run)
{
  const JmFigure grams = jm_figure_add (basis->operational, basis->embodied);
  const JmFigure hours =
    jm_figures_divide (basis->cpu_seconds, jm_figure_known (HOUR_SECONDS));

  if (!basis->runs.is_known)
    return;
  if (hours.value > 0)
    jm_figures_set (figures, by_hour, jm_figures_divide (grams, hours));
  if (basis->runs.value > 0)
    jm_figures_set (figures, by_run, jm_figures_divide (grams, basis->runs));
}

void
jm_run_carbon_settle (const JmRunCarbon *self, JmFigures *figures)
{
  static const JmQuantityId scopes[JM_N_CARBON_SCOPES] = {
    [JM_CARBON_DIRECT] = JM_QUANTITY_EMISSIONS_DIRECT,
    [JM_CARBON_LIFECYCLE] = JM_QUANTITY_EMISSIONS_LIFECYCLE,
    [JM_CARBON_UNSCOPED] = JM_QUANTITY_EMISSIONS_UNSCOPED,
  };
  const JmFigure unknown = { 0 };

  jm_figures_set (figures, JM_QUANTITY_ENERGY_KNOWN,
                  get_share (self->cpu_seconds_seen, self->cpu_seconds));
  jm_figures_set (figures, JM_QUANTITY_ENERGY_MEASURED, self->measured);
  jm_figures_set (figures, JM_QUANTITY_ENERGY_ESTIMATED, self->estimated);
  if (self->measured.is_known)
    jm_figures_set (figures, JM_QUANTITY_ENERGY_MEASURED_SHARE,
                    get_share (self->measured, self->energy));
  jm_figures_set (figures, JM_QUANTITY_PUE, get_mean_pue (self));
  jm_figures_set (figures, JM_QUANTITY_FACILITY_ENERGY,
                  self->lacks_pue ? unknown : self->facility_energy);
  for (JmCarbonScope i = 0; i < JM_N_CARBON_SCOPES; i++)
    jm_figures_set (figures, scopes[i],
                    self->lacks_pue ? self->emissions[i] : self->facility_emissions[i]);
  jm_figures_set (figures, JM_QUANTITY_EMISSIONS_KNOWN,
                  get_share (self->energy_emitted, self->energy));
  jm_figures_set (figures, JM_QUANTITY_DIRECT_ENERGY,
                  self->energy_of[JM_CARBON_DIRECT]);
  jm_figures_set (figures, JM_QUANTITY_LIFECYCLE_ENERGY,
                  self->energy_of[JM_CARBON_LIFECYCLE]);
  jm_figures_set (figures, JM_QUANTITY_EMISSIONS_MARKET,
                  self->lacks_market ? unknown : self->market_emissions);
  jm_figures_set (figures, JM_QUANTITY_EMBODIED, self->embodied);
  jm_figures_set (figures, JM_QUANTITY_UNEMBODIED_RUNS, self->unembodied_runs);
  settle_rate (&self->rates[JM_CARBON_DIRECT], figures, JM_QUANTITY_SCI_DIRECT_HOUR,
               JM_QUANTITY_SCI_DIRECT_RUN);
  settle_rate (&self->rates[JM_CARBON_LIFECYCLE], figures,
               JM_QUANTITY_SCI_LIFECYCLE_HOUR, JM_QUANTITY_SCI_LIFECYCLE_RUN);
}
