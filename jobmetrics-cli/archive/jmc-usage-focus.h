/* jmc-usage-focus.h: what runs cost, with the columns of FOCUS
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "archive/jm-archive.h"

G_BEGIN_DECLS

/* Prints CSV: a charge for each of @totals, which are of JmRunTotals by month and have
 * costs, and another for its storage where that has a cost. @since and @until are the
 * period that they are of, seconds since 1970; 0 for open. */
void jmc_usage_focus_print (GPtrArray *totals,
                            const char *currency,
                            gint64 since,
                            gint64 until);

G_END_DECLS
