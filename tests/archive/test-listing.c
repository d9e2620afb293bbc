/* test-listing.c: tests of what there is to choose from
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "archive/jm-archive-database-private.h"
#include "base/jm-error.h"
#include "core/jm-run-field-private.h"
#include "made-runs.h"
#include "made-site.h"

/* Run @number of the day, of somebody, for half an hour. */
static void
add (JmRunBatch *batch, guint number, gint64 day, const char *user, guint uid)
{
  g_autofree char *id = g_strdup_printf ("%u", number);
  gint64 start = MIDNIGHT + day * DAY + number;
  g_autoptr (JmRun) run = made_run (id, start - 60, start, start + 1800);

  jm_run_keep_text (run, JM_RUN_FIELD_USER, user);
  jm_run_keep_number (run, JM_RUN_FIELD_UID, uid);
  jm_run_keep_text (run, JM_RUN_FIELD_ACCOUNT, number % 2 == 0 ? "physics" : "biology");
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
}

/* Two runs of ada, three of bob and one of Åsa, over ten days. */
static void
fill (MadeSite *site)
{
  JmRunBatch *batch = jm_run_batch_new ();

  add (batch, 1, 0, "ada", 1000);
  add (batch, 2, 9, "ada", 1000);
  add (batch, 3, 1, "bob", 1001);
  add (batch, 4, 2, "bob", 1001);
  add (batch, 5, 3, "bob", 1001);
  add (batch, 6, 4, "Åsa\n\"x\"", 1002);
  made_site_merge (site, batch);
}

/* `NAME:RUNS:FIRST:LAST`, days since the first, between blanks. */
static char *
tell (MadeSite *site,
      JmUsageGroups kind,
      JmRunFilter *filter,
      const char *after,
      JmViewer *viewer,
      gboolean *has_more)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) list =
    jm_archive_database_list_names (site->store, kind, filter, after, viewer, has_more,
                                    &error);
  GString *text = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < list->len; i++)
    {
      JmListing *one = list->pdata[i];

      g_string_append_printf (text, "%s%s:%d:%d:%d", i > 0 ? " " : "",
                              jm_listing_get_name (one),
                              (int) jm_listing_get_n_runs (one),
                              (int) ((jm_listing_get_first_day (one) - MIDNIGHT) / DAY),
                              (int) ((jm_listing_get_last_day (one) - MIDNIGHT) / DAY));
    }

  return g_string_free (text, FALSE);
}

static void
assert_told (MadeSite *site,
             JmUsageGroups kind,
             JmRunFilter *filter,
             JmViewer *viewer,
             const char *wanted)
{
  gboolean has_more;
  g_autofree char *found = tell (site, kind, filter, NULL, viewer, &has_more);

  g_assert_cmpstr (found, ==, wanted);
  g_assert_false (has_more);
}

static void
test_each_kind_has_its_names_and_days (MadeSite *site, gconstpointer data)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();

  assert_told (site, JM_USAGE_GROUPS_CLUSTER, filter, all, "");
  fill (site);
  assert_told (site, JM_USAGE_GROUPS_CLUSTER, filter, all, "alps:6:0:9");
  assert_told (site, JM_USAGE_GROUPS_PARTITION, filter, all, "batch:6:0:9");
  assert_told (site, JM_USAGE_GROUPS_ACCOUNT, filter, all,
               "biology:3:0:3 physics:3:2:9");
}

static void
test_names_are_chosen (MadeSite *site, gconstpointer data)
{
  const char *const users[] = { "ada", "bob", NULL };
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();

  fill (site);
  jm_run_filter_set_users (filter, users);
  assert_told (site, JM_USAGE_GROUPS_USER, filter, all, "ada:2:0:9 bob:3:1:3");
  jm_run_filter_set_period (filter, MIDNIGHT + DAY, MIDNIGHT + 3 * DAY);
  assert_told (site, JM_USAGE_GROUPS_USER, filter, all, "bob:2:1:2");
  jm_run_filter_set_cluster (filter, "jura");
  assert_told (site, JM_USAGE_GROUPS_USER, filter, all, "");
}

/* Whatever order the database has for names. */
static void
test_names_come_page_by_page (MadeSite *site, gconstpointer data)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (GHashTable) seen =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *after = NULL;
  gboolean has_more = TRUE;

  fill (site);
  jm_run_filter_set_limit (filter, 1);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *found = NULL;
      char *end;

      g_assert_true (has_more);
      found = tell (site, JM_USAGE_GROUPS_USER, filter, after, all, &has_more);
      end = strchr (found, ':');
      g_assert_nonnull (end);
      g_free (after);
      after = g_strndup (found, (gsize) (end - found));
      g_assert_true (g_hash_table_add (seen, g_strdup (after)));
    }
  g_assert_false (has_more);
}

static void
test_a_viewer_sees_what_they_may (MadeSite *site, gconstpointer data)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) nobody = jm_viewer_new ();
  g_autoptr (JmViewer) bob = jm_viewer_new ();
  g_autoptr (JmViewer) coordinator = jm_viewer_new ();

  fill (site);
  jm_viewer_let_own (bob, "alps", 1001);
  jm_viewer_let_account (coordinator, "alps", "biology");
  assert_told (site, JM_USAGE_GROUPS_USER, filter, nobody, "");
  assert_told (site, JM_USAGE_GROUPS_CLUSTER, filter, nobody, "");
  assert_told (site, JM_USAGE_GROUPS_USER, filter, bob, "bob:3:1:3");
  assert_told (site, JM_USAGE_GROUPS_CLUSTER, filter, bob, "alps:3:1:3");
  assert_told (site, JM_USAGE_GROUPS_ACCOUNT, filter, bob,
               "biology:2:1:3 physics:1:2:2");
  assert_told (site, JM_USAGE_GROUPS_USER, filter, coordinator, "ada:1:0:0 bob:2:1:3");
}

static void
test_what_is_closed_reports_nothing (MadeSite *site, gconstpointer data)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (GError) error = NULL;
  gboolean has_more;

  jm_archive_database_close (site->store);
  g_assert_null (jm_archive_database_list_names (site->store, JM_USAGE_GROUPS_USER,
                                                 filter, NULL, all, &has_more, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
}

#define TEST(name)                                                                     \
 {                                                                                     \
#  name, test_##name                                                                   \
 }

static const MadeSiteTest tests[] = {
  TEST (each_kind_has_its_names_and_days), TEST (names_are_chosen),
  TEST (names_come_page_by_page),          TEST (a_viewer_sees_what_they_may),
  TEST (what_is_closed_reports_nothing),   { NULL },
};

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  return made_site_run ("listing", tests);
}
