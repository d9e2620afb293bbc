/* jmc-power-split.h: who has taken a node's power between two looks
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"
#include "report/jm-figure.h"

G_BEGIN_DECLS

/* JmcPowerShares:
 * @domain: as jobs have it, such as package
 * @is_estimated: whether nobody measured it
 * @jobs: watts of all jobs together
 * @system: of what is no job's
 * @idle: of nobody */
typedef struct
{
  char *domain;
  gboolean is_estimated;
  JmFigure jobs;
  JmFigure system;
  JmFigure idle;
} JmcPowerShares;

GPtrArray *jmc_power_split_make (JmSnapshot *before, JmSnapshot *now);
JmcPowerShares jmc_power_split_sum (GPtrArray *split);
JmFigure jmc_power_shares_get_all (const JmcPowerShares *self);
gboolean jmc_power_split_is_estimated (GPtrArray *split);

G_END_DECLS
