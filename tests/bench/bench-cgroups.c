/* bench-cgroups.c: cgroups laid out as Slurm lays them out
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "bench-cgroups.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define V1_PREFIX "slurm_bench"
#define V2_PREFIX "bench"
#define V2_SUFFIX "_slurmstepd.scope"

#define REMOVE_TRIES 500
#define REMOVE_PAUSE_US 10000

/* How deep Slurm goes in a hierarchy. */
typedef enum
{
  DEPTH_STEP,
  DEPTH_TASK,
} Depth;

typedef struct
{
  char *mount;
  const char *controller; /* NULL for v2 */
  Depth depth;
} Hierarchy;

struct _BenchCgroup
{
  GPtrArray *files; /* of char *: cgroup.procs in each hierarchy */
};

struct _BenchCgroups
{
  gboolean is_v2;
  GArray *hierarchies; /* of Hierarchy */
  char *node;
  GPtrArray *made; /* of char *: directories, parents first */
  GPtrArray *jobs; /* of BenchCgroup */
};

static const struct
{
  const char *controller;
  Depth depth;
} v1_hierarchies[] = {
  { "cpuacct", DEPTH_TASK }, { "memory", DEPTH_TASK },  { "devices", DEPTH_TASK },
  { "cpuset", DEPTH_STEP },  { "freezer", DEPTH_STEP },
};

static void
hierarchy_clear (gpointer data)
{
  Hierarchy *self = data;

  g_free (self->mount);
}

static void
cgroup_free (gpointer data)
{
  BenchCgroup *self = data;

  g_ptr_array_unref (self->files);
  g_free (self);
}

/* --- what the host has --- */

/* Fills in a mount's directory, type and options. */
static gboolean
parse_mount (const char *line, char **mount, char **type, char **options)
{
  g_auto (GStrv) halves = g_strsplit (line, " - ", 2);
  g_auto (GStrv) left = NULL;
  g_auto (GStrv) right = NULL;

  if (g_strv_length (halves) != 2)
    return FALSE;

  left = g_strsplit (halves[0], " ", -1);
  right = g_strsplit (halves[1], " ", -1);
  if (g_strv_length (left) < 6 || g_strv_length (right) < 3)
    return FALSE;

  *mount = g_strdup (left[4]);
  *type = g_strdup (right[0]);
  *options = g_strdup (right[2]);
  return TRUE;
}

static gboolean
has_option (const char *options, const char *option)
{
  g_auto (GStrv) words = g_strsplit (options, ",", -1);

  return g_strv_contains ((const char *const *) words, option);
}

static void
add_hierarchy (BenchCgroups *self,
               const char *mount,
               const char *controller,
               Depth depth)
{
  Hierarchy hierarchy = { g_strdup (mount), controller, depth };

  g_array_append_val (self->hierarchies, hierarchy);
}

static void
look_at_v1_mount (BenchCgroups *self, const char *mount, const char *options)
{
  for (guint i = 0; i < G_N_ELEMENTS (v1_hierarchies); i++)
    if (has_option (options, v1_hierarchies[i].controller))
      {
        add_hierarchy (self, mount, v1_hierarchies[i].controller,
                       v1_hierarchies[i].depth);
        return;
      }
}

/* A v2 hierarchy serves when its children have what Slurm needs; it is not changed. */
static gboolean
is_v2_fit (const char *mount)
{
  g_autofree char *path = g_build_filename (mount, "cgroup.subtree_control", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) words = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return FALSE;

  words = g_strsplit (g_strchomp (text), " ", -1);
  return g_strv_contains ((const char *const *) words, "cpu") &&
         g_strv_contains ((const char *const *) words, "memory");
}

static char *
find_v2_mount (char **lines)
{
  for (char **line = lines; *line != NULL; line++)
    {
      g_autofree char *mount = NULL;
      g_autofree char *type = NULL;
      g_autofree char *options = NULL;

      if (parse_mount (*line, &mount, &type, &options) &&
          g_str_equal (type, "cgroup2") && is_v2_fit (mount))
        return g_steal_pointer (&mount);
    }

  return NULL;
}

static void
find_v1_mounts (BenchCgroups *self, char **lines)
{
  for (char **line = lines; *line != NULL; line++)
    {
      g_autofree char *mount = NULL;
      g_autofree char *type = NULL;
      g_autofree char *options = NULL;

      if (parse_mount (*line, &mount, &type, &options) && g_str_equal (type, "cgroup"))
        look_at_v1_mount (self, mount, options);
    }
}

static gboolean
has_controller (BenchCgroups *self, const char *controller)
{
  for (guint i = 0; i < self->hierarchies->len; i++)
    if (g_str_equal (g_array_index (self->hierarchies, Hierarchy, i).controller,
                     controller))
      return TRUE;

  return FALSE;
}

static gboolean
find_hierarchies (BenchCgroups *self, char **reason)
{
  g_autofree char *text = NULL;
  g_autofree char *mount = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents ("/proc/self/mountinfo", &text, NULL, NULL))
    {
      *reason = g_strdup ("/proc/self/mountinfo cannot be read");
      return FALSE;
    }

  lines = g_strsplit (text, "\n", -1);
  mount = find_v2_mount (lines);
  if (mount != NULL)
    {
      self->is_v2 = TRUE;
      add_hierarchy (self, mount, NULL, DEPTH_TASK);
      return TRUE;
    }

  find_v1_mounts (self, lines);
  if (has_controller (self, "cpuacct") && has_controller (self, "memory") &&
      has_controller (self, "freezer"))
    return TRUE;

  *reason =
    g_strdup ("neither cgroup v1 with cpuacct, memory and freezer nor cgroup v2 "
              "with cpu and memory");
  return FALSE;
}

/* --- leftovers --- */

/* cgroup directories hold files that cannot be removed and need not be. */
static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_DIR) &&
          !g_file_test (child, G_FILE_TEST_IS_SYMLINK))
        remove_tree (child);
    }

  g_rmdir (path);
}

static gboolean
is_leftover (BenchCgroups *self, const char *name)
{
  const char *prefix = self->is_v2 ? V2_PREFIX : V1_PREFIX;
  char *end;
  guint64 pid;

  if (!g_str_has_prefix (name, prefix))
    return FALSE;

  pid = g_ascii_strtoull (name + strlen (prefix), &end, 10);
  return pid > 1 && pid <= G_MAXINT &&
         g_str_equal (end, self->is_v2 ? V2_SUFFIX : "") &&
         kill ((pid_t) pid, 0) != 0 && errno == ESRCH;
}

/* Of a run that was killed: its processes ended with it, its cgroups did not. */
static void
remove_leftovers (BenchCgroups *self)
{
  for (guint i = 0; i < self->hierarchies->len; i++)
    {
      const char *mount = g_array_index (self->hierarchies, Hierarchy, i).mount;
      g_autoptr (GDir) dir = g_dir_open (mount, 0, NULL);
      const char *name;

      while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *path = g_build_filename (mount, name, NULL);

          if (is_leftover (self, name))
            remove_tree (path);
        }
    }
}

/* --- making them --- */

static gboolean
write_text (const char *dir, const char *name, const char *text, GError **error)
{
  g_autofree char *path = g_build_filename (dir, name, NULL);
  int fd = open (path, O_WRONLY | O_CLOEXEC);
  gboolean is_written =
    fd >= 0 && write (fd, text, strlen (text)) == (gssize) strlen (text);

  if (!is_written)
    g_set_error (error, G_IO_ERROR, (int) g_io_error_from_errno (errno), "%s: %s", path,
                 g_strerror (errno));
  if (fd >= 0)
    close (fd);

  return is_written;
}

static gboolean
copy_from_parent (const char *dir, const char *name, GError **error)
{
  g_autofree char *parent = g_path_get_dirname (dir);
  g_autofree char *path = g_build_filename (parent, name, NULL);
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, error) &&
         write_text (dir, name, text, error);
}

/* What a new cgroup needs before processes or children can be in it. */
static gboolean
prepare (const Hierarchy *hierarchy, const char *dir, gboolean is_leaf, GError **error)
{
  if (hierarchy->controller == NULL)
    return is_leaf || write_text (dir, "cgroup.subtree_control", "+cpu +memory", error);

  if (g_str_equal (hierarchy->controller, "cpuset"))
    return copy_from_parent (dir, "cpuset.cpus", error) &&
           copy_from_parent (dir, "cpuset.mems", error);

  return TRUE;
}

static gboolean
make_directories (BenchCgroups *self,
                  const Hierarchy *hierarchy,
                  const char *relative,
                  char **leaf,
                  GError **error)
{
  g_auto (GStrv) names = g_strsplit (relative, "/", -1);
  g_autofree char *dir = g_strdup (hierarchy->mount);

  for (guint i = 0; names[i] != NULL; i++)
    {
      char *child = g_build_filename (dir, names[i], NULL);

      g_free (dir);
      dir = child;
      if (g_mkdir (dir, 0755) == 0)
        {
          g_ptr_array_add (self->made, g_strdup (dir));
          if (!prepare (hierarchy, dir, names[i + 1] == NULL, error))
            return FALSE;
        }
      else if (errno != EEXIST)
        {
          g_set_error (error, G_IO_ERROR, (int) g_io_error_from_errno (errno), "%s: %s",
                       dir, g_strerror (errno));
          return FALSE;
        }
    }

  *leaf = g_steal_pointer (&dir);
  return TRUE;
}

static char *
get_relative_path (BenchCgroups *self, const Hierarchy *hierarchy, guint uid, guint job)
{
  if (self->is_v2)
    return g_strdup_printf ("%s" V2_SUFFIX "/job_%u/step_0/user/task_0", self->node,
                            job);

  return g_strdup_printf ("slurm_%s/uid_%u/job_%u/step_0%s", self->node, uid, job,
                          hierarchy->depth == DEPTH_TASK ? "/task_0" : "");
}

BenchCgroup *
bench_cgroups_add_job (BenchCgroups *self, guint uid, guint job, GError **error)
{
  BenchCgroup *cgroup = g_new0 (BenchCgroup, 1);

  cgroup->files = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->jobs, cgroup);

  for (guint i = 0; i < self->hierarchies->len; i++)
    {
      const Hierarchy *hierarchy = &g_array_index (self->hierarchies, Hierarchy, i);
      g_autofree char *relative = get_relative_path (self, hierarchy, uid, job);
      g_autofree char *leaf = NULL;

      if (!make_directories (self, hierarchy, relative, &leaf, error))
        return NULL;
      g_ptr_array_add (cgroup->files, g_build_filename (leaf, "cgroup.procs", NULL));
    }

  return cgroup;
}

int
bench_cgroup_enter (const BenchCgroup *self)
{
  for (guint i = 0; i < self->files->len; i++)
    {
      int fd = open (g_ptr_array_index (self->files, i), O_WRONLY | O_CLOEXEC);

      if (fd < 0 || write (fd, "0", 1) != 1)
        return errno;
      close (fd);
    }

  return 0;
}

const char *
bench_cgroups_get_node (BenchCgroups *self)
{
  return self->node;
}

BenchCgroups *
bench_cgroups_new (char **reason)
{
  g_autoptr (BenchCgroups) self = g_new0 (BenchCgroups, 1);

  self->hierarchies = g_array_new (FALSE, FALSE, sizeof (Hierarchy));
  g_array_set_clear_func (self->hierarchies, hierarchy_clear);
  self->made = g_ptr_array_new_with_free_func (g_free);
  self->jobs = g_ptr_array_new_with_free_func (cgroup_free);
  self->node = g_strdup_printf ("bench%d", (int) getpid ());

  if (!find_hierarchies (self, reason))
    return NULL;

  remove_leftovers (self);
  return g_steal_pointer (&self);
}

/* The kernel lets go of a process that was waited for a moment later. */
static void
remove_directory (const char *path)
{
  for (guint i = 0; i < REMOVE_TRIES; i++)
    {
      if (g_rmdir (path) == 0 || errno == ENOENT)
        return;
      if (errno != EBUSY)
        break;
      g_usleep (REMOVE_PAUSE_US);
    }

  g_printerr ("%s: cannot be removed: %s\n", path, g_strerror (errno));
}

void
bench_cgroups_free (BenchCgroups *self)
{
  for (guint i = self->made->len; i > 0; i--)
    remove_directory (g_ptr_array_index (self->made, i - 1));

  g_array_unref (self->hierarchies);
  g_ptr_array_unref (self->made);
  g_ptr_array_unref (self->jobs);
  g_free (self->node);
  g_free (self);
}
