/* jmc-accounts-store.c: a site's runs from their database
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "accounts/jmc-accounts-source.h"

#include "archive/jm-archive-database.h"

typedef struct
{
  JmcAccountsSource parent;
  JmArchiveDatabase *store;
  JmViewer *viewer;
} Store;

static GPtrArray *
store_list_runs (gpointer data,
                 const JmcAccountsQuery *query,
                 guint limit,
                 const char *cursor,
                 char **next,
                 GError **error)
{
  Store *self = data;
  g_autoptr (JmRunFilter) filter = jmc_accounts_query_make_filter (query);

  jm_run_filter_set_limit (filter, limit);
  if (cursor != NULL && !jm_run_filter_set_cursor (filter, cursor, error))
    return NULL;

  return jm_archive_database_list_runs (self->store, filter, self->viewer, next, error);
}

static GPtrArray *
store_list_usage (gpointer data,
                  const JmcAccountsQuery *query,
                  JmUsageGroups groups,
                  GError **error)
{
  Store *self = data;
  g_autoptr (JmRunFilter) filter = jmc_accounts_query_make_filter (query);

  return jm_archive_database_list_usage (self->store, filter, groups, self->viewer,
                                         error);
}

static JmcRunDetails *
store_find_run (gpointer data, const char *uuid, GError **error)
{
  Store *self = data;
  g_autoptr (JmRun) run =
    jm_archive_database_find_run (self->store, uuid, self->viewer, error);
  g_autoptr (JmcRunDetails) details = NULL;

  if (run == NULL)
    return NULL;

  details = jmc_run_details_new (run);
  for (guint i = 0; i < JMC_N_DETAIL_KINDS; i++)
    {
      details->parts[i] =
        jm_archive_database_list_parts (self->store, run, i, self->viewer, error);
      if (details->parts[i] == NULL)
        return NULL;
    }

  return g_steal_pointer (&details);
}

/* One that is broken is none. */
static GPtrArray *
store_list_records (gpointer data, const char *uuid, JmRun *run, GError **error)
{
  Store *self = data;
  g_autoptr (GPtrArray) parts =
    jm_archive_database_list_parts (self->store, run, JM_RUN_PART_KIND_RECORD,
                                    self->viewer, error);
  GPtrArray *records;

  if (parts == NULL)
    return NULL;

  records = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_job_record_unref);
  for (guint i = 0; i < parts->len; i++)
    {
      JmJobRecord *record = jm_run_part_get_record (parts->pdata[i], NULL);

      if (record != NULL)
        g_ptr_array_add (records, record);
    }

  return records;
}

static void
store_free (gpointer data)
{
  Store *self = data;

  g_object_unref (self->store);
  jm_viewer_free (self->viewer);
  g_free (self);
}

static const JmcAccountsSourceClass store_class = {
  .list_runs = store_list_runs,
  .list_usage = store_list_usage,
  .find_run = store_find_run,
  .list_records = store_list_records,
  .free = store_free,
};

JmcAccountsSource *
jmc_accounts_store_open (const char *uri, GError **error)
{
  JmArchiveDatabase *store = jm_archive_database_open_for_reading (uri, error);
  Store *self;

  if (store == NULL)
    return NULL;

  self = g_new0 (Store, 1);
  /* a URI may have a password in it */
  self->parent = (JmcAccountsSource){ &store_class, g_strdup ("the accounts"),
                                      g_strdup (g_get_user_name ()), NULL };
  self->store = store;
  self->viewer = jm_viewer_new_for_all ();

  return &self->parent;
}
