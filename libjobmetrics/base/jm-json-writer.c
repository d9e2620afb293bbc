/* jm-json-writer.c: JSON that is written value by value
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-json-writer-private.h"

#include <math.h>
#include <string.h>

#include "base/jm-number-private.h"
#include "base/jm-safe-text-private.h"

#define INDENT 2
#define REPLACEMENT 0xfffd

/* What has no place in the first plane is written as two surrogates, see RFC 8259. */
#define PLANE 0x10000
#define HIGH 0xd800
#define LOW 0xdc00
#define SURROGATE_BITS 10

/* --- strings --- */

static void
append_escaped (GString *out, gunichar c)
{
  /* each letter stands for the character at its place */
  static const char characters[] = "\"\\\b\f\n\r\t";
  static const char letters[] = "\"\\bfnrt";
  const char *at = c < 0x80 ? strchr (characters, (int) c) : NULL;

  if (at != NULL)
    g_string_append_printf (out, "\\%c", letters[at - characters]);
  else if (c < PLANE)
    g_string_append_printf (out, "\\u%04x", c);
  else
    g_string_append_printf (out, "\\u%04x\\u%04x",
                            HIGH + ((c - PLANE) >> SURROGATE_BITS),
                            LOW + (c & ((1u << SURROGATE_BITS) - 1)));
}

static gboolean
is_plain (char c)
{
  return g_ascii_isprint (c) && c != '"' && c != '\\';
}

static void
append_string (JmJsonWriter *self, const char *text)
{
  g_string_append_c (self->out, '"');
  while (*text != '\0')
    {
      const char *end = text;
      gunichar c;

      while (is_plain (*end))
        end++;
      g_string_append_len (self->out, text, end - text);
      text = end;
      if (*text == '\0')
        break;

      c = g_utf8_get_char_validated (text, -1);
      text = g_unichar_validate (c) ? g_utf8_next_char (text) : text + 1;
      if (!g_unichar_validate (c))
        c = REPLACEMENT;
      if (c >= 0x80 && !self->is_ascii && jm_safe_text_has (c))
        g_string_append_unichar (self->out, c);
      else
        append_escaped (self->out, c);
    }
  g_string_append_c (self->out, '"');
}

/* --- values --- */

static gboolean
ends_with_one_of (const JmJsonWriter *self, const char *bytes)
{
  return self->out->len == 0 || strchr (bytes, self->out->str[self->out->len - 1]);
}

static void
indent (JmJsonWriter *self)
{
  g_string_append_c (self->out, '\n');
  for (guint i = 0; i < self->depth * INDENT; i++)
    g_string_append_c (self->out, ' ');
}

GString *
jm_json_writer_begin_value (JmJsonWriter *self, const char *name)
{
  /* a value does not end with these */
  if (!ends_with_one_of (self, "{[: \n"))
    g_string_append (self->out, self->layout == JM_JSON_SPACED ? ", " : ",");
  if (self->layout == JM_JSON_PRETTY && self->depth > 0)
    indent (self);
  if (name == NULL)
    return self->out;

  append_string (self, name);
  g_string_append (self->out, self->layout == JM_JSON_COMPACT ? ":" : ": ");

  return self->out;
}

static void
begin_bracket (JmJsonWriter *self, const char *name, char bracket)
{
  g_string_append_c (jm_json_writer_begin_value (self, name), bracket);
  self->depth++;
}

static void
end_bracket (JmJsonWriter *self, char bracket)
{
  self->depth--;
  if (self->layout == JM_JSON_PRETTY && !ends_with_one_of (self, "{["))
    indent (self);
  g_string_append_c (self->out, bracket);
}

void
jm_json_writer_begin_object (JmJsonWriter *self, const char *name)
{
  begin_bracket (self, name, '{');
}

void
jm_json_writer_end_object (JmJsonWriter *self)
{
  end_bracket (self, '}');
}

void
jm_json_writer_begin_array (JmJsonWriter *self, const char *name)
{
  begin_bracket (self, name, '[');
}

void
jm_json_writer_end_array (JmJsonWriter *self)
{
  end_bracket (self, ']');
}

void
jm_json_writer_end_filled_object (JmJsonWriter *self, gsize length)
{
  if (ends_with_one_of (self, "{"))
    {
      self->depth--;
      g_string_truncate (self->out, length);
    }
  else
    jm_json_writer_end_object (self);
}

void
jm_json_writer_add_json (JmJsonWriter *self, const char *name, const char *json)
{
  g_string_append (jm_json_writer_begin_value (self, name), json);
}

void
jm_json_writer_add_text (JmJsonWriter *self, const char *name, const char *text)
{
  GString *out = jm_json_writer_begin_value (self, name);

  if (text != NULL)
    append_string (self, text);
  else
    g_string_append (out, "null");
}

void
jm_json_writer_add_known_text (JmJsonWriter *self, const char *name, const char *text)
{
  if (text != NULL)
    jm_json_writer_add_text (self, name, text);
}

void
jm_json_writer_add_boolean (JmJsonWriter *self, const char *name, gboolean value)
{
  jm_json_writer_add_json (self, name, value ? "true" : "false");
}

void
jm_json_writer_add_int (JmJsonWriter *self, const char *name, gint64 value)
{
  GString *out = jm_json_writer_begin_value (self, name);

  if (value < 0)
    g_string_append_c (out, '-');
  jm_number_append_uint64 (out, value < 0 ? -(guint64) value : (guint64) value);
}

void
jm_json_writer_add_double (JmJsonWriter *self, const char *name, double value)
{
  GString *out = jm_json_writer_begin_value (self, name);

  if (isfinite (value))
    jm_number_append_double (out, value);
  else
    g_string_append (out, "null");
}

void
jm_json_writer_break_line (JmJsonWriter *self)
{
  if (!ends_with_one_of (self, "{[\n"))
    g_string_append (self->out, ",\n");
}

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

char *
jm_json_format (JsonNode *node, gboolean pretty)
{
  JmJsonWriter writer = { .layout = pretty ? JM_JSON_PRETTY : JM_JSON_COMPACT };

  g_return_val_if_fail (node != NULL, NULL);

  writer.out = g_string_new (NULL);
  write_node (&writer, NULL, node);

  return g_string_free (writer.out, FALSE);
}
