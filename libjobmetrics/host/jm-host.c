/* jm-host.c: the one owner of every root directory and kept-open file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-host.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "host/jm-host-private.h"
#include "host/jm-rooted-open-private.h"
#include "host/jm-roots-private.h"

/* What the program needs beside our files: sockets, logs, libraries of vendors. */
#define SPARE_DESCRIPTORS 128

#define OPEN_FILES_CEILING 1048576
#define OPEN_FILES_ENOUGH 65536

typedef enum
{
  PROBE_PENDING,
  PROBE_NO,
  PROBE_YES,
} Probe;

/**
 * JmHost:
 *
 * The machine that is measured, or a copied tree that stands for one: where its `/`,
 * `/proc`, `/sys` and `/sys/fs/cgroup` are. All that jobmetrics reads is asked of a
 * host by logical path, the one that it has on the machine itself; `..` never leads out
 * of the root, and neither does a symbolic link in a copied tree.
 *
 * A host may be used from several threads.
 *
 * Since: 0.1
 */
struct _JmHost
{
  GObject parent_instance;

  JmRoots roots;
  gboolean is_live;
  JmDir base; /* never open: absolute paths alone are looked up in it */
  guint max_open_files;
  gint open_files;
  gint sized_fd_dirs; /* of Probe */
};

G_DEFINE_FINAL_TYPE (JmHost, jm_host, G_TYPE_OBJECT)

enum
{
  PROP_ROOT = 1,
  PROP_PROCFS,
  PROP_SYSFS,
  PROP_CGROUPFS,
  PROP_MAX_OPEN_FILES,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static guint
soft_limit (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) != 0)
    return 0;

  return (guint) MIN (limit.rlim_cur, OPEN_FILES_CEILING);
}

static void
jm_host_constructed (GObject *object)
{
  JmHost *self = JM_HOST (object);

  G_OBJECT_CLASS (jm_host_parent_class)->constructed (object);

  jm_roots_complete (&self->roots);
  self->is_live = jm_roots_are_live (&self->roots);
  self->base = (JmDir){ self, (char *) "", -1 }; /* never closed, so never freed */

  if (self->max_open_files == 0)
    {
      guint limit = soft_limit ();

      self->max_open_files = limit > SPARE_DESCRIPTORS ? limit - SPARE_DESCRIPTORS : 0;
    }
}

static void
jm_host_finalize (GObject *object)
{
  JmHost *self = JM_HOST (object);

  jm_roots_clear (&self->roots);

  G_OBJECT_CLASS (jm_host_parent_class)->finalize (object);
}

static const char *
or_slash (const char *prefix)
{
  return prefix[0] != '\0' ? prefix : "/";
}

static void
jm_host_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  JmHost *self = JM_HOST (object);

  switch (id)
    {
    case PROP_ROOT:
      g_value_set_string (value, jm_host_get_root (self));
      break;
    case PROP_PROCFS:
      g_value_set_string (value, jm_host_get_procfs (self));
      break;
    case PROP_SYSFS:
      g_value_set_string (value, or_slash (self->roots.sysfs));
      break;
    case PROP_CGROUPFS:
      g_value_set_string (value, jm_host_get_cgroupfs (self));
      break;
    case PROP_MAX_OPEN_FILES:
      g_value_set_uint (value, jm_host_get_max_open_files (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
jm_host_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  JmHost *self = JM_HOST (object);

  switch (id)
    {
    case PROP_ROOT:
      self->roots.root = g_value_dup_string (value);
      break;
    case PROP_PROCFS:
      self->roots.procfs = g_value_dup_string (value);
      break;
    case PROP_SYSFS:
      self->roots.sysfs = g_value_dup_string (value);
      break;
    case PROP_CGROUPFS:
      self->roots.cgroupfs = g_value_dup_string (value);
      break;
    case PROP_MAX_OPEN_FILES:
      self->max_open_files = g_value_get_uint (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static GParamSpec *
path_property (const char *name)
{
  return g_param_spec_string (name, NULL, NULL, NULL,
                              G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY |
                                G_PARAM_STATIC_STRINGS);
}

static void
jm_host_class_init (JmHostClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->constructed = jm_host_constructed;
  object_class->finalize = jm_host_finalize;
  object_class->get_property = jm_host_get_property;
  object_class->set_property = jm_host_set_property;

  /**
   * JmHost:root:
   *
   * The root directory; %NULL is `/`.
   *
   * Since: 0.1
   */
  properties[PROP_ROOT] = path_property ("root");

  /**
   * JmHost:procfs:
   *
   * Where `/proc` is; %NULL is `proc` in the root.
   *
   * Since: 0.1
   */
  properties[PROP_PROCFS] = path_property ("procfs");

  /**
   * JmHost:sysfs:
   *
   * Where `/sys` is; %NULL is `sys` in the root.
   *
   * Since: 0.1
   */
  properties[PROP_SYSFS] = path_property ("sysfs");

  /**
   * JmHost:cgroupfs:
   *
   * Where `/sys/fs/cgroup` is; %NULL is `fs/cgroup` in #JmHost:sysfs.
   *
   * Since: 0.1
   */
  properties[PROP_CGROUPFS] = path_property ("cgroupfs");

  /**
   * JmHost:max-open-files:
   *
   * How many files and directories may be kept open; 0 is the soft limit of the process
   * for open files (`RLIMIT_NOFILE`) less 128. What is beyond it works too, opened anew
   * for each read; what is least worth keeping is closed first.
   *
   * Since: 0.1
   */
  properties[PROP_MAX_OPEN_FILES] =
    g_param_spec_uint ("max-open-files", NULL, NULL, 0, OPEN_FILES_CEILING, 0,
                       G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY |
                         G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
jm_host_init (JmHost *self)
{
}

/*
 * jm_host_map_path:
 * @self: a host
 * @path: a logical path; one without a leading slash is taken from the root too
 * @real: (out caller-allocates): the real path
 *
 * Returns: 0, or `-ENAMETOOLONG`
 */
int
jm_host_map_path (JmHost *self, const char *path, char real[PATH_MAX])
{
  return jm_roots_map (&self->roots, path, real);
}

/* Opens what is at a real path. In a copied tree, or a container's view of its machine,
 * no link leads out. */
int
jm_host_open_real (JmHost *self, const char *real, int flags)
{
  const char *tree = self->is_live ? NULL : jm_roots_find_tree (&self->roots, real);
  int fd;

  if (tree != NULL)
    return jm_rooted_open (tree, real + strlen (tree), flags);

  fd = open (real, flags);

  return fd >= 0 ? fd : -errno;
}

/* Opens what is in an open directory; -EXDEV where that takes the path. */
int
jm_host_open_in (JmHost *self, int dir_fd, const char *name, int flags)
{
  int fd;

  if (!self->is_live)
    return jm_rooted_open_beneath (dir_fd, name, flags);

  fd = openat (dir_fd, name, flags);

  return fd >= 0 ? fd : -errno;
}

/* The parent of absolute paths: what is opened by them is in it. */
const JmDir *
jm_host_get_base (JmHost *self)
{
  return &self->base;
}

/* How much of the budget what is worth so much may use. */
static guint
get_share (JmHost *self, JmWorth worth)
{
  switch (worth)
    {
    case JM_WORTH_LITTLE:
      return self->max_open_files - self->max_open_files / 2;
    case JM_WORTH_SOME:
      return self->max_open_files - self->max_open_files / 4;
    case JM_WORTH_MUCH:
    default:
      return self->max_open_files;
    }
}

/* Books one descriptor of the budget, or says that it is used up. */
gboolean
jm_host_take_descriptor (JmHost *self, JmWorth worth)
{
  if ((guint) g_atomic_int_add (&self->open_files, 1) < get_share (self, worth))
    return TRUE;

  jm_host_give_descriptor (self);
  return FALSE;
}

/* Whether what is worth so much may stay open: else others have more use of it. */
gboolean
jm_host_has_room (JmHost *self, JmWorth worth)
{
  return (guint) g_atomic_int_get (&self->open_files) <= get_share (self, worth);
}

void
jm_host_give_descriptor (JmHost *self)
{
  g_atomic_int_add (&self->open_files, -1);
}

static gboolean
probe_sized_fd_dirs (JmHost *self)
{
  g_autofree char *path = g_strconcat (self->roots.procfs, "/self/fd", NULL);
  struct statfs fs;
  struct stat st;

  /* a copied tree has directories of a size too, but it is not the number of entries */
  if (statfs (path, &fs) != 0 || fs.f_type != PROC_SUPER_MAGIC)
    return FALSE;

  return stat (path, &st) == 0 && st.st_size > 0;
}

/* Whether the size of a directory `/proc/PID/fd` is the number of open files. */
gboolean
jm_host_has_sized_fd_dirs (JmHost *self)
{
  if (g_atomic_int_get (&self->sized_fd_dirs) == PROBE_PENDING)
    g_atomic_int_set (&self->sized_fd_dirs,
                      probe_sized_fd_dirs (self) ? PROBE_YES : PROBE_NO);

  return g_atomic_int_get (&self->sized_fd_dirs) == PROBE_YES;
}

/**
 * jm_host_new:
 * @root: (nullable) (type filename): the root directory; %NULL is `/`
 *
 * Makes a host: the machine itself, or a tree copied from one.
 *
 * Returns: (transfer full): the host
 * Since: 0.1
 */
JmHost *
jm_host_new (const char *root)
{
  return jm_host_new_with_paths (root, NULL, NULL, NULL);
}

/**
 * jm_host_new_with_paths:
 * @root: (nullable) (type filename): the root directory; %NULL is `/`
 * @procfs: (nullable) (type filename): where `/proc` is; %NULL is in the root
 * @sysfs: (nullable) (type filename): where `/sys` is; %NULL is in the root
 * @cgroupfs: (nullable) (type filename): where `/sys/fs/cgroup` is; %NULL is in @sysfs
 *
 * Makes a host whose kernel file systems are mounted elsewhere, as in a container.
 *
 * Returns: (transfer full): the host
 * Since: 0.1
 */
JmHost *
jm_host_new_with_paths (const char *root,
                        const char *procfs,
                        const char *sysfs,
                        const char *cgroupfs)
{
  return g_object_new (JM_TYPE_HOST, "root", root, "procfs", procfs, "sysfs", sysfs,
                       "cgroupfs", cgroupfs, NULL);
}

/**
 * jm_host_get_root:
 * @self: a host
 *
 * Gets the root directory below which the host's files are.
 *
 * Returns: (type filename): the root directory
 * Since: 0.1
 */
const char *
jm_host_get_root (JmHost *self)
{
  g_return_val_if_fail (JM_IS_HOST (self), NULL);

  return or_slash (self->roots.root);
}

/* Gets the directory that stands for `/proc`.
 *
 * Returns where `/proc` is. */
const char *
jm_host_get_procfs (JmHost *self)
{
  g_return_val_if_fail (JM_IS_HOST (self), NULL);

  return or_slash (self->roots.procfs);
}

/* Gets the directory that stands for `/sys/fs/cgroup`.
 *
 * Returns where `/sys/fs/cgroup` is. */
const char *
jm_host_get_cgroupfs (JmHost *self)
{
  g_return_val_if_fail (JM_IS_HOST (self), NULL);

  return or_slash (self->roots.cgroupfs);
}

/* Gets the bound on files that stay open from round to round. Above it files are
 * opened for each reading.
 *
 * Returns how many files may be kept open. */
guint
jm_host_get_max_open_files (JmHost *self)
{
  g_return_val_if_fail (JM_IS_HOST (self), 0);

  return self->max_open_files;
}

/**
 * jm_host_get_open_files:
 * @self: a host
 *
 * Counts the files that stay open from round to round.
 *
 * Returns: how many files are kept open now
 * Since: 0.1
 */
guint
jm_host_get_open_files (JmHost *self)
{
  g_return_val_if_fail (JM_IS_HOST (self), 0);

  return (guint) g_atomic_int_get (&self->open_files);
}

/* Distinguishes the machine itself from a copied tree or one that is mounted elsewhere.
 *
 * Returns whether all logical paths are the real ones. */
gboolean
jm_host_is_live (JmHost *self)
{
  g_return_val_if_fail (JM_IS_HOST (self), FALSE);

  return self->is_live;
}

/**
 * jm_host_raise_open_files_limit:
 *
 * Raises the soft limit of this process for open files (`RLIMIT_NOFILE`) to the hard
 * one, but not above 1048576; where that is below 65536 and the process may raise it
 * (`CAP_SYS_RESOURCE`), the hard one too. For programs, before they make a host: a
 * library has no business to change its process.
 *
 * Returns: the soft limit that now holds
 * Since: 0.1
 */
guint
jm_host_raise_open_files_limit (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) == 0)
    {
      const struct rlimit enough = { OPEN_FILES_ENOUGH, OPEN_FILES_ENOUGH };

      if (limit.rlim_max < OPEN_FILES_ENOUGH && setrlimit (RLIMIT_NOFILE, &enough) == 0)
        return soft_limit ();

      limit.rlim_cur = MAX (limit.rlim_cur, MIN (limit.rlim_max, OPEN_FILES_CEILING));
      setrlimit (RLIMIT_NOFILE, &limit);
    }

  return soft_limit ();
}

/**
 * jm_host_resolve:
 * @self: a host
 * @path: (type filename): a logical path
 *
 * Says where a file of the host really is.
 *
 * Returns: (transfer full) (nullable) (type filename): the real path; %NULL where it is
 *   longer than any path may be
 * Since: 0.1
 */
char *
jm_host_resolve (JmHost *self, const char *path)
{
  char real[PATH_MAX];

  g_return_val_if_fail (JM_IS_HOST (self), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  return jm_host_map_path (self, path, real) == 0 ? g_strdup (real) : NULL;
}
