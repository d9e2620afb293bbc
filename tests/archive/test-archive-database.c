/* test-archive-database.c: tests of a site's archive, in a file and on a server
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../node/ledger/made-ledger.h"
#include "access/jm-viewer-private.h"
#include "archive/jm-archive-database-private.h"
#include "base/jm-error.h"
#include "core/jm-collector-set.h"
#include "core/jm-job-draft-private.h"
#include "core/jm-job-profile-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-record-json-private.h"
#include "core/jm-run-batch-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"
#include "core/jm-run-private.h"
#include "core/jm-snapshot-private.h"
#include "core/jm-usage-private.h"
#include "core/jm-uuid-private.h"
#include "made-runs.h"
#include "made-server.h"
#include "sql/jm-sql-private.h"

/* Database of one test. */
typedef struct
{
  char *directory; /* NULL on a server */
  char *uri;
  JmArchiveDatabase *store;
} Site;

static void
site_set_up (Site *site, gconstpointer data)
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
site_tear_down (Site *site, gconstpointer data)
{
  jm_archive_database_close (site->store);
  g_object_unref (site->store);
  if (site->directory != NULL)
    made_directory_remove (site->directory);
  g_free (site->directory);
  g_free (site->uri);
}

static void
merge_batch (Site *site, JmRunBatch *batch)
{
  g_autoptr (GError) error = NULL;

  jm_archive_database_merge (site->store, batch, &error);
  g_assert_no_error (error);
}

/* Takes the run. */
static void
merge (Site *site, JmRunSource source, JmRun *run)
{
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();

  jm_run_batch_add_run (batch, run, source);
  jm_run_unref (run);
  merge_batch (site, batch);
  g_assert_cmpuint (batch->refused->len, ==, 0);
}

static GPtrArray *
list_for (Site *site, JmRunFilter *filter, JmViewer *viewer)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *next = NULL;
  GPtrArray *runs =
    jm_archive_database_list_runs (site->store, filter, viewer, &next, &error);

  g_assert_no_error (error);

  return runs;
}

/* Ids of runs, with a blank between. */
static char *
join_ids (GPtrArray *runs)
{
  GString *ids = g_string_new (NULL);

  for (guint i = 0; i < runs->len; i++)
    g_string_append_printf (ids, "%s%s", i > 0 ? " " : "",
                            jm_run_get_raw_id (runs->pdata[i]));

  return g_string_free (ids, FALSE);
}

static void
assert_listed (Site *site, JmRunFilter *filter, const char *expected)
{
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();
  g_autoptr (GPtrArray) runs = list_for (site, filter, viewer);
  g_autofree char *ids = join_ids (runs);

  g_assert_cmpstr (ids, ==, expected);
}

static void
assert_seen (Site *site, JmViewer *viewer, const char *expected)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) runs = NULL;
  g_autofree char *ids = NULL;

  jm_run_filter_set_sort (filter, "submit", NULL);
  runs = list_for (site, filter, viewer);
  ids = join_ids (runs);
  g_assert_cmpstr (ids, ==, expected);
}

/* The only one. */
static JmRun *
get_only (Site *site)
{
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) runs = list_for (site, filter, viewer);

  g_assert_cmpuint (runs->len, ==, 1);

  return jm_run_ref (runs->pdata[0]);
}

static void
assert_number (JmRun *run, JmRunField field, gint64 expected, JmRunSource source)
{
  gint64 number;

  g_assert_true (jm_run_get_number (run, field, &number));
  g_assert_cmpint (number, ==, expected);
  g_assert_cmpint (jm_run_peek_source (run, field), ==, source);
}

static void
assert_absent (JmRun *run, JmRunField field)
{
  gint64 number;

  g_assert_false (jm_run_get_number (run, field, &number));
}

static void
assert_sound (Site *site)
{
  g_autoptr (GError) error = NULL;

  jm_archive_database_check (site->store, &error);
  g_assert_no_error (error);
}

/* Sums as `GROUP/DAY: RUNS WALL CPU-SECONDS CPU-TIME ENERGY`, with the day's number
 * since the first of March and the last two in millionths. */
static char *
describe_usage (Site *site, JmUsageGroups groups, JmViewer *viewer)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) list =
    jm_archive_database_list_usage (site->store, filter, groups, viewer, &error);
  GString *text = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < list->len; i++)
    {
      JmUsage *usage = list->pdata[i];
      const char *name = jm_usage_get_account (usage);

      if (name == NULL)
        name = jm_usage_get_user (usage);
      if (name == NULL)
        name = jm_usage_get_cluster (usage);
      g_string_append_printf (text, "%s%s/%d: %ld %ld %ld %ld %ld", i > 0 ? ", " : "",
                              name != NULL ? name : "",
                              usage->day < 0 ? -1 : (int) (usage->day - MIDNIGHT / DAY),
                              (long) usage->whole[JM_USAGE_QUANTITY_RUNS],
                              (long) usage->whole[JM_USAGE_QUANTITY_WALL],
                              (long) usage->whole[JM_USAGE_QUANTITY_CPUS],
                              (long) (usage->whole[JM_USAGE_QUANTITY_CPU_TIME] *
                                        1000000 +
                                      usage->millionths[JM_USAGE_QUANTITY_CPU_TIME]),
                              (long) (usage->whole[JM_USAGE_QUANTITY_ENERGY] * 1000000 +
                                      usage->millionths[JM_USAGE_QUANTITY_ENERGY]));
    }

  return g_string_free (text, FALSE);
}

static void
assert_usage (Site *site, JmUsageGroups groups, const char *expected)
{
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();
  g_autofree char *text = describe_usage (site, groups, viewer);

  g_assert_cmpstr (text, ==, expected);
  assert_sound (site);
}

#define BY_DAY JM_USAGE_GROUPS_DAY

/* --- runs --- */

static void
test_a_run_is_read_as_it_was_reported (Site *site, gconstpointer data)
{
  JmRun *told = made_run ("17", MIDNIGHT, MIDNIGHT + 10, MIDNIGHT + 20);
  g_autoptr (JmRun) run = NULL;
  g_autofree char *uuid = jm_uuid_for_job ("alps", "17", MIDNIGHT + 10);

  for (guint i = 0; i < JM_N_RUN_FIELDS; i++)
    if (i != JM_RUN_FIELD_UUID && jm_run_field_holds_text (i))
      jm_run_keep_text (told, i, jm_run_field_get_name (i));
    else if (!jm_run_field_holds_text (i) && !jm_run_field_is_time (i))
      jm_run_keep_number (told, i, 100 + i);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, told);

  run = get_only (site);
  g_assert_cmpstr (jm_run_get_cluster (run), ==, "alps");
  g_assert_cmpstr (jm_run_get_raw_id (run), ==, "17");
  g_assert_cmpstr (jm_run_peek_text (run, JM_RUN_FIELD_UUID), ==, uuid);
  g_assert_cmpstr (jm_run_peek_text (run, JM_RUN_FIELD_TRES), ==, "tres");
  assert_number (run, JM_RUN_FIELD_END_TIME, MIDNIGHT + 20, JM_RUN_SOURCE_ACCOUNTING);
  for (guint i = JM_N_RUN_TEXTS; i < JM_N_RUN_FIELDS; i++)
    if (i == JM_RUN_FIELD_VERDICT_RULES || i == JM_RUN_FIELD_GPU_UNUSED ||
        i == JM_RUN_FIELD_PROLOG_EPILOG)
      assert_absent (run, i); /* an archive judges by itself */
    else if (!jm_run_field_is_time (i))
      assert_number (run, i, 100 + i, JM_RUN_SOURCE_ACCOUNTING);
  g_assert_null (jm_run_peek_text (run, JM_RUN_FIELD_VERDICT));
  assert_absent (run, JM_RUN_FIELD_SEEN_TIME);
}

static void
test_what_nobody_reported_is_absent (Site *site, gconstpointer data)
{
  JmRun *told = jm_run_new ("alps", "1");
  g_autoptr (JmRun) run = NULL;

  jm_run_keep_number (told, JM_RUN_FIELD_START_TIME, MIDNIGHT);
  /* none of these can be */
  jm_run_keep_number (told, JM_RUN_FIELD_CPUS, G_MAXINT64);
  jm_run_keep_number (told, JM_RUN_FIELD_ENERGY, -5);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, told);

  run = get_only (site);
  assert_absent (run, JM_RUN_FIELD_CPUS);
  assert_absent (run, JM_RUN_FIELD_ENERGY);
  assert_absent (run, JM_RUN_FIELD_END_TIME);
  g_assert_null (jm_run_peek_text (run, JM_RUN_FIELD_USER));
  g_assert_cmpint (jm_run_peek_source (run, JM_RUN_FIELD_USER), ==, JM_RUN_SOURCE_NONE);
}

static void
test_text_of_a_stranger_is_but_text (Site *site, gconstpointer data)
{
  static const char hostile[] = "'); DROP TABLE run; -- \" \\ ?1 $1 \x1b[2J \xc3\x28";
  JmRun *told = made_run ("a\"b\\c\x01'", MIDNIGHT, MIDNIGHT + 1, MIDNIGHT + 2);
  g_autofree char *long_text = g_strnfill (5000, 'x');
  g_autoptr (JmRun) run = NULL;

  /* a character of two bytes over the end */
  memcpy (long_text + 1022, "\xc3\xa4", 2);
  jm_run_keep_text (told, JM_RUN_FIELD_USER, hostile);
  jm_run_keep_text (told, JM_RUN_FIELD_NAME, long_text);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, jm_run_ref (told));
  merge (site, JM_RUN_SOURCE_ACCOUNTING, told);

  run = get_only (site);
  g_assert_cmpstr (jm_run_get_raw_id (run), ==, "a\"b\\c\x01'");
  g_assert_true (
    g_str_has_prefix (jm_run_peek_text (run, JM_RUN_FIELD_USER), "'); DROP"));
  g_assert_true (g_utf8_validate (jm_run_peek_text (run, JM_RUN_FIELD_USER), -1, NULL));
  g_assert_cmpuint (strlen (jm_run_peek_text (run, JM_RUN_FIELD_NAME)), ==, 1022);
  assert_sound (site);
}

static void
assert_found (Site *site, const char *uuid, const char *raw_id)
{
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRun) run =
    jm_archive_database_find_run (site->store, uuid, viewer, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (jm_run_get_raw_id (run), ==, raw_id);
}

static void
assert_not_found (Site *site, const char *uuid)
{
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();
  g_autoptr (GError) error = NULL;

  g_assert_null (jm_archive_database_find_run (site->store, uuid, viewer, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

static void
test_a_job_that_waits_begins_and_ends_is_one_run (Site *site, gconstpointer data)
{
  g_autofree char *waiting = jm_uuid_for_submission ("alps", "5", MIDNIGHT);
  g_autofree char *running = jm_uuid_for_job ("alps", "5", MIDNIGHT + 100);
  g_autoptr (JmRun) run = NULL;

  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run ("5", MIDNIGHT, 0, 0));
  assert_found (site, waiting, "5");
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run ("5", MIDNIGHT, MIDNIGHT + 100, 0));
  assert_found (site, waiting, "5");
  assert_found (site, running, "5");
  merge (site, JM_RUN_SOURCE_ACCOUNTING,
         made_run ("5", MIDNIGHT, MIDNIGHT + 100, MIDNIGHT + 200));
  /* what was said before comes late */
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run ("5", MIDNIGHT, MIDNIGHT + 100, 0));
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run ("5", MIDNIGHT, 0, 0));

  run = get_only (site);
  g_assert_cmpstr (jm_run_peek_text (run, JM_RUN_FIELD_STATE), ==, "COMPLETED");
  g_assert_cmpstr (jm_run_peek_text (run, JM_RUN_FIELD_UUID), ==, running);
  assert_usage (site, BY_DAY, "/0: 1 100 400 0 0");
}

static void
test_a_job_that_is_requeued_has_two_runs (Site *site, gconstpointer data)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();

  merge (site, JM_RUN_SOURCE_ACCOUNTING,
         made_run ("5", MIDNIGHT, MIDNIGHT + 100, MIDNIGHT + 200));
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run ("5", MIDNIGHT + 200, 0, 0));
  merge (site, JM_RUN_SOURCE_ACCOUNTING,
         made_run ("5", MIDNIGHT + 200, MIDNIGHT + 300, MIDNIGHT + 450));
  jm_run_filter_set_job (filter, "5");
  assert_listed (site, filter, "5 5");
  assert_usage (site, BY_DAY, "/0: 2 250 1000 0 0");
}

static void
test_a_run_goes_by_its_unique_id_and_by_its_begin (Site *site, gconstpointer data)
{
  g_autofree char *unique = jm_uuid_for_unique_id ("slurm", "s7K");
  g_autofree char *by_start = jm_uuid_for_job ("alps", "5", MIDNIGHT);
  JmRun *told = made_run ("5", MIDNIGHT - 5, MIDNIGHT, MIDNIGHT + 9);
  JmRun *again = made_run ("5", MIDNIGHT - 5, MIDNIGHT + 20, MIDNIGHT + 29);
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();

  /* a node that does not know the unique id was first */
  merge (site, JM_RUN_SOURCE_LEDGER, made_run ("5", 0, MIDNIGHT, 0));
  jm_run_keep_text (told, JM_RUN_FIELD_UUID, unique);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, told);
  assert_found (site, unique, "5");
  assert_found (site, by_start, "5");
  {
    g_autoptr (JmRun) run = get_only (site);

    g_assert_cmpstr (jm_run_peek_text (run, JM_RUN_FIELD_UUID), ==, unique);
  }
  /* begun once more, with the name of its submission */
  jm_run_keep_text (again, JM_RUN_FIELD_UUID, unique);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, jm_run_ref (again));
  merge (site, JM_RUN_SOURCE_ACCOUNTING, again);
  jm_run_filter_set_job (filter, "5");
  assert_listed (site, filter, "5 5");
}

static void
test_a_weak_uuid_is_no_key (Site *site, gconstpointer data)
{
  g_autofree char *weak = jm_uuid_for_job ("alps", "5", 0);
  g_autofree char *strong = jm_uuid_for_job ("alps", "5", MIDNIGHT);
  JmRun *told = made_run ("5", 0, MIDNIGHT, 0);

  jm_run_keep_text (told, JM_RUN_FIELD_UUID, weak);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, jm_run_ref (told));
  merge (site, JM_RUN_SOURCE_ACCOUNTING, told);
  assert_not_found (site, weak);
  assert_found (site, strong, "5");
}

static void
test_what_cannot_be_a_run_is_refused_alone (Site *site, gconstpointer data)
{
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (JmRun) none = jm_run_new ("alps", "1");
  g_autoptr (JmRun) backwards = made_run ("2", 0, MIDNIGHT, MIDNIGHT - 1);
  g_autoptr (JmRun) endless = made_run ("3", 0, 1, MIDNIGHT);
  g_autoptr (JmRun) nameless = made_run ("", 0, MIDNIGHT, MIDNIGHT);
  g_autoptr (JmRun) good = made_run ("4", 0, MIDNIGHT, MIDNIGHT);
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();

  jm_run_batch_add_run (batch, none, JM_RUN_SOURCE_ACCOUNTING);
  jm_run_batch_add_run (batch, backwards, JM_RUN_SOURCE_ACCOUNTING);
  jm_run_batch_add_run (batch, endless, JM_RUN_SOURCE_ACCOUNTING);
  jm_run_batch_add_run (batch, nameless, JM_RUN_SOURCE_ACCOUNTING);
  jm_run_batch_add_run (batch, good, JM_RUN_SOURCE_ACCOUNTING);
  merge_batch (site, batch);

  g_assert_cmpuint (batch->refused->len, ==, 4);
  g_assert_true (g_str_has_prefix (batch->refused->pdata[0], "alps/1: neither"));
  assert_listed (site, filter, "4");
}

/* --- who is believed --- */

static JmRun *
made_run_with (gint64 cpu_us, gint64 energy_uj)
{
  JmRun *run = made_run ("5", 0, MIDNIGHT, MIDNIGHT + 10);

  jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, cpu_us);
  jm_run_keep_number (run, JM_RUN_FIELD_ENERGY, energy_uj);

  return run;
}

static void
test_a_figure_is_that_of_the_best_source (Site *site, gconstpointer data)
{
  g_autoptr (JmRun) run = NULL;

  merge (site, JM_RUN_SOURCE_TIME_SERIES, made_run_with (20, 200));
  /* of one source the later word counts, and where there is none the lower one */
  merge (site, JM_RUN_SOURCE_TIME_SERIES, made_run_with (21, -1));
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_with (10, 100));
  merge (site, JM_RUN_SOURCE_LEDGER, made_run_with (-1, 300));
  merge (site, JM_RUN_SOURCE_TIME_SERIES, made_run_with (22, 201));

  run = get_only (site);
  assert_number (run, JM_RUN_FIELD_CPU_TOTAL, 22, JM_RUN_SOURCE_TIME_SERIES);
  assert_number (run, JM_RUN_FIELD_ENERGY, 300, JM_RUN_SOURCE_LEDGER);
  assert_usage (site, BY_DAY, "/0: 1 10 40 22 300");
}

static void
test_who_it_was_is_the_accounting_s_to_say (Site *site, gconstpointer data)
{
  JmRun *told = made_run_with (1, 1);
  g_autoptr (JmRun) run = NULL;

  jm_run_keep_text (told, JM_RUN_FIELD_ACCOUNT, "chemistry");
  jm_run_keep_text (told, JM_RUN_FIELD_QOS, "high");
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_with (2, 2));
  merge (site, JM_RUN_SOURCE_LEDGER, told);

  run = get_only (site);
  g_assert_cmpstr (jm_run_peek_text (run, JM_RUN_FIELD_ACCOUNT), ==, "physics");
  g_assert_cmpstr (jm_run_peek_text (run, JM_RUN_FIELD_QOS), ==, "high");
  g_assert_cmpint (jm_run_peek_source (run, JM_RUN_FIELD_QOS), ==,
                   JM_RUN_SOURCE_LEDGER);
}

/* --- days --- */

static void
test_a_run_over_midnight_is_split_to_the_last_unit (Site *site, gconstpointer data)
{
  JmRun *run = made_run ("5", 0, MIDNIGHT - 3600, MIDNIGHT + 5400);

  /* of 10 microseconds and 7 microjoules, two fifths are on the first day */
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, 10);
  jm_run_keep_number (run, JM_RUN_FIELD_ENERGY, 7);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, run);
  assert_usage (site, BY_DAY, "/-1: 1 3600 14400 4 2, /0: 0 5400 21600 6 5");
  assert_usage (site, JM_USAGE_GROUPS_NONE, "/-1: 1 9000 36000 10 7");
}

static void
test_a_run_that_ends_at_midnight_is_of_one_day (Site *site, gconstpointer data)
{
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run ("5", 0, MIDNIGHT - 1, MIDNIGHT));
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run ("6", 0, MIDNIGHT, MIDNIGHT));
  assert_usage (site, BY_DAY, "/-1: 1 1 4 0 0, /0: 1 0 0 0 0");
}

static void
test_a_suspended_run_takes_what_it_ran (Site *site, gconstpointer data)
{
  JmRun *run = made_run ("5", 0, MIDNIGHT - 100, MIDNIGHT + 100);

  jm_run_keep_number (run, JM_RUN_FIELD_ELAPSED, 51);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, run);
  assert_usage (site, BY_DAY, "/-1: 1 25 102 0 0, /0: 0 26 102 0 0");
}

static void
test_a_late_word_changes_yesterday (Site *site, gconstpointer data)
{
  JmRun *late = made_run ("5", 0, MIDNIGHT - 100, MIDNIGHT + 50);
  JmRun *running = made_run ("5", 0, MIDNIGHT - 100, 0);

  jm_run_keep_number (running, JM_RUN_FIELD_SEEN_TIME, MIDNIGHT + 500);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, running);
  assert_usage (site, BY_DAY, "/-1: 1 100 400 0 0, /0: 0 500 2000 0 0");

  jm_run_keep_text (late, JM_RUN_FIELD_ACCOUNT, "chemistry");
  jm_run_keep_number (late, JM_RUN_FIELD_ENERGY, 300);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, late);
  /* nothing of the other account is left, not even a row of nothing */
  assert_usage (site, JM_USAGE_GROUPS_ACCOUNT | BY_DAY,
                "chemistry/-1: 1 100 400 0 200, chemistry/0: 0 50 200 0 100");
}

static void
test_the_same_batch_again_changes_nothing (Site *site, gconstpointer data)
{
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();
  g_autofree char *once = NULL;

  /* more than are looked up together, and each of them twice */
  for (guint i = 0; i < 3000; i++)
    {
      g_autoptr (JmRun) run = made_run_numbered (i % 1500, 5000);

      jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
    }
  merge_batch (site, batch);
  once = describe_usage (site, BY_DAY, viewer);
  /* 7 + number each */
  assert_usage (site, JM_USAGE_GROUPS_NONE,
                "/-1: 1500 7500000 30000000 1500001500 1134750");
  for (guint i = 0; i < 3; i++)
    merge_batch (site, batch);
  assert_usage (site, BY_DAY, once);
}

static void
test_sums_of_a_large_site_are_whole (Site *site, gconstpointer data)
{
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) usage = NULL;

  /* each a day of a machine of 12 MW: together more microjoules than 64 bits hold */
  for (guint i = 0; i < 20; i++)
    {
      JmRun *run = made_run ("5", 0, MIDNIGHT + i * DAY, MIDNIGHT + (i + 1) * DAY);

      jm_run_keep_number (run, JM_RUN_FIELD_ENERGY, 1036800000000000001);
      merge (site, JM_RUN_SOURCE_ACCOUNTING, run);
    }
  usage = jm_archive_database_list_usage (site->store, filter, JM_USAGE_GROUPS_NONE,
                                          viewer, NULL);
  g_assert_cmpfloat (jm_usage_get_amount (usage->pdata[0], JM_USAGE_QUANTITY_ENERGY),
                     ==, 20736000000000.00002);
  assert_sound (site);
}

/* What was known of each day: CPU time, energy and emissions, `-` where nothing was. */
static char *
describe_known (Site *site)
{
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) usage =
    jm_archive_database_list_usage (site->store, filter, BY_DAY, viewer, NULL);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < usage->len; i++)
    for (guint q = JM_USAGE_QUANTITY_CPU_TIME; q < JM_N_USAGE_QUANTITIES; q++)
      {
        double amount = jm_usage_get_amount (usage->pdata[i], q);

        g_string_append (text, q > JM_USAGE_QUANTITY_CPU_TIME ? " "
                               : i > 0                        ? ", "
                                                              : "");
        if (isnan (amount))
          g_string_append_c (text, '-');
        else
          g_string_append_printf (text, "%g", amount);
      }

  return g_string_free (text, FALSE);
}

static void
assert_known (Site *site, const char *expected)
{
  g_autofree char *text = describe_known (site);

  g_assert_cmpstr (text, ==, expected);
  assert_sound (site);
}

static JmRun *
made_run_measured (const char *id,
                   gint64 begin,
                   gint64 end,
                   gint64 cpu_us,
                   gint64 energy)
{
  JmRun *run = made_run (id, 0, MIDNIGHT + begin, end > 0 ? MIDNIGHT + end : 0);

  jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, cpu_us);
  jm_run_keep_number (run, JM_RUN_FIELD_ENERGY, energy);

  return run;
}

static void
test_a_sum_of_what_nobody_measured_is_absent (Site *site, gconstpointer data)
{
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_measured ("1", 10, 20, 1000000, -1));
  assert_known (site, "1 - -");
  /* over midnight, and with half of it on each day */
  merge (site, JM_RUN_SOURCE_ACCOUNTING,
         made_run_measured ("2", DAY - 10, DAY + 10, -1, 4000000));
  assert_known (site, "1 2 -, - 2 -");
  /* that nothing was used is known, too */
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_measured ("3", DAY, DAY + 1, 0, -1));
  assert_known (site, "1 2 -, 0 2 -");
  merge (site, JM_RUN_SOURCE_LEDGER,
         made_run_measured ("2", DAY - 10, DAY + 10, -1, 0));
  assert_known (site, "1 0 -, 0 0 -");
}

/* --- queries --- */

static char *
describe_ids (GPtrArray *runs)
{
  GString *ids = g_string_new (NULL);

  for (guint i = 0; i < runs->len; i++)
    g_string_append_printf (ids, " %s", jm_run_get_raw_id (runs->pdata[i]));

  return g_string_free (ids, FALSE);
}

static guint
count_runs (JmArchiveDatabase *store)
{
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autofree char *next = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs =
    jm_archive_database_list_runs (store, filter, viewer, &next, &error);

  g_assert_no_error (error);

  return runs->len;
}

static void
test_all_is_read_of_one_moment (Site *site, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmArchiveDatabase) reader =
    jm_archive_database_open_for_reading (site->uri, NULL, &error);

  g_assert_no_error (error);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run ("1", 0, MIDNIGHT, MIDNIGHT + 60));
  for (guint i = 1; i < 3; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i + 1);

      g_assert_true (jm_archive_database_begin_reading (reader, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (count_runs (reader), ==, i);
      merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run (id, 0, MIDNIGHT, MIDNIGHT + 60));
      g_assert_cmpuint (count_runs (reader), ==, i);
      jm_archive_database_end_reading (reader);
      g_assert_cmpuint (count_runs (reader), ==, i + 1);
    }
}

static void
test_the_greatest_are_listed_by_each_figure (Site *site, gconstpointer data)
{
  static const char *const figures[] = { "cpu_unused_seconds", "energy_joules",
                                         "emissions_grams", NULL };
  static const char *const expected[] = { " 1 2 3", " 6 5 4", "" };
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();
  g_autoptr (JmViewer) stranger = jm_viewer_new ();
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) lists = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 1; i <= 6; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i);
      JmRun *run = made_run_measured (id, 0, 100, (gint64) i * 10000000,
                                      (gint64) (i - 1) * 1000000);

      jm_run_keep_number (run, JM_RUN_FIELD_CPUS, 1);
      merge (site, JM_RUN_SOURCE_ACCOUNTING, run);
    }
  jm_run_filter_set_limit (filter, 3);
  lists =
    jm_archive_database_list_greatest (site->store, filter, figures, viewer, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *ids = describe_ids (lists->pdata[i]);

      g_assert_cmpstr (ids, ==, expected[i]);
    }

  g_clear_pointer (&lists, g_ptr_array_unref);
  lists =
    jm_archive_database_list_greatest (site->store, filter, figures, stranger, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (((GPtrArray *) lists->pdata[0])->len, ==, 0);
}

/* --- what is looked for --- */

static int n_instructions;
static guint n_statements;

static int
on_statement (unsigned event, void *data, void *statement, void *unused)
{
  n_instructions += sqlite3_stmt_status (statement, SQLITE_STMTSTATUS_VM_STEP, 1);
  n_statements++;

  return 0;
}

static int
watch_statements (sqlite3 *db, char **message, const sqlite3_api_routines *unused)
{
  return sqlite3_trace_v2 (db, SQLITE_TRACE_PROFILE, on_statement, NULL);
}

static char *
list_by_name (JmArchiveDatabase *store, const char *pattern)
{
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autofree char *next = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) error = NULL;

  jm_run_filter_set_name_pattern (filter, pattern);
  jm_run_filter_set_sort (filter, "-submit", NULL);
  jm_run_filter_set_limit (filter, 3);
  runs = jm_archive_database_list_runs (store, filter, viewer, &next, &error);
  g_assert_no_error (error);

  return describe_ids (runs);
}

#define N_NAMED 4000

/* Two runs have a name, one of a user and one of nobody; every third has another. */
static JmRun *
made_named_run (guint i)
{
  g_autofree char *id = g_strdup_printf ("%u", i);
  g_autofree char *user = g_strdup_printf ("user%u", i % 20);
  g_autofree char *name = g_strdup_printf ("name_%u", i / 2);
  JmRun *run = jm_run_new ("alps", id);

  jm_run_keep_number (run, JM_RUN_FIELD_SUBMIT_TIME, MIDNIGHT + i);
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, MIDNIGHT + i);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, MIDNIGHT + i + 60);
  if (i % 2 == 0)
    jm_run_keep_text (run, JM_RUN_FIELD_USER, user);
  jm_run_keep_text (run, JM_RUN_FIELD_NAME, i % 3 == 0 ? "common" : name);

  return run;
}

static void
test_a_name_is_found_wherever_it_is (Site *site, gconstpointer data)
{
  static const struct
  {
    const char *pattern;
    const char *found;
  } expected[] = {
    { "name_5", " 11 10" },
    { "name_2", " 5 4" },
    { "name_500*", " 1001 1000" },
    { "n*me_77?", " 1559 1558 1556" },
    { "nothing", "" },
    { "name_", "" },
    { "common", " 3999 3996 3993" },
    { "NAME_5", "" },
  };
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();

  for (guint i = 0; i < N_NAMED; i++)
    {
      g_autoptr (JmRun) run = made_named_run (i);

      jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
    }
  merge_batch (site, batch);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *found = list_by_name (site->store, expected[i].pattern);

      g_assert_cmpstr (found, ==, expected[i].found);
    }
}

static JmArchiveDatabase *
open_watched (Site *site)
{
  g_autoptr (GError) error = NULL;
  JmArchiveDatabase *reader;

  sqlite3_auto_extension ((void (*) (void)) watch_statements);
  reader = jm_archive_database_open_for_reading (site->uri, NULL, &error);
  sqlite3_cancel_auto_extension ((void (*) (void)) watch_statements);
  g_assert_no_error (error);

  return reader;
}

/* Of the machine that runs SQLite's statements: to read a row takes several. */
static void
test_a_rare_name_is_found_without_all_runs (Site *site, gconstpointer data)
{
  static const char *const patterns[] = { "name_5", "nothing", "name_500*", "zz*" };
  g_autoptr (JmArchiveDatabase) reader = NULL;

  test_a_name_is_found_wherever_it_is (site, data);
  reader = open_watched (site);
  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autofree char *found = NULL;

      n_instructions = 0;
      found = list_by_name (reader, patterns[i]);
      g_assert_cmpint (n_instructions, >, 0);
      g_assert_cmpint (n_instructions, <, N_NAMED);
    }
}

static guint
count_statements (JmArchiveDatabase *reader, JmRunFilter *filter, JmViewer *viewer)
{
  g_autofree char *next = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) error = NULL;

  n_statements = 0;
  runs = jm_archive_database_list_runs (reader, filter, viewer, &next, &error);
  g_assert_no_error (error);

  return n_statements;
}

/* Nothing else finds the runs of all users by a name. */
static void
test_names_are_looked_up_for_whom_no_other_index_serves (Site *site, gconstpointer data)
{
  static const struct
  {
    const char *pattern;
    const char *job;
    const char *uuid;
    gint64 started_since;
    gboolean is_of_user;
    gboolean is_looked_up;
  } cases[] = {
    { .pattern = "name_5", .is_looked_up = TRUE },
    { .pattern = "name_5*", .is_looked_up = TRUE },
    { .pattern = "*_5" },
    { .pattern = "?ame_5" },
    { .pattern = "name_5", .is_of_user = TRUE },
    { .pattern = "name_5", .job = "7" },
    { .pattern = "name_5", .uuid = "4b1c1a6e-0000-4000-8000-000000000000" },
    { .pattern = "name_5", .started_since = MIDNIGHT },
  };
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (JmViewer) ada = jm_viewer_new ();
  g_autoptr (JmRunFilter) any = jm_run_filter_new ();
  g_autoptr (JmArchiveDatabase) reader = open_watched (site);
  guint n_usual;

  jm_viewer_let_own (ada, "alps", 1000);
  n_usual = count_statements (reader, any, all);
  g_assert_cmpuint (n_usual, >, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (JmRunFilter) filter = jm_run_filter_new ();

      g_test_message ("%u: %s", i, cases[i].pattern);
      jm_run_filter_set_name_pattern (filter, cases[i].pattern);
      jm_run_filter_set_job (filter, cases[i].job);
      jm_run_filter_set_uuid (filter, cases[i].uuid);
      jm_run_filter_set_started_since (filter, cases[i].started_since);
      g_assert_cmpuint (count_statements (reader, filter,
                                          cases[i].is_of_user ? ada : all),
                        ==, n_usual + (cases[i].is_looked_up ? 1 : 0));
    }
}

static void
test_pages_have_each_run_once (Site *site, gconstpointer data)
{
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();

  /* all end at the same time */
  for (guint i = 0; i < 25; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i);

      merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run (id, 0, MIDNIGHT, MIDNIGHT + 60));
    }
  for (guint ascends = 0; ascends < 2; ascends++)
    {
      g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
      g_autoptr (GHashTable) seen =
        g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      g_autofree char *cursor = NULL;
      guint n_pages = 0;

      jm_run_filter_set_limit (filter, 10);
      jm_run_filter_set_sort (filter, ascends ? "end" : "-end", NULL);
      do
        {
          g_autoptr (GPtrArray) runs = NULL;
          g_autoptr (GError) error = NULL;

          g_assert_true (jm_run_filter_set_cursor (filter, cursor, NULL));
          g_clear_pointer (&cursor, g_free);
          runs = jm_archive_database_list_runs (site->store, filter, viewer, &cursor,
                                                &error);
          g_assert_no_error (error);
          g_assert_cmpuint (runs->len, ==, n_pages < 2 ? 10 : 5);
          for (guint i = 0; i < runs->len; i++)
            g_assert_true (
              g_hash_table_add (seen, g_strdup (jm_run_get_raw_id (runs->pdata[i]))));
          n_pages++;
        }
      while (cursor != NULL);
      g_assert_cmpuint (n_pages, ==, 3);
      g_assert_cmpuint (g_hash_table_size (seen), ==, 25);
    }
}

static void
test_what_is_no_cursor_is_refused (Site *site, gconstpointer data)
{
  static const char *const texts[] = { "",
                                       "e",
                                       "e1",
                                       "e1-",
                                       "e-1",
                                       "e1-2 ",
                                       "s1-2",
                                       "e1-x",
                                       "x1-2",
                                       "e+1-2",
                                       "e99999999999999999999-1" };
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (jm_run_filter_set_cursor (filter, texts[i], &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
    }
  g_assert_true (jm_run_filter_set_cursor (filter, "e1-2", NULL));
}

static void
fill (Site *site)
{
  JmRun *other = made_run ("2", MIDNIGHT + 1, MIDNIGHT + 200, MIDNIGHT + 300);
  JmRun *task = made_run ("4", MIDNIGHT + 3, MIDNIGHT + 500, 0);
  JmRun *abroad = jm_run_new ("brocken", "5");

  merge (site, JM_RUN_SOURCE_ACCOUNTING,
         made_run ("1", MIDNIGHT, MIDNIGHT + 100, MIDNIGHT + 200));
  jm_run_keep_text (other, JM_RUN_FIELD_USER, "bob");
  jm_run_keep_number (other, JM_RUN_FIELD_UID, 1001);
  jm_run_keep_text (other, JM_RUN_FIELD_ACCOUNT, "chemistry");
  jm_run_keep_text (other, JM_RUN_FIELD_STATE, "FAILED");
  jm_run_keep_text (other, JM_RUN_FIELD_PARTITION, "gpu");
  merge (site, JM_RUN_SOURCE_ACCOUNTING, other);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run ("3", MIDNIGHT + 2, 0, 0));
  jm_run_keep_text (task, JM_RUN_FIELD_JOBID, "90_7");
  jm_run_keep_text (task, JM_RUN_FIELD_ARRAY_JOBID, "90");
  merge (site, JM_RUN_SOURCE_ACCOUNTING, task);
  /* the same number is somebody else there */
  jm_run_keep_number (abroad, JM_RUN_FIELD_UID, 1000);
  jm_run_keep_text (abroad, JM_RUN_FIELD_USER, "eve");
  jm_run_keep_text (abroad, JM_RUN_FIELD_ACCOUNT, "physics");
  jm_run_keep_number (abroad, JM_RUN_FIELD_SUBMIT_TIME, MIDNIGHT + 4);
  jm_run_keep_number (abroad, JM_RUN_FIELD_START_TIME, MIDNIGHT + 5);
  jm_run_keep_number (abroad, JM_RUN_FIELD_END_TIME, MIDNIGHT + 6);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, abroad);
}

static void
test_a_filter_wants_what_it_says (Site *site, gconstpointer data)
{
  static const char *const users[] = { "bob", "eve", NULL };
  static const char *const accounts[] = { "chemistry", NULL };
  static const char *const states[] = { "PENDING", "RUNNING", NULL };
  static const char *const nobody[] = { NULL };
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();

  fill (site);
  jm_run_filter_set_sort (filter, "submit", NULL);
  assert_listed (site, filter, "1 2 3 4 5");
  jm_run_filter_set_sort (filter, "-start", NULL);
  assert_listed (site, filter, "4 2 1 5 3");
  jm_run_filter_set_sort (filter, "submit", NULL);

  jm_run_filter_set_cluster (filter, "alps");
  assert_listed (site, filter, "1 2 3 4");
  jm_run_filter_set_cluster (filter, "none");
  assert_listed (site, filter, "");
  jm_run_filter_set_cluster (filter, NULL);
  jm_run_filter_set_users (filter, users);
  assert_listed (site, filter, "2 5");
  jm_run_filter_set_users (filter, nobody);
  assert_listed (site, filter, "");
  jm_run_filter_set_users (filter, NULL);
  jm_run_filter_set_accounts (filter, accounts);
  assert_listed (site, filter, "2");
  jm_run_filter_set_accounts (filter, NULL);
  jm_run_filter_set_partition (filter, "gpu");
  assert_listed (site, filter, "2");
  jm_run_filter_set_partition (filter, NULL);
  jm_run_filter_set_states (filter, states);
  assert_listed (site, filter, "3 4");
  jm_run_filter_set_states (filter, NULL);
  jm_run_filter_set_job (filter, "90_7");
  assert_listed (site, filter, "4");
  jm_run_filter_set_job (filter, "90");
  assert_listed (site, filter, "4");
  jm_run_filter_set_job (filter, NULL);
  jm_run_filter_set_period (filter, MIDNIGHT + 200, MIDNIGHT + 201);
  assert_listed (site, filter, "2 3");
  jm_run_filter_set_period (filter, 0, MIDNIGHT + 100);
  assert_listed (site, filter, "3 5");
}

/* Runs 1 to 9 have one name each. */
static void
test_names_are_found_by_a_pattern (Site *site, gconstpointer data)
{
  static const char *const names[] = { "align-1",    "align-22", "Align-3",
                                       "align*",     "100%_a!",  "1000xab",
                                       "\xc3\xa4-1", "[a]-1",    "" };
  static const struct
  {
    const char *pattern;
    const char *ids;
    gboolean is_name; /* such a name, and no pattern */
  } cases[] = {
    { "align-*", "1 2", FALSE },
    { "align-?", "1", FALSE },
    { "*-?", "1 3 7 8", FALSE },
    { "?-1", "7", FALSE },
    { "align*", "4", TRUE },
    { "align*", "1 2 4", FALSE },
    { "align\\*", "4", FALSE },
    { "*\\**", "4", FALSE },
    { "100%_a!", "5", TRUE },
    { "100%_a!", "5", FALSE },
    { "100%_?!", "5", FALSE },
    { "100*", "5 6", FALSE },
    { "[a]*", "8", FALSE },
    { "'*; --", "", FALSE },
    { "*************************a", "", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i + 1);
      JmRun *run = made_run (id, MIDNIGHT + i, MIDNIGHT + i, MIDNIGHT + 100);

      jm_run_keep_text (run, JM_RUN_FIELD_NAME, names[i]);
      merge (site, JM_RUN_SOURCE_ACCOUNTING, run);
    }
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (JmRunFilter) filter = jm_run_filter_new ();

      g_test_message ("%s", cases[i].pattern);
      jm_run_filter_set_sort (filter, "submit", NULL);
      if (cases[i].is_name)
        jm_run_filter_set_name (filter, cases[i].pattern);
      else
        jm_run_filter_set_name_pattern (filter, cases[i].pattern);
      assert_listed (site, filter, cases[i].ids);
    }
}

/* What the last call says counts, also of a copy. */
static void
test_a_filter_has_a_name_or_a_pattern (Site *site, gconstpointer data)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmRunFilter) copy = NULL;
  g_autofree char *of_pattern = NULL;
  g_autofree char *of_name = NULL;

  jm_run_filter_set_name (filter, "b");
  jm_run_filter_set_name_pattern (filter, "a*");
  copy = jm_run_filter_copy (filter);
  jm_run_filter_set_name (filter, "a*");
  of_pattern = jm_run_filter_make_parameters (copy, 1, NULL);
  of_name = jm_run_filter_make_parameters (filter, 1, NULL);
  g_assert_cmpstr (of_pattern, ==, "name=a%2A&sort=-end&limit=1");
  g_assert_cmpstr (of_name, ==, "name=a%5C%2A&sort=-end&limit=1");
}

static void
test_a_run_is_found_by_its_key (Site *site, gconstpointer data)
{
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (JmViewer) nobody = jm_viewer_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRun) run = NULL;

  fill (site);
  run = jm_archive_database_find_run_by_key (site->store, "alps", "2", MIDNIGHT + 200,
                                             all, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (jm_run_peek_text (run, JM_RUN_FIELD_USER), ==, "bob");
  g_assert_null (jm_archive_database_find_run_by_key (site->store, "alps", "2",
                                                      MIDNIGHT + 200, nobody, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

static void
test_a_viewer_sees_what_they_may (Site *site, gconstpointer data)
{
  g_autoptr (JmViewer) nobody = jm_viewer_new ();
  g_autoptr (JmViewer) ada = jm_viewer_new ();
  g_autoptr (JmViewer) everywhere = jm_viewer_new ();
  g_autoptr (JmViewer) coordinator = jm_viewer_new ();
  g_autofree char *of_ada = NULL;
  g_autofree char *of_nobody = NULL;
  g_autofree char *of_coordinator = NULL;

  fill (site);
  jm_viewer_let_own (ada, "alps", 1000);
  jm_viewer_let_own (everywhere, NULL, 1000);
  jm_viewer_let_own (coordinator, "alps", 1001);
  jm_viewer_let_account (coordinator, "brocken", "physics");

  assert_seen (site, nobody, "");
  assert_seen (site, ada, "1 3 4");
  assert_seen (site, everywhere, "1 3 4 5");
  assert_seen (site, coordinator, "2 5");

  of_nobody = describe_usage (site, JM_USAGE_GROUPS_USER, nobody);
  of_ada = describe_usage (site, JM_USAGE_GROUPS_USER, ada);
  of_coordinator = describe_usage (site, JM_USAGE_GROUPS_USER, coordinator);
  g_assert_cmpstr (of_nobody, ==, "");
  g_assert_cmpstr (of_ada, ==, "ada/-1: 2 100 400 0 0");
  g_assert_cmpstr (of_coordinator, ==, "bob/-1: 1 100 400 0 0, eve/-1: 1 1 0 0 0");
}

static gboolean
sees_job_between (Site *site,
                  const char *cluster,
                  const char *raw_id,
                  gint64 since,
                  gint64 until,
                  JmViewer *viewer)
{
  g_autoptr (GError) error = NULL;
  gboolean is_seen;

  g_assert_true (jm_archive_database_check_job (site->store, cluster, raw_id, since,
                                                until, viewer, &is_seen, &error));
  g_assert_no_error (error);

  return is_seen;
}

static gboolean
sees_job (Site *site, const char *cluster, const char *raw_id, JmViewer *viewer)
{
  return sees_job_between (site, cluster, raw_id, 0, 0, viewer);
}

static gboolean
sees_uuid (Site *site, const char *uuid, JmViewer *viewer)
{
  g_autoptr (GError) error = NULL;
  gboolean is_seen;

  g_assert_true (
    jm_archive_database_check_uuid (site->store, uuid, viewer, &is_seen, &error));
  g_assert_no_error (error);

  return is_seen;
}

/* Job 1 is ada's; its number came again, and is bob's then. */
static void
test_a_number_that_came_again_is_of_whom_it_was_at_a_time (Site *site,
                                                           gconstpointer data)
{
  JmRun *later = made_run ("1", 0, MIDNIGHT + 500000, 0);
  g_autoptr (JmViewer) ada = jm_viewer_new ();
  g_autoptr (JmViewer) bob = jm_viewer_new ();

  fill (site);
  jm_run_keep_number (later, JM_RUN_FIELD_UID, 1001);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, later);
  jm_viewer_let_own (ada, "alps", 1000);
  jm_viewer_let_own (bob, "alps", 1001);

  g_assert_true (sees_job_between (site, "alps", "1", MIDNIGHT, MIDNIGHT + 1000, ada));
  g_assert_true (sees_job_between (site, "alps", "1", 0, MIDNIGHT + 1000, ada));
  g_assert_false (sees_job_between (site, "alps", "1", 0, MIDNIGHT + 1000, bob));
  g_assert_false (sees_job_between (site, "alps", "1", MIDNIGHT + 1000, 0, ada));
  g_assert_true (sees_job_between (site, "alps", "1", MIDNIGHT + 1000, 0, bob));
  g_assert_false (sees_job_between (site, "alps", "1", MIDNIGHT, 0, bob));
  /* neither went on then */
  g_assert_false (
    sees_job_between (site, "alps", "1", MIDNIGHT + 1000, MIDNIGHT + 2000, ada));
  g_assert_true (sees_job_between (site, "alps", "4", 1, 2, ada));
}

/* Ada has runs in physics; nodes alone report that bob has one there, too. */
static void
test_members_of_an_account_see_its_runs_where_they_share (Site *site,
                                                          gconstpointer data)
{
  JmRun *mate = made_run ("21", MIDNIGHT, MIDNIGHT + 1, MIDNIGHT + 2);
  JmRun *of_none = made_run ("22", MIDNIGHT, MIDNIGHT + 1, MIDNIGHT + 2);
  JmRun *own_of_none = made_run ("23", MIDNIGHT, MIDNIGHT + 1, MIDNIGHT + 2);
  JmRun *claimed = made_run ("24", MIDNIGHT, MIDNIGHT + 1, MIDNIGHT + 2);
  g_autoptr (JmViewer) ada = jm_viewer_new ();
  g_autoptr (JmViewer) bob = jm_viewer_new ();
  g_autoptr (JmViewer) alone = NULL;

  fill (site);
  jm_run_keep_number (mate, JM_RUN_FIELD_UID, 1003);
  jm_run_keep_number (of_none, JM_RUN_FIELD_UID, 1003);
  jm_run_keep_text (of_none, JM_RUN_FIELD_ACCOUNT, NULL);
  jm_run_keep_text (own_of_none, JM_RUN_FIELD_ACCOUNT, NULL);
  jm_run_keep_number (claimed, JM_RUN_FIELD_UID, 1001);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, mate);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, of_none);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, own_of_none);
  merge (site, JM_RUN_SOURCE_LEDGER, claimed);
  jm_viewer_let_own (ada, "alps", 1000);
  jm_viewer_let_own (bob, "alps", 1001);
  alone = jm_viewer_copy (ada);
  jm_viewer_share_accounts (ada);
  jm_viewer_share_accounts (bob);

  g_assert_true (sees_job (site, "alps", "1", ada));
  g_assert_true (sees_job (site, "alps", "21", ada));
  g_assert_false (sees_job (site, "alps", "21", alone));
  g_assert_false (sees_job (site, "alps", "22", ada));
  g_assert_false (sees_job (site, "alps", "2", ada));
  g_assert_false (sees_job (site, "brocken", "5", ada));
  g_assert_false (sees_job (site, "alps", "21", bob));
}

/* Job 1 is ada's; its number came again, and is bob's then. */
static void
test_a_number_that_came_again_is_nobody_s (Site *site, gconstpointer data)
{
  JmRun *later = made_run ("1", 0, MIDNIGHT + 500000, MIDNIGHT + 500001);
  g_autoptr (JmViewer) nobody = jm_viewer_new ();
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (JmViewer) ada = jm_viewer_new ();
  g_autofree char *uuid = jm_uuid_for_job ("alps", "1", MIDNIGHT + 100);

  fill (site);
  jm_viewer_let_own (ada, "alps", 1000);
  g_assert_true (sees_job (site, "alps", "1", ada));
  g_assert_true (sees_job (site, "alps", "4", ada));
  g_assert_false (sees_job (site, "alps", "2", ada));
  g_assert_false (sees_job (site, "alps", "6", ada));
  g_assert_false (sees_job (site, "alps", "90_7", ada));
  g_assert_false (sees_job (site, "brocken", "1", ada));
  g_assert_false (sees_job (site, "brocken", "5", ada));
  g_assert_false (sees_job (site, "alps", "1", nobody));
  g_assert_true (sees_job (site, "alps", "2", all));
  g_assert_false (sees_job (site, "alps", "6", all));

  jm_run_keep_number (later, JM_RUN_FIELD_UID, 1001);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, later);
  g_assert_false (sees_job (site, "alps", "1", ada));
  g_assert_true (sees_job (site, "alps", "1", all));
  g_assert_true (sees_uuid (site, uuid, ada));
  g_assert_false (sees_uuid (site, uuid, nobody));
  g_assert_false (sees_uuid (site, "", all));
  g_assert_false (sees_uuid (site, "' OR '1'='1", all));
}

static void
test_a_run_of_nobody_known_is_not_seen (Site *site, gconstpointer data)
{
  JmRun *run = jm_run_new ("alps", "7");
  g_autoptr (JmViewer) ada = jm_viewer_new ();
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();

  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, MIDNIGHT);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, run);
  jm_viewer_let_own (ada, NULL, 1000);
  jm_viewer_let_account (ada, NULL, "physics");
  g_assert_false (sees_job (site, "alps", "7", ada));
  g_assert_true (sees_job (site, "alps", "7", all));
}

static void
test_usage_is_of_whom_it_is_asked (Site *site, gconstpointer data)
{
  fill (site);
  assert_usage (site, JM_USAGE_GROUPS_CLUSTER,
                "alps/-1: 3 200 800 0 0, brocken/-1: 1 1 0 0 0");
  assert_usage (site, JM_USAGE_GROUPS_ACCOUNT,
                "chemistry/-1: 1 100 400 0 0, physics/-1: 3 101 400 0 0");
}

/* --- ledgers --- */

typedef struct
{
  const char *scheduler, *uid;
  gint64 ahead;          /* how far the node's clock is ahead, seconds */
  JmJobProfile *profile; /* NULL for none */
  const char *sluid;
  const char *cluster;
} RecordOrigin;

static JmJobRecord *
made_record_of (const RecordOrigin *origin,
                const char *node,
                gboolean is_weak,
                guint64 cpu_us,
                guint64 energy_uj)
{
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();
  g_autoptr (JmJob) job = NULL;
  g_autoptr (JmReadings) readings = jm_readings_new ();
  g_autoptr (JmLabels) package = jm_labels_of ("package", "measured", NULL);
  g_autoptr (JmLabels) factor =
    jm_labels_of ("owid", "CH", "average", "lifecycle", "statistic", "measured", NULL);
  g_autoptr (JmLabels) step = jm_labels_of ("batch", NULL);
  g_autoptr (JmLabels) gpu = jm_labels_of ("nvidia0", NULL);
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autofree char *start = g_strdup_printf ("%" G_GINT64_FORMAT, MIDNIGHT);
  const JmCoverage coverage = { "life", 0.75, JM_TOTAL_METHOD_FINAL };
  gint64 begin_us = (MIDNIGHT + origin->ahead + 1) * G_USEC_PER_SEC;
  gint64 end_us = (MIDNIGHT + origin->ahead + 10) * G_USEC_PER_SEC;

  jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, "5", -1);
  if (origin->scheduler != NULL)
    jm_job_draft_set (draft, JM_JOB_FIELD_SCHEDULER, JM_ORIGIN_HOOK, origin->scheduler,
                      -1);
  if (origin->uid != NULL)
    jm_job_draft_set (draft, JM_JOB_FIELD_UID, JM_ORIGIN_HOOK, origin->uid, -1);
  if (g_strcmp0 (origin->uid, "1000") == 0)
    jm_job_draft_set (draft, JM_JOB_FIELD_USER, JM_ORIGIN_HOOK, "ada", -1);
  if (origin->sluid != NULL)
    jm_job_draft_set (draft, JM_JOB_FIELD_SLUID, JM_ORIGIN_HOOK, origin->sluid, -1);
  if (origin->cluster != NULL)
    jm_job_draft_set (draft, JM_JOB_FIELD_CLUSTER, JM_ORIGIN_HOOK, origin->cluster, -1);
  if (!is_weak)
    jm_job_draft_set (draft, JM_JOB_FIELD_START_TIME, JM_ORIGIN_HOOK, start, -1);
  jm_job_draft_set_run_key (draft, "boot/1");
  job = jm_job_draft_to_job (draft);

  {
    JmSubject subjects[] = {
      { JM_SUBJECT_KIND_NODE },
      { JM_SUBJECT_KIND_JOB, JM_NODE_SUBJECT, job, NULL, end_us },
      { JM_SUBJECT_KIND_JOB_GPU, 1, job, gpu, end_us },
      { JM_SUBJECT_KIND_STEP, 1, job, step, end_us },
    };
    JmJobRecordContent content = { .job = job,
                                   .node = node,
                                   .state = JM_RUN_STATE_ENDED,
                                   .begin_us = begin_us,
                                   .end_us = end_us,
                                   .seen_us = end_us,
                                   .profile = origin->profile,
                                   .coverage = &coverage,
                                   .n_coverage = 1 };

    jm_readings_reset (readings, jm_collector_set_get_all ());
    jm_readings_set_subject (readings, JM_RECORD_SUBJECT);
    jm_readings_add (readings, JM_METRIC_CPU_TOTAL, cpu_us * 1000 + 999);
    jm_readings_add (readings, JM_METRIC_MEMORY_PEAK, cpu_us * 4096);
    jm_readings_add_labelled (readings, JM_METRIC_ENERGY, package, energy_uj);
    jm_readings_add_labelled (readings, JM_METRIC_EMISSIONS_BY_FACTOR, factor, 11);
    jm_readings_set_subject (readings, 2);
    jm_readings_add (readings, JM_METRIC_GPU_ENERGY, 5);
    jm_readings_add (readings, JM_METRIC_GPU_BUSY, 3500001);
    jm_readings_add (readings, JM_METRIC_GPU_OBSERVED, 7000000);
    jm_readings_add (readings, JM_METRIC_GPU_MEMORY_PEAK, G_GUINT64_CONSTANT (1) << 33);
    jm_readings_add (readings, JM_METRIC_GPU_MEMORY_SIZE, G_GUINT64_CONSTANT (1) << 36);
    jm_readings_set_subject (readings, 3);
    jm_readings_add (readings, JM_METRIC_CPU_TOTAL, 3000);
    snapshot = jm_snapshot_new (end_us, 0, jm_collector_set_get_all (), subjects,
                                G_N_ELEMENTS (subjects), readings);
    content.snapshot = snapshot;

    return jm_job_record_new (&content);
  }
}

/* What a node says of job 5, which began at midnight; weak where it does not know
 * that. */
static JmJobRecord *
made_node_record (const char *node, gboolean is_weak, guint64 cpu_us, guint64 energy_uj)
{
  const RecordOrigin ada = { .uid = "1000" };

  return made_record_of (&ada, node, is_weak, cpu_us, energy_uj);
}

/* Takes the record. */
static guint
merge_record (Site *site, JmJobRecord *record)
{
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();

  jm_run_batch_add_record (batch, record, "alps");
  jm_job_record_unref (record);
  merge_batch (site, batch);

  return batch->refused->len;
}

static JmRun *
made_run_on (const char *id, gint64 start, const char *nodes, gint64 n_nodes)
{
  JmRun *run = made_run (id, 0, MIDNIGHT + start, MIDNIGHT + start + 10);

  jm_run_keep_text (run, JM_RUN_FIELD_NODE_LIST, nodes);
  jm_run_keep_number (run, JM_RUN_FIELD_NODES, n_nodes);

  return run;
}

static void
assert_on_node (Site *site, const char *node, const char *expected)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();

  jm_run_filter_set_sort (filter, "-start", NULL);
  jm_run_filter_set_node (filter, node);
  assert_listed (site, filter, expected);
}

/* What is behind each page, to the last. */
static void
assert_pages_on_node (Site *site, const char *node, const char *expected)
{
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();
  g_autoptr (GString) ids = g_string_new (NULL);
  g_autofree char *cursor = NULL;

  do
    {
      g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
      g_autoptr (GPtrArray) runs = NULL;
      g_autoptr (GError) error = NULL;
      char *next = NULL;

      jm_run_filter_set_sort (filter, "start", NULL);
      jm_run_filter_set_node (filter, node);
      jm_run_filter_set_limit (filter, 1);
      g_assert_true (jm_run_filter_set_cursor (filter, cursor, &error));
      runs = jm_archive_database_list_runs (site->store, filter, viewer, &next, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (runs->len, <=, 1);
      if (runs->len > 0)
        g_string_append_printf (ids, "%s ", jm_run_get_raw_id (runs->pdata[0]));
      g_free (cursor);
      cursor = next;
    }
  while (cursor != NULL);
  g_assert_cmpstr (ids->str, ==, expected);
}

static void
test_a_filter_finds_the_runs_of_a_node (Site *site, gconstpointer data)
{
  /* job 5, which no accounting knows */
  merge_record (site, made_node_record ("n2", FALSE, 100, 10));
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_on ("1", 10, "n[1-3]", 3));
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_on ("2", 20, "n12", 1));
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_on ("3", 30, "gpu[01-10],n2", 11));
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_on ("4", 40, "n4", 1));

  assert_on_node (site, "n2", "3 1 5");
  assert_on_node (site, "n1", "1");
  assert_on_node (site, "gpu07", "3");
  assert_on_node (site, "N12.example.org", "2");
  assert_on_node (site, "n", "");
  assert_on_node (site, "n[1-3]", "");
  assert_on_node (site, "10.0.0.1", "");
  assert_pages_on_node (site, "n2", "5 1 3 ");
}

static void
test_figures_of_nodes_are_summed_once_all_are_there (Site *site, gconstpointer data)
{
  JmRun *told = made_run_with (1000, 1000);
  g_autoptr (JmRun) run = NULL;

  /* before anybody knows how many nodes there are */
  g_assert_cmpuint (merge_record (site, made_node_record ("n1", FALSE, 100, 10)), ==,
                    0);
  run = get_only (site);
  assert_number (run, JM_RUN_FIELD_CPU_TOTAL, 100, JM_RUN_SOURCE_LEDGER);

  jm_run_keep_number (told, JM_RUN_FIELD_NODES, 2);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, told);
  g_clear_pointer (&run, jm_run_unref);
  run = get_only (site);
  assert_number (run, JM_RUN_FIELD_CPU_TOTAL, 1000, JM_RUN_SOURCE_ACCOUNTING);

  g_assert_cmpuint (merge_record (site, made_node_record ("n2", FALSE, 50, 20)), ==, 0);
  /* the first reports more, and again */
  g_assert_cmpuint (merge_record (site, made_node_record ("n1", FALSE, 110, 11)), ==,
                    0);
  g_assert_cmpuint (merge_record (site, made_node_record ("n1", FALSE, 110, 11)), ==,
                    0);
  g_clear_pointer (&run, jm_run_unref);
  run = get_only (site);
  assert_number (run, JM_RUN_FIELD_CPU_TOTAL, 160, JM_RUN_SOURCE_LEDGER);
  assert_number (run, JM_RUN_FIELD_ENERGY, 31, JM_RUN_SOURCE_LEDGER);
  assert_number (run, JM_RUN_FIELD_MEMORY_PEAK, 110 * 4096, JM_RUN_SOURCE_LEDGER);
  assert_usage (site, BY_DAY, "/0: 1 10 40 160 31");
}

/* The key of the only part of that kind. */
static char *
get_only_key (Site *site, JmRunPartKind kind)
{
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (JmRun) run = get_only (site);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) parts =
    jm_archive_database_list_parts (site->store, run, kind, all, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (parts->len, ==, 1);

  return g_strdup (jm_run_part_peek_text (parts->pdata[0], JM_QUANTITY_KEY));
}

static void
assert_teller (Site *site, const char *expected)
{
  g_autofree char *of_node = get_only_key (site, JM_RUN_PART_KIND_NODE);
  g_autofree char *of_device = get_only_key (site, JM_RUN_PART_KIND_DEVICE);

  g_assert_cmpstr (of_node, ==, expected);
  g_assert_cmpstr (of_device, ==, expected);
}

/* Whatever a time series database had of them: neither twice, nor in the sum. */
static void
test_nodes_are_those_of_ledgers_once_one_reports (Site *site, gconstpointer data)
{
  static const JmRunPartKind kinds[] = { JM_RUN_PART_KIND_NODE,
                                         JM_RUN_PART_KIND_DEVICE };
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (JmRun) filled = made_run_with (7, -1);
  g_autoptr (JmRun) run = NULL;

  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_with (1, 1));
  jm_run_batch_add_run (batch, filled, JM_RUN_SOURCE_TIME_SERIES);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (JmRunPart) part = jm_run_part_new (kinds[i]);

      jm_run_part_set_text (part, JM_QUANTITY_KEY, JM_RUN_KEY_TIME_SERIES);
      jm_run_part_set_text (part, JM_QUANTITY_NODE, "n1");
      if (kinds[i] == JM_RUN_PART_KIND_DEVICE)
        jm_run_part_set_text (part, JM_QUANTITY_NAME, "nvidia0");
      else
        jm_run_part_set_number (part, JM_QUANTITY_CPU_TOTAL, 7);
      jm_run_batch_add_part (batch, part);
    }
  merge_batch (site, batch);
  assert_teller (site, JM_RUN_KEY_TIME_SERIES);
  run = get_only (site);
  assert_number (run, JM_RUN_FIELD_CPU_TOTAL, 7, JM_RUN_SOURCE_TIME_SERIES);

  g_assert_cmpuint (merge_record (site, made_node_record ("n1", FALSE, 100, 10)), ==,
                    0);
  assert_teller (site, "boot/1");
  g_clear_pointer (&run, jm_run_unref);
  run = get_only (site);
  assert_number (run, JM_RUN_FIELD_CPU_TOTAL, 100, JM_RUN_SOURCE_LEDGER);
  assert_sound (site);
}

/* --- a part of a day --- */

/* Between so many seconds after midnight, as `RUNS WALL CPU-SECONDS CPU-TIME ENERGY`,
 * the last two in millionths; empty where nobody ran. */
static char *
describe_window (Site *site, gint64 from, gint64 to)
{
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GError) error = NULL;
  gboolean is_whole = FALSE;
  g_autoptr (GPtrArray) usages =
    jm_archive_database_list_usage_between (site->store, filter, all, MIDNIGHT + from,
                                            MIDNIGHT + to, &is_whole, &error);
  JmUsage *usage;

  g_assert_no_error (error);
  g_assert_true (is_whole);
  g_assert_cmpuint (usages->len, <=, 1);
  if (usages->len == 0)
    return g_strdup ("");

  usage = usages->pdata[0];
  g_assert_cmpstr (jm_usage_get_cluster (usage), ==, "alps");
  g_assert_cmpstr (jm_usage_get_user (usage), ==, "ada");
  g_assert_cmpstr (jm_usage_get_account (usage), ==, "physics");

  return g_strdup_printf ("%ld %ld %ld %ld %ld",
                          (long) usage->whole[JM_USAGE_QUANTITY_RUNS],
                          (long) usage->whole[JM_USAGE_QUANTITY_WALL],
                          (long) usage->whole[JM_USAGE_QUANTITY_CPUS],
                          (long) usage->millionths[JM_USAGE_QUANTITY_CPU_TIME],
                          (long) usage->millionths[JM_USAGE_QUANTITY_ENERGY]);
}

static void
assert_window (Site *site, gint64 from, gint64 to, const char *expected)
{
  g_autofree char *text = describe_window (site, from, to);

  g_assert_cmpstr (text, ==, expected);
}

/* Five minutes that are asked for are five minutes. */
static void
test_a_window_has_its_own_part_of_a_run (Site *site, gconstpointer data)
{
  JmRun *run = made_run ("5", 0, MIDNIGHT + 1000, MIDNIGHT + 4600);

  jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, 36000);
  jm_run_keep_number (run, JM_RUN_FIELD_ENERGY, 7200);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, run);

  assert_window (site, 2000, 2300, "1 300 1200 3000 600");
  assert_window (site, 900, 1300, "1 300 1200 3000 600");
  assert_window (site, 4300, 5000, "1 300 1200 3000 600");
  assert_window (site, 0, 80000, "1 3600 14400 36000 7200");
  assert_window (site, 700, 1000, "");
  assert_window (site, 4600, 4900, "");
}

/* All CPU time in the first half of its ten seconds, and all energy in the last second.
 */
static void
test_a_window_goes_by_the_course_that_a_node_recorded (Site *site, gconstpointer data)
{
  const gint64 begin_us = MIDNIGHT * G_USEC_PER_SEC;
  g_autoptr (JmJobProfile) profile = jm_job_profile_new (begin_us);
  const RecordOrigin ada = { .uid = "1000", .profile = profile };

  jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_CPU, begin_us,
                          begin_us + 5 * G_USEC_PER_SEC, 100000);
  jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_ENERGY,
                          begin_us + 9 * G_USEC_PER_SEC, begin_us + 10 * G_USEC_PER_SEC,
                          10);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_with (1, 1));
  g_assert_cmpuint (merge_record (site, made_record_of (&ada, "n1", FALSE, 100, 10)),
                    ==, 0);

  assert_window (site, 0, 5, "1 5 20 100 0");
  assert_window (site, 5, 9, "1 4 16 0 0");
  assert_window (site, 9, 300, "1 1 4 0 10");
  assert_window (site, 0, 300, "1 10 40 100 10");
}

static void
test_a_node_has_the_mean_of_its_memory (Site *site, gconstpointer data)
{
  const gint64 begin_us = MIDNIGHT * G_USEC_PER_SEC;
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (JmJobProfile) profile = jm_job_profile_new (begin_us);
  const RecordOrigin ada = { .uid = "1000", .profile = profile };
  g_autoptr (JmRun) run = NULL;
  g_autoptr (GPtrArray) parts = NULL;

  jm_job_profile_add_level (profile, JM_PROFILE_SERIES_MEMORY, begin_us,
                            begin_us + 6 * G_USEC_PER_SEC, 100);
  jm_job_profile_add_level (profile, JM_PROFILE_SERIES_MEMORY,
                            begin_us + 6 * G_USEC_PER_SEC,
                            begin_us + 8 * G_USEC_PER_SEC, 500);
  g_assert_cmpuint (merge_record (site, made_record_of (&ada, "n1", FALSE, 100, 10)),
                    ==, 0);

  run = get_only (site);
  parts =
    jm_archive_database_list_parts (site->store, run, JM_RUN_PART_KIND_NODE, all, NULL);
  g_assert_cmpuint (parts->len, ==, 1);
  g_assert_cmpint (jm_run_part_peek (parts->pdata[0], JM_QUANTITY_MEMORY_MEAN), ==,
                   200);
  g_assert_cmpint (jm_run_part_peek (parts->pdata[0], JM_QUANTITY_GPU_MEMORY_MEAN), ==,
                   JM_RUN_PART_UNKNOWN);
}

static JmRun *
made_run_of_slurm (void)
{
  JmRun *run = made_run_with (1000, 1000);

  jm_run_set_scheduler (run, "slurm");
  jm_run_keep_number (run, JM_RUN_FIELD_UID, 1000);
  jm_run_keep_text (run, JM_RUN_FIELD_USER, "ada");

  return run;
}

static void
test_a_record_meets_the_run_of_its_scheduler_and_user (Site *site, gconstpointer data)
{
  static const struct
  {
    RecordOrigin origin;
    gboolean is_weak;
    guint n_refused, n_runs;
    gint64 cpu_us; /* of Slurm's run */
  } cases[] = {
    { { "slurm", "1000", 0 }, FALSE, 0, 1, 7 },
    { { "slurm", "1000", 0 }, TRUE, 0, 1, 7 },
    { { "slurm", NULL, 0 }, FALSE, 0, 1, 7 },
    { { NULL, "1000", 0 }, FALSE, 0, 1, 7 },
    { { "slurm", "1001", 0 }, FALSE, 1, 1, 1000 },
    { { "slurm", "1001", 0 }, TRUE, 1, 1, 1000 },
    { { NULL, "1001", 0 }, FALSE, 1, 1, 1000 },
    /* the same number of another scheduler is another job, whoever it says it is */
    { { "local", "1000", 0 }, FALSE, 0, 2, 1000 },
    { { "local", "1000", 0 }, TRUE, 1, 1, 1000 },
    { { "local", NULL, 0 }, FALSE, 0, 2, 1000 },
    { { "oar", "1000", 0 }, FALSE, 0, 2, 1000 },
  };
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
      g_autoptr (GPtrArray) runs = NULL;
      g_autoptr (JmRun) run = NULL;
      g_autoptr (GError) error = NULL;

      merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_of_slurm ());
      g_assert_cmpuint (merge_record (site, made_record_of (&cases[i].origin, "n1",
                                                            cases[i].is_weak, 7, 10)),
                        ==, cases[i].n_refused);
      runs = list_for (site, filter, all);
      g_assert_cmpuint (runs->len, ==, cases[i].n_runs);
      run = jm_archive_database_find_run_by_key (site->store, "alps", "5", MIDNIGHT,
                                                 all, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (jm_run_get_scheduler (run), ==, "slurm");
      assert_number (run, JM_RUN_FIELD_CPU_TOTAL, cases[i].cpu_us,
                     cases[i].cpu_us == 7 ? JM_RUN_SOURCE_LEDGER
                                          : JM_RUN_SOURCE_ACCOUNTING);
      assert_number (run, JM_RUN_FIELD_UID, 1000, JM_RUN_SOURCE_ACCOUNTING);
      site_tear_down (site, data);
      site_set_up (site, data);
    }
}

/* Bob makes a cgroup that says it is ada's job. */
static void
test_a_job_that_anybody_may_make_hides_no_run (Site *site, gconstpointer data)
{
  g_autoptr (JmViewer) ada = jm_viewer_new ();
  g_autoptr (JmViewer) bob = jm_viewer_new ();
  g_autofree char *uuid = jm_uuid_for_job ("alps", "5", MIDNIGHT);
  const RecordOrigin local = { "local", "1001", 0 };

  jm_viewer_let_own (ada, "alps", 1000);
  jm_viewer_let_own (bob, "alps", 1001);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_of_slurm ());
  merge_record (site, made_record_of (&local, "n1", FALSE, 7, 10));
  g_assert_true (sees_job (site, "alps", "5", ada));
  g_assert_true (sees_uuid (site, uuid, ada));
  g_assert_false (sees_job (site, "alps", "5", bob));
  g_assert_false (sees_uuid (site, uuid, bob));
}

/* The node of ada's run calls it what bob's run is called, and what no other is. */
static void
test_a_name_that_a_record_alone_says_gives_and_takes_no_sight (Site *site,
                                                               gconstpointer data)
{
  g_autoptr (JmViewer) ada = jm_viewer_new ();
  g_autoptr (JmViewer) bob = jm_viewer_new ();
  g_autofree char *of_bob = jm_uuid_for_unique_id ("slurm", "s7K");
  g_autofree char *of_nobody = jm_uuid_for_unique_id ("slurm", "s8K");
  const RecordOrigin origins[] = {
    { .scheduler = "slurm", .uid = "1000", .sluid = "s7K" },
    { .scheduler = "slurm", .uid = "1000", .sluid = "s8K" }
  };

  jm_viewer_let_own (ada, "alps", 1000);
  jm_viewer_let_own (bob, "alps", 1001);
  for (guint order = 0; order < 2; order++)
    {
      JmRun *run = made_run ("6", 0, MIDNIGHT, MIDNIGHT + 9);

      jm_run_keep_number (run, JM_RUN_FIELD_UID, 1001);
      jm_run_keep_text (run, JM_RUN_FIELD_UUID, of_bob);
      if (order == 0)
        merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_of_slurm ());
      for (guint i = 0; i < G_N_ELEMENTS (origins); i++)
        merge_record (site, made_record_of (&origins[i], "n1", FALSE, 7, 10));
      if (order == 1)
        merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_of_slurm ());
      g_assert_false (sees_uuid (site, of_bob, ada));
      assert_found (site, of_bob, "5");
      merge (site, JM_RUN_SOURCE_ACCOUNTING, run);
      g_assert_true (sees_uuid (site, of_bob, bob));
      g_assert_false (sees_uuid (site, of_bob, ada));
      assert_found (site, of_bob, "6");
      g_assert_false (sees_uuid (site, of_nobody, ada));
      assert_found (site, of_nobody, "5");
      site_tear_down (site, data);
      site_set_up (site, data);
    }
}

/* A node was first; the scheduler then says whose run that is. */
static void
test_a_run_is_whose_its_scheduler_says (Site *site, gconstpointer data)
{
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (JmRun) run = NULL;
  g_autoptr (GPtrArray) parts = NULL;
  g_autoptr (GError) error = NULL;
  const RecordOrigin other = { "slurm", "1001", 0 };

  g_assert_cmpuint (merge_record (site, made_record_of (&other, "n1", FALSE, 7, 10)),
                    ==, 0);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_of_slurm ());
  run = get_only (site);
  assert_number (run, JM_RUN_FIELD_UID, 1000, JM_RUN_SOURCE_ACCOUNTING);
  assert_number (run, JM_RUN_FIELD_CPU_TOTAL, 1000, JM_RUN_SOURCE_ACCOUNTING);
  parts = jm_archive_database_list_parts (site->store, run, JM_RUN_PART_KIND_NODE, all,
                                          &error);
  g_assert_no_error (error);
  g_assert_cmpuint (parts->len, ==, 0);
}

static void
test_a_node_whose_clock_is_wrong_by_years_is_heard (Site *site, gconstpointer data)
{
  static const gint64 years[] = { -50, -12, 12, 50 };
  g_autoptr (JmRun) run = NULL;

  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_with (1000, 1000));
  for (gsize i = 0; i < G_N_ELEMENTS (years); i++)
    {
      const RecordOrigin origin = { NULL, "1000", years[i] * 366 * DAY };
      JmJobRecord *record =
        made_record_of (&origin, "n1", FALSE, 100 + (guint64) i, 10);

      g_assert_cmpuint (merge_record (site, record), ==, 0);
      g_clear_pointer (&run, jm_run_unref);
      run = get_only (site);
      assert_number (run, JM_RUN_FIELD_CPU_TOTAL, 100 + (gint64) i,
                     JM_RUN_SOURCE_LEDGER);
      assert_number (run, JM_RUN_FIELD_END_TIME, MIDNIGHT + 10,
                     JM_RUN_SOURCE_ACCOUNTING);
    }
}

/* Parts as `NODE NAME CPU ENERGY`, with a comma between. */
static void
assert_parts (Site *site, JmRunPartKind kind, JmViewer *viewer, const char *expected)
{
  g_autoptr (JmRun) run = get_only (site);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) parts =
    jm_archive_database_list_parts (site->store, run, kind, viewer, &error);
  g_autoptr (GString) text = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < parts->len; i++)
    {
      JmRunPart *part = parts->pdata[i];
      const gint64 cpu_us = MAX (jm_run_part_peek (part, JM_QUANTITY_CPU_TOTAL), 0);
      const gint64 energy_uj = MAX (jm_run_part_peek (part, JM_QUANTITY_ENERGY), 0);

      g_assert_cmpint (jm_run_part_get_kind (part), ==, kind);
      g_string_append_printf (text, "%s%s %s %d %d", i > 0 ? ", " : "",
                              jm_run_part_peek_text (part, JM_QUANTITY_NODE),
                              jm_run_part_peek_text (part, JM_QUANTITY_NAME),
                              (int) cpu_us, (int) energy_uj);
    }
  g_assert_cmpstr (text->str, ==, expected);
}

/* What made_node_record() reports of its one device. */
static void
assert_use_of_device (Site *site)
{
  static const struct
  {
    JmQuantityId quantity;
    gint64 number;
  } expected[] = {
    { JM_QUANTITY_GPU_BUSY, 3500001 },
    { JM_QUANTITY_GPU_OBSERVED, 7000000 },
    { JM_QUANTITY_GPU_MEMORY_PEAK, G_GINT64_CONSTANT (1) << 33 },
    { JM_QUANTITY_GPU_MEMORY_SIZE, G_GINT64_CONSTANT (1) << 36 },
  };
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (JmRun) run = get_only (site);
  g_autoptr (GPtrArray) parts =
    jm_archive_database_list_parts (site->store, run, JM_RUN_PART_KIND_DEVICE, all,
                                    NULL);

  g_assert_nonnull (parts);
  g_assert_cmpuint (parts->len, ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpint (jm_run_part_peek (parts->pdata[0], expected[i].quantity), ==,
                     expected[i].number);
}

static void
test_what_a_run_made_of_its_devices_is_kept (Site *site, gconstpointer data)
{
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_with (1, 1));
  g_assert_cmpuint (merge_record (site, made_node_record ("n1", FALSE, 100, 10)), ==,
                    0);

  assert_use_of_device (site);
}

static void
test_parts_of_a_run_are_kept (Site *site, gconstpointer data)
{
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (JmViewer) nobody = jm_viewer_new ();
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (JmRun) told = made_run_with (1, 1);
  g_autoptr (JmRunPart) step = jm_run_part_new (JM_RUN_PART_KIND_STEP);

  jm_run_part_set_text (step, JM_QUANTITY_NAME, "0");
  jm_run_part_set_number (step, JM_QUANTITY_CPU_TOTAL, 77);
  jm_run_batch_add_run (batch, told, JM_RUN_SOURCE_ACCOUNTING);
  jm_run_batch_add_part (batch, step);
  merge_batch (site, batch);
  merge_batch (site, batch);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpuint (merge_record (site, made_node_record ("n1", FALSE, 100, 10)), ==,
                      0);

  assert_parts (site, JM_RUN_PART_KIND_NODE, all, "n1 (null) 100 10");
  assert_parts (site, JM_RUN_PART_KIND_DEVICE, all, "n1 nvidia0 0 5");
  assert_parts (site, JM_RUN_PART_KIND_ENERGY, all, "n1 (null) 0 0, n1 package 0 10");
  assert_parts (site, JM_RUN_PART_KIND_STEP, all, "(null) 0 77 0, n1 batch 3 0");
  assert_parts (site, JM_RUN_PART_KIND_STEP, nobody, "");
}

static void
test_many_steps_come_in_pages (Site *site, gconstpointer data)
{
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (JmRun) told = made_run_with (1, 1);
  g_autoptr (JmRun) run = NULL;
  g_autoptr (GPtrArray) last = NULL;
  guint n_steps = JM_ARCHIVE_STEPS_MAX + 200;
  guint n_seen = 0;

  jm_run_batch_add_run (batch, told, JM_RUN_SOURCE_ACCOUNTING);
  for (guint i = 0; i < n_steps; i++)
    {
      g_autoptr (JmRunPart) step = jm_run_part_new (JM_RUN_PART_KIND_STEP);
      g_autofree char *name = g_strdup_printf ("%u", 10000 + i);

      jm_run_part_set_text (step, JM_QUANTITY_NAME, i == 0 ? "batch" : name);
      jm_run_batch_add_part (batch, step);
    }
  merge_batch (site, batch);
  run = get_only (site);

  last =
    jm_archive_database_list_parts (site->store, run, JM_RUN_PART_KIND_STEP, all, NULL);
  g_assert_cmpuint (last->len, ==, JM_ARCHIVE_STEPS_MAX);
  g_assert_cmpstr (jm_run_part_get_text (last->pdata[0], "name"), ==, "10201");
  g_assert_cmpstr (jm_run_part_get_text (last->pdata[last->len - 1], "name"), ==,
                   "batch");

  for (guint n = 500; n == 500; n_seen += n)
    {
      const JmStepPage page = { .limit = 500, .n_passed = n_seen };
      g_autoptr (GPtrArray) steps =
        jm_archive_database_list_steps (site->store, run, &page, all, NULL);
      g_autofree char *first = g_strdup_printf ("%u", 10001 + n_seen);

      g_assert_cmpstr (jm_run_part_get_text (steps->pdata[0], "name"), ==, first);
      n = steps->len;
    }
  g_assert_cmpuint (n_seen, ==, n_steps);
}

static void
test_a_step_that_is_reported_twice_is_as_the_last_word (Site *site, gconstpointer data)
{
  static const char name[] = "{\"a\\,NULL}";
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (JmRun) told = made_run_with (1, 1);

  jm_run_batch_add_run (batch, told, JM_RUN_SOURCE_ACCOUNTING);
  for (guint i = 1; i <= 3; i++)
    {
      g_autoptr (JmRunPart) step = jm_run_part_new (JM_RUN_PART_KIND_STEP);

      jm_run_part_set_text (step, JM_QUANTITY_NAME, i == 2 ? "NULL" : name);
      jm_run_part_set_number (step, JM_QUANTITY_CPU_TOTAL, i);
      jm_run_batch_add_run (batch, told, JM_RUN_SOURCE_ACCOUNTING);
      jm_run_batch_add_part (batch, step);
    }
  merge_batch (site, batch);
  assert_parts (site, JM_RUN_PART_KIND_STEP, all,
                "(null) NULL 2 0, (null) {\"a\\,NULL} 3 0");
}

static void
test_a_record_that_is_reported_twice_at_once_is_as_the_last_word (Site *site,
                                                                  gconstpointer data)
{
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();

  for (guint i = 1; i <= 2; i++)
    {
      g_autoptr (JmJobRecord) record = made_node_record ("n1", FALSE, 100 * i, 10 * i);

      jm_run_batch_add_record (batch, record, NULL);
    }
  for (guint i = 0; i < 2; i++)
    merge_batch (site, batch);
  assert_parts (site, JM_RUN_PART_KIND_NODE, all, "n1 (null) 200 20");
}

/* Three words about the same run, by turns of its node and of the accounting. */
static void
assert_called_alike (Site *site, gboolean is_node_first)
{
  const RecordOrigin ada = { .uid = "1000", .cluster = "alps" };

  for (guint i = 0; i < 3; i++)
    {
      JmJobRecord *record = made_record_of (&ada, "n1", FALSE, 100, 10);
      g_autofree char *uuid =
        g_strdup (jm_job_get_uuid (jm_job_record_get_job (record)));
      g_autoptr (JmRun) run = NULL;

      if ((i % 2 == 0) == is_node_first)
        g_assert_cmpuint (merge_record (site, jm_job_record_ref (record)), ==, 0);
      else
        merge (site, JM_RUN_SOURCE_ACCOUNTING,
               made_run ("5", MIDNIGHT - 5, MIDNIGHT, MIDNIGHT + 9));
      jm_job_record_unref (record);
      run = get_only (site);
      g_assert_cmpstr (jm_run_peek_text (run, JM_RUN_FIELD_UUID), ==, uuid);
      assert_found (site, uuid, "5");
    }
}

static void
test_a_node_that_knows_the_begin_calls_a_run_as_the_archive_does (Site *site,
                                                                  gconstpointer data)
{
  assert_called_alike (site, TRUE);
}

static void
test_an_archive_calls_a_run_as_a_node_that_knows_the_begin_does (Site *site,
                                                                 gconstpointer data)
{
  assert_called_alike (site, FALSE);
}

static void
test_a_record_without_begin_waits_for_the_accounting (Site *site, gconstpointer data)
{
  /* another run of that id was long before */
  merge (site, JM_RUN_SOURCE_ACCOUNTING,
         made_run ("5", 0, MIDNIGHT - 9000, MIDNIGHT - 8000));
  g_assert_cmpuint (merge_record (site, made_node_record ("n1", TRUE, 100, 10)), ==, 1);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_with (1, 1));
  g_assert_cmpuint (merge_record (site, made_node_record ("n1", TRUE, 100, 10)), ==, 0);
  assert_usage (site, BY_DAY, "/-1: 1 1000 4000 0 0, /0: 1 10 40 100 10");
}

/* A job that was requeued, of whose first run nobody has said yet that it ended. */
static void
test_a_record_without_begin_is_of_no_run_that_was_seen_before (Site *site,
                                                               gconstpointer data)
{
  JmRun *first = made_run ("5", 0, MIDNIGHT - 9000, 0);
  JmRun *still = made_run ("5", 0, MIDNIGHT - 9000, 0);

  jm_run_keep_number (first, JM_RUN_FIELD_SEEN_TIME, MIDNIGHT - 8000);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, first);
  g_assert_cmpuint (merge_record (site, made_node_record ("n1", TRUE, 100, 10)), ==, 1);
  jm_run_keep_number (still, JM_RUN_FIELD_SEEN_TIME, MIDNIGHT);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, still);
  g_assert_cmpuint (merge_record (site, made_node_record ("n1", TRUE, 100, 10)), ==, 0);
}

/* --- anything --- */

/* Of few ids and moments, so that what is said of runs meets, and may not fit. */
static JmRun *
made_run_by_chance (void)
{
  static const char *const accounts[] = { "physics", "chemistry", NULL };
  g_autofree char *id = g_strdup_printf ("%d", g_test_rand_int_range (4, 7));
  gint64 moments[3];
  JmRun *run;

  for (guint i = 0; i < G_N_ELEMENTS (moments); i++)
    moments[i] = g_test_rand_int_range (0, 3) == 0
                   ? 0
                   : MIDNIGHT + g_test_rand_int_range (-3, 4) * 40000;
  run = made_run (id, moments[0], moments[1], moments[2]);
  jm_run_keep_text (run, JM_RUN_FIELD_ACCOUNT, accounts[g_test_rand_int_range (0, 3)]);
  jm_run_keep_number (run, JM_RUN_FIELD_NODES, g_test_rand_int_range (-1, 3));
  jm_run_keep_number (run, JM_RUN_FIELD_ENERGY, g_test_rand_int_range (-9, 99));
  jm_run_keep_number (run, JM_RUN_FIELD_ELAPSED, g_test_rand_int_range (-9, 99999));
  if (g_test_rand_bit ())
    jm_run_keep_text (run, JM_RUN_FIELD_UUID, "5c1c3f9c-3f64-5d0e-8a83-000000000001");

  return run;
}

static JmRunBatch *
made_batch_by_chance (void)
{
  JmRunBatch *batch = jm_run_batch_new ();

  for (guint i = 0; i < 20; i++)
    if (g_test_rand_int_range (0, 4) == 0)
      {
        g_autoptr (JmJobRecord) record =
          made_node_record (g_test_rand_bit () ? "n1" : "n2", g_test_rand_bit () != 0,
                            (guint64) g_test_rand_int_range (0, 99),
                            (guint64) g_test_rand_int_range (0, 99));

        jm_run_batch_add_record (batch, record, "alps");
      }
    else
      {
        g_autoptr (JmRun) run = made_run_by_chance ();

        jm_run_batch_add_run (batch, run, (JmRunSource) g_test_rand_int_range (1, 4));
      }

  return batch;
}

static void
test_days_are_what_runs_add_up_to_whatever_is_reported (Site *site, gconstpointer data)
{
  for (guint i = 0; i < (g_test_slow () ? 2000 : 60); i++)
    {
      g_autoptr (JmRunBatch) batch = made_batch_by_chance ();

      merge_batch (site, batch);
      assert_sound (site);
    }
}

/* --- who may what, and what was --- */

static void
test_a_user_is_shown_what_the_site_says (Site *site, gconstpointer data)
{
  static const char *const bob[] = { "bob", NULL };
  static const char *const root[] = { "root", NULL };
  static const char *const none[] = { NULL };
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (JmRunBatch) later = jm_run_batch_new ();
  g_autoptr (JmViewer) of_bob = NULL;
  g_autoptr (JmViewer) of_root = NULL;
  g_autoptr (JmViewer) of_stranger = NULL;
  g_autoptr (JmViewer) of_bob_later = NULL;

  fill (site);
  jm_run_batch_set_person (batch, "alps", "bob", 1001);
  jm_run_batch_set_project (batch, "brocken", "physics", "what matter is");
  jm_run_batch_set_coordinators (batch, "brocken", "physics", bob);
  jm_run_batch_set_members (batch, "alps", "physics", bob);
  jm_run_batch_set_administrators (batch, "alps", root);
  merge_batch (site, batch);
  merge_batch (site, batch);
  of_bob = jm_archive_database_make_viewer (site->store, "bob", NULL, NULL);
  of_root = jm_archive_database_make_viewer (site->store, "root", NULL, NULL);
  of_stranger = jm_archive_database_make_viewer (site->store, "mallory", NULL, NULL);
  assert_seen (site, of_bob, "2 5");
  assert_seen (site, of_root, "1 2 3 4 5");
  assert_seen (site, of_stranger, "");

  jm_run_batch_set_coordinators (later, "brocken", "physics", none);
  merge_batch (site, later);
  of_bob_later = jm_archive_database_make_viewer (site->store, "bob", NULL, NULL);
  assert_seen (site, of_bob_later, "2");
}

static void
test_an_administrator_may_be_one_of_clusters (Site *site, gconstpointer data)
{
  static const char *const both[] = { "root", "olga", NULL };
  static const char *const root[] = { "root", NULL };
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (JmRun) alone = made_run ("8", 0, MIDNIGHT + 600, MIDNIGHT + 660);
  g_autoptr (JmViewer) of_eve = NULL;
  g_autoptr (JmViewer) of_root = NULL;
  g_autoptr (JmViewer) copy = NULL;
  g_auto (GStrv) states = NULL;

  fill (site);
  jm_run_batch_add_run (batch, alone, JM_RUN_SOURCE_LEDGER);
  jm_run_batch_add_state (batch, "alps", "1", 20, "{\"state\":\"RUNNING\"}");
  jm_run_batch_set_person (batch, "alps", "olga", 1009);
  jm_run_batch_set_administrators (batch, "alps", both);
  jm_run_batch_set_administrators (batch, "brocken", root);
  merge_batch (site, batch);
  of_eve = jm_archive_database_make_viewer (site->store, "olga", NULL, NULL);
  of_root = jm_archive_database_make_viewer (site->store, "root", NULL, NULL);
  jm_viewer_hold_to_accounting (of_eve, "alps");
  jm_viewer_hold_to_accounting (of_eve, "brocken");
  copy = jm_viewer_copy (of_eve);

  g_assert_true (jm_viewer_sees_all (of_root));
  g_assert_false (jm_viewer_sees_all (of_eve));
  assert_seen (site, of_eve, "8 1 2 3 4");
  assert_seen (site, copy, "8 1 2 3 4");
  g_assert_true (sees_job (site, "alps", "2", of_eve));
  g_assert_false (sees_job (site, "brocken", "5", of_eve));
  states = jm_archive_database_list_states (site->store, "alps", "1", of_eve, NULL);
  g_assert_cmpuint (g_strv_length (states), ==, 1);
}

static void
test_the_history_of_a_job_is_its_owner_s (Site *site, gconstpointer data)
{
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (JmViewer) ada = jm_viewer_new ();
  g_autoptr (JmViewer) bob = jm_viewer_new ();
  g_auto (GStrv) of_ada = NULL;
  g_auto (GStrv) of_bob = NULL;

  fill (site);
  jm_viewer_let_own (ada, "alps", 1000);
  jm_viewer_let_own (bob, "alps", 1001);
  jm_run_batch_add_state (batch, "alps", "1", 20, "{\"state\":\"RUNNING\"}");
  jm_run_batch_add_state (batch, "alps", "1", 10, "{\"state\":\"PENDING\"}");
  jm_run_batch_add_state (batch, "alps", "1", 20, "{\"state\":\"FAILED\"}");
  merge_batch (site, batch);

  of_ada = jm_archive_database_list_states (site->store, "alps", "1", ada, NULL);
  of_bob = jm_archive_database_list_states (site->store, "alps", "1", bob, NULL);
  g_assert_cmpuint (g_strv_length (of_ada), ==, 2);
  g_assert_cmpstr (of_ada[0], ==, "{\"state\":\"PENDING\"}");
  g_assert_cmpstr (of_ada[1], ==, "{\"state\":\"FAILED\"}");
  g_assert_cmpuint (g_strv_length (of_bob), ==, 0);
}

/* A run that nodes alone know grants no sight where an accounting is read, and takes
 * none away: neither of itself nor of one of the same id. */
static void
test_a_run_that_the_accounting_lacks_is_hidden (Site *site, gconstpointer data)
{
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (JmRun) known = made_run ("9", MIDNIGHT - 10, MIDNIGHT, MIDNIGHT + 60);
  g_autoptr (JmRun) claimed = made_run ("9", 0, MIDNIGHT + 600, MIDNIGHT + 660);
  g_autoptr (JmRun) alone = made_run ("8", 0, MIDNIGHT + 600, MIDNIGHT + 660);
  g_autoptr (JmViewer) ada = jm_viewer_new ();
  g_autoptr (JmViewer) bob = jm_viewer_new ();
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_auto (GStrv) states = NULL;
  struct
  {
    JmViewer *viewer;
    const char *raw_id;
    gboolean is_seen, is_seen_where_held;
  } sights[] = { { ada, "9", TRUE, TRUE },
                 { ada, "8", FALSE, FALSE },
                 { bob, "9", FALSE, FALSE },
                 { bob, "8", TRUE, FALSE },
                 { all, "8", TRUE, TRUE } };

  jm_run_keep_number (known, JM_RUN_FIELD_UID, 1000);
  jm_run_keep_text (known, JM_RUN_FIELD_STATE, "COMPLETED");
  jm_run_keep_number (claimed, JM_RUN_FIELD_UID, 1001);
  jm_run_keep_number (alone, JM_RUN_FIELD_UID, 1001);
  jm_run_batch_add_run (batch, known, JM_RUN_SOURCE_ACCOUNTING);
  jm_run_batch_add_run (batch, claimed, JM_RUN_SOURCE_LEDGER);
  jm_run_batch_add_run (batch, alone, JM_RUN_SOURCE_LEDGER);
  jm_run_batch_add_state (batch, "alps", "9", 10, "{\"state\":\"PENDING\"}");
  merge_batch (site, batch);
  jm_viewer_let_own (ada, "alps", 1000);
  jm_viewer_let_own (bob, "alps", 1001);

  for (guint is_held = 0; is_held < 2; is_held++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (sights); i++)
        {
          gboolean is_seen;

          g_assert_true (
            jm_archive_database_check_job (site->store, "alps", sights[i].raw_id, 0, 0,
                                           sights[i].viewer, &is_seen, NULL));
          g_assert_cmpint (is_seen, ==,
                           is_held ? sights[i].is_seen_where_held : sights[i].is_seen);
        }
      jm_viewer_hold_to_accounting (ada, "alps");
      jm_viewer_hold_to_accounting (bob, "alps");
      jm_viewer_hold_to_accounting (all, "alps");
    }
  states = jm_archive_database_list_states (site->store, "alps", "9", ada, NULL);
  g_assert_cmpuint (g_strv_length (states), ==, 1);
}

/* A run that a node alone reports is its owner's, unless its cluster's accounting
 * is read. */
static void
test_a_site_hides_what_its_accounting_does_not_have (Site *site, gconstpointer data)
{
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (JmRun) alone = made_run ("8", 0, MIDNIGHT + 600, MIDNIGHT + 660);
  static const struct
  {
    const char *cluster; /* whose accounting is read */
    const char *seen;
  } sites[] = { { NULL, "8" }, { "", "8" }, { "brocken", "8" }, { "alps", "" } };

  jm_run_keep_number (alone, JM_RUN_FIELD_UID, 1001);
  jm_run_batch_set_person (batch, "alps", "bob", 1001);
  jm_run_batch_add_run (batch, alone, JM_RUN_SOURCE_LEDGER);
  merge_batch (site, batch);

  for (guint i = 0; i < G_N_ELEMENTS (sites); i++)
    {
      g_autoptr (GHashTable) managers = g_hash_table_new (g_str_hash, g_str_equal);
      const JmArchiveSite what = { .managers = managers };
      g_autoptr (JmViewer) bob = NULL;

      if (sites[i].cluster != NULL)
        g_hash_table_insert (managers, (gpointer) sites[i].cluster, (gpointer) "slurm");
      bob =
        jm_archive_database_make_viewer (site->store, "bob",
                                         sites[i].cluster != NULL ? &what : NULL, NULL);
      assert_seen (site, bob, sites[i].seen);
    }
}

/* --- what goes wrong --- */

static void
test_a_batch_that_finds_it_locked_leaves_nothing (Site *site, gconstpointer data)
{
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (JmRun) run = made_run ("1", 0, MIDNIGHT, MIDNIGHT + 1);
  g_autoptr (JmSql) other = jm_sql_open (site->uri, JM_SQL_WRITE, NULL, NULL);
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
  jm_run_batch_set_position (batch, "sacct", "17");
  g_assert_true (jm_sql_begin (other, NULL));
  g_assert_false (jm_archive_database_merge (site->store, batch, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  before = jm_archive_database_get_position (site->store, "sacct", NULL);
  g_assert_null (before);
  assert_listed (site, filter, "");
  jm_sql_roll_back (other);

  merge_batch (site, batch);
  after = jm_archive_database_get_position (site->store, "sacct", NULL);
  g_assert_cmpstr (after, ==, "17");
  assert_listed (site, filter, "1");
}

static void
test_a_statement_that_fails_ends_its_transaction (Site *site, gconstpointer data)
{
  g_autoptr (JmSql) sql = jm_sql_open (site->uri, JM_SQL_WRITE, NULL, NULL);
  JmSqlStatement *insert =
    jm_sql_get (sql, "INSERT INTO cluster (id, name) VALUES (?1, ?2)", NULL);
  g_autoptr (GError) error = NULL;
  gboolean done = TRUE;
  gint64 n;

  g_assert_true (jm_sql_begin (sql, NULL));
  for (guint i = 0; i < 600 && done; i++)
    {
      g_autofree char *name = g_strdup_printf ("c%u", i);

      jm_sql_bind_number (insert, 1, i % 300);
      jm_sql_bind_text (insert, 2, name);
      done = jm_sql_do (insert, &error);
    }
  g_assert_false (done && jm_sql_commit (sql, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  jm_sql_roll_back (sql);
  g_assert_true (jm_sql_query_number (sql, "SELECT count (*) FROM cluster", &n, NULL));
  g_assert_cmpint (n, ==, 0);
}

/* A standby of a later version begins while an earlier one writes: the earlier one
 * reads on, and writes nothing any more. */
static void
test_a_writer_stops_once_the_tables_are_of_a_later_version (Site *site,
                                                            gconstpointer data)
{
  g_autoptr (JmSql) later = jm_sql_open (site->uri, JM_SQL_WRITE, NULL, NULL);
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (JmRunRules) rules = jm_run_rules_new (NULL, NULL);
  g_autoptr (GError) error = NULL;
  gboolean is_done;

  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_measured ("1", 10, 20, 1000000, -1));
  g_assert_true (
    jm_sql_run (later,
                "UPDATE store_setting SET number = number + 1 WHERE name = 'version'",
                NULL));
  jm_run_batch_set_position (batch, "sacct", "9");
  g_assert_false (jm_archive_database_merge (site->store, batch, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_false (jm_archive_database_judge (site->store, rules, &is_done, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_cmpint (jm_archive_database_forget (site->store, MIDNIGHT + 9 * DAY, &error),
                   ==, -1);
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  assert_listed (site, filter, "1");
  g_assert_null (jm_archive_database_get_position (site->store, "sacct", NULL));
}

static void
test_a_reader_reads_beside_the_writer (Site *site, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmArchiveDatabase) reader =
    jm_archive_database_open_for_reading (site->uri, NULL, &error);
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  Site beside = { .store = reader };
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();

  g_assert_no_error (error);
  fill (site);
  assert_listed (&beside, filter, "2 1 5 4 3");
  jm_run_batch_set_position (batch, "x", "y");
  g_assert_false (jm_archive_database_merge (reader, batch, &error));
  g_assert_nonnull (error);
}

static void
test_what_is_deleted_stays_in_the_sums (Site *site, gconstpointer data)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmRunBatch) late = jm_run_batch_new ();
  g_autoptr (JmRun) again = made_run_numbered (1, 60);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 4; i++)
    merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_numbered (i, 60));
  g_assert_cmpuint (merge_record (site, made_node_record ("n1", FALSE, 100, 10)), ==,
                    0);
  assert_usage (site, BY_DAY, "/0: 5 250 960 4000104 44");
  g_assert_cmpint (jm_archive_database_forget (site->store, MIDNIGHT + 7000, &error),
                   ==, 3);
  g_assert_no_error (error);
  assert_listed (site, filter, "3 2");
  assert_usage (site, BY_DAY, "/0: 5 250 960 4000104 44");

  jm_run_batch_add_run (late, again, JM_RUN_SOURCE_ACCOUNTING);
  merge_batch (site, late);
  g_assert_cmpuint (late->refused->len, ==, 1);
  assert_usage (site, BY_DAY, "/0: 5 250 960 4000104 44");
  jm_archive_database_vacuum (site->store, &error);
  g_assert_no_error (error);
}

static JmJobRecord *
get_kept_record (Site *site)
{
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (JmRun) run = get_only (site);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) parts =
    jm_archive_database_list_parts (site->store, run, JM_RUN_PART_KIND_RECORD, all,
                                    &error);
  JmJobRecord *record = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (parts->len, <=, 1);
  if (parts->len > 0)
    record = jm_run_part_get_record (parts->pdata[0], &error);
  g_assert_no_error (error);

  return record;
}

/* By a later version, which has more to say of it. */
static char *
write_later_record (void)
{
  g_autoptr (JmJobRecord) record = made_node_record ("n1", FALSE, 100, 10);
  g_autofree char *text = jm_record_json_format_bare (record);

  return g_strconcat ("{\"weather\": 1.50,", text + 1, NULL);
}

static void
test_records_are_kept_as_written_and_for_a_time (Site *site, gconstpointer data)
{
  g_autofree char *written = write_later_record ();
  g_autoptr (GError) error = NULL;
  g_autoptr (JmJobRecord) record =
    jm_record_json_parse (written, strlen (written), "it", &error);
  g_autoptr (JmJobRecord) kept = NULL;
  g_autofree char *found = NULL;

  g_assert_no_error (error);

  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_with (1, 1));
  g_assert_cmpuint (merge_record (site, jm_job_record_ref (record)), ==, 0);
  kept = get_kept_record (site);
  g_assert_nonnull (kept);
  found = jm_record_json_format (kept);
  g_assert_cmpstr (found, ==, written);

  g_assert_true (
    jm_archive_database_forget_records (site->store, MIDNIGHT - 86400, &error));
  g_clear_pointer (&kept, jm_job_record_unref);
  kept = get_kept_record (site);
  g_assert_nonnull (kept);
  g_assert_true (
    jm_archive_database_forget_records (site->store, MIDNIGHT + 86400, &error));
  g_assert_no_error (error);
  g_assert_null (get_kept_record (site));
  assert_usage (site, BY_DAY, "/0: 1 10 40 100 10");
  assert_sound (site);
}

static void
test_a_check_finds_what_was_changed_by_hand (Site *site, gconstpointer data)
{
  g_autoptr (JmSql) sql = jm_sql_open (site->uri, JM_SQL_WRITE, NULL, NULL);
  g_autoptr (GError) error = NULL;

  fill (site);
  assert_sound (site);
  g_assert_true (
    jm_sql_run (sql, "UPDATE usage_daily SET energy_uj = energy_uj + 1", NULL));
  g_assert_false (jm_archive_database_check (site->store, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
}

static void
test_tables_of_a_later_version_are_refused (Site *site, gconstpointer data)
{
  g_autoptr (JmSql) sql = jm_sql_open (site->uri, JM_SQL_WRITE, NULL, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (jm_sql_run (sql,
                             "UPDATE store_setting SET number = 99"
                             " WHERE name = 'version'",
                             NULL));
  g_assert_null (jm_archive_database_open (site->uri, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
}

/* As if the first version had made them: without what later ones have added. */
static char *
make_removal_of_later_columns (void)
{
  static const char *const additions[] = {
#include "core/jm-new-columns.inc"
  };
  g_autoptr (GRegex) regex = g_regex_new ("ADD COLUMN (\\w+)[^;]*", 0, 0, NULL);
  g_autoptr (GString) sql = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (additions); i++)
    if (additions[i] != NULL)
      {
        g_autofree char *removal =
          g_regex_replace (regex, additions[i], -1, 0, "DROP COLUMN \\1", 0, NULL);

        g_string_append (sql, removal);
      }

  return g_string_free (g_steal_pointer (&sql), FALSE);
}

static void
put_back_to_the_first_version (Site *site)
{
  g_autoptr (JmSql) sql = jm_sql_open (site->uri, JM_SQL_WRITE, NULL, NULL);
  g_autofree char *later_columns = make_removal_of_later_columns ();
  g_autofree char *removal =
    g_strconcat ("ALTER TABLE usage_daily DROP COLUMN cpu_runs;"
                 "ALTER TABLE usage_daily DROP COLUMN energy_runs;"
                 "ALTER TABLE usage_daily DROP COLUMN emissions_runs;"
                 "ALTER TABLE run_device DROP COLUMN gpu_busy_us;"
                 "ALTER TABLE run_device DROP COLUMN gpu_observed_us;"
                 "ALTER TABLE run_device DROP COLUMN gpu_memory_peak_bytes;"
                 "ALTER TABLE run_device DROP COLUMN gpu_memory_size_bytes;"
                 "DROP TABLE run_record;"
                 "DROP INDEX run_name;"
                 "DROP INDEX run_judged;"
                 "DROP INDEX run_going;"
                 "DROP INDEX run_partition;"
                 "DROP INDEX run_queued;",
                 later_columns,
                 "DROP INDEX run_key;"
                 "ALTER TABLE run DROP COLUMN scheduler;"
                 "CREATE UNIQUE INDEX run_key ON run (raw_id, cluster_id, moment);"
                 "UPDATE store_setting SET number = 1 WHERE name = 'version'",
                 NULL);
  g_autoptr (GError) error = NULL;

  jm_archive_database_close (site->store);
  g_clear_object (&site->store);
  jm_sql_run (sql, removal, &error);
  g_assert_no_error (error);
}

static void
test_tables_of_the_first_version_are_brought_up_to_date (Site *site, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *known = NULL;
  JmRun *going = made_run_measured ("7", DAY, 0, -1, 5);
  JmRun *nobodys = made_run_measured ("8", 2 * DAY, 2 * DAY, 7, -1);

  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_measured ("1", 10, 20, 1000000, -1));
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_measured ("2", 30, DAY, -1, 0));
  jm_run_keep_number (going, JM_RUN_FIELD_SEEN_TIME, MIDNIGHT + 3 * DAY + 1);
  jm_run_keep_text (nobodys, JM_RUN_FIELD_USER, NULL);
  jm_run_keep_text (nobodys, JM_RUN_FIELD_ACCOUNT, NULL);
  jm_run_keep_text (nobodys, JM_RUN_FIELD_PARTITION, NULL);
  jm_run_keep_number (nobodys, JM_RUN_FIELD_UID, -1);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, going);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, nobodys);
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (JmRunBatch) batch = made_batch_by_chance ();

      merge_batch (site, batch);
    }
  known = describe_known (site);

  put_back_to_the_first_version (site);
  g_assert_null (jm_archive_database_open_for_reading (site->uri, NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_clear_error (&error);
  site->store = jm_archive_database_open (site->uri, &error);
  g_assert_no_error (error);
  assert_known (site, known);
}

/* It had a device by then, of which only its energy was known. */
static void
test_devices_of_the_first_version_get_what_came_later (Site *site, gconstpointer data)
{
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRun) run = NULL;
  g_autoptr (GPtrArray) parts = NULL;

  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run_with (1, 1));
  merge_record (site, made_node_record ("n1", FALSE, 100, 10));
  put_back_to_the_first_version (site);
  site->store = jm_archive_database_open (site->uri, &error);
  g_assert_no_error (error);

  run = get_only (site);
  parts = jm_archive_database_list_parts (site->store, run, JM_RUN_PART_KIND_DEVICE,
                                          all, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (parts->len, ==, 1);
  g_assert_true (
    jm_run_part_peek_figure (parts->pdata[0], JM_QUANTITY_ENERGY).is_known);
  g_assert_false (
    jm_run_part_peek_figure (parts->pdata[0], JM_QUANTITY_GPU_BUSY).is_known);

  merge_record (site, made_node_record ("n1", FALSE, 101, 10));
  assert_use_of_device (site);
}

/* --- files alone --- */

static void
test_a_copy_is_whole (Site *site, gconstpointer data)
{
  g_autofree char *path = g_build_filename (site->directory, "copy.db", NULL);
  g_autoptr (GError) error = NULL;
  Site copy = { 0 };
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();

  fill (site);
  jm_archive_database_back_up (site->store, path, &error);
  g_assert_no_error (error);
  g_assert_false (jm_archive_database_back_up (site->store, path, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_clear_error (&error);
  copy.store = jm_archive_database_open_for_reading (path, NULL, &error);
  g_assert_no_error (error);
  assert_listed (&copy, filter, "2 1 5 4 3");
  assert_sound (&copy);
  g_object_unref (copy.store);
}

/* As systemd has one in place of a unit's StateDirectory. */
static void
test_a_folder_may_be_a_link (Site *site, gconstpointer data)
{
  g_autofree char *link = g_build_filename (site->directory, "link", NULL);
  g_autofree char *folder = g_build_filename (site->directory, "folder", NULL);
  g_autofree char *path = g_build_filename (link, "accounts.db", NULL);
  g_autofree char *copy = g_build_filename (link, "copy.db", NULL);
  g_autoptr (GError) error = NULL;
  JmArchiveDatabase *store;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_cmpint (symlink ("folder", link), ==, 0);
  /* which makes it, and then finds it */
  for (guint i = 0; i < 2; i++)
    {
      store = jm_archive_database_open (path, &error);
      g_assert_no_error (error);
      g_object_unref (store);
    }
  store = jm_archive_database_open_for_reading (path, NULL, &error);
  g_assert_no_error (error);
  jm_archive_database_back_up (store, copy, &error);
  g_assert_no_error (error);
  g_object_unref (store);
  g_assert_true (g_file_test (copy, G_FILE_TEST_IS_REGULAR));
  made_directory_remove (folder);
}

static void
test_a_full_disk_leaves_nothing_half_done (Site *site, gconstpointer data)
{
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GError) error = NULL;
  struct rlimit limit, small;

  jm_run_batch_set_position (batch, "sacct", "1");
  for (guint i = 0; i < 5000; i++)
    {
      g_autoptr (JmRun) run = made_run_numbered (i, 60);

      jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
    }
  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &limit);
  small = limit;
  small.rlim_cur = 500000;
  setrlimit (RLIMIT_FSIZE, &small);
  g_assert_false (jm_archive_database_merge (site->store, batch, &error));
  setrlimit (RLIMIT_FSIZE, &limit);
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_test_message ("%s", error->message);

  assert_listed (site, filter, "");
  assert_sound (site);
  merge_batch (site, batch);
  assert_usage (site, JM_USAGE_GROUPS_NONE,
                "/-1: 5000 300000 1200000 5000005000 12532500");
}

static void
assert_refused (const char *uri, JmError code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (jm_archive_database_open (uri, &error));
  g_assert_error (error, JM_ERROR, (int) code);
  g_assert_null (strstr (error->message, "secret"));
}

static void
test_what_cannot_be_opened_is_distinguished (Site *site, gconstpointer data)
{
  g_autofree char *other = g_build_filename (site->directory, "other.db", NULL);
  g_autofree char *absent = g_build_filename (site->directory, "absent.db", NULL);
  g_autofree char *text = g_build_filename (site->directory, "text", NULL);
  g_autoptr (JmSql) sql = jm_sql_open (other, JM_SQL_WRITE, NULL, NULL);
  g_autofree char *junk = g_strnfill (8192, 'x');
  g_autoptr (GError) error = NULL;

  g_assert_true (jm_sql_run (sql, "CREATE TABLE mine (x INTEGER)", NULL));
  g_assert_true (g_file_set_contents (text, junk, 8192, NULL));
  assert_refused (other, JM_ERROR_INVALID);
  assert_refused (text, JM_ERROR_MALFORMED);
  assert_refused ("sqlite:/nonexistent/a/jobs.db", JM_ERROR_ABSENT);
  assert_refused ("mysql://u:secret@h/d", JM_ERROR_INVALID);
  assert_refused ("sqlite:", JM_ERROR_INVALID);
  g_assert_null (jm_archive_database_open_for_reading (absent, NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

/* --- how complete the runs are --- */

static void
add_recorded (Site *site, const char *id, gint64 end, gint64 n_nodes, guint n_recorded)
{
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (JmRun) run = made_run (id, end - 200, end - 100, end);

  jm_run_keep_number (run, JM_RUN_FIELD_NODES, n_nodes);
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
  for (guint i = 0; i < n_recorded; i++)
    {
      g_autofree char *node = g_strdup_printf ("n%u", i);
      g_autoptr (JmRunPart) part = jm_run_part_new (JM_RUN_PART_KIND_NODE);

      jm_run_part_set_text (part, JM_QUANTITY_NODE, node);
      jm_run_part_set_text (part, JM_QUANTITY_KEY, "boot/1");
      jm_run_part_set_number (part, JM_QUANTITY_END_TIME, end);
      jm_run_batch_add_part (batch, part);
    }
  merge_batch (site, batch);
}

static void
test_runs_are_complete_with_the_records_of_all_nodes (Site *site, gconstpointer data)
{
  static const gint64 wanted[][3] = { { 0, 3, 2 }, { 1, 1, 0 } };
  const gint64 until = MIDNIGHT + 10 * DAY;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) list = NULL;
  g_autoptr (JmRun) alone = made_run ("8", until - 300, until - 200, until - 100);

  add_recorded (site, "1", until, 2, 2);
  add_recorded (site, "2", until - DAY + 1, 2, 1);
  add_recorded (site, "3", until - 1, -1, 1);
  add_recorded (site, "4", until - DAY, 1, 0);
  /* later, earlier, never begun, and not in the accounting */
  add_recorded (site, "5", until + 1, 1, 1);
  add_recorded (site, "6", until - 7 * DAY, 1, 1);
  merge (site, JM_RUN_SOURCE_ACCOUNTING, made_run ("7", until - 300, 0, until - 100));
  merge (site, JM_RUN_SOURCE_LEDGER, g_steal_pointer (&alone));

  list = jm_archive_database_list_completeness (site->store, until, 7, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (list->len, ==, G_N_ELEMENTS (wanted));
  for (guint i = 0; i < list->len; i++)
    {
      const JmRunCompleteness *row = &g_array_index (list, JmRunCompleteness, i);

      g_assert_cmpstr (row->cluster, ==, "alps");
      g_assert_cmpint (row->days_ago, ==, wanted[i][0]);
      g_assert_cmpint (row->n_ended, ==, wanted[i][1]);
      g_assert_cmpint (row->n_complete, ==, wanted[i][2]);
    }
}

typedef void (*SiteFunc) (Site *site, gconstpointer data);

static const struct
{
  const char *name;
  SiteFunc func;
  gboolean of_files; /* and not of a server */
} tests[] = {
#define TEST(name)                                                                     \
 {                                                                                     \
#  name, test_##name, FALSE                                                            \
 }
#define FILE_TEST(name)                                                                \
 {                                                                                     \
#  name, test_##name, TRUE                                                             \
 }
  TEST (a_run_is_read_as_it_was_reported),
  TEST (what_nobody_reported_is_absent),
  TEST (text_of_a_stranger_is_but_text),
  TEST (a_job_that_waits_begins_and_ends_is_one_run),
  TEST (a_job_that_is_requeued_has_two_runs),
  TEST (a_run_goes_by_its_unique_id_and_by_its_begin),
  TEST (a_weak_uuid_is_no_key),
  TEST (what_cannot_be_a_run_is_refused_alone),
  TEST (a_figure_is_that_of_the_best_source),
  TEST (who_it_was_is_the_accounting_s_to_say),
  TEST (a_run_over_midnight_is_split_to_the_last_unit),
  TEST (a_run_that_ends_at_midnight_is_of_one_day),
  TEST (a_suspended_run_takes_what_it_ran),
  TEST (a_late_word_changes_yesterday),
  TEST (the_same_batch_again_changes_nothing),
  TEST (sums_of_a_large_site_are_whole),
  TEST (a_sum_of_what_nobody_measured_is_absent),
  TEST (all_is_read_of_one_moment),
  TEST (the_greatest_are_listed_by_each_figure),
  TEST (a_name_is_found_wherever_it_is),
  FILE_TEST (a_rare_name_is_found_without_all_runs),
  FILE_TEST (names_are_looked_up_for_whom_no_other_index_serves),
  TEST (pages_have_each_run_once),
  TEST (what_is_no_cursor_is_refused),
  TEST (a_filter_wants_what_it_says),
  TEST (a_filter_finds_the_runs_of_a_node),
  TEST (names_are_found_by_a_pattern),
  TEST (a_filter_has_a_name_or_a_pattern),
  TEST (a_run_is_found_by_its_key),
  TEST (a_viewer_sees_what_they_may),
  TEST (a_number_that_came_again_is_nobody_s),
  TEST (a_number_that_came_again_is_of_whom_it_was_at_a_time),
  TEST (members_of_an_account_see_its_runs_where_they_share),
  TEST (a_run_of_nobody_known_is_not_seen),
  TEST (usage_is_of_whom_it_is_asked),
  TEST (figures_of_nodes_are_summed_once_all_are_there),
  TEST (nodes_are_those_of_ledgers_once_one_reports),
  TEST (a_window_has_its_own_part_of_a_run),
  TEST (a_window_goes_by_the_course_that_a_node_recorded),
  TEST (a_node_has_the_mean_of_its_memory),
  TEST (a_record_meets_the_run_of_its_scheduler_and_user),
  TEST (a_run_is_whose_its_scheduler_says),
  TEST (a_job_that_anybody_may_make_hides_no_run),
  TEST (a_name_that_a_record_alone_says_gives_and_takes_no_sight),
  TEST (a_node_whose_clock_is_wrong_by_years_is_heard),
  TEST (what_a_run_made_of_its_devices_is_kept),
  TEST (parts_of_a_run_are_kept),
  TEST (many_steps_come_in_pages),
  TEST (a_step_that_is_reported_twice_is_as_the_last_word),
  TEST (a_record_that_is_reported_twice_at_once_is_as_the_last_word),
  TEST (a_node_that_knows_the_begin_calls_a_run_as_the_archive_does),
  TEST (an_archive_calls_a_run_as_a_node_that_knows_the_begin_does),
  TEST (a_record_without_begin_waits_for_the_accounting),
  TEST (a_record_without_begin_is_of_no_run_that_was_seen_before),
  TEST (days_are_what_runs_add_up_to_whatever_is_reported),
  TEST (a_user_is_shown_what_the_site_says),
  TEST (an_administrator_may_be_one_of_clusters),
  TEST (a_site_hides_what_its_accounting_does_not_have),
  TEST (the_history_of_a_job_is_its_owner_s),
  TEST (a_run_that_the_accounting_lacks_is_hidden),
  TEST (a_batch_that_finds_it_locked_leaves_nothing),
  TEST (a_statement_that_fails_ends_its_transaction),
  TEST (a_writer_stops_once_the_tables_are_of_a_later_version),
  TEST (a_reader_reads_beside_the_writer),
  TEST (what_is_deleted_stays_in_the_sums),
  TEST (records_are_kept_as_written_and_for_a_time),
  TEST (runs_are_complete_with_the_records_of_all_nodes),
  TEST (a_check_finds_what_was_changed_by_hand),
  TEST (tables_of_a_later_version_are_refused),
  TEST (tables_of_the_first_version_are_brought_up_to_date),
  TEST (devices_of_the_first_version_get_what_came_later),
  FILE_TEST (a_copy_is_whole),
  FILE_TEST (a_folder_may_be_a_link),
  FILE_TEST (a_full_disk_leaves_nothing_half_done),
  FILE_TEST (what_cannot_be_opened_is_distinguished),
};

static void
add_tests (const char *kind, MadeServer *server)
{
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strdup_printf ("/job-store/%s/%s", kind, tests[i].name);

      if (server == NULL || !tests[i].of_files)
        g_test_add (path, Site, server, site_set_up, tests[i].func, site_tear_down);
    }
}

static void
test_there_is_no_server (gconstpointer reason)
{
  g_test_skip (reason);
}

int
main (int argc, char *argv[])
{
  const char *reason;
  MadeServer *server;
  int result;

  g_test_init (&argc, &argv, NULL);
  add_tests ("sqlite", NULL);
  server = made_server_start (&reason);
  if (server != NULL)
    add_tests ("postgresql", server);
  else
    g_test_add_data_func ("/job-store/postgresql", reason, test_there_is_no_server);
  result = g_test_run ();
  if (server != NULL)
    made_server_stop (server);

  return result;
}
