/* test-metric.c: the one table of everything that is measured
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-metric-private.h"
#include "core/jm-subject-private.h"

#include <string.h>

static const char *
get_stem_end (const JmMetricInfo *info)
{
  const char *end = info->name + strlen (info->name);

  return info->kind == JM_METRIC_KIND_COUNTER ? end - strlen ("_total") : end;
}

static gboolean
stem_ends_in (const JmMetricInfo *info, const char *suffix)
{
  const char *end = get_stem_end (info);
  gsize length = strlen (suffix);

  return (gsize) (end - info->name) > length &&
         strncmp (end - length, suffix, length) == 0;
}

static void
test_counters_and_nothing_else_end_in_total (void)
{
  for (JmMetric i = 0; i < JM_N_METRICS; i++)
    {
      const JmMetricInfo *info = jm_metric_get_info (i);

      g_test_message ("%s", info->name);
      g_assert_cmpint (info->kind == JM_METRIC_KIND_COUNTER, ==,
                       g_str_has_suffix (info->name, "_total"));
    }
}

static void
test_names_have_the_base_unit (void)
{
  for (JmMetric i = 0; i < JM_N_METRICS; i++)
    {
      const JmMetricInfo *info = jm_metric_get_info (i);
      const char *base = jm_unit_get_info (info->unit)->base;

      g_test_message ("%s", info->name);
      for (JmUnit j = 0; j < JM_N_UNITS; j++)
        {
          const char *other = jm_unit_get_info (j)->base;
          g_autofree char *suffix = g_strconcat ("_", other, NULL);

          if (other != NULL)
            g_assert_cmpint (stem_ends_in (info, suffix), ==,
                             g_strcmp0 (base, other) == 0);
        }
    }
}

static void
test_names_and_labels_are_made_of_small_letters (void)
{
  for (JmMetric i = 0; i < JM_N_METRICS; i++)
    {
      const JmMetricInfo *info = jm_metric_get_info (i);

      g_test_message ("%s", info->name);
      g_assert_true (g_regex_match_simple ("^[a-z]+(_[a-z]+)*$", info->name, 0, 0));
      for (guint j = 0; j < info->n_labels; j++)
        g_assert_true (
          g_regex_match_simple ("^[a-z]+(_[a-z]+)*$", info->labels[j], 0, 0));
      g_assert_null (info->labels[info->n_labels]);
    }
}

static void
test_help_is_a_sentence (void)
{
  for (JmMetric i = 0; i < JM_N_METRICS; i++)
    {
      const char *help = jm_metric_get_info (i)->help;

      g_test_message ("%s", help);
      g_assert_true (g_ascii_isupper (help[0]));
      g_assert_true (g_str_has_suffix (help, "."));
    }
}

static void
test_no_kind_of_subject_has_a_name_twice (void)
{
  for (JmSubjectKind kind = 0; kind < JM_N_SUBJECT_KINDS; kind++)
    for (JmMetric i = 0; i < JM_N_METRICS; i++)
      {
        JmMetric found;

        if (!jm_metric_is_about (i, kind))
          continue;
        g_assert_true (jm_metric_from_name (jm_metric_get_name (i), kind, &found));
        g_assert_cmpint (found, ==, i);
      }
}

static void
test_no_name_is_exported_twice (void)
{
  g_autoptr (GHashTable) names =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (JmSubjectKind kind = 0; kind < JM_N_SUBJECT_KINDS; kind++)
    for (JmMetric i = 0; i < JM_N_METRICS; i++)
      {
        char *name;

        if (!jm_metric_is_about (i, kind))
          continue;
        name =
          g_strconcat (jm_subject_kind_get_prefix (kind), jm_metric_get_name (i), NULL);
        g_test_message ("%s", name);
        g_assert_true (g_hash_table_add (names, name));
      }
}

static void
test_every_metric_is_about_something (void)
{
  for (JmMetric i = 0; i < JM_N_METRICS; i++)
    {
      const JmMetricInfo *info = jm_metric_get_info (i);

      g_assert_cmpuint (info->kinds, !=, 0);
      g_assert_cmpuint (info->kinds >> JM_N_SUBJECT_KINDS, ==, 0);
    }
  g_assert_true (jm_metric_is_about (JM_METRIC_ENERGY, JM_SUBJECT_KIND_SYSTEM));
  g_assert_true (jm_metric_is_about (JM_METRIC_ENERGY, JM_SUBJECT_KIND_JOB));
  g_assert_false (jm_metric_is_about (JM_METRIC_ENERGY, JM_SUBJECT_KIND_NODE));
}

static void
test_no_name_is_another_ones_with_total (void)
{
  for (JmSubjectKind kind = 0; kind < JM_N_SUBJECT_KINDS; kind++)
    for (JmMetric i = 0; i < JM_N_METRICS; i++)
      {
        g_autofree char *name = g_strconcat (jm_metric_get_name (i), "_total", NULL);
        JmMetric found;

        g_assert_false (jm_metric_is_about (i, kind) &&
                        jm_metric_from_name (name, kind, &found));
      }
}

static void
test_base_units_are_reached_without_a_second_rounding (void)
{
  g_assert_cmpfloat (jm_metric_to_base_unit (JM_METRIC_CPU_TOTAL, 1100000000), ==, 1.1);
  g_assert_cmpfloat (jm_metric_to_base_unit (JM_METRIC_CPU_PRESSURE_SOME, 3), ==,
                     0.000003);
  g_assert_cmpfloat (jm_metric_to_base_unit (JM_METRIC_MEMORY_USED, 4096), ==, 4096);
  g_assert_cmpfloat (jm_metric_to_base_unit (JM_METRIC_PIDS, 7), ==, 7);
}

static void
test_every_collector_is_found_by_its_name_and_reads_something (void)
{
  JmCollector found;

  for (JmCollector i = 0; i < JM_N_COLLECTORS; i++)
    {
      guint n = 0;

      g_assert_true (jm_collector_from_name (jm_collector_get_name (i), &found));
      g_assert_cmpint (found, ==, i);
      g_assert_nonnull (jm_collector_get_help (i));
      for (JmMetric j = 0; j < JM_N_METRICS; j++)
        n += jm_metric_get_info (j)->collector == i;
      /* The jobs themselves are no figure. */
      g_assert_true (n > 0 || i == JM_COLLECTOR_JOBS);
    }
  g_assert_false (jm_collector_from_name ("weather", &found));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/metric/counters-and-nothing-else-end-in-total",
                   test_counters_and_nothing_else_end_in_total);
  g_test_add_func ("/metric/names-have-the-base-unit", test_names_have_the_base_unit);
  g_test_add_func ("/metric/names-and-labels-are-made-of-small-letters",
                   test_names_and_labels_are_made_of_small_letters);
  g_test_add_func ("/metric/help-is-a-sentence", test_help_is_a_sentence);
  g_test_add_func ("/metric/no-kind-of-subject-has-a-name-twice",
                   test_no_kind_of_subject_has_a_name_twice);
  g_test_add_func ("/metric/no-name-is-exported-twice", test_no_name_is_exported_twice);
  g_test_add_func ("/metric/every-metric-is-about-something",
                   test_every_metric_is_about_something);
  g_test_add_func ("/metric/no-name-is-another-ones-with-total",
                   test_no_name_is_another_ones_with_total);
  g_test_add_func ("/metric/base-units-are-reached-without-a-second-rounding",
                   test_base_units_are_reached_without_a_second_rounding);
  g_test_add_func ("/metric/every-collector-is-found-by-its-name-and-reads-something",
                   test_every_collector_is_found_by_its_name_and_reads_something);

  return g_test_run ();
}
