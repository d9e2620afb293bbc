/* jmc-run-query.h: which runs of a site are wanted, as the command line says it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "archive/jm-run-filter.h"
#include "core/jm-quantity.h"
#include "jmc-options.h"

G_BEGIN_DECLS

/* JmcRunQuery:
 * @is_narrow: whether users, accounts, a job or a node are named
 * @since: seconds since 1970; 0 for open
 * @until: the same
 * @figure: the figure that they are sorted by; NULL for end, start and submit
 * @by: the same where the archive does not keep it, or NULL
 * @is_grouped: whether groups of runs are wanted, which have figures and an order of
 *   their own; set before it is parsed
 * @limit: how many runs or groups; 0 for all */
typedef struct
{
  JmRunFilter *filter;
  gboolean is_narrow;
  gint64 since;
  gint64 until;
  const JmQuantity *figure;
  const JmQuantity *by;
  gboolean ascends; /* by that */
  gboolean is_grouped;
  guint limit;
} JmcRunQuery;

/* Options by which runs and sums, or runs alone, are chosen. */
void jmc_run_query_add_settings (JmcOptions *options, GOptionGroup *group);
void jmc_run_query_add_run_settings (JmcOptions *options, GOptionGroup *group);

/* FALSE, and has reported why, where the options are invalid. What has no zone is
 * in that of @now. */
gboolean
jmc_run_query_parse (JmcRunQuery *self, const JmcOptions *options, GDateTime *now);
/* Seconds since 1970; 0 for open. */
void jmc_run_query_set_period (JmcRunQuery *self, gint64 since, gint64 until);
void jmc_run_query_clear (JmcRunQuery *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcRunQuery, jmc_run_query_clear)

G_END_DECLS
