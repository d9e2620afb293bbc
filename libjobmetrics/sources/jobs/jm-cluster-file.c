/* jm-cluster-file.c: what the scheduler's own file calls the cluster
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-cluster-file-private.h"

#define FILE_MAX_BYTES (1024 * 1024)
#define NAME_MAX_BYTES 64

static JmSlice
trim (JmSlice text)
{
  while (text.length > 0 && g_ascii_isspace (text.text[0]))
    text = (JmSlice){ text.text + 1, text.length - 1 };
  while (text.length > 0 && g_ascii_isspace (text.text[text.length - 1]))
    text.length--;

  return text;
}

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

  name = trim ((JmSlice){ line.text, (gsize) (equals - line.text) });
  *value = unquote (
    trim ((JmSlice){ equals + 1, (gsize) (line.text + line.length - equals - 1) }));

  return name.length == strlen (key) &&
         g_ascii_strncasecmp (name.text, key, name.length) == 0 && is_name (*value);
}

static gboolean
read_first_line (JmSlice line, JmSlice *value)
{
  *value = trim (line);

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
jm_cluster_file_read (JmHost *host, char **paths, const char *key)
{
  for (guint i = 0; paths[i] != NULL; i++)
    {
      gsize length;
      g_autofree char *text =
        jm_host_read_all (host, paths[i], FILE_MAX_BYTES, &length, NULL);
      JmSlice value;

      if (text != NULL && jm_cluster_file_find (text, length, key, &value))
        return g_ascii_strdown (value.text, (gssize) value.length);
    }

  return NULL;
}
