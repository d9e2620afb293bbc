/* test-source-set.c: what a node has, what it looked for, and how that fares
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "../node/fake-gpus.h"
#include "../node/fake-sources.h"
#include "base/jm-error.h"
#include "registry/jm-source-set-private.h"

static JmSourceSet *
open_set (JmHost *host, const char *const *power_sources)
{
  const JmSourcePlan plan = { .host = host, .power_sources = power_sources };
  g_autoptr (GError) error = NULL;
  JmSourceSet *set = jm_source_set_open (&plan, &error);

  g_assert_no_error (error);

  return set;
}

static JmSourceSet *
open_fixture (const char *fixture, const char *const *power_sources)
{
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", fixture, NULL);
  g_autoptr (JmHost) host = jm_host_new (root);

  return open_set (host, power_sources);
}

static JmSourceInfo *
find (GPtrArray *list, JmSourceKind kind, const char *name)
{
  for (guint i = 0; i < list->len; i++)
    if (jm_source_info_get_kind (list->pdata[i]) == kind &&
        g_str_equal (jm_source_info_get_name (list->pdata[i]), name))
      return list->pdata[i];

  return NULL;
}

static void
assert_state (JmSourceSet *set,
              JmSourceKind kind,
              const char *name,
              JmSourceState state)
{
  g_autoptr (GPtrArray) list = jm_source_set_list (set);
  JmSourceInfo *info = find (list, kind, name);

  g_assert_nonnull (info);
  g_assert_cmpint (jm_source_info_get_state (info), ==, state);
}

static char *
join_problems (JmSourceSet *set)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) problems = NULL;

  jm_source_set_list_problems (set, builder);
  problems = g_strv_builder_end (builder);

  return g_strjoinv ("\n", problems);
}

static void
test_finds_no_meter_on_a_host_without_one (void)
{
  g_autoptr (JmHost) host = jm_host_new ("/nonexistent");
  g_autoptr (JmSourceSet) set = open_set (host, NULL);
  g_autoptr (GPtrArray) list = jm_source_set_list (set);
  guint n_meters = 0;

  for (guint i = 0; i < list->len; i++)
    if (jm_source_info_get_kind (list->pdata[i]) == JM_SOURCE_KIND_POWER)
      {
        g_assert_cmpint (jm_source_info_get_state (list->pdata[i]), ==,
                         JM_SOURCE_STATE_ABSENT);
        n_meters++;
      }

  g_assert_cmpuint (n_meters, >, 3);
  g_assert_null (jm_source_set_find (set, JM_SOURCE_KIND_POWER));
}

static void
test_reads_the_processors_but_once (void)
{
  g_autoptr (JmSourceSet) set = open_fixture ("power-rapl-server", NULL);

  assert_state (set, JM_SOURCE_KIND_POWER, "rapl-powercap", JM_SOURCE_STATE_WORKING);
  assert_state (set, JM_SOURCE_KIND_POWER, "rapl-perf", JM_SOURCE_STATE_SUPERSEDED);
}

static void
test_asks_each_that_is_named_for_itself (void)
{
  const char *const both[] = { "rapl-perf", "rapl-powercap", NULL };
  g_autoptr (JmSourceSet) set = open_fixture ("power-rapl-server", both);
  g_autofree char *problems = join_problems (set);

  assert_state (set, JM_SOURCE_KIND_POWER, "rapl-perf", JM_SOURCE_STATE_ABSENT);
  assert_state (set, JM_SOURCE_KIND_POWER, "rapl-powercap", JM_SOURCE_STATE_WORKING);
  g_assert_true (g_str_has_suffix (problems, "nothing counts in a copied tree"));
}

static void
test_has_the_words_of_what_fails (void)
{
  const char *const file[] = { "file,path=/run/watts", NULL };
  g_autoptr (JmHost) host = jm_host_new ("/nonexistent");
  g_autoptr (JmSourceSet) set = open_set (host, file);
  g_autoptr (GPtrArray) list = jm_source_set_list (set);
  JmSourceInfo *info = find (list, JM_SOURCE_KIND_CGROUPS, "cgroup");

  g_assert_cmpint (jm_source_info_get_state (info), !=, JM_SOURCE_STATE_WORKING);
  g_assert_nonnull (jm_source_info_get_error (info));
}

static void
test_refuses_what_is_invalid (void)
{
  const char *const wrong[] = { "wattmeter", NULL };
  g_autoptr (JmHost) host = jm_host_new ("/nonexistent");
  const JmSourcePlan plan = { .host = host, .power_sources = wrong };
  g_autoptr (GError) error = NULL;

  g_assert_null (jm_source_set_open (&plan, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
}

static void
test_lists_one_that_was_added (void)
{
  g_autoptr (JmHost) host = jm_host_new ("/nonexistent");
  g_autoptr (JmSourceSet) set = open_set (host, NULL);
  g_autoptr (FakeJobs) jobs = fake_jobs_new (host);

  jm_source_set_add (set, JM_SOURCE (jobs));

  assert_state (set, JM_SOURCE_KIND_JOBS, "FakeJobs", JM_SOURCE_STATE_WORKING);
}

/* What knows devices knows what they take; what only knows whose they are does not. */
static void
test_has_a_library_of_accelerators_measure_too (void)
{
  g_autoptr (JmHost) host = jm_host_new ("/nonexistent");
  g_autoptr (JmSourceSet) set = open_set (host, NULL);
  g_autoptr (FakeGpus) gpus = fake_gpus_new (host);

  jm_source_set_add (set, JM_SOURCE (gpus));

  assert_state (set, JM_SOURCE_KIND_GPUS, "FakeGpus", JM_SOURCE_STATE_WORKING);
  assert_state (set, JM_SOURCE_KIND_POWER, "FakeGpus", JM_SOURCE_STATE_WORKING);
}

static void
test_misses_accelerators_that_were_asked_for (void)
{
  const char *const gpu[] = { "gpu", NULL };
  g_autoptr (JmHost) host = jm_host_new ("/nonexistent");
  g_autoptr (JmSourceSet) set = open_set (host, gpu);
  g_autofree char *problems = join_problems (set);

  assert_state (set, JM_SOURCE_KIND_POWER, "gpu", JM_SOURCE_STATE_ABSENT);
  g_assert_true (g_str_has_suffix (problems, "gpu: there is none on this node"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add_func ("/source-set/" name, test_##function)

  ADD ("no-meter", finds_no_meter_on_a_host_without_one);
  ADD ("superseded", reads_the_processors_but_once);
  ADD ("named", asks_each_that_is_named_for_itself);
  ADD ("errors", has_the_words_of_what_fails);
  ADD ("refused", refuses_what_is_invalid);
  ADD ("added", lists_one_that_was_added);
  ADD ("measure-too", has_a_library_of_accelerators_measure_too);
  ADD ("missed", misses_accelerators_that_were_asked_for);

  return g_test_run ();
}
