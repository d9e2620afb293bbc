/* jm-node-list.c: names of nodes that share their beginnings
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-node-list-private.h"

#include <string.h>

#include "base/jm-slice-private.h"

/* More than any name of a host has. */
#define NAME_MAX_LENGTH 255
#define DIGITS_MAX 9
/* `rack[1-4]node[01-40]` has two. */
#define BRACKETS_MAX 4

typedef struct
{
  GPtrArray *names;
  guint max;
  GString *name; /* as far as it is made */
} Expansion;

static gboolean
add_name (Expansion *self, JmSlice end)
{
  if (memchr (end.text, ']', end.length) != NULL || self->names->len == self->max ||
      self->name->len + end.length > NAME_MAX_LENGTH ||
      self->name->len + end.length == 0)
    return FALSE;

  g_ptr_array_add (self->names, g_strdup_printf ("%s%.*s", self->name->str,
                                                 (int) end.length, end.text));

  return TRUE;
}

static gboolean
parse_number (JmSlice text, guint *number)
{
  *number = 0;
  if (text.length == 0 || text.length > DIGITS_MAX)
    return FALSE;

  for (gsize i = 0; i < text.length; i++)
    {
      if (!g_ascii_isdigit (text.text[i]))
        return FALSE;
      *number = *number * 10 + (guint) (text.text[i] - '0');
    }

  return TRUE;
}

static gboolean expand (Expansion *self, JmSlice item, guint n_brackets);

/* `7`, or `01-10`: numbers are as wide as the first one. */
static gboolean
expand_range (Expansion *self, JmSlice range, JmSlice rest, guint n_brackets)
{
  const gsize length = self->name->len;
  gboolean is_good = TRUE;
  JmSlice word;
  guint first, last;

  if (!jm_slice_take_word (&range, '-', &word) || !parse_number (word, &first))
    return FALSE;
  last = first;
  if (range.text != NULL && (!parse_number (range, &last) || last < first))
    return FALSE;

  for (guint i = first; is_good && i <= last; i++)
    {
      g_string_append_printf (self->name, "%0*u", (int) word.length, i);
      is_good = expand (self, rest, n_brackets);
      g_string_truncate (self->name, length);
    }

  return is_good;
}

/* What stands behind the name so far. */
static gboolean
expand (Expansion *self, JmSlice item, guint n_brackets)
{
  const gsize length = self->name->len;
  gboolean is_good = TRUE;
  JmSlice before, ranges, range;

  if (memchr (item.text, '[', item.length) == NULL)
    return add_name (self, item);

  jm_slice_take_word (&item, '[', &before);
  jm_slice_take_word (&item, ']', &ranges);
  if (n_brackets == BRACKETS_MAX || item.text == NULL ||
      length + before.length > NAME_MAX_LENGTH)
    return FALSE;

  g_string_append_len (self->name, before.text, (gssize) before.length);
  while (is_good && jm_slice_take_word (&ranges, ',', &range))
    is_good = expand_range (self, range, item, n_brackets + 1);
  g_string_truncate (self->name, length);

  return is_good;
}

/* Commas stand within brackets, too. */
static gboolean
take_item (const char **rest, JmSlice *item)
{
  const char *end = *rest;
  gboolean is_inside = FALSE;

  if (*rest == NULL)
    return FALSE;

  for (; *end != '\0' && (is_inside || *end != ','); end++)
    is_inside = *end == '[' || (is_inside && *end != ']');
  *item = (JmSlice){ *rest, (gsize) (end - *rest) };
  *rest = *end == ',' ? end + 1 : NULL;

  return TRUE;
}

char **
jm_node_list_expand (const char *text, guint max)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) name = g_string_new (NULL);
  Expansion self = { names, max, name };
  const char *rest = *text != '\0' ? text : NULL;
  JmSlice item;

  while (take_item (&rest, &item))
    if (!expand (&self, item, 0))
      return NULL;
  g_ptr_array_add (names, NULL);
  g_ptr_array_set_free_func (names, NULL);

  return (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

char *
jm_node_name_shorten (const char *name)
{
  return g_ascii_strdown (name, g_hostname_is_ip_address (name)
                                  ? -1
                                  : (gssize) strcspn (name, "."));
}
