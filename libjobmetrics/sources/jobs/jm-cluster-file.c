/* jm-cluster-file.c: what the scheduler's own file calls the cluster
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-definition-groups-private.h"

#include "base/jm-error-private.h"
#include "sources/jobs/jm-variable-names-private.h"

#define GROUP "Cluster"
#define FILE_MAX_BYTES (1024 * 1024)
#define NAME_MAX_BYTES 64

struct _JmClusterFile
{
  char **paths; /* NULL where there are none */
  char *key;    /* NULL: the first line is the name */
};

/* --- what a definition says of it --- */

JmClusterFile *
jm_cluster_file_new (void)
{
  return g_new0 (JmClusterFile, 1);
}

void
jm_cluster_file_free (JmClusterFile *self)
{
  g_strfreev (self->paths);
  g_free (self->key);
  g_free (self);
}

static gboolean
set_key (JmClusterFile *self, GKeyFile *file, GError **error)
{
  g_free (self->key);
  self->key = g_key_file_get_string (file, GROUP, "Key", error);
  if (self->key == NULL)
    return FALSE;

  return jm_is_word (self->key, "_") || jm_error_refuse (error, "not a key", self->key);
}

static gboolean
set_paths (JmClusterFile *self, GKeyFile *file, GError **error)
{
  g_strfreev (self->paths);
  self->paths = g_key_file_get_string_list (file, GROUP, "File", NULL, error);
  if (self->paths == NULL)
    return FALSE;

  for (char **path = self->paths; *path != NULL; path++)
    if (!g_path_is_absolute (*path))
      return jm_error_refuse (error, "not an absolute path", *path);

  return TRUE;
}

gboolean
jm_cluster_file_add (JmClusterFile *self,
                     GKeyFile *file,
                     const char *key,
                     GError **error)
{
  if (g_str_equal (key, "File"))
    return set_paths (self, file, error);
  if (g_str_equal (key, "Key"))
    return set_key (self, file, error);

  return jm_error_refuse (error, "unknown key", key);
}

gboolean
jm_cluster_file_check (const JmClusterFile *self, GError **error)
{
  return self->paths != NULL || self->key == NULL ||
         jm_error_refuse (error, "Cluster: File", "missing");
}

/* --- what stands in it --- */

static JmSlice
unquote (JmSlice text)
{
  if (text.length >= 2 && (text.text[0] == '"' || text.text[0] == '\'') &&
      text.text[text.length - 1] == text.text[0])
    return (JmSlice){ text.text + 1, text.length - 2 };

  return text;
}

static gboolean
is_name (JmSlice text)
{
  for (gsize i = 0; i < text.length; i++)
    if (!g_ascii_isalnum (text.text[i]) && strchr ("_.-", text.text[i]) == NULL)
      return FALSE;

  return text.length > 0 && text.length <= NAME_MAX_BYTES;
}

static gboolean
read_line (JmSlice line, const char *key, JmSlice *value)
{
  const char *comment = memchr (line.text, '#', line.length);
  const char *equals;
  JmSlice name;

  if (comment != NULL)
    line.length = (gsize) (comment - line.text);
  equals = memchr (line.text, '=', line.length);
  if (equals == NULL)
    return FALSE;

  name = jm_slice_trim ((JmSlice){ line.text, (gsize) (equals - line.text) });
  *value = unquote (jm_slice_trim (
    (JmSlice){ equals + 1, (gsize) (line.text + line.length - equals - 1) }));

  return name.length == strlen (key) &&
         g_ascii_strncasecmp (name.text, key, name.length) == 0 && is_name (*value);
}

static gboolean
read_first_line (JmSlice line, JmSlice *value)
{
  *value = jm_slice_trim (line);

  return is_name (*value);
}

gboolean
jm_cluster_file_find (const char *text, gsize length, const char *key, JmSlice *value)
{
  const char *cursor = text;
  JmSlice line;

  while (jm_parse_next_line (&cursor, text + length, &line))
    {
      if (key == NULL)
        return read_first_line (line, value);
      if (read_line (line, key, value))
        return TRUE;
    }

  return FALSE;
}

char *
jm_cluster_file_read (const JmClusterFile *self, JmHost *host)
{
  for (guint i = 0; self->paths != NULL && self->paths[i] != NULL; i++)
    {
      gsize length;
      g_autofree char *text =
        jm_host_read_all (host, self->paths[i], FILE_MAX_BYTES, &length, NULL);
      JmSlice value;

      if (text != NULL && jm_cluster_file_find (text, length, self->key, &value))
        return g_ascii_strdown (value.text, (gssize) value.length);
    }

  return NULL;
}
