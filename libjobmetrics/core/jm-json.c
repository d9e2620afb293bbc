/* jm-json.c: JSON that a stranger wrote
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-json-private.h"

#include <math.h>
#include <string.h>

#define QUOTE_MAX 80

/* After the string that begins at @i, or @length if it does not end. */
static gsize
skip_string (const char *text, gsize length, gsize i)
{
  for (i++; i < length && text[i] != '"'; i++)
    {
      if (text[i] == '\\')
        i++;
    }

  return MIN (i + 1, length);
}

/* json-glib's parser calls itself for each level and knows no bound. It reads more than
 * JSON allows, too: comments and other quotes, within which a bracket would not count,
 * and several values, of which 1.10 makes an array that json_parser_steal_root() of an
 * immutable parser does not survive. */
static gboolean
is_safe (const char *text, gsize length)
{
  gboolean has_ended = FALSE;
  guint depth = 0;

  for (gsize i = 0; i < length; i++)
    {
      if (has_ended && !g_ascii_isspace (text[i]))
        return FALSE;
      if (text[i] == '"')
        i = skip_string (text, length, i) - 1;
      else if (strchr ("'/#`", text[i]) != NULL)
        return FALSE;
      else if (text[i] == '{' || text[i] == '[')
        depth++;
      else if ((text[i] == '}' || text[i] == ']') && depth > 0)
        has_ended = --depth == 0;

      if (depth > JM_JSON_DEPTH_MAX)
        return FALSE;
    }

  return TRUE;
}

JsonNode *
jm_json_parse (const char *text, gsize length)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();

  if (length > G_MAXSSIZE || !g_utf8_validate_len (text, length, NULL) ||
      !is_safe (text, length) ||
      !json_parser_load_from_data (parser, text, (gssize) length, NULL))
    return NULL;

  return json_parser_steal_root (parser);
}

char *
jm_json_quote (const char *text, gsize length)
{
  g_autofree char *start = g_strndup (text, MIN (length, QUOTE_MAX));
  g_autofree char *quote = g_strescape (g_strstrip (start), NULL);

  return g_strconcat (quote, length > QUOTE_MAX ? "..." : "", NULL);
}

JsonNode *
jm_json_get (JsonNode *object, const char *name)
{
  if (object == NULL || !JSON_NODE_HOLDS_OBJECT (object))
    return NULL;

  return json_object_get_member (json_node_get_object (object), name);
}

guint
jm_json_get_length (JsonNode *array)
{
  if (array == NULL || !JSON_NODE_HOLDS_ARRAY (array))
    return 0;

  return json_array_get_length (json_node_get_array (array));
}

JsonNode *
jm_json_get_element (JsonNode *array, guint i)
{
  if (i >= jm_json_get_length (array))
    return NULL;

  return json_array_get_element (json_node_get_array (array), i);
}

const char *
jm_json_get_string (JsonNode *object, const char *name)
{
  JsonNode *member = jm_json_get (object, name);

  if (member == NULL || json_node_get_value_type (member) != G_TYPE_STRING)
    return NULL;

  return json_node_get_string (member);
}

gboolean
jm_json_get_number (JsonNode *object, const char *name, double *value)
{
  JsonNode *member = jm_json_get (object, name);
  GType type = member != NULL ? json_node_get_value_type (member) : G_TYPE_INVALID;
  double number;

  if (type != G_TYPE_INT64 && type != G_TYPE_DOUBLE)
    return FALSE;

  number = json_node_get_double (member);
  if (!isfinite (number))
    return FALSE;
  *value = number;

  return TRUE;
}

gboolean
jm_json_get_boolean (JsonNode *object, const char *name, gboolean *value)
{
  JsonNode *member = jm_json_get (object, name);

  if (member == NULL || json_node_get_value_type (member) != G_TYPE_BOOLEAN)
    return FALSE;
  *value = json_node_get_boolean (member);

  return TRUE;
}

void
jm_json_add_text (JsonObject *object, const char *name, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);

  json_object_set_string_member (object, name, valid);
}

char *
jm_json_quote_member (JsonNode *object, const char *name)
{
  JsonNode *member = jm_json_get (object, name);
  g_autofree char *text = NULL;

  if (member == NULL)
    return g_strdup ("none");

  text = json_to_string (member, FALSE);

  return jm_json_quote (text, strlen (text));
}
