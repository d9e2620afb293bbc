/* test-power-lines.c: what a site's own meter writes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/power/jm-power-meter-private.h"

#include "answers.h"
#include "base/jm-error.h"

static GArray *
parse (const char *text, const char *unit, GError **error)
{
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (JmPowerLine));
  const JmPowerUnit *known =
    unit != NULL ? jm_power_unit_find ((JmSlice){ unit, strlen (unit) }) : NULL;

  g_assert_cmpint (unit != NULL, ==, known != NULL);
  if (!jm_power_lines_parse (text, strlen (text), "node", known, "/run/watts", lines,
                             error))
    return NULL;

  return g_steal_pointer (&lines);
}

static void
assert_line (GArray *lines,
             guint at,
             const char *domain,
             gboolean is_energy,
             guint64 micro)
{
  const JmPowerLine *line;

  g_assert_cmpuint (at, <, lines->len);
  line = &g_array_index (lines, JmPowerLine, at);
  g_assert_cmpmem (line->domain.text, line->domain.length, domain, strlen (domain));
  g_assert_cmpint (line->is_energy, ==, is_energy);
  g_assert_cmpuint (line->micro, ==, micro);
}

static void
assert_refused (const char *text, const char *unit, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) lines = parse (text, unit, &error);

  g_assert_null (lines);
  assert_says (error, JM_ERROR_MALFORMED, words);
  g_assert_true (g_str_has_prefix (error->message, "/run/watts: "));
}

static void
test_each_line_is_a_domain (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) lines = parse ("# our wattmeter\n"
                                    "node 312.5 W\n"
                                    "\n"
                                    "  package-0\t123456789 uJ   # RAPL\r\n"
                                    "pdu.outlet:7 1 kWh",
                                    NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (lines->len, ==, 3);
  assert_line (lines, 0, "node", FALSE, 312500000);
  assert_line (lines, 1, "package-0", TRUE, 123456789);
  assert_line (lines, 2, "pdu.outlet:7", TRUE, G_GUINT64_CONSTANT (3600000000000));
}

static void
test_a_number_alone_has_the_unit_that_was_set (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) lines = parse ("312.5\n", "W", &error);

  g_assert_no_error (error);
  g_assert_cmpuint (lines->len, ==, 1);
  assert_line (lines, 0, "node", FALSE, 312500000);
}

static void
test_numbers_are_read_to_the_last_digit (void)
{
  static const struct
  {
    const char *number;
    const char *unit;
    guint64 micro;
  } cases[] = {
    { "0", "W", 0 },
    { "312", "W", 312000000 },
    { "312.", "W", 312000000 },
    { ".5", "W", 500000 },
    { "1.5", "mW", 1500 },
    { "7", "uW", 7 },
    { "1.2345678", "W", 1234567 },
    { "18446744073709551615", "uJ", G_MAXUINT64 },
    { "9007199254740993", "uJ", G_GUINT64_CONSTANT (9007199254740993) },
    { "1844674407370955161.99111", "uJ", G_GUINT64_CONSTANT (1844674407370955161) },
    { "1e3", "W", 1000000000 },
    { "1.23457e+09", "uJ", 1234570000 },
    { "5E-1", "J", 500000 },
    { "2", "mJ", 2000 },
    { "2", "kJ", 2000000000 },
    { "2", "Wh", G_GUINT64_CONSTANT (7200000000) },
    { "0.001", "kWh", G_GUINT64_CONSTANT (3600000000) },
    { "3.14159265358979323846264338327950288", "W", 3141592 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text = g_strdup_printf ("%s\n", cases[i].number);
      g_autoptr (GArray) lines = parse (text, cases[i].unit, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (g_array_index (lines, JmPowerLine, 0).micro, ==,
                        cases[i].micro);
    }
}

static void
test_what_is_no_number_is_quoted (void)
{
  static const char *const numbers[] = {
    "-5",    "+5", "nan", "inf", "0x10",     "1,5",   "1.5.2",
    "1e",    "e5", ".",   "1e+", "1e99",     "1e-99", "18446744073709551616",
    "1_000", "NA", "--",  "5W",  "\xff\xfe",
  };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    assert_refused (numbers[i], "uJ",
                    "not a number that may be a power or an energy: ");
  assert_refused ("node twelve W\n", NULL, "node twelve W");
  assert_refused ("1e20\n", "kWh", "1e20");
}

static void
test_a_line_that_breaks_the_format_is_quoted (void)
{
  assert_refused ("node 5 W\nnode\n", NULL, "a number without a unit: node");
  assert_refused ("node 5\n", NULL, "a line is DOMAIN VALUE UNIT: node 5");
  assert_refused ("node 5 W now\n", NULL, "a line is DOMAIN VALUE UNIT: node 5 W now");
  assert_refused ("node 5 kW\n", NULL, "a unit is W, mW, uW");
  assert_refused ("node 5 w\n", NULL, "node 5 w");
  assert_refused ("no\"de 5 W\n", NULL, "a domain has letters");
  assert_refused ("node 5 W\nnode 6 W\n", NULL, "reported before: node 6 W");
  assert_refused ("5\n6\n", "W", "reported before: 6");
}

static void
test_nothing_is_no_answer (void)
{
  assert_refused ("", NULL, "no figure in it");
  assert_refused ("# only words\n\n", NULL, "no figure in it: # only words");
}

static void
test_there_is_an_end_to_domains_and_to_their_names (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *name = g_strnfill (JM_POWER_DOMAIN_NAME_MAX + 1, 'x');
  g_autofree char *line = g_strdup_printf ("%s 5 W\n", name);

  assert_refused (line, NULL, "a domain has letters");
  for (guint i = 0; i <= JM_POWER_LINES_MAX; i++)
    g_string_append_printf (text, "d%u 1 W\n", i);
  assert_refused (text->str, NULL, "too many domains: d256");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/power-lines/each-line-is-a-domain", test_each_line_is_a_domain);
  g_test_add_func ("/power-lines/a-number-alone-has-the-unit-that-was-set",
                   test_a_number_alone_has_the_unit_that_was_set);
  g_test_add_func ("/power-lines/numbers-are-read-to-the-last-digit",
                   test_numbers_are_read_to_the_last_digit);
  g_test_add_func ("/power-lines/what-is-no-number-is-quoted",
                   test_what_is_no_number_is_quoted);
  g_test_add_func ("/power-lines/a-line-that-breaks-the-format-is-quoted",
                   test_a_line_that_breaks_the_format_is_quoted);
  g_test_add_func ("/power-lines/nothing-is-no-answer", test_nothing_is_no_answer);
  g_test_add_func ("/power-lines/there-is-an-end-to-domains-and-to-their-names",
                   test_there_is_an_end_to_domains_and_to_their_names);

  return g_test_run ();
}
