/* jmc-metric-choice.h: the options that say which metrics are shown
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "expose/jm-metric-selection.h"

G_BEGIN_DECLS

/* Patterns as they were typed; NULL where there are none. */
typedef struct
{
  char **include;
  char **exclude;
} JmcMetricChoice;

void jmc_metric_choice_clear (JmcMetricChoice *self);
void jmc_metric_choice_add_entries (JmcMetricChoice *self, GOptionGroup *group);
gboolean jmc_metric_choice_check (const JmcMetricChoice *self);
gboolean jmc_metric_choice_is_made (const JmcMetricChoice *self);
JmMetricSelection *jmc_metric_choice_get_selection (const JmcMetricChoice *self);

G_END_DECLS
