/* test-name-pattern.c: patterns of names that people type
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/jm-name-pattern-private.h"

#define N_ROUNDS 2000

static void
assert_name (const char *pattern, const char *name)
{
  g_autofree char *found = jm_name_pattern_to_name (pattern);

  g_assert_cmpstr (found, ==, name);
}

static void
assert_like (const char *pattern, const char *like)
{
  g_autofree char *found = jm_name_pattern_to_like (pattern);

  g_assert_cmpstr (found, ==, like);
}

static void
test_a_name_is_a_pattern_of_itself (void)
{
  assert_name ("align-7", "align-7");
  assert_name ("", "");
  assert_name ("what\\?", "what?");
  assert_name ("a\\*b\\\\", "a*b\\");
  assert_name ("C:\\temp\\", "C:\\temp\\");
}

static void
test_stars_and_question_marks_are_of_several_names (void)
{
  assert_name ("align-*", NULL);
  assert_name ("align-?", NULL);
  assert_name ("a\\**", NULL);
}

static void
test_a_database_gets_the_same_pattern (void)
{
  assert_like ("align-*", "align-%");
  assert_like ("a??*", "a__%");
  assert_like ("100%_a!*", "100!%!_a!!%");
  assert_like ("what\\?*", "what?%");
  assert_like ("\\\\*", "\\%");
  assert_like ("\\a\\", "\\a\\");
}

/* Of any text. */
static void
test_a_name_comes_back_from_its_pattern (void)
{
  static const char letters[] = "a*?\\%_!";

  for (guint i = 0; i < N_ROUNDS; i++)
    {
      char name[8] = { 0 };
      g_autofree char *pattern = NULL;

      for (int k = g_test_rand_int_range (0, sizeof name); k > 0; k--)
        name[k - 1] = letters[g_test_rand_int_range (0, sizeof letters - 1)];
      pattern = jm_name_pattern_from_name (name);
      assert_name (pattern, name);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/base/name-pattern/a-name-is-a-pattern-of-itself",
                   test_a_name_is_a_pattern_of_itself);
  g_test_add_func ("/base/name-pattern/stars-and-question-marks-are-of-several-names",
                   test_stars_and_question_marks_are_of_several_names);
  g_test_add_func ("/base/name-pattern/a-database-gets-the-same-pattern",
                   test_a_database_gets_the_same_pattern);
  g_test_add_func ("/base/name-pattern/a-name-comes-back-from-its-pattern",
                   test_a_name_comes_back_from_its_pattern);

  return g_test_run ();
}
