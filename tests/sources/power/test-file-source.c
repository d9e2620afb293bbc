/* test-file-source.c: power and energy, from a file that the site writes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/power/jm-power-types-private.h"

#include <string.h>
#include <sys/stat.h>
#include <utime.h>

#include "answers.h"
#include "base/jm-error.h"
#include "sources/power/jm-energy-trace-private.h"
#include "tree.h"

#define SHORT_S 0.05

static JmFileSource *
open_source (Tree *tree, double interval_s, double max_age_s)
{
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  JmFileSource *source =
    g_initable_new (JM_TYPE_FILE_SOURCE, NULL, &error, "host", host, "path",
                    "/run/watts", "interval", interval_s, "max-age", max_age_s, NULL);

  g_assert_no_error (error);
  g_assert_true (answers_wait (source));

  return source;
}

static void
test_a_file_is_reported (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmReadings) readings = answers_new ();
  g_autoptr (JmFileSource) source = NULL;
  g_autoptr (GError) error = NULL;

  tree_write (tree, "run/watts", "node 312.5 W\n");
  source = open_source (tree, 60, 60);
  g_assert_true (answers_read (readings, source, &error));
  g_assert_no_error (error);
  assert_power (readings, "node", 312500000);
  g_assert_cmpuint (jm_readings_get_age (readings), <, (guint64) ANSWERS_PATIENCE_US);
}

static void
test_a_counter_in_a_file_is_followed (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmFileSource) source = NULL;
  JmEnergyTrace trace;

  tree_write (tree, "run/watts", "node 312.5 J\n");
  source = open_source (tree, 60, 60);
  g_assert_true (jm_power_source_trace (JM_POWER_SOURCE (source), "node", &trace));
  g_assert_cmpuint (trace.first_uj, ==, 312500000);
  g_assert_false (jm_power_source_trace (JM_POWER_SOURCE (source), "dram", &trace));
}

static void
make_old (Tree *tree, const char *path, time_t seconds)
{
  g_autofree char *real = tree_path (tree, path);
  time_t then = (time_t) (g_get_real_time () / G_USEC_PER_SEC) - seconds;
  const struct utimbuf times = { then, then };

  g_assert_cmpint (utime (real, &times), ==, 0);
}

static void
test_a_file_that_nobody_writes_any_more_is_no_answer (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmReadings) readings = answers_new ();
  g_autoptr (JmFileSource) source = NULL;
  g_autoptr (GError) error = NULL;

  tree_write (tree, "run/watts", "node 312.5 W\n");
  make_old (tree, "run/watts", 1000);
  source = open_source (tree, 60, 60);
  g_assert_false (answers_read (readings, source, &error));
  assert_says (error, JM_ERROR_UNAVAILABLE, "/run/watts: last written 100");
}

static void
test_a_file_may_be_as_old_as_it_likes_if_nothing_else_is_said (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmReadings) readings = answers_new ();
  g_autoptr (JmFileSource) source = NULL;

  tree_write (tree, "run/watts", "node 312.5 W\n");
  make_old (tree, "run/watts", 100000000);
  source = open_source (tree, 60, 0);
  g_assert_true (answers_read (readings, source, NULL));
  assert_power (readings, "node", 312500000);
}

static void
await_power (JmFileSource *source, JmReadings *readings, guint64 power_uw)
{
  gint64 end_us = g_get_monotonic_time () + ANSWERS_PATIENCE_US;

  while (!answers_read (readings, source, NULL) ||
         answers_get (readings, JM_METRIC_NODE_POWER, "node") != power_uw)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_usleep (1000);
    }
}

static void
test_a_file_may_come_and_change_later (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmReadings) readings = answers_new ();
  g_autoptr (JmFileSource) source = open_source (tree, SHORT_S, 0);
  g_autoptr (GError) error = NULL;

  g_assert_false (answers_read (readings, source, &error));
  assert_says (error, JM_ERROR_ABSENT, "/run/watts: No such file");

  tree_write (tree, "run/watts", "node 312 W\n");
  await_power (source, readings, 312000000);
  tree_write (tree, "run/watts", "node 200 W\n");
  await_power (source, readings, 200000000);
}

/* What it said last is not what the node takes now. */
static void
test_a_file_that_went_away_is_no_answer_any_more (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmReadings) readings = answers_new ();
  g_autoptr (JmFileSource) source = NULL;
  g_autoptr (GError) error = NULL;
  gint64 end_us = g_get_monotonic_time () + ANSWERS_PATIENCE_US;

  tree_write (tree, "run/watts", "node 312 W\n");
  source = open_source (tree, 30, 0);
  g_assert_true (answers_read (readings, source, NULL));
  g_clear_object (&source);

  source = open_source (tree, SHORT_S, 0);
  await_power (source, readings, 312000000);
  tree_remove (tree, "run/watts");
  while (answers_read (readings, source, &error))
    g_assert_cmpint (g_get_monotonic_time (), <, end_us);
  assert_says (error, JM_ERROR_ABSENT, "/run/watts: No such file");
}

static void
assert_unreadable (Tree *tree, JmError code, const char *words)
{
  g_autoptr (JmReadings) readings = answers_new ();
  g_autoptr (JmFileSource) source = open_source (tree, 60, 0);
  g_autoptr (GError) error = NULL;

  g_assert_false (answers_read (readings, source, &error));
  assert_says (error, code, words);
  g_assert_nonnull (strstr (error->message, "/run/watts: "));
}

static void
test_what_is_not_a_meter_s_file_is_refused (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *huge = g_strnfill (70000, '\n');
  g_autofree char *path = tree_path (tree, "run/watts");

  tree_write (tree, "run/watts", "");
  assert_unreadable (tree, JM_ERROR_MALFORMED, "no figure in it");
  tree_write (tree, "run/watts", huge);
  assert_unreadable (tree, JM_ERROR_MALFORMED, "longer than expected");
  tree_remove (tree, "run/watts");
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  assert_unreadable (tree, JM_ERROR_UNAVAILABLE, "");
  tree_remove (tree, "run/watts");
  tree_make_dir (tree, "run/watts");
  assert_unreadable (tree, JM_ERROR_UNAVAILABLE, "directory");
}

static void
assert_invalid (const char *path, const char *words)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmFileSource) source = g_initable_new (JM_TYPE_FILE_SOURCE, NULL, &error,
                                                    "host", host, "path", path, NULL);

  g_assert_null (source);
  assert_says (error, JM_ERROR_INVALID, words);
}

static void
test_a_path_is_needed_and_absolute (void)
{
  assert_invalid (NULL, "path: an absolute one is needed: none is given");
  assert_invalid ("run/watts", "path: an absolute one is needed: run/watts");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/file-source/a-file-is-reported", test_a_file_is_reported);
  g_test_add_func ("/file-source/a-counter-in-a-file-is-followed",
                   test_a_counter_in_a_file_is_followed);
  g_test_add_func ("/file-source/a-file-that-nobody-writes-any-more-is-no-answer",
                   test_a_file_that_nobody_writes_any_more_is_no_answer);
  g_test_add_func ("/file-source/"
                   "a-file-may-be-as-old-as-it-likes-if-nothing-else-is-said",
                   test_a_file_may_be_as_old_as_it_likes_if_nothing_else_is_said);
  g_test_add_func ("/file-source/a-file-may-come-and-change-later",
                   test_a_file_may_come_and_change_later);
  g_test_add_func ("/file-source/a-file-that-went-away-is-no-answer-any-more",
                   test_a_file_that_went_away_is_no_answer_any_more);
  g_test_add_func ("/file-source/what-is-not-a-meter-s-file-is-refused",
                   test_what_is_not_a_meter_s_file_is_refused);
  g_test_add_func ("/file-source/a-path-is-needed-and-absolute",
                   test_a_path_is_needed_and_absolute);

  return g_test_run ();
}
