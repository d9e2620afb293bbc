/* jm-cgroup-mounts.c: where the hierarchies of cgroups are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-cgroup-mounts-private.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/jm-parse-proc-private.h"
#include "base/jm-path-error-private.h"
#include "host/jm-dir-private.h"
#include "host/jm-host-private.h"

#define USUAL_PLACE "/sys/fs/cgroup"
#define MOUNTINFO_MAX (64 * 1024 * 1024)

static const char *const options[JM_CGROUP_N_CONTROLLERS] = {
  [JM_CGROUP_CPUACCT] = "cpuacct", [JM_CGROUP_MEMORY] = "memory",
  [JM_CGROUP_CPU] = "cpu",         [JM_CGROUP_CPUSET] = "cpuset",
  [JM_CGROUP_BLKIO] = "blkio",     [JM_CGROUP_PIDS] = "pids",
  [JM_CGROUP_RDMA] = "rdma",       [JM_CGROUP_HUGETLB] = "hugetlb",
  [JM_CGROUP_FREEZER] = "freezer",
};

static const char *const folders[JM_CGROUP_N_CONTROLLERS] = {
  [JM_CGROUP_CPUACCT] = USUAL_PLACE "/cpuacct",
  [JM_CGROUP_MEMORY] = USUAL_PLACE "/memory",
  [JM_CGROUP_CPU] = USUAL_PLACE "/cpu",
  [JM_CGROUP_CPUSET] = USUAL_PLACE "/cpuset",
  [JM_CGROUP_BLKIO] = USUAL_PLACE "/blkio",
  [JM_CGROUP_PIDS] = USUAL_PLACE "/pids",
  [JM_CGROUP_RDMA] = USUAL_PLACE "/rdma",
  [JM_CGROUP_HUGETLB] = USUAL_PLACE "/hugetlb",
  [JM_CGROUP_FREEZER] = USUAL_PLACE "/freezer",
  [JM_CGROUP_SYSTEMD] = USUAL_PLACE "/systemd",
};

/* What is looked for among the mounts, and the best found so far. */
typedef struct
{
  JmHost *host;
  JmCgroupMounts *mounts;
  guint ranks[JM_CGROUP_N_CONTROLLERS + 1]; /* the last one is for v2 */
  guint perf_event_rank;
} Search;

/* A hierarchy may be mounted several times: whole or in part, and in other places for
 * containers. The whole one in its usual place is what the host's jobs are in. */
static guint
rank_mount (const JmMount *mount)
{
  guint rank = 1;

  if (g_str_equal (mount->root, "/"))
    rank += 2;
  if (g_str_has_prefix (mount->mount_point, USUAL_PLACE))
    rank += 1;

  return rank;
}

static void
offer (char **place, guint *best, const JmMount *mount)
{
  guint rank = rank_mount (mount);

  if (rank <= *best)
    return;

  g_free (*place);
  *place = g_strdup (mount->mount_point);
  *best = rank;
}

static gboolean
has_controller (JmSlice super_options, JmCgroupController controller)
{
  JmSlice name;

  if (controller == JM_CGROUP_SYSTEMD)
    return jm_parse_option (super_options, "name", &name) &&
           jm_slice_equal (name, "systemd");

  return jm_parse_option (super_options, options[controller], NULL);
}

static void
on_mount (const JmMount *mount, gpointer user_data)
{
  Search *search = user_data;
  gboolean is_v1 = jm_slice_equal (mount->type, "cgroup");
  gboolean is_v2 = jm_slice_equal (mount->type, "cgroup2");

  if ((!is_v1 && !is_v2) || !jm_host_exists (search->host, mount->mount_point))
    return;

  if (is_v2)
    {
      offer (&search->mounts->unified, &search->ranks[JM_CGROUP_N_CONTROLLERS], mount);
      return;
    }

  for (guint i = 0; i < JM_CGROUP_N_CONTROLLERS; i++)
    if (has_controller (mount->super_options, i))
      offer (&search->mounts->v1[i], &search->ranks[i], mount);
  if (jm_parse_option (mount->super_options, "perf_event", NULL))
    offer (&search->mounts->perf_event, &search->perf_event_rank, mount);
}

static void
find_in_mountinfo (JmCgroupMounts *self, JmHost *host)
{
  Search search = { .host = host, .mounts = self };
  g_autofree char *text = NULL;
  gsize length;

  /* lines of other file systems may be broken; those that are sound are read all the
   * same, and without the file the usual places remain */
  text = jm_host_read_all (host, "/proc/self/mountinfo", MOUNTINFO_MAX, &length, NULL);
  if (text != NULL)
    jm_parse_mountinfo (text, length, on_mount, &search);
}

static void
find_in_usual_places (JmCgroupMounts *self, JmHost *host)
{
  if (jm_host_exists (host, USUAL_PLACE "/cgroup.controllers"))
    {
      self->unified = g_strdup (USUAL_PLACE);
      return;
    }

  for (guint i = 0; i < JM_CGROUP_N_CONTROLLERS; i++)
    if (jm_host_exists (host, folders[i]))
      self->v1[i] = g_strdup (folders[i]);

  if (jm_host_exists (host, USUAL_PLACE "/unified/cgroup.controllers"))
    self->unified = g_strdup (USUAL_PLACE "/unified");
}

/* Finds the hierarchies of a host, by its mounts; in a copied tree that has none of
 * them, by their usual places. */
JmCgroupMounts *
jm_cgroup_mounts_new (JmHost *host)
{
  JmCgroupMounts *self = g_new0 (JmCgroupMounts, 1);

  find_in_mountinfo (self, host);
  if (self->unified == NULL && !jm_cgroup_mounts_have_v1 (self))
    find_in_usual_places (self, host);

  return self;
}

void
jm_cgroup_mounts_free (JmCgroupMounts *self)
{
  for (guint i = 0; i < JM_CGROUP_N_CONTROLLERS; i++)
    g_free (self->v1[i]);
  g_free (self->unified);
  g_free (self->perf_event);
  g_free (self);
}

gboolean
jm_cgroup_mounts_have_v1 (const JmCgroupMounts *self)
{
  for (guint i = 0; i < JM_CGROUP_N_CONTROLLERS; i++)
    if (self->v1[i] != NULL)
      return TRUE;

  return FALSE;
}

static gboolean
offers_figures (JmHost *host, const char *unified)
{
  static const char *const wanted[] = { "cpu", "memory", "cpuset", "io", "pids" };
  g_autofree char *path = g_strconcat (unified, "/cgroup.controllers", NULL);
  char text[1024];
  gssize length = jm_host_read (host, path, text, sizeof text, NULL);
  const char *cursor = text;
  JmSlice word;

  while (length > 0 && jm_parse_next_word (&cursor, text + length, &word))
    for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
      if (jm_slice_equal (word, wanted[i]))
        return TRUE;

  return FALSE;
}

/* Whether v2 is where jobs are measured. A controller is in one hierarchy only, so it
 * is where the controllers of jobs are; on a hybrid host that is v1. */
gboolean
jm_cgroup_mounts_prefer_unified (const JmCgroupMounts *self, JmHost *host)
{
  if (self->unified == NULL)
    return FALSE;
  if (!jm_cgroup_mounts_have_v1 (self))
    return TRUE;

  return self->v1[JM_CGROUP_CPUACCT] == NULL && self->v1[JM_CGROUP_MEMORY] == NULL &&
         offers_figures (host, self->unified);
}

/* The logical path of a cgroup's directory. */
char *
jm_cgroup_mounts_join (const char *mount, const char *path)
{
  if (g_str_equal (path, "/") || path[0] == '\0')
    return g_strdup (mount);

  return g_strconcat (mount, path[0] == '/' ? "" : "/", path, NULL);
}

/* The path of the cgroup @name in the cgroup @path. */
char *
jm_cgroup_mounts_get_child (const char *path, const char *name)
{
  return g_strconcat (g_str_equal (path, "/") ? "" : path, "/", name, NULL);
}

/* Makes the negative `errno` of a logical path an error that names the real one. */
void
jm_cgroup_mounts_set_error (JmHost *host, const char *path, int result, GError **error)
{
  g_autofree char *real = jm_host_resolve (host, path);

  jm_path_error_set_errno (error, real != NULL ? real : path, -result);
}

/* Whether a kernel keeps this hierarchy, and not somebody who copied it. */
gboolean
jm_cgroup_mounts_are_live (JmHost *host, const char *mount)
{
  g_autofree char *real = jm_host_resolve (host, mount);
  struct statfs fs;

  return real != NULL && statfs (real, &fs) == 0 &&
         (fs.f_type == CGROUP_SUPER_MAGIC || fs.f_type == CGROUP2_SUPER_MAGIC);
}

/* What a directory is listed into. */
typedef struct
{
  const JmDir *dir;
  GHashTable *names;
} Listing;

static gboolean
is_directory (const JmDir *dir, const char *name, guint8 type)
{
  int fd;

  if (type != DT_UNKNOWN)
    return type == DT_DIR;

  fd = jm_dir_open_child (dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW);
  if (fd >= 0)
    close (fd);

  return fd >= 0;
}

static void
on_entry (const char *name, guint8 type, guint64 inode, gpointer user_data)
{
  Listing *listing = user_data;

  if (is_directory (listing->dir, name, type) &&
      !g_hash_table_contains (listing->names, name))
    g_hash_table_add (listing->names, g_strdup (name));
}

/* Adds the names of the directories in @dir to a set of strings that are its own. The
 * kernel's own directories, which are @live, say whether there are any: most have none,
 * but dozens of files.
 *
 * Returns: 0, or a negative `errno` */
int
jm_cgroup_mounts_list_children (JmHost *host,
                                const char *dir,
                                gboolean live,
                                GHashTable *names)
{
  JmDir opened = JM_DIR_INIT;
  Listing listing = { &opened, names };
  int result = jm_dir_open (&opened, host, dir);
  gssize n_entries = 0;

  if (result < 0)
    return result;

  if (!live || !jm_dir_is_leaf (&opened))
    n_entries = jm_dir_foreach (&opened, on_entry, &listing);
  jm_dir_close (&opened);

  return n_entries < 0 ? (int) n_entries : 0;
}

/* Turns the set of names into an array, and leaves the set empty. */
char **
jm_cgroup_mounts_steal_names (GHashTable *names)
{
  char **array = (char **) g_hash_table_get_keys_as_array (names, NULL);

  g_hash_table_steal_all (names);
  return array;
}

/**
 * jm_cgroup_mounts_get_inode: (skip)
 * @host: the host
 * @mount: the logical path of a mount
 * @path: path of a cgroup
 *
 * Returns: the number of the cgroup's directory in that hierarchy; 0 where it has none
 */
guint64
jm_cgroup_mounts_get_inode (JmHost *host, const char *mount, const char *path)
{
  g_autofree char *dir = jm_cgroup_mounts_join (mount, path);
  guint64 inode;

  return jm_host_get_inode (host, dir, &inode, NULL) ? inode : 0;
}
