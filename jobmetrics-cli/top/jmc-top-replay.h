/* jmc-top-replay.h: top of a past time, out of the node's ledger
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "ledger/jmc-ledger-moment.h"
#include "top/jmc-top-draw.h"

G_BEGIN_DECLS

/* JmcTopReplay:
 * @moment: the time that is shown
 * @model, @scene: what is filled from there
 * @step_us: the length of a step: the shortest point that was shown last; 0 before any */
typedef struct
{
  JmcLedgerMoment *moment;
  const JmcOptions *options;
  JmcTopModel *model;
  JmcTopScene *scene;
  gint64 step_us;
} JmcTopReplay;

/* Goes on by @n_points, or back where that is below 0, and reads the ledger; not beyond
 * the present. FALSE where it cannot be read: then the time is as before. */
gboolean jmc_top_replay_step (JmcTopReplay *self, int n_points, GError **error);

/* Prints the page of that time. Returns the exit status. */
int jmc_top_replay_print (JmcTopReplay *self);

G_END_DECLS
