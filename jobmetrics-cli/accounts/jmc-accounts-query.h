/* jmc-accounts-query.h: which runs of a site are wanted
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-options.h"
#include "store/jm-run-filter.h"
#include "store/jm-usage.h"

G_BEGIN_DECLS

/* JmcAccountsQuery:
 * @users, @accounts, @states: NULL for any
 * @since, @until: seconds since 1970; 0 for open
 * @by: the figure that they are sorted by where the archive does not keep it, or NULL
 * @limit: how many runs; 0 for all */
typedef struct
{
  char **users;
  char **accounts;
  char **states;
  char *partition;
  char *cluster;
  char *job;
  char *name;
  gint64 since;
  gint64 until;
  const char *sort; /* as jm_run_filter_set_sort() takes it */
  const JmQuantity *by;
  gboolean ascends; /* by that */
  guint limit;
} JmcAccountsQuery;

/* Options by which runs and sums, or runs alone, are chosen. */
void jmc_accounts_query_add_settings (JmcOptions *options, GOptionGroup *group);
void jmc_accounts_query_add_run_settings (JmcOptions *options, GOptionGroup *group);

/* FALSE, and has reported why, where the options cannot be meant. What has no zone is
 * in
 * that of @now. */
gboolean jmc_accounts_query_parse (JmcAccountsQuery *self,
                                   const JmcOptions *options,
                                   GDateTime *now);
void jmc_accounts_query_clear (JmcAccountsQuery *self);

/* Of a store. */
JmRunFilter *jmc_accounts_query_make_filter (const JmcAccountsQuery *self);

/* Of a server: `key=value`, with a & between them. */
char *jmc_accounts_query_make_run_parameters (const JmcAccountsQuery *self,
                                              guint limit,
                                              const char *cursor);
char *jmc_accounts_query_make_usage_parameters (const JmcAccountsQuery *self,
                                                JmUsageGroups groups);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcAccountsQuery, jmc_accounts_query_clear)

G_END_DECLS
