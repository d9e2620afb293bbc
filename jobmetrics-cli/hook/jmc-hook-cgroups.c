/* jmc-hook-cgroups.c: removes the cgroups that a job left behind
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "hook/jmc-hook-steps.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* No scheduler nests deeper, and none has more in one folder. */
#define MAX_DEPTH 16
#define MAX_ENTRIES 8192
/* Any number of slices, none too, as scheduler definitions have it. */
#define SLICE ".slice"
#define SLICES "**" SLICE

/* What is looked for in one hierarchy. */
typedef struct
{
  const char *job;
  dev_t device;
  guint n_removed;
} Removal;

typedef void (*Visit) (int parent, const char *name, gpointer user_data);

/* --- folders --- */

static gboolean
is_cgroup_fs (int fd)
{
  struct statfs info;

  return fstatfs (fd, &info) == 0 &&
         (info.f_type == CGROUP_SUPER_MAGIC || info.f_type == CGROUP2_SUPER_MAGIC);
}

static int
open_folder (int parent, const char *name)
{
  return openat (parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static void
foreach_folder (int fd, Visit visit, gpointer user_data)
{
  int copy = open_folder (fd, ".");
  DIR *dir = copy >= 0 ? fdopendir (copy) : NULL;
  struct dirent *entry;

  if (dir == NULL && copy >= 0)
    close (copy);
  for (guint i = 0; dir != NULL && i < MAX_ENTRIES && (entry = readdir (dir)) != NULL;
       i++)
    if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
      visit (fd, entry->d_name, user_data);
  if (dir != NULL)
    closedir (dir);
}

/* A folder of this hierarchy in which no user could have put another. */
static int
open_trusted (const Removal *self, int parent, const char *name)
{
  int fd = open_folder (parent, name);
  struct stat info;

  if (fd >= 0 && fstat (fd, &info) == 0 && info.st_dev == self->device &&
      (info.st_uid == 0 || info.st_uid == geteuid ()))
    return fd;
  if (fd >= 0)
    close (fd);

  return -1;
}

/* --- a job's own folder --- */

typedef struct
{
  Removal *removal;
  guint depth;
  gboolean is_free; /* no process is in it, nor in any below */
} Tree;

/* An unknown number counts as a process. */
static gboolean
has_processes (int fd)
{
  int file = openat (fd, "cgroup.procs", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  char byte;
  gssize n = file >= 0 ? read (file, &byte, 1) : -1;

  if (file >= 0)
    close (file);

  return n != 0;
}

static void
look (int parent, const char *name, gpointer user_data)
{
  Tree *tree = user_data;
  int fd = open_folder (parent, name);

  if (fd < 0 || tree->depth >= MAX_DEPTH || has_processes (fd))
    tree->is_free = FALSE;
  if (fd >= 0 && tree->is_free)
    {
      tree->depth++;
      foreach_folder (fd, look, tree);
      tree->depth--;
    }
  if (fd >= 0)
    close (fd);
}

/* The kernel removes none that has a process by now, or a cgroup. */
static void
remove_tree (int parent, const char *name, gpointer user_data)
{
  Tree *tree = user_data;
  int fd = open_folder (parent, name);

  if (fd < 0)
    return;

  tree->depth++;
  if (tree->depth <= MAX_DEPTH)
    foreach_folder (fd, remove_tree, tree);
  tree->depth--;
  close (fd);
  if (unlinkat (parent, name, AT_REMOVEDIR) == 0)
    tree->removal->n_removed++;
}

static void
remove_job (Removal *self, int parent, const char *name)
{
  Tree tree = { self, 0, TRUE };
  int fd = open_trusted (self, parent, name);

  if (fd < 0)
    return;

  close (fd);
  look (parent, name, &tree);
  if (tree.is_free)
    remove_tree (parent, name, &tree);
}

/* --- where it may be --- */

typedef struct
{
  Removal *removal;
  char **parts; /* of a pattern that are still ahead */
  guint depth;  /* of slices that the first of them stood for */
} Search;

static void search (int parent, const Search *self);

static char *
fill_in (const char *part, const char *job)
{
  const char *place = strstr (part, "%j");

  return place != NULL ? g_strdup_printf ("%.*s%s%s", (int) (place - part), part, job,
                                          place + strlen ("%j"))
                       : g_strdup (part);
}

static void
descend (int parent, const char *name, gpointer user_data)
{
  const Search *self = user_data;
  const Search next = { self->removal, self->parts + 1, 0 };
  int fd;

  if (fnmatch (self->parts[0], name, FNM_PERIOD) != 0)
    return;

  fd = open_trusted (self->removal, parent, name);
  if (fd < 0)
    return;
  search (fd, &next);
  close (fd);
}

static void
descend_slice (int parent, const char *name, gpointer user_data)
{
  const Search *self = user_data;
  const Search next = { self->removal, self->parts, self->depth + 1 };
  int fd;

  if (self->depth >= MAX_DEPTH || !g_str_has_suffix (name, SLICE))
    return;

  fd = open_trusted (self->removal, parent, name);
  if (fd < 0)
    return;
  search (fd, &next);
  close (fd);
}

static void
search_slices (int parent, const Search *self)
{
  const Search next = { self->removal, self->parts + 1, 0 };

  search (parent, &next);
  foreach_folder (parent, descend_slice, (gpointer) self);
}

/* The last part of a pattern is the job's own, whose id is no pattern. */
static void
search (int parent, const Search *self)
{
  if (g_str_equal (self->parts[0], SLICES))
    search_slices (parent, self);
  else if (self->parts[1] == NULL)
    {
      g_autofree char *name = fill_in (self->parts[0], self->removal->job);

      remove_job (self->removal, parent, name);
    }
  else
    foreach_folder (parent, descend, (gpointer) self);
}

/* --- hierarchies --- */

typedef struct
{
  const char *const *patterns;
  const char *job;
  guint n_removed;
} Plan;

static void
search_hierarchy (Plan *plan, int fd)
{
  Removal removal = { .job = plan->job };
  struct stat info;

  if (fstat (fd, &info) != 0)
    return;

  removal.device = info.st_dev;
  for (const char *const *pattern = plan->patterns; *pattern != NULL; pattern++)
    {
      g_auto (GStrv) parts = g_strsplit (*pattern, "/", -1);
      const Search begin = { &removal, parts, 0 };

      search (fd, &begin);
    }
  plan->n_removed += removal.n_removed;
}

static void
visit_hierarchy (int parent, const char *name, gpointer user_data)
{
  int fd = open_folder (parent, name);

  if (fd >= 0 && is_cgroup_fs (fd))
    search_hierarchy (user_data, fd);
  if (fd >= 0)
    close (fd);
}

guint
jmc_hook_cgroups_remove (const char *root, const char *const *patterns, const char *job)
{
  Plan plan = { patterns, job, 0 };
  int fd = open_folder (AT_FDCWD, root);

  if (fd < 0 || *job == '\0' || *job == '.' || strchr (job, '/') != NULL)
    {
      if (fd >= 0)
        close (fd);
      return 0;
    }

  /* On cgroup v1 the root is a plain folder, with one for each hierarchy. */
  if (is_cgroup_fs (fd))
    search_hierarchy (&plan, fd);
  else
    foreach_folder (fd, visit_hierarchy, &plan);
  close (fd);

  return plan.n_removed;
}
