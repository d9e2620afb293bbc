/* jmc-accounts-source.h: where a site's runs come from, and which of them are wanted
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "accounts/jmc-run-details.h"
#include "archive/jm-run-filter.h"
#include "core/jm-usage.h"
#include "jmc-options.h"

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
 * in that of @now. */
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
                              JmRun *run,
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

typedef void (*JmcRunFunc) (JmRun *run, gpointer data);

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
                                             JmRun *run,
                                             GError **error);
GPtrArray *jmc_accounts_source_list_series (JmcAccountsSource *self,
                                            const char *uuid,
                                            GError **error);

/* For administrators; a database does not learn by itself, and says nothing. */
gboolean jmc_accounts_source_refresh (JmcAccountsSource *self, GError **error);
void jmc_accounts_source_free (JmcAccountsSource *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcAccountsSource, jmc_accounts_source_free)

/* @url is http://..., https://..., or unix:PATH; @login_file and @ca_file may be NULL.
 * Nobody is asked yet. */
JmcAccountsSource *jmc_accounts_server_open (const char *url,
                                             const char *login_file,
                                             const char *ca_file,
                                             GError **error);

/* Whoever can read the database sees all of it. */
JmcAccountsSource *jmc_accounts_store_open (const char *uri, GError **error);

G_END_DECLS
