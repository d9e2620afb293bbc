/* jme-yaml.c: a YAML file read against a table of keys
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-yaml.h"

#include <string.h>

#include "base/jm-error.h"

/* libyaml's time grows with the square of these. */
#define COSTLY_CHARACTERS "[{&*"
#define MAX_COSTLY 1000

struct _JmeYaml
{
  char *path;
  yaml_document_t document;
};

typedef struct
{
  const char *section;
  const JmeYamlKey *keys;
  gsize n_keys;
  gpointer record;
} Table;

static void
set_parser_error (const char *path, const yaml_parser_t *parser, GError **error)
{
  gsize line = parser->problem_mark.line + 1;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
               "%s:%" G_GSIZE_FORMAT ": not YAML: %s", path, line,
               parser->problem != NULL ? parser->problem : "out of memory");
}

static gboolean
is_too_costly (const char *text, gsize length)
{
  guint n = 0;

  for (gsize i = 0; i < length; i++)
    n += text[i] != '\0' && strchr (COSTLY_CHARACTERS, text[i]) != NULL;

  return n > MAX_COSTLY;
}

static gboolean
is_at_end (yaml_parser_t *parser)
{
  yaml_document_t next;
  gboolean is_last;

  if (!yaml_parser_load (parser, &next))
    return FALSE;

  is_last = yaml_document_get_root_node (&next) == NULL;
  yaml_document_delete (&next);

  return is_last;
}

static gboolean
load_one_document (JmeYaml *self, yaml_parser_t *parser, GError **error)
{
  if (!yaml_parser_load (parser, &self->document))
    {
      set_parser_error (self->path, parser, error);
      return FALSE;
    }

  /* Past the end of the stream libyaml must not be asked again. */
  if (jme_yaml_get_root (self) == NULL || is_at_end (parser))
    return TRUE;

  if (parser->error != YAML_NO_ERROR)
    set_parser_error (self->path, parser, error);
  else
    g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: more than one YAML document",
                 self->path);
  return FALSE;
}

/**
 * jme_yaml_parse:
 * @path: what messages call the file
 * @text: (array length=length): what it holds
 * @length: how many bytes
 * @error: return location for an error
 *
 * - Shape: one document; an empty one has no root.
 * - Errors: `INVALID`, with the line, when it is not YAML, or has more brackets,
 *   anchors and aliases than a file for people.
 *
 * Returns: (transfer full): the document
 */
JmeYaml *
jme_yaml_parse (const char *path, const char *text, gsize length, GError **error)
{
  g_autoptr (JmeYaml) self = g_new0 (JmeYaml, 1);
  yaml_parser_t parser;
  gboolean is_good;

  self->path = g_strdup (path);
  if (is_too_costly (text, length))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "%s: more than %d of " COSTLY_CHARACTERS, path, MAX_COSTLY);
      return NULL;
    }

  if (!yaml_parser_initialize (&parser))
    g_error ("out of memory");

  yaml_parser_set_input_string (&parser, (const unsigned char *) text, length);
  is_good = load_one_document (self, &parser, error);
  yaml_parser_delete (&parser);

  return is_good ? g_steal_pointer (&self) : NULL;
}

void
jme_yaml_free (JmeYaml *self)
{
  yaml_document_delete (&self->document);
  g_free (self->path);
  g_free (self);
}

yaml_node_t *
jme_yaml_get_root (JmeYaml *self)
{
  return yaml_document_get_root_node (&self->document);
}

guint
jme_yaml_line (const yaml_node_t *node)
{
  return (guint) MIN (node->start_mark.line + 1, G_MAXUINT);
}

/**
 * jme_yaml_set_error:
 * @self: the file
 * @line: the line at fault, or 0
 * @key: (nullable): the key at fault
 * @error: return location for an error
 * @format: what is wrong; never with a secret's value
 */
void
jme_yaml_set_error (JmeYaml *self,
                    guint line,
                    const char *key,
                    GError **error,
                    const char *format,
                    ...)
{
  g_autofree char *problem = NULL;
  g_autofree char *safe_key = key != NULL ? g_strescape (key, NULL) : NULL;
  va_list args;

  va_start (args, format);
  problem = g_strdup_vprintf (format, args);
  va_end (args);

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s:%u: %.80s%s%s", self->path, line,
               safe_key != NULL ? safe_key : "", safe_key != NULL ? ": " : "", problem);
}

/* `key:` with nothing behind it, which YAML calls null. */
gboolean
jme_yaml_is_null (const yaml_node_t *node)
{
  const char *text = (const char *) node->data.scalar.value;

  return node->type == YAML_SCALAR_NODE &&
         node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
         (*text == '\0' || g_str_equal (text, "~") || g_str_equal (text, "null"));
}

static gboolean
is_plain (const yaml_node_t *node, yaml_node_type_t type, const char *tag)
{
  return node->type == type &&
         (node->tag == NULL || g_str_equal ((const char *) node->tag, tag));
}

static const char *
scalar_text (JmeYaml *self, const char *key, yaml_node_t *node, GError **error)
{
  const char *text;

  if (!is_plain (node, YAML_SCALAR_NODE, YAML_STR_TAG))
    {
      jme_yaml_set_error (self, jme_yaml_line (node), key, error, "must be one value");
      return NULL;
    }

  text = (const char *) node->data.scalar.value;
  if (strlen (text) != node->data.scalar.length)
    {
      jme_yaml_set_error (self, jme_yaml_line (node), key, error, "holds a NUL byte");
      return NULL;
    }

  return text;
}

static gboolean
read_pair (JmeYaml *self,
           const char *section,
           yaml_node_pair_t *pair,
           GHashTable *seen,
           JmeYamlReader reader,
           gpointer field,
           GError **error)
{
  yaml_node_t *key_node = yaml_document_get_node (&self->document, pair->key);
  yaml_node_t *value = yaml_document_get_node (&self->document, pair->value);
  const char *key = scalar_text (self, section, key_node, error);

  if (key == NULL)
    return FALSE;

  if (!g_hash_table_add (seen, (gpointer) key))
    {
      jme_yaml_set_error (self, jme_yaml_line (key_node), key, error, "is there twice");
      return FALSE;
    }

  return reader (self, key, value, field, error);
}

/**
 * jme_yaml_read_pairs:
 * @self: the file
 * @section: (nullable): the mapping's name, for messages
 * @mapping: the mapping; null counts as an empty one
 * @reader: called for each pair
 * @field: handed to @reader
 * @error: return location for an error
 */
gboolean
jme_yaml_read_pairs (JmeYaml *self,
                     const char *section,
                     yaml_node_t *mapping,
                     JmeYamlReader reader,
                     gpointer field,
                     GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  if (jme_yaml_is_null (mapping))
    return TRUE;

  if (!is_plain (mapping, YAML_MAPPING_NODE, YAML_MAP_TAG))
    {
      jme_yaml_set_error (self, jme_yaml_line (mapping), section, error,
                          "must be keys with values");
      return FALSE;
    }

  for (yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
       pair < mapping->data.mapping.pairs.top; pair++)
    if (!read_pair (self, section, pair, seen, reader, field, error))
      return FALSE;

  return TRUE;
}

static gboolean
read_known_key (JmeYaml *self,
                const char *key,
                yaml_node_t *value,
                gpointer field,
                GError **error)
{
  const Table *table = field;

  for (gsize i = 0; i < table->n_keys; i++)
    if (g_str_equal (key, table->keys[i].name))
      return table->keys[i].read (self, key, value,
                                  (char *) table->record + table->keys[i].offset,
                                  error);

  jme_yaml_set_error (self, jme_yaml_line (value), key, error, "unknown key%s%s",
                      table->section != NULL ? " in " : "",
                      table->section != NULL ? table->section : "");
  return FALSE;
}

/**
 * jme_yaml_read_keys:
 * @self: the file
 * @section: (nullable): the mapping's name, for messages
 * @mapping: the mapping; null counts as an empty one
 * @keys: (array length=n_keys): the keys that it may have
 * @n_keys: how many
 * @record: the record to fill
 * @error: return location for an error
 *
 * - Errors: `INVALID` for an unknown key, a key that is there twice, a wrong value.
 */
gboolean
jme_yaml_read_keys (JmeYaml *self,
                    const char *section,
                    yaml_node_t *mapping,
                    const JmeYamlKey *keys,
                    gsize n_keys,
                    gpointer record,
                    GError **error)
{
  Table table = { section, keys, n_keys, record };

  return jme_yaml_read_pairs (self, section, mapping, read_known_key, &table, error);
}

/* @field is a `char *`, left alone by null and by the empty string. */
gboolean
jme_yaml_read_string (JmeYaml *self,
                      const char *key,
                      yaml_node_t *value,
                      gpointer field,
                      GError **error)
{
  const char *text = scalar_text (self, key, value, error);
  char **string = field;

  if (text == NULL)
    return FALSE;

  if (!jme_yaml_is_null (value) && *text != '\0')
    *string = g_strdup (text);

  return TRUE;
}

/* @field is a `gboolean`, left alone by null. */
gboolean
jme_yaml_read_boolean (JmeYaml *self,
                       const char *key,
                       yaml_node_t *value,
                       gpointer field,
                       GError **error)
{
  static const char *const yes[] = { "true", "yes", "on", NULL };
  static const char *const no[] = { "false", "no", "off", NULL };
  const char *text = scalar_text (self, key, value, error);
  g_autofree char *lower = NULL;
  gboolean *boolean = field;

  if (text == NULL)
    return FALSE;
  if (jme_yaml_is_null (value))
    return TRUE;

  lower = g_ascii_strdown (text, -1);
  *boolean = g_strv_contains (yes, lower);
  if (*boolean || g_strv_contains (no, lower))
    return TRUE;

  jme_yaml_set_error (self, jme_yaml_line (value), key, error,
                      "neither true nor false: %.80s", text);
  return FALSE;
}

/* @field is a `char **`, left alone by null. */
gboolean
jme_yaml_read_strings (JmeYaml *self,
                       const char *key,
                       yaml_node_t *value,
                       gpointer field,
                       GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  char ***strings = field;

  if (jme_yaml_is_null (value))
    return TRUE;

  if (!is_plain (value, YAML_SEQUENCE_NODE, YAML_SEQ_TAG))
    {
      jme_yaml_set_error (self, jme_yaml_line (value), key, error, "must be a list");
      return FALSE;
    }

  for (yaml_node_item_t *item = value->data.sequence.items.start;
       item < value->data.sequence.items.top; item++)
    {
      yaml_node_t *node = yaml_document_get_node (&self->document, *item);
      const char *text = scalar_text (self, key, node, error);

      if (text == NULL)
        return FALSE;
      g_strv_builder_add (builder, text);
    }
  *strings = g_strv_builder_end (builder);

  return TRUE;
}
