/* jmc-power-page.h: a node's power on one screen
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "report/jm-power-split.h"

G_BEGIN_DECLS

void jmc_power_page_append (GString *text,
                            GPtrArray *sources,
                            JmPowerSplit *split,
                            gboolean color);
void jmc_power_page_append_json (GString *text,
                                 GPtrArray *sources,
                                 JmPowerSplit *split,
                                 gboolean pretty);

G_END_DECLS
