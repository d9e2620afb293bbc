/* jmc-accounts-source.h: who tells of a site's runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "accounts/jmc-accounts-query.h"
#include "accounts/jmc-run-details.h"

G_BEGIN_DECLS

/* Where accounts are: a database, or a server that tells what one may see of it.
 *
 * @name: what messages call it
 * @user: whose runs are one's own there
 * @list_runs: a page of at most @limit runs; @next is set where there are more
 * @list_usage: JmUsage, as one may see them
 * @find_run: one run; ABSENT where there is none
 * @list_records: JmJobRecord of its nodes, as far as they are kept
 * @list_series: JmTsdbSeries of it, as far as a time series database knows them; may be
 *   left out
 * @refresh: has it learn soon what happened just now; may be left out */
typedef struct
{
  GPtrArray *(*list_runs) (gpointer self,
                           const JmcAccountsQuery *query,
                           guint limit,
                           const char *cursor,
                           char **next,
                           GError **error);
  GPtrArray *(*list_usage) (gpointer self,
                            const JmcAccountsQuery *query,
                            JmUsageGroups groups,
                            GError **error);
  JmcRunDetails *(*find_run) (gpointer self, const char *uuid, GError **error);
  GPtrArray *(*list_records) (gpointer self,
                              const char *uuid,
                              JmStoredRun *run,
                              GError **error);
  GPtrArray *(*list_series) (gpointer self, const char *uuid, GError **error);
  gboolean (*refresh) (gpointer self, GError **error);
  void (*free) (gpointer self);
} JmcAccountsSourceClass;

/* What each of them begins with. */
typedef struct
{
  const JmcAccountsSourceClass *class;
  char *name;
  char *user;
  char *url; /* of its pages, without a / at its end; NULL for none */
} JmcAccountsSource;

typedef void (*JmcRunFunc) (JmStoredRun *run, gpointer data);

/* Calls @func for each run that is meant, page by page, in the query's order. */
gboolean jmc_accounts_source_read_runs (JmcAccountsSource *self,
                                        const JmcAccountsQuery *query,
                                        JmcRunFunc func,
                                        gpointer data,
                                        GError **error);
GPtrArray *jmc_accounts_source_list_usage (JmcAccountsSource *self,
                                           const JmcAccountsQuery *query,
                                           JmUsageGroups groups,
                                           GError **error);
JmcRunDetails *jmc_accounts_source_find_run (JmcAccountsSource *self,
                                             const char *uuid,
                                             GError **error);
GPtrArray *jmc_accounts_source_list_records (JmcAccountsSource *self,
                                             const char *uuid,
                                             JmStoredRun *run,
                                             GError **error);
GPtrArray *jmc_accounts_source_list_series (JmcAccountsSource *self,
                                            const char *uuid,
                                            GError **error);

/* For administrators; a database does not learn by itself, and says nothing. */
gboolean jmc_accounts_source_refresh (JmcAccountsSource *self, GError **error);
void jmc_accounts_source_free (JmcAccountsSource *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcAccountsSource, jmc_accounts_source_free)

G_END_DECLS
