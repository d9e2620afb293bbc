/* jm-polled-power.c: a meter that is asked in the background
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-polled-power-private.h"

#include "core/jm-error.h"
#include "sources/power/jm-power-answer-private.h"

/* How many intervals an answer serves for. */
#define STALE_INTERVALS 3

static gpointer
answer_ref (gpointer answer)
{
  return jm_power_answer_ref (answer);
}

static void
answer_unref (gpointer answer)
{
  jm_power_answer_unref (answer);
}

void
jm_polled_power_start (JmPolledPower *self,
                       const char *name,
                       double interval_s,
                       JmPollFunc ask,
                       gpointer user_data)
{
  self->interval_s = interval_s;
  self->poller = jm_poller_new (name, (guint) (interval_s * 1000), ask, user_data,
                                answer_ref, answer_unref);
}

void
jm_polled_power_stop (JmPolledPower *self)
{
  g_clear_pointer (&self->poller, jm_poller_free);
}

/* Why there is no answer: best in the words of the last question. */
static gboolean
fail (const char *what, GError *reason, gint64 age_us, GError **error)
{
  if (reason != NULL)
    g_propagate_error (error, reason);
  else if (age_us > 0)
    g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                 "%s: no answer for %" G_GINT64_FORMAT " seconds", what,
                 age_us / G_USEC_PER_SEC);
  else
    g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: no answer yet", what);

  return FALSE;
}

gboolean
jm_polled_power_read (JmPolledPower *self,
                      const char *what,
                      JmReadings *readings,
                      GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autoptr (JmPowerAnswer) answer = NULL;
  gint64 age_us = 0;

  answer = jm_poller_get_latest (self->poller, &age_us, &reason);
  if (answer == NULL ||
      (double) age_us > STALE_INTERVALS * self->interval_s * G_USEC_PER_SEC)
    return fail (what, g_steal_pointer (&reason), age_us, error);

  jm_power_answer_read (answer, readings);
  jm_readings_set_age (readings, (guint64) age_us);

  return TRUE;
}

gboolean
jm_polled_power_wait (JmPolledPower *self, gint64 timeout_us)
{
  return jm_poller_wait (self->poller, timeout_us);
}
