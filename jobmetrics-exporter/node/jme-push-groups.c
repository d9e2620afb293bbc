/* jme-push-groups.c: which groups of a gateway are this exporter's
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-push-groups.h"

#include <string.h>

#include "host/jm-data-private.h"

#define FILE_MAX_BYTES (1024 * 1024)
#define GROUPS_MAX 10000
#define ID_MAX_BYTES 1024

struct _JmePushGroups
{
  char *path; /* NULL where nothing is kept */
  GHashTable *ids;
};

/* --- URLs --- */

/* Escaped or not, a slash ends the value; an empty one is not there at all. */
static gboolean
needs_base64 (const char *value)
{
  return *value == '\0' || strchr (value, '/') != NULL;
}

/* That of URLs, RFC 4648 section 5. */
static char *
encode_base64 (const char *value)
{
  char *text = g_base64_encode ((const guchar *) value, strlen (value));

  return g_strdelimit (g_strdelimit (text, "+", '-'), "/", '_');
}

static void
append_label (GString *url, const char *name, const char *value)
{
  g_autofree char *text = NULL;

  if (needs_base64 (value))
    {
      text = encode_base64 (value);
      /* an empty value is one padding character */
      g_string_append_printf (url, "/%s@base64/%s", name, *value == '\0' ? "=" : text);
      return;
    }

  text = g_uri_escape_string (value, NULL, FALSE);
  g_string_append_printf (url, "/%s/%s", name, text);
}

char *
jme_push_make_url (const char *base,
                   const char *job,
                   const char *instance,
                   const char *id)
{
  GString *url = g_string_new (base);

  while (url->len > 0 && url->str[url->len - 1] == '/')
    g_string_truncate (url, url->len - 1);
  g_string_append (url, "/metrics");
  append_label (url, "job", job);
  append_label (url, "instance", instance);
  append_label (url, "jobid", id);

  return g_string_free (url, FALSE);
}

/* --- the file: an id on each line --- */

static gboolean
is_id (const char *text)
{
  gsize length = strlen (text);

  return length > 0 && length <= ID_MAX_BYTES && strpbrk (text, "\r\n") == NULL &&
         g_utf8_validate (text, -1, NULL);
}

static void
load (JmePushGroups *self)
{
  g_autoptr (GBytes) bytes = jm_data_read_file (self->path, FILE_MAX_BYTES, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  gsize size;
  const char *data;

  if (bytes == NULL)
    return;

  data = g_bytes_get_data (bytes, &size);
  text = g_strndup (data != NULL ? data : "", size);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (is_id (lines[i]) && g_hash_table_size (self->ids) < GROUPS_MAX)
      g_hash_table_add (self->ids, g_strdup (lines[i]));
}

static gboolean
save (JmePushGroups *self, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GHashTableIter iter;
  gpointer id;

  if (self->path == NULL)
    return TRUE;

  g_hash_table_iter_init (&iter, self->ids);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    g_string_append_printf (text, "%s\n", (const char *) id);

  return g_file_set_contents_full (self->path, text->str, (gssize) text->len,
                                   G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

JmePushGroups *
jme_push_groups_open (const char *path)
{
  JmePushGroups *self = g_new0 (JmePushGroups, 1);

  self->path = g_strdup (path);
  self->ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (path != NULL)
    load (self);

  return self;
}

void
jme_push_groups_free (JmePushGroups *self)
{
  g_hash_table_unref (self->ids);
  g_free (self->path);
  g_free (self);
}

gboolean
jme_push_groups_has (JmePushGroups *self, const char *id)
{
  return g_hash_table_contains (self->ids, id);
}

GPtrArray *
jme_push_groups_list (JmePushGroups *self)
{
  GPtrArray *ids = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer id;

  g_hash_table_iter_init (&iter, self->ids);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    g_ptr_array_add (ids, g_strdup (id));

  return ids;
}

gboolean
jme_push_groups_add (JmePushGroups *self, const char *id, GError **error)
{
  return !g_hash_table_add (self->ids, g_strdup (id)) || save (self, error);
}

gboolean
jme_push_groups_remove (JmePushGroups *self, const char *id, GError **error)
{
  return !g_hash_table_remove (self->ids, id) || save (self, error);
}
