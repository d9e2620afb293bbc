/* jmc-energy.h: how well a job's energy is known
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"
#include "jmc-figure.h"

G_BEGIN_DECLS

/* What stands before a figure that is not measured, and what that means. */
#define JMC_ENERGY_MARK "~"
#define JMC_ENERGY_LEGEND "~ is estimated, not measured"

gboolean jmc_energy_is_estimated (JmSnapshot *snapshot, guint subject, JmMetric metric);
char *jmc_energy_format (JmSnapshot *snapshot,
                         guint subject,
                         JmMetric metric,
                         char *(*format) (double value));
JmcFigure jmc_energy_get_labelled (JmSnapshot *snapshot,
                                   guint subject,
                                   JmMetric metric,
                                   JmLabels *labels);
JmcFigure jmc_energy_get_covered (JmSnapshot *snapshot, guint subject);

G_END_DECLS
