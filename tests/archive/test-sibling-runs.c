/* test-sibling-runs.c: the runs that a suggestion rests on, and how few others are read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdlib.h>
#include <string.h>

#include "access/jm-viewer-private.h"
#include "judge/jm-run-suggestion-private.h"
#include "made-runs.h"
#include "made-site.h"

#define N_OTHERS 4000
#define N_OWN 12
/* The least that a run has in its table. */
#define ROW_BYTES 250

static void
add (JmRunBatch *batch, JmRun *run, const char *name, const char *user, gint64 uid)
{
  jm_run_keep_text (run, JM_RUN_FIELD_NAME, name);
  jm_run_keep_text (run, JM_RUN_FIELD_USER, user);
  jm_run_keep_number (run, JM_RUN_FIELD_UID, uid);
  jm_run_keep_text (run, JM_RUN_FIELD_TRES, "billing=8,cpu=8,mem=32G,node=2");
  jm_run_keep_text (run, JM_RUN_FIELD_WORK_DIR,
                    "/scratch/projects/climate/ensemble/seven");
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
  jm_run_unref (run);
}

/* @n runs of an hour, one each minute until an hour ago. */
static void
add_runs (MadeSite *site, const char *name, const char *user, guint uid, guint n)
{
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  JmRunBatch *batch = jm_run_batch_new ();

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *id = g_strdup_printf ("%s-%u-%u", name, uid, i);
      const gint64 start = now - 7200 - 60 * (gint64) i;

      add (batch, made_run (id, start - 400, start, start + 3600), name, user, uid);
    }
  made_site_merge (site, batch);
}

static JmViewer *
make_viewer (guint uid)
{
  JmViewer *viewer = jm_viewer_new ();

  jm_viewer_let_own (viewer, "alps", uid);

  return viewer;
}

static JmRunSuggestion *
suggest (MadeSite *site, const char *name, const char *user, JmViewer *viewer)
{
  const char *const users[] = { user, NULL };
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *next = NULL;

  jm_run_filter_set_users (filter, users);
  jm_run_filter_set_name (filter, name);
  jm_run_filter_set_limit (filter, JM_RUN_SUGGESTION_MAX_RUNS);
  runs = jm_archive_database_list_runs (site->store, filter, viewer, &next, &error);
  g_assert_no_error (error);

  return jm_run_suggestion_new (runs, JM_RUN_SUGGESTION_CONFIDENCE);
}

/* What this process has read of files, in bytes; 0 where a server does. */
static guint64
get_bytes_read (MadeSite *site)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  if (site->directory == NULL)
    return 0;

  g_file_get_contents ("/proc/self/io", &text, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (text, "rchar: "));

  return g_ascii_strtoull (text + strlen ("rchar: "), NULL, 10);
}

/* Nothing of it is in memory then. */
static void
open_anew (MadeSite *site)
{
  g_autoptr (GError) error = NULL;

  jm_archive_database_close (site->store);
  g_object_unref (site->store);
  site->store = jm_archive_database_open (site->uri, &error);
  g_assert_no_error (error);
}

/* Nobody knows what a server reads. */
static void
assert_bytes_read (MadeSite *site, guint64 begin, guint64 most)
{
  const guint64 n_bytes = get_bytes_read (site) - begin;

  g_test_message ("%" G_GUINT64_FORMAT " bytes were read", n_bytes);
  if (site->directory != NULL)
    g_assert_cmpuint (n_bytes, <, most);
}

static void
test_runs_that_began_earlier_are_left_out (MadeSite *site, gconstpointer data)
{
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *next = NULL;
  JmRunBatch *batch = jm_run_batch_new ();

  add (batch, made_run ("1", MIDNIGHT - 9, MIDNIGHT - 1, 0), "a", "ada", 1);
  add (batch, made_run ("2", MIDNIGHT - 9, MIDNIGHT, 0), "a", "ada", 1);
  add (batch, made_run ("3", MIDNIGHT - 9, MIDNIGHT + 1, MIDNIGHT + 2), "a", "ada", 1);
  add (batch, made_run ("4", MIDNIGHT + 9, 0, 0), "a", "ada", 1);
  made_site_merge (site, batch);

  jm_run_filter_set_started_since (filter, MIDNIGHT);
  jm_run_filter_set_sort (filter, "start", NULL);
  runs = jm_archive_database_list_runs (site->store, filter, all, &next, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (runs->len, ==, 2);
  g_assert_cmpstr (jm_run_get_raw_id (runs->pdata[0]), ==, "2");
  g_assert_cmpstr (jm_run_get_raw_id (runs->pdata[1]), ==, "3");
}

static void
test_a_wait_is_found_among_one_s_own_runs (MadeSite *site, gconstpointer data)
{
  g_autoptr (JmViewer) viewer = make_viewer (1000);
  g_autoptr (JmRunSuggestion) suggestion = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *wait = NULL;
  guint64 begin;

  add_runs (site, "train.sh", "bob", 1001, N_OTHERS);
  add_runs (site, "train.sh", "ada", 1000, N_OWN);
  suggestion = suggest (site, "train.sh", "ada", viewer);
  open_anew (site);

  begin = get_bytes_read (site);
  jm_archive_database_add_waits (site->store, suggestion, viewer, &error);
  g_assert_no_error (error);
  assert_bytes_read (site, begin, N_OTHERS * ROW_BYTES);
  wait = jm_run_suggestion_describe_wait (suggestion);
  g_assert_nonnull (strstr (wait, "of the last 12 similar runs"));
  g_assert_nonnull (strstr (wait, "half began within 6m40s"));
}

static void
test_a_rare_job_is_found_among_one_s_own_runs (MadeSite *site, gconstpointer data)
{
  g_autoptr (JmViewer) viewer = make_viewer (1000);
  g_autoptr (JmRunSuggestion) suggestion = NULL;
  guint64 begin;

  add_runs (site, "often.sh", "ada", 1000, N_OTHERS);
  add_runs (site, "rare.sh", "ada", 1000, N_OWN);
  open_anew (site);

  begin = get_bytes_read (site);
  suggestion = suggest (site, "rare.sh", "ada", viewer);
  assert_bytes_read (site, begin, N_OTHERS * ROW_BYTES / 4);
  g_assert_cmpuint (jm_run_suggestion_get_n_runs (suggestion), ==, N_OWN);
}

static void
test_runs_before_a_period_are_not_read (MadeSite *site, gconstpointer data)
{
  static const char *const users[] = { "ada", NULL };
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *next = NULL;
  guint64 begin;

  add_runs (site, "train.sh", "ada", 1000, N_OTHERS);
  open_anew (site);
  jm_run_filter_set_users (filter, users);
  /* the last ended an hour ago, and the others a minute before the next one each */
  jm_run_filter_set_period (filter, g_get_real_time () / G_USEC_PER_SEC - 3600 - 630,
                            0);

  begin = get_bytes_read (site);
  runs = jm_archive_database_list_runs (site->store, filter, all, &next, &error);
  g_assert_no_error (error);
  assert_bytes_read (site, begin, N_OTHERS * ROW_BYTES / 4);
  g_assert_cmpuint (runs->len, >, 8);
  g_assert_cmpuint (runs->len, <, 12);
}

static void
test_runs_that_go_on_are_found_among_those_that_ended (MadeSite *site,
                                                       gconstpointer data)
{
  static const char *const states[] = { "RUNNING", "PENDING", NULL };
  static const char *const more_states[] = { "RUNNING", "FAILED", NULL };
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GPtrArray) more = NULL;
  g_autoptr (GError) error = NULL;
  JmRunBatch *batch = jm_run_batch_new ();
  char *next = NULL;
  guint64 begin;

  add_runs (site, "train.sh", "ada", 1000, N_OTHERS);
  for (guint i = 0; i < N_OWN; i++)
    {
      g_autofree char *id = g_strdup_printf ("on-%u", i);
      JmRun *run = made_run (id, MIDNIGHT - 9, MIDNIGHT, 0);

      jm_run_keep_text (run, JM_RUN_FIELD_STATE, "RUNNING");
      add (batch, run, "train.sh", "ada", 1000);
    }
  made_site_merge (site, batch);
  open_anew (site);

  jm_run_filter_set_states (filter, states);
  begin = get_bytes_read (site);
  runs = jm_archive_database_list_runs (site->store, filter, all, &next, &error);
  g_assert_no_error (error);
  assert_bytes_read (site, begin, N_OTHERS * ROW_BYTES / 4);
  g_assert_cmpuint (runs->len, ==, N_OWN);
  g_clear_pointer (&next, g_free);

  jm_run_filter_set_states (filter, more_states);
  more = jm_archive_database_list_runs (site->store, filter, all, &next, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (more->len, ==, N_OWN);
  g_free (next);
}

int
main (int argc, char **argv)
{
#define TEST(name)                                                                     \
 {                                                                                     \
#  name, test_##name                                                                   \
 }
  static const MadeSiteTest tests[] = {
    TEST (runs_that_began_earlier_are_left_out),
    TEST (a_wait_is_found_among_one_s_own_runs),
    TEST (a_rare_job_is_found_among_one_s_own_runs),
    TEST (runs_before_a_period_are_not_read),
    TEST (runs_that_go_on_are_found_among_those_that_ended),
    { NULL },
  };

  g_test_init (&argc, &argv, NULL);

  return made_site_run ("sibling-runs", tests);
}
