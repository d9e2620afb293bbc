/* jm-power-answer.c: what a meter said when it was last asked
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-power-answer-private.h"

#include "base/jm-error.h"
#include "core/jm-readings-private.h"

typedef struct
{
  char *domain;          /* a GRefString */
  const char *statistic; /* NULL for none */
  JmMetric metric;
  guint64 value;
} Figure;

typedef struct
{
  char *domain; /* a GRefString */
  JmEnergyTrace trace;
} Trace;

struct _JmPowerAnswer
{
  GArray *figures;
  GArray *traces; /* of Trace; made with the first */
  GError *problem;
};

static void
figure_clear (gpointer data)
{
  Figure *figure = data;

  g_ref_string_release (figure->domain);
}

static void
trace_clear (gpointer data)
{
  g_ref_string_release (((Trace *) data)->domain);
}

JmPowerAnswer *
jm_power_answer_new (void)
{
  JmPowerAnswer *self = g_atomic_rc_box_new0 (JmPowerAnswer);

  self->figures = g_array_new (FALSE, FALSE, sizeof (Figure));
  g_array_set_clear_func (self->figures, figure_clear);

  return self;
}

JmPowerAnswer *
jm_power_answer_ref (JmPowerAnswer *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  JmPowerAnswer *self = data;

  g_array_unref (self->figures);
  g_clear_pointer (&self->traces, g_array_unref);
  g_clear_error (&self->problem);
}

void
jm_power_answer_unref (JmPowerAnswer *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

static void
add (JmPowerAnswer *self,
     const char *domain,
     const char *statistic,
     JmMetric metric,
     guint64 value)
{
  Figure figure = { g_ref_string_new (domain), statistic, metric, value };

  g_array_append_val (self->figures, figure);
}

void
jm_power_answer_add_power (JmPowerAnswer *self, const char *domain, guint64 power_uw)
{
  add (self, domain, NULL, JM_METRIC_NODE_POWER, power_uw);
}

void
jm_power_answer_add_energy (JmPowerAnswer *self, const char *domain, guint64 energy_uj)
{
  add (self, domain, NULL, JM_METRIC_NODE_ENERGY, energy_uj);
}

void
jm_power_answer_add_trace (JmPowerAnswer *self,
                           const char *domain,
                           const JmEnergyTrace *trace)
{
  Trace one = { g_ref_string_new (domain), *trace };

  if (self->traces == NULL)
    {
      self->traces = g_array_new (FALSE, FALSE, sizeof (Trace));
      g_array_set_clear_func (self->traces, trace_clear);
    }
  g_array_append_val (self->traces, one);
}

gboolean
jm_power_answer_find_trace (JmPowerAnswer *self,
                            const char *domain,
                            JmEnergyTrace *trace)
{
  for (guint i = 0; self->traces != NULL && i < self->traces->len; i++)
    {
      const Trace *one = &g_array_index (self->traces, Trace, i);

      if (g_str_equal (one->domain, domain))
        {
          *trace = one->trace;
          return TRUE;
        }
    }

  return FALSE;
}

void
jm_power_answer_add_statistic (JmPowerAnswer *self,
                               const char *domain,
                               const char *statistic,
                               guint64 power_uw)
{
  add (self, domain, statistic, JM_METRIC_NODE_POWER_STATISTIC, power_uw);
}

void
jm_power_answer_take_problem (JmPowerAnswer *self, GError *problem)
{
  if (self->problem == NULL)
    self->problem = problem;
  else
    g_error_free (problem);
}

JmPowerAnswer *
jm_power_answer_finish (JmPowerAnswer *self, GError **error)
{
  if (self->figures->len > 0)
    return self;

  if (self->problem != NULL)
    g_propagate_error (error, g_steal_pointer (&self->problem));
  else
    g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "no figure in the answer");
  jm_power_answer_unref (self);

  return NULL;
}

void
jm_power_answer_read (JmPowerAnswer *self, JmReadings *readings)
{
  for (guint i = 0; i < self->figures->len; i++)
    {
      const Figure *figure = &g_array_index (self->figures, Figure, i);

      jm_readings_add_detail (readings, figure->metric, figure->domain,
                              figure->statistic, figure->value);
    }

  if (self->problem != NULL)
    jm_readings_add_error (readings, self->problem);
}
