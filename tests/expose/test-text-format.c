/* test-text-format.c: which text format a scraper is given
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "expose/jm-text-encoder.h"

#include <string.h>

static void
assert_openmetrics (const char *accept)
{
  g_test_message ("%.200s", accept);
  g_assert_cmpint (jm_negotiate_text_format (accept), ==, JM_TEXT_FORMAT_OPENMETRICS);
}

static void
assert_text (const char *accept)
{
  g_test_message ("%.200s", accept != NULL ? accept : "no header");
  g_assert_cmpint (jm_negotiate_text_format (accept), ==, JM_TEXT_FORMAT_PROMETHEUS);
}

static void
test_prometheus_is_given_openmetrics (void)
{
  assert_openmetrics ("application/openmetrics-text;version=1.0.0,"
                      "application/openmetrics-text;version=0.0.1;q=0.75,"
                      "text/plain;version=0.0.4;q=0.5,*/*;q=0.1");
  assert_openmetrics ("application/openmetrics-text;version=1.0.0;escaping="
                      "allow-utf-8;q=0.5,application/openmetrics-text;version=0.0.1"
                      ";q=0.4,text/plain;version=0.0.4;q=0.2,*/*;q=0.1");
  assert_openmetrics ("application/vnd.google.protobuf;proto=io.prometheus.client."
                      "MetricFamily;encoding=delimited,"
                      "application/openmetrics-text;version=1.0.0;q=0.8,"
                      "text/plain;version=0.0.4;q=0.5,*/*;q=0.1");
}

static void
test_everybody_else_is_given_text (void)
{
  assert_text (NULL);
  assert_text ("");
  assert_text ("*/*");
  assert_text ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
  assert_text ("text/plain;version=0.0.4;q=1,*/*;q=0.1");
  assert_text ("image/png");
  assert_text ("application/*");
}

static void
test_the_higher_weight_wins (void)
{
  assert_text ("application/openmetrics-text;q=0.4,text/plain;q=0.5");
  assert_openmetrics ("text/plain;q=0.4,application/openmetrics-text;q=0.5");
  assert_openmetrics ("text/plain;q=0.123,application/openmetrics-text;q=0.124");
  assert_openmetrics ("text/plain;q=0.5,application/openmetrics-text;q=0.5");
  assert_openmetrics ("text/plain;q=0.1,*/*;q=1,application/openmetrics-text;q=0.5");
  assert_text ("text/*,application/openmetrics-text;q=0.5");
}

static void
test_what_is_not_acceptable_is_not_given (void)
{
  assert_text ("application/openmetrics-text;q=0");
  assert_text ("application/openmetrics-text;q=0.000,*/*;q=0");
  assert_text ("application/openmetrics-text;version=0.0.1");
  assert_text ("application/openmetrics-text;version=2.0.0");
  assert_text ("application/openmetrics-textual");
}

static void
test_spaces_case_and_quotes_do_not_matter (void)
{
  assert_openmetrics (" Application/OpenMetrics-Text ; Version = \"1.0.0\" ; Q=1 ");
  assert_openmetrics ("text/plain;x=\"a,b;q=1\";q=0.1,application/openmetrics-text");
}

static void
test_nonsense_is_passed_over (void)
{
  static const char *const weights[] = { "",    "a",  "2",    "1.5", "-1",   "0.1234",
                                         "1e0", ".5", "0,5x", "nan", "1.001" };
  g_autofree char *endless = g_strnfill (100000, ',');

  for (guint i = 0; i < G_N_ELEMENTS (weights); i++)
    {
      g_autofree char *accept =
        g_strconcat ("application/openmetrics-text;q=", weights[i], NULL);

      assert_text (accept);
    }

  assert_text (endless);
  assert_text (";;;,,,;q=,=;=\"");
  assert_text ("\"application/openmetrics-text");
  assert_openmetrics (",;,\\,application/openmetrics-text;\"");
}

static void
test_content_types_say_what_was_given (void)
{
  g_assert_cmpstr (jm_text_format_get_content_type (JM_TEXT_FORMAT_PROMETHEUS), ==,
                   "text/plain; version=0.0.4; charset=utf-8");
  g_assert_cmpstr (jm_text_format_get_content_type (JM_TEXT_FORMAT_OPENMETRICS), ==,
                   "application/openmetrics-text; version=1.0.0; charset=utf-8");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/text-format/prometheus-is-given-openmetrics",
                   test_prometheus_is_given_openmetrics);
  g_test_add_func ("/text-format/everybody-else-is-given-text",
                   test_everybody_else_is_given_text);
  g_test_add_func ("/text-format/the-higher-weight-wins", test_the_higher_weight_wins);
  g_test_add_func ("/text-format/what-is-not-acceptable-is-not-given",
                   test_what_is_not_acceptable_is_not_given);
  g_test_add_func ("/text-format/spaces-case-and-quotes-do-not-matter",
                   test_spaces_case_and_quotes_do_not_matter);
  g_test_add_func ("/text-format/nonsense-is-passed-over",
                   test_nonsense_is_passed_over);
  g_test_add_func ("/text-format/content-types-say-what-was-given",
                   test_content_types_say_what_was_given);

  return g_test_run ();
}
