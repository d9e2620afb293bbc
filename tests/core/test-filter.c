/* test-filter.c: of which jobs something is true
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "base/jm-error.h"
#include "core/jm-field.h"
#include "core/jm-filter-private.h"
#include "core/jm-metric-private.h"
#include "jm-snapshot-builder.h"

#define JOB 1
#define BARE_JOB 2

#define MANY 1000

/* A job that was running for 10.25 s, and one of which next to nothing is known. */
static JmSnapshot *
make_snapshot (void)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmJob) job =
    jm_test_job_new ("1012", "user", "alice", "uid", "1001", "account", "physics",
                     "name", "gauss 16", "nodes", "10", "start_time", "1700000000",
                     "array_jobid", "1010", "array_taskid", "2", NULL);
  g_autoptr (JmJob) bare_job = jm_test_job_new ("7", NULL);

  jm_snapshot_builder_add_job (builder, job);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_USED, 3u << 30);
  jm_snapshot_builder_add (builder, JM_METRIC_CPUS, 4);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL, 5400000000000);
  jm_snapshot_builder_add (builder, JM_METRIC_PROCESS_READ_CALLS, 20000);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_THREADS, "running", 3);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_THREADS, "sleeping", 2);
  jm_snapshot_builder_add_job (builder, bare_job);
  jm_snapshot_builder_set_end_time (builder, 1700000005500000);

  return jm_snapshot_builder_end (builder);
}

static gboolean
matches (const char *text, guint subject)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  g_autoptr (JmFilter) filter = jm_filter_new (text, &error);

  g_assert_no_error (error);

  return jm_filter_matches (filter, snapshot, subject);
}

static void
assert_matches (const char *text)
{
  if (!matches (text, JOB))
    g_error ("does not match: %s", text);
}

static void
assert_fails_to_match (const char *text)
{
  if (matches (text, JOB))
    g_error ("matches: %s", text);
}

static void
check_error (const char *text, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmFilter) filter = jm_filter_new (text, &error);

  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_null (filter);
  if (strstr (error->message, expected) == NULL)
    g_error ("%s: '%s' is not in: %s", text, expected, error->message);
}

static void
test_figures_are_compared (void)
{
  assert_matches ("cpus == 4");
  assert_matches ("cpus = 4");
  assert_matches ("cpus != 5");
  assert_matches ("cpus >= 4");
  assert_matches ("cpus <= 4.5");
  assert_matches ("cpus>3");
  assert_matches ("cpus < 5");
  assert_fails_to_match ("cpus > 4");
  assert_fails_to_match ("cpus < 4");
  assert_fails_to_match ("cpus != 4");
}

static void
test_figures_have_units (void)
{
  assert_matches ("memory_used_bytes == 3GiB");
  assert_matches ("memory_used_bytes == 3G");
  assert_matches ("memory_used_bytes == 3072M");
  assert_matches ("memory_used_bytes == 3221225472");
  assert_matches ("memory_used_bytes > 3GB");
  assert_matches ("cpu_seconds_total == 1h30m");
  assert_matches ("cpu_seconds_total == 5400s");
  assert_matches ("cpu_seconds_total == 90min");
  assert_matches ("cpu_seconds_total < 1d");
  assert_matches ("process_read_calls_total == 20K");
  assert_matches ("start_time == 1700000000");
}

static void
test_figures_of_devices_and_states_are_added_up (void)
{
  assert_matches ("threads == 5");
}

static void
test_short_names_and_titles_will_do (void)
{
  assert_matches ("mem > 1G && cpu_time > 1h && CPU-TIME > 1h && MEM > 1G");
  assert_matches ("age > 10 && age < 11s");
  assert_matches ("eff > 100% && EFF% > 100");
}

static void
test_text_is_compared (void)
{
  assert_matches ("user == \"alice\"");
  assert_matches ("user == 'alice'");
  assert_matches ("user == alice");
  assert_matches ("name == \"gauss 16\"");
  assert_matches ("name == \"gauss \\16\"");
  assert_matches ("user != bob");
  assert_matches ("state == running");
  assert_fails_to_match ("user == Alice");
}

static void
test_numbers_in_text_are_compared_by_value (void)
{
  assert_matches ("nodes > 9");
  assert_matches ("uid >= 1000");
  assert_fails_to_match ("nodes > 11");
}

static void
test_patterns_match_whole_texts (void)
{
  assert_matches ("name ~ \"gauss*\"");
  assert_matches ("name ~ gauss*");
  assert_matches ("name !~ *17");
  assert_matches ("name ~ ga?ss*");
  assert_fails_to_match ("name ~ gauss");
  assert_fails_to_match ("name !~ gauss*");
}

static void
test_a_job_goes_by_all_of_its_ids (void)
{
  assert_matches ("jobid == 1012");
  assert_matches ("jobid == 1010_2");
  assert_fails_to_match ("jobid != 1010_2");
  assert_fails_to_match ("jobid == 1010");
}

static void
test_tests_are_joined (void)
{
  assert_matches ("memory_used_bytes > 1GiB && user == \"alice\"");
  assert_matches ("cpus >= 8 || name ~ \"gauss*\"");
  assert_matches ("!(cpus > 4)");
  assert_matches ("!cpus > 4");
  assert_matches ("!!cpus == 4");
  assert_matches (" ( ( cpus == 4 ) ) ");
  assert_fails_to_match ("!(cpus == 4 || cpus == 5)");
}

static void
test_and_binds_tighter_than_or (void)
{
  assert_matches ("cpus == 4 || cpus == 5 && cpus == 6");
  assert_matches ("cpus == 5 && cpus == 6 || cpus == 4");
  assert_fails_to_match ("(cpus == 4 || cpus == 5) && cpus == 6");
  assert_fails_to_match ("cpus == 6 && (cpus == 4 || cpus == 5)");
  assert_matches ("!cpus == 5 && cpus == 4");
}

static void
test_what_is_not_known_matches_nothing (void)
{
  g_assert_false (matches ("memory_used_bytes > 0", BARE_JOB));
  g_assert_false (matches ("memory_used_bytes == 0", BARE_JOB));
  g_assert_false (matches ("user != alice", BARE_JOB));
  g_assert_false (matches ("!(user == alice)", BARE_JOB));
  g_assert_false (matches ("user !~ a*", BARE_JOB));
  g_assert_false (matches ("age > 0", BARE_JOB));
  g_assert_false (matches ("state == ended && mem > 0", BARE_JOB));
  g_assert_true (matches ("state == ended || mem > 0", BARE_JOB));
}

static void
test_a_mistake_is_named_with_its_place (void)
{
  check_error ("", "at character 1: the name of a field is missing");
  check_error ("cpus", "at character 5: one of ==");
  check_error ("memory_used_bytes >", "at character 20: a value is missing");
  check_error ("cpus > 4 &&", "at character 12: the name");
  check_error ("cpus > 4 & cpus > 4", "at character 10: && or || is missing");
  check_error ("cpus > 4 cpus", "at character 10: && or || is missing");
  check_error ("(cpus > 4", "at character 10: a ) is missing");
  check_error ("cpus > 4)", "at character 9: nothing for this )");
  check_error ("()", "at character 2: the name");
  check_error ("user == \"alice", "at character 9: a quote has no end");
  check_error ("user == \"alice\\\"", "at character 9: a quote has no end");
  check_error ("mood == good", "at character 1: no such field: mood");
  check_error ("user == ä && mood == good", "at character 14: no such field");
  check_error ("cpus ~ 4", "at character 8: cpus is a figure");
  check_error ("cpu_seconds_total{} > 4", "no such field");
}

static void
test_a_figure_needs_a_figure (void)
{
  check_error ("cpus > many", "at character 8: 'many' is not a number");
  check_error ("cpus > 4GiB", "'4GiB' is not a number");
  check_error ("mem > 4s", "'4s' is not a number of bytes");
  check_error ("mem > 1G2M", "'1G2M' is not");
  check_error ("age > 1h30", "'1h30' is not");
  check_error ("age > 1h30x", "'1h30x' is not");
  check_error ("cpus > 0x10", "'0x10' is not");
  check_error ("cpus > -1", "'-1' is not");
  check_error ("cpus > inf", "'inf' is not");
  check_error ("cpus > nan", "'nan' is not");
  check_error ("cpus > 1e999", "'1e999' is not");
  check_error ("cpus > \"\"", "'' is not");
}

static char *
repeat (const char *text, guint n, const char *end)
{
  GString *all = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append (all, text);
  g_string_append (all, end);

  return g_string_free (all, FALSE);
}

static void
test_there_is_an_end_to_depth_and_length (void)
{
  g_autofree char *deep = repeat ("(", MANY, "cpus == 4");
  g_autofree char *negated = repeat ("!", MANY, "cpus == 4");
  g_autofree char *many = repeat ("cpus == 4 && ", MANY / 10, "cpus == 4");
  g_autofree char *closed = repeat ("cpus == 4 && ", 60, "cpus == 4");
  g_autofree char *longest = repeat ("          ", MANY, "cpus == 4");

  check_error (deep, "too deep");
  check_error (negated, "too deep");
  check_error (many, "too many comparisons");
  check_error (longest, "longer than");
  check_error ("user == \xff", "not in UTF-8");
  assert_matches (closed);
}

static void
assert_needs (JmFilter *self, const JmCollectorSet *expected)
{
  JmCollectorSet needed = { { 0 } };

  jm_filter_add_collectors (self, &needed);
  g_assert_true (jm_collector_set_equal (&needed, expected));
}

static void
test_a_filter_knows_what_it_needs (void)
{
  g_autoptr (JmFilter) filter =
    jm_filter_new ("user == alice && (mem > 1 || threads > 2)", NULL);

  assert_needs (filter, JM_COLLECTOR_SET (JM_COLLECTOR_MEMORY, JM_COLLECTOR_THREADS));
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (void);
  } tests[] = {
    { "figures-are-compared", test_figures_are_compared },
    { "figures-have-units", test_figures_have_units },
    { "figures-of-devices-and-states-are-added-up",
      test_figures_of_devices_and_states_are_added_up },
    { "short-names-and-titles-will-do", test_short_names_and_titles_will_do },
    { "text-is-compared", test_text_is_compared },
    { "numbers-in-text-are-compared-by-value",
      test_numbers_in_text_are_compared_by_value },
    { "patterns-match-whole-texts", test_patterns_match_whole_texts },
    { "a-job-goes-by-all-of-its-ids", test_a_job_goes_by_all_of_its_ids },
    { "tests-are-joined", test_tests_are_joined },
    { "and-binds-tighter-than-or", test_and_binds_tighter_than_or },
    { "what-is-not-known-matches-nothing", test_what_is_not_known_matches_nothing },
    { "a-mistake-is-named-with-its-place", test_a_mistake_is_named_with_its_place },
    { "a-figure-needs-a-figure", test_a_figure_needs_a_figure },
    { "there-is-an-end-to-depth-and-length", test_there_is_an_end_to_depth_and_length },
    { "a-filter-knows-what-it-needs", test_a_filter_knows_what_it_needs },
  };

  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/report/filter/", tests[i].path, NULL);

      g_test_add_func (path, tests[i].test);
    }

  return g_test_run ();
}
