/* made-up-column.c: keeps a field that no jobmetrics has, JM_RUN_FIELD_MADE_UP
 *
 * usage: made-up-column FILE
 *
 * test-new-column.py adds the field to the library, and compiles this with it.
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "access/jm-viewer-private.h"
#include "archive/jm-archive-database-private.h"
#include "core/jm-run-field-private.h"

static void
check (GError *error)
{
  if (error != NULL)
    g_error ("%s", error->message);
}

static void
write_run (JmArchiveDatabase *store)
{
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  JmRun *run = jm_run_new ("alps", "42");
  GError *error = NULL;

  jm_run_keep_text (run, JM_RUN_FIELD_USER, "ada");
  jm_run_keep_text (run, JM_RUN_FIELD_MADE_UP, "of the night");
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, 1700000000);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, 1700000100);
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, 5000000);
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
  jm_archive_database_merge (store, batch, &error);
  check (error);
}

static void
print_run (JmRun *run)
{
  const char *made_up = jm_run_peek_text (run, JM_RUN_FIELD_MADE_UP);

  g_print ("%s:", jm_run_get_raw_id (run));
  for (guint i = 0; i < JM_N_RUN_FIELDS; i++)
    if (jm_run_peek_source (run, i) != JM_RUN_SOURCE_NONE)
      g_print (" %s=%s", jm_run_field_get_name (i),
               jm_run_source_get_name (jm_run_peek_source (run, i)));
  g_print ("; %s\n", made_up != NULL ? made_up : "none");
}

int
main (int argc, char **argv)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autofree char *next = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (JmArchiveDatabase) store = NULL;
  GError *error = NULL;

  g_assert_cmpint (argc, ==, 2);
  store = jm_archive_database_open (argv[1], &error);
  check (error);
  write_run (store);
  jm_archive_database_check (store, &error);
  check (error);
  runs = jm_archive_database_list_runs (store, filter, all, &next, &error);
  check (error);
  for (guint i = 0; i < runs->len; i++)
    print_run (runs->pdata[i]);
  jm_archive_database_close (store);

  return 0;
}
