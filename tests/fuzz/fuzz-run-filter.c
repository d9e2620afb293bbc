/* fuzz-run-filter.c: any bytes as what somebody wants of a site's runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "archive/jm-archive-database-private.h"
#include "base/jm-error.h"
#include "core/jm-run-field-private.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static JmArchiveDatabase *
make_store (void)
{
  g_autofree char *directory = g_dir_make_tmp ("jm-fuzz-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "jobs.db", NULL);
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (JmRun) run = jm_run_new ("alps", "5");
  JmArchiveDatabase *store = jm_archive_database_open (path, NULL);

  g_assert_nonnull (store);
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, 1772323200);
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
  g_assert_true (jm_archive_database_merge (store, batch, NULL));

  return store;
}

/* A filter that is taken makes a query that can be answered. */
static void
ask (JmArchiveDatabase *store, JmRunFilter *filter, const char *text)
{
  g_autoptr (JmViewer) viewer = jm_viewer_new ();
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GPtrArray) usage = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *next = NULL;

  if (*text != '\0')
    jm_viewer_let_account (viewer, text, text);
  runs = jm_archive_database_list_runs (store, filter, viewer, &next, &error);
  g_assert_no_error (error);
  usage =
    jm_archive_database_list_usage (store, filter, JM_USAGE_GROUPS_DAY, viewer, &error);
  g_assert_no_error (error);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static JmArchiveDatabase *store;
  g_autofree char *text = g_strndup ((const char *) data, size);
  const char *const list[] = { text, text, NULL };
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GError) error = NULL;

  if (store == NULL)
    store = make_store ();
  if (!jm_run_filter_set_cursor (filter, text, &error))
    g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  jm_run_filter_set_period (filter, (gint64) size, G_MAXINT64 - (gint64) size);
  ask (store, filter, text);
  jm_run_filter_set_users (filter, list);
  jm_run_filter_set_states (filter, list);
  jm_run_filter_set_verdicts (filter, list, NULL);
  jm_run_filter_set_job (filter, text);
  jm_run_filter_set_node (filter, text);
  jm_run_filter_set_uuid (filter, text);
  jm_run_filter_set_cluster (filter, text);
  ask (store, filter, text);

  return 0;
}
