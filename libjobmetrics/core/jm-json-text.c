/* jm-json-text.c: JSON as text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-json-text.h"

#include "base/jm-json-writer-private.h"

static void write_node (JmJsonWriter *writer, const char *name, JsonNode *node);

static void
write_object (JmJsonWriter *writer, const char *name, JsonObject *object)
{
  JsonObjectIter iter;
  const char *member;
  JsonNode *node;

  jm_json_writer_begin_object (writer, name);
  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &member, &node))
    write_node (writer, member, node);
  jm_json_writer_end_object (writer);
}

static void
write_array (JmJsonWriter *writer, const char *name, JsonArray *array)
{
  guint n = json_array_get_length (array);

  jm_json_writer_begin_array (writer, name);
  for (guint i = 0; i < n; i++)
    write_node (writer, NULL, json_array_get_element (array, i));
  jm_json_writer_end_array (writer);
}

static void
write_node (JmJsonWriter *writer, const char *name, JsonNode *node)
{
  GType type = json_node_get_value_type (node);

  if (JSON_NODE_HOLDS_OBJECT (node))
    write_object (writer, name, json_node_get_object (node));
  else if (JSON_NODE_HOLDS_ARRAY (node))
    write_array (writer, name, json_node_get_array (node));
  else if (type == G_TYPE_INT64)
    jm_json_writer_add_int (writer, name, json_node_get_int (node));
  else if (type == G_TYPE_DOUBLE)
    jm_json_writer_add_double (writer, name, json_node_get_double (node));
  else if (type == G_TYPE_BOOLEAN)
    jm_json_writer_add_boolean (writer, name, json_node_get_boolean (node));
  else
    jm_json_writer_add_text (writer, name, json_node_get_string (node));
}

/**
 * jm_json_to_string:
 * @node: what jm_json_encode_snapshot() or jm_json_encode_job() has made, or any JSON
 * @pretty: whether to break and indent lines, for people
 *
 * Writes JSON. Unlike json_to_string(), it gives numbers the fewest digits that read
 * back as the same, and escapes what could steer a terminal: control characters, marks
 * of writing direction, and characters that are not assigned. A number that is not
 * finite is null, and a byte that is not UTF-8 is U+FFFD.
 *
 * Returns: (transfer full): the text
 * Since: 0.1
 */
char *
jm_json_to_string (JsonNode *node, gboolean pretty)
{
  JmJsonWriter writer = { .layout = pretty ? JM_JSON_PRETTY : JM_JSON_COMPACT };

  g_return_val_if_fail (node != NULL, NULL);

  writer.out = g_string_new (NULL);
  write_node (&writer, NULL, node);

  return g_string_free (writer.out, FALSE);
}
