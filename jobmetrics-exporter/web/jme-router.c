/* jme-router.c: what is served at which path, how, and to whom
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-router.h"

#include <string.h>

struct _JmeRouter
{
  GHashTable *exact;   /* of JmeDestination, by path */
  GPtrArray *prefixes; /* of JmeDestination, the longest path first */
};

static const struct
{
  const char *name;
  JmeMethods method;
} methods[] = {
  { "GET", JME_METHOD_GET },       { "HEAD", JME_METHOD_GET },
  { "POST", JME_METHOD_POST },     { "PUT", JME_METHOD_PUT },
  { "DELETE", JME_METHOD_DELETE },
};

JmeRouter *
jme_router_new (void)
{
  JmeRouter *self = g_new (JmeRouter, 1);

  self->exact = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  self->prefixes = g_ptr_array_new_with_free_func (g_free);

  return self;
}

void
jme_router_free (JmeRouter *self)
{
  g_hash_table_unref (self->exact);
  g_ptr_array_unref (self->prefixes);
  g_free (self);
}

static int
compare_lengths (gconstpointer a, gconstpointer b)
{
  const JmeDestination *first = *(JmeDestination *const *) a;
  const JmeDestination *second = *(JmeDestination *const *) b;
  gsize first_length = strlen (first->route->path);
  gsize second_length = strlen (second->route->path);

  return first_length < second_length ? 1 : first_length > second_length ? -1 : 0;
}

static void
add (JmeRouter *self, const JmeRoute *route, gpointer user_data)
{
  JmeDestination *destination = g_new (JmeDestination, 1);

  *destination = (JmeDestination){ route, user_data };
  if (route->is_prefix)
    g_ptr_array_add (self->prefixes, destination);
  else
    g_hash_table_replace (self->exact, (gpointer) route->path, destination);
}

void
jme_router_add (JmeRouter *self, const JmeRoute *routes, gpointer user_data)
{
  for (const JmeRoute *route = routes; route->path != NULL; route++)
    add (self, route, user_data);
  g_ptr_array_sort (self->prefixes, compare_lengths);
}

/* Whoever takes the rest of a path for that of a file shall not be led out by it. */
static gboolean
has_dots (const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);

  for (char **part = parts; *part != NULL; part++)
    if (g_str_equal (*part, ".") || g_str_equal (*part, ".."))
      return TRUE;

  return FALSE;
}

const JmeDestination *
jme_router_find (JmeRouter *self, const char *path)
{
  const JmeDestination *destination = g_hash_table_lookup (self->exact, path);

  if (destination != NULL || self->prefixes->len == 0 || has_dots (path))
    return destination;

  for (guint i = 0; i < self->prefixes->len; i++)
    {
      destination = self->prefixes->pdata[i];
      if (g_str_has_prefix (path, destination->route->path))
        return destination;
    }

  return NULL;
}

static JmeMethods
get_methods (const JmeRoute *route)
{
  return route->methods != 0 ? route->methods : JME_METHOD_GET;
}

gboolean
jme_route_allows (const JmeRoute *route, const char *method)
{
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    if ((get_methods (route) & methods[i].method) != 0 &&
        g_str_equal (methods[i].name, method))
      return TRUE;

  return FALSE;
}

char *
jme_route_list_methods (const JmeRoute *route)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    if ((get_methods (route) & methods[i].method) != 0)
      g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", methods[i].name);

  return g_string_free (list, FALSE);
}
