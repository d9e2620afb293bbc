/* jmc-suggest-start.c: when the next run of a job emits least
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jmc-suggest-start.h"

#include <math.h>

#include "base/jm-error.h"
#include "core/jm-format.h"
#include "registry/jm-registry.h"
#include "sources/emissions/jm-emission-provider.h"

#define JOULES_PER_KWH 3.6e6
#define HOUR_SECONDS 3600
#define DAY_SECONDS 86400

/* --- what the runs had --- */

static int
compare_values (gconstpointer a, gconstpointer b)
{
  const double one = *(const double *) a;
  const double other = *(const double *) b;

  return (one > other) - (one < other);
}

/* Of five runs or more, whose energy is known; estimated if that of any was. */
static JmFigure
find_watts (GPtrArray *runs)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (double));
  JmFigure median = { 0 };

  for (guint i = 0; i < runs->len; i++)
    {
      const JmFigure energy = jm_run_get_figure (runs->pdata[i], "energy_joules");
      const JmFigure elapsed = jm_run_get_figure (runs->pdata[i], "elapsed_seconds");
      const double watts = elapsed.value > 0 ? energy.value / elapsed.value : 0;

      if (!energy.is_known || !elapsed.is_known || elapsed.value <= 0)
        continue;
      g_array_append_val (all, watts);
      median.is_estimated = median.is_estimated || energy.is_estimated;
    }
  if (all->len < JM_RUN_SUGGESTION_MIN_RUNS)
    return (JmFigure){ 0 };
  g_array_sort (all, compare_values);
  median.value = g_array_index (all, double, all->len / 2);
  median.is_known = TRUE;

  return median;
}

/* Between moments of two days, at most twelve hours. */
static double
get_distance (double one, double other)
{
  const double rest = fmod (fabs (one - other), DAY_SECONDS);

  return MIN (rest, DAY_SECONDS - rest);
}

/* Of runs that became eligible within an hour of the time of day of @moment. */
static JmcUsualWait
find_wait (GPtrArray *runs, gint64 moment)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (double));
  JmcUsualWait self = { 0 };

  for (guint i = 0; i < runs->len; i++)
    {
      const JmFigure submit = jm_run_get_figure (runs->pdata[i], "submit_time");
      const JmFigure eligible = jm_run_get_figure (runs->pdata[i], "eligible_time");
      const JmFigure begun = jm_run_get_figure (runs->pdata[i], "start_time");
      const double ready = MAX (submit.value, eligible.value);
      const double seconds = begun.value - ready;

      if (submit.is_known && begun.is_known && seconds >= 0 &&
          get_distance (ready, moment) <= HOUR_SECONDS)
        g_array_append_val (all, seconds);
    }
  self.n_runs = all->len;
  if (all->len < JM_RUN_SUGGESTION_MIN_RUNS)
    return self;
  g_array_sort (all, compare_values);
  self.seconds = jm_figure_known (g_array_index (all, double, all->len / 2));

  return self;
}

static gboolean
take_runs (JmcSuggestStart *self,
           GPtrArray *runs,
           JmRunSuggestion *suggestion,
           GError **error)
{
  self->n_runs = jm_run_suggestion_get_n_known (suggestion, JM_REQUEST_KIND_TIME_LIMIT);
  self->watts = find_watts (runs);
  if (self->n_runs >= JM_RUN_SUGGESTION_MIN_RUNS &&
      jm_run_suggestion_get_median (suggestion, JM_REQUEST_KIND_TIME_LIMIT,
                                    &self->length) &&
      self->length >= 1)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
               "the length of %u runs is known, of %u it must be", self->n_runs,
               JM_RUN_SUGGESTION_MIN_RUNS);

  return FALSE;
}

/* --- the forecast --- */

static GPtrArray *
ask (const char *specification, JmHost *host, GError **error)
{
  g_autoptr (JmEmissionProvider) provider =
    (JmEmissionProvider *) jm_registry_open (JM_SOURCE_KIND_EMISSIONS, specification,
                                             host, error);
  GPtrArray *forecast =
    provider != NULL ? jm_emission_provider_forecast (provider, NULL, error) : NULL;

  if (forecast == NULL)
    g_prefix_error (error, "%s: ", specification);

  return forecast;
}

static gboolean
find (JmcSuggestStart *self, GPtrArray *forecast, GError **error)
{
  gint64 start_us;

  if (self->now + (gint64) self->length > self->by)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_ABSENT,
                           "a run of the usual length would end behind --by");
      return FALSE;
    }
  if (forecast->len == 0 ||
      !jm_emission_factor_find_start (forecast, self->now * G_USEC_PER_SEC,
                                      self->by * G_USEC_PER_SEC,
                                      (gint64) self->length * G_USEC_PER_SEC, &start_us,
                                      &self->grams_per_kwh, &self->now_grams_per_kwh))
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_ABSENT,
                           "the forecast does not have the time of a run from now on");
      return FALSE;
    }
  self->start = start_us / G_USEC_PER_SEC;
  self->factor = jm_emission_factor_ref (forecast->pdata[0]);

  return TRUE;
}

gboolean
jmc_suggest_start_find (JmcSuggestStart *self,
                        GPtrArray *runs,
                        JmRunSuggestion *suggestion,
                        const char *const *providers,
                        JmHost *host,
                        gint64 now,
                        gint64 by,
                        GError **error)
{
  g_autoptr (GPtrArray) forecast = NULL;
  g_autoptr (GError) problem = NULL;

  self->now = now;
  self->by = by;
  if (!take_runs (self, runs, suggestion, error))
    return FALSE;
  for (guint i = 0; forecast == NULL && providers[i] != NULL; i++)
    {
      g_clear_error (&problem);
      forecast = ask (providers[i], host, &problem);
    }
  if (forecast != NULL)
    {
      if (!find (self, forecast, error))
        return FALSE;
      self->wait = find_wait (runs, self->start);
      self->now_wait = find_wait (runs, now);
      return TRUE;
    }

  if (problem != NULL)
    g_propagate_error (error, g_steal_pointer (&problem));
  else
    g_set_error_literal (error, JM_ERROR, JM_ERROR_ABSENT, "no provider is named");

  return FALSE;
}

void
jmc_suggest_start_clear (JmcSuggestStart *self)
{
  g_clear_pointer (&self->factor, jm_emission_factor_unref);
}

/* --- output --- */

static JmFigure
get_saved_grams (const JmcSuggestStart *self)
{
  JmFigure saved = self->watts;

  saved.value *=
    self->length / JOULES_PER_KWH * (self->now_grams_per_kwh - self->grams_per_kwh);

  return saved;
}

static void
append_saving (GString *text, const JmcSuggestStart *self)
{
  g_autofree char *watts = jm_figure_format (self->watts, JM_FORMAT_WATTS);
  g_autofree char *grams = jm_figure_format (get_saved_grams (self), JM_FORMAT_GRAMS);

  if (watts != NULL && self->start != self->now)
    g_string_append_printf (text, " At their %s that is %s less.%s", watts, grams,
                            self->watts.is_estimated ? " (~: estimated)" : "");
}

static void
append_wait (GString *text, const JmcUsualWait *wait, gint64 moment)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (moment);
  g_autofree char *clock = g_date_time_format (time, "%H:%M");
  g_autofree char *seconds =
    jm_format_to_string (JM_FORMAT_DURATION, wait->seconds.value);

  if (wait->seconds.is_known)
    g_string_append_printf (text,
                            " %u runs of the job that were submitted at about %s "
                            "waited "
                            "%s in the median.",
                            wait->n_runs, clock, seconds);
}

char *
jmc_suggest_start_to_string (const JmcSuggestStart *self)
{
  g_autoptr (GDateTime) start = g_date_time_new_from_unix_local (self->start);
  g_autofree char *moment = g_date_time_format (start, "%Y-%m-%d %H:%M %Z");
  g_autofree char *length = jm_format_to_string (JM_FORMAT_DURATION, self->length);
  GString *text = g_string_new (NULL);

  if (self->start == self->now)
    g_string_append_printf (text,
                            "Start now: %.0f g of CO2 per kWh in the mean of the run, "
                            "and "
                            "no later start emits less",
                            self->grams_per_kwh);
  else
    g_string_append_printf (text,
                            "Start at %s: %.0f g of CO2 per kWh in the mean of the "
                            "run, "
                            "instead of %.0f now",
                            moment, self->grams_per_kwh, self->now_grams_per_kwh);
  g_string_append_printf (
    text, ", by the forecast of %s for %s (%s, %s). %u runs took %s in the median.",
    jm_emission_factor_get_provider (self->factor),
    jm_emission_factor_get_zone (self->factor),
    jm_emission_method_get_name (jm_emission_factor_get_method (self->factor)),
    jm_emission_scope_get_name (jm_emission_factor_get_scope (self->factor)),
    self->n_runs, length);
  append_saving (text, self);
  append_wait (text, &self->wait, self->start);
  if (self->start != self->now)
    append_wait (text, &self->now_wait, self->now);

  return g_string_free (text, FALSE);
}

static void
add_wait (JmJsonWriter *json,
          const JmcUsualWait *wait,
          const char *seconds,
          const char *runs)
{
  if (wait->seconds.is_known)
    jm_json_writer_add_double (json, seconds, wait->seconds.value);
  jm_json_writer_add_int (json, runs, wait->n_runs);
}

static void
add_estimated (JmJsonWriter *json)
{
  jm_json_writer_begin_array (json, "estimated");
  jm_json_writer_add_text (json, NULL, "usual_power_watts");
  jm_json_writer_add_text (json, NULL, "saved_grams");
  jm_json_writer_end_array (json);
}

void
jmc_suggest_start_add_json (const JmcSuggestStart *self, JmJsonWriter *json)
{
  const JmFigure saved = get_saved_grams (self);
  JmEmissionFactor *factor = self->factor;

  jm_json_writer_begin_object (json, "start");
  jm_json_writer_add_int (json, "start_time", self->start);
  jm_json_writer_add_int (json, "by_time", self->by);
  jm_json_writer_add_double (json, "emission_factor_grams_per_joule",
                             self->grams_per_kwh / JOULES_PER_KWH);
  jm_json_writer_add_double (json, "emission_factor_now_grams_per_joule",
                             self->now_grams_per_kwh / JOULES_PER_KWH);
  jm_json_writer_add_double (json, "usual_elapsed_seconds", self->length);
  jm_json_writer_add_int (json, "runs", self->n_runs);
  if (self->watts.is_known)
    jm_json_writer_add_double (json, "usual_power_watts", self->watts.value);
  if (saved.is_known)
    jm_json_writer_add_double (json, "saved_grams", saved.value);
  if (saved.is_estimated)
    add_estimated (json);
  add_wait (json, &self->wait, "usual_wait_seconds", "compared_waits");
  add_wait (json, &self->now_wait, "usual_wait_now_seconds", "compared_waits_now");
  jm_json_writer_add_text (json, "provider", jm_emission_factor_get_provider (factor));
  jm_json_writer_add_text (json, "zone", jm_emission_factor_get_zone (factor));
  jm_json_writer_add_text (json, "method",
                           jm_emission_method_get_name (
                             jm_emission_factor_get_method (factor)));
  jm_json_writer_add_text (json, "scope",
                           jm_emission_scope_get_name (
                             jm_emission_factor_get_scope (factor)));
  jm_json_writer_end_object (json);
}
