/* jmc-top-replay.c: top of a past time, out of the node's ledger
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "top/jmc-top-replay.h"

#include <unistd.h>

/* A step where no profile says how wide its points are. */
#define USUAL_STEP_US (G_GINT64_CONSTANT (60) * G_USEC_PER_SEC)

static gint64
find_time (const JmcTopReplay *self, int n_points)
{
  const gint64 step_us = self->step_us > 0 ? self->step_us : USUAL_STEP_US;
  const gint64 time_us = self->moment->time_us + n_points * step_us;

  return CLAMP (time_us, 0, g_get_real_time ());
}

gboolean
jmc_top_replay_step (JmcTopReplay *self, int n_points, GError **error)
{
  const gint64 before_us = self->moment->time_us;
  g_autoptr (JmSnapshot) snapshot = NULL;
  JmRecordMoment moment;

  self->moment->time_us = find_time (self, n_points);
  snapshot = jmc_ledger_moment_read (self->moment, self->options, &moment, error);
  if (snapshot == NULL)
    {
      self->moment->time_us = before_us;
      return FALSE;
    }

  if (moment.least_us > 0)
    self->step_us = moment.least_us;
  if (self->moment->node != NULL)
    {
      g_free (self->scene->host);
      self->scene->host = g_strdup (self->moment->node);
    }
  g_free (self->scene->points);
  self->scene->points = jmc_ledger_moment_describe_points (&moment);
  /* rates are in the snapshot: no time passes between two */
  jmc_top_model_update (self->model, snapshot, 0);

  return TRUE;
}

int
jmc_top_replay_print (JmcTopReplay *self)
{
  g_autofree char *page =
    jmc_top_draw_page (self->model, self->scene->host, self->scene->points,
                       jmc_output_get_width (STDOUT_FILENO));

  jmc_output_print (page);

  return jmc_output_finish (JMC_EXIT_OK);
}
