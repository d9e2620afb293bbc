/* test-registry.c: sources by the names that administrators call them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "collect/jm-registry-private.h"
#include "core/jm-error.h"
#include "sources/emissions/jm-emission-provider.h"

/* Commands and devices are those of the machine that the test runs on. */
static JmNamedSource *
open_source (JmRegistryKind kind, const char *specification, GError **error)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);

  return jm_registry_open (kind, specification, host, error);
}

static void
assert_is_refused (JmRegistryKind kind, const char *specification, const char *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmNamedSource) source = open_source (kind, specification, &error);

  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, message);
  g_assert_null (source);
}

static void
test_opens_one_by_its_name (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmNamedSource) source =
    open_source (JM_REGISTRY_EMISSIONS, "fixed,factor=360.5,zone=here", &error);
  g_autoptr (JmEmissionFactor) factor = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (source->name, ==, "fixed");
  factor =
    jm_emission_provider_fetch (JM_EMISSION_PROVIDER (source->source), NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (jm_emission_factor_get_grams_per_kwh (factor), ==, 360.5);
  g_assert_cmpstr (jm_emission_factor_get_zone (factor), ==, "here");
}

static void
test_takes_a_comma_between_quotes (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *command = NULL;
  double interval;
  g_autoptr (JmNamedSource) source =
    open_source (JM_REGISTRY_POWER,
                 "ipmi-command,command=\"/bin/echo \\\"a,b\\\"\",interval=7", &error);

  g_assert_no_error (error);
  g_object_get (source->source, "command", &command, "interval", &interval, NULL);
  g_assert_cmpstr (command, ==, "/bin/echo \"a,b\"");
  g_assert_cmpfloat (interval, ==, 7);
}

static void
test_says_what_it_cannot_mean (void)
{
  assert_is_refused (JM_REGISTRY_POWER, "ipmi,interval=soon",
                     "ipmi,interval=soon: not a value of interval: soon");
  assert_is_refused (JM_REGISTRY_POWER, "ipmi,device",
                     "ipmi,device: not NAME=VALUE: device");
  assert_is_refused (JM_REGISTRY_POWER, "ipmi,device=\"x",
                     "ipmi,device=\"x: a quote that does not end: device");
  assert_is_refused (JM_REGISTRY_POWER, "ipmi,host=x",
                     "ipmi,host=x: no such property: host; there is device, interval, "
                     "timeout");
  assert_is_refused (JM_REGISTRY_EMISSIONS, "fixed,factor=1e400",
                     "fixed,factor=1e400: not a value of factor: 1e400");
}

static void
test_lists_the_names_that_there_are (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmNamedSource) source = open_source (JM_REGISTRY_EMISSIONS, "", &error);

  g_assert_null (source);
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "owid, global, fixed, rte"));
}

static void
test_finds_nothing_on_a_host_without_a_meter (void)
{
  g_autoptr (JmHost) host = jm_host_new ("/nonexistent");
  g_autoptr (GPtrArray) sources =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_named_source_free);
  g_autoptr (GPtrArray) problems =
    g_ptr_array_new_with_free_func ((GDestroyNotify) g_error_free);

  jm_registry_open_found (JM_REGISTRY_POWER, host, sources, problems);

  g_assert_cmpuint (sources->len, ==, 0);
  g_assert_cmpuint (problems->len, ==, 0);
}

static void
test_reads_the_processors_but_once (void)
{
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", "power-rapl-server", NULL);
  g_autoptr (JmHost) host = jm_host_new (root);
  g_autoptr (GPtrArray) sources =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_named_source_free);
  g_autoptr (GPtrArray) problems =
    g_ptr_array_new_with_free_func ((GDestroyNotify) g_error_free);
  const JmNamedSource *first;

  jm_registry_open_found (JM_REGISTRY_POWER, host, sources, problems);

  g_assert_cmpuint (sources->len, ==, 1);
  first = g_ptr_array_index (sources, 0);
  g_assert_cmpstr (first->name, ==, "rapl-powercap");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/registry/opens-one-by-its-name", test_opens_one_by_its_name);
  g_test_add_func ("/registry/takes-a-comma-between-quotes",
                   test_takes_a_comma_between_quotes);
  g_test_add_func ("/registry/says-what-it-cannot-mean", test_says_what_it_cannot_mean);
  g_test_add_func ("/registry/lists-the-names-that-there-are",
                   test_lists_the_names_that_there_are);
  g_test_add_func ("/registry/finds-nothing-on-a-host-without-a-meter",
                   test_finds_nothing_on_a_host_without_a_meter);
  g_test_add_func ("/registry/reads-the-processors-but-once",
                   test_reads_the_processors_but_once);

  return g_test_run ();
}
