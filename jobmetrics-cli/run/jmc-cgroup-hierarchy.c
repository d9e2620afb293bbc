/* jmc-cgroup-hierarchy.c: where a cgroup hierarchy is mounted, and where in it we are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "run/jmc-cgroup-hierarchy.h"

#include <string.h>

#define MAX_TEXT (1 << 20)

/* See proc(5): fields before the optional ones, and those after their end. */
enum
{
  FIELD_ROOT = 3,
  FIELD_MOUNT_POINT = 4,
  N_FIXED_FIELDS = 6,
};

enum
{
  TAIL_TYPE,
  TAIL_SOURCE,
  TAIL_OPTIONS,
  N_TAIL_FIELDS,
};

void
jmc_cgroup_hierarchy_free (JmcCgroupHierarchy *self)
{
  g_free (self->mount_point);
  g_free (self->root);
  g_strfreev (self->controllers);
  g_free (self->own);
  g_free (self);
}

gboolean
jmc_cgroup_hierarchy_is_v2 (const JmcCgroupHierarchy *self)
{
  return self->controllers == NULL;
}

gboolean
jmc_cgroup_hierarchy_has (const JmcCgroupHierarchy *self, const char *controller)
{
  return self->controllers != NULL &&
         g_strv_contains ((const char *const *) self->controllers, controller);
}

/* The kernel writes blanks and backslashes of a path as \ and three octal digits. */
static char *
unescape (const char *field)
{
  GString *path = g_string_new (NULL);

  for (const char *p = field; *p != '\0'; p++)
    if (p[0] == '\\' && p[1] >= '0' && p[1] <= '3' && p[2] >= '0' && p[2] <= '7' &&
        p[3] >= '0' && p[3] <= '7')
      {
        g_string_append_c (path, (char) ((p[1] - '0') << 6 | (p[2] - '0') << 3 |
                                         (p[3] - '0')));
        p += 3;
      }
    else
      {
        g_string_append_c (path, *p);
      }

  return g_string_free (path, FALSE);
}

static JmcCgroupHierarchy *
parse_line (const char *line)
{
  const char *dash = strstr (line, " - ");
  g_autofree char *head = NULL;
  g_auto (GStrv) fields = NULL;
  g_auto (GStrv) tail = NULL;
  gboolean is_v2;
  JmcCgroupHierarchy *self;

  if (dash == NULL)
    return NULL;

  head = g_strndup (line, (gsize) (dash - line));
  fields = g_strsplit (head, " ", N_FIXED_FIELDS + 1);
  tail = g_strsplit (dash + strlen (" - "), " ", N_TAIL_FIELDS);
  if (g_strv_length (fields) < N_FIXED_FIELDS || g_strv_length (tail) < N_TAIL_FIELDS)
    return NULL;

  is_v2 = g_str_equal (tail[TAIL_TYPE], "cgroup2");
  if (!is_v2 && !g_str_equal (tail[TAIL_TYPE], "cgroup"))
    return NULL;

  self = g_new0 (JmcCgroupHierarchy, 1);
  self->mount_point = unescape (fields[FIELD_MOUNT_POINT]);
  self->root = unescape (fields[FIELD_ROOT]);
  self->controllers = is_v2 ? NULL : g_strsplit (tail[TAIL_OPTIONS], ",", -1);

  return self;
}

/* The cgroup hierarchies in the text of /proc/PID/mountinfo; lines that are not of that
 * form are passed over. */
GPtrArray *
jmc_cgroup_hierarchy_parse_mounts (const char *mountinfo)
{
  g_auto (GStrv) lines = g_strsplit (mountinfo, "\n", -1);
  GPtrArray *hierarchies =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jmc_cgroup_hierarchy_free);

  for (char **line = lines; *line != NULL; line++)
    {
      JmcCgroupHierarchy *hierarchy = parse_line (*line);

      if (hierarchy != NULL)
        g_ptr_array_add (hierarchies, hierarchy);
    }

  return hierarchies;
}

/* What of @path is below @root; NULL where it is not. A path with `..` leads out of the
 * cgroup name space. */
static const char *
skip_root (const char *path, const char *root)
{
  gsize length = g_str_equal (root, "/") ? 0 : strlen (root);

  if (strstr (path, "/..") != NULL || strncmp (path, root, length) != 0)
    return NULL;

  return path[length] == '/' || path[length] == '\0' ? path + length : NULL;
}

static gboolean
is_of (const JmcCgroupHierarchy *hierarchy, const char *controllers)
{
  g_auto (GStrv) names = g_strsplit (controllers, ",", -1);

  if (*controllers == '\0')
    return jmc_cgroup_hierarchy_is_v2 (hierarchy);

  return jmc_cgroup_hierarchy_has (hierarchy, names[0]);
}

static void
locate_in (JmcCgroupHierarchy *hierarchy, const char *path)
{
  const char *below = skip_root (path, hierarchy->root);

  if (below == NULL || hierarchy->own != NULL)
    return;

  hierarchy->own =
    g_strconcat (hierarchy->mount_point, g_str_equal (below, "/") ? "" : below, NULL);
}

/* Fills in where we are, from the text of /proc/self/cgroup. */
void
jmc_cgroup_hierarchy_locate (GPtrArray *hierarchies, const char *cgroups)
{
  g_auto (GStrv) lines = g_strsplit (cgroups, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    {
      g_auto (GStrv) fields = g_strsplit (*line, ":", 3);

      if (g_strv_length (fields) != 3 || fields[2][0] != '/')
        continue;

      for (guint i = 0; i < hierarchies->len; i++)
        if (is_of (hierarchies->pdata[i], fields[1]))
          locate_in (hierarchies->pdata[i], fields[2]);
    }
}

GPtrArray *
jmc_cgroup_hierarchy_list (JmHost *host, GError **error)
{
  g_autofree char *mounts = NULL;
  g_autofree char *cgroups = NULL;
  GPtrArray *hierarchies;
  gsize length;

  mounts = jm_host_read_all (host, "/proc/self/mountinfo", MAX_TEXT, &length, error);
  if (mounts == NULL)
    return NULL;

  cgroups = jm_host_read_all (host, "/proc/self/cgroup", MAX_TEXT, &length, error);
  if (cgroups == NULL)
    return NULL;

  hierarchies = jmc_cgroup_hierarchy_parse_mounts (mounts);
  jmc_cgroup_hierarchy_locate (hierarchies, cgroups);

  return hierarchies;
}

/* The hierarchy of a v1 @controller, or that of v2 where @controller is NULL. */
const JmcCgroupHierarchy *
jmc_cgroup_hierarchy_find (GPtrArray *hierarchies, const char *controller)
{
  for (guint i = 0; i < hierarchies->len; i++)
    {
      const JmcCgroupHierarchy *hierarchy = hierarchies->pdata[i];

      if (controller == NULL ? jmc_cgroup_hierarchy_is_v2 (hierarchy)
                             : jmc_cgroup_hierarchy_has (hierarchy, controller))
        return hierarchy;
    }

  return NULL;
}
