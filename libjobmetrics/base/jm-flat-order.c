/* jm-flat-order.c: in which lines of a table its keys stand
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-flat-order-private.h"

#define LINES_MAX G_MAXUINT8

static gboolean
is_key (JmSlice word, const JmFlatKey *key)
{
  return word.length == key->length && memcmp (word.text, key->name, key->length) == 0;
}

/* Whether a key that was missing has come to a line. */
static gboolean
has_come (const JmFlatOrder *self, JmSlice line, const JmFlatKey *keys)
{
  const char *cursor = line.text;
  JmSlice word;

  if (self->missing == 0 ||
      !jm_parse_next_word (&cursor, line.text + line.length, &word))
    return FALSE;

  for (guint i = 0; i < JM_FLAT_ORDER_KEYS_MAX; i++)
    if ((self->missing >> i & 1) != 0 && is_key (word, &keys[i]))
      return TRUE;

  return FALSE;
}

static gboolean
skip_lines (const JmFlatOrder *self,
            const char **cursor,
            const char *end,
            guint n,
            const JmFlatKey *keys)
{
  for (guint i = 0; i < n; i++)
    {
      JmSlice line;

      if (!jm_parse_next_whole_line (cursor, end, &line) || has_come (self, line, keys))
        return FALSE;
    }

  return TRUE;
}

/* A line that is the key, one blank and a number. */
static gboolean
take_line (const char **cursor, const char *end, const JmFlatKey *key, guint64 *value)
{
  const char *p = *cursor;

  if ((gsize) (end - p) <= key->length || memcmp (p, key->name, key->length) != 0 ||
      p[key->length] != ' ')
    return FALSE;

  p += key->length;
  if (!jm_parse_next_uint64 (&p, end, value) || p == end || *p != '\n')
    return FALSE;

  *cursor = p + 1;
  return TRUE;
}

/**
 * jm_flat_order_take: (skip)
 * @self: an order
 * @text: the whole text
 * @length: of @text
 * @keys: (array): the keys of the order
 * @values: (out caller-allocates): what was found; not to be used where it fails
 * @found_mask: (out): bit n is set where @values [n] was found
 *
 * Reads a table whose order is known.
 *
 * Returns: whether it is in that order still, to the last line, and no other key has
 *   come
 */
gboolean
jm_flat_order_take (const JmFlatOrder *self,
                    const char *text,
                    gsize length,
                    const JmFlatKey *keys,
                    guint64 *values,
                    guint64 *found_mask)
{
  const char *cursor = text;
  const char *end = text + length;
  guint line = 0;

  *found_mask = 0;
  for (guint i = 0; i < self->n_keys; i++)
    {
      guint key = self->keys[i];

      if (!skip_lines (self, &cursor, end, self->lines[i] - line, keys) ||
          !take_line (&cursor, end, &keys[key], &values[key]))
        return FALSE;

      line = self->lines[i] + 1;
      *found_mask |= G_GUINT64_CONSTANT (1) << key;
    }

  return skip_lines (self, &cursor, end, self->n_lines - line, keys) && cursor == end;
}

/* Which key a line is of, as jm_parse_flat_keyed() finds it; @n_keys for none.
 * @is_first: whether it is what the line begins with. */
static guint
find_key (JmSlice line, const JmFlatKey *keys, guint n_keys, gboolean *is_first)
{
  const char *cursor = line.text;
  JmSlice word;

  if (!jm_parse_next_word (&cursor, line.text + line.length, &word))
    return n_keys;

  *is_first = word.text == line.text;
  for (guint i = 0; i < n_keys; i++)
    if (is_key (word, &keys[i]))
      return i;

  return n_keys;
}

/* What is too long, has a key twice, or blanks before one, has no order. */
static void
learn (JmFlatOrder *self,
       const char *text,
       gsize length,
       const JmFlatKey *keys,
       guint n_keys)
{
  JmFlatOrder order = { 0 };
  const char *cursor = text;
  const char *end = text + length;
  guint64 seen = 0;
  JmSlice line;

  *self = order;
  while (jm_parse_next_whole_line (&cursor, end, &line))
    {
      gboolean is_first = TRUE;
      guint key = find_key (line, keys, n_keys, &is_first);

      if (order.n_lines == LINES_MAX || (seen >> key & 1) != 0 ||
          (key < n_keys && !is_first))
        return;
      if (key < n_keys)
        {
          seen |= G_GUINT64_CONSTANT (1) << key;
          order.lines[order.n_keys] = order.n_lines;
          order.keys[order.n_keys++] = (guint8) key;
        }
      order.n_lines++;
    }

  order.missing = (guint16) (~seen & ((G_GUINT64_CONSTANT (1) << n_keys) - 1));
  *self = order;
}

/**
 * jm_flat_order_parse: (skip)
 * @self: (inout): the order of the table; learned anew where it has changed
 * @text: the whole text
 * @length: of @text
 * @keys: (array length=n_keys): the keys wanted
 * @n_keys: how many
 * @values: (out caller-allocates) (array length=n_keys): what was found
 * @found_mask: (out): bit n is set where @values [n] was found
 *
 * Reads a table as jm_parse_flat_keyed() does, to the same figures.
 *
 * Returns: whether each wanted key that is there had a number
 */
gboolean
jm_flat_order_parse (JmFlatOrder *self,
                     const char *text,
                     gsize length,
                     const JmFlatKey *keys,
                     guint n_keys,
                     guint64 *values,
                     guint64 *found_mask)
{
  if (self->n_lines > 0 &&
      jm_flat_order_take (self, text, length, keys, values, found_mask))
    return TRUE;

  *self = (JmFlatOrder){ 0 };
  if (!jm_parse_flat_keyed (text, length, keys, n_keys, values, found_mask))
    return FALSE;

  if (n_keys <= JM_FLAT_ORDER_KEYS_MAX)
    learn (self, text, length, keys, n_keys);
  return TRUE;
}
