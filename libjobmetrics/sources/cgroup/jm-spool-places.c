/* jm-spool-places.c: where the spool directories of a scheduler are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-spool-private.h"

#include <string.h>

#define HOSTNAME "/proc/sys/kernel/hostname"
#define HOSTNAME_MAX 256

#define MAX_FOUND 64
#define MAX_NAMES 4096

struct _JmSpoolPlaces
{
  JmHost *host;
  char **patterns;
  char *names[2]; /* of the machine: whole, and without its domain */
};

typedef struct
{
  JmSpoolPlaces *places;
  GPtrArray *found;
  GPtrArray *awaited;
} Search;

static void descend (const Search *self, const char *path, const char *rest);

static void
take_names (JmSpoolPlaces *self, const char *node_name)
{
  char text[HOSTNAME_MAX];

  if (node_name == NULL &&
      jm_host_read (self->host, HOSTNAME, text, sizeof text, NULL) > 0)
    node_name = g_strchomp (text);
  if (node_name == NULL || node_name[0] == '\0' || strchr (node_name, '/') != NULL)
    return;

  self->names[0] = g_strdup (node_name);
  if (strchr (node_name, '.') > node_name)
    self->names[1] = g_strndup (node_name, strcspn (node_name, "."));
}

const char *
jm_spool_places_get_node_name (const JmSpoolPlaces *self)
{
  return self->names[0];
}

JmSpoolPlaces *
jm_spool_places_new (JmHost *host, const char *const *patterns, const char *node_name)
{
  JmSpoolPlaces *self = g_new0 (JmSpoolPlaces, 1);

  self->host = g_object_ref (host);
  self->patterns = g_strdupv ((char **) patterns);
  take_names (self, node_name);

  return self;
}

void
jm_spool_places_free (JmSpoolPlaces *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->names); i++)
    g_free (self->names[i]);
  g_strfreev (self->patterns);
  g_object_unref (self->host);
  g_free (self);
}

static void
add_once (GPtrArray *array, const char *path)
{
  if (!g_ptr_array_find_with_equal_func (array, path, g_str_equal, NULL))
    g_ptr_array_add (array, g_strdup (path));
}

static char *
join (const char *path, const char *name)
{
  return g_strconcat (g_str_equal (path, "/") ? "" : path, "/", name, NULL);
}

/* Returns: whether there is something of that name */
static gboolean
follow_name (const Search *self, const char *path, const char *name, const char *rest)
{
  g_autofree char *child = join (path, name);

  if (!jm_host_exists (self->places->host, child))
    return FALSE;

  descend (self, child, rest);

  return TRUE;
}

static void
follow_pattern (const Search *self,
                const char *path,
                const char *pattern,
                const char *rest)
{
  g_auto (GStrv) names = jm_host_list_dir (self->places->host, path, NULL);
  g_autoptr (GPatternSpec) spec = g_pattern_spec_new (pattern);

  for (guint i = 0; names != NULL && names[i] != NULL && i < MAX_NAMES; i++)
    if (names[i][0] != '.' && g_pattern_spec_match_string (spec, names[i]))
      follow_name (self, path, names[i], rest);
}

static void
follow_node (const Search *self, const char *path, const char *name, const char *rest)
{
  gboolean is_there = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (self->places->names); i++)
    if (self->places->names[i] != NULL)
      {
        g_autoptr (GString) filled = g_string_new (name);

        g_string_replace (filled, "%n", self->places->names[i], 0);
        is_there |= follow_name (self, path, filled->str, rest);
      }

  if (!is_there)
    add_once (self->awaited, path);
}

/* @rest is what of a pattern is not looked up yet, without a slash before it. */
static void
descend (const Search *self, const char *path, const char *rest)
{
  gsize length = strcspn (rest, "/");
  g_autofree char *name = g_strndup (rest, length);
  const char *after = rest + length + strspn (rest + length, "/");

  if (name[0] == '\0')
    {
      if (self->found->len < MAX_FOUND)
        add_once (self->found, path);
    }
  else if (strchr (name, '*') != NULL)
    {
      add_once (self->awaited, path);
      follow_pattern (self, path, name, after);
    }
  else if (strstr (name, "%n") != NULL)
    follow_node (self, path, name, after);
  else if (!follow_name (self, path, name, after))
    add_once (self->awaited, path);
}

void
jm_spool_places_find (JmSpoolPlaces *self, GPtrArray *found, GPtrArray *awaited)
{
  const Search search = { self, found, awaited };

  for (guint i = 0; self->patterns[i] != NULL; i++)
    descend (&search, "/", self->patterns[i] + strspn (self->patterns[i], "/"));
}
