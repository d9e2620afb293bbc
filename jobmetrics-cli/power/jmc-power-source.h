/* jmc-power-source.h: what a power source has reported
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-figure.h"
#include "core/jm-snapshot.h"

G_BEGIN_DECLS

/* A domain of a source, such as a processor; both figures may be unknown. */
typedef struct
{
  char *name;
  JmFigure watts;
  JmFigure joules; /* since the node was opened */
} JmcPowerDomain;

/* JmcPowerSource:
 * @name: what it is called
 * @is_up: whether it answered
 * @is_estimate: whether it measures nothing
 * @age: seconds since it did, of one that is asked in the background
 * @reason: why it is down, or NULL
 * @domains: of JmcPowerDomain */
typedef struct
{
  char *name;
  gboolean is_up;
  gboolean is_estimate;
  JmFigure age;
  char *reason;
  GPtrArray *domains;
} JmcPowerSource;

GPtrArray *jmc_power_source_list (JmSnapshot *snapshot, const GPtrArray *infos);

G_END_DECLS
