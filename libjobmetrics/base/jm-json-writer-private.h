/* jm-json-writer-private.h: JSON that is written value by value
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef enum
{
  JM_JSON_COMPACT, /* {"a":1,"b":2} */
  JM_JSON_SPACED,  /* {"a": 1, "b": 2} */
  JM_JSON_PRETTY,  /* for people: a line for each value, indented */
} JmJsonLayout;

/* JmJsonWriter:
 * @out: the text that is written to, at its end
 * @layout: the space between values
 * @is_ascii: whether other characters than those of ASCII are escaped
 * @depth: objects and arrays that have begun and not ended
 *
 * The writer keeps no tree, and no state but its depth: the last byte of @out shows
 * whether a value needs a comma. Several writers may share a text, one after the other.
 */
typedef struct
{
  GString *out;
  JmJsonLayout layout;
  gboolean is_ascii;
  guint depth;
} JmJsonWriter;

/* Each writes a member of the object that was begun last; an element of an array, or
 * the whole value, where @name is NULL. */
void jm_json_writer_begin_object (JmJsonWriter *self, const char *name);
void jm_json_writer_end_object (JmJsonWriter *self);
void jm_json_writer_begin_array (JmJsonWriter *self, const char *name);
void jm_json_writer_end_array (JmJsonWriter *self);

/* Null for NULL; U+FFFD for each byte that is not UTF-8. Characters that could steer a
 * terminal are escaped. */
void jm_json_writer_add_text (JmJsonWriter *self, const char *name, const char *text);

/* The same, but nothing for NULL. */
void
jm_json_writer_add_known_text (JmJsonWriter *self, const char *name, const char *text);

void jm_json_writer_add_boolean (JmJsonWriter *self, const char *name, gboolean value);
void jm_json_writer_add_int (JmJsonWriter *self, const char *name, gint64 value);

/* The fewest digits that read back as the same number; null for what is not finite. */
void jm_json_writer_add_double (JmJsonWriter *self, const char *name, double value);

/* Text that is JSON already. */
void jm_json_writer_add_json (JmJsonWriter *self, const char *name, const char *json);

/* Returns: (transfer none): where the caller appends one value as JSON */
GString *jm_json_writer_begin_value (JmJsonWriter *self, const char *name);

/* The next value begins a line, where it is not the first of its object or array, nor
 * begins one already. */
void jm_json_writer_break_line (JmJsonWriter *self);

/* Ends an object that was begun where @out had @length. An empty one is removed. */
void jm_json_writer_end_filled_object (JmJsonWriter *self, gsize length);

/* Any JSON as text, with the numbers and escapes of above; @pretty breaks and indents
 * lines. */
char *jm_json_format (JsonNode *node, gboolean pretty);

G_END_DECLS
