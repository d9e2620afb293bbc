/* made-site.c: a site's archive in a file and on a server, for the same tests
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "made-site.h"

#include "../node/ledger/made-ledger.h"
#include "made-server.h"

static void
set_up (MadeSite *site, gconstpointer data)
{
  MadeServer *server = (MadeServer *) data;
  g_autoptr (GError) error = NULL;

  if (server == NULL)
    {
      site->directory = g_dir_make_tmp ("jm-store-XXXXXX", NULL);
      site->uri = g_strdup_printf ("sqlite:%s/jobs.db", site->directory);
    }
  else
    site->uri = made_server_add_database (server);
  site->store = jm_archive_database_open (site->uri, &error);
  g_assert_no_error (error);
}

static void
tear_down (MadeSite *site, gconstpointer data)
{
  jm_archive_database_close (site->store);
  g_object_unref (site->store);
  if (site->directory != NULL)
    made_directory_remove (site->directory);
  g_free (site->directory);
  g_free (site->uri);
}

static void
add_tests (const char *noun,
           const char *kind,
           const MadeSiteTest *tests,
           MadeServer *server)
{
  for (; tests->name != NULL; tests++)
    {
      g_autofree char *path = g_strdup_printf ("/%s/%s/%s", noun, kind, tests->name);

      g_test_add (path, MadeSite, server, set_up, tests->func, tear_down);
    }
}

static void
test_there_is_no_server (gconstpointer reason)
{
  g_test_skip (reason);
}

int
made_site_run (const char *noun, const MadeSiteTest *tests)
{
  g_autofree char *skipped = g_strdup_printf ("/%s/postgresql", noun);
  const char *reason;
  MadeServer *server;
  int result;

  add_tests (noun, "sqlite", tests, NULL);
  server = made_server_start (&reason);
  if (server != NULL)
    add_tests (noun, "postgresql", tests, server);
  else
    g_test_add_data_func (skipped, reason, test_there_is_no_server);
  result = g_test_run ();
  if (server != NULL)
    made_server_stop (server);

  return result;
}

void
made_site_merge (MadeSite *site, JmRunBatch *batch)
{
  g_autoptr (GError) error = NULL;

  jm_archive_database_merge (site->store, batch, &error);
  g_assert_no_error (error);
  jm_run_batch_unref (batch);
}
