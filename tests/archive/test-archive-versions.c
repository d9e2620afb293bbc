/* test-archive-versions.c: databases of runs as each version of jobmetrics wrote them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "../node/ledger/made-ledger.h"
#include "access/jm-viewer-private.h"
#include "archive/jm-archive-database-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"
#include "sql/jm-sqlite-private.h"

/* The tables that were named first, and what came to them. */
#define LIST_COLUMNS                                                                   \
 "SELECT group_concat (line, x'0a') FROM (SELECT t.name || '.' || c.name || ' '"       \
 " || c.type || ' ' || c.\"notnull\" || ' ' || c.pk AS line FROM sqlite_schema AS t,"  \
 " pragma_table_info (t.name) AS c WHERE t.type = 'table'"                             \
 " UNION ALL SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql <> ''"         \
 " ORDER BY line)"

/* Which source reported which field, by the names of both. */
static char *
describe_origins (JmRun *run)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < JM_N_RUN_FIELDS; i++)
    {
      JmRunSource source = jm_run_peek_source (run, i);

      if (source != JM_RUN_SOURCE_NONE)
        g_string_append_printf (text, "%s%s=%s", text->len > 0 ? " " : "",
                                jm_run_field_get_name (i),
                                jm_run_source_get_name (source));
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
restore (Place *place, const char *name)
{
  g_autofree char *file =
    g_test_build_filename (G_TEST_DIST, "fixtures", "archives", name, NULL);
  g_autofree char *sql = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (sqlite3) db = NULL;

  g_file_get_contents (file, &sql, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (place->path, "", 0, NULL));
  db = jm_sqlite_open (place->path, TRUE, &error);
  g_assert_no_error (error);
  jm_sqlite_run (db, sql, &error);
  g_assert_no_error (error);
}

static char *
list_columns (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (sqlite3) db = jm_sqlite_open (path, FALSE, &error);
  char *columns;

  g_assert_no_error (error);
  columns = jm_sqlite_get_text (db, LIST_COLUMNS, &error);
  g_assert_no_error (error);

  return columns;
}

static JmArchiveDatabase *
open_store (const char *path)
{
  g_autoptr (GError) error = NULL;
  JmArchiveDatabase *store = jm_archive_database_open (path, &error);

  g_assert_no_error (error);

  return store;
}

static GPtrArray *
list_runs (JmArchiveDatabase *store, JmViewer *viewer)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *next = NULL;
  GPtrArray *runs =
    jm_archive_database_list_runs (store, filter, viewer, &next, &error);

  g_assert_no_error (error);

  return runs;
}

static void
test_an_earlier_version_is_read (Place *place, gconstpointer file)
{
  g_autoptr (JmArchiveDatabase) store = NULL;
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GPtrArray) records = NULL;
  g_autoptr (JmJobRecord) record = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *newer = NULL;
  g_autofree char *older = NULL;
  gint64 cpu_us;

  restore (place, file);
  store = open_store (place->path);
  g_assert_true (jm_archive_database_check (store, &error));
  g_assert_no_error (error);
  runs = list_runs (store, all);
  g_assert_cmpuint (runs->len, ==, 2);
  newer = describe_origins (runs->pdata[0]);
  older = describe_origins (runs->pdata[1]);
  g_assert_cmpstr (newer, ==,
                   "uuid=ledger user_name=accounting name=accounting state=accounting"
                   " uid=accounting start_time=accounting end_time=accounting"
                   " seen_time=ledger time_limit_seconds=accounting nodes=accounting"
                   " cpus=accounting cpu_us=ledger memory_peak_bytes=ledger"
                   " energy_uj=ledger");
  g_assert_cmpstr (older, ==,
                   "user_name=accounting name=accounting state=accounting"
                   " uid=accounting start_time=accounting end_time=accounting"
                   " time_limit_seconds=accounting nodes=accounting cpus=accounting");
  g_assert_true (jm_run_get_number (runs->pdata[0], JM_RUN_FIELD_CPU_TOTAL, &cpu_us));
  g_assert_cmpint (cpu_us, ==, G_GINT64_CONSTANT (14400000000));

  records = jm_archive_database_list_parts (store, runs->pdata[0],
                                            JM_RUN_PART_KIND_RECORD, all, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (records->len, ==, 2);
  record = jm_run_part_get_record (records->pdata[0], &error);
  g_assert_no_error (error);
  g_assert_cmpstr (jm_job_record_get_node (record), ==, "n1");
}

/* Of the newer run one of two nodes did three quarters of the work; nothing is known of
 * what the older one used. */
static void
test_runs_of_an_earlier_version_are_judged (Place *place, gconstpointer file)
{
  static const char *const kinds[] = { "waste", "not-enough-data" };
  g_autoptr (JmArchiveDatabase) store = NULL;
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRunRules) rules = jm_run_rules_new (NULL, &error);
  g_autoptr (GPtrArray) runs = NULL;
  gboolean is_done = FALSE;

  restore (place, file);
  store = open_store (place->path);
  while (!is_done)
    {
      jm_archive_database_judge (store, rules, &is_done, &error);
      g_assert_no_error (error);
    }

  runs = list_runs (store, all);
  g_assert_cmpuint (runs->len, ==, G_N_ELEMENTS (kinds));
  for (guint i = 0; i < runs->len; i++)
    {
      gint64 version;

      g_assert_cmpstr (jm_run_peek_text (runs->pdata[i], JM_RUN_FIELD_VERDICT_KIND), ==,
                       kinds[i]);
      g_assert_true (
        jm_run_get_number (runs->pdata[i], JM_RUN_FIELD_VERDICT_RULES, &version));
    }
}

static void
test_one_that_was_brought_up_to_date_is_as_a_new_one (Place *place, gconstpointer file)
{
  g_autofree char *made = g_strconcat (place->path, ".new", NULL);
  g_autofree char *of_old = NULL;
  g_autofree char *of_new = NULL;
  g_autoptr (JmArchiveDatabase) old_store = NULL;
  g_autoptr (JmArchiveDatabase) new_store = open_store (made);

  restore (place, file);
  old_store = open_store (place->path);
  jm_archive_database_close (old_store);
  jm_archive_database_close (new_store);
  of_old = list_columns (place->path);
  of_new = list_columns (made);
  g_assert_cmpstr (of_old, ==, of_new);
}

/* Two fields with one place would have one origin. */
static void
test_each_field_has_a_place_of_its_own (Place *place, gconstpointer data)
{
  gboolean is_taken[JM_N_RUN_FIELDS] = { FALSE };

  for (guint i = 0; i < JM_N_RUN_FIELDS; i++)
    {
      guint at = jm_run_field_get_place (i);

      g_assert_cmpuint (at, <, JM_N_RUN_FIELDS);
      g_assert_false (is_taken[at]);
      is_taken[at] = TRUE;
    }
}

#define ADD(path, file, function)                                                      \
 g_test_add ("/archive-versions/" path, Place, file, place_set_up, function,           \
             place_tear_down)

#define ADD_VERSION(number)                                                            \
 ADD ("version-" number "-is-read", "version-" number ".sql",                          \
      test_an_earlier_version_is_read);                                                \
 ADD ("runs-of-version-" number "-are-judged", "version-" number ".sql",               \
      test_runs_of_an_earlier_version_are_judged);                                     \
 ADD ("version-" number "-is-brought-up-to-date", "version-" number ".sql",            \
      test_one_that_was_brought_up_to_date_is_as_a_new_one)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD_VERSION ("5");
  ADD_VERSION ("6");
  ADD_VERSION ("7");
  /* Version 8 came together with version 9: no program wrote it. */
  ADD_VERSION ("9");
  ADD_VERSION ("10");
  ADD_VERSION ("11");
  ADD_VERSION ("12");
  ADD_VERSION ("13");
  ADD ("each-field-has-a-place-of-its-own", NULL,
       test_each_field_has_a_place_of_its_own);

  return g_test_run ();
}
