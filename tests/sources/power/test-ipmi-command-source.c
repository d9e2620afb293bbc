/* test-ipmi-command-source.c: a node's power, from a program that asks its BMC
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/power/jm-power-types-private.h"

#include <string.h>

#include "answers.h"
#include "base/jm-error.h"
#include "sources/power/jm-dcmi-private.h"

#define FREEIPMI(power, state)                                                         \
 "Current Power                        : " power "\n"                                  \
 "Minimum Power over sampling duration : 68 watts\n"                                   \
 "Power Measurement                    : " state "\n"

static char *
get_fixture_path (const char *name)
{
  return g_test_build_filename (G_TEST_BUILT, "fixtures", "power-ipmi", name, NULL);
}

/* The watts of that text, or 0 and an error. */
static guint
parse (const char *text, GError **error)
{
  JmDcmiReading reading = { 0 };
  gboolean is_told = jm_dcmi_parse_text (text, strlen (text), "tool", &reading, error);

  g_assert_cmpint (is_told, ==, reading.watts > 0);

  return reading.watts;
}

static guint
parse_fixture (const char *name, GError **error)
{
  g_autofree char *path = get_fixture_path (name);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));

  return parse (text, error);
}

static void
assert_watts (const char *text, guint expected)
{
  g_autoptr (GError) error = NULL;
  guint watts = parse (text, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (watts, ==, expected);
}

static void
assert_refused (const char *text, JmError code, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (parse (text, &error), ==, 0);
  assert_says (error, code, words);
  g_assert_true (g_str_has_prefix (error->message, "tool: "));
}

static void
test_each_program_s_output_is_known (void)
{
  static const char *const names[] = { "freeipmi.txt", "ipmitool.txt",
                                       "ipmitool-spaced.txt", "ipmiutil.txt" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;
      guint watts = parse_fixture (names[i], &error);

      g_assert_no_error (error);
      g_assert_cmpuint (watts, ==, 312);
    }
}

static void
test_each_program_reports_what_was_over_a_time (void)
{
  static const char *const names[] = { "freeipmi.txt", "ipmitool.txt", "ipmiutil.txt" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = get_fixture_path (names[i]);
      g_autofree char *text = NULL;
      JmDcmiReading reading;

      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_true (jm_dcmi_parse_text (text, strlen (text), "tool", &reading, NULL));
      g_assert_cmpuint (reading.statistics[JM_DCMI_MINIMUM], ==, 156);
      g_assert_cmpuint (reading.statistics[JM_DCMI_MAXIMUM], ==, 468);
      g_assert_cmpuint (reading.statistics[JM_DCMI_AVERAGE], ==, 312);
    }
}

static void
test_capmc_s_output_is_known (void)
{
  const char *text = "{\"start_time\":\"2015-04-01 17:02:10\",\"avg\":5942,"
                     "\"min\":5748,\"max\":6132,\"window_len\":300,\"e\":0,"
                     "\"err_msg\":\"\"}\n";
  JmDcmiReading reading;

  g_assert_true (jm_dcmi_parse_text (text, strlen (text), "tool", &reading, NULL));
  g_assert_cmpuint (reading.watts, ==, 5942);
  g_assert_cmpuint (reading.statistics[JM_DCMI_MINIMUM], ==, 5748);
  g_assert_cmpuint (reading.statistics[JM_DCMI_MAXIMUM], ==, 6132);

  assert_refused ("{\"e\":22,\"err_msg\":\"Invalid argument\"}", JM_ERROR_UNAVAILABLE,
                  "error 22: ");
  assert_refused ("{\"e\":0,\"avg\":0}", JM_ERROR_UNAVAILABLE, "0 Watts is no reading");
  assert_refused ("{\"e\":0,\"watts\":300}", JM_ERROR_MALFORMED, "capmc");
  assert_refused ("{ \"e\":", JM_ERROR_MALFORMED, "capmc");
}

static void
test_a_bmc_that_does_not_measure_reports_nothing (void)
{
  static const char *const names[] = { "freeipmi-inactive.txt", "ipmitool-inactive.txt",
                                       "ipmiutil-inactive.txt" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_cmpuint (parse_fixture (names[i], &error), ==, 0);
      assert_says (error, JM_ERROR_UNAVAILABLE, "power measurement is not active: ");
    }
  assert_refused (FREEIPMI ("332 Watts", "Inactive"), JM_ERROR_UNAVAILABLE,
                  "not active: Inactive");
}

static void
test_no_watts_are_no_reading (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (parse_fixture ("freeipmi-zero.txt", &error), ==, 0);
  assert_says (error, JM_ERROR_UNAVAILABLE, "0 Watts is no reading");
  assert_refused (FREEIPMI ("65535 Watts", "Active"), JM_ERROR_UNAVAILABLE, "65535");
}

static void
test_letters_may_be_large_or_small (void)
{
  assert_watts (FREEIPMI ("332 Watts", "Active"), 332);
  assert_watts (FREEIPMI ("332 watts", "active"), 332);
  assert_watts ("current power:332 Watts\r\npower measurement:ACTIVE\r\n", 332);
}

static void
test_what_is_no_power_is_quoted (void)
{
  assert_refused (FREEIPMI ("unknown", "Active"), JM_ERROR_MALFORMED, "unknown");
  assert_refused (FREEIPMI ("-5 Watts", "Active"), JM_ERROR_MALFORMED, "-5 Watts");
  assert_refused (FREEIPMI ("332", "Active"), JM_ERROR_MALFORMED, "332");
  assert_refused (FREEIPMI ("332 BTU/hr", "Active"), JM_ERROR_MALFORMED, "332 BTU/hr");
  assert_refused (FREEIPMI ("332 Watts more", "Active"), JM_ERROR_MALFORMED, "more");
  assert_refused (FREEIPMI ("99999999999999999999 Watts", "Active"), JM_ERROR_MALFORMED,
                  "99999999999999999999");
  assert_refused (FREEIPMI ("", "Active"), JM_ERROR_MALFORMED, "no power in Watts");
}

static void
test_what_no_program_prints_is_refused (void)
{
  const char *words = "not what ipmi-dcmi, ipmitool, ipmiutil or capmc print";

  assert_refused ("", JM_ERROR_MALFORMED, words);
  assert_refused ("312\n", JM_ERROR_MALFORMED, "312");
  assert_refused ("<html>\n", JM_ERROR_MALFORMED, "<html>");
  /* nothing says whether it measures */
  assert_refused ("Current Power : 332 Watts\n", JM_ERROR_MALFORMED, words);
  assert_refused ("Power Measurement : Active\n", JM_ERROR_MALFORMED, words);
  /* two nodes' figures are not one's */
  assert_refused (FREEIPMI ("332 Watts", "Active") FREEIPMI ("9 Watts", "Active"),
                  JM_ERROR_MALFORMED, words);
  /* lines of two programs */
  assert_refused ("Instantaneous power reading: 3 Watts\nPower Measurement: Active\n",
                  JM_ERROR_MALFORMED, words);
}

static JmIpmiCommandSource *
open_source (const char *command)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (GError) error = NULL;
  JmIpmiCommandSource *source =
    g_initable_new (JM_TYPE_IPMI_COMMAND_SOURCE, NULL, &error, "host", host, "command",
                    command, NULL);

  g_assert_no_error (error);

  return source;
}

static void
test_the_node_s_power_is_reported_with_its_age (void)
{
  g_autofree char *path = get_fixture_path ("freeipmi.txt");
  g_autofree char *command = g_strdup_printf ("cat '%s'", path);
  g_autoptr (JmIpmiCommandSource) source = open_source (command);
  g_autoptr (JmReadings) readings = answers_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (answers_wait (source));
  g_assert_true (answers_read (readings, source, &error));
  g_assert_no_error (error);
  assert_power (readings, "node", 312000000);
  g_assert_cmpuint (jm_readings_get_age (readings), <, (guint64) ANSWERS_PATIENCE_US);
}

static void
test_why_a_command_fails_is_reported (void)
{
  g_autoptr (JmIpmiCommandSource) source =
    open_source ("sh -c 'echo no permission >&2; exit 1'");
  g_autoptr (JmReadings) readings = answers_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (answers_wait (source));
  g_assert_false (answers_read (readings, source, &error));
  assert_says (error, JM_ERROR_UNAVAILABLE, "sh: exit status 1: no permission");
}

static void
test_nobody_waits_for_a_command_that_hangs (void)
{
  JmIpmiCommandSource *source = open_source ("sleep 1000");
  g_autoptr (JmReadings) readings = answers_new ();
  g_autoptr (GError) error = NULL;

  g_assert_false (answers_read (readings, source, &error));
  assert_says (error, JM_ERROR_UNAVAILABLE, "sleep: no answer yet");
  g_assert_finalize_object (source);
}

static void
test_a_copied_tree_runs_no_command (void)
{
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", "slurm-v2-steps", NULL);
  g_autoptr (JmHost) host = jm_host_new (root);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmIpmiCommandSource) source =
    g_initable_new (JM_TYPE_IPMI_COMMAND_SOURCE, NULL, &error, "host", host, "command",
                    "echo 312", NULL);

  g_assert_null (source);
  assert_says (error, JM_ERROR_ABSENT, "echo 312: ");
}

static void
test_without_the_program_there_is_no_source (void)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmIpmiCommandSource) source =
    g_initable_new (JM_TYPE_IPMI_COMMAND_SOURCE, NULL, &error, "host", host, "command",
                    "/no/such/ipmi-dcmi", NULL);

  g_assert_null (source);
  assert_says (error, JM_ERROR_ABSENT, "/no/such/ipmi-dcmi: ");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/ipmi-command-source/each-program-s-output-is-known",
                   test_each_program_s_output_is_known);
  g_test_add_func ("/ipmi-command-source/each-program-reports-what-was-over-a-time",
                   test_each_program_reports_what_was_over_a_time);
  g_test_add_func ("/ipmi-command-source/capmc-s-output-is-known",
                   test_capmc_s_output_is_known);
  g_test_add_func ("/ipmi-command-source/a-bmc-that-does-not-measure-reports-nothing",
                   test_a_bmc_that_does_not_measure_reports_nothing);
  g_test_add_func ("/ipmi-command-source/no-watts-are-no-reading",
                   test_no_watts_are_no_reading);
  g_test_add_func ("/ipmi-command-source/letters-may-be-large-or-small",
                   test_letters_may_be_large_or_small);
  g_test_add_func ("/ipmi-command-source/what-is-no-power-is-quoted",
                   test_what_is_no_power_is_quoted);
  g_test_add_func ("/ipmi-command-source/what-no-program-prints-is-refused",
                   test_what_no_program_prints_is_refused);
  g_test_add_func ("/ipmi-command-source/the-node-s-power-is-reported-with-its-age",
                   test_the_node_s_power_is_reported_with_its_age);
  g_test_add_func ("/ipmi-command-source/why-a-command-fails-is-reported",
                   test_why_a_command_fails_is_reported);
  g_test_add_func ("/ipmi-command-source/nobody-waits-for-a-command-that-hangs",
                   test_nobody_waits_for_a_command_that_hangs);
  g_test_add_func ("/ipmi-command-source/a-copied-tree-runs-no-command",
                   test_a_copied_tree_runs_no_command);
  g_test_add_func ("/ipmi-command-source/without-the-program-there-is-no-source",
                   test_without_the_program_there_is_no_source);

  return g_test_run ();
}
