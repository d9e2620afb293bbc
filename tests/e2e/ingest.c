/* ingest.c: a history, twice into a file and a server, and what they have then
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * usage: ingest SPECIFICATION [LEDGER]
 *
 * Records of a node's ledger come after the history, as a server would read them.
 *
 * Prints a line for each run, with a tabulator between its columns: the database, which
 * of the readings it was, and NAME=VALUE of each field, escaped as in C.
 */

#include <glib/gstdio.h>

#include "../archive/made-server.h"
#include "archive/import/jm-intake-private.h"
#include "core/jm-run-field-private.h"
#include "node/ledger/jm-ledger.h"

#define READINGS 2
#define MAX_RUNS 1000

static void
print_run (JmRun *run, const char *database, guint reading)
{
  g_print ("%s\t%u\traw_id=%s", database, reading, jm_run_get_raw_id (run));
  for (guint i = 0; i < JM_N_RUN_FIELDS; i++)
    {
      gint64 number;

      if (jm_run_field_holds_text (i) && jm_run_peek_text (run, i) != NULL)
        {
          g_autofree char *text = g_strescape (jm_run_peek_text (run, i), NULL);

          g_print ("\t%s=%s", jm_run_field_get_name (i), text);
        }
      else if (!jm_run_field_holds_text (i) && jm_run_get_number (run, i, &number))
        g_print ("\t%s=%" G_GINT64_FORMAT, jm_run_field_get_name (i), number);
    }
  g_print ("\n");
}

static void
print_runs (JmArchiveDatabase *store, const char *database, guint reading)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *next = NULL;

  jm_run_filter_set_limit (filter, MAX_RUNS);
  runs = jm_archive_database_list_runs (store, filter, viewer, &next, &error);
  g_assert_no_error (error);
  g_assert_null (next);
  for (guint i = 0; i < runs->len; i++)
    print_run (runs->pdata[i], database, reading);
}

static void
read_ledger (JmIntake *intake, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmLedger) ledger = jm_ledger_open (path, &error);
  g_autoptr (JmLedgerFilter) filter = jm_ledger_filter_new ();
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (GPtrArray) records = NULL;

  g_assert_no_error (error);
  jm_ledger_filter_set_limit (filter, MAX_RUNS);
  records = jm_ledger_list (ledger, filter, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < records->len; i++)
    jm_run_batch_add_record (batch, records->pdata[i], NULL);
  jm_intake_merge (intake, batch, &error);
  g_assert_no_error (error);
}

static void
ingest (const char *specification,
        const char *ledger,
        const char *uri,
        const char *database)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmArchiveDatabase) store = jm_archive_database_open (uri, &error);
  g_autoptr (JmIntake) intake = NULL;

  g_assert_no_error (error);
  intake = jm_intake_new (store);
  for (guint i = 0; i < READINGS; i++)
    {
      g_autoptr (JmHistory) history = jm_intake_open_history (specification, &error);

      g_assert_no_error (error);
      jm_intake_read_history (intake, history, NULL, &error);
      g_assert_no_error (error);
      if (ledger != NULL)
        read_ledger (intake, ledger);
      g_assert_cmpuint (jm_intake_get_n_refused (intake), ==, 0);
      print_runs (store, database, i);
    }
  jm_archive_database_close (store);
}

int
main (int argc, char **argv)
{
  g_autofree char *directory = g_dir_make_tmp ("jm-ingest-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (directory, "jobs.db", NULL);
  g_autofree char *file_uri = g_strconcat ("sqlite:", file, NULL);
  const char *reason;
  MadeServer *server;

  g_assert_cmpint (argc, >=, 2);
  ingest (argv[1], argv[2], file_uri, "sqlite");
  g_unlink (file);
  g_rmdir (directory);

  server = made_server_start (&reason);
  if (server == NULL)
    {
      g_printerr ("%s\n", reason);
      return 0;
    }
  {
    g_autofree char *uri = made_server_add_database (server);

    ingest (argv[1], argv[2], uri, "postgresql");
  }
  made_server_stop (server);

  return 0;
}
