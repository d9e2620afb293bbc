/* jmc-accounts-source.c: who tells of a site's runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "accounts/jmc-accounts-source.h"

#include "core/jm-error.h"
#include "sources/jm-tsdb-series.h"

static guint
choose_limit (guint limit, guint n_read)
{
  return limit == 0 ? JM_RUN_FILTER_MAX_LIMIT
                    : MIN (limit - n_read, JM_RUN_FILTER_MAX_LIMIT);
}

/* A page must lead on, lest the same is asked for without an end. */
static gboolean
check_page (JmcAccountsSource *self,
            GPtrArray *runs,
            guint limit,
            const char *cursor,
            const char *next,
            GError **error)
{
  if (runs->len <= limit &&
      (next == NULL || (runs->len > 0 && g_strcmp0 (next, cursor) != 0)))
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: a page leads nowhere",
               self->name);

  return FALSE;
}

gboolean
jmc_accounts_source_read_runs (JmcAccountsSource *self,
                               const JmcAccountsQuery *query,
                               JmcRunFunc func,
                               gpointer data,
                               GError **error)
{
  g_autofree char *cursor = NULL;
  guint n_read = 0;

  do
    {
      const guint limit = choose_limit (query->limit, n_read);
      g_autofree char *next = NULL;
      g_autoptr (GPtrArray) runs =
        self->class->list_runs (self, query, limit, cursor, &next, error);

      if (runs == NULL || !check_page (self, runs, limit, cursor, next, error))
        return FALSE;
      for (guint i = 0; i < runs->len; i++)
        func (runs->pdata[i], data);
      n_read += runs->len;
      g_free (cursor);
      cursor = g_steal_pointer (&next);
    }
  while (cursor != NULL && (query->limit == 0 || n_read < query->limit));

  return TRUE;
}

GPtrArray *
jmc_accounts_source_list_usage (JmcAccountsSource *self,
                                const JmcAccountsQuery *query,
                                JmUsageGroups groups,
                                GError **error)
{
  return self->class->list_usage (self, query, groups, error);
}

JmcRunDetails *
jmc_accounts_source_find_run (JmcAccountsSource *self, const char *uuid, GError **error)
{
  return self->class->find_run (self, uuid, error);
}

/* @run is what jmc_accounts_source_find_run() found of @uuid. */
GPtrArray *
jmc_accounts_source_list_records (JmcAccountsSource *self,
                                  const char *uuid,
                                  JmStoredRun *run,
                                  GError **error)
{
  return self->class->list_records (self, uuid, run, error);
}

/* A database of accounts has none. */
GPtrArray *
jmc_accounts_source_list_series (JmcAccountsSource *self,
                                 const char *uuid,
                                 GError **error)
{
  return self->class->list_series != NULL
           ? self->class->list_series (self, uuid, error)
           : g_ptr_array_new_with_free_func ((GDestroyNotify) jm_tsdb_series_unref);
}

gboolean
jmc_accounts_source_refresh (JmcAccountsSource *self, GError **error)
{
  return self->class->refresh == NULL || self->class->refresh (self, error);
}

void
jmc_accounts_source_free (JmcAccountsSource *self)
{
  g_free (self->name);
  g_free (self->user);
  g_free (self->url);
  self->class->free (self);
}
