/* jm-roots.c: which real directory a logical path is in
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-roots-private.h"

#include <errno.h>
#include <string.h>

static void
complete (char **path, const char *parent, const char *below)
{
  g_autofree char *given = g_steal_pointer (path);

  if (given == NULL)
    {
      *path = g_strconcat (parent, below, NULL);
      return;
    }

  /* absolute, so that it stays true when the program changes its directory */
  *path = g_canonicalize_filename (given, NULL);
  if (strcmp (*path, "/") == 0)
    (*path)[0] = '\0';
}

/**
 * jm_roots_complete:
 * @self: roots as a user gave them, each of which may be %NULL
 *
 * Makes those that were given absolute and the others out of them.
 */
void
jm_roots_complete (JmRoots *self)
{
  complete (&self->root, "", "");
  complete (&self->procfs, self->root, "/proc");
  complete (&self->sysfs, self->root, "/sys");
  complete (&self->cgroupfs, self->sysfs, "/fs/cgroup");
}

void
jm_roots_clear (JmRoots *self)
{
  g_clear_pointer (&self->root, g_free);
  g_clear_pointer (&self->procfs, g_free);
  g_clear_pointer (&self->sysfs, g_free);
  g_clear_pointer (&self->cgroupfs, g_free);
}

/**
 * jm_roots_are_live:
 * @self: complete roots
 *
 * Returns: whether each logical path is the real one
 */
gboolean
jm_roots_are_live (const JmRoots *self)
{
  return self->root[0] == '\0' && strcmp (self->procfs, "/proc") == 0 &&
         strcmp (self->sysfs, "/sys") == 0 &&
         strcmp (self->cgroupfs, "/sys/fs/cgroup") == 0;
}

/* Resolves `.` and `..` by the letter, never above `/`: the path may come from outside.
 */
static gboolean
normalise (const char *path, char normal[PATH_MAX])
{
  gsize length = 0;

  for (path += strspn (path, "/"); *path != '\0'; path += strspn (path, "/"))
    {
      gsize n = strcspn (path, "/");

      if (n == 2 && memcmp (path, "..", 2) == 0)
        {
          while (length > 0 && normal[--length] != '/')
            ;
        }
      else if (n != 1 || path[0] != '.')
        {
          if (length + n + 2 > PATH_MAX)
            return FALSE;
          normal[length++] = '/';
          memcpy (normal + length, path, n);
          length += n;
        }

      path += n;
    }

  normal[length] = '\0';
  return TRUE;
}

static const char *
skip_prefix (const char *path, const char *prefix)
{
  gsize length = strlen (prefix);

  if (strncmp (path, prefix, length) != 0)
    return NULL;

  return path[length] == '/' || path[length] == '\0' ? path + length : NULL;
}

/**
 * jm_roots_map:
 * @self: complete roots
 * @path: a logical path; one without a leading slash is taken from the root too
 * @real: (out caller-allocates): the real path
 *
 * Says where a file is. The longest of `/sys/fs/cgroup`, `/sys` and `/proc` that @path
 * begins with decides.
 *
 * Returns: 0, or `-ENAMETOOLONG`
 */
int
jm_roots_map (const JmRoots *self, const char *path, char real[PATH_MAX])
{
  char normal[PATH_MAX];
  const char *prefix;
  const char *rest;

  if (!normalise (path, normal))
    return -ENAMETOOLONG;

  if ((rest = skip_prefix (normal, "/sys/fs/cgroup")) != NULL)
    prefix = self->cgroupfs;
  else if ((rest = skip_prefix (normal, "/sys")) != NULL)
    prefix = self->sysfs;
  else if ((rest = skip_prefix (normal, "/proc")) != NULL)
    prefix = self->procfs;
  else
    {
      prefix = self->root;
      rest = normal;
    }

  if (prefix[0] == '\0' && rest[0] == '\0')
    rest = "/";
  if (g_snprintf (real, PATH_MAX, "%s%s", prefix, rest) >= PATH_MAX)
    return -ENAMETOOLONG;

  return 0;
}

/* The outermost of @prefix and @path's best so far: links of a tree may lead from one
 * part of it to another. */
static const char *
choose_outer (const char *best, const char *prefix, const char *path)
{
  if (prefix[0] == '\0' || skip_prefix (path, prefix) == NULL)
    return best;

  return best == NULL || strlen (prefix) < strlen (best) ? prefix : best;
}

/**
 * jm_roots_find_tree:
 * @self: complete roots
 * @real: a real path, as jm_roots_map() returns it
 *
 * Says which tree a real path must not lead out of.
 *
 * Returns: (nullable): the real path of the tree's root; %NULL where that is `/`
 */
const char *
jm_roots_find_tree (const JmRoots *self, const char *real)
{
  const char *best = NULL;

  best = choose_outer (best, self->root, real);
  best = choose_outer (best, self->procfs, real);
  best = choose_outer (best, self->sysfs, real);
  best = choose_outer (best, self->cgroupfs, real);

  return best;
}
