/* jm-json-text.c: JSON as text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-json-text.h"

#include <math.h>

#include "core/jm-number-private.h"
#include "core/jm-safe-text-private.h"

#define INDENT 2

typedef struct
{
  GString *out;
  gboolean is_pretty;
  guint depth;
} Printer;

static void print_node (Printer *self, JsonNode *node);

static void
break_line (Printer *self)
{
  if (!self->is_pretty)
    return;

  g_string_append_c (self->out, '\n');
  for (guint i = 0; i < self->depth * INDENT; i++)
    g_string_append_c (self->out, ' ');
}

/* Begins a new element of what holds others. */
static void
begin_element (Printer *self, gboolean is_first)
{
  if (!is_first)
    g_string_append_c (self->out, ',');
  break_line (self);
}

static void
begin_bracket (Printer *self, char bracket)
{
  g_string_append_c (self->out, bracket);
  self->depth++;
}

static void
end_bracket (Printer *self, char bracket, gboolean is_empty)
{
  self->depth--;
  if (!is_empty)
    break_line (self);
  g_string_append_c (self->out, bracket);
}

/* json-glib would write 12.345678901 as 12.345678900999999, and take its time. */
static gboolean
print_number (Printer *self, JsonNode *node)
{
  GType type = json_node_get_value_type (node);

  if (type == G_TYPE_INT64 && json_node_get_int (node) >= 0)
    jm_number_append_uint64 (self->out, (guint64) json_node_get_int (node));
  else if (type == G_TYPE_DOUBLE && isfinite (json_node_get_double (node)))
    jm_number_append_double (self->out, json_node_get_double (node));
  else
    return FALSE;

  return TRUE;
}

/* Names, and most of what they stand for, have nothing to escape. */
static gboolean
is_plain (const char *string)
{
  for (; *string != '\0'; string++)
    if (!g_ascii_isprint (*string) || *string == '"' || *string == '\\')
      return FALSE;

  return TRUE;
}

static gboolean
print_plain_string (Printer *self, const char *string)
{
  if (!is_plain (string))
    return FALSE;

  g_string_append_c (self->out, '"');
  g_string_append (self->out, string);
  g_string_append_c (self->out, '"');

  return TRUE;
}

static void
print_scalar (Printer *self, JsonNode *node)
{
  g_autofree char *text = NULL;

  if (print_number (self, node) ||
      (json_node_get_value_type (node) == G_TYPE_STRING &&
       print_plain_string (self, json_node_get_string (node))))
    return;

  text = json_to_string (node, FALSE);
  jm_safe_text_append_json (self->out, text);
}

static void
print_name (Printer *self, const char *string)
{
  g_autoptr (JsonNode) node = NULL;

  if (print_plain_string (self, string))
    return;

  node = json_node_init_string (json_node_alloc (), string);
  print_scalar (self, node);
}

static void
print_object (Printer *self, JsonObject *object)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;
  gboolean is_first = TRUE;

  begin_bracket (self, '{');
  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, &node))
    {
      begin_element (self, is_first);
      print_name (self, name);
      g_string_append (self->out, self->is_pretty ? ": " : ":");
      print_node (self, node);
      is_first = FALSE;
    }
  end_bracket (self, '}', is_first);
}

static void
print_array (Printer *self, JsonArray *array)
{
  guint n = json_array_get_length (array);

  begin_bracket (self, '[');
  for (guint i = 0; i < n; i++)
    {
      begin_element (self, i == 0);
      print_node (self, json_array_get_element (array, i));
    }
  end_bracket (self, ']', n == 0);
}

static void
print_node (Printer *self, JsonNode *node)
{
  if (JSON_NODE_HOLDS_OBJECT (node))
    print_object (self, json_node_get_object (node));
  else if (JSON_NODE_HOLDS_ARRAY (node))
    print_array (self, json_node_get_array (node));
  else
    print_scalar (self, node);
}

/**
 * jm_json_to_string:
 * @node: what jm_json_encode_snapshot() or jm_json_encode_job() has made, or any JSON
 * @pretty: whether to break and indent lines, for people
 *
 * Writes JSON. Unlike json_to_string(), it gives numbers the fewest digits that read
 * back as the same, and escapes what could steer a terminal: control characters, marks
 * of writing direction, and characters that nobody has assigned.
 *
 * Returns: (transfer full): the text
 * Since: 0.1
 */
char *
jm_json_to_string (JsonNode *node, gboolean pretty)
{
  Printer printer = { NULL, pretty, 0 };

  g_return_val_if_fail (node != NULL, NULL);

  printer.out = g_string_new (NULL);
  print_node (&printer, node);

  return g_string_free (printer.out, FALSE);
}
