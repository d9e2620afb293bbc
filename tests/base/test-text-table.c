/* test-text-table.c: cells in aligned columns, fit for a terminal
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/jm-text-table-private.h"
#include "base/jm-text-width-private.h"

static const JmTextColumn columns[] = {
  { "NAME", JM_TEXT_ALIGN_LEFT },
  { "CPUS", JM_TEXT_ALIGN_RIGHT },
  { "NOTE", JM_TEXT_ALIGN_LEFT },
};

static JmTextTable *
table_new (void)
{
  return jm_text_table_new (columns, G_N_ELEMENTS (columns));
}

static void
add_row (JmTextTable *table, const char *name, const char *cpus, const char *note)
{
  jm_text_table_add (table, name);
  jm_text_table_add (table, cpus);
  jm_text_table_add (table, note);
}

static void
check (JmTextTable *table, guint width, gboolean color, const char *expected)
{
  g_autofree char *text = jm_text_table_render (table, width, color);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_columns_are_aligned (void)
{
  g_autoptr (JmTextTable) table = table_new ();

  add_row (table, "a", "4", "x");
  add_row (table, "longer", "12345", "y");

  check (table, 0, FALSE,
         "NAME     CPUS  NOTE\n"
         "a           4  x\n"
         "longer  12345  y\n");
}

static void
test_what_was_not_read_is_a_dash (void)
{
  g_autoptr (JmTextTable) table = table_new ();

  add_row (table, "a", NULL, "");

  check (table, 0, FALSE,
         "NAME  CPUS  NOTE\n"
         "a        -  -\n");
}

static void
test_wide_and_combining_characters_are_aligned (void)
{
  g_autoptr (JmTextTable) table = table_new ();

  add_row (table, "計算機", "1", "x");
  add_row (table, "u\u0308ber", "2", "y");

  check (table, 0, FALSE,
         "NAME    CPUS  NOTE\n"
         "計算機     1  x\n"
         "u\u0308ber       2  y\n");
}

static void
test_hostile_text_steers_no_terminal (void)
{
  g_autoptr (JmTextTable) table = table_new ();

  add_row (table, "\033[31mred\007\n",
           "\xc2\x9b"
           "2J",
           "\xff\u202e"
           "abc");

  check (table, 0, FALSE,
         "NAME        CPUS  NOTE\n"
         "?[31mred??   ?2J  \uFFFD?abc\n");
}

static void
test_a_narrow_terminal_loses_the_last_columns (void)
{
  g_autoptr (JmTextTable) table = table_new ();

  add_row (table, "計算機", "1", "x");

  check (table, 12, FALSE, "NAME    CPUS\n計算機     1\n");
  check (table, 11, FALSE, "NAME\n計算機\n");
  check (table, 6, FALSE, "NAME\n計算機\n");
  check (table, 5, FALSE, "NAME\n計算+\n");
  check (table, 1, FALSE, "+\n+\n");
}

static void
test_words_at_the_end_are_cut_where_enough_is_left (void)
{
  static const JmTextColumn some[] = {
    { "NAME", JM_TEXT_ALIGN_LEFT },  { "READ", JM_TEXT_ALIGN_RIGHT },
    { "SENT", JM_TEXT_ALIGN_RIGHT }, { "LOST", JM_TEXT_ALIGN_RIGHT },
    { "MODEL", JM_TEXT_ALIGN_LEFT },
  };
  g_autoptr (JmTextTable) table = jm_text_table_new (some, G_N_ELEMENTS (some));

  jm_text_table_add (table, "a");
  for (guint i = 0; i < 3; i++)
    jm_text_table_add (table, "1234567890");
  jm_text_table_add (table, "a model of many words");

  check (table, 54, FALSE,
         "NAME        READ        SENT        LOST  MODEL\n"
         "a     1234567890  1234567890  1234567890  a model of +\n");
  check (table, 51, FALSE,
         "NAME        READ        SENT        LOST\n"
         "a     1234567890  1234567890  1234567890\n");
}

static void
test_a_long_name_leaves_room_on_a_terminal (void)
{
  g_autoptr (JmTextTable) table = table_new ();

  add_row (table, "計算機計算機計算機", "1", "x");

  check (table, 39, FALSE,
         "NAME           CPUS  NOTE\n"
         "計算機計算機+     1  x\n");
  check (table, 0, FALSE,
         "NAME                CPUS  NOTE\n"
         "計算機計算機計算機     1  x\n");
}

static void
test_only_titles_are_coloured (void)
{
  g_autoptr (JmTextTable) table = table_new ();

  add_row (table, "a", "1", "x");

  check (table, 6, TRUE,
         "\033[1mNAME\033[0m\n"
         "a\n");
}

static void
test_an_empty_table_is_its_titles (void)
{
  g_autoptr (JmTextTable) table = table_new ();

  g_assert_cmpuint (jm_text_table_get_n_rows (table), ==, 0);
  check (table, 0, FALSE, "NAME  CPUS  NOTE\n");
}

static void
test_a_table_without_titles_is_its_rows (void)
{
  static const JmTextColumn bare[] = { { NULL, JM_TEXT_ALIGN_LEFT },
                                       { NULL, JM_TEXT_ALIGN_LEFT } };
  g_autoptr (JmTextTable) table = jm_text_table_new (bare, G_N_ELEMENTS (bare));

  jm_text_table_set_indent (table, 2);
  jm_text_table_add (table, "User");
  jm_text_table_take (table, g_strdup ("alice"));

  check (table, 0, TRUE, "  User  alice\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cli/table/columns-are-aligned", test_columns_are_aligned);
  g_test_add_func ("/cli/table/what-was-not-read-is-a-dash",
                   test_what_was_not_read_is_a_dash);
  g_test_add_func ("/cli/table/wide-and-combining-characters-are-aligned",
                   test_wide_and_combining_characters_are_aligned);
  g_test_add_func ("/cli/table/hostile-text-steers-no-terminal",
                   test_hostile_text_steers_no_terminal);
  g_test_add_func ("/cli/table/a-narrow-terminal-loses-the-last-columns",
                   test_a_narrow_terminal_loses_the_last_columns);
  g_test_add_func ("/cli/table/words-at-the-end-are-cut-where-enough-is-left",
                   test_words_at_the_end_are_cut_where_enough_is_left);
  g_test_add_func ("/cli/table/a-long-name-leaves-room-on-a-terminal",
                   test_a_long_name_leaves_room_on_a_terminal);
  g_test_add_func ("/cli/table/only-titles-are-coloured",
                   test_only_titles_are_coloured);
  g_test_add_func ("/cli/table/an-empty-table-is-its-titles",
                   test_an_empty_table_is_its_titles);
  g_test_add_func ("/cli/table/a-table-without-titles-is-its-rows",
                   test_a_table_without_titles_is_its_rows);

  return g_test_run ();
}
