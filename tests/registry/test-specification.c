/* test-specification.c: sources as administrators write them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "registry/jm-registry.h"

#include "base/jm-error.h"
#include "sources/emissions/jm-emission-provider.h"

static JmEmissionProvider *
open_provider (const char *specification, GError **error)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);

  return (JmEmissionProvider *) jm_registry_open (JM_SOURCE_KIND_EMISSIONS,
                                                  specification, host, error);
}

static void
test_a_provider_is_opened_and_can_be_asked (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmEmissionProvider) provider =
    open_provider ("fixed,factor=55,zone=here", &error);
  g_autoptr (JmEmissionFactor) factor = NULL;

  g_assert_no_error (error);
  factor = jm_emission_provider_fetch (provider, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (jm_emission_factor_get_grams_per_kwh (factor), ==, 55);
}

static void
test_one_that_there_is_not_is_refused (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmEmissionProvider) provider = open_provider ("moods", &error);

  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_null (provider);
}

static void
test_a_property_is_given_once (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmEmissionProvider) provider =
    open_provider ("fixed,factor=1,factor=2", &error);

  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, "fixed,factor=1,factor=2: given twice: factor");
  g_assert_null (provider);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/specification/a-provider-is-opened-and-can-be-asked",
                   test_a_provider_is_opened_and_can_be_asked);
  g_test_add_func ("/specification/one-that-there-is-not-is-refused",
                   test_one_that_there_is_not_is_refused);
  g_test_add_func ("/specification/a-property-is-given-once",
                   test_a_property_is_given_once);

  return g_test_run ();
}
