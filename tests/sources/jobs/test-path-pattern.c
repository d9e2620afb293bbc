/* test-path-pattern.c: what the paths of jobs look like
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/jm-error.h"
#include "sources/jobs/jm-path-pattern-private.h"

#define ALL G_MAXUINT

static gboolean
matches (const char *pattern_text, const char *path, JmPathMatch *match)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmPathPattern) pattern = jm_path_pattern_new (pattern_text, ALL, &error);

  g_assert_no_error (error);
  jm_path_match_clear (match);

  return jm_path_pattern_match (pattern, (JmSlice){ path, strlen (path) }, match);
}

static void
assert_matches (const char *pattern, const char *path)
{
  g_auto (JmPathMatch) match = { 0 };

  if (!matches (pattern, path, &match))
    g_error ("%s does not match %s", pattern, path);
}

static void
assert_differs (const char *pattern, const char *path)
{
  g_auto (JmPathMatch) match = { 0 };

  if (matches (pattern, path, &match))
    g_error ("%s matches %s", pattern, path);
}

static void
test_reports_what_stands_in_place_of_a_placeholder (void)
{
  g_auto (JmPathMatch) match = { 0 };

  g_assert_true (matches ("**/%n_slurmstepd.scope/job_%j",
                          "a.slice/n_1_slurmstepd.scope/job_42", &match));
  g_assert_cmpstr (match.fields[JM_PATH_FIELD_NODE], ==, "n_1");
  g_assert_cmpstr (match.fields[JM_PATH_FIELD_JOB], ==, "42");
  g_assert_cmpstr (match.root, ==, "a.slice");
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
  assert_matches ("/job_%b", "job_1");
  assert_matches ("/job_%b", "job_4294967280");
  assert_differs ("/job_%b", "job_0");
  assert_differs ("/job_%b", "job_4294967294");
  assert_differs ("/job_%b", "job_99999999999");
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
assert_tells (const char *pattern,
              const char *path,
              JmPathField field,
              const char *text)
{
  g_auto (JmPathMatch) match = { 0 };

  g_assert_true (matches (pattern, path, &match));
  g_assert_cmpstr (match.fields[field], ==, text);
}

static void
test_several_in_one_name_end_where_their_characters_do (void)
{
  assert_tells ("/oar/%U_%j", "oar/two_words_7", JM_PATH_FIELD_USER, "two_words");
  assert_tells ("/oar/%U_%j", "oar/two_words_7", JM_PATH_FIELD_JOB, "7");
  assert_differs ("/oar/%U_%j", "oar/alice_7x");
  assert_differs ("/oar/%U_%j", "oar/_");
  assert_differs ("/oar/%U_%j", "oar/7_7");

  assert_tells ("/lsf/%c/job.%J.%i.%i", "lsf/west/job.1234[5].77.1700000000",
                JM_PATH_FIELD_JOB, "1234[5]");
  assert_tells ("/lsf/%c/job.%J.%i.%i", "lsf/west/job.1234.77.1700000000",
                JM_PATH_FIELD_CLUSTER, "west");
  assert_differs ("/lsf/%c/job.%J.%i.%i", "lsf/west/job.1234.1700000000");

  assert_tells ("/condor_%x_slot%d@%x", "condor_var_lib_execute_slot1_2@node.site",
                JM_PATH_FIELD_KEY, "1_2");
  assert_tells ("/%j[%i].%x", "12[3].server.site", JM_PATH_FIELD_INDEX, "3");
  assert_differs ("/%j[%i].%x", "12[].server.site");
}

static void
test_a_word_is_no_way_out_of_a_directory (void)
{
  assert_matches ("/%J", "1234[5].server+a");
  assert_differs ("/%J", "..");
  assert_differs ("/%J", ".hidden");
  assert_differs ("/%J", "-rf");
  assert_differs ("/%J", "a b");
  assert_differs ("/%J", "a\nb");
  assert_differs ("/%k", "@a");
  assert_differs ("/%U", "7up");
  assert_differs ("/%U", "a$b");
  assert_matches ("/%U", "_machine$");
}

static void
test_a_pod_has_a_uuid (void)
{
#define UUID "0f3a9d2e-11aa-4bcd-8eff-0123456789ab"
  assert_tells ("/pod%P", "pod0F3A9D2E-11aa-4bcd-8eff-0123456789ab", JM_PATH_FIELD_JOB,
                UUID);
  assert_tells ("/k-pod%P.slice", "k-pod0f3a9d2e_11aa_4bcd_8eff_0123456789ab.slice",
                JM_PATH_FIELD_JOB, UUID);
  assert_tells ("/pod%P", "pod0123456789abcdef0123456789abcdef", JM_PATH_FIELD_JOB,
                "0123456789abcdef0123456789abcdef");
  assert_differs ("/pod%P", "pod0f3a9d2e-11aa-4bcd-8eff-0123456789ag");
  assert_differs ("/pod%P", "pod0f3a9d2e11-aa-4bcd-8eff-0123456789ab");
  assert_differs ("/pod%P", "pod" UUID "0");
  assert_differs ("/pod%P", "podinfo");
}

static void
test_systemd_escapes_characters_in_the_names_of_its_units (void)
{
  assert_tells ("/machine-qemu\\x2d%i\\x2d%k.scope",
                "machine-qemu\\x2d1\\x2dinstance\\x2d0000002a.scope", JM_PATH_FIELD_KEY,
                "instance-0000002a");
  assert_tells ("/pbs-%J.slice", "pbs-12\\x5b3\\x5d.a\\x2db.slice", JM_PATH_FIELD_JOB,
                "12[3].a-b");
  assert_differs ("/pbs-%J.slice", "pbs-12\\x2f3.slice");
  assert_differs ("/pbs-%J.slice", "pbs-12\\x2.slice");
  assert_differs ("/pbs-%J.slice", "pbs-12\\x00.slice");
  assert_differs ("/pbs-%J", "pbs-12\\x5b3\\x5d");
}

static void
test_costs_no_more_than_the_length_of_a_path (void)
{
  g_autoptr (GString) path = g_string_new ("scope");
  g_auto (JmPathMatch) match = { 0 };

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
    { "/%y", "unknown placeholder: %y" },
    { "/a%", "unknown placeholder: %" },
    { "/%j%s", "two placeholders without a text between them: %s" },
    { "/%s_%s", "placeholders that cannot be distinguished: %s_%s" },
    { "/%s-%n.x", "placeholders that cannot be distinguished: %s-%n.x" },
    { "/%j-%j-%j-%j-%j-%j-%j-%j-%j",
      "more than eight placeholders between slashes: %j" },
    { "/a%j-%j", "placeholder used twice: a%j-%j" },
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
                   test_reports_what_stands_in_place_of_a_placeholder);
  g_test_add_func ("/path-pattern/whole-paths", test_compares_whole_paths);
  g_test_add_func ("/path-pattern/two-stars",
                   test_two_stars_stand_for_any_number_of_directories);
  g_test_add_func ("/path-pattern/two-stars-and-end",
                   test_two_stars_may_say_how_the_directories_end);
  g_test_add_func ("/path-pattern/job-id", test_a_job_id_is_a_number);
  g_test_add_func ("/path-pattern/sluid", test_a_sluid_has_an_s_and_thirteen_digits);
  g_test_add_func ("/path-pattern/uid", test_minus_one_is_no_user);
  g_test_add_func ("/path-pattern/several",
                   test_several_in_one_name_end_where_their_characters_do);
  g_test_add_func ("/path-pattern/word", test_a_word_is_no_way_out_of_a_directory);
  g_test_add_func ("/path-pattern/pod", test_a_pod_has_a_uuid);
  g_test_add_func ("/path-pattern/escapes",
                   test_systemd_escapes_characters_in_the_names_of_its_units);
  g_test_add_func ("/path-pattern/cost", test_costs_no_more_than_the_length_of_a_path);
  g_test_add_func ("/path-pattern/errors", test_says_what_is_wrong_with_a_pattern);

  return g_test_run ();
}
