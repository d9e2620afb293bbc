/* test-node-list.c: names of nodes, in the brackets of Slurm
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/jm-node-list-private.h"

#define NAMES_MAX 1000

static void
check (const char *text, const char *names)
{
  g_auto (GStrv) found = jm_node_list_expand (text, NAMES_MAX);
  g_autofree char *joined = NULL;

  g_test_message ("%s", text);
  g_assert_nonnull (found);
  joined = g_strjoinv (" ", found);
  g_assert_cmpstr (joined, ==, names);
}

static void
check_refused (const char *text)
{
  g_auto (GStrv) found = jm_node_list_expand (text, NAMES_MAX);

  g_test_message ("%s", text);
  g_assert_null (found);
}

static void
test_has_names_as_they_are (void)
{
  check ("", "");
  check ("n1", "n1");
  check ("n1,login,a-b.example.org", "n1 login a-b.example.org");
}

static void
test_has_the_numbers_in_brackets (void)
{
  check ("node[1-4,7],gpu[01-03]", "node1 node2 node3 node4 node7 gpu01 gpu02 gpu03");
  check ("n[08-11]", "n08 n09 n10 n11");
  check ("n[8-11]", "n8 n9 n10 n11");
  check ("n[5]", "n5");
  check ("n[099-101]x", "n099x n100x n101x");
  check ("rack[1-2]n[1,3],login", "rack1n1 rack1n3 rack2n1 rack2n3 login");
  check ("[1-2]", "1 2");
}

static void
test_is_refused_where_it_breaks_its_form (void)
{
  const char *const bad[] = {
    "n[1-",     "n[1",     "n[]",    "n]",     "n[2-1]",  "n[a-b]",
    "n[1-2-3]", "n[1,,2]", "n1,,n2", ",",      "n1,",     "n[1[2]]",
    "n[1]]",    "n[-1]",   "n[ 1]",  "n[1.5]", "n[1-2],", "n[1234567890]",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    check_refused (bad[i]);
}

static void
test_is_refused_where_it_is_too_long (void)
{
  g_autofree char *name = g_strnfill (300, 'n');

  check_refused ("n[1-999999999]");
  check_refused ("n[1-1001]");
  check_refused ("n[1-100]m[1-100]");
  check_refused ("n[1-2][1-2][1-2][1-2][1-2]");
  check_refused (name);
}

static void
test_has_as_many_as_wanted (void)
{
  g_auto (GStrv) found = jm_node_list_expand ("n[0001-1000]", NAMES_MAX);

  g_assert_cmpuint (g_strv_length (found), ==, 1000);
  g_assert_cmpstr (found[999], ==, "n1000");
}

static void
test_a_short_name_has_no_domain (void)
{
  static const char *const names[][2] = {
    { "N1.Site.Example", "n1" }, { "n1", "n1" }, { "10.0.0.7", "10.0.0.7" },
    { "FE80::1", "fe80::1" },    { "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *its = jm_node_name_shorten (names[i][0]);

      g_assert_cmpstr (its, ==, names[i][1]);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/node-list/has-names-as-they-are", test_has_names_as_they_are);
  g_test_add_func ("/node-list/has-the-numbers-in-brackets",
                   test_has_the_numbers_in_brackets);
  g_test_add_func ("/node-list/is-refused-where-it-breaks-its-form",
                   test_is_refused_where_it_breaks_its_form);
  g_test_add_func ("/node-list/is-refused-where-it-is-too-long",
                   test_is_refused_where_it_is_too_long);
  g_test_add_func ("/node-list/has-as-many-as-wanted", test_has_as_many_as_wanted);
  g_test_add_func ("/node-list/a-short-name-has-no-domain",
                   test_a_short_name_has_no_domain);

  return g_test_run ();
}
