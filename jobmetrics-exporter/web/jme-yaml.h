/* jme-yaml.h: a YAML file read against a table of keys
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>
#include <yaml.h>

G_BEGIN_DECLS

typedef struct _JmeYaml JmeYaml;

/**
 * JmeYamlReader:
 * @yaml: the file
 * @key: the key whose value is read
 * @value: its value
 * @field: where to put it
 * @error: return location for an error
 */
typedef gboolean (*JmeYamlReader) (JmeYaml *yaml,
                                   const char *key,
                                   yaml_node_t *value,
                                   gpointer field,
                                   GError **error);

/**
 * JmeYamlKey:
 * @name: a key that a mapping may have
 * @read: reads its value
 * @offset: of the field in the record that is filled
 */
typedef struct
{
  const char *name;
  JmeYamlReader read;
  gsize offset;
} JmeYamlKey;

JmeYaml *
jme_yaml_parse (const char *path, const char *text, gsize length, GError **error);

void jme_yaml_free (JmeYaml *self);

yaml_node_t *jme_yaml_get_root (JmeYaml *self);

gboolean jme_yaml_is_null (const yaml_node_t *node);

guint jme_yaml_line (const yaml_node_t *node);

void jme_yaml_set_error (JmeYaml *self,
                         guint line,
                         const char *key,
                         GError **error,
                         const char *format,
                         ...) G_GNUC_PRINTF (5, 6);

gboolean jme_yaml_read_keys (JmeYaml *self,
                             const char *section,
                             yaml_node_t *mapping,
                             const JmeYamlKey *keys,
                             gsize n_keys,
                             gpointer record,
                             GError **error);

gboolean jme_yaml_read_pairs (JmeYaml *self,
                              const char *section,
                              yaml_node_t *mapping,
                              JmeYamlReader reader,
                              gpointer field,
                              GError **error);

gboolean jme_yaml_read_string (JmeYaml *self,
                               const char *key,
                               yaml_node_t *value,
                               gpointer field,
                               GError **error);

gboolean jme_yaml_read_boolean (JmeYaml *self,
                                const char *key,
                                yaml_node_t *value,
                                gpointer field,
                                GError **error);

gboolean jme_yaml_read_strings (JmeYaml *self,
                                const char *key,
                                yaml_node_t *value,
                                gpointer field,
                                GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeYaml, jme_yaml_free)

G_END_DECLS
