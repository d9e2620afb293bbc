/* test-path-pattern.c: what the paths of jobs look like
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-error.h"
#include "sources/jobs/jm-path-pattern-private.h"

#define ALL G_MAXUINT

static gboolean
matches (const char *pattern_text, const char *path, JmPathMatch *match)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmPathPattern) pattern = jm_path_pattern_new (pattern_text, ALL, &error);

  g_assert_no_error (error);
  *match = (JmPathMatch){ 0 };

  return jm_path_pattern_match (pattern, (JmSlice){ path, strlen (path) }, match);
}

static void
assert_matches (const char *pattern, const char *path)
{
  JmPathMatch match;

  if (!matches (pattern, path, &match))
    g_error ("%s does not match %s", pattern, path);
}

static void
assert_differs (const char *pattern, const char *path)
{
  JmPathMatch match;

  if (matches (pattern, path, &match))
    g_error ("%s matches %s", pattern, path);
}

static void
test_tells_what_stands_in_place_of_a_placeholder (void)
{
  JmPathMatch match;

  g_assert_true (matches ("**/%n_slurmstepd.scope/job_%j",
                          "a.slice/n_1_slurmstepd.scope/job_42", &match));
  g_assert_true (jm_slice_equal (match.fields[JM_PATH_FIELD_NODE], "n_1"));
  g_assert_true (jm_slice_equal (match.fields[JM_PATH_FIELD_JOB], "42"));
  g_assert_false (jm_path_match_has (&match, JM_PATH_FIELD_UID));
}

static void
test_compares_whole_paths (void)
{
  assert_matches ("/slurm/uid_%u", "slurm/uid_1000");
  assert_differs ("/slurm/uid_%u", "a/slurm/uid_1000");
  assert_differs ("/slurm/uid_%u", "slurm/uid_1000/x");
  assert_differs ("/slurm/uid_%u", "slurm");
  assert_differs ("/slurm/uid_%u", "");
  assert_matches ("/a/*/c", "a/anything/c");
  assert_differs ("/a/*/c", "a/c");
  assert_differs ("/a/*/c", "a//c");
}

static void
test_two_stars_stand_for_any_number_of_directories (void)
{
  assert_matches ("**/scope/job_%j", "scope/job_1");
  assert_matches ("**/scope/job_%j", "a/scope/job_1");
  assert_matches ("**/scope/job_%j", "a/b/c/d/scope/job_1");
  assert_differs ("**/scope/job_%j", "myscope/job_1");
}

static void
test_two_stars_may_say_how_the_directories_end (void)
{
  assert_matches ("**.slice/scope/job_%j", "scope/job_1");
  assert_matches ("**.slice/scope/job_%j", "a.slice/a-b.slice/scope/job_1");
  assert_differs ("**.slice/scope/job_%j", "a/scope/job_1");
  assert_differs ("**.slice/scope/job_%j", "a.slice/b/scope/job_1");
  assert_differs ("**.slice/scope/job_%j", "b/a.slice/scope/job_1");
}

static void
test_a_job_id_is_a_number (void)
{
  assert_matches ("/job_%j", "job_18446744073709551615");
  assert_differs ("/job_%j", "job_18446744073709551616");
  assert_differs ("/job_%j", "job_99999999999999999999");
  assert_differs ("/job_%j", "job_");
  assert_differs ("/job_%j", "job_x7");
  assert_differs ("/job_%j", "job_-3");
  assert_differs ("/job_%j", "job_7 8");
  assert_differs ("/job_%j", "job_07");
}

static void
test_a_sluid_has_an_s_and_thirteen_digits (void)
{
  assert_matches ("/%S", "sEKNKTV3WPV500");
  assert_differs ("/%S", "sEKNKTV3WPV50");
  assert_differs ("/%S", "sEKNKTV3WPV5000");
  assert_differs ("/%S", "sEKNKTV3WPV50U");
  assert_differs ("/%S", "sEKNKTV3WPV50l");
  assert_differs ("/%S", "SEKNKTV3WPV500");
}

static void
test_minus_one_is_no_user (void)
{
  assert_matches ("/uid_%u", "uid_4294967294");
  assert_differs ("/uid_%u", "uid_4294967295");
}

static void
test_costs_no_more_than_the_length_of_a_path (void)
{
  g_autoptr (GString) path = g_string_new ("scope");
  JmPathMatch match;

  for (guint i = 0; i < 100000; i++)
    g_string_append (path, "/scope");

  g_assert_false (matches ("**/scope/scope/scope/scope/job_%j", path->str, &match));
  g_assert_true (matches ("**/scope/scope/scope/scope", path->str, &match));
}

static void
test_says_what_is_wrong_with_a_pattern (void)
{
  static const struct
  {
    const char *text;
    const char *message;
  } cases[] = {
    { "", "nothing between slashes: /" },
    { "/", "nothing between slashes: /" },
    { "/a//b", "nothing between slashes: //" },
    { "/a/", "nothing between slashes: //" },
    { "/a/**/b", "two stars stand first or not at all: **" },
    { "**%j/a", "a star with other characters: **%j" },
    { "**.slice", "a star with other characters: **.slice" },
    { "/a*", "a star with other characters: a*" },
    { "/%x", "unknown placeholder: %x" },
    { "/a%", "unknown placeholder: %" },
    { "/%j%s", "two placeholders between slashes: %j%s" },
    { "/%j/%j", "placeholder used twice: %j" },
    { "/%u", "placeholder without a meaning here: %u" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      guint allowed = JM_PATH_BIT (JOB) | JM_PATH_BIT (STEP);

      g_assert_null (jm_path_pattern_new (cases[i].text, allowed, &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/path-pattern/placeholders",
                   test_tells_what_stands_in_place_of_a_placeholder);
  g_test_add_func ("/path-pattern/whole-paths", test_compares_whole_paths);
  g_test_add_func ("/path-pattern/two-stars",
                   test_two_stars_stand_for_any_number_of_directories);
  g_test_add_func ("/path-pattern/two-stars-and-end",
                   test_two_stars_may_say_how_the_directories_end);
  g_test_add_func ("/path-pattern/job-id", test_a_job_id_is_a_number);
  g_test_add_func ("/path-pattern/sluid", test_a_sluid_has_an_s_and_thirteen_digits);
  g_test_add_func ("/path-pattern/uid", test_minus_one_is_no_user);
  g_test_add_func ("/path-pattern/cost", test_costs_no_more_than_the_length_of_a_path);
  g_test_add_func ("/path-pattern/errors", test_says_what_is_wrong_with_a_pattern);

  return g_test_run ();
}
