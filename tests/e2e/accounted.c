/* accounted.c: runs as a scheduler's accounting has them, and what they were over time
 *
 * usage: accounted STORE < RUNS
 *        accounted --series URL POINTS < RUNS
 *
 * A line of RUNS has a cluster, a job id, the begin, the end and how many nodes. The
 * second form prints the series of each run: job id, name, domain, unit and points.
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdio.h>
#include <stdlib.h>

#include "archive/jm-archive-database-private.h"
#include "archive/tsdb/jm-tsdb-private.h"
#include "core/jm-run-field-private.h"

static GPtrArray *
read_runs (void)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_unref);
  char line[256];

  while (fgets (line, sizeof line, stdin) != NULL)
    {
      g_auto (GStrv) words = g_strsplit (g_strstrip (line), " ", -1);
      JmRun *run;

      g_assert_cmpuint (g_strv_length (words), ==, 5);
      run = jm_run_new (words[0], words[1]);
      jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, atoll (words[2]));
      jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, atoll (words[3]));
      jm_run_keep_number (run, JM_RUN_FIELD_NODES, atoll (words[4]));
      g_ptr_array_add (runs, run);
    }

  return runs;
}

static gboolean
store_runs (const char *path, GPtrArray *runs, GError **error)
{
  g_autoptr (JmArchiveDatabase) store = jm_archive_database_open (path, error);
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();

  for (guint i = 0; i < runs->len; i++)
    jm_run_batch_add_run (batch, runs->pdata[i], JM_RUN_SOURCE_ACCOUNTING);

  return store != NULL && jm_archive_database_merge (store, batch, error);
}

static void
print_series (JmRun *run, JmTsdbSeries *series)
{
  const char *domain = jm_tsdb_series_get_label (series, "domain");

  g_print ("%s\t%s\t%s\t%s", jm_run_get_raw_id (run), jm_tsdb_series_get_name (series),
           domain != NULL ? domain : "", jm_tsdb_series_get_unit (series));
  for (guint i = 0; i < jm_tsdb_series_get_n_points (series); i++)
    {
      double time, value;

      jm_tsdb_series_get_point (series, i, &time, &value);
      g_print ("\t%.0f=%.6f", time, value);
    }
  g_print ("\n");
}

static gboolean
print_all (const char *url, guint n_points, GPtrArray *runs, GError **error)
{
  g_autoptr (JmTsdb) tsdb = jm_tsdb_new (url, error);

  for (guint i = 0; tsdb != NULL && i < runs->len; i++)
    {
      g_autoptr (GPtrArray) all =
        jm_tsdb_list_run_series (tsdb, runs->pdata[i], n_points, NULL, error);

      if (all == NULL)
        return FALSE;
      for (guint k = 0; k < all->len; k++)
        print_series (runs->pdata[i], all->pdata[k]);
    }

  return tsdb != NULL;
}

int
main (int argc, char **argv)
{
  g_autoptr (GPtrArray) runs = read_runs ();
  g_autoptr (GError) error = NULL;

  if (argc == 4 ? print_all (argv[2], (guint) atoi (argv[3]), runs, &error)
                : store_runs (argv[1], runs, &error))
    return 0;
  g_printerr ("%s\n", error->message);

  return 1;
}
