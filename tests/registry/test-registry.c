/* test-registry.c: sources by the names that administrators call them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "base/jm-error.h"
#include "registry/jm-registry-private.h"
#include "sources/emissions/jm-emission-provider.h"

/* Commands and devices are those of the machine that the test runs on. */
static JmSource *
open_source (JmSourceKind kind, const char *specification, GError **error)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);

  return jm_registry_open (kind, specification, host, error);
}

static void
assert_is_refused (JmSourceKind kind, const char *specification, const char *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSource) source = open_source (kind, specification, &error);

  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, message);
  g_assert_null (source);
}

static void
test_opens_one_by_its_name (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSource) source =
    open_source (JM_SOURCE_KIND_EMISSIONS, "fixed,factor=360.5,zone=here", &error);
  g_autoptr (JmEmissionFactor) factor = NULL;

  g_assert_no_error (error);
  factor = jm_emission_provider_fetch (JM_EMISSION_PROVIDER (source), NULL, &error);
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
  g_autoptr (JmSource) source =
    open_source (JM_SOURCE_KIND_POWER,
                 "ipmi-command,command=\"/bin/echo \\\"a,b\\\"\",interval=7", &error);

  g_assert_no_error (error);
  g_object_get (source, "command", &command, "interval", &interval, NULL);
  g_assert_cmpstr (command, ==, "/bin/echo \"a,b\"");
  g_assert_cmpfloat (interval, ==, 7);
}

static void
test_says_what_it_cannot_mean (void)
{
  assert_is_refused (JM_SOURCE_KIND_POWER, "ipmi,interval=soon",
                     "ipmi,interval=soon: not a value of interval: soon");
  assert_is_refused (JM_SOURCE_KIND_POWER, "ipmi,device",
                     "ipmi,device: not NAME=VALUE: device");
  assert_is_refused (JM_SOURCE_KIND_POWER, "ipmi,device=\"x",
                     "ipmi,device=\"x: a quote that does not end: device");
  assert_is_refused (JM_SOURCE_KIND_POWER, "ipmi,host=x",
                     "ipmi,host=x: no such property: host; there is device, interval, "
                     "timeout");
  assert_is_refused (JM_SOURCE_KIND_EMISSIONS, "fixed,factor=1e400",
                     "fixed,factor=1e400: not a value of factor: 1e400");
  assert_is_refused (JM_SOURCE_KIND_POWER, "gpu,interval=3",
                     "gpu,interval=3: only a node finds it, and without properties: "
                     "gpu");
}

static void
test_lists_the_names_that_there_are (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSource) source = open_source (JM_SOURCE_KIND_EMISSIONS, "", &error);

  g_assert_null (source);
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "owid, global, fixed, rte"));
}

/* The files that an advice says to copy are installed. */
static void
assert_has_drop_ins (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  for (char **word = words; *word != NULL; word++)
    if (g_str_equal (*word, "copy"))
      {
        g_autofree char *path =
          g_test_build_filename (G_TEST_DIST, "..", "data", "systemd", "drop-ins",
                                 word[1], NULL);

        if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
          g_error ("there is no %s", path);
      }
}

/* Others make their sources of what the host has. */
static gboolean
has_type (guint row)
{
  return jm_registry_get_row (row)->get_type != NULL;
}

static void
test_what_a_source_advises_can_be_done (void)
{
  static const JmError codes[] = { JM_ERROR_ABSENT, JM_ERROR_DENIED,
                                   JM_ERROR_UNAVAILABLE, JM_ERROR_MALFORMED };
  g_autoptr (JmHost) host = jm_host_new (NULL);
  guint n_texts = 0;

  for (guint i = 0; i < jm_registry_get_n_rows (); i++)
    for (guint k = 0; k < G_N_ELEMENTS (codes) && has_type (i); k++)
      {
        g_autoptr (JmSource) source =
          jm_registry_make_row (jm_registry_get_row (i), host);
        g_autoptr (GError) error = g_error_new_literal (JM_ERROR, (int) codes[k], "");
        g_autoptr (JmAdvice) advice = jm_advice_new ();
        g_autofree char *text = NULL;

        jm_source_advise (source, error, advice);
        text = jm_advice_get_text (advice);
        if (text != NULL)
          assert_has_drop_ins (text);
        n_texts += text != NULL;
      }

  g_assert_cmpuint (n_texts, >, 10);
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
  g_test_add_func ("/registry/what-a-source-advises-can-be-done",
                   test_what_a_source_advises_can_be_done);

  return g_test_run ();
}
