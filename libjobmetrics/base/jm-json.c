/* jm-json.c: JSON that a stranger wrote
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-json-private.h"

#include <math.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#include "base/jm-safe-text-private.h"
#include "base/jm-slice-private.h"

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

/* Of text that is UTF-8. */
static gboolean
has_unsafe_characters (const char *text, gsize length)
{
  for (const char *at = text; at < text + length; at = g_utf8_next_char (at))
    if ((guchar) *at >= 0x7f && !jm_safe_text_has (g_utf8_get_char (at)))
      return TRUE;

  return FALSE;
}

gboolean
jm_json_may_be_passed_on (const char *text, gsize length)
{
  yajl_handle parser = yajl_alloc (NULL, NULL, NULL);
  gboolean is_strict =
    yajl_parse (parser, (const guchar *) text, length) == yajl_status_ok &&
    yajl_complete_parse (parser) == yajl_status_ok;

  yajl_free (parser);

  return is_strict && !has_unsafe_characters (text, length);
}

static gsize
skip_spaces (const char *text, gsize length, gsize i)
{
  while (i < length && g_ascii_isspace (text[i]))
    i++;

  return i;
}

/* After the value that begins at @i, where a comma or a bracket ends it. */
static gsize
skip_value (const char *text, gsize length, gsize i)
{
  gsize depth = 0;

  while (i < length)
    {
      if (text[i] == '"')
        {
          i = skip_string (text, length, i);
          continue;
        }
      if (depth == 0 && strchr (",]}", text[i]) != NULL && text[i] != '\0')
        break;
      if (text[i] == '{' || text[i] == '[')
        depth++;
      else if (text[i] == '}' || text[i] == ']')
        depth--;
      i++;
    }

  return i;
}

/* Where the value of the member begins, or @length. */
static gsize
find_member (const char *text, gsize length, const char *name)
{
  const gsize name_length = strlen (name);
  gsize i = skip_spaces (text, length, 0);

  while (i < length && (text[i] == '{' || text[i] == ','))
    {
      gsize start = skip_spaces (text, length, i + 1);
      gsize end = start < length && text[start] == '"'
                    ? skip_string (text, length, start)
                    : length;
      gsize colon = skip_spaces (text, length, end);

      if (colon == length || text[colon] != ':')
        return length;
      i = skip_spaces (text, length, colon + 1);
      if (end - start == name_length + 2 &&
          strncmp (text + start + 1, name, name_length) == 0)
        return i;
      i = skip_value (text, length, i);
    }

  return length;
}

gboolean
jm_json_cut_array (const char *text,
                   gsize length,
                   const char *name,
                   GArray *elements,
                   GString *rest)
{
  gsize start = find_member (text, length, name);
  gsize i = start;

  if (start == length || text[start] != '[')
    return FALSE;

  do
    {
      gsize begin = skip_spaces (text, length, i + 1);
      JmSlice element = { text + begin };

      i = skip_value (text, length, begin);
      element.length = i - begin;
      while (element.length > 0 && g_ascii_isspace (element.text[element.length - 1]))
        element.length--;
      if (i < length && (element.length > 0 || elements->len > 0 || text[i] == ','))
        g_array_append_val (elements, element);
    }
  while (i < length && text[i] == ',');
  if (i == length || text[i] != ']')
    return FALSE;

  g_string_append_len (rest, text, (gssize) start + 1);
  g_string_append_len (rest, text + i, (gssize) (length - i));

  return TRUE;
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
