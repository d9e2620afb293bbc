/* jm-emission-forecast.c: when electricity is expected to emit least
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-emission-factor.h"

/* The mean of a length of time; FALSE where the forecast does not have all of it once.
 */
static gboolean
get_mean (GPtrArray *forecast, gint64 start_us, gint64 length_us, double *grams_per_kwh)
{
  const gint64 end_us = start_us + length_us;
  gint64 covered_us = 0;
  double sum = 0;

  for (guint i = 0; i < forecast->len; i++)
    {
      JmEmissionFactor *factor = forecast->pdata[i];
      const gint64 from_us = MAX (start_us, jm_emission_factor_get_valid_from (factor));
      const gint64 until_us = MIN (end_us, jm_emission_factor_get_valid_until (factor));

      if (until_us <= from_us)
        continue;
      covered_us += until_us - from_us;
      sum +=
        (double) (until_us - from_us) * jm_emission_factor_get_grams_per_kwh (factor);
    }
  *grams_per_kwh = sum / (double) length_us;

  return covered_us == length_us;
}

/* Factors of another method or scope answer another question. */
static gboolean
are_of_same (GPtrArray *forecast)
{
  for (guint i = 1; i < forecast->len; i++)
    if (jm_emission_factor_get_method (forecast->pdata[i]) !=
          jm_emission_factor_get_method (forecast->pdata[0]) ||
        jm_emission_factor_get_scope (forecast->pdata[i]) !=
          jm_emission_factor_get_scope (forecast->pdata[0]))
      return FALSE;

  return TRUE;
}

typedef struct
{
  GPtrArray *forecast;
  gint64 now_us;
  gint64 last_us; /* at which it must start to end in time */
  gint64 length_us;
  gint64 start_us;
  double grams_per_kwh;
} Search;

/* Of two starts that emit the same the earlier is better. */
static void
try_start (Search *self, gint64 start_us)
{
  double mean;

  if (start_us < self->now_us || start_us > self->last_us ||
      !get_mean (self->forecast, start_us, self->length_us, &mean))
    return;
  if (mean < self->grams_per_kwh ||
      (mean <= self->grams_per_kwh && start_us < self->start_us))
    {
      self->start_us = start_us;
      self->grams_per_kwh = mean;
    }
}

/**
 * jm_emission_factor_find_start:
 * @forecast: (element-type JmEmissionFactor): factors of one provider, such as those of
 *   jm_emission_provider_forecast()
 * @now_us: the earliest start, microseconds since 1970
 * @by_us: when it must have ended, microseconds since 1970
 * @length_us: how long it takes, microseconds
 * @start_us: (out): return location for the start that emits least, microseconds
 *   since 1970
 * @grams_per_kwh: (out): return location for the mean factor from then on
 * @now_grams_per_kwh: (out): return location for the mean factor of a start at @now_us
 *
 * Finds when something that draws a constant power should start to emit least. The
 * forecast must have all of the time of a start now, and only such starts are compared
 * of which it has all of the time.
 *
 * Returns: whether there is an answer: not where the forecast is stale, too short, has
 *   a time twice, or is of several methods or scopes, nor where the time is too short
 * Since: 0.1
 */
gboolean
jm_emission_factor_find_start (GPtrArray *forecast,
                               gint64 now_us,
                               gint64 by_us,
                               gint64 length_us,
                               gint64 *start_us,
                               double *grams_per_kwh,
                               double *now_grams_per_kwh)
{
  Search search = { forecast, now_us, by_us - length_us, length_us, now_us, 0 };

  g_return_val_if_fail (forecast != NULL, FALSE);
  g_return_val_if_fail (start_us != NULL, FALSE);
  g_return_val_if_fail (grams_per_kwh != NULL, FALSE);
  g_return_val_if_fail (now_grams_per_kwh != NULL, FALSE);

  if (length_us <= 0 || search.last_us < now_us || !are_of_same (forecast) ||
      !get_mean (forecast, now_us, length_us, now_grams_per_kwh))
    return FALSE;

  /* the mean changes its slope where the start or the end meets a boundary */
  search.grams_per_kwh = *now_grams_per_kwh;
  try_start (&search, search.last_us);
  for (guint i = 0; i < forecast->len; i++)
    {
      try_start (&search, jm_emission_factor_get_valid_from (forecast->pdata[i]));
      try_start (&search,
                 jm_emission_factor_get_valid_until (forecast->pdata[i]) - length_us);
    }
  *start_us = search.start_us;
  *grams_per_kwh = search.grams_per_kwh;

  return TRUE;
}
