/* jmc-usage-totals.h: tables of sums
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "archive/jm-archive.h"
#include "archive/jmc-archive-form.h"

G_BEGIN_DECLS

typedef enum
{
  JMC_USAGE_DAYS,    /* sums of days, which the archive keeps */
  JMC_USAGE_WASTE,   /* what was given and not used */
  JMC_USAGE_NOW,     /* what running jobs hold and have not used */
  JMC_USAGE_GOODPUT, /* productive, idle and lost time */
  JMC_USAGE_COST,
  JMC_USAGE_FOCUS,   /* the same with the columns of FOCUS */
  JMC_USAGE_BUDGETS, /* what accounts may spend, and have spent */
  JMC_USAGE_CARBON,  /* what runs emitted */
  JMC_USAGE_GROUPS,  /* runs together, with medians */
} JmcUsageKind;

/* Prints sums, which are of JmUsage where they are of days, else of JmRunTotals. What
 * follows them in JSON is left to the caller. */
gboolean jmc_usage_totals_print (JmcArchiveForm *form,
                                 JmcUsageKind kind,
                                 JmUsageGroups groups,
                                 GPtrArray *sums);

/* Prints behind them which of the waiting runs would fit; @fitting is of JmRun. */
void jmc_usage_totals_print_fitting (JmcArchiveForm *form,
                                     GPtrArray *fitting,
                                     guint n_waiting);

G_END_DECLS
