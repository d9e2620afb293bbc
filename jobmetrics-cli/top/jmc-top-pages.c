/* jmc-top-pages.c: top without a terminal of its own: pages of text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "top/jmc-top-pages.h"

#include <stdio.h>
#include <unistd.h>

#include "jmc-output.h"
#include "jmc-snapshot.h"
#include "top/jmc-top-draw.h"

/* Follows the node meanwhile, so that a job's last figures are not missed. */
static void
wait_for (JmNode *node, double seconds)
{
  GPollFD fd = { jm_node_get_event_fd (node), G_IO_IN, 0 };
  gint64 end_us = g_get_monotonic_time () + (gint64) (seconds * G_USEC_PER_SEC);
  gint64 left_us = end_us - g_get_monotonic_time ();

  while (left_us > 0)
    {
      if (g_poll (&fd, fd.fd >= 0 ? 1 : 0, (int) ((left_us + 999) / 1000)) > 0)
        jm_node_follow (node);
      left_us = end_us - g_get_monotonic_time ();
    }
}

static void
sweep (JmNode *node, JmcTopModel *model, gboolean is_first)
{
  gint64 now_us = g_get_monotonic_time ();
  g_autoptr (JmSnapshot) snapshot = jm_node_sample (node, NULL, NULL);

  jmc_top_model_update (model, snapshot, now_us);
  for (guint i = 0; is_first && i < JM_N_COLLECTORS; i++)
    {
      g_autofree char *error = jmc_snapshot_describe_loss (snapshot, i, NULL);

      if (error != NULL)
        jmc_output_complain ("%s", error);
    }
}

/* Prints @n_pages, one after each interval: rates need two sweeps. */
int
jmc_top_pages_print (JmNode *node,
                     JmcTopModel *model,
                     const char *host,
                     double interval,
                     guint n_pages)
{
  int status = JMC_EXIT_OK;

  sweep (node, model, TRUE);
  for (guint i = 0; i < n_pages && status == JMC_EXIT_OK; i++)
    {
      g_autofree char *text = NULL;

      wait_for (node, interval);
      sweep (node, model, FALSE);
      text =
        jmc_top_draw_page (model, host, NULL, jmc_output_get_width (STDOUT_FILENO));
      if (i > 0)
        jmc_output_print ("\n");
      jmc_output_print (text);
      status = jmc_output_finish (status);
    }

  return status;
}
