/* test-flat-order.c: in which lines of a table its keys stand
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/jm-flat-order-private.h"

static const JmFlatKey keys[] = {
  JM_FLAT_KEY ("anon"),
  JM_FLAT_KEY ("file"),
  JM_FLAT_KEY ("file_mapped"),
  JM_FLAT_KEY ("zswap"),
};

typedef struct
{
  JmFlatOrder order;
  gboolean whole;
  guint64 mask;
  guint64 values[G_N_ELEMENTS (keys)];
} Table;

static void
parse (Table *self, const char *text)
{
  g_autofree char *bare = g_memdup2 (text, MAX (strlen (text), 1));

  self->whole = jm_flat_order_parse (&self->order, bare, strlen (text), keys,
                                     G_N_ELEMENTS (keys), self->values, &self->mask);
}

/* Whether the keys of @text stand where @self has them. */
static gboolean
is_in_order (const Table *self, const char *text)
{
  guint64 values[G_N_ELEMENTS (keys)];
  guint64 mask;

  return jm_flat_order_take (&self->order, text, strlen (text), keys, values, &mask);
}

static void
test_takes_the_same_figures_in_the_same_order (void)
{
  Table table = { 0 };

  parse (&table, "anon 8192\nfile 4096\nkernel 300\nfile_mapped 1\nsock 0\n");
  g_assert_true (
    is_in_order (&table, "anon 1\nfile 2\nkernel x\nfile_mapped 3\ns 0\n"));

  parse (&table, "anon 10\nfile 20\nkernel 3\nfile_mapped 18446744073709551615\ns 0\n");
  g_assert_true (table.whole);
  g_assert_cmpuint (table.mask, ==, 0x7);
  g_assert_cmpuint (table.values[0], ==, 10);
  g_assert_cmpuint (table.values[1], ==, 20);
  g_assert_cmpuint (table.values[2], ==, G_MAXUINT64);
}

static void
test_looks_for_keys_that_stand_elsewhere (void)
{
  Table table = { 0 };

  parse (&table, "anon 1\nfile 2\nfile_mapped 3\n");
  parse (&table, "file_mapped 3\nfile 2\nzswap 4\nanon 1\n");
  g_assert_true (table.whole);
  g_assert_cmpuint (table.mask, ==, 0xf);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpuint (table.values[i], ==, i + 1);

  /* and finds them there the next time */
  g_assert_true (is_in_order (&table, "file_mapped 7\nfile 6\nzswap 8\nanon 5\n"));
}

static void
test_sees_that_keys_have_come_or_gone (void)
{
  static const struct
  {
    const char *text;
    guint64 mask;
  } cases[] = {
    { "anon 1\nkernel 0\nfile 2\nzswap 4\n", 0xb },
    { "anon 1\nzswap 4\nfile 2\n", 0xb },
    { "anon 1\n zswap 4\nfile 2\n", 0xb },
    { "anon 1\nfile 2\n", 0x3 },
    { "anon 1\nkernel 0\n", 0x1 },
    { "kernel 0\nkernel 0\nkernel 0\n", 0 },
    { "", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Table table = { 0 };

      parse (&table, "anon 1\nkernel 0\nfile 2\n");
      g_assert_cmpuint (table.mask, ==, 0x3);
      parse (&table, cases[i].text);
      g_assert_true (table.whole);
      g_assert_cmpuint (table.mask, ==, cases[i].mask);
    }
}

/* What was read once by a fault is not what is read ever after. */
static void
test_finds_again_what_was_garbled (void)
{
  Table table = { 0 };

  for (guint i = 0; i < 2; i++)
    {
      parse (&table, "anon 1\nfi#e 2\nfile_mapped 3\n");
      g_assert_cmpuint (table.mask, ==, 0x5);
    }

  parse (&table, "anon 1\nfile 2\nfile_mapped 3\n");
  g_assert_cmpuint (table.mask, ==, 0x7);
  g_assert_cmpuint (table.values[1], ==, 2);
}

static void
test_is_as_strict_as_looking_for_keys (void)
{
  Table table = { 0 };

  parse (&table, "anon 1\nfile 2\n");
  parse (&table, "anon -1\nfile 2\n");
  g_assert_false (table.whole);
  g_assert_cmpuint (table.mask, ==, 0x2);

  parse (&table, "anon 1\nfile 2\n");
  parse (&table, "anon 1\nfile 2");
  g_assert_true (table.whole);
  g_assert_cmpuint (table.mask, ==, 0x1);

  parse (&table, "anon 1\nfile 2\n");
  parse (&table, "anon 18446744073709551616\nfile 2\n");
  g_assert_false (table.whole);
  g_assert_cmpuint (table.mask, ==, 0x2);
}

static void
test_knows_no_order_of_a_key_that_stands_twice (void)
{
  Table table = { 0 };

  parse (&table, "anon 1\nanon 2\n");
  g_assert_cmpuint (table.values[0], ==, 2);
  g_assert_cmpuint (table.order.n_lines, ==, 0);
}

/* Which who looks for keys passes over. */
static void
test_knows_no_order_of_a_key_with_blanks_before_it (void)
{
  Table table = { 0 };

  for (guint i = 0; i < 2; i++)
    {
      parse (&table, "anon 1\n file 2\nkernel 3\n");
      g_assert_cmpuint (table.mask, ==, 0x3);
      g_assert_cmpuint (table.values[1], ==, 2);
    }
  g_assert_cmpuint (table.order.n_lines, ==, 0);
}

static void
test_knows_no_order_of_endless_tables (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Table table = { 0 };

  for (guint i = 0; i < 1000; i++)
    g_string_append (text, "kernel 1\n");
  g_string_append (text, "anon 7\n");
  parse (&table, text->str);

  g_assert_cmpuint (table.values[0], ==, 7);
  g_assert_cmpuint (table.order.n_lines, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/flat-order/takes-the-same-figures-in-the-same-order",
                   test_takes_the_same_figures_in_the_same_order);
  g_test_add_func ("/flat-order/looks-for-keys-that-stand-elsewhere",
                   test_looks_for_keys_that_stand_elsewhere);
  g_test_add_func ("/flat-order/sees-that-keys-have-come-or-gone",
                   test_sees_that_keys_have_come_or_gone);
  g_test_add_func ("/flat-order/finds-again-what-was-garbled",
                   test_finds_again_what_was_garbled);
  g_test_add_func ("/flat-order/is-as-strict-as-looking-for-keys",
                   test_is_as_strict_as_looking_for_keys);
  g_test_add_func ("/flat-order/knows-no-order-of-a-key-that-stands-twice",
                   test_knows_no_order_of_a_key_that_stands_twice);
  g_test_add_func ("/flat-order/knows-no-order-of-a-key-with-blanks-before-it",
                   test_knows_no_order_of_a_key_with_blanks_before_it);
  g_test_add_func ("/flat-order/knows-no-order-of-endless-tables",
                   test_knows_no_order_of_endless_tables);

  return g_test_run ();
}
